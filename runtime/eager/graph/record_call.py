"""The ways a tensor function goes to the rule book: plain, elementwise with promotion, in place, as a view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...batching.batched_array import MORE, BatchedArray, levels_of
from ...device.places import is_far, twin_for
from ..batches.crossings import edge_into
from ..fast_path.argument_calls import call
from ..fast_path.operand_calls import binary_way, operand_calls, reflected_way, unary_way
from ..sparse.coo import NoSparseForm
from ..sparse.sparse_tensor import SparseTensor
from ..tensor.devices import mixed, place
from ..tensor.dtypes import of, of_number, result_type
from ..tensor.overrides import refuse_overrides
from ..tensor.tensor import Tensor, fresh
from ..tensor.view_info import DEFAULT, MULTI_OUTPUT
from ..tensor.views import (
    AsStridedBackward0,
    FillBackward0,
    check_writable,
    rebase,
    viewed,
    writable,
)
from .grad_mode import count_write, modes
from .node import peek, shape_and_type
from .operation_node import OpNode
from .saved_tensors import Guard, Saved
from .saving import OF_RESULT, each, frozen
from .tangents import levels, same_tangents, written

__all__ = [
    "as_view",
    "as_views",
    "attributed",
    "cast",
    "elementwise",
    "guarded",
    "in_place",
    "is_writable",
    "plain",
    "writing",
]


WAYS: dict[Any, Any] = {}


def plain(fn: Any, *args: Any, name: str | None = None, **kwargs: Any) -> Any:
    """A recorded call; the result has memory of its own."""
    made = call(fn, args, kwargs, name)
    if isinstance(made, Tensor):
        array = made._array
        if array.base is None:
            return made
        for a in args:
            if isinstance(a, Tensor) and np.may_share_memory(a._array, array):
                made._array = array.copy()
                break
    return made


def elementwise(fn: Any, *args: Any, name: str | None = None) -> Any:
    """A recorded call of an elementwise function, its arguments in the type torch would compute in."""
    ways = WAYS.get((fn, name)) or ways_of(fn, name)
    made = ways[0 if isinstance(args[0], Tensor) else 1](*args)
    if made is not None:
        return made
    refuse_overrides(args)
    kinds = {a._array.dtype for a in args if isinstance(a, Tensor)}
    if len(kinds) == 1 and all(isinstance(a, Tensor) or fits(a, kinds) for a in args):
        return call(fn, args, {}, name)
    kind = result_type([a._array if isinstance(a, Tensor) else a for a in args])
    same = [cast(a, kind) for a in args]
    made = call(fn, tuple(same), {}, name)
    pairs = zip(args, same, strict=True)
    return guarded(made, *(a for a, b in pairs if b is not a and reads(made._grad_fn, b)))


def reads(node: Any, tensor: Any) -> bool:
    """True if a node keeps the array of a tensor: what it was converted from may not be written to, then."""
    if not isinstance(node, OpNode) or not isinstance(tensor, Tensor):
        return False
    return node.keeps(tensor._array)


def nothing(*args: Any) -> None:
    """The way of what has no short one."""


def ways_of(fn: Any, name: str | None) -> tuple[Any, Any]:
    """The short ways of a function, for a tensor and for a number as its first argument."""
    calls = operand_calls(fn, name) if name else None
    if calls is None:
        made = nothing, nothing
    elif len(calls.parameters) == 1:
        made = unary_way(calls, nothing), nothing
    else:
        made = binary_way(calls, nothing), reflected_way(calls, nothing)
    WAYS[fn, name] = made
    return made


def fits(number: Any, kinds: set[Any]) -> bool:
    """True if a Python number leaves the type as it is."""
    (kind,) = kinds
    if kind.kind == "V" or isinstance(number, (np.ndarray, np.generic)):
        return False
    order = "biufc"
    return order.index(of_number(number).kind) <= order.index(kind.kind) and kind.kind != "b"


def cast(value: Any, kind: Any) -> Any:
    """A value in a type; the gradient goes back in its own."""
    if isinstance(value, Tensor):
        return (
            value
            if value._array.dtype == kind
            else call(np.ndarray.astype, (value, kind), {}, "ToCopyBackward0")
        )
    return np.asarray(value, kind)[()] if kind.kind == "V" else kind.type(value)


def as_view(
    fn: Any,
    parent: Tensor,
    *args: Any,
    name: str | None = None,
    creation: int = DEFAULT,
    **kwargs: Any,
) -> Tensor:
    """A recorded call whose result shows the memory of ``parent``."""
    if list in map(type, args):
        args = frozen(args)
    made = call(fn, (parent, *args), kwargs, name)
    if (fn is np.broadcast_to or fn is np.diagonal) and is_writable(parent._array):
        writable(made._array)

    def replay(base: Any) -> Any:
        if isinstance(base, Tensor):
            return as_view(fn, base, *args, name=name, **kwargs)
        return twin_for(fn, base)(base, *args, **kwargs)

    return viewed(made, parent, replay, creation)


def is_writable(array: Any) -> bool:
    """True if NumPy lets anybody write to an array; of the device's it says nothing."""
    return not is_far(array) and bool(array.flags.writeable)


