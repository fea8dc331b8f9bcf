"""Times of kernels: contenders checked, then interleaved; medians, first calls, who is absent and why."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.kernels.contenders import CONTENDERS, OURS, problem_of
from benchmarks.kernels.kernel import Kernel
from benchmarks.measure import measured

__all__ = ["timed"]


def timed(
    kernels: Sequence[Kernel], sizes: Sequence[str], names: Sequence[str], rounds: int
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The name of each kernel in each size, with what was measured."""
    for kernel in kernels:
        for size in sizes:
            problem = problem_of(kernel, size)
            print(f"{problem.name} ...", file=sys.stderr, flush=True)
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache:
                os.environ["RETROGRAD_CACHE"] = cache  # a first call is a first call
                result = measured(problem, names, rounds, CONTENDERS, OURS)
            yield problem.name, result | {"group": kernel.group, "kernel": kernel.name}
