"""Patterns of `match`, and parameters of generic definitions."""

import ast
from collections.abc import Sequence
from typing import Any

from .expressions import OR, TEST, Expressions
from .layout import Chain, Parts


class Patterns(Expressions):
    """The patterns of `match`; and type parameters, which Python 3.12 has."""

    def _MatchValue(self, t: ast.MatchValue) -> None:
        self.emit(t.value)

    def _MatchSingleton(self, t: ast.MatchSingleton) -> None:
        self.constant(t.value)

    def _MatchSequence(self, t: ast.MatchSequence) -> None:
        self.brackets("[]", t.patterns, TEST)

    def _MatchStar(self, t: ast.MatchStar) -> None:
        self.write(f"*{t.name or '_'}")

    def _MatchMapping(self, t: ast.MatchMapping) -> None:
        pairs = zip(t.keys, t.patterns, strict=True)
        items = [self.collect(self.entry, key, pattern) for key, pattern in pairs]
        self.group("{}", [*items, [f"**{t.rest}"]] if t.rest else items)

    def _MatchClass(self, t: ast.MatchClass) -> None:
        self.emit(t.cls)
        items = [self.collect(self.emit, pattern) for pattern in t.patterns]
        named = zip(t.kwd_attrs, t.kwd_patterns, strict=True)
        items += [[f"{name}=", *self.collect(self.emit, pattern)] for name, pattern in named]
        self.group("()", items)

    def _MatchAs(self, t: ast.MatchAs) -> None:
        if t.pattern:
            self.emit(t.pattern, OR)
            self.write(" as ")
        self.write(t.name or "_")

    def _MatchOr(self, t: ast.MatchOr) -> None:
        first, *rest = t.patterns
        items: list[Parts] = [self.collect(self.emit, first, OR + 1)]
        items += [["| ", *self.collect(self.emit, pattern, OR + 1)] for pattern in rest]
        self.parts.append(Chain(items))

    def type_parameters(self, parameters: Sequence[ast.AST]) -> None:
        if parameters:
            self.brackets("[]", parameters, TEST)

    def _TypeVar(self, t: Any) -> None:
        self.write(t.name)
        if t.bound:
            self.write(": ")
            self.emit(t.bound)
        self.default(t)

    def _ParamSpec(self, t: Any) -> None:
        self.write(f"**{t.name}")
        self.default(t)

    def _TypeVarTuple(self, t: Any) -> None:
        self.write(f"*{t.name}")
        self.default(t)

    def default(self, t: Any) -> None:
        value = getattr(t, "default_value", None)
        if value:
            self.write(" = ")
            self.emit(value, TEST)
