"""The passes for loops of numbers: running sums, tests behind loops, sums in registers, what is done ahead."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from retrograd.compiler.native.loop_ir.ir import (
    Accumulate,
    Bail,
    Buffer,
    For,
    Get,
    Kernel,
    Let,
    Lit,
    Op,
    Set,
    Store,
    Var,
    affine,
    integer,
    minus,
    walk,
)  # fmt: skip
from retrograd.compiler.native.loop_ir.values import Scalar
from retrograd.compiler.native.passes.deferred_bails import deferred
from retrograd.compiler.native.passes.loops.independent_loops import mark_free
from retrograd.compiler.native.passes.loops.loop_invariants import hoist
from retrograd.compiler.native.passes.memory.scalar_replacement import in_registers
from retrograd.compiler.native.passes.sums.sum_recognition import running_sums

from .interpreter import Left, ran

N = affine(Var("n_x_0"))
X = Buffer("x", "f8", (N,), "argument")
OUT = Buffer("out", "f8", (N,), "result")
ROW, V, W, T = Var("i"), Var("v", "f8"), Var("w", "f8"), Var("t", "f8")
AT = affine(ROW)
ZERO = Lit(0.0, "f8")


def op(name: str, *args: Any, dtype: str = "f8") -> Op:
    return Op(name, args, dtype)


def kernel(*body: Any) -> Kernel:
    return Kernel("f", [], list(body), Scalar(V))


def over(*body: Any) -> For:
    return For(ROW, integer(0), N, list(body))


def values(k: Kernel, x: Any) -> Any:
    arrays = {"x": np.array(x), "out": np.zeros(len(x))}
    env = ran(k, {"n_x_0": len(x), "v": 1.0, "w": 2.0}, arrays)
    return env["v"], env["w"], list(arrays["out"])


def test_a_running_sum_adds_what_it_was_where_it_stood() -> None:
    def made() -> Kernel:
        return kernel(over(
            Let(T, op("add", V, W)), Set(W, op("multiply", W, Get(X, (AT,)))), Set(V, T),
        ))  # fmt: skip

    found = running_sums(made())
    assert any(isinstance(s, Accumulate) for s in walk(found.body))
    assert values(found, [3.0, 0.5, 2.0]) == values(made(), [3.0, 0.5, 2.0])


def test_what_reads_its_sum_is_no_running_sum() -> None:
    k = kernel(over(Store(OUT, (AT,), V), Set(V, op("add", V, Get(X, (AT,))))))
    assert not any(isinstance(s, Accumulate) for s in walk(running_sums(k).body))


def test_a_loop_that_reads_a_sum_before_it_adds_is_not_free() -> None:
    loop = over(Let(T, V), Store(OUT, (AT,), T), Accumulate(V, "add", Get(X, (AT,))))
    mark_free(kernel(loop))
    assert not loop.free
    alone = over(Let(T, Get(X, (AT,))), Accumulate(V, "add", T))
    mark_free(kernel(alone))
    assert alone.free


def test_a_float_is_tested_behind_the_loop_and_an_index_in_it() -> None:
    zero = Bail(op("equal", T, ZERO, dtype="b1"))
    outside = Bail(op("less", minus(AT, 1), integer(-1), dtype="b1"))
    k = deferred(
        kernel(over(Let(T, Get(X, (AT,))), zero, outside, Store(OUT, (AT,), Get(X, (AT,)))))
    )
    (loop,) = [s for s in k.body if isinstance(s, For)]
    assert [s for s in walk(loop.body) if isinstance(s, Bail)] == [outside]
    assert isinstance(k.body[-1], Bail)
    assert values(k, [1.0, 2.0])[2] == [1.0, 2.0]
    with pytest.raises(Left):
        values(k, [1.0, 0.0])


def test_sums_to_one_place_are_registers_beside_sums_to_others() -> None:
    def made() -> Kernel:
        return kernel(over(
            Store(OUT, (integer(0),), Get(X, (AT,)), "add"),
            Store(OUT, (AT,), op("multiply", Lit(2.0, "f8"), Get(X, (AT,))), "add"),
        ))  # fmt: skip

    found = in_registers(made())
    assert any(isinstance(s, Accumulate) for s in walk(found.body))
    assert values(found, [1.0, 2.0, 4.0]) == values(made(), [1.0, 2.0, 4.0])


def test_memory_that_is_read_in_the_loop_is_no_register() -> None:
    k = kernel(over(
        Let(T, Get(OUT, (integer(0),))), Store(OUT, (integer(0),), Get(X, (AT,)), "add"),
    ))  # fmt: skip
    assert not any(isinstance(s, Accumulate) for s in walk(in_registers(k).body))


def nest(index: Any, value: Any) -> Kernel:
    j = Var("j")
    inner = For(j, integer(0), N, [Let(T, value(index(affine(j)))), Accumulate(V, "add", T)])
    return kernel(over(inner))


def test_a_function_of_an_argument_is_done_ahead_of_the_outer_loop() -> None:
    k = hoist(nest(lambda j: j, lambda j: op("exp", Get(X, (j,)))))
    ahead, outer = [s for s in k.body if isinstance(s, For)]
    assert any(isinstance(s, Store) for s in ahead.body)
    assert not any(isinstance(s, Let) and isinstance(s.value, Op) for s in walk(outer.body))


@pytest.mark.parametrize("index", [lambda j: minus(j, 1), lambda j: affine(ROW)])
def test_what_may_be_outside_or_changes_stays(index: Any) -> None:
    """An index that is tested in the loop must not be read before the loop."""
    k = hoist(nest(index, lambda at: op("exp", Get(X, (at,)))))
    (outer,) = [s for s in k.body if isinstance(s, For)]
    assert outer.body
