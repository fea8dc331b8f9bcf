"""Counted loops of every kind: the first programs of `python -m tests.fuzz.counted`, which take every entry of its tables."""

from __future__ import annotations

import pytest

from .counted import in_c_and_in_sweeps, program
from .run import judged

pytestmark = pytest.mark.usefixtures("unchecked")


@pytest.mark.parametrize("k", range(0, 3 * 13, 3))
def test_derivatives(k: int) -> None:
    outcome = judged(program(k), second=False)
    assert outcome.verdict in ("ok", "discarded"), (
        f"{outcome.reason}\n{outcome.detail}\n{program(k)}"
    )


@pytest.mark.parametrize("k", range(1, 3 * 11, 5))
def test_hessians_and_kernels(k: int) -> None:
    assert in_c_and_in_sweeps(k) in ("ok", "discarded"), program(k)
