"""Ownership: memory that is written to is traced to its origin, and copied there if it is not ours.

>>> from tests.before_after import in_gradient
>>> from .writes_in_place import place
>>> in_gradient('''
... def f(x):
...     y = np.exp(x)
...     y[0] = 1.0
...     return np.sum(y)
... ''', "x: f8[n]", place)
def f_grad(x):
    # forward
    y = np.exp(x)
    # backward
    # `return np.sum(y)`
    y_bar = rt.stretch(1.0, x)
    # `y[0] = 1.0`
    y_bar[0] = 0.0
    return rt.mul0(y_bar, y)
# becomes
def f_grad(x):
    # forward
    y = np.exp(x)
    # backward
    # `return np.sum(y)`
    y_bar = rt.stretch(1.0, x)
    y_bar = y_bar.copy()
    # `y[0] = 1.0`
    y_bar[0] = 0.0
    return rt.mul0(y_bar, y)

A stretched scalar is a read-only view of one number, so nothing can be written to it.
"""

from __future__ import annotations

from collections.abc import Iterator

from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.traits.lookup import traits_of

from ...analyses.aliasing.container_origins import Origins, is_listed
from ...analyses.aliasing.may_alias import base_of
from ...analyses.aliasing.memory_facts import is_fresh, is_read_only, is_surely_array, is_view
from ...ir.operations import (
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
)
from ...ir.types import Array, Number
from .name_copies import Yield, base_index, copy_operand, operand_at
from .order_stores import is_note

__all__ = ["Ownership", "in_blocks", "own"]

# Results that are the first argument, or new: owned if that is.


def own(function: Function) -> bool:
    """Copy, where it enters, memory that is written to but not made here; whether any was."""
    return Ownership(function).run()


Edge = tuple[Block, Op, int]  # an operand of an operation, by which memory comes in


