"""What the compiler believes of arithmetic with Python's numbers, measured over literals and values."""

from __future__ import annotations

import itertools
import operator
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.analyses.shapes.infer import infer
from retrograd.compiler.ir.operations import Const, Value
from retrograd.compiler.ir.types import Array, Number, Numeric

from ..written import written

NUMBERS: tuple[Any, ...] = (
    True, False, 0, 1, 3, -2, 10, 0.0, 0.5, 2.0, -1.5, -2.0, 1e-3, 1 + 2j, -2j,
)  # fmt: skip
UNSURE = Array(None, (), None)  # without dimensions: of Python's, or of NumPy's
KINDS = {bool: "b", int: "i", float: "f", complex: "c"}
OPERATORS = (
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow,
    operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift,
    operator.lt, operator.eq, operator.neg, operator.pos, operator.abs, operator.invert,
)  # fmt: skip
ONE = (operator.neg, operator.pos, operator.abs, operator.invert)


def believed(fn: Callable[..., Any], given: tuple[Any, ...], literal: tuple[bool, ...]) -> Any:
    operands = [
        Const(x) if known else Value("x", Number(KINDS[type(x)]))
        for x, known in zip(given, literal, strict=True)
    ]
    return infer(fn, tuple(operands), {})


def computed(fn: Callable[..., Any], given: tuple[Any, ...]) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return fn(*given)
    except (TypeError, ZeroDivisionError, OverflowError, ValueError):
        return None


@pytest.mark.parametrize("fn", OPERATORS, ids=lambda fn: fn.__name__)
def test_kinds(fn: Callable[..., Any]) -> None:
    count = 1 if fn in ONE else 2
    for given in itertools.product(NUMBERS, repeat=count):
        value = computed(fn, given)
        if value is None:
            continue
        for literal in itertools.product((True, False), repeat=count):
            kind = believed(fn, given, literal)
            known = isinstance(kind, Number) and kind.kind == KINDS[type(value)]
            assert known or isinstance(kind, Numeric) or kind == UNSURE, (
                given,
                literal,
                kind,
                value,
            )


def test_powers_whose_kind_is_known() -> None:
    n, x = Value("n", Number("i")), Value("x", Number("f"))
    known = [
        (n, Const(2)),
        (Const(2), x),
        (Const(10.0), n),
        (x, Const(2)),
        (x, n),
        (x, Const(-2.0)),
    ]
    assert [infer(operator.pow, pair, {}) for pair in known] == [Number("i"), *[Number("f")] * 5]
    open_ones = [(n, Const(-1)), (n, n), (Const(2), n), (x, x), (x, Const(0.5)), (Const(-2.0), x)]
    assert [infer(operator.pow, pair, {}) for pair in open_ones] == [UNSURE] * 6


FACTORS = {
    "one of two": "0.5 if c else 1",
    "the other of two": "1 if c else 0.5",
    "a minimum": "min(c, 1.5)",
    "a maximum": "max(0.5, c + 2)",
    "an item": "[1, 0.5][c]",
    "an entry": "{'a': 1, 'b': 0.5}['a' if c else 'b']",
    "a power": "2**c",
    "or": "c or 1.5",
    "a sum": "sum([1, c, 0.5 * c])",
    "rounded": "round(1.6)",
    "a product": "(0.5 if c else 1) * 3",
}  # fmt: skip


@pytest.mark.parametrize("backend", ["numpy", "c"])
@pytest.mark.parametrize("factor", FACTORS)
def test_gradients_of_arrays_of_floats_are_floats(factor: str, backend: str) -> None:
    """Whatever number they are a multiple of: one that is an int on this path, too."""
    f = written(f"def f(z, c):\n    k = {FACTORS[factor]}\n    return z.sum() * k\n")
    way = rg.grad(f, backend=backend)
    for c in (0, 1):
        z = np.array([2.0, 3.0])
        gradient = way(z, c)
        assert gradient.dtype == np.float64
        np.testing.assert_allclose(gradient, f(np.array([1.0, 0.0]), c))


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.int64, np.bool_])
def test_factors_of_another_precision_leave_the_gradient_its_own(kind: Any) -> None:
    f = written("def f(z, s):\n    return z.sum() * s\n")
    gradient = rg.grad(f)(np.ones(3), kind(1))
    assert gradient.dtype == np.float64
    np.testing.assert_array_equal(gradient, np.ones(3))
