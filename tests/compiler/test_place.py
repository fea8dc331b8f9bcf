"""Writes in place beside loops over arrays: the array is read in every iteration, not where it begins."""

from __future__ import annotations

import ast
import operator
from typing import Any

import numpy as np
import pytest

from retrograd.compiler.analyses.aliasing.views_and_copies import is_view
from retrograd.compiler.emit.rebuild.statements import rebuild
from retrograd.compiler.ir.operations import Apply, Block, Const, Function, Loop, Value
from retrograd.compiler.ir.types import Array
from retrograd.compiler.passes.in_place.writes_in_place import place
from retrograd.compiler.pipeline import outer_names
from retrograd.runtime.helpers import linear

VECTOR = Array("float64", ("n",))
NUMBER = Array("float64", ())


def looping(through_view: bool) -> Function:
    """``y = 2 * x``; for every item ``v`` of ``y``, the last item of (another version of) it is ``v + 1``."""
    x, y, seen = Value("x", VECTOR), Value("y", VECTOR), Value("seen", VECTOR)
    z, made, left = Value("z", VECTOR), Value("z", VECTOR), Value("z", VECTOR)
    item, more, stack = Value("v", NUMBER), Value("more", NUMBER), Value("stack", VECTOR)
    doubled = Apply([y], None, operator.mul, (x, Const(2.0)))
    view = Apply([seen], None, operator.getitem, (y, slice(Const(None), Const(None), None)))
    add = Apply([more], None, operator.add, (item, Const(1.0)))
    path = ((Const(operator.getitem), Const(-1)),)
    write = Apply([made], None, linear.write, (z, path, more))
    loop = Loop([left, stack], None, [y], Block([Value("k"), z], [add, write], [made, more]))
    loop.bounds, loop.collects = (Const(0), Const(None), Const(1)), 1
    loop.feed(seen if through_view else y, False, item)
    ops = [doubled, *([view] if through_view else []), loop]
    assert is_view(view)
    return Function("f", Block([x], ops, [left, stack]), None, names=("x",))


def run(function: Function, x: Any) -> Any:
    built = rebuild(function, "f", {}, outer_names(function), flat=True)
    module = ast.fix_missing_locations(ast.Module([built.definition], []))
    namespace: dict[str, Any] = {"np": np}
    exec(compile(module, "<placed>", "exec"), namespace)
    return namespace["f"](x)


@pytest.mark.parametrize("through_view", [False, True])
def test_what_a_loop_reads_is_not_what_it_writes(through_view: bool) -> None:
    function = looping(through_view)
    function.facts.versions = True
    left, seen = run(place(function), np.array([1.0, 2.0, 3.0]))
    np.testing.assert_array_equal(left, [2.0, 4.0, 7.0])  # as if every write made a new array
    np.testing.assert_array_equal(seen, [3.0, 5.0, 7.0])
