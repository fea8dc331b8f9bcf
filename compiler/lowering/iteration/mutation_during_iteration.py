"""Iterables that change while a loop goes over them: each item is read when its turn comes.

A list that grows or shrinks meanwhile is refused, as is an iterator that is kept: it is gone over once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from retrograd.runtime.errors import MutationError, UnsupportedSyntax
from retrograd.runtime.traits.lookup import traits_of

from ...frontend.exit_queries import by_node
from ...frontend.tree_nodes import nodes
from ...ir.containers import Pack
from ...ir.operations import Apply, Block, Const, If, Loop, Value, walk
from ..interface.lowerer import Lowerer
from ..memory.places import Unsettled, cell_name
from ..nodes import Collecting, Environment, Lazy, Listed, Node, Ref
from .iterables import Iteration, Range, Sequence, sequences

__all__ = ["LiveIterators", "is_iterator"]


class LiveIterators:
    """Lowers reads of the items of what may be written to meanwhile."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    def refreshed(self, node: Node) -> Node:
        """A container as it is now; ``zip`` and the like, of what they go over as that is now."""
        kept = isinstance(node, Pack) and (node.cell is not None or node.live is not None)
        return self.lowerer.cells.seen(node) if kept else node

    def live(self, made: Node, again: Callable[[], Node]) -> Node:
        """``made`` goes over other containers; ``again`` makes it of what they hold now."""
        if isinstance(made, Pack):
            made.live = again
        return made

    def steady(self, made: Node, sources: list[Node], node: gast.AST) -> Node:
        """``made`` was computed of all these at once, which may not change while it is gone over."""
        found = [origin for source in sources for origin in origins(source)]
        first = [self.held_now(origin) for origin in found]

        def again() -> Node:
            now = [self.held_now(origin) for origin in found]
            if any(a is not b for a, b in zip(now, first, strict=True)):
                raise self.changes("what this iterates over changes", node)
            if isinstance(made, Pack):
                made.items[:] = map(self.lowerer.cells.present, made.items)
            return made

        if isinstance(made, (Pack, Iteration)):
            made.steady = found
        return self.live(made, again)

    def held_now(self, origin: Value | int) -> Node:
        """The present content of an array or a container."""
        if isinstance(origin, int):
            return self.scope.env.get(cell_name(origin))
        return self.lowerer.versions.latest_or_lost(origin)

    def check_steady(self, iterable: Iteration, carried: list[str], at: gast.AST) -> None:
        """Nothing that an iterator was computed of is written to by the loop that goes over it."""
        for part in steady_parts(iterable):
            names = [
                cell_name(o)
                if isinstance(o, int)
                else self.lowerer.versions.keys.get(self.lowerer.versions.place_of(o).cell)
                for o in part.steady
            ]
            if any(name in carried for name in names):
                raise self.changes("what this iterates over changes", at)

    def at_turn(self, pack: Pack, node: gast.AST) -> Pack:
        """The container when the turn comes to its next item, or to its end."""
        now = self.refreshed(pack)
        if not isinstance(now, Pack) or now.kind is Listed or len(now.items) != len(pack.items):
            raise self.changes("the container changes size", node)
        return now

    def changes(self, what: str, node: gast.AST) -> MutationError:
        return MutationError(
            f"{what} during iteration", place=self.scope.place(node),
            fix="iterate over a copy: list(xs), list(d.items())",
        )  # fmt: skip

    def each_item(self, pack: Pack, node: gast.AST) -> Iterator[Node]:
        for k in range(len(pack.items)):
            now = self.at_turn(pack, node)
            yield Const(now.keys[k]) if now.kind is dict else now.items[k]
        self.at_turn(pack, node)

    def refuse_iterator(self, node: Node, at: gast.AST) -> None:
        """An iterator is gone over once, where it is made; nobody keeps it."""
        if is_iterator(node):
            raise UnsupportedSyntax(
                "storing an iterator or dict view is not supported",
                place=self.scope.place(at), fix="make a list of it: list(...)",
            )  # fmt: skip

    def next_reader(self, rest: list[gast.AST]) -> gast.AST | None:
        """The statement after this one, but for constants that get a name, which nobody reads who runs later."""
        return next((s for s in rest if not self.is_passed_over(s)), None)

    def is_passed_over(self, statement: gast.AST) -> bool:
        named = statement.targets if is_constant_assigned(statement) else []
        return bool(named) and read_later(self.scope.tree).isdisjoint(t.id for t in named)

    def in_passing(self, name: str, following: gast.AST | None) -> bool:
        """True if a name is read once only, by the next statement."""
        found = following is not None and list(reads(following, name)) == [False]
        return found and len(list(reads(self.scope.tree, name))) == 1

    def check_unchanged(self, over: Sequence) -> None:
        """Nobody has added to a list, or bound another one in its place, since an iterator over it was made."""
        if over.cell is not None and self.scope.env[cell_name(over.cell)] is not over.began:
            raise self.changes("the list that an iterator goes over changes", self.scope.node)

    def handed_over(self, fn: Any, params: dict[str, Node], node: gast.AST) -> None:
        """A callee (its tree) may go over an iterator if it reads the parameter once only."""
        body = fn.body if isinstance(fn.body, list) else [fn.body]
        for name, given in params.items():
            once = [r for s in body for r in reads(s, name)] == [False]
            if is_iterator(given) and (not once or any(is_asked(s, name) for s in body)):
                self.refuse_iterator(given, node)

    # -- at run time -----------------------------------------------------------------

    def watched(self, found: Node, pack: Node) -> Node:
        """The iteration over a list that may be written to meanwhile."""
        if isinstance(found, Sequence) and isinstance(pack, Pack) and pack.cell is not None:
            found.cell, found.began = pack.cell, self.scope.env[cell_name(pack.cell)]
        if isinstance(found, Iteration) and isinstance(pack, Pack):
            found.steady = [*found.steady, *pack.steady]
        return found

    def sequence_now(self, over: Sequence) -> Node:
        """The list that a loop goes over, in the iteration that is lowered now."""
        if over.cell is None:
            return over.value
        held = over.head = self.scope.env[cell_name(over.cell)]
        if held is over.began or not isinstance(held, Pack):
            return over.value
        if held.kind is Collecting:
            raise Unsettled(cell=over.cell)
        whole = self.lowerer.cells.seen(Ref(over.cell))
        return whole.items[0] if whole.kind is Listed else self.lowerer.operations.operand(whole)

    def check_lengths(
        self, iterable: Iteration, body: Block, env: Environment, at: gast.AST
    ) -> None:
        """A loop goes over as many items as there were before it: nobody adds or removes any."""
        for over in sequences(iterable):
            if over.cell is None:
                continue
            end = env[cell_name(over.cell)]
            if end is not over.head and not same_length(over.head, end, body):
                raise self.changes("this list may change its length", at)


