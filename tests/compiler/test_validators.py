"""Functions of packages that look at their arguments: they stay calls, and what they give back is what they were given."""

from __future__ import annotations

import collections
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

import retrograd as rg
from retrograd import runtime as rt
from retrograd.runtime.errors import RetrogradError
from tests.programs import validators

X = np.array([0.3, 0.7, 1.1])


class Owner:
    kept: Any = None


def array(x):
    x = validators.check_array(x)
    return np.sum(x * x)


def options(x):
    return np.sum(validators.check_array(x * 2, dtype="any", least=2) ** 2)


def both(x):
    a, b, n = validators.check_both(x, x * x)
    return np.sum(a * b) * n


def one_for_two(x):
    a, b, _ = validators.check_both(x)
    return np.sum(a * b)


def weighted(x):
    a, b, _ = validators.check_both(x, weights=x)
    return np.sum(a) * np.sum(b)


def by_name(x):
    validators.check_by_name(x=x, name="x")
    return np.sum(x**3)


def mended(x):
    return np.sum(validators.check_nothing(x) ** 3)


def question(x):
    if validators.is_table(x):
        x = validators.to_table(x)
    return np.sum(x * x)


def two_questions(x):
    if validators.is_table(x) or validators.is_table(x * 2):
        return validators.to_table(x)
    return np.sum(x * x)


def in_helper(x):
    def is_odd(v):
        return validators.is_table(v) or v is None

    if is_odd(x):
        x = validators.to_table(x)
    return np.sum(x * x)


COMPILED = [
    array,
    options,
    both,
    one_for_two,
    weighted,
    by_name,
    mended,
    question,
    two_questions,
    in_helper,
]


@pytest.mark.parametrize("f", COMPILED, ids=lambda f: f.__name__)
def test_they_are_compiled(f: Callable[..., Any]) -> None:
    gradient = rg.grad(f, strict=True)
    step = 1e-6 * np.eye(3)
    expected = [(f(X + h) - f(X - h)) / 2e-6 for h in step]
    np.testing.assert_allclose(gradient(X.copy()), expected, rtol=1e-6)
    _, slope = rg.jvp(f, (X,), (np.ones(3),))
    np.testing.assert_allclose(slope, np.sum(expected), rtol=1e-6)


def test_the_call_stays_in_the_text() -> None:
    text = rg.differentiate(array).source("grad", X)
    assert "given_back(check_array, 0, x)" in text


def test_what_it_refuses_is_refused() -> None:
    with pytest.raises(ValueError, match="not finite"):
        rg.grad(array)(np.array([1.0, np.inf]))


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
def test_what_is_given_back_once_may_be_another_time() -> None:
    gradient = rg.grad(mended, strict=False)
    for x in (X, -X, X):
        np.testing.assert_allclose(gradient(x), 3 * x * np.abs(x))


def overlapping(x):
    a, b, _ = validators.check_both(x[1:], weights=x)
    return np.sum(a * b)


def given_twice(x):
    a, b, _ = validators.check_both(x, x, weights=x)
    return np.sum(a * b)


def locked(x):
    x.flags.writeable = False
    return x


def view_of_locked(x):
    base = np.concatenate([x, x])
    view = base[: x.size]
    base.flags.writeable = False
    return view


GIVEN: dict[str, Callable[[Any], Any]] = {
    "its own": lambda x: x, "a view": lambda x: np.repeat(x, 2)[::2], "single": lambda x: x.astype(np.float32),
    "zeros": np.zeros_like, "locked": locked, "view of locked": view_of_locked, "complex": lambda x: x + 1j,
}  # fmt: skip


@pytest.mark.parametrize("kind", GIVEN)
@pytest.mark.parametrize("f", [array, overlapping, given_twice], ids=lambda f: f.__name__)
def test_arrays_of_every_kind_are_left_as_they_were(f: Callable[..., Any], kind: str) -> None:
    x = GIVEN[kind](X.copy())
    before, writeable = x.copy(), x.flags.writeable
    gradient = rg.grad(lambda x: np.real(f(x)), strict=True)(x)
    plain = {"array": 2 * x, "given_twice": 2 * x, "overlapping": 2 * np.concatenate([[0], x[1:]])}
    np.testing.assert_allclose(gradient, np.conj(plain[f.__name__]), rtol=1e-6)
    assert x.flags.writeable == writeable
    np.testing.assert_array_equal(x, before)


