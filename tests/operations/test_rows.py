"""The list itself: every row runs, and the outcomes kept beside it are what the probe gives."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from .inputs import inputs
from .outcomes import outcomes
from .probe import direct, outcome
from .rows import Row, rows

pytest.importorskip("scipy")
ROWS = rows()
EXAMPLES = [row for row in ROWS if row.expression in ("np.sin(v)", "A @ w", "la.solve(S,b)")]


def test_names_are_unique() -> None:
    names = [row.name for row in ROWS]
    assert len(ROWS) == 1047
    assert len(set(names)) == len(names)


def test_rows_run() -> None:
    """Each expression is one that NumPy and SciPy take, but for what one version lacks."""
    failed = []
    for row in ROWS:
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                direct(row, {k: v for k, v in inputs().items() if k in row.arguments})
        except AttributeError:
            assert row.expression.startswith(("np.", "A.ptp", "math.sumprod", "sp."))
        except Exception as error:
            failed.append((row.name, error))
    assert not failed


@pytest.mark.parametrize("row", EXAMPLES, ids=lambda row: row.name)
def test_outcome(row: Row) -> None:
    found = outcome(row)
    assert {text for text in found.values() if text} == {"yes"}


def test_wrong_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A derivative that is not the right one does not pass."""
    import retrograd as rg

    real = rg.grad

    def doubled(*args: Any, **kwargs: Any) -> Any:
        g = real(*args, **kwargs)
        return lambda *given: tuple(2 * bar for bar in g(*given))

    monkeypatch.setattr(rg, "grad", doubled)
    row = next(row for row in ROWS if row.expression == "np.sin(v)")
    assert outcome(row, ("reverse",))["reverse"].startswith("WRONG")


SAMPLED = ROWS[7::53]


@pytest.mark.parametrize("row", SAMPLED, ids=lambda row: row.name)
def test_outcomes_are_kept(row: Row) -> None:
    """The table of the documents is what the probe gives, for a sample of the rows."""
    known = next(out for other, out in outcomes() if other == row)
    found = outcome(row, ("reverse", "forward"))
    for mode, text in found.items():  # what the installed NumPy lacks cannot be tried
        assert (
            text.startswith("absent") or known[mode].partition(":")[0] == text.partition(":")[0]
        ), mode
