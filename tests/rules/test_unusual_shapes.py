"""Operands that stretch each other, have one entry or none: a right derivative, or a refusal that says why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg
import scipy.ndimage
import scipy.special

import retrograd as rg
from retrograd.runtime.errors import UnsupportedOperation
from retrograd.transforms.api import Chain
from retrograd.transforms.specialise.eager_fallback import eager_vjp

V = np.array([0.3, 1.1, 0.7])
M = np.array([[0.2, 1.1, 0.7], [0.9, 1.4, 0.6]])
LABELS = np.array([[0, 1, 1], [2, 2, 0]])

RIGHT: dict[str, Callable[[Any, Any], Any]] = {
    "a longer weight": lambda v, m: scipy.special.logsumexp(v, b=m),
    "a longer weight along an axis": lambda v, m: scipy.special.logsumexp(v, axis=1, b=m),
    "a weight of a number": lambda v, m: scipy.special.logsumexp(v[0], b=m),
    "a column of exponents": lambda v, m: scipy.special.logsumexp(m[:, :1], axis=0, b=m),
    "curves over several abscissae": lambda v, m: np.trapezoid(v, np.cumsum(m, axis=1)),
    "curves over one row of abscissae": lambda v, m: np.trapezoid(m, np.cumsum(m[:1], axis=1)),
    "one row over several abscissae": lambda v, m: np.trapezoid(m[:1], m + v),
    "labels of more than the image": lambda v, m: scipy.ndimage.sum_labels(
        v * m[:1], LABELS, [1, 2]
    ),
    "labels, all that are positive": lambda v, m: scipy.ndimage.sum_labels(v * m[:, :1], LABELS),
    "the largest of no entries": lambda v, m: np.append(np.linalg.norm(v[:0], np.inf), v),
    "quantiles of no rows": lambda v, m: np.append(np.median(m[:0], axis=1), v),
}
REFUSED: dict[str, Callable[[Any, Any], Any]] = {
    "one point has no slope": lambda v, m: np.interp(v, m[0, :1], m[1, :1]),
    "quantile of no numbers": lambda v, m: np.median(m[:, :0], axis=1) * v[0],
    "several polynomials": lambda v, m: np.polynomial.polynomial.polyval(v, m.T),
    "coefficients of several": lambda v, m: np.polyval(m.T, v[:2]),
    "mode='r' has no rule": lambda v, m: scipy.linalg.qr(m * v, mode="r")[0],
    "of different ranks": lambda v, m: np.trapezoid(v[:2], np.cumsum(m, axis=0), axis=0),
}  # fmt: skip


def windows(x: Any) -> Any:
    return np.lib.stride_tricks.as_strided(x, (2, 2), (2 * x.strides[0], x.strides[0])) ** 2


@pytest.mark.parametrize(
    ("x", "reason"),
    [
        (np.ones(8)[::2], "no block of memory"),
        (np.ones(8)[::-1], "no block"),
        (V, "beside the array"),
    ],
)
def test_what_is_kept_of_an_array_lies_otherwise_in_memory(x: Any, reason: str) -> None:
    value, pull = rg.vjp(windows, np.ones(4))
    np.testing.assert_array_equal(pull(np.ones((2, 2))), 2.0)
    for derive in (lambda: rg.vjp(windows, x), lambda: rg.jvp(windows, (x,), (x,))):
        with pytest.raises(UnsupportedOperation, match=reason):
            derive()


def taped(f: Callable[..., Any]) -> tuple[Any, Any]:
    return eager_vjp(Chain(f), Chain(f).positions((0, 1))[0], [V, M])  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", RIGHT)
def test_right(name: str) -> None:
    f, step = RIGHT[name], 1e-6
    dv, dm = np.cos(V), np.sin(3.0 * M)
    slope = (np.asarray(f(V + step * dv, M + step * dm)) - f(V - step * dv, M - step * dm)) / (
        2 * step
    )
    value, dot = rg.jvp(f, (V, M), (dv, dm))
    np.testing.assert_allclose(dot, slope, rtol=1e-6, atol=1e-7)
    for value, pull in (rg.vjp(f, V, M, wrt=(0, 1)), taped(f)):
        np.testing.assert_array_equal(value, f(V, M))
        c = np.cos(np.arange(np.size(value))).reshape(np.shape(value))
        v_bar, m_bar = pull(c)
        assert np.sum(v_bar * dv) + np.sum(m_bar * dm) == pytest.approx(np.sum(c * slope), rel=1e-5)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("reason", REFUSED)
def test_refused(reason: str) -> None:
    f = REFUSED[reason]
    with pytest.raises(UnsupportedOperation, match=reason):
        rg.vjp(f, V, M, wrt=(0, 1))[1](np.ones(np.shape(f(V, M))))
    with pytest.raises(rg.RetrogradError):
        taped(f)[1](np.ones(np.shape(f(V, M))))


@pytest.mark.parametrize("name", ["convolve", "correlate"])
@pytest.mark.parametrize("mode", ["wrap", "constant", "nearest", "reflect", "mirror"])
def test_windows_of_numbers(name: str, mode: str) -> None:
    def f(x: float, k: float) -> Any:
        return np.sum(getattr(scipy.ndimage, name)(np.asarray(x), np.asarray(k), mode=mode))

    assert rg.grad(f, wrt=(0, 1))(0.5, 0.3) == pytest.approx((0.3, 0.5))
    assert rg.jvp(f, (0.5, 0.3), (1.0, 1.0))[1] == pytest.approx(0.8)


FILTERS: dict[str, Callable[[Any, Any], Any]] = {
    "correlate": lambda x, k: scipy.ndimage.correlate(x, k),
    "correlate of a matrix": lambda x, k: scipy.ndimage.correlate(x[:, None] * k[:2], np.outer(k, k)),
    "correlate1d": lambda x, k: scipy.ndimage.correlate1d(x, k),
    "convolve": lambda x, k: scipy.ndimage.convolve(x, k, mode="constant", cval=0.5),
    "convolve1d": lambda x, k: scipy.ndimage.convolve1d(x, k, mode="wrap"),
    "gaussian_filter": lambda x, k: scipy.ndimage.gaussian_filter(x, 1.0) * k[0],
    "gaussian_filter1d": lambda x, k: scipy.ndimage.gaussian_filter1d(x, 1.0) * k[0],
    "uniform_filter": lambda x, k: scipy.ndimage.uniform_filter(x, 3) * k[0],
    "sobel": lambda x, k: scipy.ndimage.sobel(x) * k[0],
    "prewitt": lambda x, k: scipy.ndimage.prewitt(x) * k[0],
}  # fmt: skip
BY_THEIR_TEXT = ("gaussian_filter1d", "sobel", "prewitt")  # no rule: the tape does not take them


@pytest.mark.parametrize("name", FILTERS)
def test_filters_of_empty_images(name: str) -> None:
    def f(x: Any, k: Any) -> Any:
        return np.sum(FILTERS[name](x[3:], k)) + x @ k

    x_dot, k_dot = np.cos(V), np.sin(V)
    np.testing.assert_allclose(rg.grad(f, wrt=(0, 1), strict=True)(V, V), [V, V])
    if name in BY_THEIR_TEXT:
        with pytest.raises(rg.RetrogradError):
            taped_of(f, V, V)
    else:
        np.testing.assert_allclose(taped_of(f, V, V), [V, V])
    assert rg.jvp(f, (V, V), (x_dot, k_dot))[1] == pytest.approx(V @ (x_dot + k_dot))


def taped_of(f: Callable[..., Any], *args: Any) -> Any:
    return eager_vjp(Chain(f), Chain(f).positions((0, 1))[0], list(args))[1](1.0)
