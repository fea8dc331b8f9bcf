"""Writes in place on the tape: ``x[i] = v`` gives the box of ``x``, and its views, a new version.

A write into an argument is refused, and so is one into an array whose memory the tape does not know.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ..arrays.libraries import is_cupy
from ..arrays.transfers import is_ndarray
from ..errors import TapeError
from ..objects.pytree import map_operands
from ..traits.out_dtype import computes_as_out, computes_between
from .box import Box, boxes_in, has_boxes, raw
from .dispatch import apply, name_of
from .views import family
from .write_operations import increased, replaced, scattered, store

__all__ = ["WRITING", "Flat", "accumulated", "fill", "into", "part_set", "update", "write"]


def write(box: Box, index: Any, value: Any) -> None:
    """``box[index] = value``."""
    if type(value) is Box and is_item(value, box, index):
        return  # the second half of `x[i] += v`: the view was written to, and so was the array
    refuse(box, value)
    index = map_operands(raw, index)
    if type(value) in (list, tuple) and has_boxes(value):
        value = apply(np.array, (value,), {})
    if box._own and not has_boxes(value) and box._mark is None and type(box._value) is np.ndarray:
        box._value[index] = value
        return
    replace(box, apply(replaced, (box, index, value), {}))


def is_item(value: Box, box: Box, index: Any) -> bool:
    """True if a value is the view ``box[index]``."""
    view = value._view
    if view is None or view.parent is not box or view.path or view.call[0] is not operator.getitem:
        return False
    return view.call[1][0] is box and same_index(view.call[1][1], index)


def same_index(a: Any, b: Any) -> bool:
    if a is b:
        return True
    if type(a) is tuple and type(b) is tuple:
        return len(a) == len(b) and all(map(same_index, a, b))
    return type(a) is type(b) and isinstance(a, (int, str, slice)) and bool(a == b)


def replace(box: Box, made: Any) -> None:
    """The box holds ``made``; a new array that nobody else knows may be written to as it is."""
    store(box, made)
    if box._view is None:
        box._own = box._mark is None and not box._views


def update(box: Box, op: Any, other: Any) -> Any:
    """``box += other`` and its like: in place for arrays, a new value for numbers."""
    memory = raw(box)
    if not is_ndarray(memory):
        return NotImplemented
    refuse_device(memory)
    made = apply(op, (box, other), {})
    return into(box, made, f"an in-place operation would change {described(memory)}")


def into(box: Box, made: Any, what: str) -> Box:
    """``box[...] = made``, where NumPy casts as it does for ``out=``."""
    memory, found = raw(box), raw(made)
    refuse_device(memory)
    shape = np.shape(found)
    if not isinstance(memory, np.ndarray) or np.broadcast_shapes(shape, memory.shape) != memory.shape or (
        not np.can_cast(np.asarray(found).dtype, memory.dtype, "same_kind")
    ):  # fmt: skip
        raise TapeError(f"{what} to {described(np.asarray(found))}; write `x = x + ...`")
    refuse(box, made)
    same = type(found) is np.ndarray and found.dtype == memory.dtype
    if same and found.strides == memory.strides and shape == memory.shape and type(made) is Box:
        replace(box, made)
    else:
        replace(box, apply(replaced, (box, Ellipsis, made), {}))
    return box


def described(a: np.ndarray) -> str:
    return f"{a.dtype}{list(a.shape)}"


def refuse_device(memory: Any) -> None:
    """Views of the device's arrays are not followed: who else shows the memory is not known."""
    if is_cupy(memory):
        raise TapeError(
            "a write to an array on the device is not recorded on the tape; write `x = x + ...` or np.where, or a "
            "function that compiles"
        )


def refuse(box: Box, value: Any) -> None:
    """Raise where a write cannot be followed."""
    refuse_device(raw(box))
    whole = family(box)
    if whole._given:
        raise TapeError(
            f"{whole._given} is written to in place, and the function runs on the tape; copy it first"
        )
    if not whole._apart or not box._apart:
        raise TapeError(
            "this writes to an array that shares memory with one that the tape does not follow; copy one of "
            "them first"
        )
    memory = raw(box)
    if isinstance(memory, np.ndarray) and not memory.flags.writeable:
        raise TapeError("this writes to a read-only view (of np.broadcast_to, say); copy it first")
    if any(b._level.id > box._level.id for b in boxes_in(value)):
        raise TapeError("an array of an outer function is written to inside a differentiated one")


# -- NumPy's functions and methods that write -------------------------------------------------


def to(target: Any, made: Any) -> None:
    """Writes the result of a function into its target."""
    refuse_device(raw(target))
    if type(target) is not Box:
        raise TapeError(
            "values being differentiated would be written into a plain array; make it in the function "
            "by np.zeros or np.empty, or from what is differentiated"
        )
    into(target, made, f"a write would change {described(np.asarray(raw(target)))}")


def filled(op: Any, args: Any, kwargs: Any, out: Any) -> Any:
    """``op(*args, **kwargs, out=out)``: a reduction computes in the type of what it fills."""
    wanted = np.asarray(raw(out)).dtype
    asked = args and computes_as_out(op) and kwargs.get("dtype") is None
    if asked and np.asarray(raw(args[0])).dtype != wanted:
        kwargs = kwargs if computes_between(op) else {**kwargs, "dtype": wanted}
    made = apply(op, args, kwargs)
    if computes_between(op) and np.asarray(raw(made)).dtype != wanted:
        raise TapeError(f"{op.__name__} into an array of another dtype; compute it first")
    to(out, made)
    return out


def copyto(dst: Any, src: Any, casting: str = "same_kind", where: Any = True) -> None:
    wide = src if where is True else apply(np.where, (where, src, dst), {})
    to(dst, apply(np.broadcast_to, (wide, np.shape(raw(dst))), {}) if has_boxes(wide) else wide)


