"""Sweeps that read what they have just written: Gauss-Seidel, red and black, alternating directions."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from benchmarks.kernels.kernel import Kernel, total


def seidel_2d(steps, A):
    n = A.shape[0]
    for _ in range(steps):
        for i in range(1, n - 1):
            A[i, 1:-1] += (
                A[i - 1, :-2]
                + A[i - 1, 1:-1]
                + A[i - 1, 2:]
                + A[i, 2:]
                + A[i + 1, :-2]
                + A[i + 1, 1:-1]
                + A[i + 1, 2:]
            )
            for j in range(1, n - 1):
                A[i, j] += A[i, j - 1]
                A[i, j] /= 9.0


def seidel_2d_loss(A, steps):
    seidel_2d(steps, A)
    return total(A)


def seidel_2d_arguments(rng, n, steps):
    return rng.normal(size=(n, n)), steps


def red_black(p, b, omega, steps):
    """Successive over-relaxation of a Poisson equation, one colour after the other."""
    for _ in range(steps):
        for start in (1, 2):
            for i in range(1, p.shape[0] - 1):
                first = 1 + (i + start) % 2
                p[i, first:-1:2] += omega * (
                    0.25
                    * (
                        p[i - 1, first:-1:2]
                        + p[i + 1, first:-1:2]
                        + p[i, first - 1 : -2 : 2]
                        + p[i, first + 1 :: 2]
                        - b[i, first:-1:2]
                    )
                    - p[i, first:-1:2]
                )


def red_black_loss(p, b, omega, steps):
    red_black(p, b, omega, steps)
    return total(p)


def red_black_arguments(rng, n, steps):
    return rng.normal(size=(n, n)), rng.normal(size=(n, n)), 1.5, steps


def adi(steps, u):
    """Heat in two dimensions, implicit in the columns and then in the rows."""
    n = u.shape[0]
    v, p, q = np.empty_like(u), np.empty_like(u), np.empty_like(u)
    h, tau = 1.0 / n, 1.0 / steps
    mul_1, mul_2 = 2.0 * tau / h**2, tau / h**2
    a, b = -mul_1 / 2.0, 1.0 + mul_1
    d, e = -mul_2 / 2.0, 1.0 + mul_2
    for _ in range(steps):
        v[0, 1:-1] = 1.0
        p[1:-1, 0] = 0.0
        q[1:-1, 0] = v[0, 1:-1]
        for j in range(1, n - 1):
            p[1:-1, j] = -a / (a * p[1:-1, j - 1] + b)
            q[1:-1, j] = (
                -d * u[j, :-2] + (1.0 + 2.0 * d) * u[j, 1:-1] - d * u[j, 2:] - a * q[1:-1, j - 1]
            ) / (a * p[1:-1, j - 1] + b)
        v[-1, 1:-1] = 1.0
        for j in range(n - 2, 0, -1):
            v[j, 1:-1] = p[1:-1, j] * v[j + 1, 1:-1] + q[1:-1, j]

        u[1:-1, 0] = 1.0
        p[1:-1, 0] = 0.0
        q[1:-1, 0] = u[1:-1, 0]
        for j in range(1, n - 1):
            p[1:-1, j] = -d / (d * p[1:-1, j - 1] + e)
            q[1:-1, j] = (
                -a * v[:-2, j] + (1.0 + 2.0 * a) * v[1:-1, j] - a * v[2:, j] - d * q[1:-1, j - 1]
            ) / (d * p[1:-1, j - 1] + e)
        u[1:-1, -1] = 1.0
        for j in range(n - 2, 0, -1):
            u[1:-1, j] = p[1:-1, j] * u[1:-1, j + 1] + q[1:-1, j]


def adi_loss(u, steps):
    adi(steps, u)
    return total(u)


def adi_arguments(rng, n, steps):
    return rng.normal(size=(n, n)), steps


KERNELS = (
    Kernel(
        seidel_2d_loss,
        seidel_2d_arguments,
        wrt=(0,),
        written=(0,),
        sizes=((6, 2), (24, 8), (60, 20)),
    ),
    Kernel(
        red_black_loss,
        red_black_arguments,
        wrt=(0, 1, 2),
        written=(0,),
        sizes=((7, 2), (32, 8), (100, 30)),
    ),
    Kernel(
        adi_loss,
        adi_arguments,
        wrt=(0,),
        written=(0,),
        sizes=((6, 2), (24, 8), (80, 30)),
    ),
)
