"""Elementwise: masks are `where`, groups are sums over segments."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax


def compute(array_1, array_2, a, b, c):
    return jnp.sum(jnp.clip(array_1, 2, 10) * a + array_2 * b + c)


def arc_distance(theta_1, phi_1, theta_2, phi_2):
    temp = (
        jnp.sin((theta_2 - theta_1) / 2) ** 2
        + jnp.cos(theta_1) * jnp.cos(theta_2) * jnp.sin((phi_2 - phi_1) / 2) ** 2
    )
    return jnp.sum(2 * jnp.arctan2(jnp.sqrt(temp), jnp.sqrt(1 - temp)))


def go_fast(a):
    return jnp.sum(a + jnp.sum(jnp.tanh(jnp.diag(a))))


def spmv(A_row, A_col, A_val, x):
    rows = jnp.repeat(jnp.arange(A_row.size - 1), jnp.diff(A_row), total_repeat_length=A_val.size)
    return jnp.sum(jax.ops.segment_sum(A_val * x[A_col], rows, A_row.size - 1))


def smooth(N, size):
    return N + 1 - jnp.log(jnp.log(2.0 + size)) / jnp.log(2.0)


def mandelbrot(X, Y, maxiter, horizon):
    C = X + Y[:, None] * 1j

    def iterate(n, state):
        Z, N = state
        near = jnp.abs(Z) < horizon
        return jnp.where(near, Z * Z + C, Z), jnp.where(near, n, N)

    Z, N = lax.fori_loop(0, maxiter, iterate, (jnp.zeros_like(C), jnp.zeros(C.shape, int)))
    N = jnp.where(maxiter - 1 == N, 0, N)
    # a zero's absolute value has no derivative: nobody is there
    return jnp.sum(smooth(N, jnp.abs(Z)))


def azimint_naive(data, radius, npt):
    rmax = radius.max()

    def ring(_, i):
        inside = (rmax * i / npt <= radius) & (radius < rmax * (i + 1) / npt)
        return None, jnp.sum(jnp.where(inside, data, 0.0)) / jnp.sum(inside)

    return jnp.sum(lax.scan(ring, None, jnp.arange(npt))[1])


def azimint_hist(data, radius, npt):
    place = jnp.minimum((npt * radius / radius.max()).astype(int), npt - 1)
    sums = jax.ops.segment_sum(data, place, npt)
    counts = jax.ops.segment_sum(jnp.ones_like(data), place, npt)
    return jnp.sum(sums / jnp.maximum(counts, 1.0))


def soft_histogram(values, centres, width):
    bumps = jnp.exp(-0.5 * ((centres - values[:, None]) / width) ** 2)
    counts = jnp.sum(bumps / jnp.sum(bumps, axis=1, keepdims=True), axis=0)
    return jnp.sum(counts**2)
