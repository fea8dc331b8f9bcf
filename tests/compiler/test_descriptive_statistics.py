"""Descriptive statistics of SciPy and NumPy with their options: values, gradients, and what stays refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg

pytest.importorskip("scipy")

import scipy.signal as sg
import scipy.stats as st

X = np.random.default_rng(0).normal(size=(5, 6)) + 0.3
P = np.abs(X) + 0.5
AXES: list[dict[str, Any]] = [{}, {"axis": 0}, {"axis": 1}, {"axis": -1}, {"axis": None}]
KEPT = [*AXES, {"axis": 1, "keepdims": True}]
LIMITS = [{"limits": (-0.5, 1.0)}, {"limits": (-0.5, None), "inclusive": (False, True)}, {}]
GROUPS = (P[0], P[1, :4], P[2])


def options(*more: dict[str, Any], axes: list[dict[str, Any]] = KEPT) -> list[dict[str, Any]]:
    return [axis | other for axis in axes for other in (more or ({},))]


NORMAL = {"scale": "normal"}
TURN = {"high": 3.0, "low": -1.0}
OF_ONE: dict[Any, list[dict[str, Any]]] = {
    st.iqr: options({}, {"rng": (80, 20), **NORMAL}, {"interpolation": "midpoint"}),
    st.median_abs_deviation: options({}, NORMAL, {"scale": 2.0}, {"center": np.mean}),
    st.circmean: options({}, TURN),
    st.circvar: options({}, TURN),
    st.circstd: options({}, TURN, {"normalize": True}),
    st.tmean: options(*LIMITS),
    st.tvar: options(*LIMITS),
    st.tstd: options(*LIMITS, {"ddof": 0}),
    st.tsem: options(*LIMITS),
    st.tmin: options({}, {"lowerlimit": -0.2}, {"lowerlimit": -0.2, "inclusive": False}),
    st.tmax: options({}, {"upperlimit": 0.9}, {"upperlimit": 9.0, "inclusive": False}),
    st.trim_mean: options({"proportiontocut": 0.3}, {"proportiontocut": 0.0}),
    st.trimboth: options({"proportiontocut": 0.3}, axes=AXES),
    st.trim1: options({"proportiontocut": 0.3}, {"proportiontocut": 0.4, "tail": "left"}, axes=AXES),
    st.yeojohnson: [{"lmbda": k} for k in (-0.5, 0.0, 1.3, 2.0)],
}  # fmt: skip
OF_POSITIVE: dict[Any, list[dict[str, Any]]] = {
    st.gstd: options({}, {"ddof": 0}),
    st.gzscore: options({}, {"ddof": 1}, axes=AXES[1:]),
    st.chisquare: options({}, {"ddof": 1}, axes=AXES),
    st.power_divergence: options(*({"lambda_": k} for k in ("neyman", 0, -1, 0.7, None)), axes=AXES),
    st.jarque_bera: options(axes=AXES),
}  # fmt: skip
OF_DATA = {st.boxcox_llf: P, st.yeojohnson_llf: X}
SPECTRA: dict[Any, list[dict[str, Any]]] = {
    sg.periodogram: [{}, {"axis": 0}, {"axis": -2, "scaling": "spectrum"}],
    sg.welch: [{"nperseg": 4}, {"nperseg": 4, "axis": 0}, {"nperseg": 3, "axis": -2}, {"nperseg": 4, "axis": 1}],
    sg.stft: [{"nperseg": 2}],
}  # fmt: skip
CROSS: dict[Any, list[dict[str, Any]]] = {
    sg.csd: [{"nperseg": 4}, {"nperseg": 3, "axis": 0}, {"nperseg": 4, "return_onesided": False}],
    sg.coherence: [{"nperseg": 3}, {"nperseg": 2, "axis": 0}],
}


def flat(value: Any) -> Any:
    """One number of all numbers of a result."""
    if isinstance(value, tuple):
        parts = [flat(part) for part in value]
        return sum(parts[1:], parts[0])
    return np.sum(np.abs(value) * np.cos(np.arange(np.size(value))).reshape(np.shape(value)))


def said(kwargs: dict[str, Any]) -> str:
    """Options by name: a function's address differs from process to process."""
    return ", ".join(f"{k}={getattr(v, '__name__', v)}" for k, v in kwargs.items())


def cases(table: dict[Any, list[dict[str, Any]]]) -> list[Any]:
    listed = [(fn, kwargs) for fn, some in table.items() for kwargs in some]
    return [pytest.param(fn, k, id=f"{fn.__name__}-{said(k)}") for fn, k in listed]


def agrees(f: Callable[..., Any], x: Any, second: bool = False) -> None:
    """Value, gradient, and tangent of a function of one array; the gradient's own slope as well."""
    value, bar = rg.value_and_grad(f, strict=True)(x)
    np.testing.assert_allclose(value, f(x), rtol=1e-9, atol=1e-10)
    way = np.random.default_rng(1).uniform(-1, 1, x.shape)
    slope = (f(x + 1e-6 * way) - f(x - 1e-6 * way)) / 2e-6
    np.testing.assert_allclose(np.sum(bar * way), slope, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(rg.jvp(f, (x,), (way,))[1], slope, rtol=1e-5, atol=1e-6)
    if second:
        gradient = rg.grad(f, strict=True)
        bend = (gradient(x + 1e-6 * way) - gradient(x - 1e-6 * way)) / 2e-6
        found = rg.hvp(f, (x,), way, strict=True)
        np.testing.assert_allclose(found, bend, rtol=1e-4, atol=1e-5)


@pytest.mark.sampled(4)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("fn", "kwargs"), cases(OF_ONE))
def test_of_one_sample(fn: Any, kwargs: dict[str, Any]) -> None:
    twice = fn in (st.circstd, st.tvar, st.yeojohnson) and kwargs.get("axis", 0) is not None
    agrees(lambda x: flat(fn(x, **kwargs)), X, second=twice)


