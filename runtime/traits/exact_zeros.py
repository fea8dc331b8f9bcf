"""Which operations of a derivative put exact zeros into a cotangent: they are no accidents, and win over an infinite slope.

The compiler follows such zeros through a derivative (``compiler/differentiate/zero_times_inf.py``), the tape
through its sweep (``tape/graph.py``).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..helpers import linear

__all__ = ["CHOICE", "CHOICES", "NOTHING", "PLACE", "PRODUCTS", "SCATTERS", "chooses", "puts_zeros"]

CHOICES: set[Any] = {
    linear.if_above, linear.if_below, linear.if_finite, linear.if_inside, linear.if_larger,
    linear.if_none, linear.if_number, linear.if_replaced, linear.unpick, linear.unselect,
    linear.mul0, linear.div0, np.tril, np.triu,
}  # fmt: skip
SCATTERS: set[Any] = {
    linear.write,
    linear.increase,
    linear.index_add, linear.scatter, linear.scatter_along_axis, linear.put_item, linear.untake,
    linear.uncompress, linear.undiag, linear.undiagonal, linear.untrace, linear.embed,
    linear.share_ties, linear.zeros_like, np.zeros, np.zeros_like, np.diag, np.diagflat,
}  # fmt: skip  # their zeros are filled by a sum over an axis
MASKS: set[Any] = {np.isnan, np.isinf, np.isfinite, np.logical_not}
NAMES = {f.__name__ for kinds in (CHOICES, SCATTERS, MASKS, (np.where,)) for f in kinds}


PRODUCTS: set[Any] = {
    operator.matmul, np.matmul, np.dot, np.tensordot, np.einsum, np.outer, linear.matmul_pull_left,
    linear.matmul_pull_right, linear.tensordot_pull_left, linear.tensordot_pull_right,
    linear.einsum, linear.einsum_pull, np.linalg.solve,
}  # fmt: skip  # sums fill their zeros
NOTHING, PLACE, CHOICE = range(3)
SCATTERING = {f.__name__ for f in SCATTERS}


def puts_zeros(differential: Callable[..., Any], given: Mapping[str, Any]) -> int:
    """What zeros a rule puts into its tangent: none, those of places, which a sum fills, or of a choice."""
    names = NAMES.intersection(differential.__code__.co_names)
    if given.get("where") is True:
        names -= {"where"}
    if not names:
        return NOTHING
    return PLACE if names <= SCATTERING else CHOICE


def chooses(adjoint: Callable[..., Any], given: Mapping[str, Any]) -> bool:
    """Whether an emitted adjoint, of an operation with these arguments, puts zeros of a choice into what it gives.

    >>> from ..generated.adjoints import sqrt_x, sum_x, where_x
    >>> chooses(where_x, {}), chooses(sqrt_x, {}), chooses(sum_x, {"where": True})
    (True, False, False)
    """
    names = NAMES.intersection(adjoint.__code__.co_names)
    return bool(names - {"where"} if given.get("where") is True else names)
