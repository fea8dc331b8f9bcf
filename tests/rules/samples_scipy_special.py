"""Calls of the functions of ``scipy.special``."""

from __future__ import annotations

from typing import Any

from scipy import special

from .sample import A, Sample

__all__ = ["SAMPLES"]

SHAPES: list[tuple[int, ...]] = [(), (3,), (2, 3), (0, 3)]
SAMPLES: dict[Any, list[Sample]] = {
    special.expit: [Sample((A(shape),)) for shape in SHAPES],
}
