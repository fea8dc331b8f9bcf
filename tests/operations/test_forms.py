"""Forms of NumPy's operations: every keyword and shape of argument that has a derivative of its own.

A line of ``forms.txt`` is an expression of the inputs, or statements that return one.  Each is held
against differences in reverse and forward mode and in second order.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from .probe import outcome
from .rows import Row

MODES = ("reverse", "forward", "second")
FORMS = [
    line.replace("; ", "\n    ")
    for line in Path(__file__).with_name("forms.txt").read_text(encoding="utf-8").splitlines()
]


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path_factory.getbasetemp() / "forms"))


@pytest.mark.parametrize("expression", FORMS)
def test_form(expression: str) -> None:
    row = Row(expression, "form", 1, False, expression, "")
    assert outcome(row, MODES) == dict.fromkeys(MODES, "yes")
