"""The text of the runtime's helpers, which is read like that of the module that calls them."""

from __future__ import annotations

import ast
import functools
import inspect
import sys
import types
from typing import Any

from retrograd.runtime.objects.homes import RUNTIME
from retrograd.runtime.objects.own_attributes import home_of

__all__ = ["is_helper", "texts_of"]


def is_helper(fn: Any) -> bool:
    """A function of the runtime whose text is there."""
    return isinstance(fn, types.FunctionType) and home_of(fn).startswith(RUNTIME)


@functools.cache
def texts_of(module: str) -> dict[str, ast.FunctionDef]:
    """The functions of a module of the runtime, but for decorated ones."""
    try:
        text = inspect.getsource(sys.modules[module])
    except (OSError, KeyError, TypeError):
        return {}
    return {
        node.name: node
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef) and not node.decorator_list
    }
