"""Products of matrices and vectors, one after the other."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from benchmarks.kernels.kernel import Kernel, total


def atax(A, x):
    return (A @ x) @ A


def atax_loss(A, x):
    return total(atax(A, x))


def atax_arguments(rng, n, m):
    return rng.normal(size=(n, m)), rng.normal(size=m)


def bicg(A, p, r):
    return r @ A, A @ p


def bicg_loss(A, p, r):
    s, q = bicg(A, p, r)
    return total(s) + total(q)


def bicg_arguments(rng, n, m):
    return rng.normal(size=(n, m)), rng.normal(size=m), rng.normal(size=n)


def mvt(x1, x2, y_1, y_2, A):
    x1 += A @ y_1
    x2 += y_2 @ A


def mvt_loss(x1, x2, y_1, y_2, A):
    mvt(x1, x2, y_1, y_2, A)
    return total(x1) + total(x2)


def mvt_arguments(rng, n):
    return *(rng.normal(size=n) for _ in range(4)), rng.normal(size=(n, n))


def gesummv(alpha, beta, A, B, x):
    return alpha * A @ x + beta * B @ x


def gesummv_loss(alpha, beta, A, B, x):
    return total(gesummv(alpha, beta, A, B, x))


def gesummv_arguments(rng, n):
    return 1.5, 1.2, rng.normal(size=(n, n)), rng.normal(size=(n, n)), rng.normal(size=n)


def gemver(alpha, beta, A, u1, v1, u2, v2, w, x, y, z):
    A += u1[:, None] * v1 + u2[:, None] * v2
    x += beta * y @ A + z
    w += alpha * A @ x


def gemver_loss(alpha, beta, A, u1, v1, u2, v2, w, x, y, z):
    gemver(alpha, beta, A, u1, v1, u2, v2, w, x, y, z)
    return total(A) + total(x) + total(w)


def gemver_arguments(rng, n):
    return 1.5, 1.2, rng.normal(size=(n, n)), *(rng.normal(size=n) for _ in range(8))


def gemm(alpha, beta, C, A, B):
    C[:] = alpha * A @ B + beta * C


def gemm_loss(alpha, beta, C, A, B):
    gemm(alpha, beta, C, A, B)
    return total(C)


def gemm_arguments(rng, n, m, k):
    return 1.5, 1.2, rng.normal(size=(n, m)), rng.normal(size=(n, k)), rng.normal(size=(k, m))


def two_products(alpha, beta, A, B, C, D):
    D[:] = alpha * A @ B @ C + beta * D


def two_products_loss(alpha, beta, A, B, C, D):
    two_products(alpha, beta, A, B, C, D)
    return total(D)


def two_products_arguments(rng, n, m, k, p):
    shapes = (n, k), (k, m), (m, p), (n, p)
    return 1.5, 1.2, *(rng.normal(size=shape) for shape in shapes)


def three_products(A, B, C, D):
    return A @ B @ C @ D


def three_products_loss(A, B, C, D):
    return total(three_products(A, B, C, D))


def three_products_arguments(rng, n, m, k, p):
    return tuple(rng.normal(size=shape) for shape in ((n, k), (k, m), (m, p), (p, n)))


SQUARE = ((5,), (80,), (600,))
TALL = ((5, 4), (80, 100), (600, 700))
KERNELS = (
    Kernel(atax_loss, atax_arguments, wrt=(0, 1), sizes=TALL),
    Kernel(bicg_loss, bicg_arguments, wrt=(0, 1, 2), sizes=TALL),
    Kernel(mvt_loss, mvt_arguments, wrt=(0, 1, 2, 3, 4), written=(0, 1), sizes=SQUARE),
    Kernel(gesummv_loss, gesummv_arguments, wrt=(0, 1, 2, 3, 4), sizes=SQUARE),
    Kernel(
        gemver_loss,
        gemver_arguments,
        wrt=(2, 3, 4, 5, 6, 7, 8, 9, 10),
        written=(2, 7, 8),
        sizes=SQUARE,
    ),
    Kernel(
        gemm_loss,
        gemm_arguments,
        wrt=(0, 1, 2, 3, 4),
        written=(2,),
        sizes=((3, 4, 5), (40, 45, 50), (200, 220, 240)),
    ),
    Kernel(
        two_products_loss,
        two_products_arguments,
        wrt=(2, 3, 4, 5),
        written=(5,),
        sizes=((3, 4, 5, 6), (32, 36, 40, 44), (160, 180, 200, 220)),
    ),
    Kernel(
        three_products_loss,
        three_products_arguments,
        wrt=(0, 1, 2, 3),
        sizes=((3, 4, 5, 6), (32, 36, 40, 44), (160, 180, 200, 220)),
    ),
)
