"""The adjoints of a program being differentiated: their owners, names and sums.

``bars`` maps (value, path) to an adjoint; a path is the keys that lead into a container, so that
no container of zeros is ever built.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.runtime.errors import NotDifferentiable, UnsupportedOperation
from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.container_classes import has_fields
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.tape import calls
from retrograd.runtime.traits.lookup import traits_of

from ..analyses.activity import Activity, is_word, may_carry
from ..analyses.aliasing.memory_facts import (
    adds_part,
    adds_to_first,
    is_fresh,
    is_version,
    is_written,
)
from ..analyses.aliasing.views_and_copies import is_whole, relation
from ..analyses.control_flow.branch_sides import Side
from ..analyses.kind_model import is_made_like, kind_model
from ..analyses.shapes.helpers import zero_type
from ..analyses.shapes.infer import type_of
from ..analyses.shapes.number_lists import is_nest
from ..ir.lattice import as_stack
from ..ir.operations import (
    Apply,
    Block,
    Call,
    Const,
    Function,
    Loop,
    Op,
    Operand,
    Value,
    operands_of,
    values_in,
)
from ..ir.primitives import BUNDLE
from ..ir.types import (
    Array,
    Number,
    Stack,
    Tree,
    is_numeric,
    is_surely_complex,
    kind_of,
    may_have_complex_parts,
    may_turn_complex,
)
from ..simplify.builder import Builder
from ..simplify.operands import is_literal, is_real, made_by

__all__ = ["Adjoints", "Key", "check_fields", "described", "has_rank"]

Key = tuple[Value, tuple[Any, ...]]


class Adjoints:
    """The adjoints known so far, and the builder that computes them."""

    def __init__(self, b: Builder, activity: Activity, derive: Any, function: Function) -> None:
        self.b, self.activity, self.derive, self.function = b, activity, derive, function
        self.bars: dict[Key, Operand] = {}
        self.owned: set[Value] = set()
        self.mirrors: dict[Op, Op] = {}
        self.visible: set[Value] = set()
        self.calls: dict[Op, tuple[Any, Value]] = {}
        self.pulls: dict[Value, Value] = {}  # of taped calls
        self.here = Block()  # the region that is walked
        self.owed: dict[Side, list[Op]] = {}  # what one side of a branch alone reads
        self.uniform: dict[Value, list[Operand]] = {}  # lists with one adjoint for every item
        self.loop_holes: list[bool] = []
        self.trials: dict[Op, list[Any]] = {}  # what trials of loops have found, and for what
        self.halved: set[Operand] = set()  # of real parts, handed on to what is complex
        self.mixing = False  # the operation combines a value that may be real with one that may not
        self.whole: set[Operand] = set()  # adjoints that loops hand on, of the kind of their values
        self.rank0: set[Value] = set()  # adjoints that are arrays of rank 0, as they are written to
        self.primal: set[Value] = set()  # the values of the function that is differentiated
        self.versions = False  # adjoints of parts are added by `increase`, not into owned memory

    def contribute(self, x: Operand, c: Operand, path: tuple[Any, ...] = ()) -> None:
        """Add ``c`` to the adjoint of ``x`` (a value, or a container of values)."""
        if isinstance(x, (tuple, list)):
            for k, item in enumerate(x):
                if any(self.activity(v) for v in values_in(item)):
                    self.contribute(item, self.part(c, k))
            return
        if isinstance(x, dict):
            for k, item in x.items():
                if any(self.activity(v) for v in values_in(item)):
                    self.contribute(item, self.part(c, k))
            return
        if isinstance(x, Value) and self.activity(x):
            self.accumulate((x, path), c if path else self.kept_real(x, c))

    def kept_real(self, x: Value, c: Operand) -> Operand:
        """The adjoint of a real value is real: of what is complex, the other part never counts."""
        known = type_of(c)
        single = known is None or is_numeric(known)
        if not self.b.may_be_complex or not single or is_real(self.b, c):
            return c
        if is_real(self.b, x):
            return self.b.apply(np.real, c)
        return self.b.apply(linear.unbroadcast, c, x) if self.must_cast(c, x) else c

    def must_cast(self, c: Operand, x: Value) -> bool:
        """True if an adjoint may be complex where its value may be real."""
        if not self.mixing or not may_turn_complex(x.type):
            return False
        op = self.b.defs.get(c) if isinstance(c, Value) else None
        return op is None or kind_model(op) is not x

    def part(self, c: Operand, key: Any) -> Operand:
        if isinstance(c, (tuple, list, dict)):
            return c[key]
        return self.b.getitem(c, key)

    def accumulate(self, key: Key, c: Operand) -> None:
        old = self.bars.get(key)
        if old is None:
            if any(c is held for held in self.bars.values()):
                self.owned.discard(c)  # two adjoints in one buffer: neither is added to in place
            self.bars[key] = c
        elif (
            isinstance(type_of(old), Stack)
            or self.is_container(key)
            or all(map(self.may_be_container, (old, c)))
        ):
            self.bars[key] = self.b.apply(linear.add, old, c)
            self.typed_as_nest(key)
        elif (cleared := self.cleared(old)) is not None and self.fits(old, c):
            self.bars[key] = self.b.emit(linear.write, *cleared, c)
            self.bars[key].type = type_of(old)  # type: ignore[union-attr]
        elif old in self.owned and self.fits(old, c) and not self.is_viewed(old):
            self.bars[key] = self.own(self.b.emit(operator.iadd, old, c))
        else:
            self.unname(old, key)
            self.bars[key] = self.b.add(old, c)
        self.name(key)

    def cleared(self, bar: Operand) -> tuple[Operand, ...] | None:
        """The array and the path of an adjoint that was just set to zero: what is added to it may be written there."""
        op = made_by(self.b, bar, linear.write)
        return op.args[:2] if op and is_whole(op.args[1]) and is_literal(op.args[2], 0) else None

    def typed_as_nest(self, key: Key) -> None:
        """A zero, or a sum, of lists of numbers is one, though their structure may have been known."""
        bar, (value, path) = self.bars[key], key
        if isinstance(bar, Value) and not path and is_nest(value.type):
            bar.type = zero_type(as_stack(value.type))

    def unname(self, old: Operand, key: Key) -> None:
        """A part of a sum need not be named after the whole: it may be printed inside it."""
        if isinstance(old, Value) and old in self.b.defs and old.bar == self.label(key):
            old.bar = f"~{old.bar}"

    def is_container(self, key: Key) -> bool:
        return not key[1] and isinstance(key[0].type, (Stack, Tree))

    def may_be_container(self, c: Operand) -> bool:
        """True if an adjoint may be a list when it runs, which ``+`` would make longer."""
        if not isinstance(c, Value) or type_of(c) is not None:
            return isinstance(type_of(c), (Stack, Tree))
        op = self.b.defs.get(c)
        return op is None or gives_container(op.fn)

    def fits(self, old: Operand, c: Operand) -> bool:
        """True if ``old += c`` does what ``old + c`` does."""
        a, e = type_of(old), type_of(c)
        if not (
            isinstance(a, Array)
            and a.dims
            and isinstance(e, (Array, Number))
            and e.dims is not None
        ):
            return False
        if isinstance(e, Array) and (e.dtype is None or e.dtype != a.dtype):
            return False
        if e.kind == "c" and a.kind != "c":
            return False
        return e.dims == () or (e.dims == a.dims and None not in e.dims)

    def name(self, key: Key) -> None:
        """Adjoints are named after what they are adjoints of; a value of the user's keeps its own name."""
        bar = self.bars[key]
        if isinstance(bar, Value) and bar.bar is None and bar not in self.primal:
            bar.bar = self.label(key)

    def label(self, key: Key) -> str | None:
        value, path = key
        if path and isinstance(path[-1], str) and path[-1].isidentifier():
            return path[-1]
        hint = value.hint or described(self.b, value)
        return f"{hint}_{path[-1]}" if path and hint else hint

    def own(self, value: Value) -> Value:
        self.owned.add(value)
        return value

    def take(self, value: Value) -> Operand | None:
        """The whole adjoint of ``value``, leaving none; its parts put into a container."""
        parts = {path: c for (v, path), c in self.bars.items() if v is value}
        if not parts:
            return None
        for path in parts:
            del self.bars[value, path]
        whole = parts.pop((), None)
        if not parts:
            return whole
        built = self.container(value, parts)
        return built if whole is None else self.b.apply(linear.add, whole, built)

    def gathered(self, value: Value) -> Operand | None:
        return self.take(value)

    def container(self, value: Operand, parts: dict[tuple[Any, ...], Operand]) -> Operand:
        """A container like ``value``, with these adjoints at their paths and zeros elsewhere."""
        kind = type_of(value)
        keys = list(dict.fromkeys(path[0] for path in parts))
        if isinstance(kind, Tree) and kind.container != "object":
            keys = list(kind.keys)
            normal: dict[tuple[Any, ...], Operand] = {}
            counted = kind.container != "dict"  # of a dict, -1 is a key like any other
            for (k, *rest), c in parts.items():
                path = (k + len(keys) if counted and isinstance(k, int) and k < 0 else k, *rest)
                normal[path] = self.b.apply(linear.add, normal[path], c) if path in normal else c
            if kind.cls is not None and (lost := {path[0] for path in normal} - set(keys)):
                raise UnsupportedOperation(
                    f"a {kind.cls.__name__} is read by {min(map(repr, lost))}, which is none of its items"
                )
            items = [self.entry(value, k, normal) for k in keys]
            made: Operand = (
                dict(zip(keys, items, strict=True)) if kind.container == "dict" else items
            )
            if kind.container == "tuple":
                made = tuple(items)
            return self.b.emit(BUNDLE, made)
        check_fields(kind, keys)
        items = [self.entry(value, k, parts) for k in keys]
        attributes = isinstance(kind, Tree) and kind.container == "object"
        return self.b.emit(
            linear.fill_like,
            value,
            dict(zip(keys, items, strict=True)),
            attributes=Const(attributes),
        )

    def entry(self, value: Operand, key: Any, parts: dict[tuple[Any, ...], Operand]) -> Operand:
        inner = {path[1:]: c for path, c in parts.items() if path[0] == key}
        if () in inner and len(inner) == 1:
            return inner[()]
        read = self.b.part(value, key)
        if not inner:
            if not may_carry(type_of(read)):
                return Const(None if is_word(type_of(read)) else 0.0)
            return self.b.apply(linear.zeros_like, read)
        whole = inner.pop((), None)
        built = self.container(read, inner)
        return built if whole is None else self.b.apply(linear.add, whole, built)

    # -- memory ----------------------------------------------------------------------

    def buffer(self, key: Key) -> Operand:
        """The adjoint of a value as memory this code owns, so that parts can be added into it."""
        bar = self.widened(key)
        value = key[0]
        if bar is None:
            if self.is_float_array(value):
                bar = self.b.apply(linear.zeros_like, value)
            else:
                bar = self.b.emit(linear.zeros_like, self.b.representative(value))
            if isinstance(bar, Const):
                bar = self.b.emit(linear.zeros_like, value)
        elif not (bar in self.owned or self.is_private(key, bar)) or self.is_viewed(bar):
            bar = self.b.emit(linear.copy, bar)
        if isinstance(bar, Value):
            bar.type = bar.type or value.type
            bar.bar = bar.bar or self.label(key)
            self.owned.add(bar)
        return bar

    def widened(self, key: Key) -> Operand | None:
        """The adjoint of a value, complex if parts that are added to it may be."""
        bar = self.bars.get(key)
        if bar is not None and not key[1] and self.is_half(key[0], bar):
            bar = self.bars[key] = self.b.emit(linear.match, bar, self.b.representative(key[0]))
            bar.type = bar.type or key[0].type
            self.owned.add(bar)
        return bar

    def as_rank0(self, b: Builder, bar: Operand) -> Operand:
        """An adjoint that is a number, or may be one, as an array that can be written to."""
        if bar in self.rank0:
            return bar
        made = b.emit(np.array, bar)
        made.type = Array(None, (), kind_of(type_of(bar)))
        self.rank0.add(made)
        return made

    def take_whole(self, value: Value) -> Operand | None:
        """The adjoint of ``value``, as memory that its parts may be added to."""
        self.widened((value, ()))
        return self.take(value)

    def is_half(self, value: Value, bar: Operand) -> bool:
        """True if an adjoint may be real, and parts that are added to it are complex: NumPy would cut them."""
        if not (self.b.may_be_complex and may_have_complex_parts(value.type)):
            return False
        if is_surely_complex(value.type) and is_surely_complex(type_of(bar)):
            return False
        return not self.is_alike(bar)

    def is_alike(self, bar: Operand) -> bool:
        """True if an adjoint was made in the kind of its value."""
        if bar in self.halved:
            return False
        op = self.b.defs.get(bar) if isinstance(bar, Value) else None
        if op is None:
            return bar in self.whole
        changed = is_version(op) or adds_part(op) or op.fn is linear.copy
        return is_made_like(op) or (changed and self.is_alike(op.args[0]))

    def is_private(self, key: Key, bar: Operand) -> bool:
        """True if a bar was just computed here, as a full array, and is nobody else's."""
        op = self.b.defs.get(bar) if isinstance(bar, Value) else None
        if (
            op is None
            or op not in self.b.block.ops
            or not (is_fresh(op) or adds_to_first(op))
            or not has_rank(type_of(bar))
        ):
            return False
        return not any(c is bar for k, c in self.bars.items() if k != key)

    def is_float_array(self, value: Value) -> bool:
        return (
            isinstance(value.type, Array) and bool(value.type.dims) and kind_of(value.type) == "f"
        )

    def is_viewed(self, bar: Operand) -> bool:
        """True if something emitted before may still look into this buffer."""
        return isinstance(bar, Value) and any(may_show(op, bar) for op in self.b.block.ops)

    def zero(self, b: Builder, key: Key) -> Operand:
        value: Operand = key[0]
        if key[0].absent and isinstance(key[0].type, Tree) and not key[1]:
            return b.emit(linear.zeros_like, value)  # whether it is there is known when it runs
        for k in key[1]:
            value = b.part(value, k)
        return b.apply(linear.zeros_like, b.as_list(value))

    def block(self, block: Block, before: Sequence[Op] = ()) -> None:
        """The adjoint of a region, and of what it alone reads ``before`` it."""
        raise NotImplementedError


