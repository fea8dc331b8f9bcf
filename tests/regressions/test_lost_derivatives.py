"""A value that is being differentiated never comes out of an operation as a constant, without a word."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError, UnsupportedOperation, UnsupportedSyntax

X = np.array([0.3, 0.7])


class Table:
    """An object that is subscripted by any number."""

    def __getitem__(self, at: Any) -> Any:
        return 2 * at


TABLE = Table()
MESSAGE = ", ".join
LINE = np.poly1d([1.0, 2.0, 3.0])
PRICES = {0.3: 1.0, 0.7: 2.0}


def joined_in_a_row(x: Any) -> Any:
    return np.sum(np.r_[x[0], x, 0.0, 0:3] ** 2)


def joined_in_columns(x: Any) -> Any:
    return np.sum(np.c_[x, x, [1.0, 2.0]] ** 2 * np.arange(3.0))


def open_mesh(x: Any) -> Any:
    a, b = np.ix_(x, x)
    return np.sum(a * b**2)


def item_of_an_object(x: Any) -> Any:
    return TABLE[x[0]] * x[1]


def text_on_the_way(x: Any) -> Any:
    note = f"{x[0]:.3f}"
    return np.sum(x**2) * len(MESSAGE([note, str(x[1])])) / len(MESSAGE([note, str(x[1])]))


@pytest.mark.parametrize(
    "f", [joined_in_a_row, joined_in_columns, open_mesh, item_of_an_object, text_on_the_way]
)
def test_right(f: Callable[[Any], Any]) -> None:
    rg.check_grads(f, (X,))


def bounds_of_a_grid(x: Any) -> Any:
    return np.sum(np.mgrid[0 : x[0] : 3j])


def open_grid(x: Any) -> Any:
    return np.sum(np.ogrid[0 : x[0] : 3j])


def part_of_a_row(x: Any) -> Any:
    return np.sum(np.r_[0 : x[0] : 3j])


def row_with_directions(x: Any) -> Any:
    return np.sum(np.r_["0,2", x, x])


def key_of_a_dict(x: Any) -> Any:
    return PRICES[float(x[0])] * x[1]


def objects(x: Any) -> Any:
    return np.sum(np.array([x[0], x[1]], dtype=object))


def objects_by_conversion(x: Any) -> Any:
    return np.sum(x.astype(object) * 2)


def filled_with_an_object(x: Any) -> Any:
    return np.sum(np.full(3, x[0], dtype=object))


def objects_beside(x: Any) -> Any:
    return np.max(np.stack([x.astype(object), x]))


def text_and_back(x: Any) -> Any:
    return float(str(x[0]))


def formatted_and_back(x: Any) -> Any:
    total = 0.0
    for k in range(2):
        total = total + float(f"{x[k]}")
    return total


def texts_and_back(x: Any) -> Any:
    return np.sum(x.astype(str).astype(float))


def an_object_called(x: Any) -> Any:
    return LINE(x[0])


@pytest.mark.parametrize("derive", [rg.grad, rg.jacobian])
@pytest.mark.parametrize(
    "f",
    [
        bounds_of_a_grid, open_grid, part_of_a_row, row_with_directions, key_of_a_dict, objects,
        objects_by_conversion, filled_with_an_object, objects_beside, text_and_back, formatted_and_back,
        texts_and_back, an_object_called,
    ],
)  # fmt: skip
def test_refused(f: Callable[[Any], Any], derive: Any) -> None:
    with pytest.raises((UnsupportedOperation, UnsupportedSyntax)) as caught:
        derive(f)(X)
    assert caught.value.place is not None
    with pytest.raises(RetrogradError):
        rg.jvp(f, (X,), (X,))


def items_of_two_texts(x: Any) -> Any:
    return x[0] * len(",".join(["a", "b"])) * len("; ".join(["a", "b"]))


def test_methods_of_two_constants_of_one_name() -> None:
    assert rg.grad(items_of_two_texts)(X).tolist() == [12.0, 0.0]
    assert math.isclose(rg.value_and_grad(items_of_two_texts)(X)[0], 12 * X[0])
