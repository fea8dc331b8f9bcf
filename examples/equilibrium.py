"""A layer that is defined by an equation: a deep equilibrium model fitted by gradient descent."""
# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np

import retrograd as rg


def layer(z, w, u, x):
    """One step of the state of every sample, a contraction; the layer is where it stands still."""
    return np.tanh(z @ (0.8 * w / np.linalg.norm(w)) + x @ u)


def predict(params, x):
    """The state at rest, read out by v."""
    w, u, v = params
    z = rg.fixed_point(layer, np.zeros((x.shape[0], w.shape[0])), w, u, x)
    return z @ v


@rg.differentiate
def loss(params, x, y):
    """The mean squared error."""
    return np.mean((predict(params, x) - y) ** 2)


def main():
    """Learn y = sin(x0) + x1 with three states; then how far the layer is from its equilibrium."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(12, 2))
    y = np.sin(x[:, 0]) + 0.5 * x[:, 1]
    params = tuple(0.3 * rng.normal(size=shape) for shape in ((3, 3), (2, 3), (3,)))
    for step in range(151):
        value, bars = loss.value_and_grad(params, x, y)
        if step % 50 == 0:
            print(f"step {step:3d}  mean squared error {value:.4f}")
        params = tuple(p - 0.3 * bar for p, bar in zip(params, bars, strict=True))
    w, u, _ = params
    z = rg.fixed_point(layer, np.zeros((12, 3)), w, u, x)
    print(f"residual {np.max(np.abs(layer(z, w, u, x) - z)):.0e}")


if __name__ == "__main__":
    main()
