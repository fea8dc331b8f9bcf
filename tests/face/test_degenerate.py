"""A part of the table of points that are no generic ones: all of it is ``python -m tests.sweeps.degenerate_points``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sweeps.degenerate_points import Case, cases, outcome

PART = [case for number, case in enumerate(cases()) if number % 37 == 0]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", PART, ids=str)
def test_no_alarm(case: Case, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    monkeypatch.delenv("RETROGRAD_CHECK", raising=False)
    found, why = outcome(case)
    assert found not in ("alarm", "crashed") or case.is_known(), why
