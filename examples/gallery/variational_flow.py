"""A density that is no Gaussian, approximated by a flow

Variational inference: normal noise is bent by a chain of invertible maps until it looks like a posterior whose
density is known up to a constant. The loss is the Kullback-Leibler divergence over a fixed sample, differentiated through
the maps and the logarithm of their determinant.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np
from scipy.optimize import minimize

import retrograd as rg


def log_density(x, y):
    """A banana: y follows the square of x."""
    return -(x**2) / 2 - (y - 0.6 * x**2 + 1.0) ** 2 / (2 * 0.35**2)


def flow(theta, noise):
    """Two coordinates in turns: each is scaled and shifted by a polynomial of the other."""
    x, y, log_det = noise[:, 0], noise[:, 1], 0.0
    for a in theta:
        scale = a[0] + a[1] * np.tanh(x)
        y = y * np.exp(scale) + a[2] + a[3] * x + a[4] * x**2
        log_det = log_det + scale
        x, y = y, x
    return x, y, log_det


def divergence(flat, noise):
    theta = flat.reshape(4, 5)
    x, y, log_det = flow(theta, noise)
    return -np.mean(log_density(x, y) + log_det) + 1e-3 * np.sum(theta**2)


def solve():
    rng = np.random.default_rng(9)
    noise = rng.normal(size=(400, 2))
    start = 0.01 * rng.normal(size=20)
    found = minimize(
        rg.value_and_grad(divergence), start, args=(noise,), jac=True, options={"maxiter": 200}
    )
    fresh = rng.normal(size=(1500, 2))
    x, y, _ = flow(found.x.reshape(4, 5), fresh)
    before = divergence(start, noise)
    return {"theta": found.x, "x": x, "y": y, "noise": fresh, "before": before, "after": found.fun}


def draw(fig, found):
    x, y = np.meshgrid(np.linspace(-3.2, 3.2, 120), np.linspace(-3, 5, 120))
    density = np.exp(log_density(x, y))
    names = ["noise", "noise, bent by the flow"]
    samples = [found["noise"].T, (found["x"], found["y"])]
    for axes, name, points in zip(fig.subplots(1, 2, sharey=True), names, samples, strict=True):
        axes.contour(x, y, density, levels=[0.05, 0.3, 0.7], colors="C1", linewidths=1)
        axes.plot(*points, ".", ms=2, color="C5", rasterized=True)
        axes.set(xlabel="$x$", title=name, xlim=(-3.2, 3.2), ylim=(-3, 5))
    fig.axes[0].set(ylabel="$y$")


if __name__ == "__main__":
    found = solve()
    print("divergence, up to a constant:", found["before"].round(2), "to", round(found["after"], 3))
