"""Comprehensions: by their items, or by a loop that appends."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...loop_ir.values import Items
from ...refusal import Unsupported
from ..growing_lists import new_tape
from ..handlers import reads_expression
from ..iterations import iteration, steps_of
from ..reader import Reader
from ..values import Iteration
from .assignments import assign, bound
from .expressions import evaluate
from .loops import loop


@reads_expression(ast.ListComp, ast.GeneratorExp)
def comprehension(r: Reader, node: ast.ListComp | ast.GeneratorExp) -> Any:
    """A list by its items, or, if they are many, by a loop that appends."""
    if len(node.generators) != 1 or node.generators[0].is_async:
        raise Unsupported("a comprehension of several loops")
    (over,) = node.generators
    outer = dict(r.env)
    source = iteration(r, evaluate(r, over.iter))
    if source.static:
        values = one_by_one(r, node, source)
        r.env = outer
        return Items(tuple(values), kind="list")
    name = r.fresh("items").name
    r.env[name] = new_tape(r, id(node))
    r.env[f"{name}_source"] = source
    attribute_ = ast.Attribute(ast.Name(name, ast.Load()), "append", ast.Load())
    body: list[ast.stmt] = [ast.Expr(ast.Call(attribute_, [node.elt], []))]
    for test in reversed(over.ifs):
        body = [ast.If(test, body, [])]
    made = ast.For(over.target, ast.Name(f"{name}_source", ast.Load()), body, [])
    loop(r, ast.fix_missing_locations(made), {name})
    found = r.env[name]
    r.env = outer
    return found


def one_by_one(
    r: Reader, node: ast.ListComp | ast.GeneratorExp, source: Iteration
) -> Iterator[Any]:
    """The items of a comprehension over what is known one by one."""
    (over,) = node.generators
    for k, element in enumerate(steps_of(source)):
        assign(r, over.target, element)
        with r.below(k):
            tests = [r.truth(evaluate(r, test)) for test in over.ifs]
            if not all(isinstance(test, bool) for test in tests):
                raise Unsupported("a comprehension whose length is not known")
            found = bound(r, evaluate(r, node.elt), "item") if all(tests) else None
        if found is not None:
            yield found
