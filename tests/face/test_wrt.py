"""``wrt`` as a path: one part of a container is differentiated, and nothing else in it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import NotDifferentiable, SignatureMismatch, UnsupportedSyntax
from retrograd.transforms.transformed_function import chain_of


class Layer(NamedTuple):
    w: Any
    b: Any


@dataclass
class Net:
    layers: list[Any]
    name: str = "net"
    steps: int = 2


class Plain:
    def __init__(self, k: Any) -> None:
        self.k, self.label = k, "plain"

    def energy(self, x: Any) -> Any:
        return self.k * x * x


W = np.arange(6.0).reshape(2, 3) / 6
B = np.array([0.5, -0.5])
X = np.array([1.0, 2.0, -1.0])


def layer(p: Any, x: Any) -> Any:
    return np.tanh(p["w"] @ x + p["b"]) * p["n"]


def model(params: Any, x: Any) -> Any:
    return np.sum(layer(params, x) ** 2)


def network(net: Any, x: Any) -> Any:
    for _ in range(net.steps):
        for w, b in net.layers:
            x = np.tanh(w @ x + b)
    return np.sum(x)


def params() -> dict[str, Any]:
    return {"w": W.copy(), "b": B.copy(), "n": 3}


def net() -> Net:
    square = np.array([[0.2, 0.4], [0.1, -0.3]])
    return Net([Layer(square, B), [square.T, B * 2]])


def differences(f: Any, x: np.ndarray, h: float = 1e-6) -> Any:
    units = np.eye(x.size).reshape(-1, *x.shape) * h
    return np.reshape([(f(x + e) - f(x - e)) / (2 * h) for e in units], x.shape)


PATHS: dict[str, tuple[Any, Any, str, Any]] = {
    "key": (model, params, "params['w']", lambda p, v: p | {"w": v}),
    "key as attribute": (model, params, "params.b", lambda p, v: p | {"b": v}),
    "into a list and a named tuple": (
        network, net, "net.layers[0].w",
        lambda n, v: Net([Layer(v, n.layers[0].b), n.layers[1]]),
    ),
    "from the end": (
        network, net, "net.layers[-1][1]", lambda n, v: Net([n.layers[0], [n.layers[1][0], v]])
    ),
    "a named tuple by position": (
        network, net, "net.layers[0][1]", lambda n, v: Net([Layer(n.layers[0].w, v), n.layers[1]])
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PATHS)
def test_the_gradient_is_that_of_the_part(name: str) -> None:
    f, made, path, put = PATHS[name]
    x = X if f is model else np.array([0.3, -0.7])
    (place,), _ = chain_of(f).positions(path)
    start = place.of([made(), x])
    want = differences(lambda v: f(put(made(), v), x), start)
    strict = rg.differentiate(strict=True)(f)
    got = rg.grad(strict, path)(made(), x)
    assert got.shape == start.shape
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-9)
    value, (whole, x_bar) = rg.value_and_grad(strict, (path, 1))(made(), x)
    assert value == f(made(), x)
    np.testing.assert_allclose(whole, want, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(x_bar, differences(lambda v: f(made(), v), x), rtol=1e-6, atol=1e-9)
    pull = rg.vjp(strict, made(), x, wrt=(1, path))[1]
    np.testing.assert_allclose(pull(1.0)[1], want, rtol=1e-6, atol=1e-9)
    h = rg.hessian(strict, path)(made(), x)
    both = differences(lambda v: np.sum(rg.grad(strict, path)(put(made(), v), x) * start), start)
    np.testing.assert_allclose(np.tensordot(start, h, start.ndim), both, rtol=1e-5, atol=1e-8)
    hv = rg.hvp(strict, (made(), x), start, path)
    np.testing.assert_allclose(hv, both, rtol=1e-5, atol=1e-8)


def test_nothing_else_is_differentiated() -> None:
    text = rg.differentiate(wrt="params['b']", strict=True)(model).source("grad", params(), X)
    assert "outer" not in text
    assert "w_bar" not in text
    tuple_of_one = rg.grad(model, ("params['b']",))(params(), X)
    assert isinstance(tuple_of_one, tuple)
    np.testing.assert_array_equal(tuple_of_one[0], rg.grad(model, "params['b']")(params(), X))


def test_parts_of_floats_agree_with_the_whole() -> None:
    def f(p: Any) -> Any:
        return p["a"] * p["b"][0] + np.sin(p["b"][1] * p["a"])

    p = {"a": 0.3, "b": (1.5, 0.7)}
    whole = rg.grad(f)(p)
    parts = rg.grad(f, ("p['a']", "p['b'][1]", "p['b'][0]"))(p)
    assert parts == (whole["a"], whole["b"][1], whole["b"][0])
    assert rg.grad(f, "p['b']")(p) == whole["b"]
    assert rg.grad(rg.grad(f, "p.a"), "p['b'][1]")(p) == rg.grad(rg.grad(f, "p['b'][1]"), "p.a")(p)


def test_an_attribute_of_an_object_that_has_no_gradient_as_a_whole() -> None:
    def f(spring: Any, x: Any) -> Any:
        return spring.energy(x) + spring.k

    with pytest.raises(NotDifferentiable):
        rg.grad(f)(Plain(3.0), 2.0)
    assert rg.grad(f, "spring.k")(Plain(3.0), 2.0) == 5.0
    assert rg.grad(f, ("spring.k", "x"))(Plain(3.0), 2.0) == (5.0, 12.0)


def test_what_the_function_writes_the_caller_sees() -> None:
    def f(p: Any, x: Any) -> Any:
        p["w"] *= x
        p["n"] = p["n"] + 1
        return np.sum(p["w"] * p["w"]) * p["n"]

    def made() -> dict[str, Any]:
        return {"w": B.copy(), "n": 1}

    p, q = made(), made()
    value, bar = rg.value_and_grad(f, "p['w']")(p, 3.0)
    assert value == f(q, 3.0)
    assert p["n"] == q["n"] == 2
    np.testing.assert_array_equal(p["w"], q["w"])
    np.testing.assert_allclose(bar, 36.0 * B)

    def g(p: Any, x: Any) -> Any:
        p["w"] = p["w"] * x
        return np.sum(p["w"] ** 2)

    p, q = made(), made()
    np.testing.assert_allclose(rg.grad(g, "p['w']")(p, 3.0), 18.0 * B)
    g(q, 3.0)
    np.testing.assert_array_equal(p["w"], q["w"])


def test_tangents_of_parts() -> None:
    value, dot = rg.jvp(model, (params(), X), ({"w": None, "b": B, "n": None}, None))
    assert value == model(params(), X)
    assert abs(dot - np.sum(B * rg.grad(model, "params.b")(params(), X))) < 1e-12
    n = net()
    along = Net([Layer(None, B), None], None, None)  # type: ignore[arg-type]
    x = np.array([0.3, -0.7])
    _, dot = rg.jvp(network, (n, x), (along, None))
    assert abs(dot - np.sum(B * rg.grad(network, "net.layers[0].b")(n, x))) < 1e-12
    with pytest.raises(SignatureMismatch):
        rg.jvp(model, (params(), X), ({"b": B, "n": None}, None))


def test_the_tape_knows_paths() -> None:
    def opaque(p: Any, x: Any) -> Any:
        table = {k: p["w"] * x * k for k in range(int(p["k"]) + 1)}
        return table[p["k"]]

    derivative = rg.grad(rg.differentiate(opaque, fallback="tape"), ("p['w']", "x"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert derivative({"w": 3.0, "k": 2}, 1.5) == (3.0, 6.0)
        assert rg.vjp(
            rg.differentiate(opaque, fallback="tape"), {"w": 3.0, "k": 2}, 1.5, wrt="p.w"
        )[1](1.0) == (3.0,)


def test_a_derivative_that_is_checked_when_it_is_first_computed() -> None:
    checked = rg.differentiate(check="first", wrt=("params['w']", "x"))(model)
    w_bar, x_bar = checked.grad(params(), X)
    assert w_bar.shape == W.shape
    assert x_bar.shape == X.shape


REFUSED: dict[str, tuple[Any, type, str]] = {
    "params['q']": ("params['q']", SignatureMismatch, r"names nothing: there is `params\['w'\]`"),
    "an integer": ("params['n']", NotDifferentiable, r"`params\['n'\]` is an integer"),
    "below an array": ("params['w'][0]", SignatureMismatch, "has no parts"),
    "twice": (("params.w", "params['w']"), SignatureMismatch, "twice"),
    "the whole and a part": (("params", "params['w']"), SignatureMismatch, "which is a part of it"),
    "another name": ("weights['w']", SignatureMismatch, "has no argument `weights`"),
    "a call": ("params.get('w')", SignatureMismatch, "cannot read"),
    "not Python": ("params[", SignatureMismatch, "cannot read"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    wrt, kind, words = REFUSED[name]
    with pytest.raises(kind, match=words):
        rg.grad(model, wrt)(params(), X)


def test_an_index_that_is_not_there() -> None:
    with pytest.raises(SignatureMismatch, match=r"`net.layers` is a list of 2"):
        rg.grad(network, "net.layers[2].w")(net(), B)
    with pytest.raises(SignatureMismatch, match=r"there is `net.layers\[0\].w`"):
        rg.grad(network, "net.layers[0].weights")(net(), B)


def test_a_generic_text_reads_the_part_alone() -> None:
    def direct(params: Any, x: Any) -> Any:
        return np.sum(np.tanh(params["w"] @ x) * params["n"])

    text = rg.differentiate(wrt="params['w']")(direct).source("grad")
    assert 'w = params["w"]' in text

    def total(params: Any) -> Any:
        return sum(params) + params[0]

    with pytest.raises(UnsupportedSyntax, match="used as a whole"):
        rg.differentiate(wrt="params[0]", strict=True)(total).source("grad")


@pytest.mark.parametrize("wrt", [1.0, slice(0, 1), (0.5,), [None]])
def test_what_names_no_argument(wrt: Any) -> None:
    with pytest.raises(SignatureMismatch, match="wrt is a position"):
        rg.grad(lambda x: x * x, wrt)(2.0)
