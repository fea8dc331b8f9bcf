"""Three bodies that chase each other on an eight

Chenciner and Montgomery proved in 2000 that three equal masses can follow each other on one closed curve. Here it is found
from a rough guess: the two numbers of the starting velocity and the period are changed until the bodies come back to where they
began.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np
from scipy.optimize import minimize

import retrograd as rg


def accelerations(q):
    out = np.zeros((3, 2))
    for i in range(3):
        for j in range(i):
            d = q[j] - q[i]
            pull = d / (d @ d) ** 1.5
            out[i] += pull
            out[j] -= pull
    return out


def start(p):
    v = p[:2]
    return np.array([[-1.0, 0.0], [1.0, 0.0], [0.0, 0.0]]), np.stack([v, v, -2 * v])


def travel(p, steps):
    """All positions on the way, and the velocities at the end: leapfrog steps over the period p[2]."""
    q, v = start(p)
    h = p[2] / steps
    path = np.empty((steps + 1, 3, 2))
    path[0] = q
    v = v + h / 2 * accelerations(q)
    for k in range(steps):
        q = q + h * v
        a = accelerations(q)
        v = v + h * a
        path[k + 1] = q
    return path, v - h / 2 * a


def gap(p, steps):
    path, v = travel(p, steps)
    q0, v0 = start(p)
    return np.sum((path[-1] - q0) ** 2) + np.sum((v - v0) ** 2)


def solve(steps=240):
    guess = np.array([0.36, 0.51, 6.2])
    found = minimize(rg.value_and_grad(gap), guess, args=(steps,), jac=True, tol=1e-12)
    return {
        "p": found.x,
        "gap": found.fun,
        "path": travel(found.x, steps)[0],
        "guess": travel(guess, steps)[0],
    }


def draw(fig, found):
    above, below = fig.subplots(2, 1, sharex=True)
    for axes, name in (above, "guess"), (below, "path"):
        path = found[name]
        for k in range(3):  # found: each body has a third of the curve
            part = path[: len(path) // 3 + 1] if name == "path" else path
            axes.plot(*part[:, k].T, color=f"C{k}", lw=1.3)
            axes.plot(*path[0, k], "o", color=f"C{k}", ms=7)
            axes.plot(*path[-1, k], "x", color=f"C{k}", ms=7)
        axes.set(aspect="equal", ylabel="$y$", title={"guess": "the guess", "path": "found"}[name])
    below.set(xlabel="$x$")


if __name__ == "__main__":
    found = solve()
    print("velocity and period", found["p"].round(4), "gap", f"{found['gap']:.1e}")
