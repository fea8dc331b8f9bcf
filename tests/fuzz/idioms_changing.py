"""Ordinary loops whose names change from one iteration to the next: layers, pyramids, tables, filters, lists that grow."""

# Written as people write them:
# ruff: noqa: B007, B905, RUF005, RUF007

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["CASES"]


def mlp(params, x):
    for W, b in params:
        out = x @ W + b
        x = np.tanh(out)
    return np.sum(out**2)


def mlp_by_index(weights, biases, x):
    for k in range(len(weights)):
        z = x @ weights[k] + biases[k]
        x = np.maximum(z, 0.1 * z)
    return np.sum(z * z) + np.sum(x)


def chain(ws, x):
    for w in ws:
        y = w * x
        x = np.sum(y) * np.ones(len(w) + 1)
    return np.sum(y * y)


def residual_net(params, x):
    for W, b in params:
        h = np.tanh(x @ W + b)
        if h.shape == x.shape:
            h = h + x
        x = h
    return np.sum(np.sin(h))


def rnn(Wx, Wh, xs):
    h = np.zeros(Wh.shape[0])
    for t in range(len(xs)):
        h = np.tanh(xs[t] @ Wx + h @ Wh)
        out = np.sum(h) * np.ones(t + 1)
    return np.sum(out * out) + np.sum(h)


def autoencoder(params, x):
    kept = []
    for W, b in params:
        x = np.tanh(x @ W + b)
        kept.append(x)
    while kept:
        code = kept.pop()
        x = np.sum(code) * code + np.mean(x)
    return np.sum(x * x)


