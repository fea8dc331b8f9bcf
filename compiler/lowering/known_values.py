"""What is known before the function runs: constants, the facts of a call, and what follows from them.

An operation whose record says that the compiler may compute it (`folds`) is computed by Python itself, where its
arguments are known or, if it asks for no more than their kinds, for an object of each kind that they may be of:
what all of these answer is known.  A branch that is not taken is not lowered.
"""

from __future__ import annotations

import builtins
import enum
import sys
import types
from collections.abc import Callable, Iterator
from itertools import islice, product
from typing import Any

import numpy as np

from retrograd.runtime.arrays.transfers import is_plain_array
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.replacements.collection_classes import Members
from retrograd.runtime.traits.lookup import traits_of

from ..analyses.effects import asks_identity
from ..analyses.shapes.infer import type_of
from ..ir.containers import Pack
from ..ir.operations import Apply, Const, Value
from ..ir.plain_values import is_key, is_literal
from ..ir.primitives import FORMAT, IN, NOT_IN
from ..ir.types import Array, Exactly, Number, Numeric, Opaque, Stack, Tree
from .call_facts import Known
from .calls.callee_facts import is_fixed
from .interface.lowerer import Lowerer
from .library.class_questions import (
    ATTRIBUTE,
    answers_plainly,
    called,
    classes_of,
    possible_classes,
    told_by_classes,
)
from .library.set_histories import with_history
from .library.sets import known_members, set_of
from .memory.array_kinds import is_numpy_scalar
from .memory.node_kinds import is_none
from .nodes import UNKNOWN, Node

__all__ = ["NOTHING", "KnownValues", "constant_of", "is_data", "stand_ins", "the_same"]

MANY = 64  # objects that are asked in place of the arguments of one operation
SIMPLE = (
    bool, int, float, complex, str, bytes, type(None), type(Ellipsis), range, np.generic, np.dtype, np.finfo,
    np.iinfo, enum.Enum, type(sys.version_info),
)  # fmt: skip
NAMED = (
    type, types.FunctionType, types.BuiltinFunctionType, np.ufunc, types.UnionType, types.GenericAlias, np.dtype,
    enum.Enum,
)  # fmt: skip
MODULE = (list, dict, set)
WORDS = (str, bytes, enum.Enum, type, np.dtype)
PLAIN = (np.ndarray, tuple, list, dict)
NAMES = ("__name__", "__qualname__", "__module__")
CLASSES = {"b": True, "i": 1, "f": 0.5, "c": 0.5j}
DTYPES = {"b": ("?",), "i": ("i8", "u1"), "f": ("f8", "f4"), "c": ("c16", "c8")}


