"""Forms of NumPy's operations: every keyword and shape of argument that has a derivative of its own.

A line of ``forms.txt`` is an expression of the inputs, or statements that return one.  Each is held
against differences in reverse and forward mode and in second order.
"""

from __future__ import annotations

import pytest

from .probe import outcome
from .rows import Row, forms

MODES = ("reverse", "forward", "second")


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path_factory.getbasetemp() / "forms"))


@pytest.mark.sampled(7)
@pytest.mark.parametrize("row", forms(), ids=lambda row: row.name)
def test_form(row: Row) -> None:
    assert outcome(row, MODES) == dict.fromkeys(MODES, "yes")
