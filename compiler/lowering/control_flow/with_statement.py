"""``with``: regions that a context manager stands around, which must let exceptions through or name them."""

from __future__ import annotations

import contextlib
import inspect
import itertools
import textwrap
import types
import warnings
from typing import Any

import gast
import numpy as np

from retrograd.runtime.errors import CompileError, UnsupportedSyntax
from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import own_attribute

from ...analyses.class_protocols import is_opaque
from ...dependencies.object_reads import static
from ...frontend import exit_queries
from ...frontend.context_managers import as_halves, entered_and_left, halves_around
from ...frontend.desugar import desugared
from ...frontend.made_nodes import hidden
from ...frontend.source import source_of
from ...ir.containers import Pack
from ...ir.operations import Block, Const, Value, With
from ..calls.callee_facts import bind
from ..calls.constructors import is_plain_class
from ..interface.lowerer import Lowerer
from ..memory.node_kinds import is_object
from ..nodes import BoundUser, Code, Node

__all__ = ["Managers", "is_quiet"]

PLAIN = (
    np.errstate, np.printoptions, contextlib.nullcontext, warnings.catch_warnings,
    contextlib.redirect_stdout, contextlib.redirect_stderr,
)  # fmt: skip
MADE = contextlib.contextmanager(lambda: iter(())).__code__  # type: ignore[attr-defined,arg-type]
LEAVES = (gast.Return, gast.Break, gast.Continue)


