"""Dtypes that are known when the function runs: those of floats, since whole numbers keep nothing of what is written."""

from __future__ import annotations

import itertools
from typing import Any

from retrograd.runtime.helpers import linear
from retrograd.runtime.rules.book import is_constant

from ...analyses.class_protocols import is_stranger
from ..interface.lowerer import Lowerer
from ..nodes import Node
from .writing_calls import by_name, is_numpy

__all__ = ["with_dtype"]


def with_dtype(
    lowerer: Lowerer, fn: Any, args: list[Node], kwargs: dict[str, Node]
) -> tuple[list[Node], dict[str, Node]]:
    """The arguments of what makes an array to write into, or of what is active: its dtype is one of floats."""
    given = [*args, *kwargs.values()]
    if not any(map(is_stranger, given)) or not is_numpy(fn):
        return args, kwargs
    if lowerer.inactive.are_inert(given) and not is_constant(fn):
        return args, kwargs
    names = list(by_name(fn, args))
    args = [
        float_dtype(lowerer, a) if name == "dtype" else a
        for name, a in itertools.zip_longest(names, args)
    ]
    return args, {k: float_dtype(lowerer, a) if k == "dtype" else a for k, a in kwargs.items()}


def float_dtype(lowerer: Lowerer, node: Node) -> Node:
    if not is_stranger(node):
        return node
    return lowerer.operations.apply(linear.float_dtype, (node,), {})
