"""Calls of SciPy's interpolation."""

from __future__ import annotations

from typing import Any

from .sample import Sample

__all__ = ["SAMPLES"]

SAMPLES: dict[Any, list[Sample]] = {}
