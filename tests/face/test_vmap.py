"""`rg.vmap`: batches of arrays, from source to source, held against loops over their examples."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import BatchWarning, SignatureMismatch
from retrograd.transforms.transformed_function import chain_of

X = np.random.default_rng(0).normal(size=(4, 3))
Y = np.random.default_rng(1).normal(size=(4, 3))
W = np.random.default_rng(2).normal(size=(3, 2))


def distance(x: Any, y: Any, scale: Any = 1.0) -> Any:
    return scale * np.sqrt(np.sum((x - y) ** 2))


def layer(w: Any, x: Any) -> Any:
    return np.sum(np.tanh(x @ w) ** 2)


def text_for(f: Any, *args: Any) -> str:
    chain = chain_of(f)
    return str(chain.text(chain.types(chain.bind(args, {}))))


def test_values_are_those_of_a_loop() -> None:
    made = rg.vmap(distance)(X, Y)
    np.testing.assert_array_equal(made, [distance(x, y) for x, y in zip(X, Y, strict=True)])


def test_the_text_has_one_more_axis() -> None:
    text = text_for(rg.vmap(rg.grad(layer), in_axes=(None, 0)), W, X)
    assert "def layer_grad_vmap(w, x):" in text
    assert "for " not in text
    assert "x[:, :, None] * " in text


@pytest.mark.parametrize("count", [0, 1, 2])
def test_batches_of_few(count: int) -> None:
    made = rg.vmap(rg.grad(layer), in_axes=(None, 0))(W, X[:count])
    assert made.shape == (count, 3, 2)
    for got, x in zip(made, X, strict=False):
        np.testing.assert_allclose(got, rg.grad(layer)(W, x), rtol=1e-12)


AXES = [(0, 0), (1, 0), (0, -1), (-1, 1)]


@pytest.mark.parametrize("axes", AXES)
def test_axes(axes: tuple[int, int]) -> None:
    x, y = (np.moveaxis(a, 0, axis) for a, axis in zip((X, Y), axes, strict=True))
    np.testing.assert_array_equal(rg.vmap(distance, in_axes=axes)(x, y), rg.vmap(distance)(X, Y))
    outer = rg.vmap(lambda a, b: np.outer(a, b), in_axes=axes, out_axes=axes[0])(x, y)
    wanted = np.stack([np.outer(a, b) for a, b in zip(X, Y, strict=True)], axes[0])
    np.testing.assert_array_equal(outer, wanted)


def test_what_is_shared() -> None:
    made = rg.vmap(distance, in_axes=(0, None))(X, Y[0])
    np.testing.assert_array_equal(made, [distance(x, Y[0]) for x in X])
    np.testing.assert_array_equal(
        rg.vmap(lambda x, n: n, in_axes=(0, None))(X, 3.0), np.full(4, 3.0)
    )


def test_defaults_and_names() -> None:
    scales = np.arange(4.0)
    wanted = rg.vmap(distance)(X, Y) * scales
    np.testing.assert_allclose(rg.vmap(distance)(X, Y, scale=scales), wanted)
    np.testing.assert_allclose(rg.vmap(distance)(X, Y, 2.0), 2.0 * rg.vmap(distance)(X, Y))

    def named(x: Any, *, y: Any) -> Any:
        return x.sum() * y

    np.testing.assert_allclose(rg.vmap(named)(X, y=scales), X.sum(axis=1) * scales)
    np.testing.assert_allclose(
        rg.vmap(distance, in_axes={"x": 0})(X, Y[0]), [distance(x, Y[0]) for x in X]
    )


def test_containers_and_parts_of_them() -> None:
    def model(p: Any, x: Any) -> Any:
        return {"out": np.tanh(x @ p["w"] + p["b"])}

    many = {"w": np.stack([W * k for k in range(4)]), "b": np.ones(2)}
    made = rg.vmap(model, in_axes=({"w": 0, "b": None}, 0))(many, X)["out"]
    wanted = [model({"w": W * k, "b": np.ones(2)}, X[k])["out"] for k in range(4)]
    np.testing.assert_allclose(made, wanted, rtol=1e-12)
    first, second = rg.vmap(lambda x: (x, np.outer(x, x)), out_axes=(0, 2))(X)
    assert (first.shape, second.shape) == ((4, 3), (3, 3, 4))


REFUSED = {
    "`x` has 4 examples, and `y` has 3": lambda: rg.vmap(distance)(X, Y[:3]),
    "`x` has 1 examples, and `y` has 4": lambda: rg.vmap(distance)(X[:1], Y),
    "`y` is a number, and has no axis of examples": lambda: rg.vmap(distance)(X, 2.0),
    "in_axes is 5 for `y`, which has 2 axes": lambda: rg.vmap(distance, in_axes=(0, 5))(X, Y),
    "in_axes has 4 parts": lambda: rg.vmap(distance, in_axes=(0, 0, 0, 0)),
    "in_axes has no part for the argument `y`": lambda: rg.vmap(distance, in_axes=(0,)),
    "in_axes is a number, None, or a tuple": lambda: rg.vmap(distance, in_axes="x"),
    "in_axes names `z`": lambda: rg.vmap(distance, in_axes={"z": 0}),
}


@pytest.mark.parametrize("message", REFUSED)
def test_refusals(message: str) -> None:
    with pytest.raises(SignatureMismatch) as caught:
        REFUSED[message]()
    assert message in str(caught.value)


def test_sizes_are_compared_in_every_call() -> None:
    f = rg.vmap(distance)
    f(X, Y)
    with pytest.raises(SignatureMismatch, match="`x` has 4 examples, and `y` has 2"):
        f(X, Y[:2])


def test_derivatives_inside_and_outside() -> None:
    each = rg.vmap(rg.value_and_grad(layer), in_axes=(None, 0))
    values, slopes = each(W, X)
    np.testing.assert_allclose(values, [layer(W, x) for x in X], rtol=1e-12)
    np.testing.assert_allclose(slopes, [rg.grad(layer)(W, x) for x in X], rtol=1e-11)
    _, pull = rg.vjp(rg.vmap(layer, in_axes=(None, 0)), W, X)
    np.testing.assert_allclose(pull(np.ones(4))[0], slopes.sum(axis=0), rtol=1e-11)
    curved = rg.vmap(rg.hessian(lambda x: np.sum(x**3) * x[0]))(X)
    np.testing.assert_allclose(curved, [rg.hessian(lambda x: np.sum(x**3) * x[0])(x) for x in X])
    rows = rg.jacobian(rg.vmap(lambda x: np.sum(np.sin(x))))(X)
    np.testing.assert_allclose(np.einsum("iij->ij", rows), np.cos(X))
    _, dot = rg.jvp(rg.vmap(layer, in_axes=(None, 0)), (W, X), (None, X))
    np.testing.assert_allclose(dot, [rg.jvp(layer, (W, x), (None, x))[1] for x in X])


def test_batches_of_batches() -> None:
    pairs = rg.vmap(rg.vmap(distance, in_axes=(None, 0)), in_axes=(0, None))(X, Y)
    np.testing.assert_allclose(pairs, [[distance(x, y) for y in Y] for x in X])


def test_inside_of_a_function_that_is_differentiated() -> None:
    def total(w: Any, xs: Any) -> Any:
        return np.sum(rg.vmap(lambda x: np.tanh(x @ w))(xs) ** 2)

    np.testing.assert_allclose(
        rg.grad(total, strict=True)(W, X), sum(rg.grad(layer)(W, x) for x in X), rtol=1e-11
    )


def ways(x: Any) -> Any:
    if np.sum(x) > 0:
        y = np.sqrt(np.abs(x) + 1.0)
    else:
        y = x * x
    s = np.sum(y)
    while s > 1.0:
        s = s / 2.0
    for k in range(3):
        if s < 0.1:
            break
        s = s * 0.6 + 0.01 * k
    z = x.copy()
    z[0] = s
    z[z > 1.0] = 1.0
    return np.sum(z * x) + math.sin(s)


def test_examples_that_go_several_ways() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=(20, 3)) * 3
    np.testing.assert_allclose(rg.vmap(ways, strict=True)(x), [ways(v) for v in x], rtol=1e-12)
    slopes = rg.vmap(rg.grad(ways, strict=True))(x)
    np.testing.assert_allclose(slopes, [rg.grad(ways)(v) for v in x], rtol=1e-10)
    _, pull = rg.vjp(rg.vmap(ways), x, strict=True)
    np.testing.assert_allclose(pull(np.ones(20))[0], slopes, rtol=1e-10)


def test_a_branch_on_what_varies_is_a_choice() -> None:
    def clipped(x: Any) -> Any:
        return x * x if x > 0.0 else -x

    text = text_for(rg.vmap(clipped), X[:, 0])
    assert "np.where(x > 0.0, x * x, -x)" in text
    np.testing.assert_array_equal(rg.vmap(clipped)(X[:, 0]), [clipped(x) for x in X[:, 0]])


def picked(x: Any, k: Any) -> Any:
    return x[k] + x[0] * x[-1]


def test_another_place_for_each_example() -> None:
    k = np.array([0, 2, 1, 2])
    np.testing.assert_array_equal(
        rg.vmap(picked)(X, k), [picked(x, n) for x, n in zip(X, k, strict=True)]
    )
    slopes = rg.vmap(rg.grad(picked))(X, k)
    np.testing.assert_array_equal(
        slopes, [rg.grad(picked)(x, n) for x, n in zip(X, k, strict=True)]
    )


def test_shapes_are_those_of_one_example() -> None:
    def asks(x: Any) -> Any:
        return np.full(2, x.shape[0] + len(x) + x.size + x.ndim) * x[0]

    np.testing.assert_array_equal(rg.vmap(asks)(X), [asks(x) for x in X])


def test_each_example_draws_for_itself() -> None:
    def noisy(x: Any, rng: Any) -> Any:
        return x + rng.normal(size=3)

    made = rg.vmap(noisy, in_axes=(0, None))(X, np.random.default_rng(7))
    rng = np.random.default_rng(7)
    np.testing.assert_array_equal(made, [noisy(x, rng) for x in X])


class Model:
    def __init__(self, w: float) -> None:
        self.w = w

    def loss(self, x: Any) -> Any:
        return np.sum((x * self.w) ** 2)


@rg.vmap
def spread(x: Any) -> Any:
    return x.max() - x.min()


def test_methods_and_decorators() -> None:
    np.testing.assert_allclose(rg.vmap(Model(2.0).loss)(X), np.sum((2.0 * X) ** 2, axis=1))
    np.testing.assert_allclose(spread(X), np.ptp(X, axis=1))
    again = pickle.loads(pickle.dumps(rg.vmap(rg.grad(layer), in_axes=(None, 0))))
    assert again(W, X).shape == (4, 3, 2)


def smoothed(x: Any) -> Any:
    return np.convolve(x, np.array([0.5, 0.5]))


def test_what_has_no_rule_is_named() -> None:
    with pytest.warns(BatchWarning, match=r"`smoothed` in .*: `np.convolve` \(line \d+\)"):
        made = rg.vmap(smoothed)(X)
    np.testing.assert_allclose(made, [smoothed(x) for x in X])


@pytest.mark.usefixtures("taped")
def test_what_is_not_compiled_runs_in_a_loop() -> None:
    def unreadable(x: Any) -> Any:
        return eval("x * 2.0", {"x": x})

    made = rg.vmap(unreadable)
    with pytest.warns(UserWarning, match="runs on the eager tape as a whole"):
        np.testing.assert_array_equal(made(X), 2.0 * X)


def test_what_all_examples_share_is_not_written_to() -> None:
    def writes(x: Any, total: Any) -> Any:
        total[0] += x[0]
        return x * 2.0

    with pytest.raises(rg.RetrogradError, match="writes to `total`, which all examples share"):
        rg.vmap(writes, in_axes=(0, None), strict=True)(X, np.zeros(1))


def test_tensors_have_their_own() -> None:
    torch = rg
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert torch.vmap(lambda a: (a**2).sum())(x).tolist() == [5.0, 25.0]
    assert torch.vmap(lambda a: a.sum(), in_dims=1)(x).tolist() == [4.0, 6.0]


def test_a_kernel_of_a_batch() -> None:
    compiled = rg.vmap(rg.grad(layer), in_axes=(None, 0), backend="c")
    np.testing.assert_allclose(compiled(W, X), [rg.grad(layer)(W, x) for x in X], rtol=1e-10)


def test_the_sweeps_of_a_loop_over_examples_are_told_apart() -> None:
    def branches(x: Any, w: Any) -> Any:
        y = np.log1p(x @ w) if x[0] > 0.0 else np.sum(x**2)
        return y * y

    text = rg.vmap(rg.grad(branches), in_axes=(0, None)).source(sig="x: f8[b, n], w: f8[n]")
    assert (
        text.index("# backward")
        < text.index("y_bar =")
        < text.index("for i", text.index("y_bar ="))
    )
