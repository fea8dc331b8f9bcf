"""The passes for products in loops: put off, done ahead, four rows at a time."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.native.loop_ir.ir import (
    Accumulate,
    Alloc,
    Break,
    Buffer,
    For,
    Get,
    If,
    Kernel,
    Lit,
    Op,
    Product,
    Set,
    Stmt,
    Store,
    Var,
    affine,
    integer,
    minus,
    plus,
    walk,
)
from retrograd.compiler.native.loop_ir.values import Constant
from retrograd.compiler.native.passes.loops import iteration_batches
from retrograd.compiler.native.passes.loops.unroll_and_jam import jam
from retrograd.compiler.native.passes.sums import batched_products as ahead_module
from retrograd.compiler.native.passes.sums import batched_rank1_updates as later_module
from retrograd.compiler.native.passes.sums.batched_products import ahead
from retrograd.compiler.native.passes.sums.batched_rank1_updates import later
from tests.fuzz.native import same

from .interpreter import ran

K, N, M = (affine(Var(name)) for name in "knm")
W = Buffer("w", "f8", (N, M), "result")
X, Y = Buffer("x", "f8", (K, N), "argument"), Buffer("y", "f8", (K, M), "argument")
FIXED = Buffer("fixed", "f8", (N, M), "argument")
OUT = Buffer("out", "f8", (K, M), "result")
SIZES = {"n": 3, "m": 5}


@pytest.fixture(autouse=True)
def small_batches(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "whole" not in request.node.name:
        for module in (iteration_batches, ahead_module, later_module):
            monkeypatch.setattr(module, "BATCH", 4)


def kernel(*body: Stmt) -> Kernel:
    return Kernel("f", [], list(body), Constant(None))


def product(*values: Any) -> Any:
    found = values[0]
    for value in values[1:]:
        found = Op("multiply", (found, value), "f8")
    return found


def nest(made: Callable[[Any, Any], Stmt], name: str) -> For:
    i, j = Var(f"i_{name}"), Var(f"j_{name}")
    inner = For(j, integer(0), M, [made(affine(i), affine(j))], free=True)
    return For(i, integer(0), N, [inner], free=True)


def arrays(k: int) -> dict[str, Any]:
    rng = np.random.default_rng(k)
    shapes = {"x": (k, 3), "y": (k, 5), "w": (3, 5), "fixed": (3, 5), "out": (k, 5)}
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


def check(made: Callable[[], Kernel], change: Callable[[Kernel], Kernel], products: int) -> None:
    """A pass leaves so many products, and the same numbers for loops of any length."""
    changed = change(made())
    assert sum(isinstance(s, Product) for s in walk(changed.body)) == products
    for k in (0, 1, 3, 4, 5, 8, 18):
        wanted, found = arrays(k), arrays(k)
        ran(made(), {"k": k, **SIZES}, wanted)
        ran(changed, {"k": k, **SIZES}, found)
        for name in ("w", "out"):
            np.testing.assert_allclose(found[name], wanted[name], 1e-12, 1e-12)


def updates(backwards: bool = False, through: bool = False) -> Kernel:
    """w[i, j] += 2 x[k, i] y[k, j] for each k."""
    k = Var("t")
    value = lambda i, j: product(Lit(2.0, "f8"), Get(X, (affine(k), i)), Get(Y, (affine(k), j)))
    if through:  # a matrix of its own
        t = Buffer("temp", "f8", (N, M))
        body: list[Stmt] = [
            Alloc(t),
            nest(lambda i, j: Store(t, (i, j), value(i, j)), "a"),
            nest(lambda i, j: Store(W, (i, j), Get(t, (i, j)), "add"), "b"),
        ]
    else:
        body = [nest(lambda i, j: Store(W, (i, j), value(i, j), "add"), "a")]
    return kernel(For(k, integer(0), K, body, backwards))


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("through", [False, True])
def test_outer_products_are_added_later(backwards: bool, through: bool) -> None:
    check(lambda: updates(backwards, through), later, 2)


def test_a_matrix_that_is_read_is_not_put_off() -> None:
    def made() -> Kernel:
        k = updates()
        loop = k.body[0]
        assert isinstance(loop, For)
        where = (affine(loop.var), integer(0))
        loop.body.append(Store(OUT, where, Get(W, (integer(0), integer(0)))))
        return k

    check(made, later, 0)


def test_a_loop_that_breaks_is_left_alone() -> None:
    def made() -> Kernel:
        k = updates()
        loop = k.body[0]
        assert isinstance(loop, For)
        loop.body.append(If(Op("less", (integer(2), affine(loop.var)), "b1"), [Break()]))
        return k

    assert not any(isinstance(s, Product) for s in walk(later(made()).body))
    assert not any(isinstance(s, Product) for s in walk(ahead(made()).body))


def test_no_outer_product() -> None:
    k = Var("t")
    square = lambda i, j: product(Get(FIXED, (i, j)), Get(Y, (affine(k), j)))
    check(
        lambda: kernel(
            For(k, integer(0), K, [nest(lambda i, j: Store(W, (i, j), square(i, j), "add"), "a")])
        ),
        later,
        0,
    )


def rows(
    backwards: bool = False, form: str = "memory", shift: int = 0, own: bool = False
) -> Kernel:
    """out[k] = x[k] @ fixed; ``own``: out[k] += it, in a matrix that changes, too."""
    k, i, j = Var("t"), Var("i"), Var("j")
    ai, aj = affine(i), affine(j)
    dot = Buffer("dot", "f8", (M,))
    at = plus(k, shift)
    matrix = W if own else FIXED
    value = product(Get(matrix, (aj, ai)), Get(X, (at, aj)))
    acc = Var("acc", "f8")
    if form == "memory":
        add = For(i, integer(0), M, [Store(dot, (ai,), value, "add")], free=True)
        body: list[Stmt] = [Alloc(dot, zero=True), For(j, integer(0), N, [add])]
    else:
        loop = For(j, integer(0), N, [Accumulate(acc, "add", value)], free=True)
        whole: list[Stmt] = [Set(acc, Lit(0.0, "f8")), loop, Store(dot, (ai,), acc)]
        body = [Alloc(dot), For(i, integer(0), M, whole, free=True)]
    body.append(For(i, integer(0), M, [Store(OUT, (affine(k), ai), Get(dot, (ai,)))], free=True))
    if own:
        body.append(Store(W, (integer(0), integer(0)), Lit(0.5, "f8"), "add"))
    return kernel(For(k, integer(0), minus(K, shift), body, backwards))


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("form", ["memory", "scalar"])
def test_rows_are_multiplied_ahead(backwards: bool, form: str) -> None:
    check(lambda: rows(backwards, form), ahead, 1)
    check(lambda: rows(backwards, form, 1), ahead, 1)


def test_a_matrix_that_changes_is_multiplied_in_its_turn() -> None:
    check(lambda: rows(own=True), ahead, 0)


def test_a_slice_that_moves_is_read_in_its_turn() -> None:
    """Whether it is inside is tested in each iteration."""

    def made() -> Kernel:
        k = rows()
        loop = k.body[0]
        assert isinstance(loop, For)
        (add,) = loop.body[1].body  # type: ignore[attr-defined]
        (store,) = add.body
        moving = Get(Y, (integer(0), plus(loop.var, loop.body[1].var)))  # type: ignore[attr-defined]
        store.value = product(store.value.args[0], moving)
        return k

    assert not any(isinstance(s, Product) for s in walk(ahead(made()).body))


@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 15])
def test_four_rows_at_a_time(n: int) -> None:
    def made() -> Kernel:
        k, j = Var("t"), Var("j")
        value = product(Get(X, (affine(k), integer(1))), Get(Y, (affine(k), affine(j))))
        row = For(j, integer(0), M, [Store(W, (integer(0), affine(j)), value, "add")], free=True)
        return kernel(For(k, integer(0), K, [row]))

    changed = jam(made())
    assert len([s for s in walk(changed.body) if isinstance(s, For)]) == 4
    wanted, found = arrays(n), arrays(n)
    ran(made(), {"k": n, **SIZES}, wanted)
    ran(changed, {"k": n, **SIZES}, found)
    np.testing.assert_allclose(found["w"], wanted["w"], 1e-12)
    fewer = ran(changed, {"k": -1, **SIZES}, arrays(0))
    assert fewer["k"] == -1


# -- whole programs ------------------------------------------------------------------------


def network(w: Any, u: Any, x: Any) -> Any:
    h = u[0]
    for t in range(len(x)):
        h = np.tanh(x[t] @ w + h @ u)
    return np.sum(h * h)


def backwards_network(w: Any, u: Any, x: Any) -> Any:
    h = x[0] @ w
    for t in range(len(x) - 1, 0, -1):
        h = np.tanh(x[t - 1] @ w - u @ h)
    return np.sum(h)


@pytest.mark.skipif(not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler")
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("function", [network, backwards_network])
def test_whole_programs(
    function: Any, dtype: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    kernel = rg.value_and_grad(function, wrt=(0, 1, 2), backend="c")
    plain = rg.value_and_grad(function, wrt=(0, 1, 2))
    rng = np.random.default_rng(0)
    w, u = (0.2 * rng.normal(size=shape).astype(dtype) for shape in ((20, 40), (40, 40)))
    for steps in (130, 2, 3, 63, 64, 65, 66, 128):
        x = rng.normal(size=(steps, 20)).astype(dtype)
        assert same(kernel(w, u, x), plain(w, u, x), 1e-4 if dtype == np.float32 else 1e-9), steps
    assert kernel.__native__.notes == []  # type: ignore[attr-defined]
