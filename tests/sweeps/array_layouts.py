"""Layouts x operations x writes, compiled, against the plain function: ``python -m tests.sweeps.array_layouts``.

``--count`` programs of the table (all, if it is 0), drawn with ``--seed``, in so many ``--jobs``; ``--tape`` lets
refused ones run there.
"""

from __future__ import annotations

import argparse
import functools
import multiprocessing
import os
import random
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

import retrograd as rg
from tests.programs.array_layouts import POINTS, Case, cases, expected, made
from tests.verdicts import is_refusal

__all__ = ["Table", "chosen"]

MODES = ("reverse", "forward", "check")
PART = 200  # so many cases at a time for a process


def chosen(count: int, seed: int) -> list[Case]:
    """So many cases of the table; all of them for 0."""
    found = list(cases())
    return random.Random(f"memory {seed}").sample(found, count) if count else found


class Table:
    """Runs cases, and counts what comes of them."""

    def __init__(
        self, modes: tuple[str, ...] = MODES, strict: bool = True, backend: Any = None
    ) -> None:
        self.modes, self.strict, self.backend = modes, strict, backend
        self.counts: Counter[str] = Counter()
        self.failures: list[str] = []

    def run(self, chosen: Iterable[Case]) -> Table:
        for case in chosen:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.one(case)
        return self

    def one(self, case: Case) -> None:
        f, x = made(case), POINTS[case.point]()
        want = expected(f, x)
        if want is None:
            self.counts["not run by NumPy, or at a tie"] += 1
            return
        for mode in self.modes:
            verdict = self.verdict(f, x, want, mode)
            self.counts[f"{mode}: {verdict.split(':')[0]}"] += 1
            if verdict not in ("right", "refused"):
                self.failures.append(f"{mode} {verdict} {tuple(case)}")

    def verdict(self, f: Any, x: Any, want: Any, mode: str) -> str:
        options = {"alias": "check"} if mode == "check" else {}
        value, slopes = want
        try:
            made = rg.differentiate(strict=self.strict, backend=self.backend, **options)(f)
            if mode == "forward":
                direction = np.arange(1.0, 1 + x.size).reshape(x.shape)
                found, got = made.jvp((x.copy("K"),), (direction,))
                slopes = np.sum(slopes * direction)
            else:
                found, got = made.value_and_grad(x.copy("K"))
        except Exception as error:
            return "refused" if is_refusal(error) else f"crashes: {error!r}"
        if np.shape(found) != np.shape(value) or abs(found - value) > 1e-12 * max(1, abs(value)):
            return f"wrong: value {found}, and not {value}"
        if np.shape(got) != np.shape(slopes) or not np.allclose(got, slopes, rtol=1e-6, atol=1e-6):
            return f"wrong: derivative {got}, and not {slopes}"
        return "right"


def judged(chosen: list[Case], strict: bool, backend: Any) -> Table:
    rg.set_check(None)  # the table is the judge
    return Table(strict=strict, backend=backend).run(chosen)


def main() -> int:
    """Run the table, print what fails as it is found, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tape", action="store_true")
    parser.add_argument("--backend")
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    os.environ["RETROGRAD_CACHE"] = tempfile.mkdtemp(prefix="memory_cache_")
    picked, counts, failed = chosen(asked.count, asked.seed), Counter[str](), 0
    judge = functools.partial(judged, strict=not asked.tape, backend=asked.backend)
    parts = [picked[at : at + PART] for at in range(0, len(picked), PART)]
    with multiprocessing.get_context("spawn").Pool(asked.jobs, maxtasksperchild=20) as pool:
        for table in pool.imap_unordered(judge, parts):
            counts += table.counts
            failed += len(table.failures)
            for failure in table.failures:
                print(failure, flush=True)
    for name, count in sorted(counts.items()):
        print(f"{count:8} {name}")
    return bool(failed)


if __name__ == "__main__":
    raise SystemExit(main())
