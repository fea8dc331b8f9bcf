"""The eager API by name: ``import retrograd as torch`` finds tensors, their functions and types here."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import FunctionType
from typing import Any

from retrograd.habits import ELSEWHERE
from retrograd.scope import instead, missing

__all__ = ["member", "named"]


def named(name: str) -> Any:
    """The value of ``retrograd.<name>``, if the eager API has it."""
    if name in PARTS:
        return import_module(f"retrograd.{name}")
    known = not name.startswith("_") and instead(name) is None and name not in ELSEWHERE
    if known and find_spec(f"retrograd.{name}") is None:  # no module of ours
        found = lookup(name)
        if found is not MISSING:
            return found
    raise missing("retrograd", name)


MISSING = object()
PARTS = (
    "_C",
    "backends",
    "cuda",
    "distributions",
    "fft",
    "linalg",
    "mps",
    "nn",
    "optim",
    "sparse",
    "special",
    "utils",
    "xpu",
)  # modules that load when named


@cache
def member(space: str, name: str) -> Any:
    """The value of ``retrograd.<space>.<name>``."""
    from retrograd.runtime.eager.api import SPACES
    from retrograd.runtime.eager.tensor.overrides import overridable

    if name in SPACES[space]:
        found = SPACES[space][name]
        return overridable(found, f"{space}.") if isinstance(found, FunctionType) else found
    raise AttributeError(f"module 'retrograd.{space}' has no attribute {name!r}")


def lookup(name: str) -> Any:
    from retrograd.runtime.eager.api import FUNCTIONS, Size, Tensor
    from retrograd.runtime.eager.graph import grad_mode
    from retrograd.runtime.eager.observe import anomaly_mode, operators
    from retrograd.runtime.eager.sparse.layouts import LAYOUTS, layout
    from retrograd.runtime.eager.tensor import devices, dtypes, memory_formats, printing
    from retrograd.runtime.eager.tensor.overrides import overridable
    from retrograd.runtime.eager.warned import is_warn_always_enabled, set_warn_always

    own = {
        "Tensor": Tensor, "Size": Size, "device": devices.device, "dtype": dtypes.dtype,
        "set_printoptions": printing.set_printoptions, "set_default_dtype": dtypes.set_default_dtype,
        "finfo": dtypes.finfo, "iinfo": dtypes.iinfo, "get_default_dtype": default_dtype,
        "layout": layout, "ops": operators.ops, "set_warn_always": set_warn_always, "is_warn_always_enabled": is_warn_always_enabled,
        "promote_types": lambda a, b: dtypes.of(dtypes.promote(a.dtype, b.dtype)),
        "result_type": lambda *xs: dtypes.of(dtypes.result_type([getattr(x, "_array", x) for x in xs])),
    }  # fmt: skip
    if name in own:
        return own[name]
    if name in memory_formats.FORMATS:
        return memory_formats.FORMATS[name]
    if name in LAYOUTS:
        return LAYOUTS[name]
    if name in FUNCTIONS:
        found = FUNCTIONS[name]
        return overridable(found) if isinstance(found, FunctionType) else found
    if name in grad_mode.__all__ and name != "modes":
        return getattr(grad_mode, name)
    if name in ("is_anomaly_enabled", "is_anomaly_check_nan_enabled"):
        return getattr(anomaly_mode, name)
    try:
        return dtypes.named(name)
    except KeyError:
        return MISSING


def default_dtype() -> Any:
    from retrograd.runtime.eager.tensor import dtypes

    return dtypes.of(dtypes.default())
