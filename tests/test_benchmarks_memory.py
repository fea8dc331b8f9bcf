"""The table of peaks: it is made, and snapshots need less than the tape."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import retrograd as rg
from benchmarks import eager_memory, memory
from benchmarks.measure import peak


def test_the_table_of_lengths() -> None:
    rows = memory.lengths([40, 80], 4, 1).splitlines()
    assert len(rows) == 4
    assert rows[2].startswith("| 40 |")


def test_snapshots_need_less() -> None:
    w, h = memory.start()
    frugal = rg.differentiate(checkpoint=4)(memory.recurrence).grad
    plain = rg.grad(memory.recurrence)
    np.testing.assert_allclose(frugal(w, h, 400), plain(w, h, 400), rtol=1e-12)
    few, all_of_them = (peak(lambda f=f: f(w, h, 400)) for f in (frugal, plain))
    assert few < all_of_them / 10


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="it asks Linux for the peak")
def test_eager_chains_hold_what_is_read_and_little_more() -> None:
    assert float(eager_memory.alone("retrograd", "x + leaf")) < 4
    assert 50 <= float(eager_memory.alone("retrograd", "x.tanh()")) < 54
