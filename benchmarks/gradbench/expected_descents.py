"""What ``particle`` and ``saddle`` expect: the same descents, with derivatives by hand and complex steps."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["particle", "saddle"]

TINY = 1e-30

Point = Sequence[float]


def descent(cost: Callable[[Point], float], gradient: Callable[[Point], Point], x: Point) -> Point:
    value, slope = cost(x), gradient(x)
    step, successes = 1e-5, 0
    while math.hypot(*slope) > 1e-5:
        if successes == 10:
            step, successes = 2 * step, 0
        moved = [a - step * b for a, b in zip(x, slope, strict=True)]
        if math.dist(moved, x) <= 1e-5:
            return x
        reached = cost(moved)
        if reached < value:
            x, value, slope, successes = moved, reached, gradient(moved), successes + 1
        else:
            step, successes = step / 2, 0
    return x


def square(x: Point) -> float:
    return sum(a * a for a in x)


def crossing(w: Any) -> Any:
    """The square of where the particle crosses the axis; w may be complex."""
    x, y, vx, vy = 0.0, 8.0, 0.75, 0.0
    while True:
        cubes = [((x - 10) ** 2 + (y - at) ** 2) ** 1.5 for at in (10 - w, 0.0)]
        fx = sum((x - 10) / cube for cube in cubes)
        fy = (y - 10 + w) / cubes[0] + y / cubes[1]
        x, y = x + 0.1 * vx, y + 0.1 * vy
        if complex(y).real <= 0:
            return (x - y / vy * vx) ** 2
        vx, vy = vx + 0.1 * fx, vy + 0.1 * fy


def particle(given: Any) -> Any:
    (w,) = descent(
        lambda w: crossing(w[0]),
        lambda w: [crossing(w[0] + 1j * TINY).imag / TINY],
        [given["w"]],
    )
    return w


def saddle(given: Any) -> Any:
    """The inner descent does not hang on x: the outer gradient is that of the square of x."""
    start = given["start"]

    def highest(x: Point) -> Point:
        return descent(lambda y: square(y) - square(x), lambda y: [2 * a for a in y], start)

    def greatest(x: Point) -> float:
        y = highest(x)
        return square(x) - square(y)

    x = descent(greatest, lambda x: [2 * a for a in x], start)
    return [*x, *highest(x)]
