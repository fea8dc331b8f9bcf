"""Functions as values: inner functions and lambdas handed on, partial applications, bound methods.

An inner function that is only called is lowered in place.  One that leaves its frame becomes a
container: its code is the kind, what it reads from around it are the items.  So it is passed,
returned, merged and carried as any container is, and a callee is compiled once for each code.
"""

from __future__ import annotations

from typing import Any

import gast

from retrograd.runtime.errors import UnsupportedSyntax

from ...frontend.exit_queries import completed
from ...frontend.function_names import bound_in, default_nodes, free_names, reaches
from ...ir.containers import Pack, leaves
from ...ir.operations import Const, Value
from ..interface.lowerer import Lowerer
from ..iteration.mutation_during_iteration import is_iterator
from ..memory.places import hidden, is_cell
from ..nodes import (
    Applied,
    BoundConstant,
    BoundMethod,
    BoundUser,
    Code,
    Environment,
    LocalFunction,
    Node,
    Ref,
    Rest,
)
from .generator_calls import of_code

__all__ = ["Closures"]


class Closures:
    """Calls of inner functions, and what becomes of them when they are handed on."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    # -- handing on ------------------------------------------------------------------

    def handed_on(self, node: Node) -> Node:
        """A node whose functions can leave this frame."""
        if isinstance(node, LocalFunction):
            return self.closure(node)
        if isinstance(node, BoundUser):
            return self.applied(
                Const(node.function, node.function.__name__), [self.handed_on(node.base)], {}
            )
        if isinstance(node, (BoundMethod, BoundConstant)):
            return self.applied(Const(node.descriptor, node.descriptor.__name__), [node.value], {})
        if isinstance(node, Pack):
            if not any(needs_handing_on(v) for v in leaves(node)):
                return node
            made = Pack(node.kind, list(node.keys), [self.handed_on(i) for i in node.items])
            made.cell = node.cell
            return made
        return node

    def applied(self, fn: Node, args: list[Node], kwargs: dict[str, Node]) -> Pack:
        """A function given some arguments; what is handed on with it is so when it leaves its frame."""
        items = [fn, *args, *kwargs.values()]
        return Pack(Applied(len(args), tuple(kwargs)), list(range(len(items))), items)

    def closure(self, fn: LocalFunction) -> Pack:
        """An inner function with what it reads, as it is now."""
        env = self.scope.env if fn.frame == self.scope.frame else self.scope.frames[fn.frame]
        group: dict[str, LocalFunction] = {}
        captured: dict[str, Node] = {}
        self.gather(fn, env, group, captured)
        self.lowerer.lending.lend(fn.frame, [n for n in captured if not n.endswith(".box")])
        siblings = tuple((name, f.node) for name, f in group.items())
        code = Code(fn.node, fn.source, fn.python, siblings, fn.names)
        return Pack(code, list(captured), list(captured.values()))

    def gather(
        self,
        fn: LocalFunction,
        env: Environment,
        group: dict[str, Any],
        captured: dict[str, Node],
    ) -> None:
        """The functions of the same frame that ``fn`` calls, and the values that they all read."""
        for k, default in enumerate(fn.defaults):
            captured[default_name(fn.node, k)] = self.handed_on(default)
        for name in free_names(fn.node):
            found = env.get(name)
            if found is None or name in group or name in captured:
                continue
            if isinstance(found, LocalFunction) and found.frame == fn.frame:
                group[name] = found
                self.gather(found, env, group, captured)
            elif name not in bound_in(fn.node):
                captured[name] = self.handed_on(self.lowerer.cells.seen(found))

    # -- calls -----------------------------------------------------------------------

    def call_local(
        self, fn: LocalFunction, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node:
        """Lower the body of an inner function here, with its own names over ours."""
        env = self.scope.env if fn.frame == self.scope.frame else self.scope.frames[fn.frame]
        if self.is_recursive(fn, env):
            return self.call_closure(self.closure(fn), args, kwargs, node)
        params = self.bind_node(fn.node, fn.defaults, args, kwargs, node)
        own = {k: v for k, v in env.items() if not k.startswith("$")}
        if of_code(fn.node):
            return self.lowerer.generators.lazy(fn, own, params, node)
        return self.in_module(fn, own, params)

    def call_closure(
        self, pack: Pack, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node:
        """Call a function that has left its frame: a recursive one is compiled on its own."""
        self.lowerer.lending.check_kept(pack, node)
        code: Code = pack.kind
        held = dict(zip(pack.keys, pack.items, strict=True))
        count = len(default_nodes(code.node))
        defaults = [held[default_name(code.node, k)] for k in range(count)]
        params = self.bind_node(code.node, defaults, args, kwargs, node)
        if any(
            reaches(code.node, dict(code.siblings), n) for n, f in code.siblings if f is code.node
        ):
            params = {n: self.handed_on(p) for n, p in params.items()}
            captured = {n: v for n, v in held.items() if n not in params}
            return self.lowerer.calls.call_code(code, params | captured, node)
        env = {n: self.lowerer.cells.stored(v) for n, v in held.items()} | self.sibling_closures(
            code, pack
        )
        return self.in_module(code, env, params)

    def in_module(
        self, fn: Any, env: Environment, params: dict[str, Node], result: str = "$result"
    ) -> Node:
        """Lower a body in place, its global names being those of its own module."""
        saved = self.scope.in_module(fn.python, fn.source)
        try:
            return self.in_place(fn.node, env, params, fn.names, result)
        finally:
            self.scope.in_module(*saved)

    def sibling_closures(self, code: Code, pack: Pack) -> dict[str, Node]:
        return {
            name: Pack(Code(n, code.source, code.python, code.siblings, code.names), list(pack.keys), list(pack.items))
            for name, n in code.siblings
        }  # fmt: skip

    def is_recursive(self, fn: LocalFunction, env: Environment) -> bool:
        known = {n: f.node for n, f in env.items() if isinstance(f, LocalFunction)}
        return any(f is fn.node and reaches(fn.node, known, n) for n, f in known.items())

    def in_place(
        self,
        node: gast.AST,
        env: Environment,
        params: dict[str, Node],
        names: Any = frozenset(),
        result: str = "$result",
    ) -> Node:
        """Lower the body of a function here, and give what this name holds then; its frame stays, for functions it returns."""
        if self.scope.inline_depth > 25:
            raise UnsupportedSyntax(
                "functions that call each other without end", place=self.scope.place(node),
                fix="define them at module level",
            )  # fmt: skip
        self.lowerer.iterators.handed_over(node, params, node)
        params = {
            n: p if is_iterator(p) else self.lowerer.cells.stored(p) for n, p in params.items()
        }
        tree = gast.FunctionDef(**vars(node)) if isinstance(node, gast.FunctionDef) else node
        names = {*names, *bound_in(node)}
        before = self.scope.enter_call(tree, env | kept(self.scope.env) | params, names)
        if isinstance(node.body, list):
            self.lowerer.statements(completed(node.body))
            found = self.scope.env.get(result, Const(None))
        else:
            found = self.lowerer.cells.stored(self.lowerer.expression(node.body))
        now = kept(self.scope.leave_call(before))
        self.scope.env.update(now)
        return self.lowerer.cells.seen(found)

    def bind_node(
        self,
        fn: Any,
        defaults: list[Node],
        args: list[Node],
        kwargs: dict[str, Node],
        node: gast.AST,
    ) -> dict[str, Node]:
        """Bind the parameters of an inner function by its syntax tree."""
        spec = fn.args
        names = [a.id for a in [*spec.posonlyargs, *spec.args]]
        only = [a.id for a in spec.kwonlyargs]
        params = dict(zip(names, args, strict=False))
        more = list(args[len(names) :])
        rest = {k: v for k, v in kwargs.items() if k not in (*names, *only)}
        twice = [k for k in kwargs if k in params]
        params |= {k: v for k, v in kwargs.items() if k in (*names, *only)}
        optional = names[len(names) - len(spec.defaults) :]
        optional += [n for n, d in zip(only, spec.kw_defaults, strict=True) if d is not None]
        for name, default in zip(optional, defaults, strict=True):
            params.setdefault(name, default)
        left_over = (more and spec.vararg is None) or (rest and spec.kwarg is None)
        if left_over or twice or set(params) != {*names, *only}:
            raise UnsupportedSyntax(
                "missing or unknown arguments in this call", place=self.scope.place(node),
                fix="give every parameter one value",
            )  # fmt: skip
        if spec.vararg is not None:
            spread = more and isinstance(more[-1], Rest)
            whole = more[-1].whole if spread else Pack(tuple, list(range(len(more))), more)
            params[spec.vararg.id] = whole
        if spec.kwarg is not None:
            params[spec.kwarg.id] = Pack(dict, list(rest), list(rest.values()))
        return params

    def call_applied(
        self, pack: Pack, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node:
        fn, first, more = self.parts_of_applied(pack, kwargs)
        return self.lowerer.calls.call(fn, [*first, *args], more, node)

    def parts_of_applied(
        self, pack: Pack, kwargs: dict[str, Node]
    ) -> tuple[Node, list[Node], dict[str, Node]]:
        """The function of a partial application, its first arguments, and those by name beside these."""
        fn, *given = pack.items
        first, named = given[: pack.kind.count], given[pack.kind.count :]
        return fn, first, dict(zip(pack.kind.names, named, strict=True)) | kwargs


def needs_handing_on(node: Node) -> bool:
    return not isinstance(node, (Value, Const, Ref))


def kept(env: Environment) -> dict[str, Node]:
    """The contents of containers and arrays: the same in every frame."""
    return {k: v for k, v in env.items() if is_cell(k) or hidden(k)}


def default_name(node: gast.AST, k: int) -> str:
    return f"{getattr(node, 'name', 'lambda')}_default_{k}"
