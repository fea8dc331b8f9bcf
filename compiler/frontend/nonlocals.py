"""Names that an inner function binds, by ``nonlocal``: they live in a container, which it may write to.

::

    def f(x):                     def f(x):
        total = 0.0                   total.box = {}
        def add(v):        ->         total.box["total"] = 0.0
            nonlocal total            def add(v):
            total += v                    total.box["total"] += v
        for v in x:                   for v in x:
            add(v)                        add(v)
        return total                  return total.box["total"]

A name that is also bound where no item of a container can be (``:=``, ``with``, ``except``, ``del``, an
import, an inner function or class, the target of a comprehension or a pattern) stays as it is:
binding it in the inner function is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from .exit_queries import SCOPES
from .tree_nodes import children, nodes

__all__ = ["as_list", "binds_outside", "boxed"]

COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)


def binds_outside(node: Any) -> bool:
    """Whether a statement says that names are of a function around it."""
    return isinstance(node, gast.Nonlocal)


def boxed(tree: Any) -> Any:
    """The tree of a function, changed in place: names of its own that inner functions bind are boxed."""
    for inner in list(functions_in(tree)):
        boxed(inner)
    for name in dict.fromkeys(declared_below(tree)):
        if name in own_names(tree) and can_be_boxed(tree, name):
            box(tree, name)
    return tree


def box(function: Any, name: str) -> None:
    """Keep one name of ``function`` in a container, there and in the inner functions that mean it."""
    given = name in [p.id for p in parameters_of(function)]
    first = gast.Dict([gast.Constant(name, None)], [named(name)]) if given else gast.Dict([], [])
    made = gast.Assign([named(held(name), gast.Store())], first, None)
    at = 1 if gast.get_docstring(function) is not None else 0
    made = gast.fix_missing_locations(gast.copy_location(made, function.body[0]))
    Boxing(name).scope(function)
    function.body.insert(at, made)


def held(name: str) -> str:
    return f"{name}.box"


def named(name: str, ctx: Any = None) -> Any:
    return gast.Name(name, ctx or gast.Load(), None, None)


class Boxing(gast.NodeTransformer):  # type: ignore[misc]
    """Writes ``name.box["name"]`` for a name, wherever a scope means it."""

    def __init__(self, name: str) -> None:
        self.name, self.count = name, 0

    def scope(self, function: Any) -> None:
        """Rewrite the body of a function; its defaults belong to the scope around it."""
        body = function.body if isinstance(function.body, list) else [function.body]
        made = [s for statement in body for s in as_list(self.visit(statement))]
        function.body = made if isinstance(function.body, list) else made[0]

    def visit_Name(self, node: Any) -> Any:
        if node.id != self.name:
            return node
        item = gast.Subscript(named(held(node.id)), gast.Constant(node.id, None), node.ctx)
        return gast.fix_missing_locations(gast.copy_location(item, node))

    def visit_FunctionDef(self, node: Any) -> Any:
        around = [node.args.defaults, node.args.kw_defaults, getattr(node, "decorator_list", [])]
        for parts in around:
            parts[:] = [p if p is None else self.visit(p) for p in parts]
        if self.name not in own_names(node):
            self.scope(node)
        return node

    visit_Lambda = visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Nonlocal(self, node: Any) -> Any:
        node.names = [n for n in node.names if n != self.name]
        return node if node.names else gast.copy_location(gast.Pass(), node)

    def visit_For(self, node: Any) -> Any:
        """A loop binds a name of its own first: an item of a container is no target of a loop."""
        stored = self.name in names_in(node.target)
        target = node.target
        self.generic_visit(node)
        if stored:
            self.count += 1  # what another loop goes over may be of another kind
            fresh = named(f"{self.name}.{self.count}", gast.Store())
            given = gast.Assign([node.target], named(fresh.id), None)
            node.target = gast.copy_location(fresh, target)
            node.body = [gast.fix_missing_locations(gast.copy_location(given, target)), *node.body]
        return node

    def visit_AnnAssign(self, node: Any) -> Any:
        self.generic_visit(node)
        node.simple = int(isinstance(node.target, gast.Name))
        return node


def as_list(made: Any) -> list[Any]:
    return made if isinstance(made, list) else [made]


# -- which names ------------------------------------------------------------------------


def can_be_boxed(function: Any, name: str) -> bool:
    """Whether every place that binds a name can bind an item instead."""
    return all(name not in bound_otherwise(node) for node in nodes(function))


def bound_otherwise(node: Any) -> list[str]:
    """The names that a node binds other than by an assignment or a loop."""
    if isinstance(node, (gast.NamedExpr, gast.comprehension)):
        return names_in(node.target)
    if isinstance(node, gast.Delete):
        return names_in(*node.targets)
    if isinstance(node, gast.withitem):
        return names_in(node.optional_vars)
    if isinstance(node, gast.ExceptHandler):
        return names_in(node.name)
    if isinstance(node, (gast.FunctionDef, gast.ClassDef, gast.MatchAs, gast.MatchStar)):
        return [node.name]
    if isinstance(node, gast.MatchMapping):
        return [node.rest]
    if isinstance(node, (gast.Import, gast.ImportFrom)):
        return [(a.asname or a.name).partition(".")[0] for a in node.names]
    return []


def names_in(*parts: Any) -> list[str]:
    """The names in nodes (or in None, where there is none)."""
    found = (n for part in parts if part is not None for n in nodes(part))
    return [n.id for n in found if isinstance(n, gast.Name)]


def parameters_of(function: Any) -> list[Any]:
    spec = function.args
    found = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg]
    return [p for p in found if p is not None]


def scope_of(function: Any) -> Iterator[Any]:
    """The nodes of a function's own scope."""
    todo = list(function.body if isinstance(function.body, list) else [function.body])
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, SCOPES):
            todo += children(node)


def functions_in(function: Any) -> Iterator[Any]:
    yield from (n for n in scope_of(function) if isinstance(n, FUNCTIONS))


def outside_of(function: Any) -> set[str]:
    """What a function says is not its own."""
    kinds = (gast.Nonlocal, gast.Global)
    return {n for node in scope_of(function) if isinstance(node, kinds) for n in node.names}


def own_names(function: Any) -> set[str]:
    """The names that belong to a function: its parameters, and what it binds."""
    found = {p.id for p in parameters_of(function)}
    found |= {
        n.id for n in scope_of(function) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)
    }  # fmt: skip
    return found - outside_of(function)


def declared_below(function: Any) -> Iterator[str]:
    """The names that inner functions say are of a scope around them."""
    for inner in functions_in(function):
        declared = [n for n in scope_of(inner) if isinstance(n, gast.Nonlocal)]
        yield from (name for node in declared for name in node.names)
        yield from (n for n in declared_below(inner) if n not in own_names(inner))
