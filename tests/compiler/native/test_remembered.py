"""Kernels of an earlier process: found without reading the emitted text again."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.cache import entries

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)

PROGRAM = """
import sys
import numpy as np
import retrograd as rg

def f(x):
    return np.sum(np.tanh(x) * x)

g = rg.value_and_grad(f, backend="c")
x = np.linspace(0.0, 1.0, 9)
g(x)
print(float(g(x)[0]), "retrograd.compiler.native.reader.reader" in sys.modules)
"""


def test_a_second_process_reads_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    said = [
        subprocess.run(
            [sys.executable, str(file)], capture_output=True, text=True, check=True
        ).stdout.split()
        for _ in range(2)
    ]
    assert said[0][1] == "True"
    assert said[1] == [said[0][0], "False"]


SCALE: Any = np.float64(2.0)
ACT: Any = np.tanh


def scaled(x: Any) -> Any:
    return np.sum(ACT(x)) * SCALE


def test_what_a_name_stands_for_is_remembered_with_the_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kernel holds the numbers of the module as literals: other numbers are another kernel."""
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))
    gradient, x = rg.grad(scaled, backend="c"), np.linspace(0.0, 1.0, 5)
    for scale, act in ((2.0, np.tanh), (7.0, np.tanh), (7.0, np.sin), (2.0, np.tanh)):
        monkeypatch.setitem(globals(), "SCALE", np.float64(scale))
        monkeypatch.setitem(globals(), "ACT", act)
        slope = 1.0 - np.tanh(x) ** 2 if act is np.tanh else np.cos(x)
        for found in (gradient, rg.grad(scaled, backend="c")):
            np.testing.assert_allclose(found(x), scale * slope, rtol=1e-12)
            np.testing.assert_allclose(found(x), scale * slope, rtol=1e-12)


def test_clearing_the_cache_takes_the_libraries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))

    def f(x: float) -> float:
        return x * x * x

    assert rg.grad(f, backend="c")(2.0) == 12.0
    assert np.float64(rg.grad(f, backend="c")(3.0)) == 27.0
    assert list((tmp_path / "cache").rglob("*.so"))
    entries.clear()
    assert not [p for p in (tmp_path / "cache").rglob("*") if p.suffix in (".so", ".c")]
