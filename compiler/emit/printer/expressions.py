"""Expressions and patterns as parts of a line, without redundant parentheses."""

import ast
import math
from collections.abc import Iterable
from itertools import repeat
from typing import Any

from .layout import Chain, Parts
from .literals import Literals

YIELD, WALRUS, TEST, OR, AND, NOT, COMPARE, BIT_OR = range(8)
UNARY, POWER, AWAIT, ATOM = range(13, 17)
RANK: dict[type[ast.AST], int] = {
    **{ast.Yield: YIELD, ast.YieldFrom: YIELD, ast.NamedExpr: WALRUS, ast.Lambda: TEST},
    **{ast.IfExp: TEST, ast.Or: OR, ast.And: AND, ast.Not: NOT, ast.Compare: COMPARE},
    **{ast.BitOr: BIT_OR, ast.BitXor: 8, ast.BitAnd: 9, ast.LShift: 10, ast.RShift: 10},
    **{ast.Add: 11, ast.Sub: 11, ast.Mult: 12, ast.MatMult: 12, ast.Div: 12, ast.FloorDiv: 12},
    **{ast.Mod: 12, ast.USub: UNARY, ast.UAdd: UNARY, ast.Invert: UNARY, ast.Pow: POWER},
    **{ast.Await: AWAIT, ast.MatchAs: TEST, ast.MatchOr: OR},
}
OPERATIONS = (ast.BinOp, ast.UnaryOp, ast.BoolOp)


def rank_of(node: ast.AST) -> int:
    """How tightly a node binds."""
    if isinstance(node, OPERATIONS):
        return RANK[type(node.op)]
    if isinstance(node, ast.Constant):
        return UNARY if is_negative(node.value) else ATOM
    if isinstance(node, ast.MatchAs) and node.pattern is None:
        return ATOM
    return RANK.get(type(node), ATOM)


def is_negative(value: object) -> bool:
    """True if the text of a constant begins with a minus sign."""
    if isinstance(value, float):
        return math.copysign(1, value) < 0 and not math.isnan(value)
    return isinstance(value, int) and value < 0


def is_close(power: ast.BinOp) -> bool:
    """True if the sign of a power has no spaces around it: between two simple operands."""
    following = power.right
    if isinstance(following, ast.BinOp) and isinstance(following.op, ast.Pow):
        following = following.left
    return is_simple(power.left) and rank_of(power.left) >= AWAIT and is_simple(following)


def is_simple(node: ast.expr) -> bool:
    """True of an operand of a power that stands close to its sign: `x`, `-2`, `self.x`."""
    if isinstance(node, ast.UnaryOp):
        return not isinstance(node.op, ast.Not) and is_simple(node.operand)
    if isinstance(node, ast.Attribute):
        return is_simple(node.value)
    if isinstance(node, ast.Constant):
        return type(node.value) in (int, float)
    return isinstance(node, ast.Name)


def is_short_bound(node: ast.expr | None) -> bool:
    if isinstance(node, ast.UnaryOp):
        return not isinstance(node.op, ast.Not) and is_short_bound(node.operand)
    return node is None or isinstance(node, (ast.Name, ast.Constant))


