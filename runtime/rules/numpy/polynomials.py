"""Rules of polynomials, as NumPy's functions of coefficients: values, sums, products, roots."""

import numpy as np

from ...helpers import linear
from ...replacements import polynomials as texts
from ...replacements.polynomials import Polynomial, as_program
from ..book import constant, rule
from ..programs import objects, programs

programs[np.polynomial.Polynomial] = Polynomial
programs |= {
    np.polynomial.polynomial.polyvander: texts.polyvander,
    np.polynomial.chebyshev.chebvander: texts.chebvander,
    np.polynomial.legendre.legvander: texts.legvander,
    np.polynomial.hermite.hermvander: texts.hermvander,
    np.polynomial.hermite_e.hermevander: texts.hermevander,
    np.polynomial.laguerre.lagvander: texts.lagvander,
}
objects[np.polynomial.Polynomial] = as_program

constant(
    linear.exponents, linear.derivative_factors, linear.integral_factors, linear.band_places,
    linear.degrees,
)  # fmt: skip


@rule(np.vander, memory="new")
def vander(z, x, N=None, increasing=False, *, dx):
    p = linear.exponents(x, N, increasing)
    return p * np.expand_dims(x, -1) ** np.maximum(p - 1, 0) * linear.along_axis(dx, z)


@rule(np.polyval, memory="new")
def polyval(z, p, x, *, dp, dx):
    coefficients = np.asarray(p)
    slope = coefficients[:-1] * linear.derivative_factors(coefficients)
    powers = np.vander(np.ravel(x), linear.degrees(coefficients, 0))
    return linear.convert(np.polyval(slope, x) * dx, z) + linear.reshape_like(
        powers @ np.asarray(dp), z
    )


@rule(np.polynomial.polynomial.polyval)
def polynomial_value(z, x, c, *, dx, dc):
    coefficients = np.flip(np.asarray(c))
    slope = coefficients[:-1] * linear.derivative_factors(coefficients)
    powers = np.vander(np.ravel(x), linear.degrees(coefficients, 0), True)
    return linear.convert(np.polyval(slope, x) * dx, z) + linear.reshape_like(
        powers @ np.asarray(dc), z
    )


@rule(np.polyder, memory="either", new_if="alone")
def polyder(z, p, m=1, *, dp):
    return np.asarray(dp)[: linear.degrees(p, m)] * linear.derivative_factors(p, m)


@rule(np.polyint, memory="either", new_if="alone")
def polyint(z, p, m=1, k=None, *, dp):
    return linear.pad(np.asarray(dp) * linear.integral_factors(p, m), (0, m))


@rule(np.polyadd, memory="new")
def polyadd(z, a1, a2, *, da1, da2):
    one = z.size - np.size(a1)
    other = z.size - np.size(a2)
    return linear.pad(np.atleast_1d(np.asarray(da1)), (one, 0)) + linear.pad(
        np.atleast_1d(np.asarray(da2)), (other, 0)
    )


@rule(np.polysub, memory="new")
def polysub(z, a1, a2, *, da1, da2):
    one = z.size - np.size(a1)
    other = z.size - np.size(a2)
    return linear.pad(np.atleast_1d(np.asarray(da1)), (one, 0)) - linear.pad(
        np.atleast_1d(np.asarray(da2)), (other, 0)
    )


@rule(np.polymul, memory="new")
def polymul(z, a1, a2, *, da1, da2):
    a = np.atleast_1d(np.asarray(a1))
    b = np.atleast_1d(np.asarray(a2))
    return (
        np.convolve(np.atleast_1d(np.asarray(da1)), b)
        + np.convolve(a, np.atleast_1d(np.asarray(da2)))
    )[-z.size :]


@rule(np.polydiv)
def polydiv(z, u, v, *, du, dv):
    quotient, rest = z
    divisor = np.atleast_1d(np.asarray(v))
    matrix = np.take(np.append(divisor, 0.0), linear.band_places(quotient, divisor, u))
    n = quotient.size
    return (
        linear.convert(
            np.linalg.solve(
                matrix,
                (np.asarray(du) - np.convolve(quotient, np.atleast_1d(np.asarray(dv))))[:n],
            ),
            quotient,
        ),
        linear.convert(
            (
                np.asarray(du)
                - np.convolve(quotient, np.atleast_1d(np.asarray(dv)))
                - np.convolve(
                    np.linalg.solve(
                        matrix,
                        (np.asarray(du) - np.convolve(quotient, np.atleast_1d(np.asarray(dv))))[:n],
                    ),
                    divisor,
                )
            )[-rest.size :],
            rest,
        ),
    )


@rule(np.roots, memory="new", order=-1)
def roots(z, p, *, dp):
    coefficients = np.asarray(p)
    slope = np.polyval(np.polyder(coefficients), z)
    change = np.vander(z, coefficients.size)
    return -linear.convert((change @ linear.convert(np.asarray(dp), z)) / slope, z)
