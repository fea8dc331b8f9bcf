"""Derivatives of second and third order on the tape, of functions of containers of every kind."""

from __future__ import annotations

import collections
import dataclasses
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from retrograd.runtime.objects.pytree import children, map_leaves
from retrograd.runtime.tape.calls import pushed, taped

pytestmark = pytest.mark.usefixtures("taped")
A, B = np.array([1.1, 0.4]), 1.3


@dataclasses.dataclass
class Pair:
    a: Any
    b: Any


@dataclasses.dataclass(frozen=True)
class Frozen:
    a: Any
    b: Any


class Named(collections.namedtuple("Named", "a b")):
    __slots__ = ()


class Items(list):
    pass


def objects(a: Any, b: Any) -> Any:
    made = np.empty(2, object)
    made[0], made[1] = a, b
    return made


by_key = lambda p: (p["a"], p["b"])
by_name = lambda p: (p.a, p.b)
by_place = lambda p: (p[0], p[1])
KINDS: dict[str, tuple[Callable[[Any, Any], Any], Callable[[Any], Any]]] = {
    "list": (lambda a, b: [a, b], by_place), "tuple": (lambda a, b: (a, b), by_place),
    "dict": (lambda a, b: {"a": a, "b": b}, by_key), "namedtuple": (Named, by_name), "dataclass": (Pair, by_name),
    "frozen": (Frozen, by_name), "nested": (lambda a, b: {"p": [Pair(a, 0.0), (b,)]}, lambda p: (p["p"][0].a, p["p"][1][0])),
    "OrderedDict": (lambda a, b: collections.OrderedDict(a=a, b=b), by_key),
    "defaultdict": (lambda a, b: collections.defaultdict(float, a=a, b=b), by_key),
    "deque": (lambda a, b: collections.deque([a, b]), by_place), "object array": (objects, by_place),
    "UserDict": (lambda a, b: collections.UserDict(a=a, b=b), by_key), "list subclass": (lambda a, b: Items([a, b]), by_place),
    "proxy": (lambda a, b: types.MappingProxyType({"a": a, "b": b}), by_key),
    "namespace": (lambda a, b: types.SimpleNamespace(a=a, b=b), by_name),
}  # fmt: skip
FACE = (
    "list",
    "tuple",
    "dict",
    "namedtuple",
    "dataclass",
    "frozen",
    "nested",
)  # what `rg.grad` takes apart


def product(a: Any, b: Any) -> Any:
    return np.sum(a**3) * b**2 + np.sum(np.sin(a * b))


def numbers(tree: Any) -> np.ndarray:
    found: list[Any] = []
    map_leaves(lambda leaf: found.append(np.ravel(leaf)), tree)
    return np.concatenate(found)


def check(name: str, order: Callable[..., Any]) -> None:
    """A derivative of a function of a container is that of the function of its items."""
    make, items = KINDS[name]
    f = lambda p: product(*items(p))
    plain = lambda pair: product(*pair)
    found, expected = numbers(order(f, make(A, B))), numbers(order(plain, (A, B)))
    np.testing.assert_allclose([v for v in found if v != 0.0], expected, rtol=1e-10)


def reverse(f: Any) -> Any:
    return lambda p: taped(f, p)[1](1.0)


def square(tree: Any) -> Any:
    """The sum of the squares of all numbers."""
    inner = children(tree)
    return np.sum(tree * tree) if inner is None else sum(square(item) for _, item in inner)


ORDERS: dict[str, Callable[..., Any]] = {
    "reverse over reverse": lambda f, p: taped(lambda q: square(reverse(f)(q)), p)[1](1.0),
    "forward over reverse": lambda f, p: pushed(reverse(f), (p,), p)[1],
    "reverse over forward": lambda f, p: taped(lambda q: pushed(f, (q,), q)[1], p)[1](1.0),
    "three levels": lambda f, p: taped(lambda q: square(reverse(lambda r: square(reverse(f)(r)))(q)), p)[1](1.0),
}  # fmt: skip
grad_twice = lambda f, p: taped(lambda q: square(rg.grad(f)(q)), p)[1](1.0)
hvp_inside = lambda f, p: taped(lambda q: square(rg.hvp(f, (q,), q)), p)[1](1.0)
vjp_inside = lambda f, p: taped(lambda q: square(rg.vjp(f, q)[1](1.0)[0]), p)[1](1.0)
jvp_inside = lambda f, p: taped(lambda q: rg.jvp(f, (q,), (q,))[1], p)[1](1.0)
FACES = {"grad": grad_twice, "hvp": hvp_inside, "vjp": vjp_inside, "jvp": jvp_inside}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", KINDS)
def test_on_the_tape_itself(name: str, order: str) -> None:
    check(name, ORDERS[order])


@pytest.mark.parametrize("order", FACES)
@pytest.mark.parametrize("name", FACE)
def test_inside_a_function_on_the_tape(name: str, order: str) -> None:
    check(name, FACES[order])


@rg.differentiate
def on_tape(p):
    _ = locals()
    return np.sum(p["a"] ** 3) * p["b"] ** 2


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
def test_second_order_of_a_whole_function_on_the_tape() -> None:
    p, v = {"a": A, "b": B}, {"a": np.array([0.3, -0.2]), "b": 0.7}
    twin = lambda p: np.sum(p["a"] ** 3) * p["b"] ** 2
    for order in (
        lambda f: rg.hvp(f, (p,), v), lambda f: rg.jvp(rg.grad(f), (p,), (v,))[1], lambda f: rg.vjp(rg.grad(f), p)[1](v)[0],
        lambda f: [row for part in ("a", "b") for row in [rg.jacobian(rg.grad(f))(p)[part]]], lambda f: rg.hessian(f)(p),
    ):  # fmt: skip
        np.testing.assert_allclose(numbers(order(on_tape)), numbers(order(twin)), rtol=1e-10)


class Plain:
    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b = a, b


def test_an_object_that_is_no_container_is_refused() -> None:
    with pytest.raises(RetrogradError, match="holds numbers"):
        taped(lambda p: np.sum(p.a) * p.b, Plain(A, B))
    with pytest.raises(RetrogradError, match="holds values being differentiated"):
        taped(lambda a: Plain(a, [a]), A)


def test_values_of_the_tape_in_a_closure_or_an_object() -> None:
    """What an inner derivative finds there is seen, too."""
    held = lambda x: rg.grad(lambda w: w * w * np.sum(x * x))(2.0) * x[0]
    np.testing.assert_allclose(
        taped(held, A)[1](1.0), [4 * (A @ A) + 8 * A[0] ** 2, 8 * A[0] * A[1]]
    )

    def in_an_object(x: Any) -> Any:
        p = Plain(x, 2.0)
        return rg.grad(lambda w, p: w * w * np.sum(p.a * p.a))(3.0, p)

    np.testing.assert_allclose(taped(in_an_object, A)[1](1.0), 12 * A)
