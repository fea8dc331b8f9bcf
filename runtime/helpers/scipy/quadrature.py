"""Gauss's nodes in intervals, so small that a polynomial is the integrand in each: the derivatives under the integral, too.

The sum over the nodes is what is differentiated.  An integral may be right to all digits where its derivative is not:
of ``sqrt(c - t)`` up to ``c`` the derivative goes to infinity at the end.  So it is the integrand that is looked at,
point by point, and not its integral.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

__all__ = ["smooth_nodes"]

NODES = 16
SMOOTH = 1e-10  # the last coefficients of the integrand, by its largest value
DEEP = 1e-8  # the same in the smallest intervals
DEEPEST = 2.0**-36
ROUGH = 1e-8  # the same where halves of halves, AGAIN so often, are no smoother: so many digits the integrand has
AGAIN, STAYS = 4, 0.6
MOST = 400  # intervals
AGAIN_SMOOTH = 1e-8  # for second derivatives: by how much the integrand varies in the interval,
DIGITS = 3e-15  # or nothing at all,
LEAST = 2.0**-30  # in longer intervals: a kink is none
Values = Callable[[float], Any]


class Interval(NamedTuple):
    """A part of 0 to 1, and what no polynomial was of the integrand in those it is a half of."""

    low: float
    high: float
    rests: tuple[float, ...] = ()


def smooth_nodes(
    values: Values, low: Any, high: Any, order: int = 1
) -> tuple[Any, Any, Any] | None:
    """Nodes from 0 to 1, their weights, and the values there, from the intervals that were found; None if there are none.

    ``order``: so many derivatives are taken of it, for two of which its own has to be smooth as well.

    >>> root = smooth_nodes(lambda t: (1 - t) ** 0.5, np.array([0.0]), np.array([1.0]))
    >>> round(float(sum(root[1] / (1 - root[0]) ** 0.5)), 9)
    2.0
    >>> smooth_nodes(lambda t: float(t > 0.3), np.array([0.0]), np.array([1.0])) is None
    True
    >>> smooth_nodes(lambda t: (1 - t) ** 0.5, np.array([0.0]), np.array([1.0]), order=2) is None
    True
    """
    todo = [Interval(float(a), float(b)) for a, b in sorted(zip(low, high, strict=True))][::-1]
    found, most, largest = [], MOST + len(todo), 0.0
    enough, deepest = (is_smooth, DEEPEST) if order == 1 else (is_twice_smooth, LEAST)
    while todo:
        part = todo.pop()
        try:
            with np.errstate(all="ignore"):
                tried = [looked_at(values, part, way) for way in ways(part, order)]
        except (ArithmeticError, ValueError):  # next to an end where it is infinite
            return None
        if not all(np.isfinite(one.rest) for one in tried):
            return None
        largest = max(largest, *(float(np.max(np.abs(one.f), initial=0.0)) for one in tried))
        best = min(tried, key=lambda one: one.rest)
        if enough(part, best, largest):
            found.append(best)
        elif part.high - part.low <= deepest or len(found) > most:
            return None
        else:
            middle, told = (part.low + part.high) / 2, (*part.rests, best.rest)
            todo += [Interval(middle, part.high, told), Interval(part.low, middle, told)]
    u, w, f = (np.concatenate(parts) for parts in list(zip(*found, strict=True))[:3])
    return u, w, f


def is_smooth(part: Interval, made: LookedAt, largest: float) -> bool:
    """True if a polynomial is the integrand in an interval, as far as its digits go."""
    depth = len(part.rests)
    stays = depth >= AGAIN and made.rest > STAYS * part.rests[-AGAIN]
    return made.rest <= largest * (
        DEEP if part.high - part.low <= DEEPEST else ROUGH if stays else SMOOTH
    )


def is_twice_smooth(part: Interval, made: LookedAt, largest: float) -> bool:
    """True if a polynomial is the integrand however closely one looks."""
    spread = float(np.max(np.ptp(made.f, axis=0), initial=0.0))
    return made.rest <= max(AGAIN_SMOOTH * spread, DIGITS * largest)


# How the places stand in an interval, from 0 to 1


class Way(NamedTuple):
    """Where Gauss's nodes go in an interval, how dense they are there, and where next to its edges one looks, too."""

    place: Callable[[Any], Any]
    density: Callable[[Any], Any]
    edges: tuple[float, float]


NEAR = 1e-9


def evenly() -> Way:
    return Way(lambda v: v, lambda v: np.ones_like(v), (NEAR, 1 - NEAR))


def to_the_left() -> Way:
    return Way(lambda v: v * v, lambda v: 2 * v, (NEAR**0.5, 1 - NEAR))


def to_the_right() -> Way:
    return Way(lambda v: 1 - (1 - v) ** 2, lambda v: 2 * (1 - v), (NEAR, 1 - NEAR**0.5))


class LookedAt(NamedTuple):
    """Nodes, their weights, the values there, and how much of the integrand is no polynomial there."""

    u: Any
    w: Any
    f: Any
    rest: float


def ways(part: Interval, order: int) -> Iterator[Way]:
    """Those to look at an interval: at an end of the integral the integrand may be a square root."""
    yield evenly()
    if order == 1 and part.low == 0:
        yield to_the_left()
    if order == 1 and part.high == 1:
        yield to_the_right()


def looked_at(values: Values, part: Interval, way: Way) -> LookedAt:
    x, w = gauss()
    width, v = part.high - part.low, (x + 1) / 2
    edges = np.array(way.edges)
    u, u_edges = (part.low + width * way.place(at) for at in (v, edges))
    f, f_edges = (np.array([values(u_k) for u_k in at]) for at in (u, u_edges))
    c = coefficients() @ f.reshape(NODES, -1)
    missed = np.polynomial.legendre.legvander(2 * edges - 1, NODES - 1) @ c
    missed = missed - f_edges.reshape(2, -1)
    rest = float(np.max(np.abs(np.concatenate([c[-3:], missed])), initial=0.0))
    return LookedAt(u, width * w / 2 * way.density(v), f, rest)


@cache
def gauss() -> tuple[Any, Any]:
    return np.polynomial.legendre.leggauss(NODES)


@cache
def coefficients() -> Any:
    """Values at the nodes to coefficients of Legendre's polynomials."""
    x, w = gauss()
    table = np.polynomial.legendre.legvander(x, NODES - 1)
    return (np.arange(NODES) + 0.5)[:, None] * (table * w[:, None]).T
