"""``retrograd.autograd.grad_mode``: where operations are recorded, and where not."""

from __future__ import annotations

from retrograd.runtime.eager.graph.grad_mode import (
    _force_original_view_tracking,
    enable_grad,
    inference_mode,
    is_multithreading_enabled,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)

__all__ = [
    "_force_original_view_tracking",
    "enable_grad",
    "inference_mode",
    "is_multithreading_enabled",
    "no_grad",
    "set_grad_enabled",
    "set_multithreading_enabled",
]
