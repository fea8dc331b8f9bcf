"""Functions of arrays inside JAX's programs, against the same written with `jax.numpy`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import retrograd as rg

jax = pytest.importorskip("jax")
jnp = pytest.importorskip("jax.numpy")


@pytest.fixture(autouse=True)
def in_double() -> Iterator[None]:
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


def product(np: Any) -> Any:
    return lambda a, b: np.tanh(a @ b)


def tree(np: Any) -> Any:
    return lambda a, b: {"y": np.sin(a) @ b, "s": [np.sum(a) * b]}


def turned(np: Any) -> Any:
    return lambda a, b: np.exp((1 + 2j) * a) @ np.conj(b * 1j)


FUNCTIONS = {"product": product, "tree": tree, "turned": turned}
RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(3, 3)), RNG.normal(size=3)


def pair(name: str) -> tuple[Any, Any]:
    """A loss of the wrapped function, and the same all in JAX."""
    make = FUNCTIONS[name]

    def loss(f: Any) -> Any:
        def of(a: Any, b: Any) -> Any:
            return sum(jnp.sum(jnp.real(x * (1 - 2j)) ** 2) for x in jax.tree.leaves(f(a, b)))

        return of

    return loss(rg.jax.wrap(make(np))), loss(make(jnp))


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("wrt", [0, 1])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_of_both_orders(name: str, wrt: int, jit: bool) -> None:
    ours, theirs = pair(name)
    through = jax.jit if jit else lambda f: f
    np.testing.assert_allclose(through(ours)(A, B), theirs(A, B), rtol=1e-12)
    np.testing.assert_allclose(
        through(jax.grad(ours, wrt))(A, B), jax.grad(theirs, wrt)(A, B), rtol=1e-10
    )
    second = through(jax.jacrev(jax.grad(ours, wrt), wrt))(A, B)
    np.testing.assert_allclose(second, jax.hessian(theirs, wrt)(A, B), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("jit", [False, True])
def test_of_complex_arguments(jit: bool) -> None:
    z = A[0] + 1j * B

    def of(np: Any) -> Any:
        return lambda z: np.exp(z) * np.conj(z)

    def loss(f: Any) -> Any:
        return lambda z: jnp.real(jnp.sum(f(z) * (1 + 2j)))

    through = jax.jit if jit else lambda f: f
    ours = through(jax.grad(loss(rg.jax.wrap(of(np)))))(z)
    np.testing.assert_allclose(ours, jax.grad(loss(of(jnp)))(z), rtol=1e-12)


def test_many_at_once() -> None:
    ours, theirs = pair("product")
    rows = jnp.stack([B, 2 * B])
    one = jax.vmap(jax.grad(ours, 1), (None, 0))(A, rows)
    np.testing.assert_allclose(one, jax.vmap(jax.grad(theirs, 1), (None, 0))(A, rows), rtol=1e-12)
    np.testing.assert_allclose(
        jax.jit(jax.vmap(ours, (None, 0)))(A, rows), jax.vmap(theirs, (None, 0))(A, rows)
    )


def test_numbers_and_what_has_no_derivative() -> None:
    def energy(p: Any, n: Any) -> Any:
        assert type(n) is not str
        return 0.5 * p["k"] * np.sum(p["x"] ** n)

    f = rg.jax.wrap(energy)
    p = {"x": jnp.array([1.0, 2.0]), "k": 3.0}
    plain, compiled = jax.grad(f)(p, 2), jax.jit(jax.grad(f), static_argnums=1)(p, 2)
    for found in (plain, compiled):
        np.testing.assert_allclose(found["x"], [3.0, 6.0])
        np.testing.assert_allclose(found["k"], 2.5)


def factor(a: Any) -> Any:
    return np.linalg.cholesky(a)


def test_shapes_that_must_be_said() -> None:
    a = np.eye(2) * 4.0
    np.testing.assert_allclose(rg.jax.wrap(factor)(a), np.eye(2) * 2.0)
    with pytest.raises(rg.errors.SignatureMismatch, match="cannot be called on ones"):
        jax.jit(rg.jax.wrap(factor))(a)
    for result in (
        jax.ShapeDtypeStruct((2, 2), np.float64),
        lambda a: jax.ShapeDtypeStruct(a.shape, a.dtype),
    ):
        f = rg.jax.wrap(factor, result=result)
        np.testing.assert_allclose(jax.jit(f)(a), np.eye(2) * 2.0)
        slope = jax.jit(jax.grad(lambda a, f=f: jnp.sum(f(a))))(a)
        np.testing.assert_allclose(slope, rg.grad(lambda a: np.sum(factor(a)))(a))


def test_single_precision_stays() -> None:
    f = rg.jax.wrap(product(np))
    assert jax.jit(f)(A.astype(np.float32), B.astype(np.float32)).dtype == np.float32
    assert f(A.astype(np.float32), B.astype(np.float32)).dtype == np.float32


@pytest.mark.parametrize("jit", [jax.jit, lambda f: f])
@pytest.mark.parametrize("way", ["at once", "in a loop"])
def test_a_batch_is_one_call(way: str, jit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the function with one more axis; what `rg.vmap` refuses runs for one example after the other."""
    calls = []

    def energy(w: Any, x: Any, k: Any) -> Any:
        calls.append(np.shape(x))
        return k * np.sum(np.tanh(x @ w) ** 2)

    def theirs(w: Any, x: Any, k: Any) -> Any:
        return k * jnp.sum(jnp.tanh(x @ w) ** 2)

    if way == "in a loop":
        from retrograd.adapters.jax import Host

        monkeypatch.setattr(
            Host, "run_many", lambda host, axes, args: host.one_by_one(sizes_in(axes, args), args)
        )
    examples = 60 if way == "at once" else 4
    w, k = jnp.array([1.0, -0.5, 0.25]), jnp.linspace(0.5, 1.0, examples)
    x = jnp.linspace(-1.0, 1.0, examples * 6).reshape(examples, 2, 3)
    each = [
        (lambda f: jax.vmap(f, (None, 0, 0)), (w, x, k)),
        (lambda f: jax.vmap(jax.grad(f, (0, 1)), (None, 0, None)), (w, x, 2.0)),
        (lambda f: jax.vmap(jax.vmap(f, (None, 0, None)), (0, None, None)), (jnp.stack([w, w]), x, 2.0)),
        (lambda f: jax.grad(lambda w, *rest: jnp.sum(jax.vmap(f, (None, 0, 0))(w, *rest))), (w, x, k)),
        (lambda f: jax.vmap(f, (None, 0, 0)), (w, x[:1], k[:1])),
    ]  # fmt: skip
    for made, args in each:
        found, wanted = jit(made(rg.jax.wrap(energy)))(*args), made(theirs)(*args)
        for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-7)
    assert (len(calls) < examples) == (way == "at once")


def sizes_in(axes: int, args: Any) -> list[int]:
    return [max(np.shape(x)[k] for x in jax.tree.leaves(args)) for k in range(axes)]
