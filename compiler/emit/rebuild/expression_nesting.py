"""Nesting of expressions: values that are printed inside their only use."""

from __future__ import annotations

import builtins
import itertools
import operator
import types
from collections import Counter
from collections.abc import Iterator

import numpy as np

from retrograd.runtime.tape import calls
from retrograd.runtime.traits.lookup import traits_of

from ...analyses.aliasing.buffers import buffers_of, written_to
from ...analyses.aliasing.memory_facts import is_written
from ...analyses.aliasing.read_write_order import written
from ...analyses.control_flow.execution_order import is_ordered
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
    Try,
    Value,
    With,
    operands_of,
    values_in,
    values_read,
    walk,
)
from ...ir.primitives import BUNDLE, RAISE, UNPACK
from ...ir.types import Array, Opaque, Stack, Tree
from ...ir.uses import counted
from .line_fitting import Fitting
from .widths import NEVER, Widths

__all__ = ["Nesting"]

SHORT = 40  # an adjoint that only the last statement reads stands there
ONE_LINE = 44  # a derivative no longer than this is one expression
SHORT_RESULT = 28  # several results that are no longer stand where they are returned
WIDTH = 72  # a derivative longer than this is given a name


class Nesting(Fitting):
    """Decides what stands within what; ``fit`` takes back what makes a line too long."""

    def __init__(self, function: Function, widths: Widths) -> None:
        super().__init__()
        self.uses = counted(function.body)
        self.memory, self.body = function.facts.memory, function.body
        self.bases = {v for op in walk(function.body) for v in written(op)}
        self.widths = widths
        widths.nesting = self
        self.buffers = buffers_of(function.body)
        self.joined = read_joins(function.body, self.uses)
        self.passed = passed_stacks(function.body)
        self.final = (
            set(values_in(function.body.yields)) if len(function.body.yields) == 1 else set()
        )
        self.end = next(iter(reversed(function.body.ops)), None)
        self.written = written_to(function.body)
        self.block(function.body, 1)
        self.results(function.body)
        self.fit_return(function)
        if function.facts.sweeps:
            self.one_line(function.body)

    def one_line(self, body: Block) -> None:
        """``return x.T @ (np.exp(x @ w) - y)``: the user's variables stand where they are read, if that is all there is."""
        own = [op for op in body.ops if self.nested.isdisjoint(op.results)]
        if not self.final <= self.nested or not all(self.is_read_once(op, body) for op in own):
            return
        given: dict[Value, Op] = {op.results[0]: op for op in own}
        self.nested.update(given)
        self.ops.update(given)
        self.widths.forget()
        if self.final and sum(map(self.widths.of_operand, self.final)) > ONE_LINE:
            self.nested.difference_update(given)
            for v in given:
                del self.ops[v]
            self.widths.forget()

    def is_read_once(self, op: Op, body: Block) -> bool:
        if not isinstance(op, Apply) or is_ordered(op) or is_alone(op) or len(op.results) != 1:
            return False
        v = op.result
        if self.uses[v] != 1 or v in self.buffers or v in self.bases:
            return False
        if not self.is_only_read_in(v, body):  # on one side of a branch, perhaps
            return False
        read = [*self.expand(operands_of(op))]
        return not any(u in self.written or u in self.buffers for u in read)

    def results(self, body: Block) -> None:
        """``return x.T @ r, np.sum(r, axis=0)``: two or three results stand where they are returned, if all are short."""
        values = list(values_in(body.yields))
        if not 2 <= len(body.yields) == len(set(values)) <= 3:
            return
        tail = len(body.ops)
        while tail and set(body.ops[tail - 1].results) <= self.nested.union(values):
            tail -= 1
        made = {op.results[0]: (at, op) for at, op in enumerate(body.ops) if isinstance(op, Apply)}
        if not all(v in made and self.is_short_result(*made[v], body, tail) for v in values):
            return
        if sum(self.widths.of(made[v][1]) for v in values) < WIDTH - 8:
            self.nested.update(values)
            self.ops.update((v, made[v][1]) for v in values)

    def is_short_result(self, at: int, op: Apply, body: Block, tail: int) -> bool:
        v = op.results[0]
        if self.uses[v] != 1 or v in self.buffers or v in self.bases or not v.made:
            return False
        if is_ordered(op) or is_alone(op) or self.widths.of(op) > SHORT_RESULT:
            return False
        if at >= tail:  # nothing is done in between
            return True
        read = [*self.expand(operands_of(op))]
        changes = any(u in self.written or u in self.buffers for u in read)
        return not changes and not self.written_between(op, body, at)

    def expand(self, operand: Operand) -> Iterator[Value]:
        """The variables that the text of ``operand`` reads."""
        for v in values_in(operand):
            if v not in self.nested:
                yield v
                continue
            op = self.ops[v]
            yield from self.expand(operands_of(op))
            if isinstance(op, If):
                for block in (op.then, op.orelse):
                    yield from self.expand(block.yields)

    def block(self, block: Block, depth: int | None, tried: bool = False) -> None:
        """The values of a region; ``depth``: how far its statements are indented, None within an expression."""
        for op in block.ops:
            within = isinstance(op, If) and is_expression(op)
            deeper = None if depth is None or within else depth + 1
            for inner in op.blocks:
                self.block(inner, deeper, tried=isinstance(op, Try) and inner is op.body)
        read_here = self.readers(block, tried)
        for at, op in enumerate(block.ops):
            raised = block.ops[at + 1] if at + 1 < len(block.ops) else None
            if isinstance(op, Apply) and not is_alone(op) and self.widths.of(op) >= WIDTH:
                self.fit(op, depth)
            if (
                len(op.results) == 1
                and op.results[0] in read_here
                and (
                    self.may_nest(op, block)
                    or self.is_asked_next(op, block.ops[at + 1 :])
                    or self.is_raised(op, raised)
                    or self.is_unpacked(op, raised)
                    or self.is_managed(op, raised)
                )
                and not self.written_between(op, block, at)
            ):
                self.nested.add(op.results[0])
                self.ops[op.results[0]] = op
            elif isinstance(op, Apply):
                self.fit(op, depth)

    def written_between(self, op: Op, block: Block, at: int) -> bool:
        """True if what an operation reads is written to before its result is read."""
        if self.memory is None:
            return False
        cells = self.memory.cells
        read = [v for v in self.expand([*operands_of(op), *inner_yields(op)]) if v in cells]
        if not read:
            return False
        for later in block.ops[at + 1 :]:
            if op.results[0] in values_read(later):
                return False
            for inner in (later, *(i for b in later.blocks for i in walk(b))):
                if any(self.memory.may_share(v, w) for w in written(inner) for v in read):
                    return True
        return False

    def readers(self, block: Block, tried: bool) -> set[Value]:
        """The values that an operation of this very block, or its end, reads.

        The end of a ``try`` only copies: what may raise is a statement before it.
        """
        found = set() if tried else set(values_in(block.yields))
        for op in block.ops:
            found.update(values_read(op))
        return found

    def may_nest(self, op: Op, block: Block) -> bool:
        v = op.results[0]
        if v in self.buffers or v in self.bases:  # what is written to has a name
            return False
        if self.is_short_read(op, block):
            return True
        if self.uses[v] != 1:
            return False
        if isinstance(op, If):
            return (
                is_expression(op) and self.only_nested(op) and (v.hint is None or v in self.final)
            )
        if isinstance(op, Loop) or is_ordered(op) or (isinstance(op, Apply) and is_alone(op)):
            return False
        if isinstance(op, Apply) and any(a in self.written for a in values_in(op.args)):
            return False
        last = v in self.final and self.is_last(op)
        reads_buffer = any(b in self.buffers for b in self.expand(operands_of(op)))
        if reads_buffer and not last and not self.is_read_at_once(op, block):
            return False
        if isinstance(op, Call) and v.hint is None and v.bar is None:
            return True
        if isinstance(op, Call):
            return last
        width = self.widths.of(op)
        if not v.made:
            return v.hint is None and width < 4 * WIDTH
        named = v.hint is not None and not v.soft
        if named and self.is_put_away(v, block):
            named = width >= SHORT
        if last or named:
            return v in self.final
        broken = op not in self.fitted and self.end is not None and v in values_read(self.end)
        return width < WIDTH or broken  # a name would not make it a line

    def is_put_away(self, v: Value, block: Block) -> bool:
        """True of what only the last statement reads, or a container that is made of it."""
        if self.end is not None and v in values_read(self.end) and len(self.final) == 1:
            return True
        later = itertools.dropwhile(lambda op: v not in op.results, block.ops)
        reader = next((op for op in later if op.blocks or v in values_read(op)), None)
        return isinstance(reader, Apply) and reader.fn is BUNDLE

    def is_read_at_once(self, op: Op, block: Block) -> bool:
        """True if nothing is written to, and no region runs, until an operation of this block has read the result."""
        for later in block.ops[block.ops.index(op) + 1 :]:
            if op.results[0] in values_read(later):
                return isinstance(later, Apply)
            if not isinstance(later, Apply) or is_ordered(later) or "out" in later.kwargs:
                return False
            if traits_of(later.fn).writes:
                return False
        return False

    def is_short_read(self, op: Op, block: Block) -> bool:
        """``F.T``, ``x.size``: read again wherever it is needed, all in one region."""
        v = op.results[0]
        if not isinstance(op, Apply) or v.hint is not None or v.again or not op.args:
            return False
        x = op.args[0]
        if op.fn is operator.getitem and x in self.nested and isinstance(op.args[1], Const):
            shape = self.ops[x]  # type: ignore[index]
            if not isinstance(shape, Apply) or shape.fn is not np.ndarray.shape:
                return False
        elif not isinstance(x, Value) or x in self.nested:
            return False
        elif not (isinstance(x.type, Array) and is_attribute_of_shape(op)):
            return self.is_part_of_list(op, x, block) and self.is_only_read_in(v, block)
        assert isinstance(x, Value)
        if traits_of(op.fn).memory == "view" and (
            x in self.buffers or x in self.bases or x in self.written
        ):
            return False
        return self.is_only_read_in(v, block)

    def is_only_read_in(self, v: Value, block: Block) -> bool:
        return sum(values_read(reader).count(v) for reader in block.ops) == self.uses[v]

    def is_part_of_list(self, op: Apply, x: Value, block: Block) -> bool:
        """True of ``layers[:-1]``, which loops go over, as the user wrote it; nothing changes the list."""
        kind, ends = x.type, op.args[-1]
        listed = isinstance(kind, Tree) and kind.container in ("list", "tuple")
        if op.fn is not operator.getitem or not (listed or isinstance(kind, Stack)):
            return False
        known = isinstance(ends, slice) and not [*values_in([ends])]
        readers = (reader for reader in block.ops if op.result in values_read(reader))
        gone_over = all(isinstance(reader, Loop) for reader in readers)
        return known and gone_over and not any(map(is_ordered, walk(self.body)))

    def is_last(self, op: Op) -> bool:
        """True of the last statement before the end of the function, which returns its value."""
        return op is self.end

    def is_asked_next(self, op: Op, later: list[Op]) -> bool:
        """``d.a.b(...)``: what is looked up when it runs stands where it is asked, if nothing acts in between."""
        v = op.results[0]
        if not isinstance(op, Apply) or v.hint is not None or self.uses[v] != 1:
            return False
        if not any(isinstance(u.type, Opaque) for u in (v, *values_read(op))):
            return False
        reader = next((o for o in later if v in values_read(o) or o.blocks or is_ordered(o)), None)
        return isinstance(reader, Apply) and v in values_read(reader) and not is_alone(reader)

    def is_raised(self, op: Op, reader: Op | None) -> bool:
        """``raise ValueError(...)``: the exception is made where it is raised."""
        last = isinstance(reader, Apply) and reader.fn is RAISE and op.results[0] in reader.args
        return last and self.uses[op.results[0]] == 1

    def is_unpacked(self, op: Op, reader: Op | None) -> bool:
        """``y, y_pull = rt.taped(f, x)``: a taped call is taken apart where it is made."""
        taken = isinstance(reader, Apply) and reader.fn is UNPACK and op.results[0] in reader.args
        called = isinstance(op, Apply) and op.fn in (
            calls.taped, calls.pushed, calls.pulled, np.ndarray.shape,
        )  # fmt: skip
        return taken and called and self.uses[op.results[0]] == 1

    def is_managed(self, op: Op, reader: Op | None) -> bool:
        """``with manager(...):``: the manager is made where it is entered."""
        managed = isinstance(reader, With) and op.results[0] is reader.cond
        return managed and self.uses[op.results[0]] == 1

    def uses_of(self, target: Value) -> bool:
        """True if a joined value is read anywhere, as itself or as the result it becomes."""
        return self.uses[target] > 0 or target in self.joined

    def only_fed(self, stack: Value) -> bool:
        """True if a stack is read by loops only."""
        return stack not in self.passed

    def groups(self, op: Loop) -> bool:
        """True if the stacks of a loop are one list of tuples: several, and read by loops only."""
        return op.collects > 1 and not op.starts and all(self.only_fed(s) for s in op.stacks)

    def only_nested(self, op: If) -> bool:
        """True if both sides are single expressions."""
        for block in (op.then, op.orelse):
            if any(r not in self.nested for o in block.ops for r in o.results):
                return False
        return True


