"""``[tool.retrograd]`` in ``pyproject.toml``: the derivatives of a project, and the files they are written to.

::

    [[tool.retrograd.gradients]]
    function = "model.py:loss"        # or a list of them
    output = "gradients/loss.py"      # several tables may name one file
    mode = ["grad", "hessian"]
    wrt = ["w", "b"]

The other keys are the options of ``retrograd grad``: ``sig = "..."``, ``value = true``; one that stands in
``[tool.retrograd]`` holds for all.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from .parser import command_parsers, parser
from .targets import NotFound
from .terminal.suggestions import close_to

__all__ = ["Project", "project_of"]

OWN = {"function": "target", "functions": "target", "modes": "mode"}


class Project(NamedTuple):
    """The folder of a pyproject.toml, and for each output the command lines of its tables."""

    root: Path
    outputs: dict[str, list[list[str]]]

    def requests(self, output: str) -> list[argparse.Namespace]:
        return [parser().parse_args(argv) for argv in self.outputs[output]]

    def output_of(self, path: Path) -> str | None:
        """The output that a file is."""
        real = path.resolve()
        return next((o for o in self.outputs if (self.root / o).resolve() == real), None)


def project_of(start: Path) -> Project | None:
    """The project that a folder belongs to: the nearest pyproject.toml with ``[tool.retrograd]``."""
    here = start.resolve()
    for folder in (here, *here.parents):
        file = folder / "pyproject.toml"
        if file.is_file():
            table = table_of(file)
            if table is not None:
                return Project(folder, outputs_of(table, file))
    return None


def table_of(file: Path) -> dict[str, Any] | None:
    try:
        whole = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise NotFound(f"{file}: {error}") from None
    found = whole.get("tool", {}).get("retrograd")
    if found is not None and not isinstance(found, dict):
        raise NotFound(f"{file}: tool.retrograd is a table")
    return found


def outputs_of(table: dict[str, Any], file: Path) -> dict[str, list[list[str]]]:
    """The command lines for each output, in the order of the tables."""
    entries = table.get("gradients", [])
    shared = {key: value for key, value in table.items() if key != "gradients"}
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise NotFound(f"{file}: write each of the gradients under [[tool.retrograd.gradients]]")
    known = options()
    made: dict[str, list[list[str]]] = {}
    for number, entry in enumerate(entries, 1):
        words = {OWN.get(key, key): value for key, value in (shared | entry).items()}
        where = f"{file}: number {number} of tool.retrograd.gradients"
        for key in ("target", "output"):
            if key not in words:
                said = "function" if key == "target" else key
                raise NotFound(f'{where} has no `{said}`: write {said} = "..."')
        made.setdefault(str(words["output"]), []).append(["grad", *argv(words, known, where)])
    return made


def options() -> dict[str, bool]:
    """The options of ``retrograd grad``; whether each is a switch."""
    found = command_parsers(parser())["grad"]._option_string_actions
    return {
        name.removeprefix("--"): action.nargs == 0
        for name, action in found.items()
        if name.startswith("--") and name != "--help"
    }


def argv(words: dict[str, Any], known: dict[str, bool], where: str) -> Iterator[str]:
    """The words of a command line."""
    for key, value in words.items():
        if key == "target":
            yield from [value] if isinstance(value, str) else texts(value, key, where)
        elif key not in known:
            hint = close_to(key, ["function", *known]) or f"; there is {', '.join(known)}"
            raise NotFound(f"{where}: `{key}` is no option{hint}")
        elif known[key] != isinstance(value, bool):
            raise NotFound(f"{where}: `{key}` is {'true or false' if known[key] else 'a text'}")
        elif value is True:
            yield f"--{key}"
        elif value is not False:
            yield f"--{key}={spelled(key, value, where)}"


def spelled(key: str, value: Any, where: str) -> str:
    if isinstance(value, (str, int)):
        return str(value)
    listed = texts(value, key, where)
    return ",".join(listed) + ("," if key == "wrt" and len(listed) == 1 else "")


def texts(value: Any, key: str, where: str) -> list[str]:
    if (
        not isinstance(value, list)
        or not value
        or not all(isinstance(v, (str, int)) for v in value)
    ):
        raise NotFound(f"{where}: `{key}` is a text, or a list of texts")
    return [str(v) for v in value]
