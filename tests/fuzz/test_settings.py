"""Some functions with options, at many settings; many more: ``python -m tests.fuzz.settings``."""

from __future__ import annotations

import pytest

from .settings import judged

pytestmark = [
    pytest.mark.usefixtures("unchecked"),
    pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning"),
]
SEEDS = [
    *range(40),
    3120,
    3182,
    3439,
]  # the last three: whole factors in adjoints that are written to


@pytest.mark.parametrize("seed", range(40))
def test_settings(seed: int) -> None:
    assert judged(seed) in ("ok", "discarded")
