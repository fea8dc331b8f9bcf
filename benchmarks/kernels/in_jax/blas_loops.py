"""Products of triangular and symmetric matrices; where whole products say the same, they are whole."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import jax.numpy as jnp
from jax import lax


def trmm(alpha, A, B):
    return jnp.sum(alpha * (B + jnp.tril(A, -1).T @ B))


def lower(n):
    return jnp.tril(jnp.ones((n, n), bool))


def syrk(alpha, beta, C, A):
    return jnp.sum(jnp.where(lower(len(C)), beta * C + alpha * A @ A.T, C))


def syr2k(alpha, beta, C, A, B):
    return jnp.sum(jnp.where(lower(len(C)), beta * C + alpha * (A @ B.T + B @ A.T), C))


def symm(alpha, beta, C, A, B):
    symmetric = jnp.tril(A) + jnp.tril(A, -1).T
    return jnp.sum(beta * C + alpha * symmetric @ B)


def centred(data):
    return data - jnp.mean(data, axis=0)


def correlation(data):
    stddev = jnp.std(data, axis=0)
    stddev = jnp.where(stddev <= 0.1, 1.0, stddev)
    data = centred(data) / (jnp.sqrt(float(data.shape[0])) * stddev)
    m = data.shape[1]

    def column(i, corr):
        row = jnp.where(jnp.arange(m) > i, data[:, i] @ data, corr[i])
        return corr.at[i].set(row).at[:, i].set(jnp.where(jnp.arange(m) > i, row, corr[:, i]))

    return jnp.sum(lax.fori_loop(0, m - 1, column, jnp.eye(m))) + jnp.sum(data)


def covariance(data):
    data = centred(data)
    return jnp.sum(data.T @ data / (data.shape[0] - 1.0)) + jnp.sum(data)
