"""Interpolation as programs of NumPy, which are differentiated in place of ``scipy.interpolate``.

They give what SciPy's objects give, and have a derivative in the data, their places and the points asked for.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import interpolate
from scipy.linalg import solve_banded

from ..errors import UnsupportedOperation
from ..helpers.scipy.interpolate import surface

__all__ = [
    "CubicSpline",
    "Piecewise",
    "RegularGridInterpolator",
    "Spline",
    "Surface",
    "bisplev",
    "interp1d",
]


def interval(x: Any, t: Any) -> Any:
    """The number of the interval of ``x`` in which ``t`` is, or is nearest to."""
    return np.clip(np.searchsorted(x, t, side="right") - 1, 0, len(x) - 2)


def inexact(dtype: Any) -> Any:
    """The dtype that SciPy gives to data: integers become floats."""
    return dtype if np.issubdtype(dtype, np.inexact) else np.float64


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
        extrapolated = isinstance(fill_value, str)
        if kind in ("previous", "next") and extrapolated:
            raise UnsupportedOperation(f"interp1d: kind={kind!r} is not extrapolated")
        if assume_sorted and copy:
            x, y = np.array(x), np.array(y)
        else:
            x, y = np.asarray(x), np.asarray(y)
        y = np.moveaxis(np.asarray(y, dtype=inexact(y.dtype)), axis, -1)
        if not assume_sorted:
            order = np.argsort(x, kind="stable")
            x, y = x[order], y[..., order]
        self.x, self.y, self.kind, self.axis, self.extrapolated = x, y, kind, axis, extrapolated
        self.bounds_error = not extrapolated if bounds_error is None else bounds_error
        if isinstance(fill_value, tuple) and len(fill_value) == 2:
            self.below, self.above = fill_value[0], fill_value[1]
        else:
            self.below, self.above = fill_value, fill_value

    def __call__(self, t: Any) -> Any:
        t = np.asarray(t)
        flat = np.reshape(t, -1)
        z = self.steps(flat) if self.kind != "linear" else self.lines(flat)
        if not self.extrapolated:
            under, over = flat < self.x[0], flat > self.x[-1]
            if self.bounds_error and np.any(under | over):
                raise ValueError("A value in x_new is outside the interpolation range.")
            if not self.bounds_error:
                z = np.where(over, np.asarray(self.above, dtype=z.dtype)[..., None], z)
                z = np.where(under, np.asarray(self.below, dtype=z.dtype)[..., None], z)
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
        t = np.asarray(x, dtype=float)
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

    def derivative(self, nu: int = 1) -> Any:
        c = self.c
        for _ in range(nu):
            c = np.moveaxis(np.moveaxis(c[:-1], 0, -1) * np.arange(len(c) - 1, 0, -1), -1, 0)
        return Piecewise(c, self.x, self.axis, self.extrapolate)

    def antiderivative(self) -> Any:
        n, h = len(self.c), np.diff(self.x)
        c = np.moveaxis(self.c, 1, -1)
        c = np.moveaxis(np.moveaxis(c, 0, -1) / np.arange(n, 0, -1), -1, 0)
        whole = np.zeros(c.shape[1:])
        for k in range(n):
            whole = whole + c[k] * h ** (n - k)
        before = np.cumsum(whole, axis=-1) - whole
        c = np.moveaxis(np.concatenate([c, before[None]]), -1, 1)
        return Piecewise(c, self.x, self.axis, self.extrapolate)

    def integrate(self, a: Any, b: Any, extrapolate: Any = None) -> Any:
        area = self.antiderivative()
        return area(b, 0, extrapolate) - area(a, 0, extrapolate)


class Spline:
    """A spline of knots and coefficients: ``UnivariateSpline`` as it stands."""

    def __init__(self, tck: Any, ext: int, order: int = 0) -> None:
        self.tck, self.ext, self.order = tck, ext, order

    def __call__(self, x: Any, nu: int = 0, ext: Any = None) -> Any:
        return interpolate.splev(x, self.tck, self.order + nu, self.ext if ext is None else ext)

    def derivative(self, n: int = 1) -> Any:
        return Spline(self.tck, 1 if self.ext == 3 else self.ext, self.order + n)

    def integral(self, a: Any, b: Any) -> Any:
        return interpolate.splint(a, b, self.tck)


class Surface:
    """A spline of two variables, of knots and coefficients."""

    def __init__(self, tck: Any) -> None:
        self.tck = tck

    def __call__(self, x: Any, y: Any, dx: int = 0, dy: int = 0, grid: bool = True) -> Any:
        if not grid:
            return self.ev(x, y, dx, dy)
        px, py = np.meshgrid(x, y, indexing="ij")
        return surface(px, py, self.tck, dx, dy, dx, dy)

    def ev(self, xi: Any, yi: Any, dx: int = 0, dy: int = 0) -> Any:
        xi, yi = np.broadcast_arrays(xi, yi)
        return surface(xi, yi, self.tck, dx, dy, dx, dy)


def bisplev(x: Any, y: Any, tck: Any, dx: int = 0, dy: int = 0) -> Any:
    """A spline of two variables on a grid, without the axes of one point."""
    px, py = np.meshgrid(x, y, indexing="ij")
    z = surface(px, py, tck, dx, dy, dx, dy)
    if len(z) > 1:
        return z
    return z[0] if len(z[0]) > 1 else z[0, 0]


class CubicSpline:
    """Cubic polynomials with two continuous derivatives."""

    def __init__(
        self, x: Any, y: Any, axis: int = 0, bc_type: Any = "not-a-knot", extrapolate: Any = None
    ) -> None:
        x, y = (
            np.array(x, dtype=float),
            np.array(y, dtype=np.result_type(np.asarray(y), np.float64)),
        )
        y = np.moveaxis(y, axis, -1)
        self.x, self.y, self.axis, self.extrapolate = x, y, axis, extrapolate
        self.slopes = slopes(x, y, bc_type)

    def __call__(self, x: Any, nu: int = 0, extrapolate: Any = None) -> Any:
        kept = self.extrapolate if extrapolate is None else extrapolate
        if kept == "periodic":
            raise UnsupportedOperation("CubicSpline: no derivative for extrapolate='periodic'")
        t = np.asarray(x, dtype=float)
        flat = np.reshape(t, -1)
        i = interval(self.x, flat)
        z = hermite(self.x, self.y, self.slopes, i, flat, nu)
        if kept is False:
            inside = (flat >= self.x[0]) & (flat <= self.x[-1])
            z = np.where(inside, z, np.nan)
        return shaped(z, t, self.axis)

    def pieces(self) -> Any:
        """The cubics by their coefficients."""
        h, y, s = np.diff(self.x), self.y, self.slopes
        y0, s0, s1 = y[..., :-1], s[..., :-1], s[..., 1:]
        rise = (y[..., 1:] - y0) / h
        c = np.stack([(s0 + s1 - 2 * rise) / h**2, (3 * rise - 2 * s0 - s1) / h, s0, y0])
        return Piecewise(np.moveaxis(c, -1, 1), self.x, self.axis, self.extrapolate)

    def derivative(self, nu: int = 1) -> Any:
        return self.pieces().derivative(nu)

    def antiderivative(self) -> Any:
        return self.pieces().antiderivative()

    def integrate(self, a: Any, b: Any, extrapolate: Any = None) -> Any:
        return self.pieces().integrate(a, b, extrapolate)


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
    """Multilinear interpolation, or the nearest value, on a grid, each axis of which rises or falls."""

    def __init__(
        self, points: Any, values: Any, method: Any = "linear", bounds_error: bool = True,
        fill_value: Any = np.nan,
    ) -> None:  # fmt: skip
        values = np.asarray(values)
        self.points = tuple([np.asarray(p, dtype=float) for p in points])
        self.values, self.method = np.asarray(values, dtype=inexact(values.dtype)), method
        self.bounds_error, self.fill_value = bounds_error, fill_value

    def __call__(self, xi: Any, method: Any = None) -> Any:
        method = self.method if method is None else method
        if method not in ("linear", "nearest"):
            raise UnsupportedOperation(
                f"RegularGridInterpolator: no derivative for method={method!r}"
            )
        d = len(self.points)
        xi = coordinates(xi, d)
        if xi.shape[-1] != d:
            raise ValueError("The requested sample points xi have not the dimension of the grid")
        flat = np.reshape(xi, (-1, d))
        orders = [np.argsort(p) for p in self.points]
        grid = [p[order] for p, order in zip(self.points, orders, strict=True)]
        inside = np.stack(
            [(flat[:, k] >= p[0]) & (flat[:, k] <= p[-1]) for k, p in enumerate(grid)]
        )
        if self.bounds_error and not np.all(inside):
            raise ValueError("One of the requested xi is out of bounds")
        at = [interval(p, flat[:, k]) for k, p in enumerate(grid)]
        part = np.stack(
            [(flat[:, k] - p[at[k]]) / (p[at[k] + 1] - p[at[k]]) for k, p in enumerate(grid)]
        )
        # Of each axis: the places below and above a point among the values.
        sides = np.stack([np.stack((o[at[k]], o[at[k] + 1])) for k, o in enumerate(orders)])
        listed = rows_of(self.values, d)
        if method == "nearest":
            spots = np.where(part <= 0.5, sides[:, 0], sides[:, 1])
            z = listed[numbers(self.values.shape[:d], spots)]
        else:
            z = corners(listed, self.values.shape[:d], sides, part)
        rest = self.values.shape[d:]
        z = np.reshape(z, (flat.shape[0],) + rest)
        if not self.bounds_error and self.fill_value is not None:
            fill = np.asarray(self.fill_value, dtype=z.dtype)
            z = np.where(column(np.all(inside, axis=0), z), z, fill)
        if method == "nearest" or not self.bounds_error:
            unknown = np.any(np.isnan(flat), axis=1)
            z = np.where(column(unknown, z), np.asarray(np.nan, dtype=z.dtype), z)
        return np.reshape(z, xi.shape[:-1] + rest)


def column(of_points: Any, z: Any) -> Any:
    """Numbers of the points, shaped to fit values of which each point has an array."""
    return np.expand_dims(of_points, tuple(range(1, z.ndim)))


def coordinates(xi: Any, d: int) -> Any:
    """Points, a row for each: of a tuple they are the coordinates, which are broadcast."""
    if isinstance(xi, tuple):
        if len(xi) != 1:
            return np.asarray(np.stack(np.broadcast_arrays(*xi), axis=-1), dtype=float)
        xi = xi[0]
    xi = np.asarray(xi, dtype=float)
    return np.reshape(xi, (-1, d)) if xi.ndim == 1 else xi


def rows_of(values: Any, d: int) -> Any:
    """The values at the nodes of a grid of ``d`` axes, a row for each node."""
    return np.reshape(values, (int(np.prod(np.array(values.shape[:d]))), -1))


def numbers(shape: Any, spots: Any) -> Any:
    """The numbers of the nodes whose places along each axis are given, the axes being first."""
    index = 0
    for k in range(len(shape)):
        index = index * shape[k] + spots[k]
    return index


def corners(listed: Any, shape: Any, sides: Any, part: Any) -> Any:
    """The values at the corners of each point's cell, weighted: a row for each point."""
    d = len(shape)
    bits = (np.arange(2**d)[:, None] >> np.arange(d)) & 1
    strides = np.append(np.cumprod(np.array(shape)[::-1])[::-1][1:], 1)
    spots = np.where(bits[:, :, None] == 1, sides[None, :, 1], sides[None, :, 0])
    index = np.sum(spots * strides[:, None], axis=1)
    weight = np.prod(np.where(bits[:, :, None] == 1, part[None], 1 - part[None]), axis=1)
    return np.sum(weight[:, :, None] * listed[index], axis=0)
