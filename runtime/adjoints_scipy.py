"""Adjoints of every operation, one function for each argument. Do not edit: `make rules` writes it.

``c`` is the cotangent of the result ``z`` (a sequence of them, where an operation has several
results); the other parameters are the operation's own.  A function takes what it reads and nothing
else, so its parameters are what must be kept; those in ``SHAPES`` are read for shape and dtype only.
"""

from __future__ import annotations

import math

import numpy as np
import scipy.special as special

from retrograd import runtime as rt

__all__ = ["ADJOINTS", "SHAPES"]


# --- scipy_special_bessel -------------------------------------------------------------


def j0_x(c, x):
    return np.conj(-special.j1(x)) * c


def j1_x(c, x):
    return np.conj((special.j0(x) - special.jv(2, x)) / 2) * c


def y0_x(c, x):
    return np.conj(-special.y1(x)) * c


def y1_x(c, x):
    return np.conj((special.y0(x) - special.yv(2, x)) / 2) * c


def jv_x(c, v, x):
    return rt.unbroadcast(
        np.conj((special.jv(v - 1, x) - special.jv(v + 1, x)) / 2) * c, x
    )


def yv_x(c, v, x):
    return rt.unbroadcast(
        np.conj((special.yv(v - 1, x) - special.yv(v + 1, x)) / 2) * c, x
    )


def yn_x(c, n, x):
    return rt.unbroadcast(
        np.conj((special.yn(n - 1, x) - special.yn(n + 1, x)) / 2) * c, x
    )


def jve_x(c, z, v, x):
    total = (
        rt.times_i(np.real(-(np.conj(z * rt.sign(np.imag(x))) * c)), x)
        + np.conj((special.jve(v - 1, x) - special.jve(v + 1, x)) / 2) * c
    )
    return rt.unbroadcast(total, x)


def yve_x(c, z, v, x):
    total = (
        rt.times_i(np.real(-(np.conj(z * rt.sign(np.imag(x))) * c)), x)
        + np.conj((special.yve(v - 1, x) - special.yve(v + 1, x)) / 2) * c
    )
    return rt.unbroadcast(total, x)


def hankel1_x(c, v, x):
    return rt.unbroadcast(
        np.conj((special.hankel1(v - 1, x) - special.hankel1(v + 1, x)) / 2) * c, x
    )


def hankel2_x(c, v, x):
    return rt.unbroadcast(
        np.conj((special.hankel2(v - 1, x) - special.hankel2(v + 1, x)) / 2) * c, x
    )


def hankel1e_x(c, z, v, x):
    return rt.unbroadcast(
        np.conj((special.hankel1e(v - 1, x) - special.hankel1e(v + 1, x)) / 2 - 1j * z)
        * c,
        x,
    )


def hankel2e_x(c, z, v, x):
    return rt.unbroadcast(
        np.conj((special.hankel2e(v - 1, x) - special.hankel2e(v + 1, x)) / 2 + 1j * z)
        * c,
        x,
    )


def i0_x(c, x):
    return np.conj(special.i1(x)) * c


def i1_x(c, x):
    return np.conj((special.i0(x) + special.iv(2, x)) / 2) * c


def i0e_x(c, z, x):
    return np.conj(special.i1e(x) - rt.sign(x) * z) * c


def i1e_x(c, z, x):
    return np.conj((special.i0e(x) + special.ive(2, x)) / 2 - rt.sign(x) * z) * c


def k0_x(c, x):
    return np.conj(-special.k1(x)) * c


def k1_x(c, x):
    return np.conj(-((special.k0(x) + special.kv(2, x)) / 2)) * c


def k0e_x(c, z, x):
    return np.conj(z - special.k1e(x)) * c


def k1e_x(c, z, x):
    return np.conj(z - (special.k0e(x) + special.kve(2, x)) / 2) * c


def kn_x(c, n, x):
    return rt.unbroadcast(
        np.conj(-((special.kn(n - 1, x) + special.kn(n + 1, x)) / 2)) * c, x
    )


def iv_v(c, v, x):
    return rt.unbroadcast(np.conj(np.exp(x) * rt.ive_partial(1, v, x)) * c, v)


def iv_x(c, v, x):
    return rt.unbroadcast(
        np.conj((special.iv(v - 1, x) + special.iv(v + 1, x)) / 2) * c, x
    )


def ive_v(c, v, x):
    return rt.unbroadcast(np.conj(rt.ive_partial(1, v, x)) * c, v)


def ive_x(c, z, v, x):
    total = (
        np.real(-(np.conj(z * rt.sign(np.real(x))) * c))
        + np.conj((special.ive(v - 1, x) + special.ive(v + 1, x)) / 2) * c
    )
    return rt.unbroadcast(total, x)


def kv_v(c, v, x):
    return rt.unbroadcast(np.conj(np.exp(-x) * rt.kve_partial(1, v, x)) * c, v)


def kv_x(c, v, x):
    return rt.unbroadcast(
        np.conj(-((special.kv(v - 1, x) + special.kv(v + 1, x)) / 2)) * c, x
    )


def kve_v(c, v, x):
    return rt.unbroadcast(np.conj(rt.kve_partial(1, v, x)) * c, v)


def kve_x(c, z, v, x):
    return rt.unbroadcast(
        np.conj(z - (special.kve(v - 1, x) + special.kve(v + 1, x)) / 2) * c, x
    )


def ive_partial_v(c, n, v, x):
    return rt.unbroadcast(np.conj(rt.ive_partial(n + 1, v, x)) * c, v)


def ive_partial_x(c, z, n, v, x):
    x_bar = rt.unbroadcast(
        np.conj((rt.ive_partial(n, v - 1, x) + rt.ive_partial(n, v + 1, x)) / 2 - z)
        * c,
        x,
    )
    return x_bar


def kve_partial_v(c, n, v, x):
    return rt.unbroadcast(np.conj(rt.kve_partial(n + 1, v, x)) * c, v)


def kve_partial_x(c, z, n, v, x):
    x_bar = rt.unbroadcast(
        np.conj(z - (rt.kve_partial(n, v - 1, x) + rt.kve_partial(n, v + 1, x)) / 2)
        * c,
        x,
    )
    return x_bar


def jvp_x(c, v, x, n):
    return rt.unbroadcast(np.conj(special.jvp(v, x, n + 1)) * c, x)


def yvp_x(c, v, x, n):
    return rt.unbroadcast(np.conj(special.yvp(v, x, n + 1)) * c, x)


def ivp_x(c, v, x, n):
    return rt.unbroadcast(np.conj(special.ivp(v, x, n + 1)) * c, x)


def kvp_x(c, v, x, n):
    return rt.unbroadcast(np.conj(special.kvp(v, x, n + 1)) * c, x)


def h1vp_x(c, v, x, n):
    return rt.unbroadcast(np.conj(special.h1vp(v, x, n + 1)) * c, x)


def h2vp_x(c, v, x, n):
    return rt.unbroadcast(np.conj(special.h2vp(v, x, n + 1)) * c, x)


def spherical_jn_x(c, n, x, derivative):
    return rt.unbroadcast(
        np.conj(rt.spherical_partial("jn", 1 + derivative, n, x)) * c, x
    )


def spherical_yn_x(c, n, x, derivative):
    return rt.unbroadcast(
        np.conj(rt.spherical_partial("yn", 1 + derivative, n, x)) * c, x
    )


def spherical_in_x(c, n, x, derivative):
    return rt.unbroadcast(
        np.conj(rt.spherical_partial("in", 1 + derivative, n, x)) * c, x
    )


def spherical_kn_x(c, n, x, derivative):
    return rt.unbroadcast(
        np.conj(rt.spherical_partial("kn", 1 + derivative, n, x)) * c, x
    )


def spherical_partial_x(c, kind, m, n, x):
    return rt.unbroadcast(np.conj(rt.spherical_partial(kind, m + 1, n, x)) * c, x)


def airy_x(c, z, x):
    total = np.conj(x * z[2]) * c[3] + np.conj(z[3]) * c[2] + np.conj(x * z[0]) * c[1]
    return total + np.conj(z[1]) * c[0]


def struve_x(c, v, x):
    total = (
        special.struve(v - 1, x)
        - special.struve(v + 1, x)
        + (x / 2) ** v / (np.sqrt(np.pi) * special.gamma(v + 1.5))
    )
    return rt.unbroadcast(np.conj(total / 2) * c, x)


def modstruve_x(c, v, x):
    total = (
        special.modstruve(v - 1, x)
        + special.modstruve(v + 1, x)
        + (x / 2) ** v / (np.sqrt(np.pi) * special.gamma(v + 1.5))
    )
    return rt.unbroadcast(np.conj(total / 2) * c, x)


def ber_x(c, x):
    return np.conj(special.berp(x)) * c


def bei_x(c, x):
    return np.conj(special.beip(x)) * c


def ker_x(c, x):
    return np.conj(special.kerp(x)) * c


def kei_x(c, x):
    return np.conj(special.keip(x)) * c


def berp_x(c, z, x):
    return np.conj(-(special.bei(x) + z / x)) * c


def beip_x(c, z, x):
    return np.conj(special.ber(x) - z / x) * c


def kerp_x(c, z, x):
    return np.conj(-(special.kei(x) + z / x)) * c


def keip_x(c, z, x):
    return np.conj(special.ker(x) - z / x) * c


# --- scipy_special_cdf ----------------------------------------------------------------


