"""The parameters of a function: what those of the differentiated one may be, and a callee's in its own names."""

from __future__ import annotations

from typing import Any

from retrograd.runtime.errors import UnsupportedSyntax
from retrograd.runtime.objects.own_signature import own_signature

from ...analyses.shapes.infer import type_of
from ...frontend.source import Source
from ...ir.containers import Pack, leaves
from ...ir.operations import Const, Value
from ...ir.types import Array, Tree, Type, rename
from ..nodes import Node
from .callee_facts import is_argument

__all__ = [
    "check_parameters",
    "copy_pack",
    "describe",
    "fresh_leaf",
    "names_and_objects",
    "stars_of",
]


def check_parameters(fn: Any, source: Source, given: dict[str, Type]) -> None:
    """``*rest`` and ``**params`` are one argument each, whose structure must be known."""
    for parameter in own_signature(fn).parameters.values():
        starred = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        if starred and not isinstance(given.get(parameter.name), Tree):
            what = (
                "(float, float)" if parameter.kind is parameter.VAR_POSITIONAL else "{'k': float}"
            )
            raise UnsupportedSyntax(
                f"it is not known which arguments `{parameter}` stands for",
                place=source.place(source.tree),
                fix=f"describe them in the signature, as in `{parameter.name}: {what}`",
            )  # fmt: skip


def stars_of(fn: Any) -> dict[str, str]:
    """How the parameters of the differentiated function are marked: ``*``, ``**``, or ``key``."""
    parameters = own_signature(fn).parameters.values()
    found: dict[str, str] = {}
    for p in parameters:
        if p.kind is p.VAR_POSITIONAL:
            found[p.name] = "*"
        elif p.kind is p.VAR_KEYWORD:
            found[p.name] = "**"
        elif "*" in found.values():
            found[p.name] = "key"
        elif p.kind is p.POSITIONAL_ONLY:
            found[p.name] = "/"
    return found if {"*", "**"} & set(found.values()) else {}


def fresh_leaf(name: str, node: Node, inward: dict[str, str], generic: bool) -> Node:
    if isinstance(node, (Value, Const)) and is_argument(node):
        return Value(name, canonical(type_of(node), inward, generic))
    return node


def copy_pack(node: Node, inert: set[Value], *tables: dict[Value, Any]) -> Node:
    """A parameter with values of its own, which the tables know as they know it."""
    if isinstance(node, Pack):
        made = Pack(node.kind, list(node.keys), [copy_pack(i, inert, *tables) for i in node.items])
        made.cell = node.cell
        return made
    if not isinstance(node, Value):
        return node
    copy = Value(node.hint, node.type)
    if node in inert:
        inert.add(copy)
    for table in tables:
        if node in table:
            table[copy] = table[node]
    return copy


def canonical(kind: Type, inward: dict[str, str], generic: bool) -> Type:
    """A type with its dimensions renamed in order of appearance."""
    if generic and isinstance(kind, Array):
        return kind.with_dims(None if kind.dims is None else (None,) * len(kind.dims))
    return rename(kind, lambda name: inward.setdefault(name, f"d{len(inward)}"))


def describe(node: Node) -> Any:
    """A hashable key, equal for argument lists of the same kind."""
    if isinstance(node, Pack):
        return (node.kind, tuple(node.keys), tuple(describe(i) for i in node.items), node.cell)
    if isinstance(node, Value):
        return node.type
    if isinstance(node, Const):
        return node.key()
    return id(node)


def names_and_objects(params: dict[str, Node]) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The names of the parameters that are values, and the objects of the module that others are."""
    values = [v for p in params.values() for v in leaves(p) if isinstance(v, Value)]
    objects = {name: p.value for name, p in params.items() if isinstance(p, Const)}
    return tuple(str(v.hint) for v in values), objects
