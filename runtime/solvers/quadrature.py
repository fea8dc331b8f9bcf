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
DEEP = 1e-7  # the same in the smallest intervals, DEEPEST halves of halves
DEEPEST = 40
ROUGH = 1e-8  # the same where halves of halves, AGAIN so often, are no smoother: so many digits the integrand has
AGAIN, STAYS = 4, 0.6
MOST = 400  # intervals
Values = Callable[[float], Any]


class Interval(NamedTuple):
    """A part of 0 to 1, and what no polynomial was of the integrand in those it is a half of."""

    low: float
    high: float
    rests: tuple[float, ...] = ()


def smooth_nodes(values: Values, low: Any, high: Any) -> tuple[Any, Any, Any] | None:
    """Nodes from 0 to 1, their weights, and the values there, from the intervals that were found; None if there are none.

    >>> root = smooth_nodes(lambda t: (1 - t) ** 0.5, np.array([0.0]), np.array([1.0]))
    >>> round(float(sum(root[1] / (1 - root[0]) ** 0.5)), 9)
    2.0
    >>> smooth_nodes(lambda t: float(t > 0.3), np.array([0.0]), np.array([1.0])) is None
    True
    """
    todo = [Interval(float(a), float(b)) for a, b in sorted(zip(low, high, strict=True))][::-1]
    found, most, largest = [], MOST + len(todo), 0.0
    while todo:
        part = todo.pop()
        tried = [at(values, *nodes) for nodes in ways(part)]
        if not all(np.all(np.isfinite(f)) for _, _, f in tried):
            return None
        largest = max(largest, *(float(np.max(np.abs(f), initial=0.0)) for _, _, f in tried))
        rests = [rest_of(f) for _, _, f in tried]
        best = int(np.argmin(rests))
        rest, depth = rests[best], len(part.rests)
        stays = depth >= AGAIN and rest > STAYS * part.rests[-AGAIN]
        if rest <= largest * (DEEP if depth == DEEPEST else ROUGH if stays else SMOOTH):
            found.append(tried[best])
        elif depth == DEEPEST or len(found) > most:
            return None
        else:
            middle, told = (part.low + part.high) / 2, (*part.rests, rest)
            todo += [Interval(middle, part.high, told), Interval(part.low, middle, told)]
    u, w, f = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return u, w, f


def ways(part: Interval) -> Iterator[tuple[Any, Any]]:
    """Nodes and weights in an interval; at an end of the integral those, too, for a square root that is zero there."""
    x, w = gauss()
    width = part.high - part.low
    v, w = (x + 1) / 2, width * w / 2
    yield part.low + width * v, w
    if part.low == 0:
        yield width * v * v, 2 * v * w
    if part.high == 1:
        yield 1 - width * (1 - v) ** 2, 2 * (1 - v) * w


def at(values: Values, u: Any, w: Any) -> tuple[Any, Any, Any]:
    return u, w, np.array([values(u_k) for u_k in u])


def rest_of(f: Any) -> float:
    """The largest of the last coefficients of the polynomial through these values at the nodes."""
    return float(np.max(np.abs(coefficients()[-3:] @ f.reshape(NODES, -1)), initial=0.0))


@cache
def gauss() -> tuple[Any, Any]:
    return np.polynomial.legendre.leggauss(NODES)


@cache
def coefficients() -> Any:
    """Values at the nodes to coefficients of Legendre's polynomials."""
    x, w = gauss()
    table = np.polynomial.legendre.legvander(x, NODES - 1)
    return (np.arange(NODES) + 0.5)[:, None] * (table * w[:, None]).T
