"""Expressions as they are needed, for arguments of which something is known."""

from __future__ import annotations

import ast
import builtins
import copy
import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from . import facts
from .kinds import Kind, class_of, either, is_one, kind_of
from .kinds import Thing as Thing

__all__ = ["Environment", "Expressions", "Helper", "is_test", "literal", "parameters"]

Environment = dict[str, Kind]
MOST_CASES = 24
LITERALS = (bool, int, str, type(None))


class Helper(NamedTuple):
    """A function of the runtime that is a value: its module and name."""

    module: str
    name: str


class Expressions:
    """Expressions of one function; ``world`` knows the helpers and what is global."""

    def __init__(self, world: Any, environment: Environment, local: Any) -> None:
        self.world, self.env, self.local = world, environment, local
        self.depth = 0  # of calls that took the place of calls
        self.returns: list[Kind] = []

    # -- expressions -----------------------------------------------------------------------

    def expr(self, node: Any) -> tuple[Any, Kind]:
        """The expression as it is needed, and what is known of its value."""
        known = getattr(node, "known", None)
        made, kind = getattr(self, f"of_{type(node).__name__}", self.general)(node)
        return made, known if kind is None else kind

    def general(self, node: Any) -> tuple[Any, Kind]:
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(node, name, self.expr(value)[0])
            elif isinstance(value, list):
                made = [self.expr(v)[0] if isinstance(v, ast.expr) else v for v in value]
                setattr(node, name, made)
                for item in made:
                    if isinstance(item, ast.keyword):
                        item.value = self.expr(item.value)[0]
        return node, None

    def of_Constant(self, node: ast.Constant) -> tuple[Any, Kind]:
        return node, kind_of(node.value)

    def of_Name(self, node: ast.Name) -> tuple[Any, Kind]:
        if node.id in self.local:
            kind = self.env.get(node.id)
            is_literal = is_one(kind) and type(kind[0]) in LITERALS  # type: ignore[index]
            read = isinstance(node.ctx, ast.Load)
            return literal(kind[0]) if is_literal and read else node, kind  # type: ignore[index]
        if "::" in node.id:
            return node, self.world.value(node.id)
        return node, [getattr(builtins, node.id)] if hasattr(builtins, node.id) else None

    def of_Attribute(self, node: ast.Attribute) -> tuple[Any, Kind]:
        node.value, kind = self.expr(node.value)
        if node.attr == "real" and kind and all(one == self.real(one) for one in kind):
            return node.value, kind
        return node, facts.attribute(kind, node.attr)

    @staticmethod
    def real(one: Any) -> Any:
        return facts.attribute_of(one, "real")

    def of_Tuple(self, node: ast.Tuple) -> tuple[Any, Kind]:
        pairs = [self.expr(e) for e in node.elts]
        node.elts = [made for made, _ in pairs]
        if any(isinstance(e, ast.Starred) for e in node.elts):
            return node, None
        if all(is_one(kind) for _, kind in pairs):
            return node, [tuple(kind[0] for _, kind in pairs if kind is not None)]
        return node, [Thing(tuple, None, len(pairs))]

    def of_List(self, node: ast.List) -> tuple[Any, Kind]:
        node.elts = [self.expr(e)[0] for e in node.elts]
        starred = any(isinstance(e, ast.Starred) for e in node.elts)
        return node, None if starred else [Thing(list, None, len(node.elts))]

    def of_UnaryOp(self, node: ast.UnaryOp) -> tuple[Any, Kind]:
        node.operand, kind = self.expr(node.operand)
        if isinstance(node.op, ast.Not):
            found = facts.truth(kind)
            return node, None if found is None else [not found]
        if isinstance(node.op, ast.USub) and is_one(kind) and type(kind[0]) in (int, float):  # type: ignore[index]
            return node, [-kind[0]]  # type: ignore[index]
        return node, None

    def of_BinOp(self, node: ast.BinOp) -> tuple[Any, Kind]:
        node.left, left = self.expr(node.left)
        node.right, right = self.expr(node.right)
        if is_one(left) and is_one(right):
            a, b = left[0], right[0]  # type: ignore[index]
            if type(a) is int and type(b) is int and isinstance(node.op, (ast.Add, ast.Sub)):
                return node, [a + b if isinstance(node.op, ast.Add) else a - b]
        if isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div)):
            return node, facts.arithmetic(left, right)
        return node, None

    def of_Compare(self, node: ast.Compare) -> tuple[Any, Kind]:
        node.left, left = self.expr(node.left)
        pairs = [self.expr(c) for c in node.comparators]
        node.comparators = [made for made, _ in pairs]
        if len(pairs) > 1:
            return node, None
        return node, facts.compared(type(node.ops[0]).__name__, left, pairs[0][1])

    def of_BoolOp(self, node: ast.BoolOp) -> tuple[Any, Kind]:
        """Without operands that decide nothing, and without those after one that decides."""
        stops = isinstance(node.op, ast.Or)  # the truth at which no more operands are asked
        kept: list[tuple[Any, Kind]] = []
        before = dict(self.env)
        for k, value in enumerate(node.values):
            made, kind = self.expr(value)
            found = facts.truth(kind)
            if found is not stops and found is not None and k < len(node.values) - 1:
                continue
            kept.append((made, kind))
            if found is stops:
                break
            self.narrow(value, not stops)
        self.env = before
        if len(kept) > 1 and facts.truth(kept[-1][1]) is (not stops) and is_test(kept[-2][0]):
            kept.pop()
        if len(kept) == 1:
            return kept[0]
        node.values = [made for made, _ in kept]
        last = facts.truth(kept[-1][1])
        return node, [stops] if last is stops else either(*[kind for _, kind in kept])

    def of_IfExp(self, node: ast.IfExp) -> tuple[Any, Kind]:
        found = self.decided(node.test)
        if found is not None:
            return self.expr(node.body if found else node.orelse)
        test = copy.deepcopy(node.test)
        node.test = self.expr(node.test)[0]
        before = dict(self.env)
        self.narrow(test, True)
        node.body, then = self.expr(node.body)
        self.env = dict(before)
        self.narrow(test, False)
        node.orelse, other = self.expr(node.orelse)
        self.env = before
        return node, either(then, other)

    def of_NamedExpr(self, node: ast.NamedExpr) -> tuple[Any, Kind]:
        node.value, kind = self.expr(node.value)
        self.env[node.target.id] = kind
        return node, kind

    def of_Subscript(self, node: ast.Subscript) -> tuple[Any, Kind]:
        node.value, kind = self.expr(node.value)
        node.slice, place = self.expr(node.slice)
        if is_one(kind) and is_one(place) and isinstance(kind[0], tuple):  # type: ignore[index]
            at = place[0]  # type: ignore[index]
            if type(at) is int and -len(kind[0]) <= at < len(kind[0]):  # type: ignore[index]
                return node, [kind[0][at]]  # type: ignore[index]
        return node, None

    def of_Lambda(self, node: ast.Lambda) -> tuple[Any, Kind]:
        hidden = frozenset(parameters(node))
        inner = type(self)(self.world, {n: None for n in self.local | hidden}, self.local | hidden)
        node.body = inner.expr(node.body)[0]
        return node, None

    def comprehension(self, node: Any) -> tuple[Any, Kind]:
        bound = {
            n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)
        }
        before = dict(self.env), self.local
        for k, generator in enumerate(node.generators):
            generator.iter = self.expr(generator.iter)[0]
            if not k:
                self.local |= bound
                self.env.update(dict.fromkeys(bound))
            generator.ifs = [self.expr(test)[0] for test in generator.ifs]
        for name in ("elt", "key", "value"):
            if hasattr(node, name):
                setattr(node, name, self.expr(getattr(node, name))[0])
        self.env, self.local = before
        return node, None

    of_ListComp = of_SetComp = of_DictComp = of_GeneratorExp = comprehension

    def of_Call(self, node: ast.Call) -> tuple[Any, Kind]:
        method = isinstance(node.func, ast.Attribute)
        if method:
            node.func.value, owner = self.expr(node.func.value)  # type: ignore[attr-defined]
            fn = facts.attribute(owner, node.func.attr)  # type: ignore[attr-defined]
        else:
            func, fn = self.expr(node.func)
            node.func = node.func if isinstance(func, ast.Constant) else func
        args = [self.expr(a) for a in node.args if not self.is_nothing(a)]
        node.args = [made for made, _ in args]
        kinds: list[Kind] = [kind for _, kind in args]
        named: dict[str, Kind] = {}
        for word in node.keywords:
            word.value, named[word.arg or ""] = self.expr(word.value)
        free = any(isinstance(a, ast.Starred) for a in node.args) or "" in named
        if is_one(fn) and isinstance(fn[0], Helper):  # type: ignore[index]
            made, kind = self.world.call(node, fn[0], None if free else (kinds, named))  # type: ignore[index]
            return (made, kind) if made is node else self.again(made, kind)
        if free:
            return node, None
        if is_one(fn):
            kind = facts.called(fn[0], kinds, named)  # type: ignore[index]
            return simpler(node, fn[0], kinds), kind  # type: ignore[index]
        return node, facts.method(owner, node.func.attr, kinds) if method else None  # type: ignore[attr-defined]

    def is_nothing(self, node: Any) -> bool:
        """True of ``*rest`` where there is no more."""
        name = isinstance(node, ast.Starred) and isinstance(node.value, ast.Name) and node.value.id
        return bool(name) and self.env.get(name) == [()]  # type: ignore[arg-type]

    def again(self, made: Any, kind: Kind) -> tuple[Any, Kind]:
        """An expression that took the place of a call, read here."""
        self.depth += 1
        made, found = self.expr(made)
        self.depth -= 1
        return made, kind if found is None else found

    # -- tests -----------------------------------------------------------------------------

    def quiet(self, environment: Environment) -> Expressions:
        return type(self)(self.world.silent(), environment, self.local)

    def decided(self, test: ast.expr) -> bool | None:
        """Whether a test is true, for all that its names can be."""
        names = {n.id for n in ast.walk(test) if isinstance(n, ast.Name) and self.env.get(n.id)}
        cases = [[(n, one) for one in self.env[n] or ()] for n in sorted(names)]
        if np.prod([len(c) for c in cases]) > MOST_CASES:
            cases = []
        found: set[bool | None] = set()
        for case in itertools.product(*cases):
            environment = self.env | {n: [one] for n, one in case}
            found.add(facts.truth(self.quiet(environment).expr(copy.deepcopy(test))[1]))
            if None in found or len(found) > 1:
                return None
        return found.pop() if found else None

    def narrow(self, test: ast.expr, outcome: bool) -> None:
        """What is left of its names once a test came out so."""
        for name in {n.id for n in ast.walk(test) if isinstance(n, ast.Name)}:
            kind = self.env.get(name)
            if kind is None or len(kind) < 2:
                continue
            left = [
                one
                for one in kind
                if self.quiet(self.env | {name: [one]}).decided(test) in (None, outcome)
            ]
            self.env[name] = left or kind


