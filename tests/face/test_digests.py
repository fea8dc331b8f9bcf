"""What the cache tells apart: functions that share their text, objects that only C reads, and all of NumPy's and SciPy's."""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.transforms.specialise.fingerprint import digest

pytestmark = [pytest.mark.usefixtures("unchecked"), pytest.mark.filterwarnings("ignore")]
X = np.array([0.3, 0.7, 0.5, 0.9, 1.1])
FACTOR = 2.0


def applied(op: Callable[..., Any]) -> Callable[..., Any]:
    def f(x):
        return np.sum(op(x))

    return f


def times(n: float) -> Callable[..., Any]:
    def inner(x):
        return x * n

    return inner


def with_default(n: float) -> Callable[..., Any]:
    def inner(x, n=n):
        return x * n

    return inner


def with_keyword(n: float) -> Callable[..., Any]:
    def inner(x, *, n=n):
        return x * n

    return inner


def wrapped(fn: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(fn)
    def inner(*args):
        return fn(*args) * 2

    return inner


def named_anew(fn: Callable[..., Any]) -> Callable[..., Any]:
    def inner(*args):
        return fn(*args) * 2

    return inner


def by_global(x):
    return x * FACTOR


def in_another_module(factor: float) -> Callable[..., Any]:
    return types.FunctionType(by_global.__code__, {**by_global.__globals__, "FACTOR": factor})


class Scaled:
    def __init__(self, n: float) -> None:
        self.n = n

    def __call__(self, x):
        return x * self.n

    def method(self, x):
        return x * self.n


double, triple = (lambda x: x * 2), (lambda x: x * 3)  # fmt: skip

PAIRS: dict[str, tuple[Callable[..., Any], ...]] = {
    "lambdas of a line": (double, triple),
    "closures": (times(2.0), times(3.0)),
    "defaults": (with_default(2.0), with_default(3.0)),
    "keywords": (with_keyword(2.0), with_keyword(3.0)),
    "wrapped": (wrapped(double), wrapped(triple)),
    "named anew": (named_anew(double), named_anew(triple)),
    "globals": (in_another_module(2.0), in_another_module(5.0)),
    "objects": (Scaled(2.0), Scaled(3.0)),
    "methods": (Scaled(2.0).method, Scaled(3.0).method),
    "partials": (functools.partial(operator.mul, 2.0), functools.partial(operator.mul, 3.0)),
    "methodcaller": (operator.methodcaller("sum"), operator.methodcaller("mean")),
    "its arguments": (operator.methodcaller("cumsum", 0), operator.methodcaller("round", 1)),
    "itemgetter": (operator.itemgetter(0), operator.itemgetter(1), operator.itemgetter(slice(2))),
    "attrgetter": (operator.attrgetter("real"), operator.attrgetter("T")),
    "polynomials": (np.polynomial.Polynomial([1.0, 2.0]), np.polynomial.Polynomial([1.0, 3.0])),
    "vectorized": (np.vectorize(double), np.vectorize(triple)),
    "reductions": (np.add.reduce, np.multiply.reduce, np.maximum.reduce),
    "methods of arrays": (np.ndarray.sum, np.ndarray.mean, np.ndarray.prod),
}


def check(ops: tuple[Callable[..., Any], ...]) -> None:
    """Right, whichever was differentiated before, and again."""
    for op in [*ops, *ops]:
        f = applied(op)
        slopes = [(f(X + step) - f(X - step)) / 2e-6 for step in 1e-6 * np.eye(X.size)]
        np.testing.assert_allclose(rg.grad(f)(X), slopes, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("pair", PAIRS)
def test_they_are_told_apart(pair: str) -> None:
    check(PAIRS[pair])


def test_functions_of_scipy_that_share_their_text() -> None:
    stats = pytest.importorskip("scipy.stats")
    check((stats.gmean, stats.entropy, stats.skew, stats.kurtosis, stats.hmean))


@pytest.mark.parametrize("part", ["numpy", "numpy.linalg", "numpy.fft", "scipy.special", "scipy.stats", "scipy.signal",
                                  "scipy.linalg", "scipy.ndimage", "scipy.integrate", "scipy.optimize"])  # fmt: skip
def test_functions_of_libraries_have_digests_of_their_own(part: str) -> None:
    module = pytest.importorskip(part)
    known: dict[str, Any] = {}
    for name in sorted(dir(module)):
        fn = getattr(module, name)
        if name.startswith("_") or not callable(fn):
            continue
        try:
            found = digest(fn)
        except KeyError:  # it is not kept
            continue
        before = known.setdefault(found, fn)
        assert before is fn or same(before, fn), (found, before, fn)
    assert len(known) > 5


def same(a: Any, b: Any) -> bool:
    """True of two names of one function."""
    return bool(getattr(a, "__qualname__", a) == getattr(b, "__qualname__", b) and a == b)
