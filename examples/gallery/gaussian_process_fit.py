"""Hyperparameters of a Gaussian process

The log marginal likelihood goes through a Cholesky factor and a triangular solve. Its gradient with respect to length
scale, amplitude and noise is one call, and L-BFGS finds the maximum.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np
from scipy.optimize import minimize

import retrograd as rg


def kernel(theta, a, b):
    return np.exp(2 * theta[1] - (a[:, None] - b[None, :]) ** 2 / (2 * np.exp(2 * theta[0])))


def cost(theta, x, y):
    """Minus the log marginal likelihood; `theta` has the logs of length, amplitude and noise."""
    L = np.linalg.cholesky(kernel(theta, x, x) + np.exp(2 * theta[2]) * np.eye(x.size))
    z = np.linalg.solve(L, y)
    return z @ z / 2 + np.sum(np.log(np.diag(L))) + x.size / 2 * np.log(2 * np.pi)


def predict(theta, x, y, grid):
    K = kernel(theta, x, x) + np.exp(2 * theta[2]) * np.eye(x.size)
    cross = kernel(theta, grid, x)
    spread = np.exp(2 * theta[1]) - np.sum(cross * np.linalg.solve(K, cross.T).T, axis=1)
    return cross @ np.linalg.solve(K, y), np.sqrt(spread)


def solve():
    rng = np.random.default_rng(2)
    x = np.sort(np.concatenate([rng.uniform(0, 4, 25), rng.uniform(6, 10, 25)]))
    y = np.sin(1.3 * x) + 0.3 * x - 1.5 + 0.15 * rng.normal(size=x.size)
    start = np.array([0.0, 0.0, -1.0])
    found = minimize(rg.value_and_grad(cost), start, args=(x, y), jac=True)
    grid = np.linspace(-1.0, 11.0, 240)
    mean, spread = predict(found.x, x, y, grid)
    return {"theta": found.x, "x": x, "y": y, "grid": grid, "mean": mean, "spread": spread}


def draw(fig, found):
    axes = fig.subplots()
    grid, mean, spread = found["grid"], found["mean"], found["spread"]
    axes.fill_between(grid, mean - 2 * spread, mean + 2 * spread, alpha=0.25, lw=0)
    axes.plot(grid, mean, label="posterior mean, with two standard deviations")
    axes.plot(found["x"], found["y"], ".", color="C1", label="observations")
    axes.set(xlabel="$x$", ylabel="$y$")
    axes.legend(loc="upper left")


if __name__ == "__main__":
    print("length, amplitude, noise", np.exp(solve()["theta"]).round(3))
