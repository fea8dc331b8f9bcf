"""Some random programs on the device in every run: `tests.device.fuzz` runs many."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from .fuzz import GENERATORS, judged

pytestmark = pytest.mark.cupy
COUNT = 6
LEAST = {"aliases": 0, "rank0": 0, "programs": 1}  # most are refused on the host, or have no arrays


@pytest.mark.parametrize(
    "start", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in (6, 12, 18, 24))]
)
@pytest.mark.parametrize("name", sorted(GENERATORS))
def test_random_programs(
    cupy: Any, name: str, start: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    seeds = range(start, start + COUNT)
    outcomes = {seed: judged(GENERATORS[name](seed)) for seed in seeds}
    failed = {seed: o for seed, o in outcomes.items() if o.verdict == "failed"}
    for seed, outcome in failed.items():
        print(f"seed {seed}: {outcome.reason}\n{outcome.detail}\n{GENERATORS[name](seed)}")
    assert not failed
    judged_here = Counter(o.verdict for o in outcomes.values())
    assert judged_here["ok"] >= LEAST.get(name, COUNT // 3), judged_here
