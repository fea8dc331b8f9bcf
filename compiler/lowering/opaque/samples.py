"""What stands for the arguments of a call that is made while compiling: numbers, ranks and sizes of several kinds."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.records import dataclass

from .untouched_samples import Touches

__all__ = ["OTHERS", "UNSET", "USUAL", "Content", "Untouched", "is_same"]


@dataclass
class Content:
    """What is in a sample of an array, and how long its axes are where nobody knows: all alike, or each another."""

    number: float = 1.0
    rise: float = 0.0  # from one element to the next
    size: int = 2
    alike: bool = True
    rank: int = 2  # of what may have any
    items: int = 2  # of lists

    def array(self, dims: tuple[Any, ...], dtype: str | None, named: dict[Any, int]) -> Any:
        """An array of this, as far as its dtype has it; ``named`` are the sizes by their names."""
        sizes = tuple(n if isinstance(n, int) else self.size_of(n, named) for n in dims)
        made = np.ones(sizes, dtype or "float64")
        if made.dtype.kind not in "fc":
            return made
        steps = self.rise * np.arange(made.size).reshape(made.shape)
        return (self.number + steps).astype(made.dtype)

    def one(self, kind: str) -> Any:
        """A number of Python's."""
        number = self.number if np.isfinite(self.number) else 7.0
        made = {"f": self.number, "i": int(number), "b": number > 0, "c": complex(0.0, self.number)}
        return made[kind]

    def size_of(self, dim: Any, named: dict[Any, int]) -> int:
        key = object() if dim is None else dim
        return self.size if self.alike else named.setdefault(key, self.size + len(named))


class Untouched(Content):
    """Numbers that count who looks at them."""

    def __init__(self, touches: Touches) -> None:
        super().__init__()
        self.touches = touches

    def array(self, dims: tuple[Any, ...], dtype: str | None, named: dict[Any, int]) -> Any:
        return self.touches.array(tuple(n if isinstance(n, int) else self.size for n in dims))

    def one(self, kind: str) -> Any:
        return self.touches.number(kind)


class Unset(Content):
    """Flags that are not set."""

    def one(self, kind: str) -> Any:
        return False if kind == "b" else super().one(kind)


USUAL, UNSET = Content(), Unset()
# `x.shape == (4, 4)`, a quaternion, a twist: what asks for a size asks for a small one.
SIZES = range(1, 10)
OTHERS = (
    Content(0.0, items=1), Content(-2.5, rank=1, items=3), Content(float("nan")), Content(0.5, 1.5, 3, rank=1), Content(2.0, -0.75, 5, rank=3),
    *(Content(3.0, 0.25, size) for size in SIZES), *(Content(0.5, 1.5, size, alike=False) for size in SIZES),
)  # fmt: skip


def is_same(a: Any, b: Any) -> bool:
    """True if two samples hold the same."""
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(is_same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(is_same(v, b[k]) for k, v in a.items())
    if is_ndarray(a) or isinstance(a, np.generic):
        return bool(a.shape == b.shape and a.tobytes() == b.tobytes())
    return a is b or type(a) is type(b)