def gammainc_partial_a(c, i, j, a, x):
    return rt.unbroadcast(rt.gammainc_partial(i + 1, j, a, x) * c, a)


def gammainc_partial_x(c, i, j, a, x):
    return rt.unbroadcast(rt.gammainc_partial(i, j + 1, a, x) * c, x)


def betainc_partial_a(c, i, j, k, a, b, x):
    return rt.unbroadcast(rt.betainc_partial(i + 1, j, k, a, b, x) * c, a)


def betainc_partial_b(c, i, j, k, a, b, x):
    return rt.unbroadcast(rt.betainc_partial(i, j + 1, k, a, b, x) * c, b)


def betainc_partial_x(c, i, j, k, a, b, x):
    return rt.unbroadcast(rt.betainc_partial(i, j, k + 1, a, b, x) * c, x)


def stdtr_partial_df(c, i, j, df, t):
    return rt.unbroadcast(rt.stdtr_partial(i + 1, j, df, t) * c, df)


def stdtr_partial_t(c, i, j, df, t):
    return rt.unbroadcast(rt.stdtr_partial(i, j + 1, df, t) * c, t)


def gammainc_a(c, a, x):
    return rt.unbroadcast(rt.gammainc_partial(1, 0, a, x) * c, a)


def gammainc_x(c, a, x):
    return rt.unbroadcast(rt.gammainc_partial(0, 1, a, x) * c, x)


def gammaincc_a(c, a, x):
    return rt.unbroadcast(-(rt.gammainc_partial(1, 0, a, x) * c), a)


def gammaincc_x(c, a, x):
    return rt.unbroadcast(-(rt.gammainc_partial(0, 1, a, x) * c), x)


def gammaincinv_a(c, z, a):
    return rt.unbroadcast(
        -(rt.gammainc_partial(1, 0, a, z) * (c / rt.gammainc_partial(0, 1, a, z))), a
    )


def gammaincinv_y(c, z, a, y):
    return rt.unbroadcast(c / rt.gammainc_partial(0, 1, a, z), y)


def gammainccinv_a(c, z, a):
    return rt.unbroadcast(
        -(rt.gammainc_partial(1, 0, a, z) * (c / rt.gammainc_partial(0, 1, a, z))), a
    )


def gammainccinv_y(c, z, a, y):
    return rt.unbroadcast(-(c / rt.gammainc_partial(0, 1, a, z)), y)


def betainc_a(c, a, b, x):
    return rt.unbroadcast(rt.betainc_partial(1, 0, 0, a, b, x) * c, a)


def betainc_b(c, a, b, x):
    return rt.unbroadcast(rt.betainc_partial(0, 1, 0, a, b, x) * c, b)


def betainc_x(c, a, b, x):
    return rt.unbroadcast(rt.betainc_partial(0, 0, 1, a, b, x) * c, x)


def betaincc_a(c, a, b, x):
    return rt.unbroadcast(-(rt.betainc_partial(1, 0, 0, a, b, x) * c), a)


def betaincc_b(c, a, b, x):
    return rt.unbroadcast(-(rt.betainc_partial(0, 1, 0, a, b, x) * c), b)


def betaincc_x(c, a, b, x):
    return rt.unbroadcast(-(rt.betainc_partial(0, 0, 1, a, b, x) * c), x)


def betaincinv_a(c, z, a, b):
    return rt.unbroadcast(
        -(
            rt.betainc_partial(1, 0, 0, a, b, z)
            * (c / rt.betainc_partial(0, 0, 1, a, b, z))
        ),
        a,
    )


def betaincinv_b(c, z, a, b):
    return rt.unbroadcast(
        -(
            rt.betainc_partial(0, 1, 0, a, b, z)
            * (c / rt.betainc_partial(0, 0, 1, a, b, z))
        ),
        b,
    )


def betaincinv_y(c, z, a, b, y):
    return rt.unbroadcast(c / rt.betainc_partial(0, 0, 1, a, b, z), y)


def betainccinv_a(c, z, a, b):
    return rt.unbroadcast(
        -(
            rt.betainc_partial(1, 0, 0, a, b, z)
            * (c / rt.betainc_partial(0, 0, 1, a, b, z))
        ),
        a,
    )


def betainccinv_b(c, z, a, b):
    return rt.unbroadcast(
        -(
            rt.betainc_partial(0, 1, 0, a, b, z)
            * (c / rt.betainc_partial(0, 0, 1, a, b, z))
        ),
        b,
    )


def betainccinv_y(c, z, a, b, y):
    return rt.unbroadcast(-(c / rt.betainc_partial(0, 0, 1, a, b, z)), y)


def btdtria_p(c, z, p, b, x):
    return rt.unbroadcast(c / rt.betainc_partial(1, 0, 0, z, b, x), p)


def btdtria_b(c, z, b, x):
    return rt.unbroadcast(
        -(
            rt.betainc_partial(0, 1, 0, z, b, x)
            * (c / rt.betainc_partial(1, 0, 0, z, b, x))
        ),
        b,
    )


def btdtria_x(c, z, b, x):
    return rt.unbroadcast(
        -(
            rt.betainc_partial(0, 0, 1, z, b, x)
            * (c / rt.betainc_partial(1, 0, 0, z, b, x))
        ),
        x,
    )


def btdtrib_a(c, z, a, x):
    return rt.unbroadcast(
        -(
            rt.betainc_partial(1, 0, 0, a, z, x)
            * (c / rt.betainc_partial(0, 1, 0, a, z, x))
        ),
        a,
    )


def btdtrib_p(c, z, a, p, x):
    return rt.unbroadcast(c / rt.betainc_partial(0, 1, 0, a, z, x), p)


def btdtrib_x(c, z, a, x):
    return rt.unbroadcast(
        -(
            rt.betainc_partial(0, 0, 1, a, z, x)
            * (c / rt.betainc_partial(0, 1, 0, a, z, x))
        ),
        x,
    )


def bdtr_p(c, k, n, p):
    quotient = k // 1
    return rt.unbroadcast(
        -(rt.betainc_partial(0, 0, 1, quotient + 1, n - quotient, p) * c), p
    )


def bdtrc_p(c, k, n, p):
    quotient = k // 1
    return rt.unbroadcast(
        rt.betainc_partial(0, 0, 1, quotient + 1, n - quotient, p) * c, p
    )


def bdtri_y(c, z, k, n, y):
    quotient = k // 1
    return rt.unbroadcast(
        -(c / rt.betainc_partial(0, 0, 1, quotient + 1, n - quotient, z)), y
    )


