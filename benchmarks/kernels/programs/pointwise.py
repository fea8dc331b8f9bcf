"""Elementwise, with masks, fancy indices and clips: what is done to pixels, events and rows."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from benchmarks.kernels.kernel import Kernel, total


def compute(array_1, array_2, a, b, c):
    return np.clip(array_1, 2, 10) * a + array_2 * b + c


def compute_loss(array_1, array_2, a, b, c):
    return total(compute(array_1, array_2, a, b, c))


def compute_arguments(rng, n, m):
    return rng.uniform(0, 12, size=(n, m)), rng.uniform(0, 12, size=(n, m)), 4.0, 3.0, 9.0


def arc_distance(theta_1, phi_1, theta_2, phi_2):
    temp = (
        np.sin((theta_2 - theta_1) / 2) ** 2
        + np.cos(theta_1) * np.cos(theta_2) * np.sin((phi_2 - phi_1) / 2) ** 2
    )
    return 2 * (np.arctan2(np.sqrt(temp), np.sqrt(1 - temp)))


def arc_distance_loss(theta_1, phi_1, theta_2, phi_2):
    return total(arc_distance(theta_1, phi_1, theta_2, phi_2))


def arc_distance_arguments(rng, n):
    return tuple(rng.uniform(0.1, 1.4, size=n) for _ in range(4))


def go_fast(a):
    trace = 0.0
    for i in range(a.shape[0]):
        trace += np.tanh(a[i, i])
    return a + trace


def go_fast_loss(a):
    return total(go_fast(a))


def square_arguments(rng, n):
    return (rng.normal(size=(n, n)),)


def spmv(A_row, A_col, A_val, x):
    """A matrix in compressed rows, times a vector."""
    y = np.empty(A_row.size - 1, A_val.dtype)
    for i in range(A_row.size - 1):
        cols = A_col[A_row[i] : A_row[i + 1]]
        vals = A_val[A_row[i] : A_row[i + 1]]
        y[i] = vals @ x[cols]
    return y


def spmv_loss(A_row, A_col, A_val, x):
    return total(spmv(A_row, A_col, A_val, x))


def spmv_arguments(rng, n, in_row):
    counts = rng.integers(0, 2 * in_row, size=n)
    A_row = np.concatenate([[0], np.cumsum(counts)])
    A_col = np.concatenate([rng.choice(n, size=c, replace=c > n) for c in counts])
    return A_row, A_col.astype(np.int64), rng.normal(size=A_row[-1]), rng.normal(size=n)


def mandelbrot(X, Y, maxiter, horizon):
    """Iterates of each point, where it is still near; how fast it left, smoothly."""
    C = X + Y[:, None] * 1j
    N = np.zeros(C.shape, dtype=np.int64)
    Z = np.zeros(C.shape, dtype=np.complex128)
    for n in range(maxiter):
        near = np.less(abs(Z), horizon)
        N[near] = n
        Z[near] = Z[near] ** 2 + C[near]
    N[maxiter - 1 == N] = 0
    return Z, N


def mandelbrot_loss(X, Y, maxiter, horizon):
    Z, N = mandelbrot(X, Y, maxiter, horizon)
    return total(N + 1 - np.log(np.log(2.0 + abs(Z))) / np.log(2.0))


def mandelbrot_arguments(rng, n, maxiter):
    X = np.linspace(-2.0, 0.5, n) + 0.01 * rng.normal(size=n)
    Y = np.linspace(-1.25, 1.25, n + 1) + 0.01 * rng.normal(size=n + 1)
    return X, Y, maxiter, 2.0


def mandelbrot_shrinking(X, Y, maxiter, horizon):
    """The same, where the points that have left are taken out of the arrays."""
    C = X + Y[:, None] * 1j
    C = C.reshape(-1)
    left = np.zeros(C.shape)
    place = np.arange(C.size)
    Z = np.zeros(C.shape, np.complex128)
    for _ in range(maxiter):
        if len(Z) == 0:
            break
        Z = np.multiply(Z, Z)
        Z = np.add(Z, C)
        far = np.abs(Z) > horizon
        left[place[far]] = np.abs(Z[far])
        stays = ~far
        place, Z, C = place[stays], Z[stays], C[stays]
    return left


def mandelbrot_shrinking_loss(X, Y, maxiter, horizon):
    return total(mandelbrot_shrinking(X, Y, maxiter, horizon))


def azimint_naive(data, radius, npt):
    """Means over rings, a mask for each."""
    rmax = radius.max()
    res = np.zeros(npt)
    for i in range(npt):
        r1 = rmax * i / npt
        r2 = rmax * (i + 1) / npt
        mask_r12 = np.logical_and((r1 <= radius), (radius < r2))
        res[i] = data[mask_r12].mean()
    return res


def azimint_naive_loss(data, radius, npt):
    return total(azimint_naive(data, radius, npt))


def azimint_arguments(rng, n, npt):
    radius = rng.uniform(size=n)
    radius[:npt] = (np.arange(npt) + 0.5) / npt
    return rng.uniform(size=n), radius, npt


def histogram(values, weights, lowest, highest, bins):
    """Sums of weights by bin, and how many there are."""
    place = (bins * (values - lowest) / (highest - lowest)).astype(np.int64)
    place[place == bins] = bins - 1
    sums, counts = np.zeros(bins), np.zeros(bins)
    np.add.at(sums, place, weights)
    np.add.at(counts, place, 1.0)
    return sums, counts


def azimint_hist(data, radius, npt):
    """Means over rings by histograms."""
    sums, counts = histogram(radius, data, 0.0, np.max(radius), npt)
    return sums / np.maximum(counts, 1.0)


def azimint_hist_loss(data, radius, npt):
    return total(azimint_hist(data, radius, npt))


def soft_histogram(values, centres, width):
    """Counts of normal bumps around each value: a histogram that has a derivative."""
    counts = np.zeros(centres.shape)
    for i in range(values.shape[0]):
        bump = np.exp(-0.5 * ((centres - values[i]) / width) ** 2)
        counts += bump / bump.sum()
    return counts


def soft_histogram_loss(values, centres, width):
    return total(soft_histogram(values, centres, width) ** 2)


def soft_histogram_arguments(rng, n, bins):
    return rng.uniform(size=n), (np.arange(bins) + 0.5) / bins, 1.5 / bins


KERNELS = (
    Kernel(
        compute_loss, compute_arguments, wrt=(0, 1, 2, 3, 4), sizes=((4, 5), (60, 80), (600, 800))
    ),
    Kernel(
        arc_distance_loss,
        arc_distance_arguments,
        wrt=(0, 1, 2, 3),
        sizes=((6,), (1_000,), (100_000,)),
    ),
    Kernel(go_fast_loss, square_arguments, wrt=(0,), sizes=((5,), (60,), (600,))),
    Kernel(spmv_loss, spmv_arguments, wrt=(2, 3), sizes=((6, 3), (100, 10), (2_000, 30))),
    Kernel(
        mandelbrot_loss,
        mandelbrot_arguments,
        wrt=(0, 1),
        sizes=((4, 5), (24, 20), (120, 50)),
        kinks=True,
    ),
    Kernel(
        mandelbrot_shrinking_loss,
        mandelbrot_arguments,
        wrt=(0, 1),
        sizes=((4, 5), (24, 20), (120, 50)),
        kinks=True,
        without_jax="arrays get shorter by what is in them",
    ),
    Kernel(
        azimint_naive_loss, azimint_arguments, wrt=(0,), sizes=((12, 3), (1_000, 20), (40_000, 100))
    ),
    Kernel(
        azimint_hist_loss, azimint_arguments, wrt=(0,), sizes=((12, 3), (1_000, 20), (40_000, 100))
    ),
    Kernel(
        soft_histogram_loss,
        soft_histogram_arguments,
        wrt=(0, 1, 2),
        sizes=((6, 4), (100, 30), (1_000, 200)),
    ),
)
