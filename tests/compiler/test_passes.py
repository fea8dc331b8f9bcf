"""Passes: what a program is before and after each of them."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest

from retrograd.compiler.ir.operations import Apply, Block, Const, Function, If, Loop, Value, walk
from retrograd.compiler.ir.types import Array, Dim, Number
from retrograd.compiler.ir.verify import verify
from retrograd.compiler.passes.redundancy.common_subexpressions import share
from retrograd.compiler.passes.redundancy.dead_code import eliminate
from retrograd.compiler.passes.redundancy.unify_dimensions import unify
from retrograd.compiler.simplify.builder import Builder, products_of
from retrograd.runtime.helpers import linear
from retrograd.runtime.rules import all_rules  # noqa: F401

FLOAT = Number("f")


def number(name: str) -> Value:
    return Value(name, FLOAT)


def array(name: str, *dims: Any) -> Value:
    return Value(name, Array("float64", dims, "f"))


def op(fn: Any, *args: Any, into: Value | None = None, **kwargs: Any) -> Apply:
    return Apply([into if into is not None else number("t")], None, fn, args, kwargs)


def of(params: list[Value], ops: list[Any], yields: list[Any]) -> Function:
    function = Function("f", Block(params, ops, yields), None)
    verify(function)
    return function


def called(function: Function) -> list[str]:
    """The operations left, in order."""
    names = []
    for o in walk(function.body):
        known = o.fn if isinstance(o, Apply) else type(o)
        names.append(known if isinstance(known, str) else known.__name__.lower())
    verify(function)
    return names


# -- dead code -------------------------------------------------------------------------------


def test_what_nobody_reads_goes() -> None:
    x = number("x")
    a, b = op(np.exp, x), op(np.sin, x)
    c = op(np.cos, a.result)
    assert called(eliminate(of([x], [a, b, c], [b.result]))) == ["sin"]


def test_effects_stay_with_what_they_read() -> None:
    x = number("x")
    a = op(np.exp, x)
    shown = Apply([Value(None)], None, print, (a.result,), effect=True)
    assert called(eliminate(of([x], [a, shown], [x]))) == ["exp", "print"]


def test_a_dead_result_of_a_branch_goes() -> None:
    x, r, s = number("x"), number("r"), number("s")
    a, b, c, d = (op(fn, x) for fn in (np.exp, np.sin, np.cos, np.tan))
    branch = If(
        [r, s],
        None,
        x,
        Block([], [a, b], [a.result, b.result]),
        Block([], [c, d], [c.result, d.result]),
    )
    function = eliminate(of([x], [branch], [s]))
    assert called(function) == ["if", "sin", "tan"]
    assert branch.results == [s]
    function.body.yields = [x]
    assert called(eliminate(function)) == []


def counted(carried: int, body: Any, inits: list[Any]) -> Loop:
    params = [Value("i", Number("i")), *[number(f"p{k}") for k in range(carried)]]
    ops, yields = body(*params)
    results = [number(f"r{k}") for k in range(carried)]
    return Loop(
        results, None, inits, Block(params, ops, yields), bounds=(Const(0), Const(3), Const(1))
    )


def test_a_carried_value_that_only_feeds_itself_goes() -> None:
    x = number("x")

    def body(i: Value, p: Value, q: Value) -> Any:
        a, b = op(np.exp, p), op(np.sin, q)
        return [a, b], [a.result, b.result]

    loop = counted(2, body, [x, x])
    function = eliminate(of([x], [loop], [loop.results[1]]))
    assert called(function) == ["loop", "sin"]
    assert len(loop.inits) == 1


def test_a_carried_value_that_another_reads_stays() -> None:
    x = number("x")

    def body(i: Value, p: Value, q: Value) -> Any:
        a, b = op(np.exp, p), op(operator.add, q, p)
        return [a, b], [a.result, b.result]

    loop = counted(2, body, [x, x])
    assert called(eliminate(of([x], [loop], [loop.results[1]]))) == ["loop", "exp", "add"]


# -- common subexpressions --------------------------------------------------------------------


def test_equal_pure_operations_are_computed_once() -> None:
    x = number("x")
    a, b = op(np.exp, x), op(np.exp, x)
    c = op(operator.add, a.result, b.result)
    function = share(of([x], [a, b, c], [c.result]))
    assert called(function) == ["exp", "add"]
    assert c.args == (a.result, a.result)


@pytest.mark.parametrize(("one", "two"), [(1, 1.0), (1, True), (0.0, -0.0), (2.0, 2.5)])
def test_constants_that_only_look_equal_are_kept_apart(one: Any, two: Any) -> None:
    x = number("x")
    a, b = op(operator.mul, x, Const(one)), op(operator.mul, x, Const(two))
    c = op(operator.sub, a.result, b.result)
    assert called(share(of([x], [a, b, c], [c.result]))) == ["mul", "mul", "sub"]


def test_memory_is_never_shared() -> None:
    x = array("x", 3)
    a, b = (op(linear.zeros_like, x, into=array(n, 3)) for n in "ab")
    assert called(share(of([x], [a, b], [a.result, b.result]))) == ["zeros_like", "zeros_like"]


def test_a_branch_does_not_lend_to_what_follows() -> None:
    x, r = number("x"), number("r")
    a, b, c = op(np.exp, x), op(np.exp, x), op(np.exp, x)
    branch = If([r], None, x, Block([], [a], [a.result]), Block([], [b], [b.result]))
    d = op(operator.add, r, c.result)
    assert called(share(of([x], [branch, c, d], [d.result]))) == ["if", "exp", "exp", "exp", "add"]
    e, f = op(np.exp, x), op(np.exp, x)
    inner = If([number("r")], None, x, Block([], [f], [f.result]), Block([], [], [x]))
    assert called(share(of([x], [e, inner], [e.result, inner.results[0]]))) == ["exp", "if"]


# -- algebra ------------------------------------------------------------------------------------


def simplified(fn: Any, *args: Any, **kwargs: Any) -> Any:
    return Builder(Block()).apply(fn, *args, **kwargs)


N = Dim("n", above_one=True)
M = Dim("m", above_one=True)
V, W, U = array("v", N), array("w", N), array("u", N)
A = array("a", M, N)
K = number("k")
INT = Value("j", Number("i"))


@pytest.mark.parametrize(
    ("fn", "args", "want"),
    [
        (operator.mul, (Const(1.0), V), V),
        (operator.mul, (V, Const(1.0)), V),
        (operator.add, (Const(0.0), V), V),
        (operator.sub, (V, Const(0.0)), V),
        (operator.truediv, (V, Const(1.0)), V),
        (operator.pow, (V, Const(1)), V),
        (linear.unbroadcast, (V, W), V),
        (np.conj, (V,), V),
    ],
)
def test_what_changes_nothing_is_left_out(fn: Any, args: Any, want: Value) -> None:
    assert simplified(fn, *args) is want


@pytest.mark.parametrize("fn", [operator.mul, operator.truediv])
def test_an_integer_times_a_float_one_stays(fn: Any) -> None:
    assert simplified(fn, INT, Const(1.0)) is not INT


def test_sums_over_stretched_axes_stay() -> None:
    for c, like in ((A, V), (A, K), (V, array("s", 1)), (V, array("u", None))):
        assert simplified(linear.unbroadcast, c, like) is not c


def test_signs_move_out() -> None:
    b = Builder(Block())
    minus = b.apply(operator.neg, V)
    assert b.apply(operator.neg, minus) is V
    b.apply(operator.add, W, minus)
    last = b.block.ops[-1]
    assert isinstance(last, Apply)
    assert (last.fn, last.args) == (operator.sub, (W, V))
    assert b.apply(operator.neg, Const(2.0)).value == -2.0
    assert b.apply(operator.mul, Const(2.0), Const(3.0)).value == 6.0


def products_known(*pairs: tuple[Value, Value]) -> tuple[Builder, list[Value]]:
    """A builder that knows the products of these pairs, which a function has made."""
    body = Block([V, W, U])
    b = Builder(body)
    made = [b.emit(operator.mul, *pair) for pair in pairs]
    made_into = Builder(Block(), defs=b.defs)
    made_into.products.update(products_of(body))
    return made_into, made


def last_of(b: Builder) -> tuple[Any, tuple[Any, ...]]:
    op = b.block.ops[-1]
    assert isinstance(op, Apply)
    return op.fn, op.args


def test_a_product_that_is_there_is_used_again() -> None:
    b, (r,) = products_known((V, W))
    b.apply(operator.mul, V, b.apply(operator.mul, U, W))
    assert last_of(b) == (operator.mul, (r, U))


def test_products_of_one_another_come_to_an_end() -> None:
    b, (vw, wu, uv) = products_known((V, W), (W, U), (U, V))
    for one, two in ((vw, U), (wu, V), (uv, W), (U, vw)):
        b.apply(operator.mul, one, two)
        assert last_of(b) == (operator.mul, (one, two))


def test_a_product_of_another_region_is_not_at_hand() -> None:
    inner = Block()
    Builder(inner).emit(operator.mul, V, W)
    body = Block([V, W], [If([], None, K, inner, Block())])
    assert dict(products_of(body)) == {}


def test_roots_and_factors_of_quotients_cancel() -> None:
    b = Builder(Block())
    s = b.emit(np.sqrt, V)
    c = b.apply(operator.mul, W, b.apply(operator.truediv, U, s))
    found = b.apply(operator.truediv, c, b.apply(operator.mul, Const(2), s))
    *_, product, twice, quotient = b.block.ops
    assert isinstance(product, Apply)
    assert isinstance(twice, Apply)
    assert isinstance(quotient, Apply)
    assert (product.fn, product.args) == (operator.mul, (W, U))
    assert (twice.fn, twice.args[1]) == (operator.mul, V)
    assert quotient.args == (product.result, twice.result)
    assert b.apply(operator.mul, Const(2), found) is b.block.ops[-1].results[0]
    assert last_of(b) == (operator.truediv, (product.result, V))


# -- dimensions -----------------------------------------------------------------------------------


def test_sizes_that_must_be_equal_become_one_name() -> None:
    w, x, y = (
        array("w", Dim("e", True)),
        array("x", Dim("n", True), Dim("d", True)),
        array("y", Dim("m", True)),
    )
    p, r = array("p", Dim("n", True)), array("r", None)
    function = of(
        [w, x, y], [op(operator.matmul, x, w, into=p), op(operator.sub, p, y, into=r)], [r]
    )
    unify(function)
    assert w.type.dims[0] == x.type.dims[1]
    assert y.type.dims[0] == x.type.dims[0]
    assert x.type.dims[0] != x.type.dims[1]


def test_sizes_in_a_branch_prove_nothing() -> None:
    x, y, r = array("x", Dim("n", True)), array("y", Dim("m", True)), array("r", None)
    inner = array("s", None)
    branch = If(
        [r], None, x, Block([], [op(operator.add, x, y, into=inner)], [inner]), Block([], [], [x])
    )
    unify(of([x, y], [branch], [r]))
    assert x.type.dims != y.type.dims


def test_a_size_that_may_be_one_is_not_equal() -> None:
    x, y, r = array("x", Dim("n", True)), array("y", Dim("m")), array("r", None)
    unify(of([x, y], [op(operator.add, x, y, into=r)], [r]))
    assert x.type.dims != y.type.dims
