"""Jacobians of programs with structure on the back ends: `structured` has the programs and the laws."""
# mypy: allow-untyped-calls

from __future__ import annotations

from unittest import mock

from retrograd.transforms.jacobian import few_directions

from ..checks import Outcome, quiet, shortened, where
from ..structured import case_of, check
from .judge import watched

__all__ = ["judged", "text_of"]


def text_of(seed: int) -> str:
    return case_of(seed).text


def judged(seed: int, backend: str) -> Outcome:
    """Dense and sparse ones against differences; plans are made for small matrices, too."""
    small = [mock.patch.object(few_directions, name, 1) for name in ("LEAST", "GAIN", "FEWER")]
    with quiet(), watched(backend) as watch, small[0], small[1], small[2]:
        try:
            check(case_of(seed), seed, backend)
        except AssertionError as error:
            return Outcome("failed", "differs from differences", str(error)[:2000])
        except Exception as error:
            return Outcome("failed", f"{type(error).__name__}: {shortened(error)}", where(error))
    return Outcome("ok" if watch.made else "numpy", watch.extent)
