"""SciPy's functions that are differentiated as programs, or through their equation: values and gradients."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg

pytest.importorskip("scipy")

import scipy.integrate as si
import scipy.interpolate as sip
import scipy.linalg as sl
import scipy.ndimage as nd
import scipy.optimize as so
import scipy.sparse as ssp
import scipy.spatial.distance as ssd
import scipy.spatial.transform as sst
import scipy.stats as st
from scipy.cluster import hierarchy

from retrograd.runtime.replacements import (
    distances,
    images,
    integrals,
    interpolators,
    rotations,
    statistics,
)

RNG = np.random.default_rng(3)
X = np.cumsum(RNG.uniform(0.3, 1.0, 7))
Y = RNG.normal(size=(3, 7))
T = np.array([[X[0] + 0.1, X[3] + 0.05], [X[-1] - 0.2, X[2] - 0.1]])
A, B, W = RNG.normal(size=(4, 3)), RNG.normal(size=(5, 3)), RNG.uniform(0.5, 1.5, 3)
TOLERANCE = 1e-6
C = np.array([0.3, 1.1, -0.4])
W4 = np.array([0.1, 0.5, -0.3, 0.8])


def agrees(f: Callable[..., Any], *args: Any, tol: float = 1e-5) -> None:
    """The value is the function's own; gradients agree with differences, also those of the gradient."""
    value, bars = rg.value_and_grad(f, wrt=tuple(range(len(args))))(*args)
    np.testing.assert_allclose(value, f(*args), rtol=1e-7, atol=1e-9)
    for k, (x, bar) in enumerate(zip(args, bars, strict=True)):
        way = np.random.default_rng(k).uniform(-1, 1, np.shape(x))
        sides = [f(*args[:k], x + h * way, *args[k + 1 :]) for h in (1e-5, -1e-5)]
        slope = (sides[0] - sides[1]) / 2e-5
        np.testing.assert_allclose(np.sum(bar * way), slope, rtol=tol, atol=tol)


# -- values: the programs are what SciPy computes ------------------------------------------


@pytest.mark.parametrize("name", integrals.__all__)
@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 7])
def test_integrals(name: str, n: int) -> None:
    ours, theirs = getattr(integrals, name), getattr(si, name)
    for kwargs in ({}, {"dx": 0.3}, {"x": X[:n]}, {"x": np.cumsum(np.abs(Y[:, :n]), axis=1)}):
        np.testing.assert_allclose(ours(Y[:, :n], **kwargs), theirs(Y[:, :n], **kwargs), rtol=1e-11)
        turned = {k: np.asarray(v).T if np.ndim(v) == 2 else v for k, v in kwargs.items()}
        found = ours(Y[:, :n].T, axis=0, **turned)
        np.testing.assert_allclose(found, theirs(Y[:, :n].T, axis=0, **turned), rtol=1e-11)
        if "cumulative" in name:
            found = ours(Y[:, :n], initial=0, **kwargs)
            np.testing.assert_allclose(found, theirs(Y[:, :n], initial=0, **kwargs), rtol=1e-11)


def test_simpson_takes_a_place_twice() -> None:
    x = np.array([0.0, 1.0, 1.0, 2.0, 3.0])
    np.testing.assert_allclose(integrals.simpson(Y[0, :5], x), si.simpson(Y[0, :5], x))


METRICS = [
    "euclidean", "sqeuclidean", "cityblock", "chebyshev", "cosine", "correlation", "braycurtis", "canberra",
    "minkowski",
]  # fmt: skip


@pytest.mark.parametrize("metric", METRICS)
def test_distances(metric: str) -> None:
    some: list[dict[str, Any]] = [{}, {"w": W}]
    some += [{"p": 3.0}, {"p": 1.5, "w": W}] if metric == "minkowski" else []
    for kwargs in some:
        for ours, theirs, args in (
            (distances.cdist, ssd.cdist, (A, B, metric)),
            (distances.pdist, ssd.pdist, (A, metric)),
            (getattr(distances, metric), getattr(ssd, metric), (A[0], B[0])),
        ):
            np.testing.assert_allclose(ours(*args, **kwargs), theirs(*args, **kwargs), rtol=1e-12)


