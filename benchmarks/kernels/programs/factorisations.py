"""Factorisations and triangular systems as loops of dots, in place."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from benchmarks.kernels.kernel import Kernel, total


def positive(rng, n):
    """A well-conditioned symmetric positive definite matrix."""
    a = rng.normal(size=(n, n))
    return a @ a.T / n + np.eye(n)


def cholesky(A):
    A[0, 0] = np.sqrt(A[0, 0])
    for i in range(1, A.shape[0]):
        for j in range(i):
            A[i, j] -= np.dot(A[i, :j], A[j, :j])
            A[i, j] /= A[j, j]
        A[i, i] -= np.dot(A[i, :i], A[i, :i])
        A[i, i] = np.sqrt(A[i, i])


def cholesky_loss(A):
    cholesky(A)
    return total(A)


def matrix_arguments(rng, n):
    return (positive(rng, n),)


def cholesky2(A):
    A[:] = np.linalg.cholesky(A) + np.triu(A, k=1)


def cholesky2_loss(A):
    cholesky2(A)
    return total(A)


def lu(A):
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] -= A[i, :j] @ A[:j, j]
            A[i, j] /= A[j, j]
        for j in range(i, A.shape[0]):
            A[i, j] -= A[i, :i] @ A[:i, j]


def lu_loss(A):
    lu(A)
    return total(A)


def ludcmp(A, b):
    x = np.zeros_like(b)
    y = np.zeros_like(b)
    n = A.shape[0]
    lu(A)
    for i in range(n):
        y[i] = b[i] - A[i, :i] @ y[:i]
    for i in range(n - 1, -1, -1):
        x[i] = (y[i] - A[i, i + 1 :] @ x[i + 1 :]) / A[i, i]
    return x, y


def ludcmp_loss(A, b):
    x, y = ludcmp(A, b)
    return total(x) + total(y) + total(A)


def system_arguments(rng, n):
    return positive(rng, n), rng.normal(size=n)


def pivoted(A, b):
    """Elimination with exchange of rows, then the system."""
    n = len(b)
    for k in range(n - 1):
        best = k + np.argmax(np.abs(A[k:, k]))
        if best != k:
            A[[k, best]] = A[[best, k]]
            b[[k, best]] = b[[best, k]]
        factors = A[k + 1 :, k] / A[k, k]
        A[k + 1 :, k:] -= np.outer(factors, A[k, k:])
        b[k + 1 :] -= factors * b[k]
    x = np.zeros(n)
    for k in range(n - 1, -1, -1):
        x[k] = (b[k] - np.dot(A[k, k + 1 :], x[k + 1 :])) / A[k, k]
    return x


def pivoted_loss(A, b):
    x = pivoted(A, b)
    return total(x)


def pivoted_arguments(rng, n):
    return rng.normal(size=(n, n)) + 2 * np.eye(n)[::-1], rng.normal(size=n)


def gramschmidt(A):
    Q = np.zeros_like(A)
    R = np.zeros((A.shape[1], A.shape[1]), dtype=A.dtype)
    for k in range(A.shape[1]):
        norm = np.dot(A[:, k], A[:, k])
        R[k, k] = np.sqrt(norm)
        Q[:, k] = A[:, k] / R[k, k]
        for j in range(k + 1, A.shape[1]):
            R[k, j] = np.dot(Q[:, k], A[:, j])
            A[:, j] -= Q[:, k] * R[k, j]
    return Q, R


def gramschmidt_loss(A):
    Q, R = gramschmidt(A)
    return total(Q) + total(R) + total(A)


def gramschmidt_arguments(rng, n):
    return (rng.normal(size=(n + n // 4, n)) + 2 * np.eye(n + n // 4, n),)


def durbin(r):
    y = np.empty_like(r)
    alpha = -r[0]
    beta = 1.0
    y[0] = -r[0]
    for k in range(1, r.shape[0]):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(np.flip(r[:k]), y[:k])) / beta
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha
    return y


def durbin_loss(r):
    return total(durbin(r))


def durbin_arguments(rng, n):
    return (0.4 ** np.arange(1, n + 1) * rng.uniform(0.5, 1.0, size=n),)


def trisolv(L, x, b):
    for i in range(x.shape[0]):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]


def trisolv_loss(L, x, b):
    trisolv(L, x, b)
    return total(x)


def trisolv_arguments(rng, n):
    return np.tril(rng.normal(size=(n, n)) / n) + np.eye(n), np.zeros(n), rng.normal(size=n)


KERNELS = (
    Kernel(
        cholesky_loss,
        matrix_arguments,
        wrt=(0,),
        written=(0,),
        sizes=((5,), (24,), (80,)),
    ),
    Kernel(
        cholesky2_loss,
        matrix_arguments,
        wrt=(0,),
        written=(0,),
        sizes=((5,), (60,), (250,)),
        symmetric=True,
    ),
    Kernel(lu_loss, matrix_arguments, wrt=(0,), written=(0,), sizes=((5,), (24,), (80,))),
    Kernel(ludcmp_loss, system_arguments, wrt=(0, 1), written=(0,), sizes=((5,), (24,), (80,))),
    Kernel(
        pivoted_loss,
        pivoted_arguments,
        wrt=(0, 1),
        written=(0, 1),
        sizes=((5,), (24,), (100,)),
        kinks=True,
    ),
    Kernel(
        gramschmidt_loss,
        gramschmidt_arguments,
        wrt=(0,),
        written=(0,),
        sizes=((4,), (24,), (60,)),
    ),
    Kernel(durbin_loss, durbin_arguments, wrt=(0,), sizes=((6,), (60,), (400,))),
    Kernel(
        trisolv_loss,
        trisolv_arguments,
        wrt=(0, 2),
        written=(1,),
        sizes=((6,), (60,), (400,)),
    ),
)
