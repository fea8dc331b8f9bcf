"""Sweeps in many directions through subscripts of every origin: the same as one direction at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from tests.written import written

pytestmark = pytest.mark.usefixtures("unchecked")
X = np.array([0.55, 0.72, 0.91, 1.13])
ROWS, MASK, ONE, LAST, SOME = np.array([0, 2, 2]), X > 0.6, np.array(1), (..., 1), (0, ...)
BEFORE = {  # what is bound to i before it is used
    "triu": "i, j = np.triu_indices(4, 1)",
    "where": "(i,) = np.where(x > 0.6)",
    "nonzero": "i = np.nonzero(x > 0.6)",
    "flatnonzero": "i = np.flatnonzero(x > 0.6)",
    "unique": "u, i = np.unique(np.round(x + 0.3), return_inverse=True)",
    "searchsorted": "i = np.searchsorted(x, [0.6, 1.0])",
    "argsort": "i = np.argsort(-x)[:3]",
    "meshgrid": "i, j = np.meshgrid(np.arange(3), np.arange(2))",
    "ix": "(i,) = np.ix_([0, 2, 2])",
    "unravelled": "(i,) = np.unravel_index([1, 3], (4,))",
    "method": "i = 'abc'.index('b')",
    "was None": "i = None\n    for k in range(3):\n        if x[k] > 0.6:\n            i = k",
    "slice": "i = slice(1, None)",
    "slices": "i = [slice(0, 2), slice(2, 4)][int(x[0] > 9.0)]",
    "rows of the module": "i = ROWS",
    "mask of the module": "i = MASK",
    "one of the module": "i = ONE",
    "ellipsis first": "i = LAST",
    "ellipsis last": "i = SOME",
    "list": "i = [0, 2, 2]",
    "list of a call": "i = sorted([2, 0, 3])",
    "argument": "i = given",
    "ellipsis": "i = ...",
    "chosen": "i = (..., 1) if x[0] > 9.0 else (1, ...)",
}
USES = {
    "read": "y = x[i] ** 3",
    "written": "z = x * 1.0\n    z[i] = x[i] ** 2\n    y = z ** 2",
    "added at": "z = x * 1.0\n    np.add.at(z, i, x[0] * x[1])\n    y = z ** 2",
    "of an entry": "z = [x * x, x]\n    y = z[0][i] * np.sum(z[1])",
}


def function(before: str, use: str) -> Any:
    text = f"def f(x, given):\n    {BEFORE[before]}\n    {USES[use]}\n    return np.sum(y) * np.sum(x)\n"
    return written(text, ROWS=ROWS, MASK=MASK, ONE=ONE, LAST=LAST, SOME=SOME)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("before", BEFORE)
def test_as_in_one_direction(before: str, use: str) -> None:
    f, given = function(before, use), np.array([3, 1])
    gradient = rg.grad(f)
    h = 1e-6
    wanted = np.array(
        [(gradient(X + e, given) - gradient(X - e, given)) / (2 * h) for e in h * np.eye(4)]
    )
    np.testing.assert_allclose(rg.hessian(f)(X, given), wanted, rtol=1e-5, atol=1e-5)
    for mode in ("forward", "reverse"):
        found = rg.jacobian(f, mode=mode)(X, given)
        np.testing.assert_allclose(found, gradient(X, given), rtol=1e-12)


def modf(x):
    return np.modf(x)


def divided(x):
    return divmod(x, 0.3)


def parts(x):
    return {"halves": np.split(x, 2), "whole": x**2}


def factored(x):
    return np.linalg.slogdet(np.diag(x) + 0.1)


def vectors(x):
    return np.linalg.eigh(np.diag(x) + 0.1)


@pytest.mark.parametrize("f", [modf, divided, parts, factored, vectors])
def test_results_in_the_container_of_one_operation(f: Any) -> None:
    forward, reverse = (rg.jacobian(f, mode=mode)(X) for mode in ("forward", "reverse"))
    for one, other in zip(leaves(forward), leaves(reverse), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


def leaves(tree: Any) -> list[Any]:
    if isinstance(tree, dict):
        return leaves(list(tree.values()))
    return [x for t in tree for x in leaves(t)] if isinstance(tree, (list, tuple)) else [tree]
