"""Sweeps: rows are scanned, and what a row needs of its own beginning is a scan in it."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import jax.numpy as jnp
from jax import lax


def seidel_2d(A, steps):
    def element(left, rest):
        new = (rest + left) / 9.0
        return new, new

    def row(i, A):
        above, own, below = A[i - 1], A[i], A[i + 1]
        rest = own[1:-1] + above[:-2] + above[1:-1] + above[2:] + own[2:]
        rest = rest + below[:-2] + below[1:-1] + below[2:]
        _, new = lax.scan(element, own[0], rest)
        return A.at[i, 1:-1].set(new)

    def sweep(_, A):
        return lax.fori_loop(1, A.shape[0] - 1, row, A)

    return jnp.sum(lax.fori_loop(0, steps, sweep, A))


def red_black(p, b, omega, steps):
    """Both colours at once, by masks: there are no slices of a step that is computed."""
    i, j = jnp.indices(p.shape)
    inner = (i > 0) & (i < p.shape[0] - 1) & (j > 0) & (j < p.shape[1] - 1)

    def colour(p, parity):
        mean = 0.25 * (
            jnp.roll(p, 1, 0) + jnp.roll(p, -1, 0) + jnp.roll(p, 1, 1) + jnp.roll(p, -1, 1) - b
        )
        return jnp.where(inner & ((i + j) % 2 == parity), p + omega * (mean - p), p)

    def sweep(_, p):
        return colour(colour(p, 0), 1)

    return jnp.sum(lax.fori_loop(0, steps, sweep, p))


def tridiagonal_sweep(right, lower, diagonal, ends):
    """Thomas's algorithm for each column of `right`, between two fixed ends."""

    def ahead(carry, r):
        p, q = carry
        pivot = lower * p + diagonal
        made = (-lower / pivot, (r - lower * q) / pivot)
        return made, made

    zeros = jnp.zeros_like(right[0])
    _, (p, q) = lax.scan(ahead, (zeros, zeros + ends), right)

    def back(v, pq):
        v = pq[0] * v + pq[1]
        return v, v

    _, inner = lax.scan(back, zeros + ends, (p, q), reverse=True)
    return inner


def adi(u, steps):
    n = u.shape[0]
    h, tau = 1.0 / n, 1.0 / steps
    mul_1, mul_2 = 2.0 * tau / h**2, tau / h**2
    a, b = -mul_1 / 2.0, 1.0 + mul_1
    d, e = -mul_2 / 2.0, 1.0 + mul_2

    def step(_, u):
        right = -d * u[1:-1, :-2] + (1.0 + 2.0 * d) * u[1:-1, 1:-1] - d * u[1:-1, 2:]
        inner = tridiagonal_sweep(right, a, b, 1.0)
        v = jnp.ones_like(u).at[1:-1, 1:-1].set(inner)
        right = -a * v[:-2, 1:-1] + (1.0 + 2.0 * a) * v[1:-1, 1:-1] - a * v[2:, 1:-1]
        inner = tridiagonal_sweep(right.T, d, e, 1.0).T
        u = u.at[1:-1, 1:-1].set(inner)
        return u.at[1:-1, 0].set(1.0).at[1:-1, -1].set(1.0)

    return jnp.sum(lax.fori_loop(0, steps, step, u))
