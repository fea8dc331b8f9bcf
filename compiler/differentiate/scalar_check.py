"""What a differentiated function must return: one real number, checked at compile time or at run time.

Or a pair, ``(value, aux)``, if that is said: the value is differentiated, and ``aux`` handed on as it is.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from retrograd.runtime.errors import NotDifferentiable, UnsupportedOperation
from retrograd.runtime.helpers import linear
from retrograd.runtime.records import dataclass, replace

from ..analyses.shapes.infer import type_of
from ..ir.containers import LEAF, Pack, leaves
from ..ir.operations import Apply, Block, Const, Function, Operand, Value
from ..ir.types import STRANGER, Array, Dim, Stack, Tree, is_surely_complex, kind_of

__all__ = ["Results", "check_result", "check_scalar", "first_only", "results_of", "unit_cotangent"]


def check_result(function: Function) -> None:
    """The gradient of a function is that of a real number; anything else wants ``vjp`` or ``jacobian``."""
    y = function.body.yields[0] if function.body.yields else Const(None)
    dims = getattr(type_of(y), "dims", None)
    wanted, fix = "a scalar", "return a scalar (np.sum, np.mean), or use rg.vjp or rg.jacobian"
    what = ""
    contained = isinstance(type_of(y), (Tree, Stack)) and type_of(y) != STRANGER
    if function.tree != LEAF or contained:
        what = "a container"
    elif dims and any(is_above_one(n) for n in dims):
        what = f"an array of {len(dims)} dimension{'s' * (len(dims) > 1)}"
    elif function.facts.raises:
        what, fix = "nothing: it always raises an exception", ""
    elif isinstance(y, Const) and y.text is None and not isinstance(y.value, (int, float, complex)):
        what = repr(y.value)
    if not what and is_surely_complex(type_of(y)):
        what, wanted = "a complex number", "a real scalar"
        fix = "return its real part (np.real) or its modulus (np.abs), or use rg.vjp"
    if what:
        source = function.source
        raise NotDifferentiable(
            f"`{function.name}` must return {wanted}; it returns {what}",
            place=source.place(source.tree) if source is not None else None, fix=fix,
        )  # fmt: skip


def is_above_one(n: Any) -> bool:
    return n.above_one if isinstance(n, Dim) else n is not None and n != 1


def unit_cotangent(y: Operand, b: Any) -> Operand:
    """The cotangent 1 of a result, in its shape: an array of one element is one number."""
    dims = getattr(type_of(y), "dims", None)
    if not dims:
        return Const(1.0)
    made: Operand = b.apply(np.ones, tuple(Const(1) for _ in dims))
    return made


def check_scalar(y: Operand, forward: Function, may_be_complex: bool) -> None:
    """A result of unknown shape, or one that may be complex, is looked at when it is there."""
    kind = kind_of(type_of(y))
    known = kind not in (None, "c") or (kind is None and not may_be_complex)
    dims = getattr(type_of(y), "dims", None)
    if known and dims is not None and all(n == 1 for n in dims):
        return
    if dims:
        check = Apply([Value(None)], None, linear.check_scalar, (y, Const(len(dims))), effect=True)
        forward.body.ops.append(check)
        return
    forward.body.ops.append(Apply([Value(None)], None, linear.check_scalar, (y,), effect=True))
    if isinstance(y, Value):
        y.type = Array(None, (), None)


# -- pairs ------------------------------------------------------------------------------


@dataclass
class Results:
    """A function whose first ``count`` results are the value, in the container ``value``; ``aux`` holds the rest."""

    function: Function
    value: Any
    aux: Any
    count: int

    @property
    def seeded(self) -> list[bool]:
        """Which results have a cotangent."""
        n = len(self.function.body.yields)
        return [k < self.count for k in range(n)]

    @property
    def alone(self) -> Function:
        """The function that returns the value alone, for those who look at it."""
        body = self.function.body
        cut = Block(body.params, body.ops, body.yields[: self.count])
        return replace(self.function, body=cut, tree=self.value)

    def apart(self, yields: list[Operand]) -> tuple[list[Operand], list[Operand]]:
        return yields[: self.count], yields[self.count :]


def results_of(function: Function, aux: bool) -> Results:
    """The results of a function; ``aux``: it returns a pair, of which the first is differentiated."""
    if not aux:
        return Results(function, function.tree, None, len(function.body.yields))
    function = opened(function)
    tree = function.tree
    if not (isinstance(tree, Pack) and tree.kind is tuple and len(tree.items) == 2):
        raise no_pair(function)
    value, rest = tree.items
    return Results(function, value, rest, len(list(leaves(value))))


def opened(function: Function) -> Function:
    """The function with a pair that is one value taken apart."""
    whole = function.body.yields[0] if len(function.body.yields) == 1 else None
    kind = type_of(whole)
    known = isinstance(kind, Tree) and kind.container == "tuple" and len(kind.keys) == 2
    if function.tree != LEAF or not isinstance(whole, Value) or not known:
        return function
    assert isinstance(kind, Tree)
    parts = [Value(None, kind.item(k)) for k in (0, 1)]
    reads = [Apply([v], None, operator.getitem, (whole, Const(k))) for k, v in enumerate(parts)]
    body = Block(function.body.params, [*function.body.ops, *reads], list(parts))
    return replace(function, body=body, tree=Pack(tuple, [0, 1], [LEAF, LEAF]))


def no_pair(function: Function) -> Exception:
    source, fix = function.source, "return the value and the rest: `return loss, predictions`"
    place = source.place(source.tree) if source is not None else None
    y = function.body.yields[0] if function.body.yields else None
    known = isinstance(function.tree, Pack) or type_of(y) is not None
    error = NotDifferentiable if known else UnsupportedOperation
    return error(
        f"`{function.name}` must return a pair, `(value, aux)`, for has_aux=True",
        place=place, fix=fix,
    )  # fmt: skip


def first_only(function: Function) -> Function:
    """The function that computes the value of a pair, without what only ``aux`` needs."""
    found = results_of(function, True).alone
    return replace(
        found, body=replace(found.body, ops=list(found.body.ops)), facts=found.facts.copy()
    )
