"""The passes for threads: which loops are shared, what their parts compute in any order, how work is estimated."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from retrograd.compiler.native.loop_ir.cost import work_of
from retrograd.compiler.native.loop_ir.ir import (
    Accumulate,
    Alloc,
    Bail,
    Break,
    Buffer,
    For,
    Get,
    If,
    Kernel,
    Leave,
    Let,
    Lit,
    Op,
    Parts,
    Set,
    Store,
    Var,
    affine,
    integer,
    plus,
    walk,
)  # fmt: skip
from retrograd.compiler.native.loop_ir.values import Scalar
from retrograd.compiler.native.passes.loops.thread_sharing import share
from retrograd.compiler.native.passes.sums.carried_sums import handed_sums
from tests.threads import everything_shared

from .interpreter import Left, ran, value

N = affine(Var("n_x_0"))
X = Buffer("x", "f8", (N,), "argument")
PLACES = Buffer("places", "i8", (N,), "argument")
OUT = Buffer("out", "f8", (N,), "result")
ROW, COLUMN = Var("i"), Var("j")
V, W, T, U, S = (Var(name, "f8") for name in "vwtus")
FLAG, SEEN = Var("flag", "b1"), Var("seen", "b1")
AT = affine(ROW)
ZERO = Lit(0.0, "f8")
HERE = Get(X, (AT,))
THERE = affine(Get(PLACES, (AT,)))


def op(name: str, *args: Any, dtype: str = "f8") -> Op:
    return Op(name, args, dtype)


def added(a: Any, b: Any) -> Op:
    return op("add", a, b)


def kernel(*body: Any, result: Any = V) -> Kernel:
    return Kernel("f", [], list(body), Scalar(result))


def over(*body: Any, var: Var = ROW, backwards: bool = False) -> For:
    return For(var, integer(0), N, list(body), backwards)


NUMBERS = np.array([0.5, -1.0, 2.0, 3.0, -0.25, 4.0, 0.125])


def outcome(k: Kernel) -> Any:
    arrays = {"x": NUMBERS.copy(), "out": np.ones(7), "places": np.array([2, 0, 2, 5, 6, 0, 1])}
    numbers = {"n_x_0": 7, "v": 1.0, "w": 2.0, "s": 0.5, "u": 0.25, "flag": 1}
    try:
        env = ran(k, numbers, arrays)
    except Left:
        return "left"
    return [env["v"], env["w"], env["s"], env["flag"], *arrays["out"]]


def is_shared(k: Kernel) -> bool:
    return any(isinstance(s, Parts) for s in walk(k.body))


def cut(k: Kernel) -> Kernel:
    with everything_shared():
        return share(copy.deepcopy(k))


ROOM = Buffer("room", "f8", (N,))
INNER = affine(COLUMN)
SHARED = {
    "elements of one's own": over(Store(OUT, (AT,), op("multiply", HERE, HERE))),
    "backwards": over(Store(OUT, (AT,), HERE), Accumulate(V, "add", HERE), backwards=True),
    "sums of several kinds": over(
        Accumulate(V, "add", HERE), Accumulate(W, "multiply", HERE), Accumulate(S, "maximum", HERE)
    ),
    "a flag": over(Accumulate(FLAG, "multiply", op("less", HERE, Lit(5.0, "f8"), dtype="b1"))),
    "added to places that repeat": over(Store(OUT, (THERE,), HERE, "add")),
    "a variable of one iteration": over(
        Set(T, ZERO), Accumulate(T, "add", HERE), Store(OUT, (AT,), T)
    ),
    "memory of one iteration": over(
        Alloc(ROOM, zero=True),
        over(Store(ROOM, (INNER,), HERE, "add"), var=COLUMN),
        over(Accumulate(V, "add", Get(ROOM, (INNER,))), var=COLUMN),
    ),
    "a test": over(Bail(op("less", Lit(3.5, "f8"), HERE, dtype="b1")), Store(OUT, (AT,), HERE)),
    "the element that is read is the one that is written": over(
        Store(OUT, (AT,), added(Get(OUT, (AT,)), HERE))
    ),
}
APART = {
    "the neighbour's element": over(Store(OUT, (AT,), Get(OUT, (op("remainder", plus(AT, 1), N, dtype="i8"),)))),
    "places that may repeat": over(Store(OUT, (THERE,), HERE)),
    "added to and read": over(Store(OUT, (THERE,), HERE, "add"), Accumulate(V, "add", Get(OUT, (AT,)))),
    "moved by what is in memory": over(
        Store(OUT, (affine(op("remainder", plus(AT, THERE), N, dtype="i8")),), HERE)
    ),
    "a variable that is handed on": over(Accumulate(V, "add", W), Set(W, HERE)),
    "a sum that is read": over(Accumulate(V, "add", HERE), Store(OUT, (AT,), V)),
    "the last one counts": over(Set(V, HERE)),
    "two kinds of sums in one": over(Accumulate(V, "add", HERE), Accumulate(V, "multiply", HERE)),
    "an end that moves": For(
        ROW, integer(0), affine(Get(PLACES, (integer(0),))), [Store(PLACES, (AT,), integer(1), "add")]
    ),
    "an early end": over(
        Accumulate(V, "add", HERE), If(op("less", Lit(2.5, "f8"), HERE, dtype="b1"), [Break()])
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SHARED)
def test_shared(name: str) -> None:
    k = kernel(SHARED[name])
    made = cut(k)
    assert is_shared(made)
    wanted = outcome(k)
    if wanted == "left":
        assert any(isinstance(s, Leave) for s in walk(made.body))
        assert outcome(made) == "left"
    else:
        np.testing.assert_allclose(outcome(made), wanted, rtol=1e-14)


@pytest.mark.parametrize("name", APART)
def test_apart(name: str) -> None:
    """An outer loop is not shared; one within it may be."""
    _, loop = cut(kernel(Set(W, Lit(2.0, "f8")), APART[name])).body
    assert isinstance(loop, For) and not isinstance(loop, Parts)


def test_memory_that_moves_with_an_index_in_memory_is_not_ones_own() -> None:
    """``out[i + places[i]]``: two iterations may meet there."""
    wide = Buffer("wide", "f8", (plus(N, N),), "result")
    assert not is_shared(cut(kernel(over(Store(wide, (plus(AT, THERE),), HERE)))))
    step = Let(Var("k"), Get(PLACES, (AT,)))
    assert not is_shared(cut(kernel(over(step, Store(wide, (plus(AT, Var("k")),), HERE)))))


# -- sums that are handed on ----------------------------------------------------------------

COND = op("less", HERE, Lit(1.0, "f8"), dtype="b1")
HANDED = {
    "through a name": [Let(T, added(V, HERE)), Set(U, T), Accumulate(U, "add", HERE), Set(V, U)],
    "less something": [Let(T, op("subtract", V, HERE)), Set(V, T)],
    "as it is": [Set(U, V), over(Accumulate(U, "add", HERE), var=COLUMN), Set(V, U)],
    "through branches": [If(COND, [Set(U, V)], [Let(T, added(HERE, V)), Set(U, T)]), Set(V, U)],
}
KEPT = {
    "twice": [Let(T, added(V, V)), Set(V, T)],
    "less it": [Let(T, op("subtract", HERE, V)), Set(V, T)],
    "times something": [Let(T, op("multiply", V, HERE)), Set(V, T)],
    "and stored": [Let(T, added(V, HERE)), Store(OUT, (AT,), T), Set(V, T)],
    "one branch starts anew": [If(COND, [Set(U, HERE)], [Set(U, added(V, HERE))]), Set(V, U)],
    "one branch goes by it": [If(op("less", V, ZERO, dtype="b1"), [Set(U, V)], [Set(U, added(V, HERE))]), Set(V, U)],
    "what an inner loop may not have set": [
        For(COLUMN, integer(0), affine(op("cast", op("less", HERE, ZERO, dtype="b1"), dtype="i8")), [Set(U, HERE)]),
        Accumulate(S, "add", U), Set(U, added(V, HERE)), Set(V, U),
    ],
    "read afterwards": [Let(T, added(V, HERE)), Set(V, T), Store(OUT, (AT,), V)],
    "seen behind the loop": [Let(T, added(V, HERE)), Set(W, T), Set(V, W)],
    "what was there before": [Accumulate(S, "add", W), Set(W, added(V, HERE)), Set(V, W)],
}  # fmt: skip


@pytest.mark.parametrize("name", HANDED)
def test_sums_that_are_handed_on(name: str) -> None:
    body = [Set(U, ZERO), *HANDED[name]] if name != "less something" else HANDED[name]
    k = kernel(over(*body))
    made = handed_sums(copy.deepcopy(k))
    sums = [s for s in walk(made.body) if isinstance(s, Accumulate) and s.var == V]
    assert len(sums) == 1
    np.testing.assert_allclose(outcome(made), outcome(k), rtol=1e-14)
    assert is_shared(cut(made))


@pytest.mark.parametrize("name", KEPT)
def test_what_is_no_sum(name: str) -> None:
    k = kernel(over(*KEPT[name]), result=W if name == "seen behind the loop" else V)
    made = handed_sums(copy.deepcopy(k))
    assert not any(isinstance(s, Accumulate) and s.var == V for s in walk(made.body))
    assert outcome(made) == outcome(k)


def test_a_flag_that_is_kept_or_taken_away() -> None:
    body = If(COND, [Set(SEEN, FLAG)], [Set(SEEN, Lit(False, "b1"))])
    k = kernel(over(body, Set(FLAG, SEEN)), result=FLAG)
    made = handed_sums(copy.deepcopy(k))
    assert any(isinstance(s, Accumulate) and s.op == "multiply" for s in walk(made.body))
    assert outcome(made) == outcome(k)
    both = op("logical_and", COND, FLAG, dtype="b1")
    k = kernel(over(Let(SEEN, both), Set(FLAG, SEEN)), result=FLAG)
    made = handed_sums(copy.deepcopy(k))
    assert any(isinstance(s, Accumulate) and s.op == "multiply" for s in walk(made.body))
    assert outcome(made) == outcome(k)
    turned = kernel(
        over(If(COND, [Set(SEEN, FLAG)], [Set(SEEN, Lit(True, "b1"))]), Set(FLAG, SEEN)),
        result=FLAG,
    )
    assert not any(isinstance(s, Accumulate) for s in walk(handed_sums(turned).body))


# -- work ---------------------------------------------------------------------------------


def test_the_work_of_a_triangle() -> None:
    """An inner loop up to the outer one's variable counts with its mean length."""
    body = [Let(T, op("multiply", HERE, HERE))]
    square = For(ROW, integer(0), N, [For(COLUMN, integer(0), N, body)])
    triangle = For(ROW, integer(0), N, [For(COLUMN, integer(0), AT, body)])
    works = [value(work_of(loop), {"n_x_0": 1000}, {}) for loop in (square, triangle)]
    assert works[1] / works[0] == pytest.approx(0.5, rel=0.01)


def test_work_does_not_read_what_is_made_in_the_loop() -> None:
    count = Var("count")
    loop = over(Set(count, integer(3)), For(COLUMN, integer(0), affine(count), []))
    assert value(work_of(loop), {"n_x_0": 7}, {}) > 0
