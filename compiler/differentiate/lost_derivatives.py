"""Programs that would silently lose a derivative: refused.

A value that is being differentiated may reach something that is no rule's argument: the subscript
of an object that is no array, a method of one (`model.mean(x)` is no mean along an axis), or a conversion
to text or to Python objects that is computed with. The text of an exception may say any number.
"""

from __future__ import annotations

import functools
import operator
import types
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from retrograd.runtime.errors import UnsupportedOperation
from retrograd.runtime.objects.own_attributes import home_of
from retrograd.runtime.rules.book import book, is_constant
from retrograd.runtime.traits.lookup import traits_of

from ..analyses.activity import Activity, carriers, may_carry
from ..analyses.effects import is_late
from ..analyses.shapes.infer import type_of
from ..ir.operations import (
    Apply,
    Block,
    Call,
    Const,
    Function,
    If,
    Loop,
    Op,
    Operand,
    Try,
    Value,
    With,
    reachable,
    values_in,
    values_read,
    walk,
)
from ..ir.primitives import Primitive, Structure
from ..ir.types import Array, Number, Opaque, Stack, Tree, is_text, kind_of

__all__ = ["refuse_losses"]

WORDS: WeakKeyDictionary[Function, bool] = WeakKeyDictionary()  # see `makes_words`
INDEXED = (np.ndarray, np.generic, tuple, list, str, bytes, range, dict)


def refuse_losses(function: Function, activity: Activity, ends: list[Operand]) -> None:
    """Refuse subscripts and conversions that would make a constant of what is differentiated: of the results ``ends``."""
    varied = activity.varied
    for op in walk(function.body):
        if isinstance(op, Apply) and is_of_another_class(op, varied):
            name = op.fn.__name__
            raise lost(function, op, f"as an argument of `{name}` of a value of unknown class")
        if not (isinstance(op, Apply) and op.fn is operator.getitem):
            continue
        counts = op.results[0] in activity.useful and reads(op.args[1:], varied)
        if counts and not is_indexed(op.args[0], op.args[1], varied):
            raise lost(function, op, "as the subscript of what is no array")
    for op in walk(function.body):
        if gives_what_varies(function, op, varied):
            raise lost(function, op, "through a context manager, perhaps")
    if any(map(makes_words, reachable(function))):
        refuse_words(function, activity, ends)
    if any(isinstance(op, Try) for op in walk(function.body)) and tells_numbers(function):
        raise lost(function, None, "as the text of an exception, perhaps")


def refuse_words(function: Function, activity: Activity, ends: list[Operand]) -> None:
    """Refuse to compute with texts and objects that are made of what is differentiated."""
    found = Lost(activity.varied)
    found.settle(function.body)
    for op in walk(function.body):
        if found.is_computed_with(op, activity.useful):
            raise lost(function, op, "as text or as an object")
    if reads(ends, {v for v in found.values if is_object(v)}):
        raise lost(function, None, "as an object")


def makes_words(function: Function) -> bool:
    """True if a function makes a text or an object of anything; most do not, nor does what they call."""
    if function not in WORDS:
        made = (op for op in walk(function.body) if isinstance(op, Apply))
        WORDS[function] = any(converts(op) or makes_object(op) for op in made)
    return WORDS[function]


def makes_object(op: Apply) -> bool:
    return any(is_object(r) for r in op.results) and not is_constant(op.fn)


def tells_numbers(function: Function) -> bool:
    """True if a result is made of the text of an exception, and no text itself."""
    told = Told()
    told.settle(function.body)
    return reads(function.body.yields, told.values)


def lost(function: Function, op: Op | None, how: str) -> UnsupportedOperation:
    known = op is not None and function.source is not None and op.loc is not None
    return UnsupportedOperation(
        f"a value that is being differentiated is used {how}: this would silently drop the derivative",
        place=function.source.place(op.loc) if known and op is not None else None,
        fix="use arrays of floats, or wrap the value in rg.stop_gradient if its derivative is not wanted",
    )  # fmt: skip


def reads(operands: Any, values: set[Value]) -> bool:
    return any(v in values for v in values_in(operands))


def is_indexed(base: Operand, index: Operand, varied: set[Value]) -> bool:
    """True if a subscript only chooses: of an array or a sequence, by what may be integers."""
    whole = all(kind_of(v.type) not in ("f", "c") for v in values_in(index) if v in varied)
    if isinstance(base, Const):
        return whole if isinstance(base.value, dict) else isinstance(base.value, INDEXED)
    kind = type_of(base)
    if isinstance(kind, Tree) and kind.container == "object":
        return False
    return whole or not (kind is None or isinstance(kind, Opaque))