def as_views(
    fn: Any,
    parent: Tensor,
    *args: Any,
    name: str | None = None,
    shows: Callable[[Any, int], Any] | None = None,
    **kwargs: Any,
) -> list[Tensor]:
    """The same for a function of several views: none of them may be written to while recording.

    ``shows(array, k)`` is the ``k``-th view, where what ``fn`` gives has memory of its own.
    """
    args = frozen(args) if list in map(type, args) else args
    made = list(call(fn, (parent, *args), kwargs, name))
    if shows is not None:
        for k, part in enumerate(made):
            part._array = shows(parent._array, k)

    def replay(k: int) -> Callable[[Any], Any]:
        def again(base: Any) -> Any:
            if isinstance(base, Tensor):
                return as_views(fn, base, *args, name=name, shows=shows, **kwargs)[k]
            return fn(base, *args, **kwargs)[k] if shows is None else shows(base, k)

        return again

    return [viewed(one, parent, replay(k), MULTI_OUTPUT) for k, one in enumerate(made)]


def attributed(made: Tensor, **attributes: Any) -> Tensor:
    """Note on the node what the call was given: it shows as ``_saved_...``."""
    node = made._grad_fn
    if node is not None:
        node.attributes = attributes if node.attributes is None else node.attributes | attributes
    return made


def guarded(made: Tensor, *tensors: Any) -> Tensor:
    """Refuse the way back once one of the tensors (inputs, or the result) was written to, as torch does.

    Under hooks for saved tensors torch would have packed them.
    """
    node = made._grad_fn
    if node is not None and modes.pack is None:
        guards = node.kept("guards", list)
        guards.extend(Guard(one, node) for one in tensors if isinstance(one, Tensor))
    return made


# -- writes ----------------------------------------------------------------------------------


def in_place(target: Tensor, fn: Callable[..., Any], *args: Any, reads: Any = ()) -> Tensor:
    """``target`` becomes ``fn(target, *args)``: its memory is written to, and its history goes on.

    ``reads``: what else the function is given.
    """
    if type(target) is SparseTensor:
        return overwritten(target, fn(target.detach(), *args))
    check_writable(target, (*args, *reads))
    old = before_writing(target, args)
    since = peek()
    if modes.pack is not None or (levels.current >= 0 and modes.grad):
        # what is packed, or kept by what pushes the tangent, is not written to
        old._array, old._counter = target._array.copy(), [0]
    made = fn(old, *args)
    if made._grad_fn is not None:
        for node in between(made._grad_fn, since):
            keep_counted(node, target)
            drop_guards(node, target)
    return writing(target, made)


def overwritten(target: Tensor, made: Any) -> Tensor:
    """A write to a sparse tensor: it is not recorded, and so refused where it would have to be."""
    if modes.grad and (target.requires_grad or made.requires_grad):
        raise NoSparseForm("a write to a sparse tensor that requires grad is not recorded here")
    if modes.mutation is not None:
        raise NoSparseForm("a write to a sparse tensor is not there in this mode")
    target._array[...] = made._array
    count_write(target)
    return target


def between(last: Any, since: int) -> list[Any]:
    """The nodes of a write that is made of several operations, but the last one."""
    found: list[Any] = []
    ways = [edge[0] for edge in last.edges if edge is not None]
    while ways:
        node = ways.pop()
        if since <= node.seq < last.seq and node not in found:
            found.append(node)
            ways += [edge[0] for edge in node.edges if edge is not None]
    return found


