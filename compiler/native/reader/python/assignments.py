"""Assignments: to names, to parts of arrays, in place."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from ...loop_ir.ir import Op, integer
from ...loop_ir.values import Items, Scalar, View
from ...refusal import Unsupported
from ..aliasing import apart, check_written
from ..growing_lists import count_of, item_of
from ..handlers import reads_statement
from ..numpy.elementwise import elementwise
from ..reader import Reader
from ..recursion.routines import opened
from ..values import Handle, Rows, Tape
from ..views import row
from .expressions import evaluate
from .operators import binary
from .subscripts import fancy_target, item_place, target_view

__all__ = ["assign", "bound"]


def assign(r: Reader, target: ast.expr, value: Any) -> None:
    if isinstance(target, ast.Name):
        r.env[target.id] = bound(r, value, target.id)
    elif isinstance(target, (ast.Tuple, ast.List)):
        for item, part in zip(target.elts, parts(r, value, len(target.elts)), strict=True):
            assign(r, item, part)
    elif isinstance(target, ast.Subscript):
        store(r, target, value)
    else:
        raise Unsupported(f"an assignment to {ast.unparse(target)}")


def parts(r: Reader, value: Any, n: int) -> list[Any]:
    """The parts of a container, the items of a list, or the rows of an array."""
    value = opened(r, value) if isinstance(value, Handle) else value
    if isinstance(value, Items):
        if len(value.values) != n:
            raise Unsupported("another number of values")
        return list(value.values)
    if isinstance(value, View) and value.dims:
        value = r.materialised(value)
        r.same(value.dims[0], integer(n))
        return [row(r, value, integer(k)) for k in range(n)]
    if isinstance(value, (Tape, Rows)):
        r.bail(Op("not_equal", (count_of(r, value), integer(n)), "b1"))
        return [item_of(r, value, integer(k)) for k in range(n)]
    raise Unsupported("unpacking of what is no container")


def bound(r: Reader, value: Any, name: str) -> Any:
    """The value that a name is bound to: a number that has been computed, an array in memory."""
    hint = f"v_{name}"
    if isinstance(value, Scalar):
        weak = r.named(value.weak, hint) if value.mixed else value.weak
        return Scalar(r.named(value.expr, hint), weak, value.item)
    if isinstance(value, View):
        if r.source is not None:
            r.name_after(value, hint)
        return r.materialised(value, hint)
    if isinstance(value, Items):
        return Items(tuple(bound(r, v, name) for v in value.values), value.keys, value.kind)
    return value


def store(r: Reader, target: ast.Subscript, value: Any) -> None:
    """``x[index] = value``."""
    owner = evaluate(r, target.value)
    if isinstance(owner, Items):
        raise Unsupported("an item of a container is replaced")
    scattered = fancy_target(r, owner, target.slice)
    value = r.array(value)
    if scattered is not None:
        check_written(r, owner)
        scattered(apart(r, value, owner.buffer, None), None)
        return
    place = target_view(r, owner, target.slice)
    check_written(r, place)
    r.fill(place, apart(r, value, place.buffer, place))


def put_item(r: Reader, target: ast.Subscript, value: Any) -> None:
    """A name holds a container with another item: nobody else reads one that is added to in place."""
    owner = evaluate(r, target.value)
    if not isinstance(owner, Items):
        raise Unsupported("an item of a list in a container is added to")
    at = item_place(r, owner, evaluate(r, target.slice))
    items = Items((*owner.values[:at], value, *owner.values[at + 1 :]), owner.keys, owner.kind)
    if isinstance(target.value, ast.Subscript):
        put_item(r, target.value, items)
    else:
        assign(r, target.value, items)


@reads_statement(ast.AugAssign)
def augmented(r: Reader, stmt: ast.AugAssign, live: set[str]) -> None:
    """``x += v``: in the array, if it is one."""
    target = stmt.target
    if isinstance(target, ast.Name):
        old = evaluate(r, ast.Name(target.id, ast.Load()))
        value = evaluate(r, stmt.value)
        if not isinstance(old, View):
            if r.device is not None:
                r.device.added_to(r, target.id, old)
            r.env[target.id] = bound(r, binary(r, stmt.op, old, value), target.id)
            return
        place = old
    elif isinstance(target, ast.Subscript):
        owner = evaluate(r, target.value)
        if isinstance(owner, Items):
            old = evaluate(r, ast.Subscript(target.value, target.slice, ast.Load()))
            put_item(r, target, binary(r, stmt.op, old, evaluate(r, stmt.value)))
            return
        if fancy_target(r, owner, target.slice) is not None:
            gathered = evaluate(r, ast.Subscript(target.value, target.slice, ast.Load()))
            value = binary(r, stmt.op, gathered, evaluate(r, stmt.value))
            store(r, target, r.copied(value) if isinstance(value, View) else value)
            return
        place = target_view(r, owner, target.slice)
        value = evaluate(r, stmt.value)
    else:
        raise Unsupported(f"an assignment to {ast.unparse(target)}")
    check_written(r, place)
    value = apart(r, r.array(value), place.buffer, place)
    if isinstance(stmt.op, (ast.Add, ast.Sub)) and place.dtype[0] == "f":
        if isinstance(stmt.op, ast.Sub):
            value = elementwise(r, np.negative, value)
        r.fill(place, value, "add")
    else:
        r.fill(place, binary(r, stmt.op, place, value))
