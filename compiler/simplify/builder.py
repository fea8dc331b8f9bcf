"""The builder: appends operations to a block, simplifying each."""

from __future__ import annotations

import builtins
import inspect
import math
import operator
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from retrograd.runtime.arrays.transfers import dtype_of, is_ndarray
from retrograd.runtime.objects.homes import HELPERS
from retrograd.runtime.objects.own_attributes import home_of
from retrograd.runtime.rules.book import book

from ..analyses.shapes.infer import infer, type_of
from ..ir.operand_constants import constants_in
from ..ir.operations import (
    Apply,
    Block,
    Call,
    Const,
    Function,
    If,
    Location,
    Loop,
    Op,
    Operand,
    Try,
    Value,
    map_operand,
    operands_of,
    values_in,
    walk,
)  # fmt: skip
from ..ir.primitives import BUNDLE
from ..ir.types import Array, Stack, Tree, kind_of, may_turn_complex, same_shape
from . import branch_cuts, broadcasting, contractions, einsum, fft, products, quotients, reductions  # noqa: F401  (they enter their rules)
from .common_divisors import QUOTIENT
from .operands import factor_key, is_literal
from .rules import RECIPROCAL, simplify

__all__ = ["Builder", "clone_block", "clone_function", "clone_op", "products_of"]


READ_ARGUMENT = (np.square, np.absolute, np.sin, np.cos, np.log, operator.abs)


def reads_argument(op: Apply) -> bool:
    """True if an operation gives the shape of its argument, which its derivative reads."""
    if op.fn in (operator.pow, np.power):
        exponent = op.args[1].value if isinstance(op.args[1], Const) else None
        return type(exponent) in (int, float) and len(op.args) == 2 and not op.kwargs
    return not op.kwargs and len(op.args) == 1 and op.fn in READ_ARGUMENT


