"""Which memory may be written to: not an argument, and not what somebody else holds."""

from __future__ import annotations

from typing import Any

from ..loop_ir.ir import Buffer, Var, affine, loads
from ..loop_ir.values import Scalar, View
from ..refusal import Unsupported
from .reader import Reader

__all__ = ["apart", "check_written", "keep", "unwritten"]


def check_written(r: Reader, place: Any) -> None:
    """Refuse a write that somebody else would see."""
    if not isinstance(place, View) or place.buffer is None or place.place is None:
        raise Unsupported("a write to what is no array of the function's own")
    if place.buffer.role == "argument":
        raise Unsupported("a write to an argument")
    if place.buffer.kept:
        raise Unsupported("a write to an array that is kept")
    if r.device is not None:
        r.device.written(r, place.buffer)
    place.buffer.writes.append(tuple(id(loop) for loop in r.loops))


def apart(r: Reader, value: Any, buffer: Buffer | None, place: View | None) -> Any:
    """A value that is not read from where it is written to, unless element by element."""
    if isinstance(value, Scalar):
        return Scalar(r.named(value.expr), value.weak)
    if place is not None and place.place is not None and len(value.dims) <= len(place.dims):
        index = tuple(affine(Var(f"probe_{k}")) for k in range(len(place.dims)))
        saved, where = r.block, place.place(index)
        with r.into([]) as trial:
            read = r.spread(value, place.dims)(index)
        r.block = saved
        same = all(g.buffer is not buffer or g.index == where for g in loads(read))
        if same and not trial:
            return value
    return r.copied(value) if id(buffer) in r.reads(value) else value


def keep(r: Reader, value: View) -> None:
    """Somebody holds an array: a later write would be seen there."""
    if value.buffer is None:
        return
    here = {id(loop) for loop in r.loops}
    for loops in value.buffer.writes:
        if set(loops) & here - set(value.buffer.home):
            raise Unsupported("an array is kept in a loop that writes to it")
    value.buffer.kept = True


def unwritten(view: View) -> View:
    """An array in an arena, which nobody may write to."""
    assert view.buffer is not None
    view.buffer.kept = True
    return view