def before_writing(target: Tensor, args: tuple[Any, ...]) -> Tensor:
    """The old value with its history: what the operation reads and keeps."""
    old = fresh(target._array, type(target))
    old._counter = target._counter
    if modes.grad and target._view is None:
        old._requires, old._grad_fn, old._nr = target._requires, target._grad_fn, target._nr
    elif modes.grad and target._view.base._requires:  # what it was as a part of its base
        view = target._view
        old._requires, old._grad_fn = True, AsStridedBackward0(view.base, view.replay, target)
    if levels.current >= 0:
        same_tangents(old, target)
    if old._grad_fn is None and old._requires:
        old._accumulator = target._accumulator
    return old


def writing(target: Tensor, made: Tensor) -> Tensor:
    """Put a value into the memory of ``target``, with the history of the value."""
    array = target._array
    if type(array) is not type(made._array) and is_far(array) is not is_far(made._array):
        raise mixed(place(array), place(made._array))
    if made._array.shape != array.shape:
        raise RuntimeError(
            f"output with shape {list(array.shape)} doesn't match the broadcast shape {list(made._array.shape)}"
        )
    if (
        made._array.dtype != array.dtype
        and not np.can_cast(made._array.dtype, array.dtype, "same_kind")
        and not is_lower(made, array)
    ):
        raise RuntimeError(
            f"result type {made.dtype.letter} can't be cast to the desired output type {of(array.dtype).letter}"
        )
    if type(made._array) is BatchedArray and levels_of(made._array) - levels_of(array):
        raise RuntimeError(MORE)
    recorded = modes.grad and (made._grad_fn is not None or target.requires_grad)
    if recorded:
        keep_old(made._grad_fn, array, target)
        drop_guards(made._grad_fn, target)
    if modes.mutation is not None:
        modes.mutation.before_write(target)
    keep_result(target)
    count_write(target)
    array[...] = made._array
    if levels.current >= 0:
        written(target, made)
    if recorded:
        follow_result(made, target)
        rebase(target, *history(made, target))
    return target


def history(made: Tensor, target: Tensor) -> tuple[Any, int]:
    """The node of a value that is written; a constant has one too, which ends the old history."""
    if made._grad_fn is not None:
        return made._grad_fn, made._nr
    return FillBackward0(
        (edge_into(before_writing(target, ())),), (shape_and_type(made._array),)
    ), 0


def is_lower(made: Tensor, array: Any) -> bool:
    return made._array.dtype.kind in "V" or array.dtype.kind == "V"


def keep_result(target: Tensor) -> None:
    """Some rules read a result that torch's do not: it may be written to all the same."""
    root = target if target._view is None else target._view.base
    node = root._grad_fn
    if isinstance(node, OpNode) and type(node).__name__ in OF_RESULT:
        keep_old(node, root._array, None)


def keep_old(node: Any, array: Any, target: Any) -> None:
    """Copies what the node reads of the memory that is about to be written to.

    What it reads of the tensor itself, as another argument, is not copied: that is no longer what it was.
    """
    if not isinstance(node, OpNode) or not node.saved:
        return
    if node.keeps(array, target):
        node.exchange(array, array.copy(), [0], target)


def keep_counted(node: Any, target: Tensor) -> None:
    """The same for a node before the last: it may have read any view of the memory."""
    if not isinstance(node, OpNode) or not node.saved:
        return
    node.open()
    for saved in each(node.saved):
        if type(saved) is Saved and saved.counter is target._counter and saved.source is not target:
            saved.array, saved.counter = saved.array.copy(), None


def drop_guards(node: Any, target: Tensor) -> None:
    """Drops the guards that a node has on the tensor it writes to."""
    if node is not None and node.more is not None and "guards" in node.more:
        node.more["guards"] = [g for g in node.more["guards"] if g.counter is not target._counter]


def follow_result(made: Tensor, target: Tensor) -> None:
    """A node that keeps its result keeps the memory it was put into, and sees later writes."""
    node = made._grad_fn
    if isinstance(node, OpNode) and made._array.dtype != target._array.dtype:
        node.retype(made._nr, target._array.dtype)
    if not isinstance(node, OpNode) or not node.saved:
        return
    for guard in (node.more or {}).get("guards", ()):
        if guard.is_result:
            guard.counter, guard.version = target._counter, target._counter[0]
    node.exchange(made._array, target._array, target._counter)
