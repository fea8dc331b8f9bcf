"""What is written to between a run and its pullback or tangent: they are those of the run, or refuse."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import retrograd as rg

pytestmark = pytest.mark.usefixtures("unchecked")

WEIGHTS = np.zeros(3)
TABLE: dict[str, Any] = {}
SETTINGS = SimpleNamespace(scale=None)


class Layer:
    def __init__(self) -> None:
        self.weights, self.unread = np.array([1.0, 2.0, 3.0]), np.zeros(3)

    def apply(self, x: Any) -> Any:
        return np.sin(x) * self.weights


@pytest.fixture(autouse=True)
def as_at_first() -> None:
    WEIGHTS[:] = 1.0, 2.0, 3.0
    TABLE["w"] = np.array([2.0, 3.0, 4.0])
    SETTINGS.scale = np.array([0.5, 1.0, 1.5])
    return


def from_argument(x: Any) -> Any:
    return x * x * x


def from_result(x: Any) -> Any:
    return np.exp(x)


def from_both(x: Any) -> Any:
    return np.exp(x)[::-1] * x


def from_views(x: Any) -> Any:
    rows = np.lib.stride_tricks.sliding_window_view(x, 2)
    return np.sum(rows * rows[::-1], axis=1)


def from_a_loop(x: Any) -> Any:
    total = x * 1.0
    for k in range(3):
        total = total * x[k] + np.sin(x)
    return total


def from_the_module(x: Any) -> Any:
    return np.tanh(x * WEIGHTS) * TABLE["w"] * SETTINGS.scale


def helper(x: Any) -> Any:
    for _ in range(2):
        x = np.sin(x) * WEIGHTS
    return x


def from_a_helper(x: Any) -> Any:
    return helper(x) + helper(2.0 * x)


def from_a_list(x: Any, parts: Any) -> Any:
    for part in parts:
        x = np.sin(x) * part
    return x


def from_a_dict(x: Any, params: Any) -> Any:
    for _ in range(2):
        x = np.sin(x) * params["w"]
    return x


def from_an_object(x: Any, layer: Any) -> Any:
    for _ in range(2):
        x = np.sin(x) * layer.weights
    return x


def taped(x: Any) -> Any:
    class Uncompiled:
        pass

    return np.exp(x) * x * WEIGHTS


def changed(found: Any) -> None:
    """Every array that is reached is overwritten, and every entry replaced."""
    if isinstance(found, np.ndarray):
        found[...] = 7.0
    elif isinstance(found, (list, dict)):
        for key in range(len(found)) if isinstance(found, list) else list(found):
            changed(found[key])
            found[key] = np.full(3, 9.0)
    elif hasattr(found, "__dict__"):
        changed(found.__dict__)


READING = (from_the_module, from_a_helper, rg.differentiate(taped, fallback="tape"))
PROGRAMS: list[tuple[Callable[..., Any], Callable[[], list[Any]]]] = [
    *((f, list) for f in (from_argument, from_result, from_both, from_views, from_a_loop)),
    *((f, list) for f in READING),
    (from_a_list, lambda: [[np.array([1.0, 2.0, 3.0]), 2.0]]),
    (from_a_dict, lambda: [{"w": np.array([1.0, 2.0, 3.0])}]),
    (from_an_object, lambda: [Layer()]),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("f", "rest"), PROGRAMS, ids=[f.__name__ for f, _ in PROGRAMS])
def test_pullbacks_are_those_of_the_run(f: Any, rest: Any) -> None:
    memory, given = np.array([0.0, 0.3, 0.4, 0.5]), rest()
    x = memory[1:]
    want = rg.vjp(f, x, *given, wrt=0)[1](np.ones(np.shape(f(x, *given))))
    value, pull = rg.vjp(f, x, *given, wrt=0)
    for what in (memory, value, given, WEIGHTS, TABLE, SETTINGS):
        changed(what)
        np.testing.assert_array_equal(pull(np.ones(np.shape(value))), want)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("f", "rest"), PROGRAMS, ids=[f.__name__ for f, _ in PROGRAMS])
def test_tangents_are_those_of_the_run_or_refused(f: Any, rest: Any) -> None:
    x, given = np.array([0.3, 0.4, 0.5]), rest()
    dots = [np.ones(3), *[None for _ in given]]
    want = rg.linearize(f, x, *given)[1](*dots)
    value, tangent = rg.linearize(f, x, *given)
    for what in (x, value, given, WEIGHTS, TABLE, SETTINGS):
        changed(what)
        if f in READING and any(what is one for one in (WEIGHTS, TABLE, SETTINGS)):
            with pytest.raises(rg.errors.NotDifferentiable, match="written to since it was lin"):
                tangent(*dots)
        else:
            np.testing.assert_array_equal(tangent(*dots), want)


def test_the_object_of_a_method() -> None:
    layer, x = Layer(), np.array([0.3, 0.4, 0.5])
    unread = layer.unread
    _, pull = rg.vjp(layer.apply, x)
    _, tangent = rg.linearize(layer.apply, x)
    want = np.cos(x) * layer.weights
    np.testing.assert_allclose(tangent(np.ones(3)), want)
    changed(layer)
    np.testing.assert_allclose(pull(np.ones(3))[0], want)
    assert layer.unread is not unread
    with pytest.raises(rg.errors.NotDifferentiable, match="`self`, which was written to"):
        tangent(np.ones(3))


def test_a_closure() -> None:
    inner = np.array([1.0, 2.0, 3.0])
    _, pull = rg.vjp(lambda x: x * inner, np.ones(3))
    inner[:] = 0.0
    np.testing.assert_array_equal(pull(np.ones(3))[0], [1.0, 2.0, 3.0])


def test_what_only_the_run_has_is_not_copied() -> None:
    """Memory is doubled for what may be written to, and for nothing else."""
    from retrograd.transforms.pullbacks import set_apart

    x, own = np.ones(3), np.ones(3)
    made = SimpleNamespace(outside=None, functions={"f_rev": from_argument})
    (a, (b, c), floats), _ = set_apart(made, (x[1:], (own, own[1:]), [1.0, 2.0]), [x])
    assert not np.may_share_memory(a, x)
    assert b is own and c.base is own
    assert floats == [1.0, 2.0]