class KnownValues:
    """Python's values of expressions, where they are known before the function runs."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope
        self.facts = lowerer.scope.program.known

    # -- what is known -----------------------------------------------------------------

    def of(self, node: Node) -> Any:
        """The value of an expression; ``UNKNOWN`` where only running the function tells it."""
        if isinstance(node, Const):
            return self.of_constant(node)
        if isinstance(node, Value):
            return self.of_value(node)
        if isinstance(node, Pack) and node.kind in (tuple, list):
            return self.within(node.kind, node.items)
        if isinstance(node, Pack) and node.kind is Members:
            return known_members(node)
        if isinstance(node, (tuple, list)):
            return self.within(type(node), node)
        if isinstance(node, slice):
            parts = self.within(list, [node.start, node.stop, node.step])
            return parts if parts is UNKNOWN else slice(*parts)
        return UNKNOWN

    def of_constant(self, node: Const) -> Any:
        value, decides = node.value, node.text is None or self.facts.decides
        if are_named(value) or is_fixed(value):
            return value
        plain, whole = type(value) is types.ModuleType or is_simple(value), type(value) in MODULE
        self.facts.attempt.undecided |= not decides
        self.facts.deciding |= node.text is not None and (plain or whole)
        return (
            UNKNOWN
            if not decides
            else value
            if plain
            else self.contents(node)
            if whole
            else UNKNOWN
        )

    def contents(self, node: Const) -> Any:
        """A container of the module as it is, every entry guarded."""
        value = node.value
        items = value.values() if type(value) is dict else ()
        if not all(is_simple(v) or are_named(v) for v in (*value, *items)):
            return UNKNOWN
        self.lowerer.constants.take(node)
        self.scope.program.note("keys", value, "", tuple(value))
        for key in value if items else ():
            self.scope.program.note("item", value, key, value[key])
        return type(value)(value)

    def of_value(self, node: Value) -> Any:
        facts = self.facts
        path = facts.given_at.get(node)
        if path is not None and path in facts.given:
            exactly = isinstance(facts.given[path], Exactly)
            return UNKNOWN if exactly else facts.consult(path)
        if node in facts.numbers:
            facts.consulted |= facts.numbers[node].roots
            return facts.numbers[node].value
        if is_none(node):
            return None
        if isinstance(node.type, Opaque) and node.type.dtype:
            return np.dtype(node.type.dtype)
        op = facts.asked.get(node)
        return UNKNOWN if op is None else self.computed(op.fn, op.args, op.kwargs)

    def settled(self, node: Node) -> Node:
        """None, a text, or a member of an enumeration that is known at the call, as a constant; all else as it is."""
        if is_none(node):
            return Const(None)
        path = self.facts.given_at.get(node) if isinstance(node, Value) else None
        known = path is not None and isinstance(self.facts.given.get(path), WORDS)
        return self.spoken(self.facts.consult(path)) if path is not None and known else node

    def taken_apart(self, node: Node) -> Node:
        """A list or tuple of the arguments with texts that are known, item by item: so it is gone over."""
        program = self.scope.program
        path = program.paths.get(node) if isinstance(node, Value) else None
        given = self.facts.given.items() if path is not None else ()
        words = any(isinstance(v, WORDS) for at, v in given if (at[0], at[1][:-1]) == path)
        return self.lowerer.construction.taken_apart(node) if words else node

    def number(self, node: Node) -> Known | None:
        """A whole number that is known, or True or False; who asks its value consults what it follows from."""
        if not isinstance(node, Value) and not (isinstance(node, Const) and node.text is None):
            return None
        if is_fraction(type_of(node)):
            return None
        before, self.facts.consulted = self.facts.consulted, set()
        value = self.of(node)
        roots, self.facts.consulted = self.facts.consulted, before
        return Known(value, frozenset(roots)) if isinstance(value, int) else None

    def key(self, node: Node) -> Node:
        """What an item is taken by, as a constant if it is known."""
        value = UNKNOWN if isinstance(node, (Const, slice)) else self.of(node)
        return node if not is_literal(value) else Const(value)

    def within(self, kind: Any, items: Any) -> Any:
        found = [self.of(i) for i in items]
        return UNKNOWN if any(v is UNKNOWN for v in found) else kind(found)

    def is_true(self, node: Node) -> bool | None:
        """What a branch is taken by; None where that is not known."""
        value = self.of(node) if isinstance(node, (Value, Const)) else UNKNOWN
        if value is UNKNOWN:
            return self.is_true_either_way(node)
        try:
            return bool(value)
        except Exception:
            return None

    def is_true_either_way(self, node: Node) -> bool | None:
        """Of ``a or b``, ``a and b``, ``a if t else b``: what both sides are, as ``a or True`` is true."""
        parts = self.facts.chosen_from.get(node, ()) if isinstance(node, Value) else ()
        if len(parts) != 3:
            return None
        test, then, orelse = parts
        first = True if then is test else self.is_true(then)
        second = False if orelse is test else self.is_true(orelse)
        return first if first is second else None

    # -- what follows ------------------------------------------------------------------

    def folded(self, fn: Any, args: Any, kwargs: Any) -> Node | None:
        """A call that is computed now; None for one that is not, or whose result no text can say."""
        if not may_fold(fn) or any(is_of_known_length(fn, a) for a in args):
            return None  # a loop over so many items is written with `len(x)`
        value = self.computed(fn, args, kwargs)
        if type(value) is set:
            return with_history(self.lowerer, set_of(value), fn, args)
        return Const(value, "np") if value is np else constant_of(value)

    def note(self, op: Apply) -> None:
        """An operation that may be computed, if a branch asks for its result."""
        if may_fold(op.fn) or traits_of(op.fn).sign is not None:
            self.facts.asked[op.results[0]] = op

    def computed(self, fn: Any, args: Any, kwargs: Any) -> Any:
        """What Python says to a call with these arguments: the same to all objects that they may be."""
        if fn is FORMAT:
            return self.formatted(args)
        names = list(kwargs)
        found: list[list[Any]] = []
        for argument in [*args, *kwargs.values()]:
            found.append(self.candidates(fn, argument))
            if not found[-1]:
                return UNKNOWN
        answers: list[Any] = []
        for given in islice(product(*found), MANY + 1):
            if len(answers) == MANY or not is_answered_by_python(fn, given):
                return UNKNOWN
            try:
                plain = given[: len(args)]
                named = dict(zip(names, given[len(args) :], strict=True))
                answers.append(called(fn)(*plain, **named))
            except Exception:
                return UNKNOWN
            if not alike(answers[0], answers[-1]) or gives_container_of(answers[-1], given):
                return UNKNOWN
        if fn is builtins.hasattr and type(found[0][0]) is types.ModuleType:
            self.scope.program.note_call(fn, [found[0][0], found[1][0]], {}, answers[0])
        return answers[0]

    def candidates(self, fn: Any, node: Node) -> list[Any]:
        """The value of an argument, or one object of each kind that it may be of."""
        if (value := self.of(node)) is not UNKNOWN:
            return [value]
        if kinds := possible_classes(self, node):
            return kinds
        by_kind = traits_of(fn).folds == "kinds" or is_of_known_length(fn, node)
        if not (by_kind and is_data(node)):
            return []
        found = list(stand_ins(type_of(node), node))
        if fn is builtins.isinstance and is_listed(type_of(node)):
            found = [[], ()]
        if is_numpy_scalar(node, self.lowerer.versions.rank0):
            found = [v for v in found if type(v) is not np.ndarray]
        if isinstance(fn, ATTRIBUTE):  # a number of Python's has none of NumPy's attributes
            found = [v for v in found if hasattr(v, "dtype")]
        path = self.facts.given_at.get(node) if len(found) > 1 else None
        known = None if path is None else self.facts.given.get(path)
        if path is None or not isinstance(known, Exactly):
            return found
        self.facts.consult(path)
        return [v for v in found if type(v) is known.cls]

    # -- questions that Python has syntax for ---------------------------------------------

    def compared(self, fn: Any, left: Node, right: Node) -> Node | None:
        """``kind in "abc"``, ``type(x) is float``: a comparison of what is known."""
        a, b = self.of(left), self.of(right)
        if b is UNKNOWN and fn in (IN, NOT_IN) and isinstance(a, str):
            b = self.lowerer.objects_now.words(right)
        member = b is UNKNOWN and fn in (IN, NOT_IN) and is_simple(a)
        self.facts.deciding |= member
        if member and self.facts.decides:
            there = self.lowerer.constants.has(right, a)
            return None if there is None else constant_of(there is (fn is IN))
        if a is UNKNOWN and (told := told_by_classes(self, fn, left, b)) is not None:
            return constant_of(told)
        if a is UNKNOWN or b is UNKNOWN or not (is_word(a) or is_word(b)):
            return None
        if asks_identity(fn) and not (is_single(a) or is_single(b)):
            return None
        try:
            return constant_of(bool(called(fn)(a, b)))
        except Exception:
            return None

    def attribute(self, base: Node, name: str) -> Any:
        """An attribute of an object that is known and stays as it is: of a text, a member of an enumeration, a dtype."""
        value = self.of(base) if isinstance(base, Value) else UNKNOWN
        named = isinstance(value, type) and name in NAMES
        if value is UNKNOWN or not (named or is_simple(value)):
            return UNKNOWN
        try:
            return getattr(value, name)
        except AttributeError:
            return UNKNOWN

    def function(self, node: Value) -> Node:
        """What is called, where that is known."""
        value = self.of(node)
        return self.spoken(value) if value is not UNKNOWN and isinstance(value, NAMED) else node

    def spoken(self, value: Any) -> Const:
        """A constant, with a name if it is a function or class of the program's."""
        if not isinstance(value, NAMED) or isinstance(value, (np.dtype, enum.Enum)):
            return Const(value)
        named = own_attribute(value, "__module__") in ("numpy", "builtins", "math")
        name = own_attribute(value, "__name__", "function")
        return Const(value, None if named else self.scope.program.text_for(name, value))

    def text(self, pieces: Any) -> Node | None:
        """A formatted text whose fields are all literals."""
        fields = [piece[0] for piece in pieces if isinstance(piece, tuple)]
        if not all(isinstance(f, Const) and f.text is None for f in fields):
            return None
        return constant_of(self.formatted(pieces))

    def formatted(self, pieces: Any) -> Any:
        """A text with fields in it."""
        try:
            return "".join(map(self.piece, pieces))
        except (LookupError, ValueError, TypeError):
            return UNKNOWN

    def piece(self, part: Any) -> str:
        if isinstance(part, Const):
            return str(part.value)
        value, how, form = self.of(part[0]), part[1].value, part[2]
        if not is_literal(value):
            raise LookupError
        if how != -1:
            value = (
                str(value) if how == ord("s") else ascii(value) if how == ord("a") else repr(value)
            )
        return format(value, "".join(map(self.piece, form)))


