"""A lens, ground by gradient descent

Rays are traced through a lens whose two surfaces are conics with a correction of the fourth order. Spherical surfaces blur the
focus; four numbers are changed until all rays meet in one point. Every intersection is found by a few Newton steps in a
loop, which is differentiated as it stands.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np
from scipy.optimize import minimize

import retrograd as rg

INDEX, THICKNESS, SCREEN = 1.5, 4.0, 40.0


def sag(shape, h):
    """How deep a surface lies at the height h: a circle of curvature c, and a correction."""
    c, a = shape[0] / 40, shape[1] / 40**3
    return c * h**2 / (1 + np.sqrt(1 - c**2 * h**2)) + a * h**4


def slope(shape, h):
    c, a = shape[0] / 40, shape[1] / 40**3
    return c * h / np.sqrt(1 - c**2 * h**2) + 4 * a * h**3


def through(shape, vertex, x, y, tangent, ratio):
    """Rays x, y that climb by `tangent`, to a surface and into what lies behind it."""
    for _ in range(4):
        h = y + tangent * (vertex + sag(shape, y) - x)
        x, y = vertex + sag(shape, h), h
    angle = np.arctan(tangent)
    normal = -np.arctan(slope(shape, y))
    bent = normal + np.arcsin(np.sin(angle - normal) * ratio)
    return x, y, np.tan(bent)


def trace(p, height):
    """Where the rays hit the first surface, the second, and the screen."""
    x1, y1, t1 = through(p[:2], 0.0, 0.0 * height, height, 0.0 * height, 1 / INDEX)
    x2, y2, t2 = through(p[2:], THICKNESS, x1, y1, t1, INDEX)
    return (x1, y1), (x2, y2), y2 + t2 * (SCREEN - x2)


def blur(p, height):
    """The mean square of the spot on the screen, in square millimetres."""
    return np.mean(trace(p, height)[2] ** 2)


def solve():
    height = np.linspace(0.5, 9.0, 18)
    start = np.array([1.0, 0.0, -1.0, 0.0])
    found = minimize(
        rg.value_and_grad(blur), start, args=(height,), jac=True, options={"gtol": 1e-12}
    )
    return {
        "p": found.x,
        "start": start,
        "height": height,
        "blur": found.fun,
        "before": blur(start, height),
    }


def draw(fig, found):
    height = np.concatenate([-found["height"][::-2], found["height"][1::2]])
    rim = np.linspace(-10, 10, 80)
    for axes, name in zip(fig.subplots(2, 1, sharex=True), ["start", "p"], strict=True):
        (x1, y1), (x2, y2), y3 = trace(found[name], height)
        for k in range(height.size):
            axes.plot([-8, x1[k], x2[k], SCREEN], [y1[k], y1[k], y2[k], y3[k]], color="C0", lw=0.7)
        front, back = sag(found[name][:2], rim), THICKNESS + sag(found[name][2:], rim)
        axes.fill_betweenx(rim, front, back, color="C7", alpha=0.35, lw=0)
        axes.axvline(SCREEN, color="C1", lw=1.5)
        spot = np.sqrt(found["before"] if name == "start" else found["blur"])
        axes.set(
            ylabel="height (mm)",
            title=f"{'spherical' if name == 'start' else 'found'}: spot {spot:.2g} mm",
        )
    axes.set(xlabel="distance (mm)")


if __name__ == "__main__":
    found = solve()
    print("spot", f"{np.sqrt(found['before']):.3f} mm to {np.sqrt(found['blur']):.1e} mm")
