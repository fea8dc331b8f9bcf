"""Products of matrices and vectors: the NumPy text without its writes."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import jax.numpy as jnp


def atax(A, x):
    return jnp.sum((A @ x) @ A)


def bicg(A, p, r):
    return jnp.sum(r @ A) + jnp.sum(A @ p)


def mvt(x1, x2, y_1, y_2, A):
    return jnp.sum(x1 + A @ y_1) + jnp.sum(x2 + y_2 @ A)


def gesummv(alpha, beta, A, B, x):
    return jnp.sum(alpha * A @ x + beta * B @ x)


def gemver(alpha, beta, A, u1, v1, u2, v2, w, x, y, z):
    A = A + jnp.outer(u1, v1) + jnp.outer(u2, v2)
    x = x + beta * y @ A + z
    w = w + alpha * A @ x
    return jnp.sum(A) + jnp.sum(x) + jnp.sum(w)


def gemm(alpha, beta, C, A, B):
    return jnp.sum(alpha * A @ B + beta * C)


def two_products(alpha, beta, A, B, C, D):
    return jnp.sum(alpha * A @ B @ C + beta * D)


def three_products(A, B, C, D):
    return jnp.sum(A @ B @ C @ D)
