"""The types of what has no derivative and no samples: questions about entries, operations on bits."""

from __future__ import annotations

import itertools
import operator
from typing import Any

import numpy as np
import pytest

from retrograd.compiler.analyses.shapes.infer import infer
from retrograd.compiler.ir.operations import Const, Value
from retrograd.compiler.ir.types import Array, Number
from tests.rules.harness import type_of

GIVEN: list[Any] = [
    True, 3, -2, np.True_, np.int64(5), np.array([True, False, True]), np.array([[1, 2, 3]]),
    np.array([1, 2, 3], dtype=np.int8), np.ones((2, 1), dtype=bool), np.zeros((0, 3), dtype=int),
]  # fmt: skip
REAL: list[Any] = [
    0.5,
    np.float64(1.5),
    np.array([0.0, 1.0, np.inf]),
    np.ones((2, 1), dtype=np.float32),
]
BITS = (operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift)
OF_ONE = (np.isneginf, np.isposinf, np.isreal, np.iscomplex)


def calls() -> list[tuple[Any, tuple[Any, ...]]]:
    found: list[tuple[Any, tuple[Any, ...]]] = [(operator.invert, (x,)) for x in GIVEN]
    found += [(op, pair) for op in BITS for pair in itertools.product(GIVEN, repeat=2)]
    found += [(op, (x,)) for op in OF_ONE for x in REAL]
    found += [(np.isclose, pair) for pair in itertools.product([*REAL, 1, GIVEN[6]], repeat=2)]
    found += [(np.isin, (x, GIVEN[6])) for x in (*REAL, *GIVEN)]
    found += [
        (np.broadcast_arrays, pair) for pair in itertools.product([*REAL, 1, GIVEN[6]], repeat=2)
    ]
    return found


def operand(x: Any) -> Any:
    return Value(None, type_of(x))


def holds(kind: Any, z: Any) -> bool:
    """True if a value is of a type, as far as that says something."""
    if isinstance(kind, Number):
        return type(z) is {"b": bool, "i": int, "f": float, "c": complex}[kind.kind]
    if isinstance(kind, Array):
        dims = kind.dims
        shaped = dims is None or (
            len(dims) == np.ndim(z)
            and all(d == n for d, n in zip(dims, np.shape(z), strict=True) if isinstance(d, int))
        )
        return shaped and kind.dtype in (None, z.dtype.name) and kind.kind in (None, z.dtype.kind)
    return True


@pytest.mark.parametrize(
    "operation", list(dict.fromkeys(op for op, _ in calls())), ids=lambda op: op.__name__
)
def test_types_are_those_of_the_results(operation: Any) -> None:
    known = 0
    for fn, args in calls():
        if fn is not operation:
            continue
        try:
            z = fn(*args)
        except (ValueError, TypeError):
            continue
        kind = infer(fn, tuple(map(operand, args)), {})
        kinds, parts = (kind.items, z) if isinstance(z, (tuple, list)) else ((kind,), (z,))
        for one, part in zip(kinds, parts, strict=True):
            assert holds(one, part), (args, one, part)
            known += one is not None
    assert known > 3


def test_a_constant_mask_has_a_type() -> None:
    kind = infer(operator.or_, (operand(GIVEN[5]), Const(True)), {})
    assert kind == Array("bool", type_of(GIVEN[5]).dims, "b")
