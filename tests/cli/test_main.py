"""The command as a whole: ways to start it, help, exit codes, pipes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import retrograd
from retrograd.cli import grad

from .conftest import Done

Call = Callable[..., Done]
START = ["retrograd", "retrograd.cli.main"]


@pytest.mark.parametrize("module", START)
def test_it_starts_as_a_module(module: str, folder: Path) -> None:
    command = [sys.executable, "-W", "error", "-m", module]
    done = subprocess.run(
        [*command, "--version"], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        f"retrograd {retrograd.__version__}\n",
        "",
    )
    done = subprocess.run(
        [*command, "grad", "model.py:refused"], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    done = subprocess.run(
        [*command, "grad", "model.py:two"], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stderr) == (0, "imported\n")
    assert "def two_grad(w, b, x):" in done.stdout


def test_the_compiler_is_not_imported_for_help() -> None:
    program = (
        "import sys\nfrom retrograd.cli.main import main\n"
        "try: main(['--version'])\nexcept SystemExit: pass\n"
        "heavy = {'numpy', 'gast', 'retrograd.compiler.pipeline'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)


@pytest.mark.parametrize(
    "command", [[], ["grad"], ["rules"], ["cache"]], ids=["main", "grad", "rules", "cache"]
)
def test_help_has_examples(call: Call, command: list[str]) -> None:
    done = call(*command, "--help")
    assert done.code == 0
    assert "examples:\n  retrograd " in done.out


@pytest.mark.parametrize(
    "argv", [[], ["nothing"], ["grad"], ["grad", "model.py:two", "--mode", "up"], ["cache", "eat"]]
)
def test_wrong_usage(call: Call, argv: list[str]) -> None:
    done = call(*argv)
    assert (done.code, done.out) == (2, "")
    assert "usage: retrograd" in done.err


def test_an_internal_error_is_told_apart(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> str:
        raise LookupError("lost")

    monkeypatch.setattr(grad, "text_of", fail)
    done = call("grad", "model.py:two")
    assert done.code == 3
    assert "LookupError: lost" in done.err
    assert "please report" in done.err


@pytest.mark.skipif(sys.platform == "win32", reason="no such pipes")
def test_a_reader_that_leaves_early_is_no_error() -> None:
    command = [sys.executable, "-W", "error", "-m", "retrograd", "rules"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate()
    assert (process.returncode, err) == (0, b"")
