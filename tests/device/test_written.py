"""Texts for the device that the command line writes: modules that name cupy, and refuse arrays of the host."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrograd.cli.main import main
from retrograd.runtime.errors import SignatureMismatch
from retrograd.runtime.user.argument_checks import expects

from ..strict_cupy import no_transfers

pytestmark = pytest.mark.cupy

PROGRAM = """
import numpy as np

TABLE = np.array([1.0, 2.0, 4.0])


def loss(w, x, y):
    residual = np.zeros(len(y))
    residual[:] = x @ w - y
    return np.mean(residual**2)


def of_tree(p, x):
    return np.sum(np.tanh(p["w"] * x + p["b"]))


def tabled(x):
    return np.sum(TABLE * x)
"""
X = np.array([[1.0, 2.0, 3.0], [0.5, -1.0, 2.0]])
W, Y = np.array([0.1, -0.2, 0.3]), np.array([1.0, 2.0])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "programs.py").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "programs", raising=False)
    return tmp_path


def written(folder: Path, *words: str) -> Any:
    assert main(["grad", *words, "-o", "made.py"]) == 0
    spec = importlib.util.spec_from_file_location("made", folder / "made.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


SIGNATURES = [
    [],
    ["--sig", "w: f8[d], x: f8[n, d], y: f8[n]"],
    ["--sig", "w: cp f8[d], x: cp f8[n, d], y: cp f8[n]"],
]


@pytest.mark.parametrize("signature", SIGNATURES, ids=["any", "marked", "said"])
def test_a_module_for_the_device(cupy: Any, folder: Path, signature: list[str]) -> None:
    made = written(folder, "programs.py:loss", "--device", "cuda", *signature)
    text = (folder / "made.py").read_text()
    assert "import cupy as cp" in text and "numpy" not in text
    assert "--device cuda" in text
    w, x, y = map(cupy.asarray, (W, X, Y))
    with no_transfers():
        w_bar = made.loss_grad(w, x, y)
    np.testing.assert_allclose(w_bar.get(), X.T @ (X @ W - Y), 1e-12)
    for given in [(W, X, Y), (w, X, y), (w, x, Y)]:
        with pytest.raises(
            SignatureMismatch, match="loss_grad: `.` is f8.* not .*(cp f8|on the device)"
        ):
            made.loss_grad(*given)


def test_a_signature_says_the_device_alone(cupy: Any, folder: Path) -> None:
    made = written(
        folder,
        "programs.py:of_tree",
        "--sig",
        "p: {'w': cp f8[n], 'b': float}, x: cp f8[n]",
        "--value",
    )
    value, bars = made.of_tree_value_and_grad({"w": cupy.asarray(W), "b": 0.5}, cupy.asarray(W))
    t = np.tanh(W * W + 0.5)
    np.testing.assert_allclose(value.get(), t.sum())
    np.testing.assert_allclose(bars["w"].get(), (1 - t * t) * W)
    np.testing.assert_allclose(bars["b"].get(), (1 - t * t).sum())


def test_writing_it_anew_changes_nothing(cupy: Any, folder: Path, capsys: Any) -> None:
    written(folder, "programs.py:loss", "--device", "cuda")
    written(folder, "programs.py:loss", "--device", "cuda")
    assert "is up to date" in capsys.readouterr().err


def test_host_and_device_in_one_signature(cupy: Any, folder: Path, capsys: Any) -> None:
    assert main(["grad", "programs.py:loss", "--sig", "w: cp f8[d], x: f8[n, d], y: f8[n]"]) == 1
    assert "hand over both from one place" in capsys.readouterr().err


def test_an_array_of_the_module_is_refused(cupy: Any, folder: Path, capsys: Any) -> None:
    assert main(["grad", "programs.py:tabled", "--device", "cuda"]) == 1
    assert "TABLE = cupy.asarray(TABLE)" in capsys.readouterr().err


def test_numbers_of_python_have_no_device(cupy: Any, folder: Path, capsys: Any) -> None:
    assert main(["grad", "programs.py:loss", "--sig", "w: cp float"]) == 2
    assert "write `cp f8`" in capsys.readouterr().err


def test_helpers_of_the_device_do_not_stand_alone(cupy: Any, folder: Path, capsys: Any) -> None:
    assert main(["grad", "programs.py:loss", "--device", "cuda", "--standalone"]) == 2
    assert "leave --standalone out" in capsys.readouterr().err


KINDS = {
    "cp f8[n]": "f8[n]", "cp f8[3]": "f8[3]", "cp f8[...]": "f8[...]", "cp floating": "floating", "cp real": "real",
    "cp not integers": "not integers",
}  # fmt: skip


@pytest.mark.parametrize(("there", "here"), KINDS.items())
def test_kinds_of_arguments(cupy: Any, there: str, here: str) -> None:
    """A kind takes arrays of its library, and none of the other's."""
    host, device = np.ones(3), cupy.ones(3)
    for kind, own, other in ((there, device, host), (here, host, device)):
        takes = expects(kind)(lambda x: x)
        assert takes(own) is own
        with pytest.raises(SignatureMismatch, match=r"`x` is (cp )?f8\[3\], not "):
            takes(other)


@pytest.mark.parametrize("kind", ["cp floating", "cp real", "floating", "real"])
def test_numbers_of_python_go_with_both(cupy: Any, kind: str) -> None:
    takes = expects(kind)(lambda x: x)
    assert takes(2.0) == 2.0
    array = cupy.ones(3) if kind.startswith("cp") else np.ones(3)
    assert takes([array, 1.0])[0] is array
    with pytest.raises(SignatureMismatch):
        takes(array.astype(complex))


def test_rank_0(cupy: Any) -> None:
    takes = expects("cp f8")(lambda x: x)
    x = cupy.asarray(1.0)
    assert takes(x) is x
    for other in (np.float64(1.0), np.array(1.0), 1.0, cupy.ones(1), cupy.asarray(1.0, "f4")):
        with pytest.raises(SignatureMismatch):
            takes(other)
