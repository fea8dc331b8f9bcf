"""Names that hold a container, or a function, or None: what they hold, and whether that is None, which is known when it runs.

``best = None`` before a loop that makes it a tuple; a helper that gives None where it finds nothing.  Where such a
name is used as what None cannot be (``best[0]``, ``a, b = best``), it is what it holds then.  In text where it is
None the parts of that are None, and Python fails as it does in the user's.
"""

from __future__ import annotations

import builtins
import operator
from typing import Any

import gast

from ....analyses.shapes.infer import type_of
from ....frontend.uses_of_values import used
from ....ir.containers import Pack
from ....ir.operations import UNDEFINED, Const, Operand, Value
from ....ir.types import Array, Numeric, Type
from ...chosen_functions import is_choosable
from ...interface.lowerer import Lowerer
from ...nodes import PERHAPS, Environment, Node, Ref

__all__ = [
    "IS_NONE",
    "NO_PART",
    "PerhapsNone",
    "blank_like",
    "holds_perhaps",
    "is_none_constant",
    "is_perhaps",
    "none_like",
    "one_may_be_none",
    "or_none",
    "perhaps",
    "types_beside_none",
]

IS_NONE = "is None"  # the key of what tells
NO_PART = Const(None)  # in place of each part of what is None
Narrowed = list[tuple[str, Node, Node]]

FAIL_OF_NONE = (  # with a TypeError
    len, sum, min, max, list, tuple, sorted, enumerate, reversed, iter, any, all, set, zip, map, float, int,
)  # fmt: skip


def perhaps(none: Operand, content: Node) -> Pack:
    return Pack(PERHAPS, [IS_NONE, 1], [none, content])


def is_perhaps(node: Node) -> bool:
    return isinstance(node, Pack) and node.kind is PERHAPS


def holds_perhaps(node: Node) -> bool:
    """True if this, or a part of it, may be None when it runs."""
    return isinstance(node, Pack) and (is_perhaps(node) or any(map(holds_perhaps, node.items)))


def is_none_constant(node: Node) -> bool:
    return isinstance(node, Const) and node.value is None and node.text is None


def blank_like(node: Node, leaf: Operand = UNDEFINED) -> Node:
    """A container of this structure that holds nothing yet; what may be None is None."""
    if is_choosable(node):
        return node  # nobody calls it
    if not isinstance(node, Pack):
        return leaf
    if is_perhaps(node):
        return none_like(node.items[1])
    return Pack(node.kind, list(node.keys), [blank_like(item, leaf) for item in node.items])


def or_none(kind: Type) -> Type:
    """The type of a part of what may be None: nobody asks it for a shape."""
    return Numeric.one_sided(kind) if isinstance(kind, Array) else kind


def types_beside_none(content: Node) -> list[Type]:
    """The types of the parts of a container, some of which may be None."""
    if not isinstance(content, Pack):
        return [type_of(content)]
    kinds = [kind for item in content.items for kind in types_beside_none(item)]
    return [kinds[0], *map(or_none, kinds[1:])] if is_perhaps(content) else kinds


def none_like(content: Node) -> Pack:
    """None, where a container of this structure may stand."""
    return perhaps(Const(True), blank_like(content, NO_PART))


class PerhapsNone:
    """What may be None: where it is asked for, where it is used, and what is known of it on a side of a branch."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope
        self.denied: dict[Value, Value] = {}  # `x is not None`, and `x is None`

    # -- where it is read ---------------------------------------------------------------

    def read(self, made: Pack, node: gast.AST) -> Node:
        """The value of an expression, or what it holds where it is used as that."""
        none, content = made.items
        if isinstance(none, Const):
            return Const(None) if none.value else content
        return content if id(node) in used(self.scope.tree) else made

    def taken_apart(self, node: Node) -> Node:
        """What is taken apart is no None."""
        return node.items[1] if is_perhaps(node) else node

    def called(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node | None:
        """A call of a function of Python that is given what may be None."""
        calls, first = self.lowerer.calls, args[0]
        if fn in FAIL_OF_NONE:
            return calls.call(Const(fn), [self.taken_apart(a) for a in args], kwargs, node)
        if fn is bool and is_perhaps(first):
            return self.truth(first, node)
        if fn is builtins.isinstance and is_perhaps(first):
            none, content = first.items
            return self.lowerer.branches.either(
                none,
                lambda: calls.call(Const(fn), [Const(None), *args[1:]], kwargs, node),
                lambda: calls.call(Const(fn), [content, *args[1:]], kwargs, node),
                node,
            )
        return None

    # -- questions ----------------------------------------------------------------------

    def asked(self, fn: Any, node: Pack) -> Node:
        """``node is None``, or ``node is not None``."""
        none = node.items[0]
        if isinstance(none, Const):
            return Const(bool(none.value) is (fn is operator.is_))
        if fn is operator.is_:
            return none
        made = self.lowerer.operations.apply(operator.not_, (none,), {})
        self.denied[made] = none
        return made

    def truth(self, node: Pack, at: gast.AST) -> Node:
        """None is false."""
        content = node.items[1]
        there = self.asked(operator.is_not, node)
        if is_choosable(content):
            return there
        if isinstance(content, Pack) and content.kind in (tuple, list, dict):
            return there if content.items else Const(False)
        return self.lowerer.branches.either(
            there,
            lambda: self.lowerer.protocols.truth_of(content, at),
            lambda: Const(False),
            at,
        )

    # -- what is known on one side of a branch ---------------------------------------------

    def know(self, test: Node, true: bool) -> Narrowed:
        """From here on names are what a test has told of them; what was changed is returned."""
        if not isinstance(test, Value):
            return []
        none, is_none = (self.denied[test], not true) if test in self.denied else (test, true)
        known = [
            (name, node, Const(None) if is_none else node.items[1])
            for name, node in self.scope.env.items()
            if is_perhaps(node) and node.items[0] is none
        ]
        self.scope.env.update({name: now for name, _, now in known})
        return known

    def forget(self, known: Narrowed, env: Environment) -> None:
        """Where both sides of a branch may have been, names are what they were before."""
        for name, before, now in known:
            if env.get(name) is now:
                env[name] = before


def one_may_be_none(node: Node, other: Node) -> bool:
    """True if one of two nodes may be None, and the other is None, a container or a function."""
    both = (node, other)
    some = any(isinstance(v, (Pack, Ref)) or is_choosable(v) for v in both)
    none = any(is_none_constant(v) or is_perhaps(v) for v in both)
    known = all(isinstance(v, (Pack, Ref)) or is_none_constant(v) or is_choosable(v) for v in both)
    same = is_perhaps(node) and is_perhaps(other)
    return some and none and known and not same
