"""Calls of libraries: what of NumPy's and SciPy's is differentiated as a program (``rules/programs.py``), what of our own is refused."""

from __future__ import annotations

import inspect
import operator
from typing import Any

import gast

from retrograd.runtime.errors import UnsupportedOperation
from retrograd.runtime.objects.class_protocols import is_sparse
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.rules.programs import program_of, remade_as

from ...ir.containers import Pack, leaves
from ...ir.operations import Const, Value
from ...ir.plain_values import is_writable
from ..interface.lowerer import Lowerer
from ..module_containers import is_container_constant
from ..nodes import Node
from ..opaque.bound_signatures import bound

__all__ = ["in_place_of"]


def in_place_of(
    lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
) -> Node | None:
    """The call of the program that stands for ``fn``; None if there is none."""
    if own_attribute(fn, "__module__") == "retrograd.transforms.check.check_grads":
        raise UnsupportedOperation(
            f"`rg.{fn.__name__}` is called inside a function that is differentiated",
            place=lowerer.scope.place(node), fix="call it outside",
        )  # fmt: skip
    program = program_of(fn)
    if isinstance(program, type):
        if not made_of_values(lowerer, program, args, kwargs):
            return None
        return lowerer.construction.constructed(program, args, kwargs, node)
    if program is not None and applies(lowerer, program, args, kwargs):
        return lowerer.calls.call_user(program, args, kwargs, node)
    if inspect.ismethod(fn) and is_sparse(type(fn.__self__)) and fn.__name__ == "dot":
        matrix = Const(fn.__self__, lowerer.scope.program.text_for("matrix", fn.__self__))
        return lowerer.expressions.binary(operator.matmul, matrix, args[0], node)
    remade, name = remade_as(fn), "__call__"
    if inspect.ismethod(fn) and isinstance(fn.__self__, inspect.Signature):
        return bound(lowerer, Const(fn.__self__), fn.__name__, args, kwargs, node)
    if remade is None and inspect.ismethod(fn):
        remade, name = remade_as(fn.__self__), fn.__name__
    if remade is None or not hasattr(remade[0], name):
        return None
    cls, parts = remade
    whole = lowerer.construction.constructed(
        cls, [], {k: part(lowerer, k, v) for k, v in parts.items()}, node
    )
    assert isinstance(whole, Pack)
    if name != "__call__":
        return lowerer.calls.call_user(getattr(cls, name), [whole, *args], kwargs, node)
    return lowerer.calls.call_container(whole, args, kwargs, node)


def applies(lowerer: Lowerer, program: Any, args: list[Node], kwargs: dict[str, Node]) -> bool:
    """True unless a program stands for some calls of a function alone, and not for these."""
    if getattr(program, "of_own", False) and any(map(is_container_constant, args)):
        return False
    if (options := getattr(program, "asked_by", None)) is not None:
        return not asks_default(lowerer, program, options, args, kwargs)
    if getattr(program, "of_values", False):
        return not all(map(lowerer.inactive.is_inert, [*args, *kwargs.values()]))
    if not getattr(program, "of_sparse", False):
        return True
    first = lowerer.cells.seen(args[0]) if args else None
    return isinstance(first, Pack) and getattr(first.kind, "__module__", "") == program.__module__


def asks_default(
    lowerer: Lowerer, program: Any, options: Any, args: list[Node], kwargs: dict[str, Node]
) -> bool:
    """True if none of these options is given, or each as it is by default."""
    parameters = inspect.signature(program).parameters
    given = dict(zip(parameters, args, strict=False)) | kwargs
    if not given.keys() <= parameters.keys():
        return True  # an error of its own
    asked = [
        (lowerer.known.of(given[name]), parameters[name].default)
        for name in options
        if name in given
    ]
    return all(found is default for found, default in asked)


def made_of_values(
    lowerer: Lowerer, program: type, args: list[Node], kwargs: dict[str, Node]
) -> bool:
    """True if an object is made of values, so that its program stands for it."""
    given = [lowerer.cells.seen(a) for a in [*args, *kwargs.values()]]
    packed = bool(given) and isinstance(given[0], Pack)
    active = any(isinstance(v, Value) for a in given for v in leaves(a))
    return active and (packed or not getattr(program, "of_tuples", False))


def part(lowerer: Lowerer, name: str, value: Any) -> Node:
    """A part of an object of a library: an array has a name."""
    if isinstance(value, tuple):
        items = [part(lowerer, name, v) for v in value]
        return Pack(tuple, list(range(len(items))), items)
    plain = is_writable(value)
    return Const(value, None if plain else lowerer.scope.program.text_for(name, value))
