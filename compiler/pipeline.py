"""The order of everything: from a Python function to the text of its derivative."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterable, Sequence
from typing import Any

from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.records import dataclass, field
from retrograd.runtime.rules import all_rules

from .analyses import visible_effects
from .analyses.late_objects import take_snapshots
from .analyses.library_names import enter_root, is_method, name_of
from .analyses.module_objects import ChangedCopy, keep_in_order
from .analyses.shapes import register_all  # noqa: F401
from .differentiate.callee_derivatives import finished
from .differentiate.opaque_calls import taped_calls
from .differentiate.part_of_argument import paths_to
from .differentiate.transformations import Request, derived, gradient, pullback, pushforward
from .driver.times import timed
from .emit.module_text import Committed, module_text
from .emit.rebuild.scalars import given_arrays
from .emit.rebuild.statements import rebuild
from .ir.argument_path import Place
from .ir.containers import Pack
from .ir.operand_constants import constants_in
from .ir.operations import Apply, Function, Value, callees_of, operands_of, walk
from .ir.primitives import Primitive
from .ir.verify import checked
from .lowering.attempt import Attempt
from .lowering.program import Program
from .lowering.words import enter_words
from .passes import stages
from .passes.manager import run
from .passes.redundancy.alike_functions import unite
from .passes.redundancy.inline_calls import splice
from .passes.redundancy.unread_results import drop_unread_results
from .simplify import scipy
from .user_rules.orders_of_integrals import tell_order
from .user_rules.words import UserWords

__all__ = [
    "Attempt", "Request", "Text", "derived", "gradient", "lower", "pullback", "pushforward", "tell_order", "text_of",
]  # fmt: skip

enter_words(UserWords())


@dataclass
class Text:
    """A generated module: its text, its main functions, what it needs injected."""

    text: str
    names: list[str]
    captured: dict[str, Any] = field(default_factory=dict)
    program: Program | None = None
    function: Function | None = None
    taped: list[tuple[str, int, str]] = field(default_factory=list)
    left: bool = False
    numbers: bool = False
    tree: Any = None  # how the results are packed
    definitions: list[ast.FunctionDef] = field(default_factory=list)  # what it was written from


@timed("lowering")
def lower(
    fn: Any,
    types: dict[str, Any],
    unwrap: Any = None,
    tape: bool = True,
    focus: Sequence[Place] = (),
    wrt: Iterable[int] | None = None,
    decide: bool = True,
    copies: bool = True,
    attempt: Attempt | None = None,
) -> tuple[Program, Function]:
    """A Python function as structured SSA.

    ``focus``: parts that are differentiated by themselves; ``wrt``: the parameters that are, None for any.
    ``decide``: constants that have names may decide branches, since somebody sees to it that they stay what they are.
    ``copies``: copies of the module's containers are taken apart, as long as nothing changes these meanwhile.
    ``attempt``: what it goes by, if not the first time.
    """
    assert all_rules is not None  # every family of NumPy is registered
    scipy.enter()
    visible_effects.begin_anew()
    program = Program() if unwrap is None else Program(unwrap)
    program.tape, program.known.may_decide, program.copies = tape, decide, copies
    program.attempt = program.known.attempt = attempt or Attempt()
    program.learned = program.attempt.learned
    program.focused = paths_to(focus, fn)
    program.wrt = None if wrt is None else frozenset(wrt)
    function = checked(program.root(fn, types), "lowering")
    for made in (function, *program.callees.values()):
        run(stages.LOWERED, made)
    try:
        keep_in_order([function, *program.callees.values()], program.taken)
    except ChangedCopy:
        return lower(fn, types, unwrap, tape, focus, wrt, decide, False, attempt)
    take_snapshots([function, *program.callees.values()])
    gone = unite([function, *program.callees.values()])
    for key in [key for key, made in program.callees.items() if made in gone]:
        del program.callees[key]
    function = run(stages.MAIN, function)
    drop_unread_results(function, program.inner())
    for callee in program.callees.values():
        run(stages.CALLEES, callee)
    return program, function


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
    if committed is not None and committed.name:
        mains[0].name = committed.name
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
        if function not in mains:
            finished(function.body)
            run(stages.INNER, function)
        run(stages.FINAL, function, optimize)
    arrays = given_arrays(functions)
    for function in functions:
        internal = function not in mains or function.tree is None
        outer = outer_names(function)
        built = rebuild(function, names[function], names, outer, internal, arrays)
        for name, value in built.roots.items():
            assert name in outer, f"`{name}` of the module may be hidden by a variable"
            enter_root(roots, name, value)
        definitions.append(built.definition)
    text, captured = module_text(header, definitions, roots, committed, names[mains[0]])
    named = [names[main] for main in mains]
    return Text(text, named, captured, program, mains[0], definitions=definitions)


def calls_on_tape(mains: list[Function], program: Program) -> list[tuple[str, int, str]]:
    """Functions that run on the tape: the name, the line of the call, and why."""
    found = taped_calls(list(dict.fromkeys(f for main in mains for f in functions_of(main))))
    return [
        (called_name(program, fn), line, str(getattr(program.refused.get(fn), "reason", "")))
        for fn, line in found
    ]


def takes_for_numbers(mains: list[Function]) -> bool:
    """True if these refuse an argument that is an array where a number was expected."""
    found = (op for main in mains for op in walk(main.body) if isinstance(op, Apply))
    return any(op.fn is linear.check_number for op in found)


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
    """True if the text names it as an attribute of something."""
    return isinstance(fn, types.GetSetDescriptorType) or is_method(fn)


def classes_in(tree: Any) -> list[Any]:
    """The classes of the objects that a function returns."""
    if not isinstance(tree, Pack):
        return []
    inner = [kind for item in tree.items for kind in classes_in(item)]
    return inner if tree.kind in (tuple, list, dict) else [tree.kind, *inner]


def outer_names(function: Function) -> set[str]:
    """Names that variables may not take: the globals the function reads."""
    found = {"np", "rt", "math"}

    def enter(text: str) -> None:
        found.update((text.partition(".")[0], text.replace(".", "_")))

    def visit(operand: Any) -> None:
        for constant in constants_in(operand):
            if constant.text:
                enter(constant.text)
            if callable(constant.value):  # of a library: by its name there, however it was spelled
                called(constant.value, constant.text)

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
    for kind in classes_in(function.tree):
        called(kind, None)
    return found
