"""Complex numbers: transforms by one's own loops and by NumPy's, contour integrals, self energies."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from benchmarks.kernels.kernel import Kernel, total


def stockham_fft(N, R, K, x, y):
    """Of length R**K, by the factors of Stockham; the result is left in ``y``."""
    i_coord, j_coord = np.mgrid[0:R, 0:R]
    dft_mat = np.exp(-2.0j * np.pi * i_coord * j_coord / R)
    y[:] = x[:]
    ii_coord, jj_coord = np.mgrid[0:R, 0 : R**K]
    for i in range(K):
        yv = np.reshape(y, (R**i, R, R ** (K - i - 1)))
        tmp_perm = np.transpose(yv, axes=(1, 0, 2))
        D = np.empty((R, R**i, R ** (K - i - 1)), dtype=np.complex128)
        tmp = np.exp(-2.0j * np.pi * ii_coord[:, : R**i] * jj_coord[:, : R**i] / R ** (i + 1))
        D[:] = np.repeat(np.reshape(tmp, (R, R**i, 1)), R ** (K - i - 1), axis=2)
        tmp_twid = np.reshape(tmp_perm, (N,)) * np.reshape(D, (N,))
        y[:] = np.reshape(dft_mat @ np.reshape(tmp_twid, (R, R ** (K - 1))), (N,))


def stockham_fft_loss(re, im, R, K):
    y = np.zeros(re.shape, np.complex128)
    stockham_fft(R**K, R, K, re + 1j * im, y)
    return total(y.real) + total(y.imag)


def stockham_fft_arguments(rng, R, K):
    return rng.normal(size=R**K), rng.normal(size=R**K), R, K


def recursive_fft(x):
    """Of a length that is a power of two, half by half."""
    n = x.shape[0]
    if n == 1:
        return x
    even, odd = recursive_fft(x[::2]), recursive_fft(x[1::2])
    turned = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
    return np.concatenate([even + turned, even - turned])


def recursive_fft_loss(re, im):
    y = recursive_fft(re + 1j * im)
    return total(y.real) + total(y.imag)


def recursive_fft_arguments(rng, n):
    return rng.normal(size=n), rng.normal(size=n)


def spectral_heat(u, kappa, dt, steps):
    """Steps of diffusion and growth, the first in Fourier's space."""
    k = 2 * np.pi * np.fft.fftfreq(u.shape[0])
    decay = np.exp(-kappa * k**2 * dt)
    for _ in range(steps):
        u = np.fft.ifft(decay * np.fft.fft(u)).real
        u = u + dt * u * (1.0 - u)
    return u


def spectral_heat_loss(u, kappa, dt, steps):
    return total(spectral_heat(u, kappa, dt, steps))


def spectral_heat_arguments(rng, n, steps):
    return rng.uniform(size=n), 0.3, 0.1, steps


def contour_integral(NR, NM, slab_per_bc, Ham, int_pts, Y):
    """Moments of the inverse of a matrix polynomial, over points of a contour."""
    P0 = np.zeros((NR, NM), dtype=np.complex128)
    P1 = np.zeros((NR, NM), dtype=np.complex128)
    for z in int_pts:
        Tz = np.zeros((NR, NR), dtype=np.complex128)
        for n in range(slab_per_bc + 1):
            zz = np.power(z, slab_per_bc / 2 - n)
            Tz += zz * Ham[n]
        X = np.linalg.inv(Tz) if NR == NM else np.linalg.solve(Tz, Y)
        if abs(z) < 1.0:
            X = -X
        P0 += X
        P1 += z * X
    return P0, P1


def contour_integral_loss(ham_re, ham_im, int_pts, Y, slab_per_bc):
    P0, P1 = contour_integral(Y.shape[0], Y.shape[1], slab_per_bc, ham_re + 1j * ham_im, int_pts, Y)
    return total(P0.real) + total(P0.imag) + total(P1.real) + total(P1.imag)


def contour_integral_arguments(rng, n, m, points):
    ham = rng.normal(size=(3, n, n)) + 3 * np.eye(n), rng.normal(size=(3, n, n))
    int_pts = rng.uniform(0.5, 1.5, size=points) * np.exp(1j * rng.uniform(0, 6, size=points))
    return *ham, int_pts, rng.normal(size=(n, m)) + 1j * rng.normal(size=(n, m)), 2


def scattering_self_energies(neigh_idx, dH, G, D, Sigma):
    """Sums over momenta, energies and frequencies of products of three small matrices."""
    for k in range(G.shape[0]):
        for E in range(G.shape[1]):
            for q in range(D.shape[0]):
                for w in range(D.shape[1]):
                    for i in range(D.shape[-2]):
                        for j in range(D.shape[-1]):
                            for a in range(neigh_idx.shape[0]):
                                for b in range(neigh_idx.shape[1]):
                                    if E - w >= 0:
                                        dHG = G[k, E - w, neigh_idx[a, b]] @ dH[a, b, i]
                                        dHD = dH[a, b, j] * D[q, w, a, b, i, j]
                                        Sigma[k, E, a] += dHG @ dHD


def scattering_self_energies_loss(neigh_idx, dH, g_re, g_im, d_re, d_im, Sigma):
    scattering_self_energies(neigh_idx, dH, g_re + 1j * g_im, d_re + 1j * d_im, Sigma)
    return total(Sigma.real) + total(Sigma.imag)


def scattering_self_energies_arguments(rng, nk, ne, nq, nw, n3d, na, nb, norb):
    neigh_idx = (np.arange(na)[:, None] + np.arange(nb) - nb // 2) % na
    dH = rng.normal(size=(na, nb, n3d, norb, norb)) + 1j * rng.normal(
        size=(na, nb, n3d, norb, norb)
    )
    G, D = (nk, ne, na, norb, norb), (nq, nw, na, nb, n3d, n3d)
    parts = (rng.normal(size=shape) for shape in (G, G, D, D))
    return neigh_idx, dH, *parts, np.zeros(G, np.complex128)


KERNELS = (
    Kernel(stockham_fft_loss, stockham_fft_arguments, wrt=(0, 1), sizes=((2, 3), (2, 8), (2, 15))),
    Kernel(recursive_fft_loss, recursive_fft_arguments, wrt=(0, 1), sizes=((8,), (64,), (256,))),
    Kernel(
        spectral_heat_loss,
        spectral_heat_arguments,
        wrt=(0, 1),
        sizes=((8, 3), (128, 20), (2_048, 100)),
    ),
    Kernel(
        contour_integral_loss,
        contour_integral_arguments,
        wrt=(0, 1),
        sizes=((4, 3, 3), (12, 8, 10), (50, 40, 20)),
    ),
    Kernel(
        scattering_self_energies_loss,
        scattering_self_energies_arguments,
        wrt=(2, 3, 4, 5),
        written=(6,),
        sizes=((1, 2, 1, 2, 2, 3, 2, 2), (2, 3, 2, 2, 2, 4, 3, 3), (2, 4, 2, 2, 2, 6, 4, 6)),
    ),
)
