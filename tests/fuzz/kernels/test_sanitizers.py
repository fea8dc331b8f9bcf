"""Some programs of each kind under sanitizers; ``python -m tests.fuzz.kernels --sanitize`` runs more."""

from __future__ import annotations

import pytest

from .kinds import KINDS
from .mistakes import MISTAKES
from .run import Batch, outcomes
from .sanitizers import missing

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "sanitizers are there")
SEEN_ANYWAY = ("arrays may be shorter", "the process ends")
SOME = [("writes", 1), ("arrays", 1), ("masks", 3), ("recursion", 5), ("stencils", 2), ("masks", 9)]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_found_in_kernels(kind: str) -> None:
    programs = [(kind, seed) for seed in (3, 4)]
    found = list(outcomes([Batch(programs, "c", "O0", sanitize=True)]))
    assert [(f.kind, f.seed) for f in found] == programs
    assert not [f.outcome for f in found if f.outcome.verdict == "failed"]


@pytest.mark.slow
@pytest.mark.parametrize("mistake", [m for m in MISTAKES if m not in SEEN_ANYWAY])
def test_a_mistake_is_found(mistake: str) -> None:
    found = outcomes([Batch(SOME, "c", "O0", sanitize=True, mistake=mistake)])
    told = [" ".join(f.outcome) for f in found if f.outcome.verdict == "failed"]
    assert any("AddressSanitizer" in text or "runtime error" in text for text in told), told
