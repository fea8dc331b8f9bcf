"""Calls whose result must be known when a text is made: a namespace or a function, which then gets active values.

::

    xp = array_namespace(x)      # evaluated while the function is compiled, for an array like `x`
    y = xp.sin(x)                # and this is `np.sin(x)`

The call stays in the text, where its result is compared with what it was; it is a guard of the text, too, if
it changes nothing.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from retrograd.runtime.errors import UnsupportedOperation
from retrograd.runtime.helpers import linear
from retrograd.runtime.helpers.object_protocols import is_word
from retrograd.runtime.objects.own_attributes import own_attribute

from ...analyses.library_names import name_of
from ...analyses.third_party import is_of_package, uncached
from ...analyses.visible_effects import acts, may_write
from ...dependencies.isolated_runs import unnoticed
from ...ir.containers import Pack, leaves
from ...ir.operations import Apply, Const, Value
from ...ir.types import Array, Number, Numeric, Opaque, Stack, Tree
from ..interface.lowerer import Lowerer
from ..memory.restart import Relearn
from ..module_containers import is_opaque
from ..nodes import UNKNOWN, Listed, Node
from .opaque_calls import named
from .samples import OTHERS, UNSET, USUAL, Content, Untouched, is_same
from .untouched_samples import Touches

__all__ = ["KnownResults", "is_function"]

FUNCTIONS = (
    types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType, np.ufunc, type(np.sum), type,
)  # fmt: skip
CYTHON = "cython_function_or_method"  # of a module of its own for each version
Site = tuple[str, int, int]


class NotKnown(Exception):
    """Nothing like an argument can be made before the function runs."""


class KnownResults:
    """The calls of a program that give functions and namespaces."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope
        self.made_at = self.scope.program.known.made_at

    def site(self, node: gast.AST) -> Site | None:
        line = getattr(node, "lineno", None)
        return None if line is None else (self.scope.source.file, line, node.col_offset)

    def note(self, made: Node, node: gast.AST) -> Node:
        """A call gave this."""
        site = self.site(node)
        if site is not None:
            for v in leaves(made):
                if isinstance(v, Value):
                    self.made_at.setdefault(v, site)
        return made

    def part_of(self, part: Value, whole: Node) -> None:
        """This was taken out of what a call gave."""
        if isinstance(whole, Value) and whole in self.made_at:
            self.made_at[part] = self.made_at[whole]

    def ask(self, value: Node) -> None:
        """This is to be known: begin anew, if a call gave it that was not asked yet."""
        site = self.made_at.get(value) if isinstance(value, Value) else None
        learned = self.scope.program.learned
        if site is not None and site not in learned:
            learned[site] = True
            callee = self.scope.program.known.callees.get(site)
            if callee is not None:
                learned[callee] = True  # where it is called elsewhere, too
            raise Relearn

    def ask_call(self, fn: Any, node: gast.AST) -> None:
        """Begin anew knowing what a function of a package gives here, if it was not asked yet."""
        site = self.site(node)
        if site is not None and is_of_package(fn):
            self.begin_anew_knowing(site)

    def begin_anew_knowing(self, site: Site) -> None:
        attempt, learned = self.scope.program.attempt, self.scope.program.learned
        attempt.unasked |= site not in learned
        if site not in learned and attempt.questions > 0:
            attempt.questions -= 1
            learned[site] = True
            raise Relearn

    def ask_answer(self, test: Node) -> None:
        """Begin anew knowing the answer of a library's question, if its arguments' kinds tell it."""
        if not isinstance(test, Value):
            return
        site = self.made_at.get(test)
        callee = None if site is None else self.scope.program.known.callees.get(site)
        if site is not None and callee is not None and is_of_package(callee):
            self.begin_anew_knowing(site)
        for part in self.scope.program.known.chosen_from.get(test, ()):
            self.ask_answer(part)

    def expect(self, node: gast.AST) -> None:
        """A branch is taken by this: what a function of a package answers there is asked before it is followed."""
        site = self.site(node) if isinstance(node, gast.Call) else None
        if site is not None and is_of_package(self.scope.python):
            self.scope.program.known.note_test(site)

    def known(
        self,
        fn: Any,
        args: list[Node],
        kwargs: dict[str, Node],
        node: gast.AST,
        asked: bool = False,
    ) -> Node | None:
        """The result of a call that is to be known; None if it is no function, or was not asked for."""
        site, learned = self.site(node), self.scope.program.learned
        if site is None:
            return None
        if asked:
            learned.setdefault(site, True)
        called = uncached(fn) if isinstance(uncached(fn), types.FunctionType) else None
        self.scope.program.known.note_callee(site, called)
        if self.is_question(fn, called, site):
            answer = self.answered(fn, args, kwargs, node)
            if answer is not None:
                return answer
        elsewhere = called is not None and learned.get(called, False)
        # A loop that is unrolled comes here again, with other constants.
        here = (site, *map(constant_key, (*args, *kwargs.values())))
        if not learned.get(here, learned.get(site, elsewhere)) or not self.may_run(fn):
            return None
        try:
            with unnoticed(fn):
                given = self.samples(args, kwargs)
                value = fn(*given[0], **given[1])
                if type(value) is bool and not self.holds(value, fn, args, kwargs):
                    value = NotImplemented
                other = self.without_flags(fn, args, kwargs, value)
        except Exception:  # whatever the user's function raises: it is called when it runs
            learned[here] = False
            return None
        if are_others(parts_of(other), parts_of(value)):
            raise UnsupportedOperation(
                "what this call gives depends on a flag that is given to the function",
                place=self.scope.place(node), fix="call it outside, and pass what it gives",
            )  # fmt: skip
        gave = Gave(value, [*args, *kwargs.values()], self.lowerer.inactive.is_inert)
        asked_here = value is None and learned.get(site, False)  # which is no help to who asks it
        if asked_here or not gave.is_known():
            learned[here] = False
            return None
        self.scope.program.note_call(fn, *given, value)
        return self.compared(fn, args, kwargs, gave, node)

    def without_flags(self, fn: Any, args: list[Node], kwargs: dict[str, Node], value: Any) -> Any:
        """What a call gives if the flags of the function are not set that it is given, and might be known."""
        known = self.scope.program.known.not_asked
        nodes = [*args, *kwargs.values()]
        if not any(isinstance(n, Value) and n in known and is_truth(n.type) for n in nodes):
            return value
        unset, named_ones = self.samples(args, kwargs, UNSET)
        return fn(*unset, **named_ones)

    def answered(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node | None:
        """The answer to a question about the kinds of its arguments; None where numbers tell it, or it is no question."""
        if not all(map(is_of_known_kind, [*args, *kwargs.values()])):
            return None
        try:
            with unnoticed(fn) as states:
                if self.touches(fn, args, kwargs):
                    return None
                given = self.samples(args, kwargs)
                value = fn(*given[0], **given[1])
                if type(value) is not bool or not self.is_always(value, fn, args, kwargs):
                    return None
                if states.are_others():
                    return None
        except Exception:  # it is asked when it runs, and may raise then
            return None
        self.scope.program.note_call(fn, *given, value)
        gave = Gave(value, [*args, *kwargs.values()], self.lowerer.inactive.is_inert)
        return self.compared(fn, args, kwargs, gave, node)

    def touches(self, fn: Any, args: list[Node], kwargs: dict[str, Node]) -> bool:
        """True if a function looks at the numbers that it is given, and not at their kinds alone."""
        touches = Touches()
        given, named_ones = self.samples(args, kwargs, Untouched(touches))
        fn(*given, **named_ones)
        return touches.count > 0

    def is_question(self, fn: Any, called: Any, site: Site) -> bool:
        """True of a question of C, and of a function of a package whose answer a branch is taken by."""
        program = self.scope.program
        if not program.attempt.answers or asks_in_c(fn):
            return program.attempt.answers
        asked = site in program.known.tests and called is not None and is_of_package(called)
        return asked and self.may_run(fn)

    def samples(
        self, args: list[Node], kwargs: dict[str, Node], content: Content = USUAL
    ) -> tuple[list[Any], dict[str, Any]]:
        """Something like the arguments, with this in the arrays."""
        named: dict[Any, int] = {}
        return [self.sample(a, content, named) for a in args], {
            k: self.sample(v, content, named) for k, v in kwargs.items()
        }

    def like(
        self, args: list[Node], kwargs: dict[str, Node]
    ) -> tuple[list[Any], dict[str, Any]] | None:
        """Something like the arguments; None where nothing is known that is like one."""
        try:
            return self.samples(args, kwargs)
        except NotKnown:
            return None

    def is_always(self, answer: bool, fn: Any, args: list[Node], kwargs: dict[str, Node]) -> bool:
        """True if a question has this answer whatever the numbers are, and leaves its arguments as they are."""
        for content in OTHERS:
            given, named_ones = self.samples(args, kwargs, content)
            try:
                if fn(*given, **named_ones) is not answer:
                    return False
                if not is_same((given, named_ones), self.samples(args, kwargs, content)):
                    return False
            except Exception:  # perhaps since sizes that are others have to be equal
                if content.alike:
                    return False
        return True

    def holds(self, answer: bool, fn: Any, args: list[Node], kwargs: dict[str, Node]) -> bool:
        """True if an answer may be taken for granted."""
        return self.scope.program.attempt.answers and self.is_always(answer, fn, args, kwargs)

    def may_run(self, fn: Any) -> bool:
        """Whether a call leaves no trace."""
        method = isinstance(fn, types.MethodType)
        if method and (not isinstance(fn.__func__, types.FunctionType) or may_write(fn.__func__)):
            return False
        return not acts(fn.__func__ if method else fn)

    def sample(self, node: Node, content: Content, named: dict[Any, int]) -> Any:
        """Something like an argument; of what may be any array, a matrix: what the call gives is compared."""
        if isinstance(node, Const):
            return node.value
        if isinstance(node, Pack) and node.kind in (tuple, list):
            return node.kind(self.sample(item, content, named) for item in node.items)
        if isinstance(node, Pack) and node.kind is dict:
            items = [self.sample(item, content, named) for item in node.items]
            return dict(zip(node.keys, items, strict=True))
        if (item := item_of(node)) is not None:
            return [self.sample(item, content, named) for _ in range(content.items)]
        kind = node.type if isinstance(node, Value) else None
        if isinstance(kind, Tree) and kind.cls is type(None):
            return None
        if isinstance(kind, Number):
            flag = self.lowerer.known.of(node) if is_truth(kind) else UNKNOWN
            return content.one(kind.kind) if flag is UNKNOWN else flag
        if isinstance(kind, Array) and kind.dims is not None:
            return content.array(kind.dims, kind.dtype, named)[()]
        if isinstance(kind, Opaque):
            found = self.lowerer.objects_now.known(node)
            if found is not UNKNOWN or kind.own:
                return np.dtype("float64") if found is UNKNOWN else found
        if isinstance(node, Value) and (kind is None or isinstance(kind, (Array, Numeric))):
            return content.array((None,) * content.rank, getattr(kind, "dtype", None), named)
        raise NotKnown

    def compared(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], gave: Gave, node: gast.AST
    ) -> Node:
        """The call, and a comparison of what it gives with what it gave."""
        owner, name = getattr(fn, "__self__", None), getattr(fn, "__name__", "")
        operands = tuple(map(self.lowerer.inactive.operand, args))
        named_ones = {k: self.lowerer.inactive.operand(v) for k, v in kwargs.items()}
        loc = self.scope.location(node)
        made = Value(None, Opaque(), loc)
        if isinstance(fn, types.MethodType):
            base = self.lowerer.operations.operand(named(self.scope.program, Const(owner)))
            op = Apply(
                [made], loc, linear.method_called, (base, Const(name), *operands), named_ones
            )
        else:
            op = Apply([made], loc, fn, operands, named_ones)
            op.style = None if name_of(fn) else self.scope.program.name_of(fn)
        self.lowerer.operations.emit(op)
        self.scope.program.inert.add(made)
        told = zip(gave.parts, gave.told, strict=True)
        known = [
            gave.handed_back(p) or (self.constant(p) if is_told else None) for p, is_told in told
        ]
        whole = tuple(Const(None) if k is None else k for k in known)
        places = {name: Const(at) for name, at in gave.places().items() if at}
        form = whole if gave.several else whole[0]
        self.lowerer.inactive.late(linear.check_same, (made, form), places)
        items = [
            self.lowerer.inactive.item(made, Const(k)) if one is None else one
            for k, one in enumerate(known)
        ]
        return Pack(tuple, list(range(len(items))), items) if gave.several else items[0]

    def constant(self, value: Any) -> Const | None:
        """A function or a namespace by its name in the text; that there is none, as it is; None of others."""
        program = self.scope.program
        if value is None or type(value) is bool:
            return Const(value)
        if not may_stand(value):
            return None
        if not isinstance(value, types.ModuleType):
            return Const(value, program.name_of(value))
        name = "np" if value is np else value.__name__.rpartition(".")[2]
        text = program.known_text(value) or program.text_for(name, value)
        return Const(value, text)


