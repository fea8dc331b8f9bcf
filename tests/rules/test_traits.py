"""The records of operations: what they claim is measured, and they cannot contradict themselves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from retrograd.compiler.analyses.aliasing.memory_facts import CONDITIONS
from retrograd.runtime.errors import RuleError
from retrograd.runtime.rules.book import traits
from retrograd.runtime.rules.traits import DECLARED, Traits
from retrograd.runtime.traits.linearity import linear_in
from retrograd.runtime.traits.lookup import traits_of

from .measured_traits import CLAIMS, measured


def test_what_is_claimed_is_so() -> None:
    counts, wrong = measured(some=1)
    assert not wrong
    assert all(counts[name] > 5 for name in CLAIMS)


def test_conditions_have_a_meaning() -> None:
    named = {
        facts[name]
        for facts in DECLARED.values()
        for name in ("new_if", "view_if", "itself_if")
        if name in facts
    }
    assert named <= CONDITIONS.keys()


def test_a_fact_is_declared_once() -> None:
    with pytest.raises(RuleError, match="declared twice"):
        traits(np.cumsum, memory="view")
    with pytest.raises(RuleError, match="there is no trait `colour`"):
        traits(np.cumsum, colour="red")
    assert traits_of(np.cumsum).memory == "new"


@pytest.mark.parametrize("unknown", [[], {}, lambda x: x, "name", type("Mine", (), {})()])
def test_of_other_objects_nothing_is_known(unknown: Any) -> None:
    assert traits_of(unknown) == Traits()


@pytest.mark.parametrize(
    ("operation", "together", "alone"),
    [
        (np.where, ("x", "y"), ("x", "y")), (np.multiply, (), ("x", "y")), (np.divide, (), ("x",)),
        (np.matmul, (), ("x1", "x2")), (np.cumsum, ("x",), ("x",)), (np.exp, (), ()), (np.sort, (), ()),
        (np.reshape, ("a",), ("a",)), (math.floor, (), ()),
    ],
)  # fmt: skip
def test_linear_in(operation: Any, together: tuple[str, ...], alone: tuple[str, ...]) -> None:
    assert linear_in(operation) == together
    assert linear_in(operation, together=False) == alone
