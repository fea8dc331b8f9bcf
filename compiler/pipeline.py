"""The order of everything: from a Python function to the text of its derivative."""

from __future__ import annotations

import types
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.rules import all_rules

from .analyses.complex_roots import may_turn_complex
from .analyses.late_objects import take_snapshots
from .analyses.library_names import enter_root, is_method, name_of
from .analyses.module_objects import keep_in_order, puts
from .analyses.shapes import register_all  # noqa: F401
from .analyses.sparse_matrices import mark_sparse
from .differentiate.batching.batch import in_directions, quicker_alone
from .differentiate.callee_derivatives import Derivatives, finished
from .differentiate.forward import push_forward
from .differentiate.opaque_calls import taped_calls
from .differentiate.outputs import gradient_results, seed_params, tangent_results, value_tree
from .differentiate.part_of_argument import focused, paths_to
from .differentiate.residuals.residuals import keep
from .differentiate.reverse import reverse
from .differentiate.scalar_check import check_result
from .driver.times import timed
from .emit.module_text import Committed, module_text
from .emit.rebuild.statements import rebuild
from .ir.argument_path import Place
from .ir.operations import (
    Apply,
    Const,
    Function,
    Value,
    callees_of,
    operands_of,
    reachable,
    walk,
)
from .ir.primitives import Primitive
from .ir.verify import checked
from .lowering.program import Program
from .lowering.words import enter_words
from .passes import stages
from .passes.in_place.order_stores import stores_last
from .passes.manager import run
from .passes.redundancy.inline_calls import splice
from .simplify import scipy
from .simplify.builder import mentions_complex
from .user_rules.words import UserWords

__all__ = ["Request", "Text", "gradient", "lower", "pushforward", "text_of"]

enter_words(UserWords())


@dataclass(frozen=True)
class Request:
    """What to derive: ``kind`` is grad, value_and_grad, vjp, jvp, tangent, pushes or pulls; ``wrt`` are places."""

    kind: str
    wrt: tuple[int | Place, ...]
    single: bool = True

    @property
    def places(self) -> list[Place]:
        return [k if isinstance(k, Place) else Place(k) for k in self.wrt]


@dataclass
class Text:
    """A generated module: its text, its main functions, what it needs injected."""

    text: str
    names: list[str]
    captured: dict[str, Any] = field(default_factory=dict)
    program: Program | None = None
    function: Function | None = None
    taped: list[tuple[str, int, str]] = field(default_factory=list)


@timed("lowering")
def lower(
    fn: Any,
    types: dict[str, Any],
    unwrap: Any = None,
    tape: bool = True,
    focus: Sequence[Place] = (),
    wrt: Iterable[int] | None = None,
) -> tuple[Program, Function]:
    """A Python function as structured SSA.

    ``focus``: parts that are differentiated by themselves; ``wrt``: the parameters that are, None for any.
    """
    assert all_rules is not None  # every family of NumPy is registered
    scipy.enter()
    program = Program() if unwrap is None else Program(unwrap)
    program.tape = tape
    program.focused = paths_to(focus, fn)
    program.wrt = None if wrt is None else frozenset(wrt)
    function = checked(program.root(fn, types), "lowering")
    for made in (function, *program.callees.values()):
        run(stages.LOWERED, made)
    keep_in_order([function, *program.callees.values()], program.taken)
    take_snapshots([function, *program.callees.values()])
    function = run(stages.MAIN, function)
    for callee in program.callees.values():
        run(stages.CALLEES, callee)
    return program, function


def gradient(function: Function, request: Request, derive: Derivatives) -> Function:
    """The function that returns the gradient (and perhaps the value) of a scalar function."""
    check_result(function)
    focus = focused(function, request.places)
    wrt = focus.wrt
    made = reverse(focus.function, wrt, derive, unit=True)
    keep(made.backward, made.mirrors, made.bars, made.forward.body, made.frugal)
    body = made.forward.body
    values = list(body.yields) if request.kind == "value_and_grad" else []
    body.ops = body.ops + made.backward.ops
    bars = gradient_results(body, made, wrt, focus.function.body.params)
    focus.restore(body)
    body.yields = [*values, *bars]
    tree = value_tree(function.tree if values else None, len(bars), request.single)
    return complete(function, made.forward, tree, f"{function.name.rstrip('_')}_{request.kind}")


