"""A readable dump of the structured SSA, for people and for the documentation."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

import numpy as np

from retrograd.runtime.objects.homes import RUNTIME
from retrograd.runtime.objects.own_attributes import home_of, own_attribute
from retrograd.runtime.traits.lookup import traits_of

from .operations import Apply, Block, Call, Const, Function, If, Loop, Op, Operand, Try, Value, With
from .primitives import Primitive
from .types import Array, Number, Stack, Tree

__all__ = ["names_in", "show", "show_block"]

SHORT = {"float64": "f8", "float32": "f4", "complex128": "c16", "complex64": "c8", "int64": "i8",
         "int32": "i4", "bool": "b1", "float16": "f2"}  # fmt: skip
NUMBERS = {"b": "bool", "i": "int", "f": "float", "c": "complex"}


def show(function: Function) -> str:
    """The text of a function: every value once, regions indented, ``# n`` the user's line.

    Names are the user's, numbered where one is used again; ``%1`` has none.

    >>> x = Value("x", Array("float64", (3,)))
    >>> total, half = Value("total"), Value()
    >>> ops = [Apply([half], None, operator.truediv, (x, Const(2)))]
    >>> ops += [Apply([total], None, np.sum, (half,), {"axis": Const(0)})]
    >>> print(show(Function("mean", Block([x], ops, [total]), None)))
    mean(x: f8[3]):
        %1 = x / 2
        total = np.sum(%1, axis=0)
        yield total
    """
    writer = Writer()
    params = ", ".join(writer.declared(p) for p in function.body.params)
    return "\n".join([f"{function.name}({params}):", *indented(writer.block(function.body))])


def show_block(block: Block, before: Function | None = None) -> str:
    """The text of a region alone; ``before``: a function whose values keep their names in it."""
    writer = Writer()
    if before is not None:
        writer.names_of(before)
    return "\n".join(writer.block(block))


def names_in(function: Function) -> dict[Value, str]:
    """The names that ``show`` gives the values of a function, in the order of the text."""
    return Writer().names_of(function)


class Writer:
    """Gives names to values in the order it meets them."""

    def __init__(self) -> None:
        self.names: dict[Value, str] = {}
        self.taken: dict[str, int] = {}

    def names_of(self, function: Function) -> dict[Value, str]:
        list(map(self.declared, function.body.params))
        self.block(function.body)
        return self.names

    def name(self, v: Value) -> str:
        if v not in self.names:
            self.names[v] = self.fresh(v)
        return self.names[v]

    def fresh(self, v: Value) -> str:
        base = f"{v.bar.strip('~')}_bar" if v.bar and v.hint is None else v.hint or "%"
        k = self.taken[base] = self.taken.get(base, 0) + 1
        if base == "%":
            return f"%{k}"
        return base if k == 1 else f"{base}.{k}"

    def declared(self, v: Value) -> str:
        kind = show_type(v.type)
        return self.name(v) + (f": {kind}" if kind else "")

    # -- operands --------------------------------------------------------------------

    def operand(self, x: Operand) -> str:
        if isinstance(x, Value):
            return self.name(x)
        if isinstance(x, Const):
            return repr(x)
        if isinstance(x, tuple):
            return f"({self.listed(x)}{',' * (len(x) == 1)})"
        if isinstance(x, list):
            return f"[{self.listed(x)}]"
        if isinstance(x, dict):
            return "{" + ", ".join(f"{k!r}: {self.operand(v)}" for k, v in x.items()) + "}"
        if isinstance(x, slice):
            return ":".join(
                "" if is_none(p) else self.operand(p) for p in (x.start, x.stop, x.step)
            )
        return repr(x)

    def listed(self, xs: Any) -> str:
        return ", ".join(self.operand(x) for x in xs)

    # -- operations ------------------------------------------------------------------

    def block(self, block: Block, keyword: str = "yield") -> list[str]:
        lines = [line for op in block.ops for line in self.op(op)]
        return [*lines, f"{keyword} {self.listed(block.yields)}".rstrip()]

    def op(self, op: Op) -> list[str]:
        if isinstance(op, If):
            return self.branch(op)
        if isinstance(op, Loop):
            return self.loop(op)
        assert isinstance(op, (Apply, Call))
        text = self.call(op.callee.name, op.args, {}) if isinstance(op, Call) else self.applied(op)
        return [placed(f"{self.listed(op.results)} = {text}" if op.results else text, op)]

    def applied(self, op: Apply) -> str:
        sign = traits_of(op.fn).sign
        if sign is not None and len(op.args) == 2:
            return f"{self.operand(op.args[0])} {sign} {self.operand(op.args[1])}"
        if op.fn is operator.neg:
            return f"-{self.operand(op.args[0])}"
        if op.fn is operator.getitem:
            return f"{self.operand(op.args[0])}[{self.operand(op.args[1])}]"
        return self.call(name_of(op.fn), op.args, op.kwargs)

    def call(self, name: str, args: tuple[Operand, ...], kwargs: dict[str, Operand]) -> str:
        parts = [self.operand(a) for a in args]
        return (
            f"{name}({', '.join([*parts, *(f'{k}={self.operand(v)}' for k, v in kwargs.items())])})"
        )

    def branch(self, op: If) -> list[str]:
        word = {Try: "except", With: "with"}.get(type(op), "if")
        head = f"{word} {self.operand(op.cond)}:"
        then, orelse = self.block(op.then), self.block(op.orelse)
        left = f"{self.listed(op.results)} = " if op.results else ""
        return [placed(left + head, op), *indented(then), "else:", *indented(orelse)]

    def loop(self, op: Loop) -> list[str]:
        inits, feeds = [self.operand(x) for x in op.inits], [self.feed(f) for f in op.feeds]
        condition = self.condition(op)
        head = [f"carry {self.declared(p)} = {x}" for p, x in zip(op.carried, inits, strict=True)]
        turns = self.turns(op)
        head += [f"read {self.name(e)} from {x}" for e, x in zip(op.elements, feeds, strict=True)]
        body = [line for inner in op.body.ops for line in self.op(inner)]
        ends = self.ends(op)
        left = f"{', '.join(self.results(op))} = " if op.results else ""
        return [placed(f"{left}{turns}:", op), *indented([*head, *condition, *body, *ends])]

    def turns(self, op: Loop) -> str:
        if op.bounds is None:
            return "for" if op.asks else "while"
        assert op.index is not None
        back = "backwards " if op.backwards else ""
        return f"for {self.name(op.index)} in {back}range({self.listed(op.bounds)})"

    def condition(self, op: Loop) -> list[str]:
        if op.cond is None:
            return []
        params = ", ".join(self.name(p) for p in op.cond.params)
        return [f"as long as, of {params}:", *indented(self.block(op.cond))]

    def feed(self, feed: tuple[Operand, bool]) -> str:
        stack, flip = feed
        return ("the end of " if flip else "") + self.operand(stack)

    def results(self, op: Loop) -> Iterator[str]:
        for v in op.results:
            yield ("*" if v in op.stacks else "") + self.name(v)

    def ends(self, op: Loop) -> list[str]:
        """The values an iteration passes on, each kind on a line of its own."""
        n = len(op.inits)
        lines = [f"yield {self.listed(op.body.yields[:n])}".rstrip()]
        if op.collects:
            lines.append(f"collect {self.listed(op.collected())}")
        return [*lines, f"stop if {self.operand(op.stop)}"] if op.stops else lines


def indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


def placed(text: str, op: Op) -> str:
    return text if op.loc is None else f"{text}  # {op.loc.line}"


def is_none(x: Operand) -> bool:
    return x is None or (isinstance(x, Const) and x.value is None)


def name_of(fn: Any) -> str:
    """The name of an operation as a program would write it.

    >>> name_of(np.exp), name_of(operator.not_), name_of(np.add.reduce)
    ('np.exp', 'not_', 'np.add.reduce')
    """
    if isinstance(fn, Primitive):
        return fn.__name__
    owner = own_attribute(fn, "__self__")
    if isinstance(owner, np.ufunc):
        return f"np.{owner.__name__}.{fn.__name__}"
    name, module = (
        str(own_attribute(fn, "__name__", fn)),
        home_of(fn),
    )
    if getattr(np, name, None) is fn or module.partition(".")[0] == "numpy":
        return ("np.linalg." if module == "numpy.linalg" else "np.") + name
    if module.startswith(RUNTIME):
        return f"rt.{name}"
    return f"{module}.{name}" if module == "math" else name


def show_type(kind: Any) -> str:
    """A type in a few letters: ``f8[n, 3]``, ``float``; nothing where it is unknown.

    >>> show_type(Array("float32", None)), show_type(Number("i")), show_type(None)
    ('f4[...]', 'int', '')
    """
    if isinstance(kind, Number):
        return NUMBERS[kind.kind]
    if isinstance(kind, Array):
        return show_array(kind)
    if isinstance(kind, Stack):
        return f"stack of {show_type(kind.item) or 'anything'}"
    if isinstance(kind, Tree):
        items = ", ".join(show_type(item) or "_" for item in kind.items)
        return f"{kind.container}[{items}]"
    return ""


def show_array(kind: Array) -> str:
    dtype = SHORT.get(kind.dtype or "", kind.dtype or NUMBERS.get(kind.kind or "", "array"))
    if kind.dims is None:
        return f"{dtype}[...]"
    sizes = ", ".join("?" if n is None else str(n) for n in kind.dims)
    return f"{dtype}[{sizes}]" if kind.dims else dtype