SEEN: list[int] = []


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
def test_objects_of_the_module_stay_as_they_are_while_it_is_compiled(unchecked: None) -> None:
    def f(x):
        validators.counts(SEEN, x)
        return np.sum(x * x)

    SEEN.clear()
    try:
        rg.grad(f, strict=True)(X)
    except RetrogradError:
        assert len(SEEN) <= 1  # by the call that is refused
    else:
        assert len(SEEN) == 1


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize(
    "text",
    [
        "y = x * 1.0\n    y = validators.writes(y)\n    return np.sum(y * y)",
        "owner = Owner()\n    y = validators.keeps(owner, x)\n    return np.sum(owner.kept * y)",
        "validators.keeps(OWNER, x)\n    return np.sum(OWNER.kept * x)",
        "return np.sum(validators.scaled(x) * x)",
        "return np.sum(x) if validators.named_table(x) else np.sum(x * x)",
    ],
)  # fmt: skip
def test_whatever_they_do_else_is_right_or_refused(text: str, unchecked: None) -> None:
    from tests.written import written

    f = written(f"def f(x):\n    {text}\n", validators=validators, Owner=Owner, OWNER=Owner())
    for x in (X, -X):
        expected = [(f(x + h) - f(x - h)) / 2e-6 for h in 1e-6 * np.eye(3)]
        try:
            found = rg.grad(f)(x)
        except RetrogradError:
            continue
        np.testing.assert_allclose(found, expected, rtol=1e-6)


class Pair(NamedTuple):
    first: Any
    second: Any = None


class Slotted:
    __slots__ = ("__kept",)

    def __init__(self, kept: Any) -> None:
        self.__kept = kept

    def write(self) -> None:
        self.__kept = 9.0


@dataclass
class Record:
    kept: Any


HOLDERS: dict[str, Callable[[Any], Any]] = {
    "a list": lambda v: [0.0, v],
    "a tuple": lambda v: (0.0, v),
    "a named tuple": lambda v: Pair(0.0, v),
    "a dict": lambda v: {"a": v},
    "an ordered dict": lambda v: collections.OrderedDict(a=v),
    "a default dict": lambda v: collections.defaultdict(list, a=v),
    "a deque": lambda v: collections.deque([0.0, v]),
    "an object": Record,
    "an object with a slot": Slotted,
    "an array of objects": lambda v: np.array([None, Record(v)]),
    "twice in a list": lambda v: [v, v],
}
WRITTEN: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
    "a list": (lambda: [1.0, 2.0], lambda v: v.__setitem__(0, 9.0)),
    "a longer list": (lambda: [1.0, 2.0], lambda v: v.append(2.0)),
    "an item for its neighbour": (lambda: [Pair, Pair, Record], lambda v: v.__setitem__(1, Record)),
    "a dict": (lambda: {"a": 1.0}, lambda v: v.update(a=9.0)),
    "a key": (lambda: {"a": 1.0}, lambda v: v.update(b=v.pop("a"))),
    "an ordered dict": (lambda: collections.OrderedDict(a=1.0), lambda v: v.update(a=9.0)),
    "a set": (lambda: {1.0}, lambda v: v.add(9.0)),
    "a deque": (lambda: collections.deque([1.0]), lambda v: v.appendleft(9.0)),
    "an attribute": (lambda: Record(1.0), lambda v: setattr(v, "kept", 9.0)),
    "a new attribute": (lambda: Record(1.0), lambda v: setattr(v, "more", 9.0)),
    "a slot": (lambda: Slotted(1.0), lambda v: v.write()),
    "an array": (lambda: np.ones(2), lambda v: v.__setitem__(0, 9.0)),
    "a matrix": (lambda: np.ones(2).view(np.matrix), lambda v: v.__setitem__(0, 9.0)),
    "whole numbers": (lambda: np.arange(2), lambda v: v.__setitem__(0, 9)),
    "an array of rank 0": (lambda: np.array(1.0), lambda v: v.__setitem__((), 9.0)),
    "an array of objects": (lambda: np.array([None, 1.0]), lambda v: v.__setitem__(0, 9.0)),
}


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("holder", HOLDERS)
def test_what_lies_deep_in_an_argument_is_not_changed_either(holder: str, written: str) -> None:
    make, write = WRITTEN[written]
    for around in (lambda v: v, *HOLDERS.values()):
        for writes in (True, False):
            value = make()
            given = HOLDERS[holder](around(value))
            if not writes:
                assert rt.given_back(lambda _: None, None, given) is None
                continue
            with pytest.raises(RetrogradError, match="an argument"):
                rt.given_back(lambda _, v=value: write(v) and None, None, given)
