"""One call of an operation, with random arguments: what the rule tests run."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

__all__ = ["Sample", "draw"]


@dataclass(frozen=True)
class Sample:
    """Arguments of one call.  A tuple of ints wrapped by `A` is an array to draw; the rest is passed as it is.

    ``args``: positional arguments; ``kwargs``: keywords; ``low, high``: the range arrays are drawn from;
    ``complex``: whether the call also makes sense for complex arrays; ``smooth``: False if it may not be
    compared with finite differences (integer results and the like); ``order2``: whether second order is tested;
    ``step``: False if the complex form rounds a tiny imaginary part, so that a complex step tells nothing.
    """

    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)
    low: float = -2.0
    high: float = 2.0
    complex: bool = False
    smooth: bool = True
    order2: bool = True
    step: bool = True

    def __str__(self) -> str:
        """As it is written down: the arguments, and what is not as usual."""
        usual = Sample(self.args)
        unusual = [f for f in fields(self) if getattr(self, f.name) != getattr(usual, f.name)]
        words = [f"{f.name}={getattr(self, f.name)!r}" for f in unusual]
        return f"Sample({', '.join([repr(self.args), *words])})"


@dataclass(frozen=True)
class A:
    """An array of this shape, drawn by the test; ``make`` maps the raw draw (e.g. to a well-conditioned matrix)."""

    shape: tuple[int, ...] = ()
    make: Any = None
    scalar: bool = False  # a Python float instead of a 0-d array

    def __repr__(self) -> str:
        made = f", {getattr(self.make, '__name__', self.make)}" if self.make else ""
        return f"A({self.shape}{made}{', scalar=True' if self.scalar else ''})"


def draw(x: Any, rng: np.random.Generator, low: float, high: float, dtype: Any = np.float64) -> Any:
    """Replace every `A` inside ``x`` (lists and tuples too) by random values.

    >>> draw([A((2,)), 3], np.random.default_rng(0), 0.0, 1.0)[1]
    3
    """
    if isinstance(x, (list, tuple)):
        return type(x)(draw(item, rng, low, high, dtype) for item in x)
    if isinstance(x, dict):
        return {key: draw(item, rng, low, high, dtype) for key, item in x.items()}
    if not isinstance(x, A):
        return x
    raw = rng.uniform(low, high, x.shape)
    if np.dtype(dtype).kind == "c":
        raw = raw + 1j * rng.uniform(low, high, x.shape)
    raw = raw.astype(dtype) if isinstance(raw, np.ndarray) else np.dtype(dtype).type(raw)
    value = x.make(raw) if x.make else raw
    return value.item() if x.scalar else value
