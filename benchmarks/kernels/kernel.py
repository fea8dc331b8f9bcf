"""What a kernel is: a loss around a NumPy program, what it is differentiated by, and its sizes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["SIZES", "Kernel", "total"]

SIZES = ("tiny", "small", "medium")


@dataclass(frozen=True)
class Kernel:
    """A scalar loss: the sum of what a program returns, and of the arguments it writes to.

    ``arguments(rng, *size)`` makes its arguments; those at ``written`` are written to by the
    program, so that whoever calls it again gives it fresh ones.
    """

    loss: Callable[..., Any]
    arguments: Callable[..., tuple[Any, ...]]
    wrt: tuple[int, ...]
    written: tuple[int, ...] = ()
    sizes: tuple[tuple[int, ...], ...] = ()
    kinks: bool = False  # branches on values: a second derivative by differences may meet one
    symmetric: bool = False  # of symmetric matrices, of which one triangle is read
    without_jax: str = ""  # why there is no program in JAX

    @property
    def name(self) -> str:
        return self.loss.__name__.removesuffix("_loss")

    @property
    def group(self) -> str:
        """The class that it belongs to, which is the module that it stands in."""
        return self.loss.__module__.rpartition(".")[2]

    def made(self, size: str = "tiny", seed: int = 0) -> tuple[Any, ...]:
        """Arguments of a size."""
        return self.arguments(np.random.default_rng(seed), *self.sizes[SIZES.index(size)])


def total(x):  # type: ignore[no-untyped-def]
    """What losses are made of; grading puts weighted sums in its place."""
    return np.sum(x)