@timed("differentiation")
def derived(function: Function, request: Request, derive: Derivatives) -> list[Function]:
    """One transformation: the functions it makes (two for a split pullback)."""
    whole = list(reachable(function))
    mark_sparse(whole)
    program = [op for f in whole for op in walk(f.body) if isinstance(op, Apply)]
    derive.program = program if any(map(puts, program)) else []
    derive.may_be_complex |= any(mentions_complex(f.body) for f in whole)
    derive.may_be_complex |= may_turn_complex(whole, request.kind not in ("grad", "value_and_grad"))
    if request.kind in ("grad", "value_and_grad"):
        return [gradient(function, request, derive)]
    if request.kind == "jvp":
        return [pushforward(function, request, derive)]
    if request.kind == "pull":
        return [pullback(function, request, derive)]
    if request.kind == "tangent":
        return [tangents_only(function, pushforward(function, request, derive))]
    if request.kind in ("pushes", "pulls"):
        return [in_sweeps(function, request, derive)]
    return halves(function, request, derive)


def tangents_only(function: Function, made: Function) -> Function:
    """A derived function without the values of ``function``, and without what only they need."""
    made.body.yields = made.body.yields[len(function.body.yields) :]
    made.tree = made.tree.items[1]
    made.name = f"{function.name}_tangent"
    return run(stages.DERIVED, made)


def in_sweeps(function: Function, request: Request, derive: Derivatives) -> Function:
    """The tangents (``pushes``) or the gradients (``pulls``) of k directions at once."""
    made = (pushforward if request.kind == "pushes" else pullback)(function, request, derive)
    made = tangents_only(function, made)
    few = quicker_alone(made.body, again=request.kind == "pushes")
    made = in_directions(made, made.body.params[len(function.body.params) :])
    made.name = f"{function.name}_{request.kind}"
    made.facts.few, made.facts.value_tree = few, function.tree
    return run(stages.DERIVED, checked(made, "directions"))


def halves(function: Function, request: Request, derive: Derivatives) -> list[Function]:
    """The forward and the backward half of a pullback, to be called apart."""
    focus = focused(function, request.places)
    active = tuple(p in focus.wrt for p in focus.function.body.params)
    pair = derive.pair(focus.function, active, (True,) * len(function.body.yields), own=True)
    focus.restore(pair.forward.body)
    for half in (pair.forward, pair.backward):
        finished(stores_last(half).body)
        run(stages.DERIVED, half)
    pair.forward.names = tuple(str(p.hint) for p in pair.forward.body.params)
    pair.forward.facts.value_tree = function.tree
    return [pair.forward, pair.backward]


def pullback(function: Function, request: Request, derive: Derivatives) -> Function:
    """The function that takes cotangents of the results and returns value and gradients."""
    focus = focused(function, request.places)
    wrt = focus.wrt
    made = reverse(focus.function, wrt, derive)
    keep(made.backward, made.mirrors, made.bars, made.forward.body, made.frugal)
    body = made.forward.body
    values = list(body.yields)
    body.ops = body.ops + made.backward.ops
    bars = gradient_results(body, made, wrt, focus.function.body.params)
    focus.restore(body)
    body.params = body.params + seed_params(made)
    body.yields = [*values, *bars]
    tree = value_tree(function.tree, len(bars), False)
    return complete(function, made.forward, tree, f"{function.name}_vjp")


def pushforward(function: Function, request: Request, derive: Derivatives) -> Function:
    """The function that takes tangents after its arguments and returns value and tangent."""
    focus = focused(function, request.places)
    made = push_forward(focus.function, focus.wrt, derive)
    body = made.function.body
    tangents = tangent_results(body, made)
    focus.restore(body)
    body.params = body.params + made.dots
    body.yields = [*body.yields, *tangents]
    tree = value_tree(function.tree, None, True)
    return complete(function, made.function, tree, f"{function.name}_jvp")


def complete(source: Function, made: Function, tree: Any, name: str) -> Function:
    """Names, optimisation and packaging of a derived function."""
    same = len(made.body.params) == len(source.body.params)
    defaults = dict(source.defaults) if same else {}
    derived = Function(
        name, made.body, tree, source.source, tuple(str(p.hint) for p in made.body.params),
        defaults, dict(source.captures), source.doc, source.facts.copy(),
    )  # fmt: skip
    if not same:  # tangents and cotangents come last, so everything is given by position
        derived.facts.stars = {}
    derived.facts.versions = made.facts.versions
    derived.facts.sweeps = not name.endswith("_jvp")  # forward, then backward
    finished(stores_last(derived).body)
    return run(stages.DERIVED, checked(derived, "the transformation"))


