"""The exceptions that operations may raise are those that `raised_by` expects, whatever they are given."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from retrograd.compiler.analyses.raised_exceptions import (
    ANYTHING,
    OF_ARRAYS,
    OF_ENTRIES,
    may_raise,
    raised_by,
)
from retrograd.compiler.ir.operations import Apply, Const, Value
from retrograd.compiler.ir.types import Stack
from retrograd.runtime.helpers import linear
from retrograd.runtime.rules.traits import DECLARED
from retrograd.runtime.traits.lookup import traits_of
from tests.rules.harness import apply, name_of, samples, type_of
from tests.rules.measured_traits import drawn

OPERATIONS = sorted(
    (op for op in samples() if not name_of(op).startswith("rt.")), key=name_of
)  # those of programs


def spoiled(x: Any) -> Iterator[Any]:
    """What may be given in place of an argument by mistake: numbers and arrays all the same."""
    if isinstance(x, np.ndarray):
        yield from (x[..., None], x.ravel(), np.zeros_like(x), x * 1j)
        yield from (np.ones((2, 3, 5)), np.ones(0), np.arange(x.size) > 0, np.arange(x.size))
    elif isinstance(x, (bool, np.bool_)):
        yield from (not x, 3)
    elif isinstance(x, (int, np.integer)):
        yield from (x + 99, x - 99, float(x), 1j)
    elif isinstance(x, float):
        yield from (np.nan, 0.0, -x, 1e308, 7, 1j, np.ones(3))


def spoiled_calls(
    args: list[Any], kwargs: dict[str, Any]
) -> Iterator[tuple[list[Any], dict[str, Any]]]:
    """The same calls with one argument exchanged, or one axis too far."""
    for k, x in enumerate(args):
        for other in spoiled(x):
            yield [*args[:k], other, *args[k + 1 :]], kwargs
    for name, x in kwargs.items():
        for other in spoiled(x):
            yield args, kwargs | {name: other}
    yield args, kwargs | {"axis": 9}


def operand(x: Any) -> Any:
    if isinstance(x, (list, tuple)):
        return type(x)(map(operand, x)) if type(x) in (list, tuple) else Const(x)
    known = isinstance(x, (np.ndarray, np.generic, float, complex))
    return Value(None, type_of(x)) if known else Const(x)


def applied(operation: Any, args: list[Any], kwargs: dict[str, Any]) -> Apply:
    named = {k: operand(v) for k, v in kwargs.items()}
    return Apply([Value(None)], None, operation, tuple(map(operand, args)), named)


def expected(operation: Any, args: list[Any], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    return raised_by(applied(operation, args, kwargs))


@pytest.mark.parametrize("operation", OPERATIONS, ids=map(name_of, OPERATIONS))
def test_nothing_else_is_raised(operation: Any) -> None:
    for sample in samples()[operation][:2]:
        for args, kwargs in spoiled_calls(*drawn(sample, 7)):
            may = expected(operation, args, kwargs)
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                try:
                    apply(operation, copy.deepcopy(args), copy.deepcopy(kwargs))
                except Exception as error:
                    assert isinstance(error, may), (args, kwargs)  # noqa: PT017
                    assert may_raise([applied(operation, args, kwargs)], (type(error),))  # noqa: PT017


def test_most_operations_are_known() -> None:
    found = [expected(op, *drawn(samples()[op][0], 7)) for op in OPERATIONS]
    assert sum(may is not ANYTHING for may in found) > 0.8 * len(found)
    assert any(may is OF_ENTRIES for may in found)


OF_PYTHON = [fn for fn, known in DECLARED.items() if "of_floats" in known]
FLOATS = [0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan, 5e-324, 1.7e308]


@pytest.mark.parametrize("operation", OF_PYTHON, ids=lambda op: op.__name__)
def test_floats_of_python_raise_as_said(operation: Any) -> None:
    number = operation in (abs,) or operation.__name__ in ("neg", "pos", "abs")
    for x in FLOATS:
        for given in [(x,)] if number else [(x, y) for y in FLOATS]:
            may = raised_by(Apply([Value(None)], None, operation, tuple(map(Const, given))))
            try:
                operation(*given)
            except Exception as error:
                assert isinstance(error, may), given  # noqa: PT017


def test_elementwise_operations_have_no_places_that_are_not_there() -> None:
    assert IndexError in OF_ARRAYS
    assert not any(issubclass(IndexError, kind) for kind in OF_ENTRIES)
    assert traits_of(np.where).elementwise is True


class OfUsers(ValueError):
    pass


def test_classes_of_users_are_raised_by_users_alone() -> None:
    product = applied(np.multiply, [np.ones(3), np.ones(2)], {})
    inverse = applied(np.linalg.inv, [np.zeros((2, 2))], {})
    assert not may_raise([product, inverse], (OfUsers,))
    assert not may_raise([product], (np.linalg.LinAlgError,))
    assert may_raise([product], (ValueError,))
    assert may_raise([inverse], (np.linalg.LinAlgError,))
    assert may_raise([product], (Exception,))


@pytest.mark.parametrize("item", [1.0, None, np.ones(3), "a", [], object(), ValueError])
def test_a_list_takes_anything(item: Any) -> None:
    appended = Apply([Value(None)], None, linear.appended, (Value(None, Stack()), Value(None)))
    assert not may_raise([appended], (ValueError, TypeError, LookupError, ArithmeticError))
    assert linear.appended([2.0], item)[-1] is item
