"""Options that are given as they are by default change nothing."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
from scipy import fft, linalg, signal, stats

import retrograd as rg
from retrograd.runtime.rules.book import book
from retrograd.runtime.rules.unspoken_options import LITERALS, spoken
from retrograd.runtime.tape.calls import taped

X = np.array([0.3, 1.7, 0.9, 2.2])
A = np.array([[3.0, 0.5], [0.2, 2.0]])
PROGRAMS: list[tuple[Any, Any]] = [
    (lambda x: np.median(x, overwrite_input=False), X),
    (lambda x: np.percentile(x, 30, overwrite_input=False, weights=None), X),
    (lambda x: np.sum(np.sin(x, where=True, casting="same_kind", subok=True, dtype=None) ** 2), X),
    (lambda x: np.sum(np.add(x, x * x, out=None, order="K")), X),
    (lambda x: np.average(x, weights=x, returned=False), X),
    (lambda x: np.interp(0.5, X, x, period=None), X),
    (
        lambda a: (
            np.sum(linalg.solve(a, a @ a, overwrite_a=False, overwrite_b=False) ** 2) + np.sum(a)
        ),
        A,
    ),
    (lambda a: linalg.det(a, overwrite_a=False) * np.sum(linalg.inv(a, overwrite_a=False)), A),
    (lambda x: np.sum(np.abs(fft.fft(x, workers=2, overwrite_x=False)) ** 4), X),
    (lambda x: np.sum(signal.detrend(x, overwrite_data=False) ** 3), X),
    (lambda x: stats.gmean(x, nan_policy="propagate", weights=None), X),
]


@pytest.mark.parametrize(
    "case", PROGRAMS, ids=lambda case: str([f for f, _ in PROGRAMS].index(case[0]))
)
def test_the_gradient_is_the_same(case: tuple[Any, Any]) -> None:
    f, x = case
    steps = 1e-6 * np.eye(x.size).reshape(-1, *x.shape)
    expected = np.array([(f(x + s) - f(x - s)) / 2e-6 for s in steps]).reshape(x.shape)
    np.testing.assert_allclose(rg.grad(f, strict=True)(x.copy()), expected, rtol=1e-5, atol=1e-7)
    if {"detrend", "fft"} & set(f.__code__.co_names):
        return  # SciPy makes plain arrays of boxes there
    _, pull = taped(f, x.copy())
    np.testing.assert_allclose(pull(1.0), expected, rtol=1e-5, atol=1e-7)


def left_of(op: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
    return spoken(op, (), kwargs, lambda v: v)[1]


def test_what_says_something_is_kept() -> None:
    said = {"axis": 0, "keepdims": False, "overwrite_input": True}
    assert left_of(np.median, said) == said
    said["overwrite_input"] = False
    assert left_of(np.median, said) == {"axis": 0, "keepdims": False}
    assert left_of(linalg.inv, {"lower": True}) == {"lower": True}
    assert left_of(np.add, {"casting": "unsafe", "dtype": "f4"}) == {
        "casting": "unsafe",
        "dtype": "f4",
    }
    assert left_of(np.add, {"casting": "unsafe"}) == {}
    for wrong in (
        lambda a: np.sum(linalg.lu(a, permute_l=True)[0]),
        lambda x: np.diff(x, prepend=0.0)[0],
    ):
        with pytest.raises(rg.RetrogradError):
            rg.grad(wrong)(A)


def test_every_default_may_be_said() -> None:
    """Of all operations with a rule: a call that says a default is the call without it."""
    asked = 0
    for op, rule in book.rules.items():
        try:
            parameters = inspect.signature(op).parameters.values()
        except (TypeError, ValueError):
            continue
        for p in parameters:
            if (
                p.name not in rule.own
                and type(p.default) in LITERALS
                and p.kind is not p.POSITIONAL_ONLY
            ):
                asked += 1
                assert left_of(op, {p.name: p.default}) == {}
    assert asked > 100
