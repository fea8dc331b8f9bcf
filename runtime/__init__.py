"""What generated code and eager tensors run on: ``from retrograd import runtime as rt``.

A family of helpers is imported when one of its names is asked for: most generated code needs few.
"""

from __future__ import annotations

from typing import Any

FAMILIES = (
    "linear_core", "linear_trees", "linear_reductions", "linear_indexing", "linear_elementwise",
    "linear_writes", "linear_shaping", "linear_algebra", "linear_lists", "linear_guarded", "revolve",
    "implicit",
)  # fmt: skip  # the most used first; `linear` has them all


def __getattr__(name: str) -> Any:
    if name.startswith("__") and name != "__all__":
        raise AttributeError(name)
    from importlib import import_module

    if name == "expects":
        found = globals()[name] = import_module(".expectations", __name__).expects
        return found
    if name in ("taped", "pushed", "pulled"):
        found = globals()[name] = getattr(import_module(".tape", __name__), name)
        return found
    if name == "__all__":
        names = [
            n
            for family in ("linear", "revolve")
            for n in import_module(f".{family}", __name__).__all__
        ]
        return ["expects", *names]
    for family in (*FAMILIES, "linear"):
        module = import_module(f".{family}", __name__)
        if name in module.__all__:
            found = globals()[name] = getattr(module, name)
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
