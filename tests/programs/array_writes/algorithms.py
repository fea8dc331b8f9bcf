"""Textbook algorithms that fill and change arrays in place."""

from __future__ import annotations

import numpy as np

from . import at

X = np.array([0.7, -0.4, 1.3, 0.2, -1.1])
Y = np.array([0.3, 1.2, -0.8, 0.5, 0.9])
A = np.array([[4.0, 0.5, -0.3], [0.2, 3.0, 0.7], [-0.6, 0.4, 5.0]])
B = np.array([0.8, -1.1, 0.6])
U = np.array(
    [[0.1, -0.5, 0.9, 0.4], [1.2, 0.3, -0.7, 0.6], [0.2, 0.8, -0.1, -0.9], [0.5, -0.3, 0.7, 0.1]]
)


@at(A, B)
def gauss_seidel(a, b):
    x = np.zeros(3)
    for _ in range(4):
        for i in range(3):
            s = b[i]
            for j in range(3):
                if j != i:
                    s -= a[i, j] * x[j]
            x[i] = s / a[i, i]
    return np.sum(x**2)


@at(A, B)
def gauss_seidel_sliced(a, b):
    n = len(b)
    x = np.zeros(n)
    for _ in range(3):
        for i in range(n):
            x[i] = (b[i] - a[i, :i] @ x[:i] - a[i, i + 1 :] @ x[i + 1 :]) / a[i, i]
    return np.sum(np.sin(x))


@at(A, B)
def jacobi_with_a_swap(a, b):
    x, new = np.zeros(3), np.zeros(3)
    for _ in range(5):
        for i in range(3):
            new[i] = (b[i] - np.dot(a[i], x) + a[i, i] * x[i]) / a[i, i]
        x, new = new, x
    return np.sum(x * b)


@at(A)
def cholesky_by_loops(m):
    a = m @ m.T
    n = a.shape[0]
    low = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= low[i, k] * low[j, k]
            if i == j:
                low[i, j] = np.sqrt(s)
            else:
                low[i, j] = s / low[j, j]
    return np.sum(low) + np.sum(np.log(np.diag(low)))


@at(A)
def cholesky_in_place(m):
    a = m @ m.T
    n = len(a)
    for k in range(n):
        a[k, k] = np.sqrt(a[k, k])
        a[k + 1 :, k] /= a[k, k]
        for j in range(k + 1, n):
            a[j:, j] -= a[j:, k] * a[j, k]
    return np.sum(np.tril(a) ** 2 * np.arange(1.0, 4.0))


@at(A[[1, 0, 2]], B)
def lu_with_pivoting(a, b):
    a = a.copy()
    b = b.copy()
    n = len(b)
    for k in range(n):
        p = k + np.argmax(np.abs(a[k:, k]))
        if p != k:
            a[[k, p]] = a[[p, k]]
            b[[k, p]] = b[[p, k]]
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            a[i, k + 1 :] -= a[i, k] * a[k, k + 1 :]
            b[i] -= a[i, k] * b[k]
    for i in range(n - 1, -1, -1):
        b[i] = (b[i] - a[i, i + 1 :] @ b[i + 1 :]) / a[i, i]
    return np.sum(b**2)


@at(A, B)
def gauss_elimination_of_the_arguments(a, b):
    n = len(b)
    for k in range(n):
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            a[i] -= f * a[k]
            b[i] -= f * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - np.sum(a[i, i + 1 :] * x[i + 1 :])) / a[i, i]
    return np.sum(x)


@at(X[:4], np.abs(Y) + 3.0, X[1:], Y)
def thomas(a, b, c, d):
    n = len(d)
    cp, dp = np.zeros(n - 1), np.zeros(n)
    cp[0] = c[0] / b[0]
    dp[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i - 1] * cp[i - 1]
        if i < n - 1:
            cp[i] = c[i] / m
        dp[i] = (d[i] - a[i - 1] * dp[i - 1]) / m
    x = np.zeros(n)
    x[-1] = dp[-1]
    for i in range(n - 2, -1, -1):
        x[i] = dp[i] - cp[i] * x[i + 1]
    return np.sum(x**2)


@at(A, B)
def forward_substitution(low, b):
    x = b.copy()
    for i in range(len(b)):
        for j in range(i):
            x[i] -= low[i, j] * x[j]
        x[i] /= low[i, i]
    return x @ x


@at(A, B)
def back_substitution_in_the_argument(u, b):
    for i in reversed(range(len(b))):
        b[i] /= u[i, i]
        b[:i] -= u[:i, i] * b[i]
    return np.sum(np.cos(b))


