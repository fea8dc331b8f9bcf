"""Logarithms, and the exponentials that they undo, where one of the two alone would overflow."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["STAND_INS"]


def xlogy(x: Any, y: Any) -> Any:
    product = x * np.log(y)
    return np.where((x == 0) & ~np.isnan(y), 0.0 * product, product)


def xlog1py(x: Any, y: Any) -> Any:
    product = x * np.log1p(y)
    return np.where((x == 0) & ~np.isnan(y), 0.0 * product, product)


def logit(p: Any) -> Any:
    s = 2.0 * p - 1.0
    return np.where((p < 0.3) | (p > 0.65), np.log(p / (1.0 - p)), np.log1p(s) - np.log1p(-s))


def log_expit(x: Any) -> Any:
    return -np.logaddexp(0.0, -x)


def entr(x: Any) -> Any:
    return np.where(x > 0, -x * np.log(x), np.where(x == 0, 0.0, np.where(np.isnan(x), x, -np.inf)))


def rel_entr(x: Any, y: Any) -> Any:
    inside = x * np.log(x / y)
    edge = np.where((x == 0) & (y >= 0), x, np.inf)
    return np.where(np.isnan(x) | np.isnan(y), np.nan, np.where((x > 0) & (y > 0), inside, edge))


def kl_div(x: Any, y: Any) -> Any:
    inside = x * np.log(x / y) - x + y
    edge = np.where((x == 0) & (y >= 0), y, np.inf)
    return np.where(np.isnan(x) | np.isnan(y), np.nan, np.where((x > 0) & (y > 0), inside, edge))


def logsumexp(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    top = np.max(a, axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    out = np.log(np.sum(np.exp(a - top), axis=axis, keepdims=True)) + top
    return out if keepdims else np.sum(out, axis=axis)


def softmax(x: Any, axis: Any = None) -> Any:
    power = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return power / np.sum(power, axis=axis, keepdims=True)


def log_softmax(x: Any, axis: Any = None) -> Any:
    top = np.max(x, axis=axis, keepdims=True)
    rest = x - np.where(np.isfinite(top), top, 0.0)
    return rest - np.log(np.sum(np.exp(rest), axis=axis, keepdims=True))


STAND_INS = {
    ("scipy.special", f.__name__): f
    for f in (
        xlogy, xlog1py, logit, log_expit, entr, rel_entr, kl_div, logsumexp, softmax, log_softmax,
    )
}  # fmt: skip
