"""Every mode of `retrograd grad` on every golden program: what the library says, or a refusal with a reason."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.cli.modes import derived
from retrograd.runtime.errors import RetrogradError
from retrograd.runtime.helpers.core import map_tree
from retrograd.runtime.objects.pytree import leaves
from tests.golden_case import FOLDER, Case

CASES = [case for case in map(Case, sorted(FOLDER.glob("*.py"))) if not case.chain.starred]
MODES = ("vjp", "jacobian", "hvp", "hessian")
# What cannot be written for arguments of these kinds, and a word of the reason.
REFUSED: dict[tuple[str, str], str] = {}


def unit(y: Any) -> Any:
    return 1.0 if isinstance(y, float) else np.ones_like(y)[()]


def wanted(case: Case, mode: str) -> Any:
    """What the library computes."""
    names = [place.text(case.chain.parameters) for place in case.wrt]
    wrt: Any = names[0] if len(names) == 1 else names
    args = case.arguments()
    if mode == "jacobian":
        return rg.jacobian(case.function, wrt)(*args)
    if mode == "hessian":
        return rg.hessian(case.function, wrt)(*args)
    if mode == "hvp":
        dots = directions(case)
        return rg.hvp(case.function, args, dots[0] if len(dots) == 1 else dots, wrt)
    value, pullback = rg.vjp(case.function, *args, wrt=names)
    bars = pullback(map_tree(unit, value))
    return bars[0] if len(bars) == 1 else bars


def directions(case: Case) -> list[Any]:
    args = case.arguments()
    return [copy.deepcopy(place.of(args)) for place in case.wrt]


def found(case: Case, mode: str) -> Any:
    """What the text computes that the command line writes."""
    chain = derived(case.chain, mode, False, case.wrt, len(case.wrt) == 1)
    scope: dict[str, Any] = dict(vars(case.module))
    text = chain.text(case.chain.types(case.arguments()))
    exec(compile(text, mode, "exec"), scope)
    function = [v for v in scope.values() if hasattr(v, "__code__")][-1]
    extra: list[Any] = directions(case) if mode == "hvp" else []
    if mode == "vjp":
        extra = [unit(y) for y in leaves(case.value(case.arguments())) if y is not None]
    return function(*case.arguments(), *extra)


@pytest.mark.sampled(24)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_text_computes_what_the_library_does(case: Case, mode: str) -> None:
    reason = REFUSED.get((case.name, mode))
    if reason is not None:
        with pytest.raises(RetrogradError, match=reason):
            found(case, mode)
        return
    with np.errstate(all="ignore"):
        here, there = leaves(found(case, mode)), leaves(wanted(case, mode))
    assert len(here) == len(there)
    for a, b in zip(here, there, strict=True):
        if b is not None:
            assert np.shape(a) == np.shape(b)
            np.testing.assert_allclose(a, b, rtol=1e-8, atol=1e-9)
