"""``retrograd.cuda``: there is no such device, and programs that ask are told so."""

from __future__ import annotations

from typing import Any

__all__ = [
    "current_device", "device_count", "empty_cache", "is_available", "is_initialized", "manual_seed", "manual_seed_all",
    "synchronize",
]  # fmt: skip

ABSENT = "retrograd is not built with CUDA: tensors are in the main memory; ask `cuda.is_available()` before"


def is_available() -> bool:
    """False."""
    return False


def is_initialized() -> bool:
    """False."""
    return False


def device_count() -> int:
    """None of them: 0."""
    return 0


def manual_seed(seed: int) -> None:
    """Nothing is drawn there, and so there is nothing to seed (as in PyTorch without CUDA)."""


def manual_seed_all(seed: int) -> None:
    """The same for all of them."""


def empty_cache() -> None:
    """There is none."""


def current_device() -> int:
    """Refused."""
    raise AssertionError(ABSENT)


def synchronize(device: Any = None) -> None:
    """Refused."""
    raise AssertionError(ABSENT)
