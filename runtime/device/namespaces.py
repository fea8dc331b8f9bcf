"""NumPy and SciPy to what runs on the device: a function goes where its arguments lie."""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
import types
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..arrays.libraries import cupy
from ..batching.batched_array import BatchedArray
from ..errors import UnsupportedOperation
from ..objects.own_attributes import own_attribute
from .adapted import CREATING, INSTEAD, METHODS, has_device

__all__ = [
    "Following",
    "Namespace",
    "check_names",
    "lacking",
    "namespace_of",
    "on_device",
    "operands_of",
]

LIBRARIES = ("numpy", "scipy")


class Namespace:
    """A module of NumPy's or SciPy's, and the module of CuPy's with the same functions (None: it has no such module)."""

    def __init__(self, host: Any, device: Any) -> None:
        self.host, self.device, self.library = host, device, cupy()

    def __getattr__(self, name: str) -> Any:
        value = self.found(name, f"{self.host.__name__}.{name}")
        setattr(self, name, value)
        return value

    def found(self, name: str, whole: str) -> Any:
        host = getattr(self.host, name)
        if isinstance(host, types.ModuleType):
            return namespace_of(host)
        device = INSTEAD.get(whole) or getattr(self.device, name, None)
        if host is np.ndarray:
            return device, host  # what `isinstance` is asked about: of either library
        if whole in CREATING:
            return device
        if not callable(host):
            return host if device is None else device
        if is_plain_type(host):
            return host
        return Following(whole, host, device)

    def has(self, name: str) -> bool:
        """Is there anything for this name on the device?"""
        host = getattr(self.host, name)
        if isinstance(host, types.ModuleType):
            return device_module(host.__name__) is not None
        whole = f"{self.host.__name__}.{name}"
        return (
            whole in INSTEAD
            or hasattr(self.device, name)
            or not callable(host)
            or is_plain_type(host)
        )

    def is_ours(self, name: str) -> bool:
        """Does CuPy lack it, and is there a function of ours instead?"""
        return f"{self.host.__name__}.{name}" in INSTEAD and not hasattr(self.device, name)

    def __repr__(self) -> str:
        return f"<{self.host.__name__} on the device>"


class Following:
    """A function that follows its arguments: CuPy's where one of them lies on the device, else the host's.

    What helpers compute of axes and lengths stays on the host, and is waited for by nobody.
    """

    def __init__(self, whole: str, host: Any, device: Any) -> None:
        self.whole, self.host, self.device = whole, host, device
        self.__name__ = whole.rpartition(".")[2]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not (has_device(args) or has_device(kwargs.values())):
            found = self.host(*args, **kwargs)
            return found[()] if isinstance(found, np.ndarray) and not found.ndim else found
        if any(type(x) is BatchedArray for x in args):  # which answers NumPy
            return self.host(*args, **kwargs)
        if self.device is None:
            raise lacking(self.whole)
        check_names(self.whole, self.device, kwargs)
        return self.device(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        """A method of a ufunc's."""
        if name.startswith("__"):
            raise AttributeError(name)
        host, whole = getattr(self.host, name), f"{self.whole}.{name}"
        if not callable(host):
            return host
        value = Following(whole, host, METHODS.get(whole) or getattr(self.device, name, None))
        setattr(self, name, value)
        return value

    def __repr__(self) -> str:
        return f"<{self.whole} where its arguments lie>"


def lacking(whole: str) -> UnsupportedOperation:
    return UnsupportedOperation(
        f"CuPy {cupy().__version__} has no `{whole}`",
        fix="write it with functions that CuPy has, or differentiate it on the host: x.get() brings an array there",
    )


def check_names(whole: str, device: Any, names: Iterable[str]) -> None:
    """Refuse a call with an option that CuPy's function does not have."""
    known = options_of(device) if names else None
    strangers = [] if known is None else sorted(set(names) - known)
    if strangers:
        raise UnsupportedOperation(
            f"CuPy {cupy().__version__} has `{whole}` without `{strangers[0]}=`",
            fix="leave the option out, or compute it on the host",
        )


@functools.cache
def options_of(device: Any) -> frozenset[str] | None:
    """The names that a function takes; None if nobody knows."""
    if isinstance(device, cupy().ufunc):
        return frozenset({"out", "dtype", "casting"})
    try:
        found = inspect.signature(device).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(one.kind == one.VAR_KEYWORD for one in found):
        return None
    return frozenset(one.name for one in found)


# The names that CuPy's functions have for an array, where they take no number for one: the first, and one behind it.
FIRST = {"a", "arr", "array", "ary", "filt", "input", "m", "v", "x", "y"}
BEHIND = {"b", "v"}
JOINED = {"arrays", "tup"}


@functools.cache
def operands_of(device: Any) -> tuple[list[int], list[int]]:
    """Which arguments of a function must be arrays of the device, and which lists of them; a ufunc takes numbers."""
    if device is None or isinstance(device, cupy().ufunc):
        return [], []
    try:
        names = list(inspect.signature(device).parameters)
    except (TypeError, ValueError):
        return [], []
    alone = [k for k, name in enumerate(names) if name in (BEHIND if k else FIRST)]
    return alone, [k for k, name in enumerate(names) if name in JOINED]


def is_plain_type(value: Any) -> bool:
    """True of exceptions and types of numbers, which are no library's arrays."""
    plain = (Exception, np.generic, np.dtype, np.errstate)
    return isinstance(value, type) and issubclass(value, plain)


NAMESPACES: dict[str, Namespace] = {}


def namespace_of(host: Any) -> Namespace:
    """A module of NumPy's or SciPy's as it is on the device."""
    made = NAMESPACES.get(host.__name__)
    if made is None or made.library is not cupy():
        made = NAMESPACES[host.__name__] = Namespace(host, device_module(host.__name__))
    return made


def device_module(name: str) -> Any:
    library, _, rest = name.partition(".")
    whole = f"{'cupy' if library == 'numpy' else 'cupyx.scipy'}{rest and '.'}{rest}"
    try:
        return importlib.import_module(whole)
    except ImportError:
        return None


def on_device(value: Any) -> Any:
    """What stands for a global value of this package's functions on the device."""
    if isinstance(value, types.ModuleType) and value.__name__.partition(".")[0] in LIBRARIES:
        return namespace_of(value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufc":
        return cupy().asarray(value)  # a constant, handed over once
    home = library_home(value)
    if home is not None:
        return getattr(namespace_of(importlib.import_module(home)), value.__name__)
    return value


def library_home(value: Any) -> str | None:
    """The public module of NumPy's or SciPy's that has this function by its name."""
    if not callable(value) or isinstance(value, type):
        return None
    if isinstance(value, np.ufunc):  # which say nothing of their home
        homes = ["numpy", "scipy.special"]
    else:
        parts = (own_attribute(value, "__module__") or "").split(".")
        homes = [".".join(part for part in parts if not part.startswith("_"))]
    for home in homes:
        module = sys.modules.get(home) if home.partition(".")[0] in LIBRARIES else None
        if getattr(module, own_attribute(value, "__name__", ""), None) is value:
            return home
    return None
