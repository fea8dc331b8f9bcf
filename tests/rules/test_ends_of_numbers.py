"""Where an operation has a value for zeros, infinities, NaN, and the largest and smallest numbers, its adjoint has one, too."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from retrograd.runtime.traits.lookup import traits_of
from retrograd.transforms.specialise.float_exceptions import raised_by_floats
from tests.rules.harness import Case, Compiled, name_of, pull, samples

ENDS = [0.0, -0.0, 1.0, -2.5, 1e6, -1e6, 1e17, -1e17, 1e308, -1e308, 5e-324]
ENDS += [math.inf, -math.inf, math.nan]
FOR_MINUTES = {"hyp1f1", "hyp2f1"}  # SciPy's functions themselves, near the ends


def of_numbers(case: Case) -> bool:
    return len(case.values) < 3 and all(type(x) is float for x in case.values)


def arrays(case: Case) -> list[int]:
    return [k for k in case.wrt if isinstance(case.values[k], np.ndarray)]


def is_chosen(operation: Any) -> bool:
    name = name_of(operation)
    of_entries = traits_of(operation).elementwise is True or name.startswith("math.")
    return of_entries and name.rpartition(".")[2] not in FOR_MINUTES


OPERATIONS = sorted(filter(is_chosen, samples()), key=name_of)


def points(case: Case) -> Iterator[list[Any]]:
    """The ends, in every pair for numbers, somehow in arrays."""
    if of_numbers(case):
        yield from map(list, itertools.product(ENDS, repeat=len(case.values)))
        return
    rng = np.random.default_rng(11)
    for _ in range(4):
        drawn = list(case.values)
        for k in arrays(case):
            drawn[k] = rng.choice(ENDS, size=np.shape(drawn[k])).astype(drawn[k].dtype)
        yield drawn


@pytest.mark.parametrize("operation", OPERATIONS, ids=map(name_of, OPERATIONS))
def test_the_adjoint_has_a_value(operation: Any) -> None:
    case = Case.of(operation, samples()[operation][0], typed=True)
    if case is None or not (of_numbers(case) or arrays(case)):
        pytest.skip("no numbers with fractions")
    function, adjoint = Compiled(case.function), Compiled(pull(case.function, case.wrt))
    ran = 0
    with np.errstate(all="ignore"):
        for at in points(case):
            try:
                values = function(*at)
            except (ArithmeticError, ValueError):  # what it says of such numbers itself
                continue
            if any(type(v) is complex for v in values):
                continue
            bars = [np.ones_like(v)[()] if hasattr(v, "dtype") else 1.0 for v in values]
            try:
                adjoint(*at, *bars)
            except (ArithmeticError, ValueError) as error:  # of floats: it is run in NumPy then
                assert raised_by_floats(error) and of_numbers(case), at  # noqa: PT017
            ran += 1
    assert ran
