"""Results of a derived function: gradients of the right dtype, owned by the caller."""

from __future__ import annotations

import builtins
import operator
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear

from ..analyses.activity import is_word, may_carry
from ..analyses.aliasing.memory_facts import is_fresh, is_written
from ..analyses.aliasing.read_write_order import is_store
from ..analyses.shapes.infer import type_of
from ..ir.containers import LEAF, Pack
from ..ir.operations import Block, Const, Loop, Operand, Value, values_in, walk
from ..ir.primitives import BUNDLE
from ..ir.target import is_on_device
from ..ir.types import Array, Number, Tree, kind_of
from ..simplify.builder import Builder
from ..simplify.operands import is_float, made_by
from .declared_adjoints import is_as_declared
from .forward import Pushed
from .reverse import Reversed

__all__ = ["gradient_results", "seed_params", "tangent_results", "value_tree"]

# A buffer with more in it, or with a part of it replaced: ours if the buffer is.


def gradient_results(
    body: Block,
    made: Reversed,
    wrt: list[Value],
    params: list[Value],
    forward: Block | None = None,
    held: Sequence[Value] = (),
) -> list[Operand]:
    """One owned gradient per argument asked for, of its own type, and none of ``held``; emitted into ``body``."""
    forward = body if forward is None else forward
    b = Builder(body, shown=forward.params)
    b.learn(forward)
    b.learn(body)
    table = dict(zip(params, forward.params, strict=False))
    returned: list[Operand] = []
    held = [*held, *stored_in(forward)]
    way_back = made.backward  # what is read of the way there is what it is declared to be
    for v in wrt:
        bar = made.bars[v]
        kind = table[v].type
        if isinstance(kind, Number):
            bar = number_result(b, bar, kind.kind, way_back)
        else:
            bar = result_of(b, bar, table[v], [*held, *returned], way_back)
        if isinstance(bar, Value) and bar.bar is None and bar.hint is None:
            converted = getattr(b.defs.get(bar), "fn", None) in (builtins.float, builtins.complex)
            bar.bar = f"~{v.hint}" if converted else v.hint
        returned.append(bar)
    return returned


def stored_in(body: Block) -> Iterator[Value]:
    """Values that the function puts into containers of others, which hold them: no gradient may be one."""
    for op in walk(body):
        if is_store(op):
            yield from values_in(op.args[2])  # type: ignore[attr-defined]


def result_of(
    b: Builder, bar: Operand | None, like: Value, returned: list[Operand], way_back: Block
) -> Operand:
    kind = like.type
    if bar is None:
        return (
            b.apply(linear.zeros_like, like)
            if not needs_array(kind)
            else b.emit(linear.zeros_like, like)
        )
    if isinstance(kind, Tree):
        if owned(b, bar) and is_double(kind) and bar not in returned:
            return bar
        whole = container_of(b, bar, like, returned, way_back)
        return b.emit(linear.match, bar, like) if whole is None else whole
    known = isinstance(kind, Array) and matches(type_of(bar), kind)
    double = isinstance(kind, Array) and kind.dtype == "float64"
    if not (known and (double or is_as_declared(way_back, bar))):
        return full(b, bar, like) or b.emit(linear.match, bar, like)
    op = b.defs.get(bar) if isinstance(bar, Value) else None
    if bar in returned or op is None or not (is_written(op) or is_fresh(op)):
        return full(b, bar, like) or (
            bar if owned(b, bar) and bar not in returned else b.emit(linear.copy, bar)
        )
    return bar


def container_of(
    b: Builder, bar: Operand, like: Value, returned: list[Operand], way_back: Block
) -> Operand | None:
    """A container that is written out, of float64 arrays and floats: each a result of its own."""
    kind = like.type
    op = b.defs.get(bar) if isinstance(bar, Value) else None
    bar = op.args[0] if op is not None and op.fn is BUNDLE else bar
    if not isinstance(kind, Tree) or not is_plain(kind) or type(bar).__name__ != kind.container:
        return None
    assert isinstance(bar, (list, tuple, dict))
    parts = bar if isinstance(bar, dict) else dict(enumerate(bar))
    if list(parts) != list(kind.keys):
        return None
    found: dict[Any, Operand] = {}
    for key, part in parts.items():
        others = [*returned, *values_in([*found.values()])]
        inner = b.part(like, key)
        number = isinstance(inner, Value) and isinstance(inner.type, Number)
        found[key] = (
            number_result(b, part, "f", way_back)
            if number
            else result_of(b, part, inner, others, way_back)
        )
    return b.emit(BUNDLE, found if isinstance(bar, dict) else type(bar)(found.values()))


def is_plain(kind: Any) -> bool:
    """A container of float64 arrays and floats."""
    if isinstance(kind, Tree):
        own = kind.cls is None and kind.container in ("list", "tuple", "dict")
        return own and all(map(is_plain, kind.items))
    return kind == Number("f") or is_double(kind)


def needs_array(kind: Any) -> bool:
    return isinstance(kind, Array) and kind.dims == ()


