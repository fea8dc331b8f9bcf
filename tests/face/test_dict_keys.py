"""Keys of the dicts that a function is given: a derivative is right for all that a text can name, and refused else."""

from __future__ import annotations

import datetime
import enum
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import InternalError, RetrogradError

pytestmark = pytest.mark.usefixtures("unchecked")


class Colour(enum.Enum):
    RED = 1


class Level(enum.IntEnum):
    LOW = 1


class Word(enum.StrEnum):
    A = "a"


class Spoken:
    def __repr__(self) -> str:
        return "{no} <python>"


NAMED: list[Any] = [
    "w", "", "a'b\n", "{0}", "{", "__class__", -1, -3, 0, 7, -0.5, 1.5, 1 + 2j, True, None, b"x", (1, "a"),
    (1, (2, -3)), (),
]  # fmt: skip
UNNAMED: list[Any] = [
    Colour.RED, Level.LOW, Word.A, np.int64(3), np.float64(2.5), np.str_("q"), float, len, frozenset({1}),
    ..., datetime.date(2020, 1, 1), datetime.timedelta(1), float("inf"), float("nan"), (1, Colour.RED),
    (float("-inf"),), Spoken(),
]  # fmt: skip


def by_key(key: Any) -> Callable[..., Any]:
    def f(d):
        return d[key] ** 2 * d["z"]

    return f


def gone_over(d):
    return sum(v * v for v in d.values()) * d["z"]


def scaled(x, d):
    return x * x * d["z"]


MODES: dict[str, Callable[[Any, Any], Any]] = {
    "grad": lambda f, d: rg.grad(f)(d),
    "vjp": lambda f, d: rg.vjp(f, d)[1](1.0)[0],
    "jacobian": lambda f, d: rg.jacobian(f)(d),
    "forward": lambda f, d: rg.jacobian(f, mode="forward")(d),
    "reverse": lambda f, d: rg.jacobian(f, mode="reverse")(d),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("key", NAMED, ids=repr)
def test_keys_that_a_text_names(key: Any) -> None:
    f = by_key(key)
    for derive in MODES.values():
        found = derive(f, {key: 2.0, "z": 3.0})
        assert list(found) == [key, "z"]
        np.testing.assert_allclose(list(found.values()), [12.0, 4.0])
    d = {key: 2.0, "z": 3.0}
    assert rg.jvp(f, (d,), (d,)) == (12.0, 36.0)
    assert rg.hvp(f, (d,), {key: 1.0, "z": 0.0}) == {key: 6.0, "z": 4.0}
    assert rg.hessian(f)(d) == {key: {key: 6.0, "z": 4.0}, "z": {key: 4.0, "z": 0.0}}


@pytest.mark.parametrize("key", UNNAMED, ids=lambda key: type(key).__name__)
def test_other_keys(key: Any) -> None:
    """They are refused, and nothing is worse for it; as constants, such dicts are taken as they are."""
    d = {key: 2.0, "z": 3.0}
    tries = [lambda g=g: g(gone_over, d) for g in MODES.values()]
    tries += [lambda: rg.jvp(gone_over, (d,), (d,)), lambda: rg.hessian(gone_over)(d)]
    tries += [lambda: rg.hvp(gone_over, (d,), d)]
    for attempt in tries:
        with pytest.raises(RetrogradError) as refusal:
            attempt()
        assert not isinstance(refusal.value, InternalError)
    for derive in MODES.values():
        found = derive(gone_over, {"y": 2.0, "z": 3.0})
        np.testing.assert_allclose(list(found.values()), [12.0, 31.0])
    assert rg.grad(scaled)(2.0, d) == 12.0
    assert rg.jacobian(scaled)(2.0, d) == 12.0
    assert rg.grad(scaled)(2.0, {"z": 5.0}) == 20.0


def test_a_negative_key_is_no_place_from_the_end() -> None:
    def f(d, xs):
        return d[1] ** 2 + d[-3] ** 2 + d[-1] * xs[-1] + xs[0]

    d, xs = {1: 2.0, -3: 3.0, -1: 5.0}, [4.0, 7.0]
    found = rg.grad(f, (0, 1))(d, xs)
    assert found == ({1: 4.0, -3: 6.0, -1: 7.0}, [1.0, 5.0])


def test_results_with_other_keys() -> None:
    def f(x):
        return {Colour.RED: x * x}

    for derive in (rg.jacobian(f), rg.jacobian(f, mode="forward"), lambda x: rg.vjp(f, x)):
        with pytest.raises(RetrogradError) as refusal:
            derive(2.0)
        assert not isinstance(refusal.value, InternalError)


class Record(NamedTuple):
    m: Any
    w: Any


PATHS: list[tuple[str, Any]] = [
    ("p[-1]", lambda a, b: [a, b]),
    ("p[1]", lambda a, b: (a, b)),
    ("p[-1]", Record),
    ("p.w", Record),
    ("p[-1]", lambda a, b: {1: a, -1: b}),
    ("p['1']", lambda a, b: {1: a, "1": b}),
]


@pytest.mark.parametrize(("path", "around"), PATHS)
@pytest.mark.parametrize("pattern", [None, "probe"])
def test_sparse_by_a_path(path: str, around: Any, pattern: Any) -> None:
    def f(p):
        a, b = p.values() if isinstance(p, dict) else p
        return a * b * b

    a, b = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    found = rg.jacobian(f, wrt=path, sparse=True, pattern=pattern)(around(a, b))
    np.testing.assert_allclose(found.toarray(), np.diag(2 * a * b))
