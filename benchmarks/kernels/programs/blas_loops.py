"""Products of triangular and symmetric matrices, and what is said of columns, row by row."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from benchmarks.kernels.kernel import Kernel, total


def trmm(alpha, A, B):
    for i in range(B.shape[0]):
        for j in range(B.shape[1]):
            B[i, j] += np.dot(A[i + 1 :, i], B[i + 1 :, j])
    B *= alpha


def trmm_loss(alpha, A, B):
    trmm(alpha, A, B)
    return total(B)


def trmm_arguments(rng, n, m):
    return 1.5, rng.normal(size=(n, n)), rng.normal(size=(n, m))


def syrk(alpha, beta, C, A):
    for i in range(A.shape[0]):
        C[i, : i + 1] *= beta
        for k in range(A.shape[1]):
            C[i, : i + 1] += alpha * A[i, k] * A[: i + 1, k]


def syrk_loss(alpha, beta, C, A):
    syrk(alpha, beta, C, A)
    return total(C)


def syrk_arguments(rng, n, m):
    return 1.5, 1.2, rng.normal(size=(n, n)), rng.normal(size=(n, m))


def syr2k(alpha, beta, C, A, B):
    for i in range(A.shape[0]):
        C[i, : i + 1] *= beta
        for k in range(A.shape[1]):
            C[i, : i + 1] += A[: i + 1, k] * alpha * B[i, k] + B[: i + 1, k] * alpha * A[i, k]


def syr2k_loss(alpha, beta, C, A, B):
    syr2k(alpha, beta, C, A, B)
    return total(C)


def syr2k_arguments(rng, n, m):
    return (*syrk_arguments(rng, n, m), rng.normal(size=(n, m)))


def symm(alpha, beta, C, A, B):
    temp2 = np.empty((C.shape[1],), dtype=C.dtype)
    C *= beta
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            C[:i, j] += alpha * B[i, j] * A[i, :i]
            temp2[j] = B[:i, j] @ A[i, :i]
        C[i, :] += alpha * B[i, :] * A[i, i] + alpha * temp2


def symm_loss(alpha, beta, C, A, B):
    symm(alpha, beta, C, A, B)
    return total(C)


def symm_arguments(rng, n, m):
    return 1.5, 1.2, rng.normal(size=(n, m)), rng.normal(size=(n, n)), rng.normal(size=(n, m))


def correlation(n, data):
    mean = np.mean(data, axis=0)
    stddev = np.std(data, axis=0)
    stddev[stddev <= 0.1] = 1.0
    data -= mean
    data /= np.sqrt(n) * stddev
    corr = np.eye(data.shape[1], dtype=data.dtype)
    for i in range(data.shape[1] - 1):
        corr[i + 1 :, i] = corr[i, i + 1 :] = data[:, i] @ data[:, i + 1 :]
    return corr


def correlation_loss(data):
    corr = correlation(float(data.shape[0]), data)
    return total(corr) + total(data)


def covariance(n, data):
    mean = np.mean(data, axis=0)
    data -= mean
    cov = np.zeros((data.shape[1], data.shape[1]), dtype=data.dtype)
    for i in range(data.shape[1]):
        cov[i:, i] = data[:, i] @ data[:, i:] / (n - 1.0)
        cov[i, i:] = cov[i:, i]
    return cov


def covariance_loss(data):
    cov = covariance(float(data.shape[0]), data)
    return total(cov) + total(data)


def data_arguments(rng, n, m):
    return (rng.normal(size=(n, m)),)


TALL = ((6, 4), (60, 40), (240, 160))
KERNELS = (
    Kernel(
        trmm_loss,
        trmm_arguments,
        wrt=(1, 2),
        written=(2,),
        sizes=((5, 4), (24, 20), (70, 60)),
    ),
    Kernel(
        syrk_loss,
        syrk_arguments,
        wrt=(2, 3),
        written=(2,),
        sizes=((5, 4), (30, 25), (100, 80)),
    ),
    Kernel(
        syr2k_loss,
        syr2k_arguments,
        wrt=(2, 3, 4),
        written=(2,),
        sizes=((5, 4), (30, 25), (100, 80)),
    ),
    Kernel(
        symm_loss,
        symm_arguments,
        wrt=(2, 3, 4),
        written=(2,),
        sizes=((4, 5), (20, 25), (60, 80)),
    ),
    Kernel(correlation_loss, data_arguments, wrt=(0,), written=(0,), sizes=TALL),
    Kernel(covariance_loss, data_arguments, wrt=(0,), written=(0,), sizes=TALL),
)
