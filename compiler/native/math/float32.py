"""Elementary functions for ``float32``; see `float64`."""

from __future__ import annotations

__all__ = ["BOUNDS", "TEXT"]

BOUNDS = {
    "rg_sinf": 1.0,
    "rg_cosf": 1.0,
    "rg_tanf": 1.5,
    "rg_expf": 1.2,
    "rg_expm1f": 2.0,
    "rg_exp2f": 1.2,
    "rg_logf": 1.0,
    "rg_log1pf": 1.0,
    "rg_tanhf": 2.5,
    "rg_sigmoidf": 2.5,
    "rg_logaddexpf": 2.5,
    "rg_erff": 2.0,
    "rg_powf": 0.6,
    "rg_sin_nearf": 0.6,
    "rg_cos_nearf": 0.6,
    "rg_tan_nearf": 0.6,
}

TEXT = '''
def rg_sinf(x):
    return libm_sin(x)

def rg_cosf(x):
    return libm_cos(x)

def rg_tanf(x):
    return libm_tan(x)

def rg_expf(x):
    """2**n e**r with |r| <= log(2)/2; the power in two halves, so that subnormals round once."""
    b = select(x > 89.0, 89.0, x)
    a = select(b < -105.0, -105.0, b)
    n = rint(a * 1.4426950216293335)
    r = fma(n, 1.9046542121259336e-09, fma(n, -0.6931471824645996, a))
    q = poly(r, 0.5, 0.1666666567325592, 0.041666269302368164, 0.008333430625498295,
             0.0013946077087894082, 0.00019826478091999888)
    p = 1.0 + fma(r * r, q, r)
    h = floor(0.5 * n)
    return p * pow2(h) * pow2(n - h)

def rg_expm1f(x):
    """2**n (e**r - 1) + (2**n - 1), in halves so that 2**128 is not met."""
    b = select(x > 89.0, 89.0, x)
    a = select(b < -18.0, -18.0, b)
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

def rg_exp2f(x):
    """As ``rg_expf``."""
    b = select(x > 200.0, 200.0, x)
    a = select(b < -200.0, -200.0, b)
    n = rint(a)
    r = (a - n) * 0.6931471824645996
    q = poly(r, 0.5, 0.1666666567325592, 0.041666269302368164, 0.008333430625498295,
             0.0013946077087894082, 0.00019826478091999888)
    p = 1.0 + fma(r * r, q, r)
    h = floor(0.5 * n)
    return p * pow2(h) * pow2(n - h)

def rg_erff(x):
    """An odd polynomial near zero, 1 - e**q elsewhere, q a polynomial for log(erfc(|x|))."""
    a = fabs(x)
    near = a < 0.84
    b = select(near, a, 0.0)
    p = poly(b * b, 0.12837916612625122, -0.37612637877464294, 0.11283749341964722,
             -0.026862600818276405, 0.005209613125771284, -0.0008248131489381194,
             8.85386616573669e-05)
    c = select(a > 4.0, 4.0, a)
    q = poly(c, 0.00015524258196819574, -1.1294212341308594, -0.6335362792015076,
             -0.1080726608633995, 0.02498640865087509, -0.0041211615316569805,
             0.00042432770715095103, -2.023569686571136e-05)
    return copysign(select(near, fma(b, p, b), 1.0 - rg_expf(q)), x)

def rg_pow_short(x, y):
    """In ``float64``, with as many digits as ``float32`` needs; x is zero or far from subnormal."""
    a = fabs(x)
    f = significand(a) - 1.0
    s = f / (2.0 + f)
    z = s * s
    p = poly(z, 0.6666666667607402, 0.39999995544790545, 0.28572116428633454,
             0.2217590756615809, 0.19587986437543534)
    h = 0.5 * f * f
    g = select(fabs(y) > 1e30, copysign(1e30, y), y)
    t = g * fma(f - (h - s * fma(z, p, h)), 1.4426950408889634, exponent(a))
    b = select(t > 1000.0, 1000.0, t)
    c = select(b < -1000.0, -1000.0, b)
    n = rint(c)
    r = (c - n) * 0.6931471805599453
    q = poly(r, 0.5000000000746212, 0.16666666787461842, 0.04166666304689603,
             0.008333281112477183, 0.001388937159977835, 0.0001990932066515838,
             2.463844273273145e-05)
    return rg_pow_of(x, y, (1.0 + fma(r * r, q, r)) * pow2(n))

def rg_powf(x, y):
    return narrow(rg_pow_short(wide(x), wide(y)))

def rg_sin_short(r):
    """sin(r) for |r| <= pi/4, with as many digits as ``float32`` needs."""
    z = r * r
    q = poly(z, -0.16666666640750966, 0.0083333293055467, -0.00019839312769719732,
             2.718124078048703e-06)
    return fma(r * z, q, r)

def rg_cos_short(r):
    """cos(r) for |r| <= pi/4, with as many digits as ``float32`` needs."""
    z = r * r
    q = poly(z, 0.041666646114238745, -0.001388733531667255, 2.443512502999684e-05)
    return fma(z * z, q, fma(-0.5, z, 1.0))

def rg_quarters(x, on):
    """sin of x and ``on`` quarter turns."""
    n = rg_turn(x)
    r = fma(n, -6.123233995736766e-17, fma(n, -1.5707963267948966, x))
    m = n + on
    half = floor(0.5 * m)
    y = select(m - 2.0 * half == 0.0, rg_sin_short(r), rg_cos_short(r))
    return select(half - 2.0 * floor(0.5 * half) == 0.0, y, -y)

def rg_sin_nearf(x):
    y = narrow(rg_quarters(wide(x), 0.0))
    return select(x == 0.0, x, y)

def rg_cos_nearf(x):
    return narrow(rg_quarters(wide(x), 1.0))

def rg_tan_short(x):
    n = rg_turn(x)
    r = fma(n, -6.123233995736766e-17, fma(n, -1.5707963267948966, x))
    s = rg_sin_short(r)
    c = rg_cos_short(r)
    even = n - 2.0 * floor(0.5 * n) == 0.0
    return select(even, s, -c) / select(even, c, s)

def rg_tan_nearf(x):
    y = narrow(rg_tan_short(wide(x)))
    return select(x == 0.0, x, y)
'''
