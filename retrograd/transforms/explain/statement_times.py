"""The times of a derivative's statements, in a run for example arguments.

The text is run with a clock around each simple statement and each head of a branch; what the clock itself takes
is measured beforehand and subtracted.  A loop's own work (its count, its items) is not told apart from what
stands in it.  The whole of a run is measured without clocks.
"""

from __future__ import annotations

import ast
import dataclasses
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.runtime.objects.pytree import leaves, map_leaves

from ..check.argument_copies import fresh, owner_of
from ..star_arguments import with_all

__all__ = ["Times", "clocked", "run_times"]

LONGEST = 2.0  # seconds of measuring
RUNS = 200


@dataclasses.dataclass(frozen=True)
class Times:
    """Seconds of one run: of all of it, and of the statements by their lines, with how often each ran."""

    whole: float
    by_line: dict[int, tuple[float, int]]
    runs: int
    kept: int  # bytes

    @property
    def words(self) -> str:
        return f"{seconds(self.whole)}, the mean of {self.runs} run{'s' * (self.runs > 1)}"

    def cell(self, line: int) -> str:
        """HTML for the line at which a statement begins."""
        if line not in self.by_line:
            return '<span class="time"></span>'
        took, times = self.by_line[line]
        share = took / (sum(t for t, _ in self.by_line.values()) or 1.0)
        often = f" in {times} runs of the line" if times != 1 else ""
        return (
            f'<span class="time" style="--share:{100 * share:.0f}%" title="{100 * share:.0f} % of the statements{often}">'
            f"{seconds(took)}</span>"
        )