@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("fn", "kwargs"), cases(OF_POSITIVE))
def test_of_positive_numbers(fn: Any, kwargs: dict[str, Any]) -> None:
    def f(x: Any) -> Any:
        made = fn(x, **kwargs)
        return flat((made[0], made[1])) if isinstance(made, tuple) else flat(made)

    agrees(f, P)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("fn", OF_DATA, ids=lambda fn: fn.__name__)
def test_likelihoods(fn: Any, axis: int) -> None:
    data = OF_DATA[fn]
    agrees(lambda x: flat(fn(0.3, x, axis=axis)), data, second=True)
    for power in (-0.4, 0.7, 2.0):
        agrees(lambda p: np.sum(fn(p[0], data, axis=axis)), np.array([power]), second=True)


@pytest.mark.parametrize("kwargs", [{}, {"center": "mean"}])
def test_levene(kwargs: dict[str, Any]) -> None:
    def f(x: Any) -> Any:
        statistic, p = st.levene(x[0], x[1, :4], x[2], **kwargs)
        return statistic + 3 * p

    agrees(f, P)


@pytest.mark.parametrize("fn", [st.f_oneway, st.bartlett], ids=lambda fn: fn.__name__)
def test_of_several_samples(fn: Any) -> None:
    def f(x: Any) -> Any:
        made = fn(x[0], x[1, :4], x[2])
        return made.statistic + 3 * made.pvalue

    agrees(f, P, second=True)


def test_chisquare_of_what_is_expected() -> None:
    def f(x: Any) -> Any:
        return st.chisquare(x, x[::-1])[0]

    agrees(f, P[0])
    with pytest.raises(ValueError, match="sums"):
        rg.grad(lambda x: st.chisquare(x, x**2)[0], strict=True)(P[0])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("fn", "kwargs"), cases(SPECTRA))
def test_spectra(fn: Any, kwargs: dict[str, Any]) -> None:
    agrees(lambda x: flat(fn(x, **kwargs)[-1]), np.vstack([X, X**2]))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("fn", "kwargs"), cases(CROSS))
def test_cross_spectra(fn: Any, kwargs: dict[str, Any]) -> None:
    agrees(lambda x: flat(fn(x, x[::-1] ** 2, **kwargs)[-1]), np.vstack([X, X**2]))


@pytest.mark.filterwarnings("ignore")
def test_short_spectra_along_an_axis() -> None:
    x = np.vstack([X, X**2])
    agrees(lambda x: flat(np.real(sg.stft(x, nperseg=2, axis=0)[2])), x)
    agrees(lambda x: flat(np.real(sg.stft(x, nperseg=2, axis=-2)[2])), x)
    agrees(lambda x: flat(np.imag(sg.stft(x, nperseg=3, axis=1)[2])), x)


def test_vectorstrength() -> None:
    agrees(lambda x: flat(sg.vectorstrength(x, 1.7)), X[0])


def about_a_mean(name: str, method: bool, **kwargs: Any) -> Callable[[Any], Any]:
    def of_function(x: Any) -> Any:
        return flat(fn(x, mean=np.mean(x, axis, keepdims=True), **kwargs))

    def of_method(x: Any) -> Any:
        made = x.var(mean=0.3 * x[:1], **kwargs) if of_var else x.std(mean=0.3 * x[:, :1], **kwargs)
        return flat(made)

    fn, of_var, axis = getattr(np, name), name == "var", kwargs.get("axis")
    return of_method if method else of_function


@pytest.mark.parametrize("name", ["var", "std"])
@pytest.mark.parametrize(
    "kwargs", [{}, {"axis": 0}, {"axis": 1, "ddof": 1}, {"axis": 0, "ddof": 1, "keepdims": True}], ids=str,
)  # fmt: skip
def test_a_mean_that_is_given(name: str, kwargs: dict[str, Any]) -> None:
    agrees(about_a_mean(name, False, **kwargs), X, second=True)
    agrees(about_a_mean(name, True, **kwargs), X, second=True)


def test_a_mean_of_complex_numbers_and_of_a_part() -> None:
    agrees(lambda x: np.var(x + 1j * x**2, mean=np.mean(x)), X)
    agrees(lambda x: np.sum(np.var(x, axis=0, where=x > -2, mean=x[:1])), X)
    agrees(lambda x: np.sum(np.std(x, axis=0, correction=1, mean=0.1 * x[:1])), X)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum(st.tmean(x, nan_policy="omit")),
        lambda x: np.sum(st.median_abs_deviation(x, center=np.mean, nan_policy="omit")),
        lambda x: st.levene(x[0], x[1], center="trimmed")[0],
        lambda x: st.f_oneway(x[0], x[1], equal_var=False)[0],
        lambda x: np.sum(np.abs(sg.csd(x[0], x[1, :3])[1])),
        lambda x: np.sum(sg.welch(x, average="median")[1]),
        lambda x: np.sum(np.var(x, mean=0.0, dtype=np.float32)),
    ],
)
def test_refused(f: Callable[..., Any]) -> None:
    with pytest.raises(rg.RetrogradError):
        rg.grad(f, strict=True)(X)


@pytest.mark.parametrize("fn", [st.iqr, st.median_abs_deviation], ids=lambda fn: fn.__name__)
def test_nans_that_are_passed_over(fn: Any) -> None:
    holes = np.where(X > 1.5, np.nan, X)

    def f(x: Any) -> Any:
        return np.sum(fn(x + holes, axis=1, nan_policy="omit"))

    agrees(f, 0.01 * X)
