"""Differentials of elliptic integrals and functions, which are elliptic integrals again."""

import numpy as np
from scipy import special

from ....helpers.scipy import elliptic as helpers
from ...book import rule

MODULUS = (0.1, 0.8)


@rule(special.ellipk, domain=MODULUS)
def ellipk(z, m, *, dm):
    return special.elliprd(0, 1, 1 - m) / 6 * dm


@rule(special.ellipkm1, domain=MODULUS)
def ellipkm1(z, p, *, dp):
    return -special.elliprd(0, 1, p) / 6 * dp


@rule(special.ellipe, domain=MODULUS)
def ellipe(z, m, *, dm):
    return -special.elliprd(0, 1 - m, 1) / 6 * dm


@rule(special.ellipkinc, broadcasts=True, domain=MODULUS)
def ellipkinc(z, phi, m, *, dphi, dm):
    s = np.sin(phi)
    return dphi / np.sqrt(1 - m * s * s) + helpers.ellipkinc_moment(1, phi, m) / 2 * dm


@rule(special.ellipeinc, broadcasts=True, domain=MODULUS)
def ellipeinc(z, phi, m, *, dphi, dm):
    s = np.sin(phi)
    return np.sqrt(1 - m * s * s) * dphi - helpers.ellipeinc_moment(1, phi, m) / 2 * dm


@rule(helpers.ellipkinc_moment, broadcasts=True)
def ellipkinc_moment(z, k, phi, m, *, dphi, dm):
    square = np.sin(phi) ** 2
    by_phi = (square / (1 - m * square)) ** k / np.sqrt(1 - m * square)
    return by_phi * dphi + (k + 0.5) * helpers.ellipkinc_moment(k + 1, phi, m) * dm


@rule(helpers.ellipeinc_moment, broadcasts=True)
def ellipeinc_moment(z, k, phi, m, *, dphi, dm):
    square = np.sin(phi) ** 2
    by_phi = (square / (1 - m * square)) ** k * np.sqrt(1 - m * square)
    return by_phi * dphi + (k - 0.5) * helpers.ellipeinc_moment(k + 1, phi, m) * dm


@rule(special.ellipj, broadcasts=True, domain=MODULUS, infinite="no")
def ellipj(z, u, m, *, du, dm):
    sn, cn, dn, ph = z
    by_m = -dn * helpers.ellipkinc_moment(1, ph, m) / 2
    return (
        cn * (dn * du + by_m * dm),
        -sn * (dn * du + by_m * dm),
        -(m * sn * cn * (dn * du + by_m * dm) + sn * sn / 2 * dm) / dn,
        dn * du + by_m * dm,
    )


@rule(special.agm, broadcasts=True, domain=(0.3, 3.0))
def agm(z, a, b, *, da, db):
    by_a = np.abs(a) * special.elliprd(0, b * b, a * a)
    by_b = np.abs(b) * special.elliprd(0, a * a, b * b)
    return 2 / (3 * np.pi) * z * z * (by_a * da + by_b * db)


# -- Carlson's -------------------------------------------------------------------------


@rule(special.elliprf, broadcasts=True, domain=(0.3, 3.0))
def elliprf(z, x, y, w, *, dx, dy, dw):
    by_x, by_y = special.elliprd(y, w, x) / -6, special.elliprd(w, x, y) / -6
    return by_x * dx + by_y * dy - special.elliprd(x, y, w) / 6 * dw


@rule(special.elliprc, broadcasts=True, domain=(0.3, 3.0))
def elliprc(z, x, y, *, dx, dy):
    return special.elliprd(y, y, x) / -6 * dx - special.elliprd(x, y, y) / 3 * dy


@rule(special.elliprg, broadcasts=True, domain=(0.3, 3.0))
def elliprg(z, x, y, w, *, dx, dy, dw):
    f = 3 * special.elliprf(x, y, w)
    by_x = (f - x * special.elliprd(y, w, x)) / 12
    by_y = (f - y * special.elliprd(w, x, y)) / 12
    return by_x * dx + by_y * dy + (f - w * special.elliprd(x, y, w)) / 12 * dw


@rule(special.elliprd, broadcasts=True, domain=(0.3, 3.0))
def elliprd(z, x, y, w, *, dx, dy, dw):
    by_x = helpers.elliprd_partial(1, 0, 0, x, y, w)
    by_y = helpers.elliprd_partial(0, 1, 0, x, y, w)
    return by_x * dx + by_y * dy + helpers.elliprd_partial(0, 0, 1, x, y, w) * dw


@rule(helpers.elliprd_partial, broadcasts=True)
def elliprd_partial(z, i, j, k, x, y, w, *, dx, dy, dw):
    by_x = helpers.elliprd_partial(i + 1, j, k, x, y, w)
    by_y = helpers.elliprd_partial(i, j + 1, k, x, y, w)
    return by_x * dx + by_y * dy + helpers.elliprd_partial(i, j, k + 1, x, y, w) * dw


@rule(special.elliprj, broadcasts=True, domain=(0.3, 3.0))
def elliprj(z, x, y, w, p, *, dx, dy, dw, dp):
    by_x = helpers.elliprj_partial(1, 0, 0, 0, x, y, w, p)
    by_y = helpers.elliprj_partial(0, 1, 0, 0, x, y, w, p)
    by_w = helpers.elliprj_partial(0, 0, 1, 0, x, y, w, p)
    by_p = helpers.elliprj_partial(0, 0, 0, 1, x, y, w, p)
    return by_x * dx + by_y * dy + by_w * dw + by_p * dp


@rule(helpers.elliprj_partial, broadcasts=True)
def elliprj_partial(z, i, j, k, m, x, y, w, p, *, dx, dy, dw, dp):
    by_x = helpers.elliprj_partial(i + 1, j, k, m, x, y, w, p)
    by_y = helpers.elliprj_partial(i, j + 1, k, m, x, y, w, p)
    by_w = helpers.elliprj_partial(i, j, k + 1, m, x, y, w, p)
    by_p = helpers.elliprj_partial(i, j, k, m + 1, x, y, w, p)
    return by_x * dx + by_y * dy + by_w * dw + by_p * dp
