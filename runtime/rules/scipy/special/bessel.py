"""Differentials of the Bessel functions and their relatives; the order of `iv` and `kv` included."""

import numpy as np
from scipy import special

from ....helpers import linear
from ....helpers.scipy import bessel as helpers
from ...book import rule


@rule(special.j0, infinite="no")
def j0(z, x, *, dx):
    return -special.j1(x) * dx


@rule(special.j1, infinite="no")
def j1(z, x, *, dx):
    return (special.j0(x) - special.jv(2, x)) / 2 * dx


@rule(special.y0, domain=(0.5, 4.0))
def y0(z, x, *, dx):
    return -special.y1(x) * dx


@rule(special.y1, domain=(0.5, 4.0))
def y1(z, x, *, dx):
    return (special.y0(x) - special.yv(2, x)) / 2 * dx


@rule(special.jv, broadcasts=True, domain=(0.5, 4.0))
def jv(z, v, x, *, dx):
    return (special.jv(v - 1, x) - special.jv(v + 1, x)) / 2 * dx


@rule(special.yv, broadcasts=True, domain=(0.5, 4.0))
def yv(z, v, x, *, dx):
    return (special.yv(v - 1, x) - special.yv(v + 1, x)) / 2 * dx


@rule(special.yn, broadcasts=True, domain=(0.5, 4.0))
def yn(z, n, x, *, dx):
    n = np.trunc(n)  # as SciPy takes it
    return (special.yn(n - 1, x) - special.yn(n + 1, x)) / 2 * dx


@rule(special.jve, broadcasts=True, domain=(0.5, 4.0))
def jve(z, v, x, *, dx):
    slope = (special.jve(v - 1, x) - special.jve(v + 1, x)) / 2
    return slope * dx - z * linear.sign(np.imag(x)) * np.imag(dx)


@rule(special.yve, broadcasts=True, domain=(0.5, 4.0))
def yve(z, v, x, *, dx):
    slope = (special.yve(v - 1, x) - special.yve(v + 1, x)) / 2
    return slope * dx - z * linear.sign(np.imag(x)) * np.imag(dx)


@rule(special.hankel1, broadcasts=True, complex=True, domain=(0.5, 4.0))
def hankel1(z, v, x, *, dx):
    return (special.hankel1(v - 1, x) - special.hankel1(v + 1, x)) / 2 * dx


@rule(special.hankel2, broadcasts=True, complex=True, domain=(0.5, 4.0))
def hankel2(z, v, x, *, dx):
    return (special.hankel2(v - 1, x) - special.hankel2(v + 1, x)) / 2 * dx


@rule(special.hankel1e, broadcasts=True, complex=True, domain=(0.5, 4.0))
def hankel1e(z, v, x, *, dx):
    return ((special.hankel1e(v - 1, x) - special.hankel1e(v + 1, x)) / 2 - 1j * z) * dx


@rule(special.hankel2e, broadcasts=True, complex=True, domain=(0.5, 4.0))
def hankel2e(z, v, x, *, dx):
    return ((special.hankel2e(v - 1, x) - special.hankel2e(v + 1, x)) / 2 + 1j * z) * dx


# -- modified --------------------------------------------------------------------------


@rule(special.i0)
def i0(z, x, *, dx):
    return special.i1(x) * dx


@rule(special.i1)
def i1(z, x, *, dx):
    return (special.i0(x) + special.iv(2, x)) / 2 * dx


@rule(special.i0e)
def i0e(z, x, *, dx):
    return (special.i1e(x) - linear.sign(x) * z) * dx


@rule(special.i1e)
def i1e(z, x, *, dx):
    return ((special.i0e(x) + special.ive(2, x)) / 2 - linear.sign(x) * z) * dx


@rule(special.k0, domain=(0.5, 4.0))
def k0(z, x, *, dx):
    return -special.k1(x) * dx


@rule(special.k1, domain=(0.5, 4.0))
def k1(z, x, *, dx):
    return -(special.k0(x) + special.kv(2, x)) / 2 * dx


@rule(special.k0e, domain=(0.5, 4.0))
def k0e(z, x, *, dx):
    return (z - special.k1e(x)) * dx


@rule(special.k1e, domain=(0.5, 4.0))
def k1e(z, x, *, dx):
    return (z - (special.k0e(x) + special.kve(2, x)) / 2) * dx


@rule(special.kn, broadcasts=True, domain=(0.5, 4.0))
def kn(z, n, x, *, dx):
    n = np.trunc(n)  # as SciPy takes it
    return -(special.kn(n - 1, x) + special.kn(n + 1, x)) / 2 * dx


@rule(special.iv, broadcasts=True, domain=(0.5, 4.0))
def iv(z, v, x, *, dv, dx):
    by_x = (special.iv(v - 1, x) + special.iv(v + 1, x)) / 2
    return by_x * dx + np.exp(x) * helpers.ive_partial(1, v, x) * dv


@rule(special.ive, broadcasts=True, domain=(0.5, 4.0))
def ive(z, v, x, *, dv, dx):
    by_x = (special.ive(v - 1, x) + special.ive(v + 1, x)) / 2
    return by_x * dx - z * linear.sign(np.real(x)) * np.real(dx) + helpers.ive_partial(1, v, x) * dv


@rule(special.kv, broadcasts=True, domain=(0.5, 4.0))
def kv(z, v, x, *, dv, dx):
    by_x = -(special.kv(v - 1, x) + special.kv(v + 1, x)) / 2
    return by_x * dx + np.exp(-x) * helpers.kve_partial(1, v, x) * dv


