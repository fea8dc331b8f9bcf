"""The functions of complex numbers, as C: products and quotients as NumPy computes them."""

from __future__ import annotations

__all__ = ["COMPLEX"]

COMPLEX = r"""
#undef I
static inline double complex rg_complex(double a, double b)
{
    double complex z;
    __real__ z = a;
    __imag__ z = b;
    return z;
}
static inline double rg_real_c16(double complex z) { return __real__ z; }
static inline double rg_imag_c16(double complex z) { return __imag__ z; }
static inline double complex rg_conjugate_c16(double complex z) { return rg_complex(__real__ z, -__imag__ z); }
static inline double complex rg_multiply_c16(double complex a, double complex b)
{
    double p = __real__ a, q = __imag__ a, r = __real__ b, s = __imag__ b;
    return rg_complex(p * r - q * s, p * s + q * r);
}
static inline double complex rg_divide_c16(double complex a, double complex b)
{
    double p = __real__ a, q = __imag__ a, r = __real__ b, s = __imag__ b;
    if (fabs(r) >= fabs(s)) {
        if (r == 0 && s == 0) return rg_complex(p / fabs(r), q / fabs(r));
        double ratio = s / r, scale = 1.0 / (r + s * ratio);
        return rg_complex((p + q * ratio) * scale, (q - p * ratio) * scale);
    }
    double ratio = r / s, scale = 1.0 / (s + r * ratio);
    return rg_complex((p * ratio + q) * scale, (q * ratio - p) * scale);
}
static double complex rg_power_c16(double complex a, double complex b)
{
    double e = __real__ b;
    if (e == 0 && __imag__ b == 0) return rg_complex(1, 0);
    if (__real__ a == 0 && __imag__ a == 0) return e > 0 ? rg_complex(0, 0) : rg_complex(NAN, NAN);
    if (__imag__ b == 0 && e == (double)(int)e && fabs(e) < 100) {
        double complex result = rg_complex(1, 0);
        for (int n = abs((int)e); n; n >>= 1) {
            if (n & 1) result = rg_multiply_c16(result, a);
            a = rg_multiply_c16(a, a);
        }
        return e < 0 ? rg_divide_c16(rg_complex(1, 0), result) : result;
    }
    return cpow(a, b);
}
static inline double complex rg_square_c16(double complex z) { return rg_multiply_c16(z, z); }
static inline double rg_absolute_c16(double complex z) { return hypot(__real__ z, __imag__ z); }
static inline double complex rg_sign_c16(double complex z)
{
    double size = hypot(__real__ z, __imag__ z);
    if (size != size) return rg_complex(NAN, NAN);
    if (size == (double)INFINITY) {
        double p = fabs(__real__ z) == size, q = fabs(__imag__ z) == size;
        if (p && q) return rg_complex(NAN, NAN);
        return rg_complex(p ? copysign(1, __real__ z) : 0, q ? copysign(1, __imag__ z) : 0);
    }
    return size == 0 ? rg_complex(0, 0) : rg_complex(__real__ z / size, __imag__ z / size);
}
static inline double complex rg_exp_c16(double complex z)
{
    double p = __real__ z, q = __imag__ z;
    if (p == 0 && isfinite(q)) return rg_complex(cos(q), sin(q));
    return cexp(z);
}
static inline double complex rg_log_c16(double complex z) { return clog(z); }
static inline double complex rg_sqrt_c16(double complex z) { return csqrt(z); }
static inline double complex rg_sin_c16(double complex z) { return csin(z); }
static inline double complex rg_cos_c16(double complex z) { return ccos(z); }
static inline double complex rg_sinh_c16(double complex z) { return csinh(z); }
static inline double complex rg_cosh_c16(double complex z) { return ccosh(z); }
static inline double complex rg_tanh_c16(double complex z) { return ctanh(z); }

"""
