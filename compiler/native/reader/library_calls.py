"""Calls that stay calls between the kernels for the device: products of matrices, and linear systems."""

from __future__ import annotations

from typing import Any

from ..loop_ir.ir import LibraryCall, Var, affine, minus, times, variables
from ..loop_ir.values import View, plain_view
from ..refusal import Unsupported
from .reader import Reader

__all__ = ["library_call"]

Look = tuple[tuple[tuple[int, int], ...], tuple[Any, ...]]


def library_call(
    r: Reader, text: str, operands: list[View], dims: tuple[Any, ...], dtype: str
) -> View:
    """``text`` with one or two operands put in, in new memory."""
    if not 0 < len(operands) < 3 or not dims:
        raise Unsupported(f"{text}, which the device's libraries compute")
    arrays = [shown(r, x) for x in operands]
    made = r.buffer(dims, dtype, "product")
    looks = [look for _, look, _ in arrays]
    sizes = tuple(size for x, _, starts in arrays for size in (*starts, *x.dims))
    first, last = arrays[0][0].buffer, arrays[-1][0].buffer
    assert first is not None and last is not None
    r.emit(LibraryCall(made, (first, False), (last, False), sizes, [], text, tuple(looks)))
    return plain_view(made)


def shown(r: Reader, x: View) -> tuple[View, tuple[tuple[int, int], ...], tuple[Any, ...]]:
    """An operand, as a view of its buffer."""
    x = r.materialised(x)
    found = look_of(r, x)
    if found is None:
        x = r.copied(x)
        found = look_of(r, x)
    assert found is not None
    return x, *found


def look_of(r: Reader, x: View) -> Look | None:
    """The steps and the starts of a view, or None if it is none of its buffer."""
    if x.place is None:
        return None
    probes = [Var(f"probe_{k}") for k in range(len(x.dims))]
    steps, starts = [], []
    for i in x.place(tuple(affine(v) for v in probes)):
        e = affine(i)
        moving = [(atom, k) for atom, k in e.terms if set(variables(atom)) & set(probes)]
        if len(moving) > 1 or any(atom not in probes for atom, _ in moving):
            return None
        start = e
        for atom, k in moving:
            start = minus(start, times(k, atom))
        assert r.device is not None
        if not r.device.of_host(start):
            return None
        atom, k = moving[0] if moving else (None, 0)
        steps.append((k, probes.index(atom) if atom is not None else -1))
        starts.append(start)
    if {axis for _, axis in steps if axis >= 0} != set(range(len(probes))):
        return None
    return tuple(steps), tuple(starts)
