"""The slide of shortest time

Bernoulli's problem of 1696: between two points, on which slide does a bead arrive first? The heights of forty pieces
are free, the time of travel is a sum, and its minimum is the cycloid, to the accuracy of straight pieces.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np
from scipy.optimize import brentq, minimize

import retrograd as rg

WIDTH, DROP, GRAVITY = 3.0, 1.0, 9.81


def duration(inner, x):
    """The time along straight pieces: on each, speed changes at a constant rate."""
    y = np.concatenate([np.zeros(1), inner, np.array([DROP])])
    speed = np.concatenate([np.zeros(1), np.sqrt(2 * GRAVITY * y[1:])])
    length = np.sqrt((x[1:] - x[:-1]) ** 2 + (y[1:] - y[:-1]) ** 2)
    return np.sum(2 * length / (speed[1:] + speed[:-1]))


def cycloid(n=200):
    """The exact slide, and its time."""
    end = brentq(lambda a: DROP * (a - np.sin(a)) - WIDTH * (1 - np.cos(a)), 1.0, 2 * np.pi - 1e-6)
    radius = DROP / (1 - np.cos(end))
    angle = np.linspace(0.0, end, n)
    path = radius * (angle - np.sin(angle)), radius * (1 - np.cos(angle))
    return *path, end * np.sqrt(radius / GRAVITY)


def solve():
    x = WIDTH * np.linspace(0.0, 1.0, 41) ** 1.5
    straight = DROP * x[1:-1] / WIDTH
    found = minimize(
        rg.value_and_grad(duration),
        straight,
        args=(x,),
        jac=True,
        bounds=[(1e-3, None)] * straight.size,
        method="L-BFGS-B",
    )
    y = np.concatenate([[0.0], found.x, [DROP]])
    return {"x": x, "y": y, "time": found.fun, "straight": duration(straight, x)}


def draw(fig, found):
    axes = fig.subplots()
    x, y, exact = cycloid()
    axes.plot([0, WIDTH], [0, DROP], color="C7", label=f"straight: {found['straight']:.3f} s")
    axes.plot(x, y, color="C0", label=f"cycloid: {exact:.4f} s")
    axes.plot(found["x"], found["y"], ".", color="C1", label=f"found: {found['time']:.4f} s")
    axes.invert_yaxis()
    axes.set(xlabel="distance (m)", ylabel="drop (m)", aspect="equal")
    axes.legend(loc="upper right")


if __name__ == "__main__":
    print("found", round(solve()["time"], 5), "cycloid", round(cycloid()[2], 5))
