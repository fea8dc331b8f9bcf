"""The same arguments as somebody else might pass them: in another order, shared, read-only, of other dtypes, sizes and values.

A disguise takes the arguments of a program and a generator of numbers, and gives others, or None where it does not apply.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["DISGUISES", "OF_MEMORY", "OF_SIZES", "OF_TYPES", "OF_VALUES", "disguised"]

Disguise = Callable[[list[Any], Any], "list[Any] | None"]


def is_float(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "f"


def some(args: list[Any], rng: Any, fits: Callable[[Any], bool]) -> list[int]:
    """Positions of some of the arguments that fit; at least one, if there is one."""
    every = [k for k, a in enumerate(args) if fits(a)]
    chosen = [k for k in every if rng.random() < 0.6]
    return chosen or every[:1]


def each(change: Callable[[Any, Any], Any], fits: Callable[[Any], bool]) -> Disguise:
    """A disguise that changes some of the arguments, each by itself."""

    def disguise(args: list[Any], rng: Any) -> list[Any] | None:
        chosen = some(args, rng, fits)
        if not chosen:
            return None
        return [change(a, rng) if k in chosen else a for k, a in enumerate(args)]

    return disguise


# -- memory -------------------------------------------------------------------------------


def by_columns(a: Any, rng: Any) -> Any:
    return np.asfortranarray(a)


def with_steps(a: Any, rng: Any) -> Any:
    """Every other element, along one axis, of a larger array."""
    axis = int(rng.integers(a.ndim))
    wide = np.full([2 * n if k == axis else n for k, n in enumerate(a.shape)], 7, a.dtype)
    at = tuple(slice(None, None, 2) if k == axis else slice(None) for k in range(a.ndim))
    wide[at] = a
    return wide[at]


def backwards(a: Any, rng: Any) -> Any:
    axis = int(rng.integers(a.ndim))
    return np.flip(np.flip(a, axis).copy(), axis)


def inside(a: Any, rng: Any) -> Any:
    """The middle of an array that is larger on all sides."""
    wide = np.full([n + 2 for n in a.shape], 7, a.dtype)
    at = (slice(1, -1),) * a.ndim
    wide[at] = a
    return wide[at]


def frozen(a: Any, rng: Any) -> Any:
    a = a.copy()
    a.flags.writeable = False
    return a


def spread(a: Any, rng: Any) -> Any:
    """One row in the place of all: strides of 0, which NumPy makes read-only."""
    return np.broadcast_to(a[:1], a.shape)


def unaligned(a: Any, rng: Any) -> Any:
    memory = np.zeros(a.nbytes + 1, np.uint8)
    made = np.ndarray(a.shape, a.dtype, memory, 1)
    made[...] = a
    return made


def of_other_bytes(a: Any, rng: Any) -> Any:
    return a.astype(a.dtype.newbyteorder())


def one_array_twice(args: list[Any], rng: Any) -> list[Any] | None:
    pair = of_one_shape(args, rng)
    if pair is None:
        return None
    j, k = pair
    return [args[j] if at == k else a for at, a in enumerate(args)]


def overlapping(args: list[Any], rng: Any) -> list[Any] | None:
    """Two arguments of one shape that share all their memory but an element or a row."""
    pair = of_one_shape(args, rng)
    if pair is None or not len(args[pair[0]]):
        return None
    j, k = pair
    memory = np.concatenate([args[j], args[k][:1]])
    made = list(args)
    made[j], made[k] = memory[:-1], memory[1:]
    return made


def of_one_shape(args: list[Any], rng: Any) -> tuple[int, int] | None:
    pairs = [
        (j, k)
        for j, a in enumerate(args)
        for k, b in enumerate(args)
        if j != k and is_float(a) and is_float(b) and a.shape == b.shape and a.ndim
    ]
    return pairs[int(rng.integers(len(pairs)))] if pairs else None


# -- dtypes -------------------------------------------------------------------------------


def single(a: Any, rng: Any) -> Any:
    return a.astype(np.float32)


def whole(a: Any, rng: Any) -> Any:
    return np.rint(3 * a).astype(np.int64)


def number_of_numpy(a: Any, rng: Any) -> Any:
    return [np.float64, np.float32, np.array][int(rng.integers(3))](a)


def whole_number(a: Any, rng: Any) -> Any:
    return round(a) or 1


def all_single(args: list[Any], rng: Any) -> list[Any] | None:
    return [single(a, rng) if is_float(a) else a for a in args]


# -- values -------------------------------------------------------------------------------


def with_one(*values: float) -> Callable[[Any, Any], Any]:
    """One of the numbers is another one."""

    def change(a: Any, rng: Any) -> Any:
        new = values[int(rng.integers(len(values)))]
        if not isinstance(a, np.ndarray):
            return type(a)(new)
        made = a.copy()
        if a.size:
            made.flat[int(rng.integers(a.size))] = new
        return made

    return change


def zero(a: Any, rng: Any) -> Any:
    return a * 0.0


def tied(a: Any, rng: Any) -> Any:
    """Halves: many numbers are the same."""
    return np.rint(2 * a) / 2 if isinstance(a, np.ndarray) else round(2 * a) / 2


def times(factor: float) -> Callable[[Any, Any], Any]:
    return lambda a, rng: a * factor


# -- sizes --------------------------------------------------------------------------------


def resized(new: Callable[[int, Any], int], all_sizes: bool = False) -> Disguise:
    """One size, wherever it stands, or all sizes, are others."""

    def disguise(args: list[Any], rng: Any) -> list[Any] | None:
        sizes = sorted({n for a in args if isinstance(a, np.ndarray) for n in a.shape})
        if not sizes:
            return None
        chosen = sizes if all_sizes else [sizes[int(rng.integers(len(sizes)))]]
        other = {n: max(new(n, rng), 0) for n in chosen}
        return [of_size(a, other, rng) if isinstance(a, np.ndarray) else a for a in args]

    return disguise


def of_size(a: Any, other: dict[int, int], rng: Any) -> Any:
    shape = tuple(other.get(n, n) for n in a.shape)
    if a.dtype.kind in "iu":
        low = min((other.get(n, n) for n in other), default=1)
        return rng.integers(0, max(low, 1), shape)
    return (rng.normal(size=shape)).astype(a.dtype)


def one_is_longer(args: list[Any], rng: Any) -> list[Any] | None:
    """Sizes that do not fit: one array is longer than the others."""
    chosen = [k for k, a in enumerate(args) if is_float(a) and a.ndim]
    if not chosen:
        return None
    at = chosen[int(rng.integers(len(chosen)))]
    return [np.concatenate([a, a[-1:]]) if k == at else a for k, a in enumerate(args)]


def index_outside(args: list[Any], rng: Any) -> list[Any] | None:
    """One of the indices leads out of the arrays, at one end or the other."""
    chosen = [k for k, a in enumerate(args) if some_axis(a) and a.dtype.kind == "i" and a.size]
    if not chosen:
        return None
    at = chosen[int(rng.integers(len(chosen)))]
    most = max(n for a in args if isinstance(a, np.ndarray) for n in a.shape)
    made = args[at].copy()
    made.flat[int(rng.integers(made.size))] = [most, -most - 1, 2**40][int(rng.integers(3))]
    return [made if k == at else a for k, a in enumerate(args)]


def several_axes(a: Any) -> bool:
    return is_float(a) and a.ndim > 1


def some_axis(a: Any) -> bool:
    return isinstance(a, np.ndarray) and a.ndim > 0


def number(a: Any) -> bool:
    return type(a) is float


def of_floats(a: Any) -> bool:
    return is_float(a) or number(a)


OF_MEMORY: dict[str, Disguise] = {
    "by columns": each(by_columns, several_axes),
    "with steps": each(with_steps, some_axis),
    "backwards": each(backwards, some_axis),
    "inside of larger ones": each(inside, some_axis),
    "read-only": each(frozen, some_axis),
    "one row for all": each(spread, lambda a: some_axis(a) and len(a) > 0),
    "unaligned": each(unaligned, is_float),
    "of other bytes": each(of_other_bytes, is_float),
    "one array twice": one_array_twice,
    "overlapping": overlapping,
}
OF_SIZES: dict[str, Disguise] = {
    "empty": resized(lambda n, rng: 0),
    "all empty": resized(lambda n, rng: 0, True),
    "of one element": resized(lambda n, rng: 1),
    "of two elements": resized(lambda n, rng: 2),
    "one more": resized(lambda n, rng: n + 1),
    "one less": resized(lambda n, rng: n - 1),
    "large": resized(lambda n, rng: n + 33, True),
    "that do not fit": one_is_longer,
    "with an index outside": index_outside,
}
OF_TYPES: dict[str, Disguise] = {
    "single": each(single, is_float),
    "all single": all_single,
    "whole numbers": each(whole, is_float),
    "a number of NumPy's": each(number_of_numpy, number),
    "a whole number": each(whole_number, number),
}
OF_VALUES: dict[str, Disguise] = {
    "with one that is not a number": each(with_one(np.nan), of_floats),
    "with an infinite one": each(with_one(np.inf, -np.inf), of_floats),
    "with a zero": each(with_one(0.0, -0.0), of_floats),
    "all zero": each(zero, of_floats),
    "with ties": each(tied, of_floats),
    "tiny": each(times(1e-200), of_floats),
    "huge": each(times(1e20), of_floats),
    "negated": each(times(-1.0), of_floats),
}
DISGUISES = {**OF_MEMORY, **OF_SIZES, **OF_TYPES, **OF_VALUES}


def disguised(name: str, args: Any, seed: int) -> Any:
    """Arguments in a disguise, or None."""
    made = DISGUISES[name](list(args), np.random.default_rng(seed))
    return None if made is None else tuple(made)
