"""Programs of many fields, as their authors write them: their gradients, against differences and in every mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("scipy")

import retrograd as rg
from tests.programs.foreign import (
    chosen_and_kept,
    learning_and_machines,
    prices,
    signals_and_pictures,
    sky_and_matter,
    water_and_doses,
)

SUBJECTS = (
    chosen_and_kept,
    learning_and_machines,
    prices,
    signals_and_pictures,
    sky_and_matter,
    water_and_doses,
)
CASES: dict[str, Any] = {k: case for subject in SUBJECTS for k, case in subject.CASES.items()}
ON_THE_TAPE = {  # and why: an iterator, a view or an object that is kept, a set, a container that a callee changes
    "attrdict", "events", "filters", "garch", "garch_n", "kinetics", "obj_in_branch", "taylor", "unifac", "views",
    "with_timer",
}  # fmt: skip
pytestmark = pytest.mark.filterwarnings("ignore")


def differences(f: Callable[..., Any], x: Any, *rest: Any) -> Any:
    """Central differences, extrapolated from two steps."""
    found = np.zeros_like(x)
    for k, unit in enumerate(np.eye(x.size)):
        ways = [(f(x + h * unit, *rest) - f(x - h * unit, *rest)) / (2 * h) for h in (1e-4, 5e-5)]
        found[k] = (4 * ways[1] - ways[0]) / 3
    return found


@pytest.mark.parametrize("name", CASES)
def test_the_gradient(name: str, request: pytest.FixtureRequest) -> None:
    f, args = CASES[name]
    if name in ON_THE_TAPE:
        request.getfixturevalue("taped")
    gradient = rg.grad(f, strict=name not in ON_THE_TAPE)(*args)
    np.testing.assert_allclose(gradient, differences(f, *args), rtol=2e-5, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_the_other_modes(name: str, request: pytest.FixtureRequest) -> None:
    f, (x, *rest) = CASES[name]
    if name in ON_THE_TAPE:
        request.getfixturevalue("taped")
    gradient = rg.grad(f)
    wanted = gradient(x, *rest)
    np.testing.assert_allclose(rg.grad(f, backend="c")(x, *rest), wanted, rtol=1e-9, atol=1e-9)
    slope = rg.jvp(lambda p: f(p, *rest), (x,), (np.ones_like(x),))[1]
    np.testing.assert_allclose(slope, np.sum(wanted), rtol=1e-8, atol=1e-8)
    xs = np.stack([x, x * 1.01, x * 0.98])
    batch = rg.vmap(gradient, in_axes=(0, *[None] * len(rest)))(xs, *rest)
    each = [gradient(one, *rest) for one in xs]
    np.testing.assert_allclose(batch, each, rtol=1e-8, atol=1e-10)
