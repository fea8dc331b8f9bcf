"""NumPy's numbers take axes (``a[..., None]``), and so do their tangents, which may be Python's."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.both_modes import agrees
from tests.written import written

MADE = (
    "np.deg2rad({})", "np.negative({})", "np.multiply({}, 2.0)", "np.float64({})", "np.asarray({})", "np.sin({})", "np.add({}, x[1])",
    "np.float64({}) * 2", "np.positive({})",
)  # fmt: skip
USED = (
    "a[...].sum()", "a[None].sum()", "a[..., None] @ np.ones(1)", "a[None, ..., None].ravel()[0]", "a.reshape(1, 1).sum()",
    "np.zeros(a.shape + (2,)).sum() + a", "a.repeat(3) @ np.arange(3.0)", "a[()] * a",
)  # fmt: skip


@pytest.mark.parametrize(("made", "used"), list(itertools.product(MADE, USED)))
def test_axes(made: str, used: str) -> None:
    f = written(f"\ndef f(x):\n    a = {made.format('float(x[0])')}\n    return {used} * x[2]\n")
    agrees(f, np.array([0.7, 1.3, -0.6]))
