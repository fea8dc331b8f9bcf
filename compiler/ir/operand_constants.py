"""The constants in an operand, beside `values_in`."""

from __future__ import annotations

from collections.abc import Iterator

from .operations import Const, Operand

__all__ = ["constants_in"]


def constants_in(operand: Operand) -> Iterator[Const]:
    """The constants in an operand, in order.

    >>> a, b = Const(1, "a"), Const(2, "b")
    >>> list(constants_in((slice(a, None), {"k": [b]}))) == [a, b]
    True
    """
    if isinstance(operand, Const):
        yield operand
    elif isinstance(operand, (tuple, list)):
        for item in operand:
            yield from constants_in(item)
    elif isinstance(operand, dict):
        yield from constants_in(list(operand.values()))
    elif isinstance(operand, slice):
        yield from constants_in((operand.start, operand.stop, operand.step))
