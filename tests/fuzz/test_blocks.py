"""Some random programs in blocks, each time the same; ``python -m tests.fuzz.blocks 0 2000`` tries more."""

from __future__ import annotations

import pytest

from .blocks import compared, vectors


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(40))
def test_blocks_give_what_the_plain_text_gives(seed: int) -> None:
    outcome = compared(vectors(seed), 1 + seed % 5)
    assert outcome.verdict in ("ok", "plain", "discarded"), outcome


def test_most_of_them_are_in_blocks() -> None:
    verdicts = [compared(vectors(seed), 3).verdict for seed in range(20)]
    assert verdicts.count("ok") > 15