def functions_of(root: Function) -> list[Function]:
    """The root and every function it calls, callees first."""
    found: dict[Function, None] = {}

    def visit(function: Function) -> None:
        if function in found:
            return
        found[function] = None
        for op in walk(function.body):
            for callee in callees_of(op):
                visit(callee)

    visit(root)
    first, *rest = found
    return [*rest, first]


def text_of(root: Function, header: str, program: Program) -> Text:
    """The module text of a function and of everything it calls."""
    return module_of([root], header, program)


@timed("text")
def module_of(
    mains: list[Function],
    header: str,
    program: Program,
    committed: Committed | None = None,
    optimize: int = 1,
) -> Text:
    """The module text of some functions and of everything they call."""
    functions = list(dict.fromkeys(f for main in mains for f in functions_of(splice(main))))
    functions = [f for f in functions if f not in mains] + mains
    name_methods(functions, program)
    names: dict[Function, str] = {}
    used: set[str] = set().union(*map(outer_names, functions))  # a helper hides no object
    for function in [*mains, *[f for f in functions if f not in mains]]:
        base, k = function.name, 1
        while base in used:
            k += 1
            base = f"{function.name}_{k}"
        names[function] = base
        used.add(base)
    definitions = []
    roots: dict[str, Any] = {}
    for function in functions:
        internal = function not in mains or function.tree is None
        if function not in mains:
            finished(function.body)
            run(stages.INNER, function)
        run(stages.FINAL, function, optimize)
        built = rebuild(function, names[function], names, outer_names(function), flat=internal)
        for name, value in built.roots.items():
            enter_root(roots, name, value)
        definitions.append(built.definition)
    text, captured = module_text(header, definitions, roots, committed, names[mains[0]])
    return Text(text, [names[main] for main in mains], captured, program, mains[0])


def calls_on_tape(mains: list[Function], program: Program) -> list[tuple[str, int, str]]:
    """What runs on the tape: the name of the function, the line that calls it, and why."""
    found = taped_calls(list(dict.fromkeys(f for main in mains for f in functions_of(main))))
    return [
        (called_name(program, fn), line, str(getattr(program.refused.get(fn), "reason", "")))
        for fn, line in found
    ]


def called_name(program: Program, fn: Any) -> str:
    return (fn.hint or "a function") if isinstance(fn, Value) else program.name_of(fn)


def name_methods(functions: list[Function], program: Program) -> None:
    """Give what is called, and no library's, a name in the text that nothing else has."""
    for op in (op for function in functions for op in walk(function.body)):
        if (
            not isinstance(op, Apply)
            or isinstance(op.fn, (Primitive, Function))
            or op.style is not None
        ):
            continue
        if name_of(op.fn) is None and not is_attribute(op.fn):
            op.style = program.name_of_method(op.fn)


def is_attribute(fn: Any) -> bool:
    """Whether the text names it as an attribute of something."""
    return isinstance(fn, types.GetSetDescriptorType) or is_method(fn)


def outer_names(function: Function) -> set[str]:
    """Names that variables may not take: the globals the function reads."""
    found = {"np", "rt", "math"}

    def enter(text: str) -> None:
        found.update((text.partition(".")[0], text.replace(".", "_")))

    def visit(operand: Any) -> None:
        if isinstance(operand, Const) and operand.text:
            enter(operand.text)
        elif isinstance(operand, Const) and callable(operand.value):
            called(operand.value, None)
        elif isinstance(operand, (tuple, list)):
            for item in operand:
                visit(item)
        elif isinstance(operand, dict):
            for item in operand.values():
                visit(item)

    def called(fn: Any, spelled: str | None) -> None:
        """A function has its library's name, or is called as it is."""
        name = name_of(fn)
        if name is not None and "." in name:
            enter(name.partition(".")[0])
        elif name is None and not is_attribute(fn) and not isinstance(fn, Function):
            enter(str(spelled or own_attribute(fn, "__name__", "fn")))

    for op in walk(function.body):
        visit(operands_of(op))
        if isinstance(op, Apply) and not isinstance(op.fn, Primitive):
            called(op.fn, op.style)
        for block in op.blocks:
            visit(block.yields)
    visit(function.body.yields)
    return found
