"""`jvp`, `vjp`, `hvp` and `linearize` on the back ends: the numbers of the text, and what a pullback reads."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import SignatureMismatch
from retrograd.transforms.asked import asked_of
from retrograd.transforms.hvp import product_of

BACKENDS = ["c", "numba"]
SCALE = np.array([1.0, 2.0, 3.0])


def layers(x, w):
    h = np.tanh(x @ w)
    for _ in range(3):
        h = np.tanh(h @ w) + h
    return h * x


def energy(x, w):
    return np.sum(layers(x, w) ** 2)


def scaled(x):
    return x * SCALE


def in_place(x):
    x[0] = x[1] * 2
    return x * x


def with_rest(x):
    return np.sum(x**3), {"twice": x * 2}


def talking(x):
    print("once")
    return np.sum(x**3)


def two(x, w):
    return np.sin(x), {"w": w * x[0, 0]}


RNG = np.random.default_rng(4)
X, W, C = RNG.normal(size=(4, 3)), 0.3 * RNG.normal(size=(3, 3)), RNG.normal(size=(4, 3))


@pytest.mark.parametrize("backend", BACKENDS)
def test_products_are_those_of_the_text(backend):
    every = [
        [rg.jvp(layers, (X, W), (C, None), backend=b) for b in (backend, None)],
        [rg.vjp(layers, X, W, backend=b)[1](C) for b in (backend, None)],
        [rg.linearize(layers, X, W, backend=b)[1](C, W) for b in (backend, None)],
        [rg.hvp(energy, (X, W), C, backend=b) for b in (backend, None)],
        [rg.hvp(energy, (X, W), (C, W), wrt=(0, 1), backend=b) for b in (backend, None)],
    ]
    for got, want in every:
        for a, b in zip(got, want, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-10)


def test_a_product_is_one_kernel():
    rg.hvp(energy, (X, W), C, backend="c")
    product = product_of(asked_of(energy, None, "c"), 0)
    assert [part.compiled for part in product.run.__native__.parts()] == [True]


def test_a_pullback_reads_the_arguments_as_they_were():
    x, w = X.copy(), W.copy()
    want = rg.vjp(layers, X, W)[1](C)
    _, pull = rg.vjp(layers, x, w, backend="c")
    x[:], w[:] = 5.0, 3.0
    for _ in range(2):
        for a, b in zip(pull(C), want, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-10)


def test_a_pullback_reads_the_module_as_it_was():
    _, pull = rg.vjp(scaled, np.ones(3), backend="c")
    before = SCALE.copy()
    SCALE[:] = 7.0
    try:
        np.testing.assert_array_equal(pull(np.ones(3))[0], before)
    finally:
        SCALE[:] = before


def test_a_function_that_writes_to_its_argument_runs_once():
    x = np.ones(3)
    value, pull = rg.vjp(in_place, x, backend="c")
    np.testing.assert_array_equal(x, [2.0, 1.0, 1.0])
    np.testing.assert_array_equal(value, [4.0, 1.0, 1.0])
    for _ in range(2):
        np.testing.assert_array_equal(pull(np.ones(3))[0], [0.0, 10.0, 2.0])


def test_what_has_an_effect_runs_once(capsys):
    value, pull = rg.vjp(talking, X, backend="c")
    assert capsys.readouterr().out == "once\n"
    np.testing.assert_allclose(pull(1.0)[0], 3.0 * X**2)
    assert capsys.readouterr().out == ""
    assert value == np.sum(X**3)


def test_results_in_containers_and_a_second_result():
    value, pull, rest = rg.vjp(with_rest, np.ones(2), has_aux=True, backend="c")
    assert value == 2.0 and list(rest) == ["twice"]
    np.testing.assert_array_equal(pull(1.0)[0], [3.0, 3.0])
    (sine, parts), pull = rg.vjp(two, X, W, backend="c")
    np.testing.assert_allclose(sine, np.sin(X))
    want = rg.vjp(two, X, W)[1]((C, parts))
    for a, b in zip(pull((C, parts)), want, strict=True):
        np.testing.assert_allclose(a, b)


def test_a_back_end_inside_a_derivative():
    def slope(x):
        return rg.grad(lambda y: rg.hvp(lambda u: np.sum(u**3), (y,), y, backend="c") @ y)(x)

    np.testing.assert_allclose(slope(np.ones(2)), [18.0, 18.0])
    np.testing.assert_allclose(rg.jacobian(slope)(np.ones(2)), 36.0 * np.eye(2))


def test_an_unknown_back_end_is_an_error():
    with pytest.raises(SignatureMismatch, match="backend is"):
        rg.hvp(energy, (X, W), C, backend="fortran")


# -- derivatives within functions: GradBench's saddle point, and a particle in a field ---------


def descent(f, x, p):
    eta, n = 1e-3, 0
    fx, g = f(x, p), rg.grad(f)(x, p)
    while n < 40 and np.sqrt(g @ g) > 1e-6:
        x_new = x - eta * g
        f_new = f(x_new, p)
        if f_new < fx:
            x, fx, eta = x_new, f_new, eta * 1.5
            g = rg.grad(f)(x, p)
        else:
            eta = eta / 2
        n = n + 1
    return x


def height(x, y):
    return (x[0] ** 2 + x[1] ** 2) - (y[0] ** 2 + y[1] ** 2)


def below(y, x):
    return -height(x, y)


def highest(x, start):
    return height(x, descent(below, start, x))


def saddle(start):
    return np.sum(descent(highest, start, start) * start)


def potential(x, charges):
    return sum(1.0 / np.sqrt(np.sum((x - c) ** 2)) for c in charges)


def particle(w):
    x, v = np.array([0.0, 8.0]), np.array([0.75, 0.0])
    charges = np.array([[10.0, 9.0], [10.0, 0.0]]) * w
    for _ in range(60):
        a = -rg.grad(potential)(x, charges)
        x = x + 0.1 * v
        v = v + 0.1 * a
        if x[1] <= 0.0:
            break
    return x[0] ** 2


@pytest.mark.parametrize(("fn", "args"), [(saddle, (np.array([1.0, 0.5]),)), (particle, (1.1,))])
def test_an_inner_derivative_is_in_the_kernel(fn, args):
    kernel = rg.grad(fn, backend="c")
    for _ in range(2):
        np.testing.assert_allclose(kernel(*args), rg.grad(fn)(*args), rtol=1e-8)
    assert kernel.__native__.notes == []
