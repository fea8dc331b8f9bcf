"""Writes in place, held against what else may be the same memory.

``y += e`` is compiled as a new value.  That is right unless a value that may share memory with
the old ``y`` is read afterwards: there the program would see the sum, and we the old array.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..ir import (
    Apply,
    Block,
    Call,
    Const,
    Function,
    If,
    Loop,
    Op,
    Operand,
    Value,
    blocks_of,
    operands_of,
    values_in,
)
from ..types import Array, Number

__all__ = ["unsafe_write"]

# Functions whose result is never a view of an argument, nor an argument itself.
FRESH = {
    np.sum, np.mean, np.prod, np.var, np.std, np.max, np.min, np.median, np.ptp, np.argmax,
    np.argmin, np.argsort, np.sort, np.cumsum, np.cumprod, np.dot, np.inner, np.outer, np.tensordot, np.kron,
    np.trace, np.concatenate, np.stack, np.hstack, np.vstack, np.where, np.tile, np.repeat,
    np.roll, np.take, np.clip, np.diff, np.interp, np.zeros, np.ones, np.full, np.eye, np.empty,
    np.arange, np.linspace, np.zeros_like, np.ones_like, np.full_like, np.any, np.all, np.round,
    np.average, np.cross, np.trapezoid, np.linalg.norm, np.linalg.det, np.linalg.inv, np.linalg.solve,
    np.linalg.cholesky, builtins.len, builtins.float, builtins.int, builtins.bool, builtins.abs,
    np.array, np.copy, np.ndarray.copy,
}  # fmt: skip
NOT_ARITHMETIC = {operator.getitem, operator.setitem, operator.itemgetter, operator.attrgetter}
REDUCTIONS = {"sum", "mean", "prod", "var", "std", "max", "min", "any", "all", "argmax", "argmin",
              "dot", "trace", "item", "reduce", "cumsum", "cumprod"}  # fmt: skip
VIEWS = {"reshape", "squeeze", "asarray", "getitem", "transpose", "T", "real", "imag", "broadcast_to",
         "ascontiguousarray", "astype", "stop_gradient", "nan_to_num", "view", "swapaxes"}  # fmt: skip
ARRAYS_OF_RANK_0 = {np.array, np.copy, np.ndarray.copy, np.where, np.zeros, np.ones, np.full, np.empty,
                    np.zeros_like, np.ones_like, np.full_like}  # fmt: skip


def unsafe_write(function: Function, writes: set[Value]) -> tuple[Op, Value] | None:
    """The first operation that writes what another value shows afterwards, and that value.

    ``writes`` are the results of the operations that the user wrote in place; a call writes
    to the parameters that ``facts["written"]`` of its function lists, and returns an array of
    rank 0 (not a NumPy scalar) only if ``facts["makes"]``.
    """
    body, facts = function.body, Aliases(writes)
    facts.block(body, ())
    facts.read_all(body.yields, ())
    function.facts["written"] = [
        k for k, p in enumerate(body.params)
        if any(facts.find(p) is facts.find(v) for v in writes if v in facts.made)
    ]  # fmt: skip
    own = {facts.find(m) for m in facts.memory.difference(body.params)}
    function.facts["makes"] = any(facts.find(v) in own for v in values_in(body.yields))
    for op, at in facts.order:
        for v in written(op, writes):
            seen = facts.reader_after(at, v) if facts.is_memory(v) else None
            if seen is not None:
                return op, seen
    return None


def written(op: Op, writes: set[Value]) -> Iterator[Value]:
    """Values whose memory an operation writes to."""
    if isinstance(op, Call):
        for k in op.callee.facts.get("written", ()):
            yield from values_in(op.args[k])
    elif isinstance(op, Apply) and op.result in writes:
        yield op.result


Path = tuple[tuple[Op, Block], ...]  # the regions around a place, outermost first


@dataclass
class Aliases:
    """Which values may share memory, and where each is made and read."""

    writes: set[Value]
    parent: dict[Value, Value] = field(default_factory=dict)
    memory: set[Value] = field(default_factory=set)  # may be an ndarray, not a NumPy scalar
    clock: int = 0
    made: dict[Value, tuple[int, Path]] = field(default_factory=dict)
    reads: dict[Value, list[tuple[int, Path]]] = field(default_factory=dict)
    order: list[tuple[Op, tuple[int, Path]]] = field(default_factory=list)

    # -- classes of values -----------------------------------------------------------

    def find(self, v: Value) -> Value:
        while (up := self.parent.get(v, v)) is not v:
            v = up
        return v

    def same(self, a: Operand, b: Operand) -> None:
        for x in values_in(a):
            for y in values_in(b):
                if not isinstance(x.type, Number) and not isinstance(y.type, Number):
                    self.parent[self.find(x)] = self.find(y)

    def is_memory(self, v: Value) -> bool:
        mine = self.find(v)
        return any(self.find(m) is mine for m in self.memory)

    # -- one walk over the function --------------------------------------------------

    def block(self, block: Block, path: Path) -> None:
        for v in block.params:
            self.make(v, path, isinstance(v.type, Array) or v.type is None)
        for op in block.ops:
            self.read_all(operands_of(op), path)
            for inner in blocks_of(op):
                self.block(inner, (*path, (op, inner)))
                self.read_all(inner.yields, (*path, (op, inner)))
            self.join(op)
            self.clock += 1
            self.order.append((op, (self.clock, path)))
            for v in op.results:
                self.make(v, path, makes_memory(op, v))

    def make(self, v: Value, path: Path, memory: bool) -> None:
        self.made[v] = (self.clock, path)
        if memory:
            self.memory.add(v)

    def read_all(self, operand: Operand, path: Path) -> None:
        self.clock += 1
        for v in values_in(operand):
            self.reads.setdefault(v, []).append((self.clock, path))

    def join(self, op: Op) -> None:
        """What an operation's results may share memory with."""
        if isinstance(op, If):
            for k, result in enumerate(op.results):
                self.same(result, [op.then.yields[k], op.orelse.yields[k]])
        elif isinstance(op, Loop):
            starts = zip(op.inits, op.carried, op.body.yields, op.results, strict=False)
            for init, param, end, result in starts:
                self.same(param, [init, end])
                self.same(result, param)
            if op.cond is not None:
                for copy, param in zip(op.cond.params, op.carried, strict=True):
                    self.same(copy, param)
        elif isinstance(op, Apply) and op.result in self.writes:
            self.same(op.result, op.args[0])
        else:
            for result in op.results:
                if may_be_view(op, result):
                    self.same(result, operands_of(op))

    # -- the question ----------------------------------------------------------------

    def reader_after(self, at: tuple[int, Path], written: Value) -> Value | None:
        """A value that shares memory with one written now, and is read later."""
        now, _ = at
        mine = self.find(written)
        for v, (born, _) in self.made.items():
            if born >= now or self.find(v) is not mine:
                continue
            if any(self.later(when, where, at, v) for when, where in self.reads.get(v, ())):
                return v
        return None

    def later(self, when: int, where: Path, at: tuple[int, Path], v: Value) -> bool:
        """Whether a read comes after a write: further down, or in the next round of a loop."""
        now, path = at
        if when > now:
            return not exclusive(where, path)
        loops = [pair for pair in path if isinstance(pair[0], Loop)]
        around = self.made[v][1]
        return any(pair in where and pair not in around for pair in loops)