def nbdtr_p(c, k, n, p):
    return rt.unbroadcast(rt.betainc_partial(0, 0, 1, n, k // 1 + 1, p) * c, p)


def nbdtrc_p(c, k, n, p):
    return rt.unbroadcast(-(rt.betainc_partial(0, 0, 1, n, k // 1 + 1, p) * c), p)


def nbdtri_y(c, z, k, n, y):
    return rt.unbroadcast(c / rt.betainc_partial(0, 0, 1, n, k // 1 + 1, z), y)


def pdtr_m(c, k, m):
    return rt.unbroadcast(-(rt.gammainc_partial(0, 1, k // 1 + 1, m) * c), m)


def pdtrc_m(c, k, m):
    return rt.unbroadcast(rt.gammainc_partial(0, 1, k // 1 + 1, m) * c, m)


def pdtri_y(c, z, k, y):
    return rt.unbroadcast(-(c / rt.gammainc_partial(0, 1, k // 1 + 1, z)), y)


def chdtr_v(c, v, x):
    return rt.unbroadcast(rt.gammainc_partial(1, 0, v / 2, x / 2) / 2 * c, v)


def chdtr_x(c, v, x):
    return rt.unbroadcast(rt.gammainc_partial(0, 1, v / 2, x / 2) / 2 * c, x)


def chdtrc_v(c, v, x):
    return rt.unbroadcast(-(rt.gammainc_partial(1, 0, v / 2, x / 2) / 2 * c), v)


def chdtrc_x(c, v, x):
    return rt.unbroadcast(-(rt.gammainc_partial(0, 1, v / 2, x / 2) / 2 * c), x)


def chdtri_v(c, z, v):
    ratio = v / 2
    ratio_2 = z / 2
    return rt.unbroadcast(
        -(
            rt.gammainc_partial(1, 0, ratio, ratio_2)
            * (c / rt.gammainc_partial(0, 1, ratio, ratio_2))
        ),
        v,
    )


def chdtri_p(c, z, v, p):
    return rt.unbroadcast(-2 * (c / rt.gammainc_partial(0, 1, v / 2, z / 2)), p)


def chdtriv_p(c, z, p, x):
    return rt.unbroadcast(2 * (c / rt.gammainc_partial(1, 0, z / 2, x / 2)), p)


def chdtriv_x(c, z, x):
    ratio = z / 2
    ratio_2 = x / 2
    return rt.unbroadcast(
        -(
            rt.gammainc_partial(0, 1, ratio, ratio_2)
            * (c / rt.gammainc_partial(1, 0, ratio, ratio_2))
        ),
        x,
    )


def gdtr_a(c, a, b, x):
    return rt.unbroadcast(x * (rt.gammainc_partial(0, 1, b, a * x) * c), a)


def gdtr_b(c, a, b, x):
    return rt.unbroadcast(rt.gammainc_partial(1, 0, b, a * x) * c, b)


def gdtr_x(c, a, b, x):
    return rt.unbroadcast(a * (rt.gammainc_partial(0, 1, b, a * x) * c), x)


def gdtrc_a(c, a, b, x):
    return rt.unbroadcast(-(x * (rt.gammainc_partial(0, 1, b, a * x) * c)), a)


def gdtrc_b(c, a, b, x):
    return rt.unbroadcast(-(rt.gammainc_partial(1, 0, b, a * x) * c), b)


def gdtrc_x(c, a, b, x):
    return rt.unbroadcast(-(a * (rt.gammainc_partial(0, 1, b, a * x) * c)), x)


def gdtrix_a(c, z, a):
    return rt.unbroadcast(-(z * (c / a)), a)


def gdtrix_b(c, z, a, b):
    product = a * z
    return rt.unbroadcast(
        -(
            rt.gammainc_partial(1, 0, b, product)
            * (c / a / rt.gammainc_partial(0, 1, b, product))
        ),
        b,
    )


def gdtrix_p(c, z, a, b, p):
    return rt.unbroadcast(c / a / rt.gammainc_partial(0, 1, b, a * z), p)


def gdtria_p(c, z, p, b, x):
    return rt.unbroadcast(c / x / rt.gammainc_partial(0, 1, b, z * x), p)


def gdtria_b(c, z, b, x):
    product = z * x
    return rt.unbroadcast(
        -(
            rt.gammainc_partial(1, 0, b, product)
            * (c / x / rt.gammainc_partial(0, 1, b, product))
        ),
        b,
    )


def gdtria_x(c, z, x):
    return rt.unbroadcast(-(z * (c / x)), x)


def gdtrib_a(c, z, a, x):
    product = a * x
    return rt.unbroadcast(
        -(
            x
            * (
                rt.gammainc_partial(0, 1, z, product)
                * (c / rt.gammainc_partial(1, 0, z, product))
            )
        ),
        a,
    )


def gdtrib_p(c, z, a, p, x):
    return rt.unbroadcast(c / rt.gammainc_partial(1, 0, z, a * x), p)


def gdtrib_x(c, z, a, x):
    product = a * x
    return rt.unbroadcast(
        -(
            a
            * (
                rt.gammainc_partial(0, 1, z, product)
                * (c / rt.gammainc_partial(1, 0, z, product))
            )
        ),
        x,
    )


def fdtr_dfn(c, dfn, dfd, x):
    product = dfn * x
    total = product + dfd
    ratio = dfn / 2
    ratio_2 = dfd / 2
    ratio_3 = product / total
    product = (
        dfd
        * x
        * (rt.betainc_partial(0, 0, 1, ratio, ratio_2, ratio_3) / (total * total) * c)
    )
    return rt.unbroadcast(
        product + rt.betainc_partial(1, 0, 0, ratio, ratio_2, ratio_3) / 2 * c, dfn
    )


def fdtr_dfd(c, dfn, dfd, x):
    product = dfn * x
    total = product + dfd
    ratio = dfn / 2
    ratio_2 = dfd / 2
    ratio_3 = product / total
    difference = (
        rt.betainc_partial(0, 1, 0, ratio, ratio_2, ratio_3) / 2 * c
        - product
            * (
                rt.betainc_partial(0, 0, 1, ratio, ratio_2, ratio_3)
                / (total * total)
                * c
            )
    )
    return rt.unbroadcast(difference, dfd)


def fdtr_x(c, dfn, dfd, x):
    product = dfn * x
    total = product + dfd
    product = (
        dfd
        * dfn
        * (
            rt.betainc_partial(0, 0, 1, dfn / 2, dfd / 2, product / total)
            / (total * total)
            * c
        )
    )
    return rt.unbroadcast(product, x)


def fdtrc_dfn(c, dfn, dfd, x):
    product = dfn * x
    total = product + dfd
    ratio = dfn / 2
    ratio_2 = dfd / 2
    ratio_3 = product / total
    product = (
        dfd
        * x
        * (rt.betainc_partial(0, 0, 1, ratio, ratio_2, ratio_3) / (total * total) * c)
    )
    return rt.unbroadcast(
        -(product + rt.betainc_partial(1, 0, 0, ratio, ratio_2, ratio_3) / 2 * c), dfn
    )


def fdtrc_dfd(c, dfn, dfd, x):
    product = dfn * x
    total = product + dfd
    ratio = dfn / 2
    ratio_2 = dfd / 2
    ratio_3 = product / total
    difference = (
        product
        * (rt.betainc_partial(0, 0, 1, ratio, ratio_2, ratio_3) / (total * total) * c)
        - rt.betainc_partial(0, 1, 0, ratio, ratio_2, ratio_3) / 2 * c
    )
    return rt.unbroadcast(difference, dfd)


def fdtrc_x(c, dfn, dfd, x):
    product = dfn * x
    total = product + dfd
    product = (
        dfd
        * dfn
        * (
            rt.betainc_partial(0, 0, 1, dfn / 2, dfd / 2, product / total)
            / (total * total)
            * c
        )
    )
    return rt.unbroadcast(-product, x)


def fdtri_dfn(c, z, dfn, dfd):
    product = dfn * z
    total = product + dfd
    ratio = dfn / 2
    ratio_2 = dfd / 2
    ratio_3 = product / total
    ratio_4 = c / (
        rt.betainc_partial(0, 0, 1, ratio, ratio_2, ratio_3)
        * dfn
        * dfd
        / (total * total)
    )
    dfn_bar = rt.unbroadcast(
        -(
            z * c / dfn
            + rt.betainc_partial(1, 0, 0, ratio, ratio_2, ratio_3) / 2 * ratio_4
        ),
        dfn,
    )
    return dfn_bar


def fdtri_dfd(c, z, dfn, dfd):
    product = dfn * z
    total = product + dfd
    ratio = dfn / 2
    ratio_2 = dfd / 2
    ratio_3 = product / total
    ratio_4 = c / (
        rt.betainc_partial(0, 0, 1, ratio, ratio_2, ratio_3)
        * dfn
        * dfd
        / (total * total)
    )
    dfd_bar = rt.unbroadcast(
        z * c / dfd
        - rt.betainc_partial(0, 1, 0, ratio, ratio_2, ratio_3) / 2 * ratio_4,
        dfd,
    )
    return dfd_bar


def fdtri_p(c, z, dfn, dfd, p):
    product = dfn * z
    total = product + dfd
    ratio = (
        rt.betainc_partial(0, 0, 1, dfn / 2, dfd / 2, product / total)
        * dfn
        * dfd
        / (total * total)
    )
    return rt.unbroadcast(c / ratio, p)


def stdtr_df(c, df, t):
    return rt.unbroadcast(rt.stdtr_partial(1, 0, df, t) * c, df)


def stdtr_t(c, df, t):
    return rt.unbroadcast(rt.stdtr_partial(0, 1, df, t) * c, t)


def stdtrit_df(c, z, df):
    return rt.unbroadcast(
        -(rt.stdtr_partial(1, 0, df, z) * (c / rt.stdtr_partial(0, 1, df, z))), df
    )


def stdtrit_p(c, z, df, p):
    return rt.unbroadcast(c / rt.stdtr_partial(0, 1, df, z), p)


def stdtridf_p(c, z, p, t):
    return rt.unbroadcast(c / rt.stdtr_partial(1, 0, z, t), p)


def stdtridf_t(c, z, t):
    return rt.unbroadcast(
        -(rt.stdtr_partial(0, 1, z, t) * (c / rt.stdtr_partial(1, 0, z, t))), t
    )


def chndtr_x(c, x, df, nc):
    sqrt = np.sqrt(nc * x)
    product = (
        np.exp(sqrt - (x + nc) / 2)
        / 2
        * (x / nc) ** (df / 4 - 0.5)
        * special.ive(df / 2 - 1, sqrt)
    )
    return rt.unbroadcast(np.conj(product) * c, x)


def chndtr_nc(c, x, df, nc):
    sqrt = np.sqrt(nc * x)
    product = (
        np.exp(sqrt - (x + nc) / 2)
        / 2
        * (x / nc) ** (df / 4)
        * special.ive(df / 2, sqrt)
    )
    return rt.unbroadcast(-(np.conj(product) * c), nc)


# --- scipy_special_elementary ---------------------------------------------------------


def expm1_x(c, z):
    return np.conj(z + 1) * c


def log1p_x(c, x):
    return c / np.conj(1 + x)


def exp2_x(c, z):
    return z * math.log(2) * c


def exp10_x(c, z):
    return z * math.log(10) * c


def cbrt_x(c, z):
    return c / (3 * z * z)


def cosm1_x(c, x):
    return -(np.sin(x) * c)


def powm1_x(c, x, y):
    return rt.unbroadcast(np.conj(y * np.power(x, rt.one_less(y, x))) * c, x)


def powm1_y(c, z, x, y):
    return rt.unbroadcast(rt.times_log((z + 1) * c, x), y)


def sindg_x(c, x):
    return np.conj(math.pi / 180 * special.cosdg(x)) * c


def cosdg_x(c, x):
    return np.conj(-(math.pi / 180 * special.sindg(x))) * c


def tandg_x(c, z):
    return math.pi / 180 * (1 + z * z) * c


def cotdg_x(c, z):
    return -(math.pi / 180 * (1 + z * z) * c)


def exprel_x(c, x):
    return rt.exprel_partial(1, x) * c


def exprel_partial_x(c, n, x):
    return rt.unbroadcast(np.conj(rt.exprel_partial(n + 1, x)) * c, x)


def diric_x(c, x, n):
    return np.conj(rt.diric_partial(1, x, n)) * c


def diric_partial_x(c, m, x, n):
    return rt.unbroadcast(np.conj(rt.diric_partial(m + 1, x, n)) * c, x)


def expit_x(c, z):
    return z * (1 - z) * c


def logit_x(c, x):
    return c / (x * (1 - x))


def log_expit_x(c, x):
    return np.conj(special.expit(-x)) * c


def softplus_x(c, x):
    return np.conj(special.expit(x)) * c


def softmax_x(c, z, x, axis):
    conjugate_z = np.conj(z)
    product = conjugate_z * c
    return (
        product + conjugate_z * rt.unreduce(np.sum(-product, axis=axis), x, axis=axis)
    )


def log_softmax_x(c, z, x, axis):
    return c + np.conj(np.exp(z)) * rt.unreduce(np.sum(-c, axis=axis), x, axis=axis)


def logsumexp_a(c, z, a, axis, b, keepdims):
    a_bar = (
        np.conj(
            rt.one_if_none(b)
            * np.exp(a - rt.unreduce(z, a, axis=axis, keepdims=keepdims))
        )
        * rt.unreduce(c, a, axis=axis, keepdims=keepdims)
    )
    return a_bar


def logsumexp_b(c, z, a, axis, b, keepdims):
    exp = np.exp(a - rt.unreduce(z, a, axis=axis, keepdims=keepdims))
    return rt.unbroadcast(
        np.conj(exp) * rt.unreduce(c, exp, axis=axis, keepdims=keepdims), b
    )


def xlogy_x(c, x, y):
    return rt.unbroadcast(np.conj(np.log(np.where((x == 0) & (y == 0), 1, y))) * c, x)


def xlogy_y(c, x, y):
    return rt.unbroadcast(np.conj(rt.div0(x, y)) * c, y)


def xlog1py_x(c, x, y):
    return rt.unbroadcast(
        np.conj(np.log1p(np.where((x == 0) & (y == -1), 0, y))) * c, x
    )


def xlog1py_y(c, x, y):
    return rt.unbroadcast(np.conj(rt.div0(x, 1 + y)) * c, y)


def entr_x(c, x):
    return np.conj(-(np.log(x) + 1)) * c


def rel_entr_x(c, x, y):
    return rt.unbroadcast(np.conj(np.log(x / y) + 1) * c, x)


def rel_entr_y(c, x, y):
    return rt.unbroadcast(-(rt.div0(x, y) * c), y)


def kl_div_x(c, x, y):
    return rt.unbroadcast(np.conj(np.log(x / y)) * c, x)


def kl_div_y(c, x, y):
    return rt.unbroadcast((1 - rt.div0(x, y)) * c, y)


def huber_delta(c, delta, r):
    absolute_r = np.abs(r)
    return rt.unbroadcast(
        np.conj(np.where(absolute_r > delta, absolute_r - delta, 0)) * c, delta
    )


def huber_r(c, delta, r):
    return rt.unbroadcast(np.conj(np.clip(r, -delta, delta)) * c, r)


def pseudo_huber_delta(c, z, delta, r):
    delta_bar = rt.unbroadcast(
        (2 * z - r * (r / np.hypot(1, r / delta))) / delta * c, delta
    )
    return delta_bar


def pseudo_huber_r(c, delta, r):
    return rt.unbroadcast(r / np.hypot(1, r / delta) * c, r)


def boxcox_x(c, x, lmbda):
    return rt.unbroadcast(np.conj(x ** (lmbda - 1)) * c, x)


def boxcox_lmbda(c, x, lmbda):
    log_x = np.log(x)
    return rt.unbroadcast(
        np.conj(log_x * log_x * rt.exprel_partial(1, lmbda * log_x)) * c, lmbda
    )


def boxcox1p_x(c, x, lmbda):
    return rt.unbroadcast(np.conj((1 + x) ** (lmbda - 1)) * c, x)


def boxcox1p_lmbda(c, x, lmbda):
    log1p_x = np.log1p(x)
    return rt.unbroadcast(
        np.conj(log1p_x * log1p_x * rt.exprel_partial(1, lmbda * log1p_x)) * c, lmbda
    )


def inv_boxcox_y(c, z, y, lmbda):
    return rt.unbroadcast(np.conj(z ** (1 - lmbda)) * c, y)


def inv_boxcox_lmbda(c, z, lmbda):
    log_z = np.log(z)
    product = np.conj(log_z * log_z * rt.exprel_partial(1, lmbda * log_z)) * (
        np.conj(z ** (1 - lmbda)) * c
    )
    return rt.unbroadcast(-product, lmbda)


def inv_boxcox1p_y(c, z, y, lmbda):
    return rt.unbroadcast(np.conj((1 + z) ** (1 - lmbda)) * c, y)


def inv_boxcox1p_lmbda(c, z, lmbda):
    log1p_z = np.log1p(z)
    product = np.conj(log1p_z * log1p_z * rt.exprel_partial(1, lmbda * log1p_z)) * (
        np.conj((1 + z) ** (1 - lmbda)) * c
    )
    return rt.unbroadcast(-product, lmbda)


def tklmbda_x(c, z, x, lmbda):
    tklmbda_lmbda = special.tklmbda(-x, lmbda)
    and_ = (z > 0) & (tklmbda_lmbda > 0)
    difference = lmbda - 1
    where = np.where(
        and_,
        1
        / (
            np.where(and_, z, 0.5) ** difference
            + np.where(and_, tklmbda_lmbda, 0.5) ** difference
        ),
        0,
    )
    return rt.unbroadcast(np.conj(where) * c, x)


def tklmbda_lmbda(c, z, x, lmbda):
    tklmbda_lmbda = special.tklmbda(-x, lmbda)
    and_ = (z > 0) & (tklmbda_lmbda > 0)
    where_z = np.where(and_, z, 0.5)
    where = np.where(and_, tklmbda_lmbda, 0.5)
    log = np.log(where_z)
    log_2 = np.log(where)
    difference = (
        log * log * rt.exprel_partial(1, lmbda * log)
        - log_2 * log_2 * rt.exprel_partial(1, lmbda * log_2)
    )
    difference_2 = lmbda - 1
    product = np.conj(difference) * (
        np.conj(
            np.where(and_, 1 / (where_z ** difference_2 + where ** difference_2), 0)
        )
        * c
    )
    return rt.unbroadcast(-product, lmbda)


# --- scipy_special_elliptic -----------------------------------------------------------


def ellipk_m(c, m):
    return np.conj(special.elliprd(0, 1, 1 - m) / 6) * c


def ellipkm1_p(c, p):
    return np.conj(-(special.elliprd(0, 1, p) / 6)) * c


def ellipe_m(c, m):
    return np.conj(-(special.elliprd(0, 1 - m, 1) / 6)) * c


def ellipkinc_phi(c, phi, m):
    sin_phi = np.sin(phi)
    return rt.unbroadcast(c / np.conj(np.sqrt(1 - m * sin_phi * sin_phi)), phi)


def ellipkinc_m(c, phi, m):
    return rt.unbroadcast(rt.ellipkinc_moment(1, phi, m) / 2 * c, m)


def ellipeinc_phi(c, phi, m):
    sin_phi = np.sin(phi)
    return rt.unbroadcast(np.conj(np.sqrt(1 - m * sin_phi * sin_phi)) * c, phi)


def ellipeinc_m(c, phi, m):
    return rt.unbroadcast(-(rt.ellipeinc_moment(1, phi, m) / 2 * c), m)


def ellipkinc_moment_phi(c, k, phi, m):
    power = np.sin(phi) ** 2
    difference = 1 - m * power
    return rt.unbroadcast(
        np.conj((power / difference) ** k / np.sqrt(difference)) * c, phi
    )


def ellipkinc_moment_m(c, k, phi, m):
    return rt.unbroadcast(
        np.conj((k + 0.5) * rt.ellipkinc_moment(k + 1, phi, m)) * c, m
    )


def ellipeinc_moment_phi(c, k, phi, m):
    power = np.sin(phi) ** 2
    difference = 1 - m * power
    return rt.unbroadcast(
        np.conj((power / difference) ** k * np.sqrt(difference)) * c, phi
    )


def ellipeinc_moment_m(c, k, phi, m):
    return rt.unbroadcast(
        np.conj((k - 0.5) * rt.ellipeinc_moment(k + 1, phi, m)) * c, m
    )


def ellipj_u(c, z, u, m):
    z_part = z[0]
    z_part_2 = z[1]
    z_part_3 = z[2]
    difference = c[3] - m * z_part * z_part_2 * (c[2] / z_part_3) - z_part * c[1]
    return rt.unbroadcast(z_part_3 * (difference + z_part_2 * c[0]), u)


def ellipj_m(c, z, m):
    z_part = z[0]
    z_part_2 = z[1]
    z_part_3 = z[2]
    ratio = c[2] / z_part_3
    total = c[3] - m * z_part * z_part_2 * ratio - z_part * c[1] + z_part_2 * c[0]
    total = (
        z_part * z_part / 2 * ratio
        + z_part_3 * rt.ellipkinc_moment(1, z[3], m) / 2 * total
    )
    return rt.unbroadcast(-total, m)


def agm_a(c, z, a, b):
    product = np.conj(np.abs(a) * special.elliprd(0, b * b, a * a)) * (
        2 / (3 * np.pi) * z * z * c
    )
    return rt.unbroadcast(product, a)


def agm_b(c, z, a, b):
    product = np.conj(np.abs(b) * special.elliprd(0, a * a, b * b)) * (
        2 / (3 * np.pi) * z * z * c
    )
    return rt.unbroadcast(product, b)


def elliprf_x(c, x, y, w):
    return rt.unbroadcast(np.conj(special.elliprd(y, w, x) / -6) * c, x)


def elliprf_y(c, x, y, w):
    return rt.unbroadcast(np.conj(special.elliprd(w, x, y) / -6) * c, y)


def elliprf_w(c, x, y, w):
    return rt.unbroadcast(-(np.conj(special.elliprd(x, y, w) / 6) * c), w)


def elliprc_x(c, x, y):
    return rt.unbroadcast(np.conj(special.elliprd(y, y, x) / -6) * c, x)


def elliprc_y(c, x, y):
    return rt.unbroadcast(-(np.conj(special.elliprd(x, y, y) / 3) * c), y)


def elliprg_x(c, x, y, w):
    return rt.unbroadcast(
        np.conj((3 * special.elliprf(x, y, w) - x * special.elliprd(y, w, x)) / 12) * c,
        x,
    )


def elliprg_y(c, x, y, w):
    return rt.unbroadcast(
        np.conj((3 * special.elliprf(x, y, w) - y * special.elliprd(w, x, y)) / 12) * c,
        y,
    )


def elliprg_w(c, x, y, w):
    return rt.unbroadcast(
        np.conj((3 * special.elliprf(x, y, w) - w * special.elliprd(x, y, w)) / 12) * c,
        w,
    )


def elliprd_x(c, x, y, w):
    return rt.unbroadcast(np.conj(rt.elliprd_partial(1, 0, 0, x, y, w)) * c, x)


def elliprd_y(c, x, y, w):
    return rt.unbroadcast(np.conj(rt.elliprd_partial(0, 1, 0, x, y, w)) * c, y)


def elliprd_w(c, x, y, w):
    return rt.unbroadcast(np.conj(rt.elliprd_partial(0, 0, 1, x, y, w)) * c, w)


def elliprd_partial_x(c, i, j, k, x, y, w):
    return rt.unbroadcast(np.conj(rt.elliprd_partial(i + 1, j, k, x, y, w)) * c, x)


def elliprd_partial_y(c, i, j, k, x, y, w):
    return rt.unbroadcast(np.conj(rt.elliprd_partial(i, j + 1, k, x, y, w)) * c, y)


def elliprd_partial_w(c, i, j, k, x, y, w):
    return rt.unbroadcast(np.conj(rt.elliprd_partial(i, j, k + 1, x, y, w)) * c, w)


def elliprj_x(c, x, y, w, p):
    return rt.unbroadcast(np.conj(rt.elliprj_partial(1, 0, 0, 0, x, y, w, p)) * c, x)


def elliprj_y(c, x, y, w, p):
    return rt.unbroadcast(np.conj(rt.elliprj_partial(0, 1, 0, 0, x, y, w, p)) * c, y)


def elliprj_w(c, x, y, w, p):
    return rt.unbroadcast(np.conj(rt.elliprj_partial(0, 0, 1, 0, x, y, w, p)) * c, w)


def elliprj_p(c, x, y, w, p):
    return rt.unbroadcast(np.conj(rt.elliprj_partial(0, 0, 0, 1, x, y, w, p)) * c, p)


def elliprj_partial_x(c, i, j, k, m, x, y, w, p):
    return rt.unbroadcast(
        np.conj(rt.elliprj_partial(i + 1, j, k, m, x, y, w, p)) * c, x
    )


def elliprj_partial_y(c, i, j, k, m, x, y, w, p):
    return rt.unbroadcast(
        np.conj(rt.elliprj_partial(i, j + 1, k, m, x, y, w, p)) * c, y
    )


def elliprj_partial_w(c, i, j, k, m, x, y, w, p):
    return rt.unbroadcast(
        np.conj(rt.elliprj_partial(i, j, k + 1, m, x, y, w, p)) * c, w
    )


def elliprj_partial_p(c, i, j, k, m, x, y, w, p):
    return rt.unbroadcast(
        np.conj(rt.elliprj_partial(i, j, k, m + 1, x, y, w, p)) * c, p
    )


# --- scipy_special_error --------------------------------------------------------------


def erf_x(c, x):
    return np.conj(2 / math.sqrt(math.pi) * np.exp(-(x * x))) * c


def erfc_x(c, x):
    return np.conj(-2 / math.sqrt(math.pi) * np.exp(-(x * x))) * c


def erfi_x(c, x):
    return np.conj(2 / math.sqrt(math.pi) * np.exp(x * x)) * c


def erfcx_x(c, x):
    return np.conj(rt.erfcx_partial(1, x)) * c


def erfcx_partial_x(c, n, x):
    return rt.unbroadcast(np.conj(rt.erfcx_partial(n + 1, x)) * c, x)


def dawsn_x(c, x):
    return np.conj(rt.dawsn_partial(1, x)) * c


def dawsn_partial_x(c, n, x):
    return rt.unbroadcast(np.conj(rt.dawsn_partial(n + 1, x)) * c, x)


def wofz_x(c, x):
    return rt.unbroadcast(np.conj(rt.erfcx_partial(1, x / 1j) / 1j) * c, x)


def erfinv_y(c, z):
    return math.sqrt(math.pi) / 2 * np.exp(z * z) * c


def erfcinv_y(c, z):
    return -(math.sqrt(math.pi) / 2 * np.exp(z * z) * c)


def ndtr_x(c, x):
    return np.conj(np.exp(-(x * x / 2)) / math.sqrt(2 * math.pi)) * c


def ndtri_y(c, z):
    return math.sqrt(2 * math.pi) * np.exp(z * z / 2) * c


def log_ndtr_x(c, x):
    return np.conj(math.sqrt(2 / math.pi) / special.erfcx(-(x / math.sqrt(2)))) * c


def ndtri_exp_y(c, z):
    return np.conj(math.sqrt(math.pi / 2) * special.erfcx(-(z / math.sqrt(2)))) * c


def nrdtrimn_p(c, p, std):
    ndtri_p = special.ndtri(p)
    return rt.unbroadcast(
        -(np.conj(std * math.sqrt(2 * math.pi) * np.exp(ndtri_p * ndtri_p / 2)) * c), p
    )


def nrdtrimn_std(c, p, std):
    return rt.unbroadcast(-(np.conj(special.ndtri(p)) * c), std)


def nrdtrimn_x(c, x):
    return rt.unbroadcast(c, x)


def nrdtrisd_mn(c, mn, p):
    return rt.unbroadcast(-(c / np.conj(special.ndtri(p))), mn)


def nrdtrisd_p(c, z, p):
    ndtri_p = special.ndtri(p)
    p_bar = rt.unbroadcast(
        -(
            np.conj(z * math.sqrt(2 * math.pi) * np.exp(ndtri_p * ndtri_p / 2))
            * (c / np.conj(ndtri_p))
        ),
        p,
    )
    return p_bar


def nrdtrisd_x(c, p, x):
    return rt.unbroadcast(c / np.conj(special.ndtri(p)), x)


def voigt_profile_x(c, x, sigma, gamma):
    product = math.sqrt(2) * sigma
    ratio = np.real(rt.erfcx_partial(1, (x + 1j * gamma) / product / 1j) / 1j) / (
        product * sigma * math.sqrt(2 * math.pi)
    )
    return rt.unbroadcast(ratio * c, x)


def voigt_profile_sigma(c, z, x, sigma, gamma):
    product = math.sqrt(2) * sigma
    ratio = rt.erfcx_partial(1, (x + 1j * gamma) / product / 1j) / 1j
    product = product * sigma * math.sqrt(2 * math.pi)
    ratio = (
        (x * (np.real(ratio) / product) - gamma * (np.imag(ratio) / product)) / sigma
    )
    return rt.unbroadcast(-((ratio + z / sigma) * c), sigma)


def voigt_profile_gamma(c, x, sigma, gamma):
    product = math.sqrt(2) * sigma
    ratio = np.imag(rt.erfcx_partial(1, (x + 1j * gamma) / product / 1j) / 1j) / (
        product * sigma * math.sqrt(2 * math.pi)
    )
    return rt.unbroadcast(-(ratio * c), gamma)


def owens_t_h(c, h, a):
    product = (
        np.conj(
            -(
                np.exp(-(h * h / 2))
                * special.erf(a * h / math.sqrt(2))
                / (2 * math.sqrt(2 * math.pi))
            )
        )
        * c
    )
    return rt.unbroadcast(product, h)


def owens_t_a(c, h, a):
    total = 1 + a * a
    return rt.unbroadcast(np.exp(-(h * h * total / 2)) / (2 * math.pi * total) * c, a)


# --- scipy_special_gamma --------------------------------------------------------------


def gamma_x(c, z, x):
    return np.conj(z * special.psi(x)) * c


def gammaln_x(c, x):
    return np.conj(special.psi(x)) * c


def rgamma_x(c, x):
    return np.conj(rt.rgamma_partial(1, x)) * c


def rgamma_partial_x(c, n, x):
    return rt.unbroadcast(np.conj(rt.rgamma_partial(n + 1, x)) * c, x)


def digamma_x(c, x):
    return np.conj(rt.polygamma(1, x)) * c


def polygamma_x(c, n, x):
    return rt.unbroadcast(np.conj(special.polygamma(n + 1, x)) * c, x)


def multigammaln_a(c, a, d):
    return np.conj(rt.multidigamma(0, a, d)) * c


def multidigamma_a(c, n, a, d):
    return rt.unbroadcast(np.conj(rt.multidigamma(n + 1, a, d)) * c, a)


def beta_a(c, z, a, b):
    return rt.unbroadcast(np.conj(z * (special.psi(a) - special.psi(a + b))) * c, a)


def beta_b(c, z, a, b):
    return rt.unbroadcast(np.conj(z * (special.psi(b) - special.psi(a + b))) * c, b)


def betaln_a(c, a, b):
    return rt.unbroadcast(np.conj(special.psi(a) - special.psi(a + b)) * c, a)


def betaln_b(c, a, b):
    return rt.unbroadcast(np.conj(special.psi(b) - special.psi(a + b)) * c, b)


def poch_a(c, z, a, m):
    return rt.unbroadcast(np.conj(z * (special.psi(a + m) - special.psi(a))) * c, a)


def poch_m(c, z, a, m):
    return rt.unbroadcast(np.conj(z * special.psi(a + m)) * c, m)


def binom_n(c, z, n, k):
    return rt.unbroadcast(
        np.conj(z * (special.psi(n + 1) - special.psi(n - k + 1))) * c, n
    )


def binom_k(c, z, n, k):
    return rt.unbroadcast(
        np.conj(z * (special.psi(n - k + 1) - special.psi(k + 1))) * c, k
    )


def perm_n(c, z, n, k):
    return rt.unbroadcast(
        np.conj(z * (special.psi(n + 1) - special.psi(n - k + 1))) * c, n
    )


def perm_k(c, z, n, k):
    return rt.unbroadcast(np.conj(z * special.psi(n - k + 1)) * c, k)


def factorial_n(c, z, n):
    return np.conj(z * special.psi(n + 1)) * c


def zeta_x(c, x, q):
    return rt.unbroadcast(np.conj(rt.zeta_partial(1, x, q)) * c, x)


def zeta_q(c, x, q):
    return rt.unbroadcast(-(np.conj(x * special.zeta(x + 1, q)) * c), q)


def zetac_x(c, x):
    return np.conj(rt.zeta_partial(1, x, None)) * c


def zeta_partial_x(c, n, x, q):
    return rt.unbroadcast(np.conj(rt.zeta_partial(n + 1, x, q)) * c, x)


def zeta_partial_q(c, n, x, q):
    total = x + 1
    product = (
        np.conj(x * rt.zeta_partial(n, total, q) + n * rt.zeta_partial(n - 1, total, q))
        * c
    )
    return rt.unbroadcast(-product, q)


# --- scipy_special_integrals ----------------------------------------------------------


def exp1_x(c, x):
    return np.conj(-(np.exp(-x) / x)) * c


def expi_x(c, x):
    return np.conj(np.exp(x) / x) * c


def expn_x(c, n, x):
    return rt.unbroadcast(np.conj(-rt.expn_below(n - 1, x)) * c, x)


def expn_below_x(c, n, x):
    return rt.unbroadcast(np.conj(-rt.expn_below(n - 1, x)) * c, x)


def sici_x(c, x):
    return np.conj(np.cos(x) / x) * c[1] + np.conj(np.sinc(x / np.pi)) * c[0]


def shichi_x(c, x):
    return (
        np.conj(np.cosh(x) / x) * c[1]
        + np.conj(rt.spherical_partial("in", 0, 0, x)) * c[0]
    )


def fresnel_x(c, x):
    product = np.pi / 2 * x * x
    return np.conj(np.cos(product)) * c[1] + np.conj(np.sin(product)) * c[0]


def spence_x(c, x):
    return np.conj(-rt.log_quotient(0, x)) * c


def log_quotient_x(c, n, x):
    return rt.unbroadcast(np.conj(rt.log_quotient(n + 1, x)) * c, x)


def hyp0f1_x(c, v, x):
    return rt.unbroadcast(np.conj(special.hyp0f1(v + 1, x) / v) * c, x)


def hyp1f1_x(c, a, b, x):
    return rt.unbroadcast(np.conj(a * special.hyp1f1(a + 1, b + 1, x) / b) * c, x)


def hyp2f1_x(c_bar, a, b, c, x):
    x_bar = rt.unbroadcast(
        np.conj(a * b * special.hyp2f1(a + 1, b + 1, c + 1, x) / c) * c_bar, x
    )
    return x_bar


def hyperu_x(c, a, b, x):
    return rt.unbroadcast(np.conj(-(a * special.hyperu(a + 1, b + 1, x))) * c, x)


def lambertw_x(c, z, x):
    return rt.unbroadcast(np.conj(np.exp(-z) / (1 + z)) * c, x)


def wrightomega_x(c, z):
    return np.conj(z / (1 + z)) * c


# --- scipy_special_polynomials --------------------------------------------------------


def eval_legendre_x(c, n, x):
    return rt.unbroadcast(
        np.conj((n + 1) / 2 * special.eval_jacobi(n - 1, 1, 1, x)) * c, x
    )


def eval_chebyt_x(c, n, x):
    return rt.unbroadcast(np.conj(n * special.eval_chebyu(n - 1, x)) * c, x)


def eval_chebyu_x(c, n, x):
    return rt.unbroadcast(np.conj(2 * special.eval_gegenbauer(n - 1, 2, x)) * c, x)


def eval_chebyc_x(c, n, x):
    return rt.unbroadcast(np.conj(n * special.eval_chebyu(n - 1, x / 2)) * c, x)


def eval_chebys_x(c, n, x):
    return rt.unbroadcast(np.conj(special.eval_gegenbauer(n - 1, 2, x / 2)) * c, x)


def eval_gegenbauer_x(c, n, alpha, x):
    return rt.unbroadcast(
        np.conj(2 * alpha * special.eval_gegenbauer(n - 1, alpha + 1, x)) * c, x
    )


def eval_jacobi_x(c, n, alpha, beta, x):
    product = (
        (n + alpha + beta + 1) / 2 * special.eval_jacobi(n - 1, alpha + 1, beta + 1, x)
    )
    return rt.unbroadcast(np.conj(product) * c, x)


def eval_hermite_x(c, n, x):
    return rt.unbroadcast(
        np.conj(2 * n * special.eval_hermite(np.abs(n - 1), x)) * c, x
    )


def eval_hermitenorm_x(c, n, x):
    return rt.unbroadcast(
        np.conj(n * special.eval_hermitenorm(np.abs(n - 1), x)) * c, x
    )


def eval_laguerre_x(c, n, x):
    return rt.unbroadcast(np.conj(-special.eval_genlaguerre(n - 1, 1, x)) * c, x)


def eval_genlaguerre_x(c, n, alpha, x):
    return rt.unbroadcast(
        np.conj(-special.eval_genlaguerre(n - 1, alpha + 1, x)) * c, x
    )


def eval_sh_legendre_x(c, n, x):
    return rt.unbroadcast(
        np.conj((n + 1) * special.eval_jacobi(n - 1, 1, 1, 2 * x - 1)) * c, x
    )


def eval_sh_chebyt_x(c, n, x):
    return rt.unbroadcast(np.conj(2 * n * special.eval_chebyu(n - 1, 2 * x - 1)) * c, x)


def eval_sh_chebyu_x(c, n, x):
    return rt.unbroadcast(
        np.conj(4 * special.eval_gegenbauer(n - 1, 2, 2 * x - 1)) * c, x
    )


def eval_sh_jacobi_x(c, n, p, q, x):
    return rt.unbroadcast(
        np.conj(n * special.eval_sh_jacobi(n - 1, p + 2, q + 1, x)) * c, x
    )


def lpmv_x(c, z, m, v, x):
    ratio = (v * x * z - (v + m) * special.lpmv(m, v - 1, x)) / ((x - 1) * (x + 1))
    return rt.unbroadcast(np.conj(ratio) * c, x)


def sph_harm_y_theta(c, n, m, theta, phi):
    difference = n - m
    total = n + m
    product = (
        np.sqrt(np.maximum(difference * (total + 1), 0))
        * special.sph_harm_y(n, m + 1, theta, phi)
        * np.exp(-1j * phi)
    )
    product_2 = (
        np.sqrt(np.maximum(total * (difference + 1), 0))
        * special.sph_harm_y(n, m - 1, theta, phi)
        * np.exp(1j * phi)
    )
    return rt.unbroadcast(np.conj((product - product_2) / 2) * c, theta)


def sph_harm_y_phi(c, z, m, phi):
    return rt.unbroadcast(np.conj(1j * m * z) * c, phi)


# --- tables ----------------------------------------------------------------------------

ADJOINTS = {
    "scipy_special_bessel.j0": {"x": j0_x},
    "scipy_special_bessel.j1": {"x": j1_x},
    "scipy_special_bessel.y0": {"x": y0_x},
    "scipy_special_bessel.y1": {"x": y1_x},
    "scipy_special_bessel.jv": {"x": jv_x},
    "scipy_special_bessel.yv": {"x": yv_x},
    "scipy_special_bessel.yn": {"x": yn_x},
    "scipy_special_bessel.jve": {"x": jve_x},
    "scipy_special_bessel.yve": {"x": yve_x},
    "scipy_special_bessel.hankel1": {"x": hankel1_x},
    "scipy_special_bessel.hankel2": {"x": hankel2_x},
    "scipy_special_bessel.hankel1e": {"x": hankel1e_x},
    "scipy_special_bessel.hankel2e": {"x": hankel2e_x},
    "scipy_special_bessel.i0": {"x": i0_x},
    "scipy_special_bessel.i1": {"x": i1_x},
    "scipy_special_bessel.i0e": {"x": i0e_x},
    "scipy_special_bessel.i1e": {"x": i1e_x},
    "scipy_special_bessel.k0": {"x": k0_x},
    "scipy_special_bessel.k1": {"x": k1_x},
    "scipy_special_bessel.k0e": {"x": k0e_x},
    "scipy_special_bessel.k1e": {"x": k1e_x},
    "scipy_special_bessel.kn": {"x": kn_x},
    "scipy_special_bessel.iv": {"v": iv_v, "x": iv_x},
    "scipy_special_bessel.ive": {"v": ive_v, "x": ive_x},
    "scipy_special_bessel.kv": {"v": kv_v, "x": kv_x},
    "scipy_special_bessel.kve": {"v": kve_v, "x": kve_x},
    "scipy_special_bessel.ive_partial": {"v": ive_partial_v, "x": ive_partial_x},
    "scipy_special_bessel.kve_partial": {"v": kve_partial_v, "x": kve_partial_x},
    "scipy_special_bessel.jvp": {"x": jvp_x},
    "scipy_special_bessel.yvp": {"x": yvp_x},
    "scipy_special_bessel.ivp": {"x": ivp_x},
    "scipy_special_bessel.kvp": {"x": kvp_x},
    "scipy_special_bessel.h1vp": {"x": h1vp_x},
    "scipy_special_bessel.h2vp": {"x": h2vp_x},
    "scipy_special_bessel.spherical_jn": {"x": spherical_jn_x},
    "scipy_special_bessel.spherical_yn": {"x": spherical_yn_x},
    "scipy_special_bessel.spherical_in": {"x": spherical_in_x},
    "scipy_special_bessel.spherical_kn": {"x": spherical_kn_x},
    "scipy_special_bessel.spherical_partial": {"x": spherical_partial_x},
    "scipy_special_bessel.airy": {"x": airy_x},
    "scipy_special_bessel.struve": {"x": struve_x},
    "scipy_special_bessel.modstruve": {"x": modstruve_x},
    "scipy_special_bessel.ber": {"x": ber_x},
    "scipy_special_bessel.bei": {"x": bei_x},
    "scipy_special_bessel.ker": {"x": ker_x},
    "scipy_special_bessel.kei": {"x": kei_x},
    "scipy_special_bessel.berp": {"x": berp_x},
    "scipy_special_bessel.beip": {"x": beip_x},
    "scipy_special_bessel.kerp": {"x": kerp_x},
    "scipy_special_bessel.keip": {"x": keip_x},
    "scipy_special_cdf.gammainc_partial": {
        "a": gammainc_partial_a,
        "x": gammainc_partial_x,
    },
    "scipy_special_cdf.betainc_partial": {
        "a": betainc_partial_a,
        "b": betainc_partial_b,
        "x": betainc_partial_x,
    },
    "scipy_special_cdf.stdtr_partial": {"df": stdtr_partial_df, "t": stdtr_partial_t},
    "scipy_special_cdf.gammainc": {"a": gammainc_a, "x": gammainc_x},
    "scipy_special_cdf.gammaincc": {"a": gammaincc_a, "x": gammaincc_x},
    "scipy_special_cdf.gammaincinv": {"a": gammaincinv_a, "y": gammaincinv_y},
    "scipy_special_cdf.gammainccinv": {"a": gammainccinv_a, "y": gammainccinv_y},
    "scipy_special_cdf.betainc": {"a": betainc_a, "b": betainc_b, "x": betainc_x},
    "scipy_special_cdf.betaincc": {"a": betaincc_a, "b": betaincc_b, "x": betaincc_x},
    "scipy_special_cdf.betaincinv": {
        "a": betaincinv_a,
        "b": betaincinv_b,
        "y": betaincinv_y,
    },
    "scipy_special_cdf.betainccinv": {
        "a": betainccinv_a,
        "b": betainccinv_b,
        "y": betainccinv_y,
    },
    "scipy_special_cdf.btdtria": {"p": btdtria_p, "b": btdtria_b, "x": btdtria_x},
    "scipy_special_cdf.btdtrib": {"a": btdtrib_a, "p": btdtrib_p, "x": btdtrib_x},
    "scipy_special_cdf.bdtr": {"p": bdtr_p},
    "scipy_special_cdf.bdtrc": {"p": bdtrc_p},
    "scipy_special_cdf.bdtri": {"y": bdtri_y},
    "scipy_special_cdf.nbdtr": {"p": nbdtr_p},
    "scipy_special_cdf.nbdtrc": {"p": nbdtrc_p},
    "scipy_special_cdf.nbdtri": {"y": nbdtri_y},
    "scipy_special_cdf.pdtr": {"m": pdtr_m},
    "scipy_special_cdf.pdtrc": {"m": pdtrc_m},
    "scipy_special_cdf.pdtri": {"y": pdtri_y},
    "scipy_special_cdf.chdtr": {"v": chdtr_v, "x": chdtr_x},
    "scipy_special_cdf.chdtrc": {"v": chdtrc_v, "x": chdtrc_x},
    "scipy_special_cdf.chdtri": {"v": chdtri_v, "p": chdtri_p},
    "scipy_special_cdf.chdtriv": {"p": chdtriv_p, "x": chdtriv_x},
    "scipy_special_cdf.gdtr": {"a": gdtr_a, "b": gdtr_b, "x": gdtr_x},
    "scipy_special_cdf.gdtrc": {"a": gdtrc_a, "b": gdtrc_b, "x": gdtrc_x},
    "scipy_special_cdf.gdtrix": {"a": gdtrix_a, "b": gdtrix_b, "p": gdtrix_p},
    "scipy_special_cdf.gdtria": {"p": gdtria_p, "b": gdtria_b, "x": gdtria_x},
    "scipy_special_cdf.gdtrib": {"a": gdtrib_a, "p": gdtrib_p, "x": gdtrib_x},
    "scipy_special_cdf.fdtr": {"dfn": fdtr_dfn, "dfd": fdtr_dfd, "x": fdtr_x},
    "scipy_special_cdf.fdtrc": {"dfn": fdtrc_dfn, "dfd": fdtrc_dfd, "x": fdtrc_x},
    "scipy_special_cdf.fdtri": {"dfn": fdtri_dfn, "dfd": fdtri_dfd, "p": fdtri_p},
    "scipy_special_cdf.stdtr": {"df": stdtr_df, "t": stdtr_t},
    "scipy_special_cdf.stdtrit": {"df": stdtrit_df, "p": stdtrit_p},
    "scipy_special_cdf.stdtridf": {"p": stdtridf_p, "t": stdtridf_t},
    "scipy_special_cdf.chndtr": {"x": chndtr_x, "nc": chndtr_nc},
    "scipy_special_elementary.expm1": {"x": expm1_x},
    "scipy_special_elementary.log1p": {"x": log1p_x},
    "scipy_special_elementary.exp2": {"x": exp2_x},
    "scipy_special_elementary.exp10": {"x": exp10_x},
    "scipy_special_elementary.cbrt": {"x": cbrt_x},
    "scipy_special_elementary.cosm1": {"x": cosm1_x},
    "scipy_special_elementary.powm1": {"x": powm1_x, "y": powm1_y},
    "scipy_special_elementary.sindg": {"x": sindg_x},
    "scipy_special_elementary.cosdg": {"x": cosdg_x},
    "scipy_special_elementary.tandg": {"x": tandg_x},
    "scipy_special_elementary.cotdg": {"x": cotdg_x},
    "scipy_special_elementary.exprel": {"x": exprel_x},
    "scipy_special_elementary.exprel_partial": {"x": exprel_partial_x},
    "scipy_special_elementary.diric": {"x": diric_x},
    "scipy_special_elementary.diric_partial": {"x": diric_partial_x},
    "scipy_special_elementary.expit": {"x": expit_x},
    "scipy_special_elementary.logit": {"x": logit_x},
    "scipy_special_elementary.log_expit": {"x": log_expit_x},
    "scipy_special_elementary.softplus": {"x": softplus_x},
    "scipy_special_elementary.softmax": {"x": softmax_x},
    "scipy_special_elementary.log_softmax": {"x": log_softmax_x},
    "scipy_special_elementary.logsumexp": {"a": logsumexp_a, "b": logsumexp_b},
    "scipy_special_elementary.xlogy": {"x": xlogy_x, "y": xlogy_y},
    "scipy_special_elementary.xlog1py": {"x": xlog1py_x, "y": xlog1py_y},
    "scipy_special_elementary.entr": {"x": entr_x},
    "scipy_special_elementary.rel_entr": {"x": rel_entr_x, "y": rel_entr_y},
    "scipy_special_elementary.kl_div": {"x": kl_div_x, "y": kl_div_y},
    "scipy_special_elementary.huber": {"delta": huber_delta, "r": huber_r},
    "scipy_special_elementary.pseudo_huber": {
        "delta": pseudo_huber_delta,
        "r": pseudo_huber_r,
    },
    "scipy_special_elementary.boxcox": {"x": boxcox_x, "lmbda": boxcox_lmbda},
    "scipy_special_elementary.boxcox1p": {"x": boxcox1p_x, "lmbda": boxcox1p_lmbda},
    "scipy_special_elementary.inv_boxcox": {
        "y": inv_boxcox_y,
        "lmbda": inv_boxcox_lmbda,
    },
    "scipy_special_elementary.inv_boxcox1p": {
        "y": inv_boxcox1p_y,
        "lmbda": inv_boxcox1p_lmbda,
    },
    "scipy_special_elementary.tklmbda": {"x": tklmbda_x, "lmbda": tklmbda_lmbda},
    "scipy_special_elliptic.ellipk": {"m": ellipk_m},
    "scipy_special_elliptic.ellipkm1": {"p": ellipkm1_p},
    "scipy_special_elliptic.ellipe": {"m": ellipe_m},
    "scipy_special_elliptic.ellipkinc": {"phi": ellipkinc_phi, "m": ellipkinc_m},
    "scipy_special_elliptic.ellipeinc": {"phi": ellipeinc_phi, "m": ellipeinc_m},
    "scipy_special_elliptic.ellipkinc_moment": {
        "phi": ellipkinc_moment_phi,
        "m": ellipkinc_moment_m,
    },
    "scipy_special_elliptic.ellipeinc_moment": {
        "phi": ellipeinc_moment_phi,
        "m": ellipeinc_moment_m,
    },
    "scipy_special_elliptic.ellipj": {"u": ellipj_u, "m": ellipj_m},
    "scipy_special_elliptic.agm": {"a": agm_a, "b": agm_b},
    "scipy_special_elliptic.elliprf": {"x": elliprf_x, "y": elliprf_y, "w": elliprf_w},
    "scipy_special_elliptic.elliprc": {"x": elliprc_x, "y": elliprc_y},
    "scipy_special_elliptic.elliprg": {"x": elliprg_x, "y": elliprg_y, "w": elliprg_w},
    "scipy_special_elliptic.elliprd": {"x": elliprd_x, "y": elliprd_y, "w": elliprd_w},
    "scipy_special_elliptic.elliprd_partial": {
        "x": elliprd_partial_x,
        "y": elliprd_partial_y,
        "w": elliprd_partial_w,
    },
    "scipy_special_elliptic.elliprj": {
        "x": elliprj_x,
        "y": elliprj_y,
        "w": elliprj_w,
        "p": elliprj_p,
    },
    "scipy_special_elliptic.elliprj_partial": {
        "x": elliprj_partial_x,
        "y": elliprj_partial_y,
        "w": elliprj_partial_w,
        "p": elliprj_partial_p,
    },
    "scipy_special_error.erf": {"x": erf_x},
    "scipy_special_error.erfc": {"x": erfc_x},
    "scipy_special_error.erfi": {"x": erfi_x},
    "scipy_special_error.erfcx": {"x": erfcx_x},
    "scipy_special_error.erfcx_partial": {"x": erfcx_partial_x},
    "scipy_special_error.dawsn": {"x": dawsn_x},
    "scipy_special_error.dawsn_partial": {"x": dawsn_partial_x},
    "scipy_special_error.wofz": {"x": wofz_x},
    "scipy_special_error.erfinv": {"y": erfinv_y},
    "scipy_special_error.erfcinv": {"y": erfcinv_y},
    "scipy_special_error.ndtr": {"x": ndtr_x},
    "scipy_special_error.ndtri": {"y": ndtri_y},
    "scipy_special_error.log_ndtr": {"x": log_ndtr_x},
    "scipy_special_error.ndtri_exp": {"y": ndtri_exp_y},
    "scipy_special_error.nrdtrimn": {
        "p": nrdtrimn_p,
        "std": nrdtrimn_std,
        "x": nrdtrimn_x,
    },
    "scipy_special_error.nrdtrisd": {
        "mn": nrdtrisd_mn,
        "p": nrdtrisd_p,
        "x": nrdtrisd_x,
    },
    "scipy_special_error.voigt_profile": {
        "x": voigt_profile_x,
        "sigma": voigt_profile_sigma,
        "gamma": voigt_profile_gamma,
    },
    "scipy_special_error.owens_t": {"h": owens_t_h, "a": owens_t_a},
    "scipy_special_gamma.gamma": {"x": gamma_x},
    "scipy_special_gamma.gammaln": {"x": gammaln_x},
    "scipy_special_gamma.rgamma": {"x": rgamma_x},
    "scipy_special_gamma.rgamma_partial": {"x": rgamma_partial_x},
    "scipy_special_gamma.digamma": {"x": digamma_x},
    "scipy_special_gamma.polygamma": {"x": polygamma_x},
    "scipy_special_gamma.multigammaln": {"a": multigammaln_a},
    "scipy_special_gamma.multidigamma": {"a": multidigamma_a},
    "scipy_special_gamma.beta": {"a": beta_a, "b": beta_b},
    "scipy_special_gamma.betaln": {"a": betaln_a, "b": betaln_b},
    "scipy_special_gamma.poch": {"a": poch_a, "m": poch_m},
    "scipy_special_gamma.binom": {"n": binom_n, "k": binom_k},
    "scipy_special_gamma.perm": {"n": perm_n, "k": perm_k},
    "scipy_special_gamma.factorial": {"n": factorial_n},
    "scipy_special_gamma.zeta": {"x": zeta_x, "q": zeta_q},
    "scipy_special_gamma.zetac": {"x": zetac_x},
    "scipy_special_gamma.zeta_partial": {"x": zeta_partial_x, "q": zeta_partial_q},
    "scipy_special_integrals.exp1": {"x": exp1_x},
    "scipy_special_integrals.expi": {"x": expi_x},
    "scipy_special_integrals.expn": {"x": expn_x},
    "scipy_special_integrals.expn_below": {"x": expn_below_x},
    "scipy_special_integrals.sici": {"x": sici_x},
    "scipy_special_integrals.shichi": {"x": shichi_x},
    "scipy_special_integrals.fresnel": {"x": fresnel_x},
    "scipy_special_integrals.spence": {"x": spence_x},
    "scipy_special_integrals.log_quotient": {"x": log_quotient_x},
    "scipy_special_integrals.hyp0f1": {"x": hyp0f1_x},
    "scipy_special_integrals.hyp1f1": {"x": hyp1f1_x},
    "scipy_special_integrals.hyp2f1": {"x": hyp2f1_x},
    "scipy_special_integrals.hyperu": {"x": hyperu_x},
    "scipy_special_integrals.lambertw": {"x": lambertw_x},
    "scipy_special_integrals.wrightomega": {"x": wrightomega_x},
    "scipy_special_polynomials.eval_legendre": {"x": eval_legendre_x},
    "scipy_special_polynomials.eval_chebyt": {"x": eval_chebyt_x},
    "scipy_special_polynomials.eval_chebyu": {"x": eval_chebyu_x},
    "scipy_special_polynomials.eval_chebyc": {"x": eval_chebyc_x},
    "scipy_special_polynomials.eval_chebys": {"x": eval_chebys_x},
    "scipy_special_polynomials.eval_gegenbauer": {"x": eval_gegenbauer_x},
    "scipy_special_polynomials.eval_jacobi": {"x": eval_jacobi_x},
    "scipy_special_polynomials.eval_hermite": {"x": eval_hermite_x},
    "scipy_special_polynomials.eval_hermitenorm": {"x": eval_hermitenorm_x},
    "scipy_special_polynomials.eval_laguerre": {"x": eval_laguerre_x},
    "scipy_special_polynomials.eval_genlaguerre": {"x": eval_genlaguerre_x},
    "scipy_special_polynomials.eval_sh_legendre": {"x": eval_sh_legendre_x},
    "scipy_special_polynomials.eval_sh_chebyt": {"x": eval_sh_chebyt_x},
    "scipy_special_polynomials.eval_sh_chebyu": {"x": eval_sh_chebyu_x},
    "scipy_special_polynomials.eval_sh_jacobi": {"x": eval_sh_jacobi_x},
    "scipy_special_polynomials.lpmv": {"x": lpmv_x},
    "scipy_special_polynomials.sph_harm_y": {
        "theta": sph_harm_y_theta,
        "phi": sph_harm_y_phi,
    },
}

SHAPES = {
    "gammaincinv_y": ("y",),
    "gammainccinv_y": ("y",),
    "betaincinv_y": ("y",),
    "betainccinv_y": ("y",),
    "btdtria_p": ("p",),
    "btdtrib_p": ("p",),
    "bdtri_y": ("y",),
    "nbdtri_y": ("y",),
    "pdtri_y": ("y",),
    "chdtri_p": ("p",),
    "chdtriv_p": ("p",),
    "gdtrix_p": ("p",),
    "gdtria_p": ("p",),
    "gdtrib_p": ("p",),
    "fdtri_p": ("p",),
    "stdtrit_p": ("p",),
    "stdtridf_p": ("p",),
    "powm1_y": ("y",),
    "softmax_x": ("x",),
    "log_softmax_x": ("x",),
    "logsumexp_b": ("b",),
    "inv_boxcox_y": ("y",),
    "inv_boxcox1p_y": ("y",),
    "ellipj_u": ("u",),
    "nrdtrimn_std": ("std",),
    "nrdtrimn_x": ("x",),
    "nrdtrisd_mn": ("mn",),
    "nrdtrisd_x": ("x",),
    "lambertw_x": ("x",),
    "sph_harm_y_phi": ("phi",),
}
