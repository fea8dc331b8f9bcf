"""Arrays of rank 0 that are written to: a third of RETROGRAD_FUZZ programs."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from .rank0 import on_the_tape, program
from .run import judged

COUNT = int(os.environ.get("RETROGRAD_FUZZ", "100")) // 3


@pytest.mark.slow
def test_random_programs_of_rank_0(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    outcomes = {seed: judged(program(seed), second=seed % 4 == 0) for seed in range(COUNT)}
    failed = {seed: o for seed, o in outcomes.items() if o.verdict == "failed"}
    for seed, outcome in failed.items():
        print(f"seed {seed}: {outcome.reason}\n{outcome.detail}\n{program(seed)}")
    assert not failed
    assert Counter(o.verdict for o in outcomes.values())["ok"] >= COUNT // 4


def test_the_tape_writes_into_arrays_of_rank_0() -> None:
    verdicts = {seed: on_the_tape(program(seed)) for seed in range(COUNT)}
    assert [seed for seed, verdict in verdicts.items() if verdict == "failed"] == []
    assert Counter(verdicts.values())["ok"] >= COUNT // 3
