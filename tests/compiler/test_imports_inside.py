"""Imports in the body of a function: it may be the first to import a library, and what is not there is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import retrograd as rg
from retrograd.runtime.errors import InternalError, UnsupportedSyntax
from tests.written import written

FIRST = """
import sys
import numpy as np
import retrograd as rg

def with_name(x):
    from scipy.special import erf
    return np.sum(erf(x))

def with_module(x):
    import scipy.linalg as sl
    return np.sum(sl.solve(x, np.ones(2)))

assert not any(name.startswith("scipy") for name in sys.modules)
rg.check_grads(with_name, (np.array([0.3, -0.7]),))
rg.check_grads(with_module, (np.array([[2.0, 0.3], [0.1, 1.0]]),))
print("right")
"""


def test_the_first_import_of_a_library(tmp_path: Path) -> None:
    file = tmp_path / "first.py"
    file.write_text(FIRST)
    made = subprocess.run([sys.executable, str(file)], capture_output=True, text=True)
    assert made.stdout == "right\n", made.stderr


@pytest.mark.parametrize(
    "text",
    ["import nowhere.at_all as n", "from math import nothing_of_this"],
)
def test_what_cannot_be_imported(text: str) -> None:
    f = written(f"def f(x):\n    {text}\n    return x * x\n")
    with pytest.raises(UnsupportedSyntax) as caught:
        rg.grad(f)(2.0)
    assert not isinstance(caught.value, InternalError)
