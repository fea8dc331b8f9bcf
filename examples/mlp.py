"""A multi-layer perceptron fits a curve; parameters and gradient are a list of pairs."""
# mypy: allow-untyped-defs, allow-untyped-calls

from itertools import pairwise

import numpy as np

import retrograd as rg


def predict(params, x):
    """Layers of tanh, the last one linear."""
    h = x
    for w, b in params[:-1]:
        h = np.tanh(h @ w + b)
    w, b = params[-1]
    return h @ w + b


def loss(params, x, y):
    """Mean squared error."""
    return np.mean((predict(params, x) - y) ** 2)


def start(sizes, seed=0):
    """Weights scaled by the width of the layer they come from, biases zero."""
    rng = np.random.default_rng(seed)
    return [(rng.normal(size=(m, n)) / np.sqrt(m), np.zeros(n)) for m, n in pairwise(sizes)]


def moved(params, velocity, rate):
    """The parameters, one step along the velocity."""
    pairs = zip(params, velocity, strict=True)
    return [(w + rate * w_v, b + rate * b_v) for (w, b), (w_v, b_v) in pairs]


def main():
    """Gradient descent with momentum on y = sin(3 x)."""
    x = np.linspace(-1, 1, 40)[:, None]
    y = np.sin(3 * x)
    value_and_grad = rg.value_and_grad(loss)
    params = start([1, 8, 8, 1])
    velocity = [(np.zeros_like(w), np.zeros_like(b)) for w, b in params]
    for step in range(501):
        value, params_bar = value_and_grad(params, x, y)
        if step % 100 == 0:
            print(f"step {step:3d}  mean squared error {value:.5f}")
        velocity = moved([(0.9 * w, 0.9 * b) for w, b in velocity], params_bar, -0.05)
        params = moved(params, velocity, 1.0)


if __name__ == "__main__":
    main()
