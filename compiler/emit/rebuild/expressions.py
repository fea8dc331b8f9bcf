"""Operations as Python expressions, spelled the way people write them."""

from __future__ import annotations

import ast
import builtins
import enum
import math
import operator
import types
from functools import cache
from typing import Any

import numpy as np

from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.rules.scipy import registry
from retrograd.runtime.tape import calls
from retrograd.runtime.traits.lookup import traits_of

from ...analyses.effects import is_late
from ...analyses.library_names import enter_root, is_method, name_of
from ...analyses.shapes.infer import type_of
from ...dependencies.simple_classes import stores_only
from ...ir.operations import UNDEFINED, Apply, Call, Const, Function, If, Loop, Op, Operand, Value
from ...ir.plain_values import is_writable
from ...ir.primitives import BUNDLE, FORMAT, STAR
from ...ir.types import Array, Number, Numeric, Type

__all__ = ["ExpressionWriter", "dotted"]


# Helpers that stand for a form of NumPy: its name, and those of the arguments after the first.
RENAMED = {"at": "x", "step": "dx"}


@cache
def ast_operator(sign: str) -> ast.operator | ast.unaryop | ast.cmpop:
    """The operator of a sign, as Python reads it: ``+``, ``not in``, ``-x``."""
    read: Any = ast.parse(sign if sign.endswith("x") else f"x {sign} y", mode="eval").body
    found: ast.operator | ast.unaryop | ast.cmpop = (
        read.ops[0] if isinstance(read, ast.Compare) else read.op
    )
    return found


@cache
def form_of(spelled: str) -> tuple[str, list[str]]:
    """The name in a form of NumPy's, and those of the arguments after the first, where they are given by name.

    >>> form_of("np.gradient(f, h, axis=)")
    ('np.gradient', ['', 'axis'])
    """
    name, _, given = spelled.rstrip(")]").replace("[", "(").partition("(")
    return name, [part.strip().partition("=")[0] * ("=" in part) for part in given.split(",")[1:]]


def load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def may_be_number(kind: Type) -> bool:
    """True of the type of what is a number of Python's, on some way at least."""
    return isinstance(kind, (Number, Numeric)) or (isinstance(kind, Array) and kind.dims == ())


def numeral(node: ast.expr) -> ast.expr:
    """Noted as a number of Python's, which CuPy's functions do not take for an array."""
    node.is_number = True  # type: ignore[attr-defined]
    return node


def dotted(path: str) -> ast.expr:
    """``np.linalg.solve`` as an expression."""
    first, *rest = path.split(".")
    tree: ast.expr = load(first)
    for part in rest:
        tree = ast.Attribute(tree, part, ast.Load())
    return tree


def is_imaginary(value: complex) -> bool:
    """True if it is what ``-2j`` runs to."""
    return value.real == 0 and value.imag < 0


