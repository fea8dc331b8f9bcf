"""Differentials of orthogonal polynomials by their argument, and of spherical harmonics."""

import numpy as np
from scipy import special

from ...book import rule

INSIDE = (-0.9, 0.9)


@rule(special.eval_legendre, broadcasts=True, domain=INSIDE)
def eval_legendre(z, n, x, *, dx):
    return (n + 1) / 2 * special.eval_jacobi(n - 1, 1, 1, x) * dx


@rule(special.eval_chebyt, broadcasts=True, domain=INSIDE)
def eval_chebyt(z, n, x, *, dx):
    return n * special.eval_chebyu(n - 1, x) * dx


@rule(special.eval_chebyu, broadcasts=True, domain=INSIDE)
def eval_chebyu(z, n, x, *, dx):
    return 2 * special.eval_gegenbauer(n - 1, 2, x) * dx


@rule(special.eval_chebyc, broadcasts=True, domain=INSIDE)
def eval_chebyc(z, n, x, *, dx):
    return n * special.eval_chebyu(n - 1, x / 2) * dx


@rule(special.eval_chebys, broadcasts=True, domain=INSIDE)
def eval_chebys(z, n, x, *, dx):
    return special.eval_gegenbauer(n - 1, 2, x / 2) * dx


@rule(special.eval_gegenbauer, broadcasts=True, domain=INSIDE)
def eval_gegenbauer(z, n, alpha, x, *, dx):
    return 2 * alpha * special.eval_gegenbauer(n - 1, alpha + 1, x) * dx


@rule(special.eval_jacobi, broadcasts=True, domain=INSIDE)
def eval_jacobi(z, n, alpha, beta, x, *, dx):
    factor = (n + alpha + beta + 1) / 2
    return factor * special.eval_jacobi(n - 1, alpha + 1, beta + 1, x) * dx


@rule(special.eval_hermite, broadcasts=True)
def eval_hermite(z, n, x, *, dx):
    return 2 * n * special.eval_hermite(np.abs(n - 1), x) * dx


@rule(special.eval_hermitenorm, broadcasts=True)
def eval_hermitenorm(z, n, x, *, dx):
    return n * special.eval_hermitenorm(np.abs(n - 1), x) * dx


@rule(special.eval_laguerre, broadcasts=True)
def eval_laguerre(z, n, x, *, dx):
    return -special.eval_genlaguerre(n - 1, 1, x) * dx


@rule(special.eval_genlaguerre, broadcasts=True)
def eval_genlaguerre(z, n, alpha, x, *, dx):
    return -special.eval_genlaguerre(n - 1, alpha + 1, x) * dx


# -- shifted ---------------------------------------------------------------------------


@rule(special.eval_sh_legendre, broadcasts=True, domain=(0.1, 0.9))
def eval_sh_legendre(z, n, x, *, dx):
    return (n + 1) * special.eval_jacobi(n - 1, 1, 1, 2 * x - 1) * dx


@rule(special.eval_sh_chebyt, broadcasts=True, domain=(0.1, 0.9))
def eval_sh_chebyt(z, n, x, *, dx):
    return 2 * n * special.eval_chebyu(n - 1, 2 * x - 1) * dx


@rule(special.eval_sh_chebyu, broadcasts=True, domain=(0.1, 0.9))
def eval_sh_chebyu(z, n, x, *, dx):
    return 4 * special.eval_gegenbauer(n - 1, 2, 2 * x - 1) * dx


@rule(special.eval_sh_jacobi, broadcasts=True, domain=(0.1, 0.9))
def eval_sh_jacobi(z, n, p, q, x, *, dx):
    return n * special.eval_sh_jacobi(n - 1, p + 2, q + 1, x) * dx


# -- on the sphere ---------------------------------------------------------------------


@rule(special.lpmv, broadcasts=True, domain=INSIDE)
def lpmv(z, m, v, x, *, dx):
    return (v * x * z - (v + m) * special.lpmv(m, v - 1, x)) / ((x - 1) * (x + 1)) * dx


@rule(getattr(special, "sph_harm_y", None), broadcasts=True, complex=True)  # SciPy 1.15
def sph_harm_y(z, n, m, theta, phi, *, dtheta, dphi):
    above, below = np.maximum((n - m) * (n + m + 1), 0), np.maximum((n + m) * (n - m + 1), 0)
    up = np.sqrt(above) * special.sph_harm_y(n, m + 1, theta, phi) * np.exp(-1j * phi)
    down = np.sqrt(below) * special.sph_harm_y(n, m - 1, theta, phi) * np.exp(1j * phi)
    return (up - down) / 2 * dtheta + 1j * m * z * dphi
