"""SciPy is no dependency: where it cannot be imported, derivatives are made all the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

GONE = 'sys.modules["scipy"] = None  # an import of it fails'
PROGRAM = """
import sys
{before}
import numpy as np
import retrograd as rg

def f(x):
    a = x * 1.5
    for k in range(2):
        a[k] *= a[k + 1]
    return np.sum(np.exp(-a)) * np.linalg.norm(x)

x = np.array([0.3, 0.7, -0.2])
{statement}
assert not any(name.startswith("scipy.") for name in sys.modules)
"""
STATEMENTS = {
    "reverse": "rg.grad(f, strict=True)(x)",
    "forward": "rg.jvp(f, (x,), (x,), strict=True)",
    "second order": "rg.hessian(f, strict=True)(x)",
    "within": "rg.grad(lambda z: np.sum(rg.grad(f)(z) ** 2), strict=True)(x)",
    "on the tape": "from retrograd.autograd.functional import vjp",
    "text": "rg.differentiate(f).source('value_and_grad', x)",
}


@pytest.mark.parametrize("before", [GONE, ""], ids=["gone", "there"])
@pytest.mark.parametrize("statement", STATEMENTS)
def test_it_is_not_needed(statement: str, before: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(
        PROGRAM.format(before=before, statement=STATEMENTS[statement]), encoding="utf-8"
    )
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