def gives_what_varies(function: Function, op: Op, varied: set[Value]) -> bool:
    """True of a ``with`` whose manager was given what is differentiated, and gives something that is read."""
    if not isinstance(op, With) or not any(p in reads_in(op.then) for p in op.then.params):
        return False
    made = [o for o in walk(function.body) if o is not op and op.cond in getattr(o, "results", ())]
    return op.cond in varied or any(
        reads([*o.args, *o.kwargs.values()], varied) for o in made if isinstance(o, Apply)
    )


def reads_in(block: Block) -> set[Value]:
    """The values that a block reads, and gives."""
    found = set(values_in(block.yields))
    for op in block.ops:
        found.update(values_read(op))
        for inner in op.blocks:
            found |= reads_in(inner)
    return found


def given_back(body: Block) -> set[Value]:
    """The values that the results of a function are made of."""
    found, before = set(values_in(body.yields)), -1
    while before != len(found):
        before = len(found)
        for op in walk(body):
            if not found.isdisjoint(op.results):
                found.update(values_read(op))
                found.update(v for block in op.blocks for v in values_in(block.yields))
    return found


def is_of_another_class(op: Apply, varied: set[Value]) -> bool:
    """True of a method that looks like an array's, and is given what no array takes there."""
    if not isinstance(op.fn, types.MethodDescriptorType) or op.fn.__objclass__ is not np.ndarray:
        return False
    if isinstance(type_of(op.args[0]), (Array, Number)):
        return False
    carried = [] if is_constant(op.fn) else carriers(op)
    return any(
        v in varied and refuses_floats(op.fn.__name__, k)
        for k, operand in [*enumerate(op.args[1:]), *op.kwargs.items()]
        for v in values_in(operand)
        if not any(operand is c for c in carried)
    )


@functools.cache
def refuses_floats(name: str, place: int | str) -> bool:
    """True if a method of arrays takes no number with a fraction as its argument at this place, or of this name."""
    args, kwargs = ([], {place: 0.5}) if isinstance(place, str) else ([0] * place + [0.5], {})
    try:
        getattr(np.ones(2), name)(*args, **kwargs)
    except TypeError:
        return True
    except Exception:
        return False
    return False


def is_object(v: Operand) -> bool:
    return is_object_kind(type_of(v))


def is_object_kind(kind: Any) -> bool:
    return isinstance(kind, (Array, Number)) and kind.kind in ("O", "U", "S", "M", "m", "V")


class Lost:
    """The values made of a differentiated one in a form that carries no derivative."""

    def __init__(self, varied: set[Value], calls: Calls | None = None) -> None:
        self.varied, self.values = varied, set[Value]()
        self.calls: Calls = {} if calls is None else calls

    def settle(self, block: Block) -> None:
        before = -1
        while before != len(self.values):
            before = len(self.values)
            self.visit(block)

    def visit(self, block: Block) -> None:
        for op in block.ops:
            if isinstance(op, Apply):
                self.enter(op)
            elif isinstance(op, If):
                self.visit(op.then)
                self.visit(op.orelse)
                for r, a, b in zip(op.results, op.then.yields, op.orelse.yields, strict=True):
                    self.pass_on([a, b], [r])
            elif isinstance(op, Loop):
                self.loop(op)
            elif isinstance(op, Call):
                self.called(op)

    def loop(self, op: Loop) -> None:
        for init, param, result in zip(op.inits, op.carried, op.results, strict=False):
            self.pass_on([init], [param, result])
        for (stack, _), element in zip(op.feeds, op.elements, strict=True):
            self.pass_on([stack], [element])
        self.visit(op.body)
        for value, param, result in zip(op.body.yields, op.carried, op.results, strict=False):
            self.pass_on([value], [param, result])
        for stack, value in zip(op.stacks, op.collected(), strict=True):
            self.pass_on([value], [stack])

    def called(self, op: Call) -> None:
        told = zip(op.results, self.within(op).told, strict=False)
        self.values.update(r for r, is_told in told if is_told)

    def enter(self, op: Apply) -> None:
        operands = [*op.args, *op.kwargs.values()]
        if (converts(op) or makes_object(op)) and reads(operands, self.varied):
            self.values.update(op.results)
        self.pass_on(handed_on(op) or content_of(op), op.results)

    def pass_on(self, operands: Any, results: list[Value]) -> None:
        """Texts, what holds them, and what is read from them by nobody knows whom; numbers are computed with."""
        if reads(operands, self.values):
            self.values.update(r for r in results if may_say(r.type))

    def is_computed_with(self, op: Op, useful: set[Value]) -> bool:
        if isinstance(op, Call):
            return self.within(op).computes
        if not isinstance(op, Apply) or isinstance(op.fn, Primitive) or is_constant(op.fn):
            return False
        if handed_on(op) or isinstance(op.fn, Structure) or gives_text(op):
            return False
        counts = op.fn in book or any(r in useful for r in op.results)
        return counts and reads(content_of(op), self.values)

    def within(self, op: Call) -> Within:
        """What a function of the program does with such values, if some of its arguments are, or vary."""
        function = op.callee
        told = frozenset(k for k, a in enumerate(op.args) if reads([a], self.values))
        varies = reads(op.args, self.varied)
        key = (function, told, varies)
        if not isinstance(function, Function) or not (told or varies):
            return NOTHING
        if function.facts.custom is not None:  # who wrote its derivative knows what it does
            return NOTHING
        if key not in self.calls:
            self.calls[key] = NOTHING  # of itself, until it is known
            self.calls[key] = self.looked_into(*key)
        return self.calls[key]

    def looked_into(self, function: Function, told: frozenset[int], varies: bool) -> Within:
        body = function.body
        everything = {*body.params, *(r for op in walk(body) for r in op.results)}
        everything |= {p for op in walk(body) for block in op.blocks for p in block.params}
        inner = Lost({v for v in everything if may_carry(v.type)} if varies else set(), self.calls)
        inner.values |= {body.params[k] for k in told if k < len(body.params)}
        inner.settle(body)
        useful = given_back(body)
        computes = any(inner.is_computed_with(op, useful) for op in walk(body))
        return Within(tuple(reads([y], inner.values) for y in body.yields), computes)


