"""Interpolation: differentiated as programs, whose classes stand for SciPy's."""

from scipy import interpolate

from .. import scipy_interpolators
from .extras import programs

programs |= {
    getattr(interpolate, name): getattr(scipy_interpolators, name)
    for name in scipy_interpolators.__all__
}