def origins(node: Node) -> Iterator[Value | int]:
    """The arrays and the containers that something to go over stands for."""
    if isinstance(node, Pack):
        if node.cell is not None:
            yield node.cell
        yield from node.steady
        for item in node.items:
            yield from origins(item)
    elif isinstance(node, Value):
        yield node
    elif isinstance(node, Iteration):
        yield from node.steady
        for over in sequences(node):
            if over.cell is not None:
                yield over.cell
            if isinstance(over.value, Value):
                yield over.value


def steady_parts(iteration: Iteration) -> Iterator[Iteration]:
    """An iteration and those it is made of."""
    yield iteration
    for name in ("inner", "parts", "places"):
        inner = getattr(iteration, name, None)
        for part in inner if isinstance(inner, list) else [inner]:
            if part is not None:
                yield from steady_parts(part)


def is_iterator(node: Node) -> bool:
    if isinstance(node, Pack):
        return node.live is not None
    kept = isinstance(node, Iteration) and not isinstance(node, Range)
    return kept or isinstance(node, Lazy)


def reads(node: gast.AST, name: str, repeated: bool = False) -> Iterator[bool]:
    """For every place that reads a name, whether it may do so again and again."""
    if isinstance(node, gast.Name) and node.id == name and isinstance(node.ctx, gast.Load):
        yield repeated
    for child in gast.iter_child_nodes(node):
        yield from reads(child, name, repeated or is_repeated(node, child))


