"""Options of NumPy's functions that are None in this call: arguments, attributes, items, what a helper hands on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import retrograd as rg

X = np.array([0.1, 0.95, 0.53, 0.35, 0.7, 0.77])
PROGRAMS: dict[str, Callable[..., Any]] = {
    "histogram": lambda x, o=None: np.histogram(x, bins=4, range=o)[1].sum(),
    "histogram, weights": lambda x, o=None: (np.histogram(x, 4, o, o, o)[1] ** 2).sum(),
    "histogram, counted": lambda x, o=None: np.histogram(x, 3, range=o)[0] @ (x[:3] ** 2),
    "cov": lambda x, o=None: np.cov(x, o).sum(),
    "corrcoef": lambda x, o=None: np.corrcoef(x.reshape(2, 3), o)[0, 1],
    "ediff1d": lambda x, o=None: np.ediff1d(x * x, to_end=o, to_begin=o).sum(),
    "trapezoid": lambda x, o=None: np.trapezoid(x * x, x=o),
    "gradient": lambda x, o=None: np.gradient(x * x, axis=o).sum(),
    "average": lambda x, o=None: np.average(x * x, axis=o, weights=o),
    "mean": lambda x, o=None: np.mean(x * x, axis=o, dtype=o, out=o),
    "median": lambda x, o=None: np.median(x * x, axis=o, out=o),
    "interp": lambda x, o=None: np.interp(0.45, np.arange(6.0) / 5, x, left=o, right=o, period=o),
    "sum": lambda x, o=None: np.sum(x * x, axis=o, initial=1.0),
    "sum, a method": lambda x, o=None: x.sum(axis=o, dtype=o, out=o) ** 2,
    "a ufunc": lambda x, o=None: np.multiply(x, x * x, out=o, dtype=o).sum(),
    "clip": lambda x, o=None: np.clip(x * x, 0.3, o).sum(),
    "cumsum": lambda x, o=None: np.cumsum(x * x, axis=o, dtype=o, out=o)[2],
    "norm": lambda x, o=None: np.linalg.norm(x, ord=o, axis=o),
    "sort": lambda x, o=None: np.sort(x, axis=o)[2] ** 2,
    "nan_to_num": lambda x, o=None: np.nan_to_num(x * x, posinf=o, neginf=o).sum(),
    "repeat": lambda x, o=None: np.repeat(x * x, 2, axis=o)[3],
    "argmin": lambda x, o=None: x[np.argmin(x, axis=o)] ** 2,
    "roll": lambda x, o=None: np.roll(x, 1, axis=o)[3] ** 2,
    "quantile": lambda x, o=None: np.quantile(x, 0.3, axis=o) ** 2,
    "percentile": lambda x, o=None: np.percentile(x, [20, 30], axis=o, out=o).sum(),
    "fft": lambda x, o=None: abs(np.fft.fft(x, n=o, norm=o)[1]),
    "polyfit": lambda x, o=None: np.polyfit(np.arange(6.0), x, 2, rcond=o, w=o)[0],
    "unique": lambda x, o=None: np.unique(x, axis=o)[1] ** 2,
    "squeeze": lambda x, o=None: np.squeeze(x[None] * x, axis=o)[1],
    "take": lambda x, o=None: np.take(x * x, [1, 2], axis=o, out=o).sum(),
    "concatenate": lambda x, o=None: np.concatenate([x, x * x], axis=o, out=o).sum(),
    "flip": lambda x, o=None: np.flip(x * x, axis=o)[1],
    "delete": lambda x, o=None: np.delete(x * x, 1, axis=o).sum(),
    "insert": lambda x, o=None: np.insert(x * x, 1, 0.3, axis=o)[2],
    "asarray": lambda x, o=None: np.asarray(x * x, dtype=o, order=o).sum(),
    "ones_like": lambda x, o=None: (np.ones_like(x, dtype=o, shape=o) * x * x).sum(),
    "vander": lambda x, o=None: np.vander(x, N=o).sum(),
    "nanmean": lambda x, o=None: np.nanmean(x * x, axis=o),
    "transpose": lambda x, o=None: np.transpose(x * x, axes=o)[1],
    "linspace": lambda x, o=None: np.linspace(x[0], x[1], 5, dtype=o).sum() ** 2,
    "bincount": lambda x, o=None: (np.bincount([0, 1, 1], weights=o) * x[:2] ** 2).sum(),
    "searchsorted": lambda x, o=None: x[np.searchsorted(np.sort(x), 0.4, sorter=o)] ** 2,
    "lstsq": lambda x, o=None: np.linalg.lstsq(np.vander(x, 2), x * x, rcond=o)[0].sum(),
    "einsum": lambda x, o=None: np.einsum("i,i->", x, x, out=o),
    "std": lambda x, o=None: np.std(x, axis=o, dtype=o, ddof=1),
    "pad": lambda x, o=None: np.pad(x * x, 2, mode="maximum", stat_length=o).sum(),
    "arange": lambda x, o=None: (x * np.arange(6, dtype=o)).sum() ** 2,
}


@dataclass
class Options:
    axis: Any = None


def at_attribute(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, options=Options(): f(x, options.axis)  # noqa: B008


def at_item(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, options={"axis": None}: f(x, options["axis"])


def handed_on(f: Callable[..., Any]) -> Callable[..., Any]:
    def helper(x: Any, option: Any = None) -> Any:
        return f(x, option)

    return lambda x, o=None: helper(x, option=o)


WAYS = {"an argument": lambda f: f, "an attribute": at_attribute, "an item": at_item, "handed on": handed_on}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_an_option_that_is_none_is_as_if_it_were_not_given(name: str, way: str) -> None:
    f = WAYS[way](PROGRAMS[name])
    step = 1e-6 * np.eye(len(X))
    slopes = np.array([(f(X + h) - f(X - h)) / 2e-6 for h in step])
    value, x_bar = rg.value_and_grad(f, strict=True)(X)
    np.testing.assert_allclose(value, f(X), rtol=1e-14)
    np.testing.assert_allclose(x_bar, slopes, rtol=1e-5, atol=1e-6)
    x_dot = np.linspace(-1, 2, len(X))
    np.testing.assert_allclose(rg.jvp(f, (X,), (x_dot,))[1], slopes @ x_dot, rtol=1e-5, atol=1e-6)


def test_ends_of_a_histogram() -> None:
    """What nobody knows of a range, or of edges, is not taken for given."""

    def pooled(x: Any, s: Any, bins: Any = 4, ends: Any = None) -> Any:
        n, edges = np.histogram(x, bins=bins, range=ends)
        k, edges = np.histogram(x[s], bins=edges)
        return edges @ np.arange(5.0) + (k / (n + 1)).sum()

    s = np.array([True, False, True, True, False, False])
    for ends in (None, (0.0, 1.0)):
        value, pullback = rg.vjp(rg.differentiate(strict=True)(pooled), X, s, 4, ends, wrt=(0,))
        np.testing.assert_allclose(value, pooled(X, s, 4, ends))
        slopes = [
            (pooled(X + h, s, 4, ends) - pooled(X - h, s, 4, ends)) / 2e-6 for h in 1e-6 * np.eye(6)
        ]
        np.testing.assert_allclose(pullback(1.0)[0], slopes, atol=1e-6)


def test_moving_ends_of_a_histogram_are_right_or_refused() -> None:
    def edge(x: Any) -> Any:
        return np.histogram(x, bins=4, range=(x.min() - 1, x.max() + 2))[1][1] ** 2

    try:
        x_bar = rg.grad(edge)(X)
    except rg.RetrogradError:
        return
    slopes = [(edge(X + h) - edge(X - h)) / 2e-6 for h in 1e-6 * np.eye(6)]
    np.testing.assert_allclose(x_bar, slopes, atol=1e-6)
