"""Memory effects of a call: whether its result is new, a view, or either, and its layout.

What is known of the operations stands in their records (``runtime/traits``); what their conditions mean for
the arguments of a call is decided here.  ``tests/sweeps/memory_facts.py`` measures every answer against
NumPy, over arrays of every layout.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any, TypeGuard

import numpy as np

from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.helpers import linear
from retrograd.runtime.helpers.linalg.einsum import shows_operand
from retrograd.runtime.objects.homes import RUNTIME
from retrograd.runtime.objects.own_attributes import home_of
from retrograd.runtime.traits.lookup import traits_of

from ...ir.operations import Apply, Block, Const, Operand, Value, walk
from ...ir.primitives import Primitive, Structure
from ...ir.target import is_on_device
from ...ir.types import Array, Number, Opaque, Stack
from ..random_numbers import is_draw

__all__ = [
    "adds_part",
    "adds_to_first",
    "gives_array",
    "has_versions",
    "is_basic",
    "is_buffer",
    "is_fresh",
    "is_itself",
    "is_number_read",
    "is_read_only",
    "is_surely_array",
    "is_version",
    "is_view",
    "is_view_of_second",
    "is_whole",
    "is_written",
    "keeps_order",
    "lies_in_order",
    "makes_array",
    "may_repeat",
    "may_view",
    "needs_order",
    "stays_array",
]


def is_version(op: Any) -> TypeGuard[Apply]:
    """True if an operation gives the memory of its first argument, with other content."""
    return isinstance(op, Apply) and traits_of(op.fn).writes == "version"


def has_versions(body: Block) -> bool:
    """True if a program writes to arrays: its adjoints are then versions of memory, too."""
    return any(is_version(op) for op in walk(body))


def adds_to_first(op: Any) -> TypeGuard[Apply]:
    """True if an operation adds to its first argument in place, and gives it."""
    return isinstance(op, Apply) and traits_of(op.fn).writes == "sum"


def adds_part(op: Any) -> TypeGuard[Apply]:
    """True if an operation adds to a part of its first argument: in place, or of a list perhaps in place at the end."""
    return adds_to_first(op) or (isinstance(op, Apply) and op.fn is linear.increased_at)


def is_written(op: Apply) -> bool:
    """True if the result of an operation is the memory of its first argument, written to."""
    return traits_of(op.fn).writes in ("version", "sum")


def is_buffer(op: Apply) -> bool:
    """True if two calls of an operation are two arrays: they are never shared."""
    return traits_of(op.fn).buffer is not None


def is_fresh(op: Apply) -> bool:
    """True if the result is new memory, whatever the arguments are."""
    fn = op.fn
    if op.kwargs.get("out") is not None:
        return False
    if isinstance(fn, Primitive):
        return not isinstance(fn, Structure)
    if isinstance(fn, np.ufunc):
        return len(op.args) <= fn.nin
    if fn is operator.getitem:
        cut = isinstance(op.args[1], slice) and items_are_numbers(op)
        return cut or is_advanced(op.args[1])
    known = traits_of(fn)
    if known.new_if is not None:
        return bool(CONDITIONS[known.new_if](op))
    if known.memory is not None:
        return known.memory == "new"
    if isinstance(fn, type) and issubclass(fn, (np.number, float, int)):
        return not np_scalar(fn) or is_number(op.args[:1]) or calls_its_dtype(op) is False
    return is_draw(fn)


def np_scalar(fn: type) -> bool:
    return issubclass(fn, np.generic)


def calls_its_dtype(op: Apply) -> bool | None:
    """Whether a type of NumPy is called that is the array's: ``np.float64(x)`` is ``x``; None if nobody knows."""
    kind = getattr(op.args[0], "type", None) if len(op.args) == 1 and not op.kwargs else None
    if not isinstance(op.fn, type) or not np_scalar(op.fn) or not isinstance(kind, Array):
        return None
    return None if kind.dtype is None else np.dtype(kind.dtype) == np.dtype(op.fn)


def is_number(args: Any) -> bool:
    """True if an argument is a number, and no array that would be given back."""
    return all(
        isinstance(a.type, Number) if isinstance(a, Value)
        else isinstance(a, Const) and not is_ndarray(a.value)
        for a in args
    )  # fmt: skip


def copies(op: Apply) -> bool:
    """True if a function that copies has not been told otherwise."""
    asked = op.kwargs.get("copy", Const(True))
    return isinstance(asked, Const) and asked.value is True and len(op.args) <= 2


