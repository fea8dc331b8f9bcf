"""A program before and after one pass, as Python text: what the docstrings of the passes show."""

from __future__ import annotations

import ast
import itertools
import linecache
import math
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

from retrograd import runtime as rt
from retrograd.compiler import pipeline
from retrograd.compiler.differentiate.callee_derivatives import Derivatives, finished
from retrograd.compiler.emit.printer.printer import write
from retrograd.compiler.emit.rebuild.statements import rebuild
from retrograd.compiler.ir.operations import Function, reachable, walk
from retrograd.compiler.lowering.program import Program
from retrograd.compiler.passes import stages
from retrograd.compiler.passes.manager import run
from retrograd.compiler.passes.redundancy.inline_calls import splice
from retrograd.runtime.rules import all_rules
from retrograd.transforms.signatures.signature_text import parse_signature

__all__ = ["after", "in_gradient", "with_callees"]

assert all_rules is not None
Rewrite = Callable[[Function], Function]
numbers = itertools.count()


def after(source: str, signature: str, *passes: Rewrite, derivative: bool = False) -> None:
    """Print a program as ``passes`` leave it.

    ``derivative``: it stands for one that a transformation wrote; some passes change no others.

    >>> from retrograd.compiler.passes.redundancy.dead_code import eliminate
    >>> after("def f(x): y = np.exp(x); z = 2 * x; return z", "x: float", eliminate)
    def f(x):
        z = 2 * x
        return z
    """
    made = lowered(source, signature)
    for op in walk(made.body) if derivative else ():
        for value in (*op.results, *(p for block in op.blocks for p in block.params)):
            value.made = True
    print(text_of(ran(passes, made)))


def in_gradient(source: str, signature: str, *passes: Rewrite, kind: str = "grad") -> None:
    """Print the derivative of a program as it comes to ``passes`` on its way to a text, and as they leave it.

    >>> from retrograd.compiler.passes.arrays.cheaper_calls import respell
    >>> in_gradient("def f(x): return x * x", "x: float", respell)
    def f_grad(x):
        return 2 * x
    # becomes
    def f_grad(x):
        return 2.0 * x
    """
    before = list(passes_before(passes[0]))
    print(text_of(ran(before, derived(source, signature, kind))))
    print("# becomes")
    print(text_of(ran([*before, *passes], derived(source, signature, kind))))


def with_callees(source: str, signature: str, rewrite: Callable[[list[Function]], Any]) -> None:
    """Print a program and the functions that it calls, as they come to a pass of them all, and as it leaves them."""
    print(texts_of(lowered(source, signature)))
    print("# becomes")
    made = lowered(source, signature)
    rewrite(list(reachable(made)))
    print(texts_of(made))


def texts_of(root: Function) -> str:
    functions = pipeline.functions_of(root)
    alike = Counter(f.name for f in functions)
    for f in reversed(functions):
        alike[f.name] -= 1
        f.name = f"{f.name}_{alike[f.name] + 1}" if alike[f.name] else f.name
    return "\n".join(map(text_of, functions))


def ran(passes: Iterable[Rewrite], function: Function) -> Function:
    for each in passes:
        function = each(function)
    return function


def passes_before(rewrite: Rewrite) -> Iterator[Rewrite]:
    """The passes between a derivative and its text, up to the first that is ``rewrite``."""
    final = itertools.chain.from_iterable(stage.passes for stage in stages.FINAL)
    for each in (splice, with_finished_callees, *(one.rewrite for one in final if 2 in one.levels)):
        if plain(each) is plain(rewrite):
            return
        yield each
    raise ValueError(f"no stage runs {rewrite}")


def with_finished_callees(function: Function) -> Function:
    for callee in pipeline.functions_of(function)[:-1]:
        finished(callee.body)
        run((*stages.INNER, *stages.FINAL), callee)
    return function


def plain(rewrite: Rewrite) -> Any:
    return rewrite.func if isinstance(rewrite, partial) else rewrite


def lowered(source: str, signature: str) -> Function:
    return Program().root(function(source), parse_signature(signature))


def derived(source: str, signature: str, kind: str) -> Function:
    _, made = pipeline.lower(function(source), parse_signature(signature))
    return pipeline.derived(made, pipeline.Request(kind, (0,)), Derivatives())[0]


def function(source: str) -> Any:
    """The last function of a text, with a source that can be read."""
    code = textwrap.dedent(source).strip() + "\n"
    name = f"<example {next(numbers)}>"
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    names: dict[str, Any] = {"np": np, "math": math, "rt": rt, "__name__": "example"}
    exec(compile(code, name, "exec", dont_inherit=True), names)
    return names[code[code.rindex("def ") + 4 :].partition("(")[0]]


def text_of(function: Function) -> str:
    """The Python text of a function, whichever stage it is in, without the lines of the user's file."""
    names = {callee: callee.name for callee in reachable(function)}
    built = rebuild(function, function.name, names, pipeline.outer_names(function))
    tree = ast.fix_missing_locations(ast.Module([built.definition], []))
    return "\n".join(
        line.partition("  # line")[0].rstrip() for line in write(tree).strip().splitlines()
    )
