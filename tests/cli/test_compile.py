"""`retrograd compile`: what a deployment needs, made beforehand."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from retrograd.cli.main import main

from .conftest import Done

Call = Callable[..., Done]

MODEL = """
import numpy as np
import retrograd as rg


@rg.differentiate(sig="w: f8[d], x: f8[n, d]")
def loss(w, x):
    return np.sum(np.tanh(x @ w))


def area(r: float, k: float = 2.0):
    return k * r * r


slope = rg.grad(area)
rows = rg.jacobian(area, wrt=("r", "k"))
"""
USE = """
import sys
import numpy as np
from pack.model import loss, rows, slope

loss.grad(np.ones(3), np.ones((5, 3))), slope(2.0), rows(2.0)
print("retrograd.compiler.pipeline" in sys.modules)
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__init__.py").write_text("")
    (tmp_path / "pack" / "model.py").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield tmp_path
    for name in [n for n in sys.modules if n.partition(".")[0] == "pack"]:
        del sys.modules[name]


def told(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, list[str], str]:
    code = main(["compile", *argv])
    said = capsys.readouterr()
    return code, said.out.splitlines(), said.err


def test_all_of_a_file(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, _ = told(capsys, "pack/model.py")
    assert code == 0
    assert [line.partition(",")[0] for line in lines[:3]] == [
        "pack/model.py:loss.grad: NumPy", "pack/model.py:slope: NumPy", "pack/model.py:rows: NumPy",
    ]  # fmt: skip
    assert lines[3] == "3 of 3 kept in cache"


def test_another_process_finds_it(project: Path) -> None:
    """Two processes of their own: rules that other tests have registered here would be of its cache's keys."""

    def run(*command: str) -> str:
        done = subprocess.run(
            [sys.executable, *command], env=known, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.strip()

    known = {**os.environ, "RETROGRAD_CACHE": "shipped", "PYTHONPATH": os.pathsep.join(sys.path)}
    run("-m", "retrograd", "compile", "pack/model.py", "--cache", "shipped")
    assert run("-c", USE) == "False"


@pytest.mark.parametrize("target", ["pack/model.py:area", "pack.model:area"])
def test_modes_of_a_function(
    project: Path, capsys: pytest.CaptureFixture[str], target: str
) -> None:
    code, lines, _ = told(capsys, target, "--mode", "grad,hessian", "--wrt", "r,k", "--args", "2.0")
    assert code == 0
    assert [line.partition(": ")[0] for line in lines[:2]] == [
        "pack.model:area grad", "pack.model:area hessian",
    ]  # fmt: skip


@pytest.mark.skipif(not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="needs a C compiler")
def test_kernels(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, _ = told(capsys, "pack/model.py:area", "--backend", "c")
    assert (code, lines[0].partition(",")[0]) == (0, "pack.model:area grad: C")
    assert [*(project / "cache" / "native").glob("k_*")]


def test_what_pyproject_lists(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "pyproject.toml").write_text(
        '[[tool.retrograd.gradients]]\nfunction = "pack/model.py:area"\noutput = "a.py"\n'
        'mode = ["grad", "hessian"]\nwrt = ["r"]\n'
    )
    code, lines, _ = told(capsys)
    assert (code, len(lines)) == (0, 3)
    assert not (project / "a.py").exists()


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ((), "no pyproject.toml here or above lists gradients"),
        (("none.py",), "there is no file none.py"),
        (("pack/model.py:area", "--mode", "hvp"), "what is compiled is grad, value_and_grad"),
        (("pack/model.py:are",), "did you mean area"),
        (("json",), "json makes no derivative"),
    ],
)
def test_what_is_not_there(
    project: Path, capsys: pytest.CaptureFixture[str], argv: tuple[str, ...], said: str
) -> None:
    code, lines, error = told(capsys, *argv)
    assert (code, lines) == (2, [])
    assert said in error


def test_types_that_nothing_says(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "open.py").write_text("import retrograd as rg\n\nslope = rg.grad(lambda q: q)\n")
    code, lines, _ = told(capsys, "open.py")
    assert code == 1
    assert "nothing says what `q` is" in lines[0]
    assert lines[1].startswith("0 of 1 kept")
