"""Some random programs on every run of the tests: RETROGRAD_FUZZ says how many (each is a seed)."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from retrograd.compiler.differentiate.residuals import residuals

from .programs import program
from .run import judged

COUNT = int(os.environ.get("RETROGRAD_FUZZ", "100"))
GROUP = 25


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))


def test_the_same_seed_gives_the_same_program() -> None:
    assert [program(seed) for seed in range(20)] == [program(seed) for seed in range(20)]
    assert len({program(seed) for seed in range(20)}) == 20


@pytest.mark.sampled(4)
@pytest.mark.parametrize("start", range(0, COUNT, GROUP))
def test_random_programs(start: int) -> None:
    seeds = range(start, min(start + GROUP, COUNT))
    outcomes = {seed: judged(program(seed), second=seed % 4 == 0) for seed in seeds}
    failed = {seed: o for seed, o in outcomes.items() if o.verdict == "failed"}
    for seed, outcome in failed.items():
        print(f"seed {seed}: {outcome.reason}\n{outcome.detail}\n{program(seed)}")
    assert not failed
    verdicts = Counter(o.verdict for o in outcomes.values())
    assert verdicts["ok"] >= len(seeds) // 3, verdicts


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", [7012, 7032, 7088, 7090, 7112, 7148])
def test_all_that_is_kept_of_a_branch_as_a_tuple(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To second order: derivatives of derivatives of these programs failed once."""
    monkeypatch.setattr(residuals, "FEW", 0)
    outcome = judged(program(seed))
    assert outcome.verdict != "failed", f"{outcome.reason}\n{outcome.detail}"