@at(U)
def cheapest_path(cost):
    n, m = cost.shape
    best = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            if i == 0 and j == 0:
                best[i, j] = cost[i, j]
            elif i == 0:
                best[i, j] = best[i, j - 1] + cost[i, j]
            elif j == 0:
                best[i, j] = best[i - 1, j] + cost[i, j]
            else:
                best[i, j] = min(best[i - 1, j], best[i, j - 1]) + cost[i, j]
    return best[n - 1, m - 1]


@at(X, Y)
def soft_warping(x, y):
    n, m = len(x), len(y)
    r = np.full((n + 1, m + 1), 50.0)
    r[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            near = np.array([r[i - 1, j - 1], r[i - 1, j], r[i, j - 1]])
            r[i, j] = (x[i - 1] - y[j - 1]) ** 2 - 0.5 * np.log(np.sum(np.exp(-near / 0.5)))
    return r[-1, -1]


@at(X)
def prefix_sums(x):
    total = np.empty(len(x))
    total[0] = x[0]
    for i in range(1, len(x)):
        total[i] = total[i - 1] + x[i]
    return np.sum(total**2)


@at(X)
def prefix_products_in_place(x):
    for i in range(1, x.size):
        x[i] *= x[i - 1]
    return x.sum()


@at(np.linspace(0.1, 1.2, 12))
def sieve(x):
    prime = np.ones(12, dtype=bool)
    prime[:2] = False
    for p in range(2, 4):
        if prime[p]:
            prime[p * p :: p] = False
    y = x.copy()
    y[~prime] = 0.0
    return np.sum(y**3)


@at(X, 0.4)
def heat(u, k):
    u = u.copy()
    for _ in range(4):
        u[1:-1] = u[1:-1] + k * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum(u**2)


@at(X, 0.4)
def heat_in_the_argument(u, k):
    for _ in range(4):
        u[1:-1] += k * (u[2:] - 2 * u[1:-1] + u[:-2])
        u[0] = u[1]
        u[-1] = u[-2]
    return np.sum(u**2)


@at(X, 0.3, 4)
def trajectory(x0, dt, steps):
    out = np.zeros((steps + 1, len(x0)))
    out[0] = x0
    for t in range(steps):
        out[t + 1] = out[t] + dt * np.sin(out[t]) * out[t][::-1]
    return np.mean(out**2)


@at(0.5, 1.0, 0.1, 5)
def leapfrog(q, p, dt, n):
    qs, ps = np.empty(n + 1), np.empty(n + 1)
    qs[0], ps[0] = q, p
    for t in range(n):
        half = ps[t] - 0.5 * dt * np.sin(qs[t])
        qs[t + 1] = qs[t] + dt * half
        ps[t + 1] = half - 0.5 * dt * np.sin(qs[t + 1])
    return np.sum(qs * ps) + qs[-1]


@at(X, 0.9, 0.2, 0.3)
def kalman(z, a, q, r):
    n = len(z)
    means, variances, gains = np.zeros(n), np.zeros(n), np.zeros(n)
    m, p = 0.0, 1.0
    for t in range(n):
        m = a * m
        p = a * a * p + q * q
        gains[t] = p / (p + r * r)
        m += gains[t] * (z[t] - m)
        p *= 1 - gains[t]
        means[t] = m
        variances[t] = p
    return np.sum(means**2) + np.sum(np.log(variances)) + gains[-1]


@at(U, np.eye(4) * 0.3 + 0.1)
def kalman_of_vectors(zs, q):
    n, d = zs.shape
    xs, ps = np.zeros((n + 1, d)), np.zeros((n + 1, d, d))
    ps[0] = np.eye(d)
    for t in range(n):
        p = ps[t] + q
        k = p @ np.linalg.inv(p + np.eye(d))
        xs[t + 1] = xs[t] + k @ (zs[t] - xs[t])
        ps[t + 1] = (np.eye(d) - k) @ p
    return np.sum(xs**2) + np.trace(ps[-1])


@at(X)
def bubble_sort(x):
    x = x.copy()
    n = len(x)
    for i in range(n):
        for j in range(n - 1 - i):
            if x[j] > x[j + 1]:
                x[j], x[j + 1] = x[j + 1], x[j]
    return np.sum(x * np.arange(1.0, n + 1))


@at(X)
def bubble_sort_of_the_argument(x):
    swapped = True
    while swapped:
        swapped = False
        for j in range(len(x) - 1):
            if x[j] > x[j + 1]:
                x[j], x[j + 1] = x[j + 1], x[j]
                swapped = True
    return x[0] * x[1] + x[-1] ** 3


@at(X)
def insertion_sort(x):
    x = 1.0 * x
    for i in range(1, len(x)):
        v = x[i]
        j = i - 1
        while j >= 0 and x[j] > v:
            x[j + 1] = x[j]
            j -= 1
        x[j + 1] = v
    return np.dot(x, x[::-1] ** 2 + np.arange(5))


@at(X, 7)
def ring_buffer(x, n):
    ring = np.zeros(3)
    total = 0.0
    for t in range(n):
        total += ring[t % 3] * x[t % 5]
        ring[t % 3] = np.sin(x[t % 5]) + 0.3 * ring[(t + 1) % 3]
    return total + np.sum(ring**2)


@at(X)
def histogram(w):
    h = np.zeros(3)
    np.add.at(h, np.array([0, 2, 2, 1, 0]), w)
    return np.sum(h**3)


@at(X)
def histogram_by_a_loop(w):
    bins = np.array([0, 2, 2, 1, 0])
    h = np.zeros(3)
    for k in range(len(w)):
        h[bins[k]] += w[k]
    return np.sum(h**3)


@at(X, Y)
def convolution(x, k):
    out = np.zeros(len(x) + len(k) - 1)
    for i in range(len(x)):
        for j in range(len(k)):
            out[i + j] += x[i] * k[j]
    return np.sum(np.tanh(out))


@at(X, Y)
def polynomial_product_by_slices(x, k):
    out = np.zeros(len(x) + len(k) - 1)
    for i in range(len(x)):
        out[i : i + len(k)] += x[i] * k
    return np.sum(out**2)


@at(U, B)
def matrix_product(a, b):
    n = a.shape[0]
    c = np.zeros((n, 3))
    for i in range(n):
        for j in range(3):
            for k in range(n):
                c[i, j] += a[i, k] * a[k, j] * b[j]
    return np.sum(c**2)


@at(X)
def horner_of_a_growing_table(x):
    d = np.zeros((5, 5))
    d[:, 0] = np.sin(x)
    for j in range(1, 5):
        d[: 5 - j, j] = d[1 : 6 - j, j - 1] - d[: 5 - j, j - 1] * x[j]
    return np.sum(d[0])


@at(np.sin(np.arange(1.0, 17.0) ** 2).reshape(4, 4))
def floyd_warshall(w):
    d = np.abs(w) + 0.1
    n = len(d)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i, k] + d[k, j] < d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]
    return np.sum(d**2)