class Managers:
    """Lowers ``with``."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope
        self.numbers = itertools.count(1)

    def do_With(self, node: gast.AST) -> None:
        self.within(list(node.items), node)

    def within(self, items: list[Any], node: gast.AST) -> None:
        if not items:
            return self.lowerer.statements(node.body)
        item, *others = items
        if self.suppresses(item):
            return self.lowerer.statements([suppressing(item, others, node)])
        if self.follows(item, others, node):
            return None
        manager = self.lowerer.operations.operand(self.manager(item.context_expr, node))
        late = manager.type if is_opaque(manager) else None
        before = dict(self.scope.env)
        block = self.scope.enter()
        if item.optional_vars is not None:
            block.params = [entered := Value(None, late, self.scope.location(node))]
            self.lowerer.versions.made_in([entered], block)
            self.lowerer.assignment.assign(item.optional_vars, entered)
        with self.scope.program.known.given_words(words_in(item.context_expr)):
            self.within(others, node)
        self.scope.leave()
        op = With([], self.scope.location(node), manager, block, Block())
        self.scope.block.ops.append(op)
        self.scope.use(self.lowerer.branches.exported(op, before, self.scope.env, then=True))

    # -- managers that are followed --------------------------------------------------

    def follows(self, item: gast.AST, others: list[Any], node: gast.AST) -> bool:
        """Lower what a manager does, the body in its midst, where something differentiated may pass through it."""
        body = [made_within(others, node)] if others else list(node.body)
        before, back = dict(self.scope.env), self.lowerer.loops.checkpoint()
        parts: list[Node] = []
        try:
            parts += self.parts(item)
            wanted = self.concerns(parts, item)
            back()  # what it was made of was only looked at
            self.scope.use(dict(before))
            if wanted:
                self.followed(item, body, node)
                return True
        except CompileError:
            if any(map(is_object, parts)):
                raise
            # else it stays what it is, and gives nothing that is differentiated
        back()
        self.scope.use(before)
        return False

    def parts(self, item: gast.AST) -> list[Node]:
        """What a manager is, or what it is made of: its maker, whose method that is, and its arguments."""
        call = item.context_expr
        if not isinstance(call, gast.Call):
            return [self.lowerer.cells.seen(self.lowerer.expression(call))]
        fn = self.lowerer.expression(call.func)
        given = [*call.args, *(k.value for k in call.keywords)]
        given = [a.value if isinstance(a, gast.Starred) else a for a in given]
        owner = [fn.base] if isinstance(fn, BoundUser) else []
        return [fn, *map(self.lowerer.expression, given), *owner]

    def concerns(self, parts: list[Node], item: gast.AST) -> bool:
        """True unless a manager has nothing to do with what is differentiated, as far as one can see."""
        call, target = item.context_expr, item.optional_vars
        if not isinstance(call, gast.Call):
            return isinstance(parts[0], Pack)
        maker = getattr(parts[0], "value", None)
        named = isinstance(target, gast.Name) and target.id in exit_queries.read(self.scope.tree)
        made_here = isinstance(maker, type) and is_plain_class(maker)
        given = parts[1:]
        objects = any(map(is_object, given))  # taken apart: no call is given those
        return objects or not self.lowerer.inactive.are_inert(given) or (named and made_here)

    def followed(self, item: gast.AST, body: list[gast.AST], node: gast.AST) -> None:
        made, way = self.made(item.context_expr, node)
        name = hidden("manager", next(self.numbers))
        self.scope.env[name] = made
        with self.scope.program.known.given_words(words_in(item.context_expr)):
            self.lowerer.statements(way(name, item.optional_vars, body, node))
        self.scope.env.pop(name, None)

    def made(self, call: gast.AST, node: gast.AST) -> tuple[Node, Any]:
        """What a manager is made of, and how the body stands in it."""
        before, back = dict(self.scope.env), self.lowerer.loops.checkpoint()
        fn = self.lowerer.expression(call.func) if isinstance(call, gast.Call) else None
        generator = generator_of(fn)
        if generator is not None and lets_through(generator):
            return self.first_half(fn, generator, call, node), halves_around
        back()  # it is made once
        self.scope.use(before)
        made = self.lowerer.expression(call)
        found = self.lowerer.cells.seen(made)
        if isinstance(found, Pack) and isinstance(found.kind, type) and lets_through(found.kind):
            return self.lowerer.cells.anchored(made), entered_and_left
        raise not_followed(self.scope.place(node))

    def first_half(self, fn: Node, maker: Any, call: gast.AST, node: gast.AST) -> Node:
        """What a generator does before it yields."""
        generator = maker.__wrapped__
        source = source_of(generator)
        self.scope.program.read(generator, source)
        halves = as_halves(desugared(source))
        if halves is None or any(isinstance(a, gast.Starred) for a in call.args):
            raise not_followed(self.scope.place(node))
        args = [self.lowerer.expression(a) for a in call.args]
        kwargs = {k.arg: self.lowerer.expression(k.value) for k in call.keywords}
        owner = [fn.base] if isinstance(fn, BoundUser) else []
        try:
            params = bind(generator, [*owner, *args], kwargs)
        except TypeError as error:
            raise UnsupportedSyntax(str(error), place=self.scope.place(node)) from None
        return self.lowerer.closures.in_module(Code(halves, source, generator), {}, params)

    # -- managers that stay what they are --------------------------------------------

    def suppresses(self, item: gast.AST) -> bool:
        """``suppress(ValueError)``, whose exceptions are named in the text."""
        call = item.context_expr
        if not isinstance(call, gast.Call) or call.keywords or item.optional_vars is not None:
            return False
        named = call.func.value if isinstance(call.func, gast.Attribute) else call.func
        if not isinstance(named, gast.Name) or not isinstance(
            self.lowerer.expression(named), Const
        ):
            return False
        fn = self.lowerer.expression(call.func)
        if not isinstance(fn, Const) or fn.value is not contextlib.suppress:
            return False
        if any(isinstance(a, gast.Starred) for a in call.args):
            return False
        kinds = [self.lowerer.known.of(self.lowerer.expression(a)) for a in call.args]
        return len(kinds) == 1 or all(isinstance(kind, type) for kind in kinds)

    def manager(self, node: gast.AST, at: gast.AST) -> Node:
        """The manager, if it is certain to let exceptions through."""
        fn = (
            self.lowerer.expression(node.func)
            if isinstance(node, gast.Call)
            else self.lowerer.expression(node)
        )
        maker = fn.value if isinstance(fn, Const) else None
        if lets_through(maker):
            return self.managed(fn, node) if isinstance(node, gast.Call) else fn
        leave = static(maker, "__exit__") if isinstance(maker, type) else None
        generated = inspect.isgeneratorfunction(own_attribute(maker, "__wrapped__"))
        readable = generated or isinstance(leave, types.FunctionType)  # and it may swallow them
        made = self.lowerer.expression(node) if isinstance(node, gast.Call) and not readable else fn
        if self.lowerer.inactive.is_asked_late(made):
            whole = self.lowerer.inactive.operand(made)
            return self.lowerer.inactive.late(linear.letting_through, (whole,), {})
        raise UnsupportedSyntax(
            "a context manager that may swallow exceptions is not supported",
            place=self.scope.place(at), fix="write `try` and `except` with what happens then",
        )  # fmt: skip

    def managed(self, fn: Node, node: gast.AST) -> Node:
        """``manager(...)`` as an operation, whatever it is."""
        args = tuple(self.lowerer.operations.operand(self.lowerer.expression(a)) for a in node.args)
        kwargs = {
            k.arg: self.lowerer.operations.operand(self.lowerer.expression(k.value))
            for k in node.keywords
        }
        if not isinstance(fn, Const) or None in kwargs:
            return fn
        made = self.lowerer.operations.apply(fn.value, args, kwargs)
        self.lowerer.operations.last().effect = not is_plain(fn.value)
        return made


def made_within(items: list[Any], node: gast.AST) -> gast.AST:
    made = gast.With(items=items, body=node.body, type_comment=None)
    return gast.copy_location(made, node)


def not_followed(place: Any) -> UnsupportedSyntax:
    return UnsupportedSyntax(
        "a context manager that is given what is differentiated is not supported", place=place,
        fix="write what it does before and after as statements, the latter in `finally`",
    )  # fmt: skip


def generator_of(fn: Node) -> Any:
    """The maker of managers that ``contextlib.contextmanager`` made of a generator."""
    maker = fn.function if isinstance(fn, BoundUser) else getattr(fn, "value", None)
    made = isinstance(maker, types.FunctionType) and maker.__code__ is MADE
    generator = own_attribute(maker, "__wrapped__") if made else None
    return maker if inspect.isgeneratorfunction(generator) else None


def suppressing(item: gast.AST, others: list[Any], node: gast.AST) -> gast.AST:
    """``with suppress(E): ...`` as ``try: ...`` and ``except E: pass``."""
    given = item.context_expr.args
    kinds = given[0] if len(given) == 1 else gast.Tuple(elts=given, ctx=gast.Load())
    handler = gast.ExceptHandler(type=kinds, name=None, body=[gast.Pass()])
    body = [made_within(others, node)] if others else node.body
    made = gast.Try(body=body, handlers=[handler], orelse=[], finalbody=[])
    for part in (kinds, handler, handler.body[0], *body, made):
        gast.copy_location(part, node) if not hasattr(part, "lineno") else None
    return made


def words_in(call: gast.AST) -> set[str]:
    """The names and texts among the arguments of a context manager."""
    if not isinstance(call, gast.Call):
        return set()
    texts = {
        a.value for a in call.args if isinstance(a, gast.Constant) and isinstance(a.value, str)
    }
    return texts | {k.arg for k in call.keywords if k.arg is not None}


def is_plain(maker: Any) -> bool:
    return any(maker is plain for plain in PLAIN)


def is_quiet(lowerer: Lowerer, item: gast.AST) -> bool:
    """True of a manager that raises nothing itself, and leaves the same way after an exception."""
    call = item.context_expr
    if not isinstance(call, gast.Call) or item.optional_vars is not None:
        return False
    named = isinstance(call.func, (gast.Name, gast.Attribute))
    given = [*call.args, *(k.value for k in call.keywords)]
    if not named or not all(isinstance(a, gast.Constant) for a in given):
        return False
    fn = lowerer.expression(call.func)
    keywords = {k.arg: k.value.value for k in call.keywords}
    return (
        isinstance(fn, Const)
        and is_plain(fn.value)
        and can_be_entered(fn.value, [a.value for a in call.args], keywords)
    )


def can_be_entered(maker: Any, args: list[Any], kwargs: dict[str, Any]) -> bool:
    """True if one of the managers named above takes these arguments: ``np.errstate(divide="nonsense")`` does not."""
    try:
        with maker(*args, **kwargs):
            return True
    except (TypeError, ValueError, KeyError):
        return False


def lets_through(maker: Any, around: tuple[Any, ...] = ()) -> bool:
    """True if a manager, or what makes it, is certain to let exceptions through.

    ``around``: generators that this one is used in, of which that is asked already.
    """
    if maker is None or isinstance(maker, str):
        return False
    if is_plain(maker) or type(maker).__module__ == "_thread":
        return True
    wrapped = own_attribute(maker, "__wrapped__")
    if isinstance(maker, types.FunctionType) and inspect.isgeneratorfunction(wrapped):
        if any(maker is asked for asked in around):
            return True
        whole, asked = gast.walk(tree_of(wrapped)), (*around, maker)
        return not any(swallows(n, wrapped, asked) for n in whole if yields(n))
    cls = maker if isinstance(maker, type) else type(maker)
    if any(cls is plain for plain in PLAIN):
        return True
    leave = static(cls, "__exit__")
    if not isinstance(leave, types.FunctionType):
        return False
    returned = [n for n in gast.walk(tree_of(leave)) if isinstance(n, gast.Return)]
    return all(r.value is None or is_false(r.value) for r in returned)


def yields(node: gast.AST) -> bool:
    """True of a statement around the place where what stands in the ``with`` runs."""
    whole = isinstance(node, gast.Try) and bool(node.finalbody)
    body = [node] if whole else node.body if isinstance(node, (gast.Try, gast.With)) else []
    return any(
        isinstance(n, (gast.Yield, gast.YieldFrom)) for part in body for n in gast.walk(part)
    )


def swallows(node: gast.AST, generator: Any, around: tuple[Any, ...]) -> bool:
    """True if what is raised in a ``try`` or a ``with`` of a generator may end there."""
    if isinstance(node, gast.With):
        used = [getattr(i.context_expr, "func", i.context_expr) for i in node.items]
        return not all(lets_through(found_in(generator, m), around) for m in used)
    last = [handler.body[-1] for handler in node.handlers]
    leaves = [n for part in (*node.handlers, *node.finalbody) for n in gast.walk(part)]
    return any(isinstance(n, LEAVES) for n in leaves) or not all(
        isinstance(n, gast.Raise) for n in last
    )


def found_in(function: Any, node: gast.AST) -> Any:
    """What a dotted name means in the module of a function; None if it is no such name, or one of its own."""
    if isinstance(node, gast.Name):
        code = function.__code__
        own = (*code.co_varnames, *code.co_cellvars, *code.co_freevars)
        return None if node.id in own else function.__globals__.get(node.id)
    return (
        getattr(found_in(function, node.value), node.attr, None)
        if isinstance(node, gast.Attribute)
        else None
    )


def is_false(node: gast.AST) -> bool:
    return isinstance(node, gast.Constant) and not node.value


def tree_of(function: Any) -> gast.AST:
    return gast.parse(textwrap.dedent(inspect.getsource(function)))
