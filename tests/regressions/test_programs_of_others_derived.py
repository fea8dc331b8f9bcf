"""Programs that others wrote, for derivatives of derivatives, changed functions, texts, and back ends."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import InternalError, RetrogradError, SignatureMismatch
from retrograd.transforms.specialise import compile as compiled

from .others import language
from .others.judge import WAYS, case, verdict

pytestmark = pytest.mark.usefixtures("unchecked")
BACK_ENDS = ["c"] + ["numba"] * (importlib.util.find_spec("numba") is not None)
PARTS = {"a": np.array([1.1]), "b": np.array([1.3])}


# -- derivatives of derivatives of containers (W4), functions with a derivative of their own (W5) ---


def loss(p):
    return np.sum(p["a"] ** 3 * p["b"])


def loss_on_the_tape(p):
    if p["a"][0] > 0:
        y = p["a"] ** 3 * p["b"]
    return np.sum(y)


dloss = rg.grad(loss)


def penalty(p):
    return np.sum(dloss(p)["a"] ** 2)


def test_the_derivative_of_a_dict_inside() -> None:
    for way in WAYS:
        assert verdict(case("W4", penalty, PARTS), way) == "right"
    found = rg.grad(penalty)(PARTS)
    np.testing.assert_allclose([found["a"][0], found["b"][0]], [80.97804, 34.25994], rtol=1e-6)


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize(
    "f", [loss, rg.differentiate(loss), rg.differentiate(loss_on_the_tape, fallback="tape")]
)
def test_second_order_of_a_dict(f: Any) -> None:
    a, b = 1.1, 1.3
    hessian = np.array([[6 * a * b, 3 * a * a], [3 * a * a, 0.0]])
    product = hessian @ [a, b]
    for found in (
        rg.hvp(f, (PARTS,), PARTS),
        rg.vjp(rg.grad(f), PARTS)[1](PARTS)[0],
        rg.jvp(rg.grad(f), (PARTS,), (PARTS,))[1],
    ):
        np.testing.assert_allclose([found["a"][0], found["b"][0]], product)
    found = rg.hessian(f)(PARTS)
    np.testing.assert_allclose([[found[i][j][0, 0] for j in "ab"] for i in "ab"], hessian)


@rg.custom_gradient
def reversed_gradient(x):
    return x


@reversed_gradient.vjp
def reversed_gradient_vjp(c, z, x):
    return -c


def adversarial(x):
    return np.sum(reversed_gradient(x) ** 2)


def test_a_custom_gradient_of_what_returns_its_argument() -> None:
    x = np.array([1.0, 2.0])
    np.testing.assert_array_equal(rg.grad(adversarial)(x), [-2.0, -4.0])
    np.testing.assert_array_equal(WAYS["tape"](adversarial, (x,), 0)[1][0], [-2.0, -4.0])
    assert rg.jvp(adversarial, (x,), (np.ones(2),))[1] == -6.0


# -- what changes (W8, W9) --------------------------------------------------------------------------


class Base:
    def at(self, x):
        return x * x


class Derived(Base):
    pass


def through_a_method(x):
    return Derived().at(x)


def callee(x, k=2.0):
    return k * x


def caller(x, p=2.0):
    return callee(x) ** 2 * p


def cube(x, p=2.0):
    return x**3


@pytest.mark.parametrize("ask", [rg.grad, lambda f: rg.differentiate(f).grad])
def test_a_method_is_replaced(ask: Any, monkeypatch: Any) -> None:
    slope = ask(through_a_method)
    assert slope(2.0) == 4.0
    monkeypatch.setattr(Base, "at", lambda self, x: x**3)
    assert slope(2.0) == ask(through_a_method)(2.0) == 12.0


def test_defaults_and_code_are_replaced(monkeypatch: Any) -> None:
    slope = rg.grad(caller)
    assert slope(3.0) == 48.0
    monkeypatch.setattr(callee, "__defaults__", (5.0,))
    assert slope(3.0) == 300.0
    monkeypatch.setattr(caller, "__defaults__", (1.0,))
    assert slope(3.0) == 150.0
    monkeypatch.setattr(caller, "__code__", cube.__code__)
    assert slope(3.0) == 27.0


# -- texts (W11) ------------------------------------------------------------------------------------


def mse(w, x, y):
    return np.mean((x @ w - y) ** 2)


def decay(rate, t):
    return np.sum(np.exp(-rate * t))


def test_a_text_has_its_guard() -> None:
    w, x, y = np.ones(2), np.arange(10.0).reshape(5, 2), np.ones(5)
    scope: dict[str, Any] = {}
    exec(rg.differentiate(mse).source("grad", w, x, y), scope)
    exec(rg.differentiate(decay).source("grad"), scope)
    np.testing.assert_allclose(scope["mse_grad"](w, x, y), rg.grad(mse)(w, x, y))
    with pytest.raises(SignatureMismatch):
        scope["mse_grad"](w, x, y[:1])
    with pytest.raises(SignatureMismatch):
        scope["decay_grad"](2j, np.arange(3.0))


# -- back ends (C2, C5, C6, C9, H2) -----------------------------------------------------------------


def squares(x):
    return np.sum(x * x)


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize("backend", BACK_ENDS)
def test_kernels(backend: str) -> None:
    slope = rg.grad(squares, backend=backend)
    slope(np.ones(3))
    misaligned = np.frombuffer(bytes(25), offset=1, dtype="f8")
    np.testing.assert_array_equal(slope(misaligned), np.zeros(3))
    keyword = rg.grad(language.keyword_only, backend=backend)
    assert (keyword(1.0), keyword(1.0, k=3.0)) == (4.0, 6.0)
    assert (
        rg.differentiate(backend=backend, fallback="tape")(language.unbound_otherwise).grad(1.5)
        == 3.0
    )


def test_kernels_again() -> None:
    x, m = np.random.default_rng(3).normal(size=(4, 3)), np.ones(4)
    known = rg.grad(language.gravity)(x, m)
    for _ in range(2):
        slope = rg.grad(language.gravity, backend="c")
        np.testing.assert_allclose(slope(x, m), known, rtol=1e-12)
        np.testing.assert_allclose(slope(x, m), known, rtol=1e-12)


def test_a_kernel_of_a_stencil_is_made_soon() -> None:
    """It is of a bounded size: 26.7 s once."""
    u = np.random.default_rng(3).normal(size=(5, 5, 5))
    slope = rg.grad(language.jacobi, backend="c")
    slope(u, 2)
    np.testing.assert_allclose(slope(u, 2), rg.grad(language.jacobi)(u, 2), rtol=1e-12)


# -- compiled once ----------------------------------------------------------------------------------


def by_reduce(x):
    return np.add.reduce(x * x) + np.minimum.reduce(x)


def by_outer(x):
    return np.sum(np.multiply.outer(x, x))


def by_at(x):
    y = np.zeros(3)
    np.add.at(y, [0, 0, 2], x)
    return np.sum(y * y) + np.sum(np.add.accumulate(x))


@pytest.mark.parametrize("fn", [by_reduce, by_outer, by_at])
def test_compiled_once(fn: Any, monkeypatch: Any) -> None:
    x = np.array([1.0, 2.0, 3.0])
    slope = rg.grad(fn)
    first = slope(x)

    def build(*args: Any, **kwargs: Any) -> Any:
        raise AssertionError("compiled again")

    monkeypatch.setattr(compiled, "build", build)
    monkeypatch.setattr(compiled, "render", build)
    np.testing.assert_array_equal(slope(x + 1.0 - 1.0), first)


# -- functions of packages (C18), as they are written there -----------------------------------------


def residual_and_guess(b):
    def residual(p):
        return p * b

    return residual, [b * 2.0, b**2]


@pytest.mark.parametrize("run", [lambda f: rg.vjp(f, 2.0), lambda f: rg.jacobian(f)(2.0)])
def test_a_function_that_returns_a_function(run: Any) -> None:
    with pytest.raises(RetrogradError, match="returning a function") as caught:
        run(residual_and_guess)
    assert not isinstance(caught.value, InternalError)


@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
def test_functions_of_packages() -> None:
    valves = pytest.importorskip("fluids.control_valve")
    given = (965.4, 70.1e3, 22120e3, 3.1472e-4, 680e3, 220e3, 0.1, 0.15, 0.15, 0.15, 0.9, 0.46)
    right_or_refused(valves.size_control_valve_l, *given[:7])
    exchangers = pytest.importorskip("ht.hx")
    right_or_refused(exchangers.NTU_from_P_H, 0.573, 1 / 3, 1)


def right_or_refused(f: Any, x: float, *rest: Any) -> None:
    try:
        found = rg.grad(f)(x, *rest)
    except RetrogradError as error:
        assert not isinstance(error, InternalError)  # noqa: PT017
        return
    h = 1e-6 * x
    slope = (f(x + h, *rest) - f(x - h, *rest)) / (2 * h)
    assert found == pytest.approx(slope, rel=1e-5)
