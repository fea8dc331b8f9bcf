"""A few of the rows with their arrays spelled as lists; all of them: ``python -m tests.operations.spelled``."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from .probe import outcome
from .rows import Row
from .spelled import MODES, spelled, works

CASES = random.Random(11).sample(spelled(), 60)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("how", "row"), CASES, ids=[f"{h}-{r.name}" for h, r in CASES])
def test_lists_are_right_or_refused(
    how: str, row: Row, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    if not works(row):
        pytest.skip("NumPy does not take it")
    for found in outcome(row, MODES).values():
        assert found.partition(":")[0] in ("yes", "taped", "refused", "absent")