BOUNDARIES = ["not-a-knot", "natural", "clamped", ((1, 0.3), (2, 0.5)), ("natural", "clamped")]


@pytest.mark.parametrize("n", [2, 3, 4, 7])
@pytest.mark.parametrize("boundary", BOUNDARIES, ids=str)
def test_splines(n: int, boundary: Any) -> None:
    outside = np.concatenate([T.ravel(), [X[0] - 0.3, X[n - 1] + 0.2]]).reshape(2, 3)
    for nu, (y, axis) in itertools.product(
        range(4), ((Y[0, :n], 0), (Y[:, :n], 1), (Y[:, :n].T, 0))
    ):
        wide = y.ndim > 1 and not isinstance(boundary[0], str)
        given = tuple((k, v * np.ones(3)) for k, v in boundary) if wide else boundary
        ours = interpolators.CubicSpline(X[:n], y, axis, given)(outside, nu)
        theirs = sip.CubicSpline(X[:n], y, axis, given)
        np.testing.assert_allclose(ours, theirs(outside, nu), rtol=1e-8, atol=1e-8)
        again = interpolators.Piecewise(theirs.c, theirs.x, theirs.axis, theirs.extrapolate)
        np.testing.assert_allclose(again(outside, nu), theirs(outside, nu), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kind", ["linear", "nearest", "previous", "next"])
def test_lines_and_steps(kind: str) -> None:
    beyond = np.array([X[0] - 0.3, X[1], X[4] + 0.1, X[-1] + 0.2])
    for y, axis in ((Y[0], 0), (Y, -1), (Y.T, 0)):
        ours, theirs = interpolators.interp1d, sip.interp1d
        np.testing.assert_allclose(ours(X, y, kind, axis)(T), theirs(X, y, kind, axis)(T))
        filled = {"bounds_error": False, "fill_value": 7.0}
        found = ours(X, y, kind, axis, **filled)(beyond)
        np.testing.assert_allclose(found, theirs(X, y, kind, axis, **filled)(beyond))
        if kind in ("linear", "nearest"):
            found = ours(X, y, kind, axis, fill_value="extrapolate")(beyond)
            wanted = theirs(X, y, kind, axis, fill_value="extrapolate")(beyond)
            np.testing.assert_allclose(found, wanted)
    with pytest.raises(ValueError, match="outside"):
        interpolators.interp1d(X, Y)(beyond)


@pytest.mark.parametrize("method", ["linear", "nearest"])
def test_grids(method: str) -> None:
    grid, values = (X, X[:4]), RNG.normal(size=(7, 4, 2))
    inner = np.stack([X[0] + 0.1 * np.arange(1, 7), X[0] + 0.13 * np.arange(6)], -1).reshape(
        2, 3, 2
    )
    ours, theirs = interpolators.RegularGridInterpolator, sip.RegularGridInterpolator
    for xi in (inner, inner[0, 0]):
        np.testing.assert_allclose(ours(grid, values, method)(xi), theirs(grid, values, method)(xi))
    outer = inner - 0.3
    for fill in (None, 5.0):
        found = ours(grid, values, method, False, fill)(outer)
        np.testing.assert_allclose(found, theirs(grid, values, method, False, fill)(outer))


@pytest.mark.parametrize("mode", ["constant", "nearest", "mirror"])
def test_map_coordinates(mode: str) -> None:
    at = np.random.default_rng(0).uniform(-3.0, 9.0, (2, 4, 5))
    found = images.map_coordinates(A, at, 1, mode, 0.5)
    np.testing.assert_allclose(found, nd.map_coordinates(A, at, order=1, mode=mode, cval=0.5))


@pytest.mark.parametrize("v", [A[0], A, np.zeros(3)], ids=["one", "stack", "none"])
def test_rotations(v: Any) -> None:
    ours, theirs = rotations.from_rotvec(v), sst.Rotation.from_rotvec(v)
    more = RNG.normal(size=4)
    turned = rotations.from_quat(more), sst.Rotation.from_quat(more)
    for mine, his in (
        (ours, theirs),
        (ours * turned[0], theirs * turned[1]),
        (ours.inv(), theirs.inv()),
    ):
        np.testing.assert_allclose(mine.as_matrix(), his.as_matrix(), atol=1e-12)
        np.testing.assert_allclose(mine.as_quat(True), his.as_quat(canonical=True), atol=1e-12)
        np.testing.assert_allclose(mine.as_rotvec(), his.as_rotvec(), atol=1e-12)
        np.testing.assert_allclose(mine.apply(C), his.apply(C), atol=1e-12)
        np.testing.assert_allclose(mine.apply(C, True), his.apply(C, inverse=True), atol=1e-12)


def test_statistics() -> None:
    for mine, his in (
        (statistics.linregress(X, Y[0]), st.linregress(X, Y[0])),
        (statistics.linregress(X, Y[0], "less"), st.linregress(X, Y[0], "less")),
        (statistics.ttest_1samp(Y, 0.1, 1), st.ttest_1samp(Y, 0.1, 1)),
        (statistics.ttest_rel(Y[0], Y[1]), st.ttest_rel(Y[0], Y[1])),
        (statistics.ttest_ind(Y[0], X), st.ttest_ind(Y[0], X)),
        (statistics.ttest_ind(Y, W[:, None] * Y, axis=1, equal_var=False), st.ttest_ind(Y, W[:, None] * Y, axis=1, equal_var=False)),
    ):  # fmt: skip
        np.testing.assert_allclose(np.array(mine), np.array(his))
    mine, his = statistics.describe(Y, 1), st.describe(Y, 1)
    for name in his._fields:
        np.testing.assert_allclose(getattr(mine, name), getattr(his, name), rtol=1e-12)
    assert mine._fields == his._fields
    square = distances.squareform(X[:6])
    np.testing.assert_array_equal(square, ssd.squareform(X[:6]))
    np.testing.assert_array_equal(distances.squareform(square), ssd.squareform(square))


def test_curve_fit_in_units() -> None:
    t = np.arange(3.0)

    def fitted(y: Any, w: Any) -> Any:
        return so.curve_fit(lambda t, a: a * t, t, y, p0=[0.5], sigma=w)[0][0]

    def closed(y: Any, w: Any) -> Any:
        return np.sum(t * y / w**2) / np.sum(t * t / w**2)

    for mine, want in zip(
        rg.grad(fitted, wrt=(0, 1))(C, W), rg.grad(closed, wrt=(0, 1))(C, W), strict=True
    ):
        np.testing.assert_allclose(mine, want, rtol=1e-6, atol=1e-9)


def test_the_covariance_of_curve_fit_is_refused() -> None:
    def f(x: Any) -> Any:
        return so.curve_fit(lambda t, a: a * t, np.arange(3.0), x)[1][0, 0]

    with pytest.raises(rg.RetrogradError, match="the covariance that `curve_fit` estimates"):
        rg.grad(f)(W)


# -- gradients -------------------------------------------------------------------------------


def rhs(y: Any, t: Any, k: Any) -> Any:
    return [-k * y[0] + t, k * y[0] - y[1] ** 2]


def of_time(t: Any, y: Any, k: Any) -> Any:
    return rhs(y, t, k)


PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (lambda y, x: si.trapezoid(y, x) + np.sum(si.simpson(y[None, :], x=x)), (Y[0], X)),
    (lambda y, x: np.sum(si.cumulative_trapezoid(y, x) ** 2), (Y[0], X)),
    (lambda y, x: np.sum(si.cumulative_simpson(y, x=x, initial=0) ** 2), (Y[0], X)),
    (lambda y: np.sum(si.cumulative_trapezoid(y, initial=0, axis=0) ** 2), (Y,)),
    (lambda y, d: si.trapezoid(y, dx=d), (Y[0], 0.7)),
    (lambda a, b: np.sum(ssd.cdist(a, b) ** 3), (A, B)),
    (lambda a: np.sum(ssd.pdist(a, "cosine") ** 2), (A,)),
    (lambda a, b: np.sum(ssd.cdist(a, b, "minkowski", p=3.0)), (A, B)),
    (lambda a, b: ssd.euclidean(a, b) * ssd.cityblock(a, b), (A[0], B[0])),
    (lambda x, y, t: np.sum(sip.CubicSpline(x, y, axis=1)(t) ** 2), (X, Y, T)),
    (lambda y, t: np.sum(sip.CubicSpline(X, y, bc_type="natural")(t, 1) ** 2), (Y[0], T)),
    (lambda x, y, t: np.sum(sip.interp1d(x, y)(t) ** 2), (X, Y, T)),
    (lambda v, t: np.sum(sip.RegularGridInterpolator((X, X), v)(t) ** 2), (np.outer(X, X), T)),
    (lambda t: np.sum(sip.RegularGridInterpolator((X, X), np.outer(X, X))(t) ** 2), (T,)),
    (lambda a, t: np.sum(nd.map_coordinates(a, [t, t * 0.5], order=1)), (A, np.array([0.4, 1.7]))),
    (lambda v, x: np.sum((sst.Rotation.from_rotvec(v) * sst.Rotation.from_quat(W4).inv()).apply(x) ** 3), (C, W)),
    (lambda v: np.sum(sst.Rotation.from_rotvec(v).as_rotvec() ** 2), (C,)),
    (lambda s: so.fsolve(lambda t: t * t - s, 1.0)[0], (2.0,)),
    (lambda s: so.fsolve(lambda t, a: [t[0] ** 3 - a, t[1] - t[0] * a], [1.0, 1.0], args=(s,))[1], (0.7,)),
    (lambda s: so.root(lambda t: [t[0] ** 3 - s, t[1] - t[0] * s], [1.0, 1.0]).x[1], (0.7,)),
    (lambda s: so.newton(lambda t: t**3 - s, 1.0), (0.7,)),
    (lambda s: so.brentq(lambda t, c: t**3 - c, 0.0, 5.0, args=(s,)), (0.7,)),
    (lambda s: so.minimize(lambda t: ((t - s) ** 2).sum() + t[0] ** 4, np.zeros(2), tol=1e-10).x[0], (0.7,)),
    (lambda s: si.quad(lambda t: np.sin(s * t), 0.1, s)[0], (0.7,)),
    (lambda s: si.quad(lambda t: np.exp(-s * t * t), -np.inf, np.inf)[0], (0.7,)),
    (lambda s: si.quad(lambda t: np.exp(-s * t * t), np.inf, -np.inf)[0], (0.7,)),
    (lambda s: si.quad(lambda t, c: np.exp(-c * t), s, np.inf, args=(s,))[0], (0.7,)),
    (lambda s: si.quad(lambda t: np.exp(s * t), -np.inf, s)[0], (0.7,)),
    (lambda s: so.minimize_scalar(lambda y: (y - s) ** 2 + y**4).x, (0.7,)),
    (lambda s: so.minimize_scalar(lambda y: (y - s) ** 2 + y**4, bounds=(0, 2), method="bounded").fun, (0.7,)),
    (lambda s: so.minimize_scalar(lambda y, c: (y - c) ** 2 + y**4, bracket=(0, 2), args=(s,)).x, (0.7,)),
    (lambda s: so.minimize(lambda t: ((t - s) ** 2).sum() + t[0] ** 4, np.zeros(2), tol=1e-10).fun, (0.7,)),
    (lambda s: so.root(lambda t: t**3 - s, 1.0).x[0] * so.root(lambda t: t**3 - s, 1.0).success, (0.7,)),
    (lambda s: so.root_scalar(lambda y: y**3 - s, bracket=(0, 2)).root, (0.7,)),
    (lambda s: so.root_scalar(lambda y: y**3 - s, x0=1.0, fprime=lambda y: 3 * y**2, method="newton").root, (0.7,)),
    (lambda s: so.root_scalar(lambda y, c: y**3 - c, x0=1.0, x1=1.1, args=(s,)).root, (0.7,)),
    (lambda s: so.brentq(lambda y, c: y**3 - c, 0.1 * s, 3 * s, args=(s,)), (0.7,)),
    (lambda s: so.brentq(lambda y: y**3 - s, 0.0, s + 3.0, full_output=True)[0], (0.7,)),
    (lambda s: so.fsolve(lambda y: y**3 - s, 1.0, full_output=True)[0][0], (0.7,)),
    (lambda x: so.least_squares(lambda y: np.array([y[0] - x[0], y[0] * y[1] - x[1]]), np.ones(2)).x[1], (C[:2],)),
    (lambda x: np.sum(so.curve_fit(lambda t, a, b: a * t + b * t * t, np.arange(3.0), C * x)[0] ** 2), (W,)),
    (lambda x: st.linregress(np.arange(7.0), x)[0] + sum(st.linregress(x, X)), (Y[0],)),
    (lambda x: st.ttest_1samp(x, 0.1).pvalue * st.ttest_1samp(x, 0.1)[0], (Y[0],)),
    (lambda x, y: st.ttest_ind(x, y, equal_var=False).pvalue + st.ttest_ind(x, y).statistic, (Y[0], X)),
    (lambda x, y: st.ttest_rel(x, y, alternative="less").pvalue, (Y[0], X)),
    (lambda x: st.describe(x).variance * st.describe(x)[4] + st.describe(x).minmax[1], (Y[0],)),
    (lambda a: np.sum(ssd.squareform(ssd.pdist(a)) ** 2 * np.arange(16.0).reshape(4, 4)), (A,)),
    (lambda s: np.sum(si.solve_ivp(lambda t, y: -s * y, (0, 2), [1.0, s], t_eval=np.array([0.0, 0.5]), rtol=1e-9, atol=1e-9).y ** 2), (0.7,)),
    (lambda s: np.sum(si.solve_ivp(lambda t, y: -s * y * t, (0.1, 2), [s], t_eval=[0.5, 1.0], rtol=1e-9, atol=1e-9).y), (0.7,)),
    (lambda s, a: si.quad(lambda t, c: np.exp(-c * t * t), a, 2.0, args=(s,))[0], (0.7, -1.0)),
    (lambda y, k: np.sum(si.odeint(rhs, y, np.array([0.0, 0.5, 1.0]), args=(k,)) ** 2), (C[:2], 0.6)),
    (lambda y, t: si.odeint(rhs, y, np.array([0.0, t]), args=(0.5,))[-1, 0], (C[:2], 0.8)),
    (lambda v, x: np.sum((ssp.csr_matrix((v, ([0, 1, 2], [1, 0, 1])), shape=(3, 2)) @ x) ** 2), (C, C[:2])),
    (lambda v: np.sum(ssp.coo_matrix((v, ([0, 1, 1], [1, 0, 0])), shape=(3, 2)).T.toarray() ** 2), (C,)),
    (lambda s: si.quad(lambda t: np.sin(s * t), 0.1, s, epsabs=1e-3 * TOLERANCE, limit=len(X))[0], (0.7,)),
    (lambda s: np.sum(si.quad_vec(lambda t: np.exp(-s * t) * np.array([1.0, s]), 0.0, 1.0)[0]), (0.7,)),
    (lambda s: np.sum(si.quad_vec(lambda t, c: np.cos(np.outer(X, X) * t * c), 0.0, s, args=(s,))[0]), (0.7,)),
    (lambda s: si.quad_vec(lambda t: np.exp(-s * t * t), -np.inf, np.inf, epsabs=1e-10)[0], (0.7,)),
    (lambda v: np.sum(ssp.csr_matrix((v, (np.arange(3), np.arange(3)))) @ np.arange(3.0)), (C,)),
]  # fmt: skip


