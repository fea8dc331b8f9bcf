"""Run the evals of GradBench here, without its repository, and print a table of times.

    python -m benchmarks.gradbench                              # all evals, all variants
    python -m benchmarks.gradbench gmm ba --sizes small --seconds 1
    python -m benchmarks.gradbench kmeans --tool "jax=uv run .../tools/jax/run.py"

Each time is that of the median call, after the first; in parentheses how many times the time of the
primal function it is, or of the same descent with derivatives by hand.  A peer is any tool that speaks
the protocol.  The exit status is 1 if an answer was wrong or missing.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from collections.abc import Sequence

from .expected import EXPECTED
from .harness import Outcome, evaluated
from .inputs import SIZES, inputs
from .tool import EVALS

TOOL = [sys.executable, "-m", f"{__package__}.tool"]
VARIANTS = {
    "retrograd": TOOL,
    "retrograd-c": [*TOOL, "--backend", "c"],
    "retrograd-numba": [*TOOL, "--backend", "numba"],
}
BY_HAND = "by hand"  # of the evals that are a search: they have no primal
FIRST_COLUMNS = f"{'eval':9} {'input':42} {'function':9}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("evals", nargs="*", help="by default all: " + ", ".join(EVALS))
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--variants", nargs="+", choices=list(VARIANTS), default=list(VARIANTS))
    parser.add_argument("--tool", action="append", default=[], help="a peer: name=command")
    parser.add_argument("--seconds", type=float, default=0.2, help="each is repeated for so long")
    parser.add_argument("--timeout", type=float, default=120.0, help="seconds for an answer")
    given = parser.parse_args()
    if unknown := set(given.evals) - set(EVALS):
        parser.error(f"no eval {', '.join(unknown)}")
    commands = {name: VARIANTS[name] for name in given.variants}
    for peer in given.tool:
        name, _, command = peer.partition("=")
        commands[name] = shlex.split(command)

    print(FIRST_COLUMNS + "".join(f"{name:>26}" for name in commands))
    failures: list[str] = []
    for name in given.evals or EVALS:
        outcomes = {
            variant: list(evaluated(command, name, given.sizes, given.seconds, given.timeout))
            for variant, command in commands.items()
        }
        failures += table(name, outcomes, base_of(name, given.sizes, outcomes))
    print(*failures, sep="\n")
    return bool(failures)


def base_of(
    name: str, sizes: Sequence[str], outcomes: dict[str, list[Outcome]]
) -> dict[tuple[str, str], Outcome]:
    """What the times of each variant are divided by, for each input."""
    if name in ("particle", "saddle"):
        found = [by_hand(name, *given) for size in sizes for given in inputs(name, size)]
        return {(variant, hand.description): hand for hand in found for variant in outcomes}
    primal = next(iter(EXPECTED[name]))
    return {
        (variant, outcome.description): outcome
        for variant, answered in outcomes.items()
        for outcome in answered
        if outcome.function == primal
    }


def by_hand(name: str, description: str, given: object) -> Outcome:
    start = time.perf_counter()
    EXPECTED[name]["rr"](given)
    return Outcome(name, BY_HAND, description, time.perf_counter() - start)


def table(
    name: str, outcomes: dict[str, list[Outcome]], base: dict[tuple[str, str], Outcome]
) -> list[str]:
    """Print the rows of an eval; what failed comes back."""
    found = {
        (variant, outcome.description, outcome.function): outcome
        for variant, answered in outcomes.items()
        for outcome in answered
    }
    hand = {(v, d, BY_HAND): given for (v, d), given in base.items() if given.function == BY_HAND}
    rows = hand | found
    for description, function in dict.fromkeys((d, f) for _, d, f in rows):
        cells = [
            cell(rows.get((variant, description, function)), base.get((variant, description)))
            for variant in outcomes
        ]
        print(
            f"{name:9} {description:42} {function:9}" + "".join(f"{c:>26}" for c in cells),
            flush=True,
        )
    return [
        f"{variant}: {name} {outcome.function} {outcome.description}: {outcome.error}"
        for (variant, _, _), outcome in found.items()
        if outcome.error
    ]


def cell(outcome: Outcome | None, base: Outcome | None) -> str:
    """A time, and how many times the primal's it is.

    >>> cell(Outcome("llsq", "gradient", "", 0.002), Outcome("llsq", "primal", "", 0.001))
    '2.00 ms (x   2.00)'
    """
    if outcome is None or outcome.seconds is None:
        return "failed"
    timed = base is not None and base is not outcome and base.seconds
    ratio = f"(x {outcome.seconds / timed:6.2f})" if timed else " " * 10
    return f"{duration(outcome.seconds)} {ratio}"


def duration(seconds: float) -> str:
    """
    >>> duration(0.0000012), duration(0.25), duration(12.0)
    ('1.20 us', '250 ms', '12.0 s')
    """
    for unit, scale in (("us", 1e-6), ("ms", 1e-3)):
        if seconds < 1000 * scale:
            return f"{seconds / scale:#.3g}".removesuffix(".") + f" {unit}"
    return f"{seconds:#.3g} s"


if __name__ == "__main__":
    sys.exit(main())
