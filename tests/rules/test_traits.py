"""The records of operations: what they claim is measured, and they cannot contradict themselves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from retrograd.compiler.analyses.aliasing.memory_facts import CONDITIONS
from retrograd.compiler.analyses.kind_model import kind_model
from retrograd.compiler.ir.operations import Apply, Const, Value
from retrograd.runtime.errors import RuleError
from retrograd.runtime.helpers import linear
from retrograd.runtime.helpers.batches.examples import example
from retrograd.runtime.rules.book import book, rule, traits
from retrograd.runtime.rules.traits import DECLARED, Traits, made
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


def test_what_is_said_to_take_none_takes_it() -> None:
    takes = [operation for operation, facts in DECLARED.items() if facts.get("of_nothing")]
    assert linear.copy in takes
    for operation in takes:
        others = (0,) if operation is example else ()
        assert operation(None, *others) in (None, 0.0)


def test_a_fact_is_declared_once() -> None:
    with pytest.raises(RuleError, match="declared twice"):
        traits(np.cumsum, memory="view")
    with pytest.raises(RuleError, match="there is no trait `colour`"):
        traits(np.cumsum, colour="red")
    assert traits_of(np.cumsum).memory == "new"


def test_a_refused_declaration_declares_nothing() -> None:
    def mine(x: float) -> float:
        return x

    with pytest.raises(RuleError, match="declared twice"):
        traits(mine, np.cumsum, memory="view")
    with pytest.raises(RuleError, match="there is a rule"):
        rule(mine, np.cumsum, infinite="may")(lambda z, a, *, da: da)
    assert traits_of(mine) == Traits() and mine not in book
    assert traits_of(np.cumsum).infinite != "may"


def test_operations_of_one_name_agree() -> None:
    """Texts of rules are asked by the names that they call."""
    by_name: dict[tuple[str, str], set[Any]] = {}
    for operation, facts in DECLARED.items():
        for trait in facts.keys() & {"zeros", "kind_of"}:
            by_name.setdefault((trait, operation.__name__), set()).add(facts[trait])
    assert [name for name, values in by_name.items() if len(values) > 1] == []


@pytest.mark.parametrize("home", ["math_tools", "numpy_utils", "scipy_extra", "retrograd.runtimes"])
def test_functions_of_programs_are_not_kept(home: str) -> None:
    def mine(x: float) -> float:
        return x

    mine.__module__ = home
    traits_of(mine)
    assert mine not in made


def applied(fn: Any, *args: Any, **kwargs: Any) -> Apply:
    return Apply([Value("z")], None, fn, args, kwargs)


def test_the_model_of_a_kind() -> None:
    x, y = Value("x"), Value("y")
    assert kind_model(applied(linear.convert, x, y, Const(True))) is y
    assert kind_model(applied(linear.convert, x, like=y)) is y
    assert kind_model(applied(np.zeros_like, x)) is x
    assert kind_model(applied(np.zeros_like, x, Const(complex))) is None
    assert kind_model(applied(np.zeros_like, x, dtype=Const(complex))) is None
    assert kind_model(applied(linear.if_float, x, y)) is None


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