# -- what may be computed ----------------------------------------------------------------


def may_fold(fn: Any) -> bool:
    """True if the record of an operation says that it may be computed while compiling."""
    if isinstance(own_attribute(fn, "__objclass__"), type) and callable(fn):
        return fn.__objclass__ in (str, bytes) or traits_of(fn).folds is not None
    return traits_of(fn).folds is not None or is_enumeration(fn)


def gives_container_of(answer: Any, given: Any) -> bool:
    """True if an answer is, or holds, a list or a dict that an argument holds: who writes to it writes to that."""
    found = {id(part) for part in writable_parts(answer)}
    return bool(found) and not found.isdisjoint(map(id, writable_parts(given)))


def writable_parts(value: Any) -> Iterator[Any]:
    if type(value) in MODULE:
        yield value
    if type(value) in (tuple, list, dict):
        for item in value.values() if type(value) is dict else value:
            yield from writable_parts(item)


def is_enumeration(fn: Any) -> bool:
    return isinstance(fn, type) and issubclass(fn, enum.Enum)


def is_answered_by_python(fn: Any, given: Any) -> bool:
    """False where a class of the user's would be asked."""
    if fn in (builtins.getattr, builtins.hasattr):
        asked = fn is builtins.hasattr and type(given[0]) in (*PLAIN, types.ModuleType)
        return asked or is_simple(given[0])
    if fn in (builtins.isinstance, builtins.issubclass) and len(given) == 2:
        return all(map(answers_plainly, classes_of(given[1])))
    return True


