"""What stands for SciPy's objects gives their values, in their dtypes, whatever way they are asked."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg

pytest.importorskip("scipy")

import scipy.interpolate as sip
import scipy.ndimage as nd
import scipy.sparse as ssp

from retrograd.runtime.replacements import images, interpolators, sparse_matrices

pytestmark = pytest.mark.usefixtures("unchecked")
RNG = np.random.default_rng(4)
X = np.array([0.0, 1.0, 2.5, 4.0])
DTYPES = [np.float64, np.float32, np.complex128, np.int64]


def equal(ours: Any, theirs: Any, tol: float = 0.0) -> None:
    """Values, shapes and dtypes; or the same kind of error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted = theirs()
    except ValueError:
        with pytest.raises(ValueError, match="x_new|xi|NaN"):
            ours()
        return
    found = ours()
    assert np.shape(found) == np.shape(wanted)
    assert np.asarray(found).dtype == np.asarray(wanted).dtype
    rtol = tol or (2e-6 if wanted.dtype == np.float32 else 1e-12)
    np.testing.assert_allclose(found, wanted, rtol=rtol, atol=1e-14)


def data(dtype: Any, *shape: int) -> Any:
    found = 5 * RNG.normal(size=shape)
    return (found * (1 + 2j) if dtype is np.complex128 else found).astype(dtype)


# -- lines and splines ---------------------------------------------------------------------

POINTS = [5.0, 1.5, [5.0, -1.0], [0.3, -2.0, 9.0], [[0.5, np.nan], [4.0, 7.0]], []]
FILLS: list[dict[str, Any]] = [
    {},
    {"fill_value": 7.0},
    {"bounds_error": False},
    {"bounds_error": False, "fill_value": 7.0},
    {"bounds_error": False, "fill_value": (0.5, 1.5)},
    {"bounds_error": False, "fill_value": [2.0, 3.0]},
    {"bounds_error": False, "fill_value": ([1.0, 2.0], 9.0)},
    {"fill_value": "extrapolate"},
]
OF_EACH = ("[2.0, 3.0]}", "([1.0, 2.0], 9.0)}")  # these are fills for two rows


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", ["linear", "nearest", "previous", "next"])
@pytest.mark.parametrize("fill", FILLS, ids=str)
def test_interp1d(kind: str, fill: dict[str, Any]) -> None:
    if fill.get("fill_value") == "extrapolate" and kind in ("previous", "next"):
        return
    for points, dtype in itertools.product(POINTS, DTYPES):
        for shape, axis in (((4,), -1), ((2, 4), -1), ((4, 2), 0)):
            if shape == (4,) and str(fill).endswith(OF_EACH):
                continue
            args = X[[2, 0, 1, 3]], data(dtype, *shape), kind, axis
            t = np.asarray(points, dtype=float)
            equal(
                lambda: interpolators.interp1d(*args, **fill)(t),  # noqa: B023
                lambda: sip.interp1d(*args, **fill)(t),  # noqa: B023
            )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("extrapolate", [True, False])
def test_splines(dtype: Any, extrapolate: bool) -> None:
    for points, nu in itertools.product(POINTS[:-2], (0, 1)):
        y, t = data(dtype, 4), np.asarray(points, dtype=np.float32)
        equal(
            lambda: interpolators.CubicSpline(X, y, extrapolate=extrapolate)(t, nu),  # noqa: B023
            lambda: sip.CubicSpline(X, y, extrapolate=extrapolate)(t, nu),  # noqa: B023
        )


# -- grids ----------------------------------------------------------------------------------

P, Q = np.array([0.5, 1.5, 3.0]), np.array([2.0, 0.1, 3.9])
ASKED: list[tuple[int, Any]] = [
    (1, P), (1, [1.5]), (1, P[:, None]), (1, (P,)),
    (2, (P, Q)), (2, (P, 0.5)), (2, (0.5, Q)), (2, (P[:, None], Q)), (2, (0.5, 1.0)), (2, [0.5, 1.0]),
    (2, np.stack((P, Q), 1)), (2, np.stack((P, Q))), (2, np.array([0.5, 1.0, 2.0, 3.0])), (2, [P[:2], Q[:2]]),
    (2, (P + 3, Q)), (2, (np.array([0.5, np.nan]), 1.0)), (2, P.astype(np.float32)[:2]),
    (3, (P, Q, 1.0)), (3, np.stack((P, Q, P), 1)),
]  # fmt: skip
FALLING = (np.arange(4)[::-1] * 1.5, X, X[::-1])
GRIDS = [(X,) * 3, FALLING]


