"""Values that may be SciPy sparse matrices, for which `*` and `**` mean something else."""

from __future__ import annotations

import builtins
import copy
import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from retrograd.runtime.objects import class_protocols
from retrograd.runtime.objects.own_attributes import home_of
from retrograd.runtime.traits.lookup import traits_of
from retrograd.runtime.traits.sparse_operands import takes_sparse

from ..ir.operations import Apply, Call, Const, Function, Loop, Op, Operand, Value, walk
from .class_protocols import class_at

__all__ = ["has_sparse", "is_sparse", "keeps_sparse", "mark_sparse", "transpose_of"]


def has_sparse(op: Apply, active: Callable[[Operand], bool]) -> bool:
    """True if an operation whose rule is for arrays may be given a sparse matrix."""
    if op.fn is builtins.getattr or takes_sparse(op.fn):
        return False
    return any(not active(a) and is_sparse(a) for a in op.args)


def mark_sparse(functions: Iterable[Function]) -> None:
    """Mark the values of a program that may be sparse matrices."""
    ops = [op for f in functions for op in walk(f.body)]
    while marked(pair for op in ops for pair in handed_on(op)):
        pass


def marked(pairs: Iterable[tuple[Operand, Operand]]) -> bool:
    """Mark what gets the value of something sparse; whether anything was."""
    found = False
    for target, source in pairs:
        if isinstance(target, Value) and not target.sparse and is_sparse(source):
            target.sparse = found = True
    return found


def handed_on(op: Op) -> Iterator[tuple[Operand, Operand]]:
    """Values, and what may become them."""
    if isinstance(op, Apply):
        if gives_sparse(op):
            yield from ((r, SPARSE) for r in op.results)
    elif isinstance(op, Call):
        yield from zip(op.callee.body.params, op.args, strict=False)
        yield from zip(op.results, op.callee.body.yields, strict=False)
    else:
        if isinstance(op, Loop):
            yield from zip(op.carried, op.inits, strict=True)
            yield from zip(op.carried, op.body.yields, strict=False)
            yield from zip(op.results, op.inits, strict=False)
        for block in op.blocks[-2:]:
            yield from zip(op.results, block.yields, strict=False)


def gives_sparse(op: Apply) -> bool:
    home = home_of(op.fn)
    if home.startswith("scipy.sparse"):
        return "linalg" not in home and "csgraph" not in home
    if op.fn is builtins.getattr:
        return getattr(op.args[1], "value", None) == "T" and is_sparse(op.args[0])
    if op.fn is operator.getitem:
        return is_sparse(op.args[0]) and has_slice(op.args[1])
    within = [is_sparse(a) for a in op.args]
    return all(within) if traits_of(op.fn).of_matrices else keeps_sparse(op.fn) and any(within)


def keeps_sparse(fn: Any) -> bool:
    """True if arithmetic, or a copy, gives a sparse matrix again."""
    known = traits_of(fn)
    sign = traits_of(known.augments).sign if known.augments else known.sign
    return sign in ("+", "-", "*", "/", "**", "-x") or fn in (abs, copy.copy, copy.deepcopy)


def has_slice(index: Operand) -> bool:
    parts = index if isinstance(index, tuple) else (index,)
    return any(isinstance(getattr(part, "value", part), slice) for part in parts)


def is_sparse(operand: Operand) -> bool:
    if operand is SPARSE:
        return True
    cls = class_at(operand) if isinstance(operand, (Value, Const)) else None
    if cls is not None:
        return class_protocols.is_sparse(cls)
    return isinstance(operand, Value) and operand.sparse


def transpose_of(fn: Any, args: tuple[Operand, ...]) -> type | None:
    """The class of the transpose of a sparse matrix, which ``A.T`` reads; None for anything else."""
    reads = fn is builtins.getattr and getattr(args[1], "value", None) == "T"
    cls: Any = class_at(args[0]) if reads else None
    return type(cls((1, 1)).T) if cls is not None and class_protocols.is_sparse(cls) else None


SPARSE = Const("a sparse matrix")
