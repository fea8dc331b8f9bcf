"""Powers of Python numbers that turn complex: ``(-2.0) ** 0.5`` is, where an array gives nan.

A program that looks at the parts of what may be such a power, or gives it back, is derived as a complex one.
Where nothing makes it real again, a complex power is a complex result, and a gradient of that is an error.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from retrograd.runtime.traits.lookup import traits_of

from ..ir.operations import Apply, Function, Operand, walk
from ..ir.types import Number, kind_of
from .shapes.infer import type_of

__all__ = ["may_turn_complex"]


def may_turn_complex(functions: Iterable[Function], returned: Iterable[Operand]) -> bool:
    """True if a power of Python numbers may be complex where it matters: where its parts are looked at, or returned."""
    ops = [op for function in functions for op in walk(function.body) if isinstance(op, Apply)]
    if not any(is_root(op) for op in ops):
        return False
    looked = (v for op in ops if is_part(op) for v in op.args[:1])
    return any(kind_of(type_of(v)) is None for v in (*looked, *returned))


def is_part(op: Apply) -> bool:
    if op.fn is getattr:
        return op.args[1:] in (("real",), ("imag",))
    return traits_of(op.fn).for_complex is True


def is_root(op: Apply) -> bool:
    """A power of Python numbers of which it is not known that it is real."""
    plain = all(isinstance(type_of(v), Number) or kind_of(type_of(v)) is None for v in op.args[:2])
    power = traits_of(op.fn).ufunc is np.power and op.fn is not np.power
    power = power and type(getattr(op.args[1], "value", None)) is not int
    return power and plain and kind_of(op.result.type) is None
