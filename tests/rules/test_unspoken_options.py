"""Options that are given as they are by default change nothing."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
from scipy import fft, linalg, signal, stats

import retrograd as rg
from retrograd.runtime.rules.book import book
from retrograd.runtime.rules.unspoken_options import LITERALS, ON_A_DEVICE, spoken
from retrograd.runtime.tape.calls import taped

X = np.array([0.3, 1.7, 0.9, 2.2])
A = np.array([[3.0, 0.5], [0.2, 2.0]])
PROGRAMS: list[tuple[Any, Any]] = [
    (lambda x: np.median(x, overwrite_input=False), X),
    (lambda x: np.percentile(x, 30, overwrite_input=False, weights=None), X),
    (lambda x: np.sum(np.sin(x, where=True, casting="same_kind", subok=True, dtype=None) ** 2), X),
    (lambda x: np.sum(np.add(x, x * x, out=None, order="K")), X),
    (lambda x: np.average(x, weights=x, returned=False), X),
    (lambda x: np.prod(sum(np.broadcast_arrays(x, x[0], subok=True)) ** 2), X),
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


def of_a_caller(x, axis=None, overwrite_input=False, method="linear", where=True):
    low, high = np.percentile(
        x, [25, 75], axis=axis, overwrite_input=overwrite_input, method=method
    )
    return (high - low) * np.sum(np.multiply(x, x, where=where))


def test_what_the_caller_says_is_asked() -> None:
    gradient = rg.grad(of_a_caller, strict=True)
    expected = gradient(X)
    np.testing.assert_array_equal(gradient(X, 0, False), expected)
    np.testing.assert_array_equal(gradient(X, overwrite_input=False, where=True), expected)
    for wrong in ((None, True), (None, False, "linear", X > 1.0)):
        with pytest.raises(rg.RetrogradError):
            gradient(X.copy(), *wrong)
    np.testing.assert_array_equal(gradient(X, 0, False), expected)
    steps = 1e-6 * np.eye(4)
    for method in ("lower", "linear", "higher"):
        slopes = [
            of_a_caller(X + s, method=method) - of_a_caller(X - s, method=method) for s in steps
        ]
        np.testing.assert_allclose(
            gradient(X, method=method), np.array(slopes) / 2e-6, rtol=1e-6, atol=1e-8
        )


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


GIVEN = {
    "arange": (3,), "empty": (2,), "eye": (2,), "full": (2, 1.0), "identity": (2,), "linspace": (0.0, 1.0, 3),
    "logspace": (0.0, 1.0, 3), "geomspace": (1.0, 2.0, 3), "ones": (2,), "tri": (2,), "zeros": (2,),
    "full_like": (X, 1.0), "from_dlpack": (X,),
}  # fmt: skip


def takes(f: Any, name: str, device: Any) -> bool:
    try:
        f(*GIVEN.get(name, (X,)), device=device)
    except TypeError:
        return False
    return True


@pytest.mark.parametrize("device", [None, "cpu"])
def test_devices_are_taken_where_numpy_takes_them(device: Any) -> None:
    makers = [*GIVEN, "array", "asarray", "asanyarray", "ascontiguousarray", "asfortranarray", "copy",
              "empty_like", "ones_like", "zeros_like", "atleast_1d", "diag", "meshgrid", "require"]  # fmt: skip
    taken = {getattr(np, name) for name in makers if takes(getattr(np, name), name, device)}
    assert taken == ON_A_DEVICE


def test_a_device_says_nothing() -> None:
    def f(x: Any) -> Any:
        a = np.ones([3], device=None, dtype=x.dtype)
        b = np.zeros(3, device="cpu")
        a[1] = x[0]
        b[:] = np.asarray(x[:3], device="cpu") ** 2
        return np.sum(a * b) + np.sum(np.linspace(x[0], x[1], 4, device="cpu"))

    steps = 1e-6 * np.eye(X.size)
    expected = [(f(X + s) - f(X - s)) / 2e-6 for s in steps]
    np.testing.assert_allclose(rg.grad(f, strict=True)(X), expected, rtol=1e-6)
    _, pull = taped(f, X.copy())
    np.testing.assert_allclose(pull(1.0), expected, rtol=1e-6)
    for other in ("gpu", 3):
        with pytest.raises((rg.RetrogradError, ValueError)):
            rg.grad(lambda x, other=other: np.sum(np.asarray(x, device=other)), strict=True)(X)
