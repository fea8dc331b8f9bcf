"""Programs that stand for functions of NumPy and SciPy: as NumPy, and in kernels."""

from __future__ import annotations

import importlib
import shutil
import warnings
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.native.stand_ins.find import EVERY
from tests.fuzz.native import same
from tests.operations.kernels import reason
from tests.operations.rows import rows

from ...written import written

special = pytest.importorskip("scipy.special")
pytest.importorskip("scipy.linalg")
pytest.importorskip("scipy.integrate")
X = np.array([0.1, 0.25, 0.5, 0.6, 0.7, 0.9])
Y = np.array([0.2, 0.3, 1.5, 0.1, 2.0, 0.01])
Z = np.array([0.3, -1.2, 2.0, -0.4, 0.0, 0.3])
ODD = np.array([0.0, 1.0, -1.0, np.nan, 0.0, 2.0])
OTHER = np.array([2.0, 0.0, 1.0, 1.0, np.nan, 0.0])
WILD = np.array(
    [[0.0, -0.0, np.nan, 1.5], [np.inf, -np.inf, -2.5, 3.0], [1.0, np.nan, np.nan, 0.5]]
)
NONE = np.full((2, 2), np.nan)
TABLE = np.outer(np.array([1.0, -2.0, 0.5]), np.array([0.3, 1.2, 2.0, -0.7])) + np.eye(3, 4)
STACK = np.sin(np.arange(24.0)).reshape(2, 3, 4)
EMPTY = np.zeros((0, 2))
SQUARE = np.array([[4.0, 1.0], [0.5, 3.0]])
NANS = ("nansum", "nanprod", "nanmean", "nanvar", "nanstd", "nanmax", "nanmin")
CASES: dict[str, list[tuple[Any, ...]]] = {
    "interp": [(Z, X, Y), (0.33, X, Y), (Z, X, Y, 7.0, 8.0), (X, X, Y)],
    "trapezoid": [(Y,), (Y, X), (np.outer(X, Y), None, 0.5)],
    "convolve": [(X, Y), (X, Y[:2], "same"), (X, Y[:3], "valid"), (Y[:2], X, "same"), (Y[:3], X, "valid")],
    "correlate": [(X, Y[:2], "full"), (X, Y[:3], "same"), (X, Y[:2], "same"), (X, Y[:3])],
    "logit": [(X,), (np.array([0.0, 1.0, 2.0, -1.0]),)],
    "log_expit": [(100.0 * Z,)],
    "entr": [(ODD,), (X,)],
    "argsort": [(Z,), (ODD,), (Z[:1],), (Z[:0],)],
    "sort": [(Z,), (ODD,)],
    "take_along_axis": [
        (X, np.array([2, 0, -1]), 0), (TABLE, np.array([[0], [3], [-1]]), 1), (TABLE, np.array([[0, 2, 1, -1]]), 0),
        (TABLE, np.array([[1, -2]]), 1), (TABLE, np.array([[0, 1, 2, 0], [2, 2, 2, -3]]), -2),
    ],
    "solve": [(SQUARE, X[:2])], "inv": [(SQUARE,)], "det": [(SQUARE,)],
    "cholesky": [(SQUARE,), (SQUARE, True)],
} | {n: [(X, Y), (ODD, OTHER), (OTHER, ODD)] for n in ("xlogy", "xlog1py", "rel_entr", "kl_div")} | {
    n: [(Z,), (np.outer(Z, Y), 0), (np.outer(Z, Y), 1)] for n in ("logsumexp", "softmax", "log_softmax")
} | {n: [(Z,), (WILD,), (0.3,), (EMPTY,)] for n in ("degrees", "rad2deg", "radians", "deg2rad", "fix", "angle", "nan_to_num")} | {
    n: [(WILD, 0.5), (WILD[1], WILD[0]), (Z, Z)] for n in ("heaviside", "logaddexp2")
} | {n: [(WILD,), (WILD, 0), (WILD, -1), (NONE, 0), (TABLE, (0, 1))] for n in NANS} | {
    "nancumsum": [(WILD[0],), (WILD, 1)], "nancumprod": [(WILD[0],), (WILD, 1)],
    "float_power": [(X, Y), (X, 2)], "select": [([Z > 0, Z < -0.5], [Z, 2.0 * Z], 0.0)],
    "flipud": [(TABLE,), (Z,), (EMPTY,)], "fliplr": [(TABLE,), (STACK,)], "matrix_transpose": [(TABLE,), (STACK,)],
    "rot90": [(TABLE,), (TABLE, 2), (TABLE, -1), (TABLE, 4), (STACK, 1, (1, 2)), (STACK, 3, (-1, 0))],
    "rollaxis": [(STACK, 2), (STACK, -1), (STACK, 0, 2), (STACK, 0, 3), (STACK, 2, 1), (STACK, 1, -2)],
    "atleast_1d": [(Z,), (TABLE,)], "atleast_2d": [(Z,), (STACK,)], "atleast_3d": [(Z,), (TABLE,), (STACK,)],
    "dstack": [([X, Y],), ((TABLE, TABLE),)], "append": [(X, Y), (TABLE, Y), (TABLE, TABLE, 1), (X, [1.0, 2.0])],
    "hsplit": [(X, 2), (TABLE, 2)], "vsplit": [(TABLE, 3)], "dsplit": [(STACK, 2)], "ediff1d": [(Z,), (TABLE,)],
    "fftshift": [(X,), (TABLE,), (TABLE, 1)], "ifftshift": [(X,), (TABLE,), (TABLE, 0)],
    "ptp": [(TABLE,), (TABLE, 0), (Z, -1)], "average": [(TABLE,), (TABLE, 0), (X, None, Y), (TABLE, 1, TABLE), (STACK, 1, X[:3])],
    "gradient": [(Z,), (Z, 0.5), (Z[:2], 2.0)],
    "vecdot": [(X, Y), (TABLE, TABLE), (TABLE, TABLE[0])], "matvec": [(TABLE, Z[:4])], "vecmat": [(Z[:3], TABLE)],
    "outer": [(X, Y)], "matmul": [(TABLE, TABLE.T), (SQUARE, X[:2])], "cross": [(X[:3], Y[:3])],
    "tensordot": [(TABLE, TABLE)], "diagonal": [(SQUARE,), (STACK,)],
    "trace": [(SQUARE,), (STACK,)], "vector_norm": [(X,)],
    "matrix_norm": [(TABLE,)], "matrix_power": [(SQUARE, 3), (SQUARE, -2), (SQUARE, 1)],
    "polyval": [(X, Y), (Y, Z[0])], "vander": [(X,), (X, 3), (X, 4, True)],
    "tri": [(3,), (3, 4), (2, 5, 1), (3, 2, -1)], "logspace": [(0.0, 1.5, 4), (-0.5, 1.0, 5)],
    "bincount": [(np.array([0, 2, 2, 1, 4, 0]), X), (np.array([1, 0]), X[:2], 5)],
    **{n: [(4,), (7,), (2,)] for n in ("hanning", "hamming", "blackman", "bartlett")},
    "delete": [(Z, 1), (Z, -1), (Z, 5)],
    "cov": [(np.outer(Z, X) + np.sin(np.outer(X, Z)),)], "corrcoef": [(np.outer(Z, X) + np.sin(np.outer(X, Z)),)],
}  # fmt: skip
OF_LIBRARIES = [place for place in EVERY if place[0] != "retrograd.runtime"]
TAKEN = (
    "np.interp(x)", "np.trapezoid", "np.convolve(full)", "np.diff", "np.pad(constant)", "np.meshgrid", "np.sort",
    "np.cumsum", "np.inner", "np.round", "np.hstack", "np.vstack", "pow(a,b)", "math.floor", "scipy.special.gammaln",
    "scipy.special.digamma", "scipy.special.xlogy", "scipy.special.logsumexp(axis)", "scipy.special.softmax",
    "scipy.linalg.cholesky", "scipy.linalg.solve", "np.power", "np.degrees", "np.deg2rad", "np.amax", "np.amin", "np.ptp",
    "np.average(weights)", "np.flipud", "np.fliplr", "np.rot90", "np.atleast_2d", "np.rollaxis", "np.matrix_transpose",
    "np.dstack", "np.append", "np.hsplit", "np.dsplit", "np.heaviside", "np.logaddexp2", "np.nansum", "np.nanmean", "np.nanmax",
    "np.nanvar", "np.nanstd", "np.nan_to_num", "np.select", "np.clip(x,lo,hi)", "np.diff(n=2,axis=0)", "np.diff(prepend)",
    "np.cumprod", "np.gradient", "np.gradient(spacing)", "np.take_along_axis", "np.take(flat)", "x.take()", "x.mT",
    "np.linalg.norm(ord=1)", "np.linalg.norm(ord=inf)", "np.linalg.norm(ord=3)", "np.linalg.matrix_power",
    "np.linalg.matrix_power(-1)", "np.trace(offset)", "np.trace(axes)", "np.diagonal(offset,axes)", "np.linalg.outer",
    "np.linalg.vector_norm", "np.vecdot", "np.matvec", "np.vecmat",
    "np.polyval", "np.vander", "np.pad(edge)", "np.pad(reflect)", "np.pad(symmetric)", "np.pad(wrap)", "np.delete",
    "np.cov", "np.corrcoef", "np.fft.fftshift", "np.concatenate(axis=None)",
)  # fmt: skip
needs_c = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)


