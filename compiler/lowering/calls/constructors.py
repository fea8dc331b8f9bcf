"""Objects made in the function: their classes' ``__init__`` is lowered in place, field by field."""

from __future__ import annotations

import dataclasses
import inspect
import sys
import types
from abc import ABCMeta
from typing import Any

import gast

from retrograd.runtime.arrays.libraries import ROOTS
from retrograd.runtime.errors import CompileError, UnsupportedSyntax
from retrograd.runtime.objects.container_classes import ATTRIBUTES
from retrograd.runtime.objects.homes import REPLACEMENTS
from retrograd.runtime.objects.own_attributes import home_of, own_attribute

from ...dependencies.object_reads import MISSING, after, static
from ...dependencies.simple_classes import has_second_part, source_known, stores_simply
from ...frontend.desugar import desugared
from ...frontend.source import source_of
from ...frontend.tree_nodes import nodes
from ...ir.containers import Pack
from ...ir.operations import Const, Value
from ...ir.plain_values import is_writable
from ...ir.types import Tree
from ..interface.lowerer import Lowerer
from ..library.collections_inside import stands_inside
from ..library.set_calls import given_to, is_of_sets
from ..library.set_histories import noted
from ..module_containers import is_container_constant
from ..nodes import BoundUser, Node, Nothing, Super
from .callee_facts import bind

__all__ = ["Construction", "is_plain_class"]

PLAIN = (bool, int, float, complex, str, type(None))


