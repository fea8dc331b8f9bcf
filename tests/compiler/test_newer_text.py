"""A file that is newer than the function that was loaded from it: its text is not what runs."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

import retrograd as rg
from retrograd.compiler.frontend.source_freshness import runs_alike
from retrograd.runtime.errors import SourceUnavailable

pytestmark = pytest.mark.usefixtures("unchecked")
TEXT = "def f(x, k=1.0):\n    g = lambda a: a * 3.0\n    return 2.0 * x * x + g(x)\n"
EDITS = {
    "constant": ("2.0", "7.0"), "kind of a constant": ("2.0", "2"), "constant of an inner function": ("3.0", "4.0"),
    "sign of a constant": ("2.0", "-2.0"), "operator": ("x * x", "x + x"), "parameters": ("k=1.0", "k=1.0, n=2"),
    "name": ("lambda a: a", "lambda b: b"),
}  # fmt: skip
QUIET = {"comment": ("lambda", "lambda"), "end": ("g(x)\n", "g(x)  # the end\n\n\nX = 1\n")}


def loaded(path: Path) -> object:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made.f


@pytest.mark.parametrize("edit", [*EDITS, *QUIET])
def test_a_text_that_is_not_what_runs_is_refused(edit: str, tmp_path: Path) -> None:
    path = tmp_path / f"edited_{edit.replace(' ', '_')}.py"
    path.write_text(TEXT)
    f = loaded(path)
    path.write_text(TEXT.replace(*(EDITS | QUIET)[edit]))
    if edit in QUIET:
        assert rg.grad(f)(3.0) == 15.0
    else:
        with pytest.raises(SourceUnavailable, match="has changed since f was loaded"):
            rg.grad(f)(3.0)


def test_an_edit_before_the_compiler_is_there_is_seen(tmp_path: Path) -> None:
    """It is imported late, at the first derivative."""
    path = tmp_path / "edited.py"
    path.write_text("def f(x):\n    return 2.0 * x * x\n")
    run = (
        "import retrograd as rg, edited, pathlib\n"
        "path = pathlib.Path('edited.py')\n"
        "path.write_text(path.read_text().replace('2.0', '7.0'))\n"
        "try:\n    print(rg.grad(edited.f)(3.0))\n"
        "except Exception as error:\n    print(type(error).__name__)\n"
    )
    paths = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-c", run], cwd=tmp_path, env=os.environ | {"PYTHONPATH": paths},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == "SourceUnavailable"


@pytest.mark.parametrize("other", ["2", "True", "-2.0", "(2.0,)", "'2.0'"])
def test_constants_of_another_kind_do_not_run_alike(other: str) -> None:
    code = compile("x = 2.0", "a", "exec")
    assert runs_alike(code, compile("\nx = 2.0", "b", "exec"))
    assert not runs_alike(code, compile(f"x = {other}", "a", "exec"))
