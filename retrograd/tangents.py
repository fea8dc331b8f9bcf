"""Tangents that the user gives: held against their arguments, and brought to their precision."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.errors import SignatureMismatch

from .kinds import refuse_tensor
from .trees import flatten, in_order_of

__all__ = ["alike"]


def alike(name: str, x: Any, dot: Any) -> Any:
    """A tangent, which must have the structure and shape of its argument, in its precision."""
    if type(x) is type(dot) is np.ndarray and x.shape == dot.shape and x.dtype == dot.dtype:
        return dot
    from retrograd.runtime import linear  # all helpers: not before somebody has a use for them

    dot = in_order_of(x, dot)
    flat_x, tree_x = flatten(x)
    flat_dot, tree_dot = flatten(dot)
    if tree_x != tree_dot or any(
        np.shape(a) != np.shape(b) for a, b in zip(flat_x, flat_dot, strict=True)
    ):
        raise SignatureMismatch(
            f"the tangent of `{name}` has another structure or shape than `{name}`"
        )
    other = [(a, b) for a, b in zip(flat_x, flat_dot, strict=True) if not is_of_kind(a, b)]
    for a, b in other:
        check_tangent(name, a, b)
    return linear.match(dot, x) if other else dot


def is_of_kind(x: Any, dot: Any) -> bool:
    return type(x) is type(dot) and getattr(x, "dtype", None) == getattr(dot, "dtype", None)


def check_tangent(name: str, x: Any, dot: Any) -> None:
    """Refuse what would be lost: an imaginary part, or what is no number."""
    refuse_tensor(x, name)
    refuse_tensor(dot, name)
    kind = np.asarray(dot).dtype.kind
    if dot is not None and kind not in "biufc":
        raise SignatureMismatch(f"the tangent of `{name}` is no number: {dot!r}")
    if kind == "c" and not np.iscomplexobj(x) and np.any(np.imag(dot)):
        raise SignatureMismatch(f"the tangent of `{name}` is complex, and `{name}` is real")
