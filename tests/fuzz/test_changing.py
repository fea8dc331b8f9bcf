"""Loops that change the shape, the kind or the length of what they carry: RETROGRAD_FUZZ says how many random ones."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from .checks import check_function
from .idioms_changing import CASES
from .programs import CHANGING, program
from .run import judged

COUNT = int(os.environ.get("RETROGRAD_FUZZ", "100")) // 12
SECOND = 8  # every eighth is asked for its second order


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    monkeypatch.setenv("RETROGRAD_VERIFY", "1")


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "k", range(len(CASES)), ids=[f"{c[0].__name__}-{k}" for k, c in enumerate(CASES)]
)
def test_ordinary_loops(k: int) -> None:
    main, args, wrt = CASES[k]
    outcome = check_function(main, args, wrt, second=k % SECOND == 0 or COUNT > 100)
    assert outcome.verdict == "ok", f"{outcome.reason}\n{outcome.detail}"


def test_random_programs_that_change_what_they_carry() -> None:
    seeds = range(CHANGING, CHANGING + COUNT)
    outcomes = {seed: judged(program(seed), second=seed % SECOND == 0) for seed in seeds}
    failed = {seed: o for seed, o in outcomes.items() if o.verdict == "failed"}
    for seed, outcome in failed.items():
        print(f"seed {seed}: {outcome.reason}\n{outcome.detail}\n{program(seed)}")
    assert not failed
    assert Counter(o.verdict for o in outcomes.values())["ok"] >= COUNT // 2
