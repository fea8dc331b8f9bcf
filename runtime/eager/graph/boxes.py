"""Boxes of the tape that stand for tensors: each is marked with its tensor."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...tape.box import Box
from ...tape.dispatch import raw
from ..tensor.tensor import wrapped

__all__ = ["tensor", "unboxed"]


def tensor(part: Any) -> Any:
    """What an operation on boxes gave, as a tensor."""
    if type(part) is Box:
        return part._mark if part._mark is not None else wrapped(np.asarray(raw(part)))
    return wrapped(np.asarray(part))


def unboxed(leaf: Any) -> Any:
    """The tensor a box stands for."""
    return leaf._mark if type(leaf) is Box and leaf._mark is not None else leaf
