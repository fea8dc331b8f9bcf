"""Objects of SciPy behind arrays of the device: splines, trees, systems."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import counters
from ..arrays.wrapping import is_host, unwrap, wrap

__all__ = ["hosted"]


class Hosted:
    """Made from arrays of the device, gives arrays of the device."""

    _host_class: type

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._object = self._host_class(*taken(args), **taken(kwargs))
        counters.launch(type(self).__name__)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        counters.launch(type(self).__name__)
        return self._given(self._object(*taken(args), **taken(kwargs)))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        found = getattr(self._object, name)
        if not callable(found):
            return self._given(found)

        def called(*args: Any, **kwargs: Any) -> Any:
            counters.launch(f"{type(self).__name__}.{name}")
            return self._given(found(*taken(args), **taken(kwargs)))

        return called

    def _given(self, found: Any) -> Any:
        if isinstance(found, self._host_class):
            made = object.__new__(type(self))
            made._object = found
            return made
        return wrap(found)


def taken(values: Any) -> Any:
    """The arguments for the host's object, of which none may be the host's already."""
    for one in values.values() if isinstance(values, dict) else values:
        if is_host(one) and np.size(one) > 1:
            raise TypeError(f"Unsupported type {type(one)}")
    return unwrap(values)


def hosted(home: str, name: str, host: type) -> type:
    return type(name, (Hosted,), {"__module__": home, "_host_class": host})
