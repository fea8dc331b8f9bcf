"""Bayesian logistic regression, sampled by Hamiltonian Monte Carlo

The posterior of a logistic regression has no closed form. Hamiltonian Monte Carlo draws from it with nothing but the gradient
of the log density, some twenty thousand times: a gradient whose call costs microseconds is what makes the plain loop in
NumPy quick.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np

import retrograd as rg


def energy(w, x, y):
    """Minus the log of the posterior, up to a constant: a normal prior of width 3."""
    z = x @ w
    return np.sum(np.logaddexp(0.0, z) - y * z) + np.sum(w**2) / 18


def sample(gradient, w, n, rng, step=0.12, leaps=12):
    """The chain of the weights, and the share of proposals that were accepted."""
    chain, accepted = np.empty((n, w.size)), 0
    value, force = gradient(w)
    for k in range(n):
        momentum = rng.normal(size=w.size)
        start = value + momentum @ momentum / 2
        new, new_value, new_force = w, value, force
        for _ in range(leaps):
            momentum = momentum - step / 2 * new_force
            new = new + step * momentum
            new_value, new_force = gradient(new)
            momentum = momentum - step / 2 * new_force
        if rng.random() < np.exp(start - new_value - momentum @ momentum / 2):
            w, value, force = new, new_value, new_force
            accepted += 1
        chain[k] = w
    return chain, accepted / n


def solve():
    rng = np.random.default_rng(5)
    x = np.column_stack([np.ones(80), rng.normal(size=(80, 2))])
    y = (rng.random(80) < 1 / (1 + np.exp(-x @ [0.3, 2.0, -1.2]))).astype(float)
    value_and_grad = rg.value_and_grad(energy)
    chain, rate = sample(lambda w: value_and_grad(w, x, y), np.zeros(3), 1700, rng)
    return {"x": x, "y": y, "chain": chain[200:], "rate": rate}


def draw(fig, found):
    left, right = fig.subplots(1, 2)
    x, y, chain = found["x"], found["y"], found["chain"]
    across = np.array([-3.0, 3.0])
    for w in chain[::30]:
        left.plot(across, -(w[0] + w[1] * across) / w[2], color="C7", lw=0.6, alpha=0.35)
    for kind, mark in enumerate("os"):
        left.plot(*x[y == kind, 1:].T, mark, ms=4, color=f"C{kind}", label=f"class {kind}")
    left.set(xlim=(-3, 3), ylim=(-3, 3), xlabel="$x_1$", ylabel="$x_2$", title="boundaries drawn")
    left.legend()
    right.plot(*chain[:, 1:].T, ".", ms=2, color="C5", rasterized=True)
    right.plot(2.0, -1.2, "*", ms=11, color="C1", label="truth")
    right.set(xlabel="$w_1$", ylabel="$w_2$", title="the posterior")
    right.legend()


if __name__ == "__main__":
    found = solve()
    print("mean", found["chain"].mean(axis=0).round(2), "accepted", round(found["rate"], 2))