def check_fields(kind: Any, keys: list[Any]) -> None:
    """Refuse to lose the derivative of an attribute that is no field: a tangent, a gradient have none like it."""
    if not isinstance(kind, Tree) or kind.container != "object" or not has_fields(kind.cls):
        return
    lost = [key for key in keys if key not in kind.keys and not isinstance(key, int)]
    if lost and kind.keys and kind.cls is not None:
        raise NotDifferentiable(
            f"`.{lost[0]}` is no field of {kind.cls.__name__}, so no derivative passes through it",
            fix=f"make it a field, compute it in the function, or wrap it: rg.stop_gradient(p.{lost[0]})",
        )


def gives_container(fn: Any) -> bool:
    """True if a result may be a container: a part of one, or as an argument is one."""
    known = traits_of(fn)
    return (
        known.reads == "part" or known.gives == "container" or fn in (calls.pulled, calls.pushed)
    )  # fmt: skip


def may_show(op: Op, bar: Value) -> bool:
    """True if a result of an operation may be a buffer that it reads, or a part of it."""
    if isinstance(op, Apply):
        return not is_written(op) and bar in relation(op)[1]
    taken = operands_of(op) if isinstance(op, (Call, Loop)) else []
    inner = op.blocks
    given = values_in([*taken, *(block.yields for block in inner)])
    return bar in given or any(may_show(i, bar) for block in inner for i in block.ops)


def has_rank(kind: Any) -> bool:
    return isinstance(kind, Array) and bool(kind.dims)


def described(b: Builder, value: Value) -> str | None:
    """A name for an unnamed value: the operation that computed it."""
    op = b.defs.get(value)
    if op is None:
        return value.bar
    name = own_attribute(op.fn, "__name__")
    return "~" + name.strip("_") if name else None
