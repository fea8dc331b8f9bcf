"""The verifier accepts what the compiler makes, and catches each kind of broken IR."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from retrograd.compiler import pipeline
from retrograd.compiler.differentiate.callee_derivatives import Derivatives
from retrograd.compiler.ir.operations import (
    UNDEFINED,
    Apply,
    Block,
    Const,
    Function,
    If,
    Loop,
    Value,
    walk,
)
from retrograd.compiler.ir.verify import InvalidIR, verify
from retrograd.compiler.passes import stages
from retrograd.compiler.passes.manager import stage
from retrograd.runtime.errors import InternalError
from retrograd.runtime.helpers import linear

from ..golden_case import Case, cases

CASES = list(cases())


@pytest.mark.sampled(5)
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
@pytest.mark.parametrize("kind", ["grad", "value_and_grad", "jvp", "vjp"])
def test_every_golden_program_obeys_the_laws(case: Case, kind: str) -> None:
    types = case.chain.types(case.arguments())
    program, function = pipeline.lower(
        case.function, types, focus=[place for place in case.wrt if place.keys]
    )
    verify(function, "lowering")
    for callee in program.callees.values():
        verify(callee, "lowering")
    for made in pipeline.derived(function, pipeline.Request(kind, case.wrt, False), Derivatives()):
        for part in pipeline.functions_of(made):
            verify(part, kind)


def values(*names: str) -> list[Value]:
    return [Value(n) for n in names]


def of(*ops: Any, params: list[Value], yields: list[Any]) -> Function:
    return Function("f", Block(params, list(ops), yields), None)


def exp(x: Any, y: Value) -> Apply:
    return Apply([y], None, np.exp, (x,))


def read_before_written() -> Function:
    x, y, z = values("x", "y", "z")
    return of(exp(y, z), exp(x, y), params=[x], yields=[z])


def written_twice() -> Function:
    x, y = values("x", "y")
    return of(exp(x, y), exp(x, y), params=[x], yields=[y])


def out_of_scope() -> Function:
    x, y, z = values("x", "y", "z")
    inner = If([], None, x, Block([], [exp(x, y)], []), Block())
    return of(inner, exp(y, z), params=[x], yields=[z])


def other_branch() -> Function:
    x, y, z, r = values("x", "y", "z", "r")
    op = If([r], None, x, Block([], [exp(x, y)], [y]), Block([], [exp(y, z)], [z]))
    return of(op, params=[x], yields=[r])


def uneven_branches() -> Function:
    x, r = values("x", "r")
    return of(If([r], None, x, Block([], [], [x]), Block([], [], [])), params=[x], yields=[r])


def unbound_read() -> Function:
    x, y = values("x", "y")
    return of(exp(UNDEFINED, y), params=[x], yields=[y])


def counted(body: Block, inits: list[Any], results: list[Value], **extra: Any) -> Loop:
    return Loop(results, None, inits, body, bounds=(Const(0), Const(3), Const(1)), **extra)


def missing_index() -> Function:
    x, p, r = values("x", "p", "r")
    return of(counted(Block([p], [], [p]), [x], [r]), params=[x], yields=[r])


def missing_yield() -> Function:
    x, i, p, r = values("x", "i", "p", "r")
    return of(counted(Block([i, p], [], []), [x], [r]), params=[x], yields=[r])


def missing_stack() -> Function:
    x, i, p, r = values("x", "i", "p", "r")
    return of(counted(Block([i, p], [], [p, p]), [x], [r], collects=1), params=[x], yields=[r])


def missing_stop() -> Function:
    x, i, p, r = values("x", "i", "p", "r")
    return of(counted(Block([i, p], [], [p]), [x], [r], stops=True), params=[x], yields=[r])


def neither_bounds_nor_condition() -> Function:
    x, p, r = values("x", "p", "r")
    return of(Loop([r], None, [x], Block([p], [], [p])), params=[x], yields=[r])


def condition_reads_the_body() -> Function:
    x, p, q, y, r = values("x", "p", "q", "y", "r")
    loop = Loop([r], None, [x], Block([p], [exp(p, y)], [y]), cond=Block([q], [], [y]))
    return of(loop, params=[x], yields=[r])


def added(buffer: Any, result: Value) -> Apply:
    return Apply([result], None, operator.iadd, (buffer, Const(1.0)))


def buffer_read_after() -> Function:
    x, b, c, d = values("x", "b", "c", "d")
    return of(exp(x, b), added(b, c), exp(b, d), params=[x], yields=[c, d])


def buffer_returned() -> Function:
    x, b, c = values("x", "b", "c")
    return of(exp(x, b), added(b, c), params=[x], yields=[b, c])


def buffer_read_after_a_branch() -> Function:
    x, b, c, d = values("x", "b", "c", "d")
    op = If([], None, x, Block([], [added(b, c)], []), Block())
    return of(exp(x, b), op, exp(b, d), params=[x], yields=[d])


def buffer_of_outside_a_loop() -> Function:
    x, b, c, i = values("x", "b", "c", "i")
    return of(exp(x, b), counted(Block([i], [added(b, c)], []), [], []), params=[x], yields=[])


def index_added() -> Function:
    x, b, c, d = values("x", "b", "c", "d")
    op = Apply([c], None, linear.index_add, (b, Const(0), x))
    return of(exp(x, b), op, exp(b, d), params=[x], yields=[d])


BROKEN: dict[Callable[[], Function], str] = {
    read_before_written: "exp reads `y`, which is not defined here",
    written_twice: "`y` is written twice",
    out_of_scope: "exp reads `y`, which is not defined here",
    other_branch: "exp reads `y`, which is not defined here",
    uneven_branches: "if has 0 yields instead of 1",
    unbound_read: "exp reads a name that is not bound",
    missing_index: "loop has 1 parameters instead of 2",
    missing_yield: "loop has 0 yields instead of 1",
    missing_stack: "loop has 1 results instead of 2",
    missing_stop: "loop has 1 yields instead of 2",
    neither_bounds_nor_condition: "either bounds or a condition",
    condition_reads_the_body: "a yield reads `y`, which is not defined here",
    buffer_read_after: "exp reads `b`, a buffer that was added to in place",
    buffer_returned: "a yield reads `b`, a buffer",
    buffer_read_after_a_branch: "exp reads `b`, a buffer",
    buffer_of_outside_a_loop: "a loop adds to `b` in place, which was made outside it",
    index_added: "exp reads `b`, a buffer",
}


@pytest.mark.parametrize("make", BROKEN, ids=lambda make: make.__name__)
def test_broken_programs_are_caught(make: Callable[[], Function]) -> None:
    with pytest.raises(InvalidIR, match="f, after a pass: ") as caught:
        verify(make(), "a pass")
    assert BROKEN[make] in str(caught.value)


def test_a_spent_buffer_that_is_replaced_is_fine() -> None:
    x, b, c, d, i, p, q, r = values("x", "b", "c", "d", "i", "p", "q", "r")
    loop = counted(Block([i, p], [added(p, q)], [q]), [c], [r])
    verify(of(exp(x, b), added(b, c), loop, exp(r, d), params=[x], yields=[d]))


def test_the_pipeline_verifies_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(function: Function) -> Function:
        for op in walk(function.body):
            op.results.append(op.results[0])
            break
        return function

    monkeypatch.setattr(stages, "MAIN", (stage("unify", broken), *stages.MAIN))
    case = next(case for case in CASES if case.name == "logistic_regression")
    monkeypatch.setenv("RETROGRAD_VERIFY", "1")
    with pytest.raises(InternalError, match="after unify"):
        case.generate()
