"""Which operations mean of sparse matrices what their rules say of arrays."""

from __future__ import annotations

from typing import Any

from ..objects.own_attributes import home_of
from .lookup import traits_of

__all__ = ["takes_sparse"]


def takes_sparse(op: Any) -> bool:
    """True if the rule of an operation holds for sparse matrices, too: products of matrices, SciPy's own, ours."""
    home = home_of(op)
    return bool(traits_of(op).of_matrices) or home.startswith(("scipy.sparse", "retrograd"))
