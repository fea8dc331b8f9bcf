"""Every transformation on CuPy's arrays gives what it gives on the host's, and waits for nothing but its check."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import GradientMismatch, NotDifferentiable, SignatureMismatch
from retrograd.runtime.objects.pytree import leaves, map_leaves
from retrograd.runtime.rules.book import book
from retrograd.runtime.user import rule_versions

from ..strict_cupy import counted, no_transfers
from .golden_on_device import down, up

pytestmark = pytest.mark.cupy

X = np.linspace(0.2, 1.3, 4)
A = np.linspace(-1.0, 1.0, 12).reshape(3, 4)


def energy(x):
    return np.sum(np.sin(x) * x**2)


def layered(p):
    return np.mean(np.tanh(p["w"] @ p["x"] + p["b"]) ** 2)


def scaled(x):
    return np.exp(-x) * np.cumsum(x)


def products(x, a):
    return {"outer": np.outer(x, np.tanh(x)) * a, "norm": np.sqrt(np.sum(x * x))}


def written(x, y):
    y[1:] = x[:-1] * y[1:]
    out = np.zeros(4)
    for k in range(4):
        out[k] = x[k] * y[k]
    return out


SCALAR = {
    "energy": (energy, [X]),
    "single": (energy, [X.astype(np.float32)]),
    "layered": (layered, [{"w": A, "x": X, "b": np.ones(3)}]),
}
MANY = {"scaled": (scaled, [X]), "products": (products, [X, 0.5]), "written": (written, [X, X + 1])}


class Given:
    """Tangents and cotangents, put on the device once."""

    def __init__(self, cupy: Any = None) -> None:
        self.cupy, self.made = cupy, {}

    def __call__(self, name: str, tree: Any) -> Any:
        if name not in self.made:
            made = map_leaves(numbers_like, tree)
            self.made[name] = made if self.cupy is None else up(self.cupy, made)
        return map_leaves(lambda x: x.copy() if np.ndim(x) else x, self.made[name])


def numbers_like(x: Any) -> Any:
    if isinstance(x, float):
        return 0.25
    made = np.linspace(0.25, 2.0, x.size).reshape(x.shape)
    return made.astype(x.dtype)


def pulled(f: Any, args: Any, given: Given) -> Any:
    value, pullback = rg.vjp(f, *args)
    return value, pullback(given("bar", value))


def linear(f: Any, args: Any, given: Given) -> Any:
    dots = given("dots", args)
    value, tangent = rg.linearize(f, *args)
    return value, tangent(*dots)


Apply = Callable[[Any, list[Any], Given], Any]
OF_SCALARS: dict[str, Apply] = {
    "grad": lambda f, args, given: rg.grad(f)(*args),
    "value_and_grad": lambda f, args, given: rg.value_and_grad(f)(*args),
    "hessian": lambda f, args, given: rg.hessian(f)(*args),
    "hvp": lambda f, args, given: rg.hvp(f, args, given("v", args[0])),
    "jacobian_of_grad": lambda f, args, given: rg.jacobian(rg.grad(f))(*args),
}
OF_ALL: dict[str, Apply] = {
    "jvp": lambda f, args, given: rg.jvp(f, args, given("dots", args)),
    "vjp": pulled,
    "linearize": linear,
    "jacobian": lambda f, args, given: rg.jacobian(f)(*args),
    "rows": lambda f, args, given: rg.jacobian(f, mode="reverse")(*args),
    "columns": lambda f, args, given: rg.jacobian(f, mode="forward")(*args),
}


def cases() -> Iterator[Any]:
    for name, (f, args) in (SCALAR | MANY).items():
        for word, apply in (OF_ALL if name in MANY else OF_SCALARS | OF_ALL).items():
            yield pytest.param(f, args, apply, id=f"{word}-{name}")


def same(found: Any, wanted: Any) -> None:
    for a, b in zip(leaves(found), leaves(wanted), strict=True):
        single = np.asarray(b).dtype == np.float32
        np.testing.assert_allclose(a, b, *((1e-4, 1e-5) if single else (1e-12, 1e-12)))


@pytest.mark.parametrize(("f", "args", "apply"), list(cases()))
def test_every_transformation(cupy: Any, f: Any, args: Any, apply: Apply) -> None:
    wanted = apply(f, deepcopy(args), Given())
    given, there = Given(cupy), up(cupy, args)
    with counted() as counts:
        checked = apply(rg.differentiate(f, check="always"), up(cupy, args), given)
    assert counts.transfers["get"] or not counts.seen
    with no_transfers():
        found = apply(rg.differentiate(f, check=None), there, given)
    assert any(isinstance(x, cupy.ndarray) for x in leaves(found))
    same(down(cupy, found), wanted)
    same(down(cupy, checked), wanted)


# -- what is checked -------------------------------------------------------------------------------


def cubed(x):
    return x * x * x


def cubed_rule(z, x, *, dx):
    return 2.0 * x * dx  # wrong


@pytest.fixture
def wrong_rule() -> Iterator[None]:
    added = len(rule_versions.added)
    rg.rule(cubed)(cubed_rule)
    yield
    del book.rules[cubed], rule_versions.added[added:]
    book.adjoints.pop(cubed, None)


def uses_a_wrong_rule(x):
    return np.sum(cubed(x))


def test_the_check_finds_a_wrong_rule(cupy: Any, wrong_rule: None) -> None:
    f = rg.differentiate(uses_a_wrong_rule, check="always")
    x = cupy.asarray(X)
    with pytest.raises(GradientMismatch, match="gradient with respect to `x`"):
        rg.grad(f)(x)
    with pytest.raises(GradientMismatch, match="tangent"):
        rg.jvp(f, (x,), (cupy.ones(4),))
    with pytest.raises(GradientMismatch):
        rg.vjp(f, x)
    with pytest.raises(GradientMismatch):
        rg.jacobian(f)(x)
    with pytest.raises(GradientMismatch):
        rg.check_grads(uses_a_wrong_rule, (x,))
    np.testing.assert_array_equal(x.get(), X)


def overwrites(x):
    first = x[0]
    x[0] = 2.0 * x[1]
    return np.sum(x) * first


def test_what_was_written_is_put_back_where_the_check_fails(cupy: Any, wrong_rule: None) -> None:
    def wrong(x):
        x *= 2.0
        return np.sum(cubed(x))

    x = cupy.asarray(X)
    with pytest.raises(GradientMismatch):
        rg.grad(rg.differentiate(wrong, check="always"))(x)
    np.testing.assert_array_equal(x.get(), X)


def test_an_item_is_a_view_on_the_device(cupy: Any) -> None:
    """The value is another one there, and so is the gradient."""
    x = cupy.asarray(X)
    value, x_bar = rg.value_and_grad(rg.differentiate(overwrites, check="always"))(x)
    there = cupy.asarray(X)
    np.testing.assert_allclose(value.get(), overwrites(there).get())
    rest = X[1] * 2 + X[1] + X[2] + X[3]
    wanted = [0.0, 2 * rest + 3 * 2 * X[1], 2 * X[1], 2 * X[1]]
    np.testing.assert_allclose(x_bar.get(), wanted, 1e-12)


@pytest.mark.parametrize("f", [energy, scaled, lambda x: np.linalg.det(np.outer(x, x) + np.eye(4))])
def test_check_grads(cupy: Any, f: Any) -> None:
    rg.check_grads(f, (cupy.asarray(X),))


def test_a_sparse_jacobian_is_refused(cupy: Any) -> None:
    with pytest.raises(
        NotDifferentiable, match="sparse Jacobian of scaled at arrays of the device"
    ):
        rg.jacobian(scaled, sparse=True)(cupy.asarray(X))


# -- arrays of the host among those of the device -----------------------------------------------------

TABLE, PLACES = np.linspace(1.0, 2.0, 4), np.array([0, 2, 2])


def of_places(x):
    return np.sum(x[PLACES] ** 2) * len(PLACES) * PLACES.shape[0]


def goes_over(x):
    total = 0.0
    for k in PLACES:
        total += x[k] ** 3
    return total


def multiplied(x):
    return np.sum(TABLE * x)


def handed_over(x):
    return np.dot(x, TABLE)


def turned(x):
    return np.sum(TABLE.T + x)


def added(x):
    x += TABLE
    return np.sum(x)


def summed(x):
    return np.sum(TABLE) * np.sum(x)


@pytest.mark.parametrize("f", [of_places, goes_over])
def test_arrays_of_the_host_say_places(cupy: Any, f: Any) -> None:
    np.testing.assert_allclose(rg.grad(f)(cupy.asarray(X)).get(), rg.grad(f)(X.copy()), 1e-12)


@pytest.mark.parametrize("f", [multiplied, handed_over, turned, added, summed])
def test_arrays_of_the_host_are_refused_by_name(cupy: Any, f: Any) -> None:
    x = cupy.asarray(X)
    with pytest.raises(SignatureMismatch, match=r"`TABLE`.*TABLE = cupy.asarray\(TABLE\)"):
        rg.grad(f)(x)
    np.testing.assert_array_equal(x.get(), X)


def test_arguments_of_two_places(cupy: Any) -> None:
    x, v = cupy.asarray(X), X.copy()
    with pytest.raises(SignatureMismatch, match="`a`.*`b`.*cupy.asarray"):
        rg.grad(lambda a, b: np.sum(a * b))(x, v)
    with pytest.raises(SignatureMismatch, match="tangent of `x`.*on the host.*on the device"):
        rg.jvp(energy, (x,), (v,))
    with pytest.raises(SignatureMismatch, match="cotangent.*on the host"):
        rg.vjp(scaled, x)[1](v)
    with pytest.raises(SignatureMismatch, match="cotangent.*on the device"):
        rg.vjp(scaled, v)[1](x)


# -- the memory of the device ---------------------------------------------------------------------------


@pytest.mark.parametrize("ask", ["grad", "vjp", "hessian"])
def test_out_of_memory_says_what_to_do(
    cupy: Any, monkeypatch: pytest.MonkeyPatch, ask: str
) -> None:
    error = type("OutOfMemoryError", (MemoryError,), {"__module__": "cupy.cuda.memory"})

    def full(*args: Any) -> None:
        raise error("out of memory")

    x, f = cupy.asarray(X), rg.differentiate(energy, check=None)
    pullback = rg.vjp(f, x)[1] if ask == "vjp" else None
    monkeypatch.setattr(cupy, "cos", full)
    with pytest.raises(MemoryError) as raised:
        pullback(1.0) if pullback else getattr(rg, ask)(f)(x)
    monkeypatch.undo()
    assert any("free_all_blocks" in note for note in raised.value.__notes__)