def u_net(x):
    skips = []
    while len(x) > 1:
        skips.append(x)
        x = np.sin(0.5 * (x[: len(x) // 2] + x[-(len(x) // 2) :]))
    while len(skips) > 0:
        skip = skips.pop()
        x = np.resize(x, skip.shape) * skip
    return np.sum(x)


def multigrid(x):
    total = 0.0
    while x.size > 1:
        coarse = 0.5 * (x[0 : x.size // 2 * 2 : 2] + x[1::2])
        total = total + np.sum(coarse**2)
        x = coarse
    return total + np.sum(coarse)


def romberg(a, n):
    rows = []
    for i in range(n):
        points = np.linspace(0.0, 1.0, 2**i + 1)
        values = np.exp(a * points)
        row = [(np.sum(values) - 0.5 * (values[0] + values[-1])) / 2**i]
        for j in range(i):
            row.append(row[j] + (row[j] - rows[i - 1][j]) / (4 ** (j + 1) - 1))
        rows.append(row)
    return rows[-1][-1]


def richardson(x, n):
    table = [np.sin(x * 0.5**k) / 0.5**k for k in range(n)]
    while len(table) > 1:
        table = [2.0 * b - a for a, b in zip(table[:-1], table[1:])]
    return np.sum(table[0] ** 2)


def neville(xs, ys, at):
    p = ys
    while p.size > 1:
        m = ys.size - p.size + 1
        p = ((at - xs[m:]) * p[:-1] + (xs[:-m] - at) * p[1:]) / (xs[:-m] - xs[m:])
    return p[0]


def de_casteljau(points, t):
    while len(points) > 1:
        points = (1 - t) * points[:-1] + t * points[1:]
        last = points[-1]
    return np.sum(points**2) + np.sum(last)


def window(x, n):
    kept = []
    for k in range(len(x)):
        kept.append(x[k] * x[k])
        if len(kept) > n:
            kept.pop(0)
        mean = sum(kept) / len(kept)
    return mean * mean


def moving(x, n):
    total = 0.0
    for k in range(len(x)):
        part = x[max(0, k - n) : k + 1]
        total = total + np.sum(part) ** 2 / part.size
    return total + np.sum(part * part)


def running_lists(x):
    parts = [x]
    for k in range(1, 4):
        parts = parts + [np.append(parts[-1], np.sum(parts[-1]) * 0.1)]
    return sum(np.sum(p * p) for p in parts) + np.sum(parts[-1])


def kinds(x, n):
    y = 0.0
    for k in range(n):
        y = x * (k + 1) + y
        z = np.sum(y) if k % 2 else y
    return np.sum(y * y) + np.sum(z)


def turns_complex(x, n):
    z = x
    for k in range(n):
        w = z * np.exp(1j * np.sum(np.abs(z)))
        z = np.append(w, 0.5)
    return np.sum(np.abs(w)) + np.sum(z.real)


def inner_view(x):
    t = x * 1.0
    for i in range(3):
        for j in range(3):
            u = t.reshape(-1)
            u[0] = np.sum(x) * i
    return np.sum(u * u)


def inner_bound(xs):
    for x in xs:
        for k in range(2):
            part = x[k:] * (k + 1)
            out = np.append(part, np.sum(x))
    return np.sum(out * out) + np.sum(part)


def until_small(x):
    for k in range(8):
        rest = x[k:]
        if np.sum(rest * rest) < 0.5:
            break
        x = np.append(x, 0.3 * rest[0])
    else:
        rest = x
    return np.sum(rest * rest) + np.sum(x)


def tree_reduction(x):
    parts = [a * a for a in x]
    while len(parts) > 1:
        pairs = [parts[k] + parts[k + 1] for k in range(0, len(parts) - 1, 2)]
        if len(parts) % 2:
            pairs.append(parts[-1])
        parts = pairs
    return parts[0]


def krylov(A, b, n):
    basis = [b / np.sqrt(b @ b)]
    for k in range(n):
        v = A @ basis[-1]
        for q in basis:
            v = v - (q @ v) * q
        basis.append(v / np.sqrt(v @ v))
    return np.sum(np.stack(basis)[-1] ** 3)


def flattened(tree):
    flat = []
    for W, b in tree:
        flat.append(np.ravel(W))
        flat.append(b)
    whole = np.concatenate(flat)
    return np.sum(whole**2) + np.sum(flat[0] ** 3)


def outer_products(vs):
    t = np.ones(())
    for v in vs:
        t = t[..., None] * v
    return np.sum(t**2) + np.sum(t)


RNG = np.random.default_rng(3)


def normal(*shape: int) -> Any:
    return np.round(RNG.normal(size=shape), 3)


def layers(*widths: int) -> Any:
    return [(normal(a, b), normal(b)) for a, b in zip(widths, widths[1:], strict=False)]


CASES: list[tuple[Any, tuple[Any, ...], tuple[int, ...]]] = [
    *[(mlp, (layers(*w), normal(4, w[0])), (0, 1)) for w in [(3, 1, 5), (3, 5, 2), (2, 2), (1, 3, 3, 1)]],
    *[(mlp, (layers(*w), normal(w[0])), (0, 1)) for w in [(3, 1, 5), (2, 4, 1)]],
    (mlp_by_index, ([normal(3, 4), normal(4, 2)], [normal(4), normal(2)], normal(2, 3)), (0, 1, 2)),
    (chain, ([normal(1), normal(2)], np.ones(1)), (0, 1)),
    (chain, ([normal(1), normal(2), normal(3)], np.ones(1)), (0, 1)),
    (residual_net, (layers(2, 3, 3, 1), normal(2, 2)), (0, 1)),
    (rnn, (normal(2, 3), normal(3, 3), normal(4, 2)), (0, 1, 2)),
    (autoencoder, (layers(3, 2, 4), normal(3)), (0, 1)),
    *[(u_net, (normal(n),), (0,)) for n in (8, 5, 2)],
    *[(multigrid, (normal(n),), (0,)) for n in (8, 5, 2)],
    *[(romberg, (0.7, n), (0,)) for n in (1, 2, 4)],
    *[(richardson, (normal(2), n), (0,)) for n in (1, 2, 4)],
    (neville, (np.array([0.0, 1.0, 2.5, 3.0]), normal(4), 1.3), (0, 1, 2)),
    (de_casteljau, (normal(4, 2), 0.3), (0, 1)),
    *[(window, (normal(5), n), (0,)) for n in (1, 3, 9)],
    *[(moving, (normal(5), n), (0,)) for n in (0, 2, 9)],
    (running_lists, (normal(2),), (0,)),
    *[(kinds, (normal(2), n), (0,)) for n in (1, 2, 3)],
    *[(turns_complex, (normal(2), n), (0,)) for n in (1, 3)],
    (inner_view, (normal(3),), (0,)),
    (inner_bound, ([normal(2), normal(4), normal(3)],), (0,)),
    (until_small, (normal(3),), (0,)),
    (tree_reduction, (normal(5),), (0,)),
    (krylov, (normal(4, 4), normal(4), 2), (0, 1)),
    (flattened, (layers(2, 3, 1),), (0,)),
    (outer_products, ([normal(2), normal(3), normal(2)],), (0,)),
]  # fmt: skip