def simpler(node: ast.Call, fn: Any, kinds: list[Kind]) -> Any:
    """``x.shape`` for ``np.shape(x)``, and the like."""
    if not kinds or kinds[0] is None or node.keywords:
        return node
    arrays = all(map(facts.is_array, kinds[0]))
    short: dict[Callable[..., Any], str] = {np.shape: "shape", np.ndim: "ndim", np.size: "size"}
    if arrays and fn in short and len(kinds) == 1:
        return ast.Attribute(node.args[0], short[fn], ast.Load())
    if fn is np.real and facts.real_part(kinds[0]) == kinds[0]:
        return node.args[0]
    if fn is np.asarray and len(kinds) == 1 and all(class_of(k) is np.ndarray for k in kinds[0]):
        return node.args[0]
    name: Any = kinds[1] if fn is getattr else None
    if is_one(name) and all(facts.has(k, name[0]) is True for k in kinds[0]):
        return ast.Attribute(node.args[0], name[0], ast.Load())
    return node


def is_test(node: ast.expr) -> bool:
    """True of what gives True or False."""
    return isinstance(node, ast.Compare) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    )


def literal(value: Any) -> ast.expr:
    """A value as it is written."""
    if type(value) is int and value < 0:
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Constant(value)


def parameters(node: Any) -> list[str]:
    spec = node.args
    args = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg]
    return [a.arg for a in args if a is not None]
