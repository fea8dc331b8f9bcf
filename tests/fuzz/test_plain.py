"""Sums in loops and branches, real and complex: of each a third of RETROGRAD_FUZZ programs."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from .programs import COMPLEXES, PLAIN, program
from .run import judged

COUNT = int(os.environ.get("RETROGRAD_FUZZ", "100")) // 3


@pytest.mark.slow
@pytest.mark.parametrize("first", [PLAIN, COMPLEXES], ids=["real", "complex"])
def test_random_programs_of_sums(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    monkeypatch.setenv("RETROGRAD_VERIFY", "1")
    outcomes = {
        seed: judged(program(seed), second=seed % 4 == 0) for seed in range(first, first + COUNT)
    }
    failed = {seed: o for seed, o in outcomes.items() if o.verdict == "failed"}
    for seed, outcome in failed.items():
        print(f"seed {seed}: {outcome.reason}\n{outcome.detail}\n{program(seed)}")
    assert not failed
    assert Counter(o.verdict for o in outcomes.values())["ok"] >= COUNT * 3 // 4
