"""Elementary functions for ``float64`` as straight lines of arithmetic: the source of C and numba.

The text is Python without control flow: every name is assigned once, a choice is ``select``, and
what else is called is another function of the text or a primitive of ``math_source``.  The
polynomials are least-squares fits to the relative error at Chebyshev points, in 240 bits; the
reductions and the correction terms are the classical ones (Cody and Waite, fdlibm).
"""

from __future__ import annotations

__all__ = ["BOUNDS", "TEXT"]

BOUNDS = {
    "rg_exp": 1.0,
    "rg_expm1": 2.0,
    "rg_log": 1.0,
    "rg_log1p": 1.0,
    "rg_tanh": 2.5,
    "rg_sigmoid": 2.5,
}

TEXT = '''
def rg_exp(x):
    """2**n e**r with |r| <= log(2)/2; the power in two halves, so that subnormals round once."""
    a = select(x > 710.0, 710.0, select(x < -746.0, -746.0, x))
    n = rint(a * 1.4426950408889634)
    r = fma(n, -1.9082149292705877e-10, fma(n, -0.6931471803691238, a))
    q = poly(r, 0.5, 0.16666666666666685, 0.04166666666666578, 0.008333333333316663,
             0.0013888888889219606, 0.00019841269897167673, 2.4801586770257432e-05,
             2.755723417054235e-06, 2.7557691206911387e-07, 2.5112254608742596e-08,
             2.0797714653267934e-09)
    p = 1.0 + fma(r * r, q, r)
    h = floor(0.5 * n)
    return p * pow2(h) * pow2(n - h)

def rg_expm1(x):
    """2**n (e**r - 1) + (2**n - 1), in halves so that 2**1024 is not met."""
    a = select(x > 710.0, 710.0, select(x < -40.0, -40.0, x))
    n = rint(a * 1.4426950408889634)
    r = fma(n, -1.9082149292705877e-10, fma(n, -0.6931471803691238, a))
    q = poly(r, 0.5, 0.16666666666666677, 0.041666666666666435, 0.008333333333321482,
             0.0013888888888990525, 0.00019841269886457078, 2.4801587124344085e-05,
             2.7557243906893966e-06, 2.7557439824751445e-07, 2.510913534127948e-08,
             2.0864710143590486e-09)
    p = fma(r * r, q, r)
    s = pow2(n - 1.0)
    return select(fabs(x) < 5.5e-17, x, 2.0 * fma(s, p, s - 0.5))

def rg_log(x):
    """e log(2) + log(1 + f) with 1/sqrt(2) <= 1 + f < sqrt(2)."""
    small = x < 2.2250738585072014e-308
    b = select(small, x * 18014398509481984.0, x)
    e = exponent(b) - select(small, 54.0, 0.0)
    f = significand(b) - 1.0
    s = f / (2.0 + f)
    z = s * s
    p = poly(z, 0.6666666666666666, 0.40000000000006397, 0.2857142856904679,
             0.22222222651873758, 0.1818177530276049, 0.15387105267027612,
             0.1324981355531845, 0.13253941485740278)
    q = z * p
    h = 0.5 * f * f
    y = e * 0.6931471803691238 - ((h - fma(s, h + q, e * 1.9082149292705877e-10)) - f)
    return select(x > 0.0, select(x < inf, y, x), select(x == 0.0, -inf, nan))

def rg_log1p(x):
    """As ``rg_log`` of u = 1 + x, with the rounding error of u carried along."""
    u = 1.0 + x
    e = exponent(u)
    c = select(x > 1e18, 0.0, select(x > 1.0, 1.0 - (u - x), x - (u - 1.0)))
    d = c * pow2(select(e > 1000.0, 0.0, -e))
    m = significand(u) - 1.0
    f = m + d
    lost = d - (f - m)
    s = f / (2.0 + f)
    z = s * s
    p = poly(z, 0.6666666666666666, 0.40000000000006397, 0.2857142856904679,
             0.22222222651873758, 0.1818177530276049, 0.15387105267027612,
             0.1324981355531845, 0.13253941485740278)
    q = z * p
    h = 0.5 * f * f
    low = fma(s, h + q, fma(e, 1.9082149292705877e-10, lost))
    y = e * 0.6931471803691238 - ((h - low) - f)
    inside = select(fabs(x) < 5.5e-17, x, select(x < inf, y, x))
    return select(x > -1.0, inside, select(x == -1.0, -inf, nan))

def rg_tanh(x):
    """e / (e + 2) with e = e**2|x| - 1."""
    a = 2.0 * fabs(x)
    b = select(a > 40.0, 40.0, a)
    n = rint(b * 1.4426950408889634)
    r = fma(n, -1.9082149292705877e-10, fma(n, -0.6931471803691238, b))
    q = poly(r, 0.5, 0.16666666666666677, 0.041666666666666435, 0.008333333333321482,
             0.0013888888888990525, 0.00019841269886457078, 2.4801587124344085e-05,
             2.7557243906893966e-06, 2.7557439824751445e-07, 2.510913534127948e-08,
             2.0864710143590486e-09)
    p = fma(r * r, q, r)
    s = pow2(n)
    e = fma(s, p, s - 1.0)
    return copysign(e / (e + 2.0), x)

def rg_sigmoid(x):
    """1 / (1 + e**-x), from e**-|x| so that nothing overflows."""
    t = rg_exp(-fabs(x))
    return select(x < 0.0, t, 1.0) / (1.0 + t)
'''
