"""Trigonometric functions and their inverses for ``float64``; see `float64`."""

from __future__ import annotations

__all__ = ["BOUNDS", "RANGES", "TEXT"]

BOUNDS = {
    "rg_sin": 1.0,
    "rg_cos": 1.0,
    "rg_tan": 1.0,
    "rg_sin_near": 1.0,
    "rg_cos_near": 1.0,
    "rg_tan_near": 3.0,
    "rg_arctan": 2.0,
    "rg_arcsin": 1.0,
    "rg_arccos": 1.5,
    "rg_arctan2": 2.5,
}

# The largest argument; beyond it, and there only, these give nan for a number.
RANGES = {"rg_sin_near": 1e8, "rg_cos_near": 1e8, "rg_tan_near": 1e8}

TEXT = '''
def rg_sin(x):
    return libm_sin(x)

def rg_cos(x):
    return libm_cos(x)

def rg_tan(x):
    return libm_tan(x)

def rg_turn(x):
    """The number of quarter turns in x, nan beyond the range."""
    return select(fabs(x) <= 1e8, rint(x * 0.6366197723675814), nan)

def rg_turned(x, n):
    """x - n pi/2: the first step is exact, and so is the product of the second."""
    return fma(n, -1.5707963267948966, x) - n * 6.123233932053594e-17

def rg_turned_low(x, n, r):
    """What ``rg_turned`` has lost."""
    a = fma(n, -1.5707963267948966, x)
    b = n * 6.123233932053594e-17
    c = r - a
    lost = (a - (r - c)) - (b + c)
    return fma(n, -2.316557725048044e-41, fma(n, -6.36831716351095e-25, lost))

def rg_sin_small(r, low):
    """sin(r + low) for |r| <= pi/4."""
    z = r * r
    q = poly(z, -0.1666666666666663, 0.008333333333322106, -0.0001984126982958937,
             2.7557313621914733e-06, -2.5050747749456872e-08, 1.5896218610172602e-10)
    return r + fma(r * z, q, fma(-0.5 * z, low, low))

def rg_cos_small(r, low):
    """cos(r + low) for |r| <= pi/4."""
    z = r * r
    q = poly(z, 0.041666666666666595, -0.0013888888888873466, 2.480158728910736e-05,
             -2.7557314251505087e-07, 2.0875710329870893e-09, -1.1359008269180822e-11)
    one = fma(-0.5, z, 1.0)
    return one + (fma(-0.5, z, 1.0 - one) + fma(z * z, q, -(r * low)))

def rg_sin_near(x):
    """By the quarter turn: sin or cos, and the sign."""
    n = rg_turn(x)
    r = rg_turned(x, n)
    low = rg_turned_low(x, n, r)
    half = floor(0.5 * n)
    y = select(n - 2.0 * half == 0.0, rg_sin_small(r, low), rg_cos_small(r, low))
    turned = select(half - 2.0 * floor(0.5 * half) == 0.0, y, -y)
    return select(fabs(x) < 1e-09, x, turned)

def rg_cos_near(x):
    """As ``rg_sin_near``, a quarter turn on."""
    n = rg_turn(x)
    r = rg_turned(x, n)
    low = rg_turned_low(x, n, r)
    on = n + 1.0
    half = floor(0.5 * on)
    y = select(on - 2.0 * half == 0.0, rg_sin_small(r, low), rg_cos_small(r, low))
    return select(half - 2.0 * floor(0.5 * half) == 0.0, y, -y)

def rg_tan_near(x):
    """The quotient of sin and cos, or its negative inverse."""
    n = rg_turn(x)
    r = rg_turned(x, n)
    low = rg_turned_low(x, n, r)
    s = rg_sin_small(r, low)
    c = rg_cos_small(r, low)
    even = n - 2.0 * floor(0.5 * n) == 0.0
    y = select(even, s, -c) / select(even, c, s)
    return select(fabs(x) < 1e-09, x, y)

def rg_arctan_of(x, y):
    """arctan(y / x) for x, y >= 0, not both zero or infinite: near 0, 1 or infinity."""
    p = select(y > 2.414213562373095 * x, 0.0, 1.0)
    q = select(y > 0.41421356237309503 * x, 1.0, 0.0)
    t = (p * y - q * x) / (q * y + p * x)
    z = t * t
    r = poly(z, -0.33333333333333187, 0.1999999999995177, -0.14285714280039408,
             0.11111110776520114, -0.09090897578313546, 0.07692057310098643,
             -0.0666307371555573, 0.05847685052202541, -0.050384480350351285,
             0.03804420562094305, -0.017886282207915417)
    k = q + (1.0 - p)
    return fma(k, 0.7853981633974483, t + fma(t * z, r, k * 3.061616997868383e-17))

def rg_arctan(x):
    """By the angle of (1, |x|)."""
    a = fabs(x)
    b = select(a > 1e300, 1e300, a)
    return copysign(rg_arctan_of(1.0, b), x)

def rg_arctan2(y, x):
    """The angle of (|x|, |y|), which is turned into its quadrant; zeros and infinities as in C."""
    a = fabs(x)
    b = fabs(y)
    larger = select(a > b, a, b)
    scale = select(larger > 1e300, 9.332636185032189e-302, select(larger < 1e-290, 1.0715086071862673e+301, 1.0))
    u = select(a == inf, 1.0, select(b == inf, 0.0, select(larger == 0.0, 1.0, a * scale)))
    v = select(b == inf, 1.0, select(a == inf, 0.0, b * scale))
    angle = rg_arctan_of(u, v)
    turned = select(copysign(1.0, x) < 0.0, 3.141592653589793 - (angle - 1.2246467991473532e-16), angle)
    return copysign(select(x != x, x, select(y != y, y, turned)), y)

def rg_arcsin_of(z, s):
    """arcsin(s) - s for z = s**2 <= 1/4."""
    q = poly(z, 0.1666666666666676, 0.07499999999970997, 0.04464285717430074,
             0.030381942726351436, 0.02237221439686639, 0.017351623457583357,
             0.013980676388246932, 0.011400132004304689, 0.010773256451690326,
             0.0037332587328423017, 0.021641408484405354, -0.020904939185592837,
             0.03256950285085093)
    return s * z * q

def rg_root_low(z, s):
    """sqrt(z) - high(s) for s = sqrt(z) rounded."""
    h = high(s)
    return fma(-h, h, z) / (s + h + 1e-300)

def rg_arcsin(x):
    """A polynomial below 1/2; above, pi/4 - high(s) is exact for s, the sine of the half angle."""
    a = fabs(x)
    near = a < 0.5
    z = select(near, a * a, 0.5 - 0.5 * a)
    s = select(near, a, sqrt(z))
    rest = rg_arcsin_of(z, s)
    p = 2.0 * (rest + rg_root_low(z, s)) - 6.123233995736766e-17
    far = 0.7853981633974483 - (p - (0.7853981633974483 - 2.0 * high(s)))
    return copysign(select(near, s + rest, far), x)

def rg_arccos(x):
    """As ``rg_arcsin``."""
    a = fabs(x)
    near = a < 0.5
    z = select(near, a * a, 0.5 - 0.5 * a)
    s = select(near, x, sqrt(z))
    rest = rg_arcsin_of(z, s)
    middle = 1.5707963267948966 - (s - (6.123233995736766e-17 - rest))
    twice = 2.0 * (high(s) + (rest + rg_root_low(z, s)))
    left = 3.141592653589793 - (2.0 * (s + rest) - 1.2246467991473532e-16)
    return select(near, middle, select(x < 0.0, left, twice))
'''
