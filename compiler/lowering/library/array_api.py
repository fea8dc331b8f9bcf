"""Functions of the array API's compatibility layer around NumPy: NumPy's own, which mean the same."""

from __future__ import annotations

import sys
import types
from typing import Any

import numpy as np

from retrograd.runtime.objects.own_attributes import home_of
from retrograd.runtime.rules.book import book, is_constant

from ...ir.operations import Const
from ..nodes import Node
from .numpy_rewrites import has_form

__all__ = ["called_in_numpy", "in_numpy"]

LAYER = "array_api_compat"
PARTS = ("", "linalg", "fft")
OF_MORE = {("linalg", "outer"): np.outer}  # `np.linalg.outer` takes vectors only


def called_in_numpy(
    fn: Any, args: list[Node], kwargs: dict[str, Node]
) -> tuple[Any, list[Node], dict[str, Node]]:
    """A call of the layer as one of NumPy; ``np.clip`` wants both bounds by position, or none."""
    found = in_numpy(fn)
    if found is not fn and found is np.clip and len(args) == 2:
        return (
            found,
            [*args, kwargs.get("max", Const(None))],
            {k: v for k, v in kwargs.items() if k != "max"},
        )
    return found, args, kwargs


def in_numpy(fn: Any) -> Any:
    """NumPy's function of the same name, if this is the layer's for NumPy; else the function itself.

    Libraries carry copies of the layer: ``scipy._lib.array_api_compat.numpy.clip`` is ``np.clip``, too.
    """
    if not isinstance(fn, types.FunctionType):
        return fn
    before, layer, _ = home_of(fn).partition(LAYER)
    if not layer:
        return fn
    for part in PARTS:
        module = sys.modules.get(".".join(filter(None, [f"{before}{LAYER}.numpy", part])))
        name = fn.__name__
        if module is not None and vars(module).get(name) is fn:
            same = getattr(getattr(np, part) if part else np, name, None)
            found = OF_MORE.get((part, name), same)
            return found if is_known(found) else fn
    return fn


def is_known(fn: Any) -> bool:
    """True if the compiler knows what a function of NumPy's does."""
    return callable(fn) and (fn in book or is_constant(fn) or has_form(fn))
