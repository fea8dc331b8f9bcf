"""Sums and steps at places that SciPy chose, as the compiler reads them: they are part of the program."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import UnsupportedOperation

__all__ = [
    "array_of",
    "item_of",
    "leaving",
    "leaving_second",
    "leaving_vector",
    "misfit",
    "on_a_copy",
    "over_half_line",
    "over_line",
    "times",
    "trajectory",
    "vector_of",
    "weighted_sum",
    "with_slopes",
    "without_last",
]


def weighted_sum(f: Any, a: Any, b: Any, args: Any, u: Any, w: Any) -> Any:
    """The integral of ``f`` from ``a`` to ``b`` with weights ``w`` at shares ``u`` of the way."""
    total = 0.0
    for k in range(len(u)):
        total = total + w[k] * f(a + (b - a) * u[k], *args)
    return total * (b - a)


def slope(f: Any, y: Any, s: Any, args: Any, tfirst: bool) -> Any:
    if tfirst:
        return np.asarray(f(s, y, *args))
    return np.asarray(f(y, s, *args))


def stepped(f: Any, y: Any, s: Any, h: Any, args: Any, tfirst: bool) -> Any:
    """One step of Dormand and Prince's method of order 5."""
    k1 = slope(f, y, s, args, tfirst)
    k2 = slope(f, y + h * (0.2 * k1), s + 0.2 * h, args, tfirst)
    moved = np.array([0.075, 0.225]) @ np.stack((k1, k2))
    k3 = slope(f, y + h * moved, s + 0.3 * h, args, tfirst)
    moved = np.array([0.9777777777777777, -3.7333333333333334, 3.5555555555555554]) @ np.stack(
        (k1, k2, k3)
    )
    k4 = slope(f, y + h * moved, s + 0.8 * h, args, tfirst)
    moved = np.array(
        [2.9525986892242035, -11.595793324188385, 9.822892851699436, -0.2908093278463649]
    ) @ np.stack((k1, k2, k3, k4))
    k5 = slope(f, y + h * moved, s + 0.8888888888888888 * h, args, tfirst)
    moved = np.array(
        [
            2.8462752525252526,
            -10.757575757575758,
            8.906422717743473,
            0.2784090909090909,
            -0.2735313036020583,
        ]
    ) @ np.stack((k1, k2, k3, k4, k5))
    k6 = slope(f, y + h * moved, s + 1.0 * h, args, tfirst)
    moved = np.array(
        [
            0.09114583333333333,
            0.44923629829290207,
            0.6510416666666666,
            -0.322376179245283,
            0.13095238095238096,
        ]
    ) @ np.stack((k1, k3, k4, k5, k6))
    return y + h * moved


def trajectory(
    f: Any, y0: Any, t: Any, args: Any, before: Any, shares: Any, owners: Any, tfirst: bool
) -> Any:
    """Every step of the solution, a row for each."""
    y = y0
    rows = [y0]
    for j in range(len(shares)):
        start = t[owners[j]]
        width = t[owners[j] + 1] - start
        y = stepped(f, y, start + before[j] * width, shares[j] * width, args, tfirst)
        rows.append(y)
    return np.stack(rows)


def times(t: Any, before: Any, shares: Any, owners: Any) -> Any:
    """The time before the first step, and after each."""
    start = t[owners]
    after = start + (before + shares) * (t[owners + 1] - start)
    return np.concatenate((t[:1], after))


def vector_of(f: Any) -> Any:
    """The function whose result is a vector, whatever sequence of numbers ``f`` gives."""

    def residual(*xs: Any) -> Any:
        return np.ravel(np.asarray(f(*xs)))

    return residual


def array_of(f: Any) -> Any:
    """The function whose result is an array, whatever lists ``f`` gives."""

    def array(*xs: Any) -> Any:
        return np.asarray(f(*xs))

    return array


def item_of(f: Any, k: int) -> Any:
    """The function that gives one of the results of ``f``."""

    def item(*xs: Any) -> Any:
        return f(*xs)[k]

    return item


def with_slopes(f: Any, slopes: Any) -> Any:
    """The function that gives the values of ``f`` and of its derivatives."""

    def values(*xs: Any) -> Any:
        return (f(*xs), *[slope(*xs) for slope in slopes])

    return values


def on_a_copy(f: Any) -> Any:
    """The function that writes to a copy of what it is given, as a solver gives it one."""

    def apart(z: Any, *args: Any) -> Any:
        return f(np.copy(z), *args)

    return apart


def check_left(own: Any, z: Any) -> None:
    if not np.array_equal(own, z):
        raise UnsupportedOperation(
            "the solver would go on from what the function writes to its argument"
        )


def leaving(f: Any) -> Any:
    """The function that may write to what it is given only what stands there: its solver would go on from that."""

    def left(z: Any, *args: Any) -> Any:
        own = np.copy(z)
        values = f(own, *args)
        check_left(own, z)
        return values

    return left


def leaving_vector(f: Any) -> Any:
    """The same of a function of a vector."""

    def left(z: Any, *args: Any) -> Any:
        own = np.copy(np.ravel(z))
        values = f(own, *args)
        check_left(own, z)
        return values

    return left


def leaving_second(f: Any) -> Any:
    """The same of a function of the time and a vector."""

    def left(t: Any, z: Any, *args: Any) -> Any:
        own = np.copy(np.ravel(z))
        values = f(t, own, *args)
        check_left(own, z)
        return values

    return left


def without_last(f: Any) -> Any:
    """The function that is given an argument more, which it does not read."""

    def same(x: Any, *args: Any) -> Any:
        return f(x, *args[:-1])

    return same


def misfit(f: Any, x: Any, y: Any, units: Any, count: Any) -> Any:
    """How far a model is from data, as a function of all its parameters together."""

    def residual(z: Any) -> Any:
        gap = f(x, *[z[k] for k in range(count)]) - y
        return gap if units is None else gap / units

    return residual


def over_half_line(f: Any, end: Any, way: Any) -> Any:
    """What is integrated from 0 to 1 for ``f`` from an end to infinity (``way`` 1), or to minus infinity."""

    def inside(u: Any, *args: Any) -> Any:
        return f(end + way * u / (1.0 - u), *args) / (1.0 - u) ** 2

    return inside


def over_line(f: Any) -> Any:
    """What is integrated from 0 to 1 for ``f`` from minus infinity to infinity."""

    def inside(u: Any, *args: Any) -> Any:
        far = u / (1.0 - u)
        return (f(far, *args) + f(-far, *args)) / (1.0 - u) ** 2

    return inside
