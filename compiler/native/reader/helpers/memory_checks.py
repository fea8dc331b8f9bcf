"""Helpers of the runtime that refuse arrays which share memory: settled while reading, or tested before a kernel runs.

Arguments that are written to share no memory with another one, see ``written_arguments``; all other
memory is a kernel's own.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from ...loop_ir.ir import Bail, Lit, Op, Var, affine, integer, minus, plus, times
from ...loop_ir.scalar_operations import less, less_equal
from ...loop_ir.values import Constant, Items, Scalar, View
from ...refusal import Unsupported
from ..handlers import complex_too, reads_helper
from ..reader import Reader
from ..values import Rows, Tape
from ..written_arguments import is_argument

HELD = {"b": 0, "i": 0, "f": 1, "c": 2}  # what numbers have besides a whole part
NOTHING = Constant(None)


def arrays_in(tree: Any) -> Iterator[View]:
    if isinstance(tree, Items):
        for value in tree.values:
            yield from arrays_in(value)
    elif isinstance(tree, View):
        yield tree
    elif isinstance(tree, (Tape, Rows)):
        raise Unsupported("a list that may hold what is written to")


def refused(r: Reader) -> Constant:
    """The text raises."""
    r.bail(Lit(True, "b1"))
    return NOTHING


@reads_helper("check_distinct")
@complex_too
def check_distinct(r: Reader, x: Any, *others: Any) -> Constant:
    """``rt.check_distinct`` of arguments: other arrays may be names of one memory in the text alone."""
    every = [*arrays_in(x), *arrays_in(Items(others))]
    if not isinstance(x, View) or len(every) == 1:
        return NOTHING
    if not all(map(is_argument, every)):
        raise Unsupported("rt.check_distinct of what are no arguments")
    return refused(r) if any(v.buffer is x.buffer for v in every[1:]) else NOTHING


@reads_helper("check_single")
@complex_too
def check_single(r: Reader, x: Any) -> Constant:
    """``rt.check_single``: arrays of kernels are in C order."""
    return NOTHING


@reads_helper("check_apart")
@complex_too
def check_apart(r: Reader, written: Any, arguments: Any) -> Constant:
    """``rt.check_apart``: arrays in containers that are arguments."""
    every = list(arrays_in(arguments))
    for x in arrays_in(written):
        if not all(map(is_argument, [x, *every])):
            raise Unsupported("rt.check_apart of what are no arguments")
        if sum(v.buffer is x.buffer for v in every) > 1:
            return refused(r)
    return NOTHING


@reads_helper("check_overlap")
@complex_too
def check_overlap(r: Reader, part: Any, v: Any) -> Constant:
    """``rt.check_overlap``: NumPy copies first, unless two vectors of one memory have other steps."""
    views = [x for x in (part, v) if isinstance(x, View) and len(x.dims) == 1]
    if len(views) < 2 or views[0].buffer is not views[1].buffer:
        return NOTHING
    first, second = (step_in(x) if x.place is not None else None for x in views)
    if first is not None and first == second:
        return NOTHING
    if first is None or second is None or 1 not in map(abs, first):
        r.bail(Op("less", (integer(1), views[0].dims[0]), "b1"))
    else:
        read_late(r, views[0], views[1], first)
    return NOTHING


def read_late(r: Reader, part: View, v: View, first: list[int]) -> None:
    """Leave if an element of ``v`` stands where an earlier one has just been written."""
    assert part.place is not None and v.place is not None
    here, axis = part.place((integer(0),)), [abs(k) for k in first].index(1)

    def test(index: tuple[Any, ...]) -> list[Any]:
        (m,) = index
        there = v.place(index)  # type: ignore[misc]
        earlier = times(first[axis], minus(there[axis], here[axis]))
        conds = [less_equal(0, earlier), less(earlier, m)]
        for k, (start, place) in enumerate(zip(here, there, strict=True)):
            if k != axis:
                written = plus(start, times(first[k], earlier))
                conds.append(Op("equal", (affine(written), affine(place)), "b1"))
        return [Bail(functools.reduce(lambda a, b: Op("logical_and", (a, b), "b1"), conds))]

    r.nest(v.dims, test)


def step_in(x: View) -> Any:
    """How far one element of a vector is from the next, axis by axis; None if that is not the same everywhere."""
    here, there = affine(Var("probe")), affine(Var("probe_next"))
    assert x.place is not None
    found = []
    for a, b in zip(x.place((here,)), x.place((there,)), strict=True):
        gap = minus(b, a)
        moved = [k for atom, k in gap.terms if atom == there.terms[0][0]]
        if gap.const or len(gap.terms) not in (0, 2) or (gap.terms and not moved):
            return None
        found.append(moved[0] if moved else 0)
    return found


@reads_helper("check_output")
@complex_too
def check_output(r: Reader, made: Any, out: Any) -> Constant:
    """``rt.check_output``: a result and where it is written have one shape."""
    made, out = r.array(made), r.array(out)
    if len(made.dims) != len(out.dims):
        return refused(r)
    for m, n in zip(made.dims, out.dims, strict=True):
        r.bail(Op("not_equal", (r.norm(m), r.norm(n)), "b1")) if r.norm(m) != r.norm(n) else None
    return NOTHING


@reads_helper("check_array", "check_assignable")
@complex_too
def check_array(r: Reader, x: Any) -> Constant:
    """``rt.check_array``: what is written to is an array."""
    return NOTHING if isinstance(x, View) and not x.listed else refused(r)


@reads_helper("check_leaf")
@complex_too
def check_leaf(r: Reader, x: Any) -> Constant:
    """``rt.check_leaf``: what is copied is an array or a number."""
    plain = isinstance(x, Scalar) or (isinstance(x, View) and not x.listed)
    return NOTHING if plain else refused(r)


@reads_helper("check_number")
@complex_too
def check_number(r: Reader, x: Any) -> Constant:
    """``rt.check_number``: what no write can change."""
    return NOTHING if isinstance(x, Scalar) else refused(r)


@reads_helper("check_holds")
@complex_too
def check_holds(r: Reader, x: Any, value: Any) -> Constant:
    """``rt.check_holds``: no write cuts off a fraction."""
    value = r.array(value)
    if isinstance(x, View) and HELD[x.dtype[0]] < HELD[value.dtype[0]]:
        return refused(r)
    return NOTHING
