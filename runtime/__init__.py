"""What generated code and eager tensors run on: ``from retrograd import runtime as rt``.

The helpers are imported when the first one is asked for: most generated code needs none.
"""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    if name.startswith("__") and name != "__all__":
        raise AttributeError(name)
    from importlib import import_module

    if name == "expects":
        found = globals()[name] = import_module(".expectations", __name__).expects
        return found
    linear = import_module(".linear", __name__)
    if name == "__all__":
        return ["expects", *linear.__all__]
    if name not in linear.__all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(linear, name)
    return found