class ExpressionWriter:
    """Writes operands; ``roots`` collects the names the text needs from outside."""

    def __init__(self, names: Any, nesting: Any) -> None:
        self.names, self.nesting = names, nesting
        self.roots: dict[str, Any] = {}

    def operand(self, operand: Operand) -> ast.expr:
        if isinstance(operand, Value):
            if operand in self.nesting.nested:
                made = self.expression(self.nesting.ops[operand])
            else:
                made = load(self.names[operand])
            made.of_type = operand.type  # type: ignore[attr-defined]
            return numeral(made) if may_be_number(operand.type) else made
        if isinstance(operand, Const):
            made = self.constant(operand)
            return numeral(made) if may_be_number(type_of(operand)) else made
        if isinstance(operand, tuple):
            return ast.Tuple([self.operand(o) for o in operand], ast.Load())
        if isinstance(operand, list):
            return ast.List([self.operand(o) for o in operand], ast.Load())
        if isinstance(operand, dict):
            keys: list[ast.expr | None] = [self.key(k) for k in operand]
            return ast.Dict(keys, [self.operand(o) for o in operand.values()])
        if not isinstance(operand, slice):
            return self.key(operand)
        parts = [operand.start, operand.stop, operand.step]
        return ast.Slice(*[None if is_none(p) else self.operand(p) for p in parts])

    def key(self, key: Any) -> ast.expr:
        """A key of a dict: a literal, or the member of an enumeration."""
        if isinstance(key, enum.Enum):
            return self.global_name(f"{type(key).__name__}.{key.name}", key)
        return ast.Constant(key)

    def constant(self, const: Const) -> ast.expr:
        if const is UNDEFINED:
            return ast.Constant(None)
        if const.text is not None:
            return self.global_name(const.text, const.value)
        value = const.value
        if isinstance(value, Function):
            return load(self.callee(value))
        if type(value) in (int, float, complex):
            return self.number(value)
        if callable(value) and name_of(value):
            return self.function(value, None)
        if isinstance(value, tuple):
            return ast.Tuple([self.constant(Const(v)) for v in value], ast.Load())
        if type(value) is range:
            ends = [value.start, value.stop, value.step]
            ends = ends if value.step != 1 else ends[1:2] if value.start == 0 else ends[:2]
            return ast.Call(load("range"), [self.number(v) for v in ends], [])
        if isinstance(value, np.generic) and is_writable(value):
            self.roots["np"] = None
            made = self.constant(Const(value.item()))
            return ast.Call(dotted(f"np.{type(value).__name__}"), [made], [])
        return ast.Constant(value)

    def number(self, value: Any) -> ast.expr:
        if isinstance(value, float) and not math.isfinite(value):
            self.roots["math"] = None
            infinite = dotted("math.nan" if value != value else "math.inf")
            return ast.UnaryOp(ast.USub(), infinite) if value < 0 else infinite
        if isinstance(value, complex) and value.real == 0 and value.imag >= 0:
            value = complex(0.0, value.imag)  # no literal runs to -0.0 here
        sign = value.real if isinstance(value, complex) else value
        if math.copysign(1, sign) < 0 and (not isinstance(value, complex) or is_imaginary(value)):
            return ast.UnaryOp(ast.USub(), ast.Constant(-value))
        return ast.Constant(value)

    def global_name(self, text: str, value: Any) -> ast.expr:
        """A name of the user's module; NumPy's own objects by NumPy's name."""
        known = name_of(value) if callable(value) else None
        if known is not None:
            return self.function(value, None)
        root = text.partition(".")[0]
        if "." in text and root in ("np", "numpy", "math"):
            text = text.replace("numpy.", "np.", 1)
            self.roots[text.partition(".")[0]] = None
            return dotted(text)
        name = text.replace(".", "_")
        enter_root(self.roots, name, value)
        return load(name)

    def function(self, fn: Any, spelled: str | None) -> ast.expr:
        name = name_of(fn)
        owner, _, method = (spelled or "").rpartition(".")
        if name is None and owner and method == own_attribute(fn, "__name__", ""):
            return ast.Attribute(self.global_name(owner, fn.__self__), method, ast.Load())
        if name is None:
            return self.global_name(str(spelled or own_attribute(fn, "__name__", "fn")), fn)
        root = name.partition(".")[0]
        if "." in name:
            self.roots[root] = registry.spaces().get(root)
        return dotted(name)

    def instance(self, kind: Any, keys: list[Any], items: list[ast.expr]) -> ast.expr:
        """An object that holds these; a constructor is called if it does nothing but keep them."""
        made = self.global_name(kind.__name__, kind)
        if stores_only(kind, keys):
            return ast.Call(made, [], [ast.keyword(k, i) for k, i in zip(keys, items, strict=True)])
        fields = ast.Dict([ast.Constant(k) for k in keys], items)
        return ast.Call(self.function(linear.instance, None), [made, fields], [])

    # -- operations ------------------------------------------------------------------

    def expression(self, op: Op) -> ast.expr:
        if isinstance(op, Call):
            return ast.Call(load(self.callee(op.callee)), [self.operand(a) for a in op.args], [])
        if isinstance(op, If):
            return self.choice(op)
        assert isinstance(op, Apply) and not isinstance(op, Loop)
        return self.apply(op)

    def callee(self, function: Any) -> str:
        raise NotImplementedError

    def choice(self, op: If) -> ast.expr:
        """``a if c else b``, or ``and`` / ``or`` where a side is the test itself."""
        then, orelse = op.then.yields[0], op.orelse.yields[0]
        if orelse is op.cond:
            return bool_op(ast.And(), self.operand(op.cond), self.operand(then))
        if then is op.cond:
            return bool_op(ast.Or(), self.operand(op.cond), self.operand(orelse))
        return ast.IfExp(self.operand(op.cond), self.operand(then), self.operand(orelse))

    def apply(self, op: Apply) -> ast.expr:
        fn, args = op.fn, op.args
        known = traits_of(fn)
        if known.sign is not None:
            return self.operator(known.sign, args)
        if fn is operator.getitem:
            return ast.Subscript(self.operand(args[0]), self.operand(args[1]), ast.Load())
        if fn is builtins.getattr and len(args) == 2 and isinstance(args[1], Const):
            return ast.Attribute(self.operand(args[0]), args[1].value, ast.Load())
        if known.spelled and (not known.spelled.endswith("]") or isinstance(args[0], tuple)):
            return self.spelled(op, known.spelled)
        if fn is BUNDLE:
            return self.operand(args[0])
        if fn is STAR:
            return ast.Starred(self.operand(args[0]), ast.Load())
        if fn is linear.flipped:
            backwards = ast.Slice(None, None, ast.UnaryOp(ast.USub(), ast.Constant(1)))
            return ast.Subscript(self.operand(args[0]), backwards, ast.Load())
        if fn is linear.repeated_list:
            return self.operator("*", args)
        if fn is FORMAT:
            return self.fstring(args)
        if fn is calls.pulled:
            return ast.Call(self.operand(args[0]), [self.operand(args[1])], [])
        return self.call(op)

    def operator(self, sign: str, args: tuple[Operand, ...]) -> ast.expr:
        """``a + b``, ``a < b`` or ``-a``."""
        found, *operands = ast_operator(sign), *map(self.operand, args)
        if isinstance(found, ast.unaryop):
            return ast.UnaryOp(found, operands[0])
        if isinstance(found, ast.cmpop):
            return ast.Compare(operands[0], [found], operands[1:])
        return ast.BinOp(operands[0], found, operands[1])

    def spelled(self, op: Apply, spelled: str) -> ast.expr:
        """A helper that stands for a form of NumPy that no plain function call has."""
        self.roots["np"] = None
        text, names = form_of(spelled)
        first, *rest = op.args
        if spelled.endswith("]") and isinstance(first, tuple):
            key = first[0] if len(first) == 1 else first
            return ast.Subscript(dotted(text), self.operand(key), ast.Load())
        args = [self.operand(first)]
        if op.fn is linear.meshgrid:
            spread = isinstance(first, (tuple, list))
            args = [self.operand(i) for i in first] if spread else [ast.Starred(args[0])]  # type: ignore[union-attr]
        if names[:1] == [""]:
            args += [self.operand(a) for a in rest[:1]]
        given = dict(zip(names, rest, strict=False)) | {
            RENAMED.get(k, k): v for k, v in op.kwargs.items()
        }
        keywords = [
            ast.keyword(k, self.operand(v)) for k, v in given.items() if k and not is_none(v)
        ]
        return ast.Call(dotted(text), args, keywords)

    def call(self, op: Apply) -> ast.expr:
        fn, args = op.fn, [self.argument(a) for a in op.args]
        if is_late(fn):
            return self.late_call(op, args)
        if fn is linear.starred:
            return ast.Call(args[0], [*args[2:], ast.Starred(args[1], ast.Load())], [])
        if isinstance(fn, types.GetSetDescriptorType):
            return ast.Attribute(args[0], fn.__name__, ast.Load())
        keywords = [ast.keyword(k, self.argument(v)) for k, v in op.kwargs.items()]
        if is_method(fn):
            return ast.Call(ast.Attribute(args[0], fn.__name__, ast.Load()), args[1:], keywords)
        return ast.Call(self.function(fn, op.style), args, keywords)

    def late_call(self, op: Apply, args: list[ast.expr]) -> ast.expr:
        """``f(x)`` or ``d.name(x)`` of what is known when it runs."""
        keywords = [ast.keyword(k, self.argument(v)) for k, v in op.kwargs.items()]
        if op.fn is linear.called:
            return ast.Call(args[0], args[1:], keywords)
        return ast.Call(ast.Attribute(args[0], op.args[1].value, ast.Load()), args[2:], keywords)

    def argument(self, operand: Operand) -> ast.expr:
        """An operand outside a subscript, where a slice has no syntax of its own."""
        if isinstance(operand, slice):
            parts = [
                Const(None) if p is None else p for p in (operand.start, operand.stop, operand.step)
            ]
            parts = parts if not is_none(parts[2]) else parts[:2]
            return ast.Call(load("slice"), [self.operand(p) for p in parts], [])
        if isinstance(operand, tuple) and any(isinstance(o, slice) for o in operand):
            self.roots["np"] = None
            return ast.Subscript(dotted("np.s_"), self.operand(operand), ast.Load())
        return self.operand(operand)

    def fstring(self, parts: tuple[Operand, ...]) -> ast.JoinedStr:
        pieces: list[ast.expr] = []
        for part in parts:
            if isinstance(part, Const):
                pieces.append(ast.Constant(part.value))
            else:
                value, conversion, form = part
                spec = self.fstring(form) if form else None
                pieces.append(ast.FormattedValue(self.operand(value), conversion.value, spec))
        return ast.JoinedStr(pieces)


def bool_op(op: ast.boolop, left: ast.expr, right: ast.expr) -> ast.BoolOp:
    values: list[ast.expr] = []
    for side in (left, right):
        same = isinstance(side, ast.BoolOp) and type(side.op) is type(op)
        values += side.values if same else [side]  # type: ignore[attr-defined]
    return ast.BoolOp(op, values)


def is_none(part: Any) -> bool:
    return part is None or (isinstance(part, Const) and part.value is None)
