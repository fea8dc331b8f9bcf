"""SciPy's searches on the tape: their steps are no derivative."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from retrograd.runtime.errors import TapeError
from retrograd.runtime.tape.calls import taped

so = pytest.importorskip("scipy.optimize")


def on_a_line(a: Any) -> Callable[[Any], Any]:
    return lambda p: (p - a) ** 2 + np.cos(p)


def sloping(a: Any) -> Callable[[Any], Any]:
    return lambda p: 2 * (p - a) - np.sin(p)


STEPS = ("golden", "fminbound", "brent", "bracket", "newton", "bisect", "brute")


@pytest.mark.parametrize("name", STEPS)
def test_steps_on_the_tape_are_no_derivative(name: str) -> None:
    """A search by comparisons gives a plain number, whose derivative would be 0."""
    more: dict[str, tuple[Any, ...]] = {
        "fminbound": (-3, 3), "bisect": (-3, 3), "newton": (1.0,), "brute": (((-3, 3),),)
    }  # fmt: skip
    search = getattr(so, name)

    def f(a: Any) -> Any:
        g = sloping(a) if name in ("newton", "bisect") else on_a_line(a)
        return np.ravel(search(g, *more.get(name, ())))[0]

    with pytest.raises(TapeError, match="no derivative"):
        taped(f, 0.3)
