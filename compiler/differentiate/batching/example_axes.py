"""Rules of operations along axes on a batch: a table of how each is told its axis, and what it does without one."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.helpers.batches import examples as runtime
from retrograd.runtime.rules.book import book
from retrograd.runtime.traits.lookup import traits_of

from ...analyses.shapes.infer import type_of
from ...ir.operations import Apply, Const, Operand
from ...ir.types import Array
from .example_rules import Given, form

if TYPE_CHECKING:
    from .examples import ExampleWalker

__all__ = ["ALONG", "shifted"]

NONE = Const(None)

# What an operation does without an axis: goes over all of them ("all"), over all as one row ("flat"), or along
# the last one ("last": it has that as its default, or needs none).
ALONG: dict[str, tuple[Any, ...]] = {
    "all": (
        np.sum, np.ndarray.sum, np.add.reduce, np.mean, np.ndarray.mean, np.prod, np.ndarray.prod, np.multiply.reduce,
        np.max, np.amax, np.ndarray.max, np.maximum.reduce, np.min, np.amin, np.ndarray.min, np.minimum.reduce,
        np.ptp, np.std, np.ndarray.std, np.var, np.ndarray.var, np.any, np.ndarray.any, np.all, np.ndarray.all,
        np.nansum, np.nanmean, np.nanprod, np.nanmax, np.nanmin, np.nanstd, np.nanvar, np.count_nonzero,
        np.logical_and.reduce, np.logical_or.reduce, np.fmax.reduce, np.fmin.reduce, np.logaddexp.reduce,
        np.median, np.nanmedian, np.quantile, np.percentile, np.flip, np.squeeze, np.ndarray.squeeze,
        np.fft.fftn, np.fft.ifftn, np.fft.fftshift, np.fft.ifftshift,
    ),
    "flat": (
        np.argmax, np.ndarray.argmax, np.argmin, np.ndarray.argmin, np.cumsum, np.ndarray.cumsum, np.cumprod,
        np.ndarray.cumprod, np.nancumsum, np.nancumprod, np.take, np.ndarray.take, np.repeat, np.ndarray.repeat,
    ),
    "last": (
        np.sort, np.argsort, np.ndarray.argsort, np.diff, np.unwrap,
        np.fft.fft, np.fft.ifft, np.fft.rfft, np.fft.irfft, np.fft.hfft, np.fft.ihfft,
        np.fft.fft2, np.fft.ifft2, np.fft.rfft2, np.fft.irfft2,
        np.expand_dims, linear.softmax, linear.log_softmax,
    ),
    "first": (
        np.add.accumulate, np.multiply.accumulate, np.maximum.accumulate, np.minimum.accumulate,
    ),
}  # fmt: skip
HOW = {fn: how for how, fns in ALONG.items() for fn in fns}
REDUCES_FIRST = {
    np.add.reduce, np.multiply.reduce, np.maximum.reduce, np.minimum.reduce, np.logical_and.reduce,
    np.logical_or.reduce, np.fmax.reduce, np.fmin.reduce, np.logaddexp.reduce,
}  # fmt: skip


def shifted(axis: Operand) -> Operand | None:
    """An axis of one example as one of the batch; None where that cannot be said."""
    if isinstance(axis, tuple):
        moved = [shifted(a) for a in axis]
        return None if None in moved else tuple(moved)
    if not isinstance(axis, Const):
        return None
    if isinstance(axis.value, tuple):
        return shifted(tuple(map(Const, axis.value)))
    if type(axis.value) is not int:
        return None
    return Const(axis.value + 1) if axis.value >= 0 else axis


def is_none(x: Any) -> bool:
    return isinstance(x, Const) and x.value is None


def axis_name(given: Given) -> str | None:
    return next((name for name in ("axis", "axes") if name in given), None)


@form(*HOW)
def along(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """An operation along axes of its first argument."""
    names = list(given)
    first, name = given[names[0]], axis_name(given)
    if name is None or not m.has(first) or any(m.has(v) for n, v in given.items() if n != names[0]):
        return None
    if "where" in op.kwargs or "out" in op.kwargs:
        return None
    axis, rank = given[name], m.rank(first)
    x = m.read(first)
    if is_none(axis) and HOW[op.fn] == "last" and op.fn not in book.rules:
        axis = Const(-1)
    if (
        rank == 0
        and HOW[op.fn] == "all"
        and traits_of(op.fn).reduces in ("sum", "extreme", "mean", "product")
    ):
        return x
    how = HOW[op.fn]
    if is_none(axis):
        if how == "flat":
            x, moved = flattened(m, x, rank)
        elif how == "all":
            x, moved = over_all(m, op, x, rank, given)
        else:
            return None
    else:
        moved = shifted(axis)
    if moved is None:
        return None
    if name == "axes" and isinstance(moved, Const):
        moved = (moved,)
    made = called(m, op, names, name, x, moved)
    if "q" not in given:
        return made
    rank = m.rank(given["q"])  # the axes of what is asked for come first
    if rank is None:
        return None
    return made if rank == 0 else m.b.emit(np.moveaxis, made, Const(rank), Const(0))


def flattened(m: ExampleWalker, x: Operand, rank: int | None) -> tuple[Operand, Operand | None]:
    if rank == 1:
        return x, Const(1)
    if rank == 0:
        return m.b.emit(
            operator.getitem, x, (slice(Const(None), Const(None), Const(None)), NONE)
        ), Const(1)
    return m.b.emit(runtime.flat_examples, x), Const(1)


def over_all(
    m: ExampleWalker, op: Apply, x: Operand, rank: int | None, given: Given
) -> tuple[Operand, Operand | None]:
    keep = given.get("keepdims", Const(False))
    if rank is None:
        kept = isinstance(keep, Const) and not keep.value
        shape = traits_of(op.fn).reduces is None
        if not kept or shape:
            return x, None
        return m.b.emit(runtime.flat_examples, x), Const(1)
    if rank == 0:
        return x, None
    return x, Const(1) if rank == 1 else tuple(Const(i + 1) for i in range(rank))


def called(
    m: ExampleWalker, op: Apply, names: list[str], name: str, x: Operand, axis: Operand
) -> Operand:
    """The call with other values for its first argument and its axis."""
    at = names.index(name)
    if name in op.kwargs or len(op.args) <= at:
        args = list(op.args)
        kwargs = {**op.kwargs, name: axis}
        if args:
            args[0] = x
        else:
            kwargs[names[0]] = x
        return m.b.emit(op.fn, *args, **kwargs)
    args = list(op.args)
    args[0], args[at] = x, axis
    return m.b.emit(op.fn, *args, **op.kwargs)


@form(np.linalg.norm)
def norm(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    x, axis, rank = given["x"], given["axis"], m.rank(given["x"])
    order = given["ord"]
    if m.has([order, axis]) or not isinstance(given["keepdims"], Const) or rank is None:
        return None
    kwargs: dict[str, Operand] = {} if is_none(order) else {"ord": order}
    if given["keepdims"].value:
        kwargs["keepdims"] = Const(True)
    if not is_none(axis):
        moved = shifted(axis)
    elif rank == 1:
        moved = Const(1)
    elif rank == 2:
        moved = (Const(1), Const(2))
    else:
        moved = None
    return None if moved is None else m.b.emit(np.linalg.norm, m.read(x), **kwargs, axis=moved)


@form(np.roll)
def roll(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    names = list(given)
    x, axis = given[names[0]], given["axis"]
    if not m.has(x) or m.has(given["shift"]):
        return None
    if is_none(axis):
        if m.rank(x) != 1:
            return None
        axis = Const(0)
    moved = shifted(axis)
    return None if moved is None else m.b.emit(np.roll, m.read(x), given["shift"], axis=moved)


@form(np.trace, np.ndarray.trace, np.diagonal, np.ndarray.diagonal)
def diagonal(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    names = list(given)
    offset = given["offset"]
    if m.has(offset) or len(op.args) > 2 or {*op.kwargs} - {"offset", "axis1", "axis2"}:
        return None
    axes = {n: shifted(given[n]) for n in ("axis1", "axis2")}
    if None in axes.values():
        return None
    kwargs: dict[str, Operand] = {**axes}  # type: ignore[dict-item]
    if not (isinstance(offset, Const) and offset.value == 0):
        kwargs["offset"] = offset
    return m.b.emit(op.fn, m.read(given[names[0]]), **kwargs)


@form(np.average)
def average(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    x, weights = given["a"], given.get("weights", NONE)
    if {*op.kwargs} - {"axis", "weights"} or m.rank(x) != 1 or not m.has(x):
        return None
    if is_none(weights):
        return m.b.emit(np.mean, m.read(x), axis=Const(1))
    if m.rank(weights) != 1 or m.has(weights):
        return None
    return m.b.emit(np.average, m.read(x), axis=Const(1), weights=weights)


@form(linear.unreduce)
def unreduce(m: ExampleWalker, op: Apply, given: Given) -> Operand | None:
    """A cotangent of a sum, stretched over the axes that were summed."""
    c, like = given["c"], given["like"]
    rank, axis = m.rank(like), given["axis"]
    keep = given["keepdims"]
    if rank is None or m.rank(c) is None or not isinstance(keep, Const) or m.has([axis, keep]):
        return None
    if is_none(axis):
        axis = tuple(Const(i) for i in range(rank))
    moved = shifted(axis)
    if moved is None:
        return None
    x = m.read(c)
    if m.has(c):
        kind = type_of(like)
        if not isinstance(kind, Array) or kind.dtype is None:
            return None
        if not keep.value:
            own = axis if isinstance(axis, tuple) else (axis,)
            if m.rank(c) != rank - len(own):
                return None
            lost = {a.value % rank for a in own}  # type: ignore[union-attr]
            kept: list[Operand] = [slice(Const(None), Const(None), Const(None))]
            kept += [
                NONE if i in lost else slice(Const(None), Const(None), Const(None))
                for i in range(rank)
            ]
            while len(kept) > 1 and not is_none(kept[-1]):
                kept.pop()
            x = m.b.emit(operator.getitem, x, tuple(kept)) if len(kept) > 1 else x
    made = m.b.emit(np.broadcast_to, x, shape_of(m, like))
    known = type_of(c)
    return made if not isinstance(known, Array) or known.dtype == type_of(like).dtype else None  # type: ignore[union-attr]


def shape_of(m: ExampleWalker, like: Operand) -> Operand:
    """The shape of a batch of what is like this."""
    if m.has(like):
        return m.b.emit(np.ndarray.shape, m.read(like))
    return m.b.emit(operator.add, (m.k(),), m.b.emit(np.shape, like))
