"""A function of GradBench's protocol: how it is made, what it gets and gives, and how it is timed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Function", "Timing", "identity", "to_lists"]

Timing = dict[str, Any]
WARM = 3  # calls until kernels stand: they are made for what comes, and held against the text


def identity(x: Any) -> Any:
    return x


def to_lists(x: Any) -> Any:
    """Arrays, and containers of arrays, as JSON has them."""
    if isinstance(x, Mapping):
        return {key: to_lists(value) for key, value in x.items()}
    return x.tolist() if hasattr(x, "tolist") else x


@dataclass(frozen=True)
class Function:
    """``make(backend)`` gives the function that is timed, ``arguments`` its arguments from the JSON.

    >>> double = Function(lambda backend: lambda x: 2 * x, lambda given: (given["x"],))
    >>> answer = double({"x": 3.0, "min_runs": 2}, backend=None)
    >>> answer["output"], [timing["name"] for timing in answer["timings"]]
    (6.0, ['prepare', 'evaluate', 'evaluate'])
    """

    make: Callable[[str | None], Callable[..., Any]]
    arguments: Callable[[Any], tuple[Any, ...]]
    output: Callable[[Any], Any] = to_lists

    def __call__(self, given: Any, backend: str | None) -> dict[str, Any]:
        """The answer to an ``evaluate`` message.

        ``prepare`` reads the input and makes the function, with the first calls, where it is compiled
        (GradBench leaves the time of a build out, too); what the protocol asks for follows.
        """
        start = time.perf_counter_ns()
        run, arguments = self.make(backend), self.arguments(given)
        for _ in range(WARM if backend else 1):
            run(*arguments)
        timings = [timing("prepare", time.perf_counter_ns() - start)]
        runs = given if isinstance(given, Mapping) else {}
        result, evaluated = repeated(
            run, arguments, runs.get("min_runs", 1), runs.get("min_seconds", 0)
        )
        timings += [timing("evaluate", each) for each in evaluated]
        return {"success": True, "output": self.output(result), "timings": timings}


def repeated(
    run: Callable[..., Any], arguments: tuple[Any, ...], min_runs: int, min_seconds: float
) -> tuple[Any, list[int]]:
    """The last result, and the nanoseconds of each call: so many, and for so long, at least."""
    times: list[int] = []
    elapsed, result = 0, None
    while len(times) < max(min_runs, 1) or elapsed < min_seconds * 1e9:
        start = time.perf_counter_ns()
        result = run(*arguments)
        times.append(time.perf_counter_ns() - start)
        elapsed += times[-1]
    return result, times


def timing(name: str, nanoseconds: int) -> Timing:
    return {"name": name, "nanoseconds": nanoseconds}
