"""Complex numbers: transforms, contour integrals, self energies by `einsum`."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
from jax import lax


def both(z):
    return jnp.sum(z.real) + jnp.sum(z.imag)


def stockham_fft(re, im, R, K):
    N = R**K
    i, j = np.mgrid[0:R, 0:R]
    dft_mat = jnp.exp(-2.0j * np.pi * i * j / R)
    y = re + 1j * im
    for i in range(K):  # the shapes of each stage are its own
        ii, jj = np.mgrid[0:R, 0 : R**i]
        turns = np.exp(-2.0j * np.pi * ii * jj / R ** (i + 1))
        stages = jnp.transpose(jnp.reshape(y, (R**i, R, R ** (K - i - 1))), (1, 0, 2))
        turned = jnp.reshape(stages * turns[:, :, None], (R, R ** (K - 1)))
        y = jnp.reshape(dft_mat @ turned, (N,))
    return both(y)


def recursive(x):
    n = x.shape[0]
    if n == 1:
        return x
    even, odd = recursive(x[::2]), recursive(x[1::2])
    turned = jnp.exp(-2j * np.pi * jnp.arange(n // 2) / n) * odd
    return jnp.concatenate([even + turned, even - turned])


def recursive_fft(re, im):
    return both(recursive(re + 1j * im))


def spectral_heat(u, kappa, dt, steps):
    k = 2 * np.pi * jnp.fft.fftfreq(u.shape[0])
    decay = jnp.exp(-kappa * k**2 * dt)

    def step(_, u):
        u = jnp.fft.ifft(decay * jnp.fft.fft(u)).real
        return u + dt * u * (1.0 - u)

    return jnp.sum(lax.fori_loop(0, steps, step, u))


def contour_integral(ham_re, ham_im, int_pts, Y, slab_per_bc):
    ham = ham_re + 1j * ham_im
    powers = slab_per_bc / 2 - jnp.arange(slab_per_bc + 1)
    Tz = jnp.einsum("pn,nij->pij", int_pts[:, None] ** powers, ham)
    X = jnp.linalg.solve(Tz, jnp.broadcast_to(Y, (len(int_pts), *Y.shape)))
    X = jnp.where(jnp.abs(int_pts)[:, None, None] < 1.0, -X, X)
    return both(jnp.sum(X, axis=0)) + both(jnp.sum(int_pts[:, None, None] * X, axis=0))


def scattering_self_energies(neigh_idx, dH, g_re, g_im, d_re, d_im, Sigma):
    G, D = g_re + 1j * g_im, d_re + 1j * d_im
    dHD = jnp.einsum("abjmn,qwabij->wabimn", dH, D)
    total = Sigma
    for w in range(D.shape[1]):
        shifted = G[:, : G.shape[1] - w, neigh_idx]
        dHG = jnp.einsum("keablm,abimn->keabiln", shifted, dH)
        total = total.at[:, w:].add(jnp.einsum("keabiln,abinm->kealm", dHG, dHD[w]))
    return both(total)
