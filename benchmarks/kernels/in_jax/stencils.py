"""Stencils: new arrays by `at`, in loops over time."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import jax.numpy as jnp
from jax import lax


def jacobi_1d(A, B, steps):
    def step(_, fields):
        A, B = fields
        B = B.at[1:-1].set(0.33333 * (A[:-2] + A[1:-1] + A[2:]))
        A = A.at[1:-1].set(0.33333 * (B[:-2] + B[1:-1] + B[2:]))
        return A, B

    A, B = lax.fori_loop(0, steps, step, (A, B))
    return jnp.sum(A) + jnp.sum(B)


def cross(U):
    return 0.2 * (U[1:-1, 1:-1] + U[1:-1, :-2] + U[1:-1, 2:] + U[2:, 1:-1] + U[:-2, 1:-1])


def jacobi_2d(A, B, steps):
    def step(_, fields):
        A, B = fields
        B = B.at[1:-1, 1:-1].set(cross(A))
        A = A.at[1:-1, 1:-1].set(cross(B))
        return A, B

    A, B = lax.fori_loop(0, steps, step, (A, B))
    return jnp.sum(A) + jnp.sum(B)


def heated(U):
    inner = U[1:-1, 1:-1, 1:-1]
    return (
        0.125 * (U[2:, 1:-1, 1:-1] - 2.0 * inner + U[:-2, 1:-1, 1:-1])
        + 0.125 * (U[1:-1, 2:, 1:-1] - 2.0 * inner + U[1:-1, :-2, 1:-1])
        + 0.125 * (U[1:-1, 1:-1, 2:] - 2.0 * inner + U[1:-1, 1:-1, :-2])
        + inner
    )


def heat_3d(A, B, steps):
    def step(_, fields):
        A, B = fields
        B = B.at[1:-1, 1:-1, 1:-1].set(heated(A))
        A = A.at[1:-1, 1:-1, 1:-1].set(heated(B))
        return A, B

    A, B = lax.fori_loop(0, steps, step, (A, B))
    return jnp.sum(A) + jnp.sum(B)


def burgers(u, nu, steps):
    dx = 2 * jnp.pi / (len(u) - 1)
    dt = 0.2 * dx

    def step(_, v):
        inner = (
            v[1:-1]
            - dt / dx * v[1:-1] * (v[1:-1] - v[:-2])
            + nu * dt / dx**2 * (v[2:] - 2 * v[1:-1] + v[:-2])
        )
        end = v[0] - dt / dx * v[0] * (v[0] - v[-2]) + nu * dt / dx**2 * (v[1] - 2 * v[0] + v[-2])
        return jnp.concatenate([end[None], inner, end[None]])

    return jnp.sum(lax.fori_loop(0, steps, step, u))
