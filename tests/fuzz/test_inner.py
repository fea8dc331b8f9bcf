"""Random programs that call derivatives of functions: RETROGRAD_FUZZ says how many."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from .inner import program
from .run import judged

COUNT = max(int(os.environ.get("RETROGRAD_FUZZ", "100")) // 20, 3)


@pytest.mark.slow
def test_random_programs_with_derivatives_inside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    outcomes = {seed: judged(program(seed), second=seed % 4 == 0) for seed in range(COUNT)}
    failed = {seed: o for seed, o in outcomes.items() if o.verdict == "failed"}
    for seed, outcome in failed.items():
        print(f"seed {seed}: {outcome.reason}\n{outcome.detail}\n{program(seed)}")
    assert not failed
    assert Counter(o.verdict for o in outcomes.values())["ok"] >= COUNT // 2
