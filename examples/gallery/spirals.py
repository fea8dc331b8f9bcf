"""Two spirals, told apart by a small network

The classic toy of neural networks, in plain NumPy: parameters are a list of pairs, the loss is a function, and the gradient is
a list of pairs of the same shapes.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

from itertools import pairwise

import numpy as np

import retrograd as rg


def network(layers, x):
    for w, b in layers[:-1]:
        x = np.tanh(x @ w + b)
    w, b = layers[-1]
    return (x @ w + b)[:, 0]


def loss(layers, x, y):
    """Cross-entropy for labels 0 and 1."""
    z = network(layers, x)
    return np.mean(np.logaddexp(0.0, z) - y * z)


def spirals(rng, n=120):
    t = 0.6 + 3.4 * np.sqrt(np.linspace(0.02, 1, n))
    arm = np.column_stack([t * np.cos(2 * t), t * np.sin(2 * t)]) / 4
    x = np.concatenate([arm, -arm]) + 0.03 * rng.normal(size=(2 * n, 2))
    return x, np.repeat([0.0, 1.0], n)


def solve():
    rng = np.random.default_rng(7)
    x, y = spirals(rng)
    sizes = [2, 24, 24, 1]
    layers = [(rng.normal(size=s) * 1.5 / np.sqrt(s[0]), np.zeros(s[1])) for s in pairwise(sizes)]
    mean = [[np.zeros_like(a) for a in layer] for layer in layers]
    square = [[np.zeros_like(a) for a in layer] for layer in layers]
    value_and_grad, losses = rg.value_and_grad(loss), []
    for t in range(1, 801):
        value, gradient = value_and_grad(layers, x, y)
        losses.append(value)
        for layer, g, m, v in zip(layers, gradient, mean, square, strict=True):
            for k in range(2):
                m[k] = 0.9 * m[k] + 0.1 * g[k]
                v[k] = 0.99 * v[k] + 0.01 * g[k] ** 2
                layer[k][...] -= 0.02 * m[k] / (1 - 0.9**t) / (np.sqrt(v[k] / (1 - 0.99**t)) + 1e-8)
    return {"layers": layers, "x": x, "y": y, "losses": losses}


def draw(fig, found):
    left, right = fig.subplots(1, 2, width_ratios=[1, 1])
    grid = np.linspace(-1.15, 1.15, 160)
    points = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)
    chance = 1 / (1 + np.exp(-network(found["layers"], points)))
    left.contourf(
        grid, grid, chance.reshape(160, 160), levels=[0, 0.5, 1], colors=["C0", "C1"], alpha=0.3
    )
    for kind, mark in enumerate("os"):
        left.plot(*found["x"][found["y"] == kind].T, mark, ms=2.5, color=f"C{kind}")
    left.set(xlabel="$x_1$", ylabel="$x_2$", aspect="equal", title="what it learnt")
    right.semilogy(found["losses"])
    right.set(xlabel="step", ylabel="cross-entropy", title="training")


if __name__ == "__main__":
    found = solve()
    right = (network(found["layers"], found["x"]) > 0) == found["y"]
    print("loss", round(found["losses"][-1], 4), "right", right.mean())
