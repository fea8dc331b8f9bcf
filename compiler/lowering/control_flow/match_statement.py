"""``match``: the cases as a chain of branches; what a pattern says of a structure is known here."""

from __future__ import annotations

import numbers
import operator
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from retrograd.runtime.errors import UnsupportedSyntax

from ...analyses.class_protocols import class_at, is_foreign, is_stranger, method_in
from ...ir.containers import Pack
from ...ir.operations import Const, Value
from ...ir.types import Tree, is_numeric
from ..calls.operator_overloads import own_class
from ..interface.lowerer import Lowerer
from ..nodes import Listed, Node
from .one_sided.perhaps_none import is_perhaps

__all__ = ["Patterns"]

Binds = dict[str, Callable[[], Node]]
SEQUENCE, MAPPING = 1 << 5, 1 << 6  # what a class says of itself: Py_TPFLAGS_SEQUENCE, _MAPPING
BUILTIN = (bool, bytes, dict, float, frozenset, int, list, set, str, tuple)


class Patterns:
    """Lowers ``match``."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    def do_Match(self, node: gast.AST) -> None:
        subject = self.lowerer.expression(node.subject)
        self.lowerer.iterators.refuse_iterator(subject, node)
        self.case(subject, list(node.cases))

    def case(self, subject: Node, cases: list[Any]) -> None:
        """The first case that fits, and the later ones where it does not."""
        if not cases:
            return
        case, *others = cases
        binds: Binds = {}
        at = case.body[0]
        test = self.pattern(case.pattern, subject, binds)
        rest = lambda: self.case(subject, others)  # noqa: E731

        def fits() -> None:
            for name, content in binds.items():
                self.scope.env[name] = content()
                self.lowerer.assignment.name_value(self.scope.env[name], name)
            if case.guard is None:
                return self.lowerer.statements(case.body)
            self.when(
                self.lowerer.expression(case.guard),
                lambda: self.lowerer.statements(case.body),
                rest,
                at,
            )

        self.when(test, fits, rest, at)

    def when(
        self, test: Node, then: Callable[[], None], orelse: Callable[[], None], at: gast.AST
    ) -> None:
        test = self.lowerer.protocols.truth_of(test, at)
        if isinstance(test, Const) and test.text is None:
            return then() if test.value else orelse()  # type: ignore[no-any-return]
        self.lowerer.branches.choose(test, then, orelse, at)

    # -- patterns --------------------------------------------------------------------

    def pattern(self, pattern: gast.AST, subject: Node, binds: Binds) -> Node:
        """A test that the subject fits; ``binds`` gets what the pattern's names hold."""
        if is_perhaps(subject) and not isinstance(pattern, (gast.MatchAs, gast.MatchOr)):
            return self.fits_or_none(pattern, subject, binds)
        made: Node = getattr(self, f"fits_{type(pattern).__name__}")(pattern, subject, binds)
        return made

    def fits_or_none(self, pattern: gast.AST, subject: Pack, binds: Binds) -> Node:
        """A test of what may be None."""
        if isinstance(pattern, gast.MatchSingleton) and pattern.value is None:
            return self.lowerer.perhaps.asked(operator.is_, subject)
        there = self.lowerer.perhaps.asked(operator.is_not, subject)
        return self.both(there, lambda: self.pattern(pattern, subject.items[1], binds), pattern)

    def both(self, first: Node, second: Callable[[], Node], at: gast.AST) -> Node:
        return self.lowerer.branches.either(first, second, lambda: first, at)

    def fits_MatchValue(self, pattern: gast.AST, subject: Node, binds: Binds) -> Node:
        if isinstance(subject, Pack) and method_in(own_class(subject), "__eq__") is None:
            return Const(False)
        return self.lowerer.expressions.compare(
            subject, gast.Eq(), self.lowerer.expression(pattern.value)
        )

    def fits_MatchSingleton(self, pattern: gast.AST, subject: Node, binds: Binds) -> Node:
        if isinstance(subject, Pack):
            return Const(False)
        return self.lowerer.expressions.compare(subject, gast.Is(), Const(pattern.value))

    def fits_MatchAs(self, pattern: gast.AST, subject: Node, binds: Binds) -> Node:
        fits: Node = Const(True)
        if pattern.pattern is not None:
            fits = self.pattern(pattern.pattern, subject, binds)
        if pattern.name is not None:
            binds[pattern.name] = lambda: subject
        return fits

    def fits_MatchOr(self, pattern: gast.AST, subject: Node, binds: Binds) -> Node:
        first, *others = pattern.patterns
        mine: Binds = {}
        test = self.pattern(first, subject, mine)
        known = isinstance(test, Const) and test.text is None
        if known and test.value:
            binds.update(mine)
            return test
        if not others:
            self.check_unbound(mine, known, pattern)
            binds.update(mine)
            return test
        later = gast.MatchOr(patterns=others)
        if known:
            return self.pattern(later, subject, binds)
        self.check_unbound(mine, known, pattern)
        return self.lowerer.branches.either(
            test, lambda: test, lambda: self.pattern(later, subject, binds), others[0]
        )

    def check_unbound(self, binds: Binds, known: bool, pattern: gast.AST) -> None:
        if binds and not known:
            raise self.unsupported("a name in an alternative that is decided at run time", pattern)

    def fits_MatchSequence(self, pattern: gast.AST, subject: Node, binds: Binds) -> Node:
        items = self.items_of(subject, pattern)
        if items is None:
            return Const(False)
        patterns = pattern.patterns
        star = next((k for k, p in enumerate(patterns) if isinstance(p, gast.MatchStar)), None)
        short = len(items) < len(patterns) - (star is not None)
        if short or (star is None and len(items) != len(patterns)):
            return Const(False)
        if star is not None:
            after = len(patterns) - star - 1
            middle = items[star : len(items) - after]
            name = patterns[star].name
            if name is not None:
                binds[name] = lambda: Pack(list, list(range(len(middle))), list(middle))
            items = items[:star] + items[len(items) - after :]
            patterns = patterns[:star] + patterns[star + 1 :]
        return self.all_fit(list(zip(patterns, items, strict=True)), binds, pattern)

    def all_fit(self, pairs: list[tuple[Any, Node]], binds: Binds, at: gast.AST) -> Node:
        if not pairs:
            return Const(True)
        free = [k for k, (pattern, _) in enumerate(pairs) if is_free(pattern)]
        if free:  # a name or `_` asks nothing
            pattern, item = pairs.pop(free[0])
            self.pattern(pattern, item, binds)
            return self.all_fit(pairs, binds, at)
        (pattern, item), *others = pairs
        test = self.pattern(pattern, item, binds)
        if not others:
            return test
        return self.both(test, lambda: self.all_fit(others, binds, at), at)

    def items_of(self, subject: Node, pattern: gast.AST) -> list[Node] | None:
        """The items of a sequence, or None if it is no sequence (an array is none)."""
        cls = subject.kind if isinstance(subject, Pack) else class_at(subject)
        if is_stranger(subject):
            raise self.unsupported("a sequence pattern for an object of unknown class", pattern)
        if isinstance(cls, type) and is_foreign(cls):
            if cls.__flags__ & SEQUENCE:
                raise self.unsupported(f"a sequence pattern for a {cls.__name__}", pattern)
            return None
        if cls is range:
            raise self.unsupported("a sequence pattern for a range", pattern)
        if isinstance(subject, Pack) and subject.kind is Listed:
            raise self.unsupported("a sequence pattern for a list of unknown length", pattern)
        if isinstance(subject, Pack) or hasattr(cls, "_fields"):
            listed = cls in (tuple, list) or hasattr(cls, "_fields")
            return list(self.lowerer.protocols.laid_out(subject, pattern).items) if listed else None
        kind = subject.type if isinstance(subject, Value) else None
        if isinstance(kind, Tree):
            listed = kind.container in ("tuple", "list")
            return (
                [self.lowerer.subscripts.getitem(subject, Const(k)) for k in kind.keys]
                if listed
                else None
            )
        if is_numeric(kind):
            return None
        if isinstance(subject, Const) and isinstance(subject.value, (tuple, list)):
            return [Const(v) for v in subject.value]
        if isinstance(subject, Const) and subject.text is None:
            return None
        raise self.unsupported("a sequence pattern for a value of unknown kind", pattern)

    def fits_MatchMapping(self, pattern: gast.AST, subject: Node, binds: Binds) -> Node:
        kind = subject.type if isinstance(subject, Value) else None
        if isinstance(kind, Tree) and kind.container == "dict":
            items = [self.lowerer.subscripts.getitem(subject, Const(k)) for k in kind.keys]
            subject = Pack(dict, list(kind.keys), items)
        if isinstance(subject, Value) and (kind is None or is_stranger(subject)):
            raise self.unsupported("a mapping pattern for a value of unknown kind", pattern)
        cls = subject.kind if isinstance(subject, Pack) else class_at(subject)
        if isinstance(cls, type) and cls is not dict and cls.__flags__ & MAPPING:
            raise self.unsupported(f"a mapping pattern for a {cls.__name__}", pattern)
        if not isinstance(subject, Pack) or subject.kind is not dict:
            return Const(False)
        held = dict(zip(subject.keys, subject.items, strict=True))
        keys = [self.lowerer.expression(key).value for key in pattern.keys]
        if not held.keys() >= set(keys):
            return Const(False)
        if pattern.rest is not None:
            rest = {k: v for k, v in held.items() if k not in keys}
            binds[pattern.rest] = lambda: Pack(dict, list(rest), list(rest.values()))
        pairs = [(p, held[k]) for k, p in zip(keys, pattern.patterns, strict=True)]
        return self.all_fit(pairs, binds, pattern)

    def fits_MatchClass(self, pattern: gast.AST, subject: Node, binds: Binds) -> Node:
        cls = self.lowerer.expression(pattern.cls)
        if not isinstance(cls, Const) or not isinstance(cls.value, type):
            raise self.unsupported("a computed class", pattern)
        test = self.is_instance(subject, cls)
        if isinstance(test, Const) and not test.value:
            return test
        own = list(getattr(cls.value, "__match_args__", ()))
        given = pattern.patterns
        if given and cls.value in BUILTIN:
            if is_free(given[0]):
                self.pattern(given[0], subject, binds)
                return test
            return self.both(test, lambda: self.pattern(given[0], subject, binds), pattern)
        if len(given) > len(own):
            raise self.unsupported(
                f"{len(given)} positions in `{cls.value.__name__}(...)`", pattern
            )
        names = [*own[: len(given)], *pattern.kwd_attrs]
        if not names:
            return test
        if not isinstance(test, Const):
            raise self.unsupported("attributes of a value whose class is not known", pattern)
        items = [
            self.lowerer.attributes.attribute(subject, name, self.at(pattern)) for name in names
        ]
        return self.all_fit(
            list(zip([*given, *pattern.kwd_patterns], items, strict=True)), binds, pattern
        )

    def is_instance(self, subject: Node, cls: Const) -> Node:
        """``isinstance(subject, cls)``, known where the subject's own class is."""
        kind = subject.type if isinstance(subject, Value) else None
        if isinstance(subject, Pack):
            return Const(issubclass(subject.kind, cls.value))
        if isinstance(kind, Tree) and kind.cls is not None:
            return Const(issubclass(kind.cls, cls.value))
        if isinstance(kind, Tree) and kind.container in ("tuple", "list", "dict"):
            return Const(
                issubclass({"tuple": tuple, "list": list, "dict": dict}[kind.container], cls.value)
            )
        if isinstance(subject, Const) and subject.text is None:
            return Const(isinstance(subject.value, cls.value))
        numeric = is_numeric(kind) and cls.value not in BUILTIN
        if numeric and not issubclass(cls.value, (np.ndarray, np.generic, numbers.Number)):
            return Const(False)
        return self.lowerer.operations.apply(
            isinstance, (self.lowerer.operations.operand(subject), cls), {}
        )

    def at(self, pattern: gast.AST) -> Any:
        """A node with a line: patterns have none in the syntax tree we read."""
        return next((n for n in gast.walk(pattern) if hasattr(n, "lineno")), None)

    def unsupported(self, what: str, pattern: gast.AST) -> UnsupportedSyntax:
        return UnsupportedSyntax(
            f"{what} is not supported in `match`", place=self.scope.place(self.at(pattern)),
            fix="write it as if, elif, else",
        )  # fmt: skip


def is_free(pattern: gast.AST) -> bool:
    """True if a pattern fits everything: a name, or ``_``."""
    return isinstance(pattern, gast.MatchAs) and pattern.pattern is None
