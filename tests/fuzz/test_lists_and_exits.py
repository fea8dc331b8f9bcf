"""Random programs that leave loops and functions early, hold containers in containers, collect lists in lists: RETROGRAD_FUZZ says how many."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from . import grouping, leaving, nested
from .run import judged

COUNT = max(int(os.environ.get("RETROGRAD_FUZZ", "100")) // 4, 5)


@pytest.mark.parametrize(
    ("program", "compiled"),
    [(leaving.program, 1 / 2), (nested.program, 1 / 2), (grouping.program, 1 / 6)],
    ids=["leaving", "nested", "grouping"],
)
def test_random_programs(
    program: Callable[[int], str],
    compiled: float,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    monkeypatch.setenv("RETROGRAD_VERIFY", "1")
    outcomes = {seed: judged(program(seed), second=seed % 8 == 0) for seed in range(COUNT)}
    failed = {seed: o for seed, o in outcomes.items() if o.verdict == "failed"}
    for seed, outcome in failed.items():
        print(f"seed {seed}: {outcome.reason}\n{outcome.detail}\n{program(seed)}")
    assert not failed
    assert Counter(o.verdict for o in outcomes.values())["ok"] >= COUNT * compiled
