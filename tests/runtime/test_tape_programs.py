"""Programs of Python in general, run on the tape: both modes, and second order, against differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.transforms.api import chain_of
from retrograd.transforms.specialise.eager_fallback import eager
from tests.programs import for_the_tape_too  # noqa: F401  (enters its programs)
from tests.programs.for_the_tape import PROGRAMS
from tests.written import written

X = np.array([0.4, 1.3, 0.7])
V = np.array([0.3, -0.2, 0.5])
DATA = np.array([1.0, 2.0, 3.0])


def differences(f: Callable[..., Any], h: float) -> Any:
    return np.array([(f(X + h * e) - f(X - h * e)) / (2 * h) for e in np.eye(3)])


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_both_modes_and_second_order(f: Callable[..., Any]) -> None:
    chain, wanted = chain_of(f), differences(f, 1e-5)
    gradient = chain.then("grad", (0,))
    slope = eager(gradient)
    np.testing.assert_allclose(slope(X), wanted, rtol=1e-5, atol=1e-6)
    value, dot = eager(chain.then("jvp", (0,)))(X, V)
    np.testing.assert_allclose(value, f(X))
    np.testing.assert_allclose(dot, wanted @ V, rtol=1e-5, atol=1e-6)
    curved = (slope(X + 1e-5 * V) - slope(X - 1e-5 * V)) / 2e-5
    np.testing.assert_allclose(
        eager(gradient.then("tangent", (0,)))(X, V), curved, rtol=1e-5, atol=1e-6
    )


HELD: list[Any] = []


def same(a):
    return a


def kept(a):
    HELD.append(a * 1.0)
    return HELD[-1]


def of_the_module(x):
    b = same(DATA)
    b[0] = x[0]
    return np.sum(b * DATA)


def kept_elsewhere(x):
    b = kept(DATA)
    b[0] = x[0]
    return np.sum(b * HELD[-1])


def of_another_name(x):
    a = DATA * 1.0
    b = same(a)
    b[0] = x[0]
    return np.sum(a * b)


def in_a_dict(x):
    d = {}
    b = d.setdefault("a", DATA * 1.0)
    b[0] = x[0]
    return np.sum(b * d["a"])


def of_integers(x):
    y = np.zeros(3, int)
    y[0] = x[0]
    return np.sum(y) * x[1]


@pytest.mark.parametrize(
    "f", [of_the_module, kept_elsewhere, of_another_name, in_a_dict, of_integers]
)
def test_a_write_that_others_would_see_or_that_cuts_off_is_refused(f: Callable[..., Any]) -> None:
    with pytest.raises(rg.errors.TapeError, match="cut off"):
        eager(chain_of(f).then("grad", (0,)))(X)
    np.testing.assert_array_equal(DATA, [1.0, 2.0, 3.0])


LAYOUTS = {
    "C": lambda x: x, "transposed": lambda x: x.T, "backwards": lambda x: x[::-1], "strided": lambda x: x[:, ::2],
    "one": lambda x: x[0, :1],
}  # fmt: skip
ITERATIONS = [
    "sum(k * v ** 2 for k, v in enumerate(np.nditer(a(x))))",
    "sum(k * v ** 2 for k, v in enumerate(np.nditer(a(x), order='F')))",
    "walked(np.nditer(a(x), flags=['multi_index']))",
    "sum(k * v ** 2 for k, (at, v) in enumerate(np.ndenumerate(a(x))))",
]
WALK = """
def walked(it):
    total = 0.0
    for v in it:
        total = total + v ** 2 * (1.0 + it.multi_index[0])
    return total
"""


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("text", ITERATIONS)
@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
def test_an_array_is_gone_over_in_its_own_order(text: str, layout: str) -> None:
    f = written(f"{WALK}\ndef f(x):\n    names = locals()\n    return {text}", a=LAYOUTS[layout])
    x = np.arange(1.0, 13.0).reshape(3, 4)
    slope = np.empty(x.shape)
    for at in np.ndindex(x.shape):
        step = np.zeros(x.shape)
        step[at] = 1e-5
        slope[at] = (f(x + step) - f(x - step)) / 2e-5
    np.testing.assert_allclose(eager(chain_of(rg.grad(f)))(x), slope, rtol=1e-6, atol=1e-6)


def test_along_an_axis_by_names() -> None:
    def f(x: Any) -> Any:
        names = locals()
        return np.sum(np.apply_along_axis(func1d=lambda v: v * v, axis=0, arr=x)) * len(names)

    x = np.arange(6.0).reshape(2, 3)
    np.testing.assert_allclose(eager(chain_of(rg.grad(f)))(x), 2 * x)