@pytest.mark.parametrize("case", PROGRAMS, ids=lambda case: str(PROGRAMS.index(case)))
def test_gradients(case: tuple[Callable[..., Any], tuple[Any, ...]]) -> None:
    agrees(case[0], *case[1])


def test_eigenvectors_but_for_their_signs() -> None:
    spread = np.diag([2.0, 4.0, 7.0])

    def f(a: Any, b: Any) -> Any:
        v = sl.eigh(a + a.T + spread, b @ b.T + spread)[1]
        return np.sum(v**4) + np.sum(sl.eigh(a + a.T + spread)[1] ** 4)

    agrees(f, A[:3] / 4, A[1:] / 2)


def test_steps_of_solve_ivp() -> None:
    """The gradient is that of the steps SciPy took, and the value is SciPy's."""

    def last(y: Any, k: Any) -> Any:
        return si.solve_ivp(of_time, (0.0, 1.0), y, args=(k,), rtol=1e-9, atol=1e-9).y[0, -1]

    agrees(last, C[:2], 0.6)

    def shape(y: Any) -> Any:
        return np.sum(si.solve_ivp(lambda t, v: -v, (0.0, 1.0), y).y ** 2)

    assert rg.value_and_grad(shape)(C)[0] == pytest.approx(shape(C), rel=1e-12)


