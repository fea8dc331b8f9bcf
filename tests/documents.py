"""The documentation, run: ``python -m tests.documents FILE.md`` prints the file as it should be.

Of a Markdown file, in order: a ```python block is executed, the ```text block after it holds what
it printed; a ```console block holds commands and what they print.  A comment above a block says more::

    <!-- file: model.py -->     the block is a file beside the others, and is imported
    <!-- raises: NAME -->       the block ends with this error, which its output shows
    <!-- device: cupy -->      the block runs on the double of CuPy
    <!-- quoted: PATH -->       the block is text of a file of the repository, and is not executed
    <!-- generated: NAME -->    from here to <!-- end -->: written by tests/generated_docs.py
"""

from __future__ import annotations

import contextlib
import importlib
import io
import linecache
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

__all__ = ["DOCUMENTS", "ROOT", "refreshed"]

ROOT = Path(__file__).resolve().parent.parent
# errors.md has a test of its own
DOCUMENTS = sorted(
    {ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")}
    - {ROOT / "docs" / "errors.md"}
)
BLOCK = re.compile(
    r"(?:^<!-- (?P<word>file|raises|quoted|emitted|device): (?P<about>.+?) -->\n)?"
    r"^```(?P<kind>python|console)\n(?P<code>.*?)^```\n"
    r"(?P<output>\n```text\n.*?^```\n)?",
    re.DOTALL | re.MULTILINE,
)
DEVICE = "<!-- device: cupy -->"
GENERATED = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def refreshed(path: Path) -> str:
    """The text a document should have, found in a process and a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "RETROGRAD_CACHE": str(Path(folder) / "cache")}
        environment.pop("RETROGRAD_FALLBACK", None)
        environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        command = [sys.executable, "-W", "error", "-m", "tests.documents", str(path)]
        place = Path(folder) / "work"
        place.mkdir()
        done = subprocess.run(
            command, cwd=place, env=environment, capture_output=True, encoding="utf-8", check=False
        )
    if done.returncode:
        raise AssertionError(f"{path.name}: {done.stderr}")
    return done.stdout


class Document:
    """One file and the names its blocks have defined so far."""

    def __init__(self, path: Path) -> None:
        self.path, self.blocks = path, 0
        self.names: dict[str, Any] = {"__name__": "__main__"}

    def text(self) -> str:
        written = GENERATED.sub(generated, self.path.read_text(encoding="utf-8"))
        with double() if DEVICE in written else contextlib.nullcontext():
            return BLOCK.sub(self.block, written)

    def block(self, found: re.Match[str]) -> str:
        word, about, code = found["word"], found["about"], found["code"]
        self.blocks += 1
        if word == "quoted":
            return quoted(found)
        if found["kind"] == "console":
            return found[0].replace(code, console(code))
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            self.run(code, word, about)
        return with_output(found, printed.getvalue())

    def run(self, code: str, word: str | None, about: str | None) -> None:
        if word == "file":
            return self.save(code, str(about))
        try:
            self.execute(code)
        except Exception as error:
            if word != "raises" or type(error).__name__ != about:
                raise
            print(f"{about}: {error}".replace(f"{Path.cwd()}{os.sep}", ""))
            return
        if word == "raises":
            raise AssertionError(f"this was to raise {about}:\n{code}")

    def execute(self, code: str) -> None:
        """As a file of its own, so that the functions in it have a source."""
        name = str(Path.cwd() / f"{self.path.stem.lower()}_{self.blocks}.py")
        linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
        exec(compile(code, name, "exec", dont_inherit=True), self.names)

    def save(self, code: str, name: str) -> None:
        Path(name).write_text(code, encoding="utf-8")
        sys.path[:0] = [] if str(Path.cwd()) in sys.path else [str(Path.cwd())]
        importlib.invalidate_caches()
        module = importlib.import_module(name.removesuffix(".py"))
        self.names.update({k: v for k, v in vars(module).items() if not k.startswith("__")})


def double() -> contextlib.AbstractContextManager[Any]:
    from tests import strict_cupy  # few documents need it

    return strict_cupy.installed()


def with_output(found: re.Match[str], printed: str) -> str:
    """The block with its output as it is; nothing may be printed that the document does not show."""
    start = found[0].removesuffix(found["output"] or "")
    if not printed:
        if found["output"]:
            raise AssertionError(f"nothing was printed by\n{found['code']}")
        return start
    lines = "\n".join(line.rstrip() for line in printed.rstrip().splitlines())
    return f"{start}\n```text\n{lines}\n```\n"


def quoted(found: re.Match[str]) -> str:
    text = (ROOT / found["about"]).read_text(encoding="utf-8")
    if found["code"] not in text:
        raise AssertionError(f"{found['about']} has no\n{found['code']}")
    return found[0]


def console(code: str) -> str:
    """The commands of a block, each with what it prints now (errors and exit code too)."""
    lines = []
    for command in [line for line in code.splitlines() if line.startswith("$ ")]:
        lines += [command, *output_of(command.removeprefix("$ ")).rstrip().splitlines()]
    return "\n".join(lines) + "\n"


def output_of(command: str) -> str:
    import shlex

    words = shlex.split(command)
    assert words[0] == "retrograd", command
    done = subprocess.run(
        [sys.executable, "-m", "retrograd.cli.main", *words[1:]],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stdout
    return done.stdout


def generated(found: re.Match[str]) -> str:
    from . import generated_docs

    return f"{found[1]}{getattr(generated_docs, found[2])().strip()}\n{found[3]}"


def main() -> None:
    text = Document(Path(sys.argv[1])).text()
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