class Builder:
    """Appends operations to ``block``; ``may_be_complex`` keeps conjugates of unknown values."""

    def __init__(
        self,
        block: Block,
        may_be_complex: bool = False,
        shown: Sequence[Value] = (),
        defs: dict[Value, Apply] | None = None,
    ) -> None:
        self.block, self.may_be_complex = block, may_be_complex
        self.shown = list(shown)  # values always at hand: the parameters
        self.defs: dict[Value, Apply] = {} if defs is None else defs
        self.products: dict[Any, Value] = {}  # of the primal, if all of it comes before
        self.loc: Location | None = None
        self.shapes: dict[Value, Any] = {}  # that nobody knows: see `unknown_shapes`
        self.parts: dict[tuple[Value, Any], Value] = {}  # items that have a name already
        self.marks: Any = None  # of a derivative: see differentiate/marks.py

    def within(self, block: Block) -> Builder:
        """A builder of a region, which sees what is defined around it."""
        inner = Builder(block, self.may_be_complex, self.shown, self.defs)
        inner.loc, inner.marks, inner.products = self.loc, self.marks, self.products
        inner.shapes = self.shapes
        return inner

    def apply(self, fn: Any, *args: Operand, bar: str | None = None, **kwargs: Operand) -> Operand:
        """``fn(*args, **kwargs)``, or something simpler that is equal to it."""
        args, kwargs = without_defaults(fn, args, kwargs)
        simpler = simplify(self, fn, args, kwargs)
        if simpler is not None:
            return simpler
        return self.emit(fn, *args, bar=bar, **kwargs)

    def emit(self, fn: Any, *args: Operand, bar: str | None = None, **kwargs: Operand) -> Value:
        """``fn(*args, **kwargs)`` as it stands."""
        result = Value(None, infer(fn, args, kwargs), self.loc)
        result.bar, result.made = bar, True
        turns = any(isinstance(a, Const) and isinstance(a.value, complex) for a in args)
        if turns or kind_of(result.type) == "c":
            self.may_be_complex = True  # what is made of it, too
        op = Apply([result], self.loc, fn, args, kwargs)
        self.block.ops.append(op)
        self.defs[result] = op
        if self.marks is not None:
            self.marks.note(op)
        return result

    def learn(self, block: Block) -> None:
        """Enter the operations of a block that was built elsewhere."""
        self.may_be_complex = self.may_be_complex or mentions_complex(block)
        for op in walk(block):
            if isinstance(op, Apply):
                self.defs[op.result] = op

    def is_adjoint(self, x: Operand) -> bool:
        """True if ``x`` was computed for a derivative (the primal is never rewritten)."""
        return True

    # -- shapes read off the values that are at hand anyway --------------------------

    def representative(self, like: Operand) -> Operand:
        """A parameter with the shape and dtype of ``like``, so that ``like`` need not be kept."""
        kind = type_of(like)
        if isinstance(kind, Stack):
            return self.as_list(like)
        if like in self.shown or not isinstance(kind, Array):
            return like
        if self.may_be_complex and may_turn_complex(kind):
            return like  # another of unknown kind may be real where this is complex
        for param in self.shown:
            known = param.type
            if (
                isinstance(known, Array)
                and same_shape(known, kind)
                and known.dtype == kind.dtype
                and kind.dims
            ):
                return param
        x = self.shaped_like(like)
        if isinstance(x, Value) and isinstance(x.type, Array) and x.type.dtype == kind.dtype:
            return self.representative(x) if kind.dtype is not None else like
        return like

    def as_list(self, like: Operand) -> Operand:
        """The list that a tuple was made of: parts are added to an adjoint like it in place."""
        op = self.defs.get(like) if isinstance(like, Value) else None
        return op.args[0] if op is not None and op.fn is builtins.tuple else like

    def is_empty_list(self, x: Operand) -> bool:
        """True of a list that is made without items."""
        op = self.defs.get(x) if isinstance(x, Value) else None
        return op is not None and op.fn is BUNDLE and op.args[0] == []

    def shaped_like(self, like: Operand) -> Operand | None:
        """The argument of the operation that gave ``like``, if that is kept anyway."""
        op = self.defs.get(like) if isinstance(like, Value) else None
        known = op is not None and reads_argument(op) and isinstance(type_of(op.args[0]), Array)
        return op.args[0] if op is not None and known else None

    def same_sized(self, like: Operand) -> Operand:
        """A value of the shape of ``like``, whatever its dtype: a parameter, or one that is kept anyway."""
        kind = type_of(like)
        for param in self.shown:
            if isinstance(param.type, Array) and same_shape(param.type, kind):
                return param
        x = self.shaped_like(like)
        return like if x is None else self.same_sized(x)

    def size(self, like: Operand) -> Operand:
        kind = type_of(like)
        if (
            isinstance(kind, Array)
            and kind.dims is not None
            and all(isinstance(n, int) for n in kind.dims)
        ):
            return Const(math.prod(kind.dims))  # type: ignore[arg-type]
        return self.apply(np.ndarray.size, self.same_sized(like))

    def size_along(self, like: Operand, axis: int) -> Operand:
        """``like.shape[axis]``, read off a parameter where one has that dimension."""
        kind = type_of(like)
        assert isinstance(kind, Array) and kind.dims is not None
        known = -len(kind.dims) <= axis < len(kind.dims)  # or it will be an error, if it ever runs
        wanted = kind.dims[axis] if known else None
        if isinstance(wanted, int):
            return Const(wanted)
        places = [
            (param, at)
            for param in self.shown
            if isinstance(param.type, Array) and wanted is not None
            for at, n in enumerate(param.type.dims or ())
            if n == wanted
        ]
        like, axis = places[0] if places else (like, axis)
        return self.getitem(self.apply(np.ndarray.shape, like), axis)

    def add(self, a: Operand, b: Operand) -> Operand:
        return self.apply(operator.add, a, b)

    def getitem(self, value: Operand, key: Any) -> Operand:
        return self.apply(
            operator.getitem, value, key if not isinstance(key, (str, int)) else Const(key)
        )

    def part(self, value: Operand, key: Any) -> Operand:
        """The value under a key: an item of a container, a field of an object."""
        kind = type_of(value)
        if isinstance(kind, Tree) and kind.container == "object":
            made = self.apply(builtins.getattr, value, Const(key))
        else:
            made = self.getitem(value, key)
        if isinstance(made, Value) and isinstance(kind, Tree):
            made.type = made.type or kind.item(key)
        return made

    def append(self, op: Op) -> None:
        self.block.ops.append(op)


def products_of(block: Block) -> Iterator[tuple[Any, Value]]:
    """Products that are at hand wherever one of their factors is: of one region; in both orders.

    Reciprocals and quotients, too.
    """
    here = set(block.params)
    for op in block.ops:
        if isinstance(op, Apply) and op.fn in (operator.mul, np.multiply) and len(op.args) == 2:
            x, y = op.args
            if not op.kwargs and not here.isdisjoint(values_in((x, y))):
                yield (factor_key(x), factor_key(y)), op.result
                yield (factor_key(y), factor_key(x)), op.result
        elif isinstance(op, Apply) and op.fn is operator.truediv:
            x, y = op.args
            if is_literal(x, 1) and not here.isdisjoint(values_in(y)):
                yield (RECIPROCAL, factor_key(y)), op.result
            elif not here.isdisjoint(values_in(op.args)):
                yield (QUOTIENT, factor_key(x)), op.result
        here.update(op.results)
        for inner in op.blocks:
            yield from products_of(inner)


@cache
def defaults_of(fn: Any) -> dict[str, tuple[int, Any]]:
    """The parameters of an operation that have a plain default, with their positions."""
    rule = book.rules.get(fn)
    if rule is not None:
        parameters = list(inspect.signature(rule.differential).parameters.values())[1:]
    elif is_helper(fn):
        parameters = list(inspect.signature(fn).parameters.values())
    else:
        return {}
    plain = (bool, int, float, str, type(None))
    return {p.name: (k, p.default) for k, p in enumerate(parameters) if type(p.default) in plain}


def is_helper(fn: Any) -> bool:
    """True if a function is one of our own."""
    return inspect.isfunction(fn) and home_of(fn).startswith(HELPERS)


