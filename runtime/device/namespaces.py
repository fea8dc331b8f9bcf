"""NumPy and SciPy to what runs on the device: their names, and CuPy's functions."""

from __future__ import annotations

import importlib
import types
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from ..arrays.libraries import cupy
from ..arrays.transfers import is_array
from ..errors import UnsupportedOperation

__all__ = ["Namespace", "ignoring", "namespace_of", "on_device"]

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
        if whole in INSTEAD:
            return INSTEAD[whole]
        host = getattr(self.host, name)
        if isinstance(host, types.ModuleType):
            return namespace_of(host)
        if hasattr(self.device, name):
            return getattr(self.device, name)
        if not callable(host) or is_plain_type(host):
            return host
        raise UnsupportedOperation(f"CuPy {cupy().__version__} has no `{whole}`")

    def __repr__(self) -> str:
        return f"<{self.host.__name__} on the device>"


def is_plain_type(value: Any) -> bool:
    """True of exceptions and types of numbers, which are no library's arrays."""
    return isinstance(value, type) and issubclass(value, (Exception, np.generic, np.dtype))


def ignoring(**kinds: str) -> AbstractContextManager[None]:
    """``np.errstate``: nothing is said of errors on the device."""
    return nullcontext()


class OfEitherLibrary(type):
    """What `isinstance` asks for arrays: an index may be one of the host."""

    def __instancecheck__(cls, value: Any) -> bool:
        return is_array(value)


class AnyArray(metaclass=OfEitherLibrary):
    """``np.ndarray`` in tests of what something is."""


INSTEAD: dict[str, Callable[..., Any]] = {"numpy.errstate": ignoring, "numpy.ndarray": AnyArray}

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
    home = getattr(value, "__module__", None) or ""
    if callable(value) and not isinstance(value, type) and home.partition(".")[0] in LIBRARIES:
        return same_function(value, home)
    return value


def same_function(value: Any, home: str) -> Any:
    """CuPy's function for one that is read by its own name."""
    name = value.__name__
    public = ".".join(part for part in home.split(".") if not part.startswith("_"))
    return getattr(namespace_of(importlib.import_module(public)), name)
