"""Numbers that go straight through a helper are what its general way gives: in value, and in type where it says so."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from retrograd import runtime as rt

NUMBERS = (
    2.5, -1.5, 0.0, math.inf, math.nan, np.float64(3.0), np.float64(0.0), np.float64(-2.0), np.float32(1.5),
)  # fmt: skip
COMPLEX = (1 + 2j, np.complex128(3 - 1j))


class Number(float):
    """A class that no fast way knows, and which is a number of Python's."""


def alike(a: Any, b: Any) -> bool:
    return bool(
        np.array_equal(a, b, equal_nan=True) or np.allclose(a, b, rtol=1e-15, equal_nan=True)
    )


@pytest.mark.parametrize(("c", "like"), [*itertools.product(NUMBERS, (1.0, np.float64(1.0)))])
def test_match(c: Any, like: Any) -> None:
    """A gradient for a float of either kind is one of Python's."""
    found, want = rt.match(c, like), rt.match(c, Number(1.0))
    assert type(found) is type(want) is float
    assert alike(found, want)
    for kind in (list, tuple):
        several = rt.match(kind([c, c]), kind([like, like]))
        assert type(several) is kind
        assert [type(x) for x in several] == [float, float]
        assert alike(several, [want, want])


def test_match_gives_a_list_of_its_own() -> None:
    bar = [1.0, 2.0]
    found = rt.match(bar, [0.0, 0.0])
    found[0] = 9.0
    assert bar == [1.0, 2.0]


@pytest.mark.parametrize("like", [1.0, np.float64(1.0)])
@pytest.mark.parametrize("c", [*NUMBERS, *COMPLEX])
def test_unbroadcast(c: Any, like: Any) -> None:
    found, want = rt.unbroadcast(c, like), rt.unbroadcast(np.asarray(c)[None], np.asarray([like]))
    assert alike(found, want[0])
    assert not np.iscomplexobj(found)


@pytest.mark.parametrize("like", COMPLEX)
@pytest.mark.parametrize("c", COMPLEX)
def test_unbroadcast_of_complex_numbers(c: Any, like: Any) -> None:
    assert rt.unbroadcast(c, like) == c


@pytest.mark.parametrize("x", NUMBERS)
def test_zeros_like(x: Any) -> None:
    zero = rt.zeros_like(x)
    assert zero == 0.0
    assert type(zero) is type(x)
    assert [type(item) for item in rt.zeros_like([x, x])] == [type(x)] * 2
    assert type(rt.zeros_like((x,))) is tuple
    assert rt.zeros_like([]) == []


def test_zeros_of_several_kinds() -> None:
    found = rt.zeros_like([1.0, np.float64(2.0), 3, None])
    assert [type(item) for item in found] == [float, np.float64, float, type(None)]


@pytest.mark.parametrize(("c", "x"), [*itertools.product(NUMBERS[:-1], (*NUMBERS[:-1], 2, 0, -3))])
def test_times_log(c: Any, x: Any) -> None:
    with np.errstate(all="ignore"):
        want = rt.times_log(np.array([c]), np.array([x], float))[0]
        assert alike(rt.times_log(c, x), want)


@pytest.mark.parametrize("x", [2.0, np.float64(2.0)])
def test_times_log_keeps_what_is_a_number_of_numpy(x: Any) -> None:
    assert isinstance(rt.times_log(np.float64(3.0), x), np.float64)
    assert type(rt.times_log(3.0, 2.0)) is float


@pytest.mark.parametrize(("x", "y"), [*itertools.product((1.0, 2.0, math.nan), repeat=2)])
@pytest.mark.parametrize("c", [3.0, np.float64(3.0), np.array([3.0, 4.0])])
def test_unpick(c: Any, x: float, y: float) -> None:
    """Two are three of which one is far off."""
    extreme = max(x, y)
    found, want = rt.unpick(c, (x, y), extreme), rt.unpick(c, (x, y, -9.0), extreme)
    assert all(map(alike, found, want[:2]))
    assert [type(part) for part in found] == [type(part) for part in want[:2]]
    assert all(part is not c for part in found if isinstance(part, np.ndarray))


@pytest.mark.parametrize("kind", [list, tuple])
@pytest.mark.parametrize("index", [0, -1, 2])
@pytest.mark.parametrize("c", [2.0, np.float64(2.0), np.array(2.0)])
def test_index_add(kind: Any, index: int, c: Any) -> None:
    buf = kind([1.0, 2.0, 3.0])
    want = [1.0, 2.0, 3.0]
    want[index] += 2.0
    found = rt.index_add(buf, index, c)
    assert type(found) is kind
    assert list(found) == want
    assert (found is buf) == (kind is list)


def test_index_add_of_nothing() -> None:
    assert rt.index_add([1.0], 0, None) == [1.0]
    assert rt.index_add((1.0,), 0, None) == (1.0,)
    assert rt.index_add([None], 0, 2.0) == [2.0]
