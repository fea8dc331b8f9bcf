"""Functions whose results are of a class that only running them tells, and what is done with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


class Own:
    """Goes over itself, and multiplies, in its own way."""

    def __init__(self, d: Any) -> None:
        self.d = d

    def __iter__(self) -> Any:
        return iter([3.0])

    def __len__(self) -> int:
        return 1

    def __mul__(self, other: Any) -> Any:
        return 7.0 * other * other

    __rmul__ = __mul__

    def __getitem__(self, k: int) -> float:
        return 99.0


class OwnList(list):  # type: ignore[type-arg]
    def __iter__(self) -> Any:
        return iter([5.0])


class Holds:
    def __init__(self, d: int) -> None:
        self.held = own(d)


def own(d: int) -> Any:
    _ = locals()
    return Own(d)


def own_list(d: int) -> Any:
    _ = locals()
    return OwnList([d, d])


def numbered(d: int) -> Any:
    _ = locals()
    yield 1.0
    yield 2.0


def through(d: int) -> Any:
    return own(d)


def in_a_pair(d: int) -> Any:
    return own(d), 2.0


def of_x(x: Any) -> Any:
    _ = locals()
    return x * 1.0, x[0] * x[1]


def by_name(x: Any) -> Any:
    _ = locals()
    return {"a": x * 1.0, "b": x[0] * x[1]}


def one(x: Any, d: int) -> Any:
    return np.sum(own(d) * x[0])


def gone_over(x: Any, d: int) -> Any:
    s = 0.0
    for v in own(d):
        s = s + v * x[0]
    return s


def list_gone_over(x: Any, d: int) -> Any:
    s = 0.0
    for v in own_list(d):
        s = s + v * x[0]
    return s


def list_unpacked(x: Any, d: int) -> Any:
    (v,) = own_list(d)
    return v * x[0]


def generated(x: Any, d: int) -> Any:
    s = 0.0
    for v in numbered(d):
        s = s + v * x[0]
    return s


def of_a_callee(x: Any, d: int) -> Any:
    return np.sum(through(d) * x[0])


def of_a_pair(x: Any, d: int) -> Any:
    a, b = in_a_pair(d)
    return np.sum(a * x[0]) * b


def chosen(x: Any, d: int) -> Any:
    a = own(d) if d > 0 else 2.0
    return np.sum(a * x[0])


def of_a_branch(x: Any, d: int) -> Any:
    if x[0] > 0:
        a = own(d)
    else:
        a = x
    return np.sum(a * x[0])


def of_a_loop(x: Any, d: int) -> Any:
    a = x
    for _ in range(2):
        a = own(d)
    return np.sum(a * x[0])


def in_turn(x: Any, d: int) -> Any:
    s = 0.0
    for k in range(3):
        a = own(d) if k > 0 else x
        s = s + np.sum(a * x[0])
    return s


def in_a_list(x: Any, d: int) -> Any:
    a = [own(d), x[0]]
    return np.sum(a[0] * a[1])


def collected(x: Any, d: int) -> Any:
    a = []
    for k in range(d):
        a.append(own(k))
    return np.sum(a[-1] * x[0])


def in_an_object(x: Any, d: int) -> Any:
    return np.sum(Holds(d).held * x[0])


def augmented(x: Any, d: int) -> Any:
    y = own(d)
    y *= x[0]
    return np.sum(y)


def attribute(x: Any, d: int) -> Any:
    return -own(d).d * x[0]


def differentiated_pair(x: Any, d: int) -> Any:
    a, b = of_x(x)
    return np.sum(a * a * b)


def differentiated_items(x: Any, d: int) -> Any:
    a = of_x(x)
    return np.sum(a[0] * a[0] * a[1])


def differentiated_and_gone_over(x: Any, d: int) -> Any:
    s = 0.0
    for v in of_x(x):
        s = s + np.sum(v * x * x)
    return s


def differentiated_by_name(x: Any, d: int) -> Any:
    a = by_name(x)
    return np.sum(a["a"] * a["a"] * a["b"])


RIGHT: list[Callable[..., Any]] = [
    gone_over, list_gone_over, generated, list_unpacked, attribute, differentiated_pair, differentiated_items,
    differentiated_and_gone_over, differentiated_by_name,
]  # fmt: skip
REFUSED: list[Callable[..., Any]] = [
    one, of_a_callee, of_a_pair, chosen, of_a_branch, of_a_loop, in_turn, in_a_list,
    collected, in_an_object, augmented,
]  # fmt: skip
