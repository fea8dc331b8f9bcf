"""Programs of several kinds whose first gradient is timed: the text of a module, and arguments for ``loss``.

All arguments of a call stand in ``given``; ``wrt`` says what is differentiated.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["PROGRAMS", "Program"]


class Program(NamedTuple):
    """The text of a module with ``loss`` in it, the arguments, and what is differentiated."""

    text: str
    given: str
    wrt: str = "(0,)"


KALMAN = """
import numpy as np


def loss(F, H, Q, R, ys):
    n = F.shape[0]
    m, P = np.zeros(n), np.eye(n)
    total = 0.0
    for y in ys:
        m = F @ m
        P = F @ P @ F.T + Q
        S = H @ P @ H.T + R
        r = y - H @ m
        K = np.linalg.solve(S, H @ P).T
        m = m + K @ r
        P = P - K @ H @ P
        total += r @ np.linalg.solve(S, r) + np.log(np.linalg.det(S))
    return total
"""

MLP = """
import numpy as np


def dense(p, x):
    return x @ p["w"] + p["b"]


def loss(params, x, labels):
    for layer in ("one", "two"):
        x = np.tanh(dense(params[layer], x))
    z = dense(params["out"], x)
    z = z - np.max(z, axis=1, keepdims=True)
    logp = z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))
    return -np.mean(logp[np.arange(len(labels)), labels])
"""

ODE = """
import numpy as np


def slope(u, k):
    x, y, z = u
    return np.array([k[0] * (y - x), x * (k[1] - z) - y, x * y - k[2] * z])


def step(u, k, h):
    a = slope(u, k)
    b = slope(u + h / 2 * a, k)
    c = slope(u + h / 2 * b, k)
    d = slope(u + h * c, k)
    return u + h / 6 * (a + 2 * b + 2 * c + d)


def loss(k, u, seen):
    total = 0.0
    for k_seen in seen:
        u = step(u, k, 0.01)
        total += np.sum((u - k_seen) ** 2)
    return total
"""

IN_PLACE = """
import numpy as np


def loss(u, c):
    u = u.copy()
    for _ in range(8):
        for i in range(1, u.shape[0] - 1):
            u[i] = u[i] + c * (u[i - 1] - 2 * u[i] + u[i + 1])
        u[0] = u[1]
    return np.sum(u * u)
"""

METHODS = """
import numpy as np


class Kernel:
    def __init__(self, scale, width):
        self.scale, self.width = scale, width

    def __call__(self, d):
        return self.scale * np.exp(-0.5 * (d / self.width) ** 2)


class Process:
    def __init__(self, kernel, noise):
        self.kernel, self.noise = kernel, noise

    def matrix(self, x):
        return self.kernel(x[:, None] - x[None, :]) + self.noise * np.eye(len(x))

    def misfit(self, x, y):
        L = np.linalg.cholesky(self.matrix(x))
        z = np.linalg.solve(L, y)
        return 0.5 * z @ z + np.sum(np.log(np.diag(L)))


def loss(p, x, y):
    return Process(Kernel(p[0], p[1]), p[2]).misfit(x, y)
"""

FLOATS = """
import math


def loss(spot, strike, rate, volatility, maturity):
    root = volatility * math.sqrt(maturity)
    d1 = (math.log(spot / strike) + (rate + volatility**2 / 2) * maturity) / root
    d2 = d1 - root
    n1 = 0.5 * (1 + math.erf(d1 / math.sqrt(2)))
    n2 = 0.5 * (1 + math.erf(d2 / math.sqrt(2)))
    return spot * n1 - strike * math.exp(-rate * maturity) * n2
"""

LAYER = '{"w": rng.normal(size=(4, 4)), "b": rng.normal(size=4)}'

PROGRAMS = {
    "Kalman filter": Program(
        KALMAN,
        "np.eye(3) + 0.1, np.ones((2, 3)), np.eye(3), np.eye(2), rng.normal(size=(9, 2))",
        "(0, 2)",
    ),
    "MLP, parameters in dicts": Program(
        MLP,
        f'{{"one": {LAYER}, "two": {LAYER}, "out": {LAYER}}}, rng.normal(size=(7, 4)), np.arange(7) % 4',
    ),
    "ODE, helper functions": Program(
        ODE, "np.array([10.0, 28.0, 2.7]), np.ones(3), rng.normal(size=(9, 3))"
    ),
    "loops in place": Program(IN_PLACE, "rng.normal(size=40), 0.1", "(0, 1)"),
    "classes": Program(
        METHODS, "np.array([1.0, 0.7, 0.1]), np.linspace(0, 1, 8), rng.normal(size=8)"
    ),
    "floats": Program(FLOATS, "100.0, 95.0, 0.03, 0.2, 1.5", "(0, 3)"),
}
