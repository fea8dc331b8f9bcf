"""Missing data: nan that the program itself passes over has the slope 0, in every mode and order.

A nan that it does not pass over stays visible in the derivative.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.rules.book import book
from retrograd.runtime.traits.lookup import declared as declared_traits
from retrograd.runtime.traits.lookup import traits_of
from retrograd.transforms.api import chain_of
from retrograd.transforms.specialise.eager_fallback import eager
from tests.programs.missing_data import (
    ALONG,
    CASES,
    DATA,
    GAPS,
    KNOWN,
    NAN,
    POINT,
    TIMES,
    WITH_DATA,
)


def program(passes: Callable[..., Any], model: Callable[..., Any]) -> Callable[..., Any]:
    def f(p):
        return passes(DATA, model(p))

    return f


def slopes(f: Callable[..., Any], p: np.ndarray, step: float = 1e-6) -> np.ndarray:
    return np.array([(f(p + step * e) - f(p - step * e)) / (2 * step) for e in np.eye(len(p))])


def curvature(f: Callable[..., Any], p: np.ndarray, along: np.ndarray, h: float = 3e-4) -> Any:
    """The second derivative, of the function itself."""
    return np.array([
        (f(p + h * e + h * along) - f(p - h * e + h * along) - f(p + h * e - h * along)
         + f(p - h * e - h * along)) / (4 * h * h)
        for e in np.eye(len(p))
    ])  # fmt: skip


def named(case: Any) -> str:
    return f"{case[0].__name__}-{case[1].__name__}"


@pytest.mark.sampled(4)
@pytest.mark.parametrize("case", CASES, ids=named)
@pytest.mark.filterwarnings("ignore")
def test_missing_data_has_no_part(case: Any) -> None:
    f = program(*case)
    with np.errstate(all="ignore"):
        wanted, second = slopes(f, POINT), curvature(f, POINT, ALONG)
        gradient = rg.grad(f, strict=True)(POINT)
        tangents = [rg.jvp(f, (POINT,), (e,))[1] for e in np.eye(3)]
        product = rg.hvp(f, (POINT,), ALONG)
        (again,) = rg.vjp(rg.grad(f), POINT)[1](ALONG)
    np.testing.assert_allclose(gradient, wanted, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(tangents, wanted, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(product, second, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(again, second, rtol=1e-4, atol=1e-4)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("case", CASES, ids=named)
@pytest.mark.filterwarnings("ignore")
def test_the_tape_says_the_same(case: Any) -> None:
    f = program(*case)
    chain = chain_of(f)
    gradient = chain.then("grad", (0,))
    with np.errstate(all="ignore"):
        wanted, second = slopes(f, POINT), curvature(f, POINT, ALONG)
        slope = eager(gradient)(POINT)
        tangents = [eager(chain.then("jvp", (0,)))(POINT, e)[1] for e in np.eye(3)]
        product = eager(gradient.then("tangent", (0,)))(POINT, ALONG)
    np.testing.assert_allclose(slope, wanted, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(tangents, wanted, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(product, second, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("f", WITH_DATA, ids=lambda f: f.__name__)
@pytest.mark.filterwarnings("ignore")
def test_data_that_are_arguments(f: Callable[..., Any]) -> None:
    x = np.where(np.arange(6) == 3, NAN, TIMES)
    chain = chain_of(f)

    def of_parameters(p: np.ndarray) -> Any:
        return f(p, DATA, x)

    with np.errstate(all="ignore"):
        wanted, second = slopes(of_parameters, POINT), curvature(of_parameters, POINT, ALONG)
        gradient, by_data = rg.grad(f, wrt=(0, 1))(POINT, DATA, x)
        dot = rg.jvp(f, (POINT, DATA, x), (ALONG, np.zeros(6), np.zeros(6)))[1]
        product = rg.hvp(f, (POINT, DATA, x), ALONG)
        taped = eager(chain.then("grad", (0,)))(POINT, DATA, x)
    np.testing.assert_allclose(gradient, wanted, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(dot, wanted @ ALONG, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(product, second, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(taped, wanted, rtol=1e-5, atol=1e-5)
    assert np.isfinite(by_data).all()
    assert (by_data[np.isnan(DATA)] == 0).all()


# -- what is not passed over -----------------------------------------------------------------------


def plain(p):
    return np.sum((DATA - p[0] * TIMES) ** 2)


def in_another_term(p):
    return np.nansum((DATA - p[0] * TIMES) ** 2) + np.sum(p * DATA[:3])


def mean_of_rest(p):
    ok = ~np.isnan(GAPS)
    return np.sum(((DATA - p[0] * TIMES) ** 2)[ok])


@pytest.mark.parametrize("f", [plain, in_another_term, mean_of_rest])
def test_nan_that_nobody_passes_over_stays(f: Callable[..., Any]) -> None:
    assert np.isnan(f(POINT))
    assert np.isnan(rg.grad(f)(POINT)).any()
    assert np.isnan(rg.jvp(f, (POINT,), (ALONG,))[1])
    assert np.isnan(eager(chain_of(f).then("grad", (0,)))(POINT)).any()


def where_known(p):
    return np.sum(np.where(KNOWN, (TIMES - p[0]) ** 2, 0.0))


def test_programs_that_expect_no_nan_keep_their_text() -> None:
    for f in (plain, where_known):
        text = rg.differentiate(f).source("grad", POINT)
        assert "mul0" not in text


# -- which operations expect it --------------------------------------------------------------------


def passes_over(f: Callable[..., Any], x: Any) -> bool:
    """True if an operation of floats gives some in which the nan of an argument is not seen."""
    try:
        found = np.asarray(f(x, 1.0) if getattr(f, "nin", 1) == 2 else f(x))
    except Exception:
        return False
    return found.dtype.kind == "f" and found.size > 0 and not np.isnan(found).any()


@pytest.mark.filterwarnings("ignore")
def test_operations_of_numpy_that_pass_over_nan_are_declared() -> None:
    """Of those that have a rule; others read no entries, or the nan has no part in what they give."""
    x = np.array([1.5, NAN, 0.5])
    declared = {op for op, _ in declared_traits("expects")}
    named = {getattr(np, name) for name in dir(np) if name.startswith("nan") and name != "nan"}
    unquantified = {np.nanpercentile, np.nanquantile}  # they take two arguments
    assert named <= declared
    for op in named - unquantified - {np.nanargmax, np.nanargmin}:
        assert passes_over(op, x), op
    found = {
        op for op in map(vars(np).get, dir(np))
        if op in book and traits_of(op).reads is None and passes_over(op, x)
    }  # fmt: skip
    assert found - declared <= OF_NO_ENTRIES, found - declared - OF_NO_ENTRIES


OF_NO_ENTRIES = {np.imag}  # of real numbers: zeros
