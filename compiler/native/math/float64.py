"""Elementary functions for ``float64`` as straight lines of arithmetic: the source of C and numba.

The text is Python without control flow: every name is assigned once, a choice is ``select``, and
what else is called is another function of the text or a primitive of `source`.  The
polynomials are least-squares fits to the relative error at Chebyshev points, in 240 bits; the
reductions and the correction terms are the classical ones (Cody and Waite, fdlibm).
"""

from __future__ import annotations

__all__ = ["BOUNDS", "TEXT"]

BOUNDS = {
    "rg_exp": 1.2,
    "rg_expm1": 2.2,
    "rg_exp2": 1.2,
    "rg_log": 1.0,
    "rg_log1p": 1.0,
    "rg_log2": 1.0,
    "rg_log10": 1.0,
    "rg_tanh": 3.0,
    "rg_sinh": 2.0,
    "rg_cosh": 2.0,
    "rg_arcsinh": 2.5,
    "rg_arccosh": 3.0,
    "rg_arctanh": 3.0,
    "rg_sigmoid": 2.5,
    "rg_logaddexp": 2.5,
    "rg_erf": 2.0,
    "rg_erfc": 6.0,
    "rg_pow": 1.5,
    "rg_cbrt": 0.7,
    "rg_hypot": 1.2,
}