class Within(NamedTuple):
    """What a function does: which of its results are such values, and whether it computes with one."""

    told: tuple[bool, ...] = ()
    computes: bool = False


NOTHING = Within()
Calls = dict[tuple[Function, frozenset[int], bool], Within]


class Told(Lost):
    """The values made of the text of an exception: whatever raised it may have said a number there."""

    def __init__(self) -> None:
        super().__init__(set())
        self.texts: set[Value] = set()

    def settle(self, block: Block) -> None:
        before = -1
        while before != len(self.values) + len(self.texts):
            before = len(self.values) + len(self.texts)
            self.visit(block)

    def visit(self, block: Block) -> None:
        for op in block.ops:
            if isinstance(op, Try):
                self.varied.update(op.then.params)
        super().visit(block)

    def enter(self, op: Apply) -> None:
        operands = [*op.args, *op.kwargs.values()]
        if gives_text(op) and reads(operands, self.varied | self.texts):
            self.texts.update(op.results)
        computes = is_late(op.fn) or not (gives_text(op) or is_constant(op.fn))
        if computes and reads(operands, self.values | self.texts):
            self.values.update(op.results)

    def called(self, op: Call) -> None:
        if reads(op.args, self.values | self.texts):
            for r in op.results:
                (self.texts if is_text(r.type) else self.values).add(r)

    def pass_on(self, operands: Any, results: list[Value]) -> None:
        if reads(operands, self.values):
            self.values.update(results)
        if reads(operands, self.texts):
            self.texts.update(results)


def handed_on(op: Apply) -> tuple[Operand, ...]:
    """A container that is read or written to, and what is put into it; nothing of any other operation."""
    known = traits_of(op.fn)
    if known.puts is not None:
        return (op.args[0], op.args[-1])
    if known.gives == "container":
        return tuple(a for a in op.args if not is_text(type_of(a)))  # but for keys
    return op.args[:1] if known.reads == "part" else ()


def content_of(op: Apply) -> list[Operand]:
    """What an operation reads; our own helpers look at the structure alone of what is `like` their argument."""
    ours = home_of(op.fn).startswith("retrograd")
    if not ours:
        return [*op.args, *op.kwargs.values()]
    return [] if is_constant(op.fn) else carriers(op)


def may_say(kind: Any) -> bool:
    """True of texts, of what may hold one, and of what nobody knows; numbers and arrays say nothing more."""
    if isinstance(kind, Stack):
        return kind.item is None or may_say(kind.item)
    if isinstance(kind, Tree) and kind.items:
        return any(map(may_say, kind.items))
    return kind is None or isinstance(kind, (Tree, Opaque)) or is_object_kind(kind)


def converts(op: Apply) -> bool:
    return traits_of(op.fn).gives == "text"


def gives_text(op: Apply) -> bool:
    return traits_of(op.fn).gives == "text" or any(is_text(r.type) for r in op.results)
