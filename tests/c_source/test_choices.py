"""Choices between elements of short rows in C for people, at the options that people give: gcc 11 and 12 mix up their conditions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrograd.transforms.api import chain_of

from .derivatives import fixed, pair
from .programs import MAKERS


def ratio(x, a):  # type: ignore[no-untyped-def]
    return np.sum(np.where(a > 0.5, x / (1.0 + a), 0.0) ** 2)


def either(x, a):  # type: ignore[no-untyped-def]
    return np.sum(np.where(a < 0.3, a * x, x * x))


@pytest.mark.skipif(not MAKERS, reason="no C compiler")
@pytest.mark.parametrize("loss", [ratio, either])
@pytest.mark.parametrize("width", [3, 5])
def test_rows_of_a_few_columns(loss: Any, width: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    args = [rng.normal(size=(67, width)), rng.uniform(size=(67, width))]
    chain = chain_of(loss)
    places, single = chain.positions((0, 1))
    types = {
        n: fixed(kind, a) for (n, kind), a in zip(chain.types(args).items(), args, strict=True)
    }
    made = pair(chain, "value_and_grad", places, single, types)
    made.check(tmp_path, args, MAKERS[0], 1e-9, ("-O3", "-march=native"))
