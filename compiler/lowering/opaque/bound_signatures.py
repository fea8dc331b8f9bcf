"""``signature(f).bind(x, y)``: which argument is which parameter's is known while the program is compiled."""

from __future__ import annotations

import inspect
from typing import Any

import gast

from retrograd.runtime.errors import UnsupportedSyntax
from retrograd.runtime.replacements.signatures import BoundArguments

from ...ir.containers import Pack
from ...ir.operations import Const
from ..interface.lowerer import Lowerer
from ..nodes import Node
from .opaque_calls import named

__all__ = ["bound"]

BINDS = ("bind", "bind_partial")


def bound(
    lowerer: Lowerer,
    base: Node,
    name: str,
    args: list[Node],
    kwargs: dict[str, Node],
    node: gast.AST,
) -> Node | None:
    """The arguments by their names, if ``base`` is a signature that is known; None if it is not."""
    if name not in BINDS:
        return None
    signature = base.value if isinstance(base, Const) else lowerer.objects_now.known(base)
    if not isinstance(signature, inspect.Signature):
        return None
    try:
        found = getattr(signature, name)(*args, **kwargs)
    except TypeError as error:
        refused = UnsupportedSyntax(str(error), place=lowerer.scope.place(node))
        raise refused.as_python(TypeError) from None
    kinds = Pack(
        dict,
        list(signature.parameters),
        [Const(p.kind.name) for p in signature.parameters.values()],
    )
    return lowerer.construction.constructed(
        BoundArguments,
        [packed(found.arguments), kinds, defaults_of(lowerer, signature)],
        {},
        node,
    )


def defaults_of(lowerer: Lowerer, signature: inspect.Signature) -> Pack:
    """What `apply_defaults` gives those that have no argument."""
    found: dict[str, Node] = {}
    for name, parameter in signature.parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL:
            found[name] = Pack(tuple, [], [])
        elif parameter.kind is parameter.VAR_KEYWORD:
            found[name] = Pack(dict, [], [])
        elif parameter.default is not parameter.empty:
            found[name] = named(lowerer.scope.program, Const(parameter.default))
    return Pack(dict, list(found), list(found.values()))


def packed(arguments: dict[str, Any]) -> Pack:
    """A dict of nodes, those of starred parameters in containers of their own."""
    items = [whole(v) for v in arguments.values()]
    return Pack(dict, list(arguments), items)


def whole(given: Any) -> Node:
    if isinstance(given, tuple):
        return Pack(tuple, list(range(len(given))), list(given))
    return packed(given) if isinstance(given, dict) else given
