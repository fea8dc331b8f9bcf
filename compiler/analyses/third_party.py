"""Code of others: what belongs to the standard library, or to an installed package that is not the program's own."""

from __future__ import annotations

import collections
import enum
import functools
import sys
import types
from typing import Any

import numpy as np

from retrograd.runtime.arrays.libraries import ROOTS
from retrograd.runtime.objects.own_attributes import own_attribute

__all__ = ["CACHE", "is_object_of_others", "is_of_others", "is_of_package", "uncached"]

OURS = (
    *ROOTS,
    "retrograd",
    "builtins",
    "__main__",
    "operator",
    "_operator",
    "math",
    "cmath",
)
CACHE = functools._lru_cache_wrapper
FOLDERS = ("site-packages", "dist-packages")
PLAIN = (
    types.ModuleType, type, types.FunctionType, types.BuiltinFunctionType, types.MethodType, np.generic,
    functools.partial, collections.deque, collections.defaultdict, collections.OrderedDict, enum.Enum,
)  # fmt: skip


def is_of_others(fn: Any, program: Any) -> bool:
    """True if a function, a method or a class belongs to a package that ``program``, a function, does not belong to.

    >>> import json
    >>> is_of_others(json.loads, is_of_others), is_of_others(np.sin, is_of_others)
    (True, False)
    """
    fn = own_attribute(fn, "__func__", fn)
    root = root_of(own_attribute(fn, "__module__"))
    return root != root_of(own_attribute(program, "__module__")) and is_installed(root)


def is_of_package(fn: Any) -> bool:
    """True if a function belongs to an installed package, or to the standard library.

    >>> import json
    >>> is_of_package(json.loads), is_of_package(is_of_package)
    (True, False)
    """
    return is_installed(root_of(own_attribute(fn, "__module__")))


def uncached(fn: Any) -> Any:
    """The function that a cache of `functools` is around; any other as it is.

    >>> uncached(functools.cache(abs)), uncached(abs)
    (<built-in function abs>, <built-in function abs>)
    """
    return fn.__wrapped__ if isinstance(fn, CACHE) else fn


def is_object_of_others(value: Any, program: Any) -> bool:
    """True if an object is of such a class: no module, function, array or container.

    >>> import pathlib
    >>> is_object_of_others(pathlib.Path("a"), is_of_others), is_object_of_others(2.0, is_of_others)
    (True, False)
    """
    kind = type(value)
    if isinstance(value, PLAIN) or root_of(kind.__module__) in ("types", "operator", "itertools"):
        return False
    return is_of_others(kind, program)


def root_of(module: Any) -> str:
    return str(module or "").partition(".")[0]


@functools.cache
def is_installed(root: str) -> bool:
    """True if a package is not one that somebody works on: of the standard library, or installed."""
    if not root or root in OURS:
        return False
    if root in sys.stdlib_module_names:
        return True
    file = str(getattr(sys.modules.get(root), "__file__", "") or "")
    return any(folder in file for folder in FOLDERS)
