"""Noise levels of a Kalman filter, by maximum likelihood

How much does the target manoeuvre, how bad is the sensor? Both are found from the data alone: the likelihood is what
the filter itself computes, step by step, and the gradient runs back through the recursion.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np
from scipy.optimize import minimize

import retrograd as rg

F = np.array([[1.0, 1.0], [0.0, 1.0]])
G = np.array([[0.25, 0.5], [0.5, 1.0]])


def cost(theta, ys):
    """Minus the log likelihood of positions; `theta` has the logs of both standard deviations."""
    Q, r = np.exp(2 * theta[0]) * G, np.exp(2 * theta[1])
    m, P = np.zeros(2), 100.0 * np.eye(2)
    total = 0.0
    for y in ys:
        m, P = F @ m, F @ P @ F.T + Q
        s = P[0, 0] + r
        gain = P[:, 0] / s
        innovation = y - m[0]
        m = m + gain * innovation
        P = P - np.outer(gain, P[0])
        total += np.log(s) + innovation**2 / s
    return total / 2


def track(theta, ys):
    """The estimated positions with their standard deviations."""
    Q, r = np.exp(2 * theta[0]) * G, np.exp(2 * theta[1])
    m, P, out = np.zeros(2), 100.0 * np.eye(2), []
    for y in ys:
        m, P = F @ m, F @ P @ F.T + Q
        gain = P[:, 0] / (P[0, 0] + r)
        m, P = m + gain * (y - m[0]), P - np.outer(gain, P[0])
        out.append((m[0], np.sqrt(P[0, 0])))
    return np.array(out)


def solve():
    rng = np.random.default_rng(4)
    speed = np.cumsum(0.15 * rng.normal(size=120))
    path = np.cumsum(speed)
    ys = path + 3.0 * rng.normal(size=120)
    found = minimize(rg.value_and_grad(cost), np.array([0.0, 0.0]), args=(ys,), jac=True)
    return {"theta": found.x, "path": path, "ys": ys, "track": track(found.x, ys)}


def draw(fig, found):
    axes = fig.subplots()
    mean, spread = found["track"].T
    time = np.arange(mean.size)
    axes.plot(time, found["ys"], ".", color="C1", ms=4, label="measured")
    axes.plot(time, found["path"], "--", color="C7", label="truth")
    axes.fill_between(time, mean - 2 * spread, mean + 2 * spread, alpha=0.3, lw=0)
    axes.plot(time, mean, color="C0", label="filtered")
    axes.set(xlabel="time (s)", ylabel="position (m)")
    axes.legend()


if __name__ == "__main__":
    print("manoeuvre, sensor", np.exp(solve()["theta"]).round(3))