@rule(special.kve, broadcasts=True, domain=(0.5, 4.0))
def kve(z, v, x, *, dv, dx):
    by_x = z - (special.kve(v - 1, x) + special.kve(v + 1, x)) / 2
    return by_x * dx + helpers.kve_partial(1, v, x) * dv


@rule(helpers.ive_partial, broadcasts=True)
def ive_partial(z, n, v, x, *, dv, dx):
    by_x = (helpers.ive_partial(n, v - 1, x) + helpers.ive_partial(n, v + 1, x)) / 2 - z
    return helpers.ive_partial(n + 1, v, x) * dv + by_x * dx


@rule(helpers.kve_partial, broadcasts=True)
def kve_partial(z, n, v, x, *, dv, dx):
    by_x = z - (helpers.kve_partial(n, v - 1, x) + helpers.kve_partial(n, v + 1, x)) / 2
    return helpers.kve_partial(n + 1, v, x) * dv + by_x * dx


# -- derivatives that SciPy names ------------------------------------------------------


@rule(special.jvp, broadcasts=True, domain=(0.5, 4.0))
def jvp(z, v, x, n=1, *, dx):
    return special.jvp(v, x, n + 1) * dx


@rule(special.yvp, broadcasts=True, domain=(0.5, 4.0))
def yvp(z, v, x, n=1, *, dx):
    return special.yvp(v, x, n + 1) * dx


@rule(special.ivp, broadcasts=True, domain=(0.5, 4.0))
def ivp(z, v, x, n=1, *, dx):
    return special.ivp(v, x, n + 1) * dx


@rule(special.kvp, broadcasts=True, domain=(0.5, 4.0))
def kvp(z, v, x, n=1, *, dx):
    return special.kvp(v, x, n + 1) * dx


@rule(special.h1vp, broadcasts=True, complex=True, domain=(0.5, 4.0))
def h1vp(z, v, x, n=1, *, dx):
    return special.h1vp(v, x, n + 1) * dx


@rule(special.h2vp, broadcasts=True, complex=True, domain=(0.5, 4.0))
def h2vp(z, v, x, n=1, *, dx):
    return special.h2vp(v, x, n + 1) * dx


# -- spherical -------------------------------------------------------------------------


@rule(special.spherical_jn, broadcasts=True, domain=(0.5, 4.0), constant_in=("n",))
def spherical_jn(z, n, x, derivative=False, *, dx):
    return helpers.spherical_partial("jn", 1 + derivative, n, x) * dx


@rule(special.spherical_yn, broadcasts=True, domain=(0.5, 4.0), constant_in=("n",))
def spherical_yn(z, n, x, derivative=False, *, dx):
    return helpers.spherical_partial("yn", 1 + derivative, n, x) * dx


@rule(special.spherical_in, broadcasts=True, domain=(0.5, 4.0), constant_in=("n",))
def spherical_in(z, n, x, derivative=False, *, dx):
    return helpers.spherical_partial("in", 1 + derivative, n, x) * dx


@rule(special.spherical_kn, broadcasts=True, domain=(0.5, 4.0), constant_in=("n",))
def spherical_kn(z, n, x, derivative=False, *, dx):
    return helpers.spherical_partial("kn", 1 + derivative, n, x) * dx


@rule(helpers.spherical_partial, broadcasts=True, constant_in=("n",))
def spherical_partial(z, kind, m, n, x, *, dx):
    return helpers.spherical_partial(kind, m + 1, n, x) * dx


# -- relatives -------------------------------------------------------------------------


@rule(special.airy)
def airy(z, x, *, dx):
    ai, aip, bi, bip = z
    return aip * dx, x * ai * dx, bip * dx, x * bi * dx


@rule(special.struve, broadcasts=True, domain=(0.5, 4.0))
def struve(z, v, x, *, dx):
    extra = (x / 2) ** v / (np.sqrt(np.pi) * special.gamma(v + 1.5))
    return (special.struve(v - 1, x) - special.struve(v + 1, x) + extra) / 2 * dx


@rule(special.modstruve, broadcasts=True, domain=(0.5, 4.0))
def modstruve(z, v, x, *, dx):
    extra = (x / 2) ** v / (np.sqrt(np.pi) * special.gamma(v + 1.5))
    return (special.modstruve(v - 1, x) + special.modstruve(v + 1, x) + extra) / 2 * dx


@rule(special.ber, domain=(0.5, 4.0))
def ber(z, x, *, dx):
    return special.berp(x) * dx


@rule(special.bei, domain=(0.5, 4.0))
def bei(z, x, *, dx):
    return special.beip(x) * dx


@rule(special.ker, domain=(0.5, 4.0))
def ker(z, x, *, dx):
    return special.kerp(x) * dx


@rule(special.kei, domain=(0.5, 4.0))
def kei(z, x, *, dx):
    return special.keip(x) * dx


@rule(special.berp, domain=(0.5, 4.0))
def berp(z, x, *, dx):
    return -(special.bei(x) + z / x) * dx


@rule(special.beip, domain=(0.5, 4.0))
def beip(z, x, *, dx):
    return (special.ber(x) - z / x) * dx


@rule(special.kerp, domain=(0.5, 4.0))
def kerp(z, x, *, dx):
    return -(special.kei(x) + z / x) * dx


@rule(special.keip, domain=(0.5, 4.0))
def keip(z, x, *, dx):
    return (special.ker(x) - z / x) * dx


@rule(special.wright_bessel, broadcasts=True, domain=(0.5, 4.0))
def wright_bessel(z, a, b, x, *, dx):
    return special.wright_bessel(a, a + b, x) * dx
