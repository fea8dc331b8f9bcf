"""Results of a class that each call makes anew: `Point = namedtuple("Point", "x y")` in the function itself."""

from __future__ import annotations

import dataclasses
from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError


def by_namedtuple(x: Any, y: Any) -> Any:
    Point = namedtuple("Point", "a b")
    return Point(x * y, np.sin(y))


def by_fields(x: Any, y: Any) -> Any:
    fields = ["a", "b"]
    Point = namedtuple("Point", fields)
    return Point(a=x * y, b=np.sin(y))


def by_class(x: Any, y: Any) -> Any:
    class Point(NamedTuple):
        a: Any
        b: Any

    return Point(x * y, np.sin(y))


def by_dataclass(x: Any, y: Any) -> Any:
    @dataclasses.dataclass
    class Point:
        a: Any
        b: Any

    return Point(x * y, np.sin(y))


def nested(x: Any, y: Any) -> Any:
    Point = namedtuple("Point", "a b")
    return {"p": [Point(x * y, np.sin(y))]}


PROGRAMS = [by_namedtuple, by_fields, by_class, by_dataclass, nested]
ARGUMENTS = [(2.0, 3.0), (np.array([1.0, 2.0]), np.array([0.5, 0.25]))]


def parts(result: Any) -> Any:
    point = result["p"][0] if isinstance(result, dict) else result
    return point.a, point.b


@pytest.mark.usefixtures("taped")
@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize("args", ARGUMENTS, ids=["numbers", "arrays"])
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_a_cotangent_of_another_call(f: Any, args: Any) -> None:
    x, y = args
    seed = f(x, y)  # of the class of this call
    value, pull = rg.vjp(f, x, y)
    a_bar, b_bar = parts(seed)
    np.testing.assert_allclose(parts(value), parts(seed))
    x_bar, y_bar = pull(seed)
    np.testing.assert_allclose(x_bar, a_bar * y)
    np.testing.assert_allclose(y_bar, a_bar * x + b_bar * np.cos(y))
    _, dots = rg.jvp(f, (x, y), (1.0 + 0 * x, 0 * y))
    np.testing.assert_allclose(parts(dots), (y, 0 * y))


@pytest.mark.usefixtures("taped")
@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_jacobians(f: Any) -> None:
    for _ in range(2):
        a, b = parts(rg.jacobian(f)(2.0, 3.0))
        np.testing.assert_allclose([a, b], [3.0, 0.0])


def test_fields_are_taken_by_name() -> None:
    _, pull = rg.vjp(by_namedtuple, 2.0, 3.0)
    assert pull(namedtuple("Other", "b a")(0.0, 1.0)) == (3.0, 2.0)
    with pytest.raises(RetrogradError, match="the cotangent must be a Point"):
        pull(namedtuple("Point", "a c")(1.0, 2.0))


def of_its_mode(x: Any, wide: Any) -> Any:
    fields = ["a", "b"] if wide else ["a", "c"]
    Point = namedtuple("Point", fields)
    return Point(2.0 * x, x)


def test_fields_that_change() -> None:
    g = rg.differentiate(of_its_mode)
    for wide in (True, False, 1, 0):
        value, pull = rg.vjp(g, 2.0, wide)
        assert value._fields == (("a", "b") if wide else ("a", "c"))
        assert pull(value)[0] == 2.0 * 4.0 + 2.0
