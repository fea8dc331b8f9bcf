"""``*rest`` and ``**params`` of the differentiated function: a text for every number and set of names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import SignatureMismatch, TapeWarning, UnsupportedSyntax


def horner(x: Any, *rest: Any, k: float = 2.0, **params: Any) -> Any:
    y = x
    for v in rest:
        y = y * v + k
    for name, v in params.items():
        y = y * v + len(name) * x
    return y


def slopes(f: Any, args: list[Any], h: float = 1e-6) -> list[float]:
    """By central differences, one for each number."""
    found = []
    for k in range(len(args)):
        up, down = list(args), list(args)
        up[k], down[k] = args[k] + h, args[k] - h
        found.append((f(*up) - f(*down)) / (2 * h))
    return found


def test_a_gradient_has_the_structure_of_what_came() -> None:
    def flat(x: float, a: float, b: float, c: float, k: float) -> Any:
        return horner(x, a, b, k=k, c=c)

    want = slopes(flat, [1.5, 0.7, 0.9, 1.1, 2.0])
    names = ("x", "rest", "k", "params")
    x_bar, rest_bar, k_bar, params_bar = rg.grad(horner, names)(1.5, 0.7, 0.9, c=1.1)
    assert isinstance(rest_bar, tuple)
    assert list(params_bar) == ["c"]
    got = [x_bar, *rest_bar, params_bar["c"], k_bar]
    np.testing.assert_allclose(got, want, rtol=1e-8)


def test_every_number_of_arguments_and_every_set_of_names_has_its_text() -> None:
    derivative = rg.grad(horner, "x")
    for rest in ((), (0.5,), (0.5, 0.25), (np.float64(0.5), 0.25)):
        for params in ({}, {"a": 1.5}, {"bb": 1.5}, {"a": 1.5, "bb": 0.5}, {"bb": 0.5, "a": 1.5}):
            (want,) = slopes(lambda x, r=rest, p=params: horner(x, *r, **p), [1.5])
            assert abs(derivative(1.5, *rest, **params) - want) < 1e-7
    assert derivative(1.5, 0.5, k=1.0) == 0.5


def test_positions_are_those_of_the_call_and_names_those_of_keywords() -> None:
    args = (1.5, 0.7, 0.9)
    assert rg.grad(horner)(*args) == rg.grad(horner, 0)(*args)
    assert rg.grad(horner, 2)(*args, c=1.0) == rg.grad(horner, "rest")(*args, c=1.0)[1]
    assert rg.grad(horner, (0, 1))(*args) == rg.grad(horner, ("x", "rest[0]"))(*args)
    assert rg.grad(horner, "c")(*args, c=1.0) == rg.grad(horner, "params")(*args, c=1.0)["c"]
    with pytest.raises(SignatureMismatch, match=r"names nothing: `rest` is a tuple of 2"):
        rg.grad(horner, 5)(*args)
    with pytest.raises(SignatureMismatch, match=r"`params\['d'\]` names nothing"):
        rg.grad(horner, "d")(*args, c=1.0)
    with pytest.raises(SignatureMismatch, match="any number of arguments"):
        rg.grad(horner, -1)


def test_the_default_is_the_first_argument() -> None:
    def norm(*x: Any) -> Any:
        return sum(v * v for v in x)

    assert rg.grad(norm)(3.0, 4.0) == 6.0
    assert rg.grad(norm, "x")(3.0, 4.0) == (6.0, 8.0)


def test_products_with_the_jacobian_take_one_tangent_for_each_argument() -> None:
    want = slopes(horner, [1.5, 0.7, 0.9])
    value, dot = rg.jvp(horner, (1.5, 0.7, 0.9), (1.0, None, 2.0))
    assert value == horner(1.5, 0.7, 0.9)
    assert abs(dot - (want[0] + 2 * want[2])) < 1e-7
    value, pull = rg.vjp(horner, 1.5, 0.7, 0.9)
    np.testing.assert_allclose(pull(1.0), want, rtol=1e-7)
    assert rg.vjp(horner, 1.5, 0.7, 0.9, wrt="rest")[1](1.0) == (pull(1.0)[1:],)
    assert rg.hvp(horner, (1.5, 0.7, 0.9), (1.0, 0.0), wrt="rest") == (0.0, 1.5)
    assert rg.linearize(horner, 1.5, 0.7)[1](None, 1.0) == 1.5


def test_all_orders_agree_with_differences() -> None:
    def wave(x: Any, *rest: Any, **params: Any) -> Any:
        y = np.sin(x * sum(rest)) + np.sum(rest[0] * rest[1])
        return y * params.get("scale", 2.0) * len(rest)

    rg.check_grads(wave, (0.4, np.array([0.3, 0.5]), 1.2), order=3)
    assert rg.grad(rg.grad(wave, 1), 2)(0.4, 0.3, 1.2) == rg.grad(rg.grad(wave, 2), 1)(
        0.4, 0.3, 1.2
    )
    h = rg.hessian(wave, "rest")(0.4, 0.3, 1.2)
    assert h[0][1] == h[1][0] == rg.grad(rg.grad(wave, 1), 2)(0.4, 0.3, 1.2)
    np.testing.assert_allclose(
        rg.jacobian(wave, ("x", "rest"))(0.4, 0.3, 1.2)[1], rg.grad(wave, "rest")(0.4, 0.3, 1.2)
    )


def test_arrays_are_written_to_for_the_caller_too() -> None:
    def fill(x: Any, *rest: Any, **params: Any) -> Any:
        rest[0][0] = x * rest[0][1]
        params["out"][:] = rest[0] * x
        return np.sum(rest[0] * params["out"])

    def made() -> tuple[Any, Any]:
        return np.array([0.2, 0.3]), np.zeros(2)

    (a, out), (b, same) = made(), made()
    value, bar = rg.value_and_grad(fill, ("x", "rest[0]"))(1.5, a, out=out)
    assert value == fill(1.5, b, out=same)
    np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(out, same)
    want = slopes(lambda x, u, v: fill(x, np.array([u, v]), out=np.zeros(2)), [1.5, 0.2, 0.3])
    np.testing.assert_allclose([bar[0], *bar[1]], want, rtol=1e-6, atol=1e-9)


def test_methods_and_positional_only_names() -> None:
    class Model:
        scale = 2.0

        @rg.differentiate(strict=True)
        def loss(self, x: Any, /, *rest: Any, **params: Any) -> Any:
            return self.scale * x * sum(rest) * params["x"]

    assert rg.grad(Model().loss.method.fn, ("x", "params['x']"))(Model(), 1.0, 2.0, x=3.0) == (
        12.0,
        4.0,
    )

    class Plain:
        def loss(self, *rest: Any) -> Any:
            return rest[0] * rest[1]

    assert rg.grad(Plain().loss, 1)(3.0, 4.0) == 3.0


def test_the_text_has_the_signature_of_the_function() -> None:
    text = rg.differentiate(horner).source("grad", 1.0, 2.0)
    assert "def horner_grad(x, *rest, k=2.0, **params):" in text
    with pytest.raises(UnsupportedSyntax, match="which arguments `"):
        rg.differentiate(horner).source("grad")
    text = rg.differentiate(horner).source(
        "grad", sig="x: float, rest: (float,), params: {'a': float}"
    )
    assert 'a = params["a"]' in text or 'params["a"]' in text


def test_names_without_positions() -> None:
    def only(x: Any, *, k: Any, **params: Any) -> Any:
        return x * k * params["a"]

    assert rg.grad(only, ("k", "params"))(2.0, k=3.0, a=4.0) == (8.0, {"a": 6.0})
    assert rg.grad(rg.grad(only, "k"), "a")(2.0, k=3.0, a=4.0) == 2.0
    rg.check_grads(lambda x, **params: x * params.get("a", x), (1.5,), order=2)


def test_on_the_tape() -> None:
    def opaque(x: Any, *rest: Any, **params: Any) -> Any:
        names = locals()  # this is not compiled
        table = {v: v * x for v in (1, 2)}
        many = {int(k): table[k] for k in range(1, 3) if np.unwrap([float(k)])[0]}
        return many[1] * sum(rest) * params["a"] + many[2]

    derivative = rg.grad(rg.differentiate(opaque, fallback="tape"), ("x", "rest", "a"))
    with pytest.warns(TapeWarning):
        found = derivative(2.0, 3.0, 4.0, a=0.5)
    assert found == (5.5, (1.0, 1.0), 14.0)
    assert derivative(2.0, 3.0, a=0.5) == (3.5, (1.0,), 6.0)


def test_check_first_and_the_cache(tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    checked = rg.differentiate(check="first")(horner)
    assert checked.grad(1.5, 0.7, c=1.0) == rg.grad(horner)(1.5, 0.7, c=1.0)
    assert checked.vjp(1.5, 0.7, wrt="rest")[1](1.0) == ((1.5,),)
    assert rg.grad(horner)(1.5, 0.7, c=1.0) == rg.grad(horner)(1.5, 0.7, c=1.0)
