"""Views: which tensor they show a part of, and how writes through one reach the other's history."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from ...arrays.transfers import library_of
from ...batching.batched_array import BatchedArray, memory_of, zeros_beside
from ...batching.borders import widened
from ...device.places import is_far, twin_for
from ...helpers import indexing
from ..batches.crossings import edge_into
from ..graph.grad_mode import asked, modes
from ..graph.node import GradFn, ZeroSlope, shape_and_type
from ..graph.saved_tensors import FREED
from ..graph.tangents import levels, show
from ..observe.anomaly_mode import anomaly, remember
from .tensor import Tensor, unwrapped, wrapped
from .view_info import (
    CUSTOM,
    DEFAULT,
    INFERENCE,
    MULTI_OUTPUT,
    NO_GRAD,
    Replay,
    ViewInfo,
    chained,
)

__all__ = [
    "AsStridedBackward0",
    "CopyBackwards",
    "CopySlices",
    "FillBackward0",
    "begin",
    "check_base",
    "check_creation",
    "check_inference",
    "check_leaf",
    "check_writable",
    "rebase",
    "refresh",
    "viewed",
    "writable",
]

FORBIDDEN = " Given that this use case is ambiguous and error-prone, it is forbidden."


LOST = "a view was written to that is no view in the layout of the gradient: clone() it before"


def memory_order(array: Any) -> tuple[int, ...] | None:
    """The axes from the longest step to the shortest; None where that is their order."""
    if array.flags.c_contiguous:
        return None
    return tuple(sorted(range(array.ndim), key=lambda k: -abs(array.strides[k])))


def laid_out(output: Any, order: tuple[int, ...] | None, bar: Any) -> Any:
    """Zeros with the axes in this order in memory: what was a view of the base is one of these."""
    shape, kind = output
    xp = library_of([unwrapped(bar)])
    if order is None:
        return xp.zeros(shape, kind)
    return xp.zeros([shape[k] for k in order], kind).transpose(*map(int, np.argsort(order)))


# -- making them ---------------------------------------------------------------------------


def viewed(made: Tensor, parent: Tensor, replay: Any, creation: int = DEFAULT) -> Tensor:
    """``made`` is a view of ``parent``: it shares its counter, and follows its base."""
    if levels.current >= 0:
        shows_part(made, parent, replay)
    if parent._more is not None and parent.is_inference():
        made._entries()["inference"] = True
        made._counter = parent._counter
        return made
    if made._more is not None:
        made._more.pop("inference", None)
    base, replay = chained(parent, replay)
    if asked.on and creation != CUSTOM and (modes.inference or not modes.grad):
        creation = INFERENCE if modes.inference else NO_GRAD
    if creation == DEFAULT and parent._view is not None:
        creation = parent._view.creation
    made._counter = parent._counter
    made._view = ViewInfo(base, replay, creation, parent._counter[0])
    return made


def shows_part(made: Tensor, parent: Tensor, replay: Any) -> None:
    """Note of what the tangent is a part, where that is not told by the base: what is dual is not its base."""
    known = {} if parent._more is None else parent._more.get("shows", {})
    if parent.is_inference():
        known = {**dict.fromkeys(levels.names), **known}
    for name, view in known.items():
        base, again = (parent, replay) if view is None else (view.base, after(view.replay, replay))
        show(made, ViewInfo(base, again, DEFAULT, 0), name)


def after(first: Any, second: Any) -> Any:
    return lambda base: second(first(base))


# -- their history ---------------------------------------------------------------------------


class AsStridedBackward0(GradFn):
    """A view whose base was written to: it is made again from the base."""

    __slots__ = ("base_output", "order", "replay")

    def __init__(self, base: Any, replay: Replay, view: Any) -> None:
        super().__init__((edge_into(base),), (shape_and_type(view._array),))
        self.base_output, self.replay = shape_and_type(base._array), replay
        self.order = memory_order(base._array)

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        if bars[0] is None:
            return (None,)
        bar = bars[0]
        whole = room_for(bar, laid_out(self.base_output, self.order, bar))
        part = self.replay(whole)
        axes = stretched(part)
        once = tuple(slice(0, 1) if k in axes else slice(None) for k in range(part.ndim))
        part = part[once]
        if not may_be_written(part, whole):
            return (self.added(whole, bar, create),)
        if axes:  # a place that is shown several times gets the sum
            bar = bar.sum(axes, keepdim=True) if create else bar.sum(axes, keepdims=True)
        if not create:
            part[...] = bar
            return (whole,)
        made = wrapped(whole)
        if part.size:  # a write of nothing would be recorded
            self.replay(made)[once] = bar
        return (made,)

    def added(self, whole: Any, bar: Any, create: bool) -> Any:
        """The gradient of windows that share places: each place gets the sum of what it is shown as."""
        places = places_of(self.replay, whole)
        flat = room_for(bar, library_of([whole]).zeros(whole.size, whole.dtype))
        if not create:
            twin_for(indexing.add_at, flat)(flat, places, bar.ravel())
            return flat.reshape(whole.shape)
        flat = wrapped(flat)
        flat.index_put_((wrapped(places),), bar.reshape(-1), accumulate=True)
        return flat.reshape(whole.shape)


def room_for(bar: Any, array: Any) -> Any:
    """An array that a gradient can be written to: it may be that of several examples."""
    bar = bar._array if isinstance(bar, Tensor) else bar
    return widened(array, bar) if type(bar) is BatchedArray else array


class CopySlices(GradFn):
    """A write into a view, as seen by its base: the part that was written, and the rest."""

    __slots__ = ("order", "replay")

    replay: Replay | None

    def name(self) -> str:
        return "torch::autograd::CopySlices"

    def __init__(self, base: Any, replay: Replay, value: Any) -> None:
        super().__init__((edge_into(base), value), (shape_and_type(base._array),))
        self.replay, self.order = replay, memory_order(base._array)

    def release(self) -> None:
        self.replay = None

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        if bars[0] is None:
            return None, None
        if self.replay is None:
            raise RuntimeError(FREED)
        rest = room_for(bars[0], laid_out(self.outputs[0], self.order, bars[0]))
        if not create:
            rest[...] = bars[0]
            part = self.replay(rest)
            of_value = part.copy()
            if not may_be_written(part, rest):
                raise RuntimeError(LOST)
            part[...] = 0
            return rest, of_value
        rest = wrapped(rest)
        rest.copy_(bars[0])
        part = self.replay(rest)
        of_value = part.clone()
        if part._array.size and not np.may_share_memory(part._array, rest._array):
            raise RuntimeError(LOST)
        part.zero_()
        return rest, of_value


class CopyBackwards(GradFn):
    """A value was written over another: the gradient goes on to the new one, zeros to the old."""

    __slots__ = ()

    def name(self) -> str:
        return "torch::autograd::CopyBackwards"

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        bar = bars[0]
        if bar is None:
            return None, None
        zeros = zeros_beside(unwrapped(bars[0]), *self.outputs[0])
        return wrapped(zeros) if create else zeros, bar


class FillBackward0(ZeroSlope):
    """A constant was written: nothing of the gradient goes on but zeros."""

    __slots__ = ()


def check_inference(tensor: Any) -> None:
    """Refuse to write to an inference tensor where others may have saved it."""
    if tensor._more is not None and tensor._more.get("inference") and not modes.inference:
        raise RuntimeError(
            "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to "
            "get a normal tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for "
            "more details."
        )


def check_writable(tensor: Any, reads: Any = ()) -> None:
    """Refuse a write of what is computed from ``reads`` that would be recorded wrongly, or that means nothing."""
    check_inference(tensor)
    check_leaf(tensor, reads)
    check_overlap(tensor._array)


def check_leaf(tensor: Any, reads: Any = ()) -> None:
    """Refuse to write to what gradients are asked of."""
    if not modes.grad:
        return
    view = tensor._view
    if view is None:
        if tensor._requires and tensor._grad_fn is None:
            raise RuntimeError(
                "a leaf Variable that requires grad is being used in an in-place operation."
            )
        return
    needs = tensor.requires_grad
    if needs or any(getattr(one, "requires_grad", False) for one in reads):
        check_creation(tensor)
    check_base(tensor)


def check_base(tensor: Any) -> None:
    """Refuse to write to a view of a leaf that requires grad."""
    view = tensor._view
    if view is not None and tensor.requires_grad and view.base._grad_fn is None:
        raise RuntimeError(
            "a view of a leaf Variable that requires grad is being used in an in-place operation."
        )


def check_creation(tensor: Any) -> None:
    """Refuse a recorded write into a view that cannot be seen from its base."""
    view = tensor._view
    if view is None or view.creation == DEFAULT or not modes.grad:
        return
    raise RuntimeError(refusal(view.creation, tensor, "is being"))


ADVICE = (
    " You can clarify your code by moving both the view and the inplace either both inside the {mode} block (if you "
    "don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked)."
)
WHY = {
    MULTI_OUTPUT: " This view is the output of a function that returns multiple views. Such functions do not "
    "allow the output views to be modified inplace. You should replace the inplace operation by an "
    "out-of-place one.",
    NO_GRAD: FORBIDDEN + ADVICE.format(mode="no_grad"),
    INFERENCE: FORBIDDEN + ADVICE.format(mode="inference_mode"),
    CUSTOM: " This view was created inside a custom Function (or because an input was returned as-is) and "
    "the autograd logic to handle view+inplace would override the custom backward associated with the "
    "custom Function, leading to incorrect gradients. This behavior is forbidden. You can fix this by "
    "cloning the output of the custom Function.",
}


def refusal(creation: int, tensor: Any, what: str) -> str:
    """Why a view may not be written to (or its base: ``what`` says so), by how it was made."""
    node = tensor._grad_fn
    source = "" if node is None else f"Output {tensor._nr} of {node.name()} is a view"
    if creation not in (NO_GRAD, INFERENCE) and node is not None:
        return f"{source} and {what} modified inplace.{WHY[creation]}"
    start = f"{source} of a view which was created in" if source else "A view was created in"
    if creation == INFERENCE:
        return f"{start} inference mode and {what} modified inplace in normal mode.{WHY[creation]}"
    return (
        f"{start} no_grad mode and {what} modified inplace with grad mode enabled.{WHY[creation]}"
    )


def stretched(array: Any) -> tuple[int, ...]:
    """The axes along which a place is shown several times."""
    if 0 not in array.strides or not array.size:
        return ()
    steps = enumerate(zip(array.strides, array.shape, strict=True))
    return tuple(k for k, (step, n) in steps if step == 0 and n > 1)


def may_be_written(part: Any, whole: Any) -> bool:
    """True if a part shows each of its places of ``whole`` once; it is made writable."""
    if part.size and not np.may_share_memory(part, whole):
        return False
    reach = part.itemsize  # of the axes with shorter steps
    for step, n in sorted((abs(s), n) for s, n in zip(part.strides, part.shape, strict=True)):
        if n > 1 and step < reach:
            return not part.size
        reach += step * (n - 1)
    return writable(part)


def writable(part: Any) -> bool:
    """NumPy gives diagonals and stretched arrays read-only, and windows for good."""
    if is_far(part):  # nobody guards the memory of the device
        return not stretched(part)
    with suppress(ValueError):
        part.setflags(write=True)
    return bool(part.flags.writeable)


def places_of(replay: Replay, whole: Any) -> Any:
    """The places that a view shows, counted in C order."""
    if replay(whole).dtype != whole.dtype:
        raise RuntimeError(
            "the history of a view of complex numbers that shows a place twice cannot be made again: clone() the view "
            "before what it shows is written to"
        )
    return replay(library_of([whole]).arange(whole.size).reshape(whole.shape)).ravel()


def check_overlap(array: Any) -> None:
    """Refuse to write where one place is shown twice (of windows, everywhere: NumPy does)."""
    array = memory_of(array)  # what examples share is shown several times, too
    if stretched(array) or not (is_far(array) or array.flags.writeable):
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory "
            "location. Please clone() the tensor before performing the operation."
        )


def rebase(tensor: Any, node: GradFn, output: int = 0) -> None:
    """The tensor has been written to: its value is now a result of ``node``."""
    view = tensor._view
    if view is None:
        begin(tensor, node, output)
        return
    base = view.base
    outer = CopySlices(base, view.replay, (node, output))
    if anomaly.enabled:
        remember(outer)
    begin(base, outer, 0)
    refresh(tensor, force=True)


def begin(tensor: Any, node: GradFn, output: int) -> None:
    """A new history; ``retain_grad`` follows the newest, other hooks stay where they are."""
    old = tensor._grad_fn
    if old is not None and old.more is not None:
        kept = old.more.get("retained", {}).pop(tensor._nr, None)
        if kept is not None:
            node.kept("retained", dict)[output] = kept
    tensor._grad_fn, tensor._nr, tensor._requires = node, output, True


def refresh(view: Any, force: bool = False) -> None:
    """The history of a view whose base was written to since it was made."""
    info = view._view
    if not force and info.version == view._counter[0]:
        return
    base = info.base
    needs = base._grad_fn is not None or base._requires
    if view._grad_fn is None and not needs:
        return
    if not force and info.creation != DEFAULT:
        what = "its base or another view of its base has been"
        raise RuntimeError(refusal(info.creation, view, what))
    info.version = view._counter[0]
    if needs:  # else the view is of one that was made a leaf itself: its history is still right
        begin(view, AsStridedBackward0(base, info.replay, view), 0)
