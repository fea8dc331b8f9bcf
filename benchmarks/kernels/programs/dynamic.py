"""Shortest paths, matched pairs, filters by recursion, contractions."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from benchmarks.kernels.kernel import Kernel, total


def floyd_warshall(path):
    for k in range(path.shape[0]):
        path[:] = np.minimum(path, np.add.outer(path[:, k], path[k, :]))


def floyd_warshall_loss(path):
    floyd_warshall(path)
    return total(path)


def floyd_warshall_arguments(rng, n):
    path = rng.uniform(1.0, 10.0, size=(n, n))
    path[rng.uniform(size=(n, n)) < 0.5] = 99.0
    return (path,)


def floyd_warshall_rows(path):
    for k in range(path.shape[0]):
        for i in range(path.shape[0]):
            path[i, :] = np.minimum(path[i, :], path[i, k] + path[k, :])


def floyd_warshall_rows_loss(path):
    floyd_warshall_rows(path)
    return total(path)


def nussinov(gain):
    """The best sum of gains of pairs that do not cross."""
    n = gain.shape[0]
    table = np.zeros((n, n))
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            table[i, j] = max(table[i, j], table[i, j - 1])
            if i + 1 < n:
                table[i, j] = max(table[i, j], table[i + 1, j])
            if i < j - 1:
                table[i, j] = max(table[i, j], table[i + 1, j - 1] + gain[i, j])
            for k in range(i + 1, j):
                table[i, j] = max(table[i, j], table[i, k] + table[k + 1, j])
    return table


def nussinov_loss(gain):
    return total(nussinov(gain))


def nussinov_arguments(rng, n):
    return (rng.uniform(size=(n, n)),)


def soft_paths(cost):
    """Dynamic time warping by soft minima, row by row over a table with a border."""
    n, m = cost.shape
    table = np.full((n + 1, m + 1), 1e3)
    table[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            three = np.array([table[i - 1, j - 1], table[i - 1, j], table[i, j - 1]])
            low = np.min(three)
            table[i, j] = cost[i - 1, j - 1] + low - np.log(np.sum(np.exp(low - three)))
    return table[n, m]


def soft_paths_loss(cost):
    return soft_paths(cost)


def soft_paths_arguments(rng, n, m):
    return (rng.uniform(size=(n, m)),)


def doitgen(NR, NQ, NP, A, C4):
    A[:] = np.reshape(np.reshape(A, (NR, NQ, 1, NP)) @ C4, (NR, NQ, NP))


def doitgen_loss(A, C4):
    doitgen(A.shape[0], A.shape[1], A.shape[2], A, C4)
    return total(A)


def doitgen_arguments(rng, r, q, p):
    return rng.normal(size=(r, q, p)), rng.normal(size=(p, p))


def deriche(alpha, imgIn):
    k = (1.0 - np.exp(-alpha)) ** 2 / (1.0 + alpha * np.exp(-alpha) * 2.0 - np.exp(2.0 * alpha))
    a1 = a5 = k
    a2 = a6 = k * np.exp(-alpha) * (alpha - 1.0)
    a3 = a7 = k * np.exp(-alpha) * (alpha + 1.0)
    a4 = a8 = -k * np.exp(-2.0 * alpha)
    b1 = 2.0 ** (-alpha)
    b2 = -np.exp(-2.0 * alpha)
    c1 = c2 = 1

    y1 = np.empty_like(imgIn)
    y1[:, 0] = a1 * imgIn[:, 0]
    y1[:, 1] = a1 * imgIn[:, 1] + a2 * imgIn[:, 0] + b1 * y1[:, 0]
    for j in range(2, imgIn.shape[1]):
        y1[:, j] = a1 * imgIn[:, j] + a2 * imgIn[:, j - 1] + b1 * y1[:, j - 1] + b2 * y1[:, j - 2]

    y2 = np.empty_like(imgIn)
    y2[:, -1] = 0.0
    y2[:, -2] = a3 * imgIn[:, -1]
    for j in range(imgIn.shape[1] - 3, -1, -1):
        y2[:, j] = (
            a3 * imgIn[:, j + 1] + a4 * imgIn[:, j + 2] + b1 * y2[:, j + 1] + b2 * y2[:, j + 2]
        )

    imgOut = c1 * (y1 + y2)

    y1[0, :] = a5 * imgOut[0, :]
    y1[1, :] = a5 * imgOut[1, :] + a6 * imgOut[0, :] + b1 * y1[0, :]
    for i in range(2, imgIn.shape[0]):
        y1[i, :] = a5 * imgOut[i, :] + a6 * imgOut[i - 1, :] + b1 * y1[i - 1, :] + b2 * y1[i - 2, :]

    y2[-1, :] = 0.0
    y2[-2, :] = a7 * imgOut[-1, :]
    for i in range(imgIn.shape[0] - 3, -1, -1):
        y2[i, :] = (
            a7 * imgOut[i + 1, :] + a8 * imgOut[i + 2, :] + b1 * y2[i + 1, :] + b2 * y2[i + 2, :]
        )

    imgOut[:] = c2 * (y1 + y2)
    return imgOut


def deriche_loss(alpha, imgIn):
    return total(deriche(alpha, imgIn))


def deriche_arguments(rng, n, m):
    return 0.25, rng.normal(size=(n, m))


KERNELS = (
    Kernel(
        floyd_warshall_loss,
        floyd_warshall_arguments,
        wrt=(0,),
        written=(0,),
        sizes=((5,), (30,), (100,)),
        kinks=True,
    ),
    Kernel(
        floyd_warshall_rows_loss,
        floyd_warshall_arguments,
        wrt=(0,),
        written=(0,),
        sizes=((5,), (20,), (60,)),
        kinks=True,
    ),
    Kernel(nussinov_loss, nussinov_arguments, wrt=(0,), sizes=((6,), (16,), (40,)), kinks=True),
    Kernel(soft_paths_loss, soft_paths_arguments, wrt=(0,), sizes=((4, 5), (12, 15), (40, 50))),
    Kernel(
        doitgen_loss,
        doitgen_arguments,
        wrt=(0, 1),
        written=(0,),
        sizes=((3, 4, 5), (12, 10, 16), (40, 30, 60)),
    ),
    Kernel(deriche_loss, deriche_arguments, wrt=(0, 1), sizes=((5, 6), (40, 50), (200, 250))),
)
