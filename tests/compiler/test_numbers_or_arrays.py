"""Values of which only running tells whether they are numbers or arrays: they are of no other class, and right."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.analyses.shapes.infer import gives_array, infer, is_plain
from retrograd.compiler.ir.lattice import join
from retrograd.compiler.ir.operations import Value
from retrograd.compiler.ir.types import Array, Dim, Number, Numeric
from tests.rules.harness import apply, name_of, samples
from tests.rules.measured_traits import drawn

from ..both_modes import agrees
from ..written import written

X = np.array([0.3, 0.7, 1.1])
HELPERS = """
from collections.abc import KeysView, ValuesView

def as_array(a, dtype=None):
    if isinstance(a, (KeysView, ValuesView)):
        a = list(a)
    return np.asarray(a, dtype)

def either(a):
    return 0.5 if a.size > 5 else a * a

def nested(a):
    return either(a) if a.ndim else 2.0

def stacked(a):
    a = as_array(a, np.float64)
    return np.concatenate([v[..., np.newaxis] for v in a], axis=-1)

def bound(a, mode):
    if mode == "one":
        made = a * 2.0
    elif mode == "other":
        made = a * a
    return made

"""
PROGRAMS = {
    "a number or an array": "np.sum(as_array(either(x)) * x)",
    "computed with": "np.sum(as_array(np.sin(either(x) * 2.0 + x)) * x)",
    "from another": "np.sum(as_array(nested(x) / 3.0) ** 2)",
    "without a name": "np.sum(as_array([either(x), x[0] * 2.0][k]) * x)",
    "of parts": "np.sum(as_array(stacked([x, x * x])) * 2.0)",
    "bound on some ways": "np.sum(as_array(bound(x, 'other' if k else 'one')) * x)",
    "read in parts": "as_array(either(x)).ravel()[0] * np.sum(either(x))",
    "gone over": "sum(v * v for v in as_array(either(x)).ravel())",
    "none": "np.sum(x if either(x) is None else x * x)",
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("k", [0, 1])
def test_what_is_computed_with_them(name: str, k: int) -> None:
    f = written(f"{HELPERS}def f(x, k):\n    return {PROGRAMS[name]}\n")
    slope = rg.differentiate(strict=True)(f).grad
    for x in (X, np.linspace(0.1, 0.9, 7)):
        steps = 1e-6 * np.eye(x.size)
        expected = [(f(x + e, k) - f(x - e, k)) / 2e-6 for e in steps]
        assert slope(x, k) == pytest.approx(np.array(expected), abs=1e-6)
        tangents = [rg.jvp(f, (x, k), (e, None))[1] for e in np.eye(x.size)]
        assert tangents == pytest.approx(np.array(expected), abs=1e-6)


def test_the_type() -> None:
    array, number = Array("float64", (Dim("n", True),), "f"), Number("f")
    assert join(array, number) == Numeric(dtype="float64")
    assert join(Numeric(), array) == Numeric()
    assert join(Array(None, (), "f"), number) == Array(None, (), "f")
    either, whole = Value("x", Numeric()), Value("y", array)
    assert infer(np.add, (either, whole), {}) == Array()
    assert infer(np.asarray, (either,), {}) == Array()
    assert infer(abs, (either,), {}) == Numeric()


OPERATIONS = sorted((op for op in samples() if gives_array(op)), key=name_of)


@pytest.mark.parametrize("operation", OPERATIONS, ids=map(name_of, OPERATIONS))
def test_operations_of_numpy_give_arrays(operation: Any) -> None:
    for sample in samples()[operation]:
        args, kwargs = drawn(sample, 7)
        if is_plain(operation, args, kwargs):
            with np.errstate(all="ignore"):
                assert isinstance(apply(operation, args, kwargs), (np.ndarray, np.generic))


def test_calls_that_give_several_are_not_taken_for_arrays() -> None:
    x = Value("x", Numeric())
    assert infer(np.where, (x,), {}) is None
    assert infer(np.linspace, (0.0, 1.0), {"retstep": True}) is None
    assert not any(map(gives_array, (np.split, np.ndarray.item, np.ndarray.tolist, np.ix_)))


class Options(dict):  # type: ignore[type-arg]
    def __getattr__(self, name: str) -> Any:
        return self[name]


def test_a_call_that_gives_back_what_it_was_given() -> None:
    defaults = Options(a=2.0, b=3.0)
    f = written(
        "def optional(value, default):\n    return default if value is None else value\n\n"
        "def f(x, options=None):\n    options = optional(options, DEFAULTS)\n    return x * options.a + options.b * x * x\n",
        DEFAULTS=defaults,
    )  # fmt: skip
    assert rg.differentiate(strict=True)(f).grad(2.0) == 14.0
    defaults["a"] = 5.0
    assert rg.grad(f)(2.0) == 17.0


INNER = {
    "a derivative inside": "np.sum(rg.grad(lambda t: np.sum(t**3))(either(x)) * x)",
    "complex parts": "np.sum(np.abs(either(x) * (1 + 2j) + x) ** 2)",
    "complex phases": "np.sum((np.exp(1j * either(x)) ** 2).real * x)",
    "a loop": "sum(np.sum(v) for v in [either(x), either(x) * x, x])",
    "a pattern": "matched(either(x)) * np.sum(x)",
    "in a list that grows": "grown(either(x), x)",
}
MORE = """
def matched(y):
    match y:
        case [a, b, c]:
            return 3.0
        case np.ndarray():
            return np.sum(y)
    return y

def grown(y, x):
    ys = [y, x]
    ys.append(ys[0] * 2)
    return np.sum(ys[2] * ys[1])

"""


@pytest.mark.parametrize("name", INNER)
def test_where_types_are_asked(name: str) -> None:
    f = written(f"{HELPERS}{MORE}def f(x):\n    return {INNER[name]}\n", rg=rg)
    agrees(f, X, second=True)
    agrees(f, np.linspace(0.1, 0.9, 7), second=True)


def test_sums_of_them_have_no_axes() -> None:
    assert infer(np.sum, (Value("x", Numeric()),), {}) == Array(None, (), None)
