"""Short answers of a tensor about itself."""

from __future__ import annotations

from typing import Any

from ...device.places import is_far
from .devices import place
from .registry import function, method
from .tensor import Tensor

__all__: list[str] = []


@method
def is_nonzero(self: Tensor) -> bool:
    return bool(self)


@function
def is_inference(input: Tensor) -> bool:
    return input.is_inference()


@method
def is_signed(self: Tensor) -> bool:
    return self._array.dtype.kind not in "bu"


@method(free=False)
def is_same_size(self: Tensor, other: Tensor) -> bool:
    return bool(self._array.shape == other._array.shape)


@method
def get_device(self: Tensor) -> int:
    """The number of the device; the main memory has none."""
    where = place(self._array)
    return -1 if where.index is None else where.index


@method
def is_pinned(self: Tensor, device: Any = None) -> bool:
    """True if the memory is the host's, and the device reads it by itself."""
    return bool(self._more is not None and self._more.get("pinned"))


def never(name: str) -> None:
    """Adds a predicate that no tensor satisfies."""

    def apply(self: Tensor) -> bool:
        return False

    apply.__name__ = apply.__qualname__ = name
    method(apply)


for _name in ("is_conj", "is_neg", "is_shared", "is_distributed"):
    never(_name)
Tensor.is_cpu = property(lambda self: not is_far(self._array))
Tensor.is_cuda = property(lambda self: is_far(self._array))
for _name in (
    "is_meta",
    "is_quantized",
    "is_mps",
    "is_xpu",
    "is_nested",
    "is_mkldnn",
):
    setattr(Tensor, _name, property(lambda self: False))
