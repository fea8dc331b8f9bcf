"""Loops of kernels that are left, or go on, before all their names are bound: what a name holds then."""

from __future__ import annotations

import math
import shutil
from pathlib import Path
from typing import Any

import pytest

import retrograd as rg

from ...written import written

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)
# Names that hold what they held in the iteration before, where this one does not get to them.
PROGRAMS = {
    "test": """
def f(x):
    s, n = 0.0, 0
    while (n := s * s + x) < 20.0 and (m := n * 0.5 + 1.0) > 0.0:
        s = n + 0.1 * m
    return s + n + m
""",
    "test and break": """
def f(x):
    w, n = 0.1, 0
    while (w := math.cos(max(w, x) - (x + x))) < 1.3 and (m := w * 0.5) > -2.0:
        n += 1
        if n > 4:
            break
        m = 0.3 * 1.5 + (0.3 - w) * 1.5
    return x + m * w
""",
    "branch": """
def f(x):
    s, k = 0.0, 0
    while True:
        k += 1
        s = s * 0.5 + x
        if s > 1.5:
            m = s * x
        if k > 6:
            break
    return s * m
""",
    "continue": """
def f(x):
    s, k = x, 0
    while k < 5:
        k += 1
        if k % 2 == 1 and s > 1.0:
            m = s * k
            continue
        s = s * 1.3
        if k == 4:
            s = s + m
    return s * s
""",
    "constant": """
def f(x):
    a, b = x, x
    while b > 20.0:
        a = 1.5
        b = b - 10.0
    return a * b
""",
    "constant, broken off": """
def f(x):
    a = x
    for k in range(4):
        if x * k > 4.0:
            break
        a = 0.5
        if x > 20.0:
            continue
        a = 0.0
    return a * x
""",
    "inner": """
def f(x):
    s = 0.0
    for i in range(4):
        j = 0
        while True:
            j += 1
            s += x / j
            if s > 1.0:
                last = s * x
            if j > i:
                break
        if i > 1:
            s += last
    return s * last
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_kernels_do_as_the_text_does(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    f = written(PROGRAMS[name], math=math)
    compiled, plain = rg.differentiate(f, check=None, backend="c"), rg.differentiate(f, check=None)
    for x in (1.3, 2.2, 0.97, 19.0, 25.0):
        value = answer(f, x)
        for known in (plain, compiled, compiled):
            found = answer(known.value_and_grad, x)
            assert found is value is None or found[0] == pytest.approx(value, rel=1e-12)
        assert value is None or compiled.grad(x) == pytest.approx(plain.grad(x), rel=1e-9)


def answer(function: Any, x: float) -> Any:
    """What a function gives; None for one that reads a name before it is bound."""
    try:
        return function(x)
    except UnboundLocalError:
        return None
