"""Some programs changed at random on every run of the tests."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from .mutated import judged, mutated

COUNT = 24


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))


def test_the_same_seed_gives_the_same_program() -> None:
    assert [mutated(seed) for seed in range(8)] == [mutated(seed) for seed in range(8)]


def test_programs_that_were_changed() -> None:
    outcomes = {seed: judged(mutated(seed)) for seed in range(COUNT)}
    failed = {seed: o for seed, o in outcomes.items() if o.verdict == "failed"}
    for seed, outcome in failed.items():
        print(f"seed {seed}: {outcome.reason}\n{outcome.detail}\n{mutated(seed)}")
    assert not failed
    assert Counter(o.verdict for o in outcomes.values())["ok"] >= COUNT // 4
