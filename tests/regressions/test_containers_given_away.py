"""A function nobody can read could change the list it is given: refused, unless it is a copy."""

from __future__ import annotations

import bisect
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import UnsupportedOperation

X = np.array([0.3, 0.5, 0.7])


def shuffled(x):
    order = [2, 0, 1]
    random.Random(0).shuffle(order)
    return x[order[0]] * x[order[1]] ** 2


def turned(x):
    order = [0, 2]
    list.reverse(order)
    return x[order[1]] ** 2


def updated(x):
    d = {"a": 0}
    dict.update(d, a=1)
    return x[d["a"]] ** 2


def grow(log, v):
    _ = locals()  # what the compiler does not take
    log.append(2)
    return None


def grown(x):
    log = [int(x.size) - 3]
    grow(log, 1)
    return x[len(log)] ** 2


def test_a_function_that_is_not_compiled_is_refused() -> None:
    with pytest.raises(UnsupportedOperation, match="could change the list or dict"):
        rg.grad(grown)(X)
    with pytest.raises(UnsupportedOperation, match="could change the list or dict"):
        rg.jvp(grown, (X,), (X,))


@pytest.mark.parametrize("f", [shuffled, turned, updated], ids=lambda f: f.__name__)
def test_refused(f: Callable[..., Any]) -> None:
    with pytest.raises(UnsupportedOperation, match="could change the container"):
        rg.grad(f)(X)


def test_looking_is_no_change() -> None:
    def f(x):
        order = [2, 0, 1]
        print(order, len(order), sum(order), max(order))
        k = bisect.bisect(list(order), 1)
        return x[order[0]] ** 2 * (1 + 0 * k)

    assert rg.value_and_grad(f)(X)[0] == f(X)
