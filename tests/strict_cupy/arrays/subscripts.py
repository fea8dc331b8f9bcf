"""Reading and writing by subscripts: items are views, bounds wrap, and who wins a repeated write is left open."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .. import counters
from .registry import function
from .values import cast, converted

__all__ = ["fill", "read", "scatter", "write"]

_order = np.random.default_rng(20)  # which of several writes to one place comes last

ATOMIC = {
    "add": "iIlLqQefd",
    "subtract": "iI",
    "maximum": "iIlLqQfd",
    "minimum": "iIlLqQfd",
    "bitwise_and": "iIlLqQ",
    "bitwise_or": "iIlLqQ",
    "bitwise_xor": "iIlLqQ",
}
NAMES = {
    "add": "int32, int64, float16, float32, float64, uint32, uint64",
    "subtract": "int32, uint32,",
    "maximum": "int32, int64, float32, float64, uint32, uint64",
    "bitwise_and": "int32, int64, uint32, uint64",
}
NAMES["minimum"] = NAMES["maximum"]
NAMES["bitwise_or"] = NAMES["bitwise_xor"] = NAMES["bitwise_and"]


def read(array: Any, key: Any) -> Any:
    """A view if the key is basic; else a copy."""
    index, kind = prepared(array, key)
    if kind == "basic":
        return array._view(array._host[(*index, ...)] if ... not in index else array._host[index])
    if kind == "mask":
        counters.transfer("mask")
    found = np.array(array._host[index], order="C")
    if found.size:
        counters.launch("getitem_mask" if kind == "mask" else "take")
    counters.allocation(found.nbytes)
    return type(array)._of(found)


def write(array: Any, key: Any, value: Any) -> None:
    index, kind = prepared(array, key)
    if kind == "basic":
        target = array._host[(*index, ...)] if ... not in index else array._host[index]
        if isinstance(value, type(array)):
            counters.launch("copy")
            target[...] = cast(fitting(value._host, target.shape), array.dtype)
        else:
            fill(target, value)
        return
    if kind == "mask":
        counters.transfer("mask")
    values = on_device(array, value)
    counters.launch("scatter_update")
    places = positions(array, index)
    values = np.broadcast_to(values, places.shape).ravel()
    places = places.ravel()
    order = _order.permutation(places.size)
    array._host.flat[places[order]] = values[order]


def scatter(array: Any, name: str, key: Any, value: Any) -> None:
    """``ufunc.at``: atomic for the kinds of numbers that the device has it for."""
    index, kind = prepared(array, key)
    if kind == "basic":
        target = read(array, key)
        function(name)(target, value, target)
        return
    values = on_device(array, value)
    if kind == "mask":
        counters.transfer("mask")
        counters.launch(f"scatter_{name}")
        where = array._host[index]
        array._host[index] = getattr(np, name)(where, values, dtype=array.dtype)
        return
    if array.dtype.char not in ATOMIC[name]:
        raise TypeError(f"cupy.{name}.at only supports {NAMES[name]} as data type")
    counters.launch(f"scatter_{name}")
    places = positions(array, index)
    values = np.broadcast_to(values, places.shape).ravel()
    places = places.ravel()
    order = _order.permutation(places.size)
    flat = array._host.reshape(-1) if array._host.flags.c_contiguous else array._host.flatten()
    getattr(np, name).at(flat, places[order], values[order])
    if not array._host.flags.c_contiguous:
        array._host[...] = flat.reshape(array.shape)


def fill(target: np.ndarray, value: Any) -> None:
    """One value everywhere: a host's array, and a list, are refused."""
    if isinstance(value, (list, tuple)):
        value = np.array(value)
    if hasattr(value, "_host"):
        if value.ndim:
            raise ValueError("non-scalar cupy.ndarray cannot be used for fill")
        counters.transfer("fill")  # the device is asked whether it is zero
        value = value._host
    elif isinstance(value, np.ndarray) and value.ndim:
        raise ValueError("non-scalar numpy.ndarray cannot be used for fill")
    counters.launch("fill")
    if value is None:
        value = np.nan
    if target.dtype.kind not in "c" and isinstance(value, (complex, np.complexfloating)):
        raise TypeError("float() argument must be a string or a real number, not 'complex'")
    target[...] = converted(float(value) if isinstance(value, str) else value, target.dtype)


