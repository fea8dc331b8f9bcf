"""A callee that the compiler refuses: called as it is, and taped where it is differentiated."""

from __future__ import annotations

from typing import Any

from retrograd.runtime.errors import CompileError

from .ir import Apply

__all__ = ["uncompiled"]


def uncompiled(
    lowerer: Any, fn: Any, args: list[Any], kwargs: dict[str, Any], error: CompileError
) -> Any:
    """The call as an operation of unknown content; ``error`` is told if a derivative needs it."""
    lowerer.program.refuse(fn, error)
    made = lowerer.operation(fn, args, kwargs)
    op = lowerer.block.ops[-1]
    if isinstance(op, Apply) and op.fn is fn:
        op.style = lowerer.program.name_of(fn)
    return made
