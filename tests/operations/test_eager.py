"""A sample of the rows on eager tensors (`python -m tests.operations.eager` tries all)."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg

from .eager import MODES, asked, is_known, verdict
from .rows import Row

pytest.importorskip("scipy")
ROWS = asked()
KNOWN = [row for row in ROWS if is_known(row)]
REFUSED = {
    "np.histogram": "counts: constant in `bins` only where these are no numbers of edges",
    "np.atleast_1d(s,s2)": "its rule takes one array",
    "mode='linear_ramp'": "no rule for this mode",
    "np.full_like": "NumPy makes it of np.copyto, which writes",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("row", ROWS[5::29], ids=lambda row: row.name)
def test_a_row_is_right_or_refused(row: Row, mode: str) -> None:
    assert not verdict(row, mode).startswith("WRONG")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("row", KNOWN[2::23], ids=lambda row: row.name)
def test_what_has_a_rule_is_right(row: Row, mode: str) -> None:
    said = verdict(row, mode)
    fine = said.startswith(("right", "without", "absent"))
    assert fine or any(text in row.expression for text in REFUSED), said


def test_most_functions_have_a_rule() -> None:
    assert len(KNOWN) > 300


def test_arguments_that_only_a_form_knows_have_tangents() -> None:
    """The rule of `np.trapezoid` says nothing of its places; that of its form does."""
    mode = rg.autograd.forward_ad
    y, x = rg.tensor([1.0, 2.0, 4.0]), rg.tensor([0.0, 1.0, 3.0])
    with mode.dual_level():
        x = mode.make_dual(x, rg.tensor([0.0, 0.0, 1.0]))
        assert mode.unpack_dual(np.trapezoid(y, x)).tangent.item() == 3.0
        counts, _ = np.histogram(x, bins=2, range=(0.0, 4.0))
        assert list(np.asarray(counts)) == [2, 1]  # they stay as they are


def test_a_dual_tensor_does_not_become_an_array() -> None:
    mode = rg.autograd.forward_ad
    with mode.dual_level():
        x = mode.make_dual(rg.ones(2), rg.ones(2))
        for leaves in (np.array, np.asarray, rg.Tensor.numpy, lambda t: np.array([t[0], 1.0])):
            with pytest.raises(RuntimeError, match="whose tangent would be lost"):
                leaves(x)
        np.testing.assert_array_equal(mode.unpack_dual(x).primal.numpy(), np.ones(2))
    np.testing.assert_array_equal(x.numpy(), np.ones(2))
