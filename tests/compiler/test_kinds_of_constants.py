"""What the compiler simplifies is of the kind it was: ``1``, ``1.0``, ``True`` and ``1 + 0j`` are not one number."""

from __future__ import annotations

import itertools
import operator
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.analyses.shapes.infer import type_of
from retrograd.compiler.ir.operations import Block, Const, Value
from retrograd.compiler.ir.types import Array, Number, kind_of
from retrograd.compiler.simplify.builder import Builder

CONSTANTS = [1, 1.0, 1 + 0j, -1, -1 + 0j, 0, 0j, 2.0, 1j, -0.5j]
OPERATIONS = [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow]
SAMPLES = {
    Number("f"): 0.3,
    Array("float64", (2,)): np.full(2, 0.3),
    Array("complex128", (2,)): np.full(2, 0.3 + 0j),
}


def steps() -> Any:
    """One operation with a constant, on either side."""
    for fn in OPERATIONS:
        yield lambda apply, x, c, fn=fn: apply(fn, c, x)
        yield lambda apply, x, c, fn=fn: apply(fn, x, c)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("first", CONSTANTS, ids=repr)
@pytest.mark.parametrize("kind", SAMPLES, ids=repr)
def test_two_operations_keep_the_kind(kind: Any, first: Any) -> None:
    def computed(fn: Any, *args: Any) -> Any:
        with np.errstate(all="ignore"):
            return fn(*args)

    for second in CONSTANTS:
        for inner, outer in itertools.product(steps(), steps()):
            x = Value("x", kind)
            b = Builder(Block([x]), may_be_complex=True)
            try:
                want = outer(computed, inner(computed, SAMPLES[kind], first), second)
            except ZeroDivisionError:
                continue
            made = outer(b.apply, inner(b.apply, x, Const(first)), Const(second))
            found = kind_of(type_of(made))
            assert found in (None, np.asarray(want).dtype.kind), (first, second, made)


def test_what_a_complex_constant_makes_complex() -> None:
    def f(x: Any) -> Any:
        return np.real(np.arcsinh(1j * x))

    assert rg.grad(f)(2.0) == pytest.approx(1 / np.sqrt(3.0))
