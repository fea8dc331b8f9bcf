"""Many random programs at once: ``python -m tests.fuzz.run --count 10000 --seed 0 --jobs 4``."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import tempfile
from collections import Counter
from functools import partial
from typing import Any

from .allowed import is_allowed
from .checks import Outcome, check
from .features import writes_and_calls
from .programs import program
from .shrink import shrunk, timed

__all__ = ["judged", "main"]


def judged(text: str, second: bool = True) -> Outcome:
    """The outcome of one program; a refusal for a reason that is not allowed is a failure."""
    try:
        outcome: Outcome = timed(lambda: check(text, second))
    except TimeoutError as error:
        return Outcome("failed", "takes too long", str(error))
    if outcome.verdict == "refused" and not is_allowed(outcome.reason):
        return Outcome("failed", f"refused: {outcome.reason}", outcome.detail)
    return outcome


def tried(seed: int) -> tuple[int, Outcome]:
    # The second order is asked of every other program: it takes most of the time.
    return seed, judged(program(seed), second=seed % 2 == 0)


def counted(only_writing: bool, seed: int) -> tuple[int, Outcome, bool]:
    """The outcome, and whether the program both writes to arrays and calls functions of its own."""
    has_both = writes_and_calls(program(seed))
    if only_writing and not has_both:
        return seed, Outcome("left out", "", ""), False
    return *tried(seed), has_both


def minimised(seed: int, outcome: Outcome) -> str:
    second = seed % 2 == 0
    return shrunk(program(seed), lambda text: judged(text, second).reason == outcome.reason)


def prepared() -> None:
    os.environ["RETROGRAD_CACHE"] = tempfile.mkdtemp(prefix="fuzz_cache_")
    os.environ["RETROGRAD_VERIFY"] = "1"
    os.environ["RETROGRAD_FALLBACK"] = "calls"  # a failure of the compiler is seen


def main() -> int:
    """Run, print failures (the first of a kind minimised) and statistics."""
    asked = arguments()
    seeds = range(asked.seed, asked.seed + asked.count)
    verdicts: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    failed: dict[str, list[int]] = {}
    both = 0
    with multiprocessing.Pool(asked.jobs, prepared, maxtasksperchild=500) as pool:
        found = pool.imap_unordered(partial(counted, asked.writing), seeds, chunksize=4)
        for done, (seed, outcome, has_both) in enumerate(found, 1):
            verdicts[outcome.verdict] += 1
            both += outcome.verdict == "ok" and has_both
            if outcome.verdict == "failed":
                failed.setdefault(outcome.reason, []).append(seed)
                print(f"seed {seed}: {outcome.reason}", flush=True)
            elif outcome.reason:
                reasons[f"{outcome.verdict}: {outcome.reason}"] += 1
            if done % 500 == 0:
                print(
                    f"{done} programs: {dict(verdicts)}, {both} ok with writes and calls",
                    flush=True,
                )
        shown = sorted(failed.items(), key=lambda pair: -len(pair[1]))[: asked.show]
        for text in pool.imap(reported, [(reason, seeds) for reason, seeds in shown]):
            print(text, flush=True)
    print_statistics(verdicts, reasons)
    print(f"{both:7d} ok with writes and calls")
    return 1 if failed else 0


def reported(failure: tuple[str, list[int]]) -> str:
    """A failure with the smallest program found for it."""
    reason, seeds = failure
    seed = min(seeds, key=lambda s: len(program(s)))
    outcome = tried(seed)[1]
    text = minimised(seed, outcome)
    detail = judged(text, seed % 2 == 0).detail
    return f"{'=' * 80}\n{reason} ({len(seeds)} times, seed {seed})\n{detail}\n\n{text}"


def arguments() -> Any:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--writing", action="store_true", help="only what writes and calls")
    parser.add_argument("--show", type=int, default=20, help="kinds of failures to minimise")
    return parser.parse_args()


def print_statistics(verdicts: Counter[str], reasons: Counter[str]) -> None:
    for name, count in verdicts.most_common():
        print(f"{count:7d} {name}")
    for name, count in reasons.most_common():
        print(f"{count:7d} {name}")


if __name__ == "__main__":
    raise SystemExit(main())
