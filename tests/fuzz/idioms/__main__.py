"""Many composed programs: ``python -m tests.fuzz.idioms --count 20000 --seed 0 --jobs 2``."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import time
from collections import Counter
from functools import partial

from ..checks import Outcome
from ..run import prepared
from ..shrink import timed
from .compose import composed, idioms
from .judge import WAYS, judged

__all__ = ["main"]


def tried(ways: int, seed: int) -> tuple[int, Outcome]:
    try:
        return seed, timed(lambda: judged(composed(seed), seed, ways))
    except TimeoutError as error:
        return seed, Outcome("failed", "takes too long", str(error))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.idioms", description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--ways", type=int, default=3, help=f"of {', '.join(WAYS)}")
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after so long")
    given = parser.parse_args()
    verdicts: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    began, failures = time.monotonic(), 0
    seeds = range(given.seed, given.seed + given.count)
    with multiprocessing.Pool(given.jobs, prepared, maxtasksperchild=200) as pool:
        for seed, outcome in pool.imap_unordered(partial(tried, given.ways), seeds, chunksize=4):
            verdicts[outcome.verdict] += 1
            if verdicts.total() % 1000 == 0:
                print(f"after {time.monotonic() - began:.0f} s: {dict(verdicts)}", flush=True)
            if outcome.reason:
                reasons[f"{outcome.verdict}: {outcome.reason}"] += 1
            if outcome.verdict == "failed":
                failures += 1
                print(f"seed {seed}: {outcome.reason}\n{outcome.detail[:1500]}", flush=True)
            if time.monotonic() - began > given.seconds:
                pool.terminate()
                break
    print(f"{len(idioms())} idioms, {verdicts.total()} programs: {dict(verdicts)}")
    for reason, count in reasons.most_common(60):
        print(f"{count:7d} {reason}")
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