# -- objects in place of others -----------------------------------------------------------


def is_fraction(kind: Any) -> bool:
    """True of a number or an array that is no whole number on any way."""
    return isinstance(kind, (Number, Array)) and kind.lowest in ("f", "c")


def is_data(node: Node) -> bool:
    return isinstance(node, Value) or (isinstance(node, Const) and is_plain_array(node.value))


def is_of_known_length(fn: Any, node: Node) -> bool:
    kind = type_of(node) if fn is len and isinstance(node, Value) else None
    return isinstance(kind, Tree) and kind.container in ("tuple", "list", "dict")


def is_listed(kind: Any) -> bool:
    """True of a list or a tuple of unknown length."""
    return isinstance(kind, Stack) and kind.user and not kind.keyed


def stand_ins(kind: Any, node: Node) -> Iterator[Any]:
    """One object of each kind that a value of this type may be of; none where that is not known."""
    if isinstance(kind, Number):
        yield from (CLASSES[k] for k in kinds_of(kind))
    elif isinstance(kind, Numeric):
        yield from arrays(kind.bound or Array())
    elif isinstance(kind, Array):
        yield from arrays(kind)
    elif isinstance(kind, Tree) and kind.container in ("tuple", "list"):
        items = [list(stand_ins(item, None)) for item in kind.items]
        if all(items):
            yield from map({"tuple": tuple, "list": list}[kind.container], product(*items))
    elif isinstance(kind, Tree) and kind.container == "dict" and kind.cls is None:
        yield dict.fromkeys(kind.keys)
    elif isinstance(kind, Tree) and kind.cls in (str, bytes, type(None)):
        yield None if kind.cls is type(None) else kind.cls()  # type: ignore[misc]