def owned(b: Builder, bar: Operand) -> bool:
    """The result of a loop that accumulates into a buffer of ours."""
    for op in b.block.ops:
        if isinstance(op, Loop) and bar in op.results:
            k = op.results.index(bar)  # type: ignore[arg-type]
            init = op.inits[k] if k < len(op.inits) else None
            made = b.defs.get(init) if isinstance(init, Value) else None
            fresh = made is not None and (is_written(made) or is_fresh(made))
            return fresh or (isinstance(init, Value) and owned(b, init))
    read = made_by(b, bar, operator.getitem)
    if read is None or not isinstance(type_of(read.args[0]), Tree):
        return False
    return isinstance(read.args[1], Const) and owned(b, read.args[0])


def is_double(kind: Any) -> bool:
    """A container of float64 arrays only: adjoints accumulated in it have their types."""
    if isinstance(kind, Tree):
        return kind.container in ("list", "tuple", "dict") and all(
            is_double(item) for item in kind.items
        )
    return isinstance(kind, Array) and kind.dtype == "float64" and bool(kind.dims)


def number_result(b: Builder, bar: Operand | None, kind: str, way_back: Block) -> Operand:
    """The gradient with respect to a Python number is a Python number; ``way_back``: what made it."""
    if bar is None:
        return Const(0.0)
    wanted = "c" if kind == "c" else "f"
    known = type_of(bar)
    if isinstance(known, Number) and known.kind == wanted and is_as_declared(way_back, bar):
        return bar
    if wanted == "f" and kind_of(known) in ("c", None):
        bar = b.apply(np.real, bar)
    if is_on_device() and not (isinstance(known, Number) and known.kind in ("b", "i")):
        return bar  # a number there: the host would have to wait for it
    return b.emit(builtins.complex if kind == "c" else builtins.float, bar)


def full(b: Builder, bar: Operand, like: Value) -> Operand | None:
    """``rt.stretch(c, x)`` to be returned: a fresh array filled with c."""
    op = b.defs.get(bar) if isinstance(bar, Value) else None
    kind = like.type
    if (
        op is None
        or op.fn is not linear.stretch
        or not isinstance(kind, Array)
        or kind.dtype != "float64"
    ):
        return None
    c = type_of(op.args[0])
    if not isinstance(c, (Array, Number)) or c.dims != ():
        return None
    shape, fill = b.emit(np.ndarray.shape, op.args[1]), op.args[0]
    if c.dtype == "float64" or (isinstance(c, Number) and is_float(b, fill)):
        return b.emit(np.full, shape, fill)
    return b.emit(
        np.full, shape, fill, Const(builtins.float, "float")
    )  # it may be an int, or float32


def matches(bar: Any, like: Array) -> bool:
    """True if an adjoint certainly has the dtype and shape of its argument (an ndarray)."""
    if not isinstance(bar, Array) or not like.dims or bar.dims is None:
        return False
    return bar.dtype == like.dtype and len(bar.dims) == len(like.dims)


def seed_params(made: Reversed) -> list[Value]:
    return [s if s is not None else Value("unused_bar") for s in made.seeds]


def tangent_results(body: Block, made: Pushed) -> list[Operand]:
    b = Builder(body, shown=body.params)
    b.learn(body)
    held = set(stored_in(body))
    single = any(is_single(dot.type) for dot in made.dots)
    found: list[Operand] = []
    for y, t in zip(body.yields, made.tangents, strict=False):  # what is handed on has none
        if t is None and (is_word(type_of(y)) or (isinstance(y, Const) and y.value is None)):
            found.append(Const(None))
        elif t is None:
            found.append(b.emit(linear.zeros_like, y))
        elif single and may_be_of_others(t, y):
            found.append(b.emit(linear.convert, t, y, Const(True)))
        else:
            copied = handed_on(b, t, y, made) or t in held
            found.append(b.emit(linear.copy, t) if copied else t)
    return found


def is_single(kind: Any) -> bool:
    """An array, or a container with one, that is known not to be in double precision."""
    if isinstance(kind, Tree):
        return any(map(is_single, kind.items))
    real = isinstance(kind, Array) and may_carry(kind)
    return real and kind.dtype not in (None, "float64", "complex128")


def may_be_of_others(tangent: Operand, value: Operand) -> bool:
    """True if a tangent may have another dtype than the one value it belongs to."""
    known, wanted = type_of(tangent), type_of(value)
    if isinstance(wanted, Tree) or isinstance(known, Tree):
        return False
    pair = isinstance(known, Array) and isinstance(wanted, Array)
    return not (pair and known.dtype is not None and known.dtype == wanted.dtype)  # type: ignore[union-attr]


def handed_on(b: Builder, t: Operand, y: Operand, made: Pushed) -> bool:
    """True if a tangent is the caller's own array, as it came, or shows it where the value is new."""
    dots: list[Operand] = list(made.dots)
    if isinstance(type_of(t), (Number, Tree)):
        return False
    return t in dots or (shown(b, t) in dots and shown(b, y) not in b.shown)


def shown(b: Builder, x: Operand) -> Operand:
    """The value that ``x`` may be a view of, in the end."""
    while (
        isinstance(x, Value) and (op := b.defs.get(x)) is not None and op.args and not is_fresh(op)
    ):
        x = op.args[0]
    return x


def value_tree(tree: Any, gradients: int | None, single: bool) -> Any:
    """How results are packed: (value,) gradient or tuple of gradients; or value and tangent."""
    if gradients is None:
        return Pack(tuple, [0, 1], [tree, tree])
    grads = LEAF if single else Pack(tuple, list(range(gradients)), [LEAF] * gradients)
    return grads if tree is None else Pack(tuple, [0, 1], [tree, grads])