def test_second_order() -> None:
    def f(s: Any) -> Any:
        return (
            so.fsolve(lambda t: t * t - s, 1.0)[0] + si.quad(lambda t: np.sin(s * t), 0.0, 1.0)[0]
        )

    twice = rg.grad(rg.grad(f))(2.0)
    sides = [rg.grad(f)(2.0 + h) for h in (1e-5, -1e-5)]
    assert twice == pytest.approx((sides[0] - sides[1]) / 2e-5, rel=1e-5)


def test_objects_made_outside() -> None:
    spline, lines = sip.PchipInterpolator(X, Y[0]), sip.interp1d(X, Y)
    agrees(lambda t: np.sum(spline(t) ** 2), T)
    agrees(lambda t: np.sum(spline(t, 1) ** 2), T)
    agrees(lambda t: np.sum(lines(t) ** 2), T)


def test_distance_of_equal_points() -> None:
    bars = rg.grad(lambda a: np.sum(ssd.cdist(a, A)))(A)
    assert np.all(np.isfinite(bars))


REFUSED: list[tuple[Callable[..., Any], Any]] = [
    (lambda s: si.solve_ivp(lambda t, y: -y, (0.0, 1.0), s, method="BDF").y[0, -1], C),
    (lambda s: si.solve_ivp(lambda t, y: -s * y, (0.0, 1.0), [1.0], method="DOP853").y[0, -1], 0.7),
    (lambda s: si.quad(lambda t: np.exp(-s * t), np.inf, np.inf)[0], 1.0),
    (lambda s: so.minimize(lambda t: (t - s) ** 2, 0.0, bounds=[(0, 1)]).x[0], 1.5),
    (lambda s: so.minimize(lambda t: (t - s) ** 2, 0.0, bounds=[(0, s + 1)]).x[0], 0.5),
    (lambda s: so.least_squares(lambda t: t - s, 0.0, loss="cauchy").x[0], 0.5),
    (lambda x: st.ttest_1samp(x, 0.0, nan_policy="omit").statistic, W),
    (lambda s: np.sum(nd.map_coordinates(s, [np.ones(2), np.ones(2)])), A),
]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: str(REFUSED.index(case)))
def test_refused(case: tuple[Callable[..., Any], Any]) -> None:
    with pytest.raises(rg.RetrogradError):
        rg.grad(case[0])(case[1])