TEXT = '''
def rg_exp(x):
    """2**n e**r with |r| <= log(2)/2; the power in two halves, so that subnormals round once."""
    b = select(x > 710.0, 710.0, x)
    a = select(b < -746.0, -746.0, b)
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
    b = select(x > 710.0, 710.0, x)
    a = select(b < -40.0, -40.0, b)
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

def rg_exp2(x):
    """As ``rg_exp``."""
    b = select(x > 1100.0, 1100.0, x)
    a = select(b < -1100.0, -1100.0, b)
    n = rint(a)
    r = (a - n) * 0.6931471805599453
    q = poly(r, 0.5, 0.16666666666666685, 0.04166666666666578, 0.008333333333316663,
             0.0013888888889219606, 0.00019841269897167673, 2.4801586770257432e-05,
             2.755723417054235e-06, 2.7557691206911387e-07, 2.5112254608742596e-08,
             2.0797714653267934e-09)
    p = 1.0 + fma(r * r, q, r)
    h = floor(0.5 * n)
    return p * pow2(h) * pow2(n - h)

def rg_exp_times(x, low, factor):
    """factor e**(x + low): the factor before the power of two, so that nothing overflows early."""
    b = select(x > 712.0, 712.0, x)
    a = select(b < -780.0, -780.0, b)
    n = rint(a * 1.4426950408889634)
    r = fma(n, -1.9082149292705877e-10, fma(n, -0.6931471803691238, a)) + low
    q = poly(r, 0.5, 0.16666666666666685, 0.04166666666666578, 0.008333333333316663,
             0.0013888888889219606, 0.00019841269897167673, 2.4801586770257432e-05,
             2.755723417054235e-06, 2.7557691206911387e-07, 2.5112254608742596e-08,
             2.0797714653267934e-09)
    p = 1.0 + fma(r * r, q, r)
    h = floor(0.5 * n)
    return factor * p * pow2(h) * pow2(n - h)

def rg_cosh(x):
    """e**|x|/2 + e**-|x|/2, the second from the first."""
    t = rg_exp_times(fabs(x), 0.0, 0.5)
    return t + 0.25 / t

def rg_sinh(x):
    """An odd polynomial below 1, the two exponentials above."""
    a = fabs(x)
    near = a < 1.0
    z = select(near, x * x, 0.0)
    q = poly(z, 0.16666666666666669, 0.008333333333333135, 0.00019841269841439825,
             2.7557319154765e-06, 2.5052123477716892e-08, 1.6057234854769625e-10,
             7.759462749433681e-13)
    t = rg_exp_times(a, 0.0, 0.5)
    return copysign(select(near, fma(a * z, q, a), t - 0.25 / t), x)

def rg_log_ratio(x):
    """log(x) = e log(2) + f - (h - s (h + q)): only h - s (h + q), for x > 0 normal."""
    f = significand(x) - 1.0
    s = f / (2.0 + f)
    z = s * s
    p = poly(z, 0.6666666666666666, 0.40000000000006397, 0.2857142856904679,
             0.22222222651873758, 0.1818177530276049, 0.15387105267027612,
             0.1324981355531845, 0.13253941485740278)
    h = 0.5 * f * f
    return s * fma(z, p, h)

def rg_log2(x):
    """As ``rg_log``, the logarithm of the significand times log2(e) in two parts."""
    small = x < 2.2250738585072014e-308
    b = select(small, x * 18014398509481984.0, x)
    e = exponent(b) - select(small, 54.0, 0.0)
    f = significand(b) - 1.0
    h = 0.5 * f * f
    upper = high(f - h)
    lower = (f - upper) - h + rg_log_ratio(b)
    v = fma(upper + lower, 1.9259629911266175e-08, lower * 1.4426950216293335)
    w = upper * 1.4426950216293335
    y = e + w
    y_low = (e - y) + w
    r = y + (y_low + v)
    return select(x > 0.0, select(x < inf, r, x), select(x == 0.0, -inf, nan))

def rg_log10(x):
    """As ``rg_log2``."""
    small = x < 2.2250738585072014e-308
    b = select(small, x * 18014398509481984.0, x)
    e = exponent(b) - select(small, 54.0, 0.0)
    f = significand(b) - 1.0
    h = 0.5 * f * f
    upper = high(f - h)
    lower = (f - upper) - h + rg_log_ratio(b)
    v = fma(e, 5.801722962879576e-10, fma(upper + lower, 4.798111141615973e-09, lower * 0.4342944771051407))
    w = upper * 0.4342944771051407
    t = e * 0.3010299950838089
    y = t + w
    y_low = (t - y) + w
    r = y + (y_low + v)
    return select(x > 0.0, select(x < inf, r, x), select(x == 0.0, -inf, nan))

def rg_logaddexp(x, y):
    """The larger one and log(1 + t), t = e**-|x - y|; the bound is one of the largest magnitude."""
    m = select(x > y, x, y)
    d = fabs(x - y)
    a = select(x == y, 0.0, select(d > 700.0, -700.0, -d))
    n = rint(a * 1.4426950408889634)
    r = fma(n, -1.9082149292705877e-10, fma(n, -0.6931471803691238, a))
    q = poly(r, 0.5, 0.16666666666666685, 0.04166666666666578, 0.008333333333316663,
             0.0013888888889219606, 0.00019841269897167673, 2.4801586770257432e-05,
             2.755723417054235e-06, 2.7557691206911387e-07, 2.5112254608742596e-08,
             2.0797714653267934e-09)
    t = select(d > 700.0, 0.0, (1.0 + fma(r * r, q, r)) * pow2(n))
    s = t / (2.0 + t)
    z = s * s
    p = poly(z, 0.666666666666663, 0.4000000000015799, 0.2857142854783396, 0.22222223968122323,
             0.1818174404750957, 0.15386556348837152, 0.1330102942685409, 0.12105593898521366,
             0.08342413409623695, 0.1701407312718496)
    h = 0.5 * t * t
    return m + (t - (h - s * fma(z, p, h)))

def rg_arcsinh(x):
    """log(a + sqrt(a**2 + 1)), without cancellation near zero and without overflow."""
    a = fabs(x)
    far = a > 1e9
    b = select(far, 1.0, a)
    c = b * b
    u = select(far, a - 1.0, b + c / (1.0 + sqrt(1.0 + c)))
    return copysign(rg_log1p(u) + select(far, 0.6931471805599453, 0.0), x)

def rg_arccosh(x):
    """log(x + sqrt(x**2 - 1)), by t = x - 1."""
    far = x > 1e9
    t = x - 1.0
    b = select(far, 1.0, t)
    y = rg_log1p(select(far, t, b + sqrt(fma(b, b, 2.0 * b))))
    return select(x < 1.0, nan, y + select(far, 0.6931471805599453, 0.0))

def rg_arctanh(x):
    """log((1 + a) / (1 - a)) / 2."""
    a = fabs(x)
    return copysign(0.5 * rg_log1p(2.0 * a / (1.0 - a)), x)

def rg_erfc_of(a):
    """erfc of a >= 0: e**-a**2 times a polynomial in (a - 4)/(a + 4), over 1 + 2a."""
    b = select(a > 28.0, 28.0, a)
    d = 1.0 / ((b + 4.0) * (1.0 + 2.0 * b))
    u = (b - 4.0) * ((1.0 + 2.0 * b) * d)
    p = poly(u, 1.2329951186255526, -0.13962111684056253, 0.015379652102619566,
             0.06809705425469437, -0.10103906603629483, 0.09373283499829016,
             -0.06633036581241396, 0.037167515538418634, -0.016197734055770848,
             0.005031969969981832, -0.0007577733005095907, -0.00019925665352685295,
             0.00015062171950773378, -2.4399346284979327e-05, -1.122213970779632e-05,
             5.709992711993666e-06, 2.9401383264670595e-07, -8.257126933366395e-07,
             7.436528571019036e-08, 1.1018261124921888e-07, -1.7706006340361163e-08,
             -1.4069051541487237e-08, 1.7655147381100239e-09, 1.2270205541420264e-09)
    s = high(b)
    return rg_exp_times(-(s * s), (s - b) * (s + b), p * ((b + 4.0) * d))

def rg_erf_rest(x):
    """erf(x) / x - 1 for |x| < 0.85."""
    z = x * x
    q = poly(z, 0.1283791670955126, -0.3761263890318375, 0.11283791670954689,
             -0.026866170645018103, 0.005223977623926121, -0.0008548326903488595,
             0.00012055326956275517, -1.4925450716651628e-05, 1.6457686881322715e-06,
             -1.6300603025641326e-07, 1.4190207644963488e-08, -8.838775159786283e-10)
    return q

def rg_erfc(x):
    """1 - erf(x), to the last digits of its tail."""
    a = fabs(x)
    near = a < 0.5
    b = select(near, x, 0.0)
    y = rg_erfc_of(a)
    return select(near, 1.0 - fma(b, rg_erf_rest(b), b), select(x < 0.0, 2.0 - y, y))

def rg_erf(x):
    """An odd polynomial near zero, 1 - erfc(|x|) elsewhere."""
    a = fabs(x)
    near = a < 0.84
    b = select(near, a, 0.0)
    return copysign(select(near, fma(b, rg_erf_rest(b), b), 1.0 - rg_erfc_of(a)), x)

def rg_cbrt(x):
    """The root of the significand by Newton's rule for its inverse; the rest of e / 3 by a factor."""
    a = fabs(x)
    small = a < 2.2250738585072014e-308
    b = select(small, a * 18014398509481984.0, a)
    e = exponent(b) - select(small, 54.0, 0.0)
    k = rint(e * 0.3333333333333333)
    j = e - 3.0 * k
    m = significand(b)
    m_j = m * select(j > 0.5, 2.0, select(j < -0.5, 0.5, 1.0))
    p = poly(m, 1.8711688806435318, -1.8484987198510514, 1.5418124122182966,
             -0.6899658478702382, 0.12545588298730567)
    g = p * select(j > 0.5, 0.7937005259840998, select(j < -0.5, 1.2599210498948732, 1.0))
    h = fma(-m_j * g * g, g, 1.0)
    w = fma(g * h, fma(h, 0.2222222222222222, 0.3333333333333333), g)
    y = m_j * w * w
    s = y * y
    rest = fma(-s, y, m_j) - fma(y, y, -s) * y
    root = fma(rest * (w * w), 0.3333333333333333, y) * pow2(k)
    return select(a > 0.0, select(a < inf, copysign(root, x), x), x)

def rg_hypot(x, y):
    """The root of the squares, both divided by a power of two near the larger one."""
    a = fabs(x)
    b = fabs(y)
    larger = select(a > b, a, b)
    smaller = select(a > b, b, a)
    e = exponent(larger)
    n = select(e > 1000.0, 1000.0, select(e < -1000.0, -1000.0, e))
    u = larger * pow2(-n)
    v = smaller * pow2(-n)
    r = sqrt(fma(u, u, v * v)) * pow2(n)
    return select(a == inf, inf, select(b == inf, inf, r))

def rg_pow_of(x, y, usual):
    """x**y where |x|**y is ``usual`` if all is finite and x is not zero: signs and edges as in C."""
    a = fabs(x)
    edge = select(y < 0.0, select(a > 1.0, 0.0, inf), select(a > 1.0, inf, 0.0))
    size = select(a == 0.0, edge, select(a == inf, edge, usual))
    odd = select(floor(y) == y, y - 2.0 * floor(0.5 * y), 0.0)
    full = copysign(size, select(odd == 1.0, x, 1.0))
    root = select(x < 0.0, select(a == inf, full, nan), full)
    real = select(floor(y) == y, full, root)
    known = select(x != x, x, select(y != y, y, real))
    return select(x == 1.0, 1.0, select(y == 0.0, 1.0, known))

def rg_pow(x, y):
    """2**(y log2|x|), the logarithm in two parts of which the products are exact."""
    a = fabs(x)
    small = a < 2.2250738585072014e-308
    b = select(small, a * 18014398509481984.0, a)
    e = exponent(b) - select(small, 54.0, 0.0)
    m = significand(b)
    f = m - 1.0
    d = high(1.0 + m)
    d_low = m - (d - 1.0)
    v = 1.0 / (1.0 + m)
    s = f * v
    s_high = high(s)
    s_low = v * (fma(-s_high, d, f) - s_high * d_low)
    z = s * s
    p = poly(z, 0.6000000000000358, 0.42857142855065467, 0.3333333379328383,
             0.27272675478572167, 0.23080181859279558, 0.19884223409617552,
             0.19803317695462838)
    square = s_high * s_high
    r = fma(s_low, s_high + s, z * z * p)
    t = high(3.0 + square + r)
    t_low = r - ((t - 3.0) - square)
    u = s_high * t
    u_low = fma(s_low, t, t_low * s)
    w = high(u + u_low)
    w_low = u_low - (w - u)
    c = 0.9617966860532761 * w
    c_low = fma(7.872699542894897e-09, w, w_low * 0.9617966939259756)
    l = high(c + c_low + e)
    l_low = c_low - ((l - e) - c)
    y_in = select(fabs(y) > 1e21, copysign(1e21, y), y)
    y_high = high(y_in)
    g = y_high * l
    g_low = fma(y_in - y_high, l, y_in * l_low)
    total = g + g_low
    inside = fabs(total) < 1100.0
    n = select(inside, rint(total), select(total > 0.0, 1100.0, -1100.0))
    k = high(select(inside, (g - n) + g_low, 0.0))
    k_low = select(inside, g_low - (k - (g - n)), 0.0)
    i = k * 0.6931471675634384
    i_low = fma(k_low, 0.6931471805599453, k * 1.2996506893889889e-08)
    o = i + i_low
    o_low = i_low - (o - i)
    q = poly(o, 0.5, 0.16666666666666685, 0.04166666666666578, 0.008333333333316663,
             0.0013888888889219606, 0.00019841269897167673, 2.4801586770257432e-05,
             2.755723417054235e-06, 2.7557691206911387e-07, 2.5112254608742596e-08,
             2.0797714653267934e-09)
    one = 1.0 + o
    power = one + ((o - (one - 1.0)) + fma(o * o, q, o_low))
    half = floor(0.5 * n)
    usual = power * pow2(half) * pow2(n - half)
    return rg_pow_of(x, y, usual)
'''
