"""Time of a gradient, beside the function, the hand-written adjoint and the peers.

    python -m benchmarks.bench [--problems NAME ...] [--sizes SIZE ...] [--peers NAME ...]
                               [--device cuda] [--rounds N] [--json FILE] [--svg FILE]

Every contender is first checked against the hand-written gradient.  Then rounds: in each, every
contender is timed once, in random order, so that a slow minute of the machine hits all alike.
Medians over the rounds are reported, and ratios of medians.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import retrograd as rg
from benchmarks import THREADS, device
from benchmarks.contenders import BACKENDS, CONTENDERS, OURS, PEERS
from benchmarks.measure import measured
from benchmarks.picture import picture
from benchmarks.problem import SIZES
from benchmarks.problems import FAMILIES, PROBLEMS
from benchmarks.units import in_bytes, in_units, in_words

__all__ = ["COLUMNS", "main", "table"]

USUAL_SIZES = ("tiny", "small", "medium")
USUAL_PEERS = tuple(name for name in PEERS if name != "torch.compile")
COMPILING = ("retrograd", *BACKENDS, "jax.jit", "jax expert", "torch.compile")
COLUMNS = ("function", "hand-written", "hand-tuned", *PEERS)


def row(name: str, result: dict[str, Any], ours: str, columns: Sequence[str]) -> str:
    """One line of the table: time, first call, peak, then the time over each of the others."""
    cells = [name, ours, in_units(result["median"][ours]), in_units(result["first"][ours])]
    cells.append(in_bytes(result["peak"][ours]) if ours in result["peak"] else "")
    ratios = result["ratios"][ours]
    cells += [in_words(ratios[other]) if other in ratios else "" for other in columns]
    return "| " + " | ".join(cells) + " |"


def table(results: dict[str, dict[str, Any]]) -> str:
    """The Markdown table: a number below 1 means faster than that column's contender."""
    columns = [name for name in COLUMNS if any(name in r["median"] for r in results.values())]
    head = [
        "problem",
        "contender",
        "time",
        "first call",
        "peak",
        *[f"/ {name}" for name in columns],
    ]
    lines = [f"| {' | '.join(head)} |", "|---|---|" + "---:|" * (len(head) - 2)]
    for name, result in results.items():
        shown = [ours for ours in (*OURS, "retrograd cuda") if ours in result["ratios"]]
        lines += [row(name, result, ours, columns) for ours in shown or ["hand-written"]]
    return "\n".join(lines)


def first_calls(results: dict[str, dict[str, Any]]) -> str:
    """What the first call of everybody who compiles takes, compiling included."""
    columns = [name for name in COMPILING if any(name in r["first"] for r in results.values())]
    lines = [f"| first call | {' | '.join(columns)} |", "|---|" + "---:|" * len(columns)]
    for name, result in results.items():
        first = result["first"]
        cells = [in_units(first[column]) if column in first else "" for column in columns]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def machine() -> dict[str, str]:
    """What the numbers were taken on."""
    return {
        "threads": str(THREADS),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "system": f"{platform.system()} {platform.machine()}",
    }


def options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bench", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "--problems",
        nargs="+",
        metavar="NAME",
        help=f"of one size, or in all of --sizes: {', '.join(FAMILIES)}",
    )
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=USUAL_SIZES)
    parser.add_argument("--peers", nargs="*", choices=list(PEERS), default=USUAL_PEERS)
    parser.add_argument("--backends", nargs="*", choices=list(BACKENDS), default=list(BACKENDS))
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="cuda: arrays of CuPy, "
                        "beside PyTorch and JAX there")  # fmt: skip
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all numbers there too")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw the ratios there")
    given = parser.parse_args(arguments)
    given.problems = chosen(parser, given.problems or FAMILIES, given.sizes)
    return given


def chosen(
    parser: argparse.ArgumentParser, wanted: Sequence[str], sizes: Sequence[str]
) -> list[str]:
    """Names of problems, from names of problems and of families."""
    for name in wanted:
        if name not in PROBLEMS and name not in FAMILIES:
            parser.error(f"no problem is called {name}")
    return [
        name
        for name, problem in PROBLEMS.items()
        if name in wanted or (problem.family in wanted and problem.size in sizes)
    ]


def absences(results: dict[str, dict[str, Any]]) -> list[str]:
    """Who did not take part, and why; problems with the same reason in one line."""
    found: dict[tuple[str, str], list[str]] = {}
    for name, result in results.items():
        for contender, reason in result["absent"].items():
            found.setdefault((contender, reason), []).append(name)
    return [
        f"\n{contender} left out of {', '.join(names)}: {reason}"
        for (contender, reason), names in found.items()
    ]


def failed(absent: dict[str, str]) -> bool:
    """Somebody is wrong, or what must run does not: a peer or a back end may be missing or refuse."""
    may_fail = (*PEERS, *BACKENDS)
    return any(why.startswith("WRONG") or name not in may_fail for name, why in absent.items())


def square(x: float) -> float:
    """The first function to be differentiated."""
    return x * x


def on_few_processors() -> None:
    """Whoever starts more threads than he is asked to (jax does) has no more processors for them."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-THREADS:])


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and say who did not take part and why; 1 if anything failed or was wrong."""
    given = options(arguments)
    if given.device == "cpu":
        on_few_processors()
    contenders, own = (
        (CONTENDERS, OURS) if given.device == "cpu" else (device.CONTENDERS, device.OURS)
    )
    left_out = {*PEERS, *BACKENDS} - {*given.peers, *given.backends}
    names = [name for name in contenders if name not in left_out]
    results = {}
    rg.grad(square)(1.0)  # the compiler is there: benchmarks.latency measures what that takes
    for name in given.problems:
        print(f"{name} ...", file=sys.stderr, flush=True)
        # An empty cache: a first call is a first call.  What torch starts may write there to the end.
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache:
            os.environ["RETROGRAD_CACHE"] = os.environ["TORCHINDUCTOR_CACHE_DIR"] = cache
            results[name] = measured(PROBLEMS[name], names, given.rounds, contenders, own)
    print(table(results))
    print(f"\n{first_calls(results)}")
    print(*absences(results), sep="\n")
    if given.json:
        report = {"machine": machine(), "rounds": given.rounds, "problems": results}
        given.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    if given.svg:
        given.svg.write_text(picture(results), encoding="utf-8")
    return int(any(failed(result["absent"]) for result in results.values()))


if __name__ == "__main__":
    raise SystemExit(main())
