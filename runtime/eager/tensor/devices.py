"""Where tensors are: in the main memory, and nowhere else so far."""

from __future__ import annotations

from typing import Any

__all__ = ["check_device", "device"]

CPU = "cpu"


class device:
    """Where a tensor is; any place but the main memory is refused.

    >>> device("cpu") == "cpu"
    True
    """

    def __init__(self, name: Any = CPU, index: int | None = None) -> None:
        self.type = str(getattr(name, "type", name)).partition(":")[0]
        self.index = index
        if self.type != CPU:
            raise RuntimeError(
                f"retrograd has no device {str(name)!r} here: tensors are in the main memory; leave `device` out, or "
                "say 'cpu'"
            )

    def __repr__(self) -> str:
        return f"device(type='{self.type}')"

    def __str__(self) -> str:
        return self.type

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (device, str)) and str(other) == self.type

    def __hash__(self) -> int:
        return hash(self.type)


def check_device(given: Any) -> None:
    """Refuse a place that tensors cannot be in."""
    if given is not None and not isinstance(given, device):
        device(given)
