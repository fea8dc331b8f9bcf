"""Arguments and results in containers: a gradient has the structure of its argument."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError, SignatureMismatch
from retrograd.runtime.objects.pytree import flatten

Old = namedtuple("Old", "w b")


class Layer(NamedTuple):
    w: Any
    b: Any = 0.0


@dataclass
class Net:
    first: Any
    second: Any
    scale: float = 1.0


@dataclass(frozen=True)
class Frozen:
    w: Any
    items: Any = field(default_factory=list)


W = np.arange(6.0).reshape(2, 3) / 6
B = np.array([0.5, -0.5])
X = np.array([1.0, 2.0, -1.0])


def layered(p: Any) -> Any:
    return np.sum(p.w @ X + p.b)


def paired(p: Any) -> Any:
    return np.sum(p[0] @ X + p[1])


def keyed(p: Any) -> Any:
    return np.sum(p["w"] @ X + p["b"])


def network(n: Any) -> Any:
    return np.sum(n.first.w @ X + n.first.b) * n.scale + n.second["k"][1] ** 2


def everything(p: Any) -> Any:
    return p[0]["a"][0] * p[0]["a"][1] + np.sum(p[1].w * p[2])


CASES: dict[str, tuple[Any, Any]] = {
    "tuple": (paired, (W, B)),
    "list": (paired, [W, B]),
    "dict": (keyed, {"w": W, "b": B}),
    "dict with one entry unused": (keyed, {"w": W, "unused": np.ones(2), "b": B}),
    "named tuple": (layered, Layer(W, B)),
    "old named tuple": (layered, Old(W, B)),
    "named tuple of an array and a float": (layered, Layer(W, 1.5)),
    "dataclass of named tuples": (network, Net(Layer(W, B), {"k": [1.0, 3.0]}, 2.0)),
    "dataclass with a tuple": (network, Net(Layer(W, B), {"k": (1.0, 3.0)}, 2.0)),
    "everything": (everything, [{"a": (2.0, 3.0)}, Layer(W, B), 2.0]),
    "empty parts": (lambda p: p["x"] * 2.0, {"x": 1.5, "none": [], "nothing": {}}),
    "one-tuple": (lambda p: p[0] ** 2, (3.0,)),
}


def numeric(f: Any, p: Any) -> list[np.ndarray]:
    from retrograd.runtime.objects.pytree import basis, map_leaves

    found = [np.zeros(np.shape(v)) for v in flatten(p)[0]]
    for leaf, index, direction in basis(p):
        ends = []
        for t in (1e-6, -1e-6):
            steps = iter(flatten(direction)[0])
            ends.append(float(f(map_leaves(lambda v, steps=steps, t=t: v + t * next(steps), p))))
        found[leaf][index] = (ends[0] - ends[1]) / 2e-6
    return found


@pytest.mark.parametrize(("f", "p"), CASES.values(), ids=CASES)
def test_the_gradient_has_the_structure_of_its_argument(f: Any, p: Any) -> None:
    bar = rg.grad(f)(p)
    flat, shape = flatten(bar)
    leaves, wanted = flatten(p)
    assert shape == wanted
    for got, leaf, want in zip(flat, leaves, numeric(f, p), strict=True):
        assert type(got) is type(leaf) or isinstance(got, np.floating)
        assert np.shape(got) == np.shape(leaf)
        np.testing.assert_allclose(got, want, atol=1e-6)


@pytest.mark.parametrize(("f", "p"), CASES.values(), ids=CASES)
def test_pullback_and_tangent_agree(f: Any, p: Any) -> None:
    value, pullback = rg.vjp(f, p)
    (bar,) = pullback(1.0)
    same, dot = rg.jvp(f, (p,), (p,))
    assert value == same == f(p)
    assert dot == pytest.approx(
        sum(np.sum(b * v) for b, v in zip(flatten(bar)[0], flatten(p)[0], strict=True))
    )


def test_a_dataclass_as_argument() -> None:
    bar = rg.grad(lambda p: np.sum(p.w**2) + p.items[0] * 3.0)(Frozen(W, [2.0]))
    assert isinstance(bar, Frozen)
    np.testing.assert_allclose(bar.w, 2 * W)
    assert bar.items == [3.0]


def test_results_keep_their_containers() -> None:
    def f(x: Any) -> Any:
        return {"both": (x * 2.0, [x * 3.0]), "layer": Layer(x * 5.0, x)}

    value, dot = rg.jvp(f, (1.0,), (1.0,))
    assert value == {"both": (2.0, [3.0]), "layer": Layer(5.0, 1.0)}
    assert dot == {"both": (2.0, [3.0]), "layer": Layer(5.0, 1.0)}
    assert isinstance(value["layer"], Layer)
    assert isinstance(dot["layer"], Layer)
    value, pullback = rg.vjp(f, 1.0)
    assert isinstance(value["layer"], Layer)
    assert pullback({"both": (1.0, [10.0]), "layer": Layer(100.0, 1000.0)}) == (
        2.0 + 30.0 + 500.0 + 1000.0,
    )


def test_a_dataclass_as_result() -> None:
    def f(x: Any) -> Any:
        return Net(x * 2.0, (x * 3.0, x), 4.0)

    try:
        value, dot = rg.jvp(f, (1.0,), (1.0,))
    except RetrogradError:
        return
    assert isinstance(value, Net)
    assert (value.first, value.second, value.scale) == (2.0, (3.0, 1.0), 4.0)
    assert (dot.first, dot.second, dot.scale) == (2.0, (3.0, 1.0), 0.0)


def test_another_structure_is_compiled_anew() -> None:
    def total(p: Any) -> Any:
        s = 0.0
        for part in p:
            s = s + np.sum(part * part)
        return s

    gradient = rg.grad(total)
    assert gradient([1.0, 2.0]) == [2.0, 4.0]
    assert gradient([1.0, 2.0, 3.0]) == [2.0, 4.0, 6.0]
    assert gradient((1.0, 2.0)) == (2.0, 4.0)
    a, b = gradient([np.ones(2), 3.0])
    np.testing.assert_array_equal(a, [2.0, 2.0])
    assert b == 6.0


def test_one_container_twice() -> None:
    def f(p: Any, q: Any) -> Any:
        return p[0] * q[0] * q[1]

    p = [2.0, 3.0]
    assert rg.grad(f, (0, 1))(p, p) == ([6.0, 0.0], [6.0, 4.0])


def test_one_item_by_two_ways() -> None:
    def f(p: Any) -> Any:
        return p[-1] * p[2] * p[0]

    def g(p: Any) -> Any:
        return p.w * p[0] * p[-1] * p.b

    for p in ([2.0, 3.0, 5.0], (2.0, 3.0, 5.0)):
        assert list(rg.grad(f)(p)) == [25.0, 0.0, 20.0]
        assert list(generic(f)(p)) == [25.0, 0.0, 20.0]
    assert rg.grad(g)(Layer(2.0, 3.0)) == Layer(36.0, 24.0)


def generic(f: Any) -> Any:
    """The gradient compiled without knowing what it is called with."""
    scope: dict[str, Any] = {}
    exec(compile(rg.differentiate(f).source("grad"), "<generic>", "exec"), scope)
    return scope[f"{f.__name__}_grad"]


def test_the_order_of_dict_keys_does_not_matter() -> None:
    def f(d: Any) -> Any:
        return d["a"] * d["b"] ** 2

    gradient = rg.grad(f)
    first = gradient({"a": 2.0, "b": 3.0})
    second = gradient({"b": 3.0, "a": 2.0})
    assert first == second == {"a": 9.0, "b": 12.0}
    assert rg.jvp(f, ({"a": 2.0, "b": 3.0},), ({"b": 1.0, "a": 0.0},))[1] == 12.0
    value, pullback = rg.vjp(lambda x: {"a": 2.0 * x, "b": 3.0 * x}, 1.0)
    assert pullback({"b": 10.0, "a": 1.0}) == (32.0,)


@pytest.mark.parametrize(
    "tangent", [[1.0], (1.0, 1.0), [1.0, 1.0, 1.0], {"a": 1.0}, [1.0, [1.0]], 1.0]
)
def test_a_tangent_of_another_structure_is_refused(tangent: Any) -> None:
    with pytest.raises(SignatureMismatch):
        rg.jvp(lambda p: p[0] * p[1], ([1.0, 2.0],), (tangent,))


def test_jacobian_inside_containers() -> None:
    got = rg.jacobian(lambda p: Layer(p["x"] * 2.0, np.sum(p["x"])))({"x": np.ones(2)})
    assert isinstance(got, Layer)
    np.testing.assert_array_equal(got.w["x"], 2 * np.eye(2))
    np.testing.assert_array_equal(got.b["x"], np.ones(2))