def made_anew(op: Apply) -> bool:
    """True if ``np.asarray`` has no array to give back, or is asked for a copy or for another dtype."""
    first, copy = op.args[0] if op.args else None, op.kwargs.get("copy")
    if is_const(copy, True) or isinstance(first, (list, tuple)) or is_number((first,)):
        return True
    return asks_its_own(op) is False


def keeps_dtype(op: Apply) -> bool:
    """True if an array of this dtype is asked for: the one that is there is given back."""
    others = [*op.args[2:], *(v for k, v in op.kwargs.items() if k != "dtype")]
    if not op.args or not of_known_rank(op) or not all(is_const(other, None) for other in others):
        return False
    asked = [*op.args[1:2], *(v for k, v in op.kwargs.items() if k == "dtype")]
    return all(is_const(d, None) for d in asked) or asks_its_own(op) is True


def kept_uncopied(op: Apply) -> bool:
    """True if ``x.astype(dtype, copy=False)`` has nothing to do."""
    only = is_const(op.kwargs.get("copy"), False) and set(op.kwargs) <= {"copy", "dtype"}
    return only and bool(op.args) and of_known_rank(op) and asks_its_own(op) is True


def asks_its_own(op: Apply) -> bool | None:
    """Whether a conversion names the dtype that the array has; None if it names none, or nobody knows."""
    first = op.args[0] if op.args else None  # by name: the call stands as it was written
    asked, has = asked_dtype(op), getattr(getattr(first, "type", None), "dtype", None)
    return None if asked is None or has is None else asked == np.dtype(has)


def asked_dtype(op: Apply) -> np.dtype | None:
    """The dtype that a conversion names; None if it names none, or nobody knows which."""
    asked = op.kwargs.get("dtype", op.args[1] if len(op.args) > 1 else None)
    if isinstance(asked, Value):
        asked = getattr(asked.type, "dtype", None) if isinstance(asked.type, Opaque) else None
    elif isinstance(asked, Const):
        asked = asked.value
    try:
        return None if asked is None else np.dtype(asked)
    except TypeError:
        return None


def has_no_text(op: Apply) -> bool:
    """True if no argument names an order, or may."""
    return not op.kwargs and not any(map(is_text, op.args))


def of_known_rank(op: Apply) -> bool:
    return getattr(getattr(op.args[0], "type", None), "dims", None) is not None


# What the conditions of a record mean for a call.  In order: asked only of what lies in C order.
CONDITIONS: dict[str, Callable[[Apply], Any]] = {
    "copied": copies,
    "differenced": lambda op: all(isinstance(n, Const) and n.value != 0
                                  for n in (*op.args[1:2], *([op.kwargs["n"]] if "n" in op.kwargs else []))),
    "inexact": lambda op: kind_at(op) in ("f", "c"),  # of whole numbers: the array itself
    "counted": lambda op: not any(may_be_sequence(b) for b in (*op.args[1:2], op.kwargs.get("bins"))),
    "summed": lambda op: len(op.args) > 2 or not may_show_operand(op),  # of one array it may be a view
    "no array": made_anew,
    "complex": lambda op: kind_at(op) == "c",
    "real": lambda op: kind_at(op) in ("f", "i", "u", "b"),
    "real numbers": lambda op: of_known_rank(op) and kind_at(op) in ("f", "i", "u"),
    "row": lambda op: rank_at(op) == 1,
    "alone": lambda op: len(op.args) == 1 and not op.kwargs,
    "of this dtype": keeps_dtype,
    "of this dtype, uncopied": kept_uncopied,
    "of an array": lambda op: isinstance(getattr(op.args[1], "type", None), Array),  # no container
    "numbers": lambda op: items_are_numbers(op),  # rows are views
    "in order": has_no_text,
    "in order, alone": lambda op: len(op.args) == 1 and not op.kwargs,
    "shown": lambda op: True,
    "rank 1": lambda op: (rank_at(op) or 0) >= 1,
    "rank 2": lambda op: (rank_at(op) or 0) >= 2,
    "rank 3": lambda op: (rank_at(op) or 0) >= 3,
}  # fmt: skip


def type_at(op: Apply) -> Any:
    return getattr(op.args[0], "type", None) if op.args else None


def kind_at(op: Apply) -> str | None:
    return getattr(type_at(op), "kind", None)


def rank_at(op: Apply) -> int | None:
    return getattr(type_at(op), "rank", None)


def may_be_sequence(operand: Operand) -> bool:
    if operand is None or isinstance(operand, Const):
        return is_ndarray(getattr(operand, "value", None))
    return not is_number((operand,))


