"""`statistics` as programs of `math`: its own functions compute with fractions, which have no derivative."""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import LinearRegression, StatisticsError
from typing import Any

__all__ = [
    "correlation", "covariance", "fmean", "geometric_mean", "harmonic_mean", "linear_regression", "mean", "median", "median_high",
    "median_low", "pstdev", "pvariance", "stdev", "variance",
]  # fmt: skip


def paired(x: Iterable[Any], y: Iterable[Any], least: int) -> tuple[list[Any], list[Any]]:
    items, others = list(x), list(y)
    if len(items) != len(others):
        raise StatisticsError("the two have different numbers of data points")
    return items_of(items, least), others


def items_of(data: Iterable[Any], least: int = 1) -> list[Any]:
    items = list(data)
    if len(items) < least:
        raise StatisticsError(f"at least {least} data point{'s' if least > 1 else ''} needed")
    return items


def mean(data: Iterable[Any]) -> Any:
    items = items_of(data)
    return sum(items) / len(items)


def fmean(data: Iterable[Any], weights: Iterable[Any] | None = None) -> Any:
    items = items_of(data)
    if weights is None:
        return sum(items) / len(items)
    items, shares = paired(items, weights, 1)
    return sum([v * w for v, w in zip(items, shares, strict=True)]) / sum(shares)


def geometric_mean(data: Iterable[Any]) -> Any:
    items = items_of(data)
    return math.exp(sum([math.log(v) for v in items]) / len(items))


def harmonic_mean(data: Iterable[Any], weights: Iterable[Any] | None = None) -> Any:
    items = items_of(data)
    if min(items) < 0:
        raise StatisticsError("the harmonic mean does not support negative values")
    if weights is None:
        return len(items) / sum([1 / v for v in items])
    items, shares = paired(items, weights, 1)
    return sum(shares) / sum([w / v for v, w in zip(items, shares, strict=True)])


def median(data: Iterable[Any]) -> Any:
    items = sorted(items_of(data))
    half = len(items) // 2
    return items[half] if len(items) % 2 else (items[half - 1] + items[half]) / 2


def median_low(data: Iterable[Any]) -> Any:
    items = sorted(items_of(data))
    return items[(len(items) - 1) // 2]


def median_high(data: Iterable[Any]) -> Any:
    items = sorted(items_of(data))
    return items[len(items) // 2]


def squares(items: list[Any], center: Any) -> Any:
    """The sum of the squares of the distances from the mean, or from another center."""
    middle = mean(items) if center is None else center
    return sum([(v - middle) ** 2 for v in items])


def variance(data: Iterable[Any], xbar: Any = None) -> Any:
    items = items_of(data, 2)
    return squares(items, xbar) / (len(items) - 1)


def pvariance(data: Iterable[Any], mu: Any = None) -> Any:
    items = items_of(data)
    return squares(items, mu) / len(items)


def stdev(data: Iterable[Any], xbar: Any = None) -> Any:
    return math.sqrt(variance(data, xbar))


def pstdev(data: Iterable[Any], mu: Any = None) -> Any:
    return math.sqrt(pvariance(data, mu))


def products(x: list[Any], y: list[Any]) -> Any:
    """The sum of the products of the distances from the means."""
    x_mean, y_mean = mean(x), mean(y)
    return sum([(a - x_mean) * (b - y_mean) for a, b in zip(x, y, strict=True)])


def covariance(x: Iterable[Any], y: Iterable[Any], /) -> Any:
    items, others = paired(x, y, 2)
    return products(items, others) / (len(items) - 1)


def correlation(x: Iterable[Any], y: Iterable[Any], /) -> Any:
    items, others = paired(x, y, 2)
    spread = products(items, items) * products(others, others)
    if spread == 0:
        raise StatisticsError("at least one of the inputs is constant")
    return products(items, others) / math.sqrt(spread)


def linear_regression(x: Iterable[Any], y: Iterable[Any], /) -> Any:
    items, others = paired(x, y, 2)
    spread = products(items, items)
    if spread == 0:
        raise StatisticsError("x is constant")
    slope = products(items, others) / spread
    return LinearRegression(slope, mean(others) - slope * mean(items))


for _name in __all__:
    globals()[_name].of_values = True  # of what is not differentiated it is Python's
