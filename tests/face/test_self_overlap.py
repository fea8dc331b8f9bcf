"""Arrays that show one place of their memory several times: read, they are arrays like others; written to, they are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import MutationError

pytestmark = pytest.mark.usefixtures("unchecked")


def entry(x: Any) -> Any:
    x[0] = x[1] * 2.0
    return np.sum(x**2)


def view(x: Any) -> Any:
    y = x[1:]
    y *= 2.0
    return np.sum(x**2)


def copied_to(x: Any) -> Any:
    np.copyto(x, x * 2.0)
    return np.sum(x**2)


def in_a_loop(x: Any) -> Any:
    for k in range(1, len(x)):
        x[k] += x[k - 1]
    return np.sum(x**2)


def by_a_helper(x: Any) -> Any:
    entry(x)
    return np.sum(x**2)


def reading(x: Any) -> Any:
    y = x * 1.0
    y[0] = 3.0
    return np.sum(x * y)


def repeated() -> Any:
    return np.lib.stride_tricks.as_strided(np.array([1.0, 2.0]), (3,), (0,))


def windows() -> Any:
    return np.lib.stride_tricks.as_strided(np.arange(6.0), (3, 3), (8, 8))


def broadcast() -> Any:
    made = np.broadcast_to(np.arange(3.0), (2, 3))
    made.flags.writeable = True
    return made


WRITERS = [entry, view, copied_to, in_a_loop, by_a_helper]
ARRAYS = [repeated, windows, broadcast]
WAYS: dict[str, Callable[..., Any]] = {
    "grad": lambda f, x: rg.grad(f)(x),
    "value_and_grad": lambda f, x: rg.value_and_grad(f)(x)[1],
    "vjp": lambda f, x: rg.vjp(f, x)[1](1.0)[0],
    "jvp": lambda f, x: rg.jvp(f, (x,), (np.ones(x.shape),))[1],
    "jacobian": lambda f, x: rg.jacobian(f)(x),
    "hessian": lambda f, x: rg.hessian(f)(x),
    "linearize": lambda f, x: rg.linearize(f, x)[1](np.ones(x.shape)),
    "decorated": lambda f, x: rg.differentiate(f).grad(x),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("way", WAYS)
def test_what_is_written_to_is_refused(way: str) -> None:
    for f in WRITERS if way == "grad" else WRITERS[:2]:
        for array in ARRAYS:
            with pytest.raises(MutationError, match="one place of its memory several times"):
                WAYS[way](f, array())


def in_a_dict(p: Any) -> Any:
    p["w"][0] = p["w"][1] * 2.0
    return np.sum(p["w"] ** 2)


def test_parts_of_arguments_are_looked_at() -> None:
    for array in (repeated, windows):
        with pytest.raises(MutationError, match="one place of its memory several times"):
            rg.grad(in_a_dict)({"w": array()})


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("way", WAYS)
def test_what_is_read_is_as_any_array(way: str) -> None:
    for array in ARRAYS:
        x = array()
        np.testing.assert_array_equal(WAYS[way](reading, x), WAYS[way](reading, x.copy()))


@pytest.mark.parametrize(
    "x", [np.ones((3, 4)).T, np.ones((6, 4))[::2, ::-2], np.ones((3, 1, 2))[::-1], np.ones((0, 3))]
)
def test_other_layouts_are_taken(x: Any) -> None:
    def f(x: Any) -> Any:
        x[..., 0] = 2.0 * x[..., 1]
        return np.sum(x**2)

    want = rg.grad(f)(np.array(x))
    np.testing.assert_array_equal(rg.grad(f)(x.view()), want)
