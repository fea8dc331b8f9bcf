"""The runtime of generated code and eager tensors: ``from retrograd import runtime as rt``.

A family of helpers is imported when one of its names is asked for: most generated code needs few.
"""

from __future__ import annotations

from typing import Any

from .helper_index import HOMES

CALL_BACK = ("solvers.implicit", "solvers.refinement", "tape.calls")


def __getattr__(name: str) -> Any:
    if name.startswith("__") and name != "__all__":
        raise AttributeError(name)
    from importlib import import_module

    if name == "__all__":  # what can be taken along in a file; the others call back into us
        return [known for known, home in HOMES.items() if home not in CALL_BACK]
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f".{HOMES[name]}", __name__), name)
    return found
