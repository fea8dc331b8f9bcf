"""A function along a line through its arguments: its slopes on both sides, and how sure they are."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from retrograd.compiler.ir.argument_path import Place
from retrograd.runtime.arrays.libraries import is_cupy
from retrograd.runtime.arrays.transfers import beside, is_ndarray, on_host
from retrograd.runtime.errors import GradientMismatch
from retrograd.runtime.objects.pytree import leaves, map_leaves

from .argument_copies import Copier, fresh

__all__ = [
    "FailsNearby",
    "Leaves",
    "Line",
    "Precision",
    "direction_of",
    "kept_symmetric",
    "numbers",
    "numbers_like",
    "precision_of",
]

Leaves = list[Any]


class Precision(NamedTuple):
    """The precision of differences: the step of a line, the rounding unit, what is near enough.

    ``parts``: whether a number that is as small as the rounding of the arguments may be nothing else.
    """

    step: float
    unit: float
    near: float
    parts: bool = False


DOUBLE = Precision(2.0**-17, 2.0**-52, 1e-5)
SINGLE = Precision(2.0**-7, 2.0**-23, 1e-2)

SEARCHED = Precision(2.0**-10, 2.0**-30, 5e-2)  # what is found to a tolerance: solutions


def precision_of(*trees: Any) -> Precision | None:
    """Of the coarsest float; none for half precision, where differences tell nothing."""
    found = {getattr(x, "dtype", None) for x in leaves(list(trees))}
    if any(dtype == np.float16 for dtype in found if dtype is not None):
        return None
    coarse = any(dtype in (np.float32, np.complex64) for dtype in found if dtype is not None)
    return SINGLE if coarse else DOUBLE


def direction_of(tree: Any, rng: np.random.Generator, own: bool = False) -> Any:
    """A random direction: as long as the numbers of each leaf are large, or (``own``) each as it is large."""

    def draw(x: Any) -> Any:
        if not is_inexact(x):
            return x
        size = np.abs(np.asarray(on_host(x)))
        known = size[np.isfinite(size) & (size > 0)]
        typical = float(np.sqrt(np.mean(np.square(known, dtype=float)))) if known.size else 1.0
        scale = np.where(size > 0, size, typical) if own else typical
        made = scale * signs(np.shape(x), rng)
        if np.iscomplexobj(x):
            made = made + 1j * scale * signs(np.shape(x), rng)
        return of_kind(made, x)

    return map_leaves(draw, tree)


def kept_symmetric(direction: Any, tree: Any) -> Any:
    """A direction in which matrices that are symmetric stay so; square ones that are not do not move."""

    def kept(v: Any, x: Any) -> Any:
        if not is_square(x):
            return v
        x = on_host(x)
        return (v + turned(v)) / 2 if np.array_equal(x, turned(x)) else np.zeros_like(v)

    left = iter(leaves(tree))
    return map_leaves(lambda v: kept(v, next(left)), direction)


def is_square(x: Any) -> bool:
    shape = np.shape(x)
    return is_inexact(x) and len(shape) > 1 and shape[-1] == shape[-2] > 1


def turned(x: Any) -> Any:
    return np.conj(np.swapaxes(x, -1, -2))


def signs(shape: tuple[int, ...], rng: np.random.Generator) -> Any:
    """Random numbers none of which is small."""
    return rng.uniform(0.5, 1.5, shape) * rng.choice([-1.0, 1.0], shape)


def is_inexact(x: Any) -> bool:
    return isinstance(x, (float, complex)) or getattr(getattr(x, "dtype", None), "kind", "") in (
        "f",
        "c",
    )


def of_kind(made: Any, x: Any) -> Any:
    """Numbers in the type of ``x``, on the host."""
    if is_ndarray(x):
        return np.asarray(made, x.dtype)
    if isinstance(x, np.generic):
        return x.dtype.type(made)
    return complex(made) if isinstance(x, complex) else float(made)


def numbers(tree: Any) -> Leaves:
    """The leaves that a derivative can be seen in, as arrays of reals; nothing for the others."""
    return [reals(x) for x in leaves(tree)]


def numbers_like(tree: Any, like: Any) -> Leaves:
    """The same of tangents or cotangents of ``like``: nothing is zero, and of a real number only the real part counts."""
    return [reals(matched(c, x)) for c, x in zip(leaves(tree), leaves(like), strict=True)]


def matched(c: Any, x: Any) -> Any:
    if not is_inexact(x):
        return None
    if not is_inexact(c):
        return np.zeros_like(on_host(x))
    c = np.asarray(on_host(c))
    return c + 0j if np.iscomplexobj(x) else np.real(c)


def reals(x: Any) -> Any:
    if not is_inexact(x):
        return np.zeros(0)
    found = np.asarray(on_host(x))
    found = found.astype(np.result_type(found.dtype, np.float64))
    if found.dtype.kind == "c":
        return np.stack([found.real, found.imag])
    return found


class FailsNearby(Exception):
    """The function has no value at a point nearby: there is nothing to compare with."""


class Line:
    """``f`` at ``args + t * directions``; ``run`` takes arguments that are its own.

    ``keep`` makes of directions those that the function may be asked along.
    """

    def __init__(
        self,
        run: Callable[[list[Any]], Any],
        args: Sequence[Any],
        directions: dict[Place, Any],
        precision: Precision,
        keep: Callable[[dict[Place, Any]], dict[Place, Any]] = dict,
    ) -> None:
        self.run, self.args, self.directions, self.precision = run, args, directions, precision
        self.keep = keep

    def times(self, factors: Sequence[Any]) -> Line:
        """The line whose directions are these, each number of them times a factor."""
        left = iter(factors)
        directions = {
            place: map_leaves(lambda v: of_kind(v * next(left), v) if is_inexact(v) else v, tree)
            for place, tree in self.directions.items()
        }
        return Line(self.run, self.args, self.keep(directions), self.precision, self.keep)

    def reach(self) -> float:
        """The largest number of the directions."""
        parts = numbers(list(self.directions.values()))
        return max((float(np.max(np.abs(x), initial=0.0)) for x in parts), default=0.0)

    def at(self, t: float, middle: Leaves) -> Leaves:
        """The value of ``f`` there, in the shapes of ``middle``."""
        moved = fresh(self.args)
        for place, direction in self.directions.items():
            step = functools.partial(next_shifted, iter(leaves(direction)), t)
            moved = place.put(moved, map_leaves(step, place.of(self.args)))
        try:
            found = numbers(self.run(moved))
        except GradientMismatch:
            raise
        except Exception as error:
            raise FailsNearby from error
        if [x.shape for x in found] != [x.shape for x in middle]:
            raise FailsNearby
        return found


def next_shifted(directions: Iterator[Any], t: float, x: Any) -> Any:
    return shifted(x, next(directions), t)


def shifted(x: Any, v: Any, t: float) -> Any:
    """``x + t * v``, in the layout of ``x`` where that is possible."""
    if not is_inexact(x):
        return x
    if is_cupy(x):
        return x + beside(x, of_kind(t * v, x))
    if not isinstance(x, np.ndarray) or 0 in x.strides:
        return of_kind(x + t * v, x)
    moved, frozen = Copier()(x), not x.flags.writeable
    if frozen:
        moved = moved.copy(order="K")
    moved += (t * v).astype(x.dtype)
    moved.flags.writeable = not frozen
    return moved
