"""How an operation is called on a batch is told from its samples: the right way holds, others are refuted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from retrograd.runtime.helpers import linear
from retrograd.runtime.traits.lookup import traits_of

from .measured_batches import measured

CASES = [
    (np.cumsum, "flat", "leading"),
    (np.linalg.det, "leading", None),
    (linear.fit, "wide", None),
    (np.fft.fftshift, "all", None),
]


@pytest.mark.parametrize(("operation", "right", "wrong"), CASES)
def test_ways_are_told_apart(operation: Any, right: str, wrong: str | None) -> None:
    found = measured(operation)
    assert traits_of(operation).batch == right
    assert found[right][True] and not found[right][False]
    assert wrong is None or not found[wrong][True] or found[wrong][False]