def without_defaults(
    fn: Any, args: tuple[Operand, ...], kwargs: dict[str, Operand]
) -> tuple[tuple[Operand, ...], dict[str, Operand]]:
    """A call without the arguments that only repeat a default."""
    try:
        known = defaults_of(fn)
    except TypeError:
        return args, kwargs
    if not known:
        return args, kwargs
    kwargs = {k: v for k, v in kwargs.items() if not (k in known and repeats(v, known[k][1]))}
    at = {k: default for k, default in known.values()}
    while len(args) > 1 and len(args) - 1 in at and repeats(args[-1], at[len(args) - 1]):
        args = args[:-1]
    return args, kwargs


def repeats(operand: Operand, default: Any) -> bool:
    return (
        isinstance(operand, Const)
        and type(operand.value) is type(default)
        and operand.value == default
    )


def mentions_complex(block: Block) -> bool:
    """True if anything in a program is complex, or of a kind that nobody knows: then what is unknown may be, too."""
    made, blocks = list(block.params), [block]
    constants: list[Const] = []
    for op in walk(block):
        if is_foreign(op):
            return True
        made += op.results
        blocks += op.blocks
        constants += constants_in(operands_of(op))
    for inner in blocks:
        constants += constants_in(inner.yields)
    kinds = {kind_of(v.type) for v in made}
    return "c" in kinds or any([is_complex(c.value) for c in constants])


def is_foreign(op: Op) -> bool:
    """True if an operation is one that we know nothing of, and gives what we know nothing of: ``np.load``."""
    if not (isinstance(op, Apply) and callable(op.fn) and op.result.type is None):
        return False
    ours = home_of(op.fn).startswith("retrograd.")
    return not (ours or op.fn in book or op.fn in book.constants)


def is_complex(value: Any, depth: int = 4) -> bool:
    """True if a constant is complex, is the class or the dtype of such numbers, or holds something that is."""
    if isinstance(value, type):
        return issubclass(value, (complex, np.complexfloating))
    if isinstance(value, np.dtype):
        return value.kind == "c"
    if is_ndarray(value) or isinstance(value, (complex, np.generic)):
        return dtype_of(value).kind in "cO"
    inner = value.values() if isinstance(value, dict) else value
    if depth and isinstance(inner, (tuple, list, type({}.values()))):
        return any(is_complex(item, depth - 1) for item in inner)
    return False


def clone_op(op: Op, table: dict[Value, Operand]) -> Op:
    """A copy of an operation that reads through ``table`` and enters its results there."""

    def read(v: Any) -> Any:
        return table.get(v, v) if isinstance(v, Value) else v

    def new(v: Value) -> Value:
        table[v] = made = v.twin()
        made.exact, made.again = v.exact, v.again
        return made

    if isinstance(op, Apply):
        args = tuple(map_operand(a, read) for a in op.args)
        kwargs = {k: map_operand(a, read) for k, a in op.kwargs.items()}
        return Apply([new(r) for r in op.results], op.loc, op.fn, args, kwargs, op.effect, op.style)
    if isinstance(op, Call):
        args = tuple(map_operand(a, read) for a in op.args)
        return Call([new(r) for r in op.results], op.loc, op.callee, args)
    if isinstance(op, If):
        cond = map_operand(op.cond, read)
        then, orelse = clone_block(op.then, table), clone_block(op.orelse, table)
        made = type(op)([new(r) for r in op.results], op.loc, cond, then, orelse, op.expression)
        if isinstance(op, Try) and isinstance(made, Try) and op.caught is not None:
            made.caught = table[op.caught]
        return made
    assert isinstance(op, Loop)
    bounds = None if op.bounds is None else tuple(map_operand(b, read) for b in op.bounds)
    inits = [map_operand(i, read) for i in op.inits]
    feeds = [(map_operand(s, read), flip) for s, flip in op.feeds]
    cond_block = None if op.cond is None else clone_block(op.cond, table)
    body = clone_block(op.body, table)
    results = [new(r) for r in op.results]
    return Loop(
        results, op.loc, inits, body, bounds, op.backwards, cond_block, feeds,
        op.collects, op.stops, op.counts, op.header, op.snapshots,
    )  # type: ignore[arg-type]  # fmt: skip


def clone_block(block: Block, table: dict[Value, Operand]) -> Block:
    """A copy of a region with values of its own."""
    made = Block()
    for param in block.params:
        table[param] = copy = param.twin()
        made.params.append(copy)
    for op in block.ops:
        made.ops.append(clone_op(op, table))
    made.yields = [
        map_operand(y, lambda v: table.get(v, v) if isinstance(v, Value) else v)
        for y in block.yields
    ]
    return made


def clone_function(function: Function, table: dict[Value, Operand] | None = None) -> Function:
    """A copy of a function whose body may be changed freely."""
    body = clone_block(function.body, {} if table is None else table)
    return Function(
        function.name, body, function.tree, function.source, function.names,
        dict(function.defaults), dict(function.captures), function.doc, function.facts.copy(),
    )  # fmt: skip
