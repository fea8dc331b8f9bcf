"""Arguments made from types: numbers and arrays where most functions are defined."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from retrograd.compiler.ir.types import Given, Tree
from retrograd.runtime.objects.pytree import pack

__all__ = ["LARGE", "SMALL", "NoSample", "sample_arguments"]

SMALL = (3, 4, 2, 5, 6, 7)  # sizes of named dimensions, in order of appearance
LARGE = (40, 48, 36, 56, 44, 64)  # which no kernel takes for constants
ANNOTATIONS = {kind: kind for kind in (float, int, bool, complex)} | {
    kind.__name__: kind for kind in (float, int, bool, complex)
}  # fmt: skip


class NoSample(Exception):
    """Nothing says what a parameter is; the message is its name."""


def sample_arguments(
    chain: Any, types: dict[str, Any], seed: int = 0, sizes: tuple[int, ...] = SMALL
) -> list[Any]:
    """One value for each parameter of a chain's function."""
    made = Sample(np.random.default_rng(seed), sizes)
    return [made.of(n, p, types.get(n)) for n, p in chain.signature.parameters.items()]


class Sample:
    """One set of arguments: equal names of sizes are equal sizes."""

    def __init__(self, rng: np.random.Generator, sizes: tuple[int, ...]) -> None:
        self.rng, self.sizes = rng, sizes
        self.known: dict[str, int] = {}

    def of(self, name: str, p: inspect.Parameter, kind: Any) -> Any:
        """A value of a type, of an annotation, or the default."""
        kind = kind.type if isinstance(kind, Given) else kind
        python = ANNOTATIONS.get(p.annotation) if is_hashable(p.annotation) else None
        if kind is None and python is not None and p.default is p.empty:
            return self.number(python.__name__[0])
        if kind is None and p.default is not p.empty:
            return p.default
        if isinstance(kind, Tree):
            if kind.container == "object":
                raise NoSample(name)
            items = [self.of(name, p, item) for item in kind.items]
            return pack([kind.container, kind.keys, [None] * len(items)], items)
        if kind is None or kind.dims is None:
            raise NoSample(name)
        if getattr(kind, "dtype", None) is None:
            return self.number(kind.kind)
        shape = tuple(d if isinstance(d, int) else self.size(str(d)) for d in kind.dims)
        return self.array(np.dtype(kind.dtype), shape)

    def number(self, letter: str) -> Any:
        drawn = float(self.rng.uniform(0.2, 1.2))
        return {"f": drawn, "i": 3, "b": True, "c": complex(drawn, 0.5)}[letter]

    def size(self, name: str) -> int:
        return self.known.setdefault(name, self.sizes[len(self.known) % len(self.sizes)])

    def array(self, dtype: np.dtype[Any], shape: tuple[int, ...]) -> Any:
        """Floats between 0.2 and 1.2, where most functions are defined; integers from 0 to 2."""
        drawn: Any
        if dtype.kind in "iub":
            drawn = self.rng.integers(0, 2 if dtype.kind == "b" else 3, shape)
        else:
            drawn = self.rng.uniform(0.2, 1.2, shape)
            if dtype.kind == "c":
                drawn = drawn + 1j * self.rng.uniform(0.2, 1.2, shape)
        return np.asarray(drawn).astype(dtype)[() if not shape else ...]


def is_hashable(value: Any) -> bool:
    return getattr(type(value), "__hash__", None) is not None
