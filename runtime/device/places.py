"""Where arrays are, and what computes there: for each function of NumPy's and this package's the one that takes them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType, GetSetDescriptorType, MethodDescriptorType
from typing import Any

import numpy as np

from ..arrays.libraries import CUPY, cupy, is_cupy
from ..batching.batch import batch_of
from ..batching.batched_array import memory_of
from . import copied_helpers  # noqa: F401  (what stands for helpers is entered)
from .copies import copied

__all__ = [
    "HOST",
    "TO_HOST",
    "Place",
    "is_far",
    "place_among",
    "place_of",
    "twin_at",
    "twin_for",
]

TO_HOST = "compute it in the main memory: `t.cpu()` of a tensor, `cupy.asnumpy(x)` of an array"


class Place:
    """A library of arrays: its class of arrays, and its function for one of the host (`twin`)."""

    __slots__ = ("as_array", "known", "ndarray", "zeros")

    def __init__(self, library: Any, as_array: Callable[..., Any]) -> None:
        self.ndarray, self.zeros, self.as_array = library.ndarray, library.zeros, as_array
        self.known: dict[Any, Any] = {}

    def twin(self, function: Any) -> Any:
        return function


class OnCupy(Place):
    """The device."""

    __slots__ = ()

    def twin(self, function: Any) -> Any:
        try:
            return self.known[function]
        except KeyError:
            found = self.known[function] = on_device(function)
            return found
        except TypeError:  # not hashable
            return function


HOST = Place(np, np.asarray)
DEVICES: dict[Any, OnCupy] = {}  # by library, which tests exchange


def on_device(function: Any) -> Any:
    """CuPy's function, or the copy of this package's in which NumPy is CuPy; other people's are their own."""
    if isinstance(function, (MethodDescriptorType, GetSetDescriptorType)):
        own = function.__objclass__ is np.ndarray
        return getattr(cupy().ndarray, function.__name__) if own else function
    owner = getattr(function, "__self__", None)
    if isinstance(function, BuiltinFunctionType) and isinstance(owner, np.ufunc):
        return getattr(on_device(owner), function.__name__)
    return copied(function)


def device() -> OnCupy:
    library = cupy()
    found = DEVICES.get(library)
    if found is None:
        found = DEVICES[library] = OnCupy(library, library.asarray)
    return found


def place_of(array: Any) -> Place:
    """The place of an array; numbers are of the host."""
    return device() if is_cupy(array) else HOST


def place_among(tree: Any) -> Place:
    """The device, if an argument is there (or what is in a tuple, a list or a dict of them)."""
    return device() if has_cupy(tree) else HOST


def twin_for(function: Any, *arguments: Any) -> Any:
    """The function that computes where its arguments are."""
    if CUPY not in sys.modules:
        return function
    return twin_at(place_among(arguments), function, *arguments)


def twin_at(place: Place, function: Any, *arguments: Any) -> Any:
    """The function that computes there; batches compute what they are asked by NumPy's protocols themselves."""
    own = isinstance(function, FunctionType)
    return function if not own and batch_of(arguments).level else place.twin(function)


def has_cupy(tree: Any) -> bool:
    kind = type(tree)
    if kind is tuple or kind is list:
        return any(map(has_cupy, tree))
    if kind is dict:
        return any(map(has_cupy, tree.values()))
    return is_cupy(memory_of(tree))


def is_far(array: Any) -> bool:
    """True of an array of the device: whoever asks what is in it waits."""
    return type(array) is not np.ndarray and is_cupy(array)
