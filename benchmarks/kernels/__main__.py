"""Kernels of PolyBench's and NPBench's classes: their derivatives graded, or timed.

    python -m benchmarks.kernels --grade [--kernels NAME ...] [--modes MODE ...]
    python -m benchmarks.kernels [--kernels NAME ...] [--sizes SIZE ...] [--rounds N] [--json FILE]

A name is that of a kernel or of a class.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.bench import absences, machine, on_few_processors
from benchmarks.kernels.contenders import CONTENDERS, OURS, PEERS
from benchmarks.kernels.grade import MODES, graded
from benchmarks.kernels.kernel import SIZES, Kernel
from benchmarks.kernels.programs import GROUPS, KERNELS
from benchmarks.kernels.tables import first_calls, in_full, losses, summary
from benchmarks.kernels.timing import timed

__all__ = ["main"]


def options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kernels", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--kernels", nargs="+", metavar="NAME", default=list(KERNELS))
    parser.add_argument("--grade", action="store_true", help="derivatives, in every mode")
    parser.add_argument("--modes", nargs="+", choices=list(MODES), default=list(MODES))
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=["small", "medium"])
    parser.add_argument("--peers", nargs="*", choices=list(PEERS), default=list(PEERS))
    parser.add_argument("--backends", nargs="*", choices=OURS[1:], default=list(OURS[1:]))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all numbers there too")
    given = parser.parse_args(arguments)
    unknown = {*given.kernels} - {*KERNELS, *GROUPS}
    if unknown:
        parser.error(f"no kernel and no class is called {', '.join(sorted(unknown))}")
    return given


def chosen(names: Sequence[str]) -> list[Kernel]:
    return [k for k in KERNELS.values() if k.name in names or k.group in names]


def grades(kernels: Sequence[Kernel], modes: Sequence[str]) -> int:
    """A table of what is right; everything else is named below it."""
    os.environ["RETROGRAD_FALLBACK"] = "calls"  # a refusal is seen
    bad = []
    print("| kernel | " + " | ".join(modes) + " |\n|---|" + "---|" * len(modes))
    for kernel in kernels:
        verdicts = graded(kernel, modes)
        bad += [v for v in verdicts if v.outcome != "right"]
        print(f"| {kernel.name} | " + " | ".join(v.outcome for v in verdicts) + " |", flush=True)
    print(f"\n{len(kernels)} kernels, {len(kernels) * len(modes)} grades, {len(bad)} not right")
    for v in bad:
        print(f"  {v.kernel}, {v.mode}: {v}")
    return int(bool(bad))


def times(given: argparse.Namespace) -> int:
    left_out = {*PEERS, *OURS[1:]} - {*given.peers, *given.backends}
    names = [name for name in CONTENDERS if name not in left_out]
    on_few_processors()
    results = {}
    for name, result in timed(chosen(given.kernels), given.sizes, names, given.rounds):
        results[name] = result
        if given.json:  # a run that is ended has what it measured
            report = {"machine": machine(), "rounds": given.rounds, "kernels": results}
            given.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(in_full(results))
    print(f"\nGeometric means:\n\n{summary(results)}")
    print(f"\nBehind: {losses(results)}")
    print(f"\nFirst calls in C: {first_calls(results)}")
    print(*absences(results), sep="\n")
    return int(
        any(why.startswith("WRONG") for r in results.values() for why in r["absent"].values())
    )


def main(arguments: list[str] | None = None) -> int:
    """0 if nothing is wrong."""
    given = options(arguments)
    if given.grade:
        return grades(chosen(given.kernels), given.modes)
    return times(given)


if __name__ == "__main__":
    sys.exit(main())