def exclusive(a: Path, b: Path) -> bool:
    """Whether two places are on different sides of one condition."""
    sides = dict((id(op), block) for op, block in a if type(op) is If)
    return any(type(op) is If and sides.get(id(op), block) is not block for op, block in b)


def is_fresh(op: Op) -> bool:
    """Whether the result is new memory, whatever the arguments are."""
    if not isinstance(op, Apply):
        return False
    fn, name = op.fn, getattr(op.fn, "__name__", "")
    if fn in (np.array, np.ndarray.copy) and "copy" in op.kwargs:
        return False
    if isinstance(fn, np.ufunc) or (isinstance(fn, str) and fn != "bundle"):
        return True
    if is_operator(fn) or name in REDUCTIONS:
        return True
    return (isinstance(fn, type) and issubclass(fn, (np.number, float, int))) or listed(fn, FRESH)


def is_operator(fn: Any) -> bool:
    module = getattr(fn, "__module__", "")
    return module == "_operator" and fn not in NOT_ARITHMETIC


def listed(fn: Any, table: set[Any]) -> bool:
    try:
        return fn in table
    except TypeError:
        return False


def makes_memory(op: Op, v: Value) -> bool:
    """Whether a result may be an array: operations on rank 0 give immutable NumPy scalars."""
    kind = v.type
    if isinstance(kind, Number) or not isinstance(op, (Apply, Call)):
        return False
    if not isinstance(kind, Array) or kind.dims != ():
        return True
    if isinstance(op, Call):
        return bool(op.callee.facts.get("makes", True))
    if op.fn is operator.getitem:
        return any(is_ellipsis(i) for i in op.args[1:])
    return listed(op.fn, ARRAYS_OF_RANK_0) or not is_fresh(op)


def is_ellipsis(index: Operand) -> bool:
    items: Iterator[Any] = iter(index) if isinstance(index, tuple) else iter((index,))
    return any(isinstance(i, Const) and i.value is Ellipsis for i in items)


def may_be_view(op: Op, v: Value) -> bool:
    """Whether a result may share memory with an argument."""
    if isinstance(op, Call):
        return True
    if is_fresh(op) or not makes_memory(op, v):
        return False
    scalar = isinstance(v.type, Array) and v.type.dims == ()
    return not scalar or getattr(op.fn, "__name__", "") in VIEWS  # type: ignore[attr-defined]
