"""Stencils in one, two and three dimensions, written in place in loops over time."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from benchmarks.kernels.kernel import Kernel, total


def jacobi_1d(steps, A, B):
    for _ in range(steps):
        B[1:-1] = 0.33333 * (A[:-2] + A[1:-1] + A[2:])
        A[1:-1] = 0.33333 * (B[:-2] + B[1:-1] + B[2:])


def jacobi_1d_loss(A, B, steps):
    jacobi_1d(steps, A, B)
    return total(A) + total(B)


def jacobi_1d_arguments(rng, n, steps):
    return rng.normal(size=n), rng.normal(size=n), steps


def jacobi_2d(steps, A, B):
    for _ in range(steps):
        B[1:-1, 1:-1] = 0.2 * (
            A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1]
        )
        A[1:-1, 1:-1] = 0.2 * (
            B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1]
        )


def jacobi_2d_loss(A, B, steps):
    jacobi_2d(steps, A, B)
    return total(A) + total(B)


def jacobi_2d_arguments(rng, n, steps):
    return rng.normal(size=(n, n)), rng.normal(size=(n, n)), steps


def second_differences(U):
    return (
        0.125 * (U[2:, 1:-1, 1:-1] - 2.0 * U[1:-1, 1:-1, 1:-1] + U[:-2, 1:-1, 1:-1])
        + 0.125 * (U[1:-1, 2:, 1:-1] - 2.0 * U[1:-1, 1:-1, 1:-1] + U[1:-1, :-2, 1:-1])
        + 0.125 * (U[1:-1, 1:-1, 2:] - 2.0 * U[1:-1, 1:-1, 1:-1] + U[1:-1, 1:-1, :-2])
    )


def heat_3d(steps, A, B):
    for _ in range(steps):
        B[1:-1, 1:-1, 1:-1] = second_differences(A) + A[1:-1, 1:-1, 1:-1]
        A[1:-1, 1:-1, 1:-1] = second_differences(B) + B[1:-1, 1:-1, 1:-1]


def heat_3d_loss(A, B, steps):
    heat_3d(steps, A, B)
    return total(A) + total(B)


def heat_3d_arguments(rng, n, steps):
    return rng.normal(size=(n, n, n)), rng.normal(size=(n, n, n)), steps


def burgers(u, nu, dx, dt, steps):
    """Viscous flow in one dimension, with periodic ends, upwind: the step is not linear."""
    for _ in range(steps):
        v = u.copy()
        u[1:-1] -= dt / dx * v[1:-1] * (v[1:-1] - v[:-2])
        u[1:-1] += nu * dt / dx**2 * (v[2:] - 2 * v[1:-1] + v[:-2])
        u[0] = v[0] - dt / dx * v[0] * (v[0] - v[-2]) + nu * dt / dx**2 * (v[1] - 2 * v[0] + v[-2])
        u[-1] = u[0]


def burgers_loss(u, nu, steps):
    dx = 2 * np.pi / (len(u) - 1)
    burgers(u, nu, dx, 0.2 * dx, steps)
    return total(u)


def burgers_arguments(rng, n, steps):
    return 1.0 + 0.5 * rng.uniform(size=n), 2.0 / n, steps


KERNELS = (
    Kernel(
        jacobi_1d_loss,
        jacobi_1d_arguments,
        wrt=(0, 1),
        written=(0, 1),
        sizes=((9, 4), (400, 100), (4_000, 500)),
    ),
    Kernel(
        jacobi_2d_loss,
        jacobi_2d_arguments,
        wrt=(0, 1),
        written=(0, 1),
        sizes=((6, 3), (40, 30), (150, 100)),
    ),
    Kernel(
        heat_3d_loss,
        heat_3d_arguments,
        wrt=(0, 1),
        written=(0, 1),
        sizes=((5, 2), (12, 20), (32, 40)),
    ),
    Kernel(
        burgers_loss,
        burgers_arguments,
        wrt=(0, 1),
        written=(0,),
        sizes=((8, 3), (200, 50), (2_000, 300)),
    ),
)