@pytest.mark.parametrize("method", ["linear", "nearest"])
@pytest.mark.parametrize("more", [{}, {"bounds_error": False}, {"bounds_error": False, "fill_value": 5.0}, {"bounds_error": False, "fill_value": None}], ids=str)  # fmt: skip
def test_grids(method: str, more: dict[str, Any]) -> None:
    for (d, xi), grid, dtype in itertools.product(ASKED, GRIDS, DTYPES):
        if dtype is np.int64 and method == "nearest" and grid is FALLING:
            continue  # SciPy leaves these integers
        for rest in ((), (2,)):
            args = grid[:d], data(dtype, *(4,) * d, *rest), method
            equal(
                lambda: interpolators.RegularGridInterpolator(*args, **more)(xi),  # noqa: B023
                lambda: sip.RegularGridInterpolator(*args, **more)(xi),  # noqa: B023
            )


# -- matrices and images --------------------------------------------------------------------

ROW, COL = np.array([0, 1, 1, 2]), np.array([1, 0, 0, 2])


@pytest.mark.parametrize("dtypes", list(itertools.product(DTYPES, repeat=2)))
def test_sparse(dtypes: tuple[Any, Any]) -> None:
    entries, shape = data(dtypes[0], 4), (4, 3)
    makers = [
        (sparse_matrices.Rows, ssp.csr_matrix, (entries, (ROW, COL))),
        (sparse_matrices.Coordinates, ssp.coo_array, (entries, (ROW, COL))),
        (sparse_matrices.Rows, ssp.csr_array, (entries, COL, np.array([0, 1, 3, 4, 4]))),
    ]
    tol = 1e-5 if np.float32 in dtypes else 0.0  # of what is given twice the sum is rounded
    for ours, theirs, given in makers:
        a, b = ours(given, shape), theirs(given, shape)
        equal(lambda: a.toarray(), lambda: b.toarray(), tol)  # noqa: B023
        for x in (data(dtypes[1], 3), data(dtypes[1], 3, 2)):
            equal(lambda: a @ x, lambda: b @ x, tol)  # noqa: B023
        equal(lambda: a.T.dot(np.ones(4)), lambda: b.T.dot(np.ones(4)), tol)  # noqa: B023


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("mode", ["constant", "nearest", "mirror"])
def test_images(dtype: Any, mode: str) -> None:
    image = data(dtype, 4, 4)
    for at in (np.array([[0.5, 1.2], [2.5, 0.1]]), np.array([[0.5, -1], [2, 7]], np.float32)):
        if dtype is np.int64:
            with pytest.raises(rg.errors.UnsupportedOperation, match="integers"):
                images.map_coordinates(image, at, 1, mode)
        else:
            equal(
                lambda: images.map_coordinates(image, at, 1, mode),  # noqa: B023
                lambda: nd.map_coordinates(image, at, order=1, mode=mode),  # noqa: B023
            )


# -- what is written to the data later ------------------------------------------------------

Y = np.array([0.5, 0.7, 0.9, 1.1])
CALLS = [
    lambda w, y: sip.interp1d(X, w),
    lambda w, y: sip.interp1d(X, w, assume_sorted=True),
    lambda w, y: sip.interp1d(X, w, assume_sorted=True, copy=False),
    lambda w, y: sip.interp1d(w, y, assume_sorted=True),
    lambda w, y: sip.CubicSpline(X, w),
    lambda w, y: sip.CubicSpline(w, y),
    lambda w, y: sip.RegularGridInterpolator((X,), w),
]
MATRICES = [
    lambda w, y: ssp.csr_matrix((w, ([0, 1, 2, 3], [1, 0, 3, 2])), shape=(4, 4)),
    lambda w, y: ssp.coo_matrix((w, ([0, 1, 2, 3], [1, 0, 3, 2])), shape=(4, 4)),
    lambda w, y: ssp.csr_matrix((w, [1, 0, 3, 2], [0, 1, 2, 3, 4]), shape=(4, 4)),
]


def late(make: Callable[..., Any], call: bool) -> Callable[..., Any]:
    def called(y: Any) -> Any:
        w = y * 1.0
        made = make(w, y)
        w[0] = 0.45
        return np.sum(made(y) ** 2)

    def multiplied(y: Any) -> Any:
        w = y * 1.0
        made = make(w, y)
        w[0] = 0.45
        return np.sum((made @ y) ** 2)

    return called if call else multiplied


@pytest.mark.parametrize("k", range(len(CALLS) + len(MATRICES)))
def test_data_that_are_written_to_later(k: int) -> None:
    """What SciPy copied is not seen to change; what it kept is, or is refused."""
    f = late([*CALLS, *MATRICES][k], k < len(CALLS))
    try:
        value, bar = rg.value_and_grad(f)(Y)
    except rg.errors.MutationError:
        return
    np.testing.assert_allclose(value, f(Y), rtol=1e-12)
    way = np.array([0.3, -0.7, 0.5, 0.2])
    slope = (f(Y + 1e-6 * way) - f(Y - 1e-6 * way)) / 2e-6
    np.testing.assert_allclose(bar @ way, slope, rtol=1e-6)
