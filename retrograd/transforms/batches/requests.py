"""What the compiler is asked for a batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrograd.compiler.ir.batch_axes import Found, spread_out

__all__ = ["batch_of", "differentiated"]


def differentiated(chain: Sequence[Any]) -> set[int] | None:
    """The parameters that are differentiated; None for any: of a batch nothing stays a call."""
    if not chain or any(step.kind == "vmap" for step in chain):
        return None
    return {place.at for step in chain for place in step.wrt}


def batch_of(function: Any, found: Found) -> Any:
    """What a batch is of, for the parameters that the function has by now."""
    from retrograd.compiler.differentiate.batching.batch_request import Batch

    size = found.sizes[0][2] if found.sizes else None
    return Batch(*spread_out(found.axes, function), size)
