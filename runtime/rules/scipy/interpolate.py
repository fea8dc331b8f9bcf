"""Interpolation: differentiated as programs, whose classes stand for SciPy's."""

from scipy import interpolate

from ...replacements import interpolators
from .registry import objects, programs

programs |= {
    getattr(interpolate, name): getattr(interpolators, name)
    for name in ("CubicSpline", "RegularGridInterpolator", "interp1d")
}


def piecewise(given):
    return interpolators.Piecewise, {
        "c": given.c, "x": given.x, "axis": given.axis, "extrapolate": given.extrapolate,
    }  # fmt: skip


def lines(given):
    return interpolators.interp1d, {
        "x": given.x, "y": given.y, "kind": given._kind, "axis": given.axis, "copy": True,
        "bounds_error": given.bounds_error, "fill_value": given.fill_value,
    }  # fmt: skip


def grid(given):
    return interpolators.RegularGridInterpolator, {
        "points": tuple(given.grid), "values": given.values, "method": given.method,
        "bounds_error": given.bounds_error, "fill_value": given.fill_value,
    }  # fmt: skip


objects |= {
    interpolate.PPoly: piecewise,
    interpolate.interp1d: lines,
    interpolate.RegularGridInterpolator: grid,
}
