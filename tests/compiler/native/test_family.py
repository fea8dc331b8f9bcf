"""Which of the kernels of a function stands in front."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.compiler.native.refusal import Unsupported
from retrograd.compiler.native.specialisations import Family


class Bench:
    """A family of functions that double a number, and say who did."""

    def __init__(self, takes: Callable[[Any, Any], bool], refuses: tuple[type, ...] = ()) -> None:
        self.takes, self.refuses = takes, refuses
        self.ran: list[str] = []
        self.front: Any = None
        self.errors: list[Unsupported] = []
        self.family = Family(self.plain, self.build, self.install, self.errors.append)
        self.front = self.family.call

    def install(self, call: Any) -> None:
        self.front = call

    def plain(self, x: Any) -> Any:
        self.ran.append("plain")
        return 2 * x

    def build(self, args: tuple[Any, ...], fixed: bool, fallback: Any) -> Any:
        (made_for,) = args
        if isinstance(made_for, self.refuses):
            raise Unsupported("not this")

        def kernel(x: Any) -> Any:
            if not self.takes(made_for, x):
                return fallback(x)
            self.ran.append(type(made_for).__name__)
            return 2 * x

        return kernel

    def __call__(self, x: Any) -> Any:
        return self.front(x)


def alike(a: Any, b: Any) -> bool:
    return type(a) is type(b)


def test_what_is_called_most_comes_to_the_front() -> None:
    bench = Bench(alike)
    assert [bench(1.0)] + [bench(k) for k in range(60)] == [2.0, *range(0, 120, 2)]
    assert bench.ran == ["float", *["int"] * 60]
    assert bench.front is next(iter(bench.family.known.values()))
    bench.ran.clear()
    assert bench(1.5) == 3.0  # it still runs, in a kernel of its own
    assert bench.ran == ["float"]


def test_a_third_kind_has_a_kernel_too() -> None:
    bench = Bench(alike)
    bench(1.0)
    assert [bench(k) for k in range(60)] == list(range(0, 120, 2))  # integers are in front now
    bench.ran.clear()
    assert [bench(True), bench(2.0), bench(1j), bench(3)] == [2, 4.0, 2j, 6]
    assert bench.ran == ["bool", "float", "complex", "int"]


def test_a_kernel_that_is_always_left_gives_way() -> None:
    bench = Bench(lambda made_for, x: False)
    assert [bench(k) for k in range(60)] == list(range(0, 120, 2))
    assert set(bench.ran) == {"plain"}
    assert bench.front == bench.plain


def test_a_kernel_that_is_left_now_and_then_stays() -> None:
    bench = Bench(lambda made_for, x: x % 3 > 0)
    first = bench(1)
    kernel = bench.front
    assert [first] + [bench(k) for k in range(300)] == [2, *range(0, 600, 2)]
    assert bench.front is kernel
    assert bench.ran.count("plain") == 100


def test_what_is_refused_at_first_runs_plain() -> None:
    bench = Bench(alike, refuses=(int,))
    assert [bench(1), bench(2.0)] == [2, 4.0]
    assert bench.ran == ["plain", "plain"]
    assert [error.reason for error in bench.errors] == ["not this"]


def test_what_is_refused_later_runs_plain_for_its_kind() -> None:
    bench = Bench(alike, refuses=(int,))
    assert [bench(x) for x in (1.0, 2, 3.0, 4)] == [2.0, 4, 6.0, 8]
    assert bench.ran == ["float", "plain", "float", "plain"]
    assert bench.errors == []


def test_arrays_that_are_always_in_another_order() -> None:
    bench = Bench(lambda made_for, x: bool(x.flags.c_contiguous))
    x = np.arange(6.0).reshape(2, 3)
    for _ in range(60):
        np.testing.assert_array_equal(bench(x.T), 2 * x.T)
    assert bench.ran == ["ndarray"] * 60
    assert bench.front == bench.family.straight


def test_arrays_in_another_order_are_copied() -> None:
    seen: list[bool] = []

    def takes(made_for: Any, x: Any) -> bool:
        seen.append(bool(x.flags.c_contiguous))
        return seen[-1]

    bench = Bench(takes)
    x = np.arange(6.0).reshape(2, 3)
    bench(x)
    np.testing.assert_array_equal(bench(x.T), 2 * x.T)
    assert bench.ran == ["ndarray", "ndarray"]
    assert seen == [True, False, True]
