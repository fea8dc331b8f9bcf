"""Shards in this process: what is split, how it is cut, put together, and what is refused."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.distributed.tree import FAN, Node, Part, Tree, merged
from retrograd.runtime.errors import SignatureMismatch
from tests.distributed.programs import Once, W, X, Y, fail, loss, mean_loss, residual, row, same

SPREAD = rg.distributed
BOTH = ("x", "y")


@pytest.mark.parametrize("shards", [1, 2, 7, 16, 65, 1000, None])
def test_a_sum_is_that_of_all_rows(shards: int | None) -> None:
    value, slope = SPREAD.value_and_grad(loss, wrt="w", split=BOTH, shards=shards)(W, X, Y)
    wanted = rg.value_and_grad(loss)(W, X, Y)
    np.testing.assert_allclose(value, wanted[0], rtol=1e-12)
    np.testing.assert_allclose(slope, wanted[1], rtol=1e-10)


@pytest.mark.parametrize("shards", [1, 2, 7, 16, 999])
def test_a_mean_weighs_shards_by_their_rows(shards: int) -> None:
    value, slope = SPREAD.value_and_grad(mean_loss, split=BOTH, reduce="mean", shards=shards)(
        W, X, Y
    )
    wanted = rg.value_and_grad(mean_loss)(W, X, Y)
    np.testing.assert_allclose(value, wanted[0], rtol=1e-12)
    np.testing.assert_allclose(slope, wanted[1], rtol=1e-10)


def test_shards_of_unequal_rows_in_a_mean() -> None:
    bounds = [(0, 10), (10, 700), (700, 1000)]
    makers = [[functools.partial(np.array, a[i:j]) for i, j in bounds] for a in (X, Y)]
    found = SPREAD.grad(mean_loss, split=BOTH, reduce="mean")(W, *makers)
    np.testing.assert_allclose(found, rg.grad(mean_loss)(W, X, Y), rtol=1e-10)


def test_one_shard_has_the_digits_of_the_function() -> None:
    for f, reduce in ((loss, "sum"), (mean_loss, "mean")):
        found = SPREAD.value_and_grad(f, split=BOTH, reduce=reduce, shards=1)(W, X, Y)
        assert same(list(found), list(rg.value_and_grad(f)(W, X, Y)))


def test_rows_of_a_jacobian_and_examples() -> None:
    np.testing.assert_allclose(
        SPREAD.jacobian(residual, split="x", shards=6)(W, X), rg.jacobian(residual)(W, X)
    )
    found = SPREAD.vmap(row, split="x", shards=6)(W, X)
    np.testing.assert_allclose(found, [row(W, x) for x in X])
    slopes = SPREAD.vmap(rg.grad(row), split="x")(W, x=X)
    np.testing.assert_allclose(slopes, np.tanh(X))


def test_products_with_the_hessian() -> None:
    product = SPREAD.hvp(loss, split=BOTH)((W, X, Y), np.ones(5))
    np.testing.assert_allclose(product, rg.hvp(loss, (W, X, Y), np.ones(5)), rtol=1e-9)


def nested(p: Any, data: Any, scale: float = 1.0) -> Any:
    x, y = data["x"], data["y"]
    return scale * np.sum((x @ p["w"] + p["b"] - y) ** 2)


def test_containers_are_split_and_differentiated() -> None:
    p, batch = {"w": W, "b": 0.5}, {"x": X, "y": Y}
    value, slope = SPREAD.value_and_grad(nested, split="data")(p, batch, scale=3.0)
    wanted = rg.value_and_grad(nested)(p, batch, scale=3.0)
    np.testing.assert_allclose(value, wanted[0])
    np.testing.assert_allclose(slope["w"], wanted[1]["w"])
    np.testing.assert_allclose(slope["b"], wanted[1]["b"])


def test_several_arguments_are_differentiated() -> None:
    def both(a: Any, b: Any, x: Any) -> Any:
        return np.sum(a * x) + b * np.sum(x)

    a, b = SPREAD.grad(both, wrt=("a", "b"), split="x")(np.ones(5), 2.0, X)
    np.testing.assert_allclose(a, X.sum(0))
    np.testing.assert_allclose(b, X.sum())


def test_some_shards_alone() -> None:
    g = SPREAD.grad(loss, split=BOTH, shards=10)
    found = g.on(2, 7)(W, X, Y)
    wanted = rg.grad(loss)(W, X[200:300], Y[200:300]) + rg.grad(loss)(W, X[700:800], Y[700:800])
    np.testing.assert_allclose(found, wanted)
    for wrong in ((10,), (), (1, 1)):
        with pytest.raises(rg.errors.SignatureMismatch, match="of 10 shards"):
            g.on(*wrong)(W, X, Y)


def test_layouts_in_memory_do_not_change_digits() -> None:
    wide = np.zeros((1000, 12))
    wide[:, 3:8] = X
    g = SPREAD.grad(loss, split=BOTH)
    assert same([g(W, wide[:, 3:8], Y)], [g(W, X, Y)])
    raw = np.zeros(X.nbytes + 1, np.uint8)[1:].view(np.float64).reshape(X.shape)
    raw[:] = X
    assert not raw.flags.aligned
    assert same([g(W, raw, Y)], [g(W, X, Y)])


def test_progress_counts_shards() -> None:
    seen: list[tuple[int, int]] = []
    SPREAD.grad(loss, split=BOTH, shards=9, progress=lambda *at: seen.append(at))(W, X, Y)
    assert seen == [(k, 9) for k in range(1, 10)]


def test_the_bar(capsys: pytest.CaptureFixture[str]) -> None:
    SPREAD.grad(loss, split=BOTH, shards=4, progress=SPREAD.bar)(W, X, Y)
    assert capsys.readouterr().err.endswith(f"[{'#' * 40}] 4/4 shards\n")


# -- what is refused ------------------------------------------------------------------------------


def fails_at_a_row(w: Any, x: Any) -> Any:
    if np.min(x) < 0:
        raise ZeroDivisionError("below zero")
    return np.sum(x @ w)


def test_an_error_says_in_which_shard() -> None:
    x = np.abs(X)
    x[333, 0] = -1.0
    with pytest.raises(ZeroDivisionError) as caught:
        SPREAD.grad(fails_at_a_row, split="x", shards=10)(W, x)
    assert caught.value.__notes__ == ["in shard 3 of 10 (rows 300 to 399 of `x`)"]


def test_a_recipe_is_tried_again(tmp_path: Any) -> None:
    makers = [Once(X[k : k + 500], str(tmp_path / str(k)), fail) for k in (0, 500)]
    found = SPREAD.grad(fails_at_a_row, split="x", retries=1)(
        W, [lambda m=m: abs(m()) for m in makers]
    )
    np.testing.assert_allclose(found, np.abs(X).sum(0))
    with pytest.raises(OSError, match="the disk is away") as caught:
        SPREAD.grad(fails_at_a_row, split="x", retries=3)(W, [fail])
    assert "in shard 0 of 1 (made by" in caught.value.__notes__[0]


REFUSED: dict[str, tuple[Any, str]] = {
    "no split": (lambda: SPREAD.grad(loss)(W, X, Y), "say what is split"),
    "a name": (lambda: SPREAD.grad(loss, split="z"), "has no argument `z`"),
    "differentiated": (
        lambda: SPREAD.grad(loss, wrt="x", split="x"),
        "is split, and differentiated",
    ),
    "reduce": (lambda: SPREAD.grad(loss, split="x", reduce="max"), '"sum" or "mean"'),
    "shards": (lambda: SPREAD.grad(loss, split="x", shards=0), "shards is a number from 1"),
    "retries": (lambda: SPREAD.grad(loss, split="x", retries=-1), "retries is a number from 0"),
    "timeout": (lambda: SPREAD.grad(loss, split="x", timeout=0), "timeout is a number of seconds"),
    "keep": (lambda: SPREAD.grad(loss, split="x", keep=1.5), "keep is True, False or None"),
    "client": (lambda: SPREAD.grad(loss, client=4, split="x"), "a client is one of"),
    "rows": (lambda: SPREAD.grad(loss, split=BOTH)(W, X, Y[:99]), "the same rows in each shard"),
    "too many": (lambda: SPREAD.grad(loss, split=BOTH, shards=2000)(W, X, Y), "2000 shards"),
    "a number": (lambda: SPREAD.grad(loss, split=BOTH)(W, X, 1.0), "`y` is split by rows"),
    "not given": (lambda: SPREAD.grad(loss, split=BOTH)(W, X), "missing a required argument: 'y'"),
    "a default": (
        lambda: SPREAD.grad(nested, split="scale")({"w": W}, {}),
        "`scale` is split, and was not given",
    ),
    "counts": (
        lambda: SPREAD.grad(loss, split=BOTH)(W, [lambda: X], [lambda: Y, lambda: Y]),
        "the same number of shards",
    ),
    "rows made": (
        lambda: SPREAD.grad(loss, split=BOTH)(W, [lambda: X], [lambda: Y[:9]]),
        "x has 1000, y has 9",
    ),
    "no rows": (lambda: SPREAD.jacobian(loss, split=BOTH)(W, X, Y), "the first axis"),
    "an option": (lambda: SPREAD.grad(loss, split="x", jit=True), "has no option `jit`"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    make, said = REFUSED[name]
    with pytest.raises(rg.errors.SignatureMismatch, match=said):
        make()


def test_names_of_other_libraries() -> None:
    with pytest.raises(AttributeError, match="out of scope"):
        SPREAD.init_process_group  # noqa: B018


# -- the tree -------------------------------------------------------------------------------------


@pytest.mark.parametrize("shards", [1, 2, FAN, FAN + 1, FAN**2, FAN**2 + 1, 1000])
def test_every_shard_is_put_together_once(shards: int) -> None:
    tree = Tree(shards)
    known = {node: Part(1, [node.at]) for node in tree.leaves()}
    order = {node: [node.at] for node in known}
    for node in tree.inner():
        below = tree.children(node)
        assert 1 <= len(below) <= FAN
        assert all(tree.parent(child) == node for child in below)
        order[node] = [k for child in below for k in order.pop(child)]
    assert order == {tree.root: list(range(shards))}
    assert tree.parent(tree.root) is None
    assert list(tree.above(Node(0, shards - 1)))[-1:] == [tree.root][: len(tree.widths) - 1]


def test_what_has_no_gradient_stays_none() -> None:
    assert merged(False, [Part(1, {"a": 1.0, "n": None}), Part(1, {"a": 2.0, "n": None})]) == (
        2,
        {"a": 3.0, "n": None},
    )


# -- what is said of rows ----------------------------------------------------------------


def penalised(w: Any, x: Any, y: Any) -> Any:
    return loss(w, x, y) + np.sum(w**2)


def centred(w: Any, x: Any) -> Any:
    return (x - x.mean(axis=0)) @ w


def squared_sum(w: Any, x: Any, y: Any) -> Any:
    return np.sum(x @ w) ** 2


def jittered(w: Any, x: Any, y: Any) -> Any:
    return loss(w, x, y) + GENERATOR.normal()


GENERATOR = np.random.default_rng(0)
CLAIMS = {
    "a mean is no sum": (mean_loss, "sum", "is no sum over rows"),
    "a sum is no mean": (loss, "mean", "is no mean over rows"),
    "a penalty is added once": (penalised, "sum", "outside"),
    "a square of a sum": (squared_sum, "sum", "is no sum over rows"),
}


@pytest.mark.parametrize("transform", ["grad", "value_and_grad", "hvp"])
@pytest.mark.parametrize("why", CLAIMS)
def test_a_wrong_claim_is_found_out(why: str, transform: str) -> None:
    f, reduce, said = CLAIMS[why]
    made = getattr(SPREAD, transform)(f, wrt="w", split=BOTH, reduce=reduce)
    with pytest.raises(SignatureMismatch, match=said):
        made((W, X, Y), W) if transform == "hvp" else made(W, X, Y)


def test_rows_that_hang_on_others_are_found_out() -> None:
    with pytest.raises(SignatureMismatch, match="made of others"):
        SPREAD.jacobian(centred, split="x")(W, X)


def test_what_a_claim_does_not_touch() -> None:
    """A penalty in a mean is right for any shards; what is drawn anew, or not finite, says nothing."""
    mean = SPREAD.grad(lambda w, x, y: mean_loss(w, x, y) + np.sum(w**2), split=BOTH, reduce="mean")
    np.testing.assert_allclose(mean(W, X, Y), rg.grad(mean_loss)(W, X, Y) + 2 * W, rtol=1e-10)
    SPREAD.value_and_grad(jittered, split=BOTH)(W, X, Y)
    with np.errstate(all="ignore"):
        SPREAD.value_and_grad(loss, split=BOTH)(W, X * np.inf, Y)
    before = X.copy()

    def writes(w: Any, x: Any) -> Any:
        x[:] *= 2.0
        return np.sum(x @ w)

    SPREAD.value_and_grad(writes, split="x")(W, before)
    rg.set_check(None)
    try:
        SPREAD.grad(mean_loss, split=BOTH)(W, X, Y)
    finally:
        rg.set_check("default")
