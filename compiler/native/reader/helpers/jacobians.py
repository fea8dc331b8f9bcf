"""The directions of Jacobians and their blocks, where loops are printed for people."""

from __future__ import annotations

from typing import Any

from ...loop_ir.ir import Lit, Op, affine, integer, plus, times
from ...loop_ir.values import Items, Scalar, View
from ...refusal import Unsupported
from ..handlers import reads_routine
from ..reader import Reader
from ..views import in_memory, size_of, view_of


def dims_of(x: Any) -> tuple[Any, ...]:
    if not isinstance(x, (Scalar, View)):
        raise Unsupported("a Jacobian by a container")
    return x.dims


def place(index: tuple[Any, ...], dims: tuple[Any, ...], start: Any) -> Any:
    """The number of an entry among those of all inputs."""
    total: Any = integer(0)
    for i, n in zip(index, dims, strict=True):
        total = plus(times(total, n), i)
    return plus(total, start)


@reads_routine("unit_directions")
def unit_directions(r: Reader, k: Any, *inputs: Any) -> View:
    """``rt.unit_directions``: one where the entry is that of the direction."""
    number = r.literal(k)
    x, dims = inputs[number], dims_of(inputs[number])
    start: Any = integer(0)
    for before in inputs[:number]:
        start = plus(start, size_of(dims_of(before)))
    n: Any = integer(0)
    for one in inputs:
        n = plus(n, size_of(dims_of(one)))
    dtype = x.dtype if x.dtype[0] == "f" else "f8"

    def at(index: tuple[Any, ...]) -> Any:
        same = Op("equal", (affine(place(index[:-1], dims, start)), affine(index[-1])), "b1")
        return Op("where", (same, Lit(1.0, dtype), Lit(0.0, dtype)), dtype)

    return View((*dims, r.norm(n)), dtype, at)


@reads_routine("jacobian_block")
def jacobian_block(r: Reader, columns: Any, given: Any) -> Any:
    return block(r, columns, given, integer(0))


def block(r: Reader, columns: Any, given: Any, start: Any) -> View:
    """The last axis as those of an input."""
    whole, dims = in_memory(r, columns), dims_of(given)
    rank = len(whole.dims) - 1
    return view_of(
        whole,
        (*whole.dims[:rank], *dims),
        lambda index: (*index[:rank], affine(place(index[rank:], dims, start))),
    )


@reads_routine("jacobian_blocks")
def jacobian_blocks(r: Reader, columns: Any, *inputs: Any) -> Items:
    start: Any = integer(0)
    found = []
    for given in inputs:
        found.append(block(r, columns, given, start))
        start = plus(start, size_of(dims_of(given)))
    return Items(tuple(found))
