"""`retrograd completion`, colour, and what is said of words that are not known."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from retrograd.cli.completion import SCRIPTS, completions
from retrograd.cli.parser import COMMANDS
from retrograd.cli.terminal.colours import diff_in_colour, has_colour, python_in_colour

from .conftest import Done

Call = Callable[..., Done]
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ([""], {*COMMANDS, "--help", "--version"}),
        (["ch"], {"check"}),
        (["grad", "model.py:t"], {"model.py:table", "model.py:two", "model.py:typed"}),
        (["grad", "model.py:Net."], {"model.py:Net.loss", "model.py:Net.size"}),
        (["grad", "mod"], {"model.py:"}),
        (["grad", "model.py:two", "--mode", "hess"], {"hessian"}),
        (["grad", "model.py:two", "--mode", "grad,h"], {"grad,hessian", "grad,hvp"}),
        (["grad", "model.py:two", "--wrt", ""], {"w", "b", "x"}),
        (["grad", "model.py:two", "--wrt", "w,"], {"w,w", "w,b", "w,x"}),
        (["grad", "--dev"], {"--device"}),
        (["grad", "--device", ""], {"cpu", "cuda"}),
        (["cache", "pr"], {"prune"}),
        (["completion", "z"], {"zsh"}),
        (["check", "--se"], {"--seed"}),
        (["nothing", ""], set()),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_a_word_may_become(folder: Path, words: list[str], found: set[str]) -> None:
    assert set(completions(words)) == found


def test_completing_does_not_run_the_file(call: Call) -> None:
    done = call("completion", "words", "--", "grad", "model.py:lo")
    assert (done.out, done.err) == ("model.py:loss\n", "")


@pytest.mark.parametrize("shell", SCRIPTS)
def test_the_script_is_one_of_the_shell(call: Call, folder: Path, shell: str) -> None:
    script = call("completion", shell).out
    assert "retrograd completion words" in script
    if shutil.which(shell):
        (folder / "script").write_text(script, encoding="utf-8")
        subprocess.run([shell, "-n", "script"], cwd=folder, check=True)


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("retrograd che", ["check"]),
        ("retrograd grad model.py:lo", ["loss"]),  # bash has a word after the colon
        ("retrograd cache ", ["clear", "list", "prune", "where"]),
    ],
)
def test_bash_completes_the_line(call: Call, folder: Path, line: str, found: list[str]) -> None:
    start = f'retrograd() {{ PYTHONPATH={ROOT} {sys.executable} -m retrograd "$@"; }}\n'
    ask = f"COMP_LINE={line!r}; COMP_POINT=${{#COMP_LINE}}; _retrograd 2>/dev/null\n"
    program = f"{start}{call('completion', 'bash').out}{ask}printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run(
        ["bash", "-c", program], cwd=folder, capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.split() == found


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colour_is_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert has_colour(Terminal())
    assert not has_colour(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not has_colour(Terminal())
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not has_colour(Terminal())


def test_colour_adds_nothing_but_colour(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    text = call("grad", "model.py:two").out
    painted = python_in_colour(text)
    assert painted != text
    assert re.sub(r"\033\[\d+m", "", painted) == text
    diff = "--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n same\n"
    assert re.sub(r"\033\[\d+m", "", diff_in_colour(diff)) == diff
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert call("grad", "model.py:two").out == painted


@pytest.mark.parametrize(
    ("argv", "meant"),
    [
        (["gard", "model.py:two"], "did you mean grad"),
        (["grad", "model.py:two", "--standalon3"], "did you mean --standalone?"),
        (["check", "--fux"], "did you mean --fix?"),
    ],
)
def test_a_mistyped_word(call: Call, argv: list[str], meant: str) -> None:
    done = call(*argv)
    assert (done.code, meant in done.err) == (2, True), done.err


def test_no_command_shows_the_help(call: Call) -> None:
    done = call()
    assert (done.code, done.out) == (2, "")
    assert all(f"    {name} " in done.err or f"    {name}\n" in done.err for name in COMMANDS)
