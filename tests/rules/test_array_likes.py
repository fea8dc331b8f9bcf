"""Functions to which a list is no array: refused where one stands in the place of an array."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.rules.book import book


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("operation", [np.array_split, np.split, np.dsplit])
def test_a_list_that_is_none_is_refused(operation: Any) -> None:
    def cut(x: Any) -> Any:
        return np.sum(operation([[[x, x, 2.0 * x]]], [1, 2])[0])

    assert book.rules[operation].unlisted == {"ary"}
    for strict in (True, False):
        with pytest.raises(rg.RetrogradError, match="treats a list otherwise"):
            rg.differentiate(cut, strict=strict).grad(1.5)