class Construction:
    """Calls of classes."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    def constructed(
        self, cls: type, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node | None:
        """A new object, taken apart; None if the class is not the user's."""
        if hasattr(cls, "_fields") and issubclass(cls, tuple):
            given = self.bound_fields(cls, args, kwargs, node)
            return Pack(cls, list(given), list(given.values()))
        if cls in ATTRIBUTES and not args:
            return self.lowerer.cells.anchored(Pack(cls, list(kwargs), list(kwargs.values())))
        if not is_plain_class(cls):
            return None
        init = static(cls, "__init__")
        parameters = getattr(cls, "__dataclass_params__", None)
        if parameters is not None and parameters.init and not source_known(init):
            given = self.bound_fields(cls, args, kwargs, node)
            made = self.lowerer.cells.anchored(Pack(cls, list(given), list(given.values())))
            if has_second_part(init):
                self.second_part(cls, made, node)
            return self.lowerer.cells.seen(made)
        made = self.lowerer.cells.anchored(Pack(cls, [], []))
        if isinstance(init, types.FunctionType):
            self.inlined(init, [made, *args], kwargs, node)
        self.own_defaults(cls, made, node)
        return self.lowerer.cells.seen(made)

    def own_defaults(self, cls: type, made: Node, node: gast.AST) -> None:
        """Give an object what its class says of attributes that are set later: they are its own from the beginning."""
        for name in set_later(cls, self.scope.tree):
            pack = self.lowerer.cells.seen(made)
            if name not in pack.keys:
                found = self.lowerer.attributes.attribute(pack, name, node)
                self.lowerer.cells.rewrite(pack, [*pack.keys, name], [*pack.items, found], node)

    def second_part(self, cls: type, made: Node, node: gast.AST) -> None:
        """Lower ``__post_init__``, which the ``__init__`` made by ``dataclass`` ends with."""
        post = static(cls, "__post_init__")
        if not isinstance(post, types.FunctionType):
            raise UnsupportedSyntax(
                f"the `__post_init__` of {cls.__name__} is not a method", place=self.scope.place(node),
                fix="write it as a method of one argument: def __post_init__(self): ...",
            )  # fmt: skip
        self.inlined(post, [made], {}, node)

    def bound_fields(
        self, cls: type, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> dict[str, Node]:
        """The fields of a dataclass or a named tuple, defaults filled in."""
        maker = static(cls, "__init__" if dataclasses.is_dataclass(cls) else "__new__")
        maker = own_attribute(maker, "__func__", maker)
        if isinstance(maker, types.FunctionType):
            self.scope.program.note_function(maker)
        try:
            bound = inspect.signature(cls).bind(*args, **kwargs)
        except TypeError as error:
            raise UnsupportedSyntax(str(error), place=self.scope.place(node)) from None
        fields = (
            {f.name: f for f in dataclasses.fields(cls)} if dataclasses.is_dataclass(cls) else {}
        )
        made: dict[str, Node] = {}
        for name, parameter in inspect.signature(cls).parameters.items():
            field = fields.get(name)
            if name in bound.arguments:
                made[name] = bound.arguments[name]
            elif field is not None and field.default_factory is not dataclasses.MISSING:
                made[name] = self.lowerer.calls.call(Const(field.default_factory), [], {}, node)
            else:
                plain = is_writable(parameter.default)
                text = None if plain else f"{cls.__name__}.{name}"
                made[name] = Const(parameter.default, text)
        return made

    def replaced(self, pack: Node, kwargs: dict[str, Node], node: gast.AST) -> Node:
        """``dataclasses.replace(p, a=...)``."""
        fields = {f.name: pack.get(f.name) for f in dataclasses.fields(pack.kind) if f.init}
        return self.constructed(pack.kind, [], fields | kwargs, node)

    def inlined(self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        """Lower the body of a function of a module in place."""
        if not stands_inside(fn):
            return self.in_place(fn, args, kwargs, node)
        given = given_to(self.lowerer, fn, args)
        if given is None:
            return Const(NotImplemented)
        note = noted(self.lowerer, fn, given) if is_of_sets(fn) else None
        made = self.in_place(fn, given, kwargs, node)
        return made if note is None else note(made)

    def in_place(self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        try:
            params = bind(fn, args, kwargs)
        except TypeError as error:
            raise UnsupportedSyntax(str(error), place=self.scope.place(node)) from None
        source = source_of(fn)
        self.scope.program.read(fn, source)
        saved = self.scope.in_module(fn, source)
        try:
            return self.lowerer.closures.in_place(desugared(source), {}, params)
        finally:
            self.scope.in_module(*saved)

    def taken_apart(self, node: Node) -> Node:
        """A container that came with the arguments, its entries read one by one."""
        known = node.type if isinstance(node, Value) else None
        if not isinstance(known, Tree) or (known.container == "object" and not known.keys):
            return node
        kinds = {"list": list, "tuple": tuple, "dict": dict}
        if known.container == "object":
            items = [self.lowerer.attributes.attribute(node, k, None) for k in known.keys]
            return Pack(known.cls, list(known.keys), items)
        items = [self.lowerer.subscripts.getitem(node, Const(k)) for k in known.keys]
        return Pack(kinds[known.container], list(known.keys), items)

    def as_keywords(self, node: Node) -> Node:
        """What stands behind ``**``, its entries read one by one: of the arguments, or of the module."""
        if is_container_constant(node):
            return self.lowerer.constants.constant_pack(node)
        return self.taken_apart(node)

    # -- super -----------------------------------------------------------------------

    def builtin_super(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        if len(args) == 2 and isinstance(args[0], Const) and isinstance(args[0].value, type):
            return Super(self.lowerer.cells.seen(args[1]), args[0].value)
        code = self.scope.python.__code__
        if args or "__class__" not in code.co_freevars:
            raise UnsupportedSyntax(
                "this form of `super` is not supported", place=self.scope.place(node),
                fix="write `super()` in a method",
            )  # fmt: skip
        cell = self.scope.python.__closure__[code.co_freevars.index("__class__")]
        return Super(
            self.lowerer.cells.seen(self.scope.env[code.co_varnames[0]]), cell.cell_contents
        )

    def super_attribute(self, base: Super, name: str, node: gast.AST) -> Node:

        known = base.base
        if isinstance(known, Pack):
            cls = known.kind
        elif isinstance(known, Const):
            cls = known.value if of_class(known) else type(known.value)
        else:
            cls = getattr(known.type, "cls", None)
        found = None
        if cls is not None and base.cls in cls.__mro__:
            found = after((cls, base.cls), name, None)
            self.scope.program.note(
                "super", (cls, base.cls), name, MISSING if found is None else found
            )
        if found is object.__init__:
            return Nothing()
        if isinstance(found, property) and not of_class(known):
            return self.lowerer.calls.call_user(found.fget, [known], {}, node)
        if isinstance(found, staticmethod):
            return Const(found.__func__)
        if isinstance(found, classmethod) and of_class(known):
            return BoundUser(found.__func__, known)
        if isinstance(found, types.FunctionType):
            return Const(found) if of_class(known) else BoundUser(found, known)
        raise UnsupportedSyntax(
            f"`super().{name}` is not supported", place=self.scope.place(node),
            fix="call the method of the base class by its name: Base.method(self, ...)",
        )  # fmt: skip


def set_later(cls: type, tree: Any) -> list[str]:
    """The numbers, texts and Nones of a class that its methods, or this function, may set on its objects."""
    parts = [k for k in reversed(cls.__mro__) if k is not object]
    plain = {n for k in parts for n in vars(k) if n[:2] != "__" and type(static(cls, n)) in PLAIN}
    if not plain:
        return []
    methods = [m for k in parts for m in vars(k).values() if isinstance(m, types.FunctionType)]
    found = [*nodes(tree), *(n for m in methods if source_known(m) for n in nodes(text_of(m)))]
    stored = {
        n.attr for n in found if isinstance(n, gast.Attribute) and isinstance(n.ctx, gast.Store)
    }
    shown = any(getattr(n, "attr", getattr(n, "id", None)) in ("__dict__", "vars") for n in found)
    return [] if shown else sorted(plain & stored)


def text_of(method: Any) -> Any:
    try:
        return source_of(method).tree
    except CompileError:  # it is no text of Python's
        return gast.Pass()


def of_class(node: Node) -> bool:
    """True if ``super()`` stands in a classmethod: what it is of is the class itself."""
    return isinstance(node, Const) and isinstance(node.value, type)


def is_plain_class(cls: type) -> bool:
    """True if objects of a class of the user's are made by ``__init__`` alone."""
    root = home_of(cls).partition(".")[0]
    if root in sys.stdlib_module_names and root not in ("__main__", "contextlib"):
        return False
    program = home_of(cls).startswith(REPLACEMENTS)
    ours = root == "retrograd" and not program and not dataclasses.is_dataclass(cls)
    if ours or root in ROOTS or issubclass(cls, BaseException):
        return False
    plain = static(cls, "__new__") is object.__new__
    concrete = type(cls) is type or (type(cls) is ABCMeta and not cls.__abstractmethods__)
    return concrete and plain and stores_simply(cls)
