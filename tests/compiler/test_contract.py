"""Sums of scaled rows as matrix products, and factors put back into sums: where, and where not."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.analyses.shapes import register_all  # noqa: F401
from retrograd.compiler.ir.operations import Apply, Block, Const, Function, Loop, Value, walk
from retrograd.compiler.ir.types import Array, Dim, Number
from retrograd.compiler.ir.verify import verify
from retrograd.compiler.passes.arrays.matrix_products import contract
from retrograd.compiler.passes.arrays.regroup_sums import regroup
from retrograd.compiler.simplify.builder import Builder
from retrograd.runtime.rules import all_rules  # noqa: F401

N, K, D = (Dim(name, above_one=True) for name in "nkd")
ALL, NEW = slice(None), Const(None)


def array(name: str, *dims: Any, dtype: str = "float64") -> Value:
    return Value(name, Array(dtype, dims, "f"))


def op(fn: Any, *args: Any, dims: Any, dtype: str = "float64", made: bool = True) -> Apply:
    result = Value(None, Array(dtype, dims, "f"))
    result.made = made
    return Apply([result], None, fn, args)


def of(params: list[Value], ops: list[Any], result: Value) -> Function:
    function = Function("f", Block(params, ops, [result]), None)
    verify(function)
    return function


def called(function: Function) -> list[str]:
    verify(function)
    return [o.fn.__name__ for o in walk(function.body) if isinstance(o, Apply)]


def scaled_rows(
    weights: tuple[Any, ...] = (N,), rows: tuple[Any, ...] = (N, D), **options: Any
) -> Function:
    """``np.add.reduce(p[..., None] * x)``; the sum ``made`` by a transformation or not."""
    dtype = options.get("dtype", "float64")
    p, x = array("p", *weights, dtype=dtype), array("x", *rows, dtype=dtype)
    column = op(operator.getitem, p, (*[ALL] * len(weights), NEW), dims=(*weights, 1), dtype=dtype)
    product = op(operator.mul, column.result, x, dims=rows, dtype=dtype)
    total = op(
        np.add.reduce, product.result, dims=rows[1:], dtype=dtype, made=options.get("made", True)
    )
    return of([p, x], [column, product, total], total.result)


@pytest.mark.parametrize(("weights", "rows"), [((N,), (N, D)), ((N, K), (N, K, D))])
def test_a_sum_of_scaled_rows_is_a_matrix_product(weights: Any, rows: Any) -> None:
    function = contract(scaled_rows(weights, rows))
    assert {"matmul", "einsum"} & {*called(function)}
    assert "reduce" not in called(function)
    assert function.body.yields[0].type == Array("float64", rows[1:], "f")


def test_the_users_own_sum_stays() -> None:
    assert called(contract(scaled_rows(made=False)))[-1] == "reduce"


@pytest.mark.parametrize(
    ("weights", "rows"),
    [
        ((1,), (N, D)),  # stretched along the sum
        ((Dim("m"),), (N, D)),  # perhaps stretched
        ((1, K), (N, K, D)),
        ((N, K), (N, None, D)),
        ((None,), (None, D)),
    ],
)
def test_sizes_that_may_differ_stay(weights: Any, rows: Any) -> None:
    assert called(contract(scaled_rows(weights, rows)))[-1] == "reduce"


def test_single_precision_stays() -> None:
    assert called(contract(scaled_rows(dtype="float32")))[-1] == "reduce"


def test_memory_that_is_written_in_between_stays() -> None:
    p, x, c = array("p", N), array("x", N, D), array("c", N, D)
    column = op(operator.getitem, p, (ALL, NEW), dims=(N, 1))
    product = op(operator.mul, column.result, x, dims=(N, D))
    written = op(operator.iadd, x, c, dims=(N, D))
    total = op(np.add.reduce, product.result, dims=(D,))
    both = op(operator.matmul, written.result, total.result, dims=(N,))
    function = of([p, x, c], [column, product, written, total, both], both.result)
    assert called(contract(function)) == ["getitem", "mul", "iadd", "reduce", "matmul"]


def product_with_sum(**options: Any) -> Function:
    """``r = d * e`` and ``e * np.add.reduce(d * c)``."""
    factor = options.get("factor", (K, D))
    d, e, c = array("d", N, K, D), array("e", *factor), array("c", N, K, D)
    r = op(operator.mul, d, e, dims=(N, K, D), made=False)
    dc = op(operator.mul, d, c, dims=(N, K, D))
    total = op(np.add.reduce, dc.result, dims=(K, D))
    bar = op(operator.mul, e, total.result, dims=options.get("result", (K, D)))
    result = op(operator.add, bar.result, options.get("also", r.result), dims=(N, K, D))
    ops = [r, dc, total, bar, result]
    if options.get("shared"):
        again = op(operator.sub, result.result, total.result, dims=(N, K, D))
        return of([d, e, c], [*ops, again], again.result)
    return of([d, e, c], ops, result.result)


def test_a_factor_goes_back_into_a_sum() -> None:
    function = regroup(product_with_sum())
    r, *_, product, total, result = function.body.ops
    assert isinstance(product, Apply)
    assert product.args == (r.results[0], function.body.params[2])
    assert result.args[0] is total.results[0]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "options",
    [
        {"factor": (N, K, D), "result": (N, K, D)},  # varies along the sum
        {"shared": True},  # the sum is needed as it is
    ],
)
def test_other_factors_stay_outside(options: dict[str, Any]) -> None:
    function = product_with_sum(**options)
    before = list(function.body.ops)
    assert regroup(function).body.ops == before


def test_no_sum_goes_into_a_loop() -> None:
    function = product_with_sum()
    bar = function.body.ops[3]
    e = function.body.params[1]
    carried, after = array("s", K, D), array("s", K, D)
    body = Block([Value("i", Number("i")), carried], [bar], [bar.results[0]])
    bounds = (Const(0), Const(3), Const(1))
    loop = Loop([after], None, [e], body, bounds=bounds)
    r, dc, total = function.body.ops[:3]
    function = of(function.body.params, [r, dc, total, loop], after)
    assert called(regroup(function)) == ["mul", "mul", "reduce", "mul"]


def test_memory_does_not_go_back_into_a_sum() -> None:
    function = product_with_sum()
    r, dc, total, bar, _ = function.body.ops
    d, _, c = function.body.params
    written = op(operator.iadd, c, d, dims=(N, K, D))
    result = op(operator.add, bar.results[0], written.result, dims=(N, K, D))
    function = of(function.body.params, [r, dc, total, written, bar, result], result.result)
    assert called(regroup(function)) == ["mul", "mul", "reduce", "iadd", "mul", "add"]


def text_of(f: Any, wrt: Any, *args: Any) -> str:
    """The gradient's text; it is right to the second order, and the value is untouched."""
    value, _ = rg.value_and_grad(f, wrt=wrt)(*args)
    assert value == f(*args)
    rg.check_grads(f, args, order=2)
    return rg.differentiate(f, wrt=wrt).source("grad", *args)


