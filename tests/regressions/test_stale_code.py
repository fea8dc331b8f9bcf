"""The cache knows the values of the defaults of helpers: their text may stay the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

MODEL = """
import os
RATE = float(os.environ["RATE"])

def helper(x, k=RATE, *, t=(RATE, 2.0)):
    return x * k * t[0]

def loss(x):
    return helper(x)
"""


def slope(folder: Path, rate: str) -> float:
    code = "import retrograd as rg, model; print(rg.grad(model.loss)(1.5))"
    env = {**os.environ, "RATE": rate, "RETROGRAD_CACHE": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


@pytest.mark.slow
def test_another_process_with_another_default_gets_its_own_code(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(MODEL)
    assert [slope(tmp_path, rate) for rate in ("2", "3", "2")] == [4.0, 9.0, 4.0]