class Gave:
    """What a call gave for something like its arguments."""

    def __init__(self, value: Any, given: list[Node], is_inert: Callable[[Node], bool]) -> None:
        empty = isinstance(value, (tuple, list)) and not value
        self.several = empty or isinstance(value, tuple)
        self.parts: tuple[Any, ...] = () if empty else value if self.several else (value,)
        self.handed = [a for a in given if isinstance(a, Const) and a.text and is_opaque(a.value)]
        self.told = [may_stand(part) or self.handed_back(part) is not None for part in self.parts]
        if type(value) is bool:
            self.told = [True]
        self.is_active = not all(map(is_inert, given))

    def handed_back(self, part: Any) -> Const | None:
        """The object that a call was given and gives back: `optional(options, DEFAULTS)`."""
        return next((c for c in self.handed if c.value is part), None)

    def is_known(self) -> bool:
        """True if a text can say a part, or that there is none, and nothing that is differentiated is another."""
        others = [part for part, told in zip(self.parts, self.told, strict=True) if not told]
        lost = self.is_active and not all(map(is_word, others))
        told = [t for part, t in zip(self.parts, self.told, strict=True) if part is not None]
        return not lost and (any(told) or not told)

    def places(self) -> dict[str, tuple[int, ...]]:
        """The parts that have to be None again, and those that carry no derivative and must not another time."""
        none = [k for k, part in enumerate(self.parts) if part is None]
        words = [k for k, told in enumerate(self.told) if not told and self.is_active]
        return {"none": tuple(none), "words": tuple(words)}


