"""Operations on a batch of examples: by a rule, element by element, or as the record of the operation says.

The record (``batch`` in `traits`) says how an operation is called on a batch:

* ``leading``: axes that come first are a stack for it, which NumPy stretches; our own helpers are given stacks alike;
* ``wide``: every array has the examples first, whatever axes it has besides;
* ``last``: along axes that are named, by default some that are counted from behind;
* ``all``, ``flat``: along axes that are named, or, without a name, along all of them, or along one row of all entries.

Axes that are counted from the front are one more in a batch.
"""

from __future__ import annotations

import inspect
import operator
from typing import TYPE_CHECKING

import numpy as np

from retrograd.runtime.helpers.batches import examples as runtime
from retrograd.runtime.rules.book import book
from retrograd.runtime.traits.lookup import traits_of

from ...analyses.shapes.infer import type_of
from ...ir.operations import Apply, Const, Operand, Value
from ...ir.types import Array, Number, Numeric, Type
from ...simplify.builder import is_helper
from ..rule_instance import bind_operands
from .example_axes import is_none, shifted
from .example_rules import FORMS, NONE, WHOLE, Given, beside, elementwise, is_elementwise

if TYPE_CHECKING:
    from .examples import ExampleWalker

__all__ = ["form_of"]

AXES = ("axis", "axes", "axis1", "axis2", "axisa", "axisb", "axisc")
AXIAL = ("all", "flat", "last")
CONVENTIONS = (*AXIAL, "leading", "wide")


def form_of(m: ExampleWalker, op: Apply) -> Operand | None:
    """The operation on the whole batch, if that can be said."""
    rule = FORMS.get(op.fn)
    if rule is None and is_elementwise(op.fn):
        return elementwise(m, op)
    given = given_of(op)
    start = len(m.b.block.ops)
    made = None if rule is None else rule(m, op, given)
    if made is None and traits_of(op.fn).batch in CONVENTIONS:
        del m.b.block.ops[start:]
        made = by_convention(m, op, given)
    return made


def given_of(op: Apply) -> Given:
    """The arguments of an operation, by name."""
    rule = book.rules.get(op.fn)
    if rule is not None:
        return bind_operands(rule.differential, op.args, op.kwargs, 1, op.fn)
    if is_helper(op.fn):
        return by_signature(op)
    # of NumPy's, which take the array first, and then the axis
    given = dict(zip(("a", "axis"), op.args, strict=False)) | op.kwargs
    return {"a": given.pop("a", NONE), "axis": given.pop("axis", NONE), **given}


def by_signature(op: Apply) -> Given:
    known = inspect.signature(op.fn)
    defaults = {
        n: Const(p.default) for n, p in known.parameters.items() if p.default is not p.empty
    }
    return {
        **dict.fromkeys(known.parameters, NONE),
        **defaults,
        **known.bind(*op.args, **op.kwargs).arguments,
    }


# -- by what is known of an operation ----------------------------------------------------------


