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


SEARCHES: dict[str, tuple[Any, ...]] = {
    "golden": (), "fminbound": (-3, 3), "brent": (), "newton": (1.0,), "bisect": (-3, 3),
    "bracket": (), "brute": (((-3, 3),),),
}  # fmt: skip
WITH_DERIVATIVES = ("golden", "fminbound", "brent", "newton", "bisect")


def searched(name: str) -> Callable[[Any], Any]:
    search = getattr(so, name)

    def f(a: Any) -> Any:
        g = sloping(a) if name in ("newton", "bisect") else on_a_line(a)
        return np.ravel(search(g, *SEARCHES[name]))[0]

    return f


@pytest.mark.parametrize("name", WITH_DERIVATIVES)
def test_what_is_found_has_the_derivative_of_its_equation(name: str) -> None:
    """Not that of the steps, which compare: it would be 0."""
    value, pull = taped(searched(name), 0.3)
    np.testing.assert_allclose(2 * (value - 0.3), np.sin(value), atol=1e-6)
    np.testing.assert_allclose(pull(1.0), 2 / (2 - np.cos(value)), rtol=1e-6)


@pytest.mark.parametrize("name", sorted({*SEARCHES} - {*WITH_DERIVATIVES}))
def test_steps_on_the_tape_are_no_derivative(name: str) -> None:
    with pytest.raises(TapeError, match="no derivative"):
        taped(searched(name), 0.3)
