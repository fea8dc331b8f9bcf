"""Loops and variables that the reader writes down by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..loop_ir.ir import For, Set, Var, affine, integer
from ..loop_ir.scalar_operations import is_one
from ..loop_ir.values import View
from .reader import Reader

__all__ = ["counted", "each", "of_stack", "varying"]


@contextmanager
def counted(r: Reader, lo: Any, hi: Any, free: bool = False, back: bool = False) -> Iterator[Any]:
    """A loop around what is emitted meanwhile; its index."""
    var = r.fresh("i")
    with r.into([]) as body:
        yield affine(var)
    r.emit(For(var, affine(lo), affine(hi), body, backwards=back, free=free))


def each(r: Reader, lead: tuple[Any, ...], inner: Callable[[tuple[Any, ...]], None]) -> None:
    """``inner`` for every matrix of a stack."""
    if not lead:
        inner(())
        return
    with counted(r, 0, r.norm(lead[0])) as k:
        each(r, lead[1:], lambda index: inner((k, *index)))


def of_stack(x: View, index: tuple[Any, ...], rank: int) -> Callable[..., Any]:
    """The elements of one matrix of a stack, which may be stretched."""
    own = x.dims[: len(x.dims) - rank]
    lead = tuple(
        integer(0) if is_one(n) else i
        for n, i in zip(own, index[len(index) - len(own) :], strict=True)
    )
    return lambda *at: x.at((*lead, *at))


def varying(r: Reader, hint: str, value: Any) -> Var:
    """A variable that changes."""
    var = r.fresh(hint, value.dtype)
    r.mutable.add(var.name)
    r.emit(Set(var, value))
    return var