LATER = (gast.FunctionDef, gast.Lambda, gast.GeneratorExp)
ASKING = (
    "type",
    "isinstance",
    "bool",
    "len",
    "callable",
    "hasattr",
    "getattr",
    "id",
    "str",
    "repr",
    "hash",
)


def is_asked(node: gast.AST, name: str) -> bool:
    """True if something else is asked of a name than its items."""
    for part in gast.walk(node):
        asked: list[Any] = []
        if isinstance(part, gast.Call) and getattr(part.func, "id", None) in ASKING:
            asked = part.args
        elif isinstance(part, (gast.If, gast.While, gast.IfExp)):
            asked = [part.test]
        elif isinstance(part, gast.Match):
            asked = [part.subject]
        elif isinstance(part, gast.BoolOp):
            asked = part.values
        elif isinstance(part, (gast.UnaryOp, gast.FormattedValue, gast.Attribute)):
            asked = [getattr(part, "operand", None) or part.value]
        elif isinstance(part, gast.Compare):
            asked = [part.left]
        if any(isinstance(a, gast.Name) and a.id == name for a in asked):
            return True
    return False


def is_repeated(node: gast.AST, part: Any) -> bool:
    if isinstance(node, gast.For):
        return part is not node.iter and part not in node.orelse
    if isinstance(node, gast.While):
        return part not in node.orelse
    if isinstance(node, (gast.ListComp, gast.DictComp, gast.SetComp, gast.GeneratorExp)):
        return part is not node.generators[0]
    if isinstance(node, gast.comprehension):
        return part is not node.iter
    return isinstance(node, (gast.Lambda, gast.FunctionDef))


def is_constant_assigned(statement: gast.AST) -> bool:
    return (
        isinstance(statement, gast.Assign)
        and isinstance(statement.value, gast.Constant)
        and all(isinstance(t, gast.Name) for t in statement.targets)
    )


@by_node
def read_later(tree: Any) -> frozenset[str]:
    """The names that functions and generators inside a function read when they run."""
    inner = [n for n in nodes(tree) if isinstance(n, LATER) and n is not tree]
    return frozenset(n.id for part in inner for n in nodes(part) if isinstance(n, gast.Name))


def same_length(head: Node, end: Node, body: Block) -> bool:
    if not (isinstance(head, Pack) and isinstance(end, Pack)) or head.kind is not end.kind:
        return False
    if head.kind is not Listed:
        return len(head.items) == len(end.items)
    made = {r: (op, k) for op in walk(body) for k, r in enumerate(op.results)}
    known = {head.items[0]}
    todo = [end.items[0]]
    while todo:
        value = todo.pop()
        if value in known:
            continue
        known.add(value)
        sources = list(sources_of(value, made, known))
        if not sources:
            return False
        todo += sources
    return True


def sources_of(value: Any, made: dict[Value, Any], known: set[Any]) -> Iterator[Any]:
    """The lists that are as long as this one."""
    op, k = made.get(value, (None, 0))
    if isinstance(op, Apply) and traits_of(op.fn).keeps_length:
        yield op.args[0]
    elif isinstance(op, If):
        yield from (op.then.yields[k], op.orelse.yields[k])
    elif isinstance(op, Loop) and k < len(op.inits):
        known.add(op.carried[k])
        yield from (op.inits[k], op.body.yields[k])
