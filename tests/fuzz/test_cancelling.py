"""Losses in which much cancels have right derivatives, and many of them are looked at."""

from __future__ import annotations

import pytest

from .cancelling import differing

SEEDS = range(1000, 1030)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_cancels_is_right(seed: int) -> None:
    assert differing(seed) is None
