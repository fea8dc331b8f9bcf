"""Calls of one of several functions, which is chosen when the program runs: ``steps[k](x)``, ``rates[state](t)``.

::

    y = steps[k](x)      ->      place = range(2)[k]
                                 if place == 0:
                                     y = first(x)
                                 else:
                                     y = second(x)
"""

from __future__ import annotations

import operator

import gast
import numpy as np

from ..ir.containers import Pack
from ..ir.operations import Const, Value
from ..ir.types import Opaque
from .interface.lowerer import Lowerer
from .nodes import (
    Applied,
    BoundConstant,
    BoundMethod,
    BoundUser,
    Choice,
    Code,
    LocalFunction,
    Node,
    OneOf,
)

__all__ = [
    "MOST",
    "as_one_of",
    "call_one_of",
    "chosen_function",
    "chosen_of_module",
    "chosen_value",
    "extended",
    "function_by_test",
    "functions_in",
    "is_carried",
    "is_choosable",
    "lasts",
    "places_among",
    "united",
]

MOST = 20  # branches for the functions of a table


def chosen_function(lowerer: Lowerer, pack: Pack, index: Node) -> OneOf | None:
    """An item that is a function, as all the others are, of a container known while compiling."""
    several = len(pack.items) > 1 and not isinstance(index, slice)
    if not several or not all(map(is_function, pack.items)):
        return None
    if pack.kind is dict:
        places = lowerer.subscripts.bundle_operand({k: Const(n) for n, k in enumerate(pack.keys)})
        places.hint = "places"
        whole: Value | Const = places
    else:
        whole = Const(range(len(pack.items)))  # counts from the end, and raises beyond it
    key = lowerer.operations.operand(index)
    place = lowerer.operations.apply(operator.getitem, (whole, key), {})
    place.hint = "place"
    return OneOf(place, list(pack.items))


def chosen_of_module(lowerer: Lowerer, base: Const, index: Node) -> OneOf | None:
    """The same of a container of the module, whose functions are guarded."""
    functions = base.value.values() if isinstance(base.value, dict) else base.value
    if (
        isinstance(index, (Const, slice))
        or len(functions) > MOST
        or not all(map(callable, functions))
    ):
        return None
    return chosen_function(lowerer, lowerer.constants.constant_pack(base), index)


def function_by_test(lowerer: Lowerer, test: Node, node: gast.IfExp) -> OneOf | None:
    """``np.sin if x > 0 else np.cos``: names, attributes and lambdas, which do nothing when they are read."""
    sides = (node.body, node.orelse)
    known = isinstance(test, Const) or lowerer.branches.is_true(test) is not None
    if known or not all(
        isinstance(side, (gast.Name, gast.Attribute, gast.Lambda)) for side in sides
    ):
        return None
    before = lowerer.loops.checkpoint()
    functions = [lowerer.expression(side) for side in sides]
    if not all(map(is_function, functions)):
        before()
        return None
    place = lowerer.branches.either(test, lambda: Const(0), lambda: Const(1), node)
    return OneOf(place, functions)


def is_function(node: Node) -> bool:
    if isinstance(node, Pack):
        return isinstance(node.kind, (Code, Applied))
    known = isinstance(node, Const) and callable(node.value)
    return known or isinstance(node, (LocalFunction, BoundUser, BoundMethod, BoundConstant))


# -- functions that two sides of a branch leave under one name --------------------------


def is_choosable(node: Node) -> bool:
    """True of a function that can be called where a branch has ended, or of one of several."""
    if isinstance(node, LocalFunction):
        return all(isinstance(d, Const) for d in node.defaults)
    if isinstance(node, OneOf):
        return all(map(is_choosable, node.functions))
    if isinstance(node, BoundUser):
        return node.decorated is None and isinstance(node.base, Pack)
    if isinstance(node, Const):
        return is_function(node) and not isinstance(node.value, type)  # a class is a value
    return isinstance(node, Pack) and is_function(node)


def is_carried(node: Node) -> bool:
    """True of one of several functions, as a loop carries it from one iteration to the next."""
    return isinstance(node, Pack) and isinstance(node.kind, Choice)


def as_one_of(node: Node) -> Node:
    return OneOf(node.items[0], list(node.kind.functions)) if is_carried(node) else node


def lasts(node: Node) -> bool:
    """True of a function that is the same in every iteration of a loop: nothing was bound to it there."""
    return isinstance(node, (Const, LocalFunction)) and is_choosable(node)


def functions_in(node: Node) -> list[Node]:
    return node.functions if isinstance(node, OneOf) else [node]


def united(one: list[Node], other: list[Node]) -> list[Node]:
    """The functions of both, the longer list first: its places stay what they are."""
    first, second = (other, one) if len(other) > len(one) else (one, other)
    return extended(first, second)


def extended(first: list[Node], second: list[Node]) -> list[Node]:
    """The functions of the first, at their places, and those that the second has beside them."""
    return [*first, *(f for f in second if all(not is_same(f, g) for g in first))]


def places_among(functions: list[Node], some: list[Node]) -> list[int]:
    return [next(k for k, g in enumerate(functions) if is_same(f, g)) for f in some]


def is_same(one: Node, other: Node) -> bool:
    both = isinstance(one, Const) and isinstance(other, Const)
    return one is other or (both and one.value is other.value)


# -- what is done with them ------------------------------------------------------------------


def chosen_value(lowerer: Lowerer, node: OneOf) -> Value | None:
    """One of several dtypes or functions of a module, as others take it: ``(np.float64, np.float32)[place]``."""
    dtypes = all(map(is_dtype, node.functions))
    if not dtypes and not all(isinstance(f, Const) and is_choosable(f) for f in node.functions):
        return None
    values = tuple(map(lowerer.operations.operand, node.functions))
    made = lowerer.operations.apply(operator.getitem, (values, node.place), {})
    made.type, made.hint = Opaque(own=True), "dtype" if dtypes else "function"
    return made


def is_dtype(node: Node) -> bool:
    """True of a class of numbers that names a dtype: one of whole numbers would keep nothing of what is written."""
    cls = node.value if isinstance(node, Const) else None
    return isinstance(cls, type) and (issubclass(cls, np.inexact) or cls in (float, complex))


def call_one_of(
    lowerer: Lowerer, fn: OneOf, args: list[Node], kwargs: dict[str, Node], node: gast.AST
) -> Node:
    """A branch for each function."""

    def called(k: int) -> Node:
        return lowerer.calls.call(fn.functions[k], args, kwargs, node)

    def among(k: int) -> Node:
        if k == len(fn.functions) - 1:
            return called(k)
        test = lowerer.operations.apply(operator.eq, (fn.place, Const(k)), {})
        return lowerer.branches.either(test, lambda: called(k), lambda: among(k + 1), node)

    return among(0)
