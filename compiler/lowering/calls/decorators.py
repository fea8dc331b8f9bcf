"""Decorators of inner functions: each is a call, but for those that give back what computes the same."""

from __future__ import annotations

import functools
from typing import Any

import gast
import numpy as np

from retrograd.runtime.objects.own_attributes import home_of, own_attribute

from ...ir.operations import Const
from ..interface.lowerer import Lowerer
from ..nodes import Node

__all__ = ["decorated"]

SAME = {functools.wraps, functools.lru_cache, functools.cache}
COMPILERS = {"jit", "njit"}  # of numba, which is not imported for this


def decorated(lowerer: Lowerer, node: gast.AST) -> Node:
    """An inner function with its decorators applied, the nearest first."""
    made: Node = lowerer.calls.local_function(node)
    for decorator in reversed(node.decorator_list):
        made = applied(lowerer, decorator, made)
    return made


def applied(lowerer: Lowerer, decorator: gast.AST, made: Node) -> Node:
    inner = decorator.func if isinstance(decorator, gast.Call) else decorator
    fn = lowerer.expression(inner)
    if isinstance(fn, Const):
        if computes_the_same(fn.value):
            return made
        if is_of_numba(fn.value, {"vectorize"}):
            return lowerer.calls.call(Const(np.vectorize, "np.vectorize"), [made], {}, decorator)
    return lowerer.calls.call(lowerer.expression(decorator), [made], {}, decorator)


def computes_the_same(fn: Any) -> bool:
    try:
        return fn in SAME or is_of_numba(fn, COMPILERS)
    except TypeError:  # not hashable
        return False


def is_of_numba(fn: Any, names: set[str]) -> bool:
    home = home_of(fn).partition(".")[0]
    return home == "numba" and own_attribute(fn, "__name__") in names