def test_a_function_without_a_rule_keeps_its_name() -> None:
    def f(x: Any, w: Any) -> Any:
        linkage = hierarchy.linkage(w)[0, 2]
        return np.sum(x) * linkage

    w = np.arange(6.0).reshape(3, 2)
    np.testing.assert_allclose(rg.grad(f, wrt="x")(C, w), np.full(3, f(np.ones(1), w)))


def test_assignment_is_constant() -> None:
    def f(s: Any) -> Any:
        rows, columns = so.linear_sum_assignment(s)
        return np.sum(s[rows, columns] ** 2)

    agrees(f, A[:3])


@pytest.mark.parametrize(
    "make", [ssp.csr_matrix, ssp.csc_array, ssp.coo_array, ssp.dia_array, ssp.bsr_array]
)
def test_second_derivatives_through_sparse_matrices_of_callees(make: Any) -> None:
    dense = np.eye(3) + np.eye(3, k=1)

    def mixed(x: Any) -> Any:
        return make(dense) @ x

    def f(x: Any) -> Any:
        return np.sum(mixed(x) ** 3)

    wanted = dense.T @ np.diag(6.0 * (dense @ C)) @ dense
    np.testing.assert_allclose(rg.hessian(f)(C), wanted)
    np.testing.assert_allclose(rg.hvp(f, (C,), C), wanted @ C)
