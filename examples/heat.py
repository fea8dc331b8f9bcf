"""A rod that cools: its conductivity found from what is measured at the end, through in-place steps."""
# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np

import retrograd as rg


def simulate(k, u0, steps):
    """Explicit finite differences on a rod whose ends are held at zero; the rod is one buffer."""
    u = u0.copy()
    flow = np.empty(u.size - 1)
    for _ in range(steps):
        flow[:] = 0.25 * k * (u[1:] - u[:-1])
        u[1:-1] += flow[1:] - flow[:-1]
        u[0] = u[-1] = 0.0
    return u


def loss(k, u0, seen, steps):
    """Mean squared distance from the measurement; smooth conductivities are preferred."""
    rough = k[1:] - k[:-1]
    return np.mean((simulate(k, u0, steps) - seen) ** 2) + 1e-7 * np.sum(rough**2)


def main():
    """Adam, from a rod of one material to one that has a slow middle."""
    n, steps = 41, 60
    at = np.linspace(0.0, 1.0, n)
    u0 = np.sin(3 * np.pi * at) ** 2 + at * (1 - at)
    truth = 1.0 - 0.6 * np.exp(-(((at[1:] - 0.5) / 0.15) ** 2))
    seen = simulate(truth, u0, steps)
    k, m, v = np.full(n - 1, 0.8), np.zeros(n - 1), np.zeros(n - 1)
    value_and_grad = rg.value_and_grad(loss)
    for t in range(1, 402):
        value, g = value_and_grad(k, u0, seen, steps)
        m, v = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g**2
        k = k - 0.01 * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.99**t)) + 1e-12)
        if t % 100 == 1:
            error = np.max(np.abs(k - truth))
            print(f"step {t - 1:3d}  loss {value:.8f}  largest error of k {error:.3f}")


if __name__ == "__main__":
    main()
