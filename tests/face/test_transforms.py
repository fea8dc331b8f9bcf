"""Every function of the public face, on small functions whose derivatives are known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import (
    GradientMismatch,
    NotDifferentiable,
    SignatureMismatch,
)

RNG = np.random.default_rng(0)
W = RNG.normal(size=3)
M = RNG.normal(size=(4, 3))
V = RNG.normal(size=4)


def loss(w: Any, m: Any, v: Any, scale: float = 2.0, *, shift: float = 0.5) -> Any:
    return scale * np.sum((m @ w - v + shift) ** 2)


def gradient_w(scale: float = 2.0, shift: float = 0.5) -> np.ndarray:
    return 2 * scale * M.T @ (M @ W - V + shift)


def gradient_v(scale: float = 2.0, shift: float = 0.5) -> np.ndarray:
    return -2 * scale * (M @ W - V + shift)


# -- wrt -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrt", [None, 0, "w", -5, np.int64(0)])
def test_one_argument_by_position_name_or_from_the_end(wrt: Any) -> None:
    np.testing.assert_allclose(rg.grad(loss, wrt)(W, M, V), gradient_w())


@pytest.mark.parametrize("wrt", [(0, 2), ["w", "v"], (0, -3), ("w", 2), (2, 0), ("v", "w")])
def test_several_arguments_in_the_order_asked_for(wrt: Any) -> None:
    got = rg.grad(loss, wrt)(W, M, V)
    assert isinstance(got, tuple)
    w_first = wrt[0] in (0, "w")
    want = (gradient_w(), gradient_v()) if w_first else (gradient_v(), gradient_w())
    for g, expected in zip(got, want, strict=True):
        np.testing.assert_allclose(g, expected)


def test_a_list_of_one_gives_a_tuple_of_one() -> None:
    got = rg.grad(loss, ["v"])(W, M, V)
    assert isinstance(got, tuple)
    np.testing.assert_allclose(got[0], gradient_v())


def test_the_same_argument_twice() -> None:
    try:
        first, second = rg.grad(loss, (0, 0))(W, M, V)
    except SignatureMismatch:
        return
    np.testing.assert_allclose(first, gradient_w())
    np.testing.assert_allclose(second, gradient_w())
    assert not np.may_share_memory(first, second)


@pytest.mark.parametrize("wrt", ["nothing", 5, -6, ("w", "nothing")])
def test_an_unknown_argument_is_named(wrt: Any) -> None:
    with pytest.raises(SignatureMismatch, match=r"nothing|5|-6"):
        rg.grad(loss, wrt)


def test_wrt_may_not_be_empty_or_strange() -> None:
    for wrt in ((), 1.5, {"w": 1.5}.values()):
        with pytest.raises((SignatureMismatch, TypeError)):
            rg.grad(loss, wrt)(W, M, V)  # type: ignore[arg-type]


def test_defaults_and_keywords_are_the_functions_own() -> None:
    gradient = rg.grad(loss, "w")
    np.testing.assert_allclose(gradient(W, M, V, 3.0), gradient_w(3.0))
    np.testing.assert_allclose(gradient(W, M, v=V, scale=3.0), gradient_w(3.0))
    np.testing.assert_allclose(gradient(W, M, V, shift=1.5), gradient_w(shift=1.5))
    np.testing.assert_allclose(gradient(v=V, shift=1.5, m=M, w=W), gradient_w(shift=1.5))
    np.testing.assert_allclose(rg.grad(loss, "scale")(W, M, V), loss(W, M, V, 1.0))
    np.testing.assert_allclose(rg.grad(loss, "shift")(W, M, V), np.sum(4 * (M @ W - V + 0.5)))


def test_wrong_arguments_raise_pythons_error() -> None:
    gradient = rg.grad(loss)
    for args, kwargs in (((W,), {}), ((W, M, V, 1.0, 2.0), {}), ((W, M, V), {"nothing": 1})):
        with pytest.raises(TypeError):
            gradient(*args, **kwargs)


# -- grad, value_and_grad -------------------------------------------------------------------------


def test_value_and_grad() -> None:
    value, bar = rg.value_and_grad(loss)(W, M, V)
    assert value == loss(W, M, V)
    np.testing.assert_allclose(bar, gradient_w())
    value, bars = rg.value_and_grad(loss, ("w", "v"))(W, M, V)
    assert value == loss(W, M, V)
    np.testing.assert_allclose(bars[1], gradient_v())


def test_value_and_grad_fits_scipy_minimize() -> None:
    optimize = pytest.importorskip("scipy.optimize")
    found = optimize.minimize(rg.value_and_grad(loss), W, args=(M, V), jac=True)
    np.testing.assert_allclose(found.x, np.linalg.lstsq(M, V - 0.5)[0], atol=1e-4)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: x * 2.0,
        lambda x: (np.sum(x), np.sum(x)),
        lambda x: [np.sum(x)],
        lambda x: {"loss": np.sum(x)},
        lambda x: None,
        lambda x: "text",
        lambda x: x[:, None],
    ],
)
@pytest.mark.parametrize("transform", [rg.grad, rg.value_and_grad, rg.hessian])
def test_grad_wants_a_scalar(f: Any, transform: Any) -> None:
    with pytest.raises((SignatureMismatch, NotDifferentiable, TypeError), match="scalar|number"):
        transform(f)(np.ones(3))


def test_an_integer_valued_function_has_no_gradient_or_an_exact_zero() -> None:
    for f in (lambda x: 3, lambda x: np.argmax(x), lambda x: len(x)):
        try:
            bar = rg.grad(f)(np.ones(3))
        except (NotDifferentiable, SignatureMismatch):
            continue
        np.testing.assert_array_equal(bar, np.zeros(3))


# -- vjp -------------------------------------------------------------------------------------------


def test_vjp_of_every_float_argument() -> None:
    def f(x: Any, k: int, y: Any) -> Any:
        return k * x * y

    value, pullback = rg.vjp(f, np.ones(3), 2, np.arange(3.0))
    np.testing.assert_array_equal(value, [0.0, 2.0, 4.0])
    bars = pullback(np.ones(3))
    assert len(bars) == 2
    np.testing.assert_array_equal(bars[0], [0.0, 2.0, 4.0])
    np.testing.assert_array_equal(bars[1], [2.0, 2.0, 2.0])


@pytest.mark.parametrize(
    ("wrt", "count"), [(0, 1), ("y", 1), ((0, 2), 2), (["y", "x"], 2), (-1, 1)]
)
def test_vjp_gives_a_tuple_of_what_was_asked(wrt: Any, count: int) -> None:
    _, pullback = rg.vjp(lambda x, k, y: k * x * y, 3.0, 2, 5.0, wrt=wrt)
    bars = pullback(1.0)
    assert isinstance(bars, tuple)
    assert len(bars) == count
    want = {0: (10.0,), "y": (6.0,), -1: (6.0,)}.get(
        wrt if not isinstance(wrt, list) else ""
    ) or None
    assert bars == (want or ((10.0, 6.0) if isinstance(wrt, tuple) else (6.0, 10.0)))


def test_a_pullback_may_be_called_again_and_later() -> None:
    _, first = rg.vjp(lambda x: np.sin(x), 0.5)
    _, second = rg.vjp(lambda x: np.sin(x), 1.5)
    assert first(1.0)[0] == pytest.approx(np.cos(0.5))
    assert second(2.0)[0] == pytest.approx(2 * np.cos(1.5))
    assert first(3.0)[0] == pytest.approx(3 * np.cos(0.5))


def test_a_pullback_sees_the_arguments_as_they_were_or_says_so() -> None:
    x = np.array([0.5, 1.0])
    _, pullback = rg.vjp(lambda x: np.sum(x * x * x), x)
    want = 3 * x**2
    np.testing.assert_allclose(pullback(1.0)[0], want)


@pytest.mark.parametrize(
    "cotangent",
    [
        np.ones(4),
        np.ones((3, 1)),
        np.ones(()),
        1.0,
        [1.0, 1.0, 1.0],
        (np.ones(3), np.ones(3)),
        None,
    ],
)
def test_a_cotangent_of_another_shape_is_refused(cotangent: Any) -> None:
    _, pullback = rg.vjp(lambda x: x * 2.0, np.ones(3))
    with pytest.raises(SignatureMismatch):
        pullback(cotangent)


@pytest.mark.parametrize(
    "cotangent", [np.ones(3), (1.0,), (1.0, 2.0, 3.0), {"a": 1.0}, (1.0, np.ones(2))]
)
def test_a_cotangent_of_another_structure_is_refused(cotangent: Any) -> None:
    _, pullback = rg.vjp(lambda x: (np.sum(x), x[0]), np.ones(3))
    with pytest.raises(SignatureMismatch):
        pullback(cotangent)


def test_cotangents_follow_the_structure_of_the_result() -> None:
    def f(x: Any) -> Any:
        return {"sum": np.sum(x), "parts": [x * 2.0, (x[0], x[1])]}

    value, pullback = rg.vjp(f, np.array([1.0, 2.0]))
    assert value["sum"] == 3.0
    assert isinstance(value["parts"][1], tuple)
    (bar,) = pullback({"sum": 1.0, "parts": [np.array([1.0, 10.0]), (100.0, 1000.0)]})
    np.testing.assert_array_equal(bar, [1 + 2 + 100, 1 + 20 + 1000])


# -- jvp, linearize --------------------------------------------------------------------------------


def test_jvp_with_none_for_zero() -> None:
    value, dot = rg.jvp(loss, (W, M, V), (W, None, None))
    assert value == loss(W, M, V)
    assert dot == pytest.approx(gradient_w() @ W)
    assert rg.jvp(loss, (W, M, V), (W, None, V))[1] == pytest.approx(
        gradient_w() @ W + gradient_v() @ V
    )
    assert rg.jvp(loss, (W, M, V), (None, None, None)) == (loss(W, M, V), 0.0)


@pytest.mark.parametrize(
    ("args", "tangents"),
    [
        ((W, M, V), (W, None)),
        ((W, M, V), (W, None, None, None)),
        ((W, M, V), (np.ones(4), None, None)),
        ((W, M, V), (1.0, None, None)),
        ((W, M, V), (None, W, None)),
        ((W, M, V), ([1.0, 2.0, 3.0], None, None)),
        ((W, M, V), ()),
    ],
)
def test_tangents_that_do_not_fit_are_refused(args: Any, tangents: Any) -> None:
    with pytest.raises(SignatureMismatch):
        rg.jvp(loss, args, tangents)


def test_a_tangent_of_integers_or_another_precision() -> None:
    value, dot = rg.jvp(lambda x: x * x, (3.0,), (1,))
    assert (value, dot) == (9.0, 6.0)
    _, dot = rg.jvp(lambda x: x * x, (np.ones(2, np.float32),), (np.ones(2),))
    np.testing.assert_array_equal(dot, [2.0, 2.0])


def test_linearize() -> None:
    value, tangent = rg.linearize(lambda x, y: x * y, 3.0, 5.0)
    assert value == 15.0
    assert tangent(1.0, 0.0) == 5.0
    assert tangent(0.0, 1.0) == 3.0
    assert tangent(2.0, None) == 10.0
    with pytest.raises(SignatureMismatch):
        tangent(1.0)


# -- jacobian, hessian, hvp ------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [None, "forward", "reverse"])
def test_jacobian_is_output_shape_plus_input_shape(mode: Any) -> None:
    a = RNG.normal(size=(2, 4, 3))
    x = RNG.normal(size=(3, 5))
    got = rg.jacobian(lambda x: a @ x, mode=mode)(x)
    want = np.einsum("ijk,lm->ijlkm", a, np.eye(5))
    assert got.shape == (2, 4, 5, 3, 5)
    np.testing.assert_allclose(got, want)


@pytest.mark.parametrize("transform", [rg.jacobian, rg.hessian])
def test_whole_matrices_of_an_unknown_back_end(transform: Any) -> None:
    np.testing.assert_array_equal(
        transform(loss, backend="numpy")(W, M, V), transform(loss)(W, M, V)
    )
    with pytest.raises(SignatureMismatch, match="backend is"):
        transform(loss, backend="fortran")


@pytest.mark.parametrize("mode", [None, "forward", "reverse"])
def test_jacobian_of_scalars(mode: Any) -> None:
    assert rg.jacobian(lambda x: x * x, mode=mode)(3.0) == 6.0
    np.testing.assert_allclose(rg.jacobian(lambda x: x @ x, mode=mode)(W), 2 * W)
    np.testing.assert_allclose(
        rg.jacobian(lambda x: np.stack([x, x * x]), mode=mode)(3.0), [1.0, 6.0]
    )


@pytest.mark.parametrize("mode", [None, "forward", "reverse"])
def test_jacobian_with_several_arguments_and_containers(mode: Any) -> None:
    def f(p: Any, x: Any) -> Any:
        return {"y": p["a"] * x, "z": (np.sum(x), p["b"] * 2.0)}

    p, x = {"a": 3.0, "b": np.ones(2)}, np.arange(3.0)
    got = rg.jacobian(f, wrt=("p", "x"), mode=mode)(p, x)
    by_p, by_x = got["y"]
    np.testing.assert_array_equal(by_p["a"], x)
    np.testing.assert_array_equal(by_p["b"], np.zeros((3, 2)))
    np.testing.assert_array_equal(by_x, 3 * np.eye(3))
    np.testing.assert_array_equal(got["z"][0][1], np.ones(3))
    np.testing.assert_array_equal(got["z"][1][0]["b"], 2 * np.eye(2))
    np.testing.assert_array_equal(got["z"][1][0]["a"], np.zeros(2))


@pytest.mark.parametrize("mode", [None, "forward", "reverse"])
def test_jacobian_of_nothing(mode: Any) -> None:
    assert rg.jacobian(lambda x: x * 2.0, mode=mode)(np.zeros(0)).shape == (0, 0)
    assert rg.jacobian(lambda x: x[:0], mode=mode)(np.zeros(3)).shape == (0, 3)
    assert rg.jacobian(lambda x: np.ones(3) * np.sum(x), mode=mode)(np.zeros(0)).shape == (3, 0)


def test_jacobian_keeps_the_precision_and_complains_about_modes() -> None:
    assert rg.jacobian(lambda x: x * x)(np.ones(2, np.float32)).dtype == np.float32
    with pytest.raises(SignatureMismatch, match="mode"):
        rg.jacobian(lambda x: x, mode="sideways")


@pytest.mark.parametrize("mode", [None, "forward", "reverse"])
def test_what_is_no_number_has_no_jacobian(mode: Any) -> None:
    for other in ("text", None, np.array(["a", "b"])):
        with pytest.raises(NotDifferentiable, match="a result is no number"):
            rg.jacobian(lambda x, other=other: (x * x, other), mode=mode)(np.ones(2))


def test_jacobian_modes_agree_on_keywords() -> None:
    for mode in ("forward", "reverse"):
        got = rg.jacobian(lambda x, *, k=2.0: k * x, mode=mode)(np.ones(2), k=3.0)
        np.testing.assert_array_equal(got, 3 * np.eye(2))


def test_hessian() -> None:
    def f(x: Any) -> Any:
        return np.sum(x**3) + x[0] * x[1]

    x = np.array([1.0, 2.0, 3.0])
    want = np.diag(6 * x)
    want[0, 1] = want[1, 0] = 1.0
    np.testing.assert_allclose(rg.hessian(f)(x), want)
    assert rg.hessian(lambda x: x**4)(2.0) == pytest.approx(48.0)


def test_hessian_of_several_arguments() -> None:
    def f(x: Any, y: Any) -> Any:
        return np.sum(x * x) * y

    (xx, xy), (yx, yy) = rg.hessian(f, wrt=(0, 1))(np.array([1.0, 2.0]), 3.0)
    np.testing.assert_allclose(xx, 6 * np.eye(2))
    np.testing.assert_allclose(xy, [2.0, 4.0])
    np.testing.assert_allclose(yx, [2.0, 4.0])
    assert yy == 0.0


def test_hvp() -> None:
    def f(x: Any, k: Any) -> Any:
        return np.sum(x**3) * k

    x, v = np.array([1.0, 2.0]), np.array([10.0, 1.0])
    np.testing.assert_allclose(rg.hvp(f, (x, 2.0), v), 12 * x * v)
    by_x, by_k = rg.hvp(f, (x, 2.0), (v, 0.5), wrt=(0, 1))
    np.testing.assert_allclose(by_x, 12 * x * v + 0.5 * 3 * x**2)
    assert by_k == pytest.approx(np.sum(3 * x**2 * v))
    with pytest.raises(SignatureMismatch):
        rg.hvp(f, (x, 2.0), np.ones(3))


# -- nesting -----------------------------------------------------------------------------------------


def test_derivatives_of_derivatives() -> None:
    def f(x: Any) -> Any:
        return np.sin(x) * x**2

    x = 0.7
    s, c = np.sin(x), np.cos(x)
    first = c * x**2 + 2 * x * s
    second = -s * x**2 + 4 * x * c + 2 * s
    third = -c * x**2 - 6 * x * s + 6 * c
    assert rg.grad(f)(x) == pytest.approx(first)
    assert rg.grad(rg.grad(f))(x) == pytest.approx(second)
    assert rg.grad(rg.grad(rg.grad(f)))(x) == pytest.approx(third)


def test_reverse_over_forward_and_forward_over_forward() -> None:
    def f(x: Any) -> Any:
        return np.sum(np.exp(x) * x)

    x, v = np.array([0.5, -1.0]), np.array([2.0, 3.0])

    def slope(x: Any) -> Any:
        return np.sum(np.exp(x) * (1 + x) * v)

    want = np.exp(x) * (2 + x) * v
    np.testing.assert_allclose(rg.grad(slope)(x), want)
    np.testing.assert_allclose(rg.jvp(rg.grad(f), (x,), (v,))[1], want)
    np.testing.assert_allclose(rg.vjp(rg.grad(f), x)[1](v)[0], want)
    np.testing.assert_allclose(rg.jacobian(rg.grad(f), mode="reverse")(x) @ v, want)


def test_grad_of_value_and_grad_is_refused_or_right() -> None:
    with pytest.raises((SignatureMismatch, NotDifferentiable, TypeError)):
        rg.grad(rg.value_and_grad(lambda x: x * x))(2.0)


def test_mixed_partial_derivatives() -> None:
    def f(x: Any, y: Any) -> Any:
        return x**2 * y**3

    assert rg.grad(rg.grad(f, "x"), "y")(2.0, 3.0) == pytest.approx(2 * 2 * 3 * 9)
    assert rg.grad(rg.grad(f, 1), 0)(2.0, 3.0) == pytest.approx(2 * 2 * 3 * 9)
    assert rg.grad(rg.grad(rg.grad(f, 1), 1), 0)(2.0, 3.0) == pytest.approx(2 * 2 * 6 * 3)


def inner_slope(x: Any) -> Any:
    return x**3


def test_a_gradient_used_inside_a_function_is_differentiated() -> None:
    slope = rg.grad(inner_slope)

    def f(x: Any) -> Any:
        return slope(x) * x

    assert f(2.0) == 24.0
    got = rg.grad(f, strict=True)(2.0)
    assert got == pytest.approx(36.0)  # 3 x^3 -> 9 x^2


def test_second_order_with_a_branch_and_a_loop() -> None:
    def f(x: Any, n: int) -> Any:
        total = 0.0
        for k in range(n):
            if k % 2 == 0:
                total = total + x ** (k + 1)
            else:
                total = total * x
        return total

    def exact(x: float, order: int) -> Any:
        poly = np.polynomial.Polynomial([0.0])
        for k in range(5):
            power = np.polynomial.Polynomial([0.0] * (k + 1) + [1.0])
            poly = poly + power if k % 2 == 0 else poly * np.polynomial.Polynomial([0.0, 1.0])
        return poly.deriv(order)(x)

    g: Any = f
    for order in (1, 2, 3):
        g = rg.grad(g)
        assert g(1.1, 5) == pytest.approx(exact(1.1, order))


# -- check_grads ---------------------------------------------------------------------------------------


def test_check_grads_is_content_with_what_is_right() -> None:
    rg.check_grads(lambda x, y: np.tanh(x) @ y, (W, W + 1.0))
    rg.check_grads(lambda p: np.sum(p["a"] * p["b"][0]), ({"a": W, "b": [W, 1.0]},), order=1)
    rg.check_grads(lambda x: x * x, (W,), order=3)
    rg.check_grads(lambda x: np.sum(x**2), (W.astype(np.float32),), order=1)
    rg.check_grads(lambda x, k: np.sum(x**k), (abs(W), 3), order=2)


@pytest.mark.parametrize("modes", [("fwd",), ("rev",), ("fwd", "rev")])
def test_check_grads_names_the_worst_entry(modes: Any) -> None:
    with pytest.raises(GradientMismatch, match=r"finite differences"):
        rg.check_grads(lambda x: x * rg.stop_gradient(x), (W,), order=1, modes=modes)


def test_check_grads_sees_a_wrong_second_derivative() -> None:
    def f(x: Any) -> Any:
        return x**2 + rg.stop_gradient(x)

    with pytest.raises(GradientMismatch):
        rg.check_grads(f, (2.0,), order=2)


def test_stop_gradient() -> None:
    assert rg.grad(lambda x: x * rg.stop_gradient(x))(3.0) == 3.0
    assert rg.stop_gradient(2.5) == 2.5
    np.testing.assert_array_equal(rg.stop_gradient(W), W)


@pytest.mark.parametrize(
    ("x", "dot", "why"),
    [
        (2.0, 1j, "is complex"),
        (np.ones(2), np.array([1.0, 2j]), "is complex"),
        (2.0, "a", "is no number"),
        ([2.0, 1.0], [1.0, 1j], "is complex"),
    ],
)
def test_a_tangent_that_would_lose_something(x: Any, dot: Any, why: str) -> None:
    with pytest.raises(SignatureMismatch, match=why):
        rg.jvp(lambda x: x, (x,), (dot,))
