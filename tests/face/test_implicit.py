"""Implicit values: derivatives of the equation, against differences, the unrolled iteration and formulas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg

X, Y = np.array([0.3, 0.7]), np.array([0.5, -0.2])
W = np.array([[0.5, 0.2], [-0.3, 0.8]])


def layer(z, w, x):
    return np.tanh(w @ z * 0.4 + x)


def deep(w, x):
    z = rg.fixed_point(layer, np.zeros(2), w, x)
    return np.sum(z**2)


def deep_unrolled(w, x):
    z = rg.fixed_point(layer, np.zeros(2), w, x, adjoint=rg.Unrolled())
    return np.sum(z**2)


def by_closure(w, x):
    scale = np.sum(x) * 0.4
    z = rg.fixed_point(lambda z: np.tanh(w @ z * scale + x), np.zeros(2))
    return np.sum(np.sin(z))


def by_closure_unrolled(w, x):
    scale = np.sum(x) * 0.4
    z = rg.fixed_point(lambda z: np.tanh(w @ z * scale + x), np.zeros(2), adjoint=rg.Unrolled())
    return np.sum(np.sin(z))


def from_a_start(x, start):
    return np.sum(rg.fixed_point(lambda z: np.cos(z) * 0.5 + x, start))


def several(x, p):
    def step(z, q):
        a, b = z
        return np.tanh(b * q["w"]) * 0.5 + x, np.sum(a) * 0.2 + q["c"]

    a, b = rg.fixed_point(step, (np.zeros(2), 0.5), p)
    return np.sum(a) * b


def cube_root(x):
    return rg.root(lambda z: z**3 + z - x, 1.0)


def system(z, p, q):
    return np.stack([z[0] ** 2 + p * z[1] - 3.0, z[0] * z[1] - q])


def root_of_system(p, q):
    z = rg.root(system, np.array([1.5, 1.0]), p, q)
    return z[0] * np.sin(z[1])


def spread(z, a, b):
    return np.sum((z - a) ** 4) + np.sum(z * z * b) + z[0] * z[1] * 0.1


def lowest(a, b):
    return np.sum(np.exp(rg.argmin(spread, np.zeros(2), a, b)))


def ridge(x, y, penalty):
    def loss(p):
        return np.sum((x @ p["w"] + p["b"] - y) ** 2) + penalty * np.sum(p["w"] ** 2)

    p = rg.argmin(loss, {"w": np.zeros(2), "b": 0.0})
    return np.sum(p["w"] ** 3) + p["b"]


def solved(a, b):
    v = rg.linear_solve(lambda v: a @ v + 2.0 * v, b)
    return np.sum(v**3)


def solved_matrix(a, b):
    return np.sum(rg.linear_solve(a, b) ** 3)


def shift(v, a, k):
    return k * v + np.sum(a * v) * a


def solved_with_parameters(a, b, k):
    return np.sum(rg.linear_solve(shift, b, a, k) * b)


def bent(z, x, k):
    return z + 0.1 * z**3 - x * k


def through_a_helper(w, x):
    total = 0.0
    for k in range(2):
        if k == 1:
            total = total + deep(w, x * (k + 1.0))
        else:
            total = total + np.sum(rg.root(bent, X, x, total + w[0]))
    return total


def nested(x):
    def outer(z):
        inner = rg.root(lambda t: t + 0.3 * np.sin(t) - z * x, 0.5)
        return 0.5 * inner + x

    return rg.fixed_point(outer, 0.1) ** 2


XS, YS = np.array([[1.0, 0.2], [0.3, 0.9], [-0.5, 0.4]]), np.array([0.7, -0.3, 0.2])
CASES: list[tuple[Any, tuple[Any, ...]]] = [
    (deep, (W, X)),
    (deep_unrolled, (W, X)),
    (by_closure, (W, X)),
    (several, (X, {"w": 0.7, "c": 0.3})),
    (cube_root, (2.5,)),
    (root_of_system, (0.7, 1.2)),
    (lowest, (X, 0.6)),
    (ridge, (XS, YS, 0.4)),
    (solved, (W, X)),
    (solved_matrix, (W, X)),
    (solved_with_parameters, (X, Y, 1.5)),
    (through_a_helper, (W, X)),
    (nested, (0.6,)),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("f", "args"), CASES, ids=[f.__name__ for f, _ in CASES])
def test_both_modes_and_second_order(f: Any, args: Any) -> None:
    rg.check_grads(f, args, order=2, rtol=2e-4 if f in (ridge, lowest) else 1e-5)


def constants(w, x):
    return np.sum(rg.root(lambda z, k: z + 0.1 * z**3 - x * k - w[0], X, Y))


def test_constants_of_the_module() -> None:
    rg.check_grads(constants, (W, X))


@pytest.mark.parametrize(
    ("one", "other"), [(deep, deep_unrolled), (by_closure, by_closure_unrolled)]
)
def test_implicit_is_the_limit_of_unrolled(one: Any, other: Any) -> None:
    for a, b in zip(rg.grad(one, (0, 1))(W, X), rg.grad(other, (0, 1))(W, X), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9)
    np.testing.assert_allclose(
        rg.hessian(one, 1)(W, X), rg.hessian(other, 1)(W, X), rtol=1e-6, atol=1e-9
    )


def test_formulas() -> None:
    z = cube_root(2.5)
    slope = 1 / (3 * z * z + 1)
    assert z**3 + z == pytest.approx(2.5)
    assert rg.grad(cube_root)(2.5) == pytest.approx(slope, rel=1e-12)
    assert rg.grad(rg.grad(cube_root))(2.5) == pytest.approx(-6 * z * slope**3, rel=1e-10)


def test_the_start_does_not_matter() -> None:
    x_bar, start_bar = rg.grad(from_a_start, (0, 1))(X, np.array([0.1, 3.0]))
    z = rg.fixed_point(lambda z: np.cos(z) * 0.5 + X, X)
    np.testing.assert_allclose(x_bar, 1 / (1 + 0.5 * np.sin(z)))
    np.testing.assert_array_equal(start_bar, [0.0, 0.0])


def test_the_plain_functions() -> None:
    z = rg.fixed_point(layer, np.zeros(2), W, X)
    np.testing.assert_allclose(z, layer(z, W, X), rtol=1e-11)
    np.testing.assert_array_equal(rg.value_and_grad(deep)(W, X)[0], deep(W, X))
    a, b = rg.fixed_point(lambda z: (z[1] * 0.5, z[0] * 0.5 + 1.0), (0.0, 0.0))
    assert (a, b) == pytest.approx((2 / 3, 4 / 3))
    np.testing.assert_allclose(
        system(rg.root(system, np.ones(2), 0.7, 1.2), 0.7, 1.2), 0, atol=1e-12
    )
    found = rg.argmin(spread, np.zeros(2), X, 0.6)
    np.testing.assert_allclose(rg.grad(spread)(found, X, 0.6), 0.0, atol=1e-9)
    np.testing.assert_allclose(rg.linear_solve(W, X), np.linalg.solve(W, X))
    assert rg.root(lambda z: z**2 - 2.0, 1) == pytest.approx(np.sqrt(2.0))


N = 300  # more than is solved by a matrix


def many(x):
    z = rg.fixed_point(lambda z: 0.3 * np.sin(np.concatenate([z[1:], z[:1]])) + x, np.zeros(N))
    return np.sum(z**2)


def many_unrolled(x):
    z = rg.fixed_point(
        lambda z: 0.3 * np.sin(np.concatenate([z[1:], z[:1]])) + x,
        np.zeros(N),
        adjoint=rg.Unrolled(),
    )
    return np.sum(z**2)


KEPT = rg.Unrolled(checkpoints=3)


def deep_kept(w, x):
    z = rg.fixed_point(layer, np.zeros(2), w, x, adjoint=rg.Unrolled(checkpoints=4))
    return np.sum(z * z)


def by_closure_kept(w, x):
    scale = np.sum(w) * 0.1
    return np.sum(rg.fixed_point(lambda z: np.tanh(w @ z * scale + x), np.zeros(2), adjoint=KEPT))


def test_few_states_of_the_iteration_are_kept() -> None:
    for f in (deep_kept, by_closure_kept):
        text = rg.differentiate(strict=True, wrt=("w", "x"))(f).source("grad", W, X)
        assert "rt.snapshots(None, " in text
        assert "tape" not in text
        rg.check_grads(f, (W, X), order=2)


def all_kept(w, x):
    z = rg.fixed_point(layer, np.zeros(2), w, x, adjoint=rg.Unrolled())
    return np.sum(z * z)


def test_the_gradient_is_the_same_to_the_last_bit() -> None:
    few, all_of_them = (rg.grad(f, (0, 1))(W, X) for f in (deep_kept, all_kept))
    for a, b in zip(few, all_of_them, strict=True):
        np.testing.assert_array_equal(a, b)


def no_states(w, x):
    return np.sum(rg.fixed_point(layer, np.zeros(2), w, x, adjoint=rg.Unrolled(checkpoints=0)))


def test_the_number_of_states_is_positive() -> None:
    with pytest.raises(rg.RetrogradError, match="`checkpoints` is not a positive number"):
        rg.grad(no_states)(W, X)


def test_many_unknowns() -> None:
    x = np.linspace(-1.0, 1.0, N)
    np.testing.assert_allclose(rg.grad(many)(x), rg.grad(many_unrolled)(x), rtol=1e-8, atol=1e-10)
    z = rg.root(lambda z: z + 0.1 * np.roll(z, 1) ** 3 - x, np.zeros(N))
    np.testing.assert_allclose(z + 0.1 * np.roll(z, 1) ** 3, x, atol=1e-10)


def test_precision_is_kept() -> None:
    gradient = rg.grad(deep)(W.astype(np.float32), X.astype(np.float32))
    assert gradient.dtype == np.float32
    np.testing.assert_allclose(gradient, rg.grad(deep)(W, X), rtol=1e-4)


def test_the_text_solves_one_system() -> None:
    text = rg.differentiate(deep).source("grad", W, X)
    assert "z = rt.fixed_point(layer, zeros, (w, x))" in text
    assert text.count("rt.linear_solve") == 1
    assert "def layer(z, w, x):\n    return np.tanh(w @ z * 0.4 + x)" in text


# -- refusals ---------------------------------------------------------------------------


def diverging(x):
    return rg.fixed_point(lambda z: z * z * 2.0 + x, 1.0)


def slow(x):
    return rg.fixed_point(lambda z: z * 0.999 + x, 0.0, max_steps=50)


def no_root(x):
    return rg.root(lambda z: z * z + x, 1.0)


def singular(x):
    return np.sum(rg.linear_solve(lambda v: np.sum(v) * x, x))


def unbounded(x):
    return rg.argmin(lambda z: -z * z * x, 1.0)


@pytest.mark.parametrize(
    ("f", "message"),
    [
        (diverging, "it diverges"),
        (slow, "still changing by"),
        (no_root, "root: "),
        (unbounded, "argmin: "),
    ],
)
def test_what_is_not_found_is_an_error(f: Any, message: str) -> None:
    with np.errstate(all="ignore"):
        for call in (f, rg.grad(f)):
            with pytest.raises(rg.errors.ConvergenceError, match=message):
                call(1.0)


def test_a_singular_system() -> None:
    for call in (singular, rg.grad(singular)):
        with pytest.raises(rg.errors.ConvergenceError, match="singular"):
            call(X)


def not_linear(x):
    return np.sum(rg.linear_solve(lambda v: v * v + x, x))


def other_structure(x):
    return rg.fixed_point(lambda z: (z, x), 0.0)


def unrolled_root(x):
    return rg.root(lambda z: z * z - x, 1.0, adjoint=rg.Unrolled())


def no_start(x):
    return rg.root(lambda z: x, (1.0, "a"))


def no_number(x):
    return np.sum(rg.argmin(lambda z: z * x, X))


@pytest.mark.parametrize(
    ("f", "message"),
    [
        (not_linear, r"not linear in its first argument(.|\n)*rg.root"),
        (other_structure, "another structure"),
        (unrolled_root, r"`adjoint=` of root(.|\n)*rg.Implicit\(\)"),
        (no_number, "must return a scalar"),
        (no_start, "the start of an implicit value is a number"),
    ],
)
def test_what_cannot_be_is_refused(f: Any, message: str) -> None:
    with pytest.raises(rg.RetrogradError, match=message):
        rg.grad(f)(X if f in (not_linear, no_number) else 1.0)


# -- writes to arrays -------------------------------------------------------------------


def written_before_and_after(x):
    y = np.zeros(2)
    y[0] = x[1] * 2.0
    y[1] = x[0]
    z = rg.root(lambda z: z + 0.1 * z**3 - y, np.zeros(2))
    y[0] = 5.0
    return np.sum(z * y)


def written_inside(x):
    def g(z):
        out = np.zeros(2)
        out[0] = 0.3 * z[1] + x[0]
        out[1] = 0.2 * np.sin(z[0]) * x[1]
        return out

    return np.sum(rg.fixed_point(g, np.zeros(2)) ** 2)


def collected(x):
    out = np.zeros(3)
    for k in range(3):
        out[k] = rg.root(lambda z, a: z + z**3 - a, 0.5, x[0] * k) * x[1]
    return np.sum(out * out)


def hooked_and_written(x):
    y = rg.on_gradient(x * 2.0, lambda c: c * 1.0)
    y[0] = 1.0
    return np.sum(y * y * x)


@pytest.mark.parametrize(
    "f", [written_before_and_after, written_inside, collected, hooked_and_written]
)
def test_arrays_that_are_written_to(f: Any) -> None:
    modes = ("rev",) if f is hooked_and_written else ("fwd", "rev")
    rg.check_grads(f, (X,), order=1 if f is hooked_and_written else 2, modes=modes)


def written_outside(x):
    buffer = np.zeros(2)

    def g(z):
        buffer[0] = z[0]
        return 0.5 * np.cos(z) + x

    return np.sum(rg.fixed_point(g, np.zeros(2)) + buffer)


def shown_twice(x):
    v = x * 2.0
    y = rg.on_gradient(v, lambda c: c * 3.0)
    v[0] = 1.0
    return np.sum(y * y)


@rg.custom_gradient
def clears(x):
    x[0] = 0.0
    return x * 2.0


@clears.vjp
def clears_vjp(c, z, x):
    return 2.0 * c


def use_clears(x):
    y = x * 1.0
    return np.sum(clears(y) * y)


@pytest.mark.parametrize(
    ("f", "message"),
    [
        (written_outside, "handed on writes to an array that was not made in it"),
        (shown_twice, "cannot tell whether"),
        (use_clears, "`clears` has a derivative of its own(.|\n)*writes to its arguments"),
    ],
)
def test_writes_that_are_refused(f: Any, message: str) -> None:
    with pytest.raises(rg.errors.MutationError, match=message):
        rg.grad(f)(X)
