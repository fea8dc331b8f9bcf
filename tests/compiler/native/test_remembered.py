"""Kernels of an earlier process: found without reading the emitted text again."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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
print(float(g(x)[0]), "retrograd.compiler.native.reader" in sys.modules)
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


def test_clearing_the_cache_takes_the_libraries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import numpy as np

    import retrograd as rg
    from retrograd.compiler import cache

    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))

    def f(x: float) -> float:
        return x * x * x

    assert rg.grad(f, backend="c")(2.0) == 12.0
    assert np.float64(rg.grad(f, backend="c")(3.0)) == 27.0
    assert list((tmp_path / "cache").rglob("*.so"))
    cache.clear()
    assert not [p for p in (tmp_path / "cache").rglob("*") if p.suffix in (".so", ".c")]