def seconds(took: float) -> str:
    """
    >>> seconds(0.0000123), seconds(1.5)
    ('12.3 µs', '1.5 s')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if took >= size:
            return f"{took / size:.3g} {unit}"
    return f"{took / 1e-6:.3g} µs" if took >= 1e-7 else "< 0.1 µs"


def run_times(asked: Any, kind: str, sides: Any) -> Times | None:
    """The times of the derivative for the arguments of the example; None without any."""
    if asked.args is None:
        return None
    chain = asked.derivative(kind)
    outside = chain.module(asked.types).captured  # what the text finds in the program
    given, clocks = [*chain.bound, *asked.args], Clocks()
    plain = loaded(ast.parse(sides.text), outside)
    watched = loaded(clocked(ast.parse(sides.text)), {**outside, "clock__": clocks.tick})

    def call(scope: dict[str, Any]) -> Any:
        functions = [scope[name] for name in sides.names]
        if kind not in ("jvp", "vjp"):  # with the parameters that the program has
            functions = [with_all(chain.inner, functions[0])]
        return called(
            functions, fresh(given), [place.of(given) for place in chain.steps[-1].wrt], kind
        )

    call(plain)  # what is made at the first call is not counted
    call(watched)
    clocks.begin()
    whole, runs = mean(lambda: call(plain), LONGEST / 2)
    copies, _ = mean(lambda: fresh(given), LONGEST / 8)
    clocks.begin()
    _, watched_runs = mean(lambda: call(watched), LONGEST / 2)
    per_run = clocks.per_run(watched_runs)
    return Times(max(whole - copies, 0.0), per_run, runs, kept_bytes(asked))


def kept_bytes(asked: Any) -> int:
    """The memory that the forward pass hands on, beside the arguments."""
    made = asked.chain.then("vjp", asked.wrt, False).module(asked.types)
    given = fresh([*asked.chain.bound, *asked.args])
    scope = loaded(ast.parse(made.text), made.captured)
    saved = scope[made.names[0]](*given)[-1]
    known = {id(owner_of(x)) for x in leaves(given) if isinstance(x, np.ndarray)}
    total = 0
    for x in leaves(saved):
        owner = owner_of(x) if isinstance(x, np.ndarray) else x
        if id(owner) not in known or not isinstance(x, np.ndarray):
            known.add(id(owner))
            total += owner.nbytes if isinstance(owner, np.ndarray) else NUMBER
    return total


NUMBER = 8  # bytes of one, without Python's object around it


def called(functions: list[Any], given: list[Any], wanted: list[Any], kind: str) -> Any:
    """One run: a tangent is along ones, a cotangent is ones."""
    if kind == "jvp":
        return functions[0](*given, *map_leaves(ones, wanted))
    if kind == "vjp":
        forward, backward = functions
        *flat, saved = forward(*given)
        return backward(saved, *map_leaves(ones, flat))
    return functions[0](*given)


def ones(x: Any) -> Any:
    return type(x)(1) if isinstance(x, (float, complex)) else np.ones_like(x)


def loaded(tree: ast.Module, outside: dict[str, Any]) -> dict[str, Any]:
    scope: dict[str, Any] = {**outside, "__name__": "retrograd_timed"}
    exec(compile(tree, "<a derivative, timed>", "exec"), scope)
    return scope


def mean(run: Callable[[], Any], limit: float) -> tuple[float, int]:
    """The mean of the seconds of some runs, and how many there were."""
    begun, runs = time.perf_counter(), 0
    while runs < RUNS and (not runs or time.perf_counter() - begun < limit):
        run()
        runs += 1
    return (time.perf_counter() - begun) / runs, runs


# -- clocks -----------------------------------------------------------------------------------


class Clocks:
    """The seconds since the clock was last looked at, added to the line that they went to."""

    def __init__(self) -> None:
        self.own = self.cost()
        self.begin()

    def begin(self) -> None:
        self.spent: dict[int, float] = {}
        self.count: dict[int, int] = {}
        self.last = time.perf_counter()

    def tick(self, line: int) -> None:
        """Something ends that began at the last tick; 0: nothing that counts."""
        now = time.perf_counter()
        if line:
            self.spent[line] = self.spent.get(line, 0.0) + now - self.last
            self.count[line] = self.count.get(line, 0) + 1
        self.last = time.perf_counter()

    def cost(self) -> float:
        """The seconds of a tick around nothing."""
        self.begin()
        for _ in range(2000):
            self.tick(1)
        return self.spent[1] / 2000

    def per_run(self, runs: int) -> dict[int, tuple[float, int]]:
        return {
            line: (
                max(spent - self.own * self.count[line], 0.0) / runs,
                round(self.count[line] / runs),
            )
            for line, spent in self.spent.items()
        }


def clocked(tree: ast.Module) -> ast.Module:
    """The same module, with a clock around what its functions do.

    >>> print(ast.unparse(clocked(ast.parse("def f(x):\\n    y = x + x\\n    return y"))))
    def f(x):
        clock__(0)
        y = x + x
        clock__(2)
        value__ = y
        clock__(3)
        return value__
    """
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            node.body = [tick(0, node), *block(node.body)]
    return ast.fix_missing_locations(tree)


def tick(line: int, at: ast.stmt) -> ast.stmt:
    call = ast.Call(ast.Name("clock__", ast.Load()), [ast.Constant(line)], [])
    return ast.copy_location(ast.Expr(call), at)


def block(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    return [part for node in body for part in statement(node)]


def statement(node: Any) -> list[ast.stmt]:
    line = node.lineno
    if isinstance(node, ast.Return) and node.value is not None:
        kept = ast.copy_location(ast.Assign([ast.Name("value__", ast.Store())], node.value), node)
        node.value = ast.Name("value__", ast.Load())
        return [kept, tick(line, node), node]
    if isinstance(node, (ast.If, ast.While)):
        node.test = measured(node.test, line)
    inner = False
    for field in ("body", "orelse", "finalbody"):
        if getattr(node, field, None):
            inner = True
            setattr(node, field, [tick(0, node), *block(getattr(node, field))])
    if inner:
        return [tick(0, node), node, tick(0, node)]
    if isinstance(node, (ast.Break, ast.Continue, ast.Raise, ast.Pass)):
        return [node]
    return [node, tick(line, node)]


def measured(test: ast.expr, line: int) -> ast.expr:
    """``(test, clock__(line))[0]``."""
    call = ast.Call(ast.Name("clock__", ast.Load()), [ast.Constant(line)], [])
    return ast.Subscript(ast.Tuple([test, call], ast.Load()), ast.Constant(0), ast.Load())
