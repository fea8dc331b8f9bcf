"""Calls of the functions of ``scipy.special``, by family."""

from __future__ import annotations

from typing import Any

from . import (
    samples_scipy_special_bessel,
    samples_scipy_special_elementary,
    samples_scipy_special_gamma,
    samples_scipy_special_integrals,
)
from .sample import Sample

__all__ = ["SAMPLES"]

FAMILIES = (
    samples_scipy_special_bessel,
    samples_scipy_special_elementary,
    samples_scipy_special_gamma,
    samples_scipy_special_integrals,
)
SAMPLES: dict[Any, list[Sample]] = {
    operation: calls for family in FAMILIES for operation, calls in family.SAMPLES.items()
}
