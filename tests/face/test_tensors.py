"""Tensors of the eager API given to functions of arrays, or read by them: refused at every entry."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import InternalError, RetrogradError

pytestmark = pytest.mark.usefixtures("unchecked")

PLAIN = rg.tensor([1.0, 2.0, 3.0])
GROWING = rg.tensor([1.0, 2.0, 3.0], requires_grad=True)
HELD = SimpleNamespace(weights=PLAIN)
LISTED, NAMED = [1.0, PLAIN], {"w": (PLAIN, 2.0)}


def of_global(x: Any) -> Any:
    return np.sum(x * PLAIN)


def of_growing(x: Any) -> Any:
    return (GROWING * x).sum()


def of_attribute(x: Any) -> Any:
    return np.sum(x * HELD.weights)


def of_list(x: Any) -> Any:
    return np.sum(x * LISTED[1])


def of_dict(x: Any) -> Any:
    return np.sum(x * NAMED["w"][0])


def helper(x: Any) -> Any:
    return x * PLAIN


def by_a_helper(x: Any) -> Any:
    return np.sum(helper(x))


def closure(weights: Any) -> Callable[..., Any]:
    def of_closure(x: Any) -> Any:
        return np.sum(x * weights)

    return of_closure


def squared(x: Any) -> Any:
    return np.sum(x * x)


def weighed(x: Any, p: Any) -> Any:
    return np.sum(x * p["w"])


READING = [of_global, of_growing, of_attribute, of_list, of_dict, by_a_helper, closure(GROWING)]
X, V = np.array([1.0, 2.0, 4.0]), np.ones(3)
WAYS: dict[str, Callable[..., Any]] = {
    "grad": lambda f, *a: rg.grad(f)(*a),
    "value_and_grad": lambda f, *a: rg.value_and_grad(f)(*a),
    "vjp": lambda f, *a: rg.vjp(f, *a, wrt=0),
    "jvp": lambda f, *a: rg.jvp(f, a, (V, *[None for _ in a[1:]])),
    "jacobian": lambda f, *a: rg.jacobian(f)(*a),
    "forward": lambda f, *a: rg.jacobian(f, mode="forward")(*a),
    "hessian": lambda f, *a: rg.hessian(f)(*a),
    "hvp": lambda f, *a: rg.hvp(f, a, V),
    "linearize": lambda f, *a: rg.linearize(f, *a)[1](V, *[None for _ in a[1:]]),
    "decorated": lambda f, *a: rg.differentiate(f).grad(*a),
    "strict": lambda f, *a: rg.differentiate(f, strict=True).grad(*a),
}


def refusal(way: str, f: Any, *args: Any) -> str:
    with pytest.raises(RetrogradError) as caught:
        WAYS[way](f, *args)
    assert not isinstance(caught.value, InternalError), caught.value
    return str(caught.value)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("way", WAYS)
def test_tensors_that_are_read(way: str) -> None:
    for f in READING if way in ("grad", "decorated") else READING[:2]:
        found = refusal(way, f, X)
        assert re.search("is a tensor of the eager API, or holds one|returns a tensor", found)
        assert "detach().numpy()" in found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("way", WAYS)
def test_tensors_that_are_given(way: str) -> None:
    for f, args in [(squared, (PLAIN,)), (squared, (GROWING,)), (weighed, (X, {"w": PLAIN}))]:
        found = refusal(way, f, *args)
        assert re.search("is a tensor of the eager API, and this takes arrays|is a Tensor", found)


def test_the_array_of_a_tensor_will_do() -> None:
    weights = GROWING.detach().numpy()
    np.testing.assert_array_equal(rg.grad(lambda x: np.sum(x * weights))(X), weights)
