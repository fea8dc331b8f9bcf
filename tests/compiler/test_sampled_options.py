"""A sample of the sweep of options: calls with one option more than the samples of the rule book have."""

from __future__ import annotations

from itertools import islice

import pytest

from ..sweeps.options import cases, expected, outcome

pytestmark = [pytest.mark.usefixtures("unchecked"), pytest.mark.filterwarnings("ignore")]
STEP = 776  # one case of 97 in all


@pytest.mark.parametrize("start", range(0, STEP, STEP // 8))
def test_right_or_refused(start: int) -> None:
    pytest.importorskip("scipy")
    for case in islice(cases([]), start, None, STEP):
        found = outcome(case)
        assert not found.startswith(("wrong", "crashed")) or expected(case), (case, found)
