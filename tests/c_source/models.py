"""Programs whose derivatives in C are kept to be read: statistics, a filter, control, a simulation."""

import numpy as np


def loss(w, x, y):
    p = 1 / (1 + np.exp(-(x @ w)))
    return -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))


def log_likelihood(q, ys):
    F = np.array([[1.0, 0.1], [0.0, 1.0]])
    H = np.array([[1.0, 0.0]])
    m = np.zeros(2)
    P = np.eye(2)
    total = 0.0
    for y in ys:
        m = F @ m
        P = F @ P @ F.T + q * np.eye(2)
        v = y - H @ m
        S = H @ P @ H.T + 0.5 * np.eye(1)
        K = P @ H.T @ np.linalg.inv(S)
        m = m + K @ v
        P = P - K @ S @ K.T
        total -= 0.5 * (v @ np.linalg.solve(S, v) + np.log(np.linalg.det(S)))
    return total


def swing_up(torque, angle, speed, h):
    """The cost of swinging up a pendulum: explicit midpoint steps, a penalty on torque."""
    cost = 0.0
    for u in torque:
        middle = angle + h / 2 * speed
        middle_speed = speed + h / 2 * (u - np.sin(angle) - 0.1 * speed)
        angle = angle + h * middle_speed
        speed = speed + h * (u - np.sin(middle) - 0.1 * middle_speed)
        cost = cost + h * ((1 + np.cos(angle)) ** 2 + 0.1 * speed**2 + 0.01 * u**2)
    return cost


def cooled(u, k, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:-1] += k * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum(u**2)
