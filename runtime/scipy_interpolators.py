"""Interpolation as programs of NumPy, which are differentiated in place of ``scipy.interpolate``.

They give what SciPy's objects give, and have a derivative in the data, their places and the points asked for.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import solve_banded

from .errors import UnsupportedOperation

__all__ = ["CubicSpline", "Piecewise", "RegularGridInterpolator", "interp1d"]


def interval(x: Any, t: Any) -> Any:
    """The number of the interval of ``x`` in which ``t`` is, or is nearest to."""
    return np.clip(np.searchsorted(x, t, side="right") - 1, 0, len(x) - 2)


class interp1d:
    """Lines or steps between the points."""

    def __init__(
        self, x: Any, y: Any, kind: Any = "linear", axis: int = -1, copy: bool = True,
        bounds_error: Any = None, fill_value: Any = np.nan, assume_sorted: bool = False,
    ) -> None:  # fmt: skip
        if kind not in ("linear", "nearest", "previous", "next"):
            raise UnsupportedOperation(
                f"interp1d: no derivative for kind={kind!r}", fix="use CubicSpline"
            )
        x, y = np.asarray(x), np.moveaxis(np.asarray(y), axis, -1)
        if not assume_sorted:
            order = np.argsort(x)
            x, y = x[order], y[..., order]
        if kind in ("previous", "next") and isinstance(fill_value, str):
            raise UnsupportedOperation(f"interp1d: kind={kind!r} is not extrapolated")
        self.x, self.y, self.kind, self.axis = x, y, kind, axis
        unsaid = bounds_error is None and fill_value is np.nan
        self.bounds_error, self.fill_value = unsaid or bounds_error is True, fill_value

    def __call__(self, t: Any) -> Any:
        t = np.asarray(t)
        flat = np.reshape(t, -1)
        z = self.steps(flat) if self.kind != "linear" else self.lines(flat)
        if isinstance(self.fill_value, str):
            inside = np.ones(flat.shape, bool)
        else:
            inside = (flat >= self.x[0]) & (flat <= self.x[-1])
            if self.bounds_error and not np.all(inside):
                raise ValueError("A value in x_new is outside the interpolation range.")
            if not self.bounds_error:
                z = np.where(inside, z, self.fill_value)
        return shaped(z, t, self.axis)

    def lines(self, t: Any) -> Any:
        at = np.clip(np.searchsorted(self.x, t), 1, len(self.x) - 1)
        x0, x1, y0, y1 = self.x[at - 1], self.x[at], self.y[..., at - 1], self.y[..., at]
        return (y1 - y0) / (x1 - x0) * (t - x0) + y0

    def steps(self, t: Any) -> Any:
        most = len(self.x) - 1
        if self.kind == "previous":
            at = np.clip(np.searchsorted(self.x, t, side="right") - 1, 0, most)
        elif self.kind == "next":
            at = np.clip(np.searchsorted(self.x, t), 0, most)
        else:
            at = np.searchsorted(self.x[:-1] + np.diff(self.x) / 2, t)
        return self.y[..., at]


def shaped(z: Any, t: Any, axis: int) -> Any:
    """The values at the points ``t``, with their axes where the axis of the data was."""
    at, rest = axis % z.ndim, z.shape[:-1]
    return np.reshape(np.moveaxis(z, -1, at), rest[:at] + t.shape + rest[at:])


class Piecewise:
    """Polynomials between the points, of given coefficients, the highest power first."""

    def __init__(self, c: Any, x: Any, axis: int, extrapolate: Any) -> None:
        self.c, self.x, self.axis, self.extrapolate = c, x, axis, extrapolate

    def __call__(self, x: Any, nu: int = 0, extrapolate: Any = None) -> Any:
        kept = self.extrapolate if extrapolate is None else extrapolate
        if kept == "periodic":
            raise UnsupportedOperation("no derivative for extrapolate='periodic'")
        t = np.asarray(x)
        flat = np.reshape(t, -1)
        i = interval(self.x, flat)
        u = flat - self.x[i]
        c = np.moveaxis(self.c, 1, -1)[..., i]
        degree = len(c) - 1
        z = np.zeros(c.shape[1:])
        for k in range(degree + 1 - nu):
            factor = 1.0
            for j in range(nu):
                factor = factor * (degree - k - j)
            z = z * u + factor * c[k]
        if kept is False:
            z = np.where((flat >= self.x[0]) & (flat <= self.x[-1]), z, np.nan)
        return shaped(z, t, self.axis)


class CubicSpline:
    """Cubic polynomials with two continuous derivatives."""

    def __init__(
        self, x: Any, y: Any, axis: int = 0, bc_type: Any = "not-a-knot", extrapolate: Any = None
    ) -> None:
        x, y = np.asarray(x), np.moveaxis(np.asarray(y), axis, -1)
        self.x, self.y, self.axis, self.extrapolate = x, y, axis, extrapolate
        self.slopes = slopes(x, y, bc_type)

    def __call__(self, x: Any, nu: int = 0, extrapolate: Any = None) -> Any:
        kept = self.extrapolate if extrapolate is None else extrapolate
        if kept == "periodic":
            raise UnsupportedOperation("CubicSpline: no derivative for extrapolate='periodic'")
        t = np.asarray(x)
        flat = np.reshape(t, -1)
        i = interval(self.x, flat)
        z = hermite(self.x, self.y, self.slopes, i, flat, nu)
        if kept is False:
            inside = (flat >= self.x[0]) & (flat <= self.x[-1])
            z = np.where(inside, z, np.nan)
        return shaped(z, t, self.axis)


def hermite(x: Any, y: Any, s: Any, i: Any, t: Any, nu: int) -> Any:
    """The cubic of interval ``i`` at ``t``, or a derivative of it."""
    h, u = x[i + 1] - x[i], t - x[i]
    y0, s0 = y[..., i], s[..., i]
    slope = (y[..., i + 1] - y0) / h
    c = (s0 + s[..., i + 1] - 2 * slope) / (h * h)
    b = (slope - s0) / h - c * h
    if nu == 0:
        return y0 + u * (s0 + u * (b + u * c))
    if nu == 1:
        return s0 + u * (2 * b + 3 * u * c)
    if nu == 2:
        return 2 * b + 6 * u * c
    return 6 * c if nu == 3 else 0 * c


def slopes(x: Any, y: Any, bc_type: Any) -> Any:
    """The derivative of the spline at each point: a tridiagonal system."""
    if isinstance(bc_type, str):
        bc_type = (bc_type, bc_type)
    start, end = bc_type
    if start == "periodic" or end == "periodic":
        raise UnsupportedOperation("CubicSpline: no derivative for bc_type='periodic'")
    n = x.shape[0]
    h = np.diff(x)
    d = np.diff(y) / h
    if n == 3 and start == "not-a-knot" and end == "not-a-knot":
        curve = (d[..., 1] - d[..., 0]) / (h[0] + h[1])
        left = d[..., 0] - curve * h[0]
        return np.stack((left, d[..., 0] + curve * h[0], d[..., 1] + curve * h[1]), axis=-1)
    first, second, b0 = end_row(h, d, start)
    # The spline backwards and upside down: curvatures change their sign.
    back = end if isinstance(end, str) else (end[0], end[1] * (3 - 2 * end[0]))
    last, previous, bn = end_row(h[::-1], d[..., ::-1], back)
    none = np.zeros(1)
    bands = np.stack(
        (
            np.concatenate((none, np.reshape(second, 1), h[:-1])),
            np.concatenate((np.reshape(first, 1), 2 * (h[:-1] + h[1:]), np.reshape(last, 1))),
            np.concatenate((h[1:], np.reshape(previous, 1), none)),
        )
    )
    inner = 3 * (h[1:] * d[..., :-1] + h[:-1] * d[..., 1:])
    right = np.concatenate((b0[..., None], inner, bn[..., None]), axis=-1)
    found = solve_banded((1, 1), bands, np.reshape(right, (-1, n)).T)
    return np.reshape(found.T, y.shape)


def end_row(h: Any, d: Any, kind: Any) -> Any:
    """The diagonal entry, the one beside it, and the right-hand side at one end."""
    if isinstance(kind, str) and kind == "not-a-knot":
        if h.shape[0] == 1:
            return 1.0, 0.0, d[..., 0]
        both = h[0] + h[1]
        right = ((h[0] + 2 * both) * h[1] * d[..., 0] + h[0] * h[0] * d[..., 1]) / both
        return h[1], both, right
    if isinstance(kind, str):
        kind = (1 if kind == "clamped" else 2, 0.0)
    order, value = kind
    if order == 1:
        return 1.0, 0.0, value + 0 * d[..., 0]
    return 2 * h[0], h[0], 3 * h[0] * d[..., 0] - value * h[0] * h[0] / 2


class RegularGridInterpolator:
    """Multilinear interpolation, or the nearest value, on a grid."""

    def __init__(
        self, points: Any, values: Any, method: Any = "linear", bounds_error: bool = True,
        fill_value: Any = np.nan,
    ) -> None:  # fmt: skip
        self.points, self.values, self.method = points, np.asarray(values), method
        self.bounds_error, self.fill_value = bounds_error, fill_value

    def __call__(self, xi: Any, method: Any = None) -> Any:
        method = self.method if method is None else method
        if method not in ("linear", "nearest"):
            raise UnsupportedOperation(
                f"RegularGridInterpolator: no derivative for method={method!r}"
            )
        xi = np.asarray(xi)
        d = len(self.points)
        flat = np.reshape(xi, (-1, d))
        grid = [np.asarray(p) for p in self.points]
        inside = np.stack(
            [(flat[:, k] >= p[0]) & (flat[:, k] <= p[-1]) for k, p in enumerate(grid)]
        )
        if self.bounds_error and not np.all(inside):
            raise ValueError("One of the requested xi is out of bounds")
        at = np.stack([interval(p, flat[:, k]) for k, p in enumerate(grid)])
        part = np.stack(
            [(flat[:, k] - p[at[k]]) / (p[at[k] + 1] - p[at[k]]) for k, p in enumerate(grid)]
        )
        if method == "nearest":
            part = np.where(part <= 0.5, 0.0, 1.0)
        z = corners(self.values, at, part, d)
        if not self.bounds_error and self.fill_value is not None:
            z = np.where(np.all(inside, axis=0)[:, None], z, self.fill_value)
        return np.reshape(z, np.atleast_2d(xi).shape[:-1] + self.values.shape[d:])


def corners(values: Any, at: Any, part: Any, d: int) -> Any:
    """The values at the corners of each point's cell, weighted: a row for each point."""
    bits = (np.arange(2**d)[:, None] >> np.arange(d)) & 1
    shape = values.shape[:d]
    sizes = np.array(shape)
    strides = np.append(np.cumprod(sizes[::-1])[::-1][1:], 1)
    index = np.sum((at[None] + bits[:, :, None]) * strides[:, None], axis=1)
    weight = np.prod(np.where(bits[:, :, None] == 1, part[None], 1 - part[None]), axis=1)
    listed = np.reshape(values, (int(np.prod(sizes)), -1))[index]
    return np.sum(weight[:, :, None] * listed, axis=0)
