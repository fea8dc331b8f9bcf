"""What a rod is made of, seen from how it cools

An inverse problem: the conductivity along a rod is found from temperatures at a few sensors. The simulation writes into one
buffer in a loop, as finite differences usually do; `rg.checkpointed` keeps forty of its thousand states and runs the rest
again on the way back.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np
from scipy.optimize import minimize

import retrograd as rg

SENSORS = np.arange(4, 60, 5)


def simulate(k, u0, steps, seen):
    """Temperatures at the sensors, every tenth step; the ends are held at zero."""
    u = u0.copy()
    for step in rg.checkpointed(range(steps), snapshots=40):
        flow = 0.4 * k * (u[1:] - u[:-1])
        u[1:-1] += flow[1:] - flow[:-1]
        if step % 10 == 9:
            seen[step // 10] = u[SENSORS]
    return seen


def misfit(log_k, u0, measured, steps):
    seen = simulate(np.exp(log_k), u0, steps, np.zeros(measured.shape))
    rough = log_k[1:] - log_k[:-1]
    return np.sum((seen - measured) ** 2) / 0.01**2 + 30.0 * np.sum(rough**2)


def solve():
    rng = np.random.default_rng(1)
    at, steps = np.linspace(0.0, 1.0, 61), 500
    middle = (at[1:] + at[:-1]) / 2
    u0 = np.sin(np.pi * at) + 0.6 * np.sin(3 * np.pi * at) + 0.5 * np.sin(8 * np.pi * at)
    truth = 0.9 - 0.6 * np.exp(-(((middle - 0.35) / 0.08) ** 2)) - 0.3 * (middle > 0.7)
    exact = simulate(truth, u0, steps, np.zeros((steps // 10, SENSORS.size)))
    measured = exact + 0.01 * rng.normal(size=exact.shape)
    start = np.full(middle.size, np.log(0.7))
    found = minimize(
        rg.value_and_grad(misfit),
        start,
        args=(u0, measured, steps),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 25},
    )
    return {"k": np.exp(found.x), "truth": truth, "at": middle, "seen": measured}


def draw(fig, found):
    left, right = fig.subplots(1, 2)
    left.plot(found["at"], found["truth"], "--", color="C7", label="truth")
    left.plot(found["at"], found["k"], label="found")
    left.set(xlabel="position", ylabel="conductivity", ylim=(0, 1.2), title="the rod")
    left.legend(loc="lower right")
    shown = right.imshow(found["seen"], aspect="auto", cmap="cividis", interpolation="none")
    right.set(xlabel="sensor", ylabel="time (ten steps)", title="what was measured")
    fig.colorbar(shown, label="temperature")


if __name__ == "__main__":
    found = solve()
    print("largest error of k", np.abs(found["k"] - found["truth"]).max().round(3))