def distances(w: Any, s: Any, x: Any) -> Any:
    d = (x - w) * np.exp(s)
    return np.sum(np.sqrt(np.sum(d * d, axis=1)))


def test_no_scaled_rows_are_written_down() -> None:
    rng = np.random.default_rng(0)
    text = text_of(
        distances, (0, 1), rng.normal(size=3), rng.normal(size=3), rng.normal(size=(5, 3))
    )
    assert "s_bar = 2.0 * (sum_bar @ d_d)" in text
    assert "w_bar = -(2.0 * (sum_bar @ d) * exp_s)" in text


def mixture(mu: Any, sigma: Any, x: Any) -> Any:
    r = (x[:, None, :] - mu) / sigma
    return np.sum(np.log(np.sum(np.exp(-0.5 * np.sum(r**2, axis=2)), axis=1)))


@pytest.mark.parametrize("n", [1, 2, 7])
def test_divisors_come_after_the_product(n: int) -> None:
    rng = np.random.default_rng(n)
    mu, sigma = rng.normal(size=(4, 3)), np.exp(rng.normal(size=(4, 3)))
    text = text_of(mixture, (0, 1), mu, sigma, rng.normal(size=(n, 3)))
    if n > 1:
        assert 'np.einsum("ij,ijk->jk", mul_bar, r) / sigma' in text


def weighed(c: Any, x: Any) -> Any:
    rows = np.sum(c[:, None] * x, axis=0)
    return np.sum(rows * rows)


def test_the_value_is_computed_as_it_is_written() -> None:
    rng = np.random.default_rng(1)
    c, x = rng.normal(size=1000), rng.normal(size=(1000, 4))
    assert rg.value_and_grad(weighed, wrt=(0, 1))(c, x)[0] == weighed(c, x)
    text = rg.differentiate(weighed, wrt=(0, 1)).source("value_and_grad", c, x)
    assert "np.sum(c[:, None] * x, axis=0)" in text or "np.sum(c_part * x" in text


def test_signs_under_new_axes_become_differences() -> None:
    b, v = Builder(Block()), array("v", N)
    minus = b.emit(operator.getitem, b.emit(operator.neg, v), (ALL, NEW))
    b.apply(operator.add, array("a", N, D), minus)
    last = b.block.ops[-1]
    assert isinstance(last, Apply)
    assert last.fn is operator.sub
    picked = b.emit(operator.getitem, b.emit(operator.neg, v), Const(0))
    assert b.defs[b.apply(operator.add, array("a", N), picked)].fn is operator.add  # type: ignore[index]
