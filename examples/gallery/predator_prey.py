"""Rates of an ordinary differential equation

Hares and lynxes after Lotka and Volterra: four rates are found from two noisy series. The solver is written out, a loop of
Runge-Kutta steps, and is differentiated as it stands.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np
from scipy.optimize import minimize

import retrograd as rg

TRUTH = np.array([0.8, 0.35, 0.9, 0.2])
STEP = 0.1


def rates(u, p):
    prey, predators = u
    return np.array(
        [p[0] * prey - p[1] * prey * predators, p[3] * prey * predators - p[2] * predators]
    )


def simulate(p, u, steps):
    path = np.empty((steps + 1, 2))
    path[0] = u
    for k in range(steps):
        a = rates(u, p)
        b = rates(u + STEP / 2 * a, p)
        c = rates(u + STEP / 2 * b, p)
        d = rates(u + STEP * c, p)
        u = u + STEP / 6 * (a + 2 * b + 2 * c + d)
        path[k + 1] = u
    return path


def misfit(log_p, u, seen, every):
    path = simulate(np.exp(log_p), u, (len(seen) - 1) * every)
    return np.mean((np.log(path[::every]) - np.log(seen)) ** 2)


def solve():
    rng = np.random.default_rng(8)
    start, steps, every = np.array([6.0, 2.0]), 200, 8
    path = simulate(TRUTH, start, steps)
    seen = path[::every] * np.exp(0.1 * rng.normal(size=path[::every].shape))
    guess = np.log(np.array([0.6, 0.3, 0.7, 0.15]))
    found = minimize(rg.value_and_grad(misfit), guess, args=(start, seen, every), jac=True)
    fitted = simulate(np.exp(found.x), start, steps)
    return {"p": np.exp(found.x), "seen": seen, "fitted": fitted, "path": path, "every": every}


def draw(fig, found):
    axes = fig.subplots()
    time = STEP * np.arange(len(found["fitted"]))
    for k, name in enumerate(["prey", "predators"]):
        axes.plot(time, found["path"][:, k], "--", color="C7", lw=1)
        axes.plot(time, found["fitted"][:, k], color=f"C{k}", label=name)
        axes.plot(time[:: found["every"]], found["seen"][:, k], "os"[k], ms=4, color=f"C{k}")
    axes.set(xlabel="time (years)", ylabel="population (thousands)", ylim=(0, None))
    axes.legend(loc="upper right")


if __name__ == "__main__":
    print("rates", solve()["p"].round(3), "truth", TRUTH)
