"""Facts about a called function: whether it computes, belongs to a library, and how it takes its arguments."""

from __future__ import annotations

import sys
import types
from typing import Any

from retrograd.runtime.arrays.libraries import ROOTS
from retrograd.runtime.errors import UnsupportedSyntax
from retrograd.runtime.objects.own_attributes import home_of, own_attribute
from retrograd.runtime.objects.own_signature import own_signature
from retrograd.runtime.rules.book import book, is_constant
from retrograd.runtime.traits.lookup import traits_of

from ...analyses.effects import is_harmless
from ...ir.containers import Pack
from ...ir.operations import Const, Value
from ...ir.plain_values import is_writable
from ...ir.primitives import Primitive
from ..memory.node_kinds import as_of_number
from ..nodes import Node, Rest

__all__ = [
    "bind",
    "is_argument",
    "is_fixed",
    "is_pure",
    "known",
    "leaves_alone",
    "not_called",
]


def known(fn: Any) -> bool:
    """True if the rule book says something about ``fn``."""
    return fn in book or is_constant(fn)


def not_called(fn: Node, place: Any) -> UnsupportedSyntax:
    """The refusal of a call of what is no known function."""
    refused = UnsupportedSyntax(
        "the function called here is not known at compile time", place=place,
        fix="call a function of the module, an inner function, or a NumPy function",
    )  # fmt: skip
    return as_of_number(refused, fn, "'{}' object is not callable")


def leaves_alone(fn: Any) -> bool:
    """Functions that do not change the lists and dicts they are given."""
    if isinstance(fn, (Primitive, type)) or known(fn) or is_pure(fn) or is_harmless(fn):
        return True
    if own_attribute(fn, "__objclass__") in (str, bytes):
        return True
    root = home_of(fn).partition(".")[0]
    return root in ("builtins", "math", "retrograd", *ROOTS) and not hasattr(fn, "__objclass__")


def is_pure(fn: Any) -> bool:
    """Functions without a rule that certainly do nothing but compute."""
    home = own_attribute(fn, "__module__")
    return home in ("_operator", "math", "_functools") or traits_of(fn).effect == "none"


def is_fixed(owner: Any) -> bool:
    """True if an object is a module whose names nobody binds anew."""
    if not isinstance(owner, types.ModuleType):
        return False
    root = owner.__name__.partition(".")[0]
    return root in (*ROOTS, "retrograd") or root in sys.stdlib_module_names


def bind(fn: Any, args: list[Node], kwargs: dict[str, Node]) -> dict[str, Node]:
    """The callee's parameters and what each gets: packs for ``*args`` and ``**kwargs``."""
    signature = own_signature(fn)
    bound = signature.bind(*args, **kwargs)
    params: dict[str, Node] = {}
    for name, parameter in signature.parameters.items():
        if name not in bound.arguments:
            if parameter.kind is parameter.VAR_POSITIONAL:
                params[name] = Pack(tuple, [], [])
            elif parameter.kind is parameter.VAR_KEYWORD:
                params[name] = Pack(dict, [], [])
            else:
                params[name] = Const(
                    parameter.default,
                    f"{fn.__name__}.{name}" if is_named_default(parameter.default) else None,
                )
            continue
        given = bound.arguments[name]
        if parameter.kind is parameter.VAR_POSITIONAL:
            spread = isinstance(given[-1], Rest)
            given = given[-1].whole if spread else Pack(tuple, list(range(len(given))), list(given))
        elif parameter.kind is parameter.VAR_KEYWORD:
            given = Pack(dict, list(given), list(given.values()))
        params[name] = given
    return params


def is_named_default(value: Any) -> bool:
    return not is_writable(value)


def is_argument(node: Node) -> bool:
    """True if a leaf is passed at run time (and not a constant the callee is made for)."""
    if not isinstance(
        node, Const
    ):  # what cannot be read is no argument: the callee may not read it
        return isinstance(node, Value)
    value = node.value
    return node.text is None and type(value) in (int, float, complex)
