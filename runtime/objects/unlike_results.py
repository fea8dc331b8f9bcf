"""Results of several examples that make no batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import UnsupportedOperation
from .pytree import children

__all__ = ["refuse_unlike"]


def refuse_unlike(trees: Sequence[Any]) -> None:
    """Refuse results of which one has another shape, or another structure, than the first."""
    first, *rest = map(structure_of, trees)
    other = next((one for one in rest if one != first), None)
    if other is not None:
        raise UnsupportedOperation(
            f"the examples of a batch give no one result: {first}, and {other}",
            fix="let all examples give the same shapes and structures, or call the function for each example",
        )


def structure_of(tree: Any) -> str:
    """What makes one batch if all examples have it, in words."""
    inner = children(tree)
    if inner is not None:
        return (
            f"{type(tree).__name__}({', '.join(f'{key}: {structure_of(x)}' for key, x in inner)})"
        )
    if np.ndim(tree):
        return f"an array of the shape {np.shape(tree)}"
    return "nothing" if tree is None else "a value"
