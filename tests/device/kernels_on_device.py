"""Kernels for the device of a text, run on the double: what they give, and what was launched."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from retrograd.compiler.native.partition.run_regions import Regions

from ..golden_case import Case
from ..strict_cupy import Counts, counted
from .golden_on_device import called, compiled

__all__ = ["Run", "of_case", "with_kernels"]

SETTLED = 16  # calls until no statement more turns out to stay


@dataclass
class Run:
    """A call: the result, and what it launched and transferred."""

    result: Any
    counts: Counts


def with_kernels(text: str, function: Any) -> Regions:
    """A function of a text, with kernels for what they can take."""
    return Regions("cuda", text, function.__name__, function, "inline")


def of_case(case: Case, args: list[Any], backend: str | None) -> Run:
    """The gradient of a golden program: its text, or with kernels once these have settled."""
    function, text = compiled(case, args)
    if backend is None:
        return run(case, function, args)
    regions = with_kernels(text, function)
    for _ in range(SETTLED):
        tries = regions.tries
        run(case, regions.function, args)
        if regions.tries == tries:
            break
    return run(case, regions.function, args)


def run(case: Case, function: Callable[..., Any], args: list[Any]) -> Run:
    with counted() as counts, contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
        result = called(case, function, args)
    return Run(result, counts)