def items_are_numbers(op: Apply) -> bool:
    kind = op.results[0].type
    return isinstance(kind, Stack) and getattr(kind.item, "dims", None) == ()


def is_view(op: Apply, ordered: bool = False, array: bool = False) -> bool:
    """True if the result certainly shows the memory of the first argument.

    ``ordered``: that is known to lie in C order, so that reshaping it gives a view.  ``array``: of rank 0, or
    of a rank that is not known, it is known to be no NumPy scalar.
    """
    base = op.args[0] if op.args else None
    if not isinstance(base, Value) or not isinstance(base.type, Array) or op.kwargs.get("copy"):
        return False
    if base.type.dims == () and not (array and stays_array(op)):
        return False  # perhaps a scalar, of which nothing is a view
    if op.fn is operator.getitem:
        known = base.type.dims is not None or (array and stays_array(op))
        return known and is_basic(op.args[1])
    if calls_its_dtype(op):
        return base.type.dims is not None
    traits = traits_of(op.fn)
    if traits.view_if is None:
        return traits.memory == "view"
    ordered = ordered or base.type.dims == ()
    return (ordered or not needs_order(op.fn)) and bool(CONDITIONS[traits.view_if](op))


def stays_array(op: Apply) -> bool:
    """True if an array is certainly given for an array, whatever its rank: `np.flip` of rank 0 gives the number."""
    kept = traits_of(op.fn).rank_0 == "kept" and op.fn is not operator.getitem
    return kept or bool(getattr(op.result.type, "dims", ())) or makes_array(op)


def makes_array(op: Apply) -> bool:
    """True if an array is given, and no scalar, whatever rank it has and whatever it is made of."""
    if op.fn is not operator.getitem:
        return traits_of(op.fn).rank_0 == "array"
    return isinstance(type_at(op), Array) and is_basic(op.args[1]) and gives_part(op.args[1])


def is_itself(op: Apply) -> bool:
    """True if a view is the first argument as it is, with the same axes and elements."""
    condition = traits_of(op.fn).itself_if
    if calls_its_dtype(op):
        return True
    return condition is not None and bool(CONDITIONS[condition](op))


def may_show_operand(op: Apply) -> bool:
    """True if the subscripts of ``np.einsum`` of one array sum up nothing, or are not known."""
    said = op.args[0] if op.args else None
    return not isinstance(said, Const) or shows_operand(said.value)


def is_view_of_second(op: Apply) -> bool:
    """True if the result certainly shows the memory of the second argument: ``np.einsum("ii->i", x)``.

    Of what has no known type as well: whether that is an array is looked at where it is written to.
    """
    if traits_of(op.fn).view_of_second is None or len(op.args) != 2 or op.kwargs:
        return False
    said, base = op.args
    if not isinstance(base, Value) or not isinstance(said, Const) or not may_show_operand(op):
        return False
    known = isinstance(base.type, Array) and base.type.dims != ()
    return known or (base.type is None and any(map(str.isalpha, said.value)))


def needs_order(fn: Any) -> bool:
    """True if the result is a view only of what lies in C order: ``reshape``."""
    return str(traits_of(fn).view_if).startswith("in order")


def is_text(operand: Operand) -> bool:
    """True if an argument names an order, or may."""
    return isinstance(operand, Const) and isinstance(operand.value, str)


def may_view(fn: Any) -> bool:
    """True if the result of a function may show its first argument, for all that is known of that."""
    known = traits_of(fn)
    return known.memory == "view" or known.view_if is not None


def is_read_only(fn: Any) -> bool:
    """True if NumPy refuses writes to a view."""
    return traits_of(fn).read_only is True


def lies_in_order(op: Apply) -> bool:
    """True if a result that is new certainly lies in C order, without gaps."""
    order = traits_of(op.fn).order
    if order == -1:
        return False
    if getattr(op.results[0].type, "rank", None) == 1:
        return is_fresh(op)  # NumPy makes no other rows
    if order is None or "order" in op.kwargs or "like" in op.kwargs:
        return False
    return len(op.args) <= order


def keeps_order(op: Apply) -> bool:
    """True if a view of what lies in C order does so, too."""
    if op.fn is operator.getitem:
        return cuts_rows(op.args[1], rank_at(op))
    known = traits_of(op.fn)
    return known.keeps_order is True or ((rank_at(op) or 9) == 1 and known.axes is not None)


