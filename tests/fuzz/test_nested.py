"""Random programs with containers in containers: RETROGRAD_FUZZ says how many."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from .nested import program
from .run import judged

COUNT = max(int(os.environ.get("RETROGRAD_FUZZ", "100")) // 5, 5)
KNOWN = (10,)  # was wrong


def test_random_programs_with_containers_in_containers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    monkeypatch.setenv("RETROGRAD_VERIFY", "1")
    seeds = [*KNOWN, *range(COUNT)]
    outcomes = {seed: judged(program(seed), second=seed % 8 == 0) for seed in seeds}
    failed = {seed: o for seed, o in outcomes.items() if o.verdict == "failed"}
    for seed, outcome in failed.items():
        print(f"seed {seed}: {outcome.reason}\n{outcome.detail}\n{program(seed)}")
    assert not failed
    assert Counter(o.verdict for o in outcomes.values())["ok"] >= COUNT // 2
