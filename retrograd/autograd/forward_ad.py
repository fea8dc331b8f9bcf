"""``retrograd.autograd.forward_ad``: tensors that carry a tangent."""

from __future__ import annotations

from typing import Any

from retrograd.runtime.eager.graph.tangents import levels
from retrograd.runtime.eager.transforms.forward_ad import (
    UnpackedDualTensor,
    dual_level,
    enter_dual_level,
    exit_dual_level,
    make_dual,
    unpack_dual,
)

__all__ = [
    "UnpackedDualTensor", "dual_level", "enter_dual_level", "exit_dual_level", "make_dual", "unpack_dual",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "_current_level":  # a number that changes
        return levels.current
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
