"""A softmax classifier of three clouds of points, with respect to weights and bias."""
# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np

import retrograd as rg


def loss(w, b, x, onehot):
    """Mean cross-entropy of softmax(x @ w + b), shifted by the maximum against overflow."""
    z = x @ w + b
    z = z - np.max(z, axis=1, keepdims=True)
    log_p = z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))
    return -np.sum(onehot * log_p) / x.shape[0]


def clouds(per_class=50, seed=0):
    """Three normal clouds in the plane and the class of each point."""
    rng = np.random.default_rng(seed)
    centres = np.array([[0.0, 2.0], [-2.0, -1.0], [2.0, -1.0]])
    labels = np.repeat(np.arange(3), per_class)
    return centres[labels] + rng.normal(size=(labels.size, 2)), labels


def main():
    """Train by gradient descent and count the points that are told right."""
    x, labels = clouds()
    onehot = np.eye(3)[labels]
    w, b = np.zeros((2, 3)), np.zeros(3)
    value_and_grad = rg.value_and_grad(loss, wrt=("w", "b"))
    for step in range(101):
        value, (w_bar, b_bar) = value_and_grad(w, b, x, onehot)
        if step % 25 == 0:
            right = np.mean(np.argmax(x @ w + b, axis=1) == labels)
            print(f"step {step:3d}  cross-entropy {value:.4f}  accuracy {right:.0%}")
        w -= 0.5 * w_bar
        b -= 0.5 * b_bar


if __name__ == "__main__":
    main()
