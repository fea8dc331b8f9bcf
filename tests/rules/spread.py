"""Samples of an elementwise function of several arguments, each from a range of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from .sample import A, Sample

__all__ = ["spread"]

SHAPES: list[tuple[tuple[int, ...], ...]] = [
    ((3,), (3,), (3,), (3,)),
    ((2, 3), (3,), (), (2, 1)),
    ((), (2, 1), (3,), (1, 3)),
    ((0, 3), (3,), (1, 3), ()),
]
Range = tuple[float, float]


def spread(*given: Any, complex: bool = False, **how: Any) -> list[Sample]:
    """One sample for each way of broadcasting; what is no range is passed as it is."""
    found = []
    for shapes in SHAPES:
        left = iter(shapes)
        args = tuple(drawn(g, next(left), complex) if isinstance(g, tuple) else g for g in given)
        found.append(Sample(args, complex=complex, **how))
    numbers = tuple(drawn(g, (), complex, True) if isinstance(g, tuple) else g for g in given)
    return [*found, Sample(numbers, **how)]


def drawn(given: Range, shape: tuple[int, ...], complex: bool, scalar: bool = False) -> A:
    """An array of values in the range; the imaginary parts of complex ones are small."""
    low, high = given

    def placed(raw: Any) -> Any:
        real = low + (high - low) * (np.real(raw) + 2) / 4
        return (real + 0.3j * np.imag(raw) if np.iscomplexobj(raw) else real).astype(raw.dtype)

    return A(shape, placed, scalar)