def cuts_rows(index: Operand, rank: int | None) -> bool:
    """True if an index takes one run of rows: integers, then at most one cut, then whole axes.

    >>> cuts_rows((Const(1), slice(None)), 2), cuts_rows((slice(None), Const(1)), 2)
    (True, False)
    """
    items = list(index) if isinstance(index, tuple) else [index]
    taken = sum(not is_const(i, None) and not is_const(i, Ellipsis) for i in items)
    if rank is None:
        return False
    expanded: list[Operand] = []
    for item in items:
        whole = is_const(item, Ellipsis)
        expanded += [slice(None)] * (rank - taken) if whole else [item]
    left = [i for i in expanded if not is_const(i, None)]
    while left and not isinstance(left[0], slice):
        left = left[1:]
    steps = [i.step.value if isinstance(i.step, Const) else i.step
             for i in left[:1] if isinstance(i, slice)]  # fmt: skip
    whole_rows = all(is_whole(i) for i in left[1:])
    return whole_rows and all(step is None or (type(step) is int and step == 1) for step in steps)


def is_whole(item: Operand) -> bool:
    """True of the slice of everything."""
    if not isinstance(item, slice):
        return False
    return all(end is None or is_const(end, None) for end in (item.start, item.stop, item.step))


def is_number_read(index: Operand) -> bool:
    """``x[()]``: of an array of rank 0, the number."""
    found = index.value if isinstance(index, Const) else index
    return type(found) is tuple and not found


def is_const(item: Operand, value: Any) -> bool:
    return item is value or (isinstance(item, Const) and item.value is value)


def gives_array(op: Apply, v: Value) -> bool:
    """True if a result may be an array: operations on rank 0 give immutable NumPy scalars."""
    kind = v.type
    if isinstance(kind, Number):
        return False
    if not isinstance(kind, Array) or kind.dims != () or is_on_device():
        return True
    if op.fn is operator.getitem:
        return any(is_ellipsis(i) for i in op.args[1:])
    if isinstance(op.fn, (np.ufunc, Primitive)):
        return False
    if home_of(op.fn).startswith(("scipy", RUNTIME)):
        return True  # helpers hand on what they are given, `y[..., 0, 1]` too
    return traits_of(op.fn).rank_0 in ("array", "kept", "either")


def is_surely_array(op: Apply) -> bool:
    """True if a result is an array, which can be written to, and no scalar."""
    kind = op.results[0].type
    if isinstance(kind, (Array, Number)) and kind.dims == ():
        return makes_array(op)
    return True


# -- indices ------------------------------------------------------------------------------


def is_basic(index: Operand) -> bool:
    """True if an index names a part that is a view: integers, slices, None and ``...`` only."""
    if isinstance(index, tuple):
        return all(is_basic(i) for i in index)
    if isinstance(index, slice):
        return True
    if isinstance(index, Const):
        return index.value is None or index.value is Ellipsis or type(index.value) is int
    return isinstance(index, Value) and isinstance(index.type, Number) and index.type.kind == "i"


def gives_part(index: Operand) -> bool:
    """True if a basic index gives an array, whatever the rank is: there are not integers alone in it."""
    if isinstance(index, tuple):
        return any(map(gives_part, index))
    return isinstance(index, slice) or is_const(index, Ellipsis) or is_const(index, None)


def is_advanced(index: Operand) -> bool:
    """True if an index certainly copies: it holds an array of positions, or a mask."""
    if isinstance(index, tuple):
        return any(is_advanced(i) for i in index)
    if isinstance(index, list):
        return True
    kind = index.type if isinstance(index, Value) else None
    if isinstance(index, Const) and (
        is_ndarray(index.value) or isinstance(index.value, (list, bool, np.bool_))
    ):
        return True
    if isinstance(kind, (Array, Number)) and kind.kind == "b":
        return True
    return isinstance(kind, Array) and bool(kind.dims) and kind.kind in ("i", "u")


def may_repeat(index: Operand) -> bool:
    """True if an index may name a place twice."""
    if isinstance(index, tuple):
        return any(may_repeat(i) for i in index)
    if is_basic(index) or (isinstance(index, Value) and index.distinct):
        return False
    kind = index.type if isinstance(index, Value) else None
    if isinstance(index, Const) and getattr(index.value, "dtype", None) is not None:
        return bool(index.value.dtype.kind != "b" and index.value.ndim)
    scalar = isinstance(kind, Array) and kind.dims == ()
    return not (isinstance(kind, (Array, Number)) and (kind.kind == "b" or scalar))


def is_ellipsis(index: Operand) -> bool:
    items: Iterator[Any] = iter(index) if isinstance(index, tuple) else iter((index,))
    return any(isinstance(i, Const) and i.value is Ellipsis for i in items)