@pytest.mark.parametrize("place", OF_LIBRARIES, ids=".".join)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_it_gives_what_the_function_gives(place: tuple[str, str], dtype: Any) -> None:
    function = getattr(importlib.import_module(place[0]), place[1], None)
    if function is None:
        pytest.skip(f"this {place[0]} has no {place[1]}")
    name = "trapezoid" if place[1] == "trapz" else place[1]
    near = (1e-13, 0.0) if dtype is np.float64 else (1e-5, 1e-6)
    for args in CASES[name]:
        given = [a.astype(dtype) if getattr(a, "dtype", None) == np.float64 else a for a in args]
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            more = {"kind": "stable"} if place[1] == "argsort" else {}
            wanted, found = function(*given, **more), EVERY[place](*given, **more)
        assert np.asarray(found).dtype == np.asarray(wanted).dtype
        np.testing.assert_allclose(found, wanted, *near, equal_nan=True)


@needs_c
@pytest.mark.parametrize("name", TAKEN)
def test_its_gradient_is_a_kernel(name: str) -> None:
    row = next(row for row in rows() if row.name == name)
    assert reason(row, runs=True) == "whole"


@needs_c
@pytest.mark.parametrize("name", ["gamma", "gammaln", "psi"])
def test_gamma_and_its_like_are_those_of_scipy(name: str) -> None:
    f = written(f"import scipy.special as sp\n\ndef f(x):\n    return np.sum(sp.{name}(x))\n", "f")
    x = np.array([0.1, 0.7, 1.0, 1.4616, 2.0, 5.5, 30.0, -0.3, -1.7, -4.2])
    wanted, found = (rg.value_and_grad(f, backend=b)(x) for b in (None, "c"))
    assert same(found, wanted, 1e-13)


