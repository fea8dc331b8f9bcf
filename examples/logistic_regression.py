"""Logistic regression by gradient descent: the smallest complete program."""
# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

import numpy as np

import retrograd as rg


@rg.differentiate(sig="w: f8[d], x: f8[n, d], y: f8[n]")
def loss(w, x, y):
    p = 1 / (1 + np.exp(-(x @ w)))
    return -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))


def sample(n=200, seed=0):
    """Points, and labels drawn from the model itself."""
    rng = np.random.default_rng(seed)
    truth = np.array([1.5, -2.0, 0.5])
    x = rng.normal(size=(n, truth.size))
    y = (rng.uniform(size=n) < 1 / (1 + np.exp(-(x @ truth)))).astype(float)
    return truth, x, y


def main():
    """Train, and compare with the weights the labels were drawn from."""
    truth, x, y = sample()
    w = np.zeros(truth.size)
    for step in range(301):
        value, w_bar = loss.value_and_grad(w, x, y)
        if step % 100 == 0:
            print(f"step {step:3d}  loss {value:.4f}")
        w -= 1.0 * w_bar
    print("weights", np.round(w, 2), " drawn from", truth)


if __name__ == "__main__":
    main()
