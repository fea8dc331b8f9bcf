"""Numbers of Python's stay such in kernels, and numbers of NumPy's those, as in the text: for everything that takes floats."""

from __future__ import annotations

import math
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
INSIDE = ("{}", "abs(max({}, 1))")  # of a kind that is known, and of one that only running tells


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


@pytest.mark.sampled(4)
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
        same_kinds(f, wrt, [*given, 1.25])
        if place == "{}":
            same_kinds(f, wrt, [*map(np.float64, given), 1.25])


def same_kinds(f: Any, wrt: tuple[int, ...], numbers: list[Any]) -> None:
    for asked in (backward, forward):
        try:
            value, slopes = asked(f, wrt, None)(*numbers)
        except (ArithmeticError, ValueError, TypeError, rg.RetrogradError):
            continue
        kernel = asked(f, wrt, "c")
        for _ in range(2):
            found, bars = kernel(*numbers)
            assert type(found) is type(value)
            assert [type(x) for x in bars] == [type(x) for x in slopes]
            np.testing.assert_allclose([found, *bars], [value, *slopes], rtol=1e-9, atol=1e-12)


def backward(f: Any, wrt: tuple[int, ...], backend: str | None) -> Any:
    return rg.value_and_grad(f, wrt, backend=backend, check=None)


def forward(f: Any, wrt: tuple[int, ...], backend: str | None) -> Any:
    def pushed(*numbers: Any) -> Any:
        dots = tuple(type(x)(0.5) for x in numbers)
        value, dot = rg.jvp(f, numbers, dots, backend=backend)
        return value, [dot]

    return pushed


def of_a_distance(a: Any, b: Any, c: Any) -> Any:
    long = (1.0 + abs(c)) ** 0.5
    short = long
    while 0.1 < short < math.inf:
        short *= 0.5
        if short < -0.2:
            continue
        short -= 0.01
    return math.hypot(long + a, abs(max(c, short, 1)) + b)


def test_what_numpy_makes_of_a_number_of_several_kinds() -> None:
    for c in (0.2, 1.2):
        same_kinds(of_a_distance, (0, 1, 2), [0.3, 0.2, c])
