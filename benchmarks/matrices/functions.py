"""Functions whose Jacobians and Hessians have structure, as their users write them."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

__all__ = [
    "broyden", "errors_in_a_list", "errors_in_a_loop", "exponentials", "logistic", "orbits", "peaks", "softmax",
    "stencil", "valley",
]  # fmt: skip


# -- bundle adjustment, one observation after the other: `gradbench.evals.ba` has it over all at once


def projected(camera, point):
    """Where a camera sees a point: Rodrigues' formula, and two numbers of radial distortion."""
    rotation, moved = camera[:3], point - camera[3:6]
    angle = np.sqrt(np.sum(rotation**2))
    axis = rotation / angle
    along = np.dot(axis, moved) * (1 - np.cos(angle))
    seen = moved * np.cos(angle) + np.cross(axis, moved) * np.sin(angle) + axis * along
    flat = seen[:2] / seen[2]
    square = np.sum(flat**2)
    distortion = 1 + camera[9] * square + camera[10] * square**2
    return flat * distortion * camera[6] + camera[7:9]


def errors_in_a_loop(cameras, points, weights, seen_by, seen, features):
    p = len(weights)
    errors = np.zeros(3 * p)
    for i in range(p):
        image = projected(cameras[seen_by[i]], points[seen[i]])
        errors[2 * i : 2 * i + 2] = weights[i] * (image - features[i])
    for i in range(p):
        errors[2 * p + i] = 1 - weights[i] ** 2
    return errors


def errors_in_a_list(cameras, points, weights, seen_by, seen, features):
    errors = [
        weights[i] * (projected(cameras[seen_by[i]], points[seen[i]]) - features[i])
        for i in range(len(weights))
    ]
    return np.concatenate([*errors, 1 - weights**2])


# -- bands


def stencil(u):
    """Heat with a source, at the inner points."""
    return u[:-2] - 2 * u[1:-1] + u[2:] + 0.01 * np.exp(u[1:-1])


def broyden(x):
    """Broyden's tridiagonal function, with its edges tested."""
    n = len(x)
    r = np.zeros(n)
    for i in range(n):
        left = x[i - 1] if i > 0 else 0.0
        right = x[i + 1] if i < n - 1 else 0.0
        r[i] = (3 - 2 * x[i]) * x[i] - left - 2 * right + 1
    return r


def valley(x):
    """Rosenbrock's: its Hessian is tridiagonal."""
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


# -- a few parameters for all, and some for each


def peaks(parameters, centres, x):
    """A peak of common height and width for each row, at a centre of its own."""
    height, width, ground = parameters
    return height * np.exp(-(((x - centres) / width) ** 2)) + ground


def exponentials(parameters, x):
    """A sum of decays, at many places."""
    a, b, c, d = parameters
    return a * np.exp(-b * x) + c * np.exp(-d * x)


# -- one function mapped over rows


def orbits(states):
    """The derivative by time of position and velocity, a body in a row."""
    position, velocity = states[:, :3], states[:, 3:]
    distance = np.sqrt(np.sum(position**2, axis=1, keepdims=True))
    return np.concatenate([velocity, -position / distance**3], axis=1)


# -- sums over data


def logistic(w, X, y):
    z = X @ w
    return np.sum(np.logaddexp(0, z) - y * z) + 0.5 * np.sum(w**2)


def softmax(W, X, y):
    z = X @ W
    top = np.max(z, axis=1, keepdims=True)
    normaliser = np.log(np.sum(np.exp(z - top), axis=1)) + top[:, 0]
    return np.sum(normaliser - z[np.arange(len(y)), y])
