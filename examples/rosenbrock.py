"""Rosenbrock's valley in ten dimensions, walked down by a BFGS of a dozen lines."""
# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np

import retrograd as rg


def rosenbrock(x):
    """Minimum 0 at (1, ..., 1), at the end of a long curved valley."""
    return np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def step_length(f, x, value, slope, direction):
    """Halve the step until the value falls as the slope promises."""
    t = 1.0
    while f(x + t * direction) > value + 1e-4 * t * slope:
        t /= 2
    return t


def minimise(f, x, tolerance=1e-8, most=500):
    """BFGS: `h` is the running estimate of the inverse Hessian; returns (x, number of steps)."""
    value_and_grad = rg.value_and_grad(f)
    value, g = value_and_grad(x)
    h = np.eye(x.size)
    for k in range(most):
        if np.max(np.abs(g)) < tolerance:
            return x, k
        direction = -h @ g
        s = step_length(f, x, value, g @ direction, direction) * direction
        x = x + s
        value, g_new = value_and_grad(x)
        y, g = g_new - g, g_new
        if y @ s > 0:
            a = np.eye(x.size) - np.outer(s, y) / (y @ s)
            h = a @ h @ a.T + np.outer(s, s) / (y @ s)
    return x, most


def main():
    """From a corner to the minimum."""
    start = np.full(10, -1.2)
    x, steps = minimise(rosenbrock, start)
    print(f"from f = {rosenbrock(start):.1f} to f = {rosenbrock(x):.2e} in {steps} steps")
    print("x =", np.round(x, 6))


if __name__ == "__main__":
    main()