def is_of_known_kind(node: Node) -> bool:
    """True of an argument that others of its kind can stand for: a truth value has no others."""
    if (item := item_of(node)) is not None:
        return is_of_known_kind(item)
    if isinstance(node, Pack):
        return all(map(is_of_known_kind, node.items))
    kind = node.type if isinstance(node, Value) else None
    plain = isinstance(kind, (Array, Number)) and not is_truth(kind)
    return isinstance(node, Const) or plain


def is_truth(kind: Any) -> bool:
    return isinstance(kind, Number) and kind.kind == "b"


def are_others(now: tuple[Any, ...], then: tuple[Any, ...]) -> bool:
    """True of other functions, or another number of parts."""
    return len(now) != len(then) or any(
        callable(then) and now is not then for now, then in zip(now, then, strict=True)
    )


def parts_of(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def item_of(node: Node) -> Value | None:
    """What is like each item of a list whose length is not known; None of anything else."""
    whole = node.items[0] if isinstance(node, Pack) and node.kind is Listed else None
    kind = whole.type if isinstance(whole, Value) else None
    listed = isinstance(kind, Stack) and kind.user and not kind.keyed
    return Value(None, kind.item) if isinstance(kind, Stack) and listed else None


def may_stand(value: Any) -> bool:
    """True of what a text can say in place of a call: a function, a namespace, or that there is none."""
    return value is None or is_function(value)


def is_function(value: Any) -> bool:
    return isinstance(value, FUNCTIONS)


def asks_in_c(fn: Any) -> bool:
    """True of a function of C that a package calls a question: `lib.is_scalar`, `lib.is_list_like`."""
    name = own_attribute(fn, "__name__", "")
    of_c = isinstance(fn, types.BuiltinFunctionType) or type(fn).__name__ == CYTHON
    return of_c and str(name).startswith(("is_", "has_")) and is_of_package(fn)


def constant_key(node: Node) -> int | None:
    """Tells constants apart."""
    return id(node.value) if isinstance(node, Const) else None
