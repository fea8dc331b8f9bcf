"""Returns of different kinds are refused at a `return`, by a reason that speaks of the program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import UnsupportedSyntax


def after_a_loop(x: Any) -> Any:
    for row in x:
        if row > 0:
            return row
    return [x, 3]


def in_a_loop(x: Any) -> Any:
    last = x[0]
    for row in x:
        last = row
        if row > 0:
            return [row, 2.0 * row]
    return last


def in_branches(x: Any) -> Any:
    if x[0] > 0:
        return x[0]
    return [x[0]]


@pytest.mark.parametrize("fn", [after_a_loop, in_a_loop, in_branches])
def test_refused(fn: Callable[[Any], Any]) -> None:
    with pytest.raises(UnsupportedSyntax) as caught:
        rg.grad(fn)(np.ones(2))
    error = caught.value
    assert error.reason == f"the `return` statements of `{fn.__name__}` have different types"
    assert "return one type everywhere" in str(error)
    assert "    return " in str(error)
