"""A Gaussian process learns its length scale, height and noise from the marginal likelihood."""
# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np

import retrograd as rg


def covariance(theta, x):
    """Squared-exponential kernel with noise; theta holds the logs of length, height and noise."""
    length, height, noise = np.exp(theta[0]), np.exp(theta[1]), np.exp(theta[2])
    r = (x[:, None] - x[None, :]) / length
    return height**2 * np.exp(-0.5 * r**2) + noise**2 * np.eye(x.shape[0])


def loss(theta, x, y):
    """Negative log marginal likelihood, by Cholesky."""
    k = covariance(theta, x)
    factor = np.linalg.cholesky(k)
    alpha = np.linalg.solve(k, y)
    log_det = 2 * np.sum(np.log(np.diagonal(factor)))
    return 0.5 * (y @ alpha + log_det + x.shape[0] * np.log(2 * np.pi))


def fit(theta, x, y, steps=200, rate=0.02):
    """Gradient descent with momentum on the logs; prints as it goes."""
    value_and_grad = rg.value_and_grad(loss)
    velocity = np.zeros_like(theta)
    for step in range(steps + 1):
        value, theta_bar = value_and_grad(theta, x, y)
        if step % 50 == 0:
            print(f"step {step:3d}  -log likelihood {value:8.3f}", end="  ")
            print("length, height, noise =", np.round(np.exp(theta), 3))
        velocity = 0.8 * velocity - rate * theta_bar / np.maximum(1, np.linalg.norm(theta_bar))
        theta = theta + velocity
    return theta


def main():
    """Noisy samples of a sine; the noise was drawn with deviation 0.1."""
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(0, 6, 25))
    y = np.sin(x) + 0.1 * rng.normal(size=x.size)
    theta = fit(np.zeros(3), x, y)
    k = covariance(theta, np.append(x, 2.5))
    mean = k[-1, :-1] @ np.linalg.solve(k[:-1, :-1], y)
    print(f"prediction at 2.5: {mean:.3f}, truth {np.sin(2.5):.3f}")


if __name__ == "__main__":
    main()
