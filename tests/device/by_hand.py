"""Gradients of golden programs as a person writes them for CuPy: the measure for launches."""

from __future__ import annotations

from typing import Any

import cupy as cp

__all__ = ["BY_HAND"]


def broadcasting(bias: Any, scale: Any, offset: float, x: Any) -> Any:
    angle = scale * x + bias
    slope = offset * cp.cos(angle)
    return (
        slope.sum(axis=0),
        (slope * x).sum(axis=1, keepdims=True),
        cp.sin(angle).sum() + 2 * offset * x.size,
    )


def forward_mode(x: Any, speed: float, time: float) -> Any:
    phase = x - speed * time
    envelope = cp.exp(-phase * phase)
    slope = envelope * (-2 * phase * cp.cos(5 * phase) - 5 * cp.sin(5 * phase))
    return slope, -time * slope.sum()


def gaussian_mixture(mu: Any, log_sigma: Any, x: Any) -> Any:
    scale = cp.exp(-log_sigma)
    r = (x[:, None, :] - mu) * scale
    p = cp.exp(-0.5 * (r * r).sum(axis=2) - log_sigma.sum(axis=1))
    share = p / (p.sum(axis=1, keepdims=True) * len(x))
    weighted = share[:, :, None] * r
    return -(weighted * scale).sum(axis=0), (share[:, :, None] - weighted * r).sum(axis=0)


def heat_in_place(u: Any, k: float, steps: int) -> Any:
    u = u.copy()
    kept = []
    for _ in range(steps):
        bend = u[2:] - 2 * u[1:-1] + u[:-2]
        kept.append(bend)
        u[1:-1] += k * bend
    u_bar = 2 * u
    k_bar = 0.0
    for bend in reversed(kept):
        slope = u_bar[1:-1]
        k_bar = k_bar + slope @ bend
        slope = k * slope
        u_bar[2:] += slope
        u_bar[1:-1] -= 2 * slope
        u_bar[:-2] += slope
    return u_bar, k_bar


def ising_energy(spins: Any, coupling: float, field: Any) -> Any:
    s = cp.tanh(spins)
    above, left = cp.roll(s, 1, axis=0), cp.roll(s, 1, axis=1)
    around = above + left + cp.roll(s, -1, axis=0) + cp.roll(s, -1, axis=1)
    return (
        -(coupling * around + field) * (1 - s * s),
        -(s * (above + left)).sum(),
        -s.sum(axis=0),
    )


def keyword_arguments(x: Any, rate: float) -> Any:
    e, slow = cp.exp(-rate * x), cp.exp(-x)
    fast = 0.1 + 0.9 * e
    return (
        -2 * slow * (0.9 * rate * e + fast) + 1 / x.size,
        -1.8 * (x * e * slow).sum(),
    )


def logistic_regression(w: Any, x: Any, y: Any) -> Any:
    p = 1 / (1 + cp.exp(-(x @ w)))
    return x.T @ (p - y) / len(y)


def mlp(params: Any, x: Any, y: Any) -> Any:
    layers = [x]
    for w, b in params:
        layers.append(cp.tanh(layers[-1] @ w + b))
    slope = 2 / y.size * (layers[-1] - y)
    found = []
    for (w, _), before, after in zip(params[::-1], layers[-2::-1], layers[::-1], strict=False):
        slope = slope * (1 - after * after)
        found.append((before.T @ slope, slope.sum(axis=0)))
        slope = slope @ w.T
    return found[::-1]


def nested_helpers(x: Any, scale: float) -> Any:
    s = 1 / (1 + cp.exp(-scale * x))
    y = x * s
    t = 1 / (1 + cp.exp(-2 * y))
    outer = t + 2 * y * t * (1 - t)
    return outer * (s + scale * y * (1 - s)), (outer * x * y * (1 - s)).sum()


def piecewise(x: Any, knee: float) -> Any:
    above = x > knee
    hinge, low = cp.maximum(x - knee, 0), cp.minimum(x, 2)
    inside = cp.where(abs(x) < 1, 3 * x * x, 0)
    slope = above * low + hinge * (x < 2) + cp.where(above, knee * cp.sign(x), 2 * x) + inside
    return slope, (above * (abs(x) - low)).sum()


def power_iteration(A: Any, steps: int) -> Any:
    v = cp.ones(len(A)) / len(A) ** 0.5
    kept = []
    for _ in range(steps):
        w = A @ v
        size = cp.linalg.norm(w)
        kept.append((v, w, size))
        v = w / size
    A_bar = cp.outer(v, v)
    v_bar = A @ v + A.T @ v
    for v, w, size in reversed(kept):
        w_bar = (v_bar - (w @ v_bar) / (size * size) * w) / size
        A_bar += cp.outer(w_bar, v)
        v_bar = A.T @ w_bar
    return A_bar


def rosenbrock(x: Any) -> Any:
    gap = x[1:] - x[:-1] ** 2
    found = cp.zeros_like(x)
    found[:-1] = -400 * x[:-1] * gap - 2 * (1 - x[:-1])
    found[1:] += 200 * gap
    return found


def softmax_cross_entropy(w: Any, b: Any, x: Any, labels: Any) -> Any:
    z = x @ w + b
    p = cp.exp(z - z.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    p[cp.arange(len(x)), labels] -= 1
    p /= len(x)
    return x.T @ p, p.sum(axis=0)


BY_HAND = {
    f.__name__: f
    for f in (
        broadcasting, forward_mode, gaussian_mixture, heat_in_place, ising_energy, keyword_arguments, logistic_regression,
        mlp, nested_helpers, piecewise, power_iteration, rosenbrock, softmax_cross_entropy,
    )
}  # fmt: skip
