"""Containers that live when the program runs: right in both modes and to second order, or refused where two hold one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import GradientMismatch, InternalError
from tests.fuzz.inside import program
from tests.fuzz.run import judged
from tests.written import written

X = np.array([0.7, 1.3, 0.4, 0.9])
V = np.array([0.3, -1.1, 0.7, 0.2])
STEP = 1e-5
HEAD = """import numpy as np
from collections import Counter, OrderedDict, defaultdict, deque

def fill(row, v):
    row[0] = v
    row[1] = v * v

def fill_at(rows, i, v):
    rows[i][0] = v

def same(row):
    return row

def f(x):
    n = len(x)
    m = [[v] * 3 for v in x]
    {body}
"""
RIGHT = {
    "row by a name": "row = m[0]; m[0][1] = x[1]; row[2] = x[2]; return m[0][2] * row[1]",
    "two names": "a = m[1]; b = m[1]; a[0] = x[0]; b[0] *= x[1]; return a[0] * m[1][0]",
    "copies": "c = [r[:] for r in m]; m[0][1] = x[1]; return c[0][1] * m[0][1]",
    "swap": "m[0], m[1] = m[1], m[0]; m[0][1] = x[2]; return m[0][1] * m[1][1] * m[0][0]",
    "put elsewhere, then read": "row = m[0]; m[0] = [x[0], 2.0, 3.0]; return m[0][0] * row[0]",
    "helper with the row": "[fill(m[k], x[k]) for k in range(2)]; return m[1][0] * m[0][1]",
    "helper with the whole": "fill_at(m, 1, x[0] ** 2); return m[1][0] * m[0][1]",
    "zeros": "y = [0.0] * n; y[1:n - 1] = [v * v for v in x[1:n - 1]]; return sum(y) * y[1]",
    "dict of lists": "d = {{}}; [d.setdefault(k % 2, []).append(x[k]) for k in range(n)]; return sum(d[0]) * d[1][1]",
    "keys of text": "d = {{f'a{{k}}': x[k] for k in range(n)}}; d.pop('a1'); return sum(d.values()) * d['a2']",
    "pairs": "d = dict(zip(['a', 'b', 'c', 'd'], x)); d['a'] *= d['b']; return d['a'] * d.get('e', 2.0)",
    "queue": "q = deque(x, maxlen=3); q.rotate(1); q.appendleft(x[0] ** 2); return q[0] * q[1] + q[-1]",
    "defaults": "d = defaultdict(lambda: 1.0); d[n] *= x[0]; d[n] *= x[1]; return d[n] + d[0]",
    "filters": "return sum(a * b for a in x for b in x if a != b) + sum(x[i] * x[j] for i in range(n) for j in range(i))",
    "starred": "a, *b, c = x; return a * c * b[0] + len(b) * sum(b)",
}
SHARED = {
    "slice": "c = m[:]; m[0][1] = x[1]; return c[0][1]",
    "list": "q = [m[0], m[1]]; m[0][1] = x[1]; return q[0][1]",
    "appended": "q = [m[k] for k in range(n)]; q[0][1] = x[1]; return m[0][1]",
    "repeated": "m = [[0.0] * 2] * n; m[0][1] = x[1]; return m[1][1]",
    "joined": "m = m + m; m[0][1] = x[1]; return m[4][1]",
    "half a swap": "m[0] = m[1]; m[0][1] = x[2]; return m[1][1]",
    "one row in every iteration": "row = [0.0] * 3; q = [row for _ in x]; q[0][1] = x[1]; return q[1][1]",
    "kept by its name": "row = [x[0], 1.0]; q = [row, [2.0, x[1]]]; q[int(n > 3)][0] = x[2]; q[0][0] = x[3]; return row[0]",
    "row after it was put elsewhere": "row = m[0]; m[0] = [x[0]] * 3; row[1] = x[1]; return m[0][1] * row[1]",
    "values of a dict": "d = {{k: m[k] for k in range(n)}}; d[0][1] = x[1]; return m[0][1]",
    "handed back": "r = same(m[1]); m[1][0] = x[0] ** 2; return r[0] * m[1][0]",
    "sorted": "s = sorted(m); m[0][1] = x[1] ** 2; return s[1][1]",
}


def function(body: str) -> Any:
    return written(HEAD.format(body=body.format()))


def along(f: Any) -> Any:
    return (f(X + STEP * V) - f(X - STEP * V)) / (2 * STEP)


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.usefixtures("unchecked")
def test_derivatives(name: str) -> None:
    f = function(RIGHT[name])
    value, gradient = rg.value_and_grad(f)(X)
    assert value == f(X)
    np.testing.assert_allclose(gradient @ V, along(f), rtol=1e-6)
    np.testing.assert_allclose(rg.jvp(f, (X,), (V,))[1], along(f), rtol=1e-6)
    np.testing.assert_allclose(rg.hessian(f)(X) @ V, along(rg.grad(f)), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", SHARED)
@pytest.mark.usefixtures("unchecked")
def test_a_list_that_two_hold(name: str) -> None:
    """Refused, or right: never the value of before the write."""
    f = function(SHARED[name])
    try:
        value, gradient = rg.value_and_grad(f)(X)
    except (InternalError, GradientMismatch):
        raise
    except rg.RetrogradError:
        return
    assert value == f(X)
    np.testing.assert_allclose(gradient @ V, along(f), rtol=1e-6)


@pytest.mark.usefixtures("unchecked")
def test_a_row_put_back_in_a_branch_in_reverse_over_reverse() -> None:
    """Two adjoints of a row, of which no type is known, are added, and not put one after the other."""
    body = "if x[0] > 0.5: row = m[n - 2][:]; row[2] = x[0]; m[2] = row\n    "
    g = rg.grad(function(body + "return sum(v * v * v for r in m for v in r)"))
    back = np.array([np.ravel(rg.vjp(g, X)[1](u)) for u in np.eye(4)])
    np.testing.assert_allclose(back @ V, along(g), rtol=1e-5, atol=1e-6)


@pytest.mark.slow
def test_random_programs() -> None:
    outcomes = {seed: judged(program(seed), second=seed % 4 == 0) for seed in range(30)}
    assert {s: o for s, o in outcomes.items() if o.verdict == "failed"} == {}