class Expressions(Literals):
    """The expressions and their operators."""

    def emit(self, node: ast.AST, rank: int = TEST) -> None:
        """Write a node, in parentheses if it binds less tightly than `rank`."""
        if rank_of(node) < rank:
            self.brackets("()", [node], WALRUS if isinstance(node, ast.NamedExpr) else YIELD)
        else:
            self.dispatch(node)

    def brackets(self, pair: str, nodes: Iterable[ast.AST], rank: int, **options: Any) -> None:
        self.group(pair, [self.collect(self.emit, node, rank) for node in nodes], **options)

    def soft(self, node: ast.AST, rank: int = TEST) -> None:
        """An expression that gets parentheses if it must be broken."""
        self.brackets("()", [node], rank, soft=True)

    def value(self, node: ast.AST, rank: int = YIELD) -> None:
        """The value of an assignment or a return: a bare tuple, or a yield where allowed."""
        if isinstance(node, ast.Tuple) and len(node.elts) > 1:
            self.brackets("()", node.elts, TEST, soft=True, collection=True)
        else:
            self.soft(node, TEST if isinstance(node, ast.NamedExpr) else rank)

    # operators

    def _BinOp(self, t: ast.BinOp) -> None:
        if isinstance(t.op, ast.Pow):
            self.power(t)
            return
        rank = rank_of(t)
        node: ast.expr = t
        items: list[Parts] = []
        while isinstance(node, ast.BinOp) and rank_of(node) == rank:
            items.append(self.operand(self.binop[type(node.op).__name__], node.right, rank + 1))
            node = node.left
        items.append(self.collect(self.emit, node, rank))
        self.parts.append(Chain(items[::-1]))

    def power(self, t: ast.BinOp) -> None:
        """A sign without spaces between simple operands, else one that a line may begin with."""
        if is_close(t):
            self.emit(t.left, AWAIT)
            self.write("**")
            self.emit(t.right, UNARY)
        else:
            items = [self.collect(self.emit, t.left, AWAIT), self.operand("**", t.right, UNARY)]
            self.parts.append(Chain(items, "power"))

    def operand(self, operator: str, node: ast.expr, rank: int) -> Parts:
        return [f"{operator} ", *self.collect(self.emit, node, rank)]

    def chain(self, operators: Iterable[str], operands: list[ast.expr], rank: int) -> None:
        """Operands with the operators between them."""
        pairs = zip(operators, operands[1:], strict=False)
        items = [self.operand(operator, node, rank) for operator, node in pairs]
        first = self.collect(self.emit, operands[0], rank)
        self.parts.append(Chain([first, *items], "logical" if rank <= AND + 1 else ""))

    def _BoolOp(self, t: ast.BoolOp) -> None:
        self.chain(repeat(self.boolops[type(t.op)]), t.values, rank_of(t) + 1)

    def _Compare(self, t: ast.Compare) -> None:
        operators = (self.cmpops[type(op).__name__] for op in t.ops)
        self.chain(operators, [t.left, *t.comparators], COMPARE + 1)

    def _IfExp(self, t: ast.IfExp) -> None:
        body = self.collect(self.emit, t.body, OR)
        test, orelse = self.operand("if", t.test, OR), self.operand("else", t.orelse, TEST)
        self.parts.append(Chain([body, test, orelse], "choice"))

    def _UnaryOp(self, t: ast.UnaryOp) -> None:
        self.write("not " if isinstance(t.op, ast.Not) else self.unop[type(t.op).__name__])
        power = isinstance(t.operand, ast.BinOp) and isinstance(t.operand.op, ast.Pow)
        self.emit(t.operand, ATOM if power and not isinstance(t.op, ast.Not) else rank_of(t))

    def _NamedExpr(self, t: ast.NamedExpr) -> None:
        self.emit(t.target)
        self.write(" := ")
        self.emit(t.value)

    def _Await(self, t: ast.Await) -> None:
        self.write("await ")
        self.emit(t.value, ATOM)

    def _Yield(self, t: ast.Yield) -> None:
        self.write("yield")
        if t.value:
            self.write(" ")
            self.value(t.value, TEST)

    def _YieldFrom(self, t: ast.YieldFrom) -> None:
        self.write("yield from ")
        self.soft(t.value)

    def _Starred(self, t: ast.Starred) -> None:
        self.write("*")
        self.emit(t.value, BIT_OR)

    def _Lambda(self, t: ast.Lambda) -> None:
        for i, parameter in enumerate(self.parameters(t.args)):
            self.write(", " if i else "lambda ")
            self.parts += parameter
        self.write(": " if len(ast_arguments(t.args)) else "lambda: ")
        self.emit(t.body)

    def parameters(self, t: ast.arguments) -> list[Parts]:
        """One item per parameter, and the bare `/` and `*`."""
        plain = [*t.posonlyargs, *t.args]
        defaults = [*[None] * (len(plain) - len(t.defaults)), *t.defaults]
        items = [self.parameter("", a, d) for a, d in zip(plain, defaults, strict=True)]
        if t.posonlyargs:
            items.insert(len(t.posonlyargs), ["/"])
        if t.vararg:
            items.append(self.parameter("*", t.vararg, None))
        elif t.kwonlyargs:
            items.append(["*"])
        named = zip(t.kwonlyargs, t.kw_defaults, strict=True)
        items += [self.parameter("", a, d) for a, d in named]
        return [*items, self.parameter("**", t.kwarg, None)] if t.kwarg else items

    def parameter(self, stars: str, t: ast.arg, default: ast.expr | None) -> Parts:
        head = [f"{stars}{t.arg}"] if stars else [t.arg]
        parts: Parts = [*head]
        if t.annotation:
            parts += [": ", *self.collect(self.emit, t.annotation)]
        if default:
            equals = " = " if t.annotation else "="
            parts += [equals, *self.collect(self.soft, default)]
        return parts

    # brackets

    def _Tuple(self, t: ast.Tuple) -> None:
        self.brackets("()", t.elts, TEST, always_comma=len(t.elts) == 1, collection=True)

    def _List(self, t: ast.List) -> None:
        self.brackets("[]", t.elts, WALRUS, collection=True)

    def _Set(self, t: ast.Set) -> None:
        if t.elts:
            self.brackets("{}", t.elts, TEST, collection=True)
        else:
            self.write("{*()}")

    def _Dict(self, t: ast.Dict) -> None:
        pairs = zip(t.keys, t.values, strict=True)
        items = [self.collect(self.entry, key, value) for key, value in pairs]
        self.group("{}", items, collection=True)

    def entry(self, key: ast.expr | None, value: ast.expr) -> None:
        if key is None:
            self.write("**")
            self.emit(value, BIT_OR)
        else:
            self.emit(key)
            self.write(": ")
            self.soft(value)

    def comprehension(self, pair: str, head: Parts, generators: list[ast.comprehension]) -> None:
        items = [head]
        for clause in generators:
            items.append(self.collect(self._comprehension, clause))
            items += [self.operand("if", test, OR) for test in clause.ifs]
        self.group(pair, items, separator=" ", may_comma=False)

    def _comprehension(self, t: ast.comprehension) -> None:
        self.write("async for " if t.is_async else "for ")
        self.target(t.target)
        self.write(" in ")
        self.emit(t.iter, OR)

    def target(self, t: ast.expr) -> None:
        """A target, a tuple of several without its parentheses."""
        if isinstance(t, ast.Tuple) and len(t.elts) > 1:
            self.brackets("()", t.elts, TEST, soft=True, collection=True)
        else:
            self.emit(t)

    def _ListComp(self, t: ast.ListComp) -> None:
        self.comprehension("[]", self.collect(self.emit, t.elt), t.generators)

    def _SetComp(self, t: ast.SetComp) -> None:
        self.comprehension("{}", self.collect(self.emit, t.elt), t.generators)

    def _GeneratorExp(self, t: ast.GeneratorExp) -> None:
        self.comprehension("()", self.collect(self.emit, t.elt), t.generators)

    def _DictComp(self, t: ast.DictComp) -> None:
        self.comprehension("{}", self.collect(self.entry, t.key, t.value), t.generators)

    # primaries

    def _Attribute(self, t: ast.Attribute) -> None:
        if isinstance(t.value, ast.Constant) and type(t.value.value) is int:
            self.brackets("()", [t.value], TEST)
        else:
            self.emit(t.value, ATOM)
        self.write(f".{t.attr}")

    def _Call(self, t: ast.Call) -> None:
        self.emit(t.func, ATOM)
        if len(t.args) == 1 and not t.keywords and isinstance(t.args[0], ast.GeneratorExp):
            self.dispatch(t.args[0])
        else:
            self.arguments(t.args, t.keywords)

    def arguments(self, args: list[ast.expr], keywords: list[ast.keyword]) -> None:
        items = [self.collect(self.emit, arg, WALRUS) for arg in args]
        self.group("()", items + [self.collect(self._keyword, keyword) for keyword in keywords])

    def _keyword(self, t: ast.keyword) -> None:
        self.write("**" if t.arg is None else f"{t.arg}=")
        self.soft(t.value)

    def _Subscript(self, t: ast.Subscript) -> None:
        self.emit(t.value, ATOM)
        if isinstance(t.slice, ast.Tuple) and t.slice.elts:
            only = t.slice.elts[0] if len(t.slice.elts) == 1 else None
            alone = only is not None and not isinstance(only, ast.Starred)
            self.brackets("[]", t.slice.elts, TEST, always_comma=alone)
        else:
            self.brackets("[]", [t.slice], TEST)

    def _Slice(self, t: ast.Slice) -> None:
        """A colon has spaces around it where a bound is more than a name or a number."""
        space = "" if all(map(is_short_bound, (t.lower, t.upper, t.step))) else " "
        if t.lower:
            self.emit(t.lower, OR)
            self.write(space)
        self.write(":")
        if t.upper:
            self.write(space)
            self.emit(t.upper, OR)
        if t.step:
            self.write(space if t.upper else "")
            self.write(":" + space)
            self.emit(t.step, OR)


def ast_arguments(t: ast.arguments) -> list[ast.arg]:
    """Every parameter of a signature."""
    stars = [arg for arg in (t.vararg, t.kwarg) if arg]
    return [*t.posonlyargs, *t.args, *t.kwonlyargs, *stars]