@needs_c
def test_equal_elements_keep_their_order() -> None:
    f = written("def f(x, c):\n    return np.sum(np.sort(x) * c)\n")
    for n in (6, 40):
        x, c = np.round(np.sin(np.arange(n) * 1.7), 1), np.arange(n) * 1.0
        kernel = rg.grad(f, (0, 1), backend="c")
        for a, b in zip(kernel(x, c), rg.grad(f, (0, 1))(x, c), strict=True):
            np.testing.assert_array_equal(a, b)
        assert kernel.__native__.notes == []  # type: ignore[attr-defined]


@needs_c
def test_an_axis_that_becomes_one_is_squeezed() -> None:
    f = written("def f(x, w):\n    return np.sum(x[1:].squeeze() * w)\n")
    kernel = rg.grad(f, (0, 1), backend="c")
    for n in (40, 2, 41):
        x = np.arange(n) * 1.0
        w = np.ones(n - 1) if n > 2 else np.ones(3)
        for a, b in zip(kernel(x, w), rg.grad(f, (0, 1))(x, w), strict=True):
            np.testing.assert_array_equal(a, b)


@needs_c
def test_places_of_equal_elements_in_any_order_stay_numpy() -> None:
    f = written("def f(x, c):\n    return np.sum(x[np.argsort(x)] * c)\n")
    kernel = rg.grad(f, backend="c")
    x = np.zeros(6)
    np.testing.assert_array_equal(kernel(x, np.arange(6.0)), rg.grad(f)(x, np.arange(6.0)))
    assert any("argsort" in note for note in kernel.__native__.notes)  # type: ignore[attr-defined]
