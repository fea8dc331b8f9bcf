"""Hashable keys of operands: equal keys mean equal values."""

from __future__ import annotations

from typing import Any

from .operations import Const, Operand

__all__ = ["key"]


def key(operand: Operand) -> Any:
    if isinstance(operand, Const):
        return operand.key()
    if isinstance(operand, (tuple, list)):
        return (type(operand), *[key(o) for o in operand])
    if isinstance(operand, dict):
        return tuple((k, key(o)) for k, o in operand.items())
    if isinstance(operand, slice):
        return (slice, key(operand.start), key(operand.stop), key(operand.step))
    return operand
