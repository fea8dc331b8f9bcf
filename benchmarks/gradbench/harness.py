"""GradBench's side of the protocol: a tool in a process of its own, and what it answers, judged."""

from __future__ import annotations

import json
import statistics
import subprocess
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import numpy as np

from .expected import EXPECTED
from .inputs import inputs

__all__ = ["Outcome", "Tool", "difference", "evaluated"]

TOLERANCE = 1e-7  # GradBench's is 1e-4


class Tool:
    """A command that answers messages; one that does not answer in time is ended."""

    def __init__(self, command: Sequence[str], timeout: float) -> None:
        self.timeout, self.id = timeout, 0
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Tool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.communicate()

    def ask(self, kind: str, **given: Any) -> dict[str, Any]:
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin and stdout
        timer = threading.Timer(self.timeout, self.process.kill)
        timer.start()
        try:
            stdin.write(json.dumps({"id": self.id, "kind": kind, **given}) + "\n")
            stdin.flush()
            line = stdout.readline()
        except BrokenPipeError:  # it was gone before it was asked
            line = ""
        finally:
            timer.cancel()
        if not line:
            raise EOFError(f"it ended, or gave no answer within {self.timeout:g} s")
        response: dict[str, Any] = json.loads(line)
        if response.pop("id") != self.id:
            raise ValueError(f"an answer to another message than {self.id}: {line[:200]}")
        self.id += 1
        return response


@dataclass(frozen=True)
class Outcome:
    """An answer to one ``evaluate``: seconds of the median call, or what went wrong."""

    name: str
    function: str
    description: str
    seconds: float | None = None
    prepared: float = 0.0
    error: str | None = None


def evaluated(
    command: Sequence[str], name: str, sizes: Sequence[str], seconds: float, timeout: float
) -> Iterator[Outcome]:
    """All functions of an eval at all its inputs, as an eval of GradBench asks for them.

    After a tool is ended, another is started for what is left.
    """
    asked = [
        (function, description, given)
        for size in sizes
        for description, given in inputs(name, size)
        for function in EXPECTED[name]
    ]
    while asked:
        with Tool(command, timeout) as tool:
            tool.ask("start", eval=name)
            defined = tool.ask("define", module=name)
            if not defined["success"]:
                yield Outcome(name, "", "", error=defined.get("error", "not defined"))
                return
            while asked:
                function, description, given = asked.pop(0)
                try:
                    outcome = one(tool, name, function, description, given, seconds)
                except (EOFError, BrokenPipeError) as error:
                    yield Outcome(name, function, description, error=str(error))
                    break
                yield outcome


def one(
    tool: Tool, name: str, function: str, description: str, given: Any, seconds: float
) -> Outcome:
    asked = {**given, "min_runs": 1, "min_seconds": seconds} if isinstance(given, dict) else given
    of = tool.id
    response = tool.ask(
        "evaluate", module=name, function=function, input=asked, description=description
    )
    if not response["success"]:
        error = response.get("error", "").strip() or "failed"
        return Outcome(name, function, description, error=error.splitlines()[-1])
    wrong = difference(response["output"], EXPECTED[name][function](given))
    analysis = {"error": wrong} if wrong else {}
    tool.ask("analysis", of=of, valid=wrong is None, **analysis)
    if wrong:
        return Outcome(name, function, description, error=wrong)
    times: dict[str, list[float]] = {"prepare": [0.0], "evaluate": []}
    for timing in response["timings"]:
        times[timing["name"]].append(timing["nanoseconds"] / 1e9)
    return Outcome(
        name, function, description, statistics.median(times["evaluate"]), sum(times["prepare"])
    )


def difference(found: Any, right: Any, at: str = "output") -> str | None:
    """Where two JSON values differ, by more than the tolerance relative to the greatest entry.

    >>> difference({"a": [1.0, 2.0]}, {"a": [1.0, 2.0 + 1e-9]})
    >>> difference({"a": [1.0, 2.0]}, {"a": [1.0, 2.5]})
    "output['a'] is off by 0.5"
    >>> difference([1.0], [1.0, 2.0])
    'output has the shape (1,), not (2,)'
    """
    if isinstance(right, dict):
        if not isinstance(found, dict) or found.keys() != right.keys():
            return f"{at} has other names than {', '.join(right)}"
        parts = (difference(found[key], right[key], f"{at}[{key!r}]") for key in right)
        return next((part for part in parts if part), None)
    a, b = np.asarray(found, dtype=float), np.asarray(right, dtype=float)
    if a.shape != b.shape:
        return f"{at} has the shape {a.shape}, not {b.shape}"
    if not a.size:
        return None
    off = float(np.max(np.abs(a - b)))
    fine = off <= TOLERANCE * max(1.0, float(np.max(np.abs(b))))
    return None if fine else f"{at} is off by {off:g}"