def by_convention(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """An operation that takes a batch as it takes an example: all that varies, with axes that are counted from behind it."""
    how = traits_of(op.fn).batch
    arrays = companions(m, op, given)
    if not arrays or "out" in op.kwargs:
        return None
    ranks = [m.rank(x) for x in arrays.values()]
    rank = most(ranks)
    if 0 in ranks[1:] and (
        how in AXIAL or (is_helper(op.fn) and rank)
    ):  # an option, not one of the arrays
        return None
    if rank == 0 and how == "all" and traits_of(op.fn).reduces is not None and len(arrays) == 1:
        return m.read(next(iter(arrays.values()))) if reduces_plainly(op) else None
    changed = together(m, op, arrays, ranks)
    moved = None if changed is None else axes_of(m, op, given, how, rank, changed)
    if changed is None or moved is None:
        return None
    if how == "leading" and len(arrays) > 1 and any(x is not given[n] for n, x in moved.items()):
        if len({*ranks}) > 1:  # the axis that is named is another one in each
            return None
        changed = {name: m.wide(x) for name, x in arrays.items()}
    made = called(m, op, given, changed | moved)
    if "q" not in given:
        return made
    before = m.rank(given["q"])  # the axes of what is asked for come first
    if before is None:
        return None
    return made if before == 0 else m.b.emit(np.moveaxis, made, Const(before), Const(0))


def reduces_plainly(op: Apply) -> bool:
    """True if a number alone is its own sum, mean, product or extreme."""
    plain = not {*op.kwargs} - {"axis", "keepdims"}
    return plain and traits_of(op.fn).reduces in ("sum", "extreme", "mean", "product")


def companions(m: ExampleWalker, op: Apply, given: Given) -> Given | None:
    """The arrays that an operation goes over together; None if something else varies, or may be one of them."""
    found: Given = {}
    how = traits_of(op.fn).batch
    first = next(iter(given))
    single = how in AXIAL and not is_helper(op.fn)  # NumPy's go over their first argument
    for name, x in given.items():
        kind = type_of(x)
        floats = isinstance(kind, (Array, Number)) and kind.kind in ("f", "c")
        if m.has(x):
            if not may_vary(kind, floats, name, first) or (single and name != first):
                return None
            found[name] = x
        elif single:
            option = isinstance(kind, Number) or (
                isinstance(kind, Array) and kind.kind in ("i", "b")
            )
            if isinstance(x, Value) and not option and name not in (first, "q"):
                return None
            if has_more_axes(m, x, given[first]) and name != "q":
                return None
        elif (floats and (isinstance(kind, Array) or may_be_wide(x, how))) or name == "like":
            found[name] = x
        elif isinstance(x, Value) and not (isinstance(kind, (Array, Number)) and kind.kind):
            return None
    return found


def has_more_axes(m: ExampleWalker, x: Operand, first: Operand) -> bool:
    """True of a constant array whose axes would meet those of the examples."""
    axes = np.ndim(x.value) if isinstance(x, Const) and isinstance(x.value, np.ndarray) else 0
    rank = m.rank(first)
    return axes > 0 and (rank is None or axes > rank)


def may_vary(kind: Type, floats: bool, name: str, first: str) -> bool:
    """False of places and masks, which each example has of its own."""
    if kind is None:
        return name == first
    return isinstance(kind, (Array, Number, Numeric)) and (floats or name in (first, "like"))


def may_be_wide(x: Operand, how: str | None) -> bool:
    """True of a number that is one of the arrays: what is computed from it has its shape."""
    return how == "wide" and isinstance(x, Value)


def together(m: ExampleWalker, op: Apply, arrays: Given, ranks: list[int | None]) -> Given | None:
    """The batch of each of several arrays."""
    if len(arrays) == 1:
        return {name: m.read(x) for name, x in arrays.items()}
    rank = most(ranks)
    if rank is None:
        return None
    if traits_of(op.fn).batch == "leading":
        if not is_helper(op.fn):  # NumPy stretches what does not vary
            return {name: beside(m, x, rank) for name, x in arrays.items()}
        if len({*ranks}) > 1:
            return None
    return {name: m.wide(x) for name, x in arrays.items()}


def most(ranks: list[int | None]) -> int | None:
    known = [r for r in ranks if r is not None]
    return max(known) if len(known) == len(ranks) else None


def axes_of(
    m: ExampleWalker, op: Apply, given: Given, how: str | None, rank: int | None, changed: Given
) -> Given | None:
    """The axes that are named; or what the operation is told in place of none."""
    moved: Given = {}
    for name in (n for n in AXES if n in given):
        axis = given[name]
        if is_none(axis) and how in ("leading", "wide"):
            continue
        if axis is NONE and how == "last":  # nothing was given
            axis = Const(-1)
        found = without_axis(m, op, given, how, rank, changed) if is_none(axis) else shifted(axis)
        if found is None:
            return None
        moved[name] = (found,) if name == "axes" and isinstance(found, Const) else found
    return moved if moved or how in ("leading", "wide") else None


def without_axis(
    m: ExampleWalker, op: Apply, given: Given, how: str | None, rank: int | None, changed: Given
) -> Operand | None:
    """The axis of the examples, for one that goes over all; they are flattened for it where that is needed."""
    if how not in ("all", "flat") or (rank == 0 and how == "all"):
        return None
    if rank is not None and (rank == 1 or how == "all"):
        return Const(1) if rank == 1 else tuple(Const(i + 1) for i in range(rank))
    if len(changed) > 1 or (how == "all" and not may_be_flat(op, given)):
        return None
    (name,) = changed
    changed[name] = flattened(m, changed[name], rank)
    return Const(1)


def may_be_flat(op: Apply, given: Given) -> bool:
    """True if an operation gives the same, whatever the shape of what it goes over."""
    keep = given.get("keepdims", Const(False))
    plain = isinstance(keep, Const) and not keep.value and "where" not in op.kwargs
    return plain and traits_of(op.fn).reduces is not None


def flattened(m: ExampleWalker, x: Operand, rank: int | None) -> Operand:
    if rank == 0:
        return m.b.emit(operator.getitem, x, (WHOLE, NONE))
    return m.b.emit(runtime.flat_examples, x)


def called(m: ExampleWalker, op: Apply, given: Given, changed: Given) -> Operand:
    """The call with other values for some of its arguments."""
    by_position = dict(zip(given, op.args, strict=False))
    args = [changed.get(name, x) for name, x in by_position.items()]
    named = {k: changed.get(k, x) for k, x in op.kwargs.items()}
    more = {k: x for k, x in changed.items() if k not in by_position and x is not given[k]}
    return m.b.emit(op.fn, *args, **(more | named))
