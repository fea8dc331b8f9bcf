"""A callee that the compiler refuses: called as it is, and taped where it is differentiated."""

from __future__ import annotations

import contextlib
from typing import Any

import gast

from retrograd.runtime.errors import CompileError, UnsupportedOperation, UnsupportedSyntax
from retrograd.runtime.objects.own_attributes import own_attribute

from ...ir.operations import Apply, Const, Value
from ...ir.plain_values import is_writable
from ...ir.types import Tree
from ..interface.lowerer import Lowerer
from ..interface.program import Program
from ..memory.restart import Relearn
from ..nodes import Node

__all__ = ["uncompiled"]


def uncompiled(
    lowerer: Lowerer,
    fn: Any,
    args: list[Any],
    kwargs: dict[str, Any],
    error: CompileError,
    node: gast.AST,
) -> Any:
    """The call as an operation of unknown content; ``error`` is reported only if a derivative needs it.

    It is reported at once if an argument cannot be passed at run time.
    """
    program = lowerer.scope.program
    program.refuse(fn, error)
    given = [*args, *kwargs.values()]
    if all(map(lowerer.inactive.is_inert, given)) and not any(map(is_argument_container, given)):
        with contextlib.suppress(UnsupportedOperation):
            return lowerer.inactive.call(fn, args, kwargs, node)
    elif program.attempt.leave(error):
        raise Relearn
    args = [named(program, a) for a in args]
    try:
        made = lowerer.operations.operation(
            fn, args, {k: named(program, a) for k, a in kwargs.items()}
        )
    except UnsupportedSyntax as other:
        raise error from other
    except UnsupportedOperation:
        lowerer.known_results.ask_call(fn, node)
        raise
    op = lowerer.scope.block.ops[-1]
    if isinstance(op, Apply) and op.fn is fn:
        op.style = program.name_of(fn)
    return made


def is_argument_container(node: Any) -> bool:
    """True of a list or dict of the arguments: it is opened, so that what a call writes is seen."""
    kind = node.type if isinstance(node, Value) else None
    return isinstance(kind, Tree) and kind.container in ("list", "dict")


def named(program: Program, node: Node) -> Node:
    """An object that has no literal gets a name in the text."""
    if not isinstance(node, Const) or node.text is not None or is_writable(node.value):
        return node
    if isinstance(node.value, type) and node.value.__module__ not in ("builtins", "numpy"):
        return Const(node.value, program.text_for(node.value.__name__, node.value))
    if own_attribute(node.value, "__name__") is not None:
        return node
    known = program.known_text(node.value)
    return Const(
        node.value, known or program.text_for(type(node.value).__name__.lower(), node.value)
    )
