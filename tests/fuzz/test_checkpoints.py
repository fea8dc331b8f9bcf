"""Random programs with snapshots of every loop: RETROGRAD_FUZZ says how many."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from .allowed import is_allowed
from .checkpoints import compared, frugal
from .programs import program

COUNT = int(os.environ.get("RETROGRAD_FUZZ", "100")) // 4
FIRST = 50_000
ALLOWED = ("a loop with snapshots is run again", "a checkpointed function is run again")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))


def test_loops_and_helpers_are_marked() -> None:
    text = frugal("def helper0(x):\n    return x\n\nwhile x < 2:\n    for i in range(3):\n", 1)
    assert text.count("rg.checkpointed(") == 2


@pytest.mark.slow
def test_random_programs_that_keep_little() -> None:
    seeds = range(FIRST, FIRST + COUNT)
    outcomes = {seed: compared(program(seed), seed, second=seed % 4 == 0) for seed in seeds}
    failed = {
        seed: o
        for seed, o in outcomes.items()
        if o.verdict == "failed"
        or (o.verdict == "refused" and not (is_allowed(o.reason) or o.reason.startswith(ALLOWED)))
    }
    for seed, outcome in failed.items():
        print(f"seed {seed}: {outcome.reason}\n{outcome.detail}\n{program(seed)}")
    assert not failed
    assert Counter(o.verdict for o in outcomes.values())["ok"] >= COUNT // 3
