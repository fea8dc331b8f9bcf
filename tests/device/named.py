"""Which function of CuPy's an operation of the rule book is, read from the names of the wheel."""

from __future__ import annotations

import importlib
import types
from functools import cache
from typing import Any

import numpy as np

from retrograd.runtime.objects.homes import RUNTIME

from ..strict_cupy.names import load

__all__ = ["call_on_device", "has_name", "is_ours"]

OF_PYTHON = ("operator", "builtins", "math", "cmath", "_operator")


@cache
def places() -> dict[int, tuple[str, str]]:
    """The module and the name of every function of NumPy's and SciPy's, by its id, that CuPy has as well."""
    found: dict[int, tuple[str, str]] = {}
    for home, entries in load()["modules"].items():
        host = module_of_host(home)
        for name, entry in entries.items():
            value = getattr(host, name, None)
            if callable(value) and entry["kind"] != "module":
                found.setdefault(id(value), (home, name))
    return found


def module_of_host(home: str) -> Any:
    name = (
        home.replace("cupyx.scipy", "scipy") if "scipy" in home else home.replace("cupy", "numpy")
    )
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def is_ours(operation: Any) -> bool:
    """True of the helpers of generated code."""
    return str(getattr(operation, "__module__", "")).startswith(RUNTIME)


def has_name(operation: Any) -> bool:
    """Does CuPy have it?  Functions of Python's and our own are there anyway."""
    owner = getattr(operation, "__self__", None)
    if isinstance(owner, np.ufunc):
        return id(owner) in places() and operation.__name__ in load()["classes"]["cupy.ufunc"]
    if isinstance(operation, types.MethodType):  # of a distribution, say
        return id(owner) in places()
    if getattr(operation, "__objclass__", None) is np.ndarray:
        return operation.__name__ in load()["classes"]["cupy.ndarray"]
    if is_ours(operation) or getattr(operation, "__module__", None) in OF_PYTHON:
        return True
    return id(operation) in places()


def call_on_device(operation: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """The call itself, as a person writes it for CuPy's arrays."""
    owner = getattr(operation, "__self__", None)
    if getattr(operation, "__objclass__", None) is np.ndarray:
        found = getattr(args[0], operation.__name__)
        return found(*args[1:], **kwargs) if callable(found) else found
    if isinstance(owner, np.ufunc):
        return getattr(on_device(owner), operation.__name__)(*args, **kwargs)
    return on_device(operation)(*args, **kwargs)


def on_device(operation: Any) -> Any:
    if id(operation) not in places():
        return operation
    home, name = places()[id(operation)]
    return getattr(importlib.import_module(home), name)
