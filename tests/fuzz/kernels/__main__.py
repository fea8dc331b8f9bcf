"""Random programs of every kind for the compiled back ends, in equal shares, against the NumPy text.

    python -m tests.fuzz.kernels --count 5000 --seed 0 [--jobs 2] [--sanitize]
    python -m tests.fuzz.kernels --only writes:17 [--backend numba] [--level O3] [--sanitize]

Each program is called with its arguments and with others: in another order, shared, read-only, empty, of other
sizes and dtypes.  Most kernels are compiled with ``-O0``, every eighth hundred as they are for everybody; every
fortieth hundred is numba's.  ``--sanitize``: under the address and undefined-behaviour sanitizers.
"""

from __future__ import annotations

import argparse
import importlib.util
from collections import Counter, defaultdict
from typing import Any

from .judge import WHOLE
from .kinds import KINDS, kind_of
from .run import GROUP, Batch, Found, outcomes
from .sanitizers import missing
from .worker import text_of

__all__ = ["batches", "main", "report"]

SHIPPED, OF_NUMBA = 8, 40
OUTCOMES = ("whole kernels", "regions", "numpy", "refused", "discarded", "failed")


def batches(asked: Any) -> list[Batch]:
    """All programs of a run, in groups."""
    if asked.only:
        kind, _, seed = asked.only.rpartition(":")
        level = asked.level or "O0"
        return [Batch([(kind, int(seed))], asked.backend or "c", level, asked.sanitize)]
    kinds = asked.kinds.split(",") if asked.kinds else KINDS
    numba = importlib.util.find_spec("numba") is not None and not asked.sanitize
    made = []
    for number, first in enumerate(range(0, asked.count, GROUP)):
        numbers = range(first, min(first + GROUP, asked.count))
        programs = [
            (kinds[k % len(kinds)] if asked.kinds else kind_of(k), asked.seed + k) for k in numbers
        ]
        turn = number % OF_NUMBA == OF_NUMBA - 1 and numba
        backend = asked.backend or ("numba" if turn else "c")
        shipped = number % SHIPPED == SHIPPED - 1 and not asked.sanitize
        made.append(Batch(programs, backend, asked.level or ("O3" if shipped else "O0"), asked.sanitize))  # fmt: skip
    return made


def report(found: Found, sanitize: bool) -> str:
    """A failure, with its program and how to run it again."""
    backend = f" --backend {found.backend}" if found.backend != "c" else ""
    level = f" --level {found.level}" if found.level != "O0" else ""
    again = f"python -m tests.fuzz.kernels --only '{found.kind}:{found.seed}'{backend}{level}{' --sanitize' * sanitize}"
    text = text_of(found.kind, found.seed)
    return f"{'=' * 80}\n{found.outcome.reason}\n{found.outcome.detail}\n{text}\n{again}\n"


def said_of(found: Found) -> str:
    """What has become of a program, in a word of ``OUTCOMES``."""
    if found.outcome.verdict != "ok":
        return found.outcome.verdict
    return "whole kernels" if found.outcome.reason == WHOLE else "regions"


def main() -> int:
    asked = arguments()
    why = missing() if asked.sanitize else ""
    if why:
        print(why)
        return 2
    totals: dict[str, Counter[str]] = defaultdict(Counter)
    reasons: Counter[str] = Counter()
    failed: list[Found] = []
    for done, found in enumerate(outcomes(batches(asked), asked.jobs, 60 * asked.minutes), 1):
        totals[found.kind][said_of(found)] += 1
        if found.outcome.verdict == "failed":
            failed.append(found)
            print(report(found, asked.sanitize), flush=True)
        elif found.outcome.reason not in ("", WHOLE):
            reasons[f"{found.outcome.verdict}: {found.outcome.reason}"] += 1
        if done % 50 == 0:
            print(f"{done} programs, {len(failed)} failed", flush=True)
    for kind, verdicts in totals.items():
        counts = ", ".join(f"{n} {name}" for name, n in verdicts.most_common())
        print(f"{kind:16} {counts}")
    for reason, n in reasons.most_common():
        print(f"{n:7d} {reason}")
    whole = sum((counts for counts in totals.values()), Counter[str]())
    said = ", ".join(f"{whole[name]} {name}" for name in OUTCOMES)
    print(f"{sum(whole.values())} programs: {said}")
    return 1 if failed else 0


def arguments() -> Any:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e9, help="end after these")
    parser.add_argument("--kinds", help=f"some of {', '.join(KINDS)}")
    parser.add_argument("--only", metavar="KIND:SEED", help="one program again")
    parser.add_argument("--backend", choices=("c", "numba"))
    parser.add_argument("--level", choices=("O0", "O1", "O2", "O3"))
    parser.add_argument("--sanitize", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
