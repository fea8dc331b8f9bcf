"""Questions about kinds on the tape: the answers are those of the plain function."""

from __future__ import annotations

import abc
import collections.abc as abstract
import functools
import numbers
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from retrograd.runtime.tape.calls import pushed, taped

KINDS = {np.ndarray: "array", float: "float", np.float64: "scalar", int: "int"}


@functools.singledispatch
def dispatched(x: Any) -> str:
    return "other"


@dispatched.register
def _(x: np.ndarray) -> str:
    return "array"


@dispatched.register
def _(x: float) -> str:
    return "float"


def matched(x: Any) -> str:
    match x:
        case float():
            return "float"
        case np.ndarray():
            return "array"
    return "other"


def caught(x: Any, name: str) -> Any:
    try:
        getattr(x, name)
    except AttributeError:
        return "none"
    return "some"


def classes(x: Any) -> Any:
    """`type` as a class, beside what is asked of `x`."""

    class Meta(type):
        pass

    class Made(abc.ABC, metaclass=type("Both", (Meta, abc.ABCMeta), {})):
        pass

    plain = type("Plain", (abc.ABC,), {"k": 1})
    return (
        type(Meta) is type, type(type(x)) is type, isinstance(Made, type), isinstance(type(x), (type, int)),
        issubclass(Meta, type), isinstance(x, type), plain.k, {type: 1}[type(type(x))], type(Made) is Meta,
    )  # fmt: skip


DUNDERS = ("__len__", "__iter__", "__array__", "__float__", "__add__", "__matmul__", "__class__", "shape",
           "is_integer", "nothing", "__array_interface__", "__dict__", "_value", "_mark")  # fmt: skip
ABSTRACT = (abstract.Sized, abstract.Iterable, abstract.Container, abstract.Hashable, abstract.Sequence,
            numbers.Number, numbers.Real, np.generic, object)  # fmt: skip
ASKED: dict[str, Callable[[Any], Any]] = {
    "type is": lambda x: [type(x) is k for k in KINDS],
    "type equals": lambda x: [type(x) == k for k in KINDS],  # noqa: E721
    "type in": lambda x: type(x) in (np.ndarray, np.float64),
    "a key": lambda x: KINDS[type(x)],
    "name": lambda x: type(x).__name__,
    "class": lambda x: [x.__class__ is k for k in KINDS],
    "mapped": lambda x: list(map(type, [x, 1, "a"])),
    "isinstance": lambda x: [isinstance(x, k) for k in KINDS],
    "several": lambda x: isinstance(x, (float, np.ndarray)),
    "union": lambda x: isinstance(x, float | int),
    "abstract": lambda x: [isinstance(x, k) for k in ABSTRACT],
    "type of another": lambda x: isinstance(x, type(x)) and isinstance(1.0, type(x)),
    "issubclass": lambda x: [issubclass(type(x), k) for k in KINDS],
    "order": lambda x: type(x).__mro__,
    "hasattr": lambda x: [hasattr(x, name) for name in DUNDERS],
    "getattr": lambda x: [getattr(x, name, None) is None for name in DUNDERS[:4]],
    "caught": lambda x: [caught(x, name) for name in DUNDERS[7:10]],
    "callable": lambda x: callable(x),
    "isscalar": lambda x: np.isscalar(x),
    "dispatched": lambda x: dispatched(x),
    "matched": lambda x: matched(x),
    "classes": lambda x: classes(x),
}
VALUES = [np.ones(2), 2.0, np.float64(2.0), np.array(2.0), np.ones((0, 2))]


@pytest.mark.parametrize("name", ASKED)
def test_the_answers_are_those_of_the_plain_function(name: str) -> None:
    ask = ASKED[name]

    def f(x: Any) -> Any:
        y = x * x
        answers.append([ask(x), ask(y), ask(2.0 * y)])
        return np.sum(y)

    for x in VALUES:
        answers: list[Any] = []
        f(x)
        taped(f, x)
        pushed(f, (x,), x)
        taped(lambda x: pushed(f, (x,), x)[1], x)
        assert answers[1:] == [answers[0]] * 3, repr(x)


@pytest.mark.parametrize("x", [np.array([1.0, 2.0]), 2.0])
def test_branches_on_kinds(x: Any) -> None:
    def f(x: Any) -> Any:
        if type(x) is np.ndarray:
            return np.sum(x**3)
        return x**2 if hasattr(x, "__len__") else x**4

    value, pull = taped(f, x)
    assert value == f(x)
    np.testing.assert_allclose(pull(1.0), 3.0 * x**2 if np.ndim(x) else 4.0 * x**3)
