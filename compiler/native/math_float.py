"""Elementary functions for ``float32``; see ``math_double``."""

from __future__ import annotations

__all__ = ["BOUNDS", "TEXT"]

BOUNDS = {
    "rg_expf": 1.1,
    "rg_expm1f": 2.0,
    "rg_logf": 1.0,
    "rg_log1pf": 1.0,
    "rg_tanhf": 2.5,
    "rg_sigmoidf": 2.5,
    "rg_logaddexpf": 2.0,
}

TEXT = '''
def rg_expf(x):
    """2**n e**r with |r| <= log(2)/2; the power in two halves, so that subnormals round once."""
    a = select(x > 89.0, 89.0, select(x < -105.0, -105.0, x))
    n = rint(a * 1.4426950216293335)
    r = fma(n, 1.9046542121259336e-09, fma(n, -0.6931471824645996, a))
    q = poly(r, 0.5, 0.1666666567325592, 0.041666269302368164, 0.008333430625498295,
             0.0013946077087894082, 0.00019826478091999888)
    p = 1.0 + fma(r * r, q, r)
    h = floor(0.5 * n)
    return p * pow2(h) * pow2(n - h)

def rg_expm1f(x):
    """2**n (e**r - 1) + (2**n - 1), in halves so that 2**128 is not met."""
    a = select(x > 89.0, 89.0, select(x < -18.0, -18.0, x))
    n = rint(a * 1.4426950216293335)
    r = fma(n, 1.9046542121259336e-09, fma(n, -0.6931471824645996, a))
    q = poly(r, 0.5, 0.1666666567325592, 0.04166635498404503, 0.008333378471434116,
             0.0013941031647846103, 0.0001985160051845014)
    p = fma(r * r, q, r)
    s = pow2(n - 1.0)
    return select(fabs(x) < 2.9e-08, x, 2.0 * fma(s, p, s - 0.5))

def rg_logf(x):
    """e log(2) + log(1 + f) with 1/sqrt(2) <= 1 + f < sqrt(2)."""
    small = x < 1.1754943508222875e-38
    b = select(small, x * 33554432.0, x)
    e = exponent(b) - select(small, 25.0, 0.0)
    f = significand(b) - 1.0
    z = f * f
    q = poly(f, 0.3333331048488617, -0.25000014901161194, 0.20002204179763794,
             -0.16667643189430237, 0.14217890799045563, -0.12411268800497055,
             0.1190471202135086, -0.11646434664726257, 0.06675271689891815)
    low = fma(f * z, q, e * -2.12194442e-4)
    y = fma(e, 0.693359375, f + fma(-0.5, z, low))
    return select(x > 0.0, select(x < inf, y, x), select(x == 0.0, -inf, nan))

def rg_log1pf(x):
    """As ``rg_logf`` of u = 1 + x, with the rounding error of u carried along."""
    u = 1.0 + x
    e = exponent(u)
    c = select(x > 1e9, 0.0, select(x > 1.0, 1.0 - (u - x), x - (u - 1.0)))
    d = c * pow2(select(e > 100.0, 0.0, -e))
    m = significand(u) - 1.0
    f = m + d
    lost = d - (f - m)
    z = f * f
    q = poly(f, 0.3333331048488617, -0.25000014901161194, 0.20002204179763794,
             -0.16667643189430237, 0.14217890799045563, -0.12411268800497055,
             0.1190471202135086, -0.11646434664726257, 0.06675271689891815)
    low = fma(f * z, q, fma(e, -2.12194442e-4, lost))
    y = fma(e, 0.693359375, f + fma(-0.5, z, low))
    inside = select(fabs(x) < 2.9e-08, x, select(x < inf, y, x))
    return select(x > -1.0, inside, select(x == -1.0, -inf, nan))

def rg_tanhf(x):
    """e / (e + 2) with e = e**2|x| - 1."""
    a = 2.0 * fabs(x)
    b = select(a > 20.0, 20.0, a)
    n = rint(b * 1.4426950216293335)
    r = fma(n, 1.9046542121259336e-09, fma(n, -0.6931471824645996, b))
    q = poly(r, 0.5, 0.1666666567325592, 0.04166635498404503, 0.008333378471434116,
             0.0013941031647846103, 0.0001985160051845014)
    p = fma(r * r, q, r)
    s = pow2(n)
    e = fma(s, p, s - 1.0)
    return copysign(e / (e + 2.0), x)

def rg_sigmoidf(x):
    """1 / (1 + e**-x), from e**-|x| so that nothing overflows."""
    t = rg_expf(-fabs(x))
    return select(x < 0.0, t, 1.0) / (1.0 + t)

def rg_logaddexpf(x, y):
    """The larger one and log(1 + t), t = e**-|x - y|; the bound is one of the largest magnitude."""
    m = select(x > y, x, y)
    d = fabs(x - y)
    a = select(x == y, 0.0, select(d > 80.0, -80.0, -d))
    n = rint(a * 1.4426950216293335)
    r = fma(n, 1.9046542121259336e-09, fma(n, -0.6931471824645996, a))
    q = poly(r, 0.5, 0.1666666567325592, 0.041666269302368164, 0.008333430625498295,
             0.0013946077087894082, 0.00019826478091999888)
    t = select(d > 80.0, 0.0, (1.0 + fma(r * r, q, r)) * pow2(n))
    s = t / (2.0 + t)
    z = s * s
    p = poly(z, 0.6666667461395264, 0.39998874068260193, 0.2861696481704712,
             0.21427185833454132, 0.24301669001579285)
    h = 0.5 * t * t
    return m + (t - (h - s * fma(z, p, h)))
'''
