"""The helpers of ``scipy.interpolate``: slopes and integrals of splines given by knots and coefficients."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import interpolate

__all__ = ["spline", "surface"]

Value = Any


def spline(x: Value, tck: Any, der: int = 0, ext: int = 0) -> Value:
    """A derivative of a spline where it is not ``x`` that is asked for: zero past its degree and past its ends.

    ``ext`` is that of `splev`: a spline that is held (3) or zero (1) past its ends has no slope there.

    >>> tck = interpolate.splrep(np.arange(5.0), np.arange(5.0) ** 2)
    >>> float(np.round(spline(1.5, tck, 1), 12)), float(spline(9.0, tck, 1, 3)), float(spline(1.5, tck, 4))
    (3.0, 0.0, 0.0)
    """
    if der > tck[2]:
        return np.zeros(np.shape(x))
    return interpolate.splev(x, tck, der, 1 if ext == 3 else ext)


def surface(
    x: Value, y: Value, tck: Any, nx: int = 0, ny: int = 0, asked_x: int = 0, asked_y: int = 0
) -> Value:
    """A spline of two variables at points, or a slope of it, of more orders than were asked for: zero where it is held.

    >>> knots = np.arange(6.0)
    >>> made = interpolate.RectBivariateSpline(knots, knots, np.outer(knots, knots**2))
    >>> float(np.round(surface(1.5, 2.0, (*made.tck, *made.degrees), 0, 1), 12))
    6.0
    """
    tx, ty, _, kx, ky = tck
    if nx < kx and ny < ky:
        z = interpolate.BivariateSpline._from_tck(tck).ev(x, y, nx, ny)
    else:
        z = product_of_bases(x, y, tck, nx, ny)
    inside = ((tx[kx] <= x) & (x <= tx[-kx - 1])) | (nx == asked_x)
    inside = inside & (((ty[ky] <= y) & (y <= ty[-ky - 1])) | (ny == asked_y))
    return np.where(inside, z, 0.0)[()]


def product_of_bases(x: Value, y: Value, tck: Any, nx: int, ny: int) -> Value:
    """The same of orders that SciPy's surfaces do not have: the degree itself gives steps, and more nothing."""
    tx, ty, c, kx, ky = tck
    of_x, of_y = basis(x, tx, kx, nx), basis(y, ty, ky, ny)
    c = np.reshape(c, (of_x.shape[-1], of_y.shape[-1]))
    return np.einsum("...i,ij,...j", of_x, c, of_y)


def basis(x: Value, t: Any, k: int, order: int) -> Any:
    """A derivative of every B-spline of the knots ``t``, at points that are moved to the ends if they are outside."""
    count = len(t) - k - 1
    if order > k:
        return np.zeros((*np.shape(x), count))
    return interpolate.BSpline(t, np.eye(count), k)(np.clip(x, t[k], t[-k - 1]), order)
