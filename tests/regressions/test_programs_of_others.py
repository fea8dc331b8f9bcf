"""Programs that the compiler had not seen, in reverse, forward and on the tape: right, or refused with an error of ours.

The check at birth is off: it is the compiler that has to be right.
"""

from __future__ import annotations

import importlib.util
import warnings
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError, SignatureMismatch

from .others import judge, language, memory, numbers, objects, science
from .others.judge import WAYS, Program, differences, verdict

pytestmark = pytest.mark.usefixtures("unchecked")
MODULES = (memory, numbers, objects, language, science)
PROGRAMS = [program for module in MODULES for program in module.PROGRAMS]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_right_or_refused(program: Program) -> None:
    known = differences(program)
    for way in WAYS:
        found = verdict(program, way, known)
        if way in program.refused:
            assert program.refused[way] in found, (way, found)
        else:
            assert found == "right", (way, found)


# -- objects of every kind, asked by every construct ------------------------------------------------


@pytest.mark.parametrize("kind", objects.KINDS)
def test_what_an_argument_answers(kind: str) -> None:
    """A third of the constructs; ``python -m tests.fuzz.protocols`` runs all of a larger table."""
    count = 0
    chosen = list(objects.CONSTRUCTS)[sorted(objects.KINDS).index(kind) % 3 :: 3]
    for construct in chosen:
        fn, make = objects.CONSTRUCTS[construct], objects.KINDS[kind]
        program = Program(f"{kind}/{construct}", fn, lambda make=make: (objects.X.copy(), make()))
        try:
            fn(*program.args())
        except Exception:
            continue
        known = differences(program)
        for way in WAYS:
            found = verdict(program, way, known)
            assert found == "right" or found.startswith("refused: "), (str(program), way, found)
            count += 1
    assert count > 1


@pytest.mark.skipif(importlib.util.find_spec("pandas") is None, reason="needs pandas")
def test_pandas() -> None:
    import pandas as pd

    def series() -> Any:
        return objects.X.copy(), pd.Series([1.5, 0.5, 2.0], index=[2, 0, 1])

    def table() -> Any:
        return objects.X.copy(), pd.DataFrame({"a": [1.5, 0.5], "b": [2.0, 1.0]})

    assert verdict(Program("series", objects.by_for, series), "reverse") == "right"
    for way in ("reverse", "forward", "tape"):
        assert verdict(Program("rows", objects.row_sums, table), way) == "right"


def test_a_tuple_of_a_collected_list() -> None:
    """As an index it is no list: ``x[(2, 3)]`` is an entry, ``x[[2, 3]]`` are rows."""
    x = np.arange(16.0).reshape(4, 4)
    for fn in (objects.last_entry, objects.mean_over_found):
        for way in WAYS:
            assert verdict(Program(fn.__name__, fn, lambda: (x.copy(),)), way) == "right"


def test_a_value_as_a_key() -> None:
    """It has no derivative as a key; the value that is found has none, either."""
    assert rg.value_and_grad(objects.as_a_key)(1.3) == (2.6, 2.0)
    with pytest.raises(RetrogradError, match="hash"):
        WAYS["tape"](objects.as_a_key, (1.3,), 0)


# -- numbers where Python raises, and arrays of nothing ---------------------------------------------


@pytest.mark.parametrize(("fn", "x"), numbers.EMPTY, ids=lambda v: getattr(v, "__name__", ""))
def test_of_nothing(fn: Any, x: Any) -> None:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        own = fn(x)
        for way in ("reverse", "tape"):
            value, slope = WAYS[way](fn, (x.copy(),), 0)
            slope = slope[0] if isinstance(slope, tuple) else slope
            np.testing.assert_equal(value, own)
            assert slope.shape == x.shape
        value, tangent = WAYS["forward"](fn, (x.copy(),), 0)
        np.testing.assert_equal(value, own)
        assert np.shape(tangent[0]) == ()


@pytest.mark.parametrize(("fn", "x", "slope"), numbers.AT_LIMITS)
def test_where_python_divides_by_zero(fn: Any, x: float, slope: float) -> None:
    """The value is the function's, and the slope what NumPy's arithmetic gives."""
    for way in WAYS:
        with np.errstate(all="ignore"):
            if way == "tape" and fn in numbers.OF_MATH:
                with pytest.raises(RetrogradError, match="no finite value"):
                    WAYS[way](fn, (x,), 0)
                continue
            value, found = WAYS[way](fn, (x,), 0)
        assert value == fn(x)
        found = np.ravel(found)[0]
        if way == "forward":
            found = found / judge.directions([x])[0]
        np.testing.assert_allclose(found, slope)
    value, pull = rg.vjp(fn, x)
    np.testing.assert_allclose(pull(1.0)[0], slope)


def test_errors_of_the_function_are_its_own() -> None:
    with pytest.raises(ZeroDivisionError):
        rg.grad(numbers.inverse)(0.0)
    with pytest.raises(np.exceptions.AxisError):
        rg.value_and_grad(numbers.mean_of_a_number)(0.7)
    with pytest.raises(ZeroDivisionError):
        rg.grad(numbers.caught)(0.0)  # what its own ``try`` would see cannot be told


def test_vectors_of_equal_eigenvalues_have_no_derivative() -> None:
    z = np.ones((2, 1))
    assert np.isnan(rg.grad(numbers.last_vector)(np.eye(2), z)).all()
    assert np.isnan(WAYS["tape"](numbers.last_vector, (np.eye(2), z), 0)[1]).all()


def test_pulled_back_by_a_complex_number() -> None:
    _, pull = rg.vjp(numbers.complex_root, 1.3)
    slope = 0.9 * (1.3 - 2.0 + 0j) ** -0.7
    np.testing.assert_allclose(pull(1j)[0], (np.conj(slope) * 1j).real)


# -- sizes --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("fn", "args"), numbers.SIZES)
def test_sizes_that_do_not_fit_are_the_functions_to_refuse(fn: Any, args: Any) -> None:
    with pytest.raises(ValueError, match=r"shape|match|align"):
        fn(*args)
    for wrt in range(len(args)):
        with pytest.raises(ValueError, match=r"shape|match|align"):
            rg.grad(fn, wrt=wrt)(*args)


@pytest.mark.parametrize(("fn", "args"), numbers.SIZES[:5])
def test_a_text_says_the_sizes_of_constants(fn: Any, args: Any) -> None:
    scope: dict[str, Any] = {}
    exec(rg.differentiate(fn).source("grad", np.ones(3)), scope)
    slope = scope[f"{fn.__name__}_grad"]
    np.testing.assert_array_equal(slope(np.ones(3)), rg.grad(fn)(np.ones(3)))
    with pytest.raises(SignatureMismatch, match=r"is f8\[2\], not f8\[3\]"):
        slope(*args)


def test_a_branch_that_is_not_taken_asks_for_no_sizes() -> None:
    found = rg.grad(numbers.added_in_a_branch)(np.ones(2), -np.ones(3))
    np.testing.assert_array_equal(found, 2.0 * np.ones(2))
