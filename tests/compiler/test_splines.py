"""Splines of ``scipy.interpolate``: evaluated, differentiated and integrated, as functions, objects and programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import interpolate

import retrograd as rg

X = np.array([0.7, 1.3, 2.1])
T = np.linspace(0, 4, 9)
TCK = interpolate.splrep(T, np.sin(T))
SMOOTH = interpolate.UnivariateSpline(T, np.sin(T), s=0)
HELD = interpolate.UnivariateSpline(T[:4], np.sin(T[:4]), s=0, ext=3)
SLOPE = SMOOTH.derivative()
CUBIC = interpolate.CubicSpline(T, np.sin(T))
FACE = interpolate.RectBivariateSpline(T, T, np.outer(np.sin(T), np.cos(T)))
FACE_TCK = (*FACE.tck, *FACE.degrees)


def of_data(x: Any) -> Any:
    s = interpolate.CubicSpline(np.arange(3.0), x)
    return s(0.5) * s.integrate(0.0, 1.5) + s.derivative()(0.7) + s.antiderivative()(1.2)


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "splev": lambda x: np.sum(interpolate.splev(x, TCK) * x),
    "splev of an order": lambda x: np.sum(interpolate.splev(x, TCK, der=2) * x),
    "splev past the ends": lambda x: np.sum(interpolate.splev(3 * x, TCK, ext=3) * x),
    "splev of a number": lambda x: interpolate.splev(x[0], TCK) * x[1],
    "splint": lambda x: interpolate.splint(x[0], x[2], TCK),
    "objects": lambda x: np.sum(SMOOTH(x) * SLOPE(x)) + SMOOTH.integral(x[0], x[1]) + np.sum(HELD(x) * x),
    "derivative of an object": lambda x: np.sum(SMOOTH(x, nu=1) * x),
    "cubic": lambda x: np.sum(CUBIC(x, 1) * x) + CUBIC.integrate(0.0, x[1]) + CUBIC.derivative()(x[0]),
    "of data": of_data,
    "surface": lambda x: np.sum(FACE.ev(x, 0.5 * x)) + np.sum(FACE(x, x) * x),
    "surface, not a grid": lambda x: np.sum(FACE(x, 2.0, grid=False) * x),
    "bisplev": lambda x: np.sum(interpolate.bisplev(x, x[:2], FACE_TCK)) * x[0],
}  # fmt: skip


@pytest.mark.parametrize("degrees", [(1, 1), (1, 3), (3, 1), (2, 2)])
def test_a_surface_of_low_degree(degrees: tuple[int, int]) -> None:
    kx, ky = degrees
    face = interpolate.RectBivariateSpline(T, T, np.outer(np.sin(T), np.cos(T)), kx=kx, ky=ky)
    tck = (*face.tck, kx, ky)

    def f(v: Any) -> Any:
        return face.ev(v[0], v[1]) * v[2] + interpolate.bisplev(v[1], v[2], tck)

    steps = np.eye(3) * 1e-6
    expected = [(f(X + e) - f(X - e)) / 2e-6 for e in steps]
    np.testing.assert_allclose(rg.grad(f, strict=True)(X), expected, rtol=1e-5, atol=1e-8)
    rg.check_grads(f, (X,), order=2)
    outside = np.array([-1.0, 1.3, 9.0])  # held at its ends
    expected = [(f(outside + e) - f(outside - e)) / 2e-6 for e in steps]
    np.testing.assert_allclose(rg.grad(f, strict=True)(outside), expected, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("name", PROGRAMS)
def test_spline(name: str) -> None:
    f = PROGRAMS[name]
    value, bar = rg.value_and_grad(f)(X)
    assert value == pytest.approx(f(X), rel=1e-12)
    steps = np.eye(3) * 1e-6
    np.testing.assert_allclose(
        bar, [(f(X + e) - f(X - e)) / 2e-6 for e in steps], rtol=1e-5, atol=1e-8
    )
    rg.check_grads(f, (X,), order=2)


def test_of_data_by_coefficients_is_refused() -> None:
    with pytest.raises(rg.RetrogradError, match="with respect to `tck`"):
        rg.grad(lambda x: interpolate.splev(0.7, interpolate.splrep(T, T * x[0])) * x[1])(X)
