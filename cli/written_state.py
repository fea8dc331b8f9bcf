"""What a written file is today: up to date, stale, missing, or of a function that is refused."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import NamedTuple

from .grad import text_of
from .parser import parser
from .project import Project, project_of
from .targets import NotFound
from .terminal.working_folder import in_folder
from .texts.comparisons import Header, header_of, reasons, same_meaning
from .written_files import is_written

__all__ = ["FINE", "State", "listed_state", "state_of", "written_below"]

FINE = "up to date"
SKIPPED = {"node_modules", "__pycache__", "site-packages", "build", "dist", "venv"}


class State(NamedTuple):
    """A file as it is shown, what is the matter and why; its text, that of today, and how to write it."""

    path: Path
    state: str
    reasons: list[str]
    old: str = ""
    new: str | None = None
    command: str = ""
    folder: Path = Path()

    @property
    def is_fine(self) -> bool:
        return self.state == FINE


def state_of(path: Path) -> State:
    """Of a file that exists; `NotFound` if it is not one that retrograd wrote."""
    old = path.read_text(encoding="utf-8")
    header = header_of(old)
    if header is None:
        raise NotFound(f"{path} was not written by `retrograd grad -o`")
    project = project_of(path.resolve().parent)
    output = project.output_of(path) if project is not None else None
    if project is not None and output is not None:
        return listed_state(project, output, path)
    if header.command.startswith("retrograd sync"):
        raise NotFound(
            f"{path}: no pyproject.toml above it lists it under [[tool.retrograd.gradients]]"
        )
    root, words = root_of(path, header.command), shlex.split(header.command)
    return compared(path, old, header, root, [words[1:]], "")


def listed_state(project: Project, output: str, path: Path | None = None) -> State:
    """Of an output of a project, which may not be there yet."""
    file = project.root / output
    lines = project.outputs[output]
    command = f"retrograd sync {shlex.quote(output)}" if len(lines) > 1 else ""
    path = path or shown(file)
    if not file.is_file():
        return compared(path, "", None, project.root, lines, command)
    old = file.read_text(encoding="utf-8")
    header = header_of(old)
    if header is None and old.strip():
        raise NotFound(f"{path} was not written by retrograd; remove it, or write another file")
    return compared(path, old, header, project.root, lines, command)


def compared(
    path: Path, old: str, header: Header | None, root: Path, lines: list[list[str]], command: str
) -> State:
    """The file beside what is asked for in a folder."""
    from retrograd.runtime.errors import RetrogradError

    said = command or shlex.join(["retrograd", *lines[0]])
    try:
        with in_folder(root):
            new = text_of([parser().parse_args(line) for line in lines], command)
    except RetrogradError as error:
        return State(path, "refused", [str(error)], old, None, said, root)
    except NotFound as error:
        return State(path, "not found", [str(error)], old, None, said, root)
    now = header_of(new)
    assert now is not None
    if header is None:
        return State(path, "missing", [], old, new, now.command, root)
    if same_meaning(old, new):
        return State(path, FINE, [], old, new, now.command, root)
    return State(path, "stale", reasons(header, now), old, new, now.command, root)


def root_of(path: Path, command: str) -> Path:
    """The folder that the command was given in: the file's own, less what the command says of it."""
    given = parser().parse_args(shlex.split(command)[1:])
    real, said = path.resolve(), Path(given.output or path.name)
    depth = len(said.parts)
    if real.parts[-depth:] == said.parts and ".." not in said.parts:
        return real.parents[depth - 1]
    places = [Path(target.rpartition(":")[0]) for target in given.target]
    folders = [Path.cwd(), *real.parents]
    fitting = (f for f in folders if all((f / place).exists() for place in places))
    return next(fitting, Path.cwd())


def shown(path: Path) -> Path:
    """A path as it is seen from here."""
    here = Path.cwd().resolve()
    real = path.resolve()
    return real.relative_to(here) if real.is_relative_to(here) else path


def written_below(folder: Path) -> list[Path]:
    """The files below a folder that retrograd wrote."""
    found = []
    for path in sorted(folder.rglob("*.py")):
        inside = path.relative_to(folder).parts[:-1]
        if any(part in SKIPPED or part.startswith(".") for part in inside):
            continue
        if path.is_file() and is_written(path) and header_of(path.read_text(encoding="utf-8")):
            found.append(path)
    return found
