"""Programs of the other generators as batches of examples: RETROGRAD_FUZZ says how many."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from .batches import judged, text_of

COUNT = max(int(os.environ.get("RETROGRAD_FUZZ", "100")) // 4, 4)


@pytest.mark.slow
def test_random_programs_in_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    monkeypatch.setenv("RETROGRAD_VERIFY", "1")
    monkeypatch.setenv("RETROGRAD_FALLBACK", "calls")
    outcomes = {seed: judged(text_of(seed), seed) for seed in range(COUNT)}
    failed = {seed: o for seed, o in outcomes.items() if o.verdict == "failed"}
    for seed, outcome in failed.items():
        print(f"seed {seed}: {outcome.reason}\n{outcome.detail}\n{text_of(seed)}")
    assert not failed
    assert Counter(o.verdict for o in outcomes.values())["ok"] >= COUNT // 2