@at(A)
def gram_schmidt(a):
    q = a.copy()
    for j in range(3):
        for i in range(j):
            q[:, j] -= (q[:, i] @ q[:, j]) * q[:, i]
        q[:, j] /= np.sqrt(q[:, j] @ q[:, j])
    return np.sum(q * np.arange(9.0).reshape(3, 3))


@at(A, B)
def power_iteration(a, v):
    history = np.zeros((4, 3))
    for k in range(4):
        v = a @ v
        v /= np.sqrt(np.sum(v**2))
        history[k, :] = v
    return history[-1] @ a @ history[-1] + history[0, 0]


@at(U)
def game_of_cells(u):
    for _ in range(2):
        new = u.copy()
        for i in range(1, 3):
            for j in range(1, 3):
                new[i, j] = np.tanh(u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]) * u[i, j]
        u = new
    return np.sum(u**2)


@at(np.array([0.4, -0.2, 0.9, 0.6, -0.5, 0.3, 0.8, -0.7]))
def walsh_transform(x):
    x = x.copy()
    h = 1
    while h < len(x):
        for i in range(0, len(x), 2 * h):
            for j in range(i, i + h):
                a, b = x[j], x[j + h]
                x[j], x[j + h] = a + b, np.sin(a - b)
        h *= 2
    return np.sum(x**2)


@at(np.array([0.4, 0.2, 0.9]), np.array([[0.7, 0.3], [0.4, 0.6]]))
def forward_algorithm(obs, trans):
    n = len(obs)
    alpha = np.zeros((n, 2))
    alpha[0, 0] = obs[0]
    alpha[0, 1] = 1 - obs[0]
    for t in range(1, n):
        for s in range(2):
            alpha[t, s] = np.sum(alpha[t - 1] * trans[:, s]) * (obs[t] if s == 0 else 1 - obs[t])
    return np.log(np.sum(alpha[-1]))
