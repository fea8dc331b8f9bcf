"""Texts that are handed out, called with other arguments: right, or refused; all with `python -m tests.handed_out`."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import SignatureMismatch
from tests.golden_case import Case
from tests.handed_out import FINE, WAYS, check, programs

SAMPLE = 28  # of the programs, others for each way


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("way", "case"),
    [(way, case) for k, way in enumerate(WAYS) for case in programs()[5 + 4 * k :: SAMPLE]],
    ids=lambda value: getattr(value, "name", value),
)
def test_right_or_refused(way: str, case: Case) -> None:
    assert not [(what, args) for what, args in check(case, way) if what not in FINE]


def generic(f: object) -> object:
    space: dict[str, object] = {}
    exec(rg.differentiate(f).source("grad"), space)
    return space[f"{f.__name__}_grad"]


def filled(phi, y):
    kept = y.copy()
    for t in range(1, len(y)):
        kept[t] = phi * kept[t - 1]
    return np.sum(kept * phi)


def counted(w, labels):
    hits = np.zeros(3)
    hits[labels] += w
    return np.sum(hits**2)


def placed(row):
    made = np.zeros((2, 3))
    made[0] = row
    return np.sum(made * np.array([1.0, 2.0, 3.0]))


def test_a_text_of_no_kinds_takes_no_integers_that_it_writes_to() -> None:
    gradient = generic(filled)
    assert gradient(0.5, np.array([2.0, 0.0])) == rg.grad(filled)(0.5, np.array([2.0, 0.0]))
    with pytest.raises(SignatureMismatch, match="`y` is i8\\[2\\], not an array of floats"):
        gradient(0.5, np.array([2, 0]))
    np.testing.assert_array_equal(
        generic(counted)(np.ones(3), np.array([0, 2, 1])), [2.0, 2.0, 2.0]
    )


def test_leading_axes_that_a_write_drops() -> None:
    """The text of any kinds takes the rank that a row has; a call has its own text."""
    for row, wanted in (np.ones((1, 3)), [[1.0, 2.0, 3.0]]), (np.ones((1, 1)), [[6.0]]):
        np.testing.assert_array_equal(rg.grad(placed)(row), wanted)
        with pytest.raises(SignatureMismatch, match="rank at most 1"):
            generic(placed)(row)
