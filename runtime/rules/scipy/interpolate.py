"""Interpolation: differentiated as programs, whose classes stand for SciPy's."""

from scipy import interpolate

from ...helpers.scipy import interpolate as rt
from ...replacements import interpolators
from ..book import rule
from ..programs import objects, programs
from ..traits import traits

programs |= {
    getattr(interpolate, name): getattr(interpolators, name)
    for name in ("CubicSpline", "RegularGridInterpolator", "interp1d")
}


@rule(interpolate.splev)
def splev(z, x, tck, der=0, ext=0, *, dx):
    return rt.spline(x, tck, der + 1, ext) * dx


@rule(rt.spline)
def spline(z, x, tck, der=0, ext=0, *, dx):
    return rt.spline(x, tck, der + 1, ext) * dx


@rule(interpolate.splint)
def splint(z, a, b, tck, *, da, db):
    return rt.spline(b, tck, 0, 1) * db - rt.spline(a, tck, 0, 1) * da


@rule(rt.surface)
def surface(z, x, y, tck, nx=0, ny=0, asked_x=0, asked_y=0, *, dx, dy):
    along = rt.surface(x, y, tck, nx + 1, ny, asked_x, asked_y)
    return along * dx + rt.surface(x, y, tck, nx, ny + 1, asked_x, asked_y) * dy


programs[interpolate.bisplev] = interpolators.bisplev


def univariate(given):
    return interpolators.Spline, {"tck": tuple(given._eval_args), "ext": given.ext}


def bivariate(given):
    return interpolators.Surface, {"tck": (*given.tck, *given.degrees)}


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
    interpolate.UnivariateSpline: univariate,
    interpolate.BivariateSpline: bivariate,
}


# -- on a batch -------------------------------------------------------------------------

traits(interpolate.splev, rt.spline, batch="leading")
traits(rt.surface, batch="wide")
