"""Elements and arrays that are repeated, and the sums of what their copies give back."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...loop_ir.ir import Op, affine, integer, times
from ...loop_ir.values import Items, Scalar, View, scalar
from ...refusal import Unsupported
from ..handlers import complex_too, reads, reads_helper, reads_method
from ..options import none
from ..reader import Reader
from ..views import in_memory, view_of
from .reductions import total
from .shaping import ravel, reshape

__all__: list[str] = []


@reads(np.repeat)
@reads_method("repeat")
@complex_too
def repeat(r: Reader, a: Any, repeats: Any, axis: Any = None) -> Any:
    """Each element so often: copies along an axis of their own, which is joined to that of the elements."""
    a = array_of_rank(r, a, axis)
    often, k = count(r, repeats), place(r, a, axis)
    dims = (*a.dims[: k + 1], often, *a.dims[k + 1 :])
    copies = r.copied(view_of(a, dims, lambda index: (*index[: k + 1], *index[k + 2 :])))
    return reshape(r, copies, sizes((*a.dims[:k], times(a.dims[k], often), *a.dims[k + 1 :])))


@reads_helper("repeat_pull")
@complex_too
def repeat_pull(r: Reader, c: Any, like: Any, repeats: Any, axis: Any = None) -> Any:
    flat, own = array_of_rank(r, like, axis), r.array(like)
    often, k = count(r, repeats), place(r, flat, axis)
    dims = (*flat.dims[: k + 1], often, *flat.dims[k + 1 :])
    found = total(r, reshape(r, c, sizes(dims)), scalar(k + 1))
    if isinstance(own, View) and len(own.dims) != len(flat.dims):
        found = reshape(r, found, sizes(own.dims))
    return found


@reads(np.tile)
@complex_too
def tile(r: Reader, A: Any, reps: Any) -> Any:
    """The whole array so often along each axis."""
    x = in_memory(r, r.array(A))
    if isinstance(x, Scalar):
        raise Unsupported("np.tile of a number")
    counts, own = tiles(r, x, reps)
    missing = len(own) - len(x.dims)
    pairs = tuple(n for pair in zip(counts, own, strict=True) for n in pair)
    copies = r.copied(view_of(x, pairs, lambda index: index[1 + 2 * missing :: 2]))
    return reshape(r, copies, sizes(tuple(map(times, counts, own))))


@reads_helper("tile_pull")
@complex_too
def tile_pull(r: Reader, c: Any, like: Any, reps: Any) -> Any:
    own = r.array(like)
    if isinstance(own, Scalar):
        raise Unsupported("rt.tile_pull of a number")
    counts, wide = tiles(r, own, reps)
    pairs = tuple(n for pair in zip(counts, wide, strict=True) for n in pair)
    outer = Items(tuple(scalar(k) for k in range(0, len(pairs), 2)))
    found = total(r, reshape(r, c, sizes(pairs)), outer)
    return found if len(wide) == len(own.dims) else reshape(r, found, sizes(own.dims))


def array_of_rank(r: Reader, a: Any, axis: Any) -> View:
    """An array with the axis along which elements are repeated: all of its elements are along one if none is named."""
    a = r.array(a)
    if isinstance(a, Scalar):
        raise Unsupported("np.repeat of a number")
    flat = ravel(r, a) if none(axis) is None and len(a.dims) > 1 else a
    found: View = in_memory(r, flat)
    return found


def place(r: Reader, a: View, axis: Any) -> int:
    k = 0 if none(axis) is None else r.literal(axis)
    if not -len(a.dims) <= k < len(a.dims):
        raise Unsupported("an axis that is not there")
    return int(k % len(a.dims))


def count(r: Reader, repeats: Any) -> Any:
    """How often: one number for all; of another for each the size of the result would not be known."""
    if not isinstance(r.array(repeats), Scalar):
        raise Unsupported("np.repeat with another count for each")
    often = r.integer(repeats)
    r.bail(Op("less", (affine(often), integer(0)), "b1"))
    return r.norm(often)


def tiles(r: Reader, x: View, reps: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The counts and the sizes, an axis for each."""
    given = reps.values if isinstance(reps, Items) else (reps,)
    counts = tuple(count(r, n) for n in given)
    rank = max(len(counts), len(x.dims))
    one = integer(1)
    return (one,) * (rank - len(counts)) + counts, (one,) * (rank - len(x.dims)) + x.dims


def sizes(dims: tuple[Any, ...]) -> Items:
    return Items(tuple(Scalar(affine(n)) for n in dims))
