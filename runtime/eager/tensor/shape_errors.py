"""NumPy's refusals in the words of the eager API: sizes that do not fit, axes that are not there."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

__all__ = ["axis_text", "expanded_text", "said", "sizes_text"]


def said(error: ValueError, args: Any) -> Exception:
    """The error to raise for one of NumPy's."""
    if isinstance(error, np.exceptions.AxisError):
        found = re.match(r"axis (-?\d+) is out of bounds for array of dimension (\d+)", str(error))
        return IndexError(axis_text(int(found[1]), int(found[2])) if found else str(error))
    if "could not be broadcast together" in str(error):
        shapes = [a.shape for a in args if getattr(a, "shape", None) is not None]
        return RuntimeError(sizes_text(shapes) or str(error))
    if str(error).startswith(("axes don't match array", "cannot reshape array")):
        return RuntimeError(str(error))
    return error


def axis_text(axis: int, rank: int) -> str:
    rank = max(rank, 1)
    return (
        f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got {axis})"
    )


def sizes_text(shapes: list[Any]) -> str | None:
    """The first two sizes that do not fit, from the last axis on."""
    whole: tuple[int, ...] = ()
    for shape in map(tuple, shapes):
        rank = max(len(whole), len(shape))
        a, b = (1,) * (rank - len(whole)) + whole, (1,) * (rank - len(shape)) + shape
        for k in reversed(range(rank)):
            if a[k] != b[k] and 1 not in (a[k], b[k]):
                return (
                    f"The size of tensor a ({a[k]}) must match the size of tensor b ({b[k]}) at non-singleton "
                    f"dimension {k}"
                )
        whole = tuple(n if m == 1 else m for m, n in zip(a, b, strict=True))
    return None


def expanded_text(own: tuple[int, ...], wanted: tuple[int, ...], kind: str = "") -> str | None:
    """Why a shape cannot be stretched to another."""
    if len(wanted) < len(own):
        return (
            f"expand({kind}{{{list(own)}}}, size={list(wanted)}): the number of sizes provided ({len(wanted)}) must be greater or equal to the number of "
            f"dimensions in the tensor ({len(own)})"
        )
    lead = len(wanted) - len(own)
    for k in reversed(range(len(wanted))):
        n, m = wanted[k], own[k - lead] if k >= lead else 1
        if n != m and m != 1 and n != -1:
            return (
                f"The expanded size of the tensor ({n}) must match the existing size ({m}) at non-singleton "
                f"dimension {k}.  Target sizes: {list(wanted)}.  Tensor sizes: {list(own)}"
            )
    return None
