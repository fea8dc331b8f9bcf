"""Numbers of Python's stay such in kernels, and numbers of NumPy's those, as in the text: for everything that takes floats."""

from __future__ import annotations

import shutil
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.traits.lookup import traits_of
from tests.rules.harness import Case, name_of, samples
from tests.written import written

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)
SPACES = ("math.", "np.", "builtins.", "operator.")
INSIDE = ("{}", "abs({})", "{} * k")  # where the numbers of a derivative come together


def floats(operation: Any) -> list[float]:
    """The first sample of an operation that takes Python's floats and nothing else."""
    for sample in samples()[operation]:
        case = Case.of(operation, sample, typed=True)
        if case is not None and not sample.kwargs and all(type(x) is float for x in case.values):
            return list(case.values)
    return []


def is_of_numbers(operation: Any) -> bool:
    return name_of(operation).startswith(SPACES) and (
        traits_of(operation).elementwise is True or name_of(operation).startswith("math.")
    )


OPERATIONS = sorted(filter(is_of_numbers, samples()), key=name_of)


@pytest.mark.parametrize("operation", OPERATIONS, ids=map(name_of, OPERATIONS))
def test_the_same_kinds(operation: Any) -> None:
    given = floats(operation)
    if not given:
        pytest.skip("no sample of floats alone")
    names = "abcd"[: len(given)]
    for place in INSIDE:
        told = ", ".join(place.format(name) for name in names)
        f = written(
            f"import math, operator, builtins\n\ndef f({', '.join(names)}, k):\n    return k * {name_of(operation)}({told})\n"
        )
        wrt = tuple(range(len(given) + 1))
        for numbers in ([*given, 1.25], [*map(np.float64, given), 1.25]):
            same_kinds(f, wrt, numbers)


def same_kinds(f: Any, wrt: tuple[int, ...], numbers: list[Any]) -> None:
    try:
        value, slopes = rg.value_and_grad(f, wrt)(*numbers)
    except (ArithmeticError, ValueError, TypeError, rg.RetrogradError):
        return
    kernel = rg.value_and_grad(f, wrt, backend="c", check=None)
    for _ in range(2):
        found, bars = kernel(*numbers)
        assert type(found) is type(value)
        assert [type(x) for x in bars] == [type(x) for x in slopes]
        np.testing.assert_allclose([found, *bars], [value, *slopes], rtol=1e-9, atol=1e-12)