def put(a: Any, ind: Any, v: Any, mode: str = "raise") -> None:
    how: Any = mode
    places = np.arange(np.size(raw(a))).take(map_operands(raw, ind), mode=how)
    if type(a) is not Box:
        to(a, v)
    set_places(a, np.ravel(places), v)


def put_along_axis(arr: Any, indices: Any, values: Any, axis: Any) -> None:
    order = np.arange(np.size(raw(arr))).reshape(np.shape(raw(arr)))
    if type(arr) is not Box:
        to(arr, values)
    if axis is None:
        order, axis = order.ravel(), 0
    places = np.take_along_axis(order, raw(indices), axis)
    refuse(arr, values)
    if np.unique(places).size != places.size:
        raise TapeError("np.put_along_axis writes to one place twice here; write a loop")
    value = apply(np.broadcast_to, (values, places.shape), {})
    replace(arr, apply(scattered, (arr, places, value), {}))


def place(arr: Any, mask: Any, vals: Any) -> None:
    """The values go to the places of the mask one after the other, again and again."""
    if type(arr) is not Box:
        to(arr, vals)
    set_places(arr, np.flatnonzero(raw(mask)), vals)


def putmask(a: Any, mask: Any, values: Any) -> None:
    """The value at each place of the mask is that at the same place of the values, repeated."""
    if type(a) is not Box:
        to(a, values)
    found = np.flatnonzero(raw(mask))
    flat = apply(np.ravel, (values,), {})
    count = np.size(raw(values))
    if count:
        set_places(a, found, flat[found % count])


def set_places(box: Box, places: np.ndarray, values: Any) -> None:
    """Values at places that are counted in C order, repeated as often as there are places; the last one stays."""
    refuse(box, values)
    if not places.size:
        return
    if type(values) in (list, tuple):
        values = apply(np.array, (values,), {})
    flat = apply(np.ravel, (values,), {})
    which = np.arange(places.size) % np.size(raw(flat))
    last = np.unique(places[::-1], return_index=True)[1]
    stays = places.size - 1 - last
    replace(box, apply(scattered, (box, places[stays], flat[which[stays]]), {}))


def fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    shape = np.shape(raw(a))
    mask = np.zeros(shape)
    np.fill_diagonal(mask, 1.0, wrap=wrap)
    if type(a) is not Box:
        to(a, val)
    set_places(a, np.flatnonzero(mask), val)


def nan_to_num(x: Any, copy: bool = True, **options: Any) -> Any:
    made = apply(np.nan_to_num, (x,), options)
    if not copy:
        to(x, made)
        return x
    return made


WRITING: dict[Any, Callable[..., Any]] = {
    np.copyto: copyto, np.put: put, np.place: place, np.putmask: putmask,
    np.put_along_axis: put_along_axis, np.fill_diagonal: fill_diagonal,
}  # fmt: skip


def fill(box: Box, value: Any) -> None:
    write(box, Ellipsis, value)


def sort(box: Box, axis: int = -1, **options: Any) -> None:
    to(box, apply(np.sort, (box, axis), options))


def partition(box: Box, kth: Any, axis: int = -1, **options: Any) -> None:
    to(box, apply(np.partition, (box, kth, axis), options))


METHODS: dict[str, Callable[..., Any]] = {
    "fill": fill, "sort": sort, "put": put, "partition": partition,
}  # fmt: skip


def accumulated(ufunc: Any, box: Any, index: Any, value: Any = None) -> None:
    """``np.add.at(x, index, v)``: an index that is met twice counts twice."""
    refuse_device(raw(box))
    index = map_operands(raw, index)
    memory = np.zeros(np.shape(raw(box)), np.intp)
    if ufunc is np.add or ufunc is np.subtract:
        added = value if ufunc is np.add else apply(np.negative, (value,), {})
        to(box, apply(increased, (box, index, added), {}))
        return
    np.add.at(memory, index, 1)
    if np.max(memory, initial=0) > 1 or type(box) is not Box:
        raise TapeError(f"{name_of(ufunc)}.at writes to one place twice here; write a loop")
    part = apply(operator.getitem, (box, index), {})
    write(box, index, apply(ufunc, (part,) if value is None else (part, value), {}))


def part_set(box: Box, name: str, value: Any) -> None:
    """``x.real = v``, ``x.imag = v``, ``x.flat = v``; what changes the form of an array is refused."""
    if name == "flat":
        set_places(box, np.arange(np.size(raw(box))), value)
    elif name in ("real", "imag") and (name == "real" or np.iscomplexobj(raw(box))):
        write(getattr(box, name), Ellipsis, value)
    else:
        raise TapeError(
            f"x.{name} is set, which changes the array in place; make a new one of that {name}"
        )


class Flat:
    """``x.flat``: the elements in C order, to be read and written."""

    __slots__ = ("box",)

    def __init__(self, box: Box) -> None:
        self.box = box

    def line(self) -> Any:
        return apply(np.ndarray.flatten, (self.box,), {})

    def __getitem__(self, index: Any) -> Any:
        return self.line()[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        places = np.arange(np.size(raw(self.box)))[map_operands(raw, index)]
        set_places(self.box, np.ravel(places), value)

    def __len__(self) -> int:
        return int(np.size(raw(self.box)))

    def __iter__(self) -> Any:
        return iter(self.line())

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array(self.box, dtype=dtype)

    def __array_function__(self, func: Any, kinds: Any, args: Any, kwargs: Any) -> Any:
        return func(*map_operands(line_of, args), **map_operands(line_of, kwargs))


def line_of(value: Any) -> Any:
    return value.line() if type(value) is Flat else value