def fitting(values: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    while values.ndim > len(shape) and values.shape[0] == 1:
        values = values[0]
    try:
        return np.broadcast_to(values, shape)
    except ValueError:
        raise ValueError(
            f"operands could not be broadcast together with shapes {values.shape} {shape}"
        ) from None


def on_device(array: Any, value: Any) -> np.ndarray:
    """The values of an advanced write: those of the host are uploaded."""
    if isinstance(value, type(array)):
        return cast(value._host, array.dtype)
    if isinstance(value, (list, tuple, np.ndarray)):
        counters.transfer("upload")
    return converted(value, array.dtype)


def positions(array: Any, index: tuple[Any, ...]) -> np.ndarray:
    return np.arange(array.size).reshape(array.shape)[index]


def prepared(array: Any, key: Any) -> tuple[tuple[Any, ...], str]:
    """The key for the host's array, and whether it is basic, advanced or a mask."""
    items = [single(one, type(array)) for one in (key if isinstance(key, tuple) else (key,))]
    taken = sum(dims(one) for one in items)
    if taken > array.ndim:
        raise IndexError(
            f"too many indices for array: array is {array.ndim}-dimensional, but {taken} were indexed"
        )
    if not any(one is ... for one in items):
        items.append(...)
    made, axis, kind = [], 0, "basic"
    for one in items:
        if one is ...:
            count = array.ndim - taken
            made += [slice(None)] * count
            axis += count
        elif isinstance(one, np.ndarray) and one.dtype == bool:
            masked(one, array.shape, axis)
            made.append(one)
            axis, kind = axis + one.ndim, "mask"
        elif isinstance(one, np.ndarray):
            made.append(one % array.shape[axis] if array.shape[axis] else one)
            axis, kind = axis + 1, kind if kind == "mask" else "advanced"
        else:
            if isinstance(one, int) and not -array.shape[axis] <= one < array.shape[axis]:
                raise IndexError(
                    f"Index {one} is out of bounds for axis {axis} with size {array.shape[axis]}"
                )
            made.append(one)
            axis += one is not None
    return tuple(made), kind


def dims(one: Any) -> int:
    if one is None or one is ...:
        return 0
    return one.ndim if isinstance(one, np.ndarray) and one.dtype == bool else 1


def masked(mask: np.ndarray, shape: tuple[int, ...], axis: int) -> None:
    for number, length in enumerate(mask.shape):
        if shape[axis + number] != length:
            raise IndexError(
                f"boolean index did not match indexed array along dimension {axis + number}; "
                f"dimension is {shape[axis + number]} but corresponding boolean dimension is {length}"
            )


def single(one: Any, device: type) -> Any:
    """One item of a key: the host's arrays and lists become the device's, which is an upload."""
    if one is None or one is ...:
        return one
    if isinstance(one, slice):
        return slice(*(bound(part, device) for part in (one.start, one.stop, one.step)))
    if isinstance(one, bool):
        return np.array(one)
    if isinstance(one, (list, tuple, np.ndarray)):
        if isinstance(one, (list, tuple)) and any(isinstance(part, device) for part in one):
            raise TypeError("an index of arrays of the device in a list: stack them first")
        made = np.array(one)
        if made.size:
            counters.transfer("upload")
        return of_index(
            made.astype(np.int32) if made.size == 0 and made.dtype.kind == "f" else made
        )
    if isinstance(one, device):
        return of_index(one._host)
    if np.isscalar(one):
        return int(one)
    raise IndexError(
        "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or "
        "boolean arrays are valid indices"
    )


def bound(part: Any, device: type) -> Any:
    if part is None:
        return None
    return int(part) if isinstance(part, device) else operator.index(part)


def of_index(values: np.ndarray) -> np.ndarray:
    if values.dtype.kind not in "iub":
        raise IndexError(
            f"arrays used as indices must be of integer or boolean type. (actual: {values.dtype.type})"
        )
    return values