def kinds_of(known: Number | Array) -> str:
    """The kinds that a number or the items of an array may be of; all where none is known."""
    most, least = (k.replace("u", "i") if k else k for k in (known.kind, known.lowest))
    if most not in DTYPES:
        return "".join(DTYPES)
    return "bifc"["bifc".index(least or "b") : "bifc".index(most) + 1]


def arrays(kind: Array) -> Iterator[Any]:
    names = (kind.dtype,) if kind.dtype else sum((DTYPES[k] for k in kinds_of(kind)), ())
    dtypes = [np.dtype(name) for name in names]
    for dtype in (d for d in dtypes if not d.hasobject):
        for rank in (kind.rank,) if kind.rank is not None else (0, 1, 2):
            made = np.zeros((2,) * rank, dtype)
            yield made
            if rank == 0:  # NumPy's own scalar, or a number of Python's
                yield made[()]
                yield made.item()


# -- answers -------------------------------------------------------------------------------


def alike(a: Any, b: Any) -> bool:
    try:
        return a is b or (type(a) is type(b) and bool(a == b) and repr(a) == repr(b))
    except Exception:
        return False


def is_simple(value: Any) -> bool:
    """True for objects that stay as they are."""
    if type(value) in (tuple, frozenset):
        return all(map(is_simple, value))
    return isinstance(value, SIMPLE)


def are_named(value: Any) -> bool:
    """True for a class, a function, and a tuple of such: other programs ask for them by name."""
    return isinstance(value, NAMED) or (
        type(value) is tuple and bool(value) and all(map(are_named, value))
    )


def is_word(value: Any) -> bool:
    """True for what is no number: a comparison of two numbers stands in the text as it was written."""
    if isinstance(value, (tuple, list)):
        return any(map(is_word, value))
    return not isinstance(value, (int, float, complex, np.generic))


def is_single(value: Any) -> bool:
    """True for objects that are told apart by what they are."""
    return value is None or isinstance(value, (bool, enum.Enum, types.ModuleType, *NAMED))


def constant_of(value: Any) -> Node | None:
    """A value as an expression: text, whole numbers, and containers of them; None for all else."""
    if type(value) in (tuple, list):
        items = [constant_of(v) for v in value]
        return None if None in items else Pack(type(value), list(range(len(items))), items)
    if type(value) is dict:
        items = [constant_of(v) for v in value.values()]
        known = None not in items and all(map(is_key, value))
        return Pack(dict, list(value), items) if known else None
    if type(value) in (set, frozenset) and all(map(is_literal, value)):
        return Const(value) if type(value) is frozenset else set_of(value)
    plain = is_literal(value) and not isinstance(value, (float, complex))
    return Const(value) if plain or isinstance(value, enum.Enum) else None


NOTHING: Any = type("Nothing", (Exception,), {})  # is raised


def the_same(
    asked: list[Any], ask: Callable[[Any], Any], kind: type[Exception]
) -> type[Exception] | None:
    """What all of them raise, if it is of this kind; ``NOTHING``, if none does; None if they differ."""
    found = set()
    for value in asked:
        try:
            ask(value)
        except kind:
            found.add(kind)
        except Exception:
            return None
        else:
            found.add(NOTHING)
    return found.pop() if len(found) == 1 else None
