"""Sums and steps at places that SciPy chose, as the compiler reads them: they are part of the program."""

from __future__ import annotations

import numpy as np


def weighted_sum(f, a, b, args, u, w):  # type: ignore[no-untyped-def]
    """The integral of ``f`` from ``a`` to ``b`` with weights ``w`` at shares ``u`` of the way."""
    total = 0.0
    for k in range(len(u)):
        total = total + w[k] * f(a + (b - a) * u[k], *args)
    return total * (b - a)


def slope(f, y, s, args, tfirst):  # type: ignore[no-untyped-def]
    if tfirst:
        return np.asarray(f(s, y, *args))
    return np.asarray(f(y, s, *args))


def stepped(f, y, s, h, args, tfirst):  # type: ignore[no-untyped-def]
    """One step of Dormand and Prince's method of order 5."""
    k1 = slope(f, y, s, args, tfirst)
    k2 = slope(f, y + h * (k1 / 5), s + h / 5, args, tfirst)
    k3 = slope(f, y + h * (3 / 40 * k1 + 9 / 40 * k2), s + 3 / 10 * h, args, tfirst)
    k4 = slope(
        f, y + h * (44 / 45 * k1 - 56 / 15 * k2 + 32 / 9 * k3), s + 4 / 5 * h, args, tfirst
    )
    k5 = slope(
        f,
        y
        + h
        * (19372 / 6561 * k1 - 25360 / 2187 * k2 + 64448 / 6561 * k3 - 212 / 729 * k4),
        s + 8 / 9 * h,
        args,
        tfirst,
    )
    k6 = slope(
        f,
        y
        + h
        * (
            9017 / 3168 * k1
            - 355 / 33 * k2
            + 46732 / 5247 * k3
            + 49 / 176 * k4
            - 5103 / 18656 * k5
        ),
        s + h,
        args,
        tfirst,
    )
    return y + h * (
        35 / 384 * k1 + 500 / 1113 * k3 + 125 / 192 * k4 - 2187 / 6784 * k5 + 11 / 84 * k6
    )


def trajectory(f, y0, t, args, before, shares, owners, tfirst):  # type: ignore[no-untyped-def]
    """Every step of the solution, a row for each."""
    y = y0
    rows = [y0]
    for j in range(len(shares)):
        start = t[owners[j]]
        width = t[owners[j] + 1] - start
        y = stepped(f, y, start + before[j] * width, shares[j] * width, args, tfirst)
        rows.append(y)
    return np.stack(rows)


def times(t, before, shares, owners):  # type: ignore[no-untyped-def]
    """The time before the first step, and after each."""
    start = t[owners]
    after = start + (before + shares) * (t[owners + 1] - start)
    return np.concatenate((t[:1], after))
