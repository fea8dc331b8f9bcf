"""Operations in a loop over the examples: what has no rule for a batch, and what goes another way for each example.

::

    for i in range(len(x)):
        s = x[i]
        while s > 1.0:
            s = s / 2
        rows.append(s)
    s = np.stack(rows)

It is a loop as any other: it is differentiated, compiled, and batched again.
"""

from __future__ import annotations

import builtins
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from retrograd.runtime.errors import SignatureMismatch
from retrograd.runtime.helpers import linear
from retrograd.runtime.helpers.batches import examples as runtime
from retrograd.runtime.traits.lookup import traits_of

from ...analyses.aliasing.memory_facts import is_written
from ...analyses.shapes.infer import type_of
from ...ir.operations import (
    Apply,
    Block,
    Call,
    Const,
    Loop,
    Op,
    Operand,
    Value,
    operands_of,
    values_in,
    walk,
)
from ...ir.primitives import BUNDLE, UNPACK
from ...ir.types import WIDEST, Array, Number, Numeric, Stack, Tree
from ...simplify.builder import Builder, clone_op
from .example_types import may_differ

if TYPE_CHECKING:
    from .examples import ExampleWalker

__all__ = ["alone", "one_batch"]

PLAIN = {"i": builtins.int, "f": builtins.float, "b": builtins.bool, "c": builtins.complex}


def alone(m: ExampleWalker, op: Op) -> None:
    """Append the operation in a loop over the examples; its results are batches again."""
    if m.size == 0:
        return of_none(m, op)
    index = Value("i", Number("i"))
    index.made = True
    body = Block([index])
    loop = Loop([], op.loc, [], body, (Const(0), m.k(), Const(1)))
    b = m.b.within(body)
    table = one_example(m, op, loop, b, index)
    made = clone_op(op, table)
    body.ops.append(made)
    pairs = [
        (old, new) for old, new in zip(op.results, made.results, strict=True) if m.is_read(old)
    ]
    for old, new in pairs:
        stack = Value(None, Stack(new.type), op.loc)
        stack.made = old.made
        loop.collect(new, stack)
        m.table[old] = stack
    m.b.append(loop)
    for old, _ in pairs:
        if old not in m.flow.listed:
            m.set_value(old, together(m, old, m.table[old]))


def of_none(m: ExampleWalker, op: Op) -> None:
    """What the operation gives for no examples: an empty array for each of its results."""
    for old in op.results:
        if old in m.flow.listed or may_differ(old.type):
            m.table[old] = m.b.emit(BUNDLE, [])
        elif m.is_read(old):
            m.set_value(old, empty(m, old.type))


def empty(m: ExampleWalker, kind: Any) -> Operand:
    """No examples of this type."""
    if isinstance(kind, Tree) and kind.container in ("tuple", "list", "dict"):
        items = [empty(m, item) for item in kind.items]
        keyed = dict(zip(kind.keys, items, strict=True))
        whole = {"tuple": tuple(items), "list": items, "dict": keyed}[kind.container]
        return m.b.emit(BUNDLE, whole)
    if not isinstance(kind, (Array, Number)):
        raise no_shape()
    sizes = [size_of(m, dim) for dim in kind.dims or ()]
    made = m.b.emit(np.zeros, (Const(0), *sizes), Const(kind.dtype or WIDEST[kind.kind or "f"]))
    made.type = m.wider(kind)
    return made


def size_of(m: ExampleWalker, dim: Any) -> Operand:
    """A size that is known, or stands in the shape of an argument."""
    if isinstance(dim, int):
        return Const(dim)
    for v in m.b.shown or ():
        dims = v.type.dims if isinstance(v.type, Array) else None
        if dims and dim in dims:
            at = Const(dims.index(dim))
            return m.b.emit(operator.getitem, m.b.emit(np.ndarray.shape, v), at)
    raise no_shape()


def no_shape() -> SignatureMismatch:
    return SignatureMismatch("a batch of no examples: nothing tells the shape of its results")


def one_example(
    m: ExampleWalker, op: Op, loop: Loop, b: Builder, index: Value
) -> dict[Value, Operand]:
    """What the operation reads, of the example ``index``; what may be written to is a copy."""
    table: dict[Value, Operand] = {}
    writes = any(map(may_write, inside(op)))
    for v in free_values(op):
        if v in m.flow.listed:
            element = Value(v.hint, v.type, op.loc)
            element.made = v.made
            loop.feed(m.table[v], False, element)
            table[v] = copied(b, element) if writes and not isinstance(v.type, Stack) else element
        elif m.has(v):
            made = read_one(b, m.read(v), v, index, v in m.flow.lacking)
            made.hint = made.hint or v.hint
            table[v] = copied(b, made) if writes else made
        elif writes and (v.type is None or isinstance(v.type, (Array, Numeric))):
            table[v] = copied(b, v)
    return table


def may_write(op: Op) -> bool:
    """True if an operation may write to an array that it is given."""
    if isinstance(op, Call):
        return True
    if not isinstance(op, Apply):
        return False
    return (
        is_written(op)
        or traits_of(op.fn).writes is not None
        or traits_of(op.fn).augments is not None
    )


def read_one(b: Builder, batch: Operand, v: Value, index: Value, lacking: bool) -> Value:
    """One example of a batch; ``lacking``: there may be none, where no example has gone the way that binds it."""
    kind = v.type
    if not isinstance(type_of(batch), Array) or lacking or is_kept(b, v):
        made = b.emit(runtime.example, batch, index)
        made.type = kind
        return made
    made = b.emit(operator.getitem, batch, index)
    if isinstance(kind, Number):
        made = b.emit(PLAIN[kind.kind], made)
        made.type = kind
    elif isinstance(kind, (Array, Numeric)):
        made.type = kind
    return made


def is_kept(b: Builder, v: Value) -> bool:
    """True if a value was kept on a way that perhaps no example has gone: it is None then."""
    made = b.defs.get(v)
    return v.absent or (made is not None and made.fn is UNPACK)


def copied(b: Builder, v: Value) -> Value:
    if isinstance(v.type, Number):
        return v
    scalar = isinstance(v.type, Array) and v.type.rank == 0
    made = b.emit(np.array if scalar else linear.copy, v)
    made.type, made.hint, made.made = v.type, v.hint, v.made
    b.defs[made].loc = None  # it is none of the user's, and may be given None
    return made


def together(m: ExampleWalker, old: Value, stack: Operand) -> Value:
    """The results of all examples along the first axis."""
    plain = isinstance(old.type, (Array, Number))
    made = m.b.emit(np.stack if plain else runtime.of_examples, stack)
    made.type, made.made = m.wider(old.type), old.made
    return made


def one_batch(m: ExampleWalker, v: Value) -> Value:
    """A list of examples as a batch: they are alike, or refused when it runs."""
    if m.size == 0:
        raise no_shape()
    return m.b.emit(runtime.of_examples, m.read(v))


def inside(op: Op) -> list[Op]:
    return [op, *(inner for region in op.blocks for inner in walk(region))]


def free_values(op: Op) -> list[Value]:
    """What an operation and its regions read and do not make, each once."""
    made: set[Value] = set()
    read: dict[Value, None] = {}
    for inner in inside(op):
        read.update(dict.fromkeys(values_in(operands_of(inner))))
        made.update(inner.results)
        for region in inner.blocks:
            made.update(region.params)
            read.update(dict.fromkeys(values_in(region.yields)))
    return [v for v in read if v not in made]
