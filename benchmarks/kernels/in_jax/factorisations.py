"""Loops of dots: slices of a length that is computed are masks."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import jax.numpy as jnp
from jax import lax


def before(n, j):
    """1 for the places before `j`."""
    return (jnp.arange(n) < j).astype(float)


def cholesky(A):
    n = A.shape[0]

    def row(i, A):
        def column(j, A):
            dot = jnp.dot(A[i] * before(n, j), A[j])
            return A.at[i, j].set((A[i, j] - dot) / A[j, j])

        A = lax.fori_loop(0, n, lambda j, A: lax.cond(j < i, column, lambda j, A: A, j, A), A)
        own = A[i] * before(n, i)
        return A.at[i, i].set(jnp.sqrt(A[i, i] - jnp.dot(own, own)))

    return jnp.sum(lax.fori_loop(0, n, row, A))


def cholesky2(A):
    return jnp.sum(jnp.linalg.cholesky(A) + jnp.triu(A, k=1))


def lu_of(A):
    n = A.shape[0]

    def row(i, A):
        def column(j, A):
            dot = jnp.dot(A[i] * before(n, jnp.minimum(i, j)), A[:, j])
            new = A[i, j] - dot
            return A.at[i, j].set(jnp.where(j < i, new / A[j, j], new))

        return lax.fori_loop(0, n, column, A)

    return lax.fori_loop(0, n, row, A)


def lu(A):
    return jnp.sum(lu_of(A))


def ludcmp(A, b):
    n = A.shape[0]
    A = lu_of(A)

    def ahead(i, y):
        return y.at[i].set(b[i] - jnp.dot(A[i] * before(n, i), y))

    y = lax.fori_loop(0, n, ahead, jnp.zeros(n))

    def back(k, x):
        i = n - 1 - k
        return x.at[i].set((y[i] - jnp.dot(A[i] * (1 - before(n, i + 1)), x)) / A[i, i])

    x = lax.fori_loop(0, n, back, jnp.zeros(n))
    return jnp.sum(x) + jnp.sum(y) + jnp.sum(A)


def pivoted(A, b):
    n = len(b)

    def eliminate(k, system):
        A, b = system
        best = jnp.argmax(jnp.where(jnp.arange(n) >= k, jnp.abs(A[:, k]), -1.0))
        row, other, b_k, b_best = A[k], A[best], b[k], b[best]
        A = A.at[k].set(other).at[best].set(row)
        b = b.at[k].set(b_best).at[best].set(b_k)
        factors = jnp.where(jnp.arange(n) > k, A[:, k] / A[k, k], 0.0)
        return A - jnp.outer(factors, A[k]), b - factors * b[k]

    A, b = lax.fori_loop(0, n - 1, eliminate, (A, b))

    def back(i, x):
        k = n - 1 - i
        return x.at[k].set((b[k] - jnp.dot(A[k] * (1 - before(n, k + 1)), x)) / A[k, k])

    return jnp.sum(lax.fori_loop(0, n, back, jnp.zeros(n)))


def gramschmidt(A):
    n = A.shape[1]

    def column(k, carry):
        Q, R, A = carry
        norm = jnp.sqrt(jnp.dot(A[:, k], A[:, k]))
        q = A[:, k] / norm
        dots = jnp.where(jnp.arange(n) > k, q @ A, 0.0)
        R = R.at[k].set(dots).at[k, k].set(norm)
        return Q.at[:, k].set(q), R, A - jnp.outer(q, dots)

    Q, R, A = lax.fori_loop(0, n, column, (jnp.zeros_like(A), jnp.zeros((n, n)), A))
    return jnp.sum(Q) + jnp.sum(R) + jnp.sum(A)


def durbin(r):
    n = len(r)
    places = jnp.arange(n)

    def step(k, carry):
        alpha, beta, y = carry
        beta = beta * (1.0 - alpha * alpha)
        turned = jnp.where(places < k, y[(k - 1 - places) % n], 0.0)
        alpha = -(r[k] + jnp.dot(r, turned)) / beta
        return alpha, beta, (y + alpha * turned).at[k].set(alpha)

    y = jnp.zeros(n).at[0].set(-r[0])
    return jnp.sum(lax.fori_loop(1, n, step, (-r[0], 1.0, y))[2])


def trisolv(L, x, b):
    n = len(b)

    def row(i, x):
        return x.at[i].set((b[i] - jnp.dot(L[i] * before(n, i), x)) / L[i, i])

    return jnp.sum(lax.fori_loop(0, n, row, x))
