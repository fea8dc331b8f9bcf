"""Programs whose writes nobody could place: each is refused, for this reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

__all__ = ["REFUSED"]

F = TypeVar("F", bound=Callable[..., Any])
REFUSED: dict[str, tuple[Callable[..., Any], tuple[Any, ...], str]] = {}
X = np.array([0.7, -0.4, 1.3, 0.2, -1.1, 0.6])
TABLE = np.ones(6)


def because(reason: str, *args: Any) -> Callable[[F], F]:
    def enter(fn: F) -> F:
        REFUSED[fn.__name__] = fn, args, reason
        return fn

    return enter


@because("cannot tell whether", X)
def view_of_another_part_in_each_iteration(x):
    y = x.copy()
    v = y[:1]
    for i in range(1, 5):
        v[0] += x[i] * y[i]
        v = y[i : i + 1]
    return np.sum(y**2) + v[0]


@because("may be seen elsewhere", X)
def shape_of_an_argument(x):
    x.shape = (2, 3)
    return np.sum(x[0])


@because("may write to the memory of the argument", X)
def argument_in_the_first_iteration(x):
    for _ in range(3):
        x += 0.1
        x = x * 1.1
    return np.sum(x**2)


@because("cannot tell whether", X)
def reshaped_argument(x):
    m = x.reshape(2, 3)
    m[0, 0] = 2.0
    return np.sum(x)


@because("is not made in this function", X)
def global_array(x):
    TABLE[0] = x[0]
    return np.sum(TABLE)


@because("holds integers", X)
def fraction_into_integers(x):
    n = np.zeros(6, dtype=int)
    n[0] = x[0]
    return np.sum(n * x)


@because("cannot tell whether", X, X + 1)
def another_argument_after_a_loop(x, y):
    for _ in range(2):
        y = x
    x[0] = 0.0
    return np.sum(y**2)


@because("cannot tell whether", X)
def view_by_reshape_with_order(x):
    v = x.reshape((3, 2), order="C")
    x[0] = 5.0
    return np.sum(v**2)


@because("cannot tell whether", X, X + 1)
def largest_of_two_arrays(x, y):
    largest = max(x, y, key=np.sum)
    largest[0] = 0.5
    return np.sum(x * y)


@because("NumPy would read elements that it has just written", np.outer(X, X))
def row_over_a_column(x):
    x[1] = x[:, 2]
    return np.sum(x**2)
