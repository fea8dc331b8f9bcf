"""An iterator that is kept: `next` takes its items one by one, then a loop takes the rest; all else is refused."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from tests.both_modes import agrees
from tests.written import written

X = np.array([0.7, 1.3, -0.6, 2.1])
COMPILED = (
    "it = iter((4.0, 3.0, 2.0)); a = next(it) * x; for v in it:;     a += v;     a *= x; return np.sum(a)",
    "it = iter((4.0, x[0], 2.0)); a = next(it) * x; a = a + next(it) ** 2; return np.sum(a)",
    "it = iter([4.0, x[0], 2.0]); a = next(it) * x; a = a + next(it) ** 2; return np.sum(a) * next(it)",
    "r = [4.0, x[0], 2.0]; it = iter(r); a = next(it) * x; r[1] = x[1] * 5; a = a + next(it) ** 2; return np.sum(a) * next(it)",
    "r = [4.0, x[0]]; it = iter(r); a = next(it) * x; r.append(x[1] * 5); t = 0.0; for v in it:;     t = t * x[0] + v; return t * np.sum(a)",
    "r = [4.0, x[0]]; it = iter(r); a = next(it) * x; r.insert(0, x[1]); t = 0.0; for v in it:;     t = t * x[0] + v; return t * np.sum(a)",
    "it = iter((4.0, 3.0, 2.0)); a = next(it) - next(it) * x + next(it) * x**2; return np.sum(a)",
    "z = zip((1.0, 2.0, 3.0), (x[0], x[1], x[2])); p, q = next(z); t = p * q; for p, q in z:;     t = t * p + q; return t",
    "e = enumerate((x[0], x[1], x[2])); k, q = next(e); t = k + q; for k, q in e:;     t = t * k + q; return t",
    "e = reversed((x[0], x[1], x[2])); t = next(e); for q in e:;     t = t * q + 1; return t",
    "it = iter((4.0, 3.0)); a = next(it) * x; if x[0] > 5:;     return np.sum(x); for v in it:;     a = a * v; return np.sum(a)",
    "it = iter({'a': x[0], 'b': x[1]}.values()); a = next(it) * x; for v in it:;     a = a * v; return np.sum(a)",
    "it = iter((4.0, 3.0, x[0])[1 - n :]); a = next(it) * x; for v in it:;     a = a * v; return np.sum(a)",
)
OTHERS = (
    "it = iter((4.0, 3.0, 2.0)); a = next(it) * x; for v in it:;     a = a * v;     if v > 1: break; return np.sum(a)",
    "it = iter((4.0, 3.0, 2.0)); a = x * 1.0; for v in it:;     a = a * v * next(it, 1.0); return np.sum(a)",
    "it = iter((4.0, 3.0, 2.0)); a = next(it) * x if x[0] > 0 else x; for v in it:;     a = a * v; return np.sum(a)",
    "it = iter((4.0, 3.0, 2.0)); a = x; if x[0] > 0:;     a = a * next(it); for v in it:;     a = a * v; return np.sum(a)",
    "it = iter((4.0, 3.0, 2.0)); b = it; a = x * next(b); for v in it:;     a = a * v; return np.sum(a)",
    "it = iter((4.0, 3.0, 2.0)); a = x * next(it); for v in it:;     a = a * v; for v in it:;     a = a * v; return np.sum(a)",
    "it = iter((4.0, 3.0, 2.0)); a = [next(it) for k in range(2)]; return np.sum(x) * a[1]",
    "it = iter((4.0, 3.0, 2.0)); a = next(it) * x; b = sum(it); return np.sum(a) * b",
    "it = iter((4.0, 3.0, 2.0)); a = 5 < next(it) < next(it); return np.sum(x * x) * next(it)",
    "it = iter((4.0, 3.0, 2.0)); a = x[0] > 5 and next(it); return np.sum(x * x) * next(it)",
    "r = [4.0, x[0]]; it = iter(r); a = next(it) * x; for v in it:;     r.append(v) if len(r) < 5 else None; return np.sum(a) * len(r)",
    "it = iter((4.0,)); a = next(it) * x; a = a + next(it, 7.0); return np.sum(a)",
)


def function(body: str):
    return written(
        "def f(x, n):\n    "
        + body.replace("; ", "\n    ").replace(":;", ":\n    ").replace(";  ", "\n  ")
        + "\n"
    )


@pytest.mark.parametrize("body", COMPILED)
def test_taken_in_steps(body: str) -> None:
    agrees(function(body), X, 3)


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("body", OTHERS)
def test_or_it_is_refused(body: str) -> None:
    f = function(body)
    f(X, 3)
    with pytest.raises(RetrogradError):
        rg.grad(f, strict=True)(X, 3)