class Ownership:
    """Follows what is written to back to where its memory was made."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.defs: dict[Value, tuple[Block, Op]] = {}
        self.params: dict[Value, tuple[Block, Loop, int]] = {}
        self.ours = {function.body.params[k] for k, _ in function.facts.writes}
        self.learn(function.body)
        self.origins = Origins(function)
        self.seen: set[Value] = set()
        self.held: set[Value] = set()  # what the arrays of the user's hold, from write to write
        self.theirs = True  # whether what is followed is one of these writes
        for op in function.body.ops:
            if is_note(op):
                self.hold(operand_at(op, 1))

    def learn(self, block: Block) -> None:
        for op in block.ops:
            self.defs.update((r, (block, op)) for r in op.results)
            if isinstance(op, Loop):
                for k, p in enumerate(op.carried):
                    self.params[p] = (block, op, k)
            for inner in op.blocks:
                self.learn(inner)

    def hold(self, v: Operand) -> None:
        if isinstance(v, Value) and v not in self.held:
            self.held.add(v)
            for before in self.taken_over(v):
                self.hold(before)

    def taken_over(self, v: Value) -> list[Operand]:
        """The operands that a value stands in the memory of."""
        if v in self.params:
            _, loop, k = self.params[v]
            return [loop.inits[k], loop.body.yields[k]]
        made = self.defs[v][1] if v in self.defs else None
        if isinstance(made, Loop):
            k = made.results.index(v)
            return [made.inits[k], made.body.yields[k]] if k < len(made.inits) else []
        if isinstance(made, If):
            k = made.results.index(v)
            return [made.then.yields[k], made.orelse.yields[k]]
        at = base_index(made) if made is not None else []
        return [operand_at(made, k) for k in at if written_as(made, k) is v]  # type: ignore[arg-type]

    def run(self) -> bool:
        for block, op in list(in_blocks(self.function.body)):
            at = base_index(op)
            for k in at:
                self.seen = set()
                self.theirs = written_as(op, k) in self.held
                if self.copied(self.foreign(block, op, k)):
                    return True
        body, self.theirs = self.function.body, True
        for _, j in self.function.facts.writes:
            if j is not None:  # what stands for an argument's memory is not somebody else's
                self.seen = set()
                if self.copied(self.foreign_yield(body, None, j)):
                    return True
        return False

    def copied(self, edge: Edge | None) -> bool:
        if edge is not None:
            copy_operand(*edge)
        return edge is not None

    def foreign(self, block: Block, op: Op, k: int) -> Edge | None:
        """The edge by which memory that is not ours comes to an operand, if it is not."""
        v = operand_at(op, k)
        if not isinstance(v, Value):
            return (block, op, k) if is_array_constant(v) or is_rank_0(op, v) else None
        if v in self.held and not self.theirs:
            return (block, op, k)
        if v in self.ours or v in self.seen:
            return None
        self.seen.add(v)
        if v in self.params:
            return self.foreign_loop(*self.params[v])
        if v not in self.defs:
            return (block, op, k)
        inside, made = self.defs[v]
        if isinstance(made, Loop):
            at = made.results.index(v)
            if at < len(made.inits):
                return self.foreign_loop(inside, made, at)
            return None if self.is_made_here(v) else (block, op, k)
        if isinstance(made, If):
            return self.foreign_branch(made, made.results.index(v))
        if isinstance(made, Call):
            for j, at in made.callee.facts.writes:
                if at is not None and made.results[at] is v:
                    return self.foreign(inside, made, j)
            return (block, op, k)
        assert isinstance(made, Apply)
        if (
            base_of(made) is not None
            or traits_of(made.fn).shows == "first"
            or (is_view(made) and writeable(made))
        ):
            if base_of(made) is not None:
                return self.base(inside, made)
            seen = operand_at(made, 0) in self.held and not self.theirs
            return (block, op, k) if seen else self.foreign(inside, made, 0)
        ours = self.is_made_here(v) or (is_fresh(made) and is_surely_array(made))
        return None if ours else (block, op, k)

    def is_made_here(self, v: Value) -> bool:
        """True of a list or a dict that is nobody else's, as are those in it."""
        return is_listed(v) and self.origins.are_known(v)

    def base(self, block: Block, op: Apply) -> Edge | None:
        return self.foreign(block, op, base_index(op)[0]) if op.kwargs.get("out") is None else None

    def foreign_loop(self, block: Block, op: Loop, k: int) -> Edge | None:
        found = self.foreign(block, op, k)
        return found if found is not None else self.foreign_yield(op.body, op, k)

    def foreign_branch(self, op: If, k: int) -> Edge | None:
        for side in (op.then, op.orelse):
            found = self.foreign_yield(side, op, k)
            if found is not None:
                return found
        return None

    def foreign_yield(self, block: Block, op: Op | None, k: int) -> Edge | None:
        """A yield is an operand, too: of a stand-in at the end of its block."""
        end = Yield([], None, block)
        return self.foreign(block, end, k)


def in_blocks(block: Block) -> Iterator[tuple[Block, Op]]:
    """Every operation of a region, and the block that it stands in."""
    for op in block.ops:
        yield block, op
        for inner in op.blocks:
            yield from in_blocks(inner)


def written_as(op: Op, k: int) -> Value:
    """The result that stands where an operand stood."""
    if isinstance(op, Call):
        writes: list[tuple[int, int | None]] = op.callee.facts.writes
        return next(op.results[j] for i, j in writes if i == k and j is not None)
    return op.results[0]


def is_rank_0(op: Op, operand: Operand) -> bool:
    """True if a number stands where an array of rank 0 is written to."""
    kind = op.results[0].type if isinstance(op, Apply) else None
    number = isinstance(operand, Const) and isinstance(operand.value, (int, float, complex))
    return number and isinstance(kind, (Array, Number)) and kind.dims == ()


def is_array_constant(operand: Operand) -> bool:
    return is_ndarray(getattr(operand, "value", None))


def writeable(op: Apply) -> bool:
    return not is_read_only(op.fn)