def inner_yields(op: Op) -> list[Operand]:
    return [y for block in op.blocks for y in block.yields]


def is_expression(op: If) -> bool:
    return len(op.results) == 1 and op.expression


def read_joins(body: Block, uses: Counter[Value]) -> set[Value]:
    """Carried parameters whose loop result or condition copy is read."""
    found: set[Value] = set()
    for op in walk(body):
        if isinstance(op, Loop):
            for k, (param, result) in enumerate(zip(op.carried, op.results, strict=False)):
                copies = [result, *([op.cond.params[k]] if op.cond is not None else [])]
                if any(uses[c] for c in copies):
                    found.add(param)
    return found


def passed_stacks(body: Block) -> set[Value]:
    """The values read by anything but the feeds of a loop."""
    found = set(values_in(body.yields))
    for op in walk(body):
        if isinstance(op, Loop):
            found.update(values_in([*op.inits, *(op.bounds or ()), *op.starts.values()]))
        elif not (isinstance(op, Apply) and op.fn is builtins.len):  # as long as the list of tuples
            found.update(values_read(op))
        for inner in op.blocks:
            found.update(values_in(inner.yields))
    return found


def is_alone(op: Apply) -> bool:
    """True if an operation is never printed inside another one."""
    return op.fn in NEVER or is_written(op) or traits_of(op.fn).buffer == "named"


def is_attribute_of_shape(op: Apply) -> bool:
    """True of ``x.shape``, ``len(x)``, ``x.T``."""
    known = traits_of(op.fn)
    turned = isinstance(op.fn, types.GetSetDescriptorType) and known.memory == "view"
    return known.reads in ("shape", "length") or (turned and known.rank_0 == "kept")
