"""The parts of the module's objects that a kernel relies on: nobody can change them.

The text looks at an object when it runs; a kernel is made before. So the contents of a list or a set,
the attributes of an object or of a class, and their truth are left to the text.
"""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from ..loop_ir.values import Constant, Items, scalar
from ..text.host_names import host_name
from .values import Object

__all__ = ["in_library", "is_fixed", "known", "stays"]

LIBRARIES = ("builtins", "math", "numpy", "operator", "retrograd", "scipy")
PLAIN = (bool, int, float, complex, str, bytes, type(None), type(...), range, np.dtype)
CALLED = (
    types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType, np.ufunc, type(np.sum),
)  # fmt: skip


def known(value: Any) -> Any:
    """An object of the module; CuPy's functions are read as NumPy's."""
    value = host_name(value)
    if isinstance(value, (bool, int, float, complex, np.generic)) and not isinstance(
        value, np.str_
    ):
        return scalar(value)
    if type(value) is tuple:
        return Items(tuple(map(known, value)))
    return Constant(value) if stays(value) else Object(value)


def stays(value: Any) -> bool:
    """True if an object is the same for as long as it is that object.

    >>> stays("on"), stays((1, "on")), stays(np.sum), stays([1]), stays({"on"})
    (True, True, True, False, False)
    """
    kind = type(value)
    if kind in (tuple, frozenset):
        return all(map(stays, value))
    if kind is slice:
        return all(map(stays, (value.start, value.stop, value.step)))
    return isinstance(value, CALLED) or kind is type or is_fixed(value)


def is_fixed(value: Any) -> bool:
    """True if the attributes of an object stay, too: it is a library's, or a plain value."""
    if isinstance(value, types.ModuleType):
        return in_library(value.__name__)
    if isinstance(value, (type, *CALLED)):
        return in_library(getattr(value, "__module__", None) or "numpy")  # ufuncs have no module
    return type(value) in PLAIN or isinstance(value, np.dtype)


def in_library(module: str) -> bool:
    """True if what stands in a module stays: one that is not the user's."""
    return module.partition(".")[0] in LIBRARIES
