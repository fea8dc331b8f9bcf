"""``retrograd grad --language c``: every mode, containers, float32, options, refusals."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from retrograd.cli.main import main

from .programs import FLAGS, MAKERS

MODEL = """
import numpy as np

TABLE = np.array([0.5, 1.5, 2.5])


def residual(p, t, y):
    return p[0] * np.exp(-p[1] * t) - y


def loss(params, x):
    hidden = np.tanh(x @ params["w"] + params["b"])
    return np.sum(hidden**2) * TABLE[1]


def converged(a):
    x = a
    while abs(x * x - a) > 1e-10 * a:
        x = 0.5 * (x + a / x)
    return x


def told(x):
    print(x)
    return x * x


def with_default(x, k):
    return np.sum(x[:k] ** 2)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working folder, with fits.py, which is not imported any longer afterwards."""
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "fits.py").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    sys.modules.pop("fits", None)
    yield tmp_path
    sys.modules.pop("fits", None)


def compiles(name: str) -> None:
    for maker in MAKERS:
        done = subprocess.run(
            [maker, *FLAGS, "-O2", "-c", f"{name}.c", "-o", f"{name}.o"],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("mode", ["jvp", "vjp", "jacobian"])
def test_modes_of_a_residual(mode: str, dtype: str, folder: Path) -> None:
    sig = f"p: {dtype}[2], t: {dtype}[m], y: {dtype}[m]"
    assert (
        main(
            [
                "grad",
                "fits.py:residual",
                "--mode",
                mode,
                "--sig",
                sig,
                "--language",
                "c",
                "-o",
                "it.c",
            ]
        )
        == 0
    )
    header = Path("it.h").read_text()
    assert f"residual_{mode}(" in header
    assert "double" not in header or dtype == "f8"
    compiles("it")


def test_containers_constants_and_the_header(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["grad", "fits.py:loss", "--value", "--language", "c", "-o", "it.c"]
    words += ["--sig", "params: {'w': f8[3, 2], 'b': f8[2]}, x: f8[4, 3]"]
    assert main(words) == 0
    header, source = Path("it.h").read_text(), Path("it.c").read_text()
    for word in ("const double *params_w", "double *grad_params_b", "double *value"):
        assert word in header, header
    assert "--language c" in source
    assert "work" not in header  # all of it is small and known
    compiles("it")
    before = source
    assert main(words) == 0
    assert "up to date" in capsys.readouterr().err
    assert Path("it.c").read_text() == before


def test_a_loop_of_unknown_length_has_room_for_so_many(folder: Path) -> None:
    assert (
        main(["grad", "fits.py:converged", "--sig", "a: float", "--language", "c", "-o", "it.c"])
        == 0
    )
    header = Path("it.h").read_text()
    assert "int64_t n_steps" in header
    assert "CONVERGED_GRAD_FULL 2" in header
    compiles("it")


@pytest.mark.parametrize(
    ("function", "options", "said"),
    [
        ("told", ["--sig", "x: float"], "the name `print`"),
        ("residual", ["--mode", "vjp"], "residual_vjp: it has no type: name it in the signature"),
        ("converged", ["--sig", "a: float", "--device", "cuda"], "goes without --device"),
        ("converged", ["--sig", "a: float", "-o", "it.py"], "ends in .c"),
        ("converged", ["--sig", "a: float", "--mode", "grad,jvp"], "one derivative"),
        ("converged", ["--sig", "a: complex"], "complex"),
    ],
)
def test_what_is_refused(
    function: str, options: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["grad", f"fits.py:{function}", "--language", "c", *options])
    told = capsys.readouterr().err
    assert code in (1, 2)
    assert said in told
    assert len(told.splitlines()) < 15
    assert not list(folder.glob("it.*"))


def test_printed_without_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grad", "fits.py:converged", "--sig", "a: float", "--language", "c"]) == 0
    assert "int converged_grad(double a," in capsys.readouterr().out
