"""Python functions that only read the objects they are given: ``keys`` and ``get`` of a mapping of the user's.

::

    def lower_keys(self):                    # reads
        yield from [str(key).lower() for key in self._data]

    def missing(self, key):                  # does not: it keeps what it finds
        self._data[key] = self.default

A function reads if its text writes nowhere but to its own variables, and all that it calls reads: functions that it
names, methods and properties of what it can reach, and those that operators of such objects call.
"""

from __future__ import annotations

import builtins
import collections
import types
from collections.abc import Iterable
from itertools import islice
from typing import Any

import gast

from retrograd.runtime.errors import RetrogradError
from retrograd.runtime.objects.class_protocols import ASKED, OPERATORS
from retrograd.runtime.objects.declared_containers import slots_of
from retrograd.runtime.objects.held_objects import reached_from
from retrograd.runtime.objects.own_attributes import own_attribute, own_dict
from retrograd.runtime.traits.lookup import traits_of

from ...frontend.source import source_of
from ...frontend.tree_nodes import nodes
from ..container_facts import is_abstract_reader, leaves_alone_of
from ..instructions import CHANGES
from ..visible_effects import SEEN

__all__ = ["only_reads"]

MANY = 4000  # objects that are looked at
NOT_READ = {f"__i{name}__" for name in OPERATORS} | {
    "__call__",
    "__next__",
    "__enter__",
    "__exit__",
}
OF_NUMBERS = [f"__{side}{name}__" for name in OPERATORS for side in ("", "r")]
OF_NUMBERS += ["__neg__", "__pos__", "__invert__", "__abs__"]
READS = [
    name for name in ASKED if name not in NOT_READ
]  # what operators and functions of Python ask
READS += ["__missing__", "__hash__", "__str__", "__repr__", "__format__"]
FACTS = ("__class__", "__name__", "__qualname__", "__module__", "__doc__", "__dict__")
WRITES = (gast.AugAssign, gast.Delete, gast.With, gast.Global, gast.Nonlocal, gast.Import, gast.ImportFrom,
          gast.Await)  # fmt: skip


def only_reads(fn: Any, given: Iterable[Any]) -> bool:
    """True if a call of a Python function cannot change what it is given, nor anything else from outside."""
    owner = [fn.__self__] if isinstance(fn, types.MethodType) else []
    reader = Reader([*owner, *given])
    reader.ask(fn)
    return reader.decides()


class Reader:
    """What is asked of a function, until all of it is answered or something writes."""

    def __init__(self, given: Iterable[Any]) -> None:
        self.fails = False
        self.hidden = False  # what `super()` finds is asked for too
        self.names = dict.fromkeys(name for name in READS if name not in OF_NUMBERS)
        self.classes: dict[type, None] = {}
        self.asked: dict[int, Any] = {}
        self.left: list[Any] = []
        self.meet(given)

    def meet(self, objects: Iterable[Any]) -> None:
        """Objects that it may come to."""
        found = list(islice(reached_from(objects), MANY))
        self.fails |= len(found) == MANY
        for one in found:
            cls = type(one)
            if cls not in self.classes:
                self.classes[cls] = None
                self.fails |= is_iterator(cls) or issubclass(cls, collections.defaultdict)
            if not is_plain(cls):
                self.names.update(dict.fromkeys(f"{name}()" for name in functions_in(one)))

    def ask(self, fn: Any) -> None:
        fn = own_attribute(fn, "__func__", fn)
        if id(fn) not in self.asked and not is_abstract_reader(fn):
            self.asked[id(fn)] = fn
            self.left.append(fn)

    def decides(self) -> bool:
        done: set[tuple[type, str, bool]] = set()
        while not self.fails:
            while self.left and not self.fails:
                self.read(self.left.pop())
            pairs = {(c, n, self.hidden) for c in self.classes for n in self.names} - done
            if not pairs:
                return not any(f"{n}()" in self.names for n in self.names)
            done |= pairs
            for cls, name, _ in pairs:
                self.member(cls, name)
        return False

    def member(self, cls: type, name: str) -> None:
        """What stands behind a name, of the objects of a class; with `super`, also what it hides."""
        found = [base for base in cls.__mro__ if name in vars(base)]
        for base in found if self.hidden else found[:1]:
            self.fails |= not self.allows(base, name, vars(base)[name])

    def allows(self, base: type, name: str, found: Any) -> bool:
        found = found.fget if isinstance(found, property) else found
        found = own_attribute(found, "__func__", found)
        if isinstance(found, types.FunctionType):
            self.ask(found)
            return True
        if isinstance(found, type):
            return is_harmless_class(found)
        if callable(found):
            return (
                base is object or (name in READS and is_plain(base)) or leaves_alone_of(base, name)
            )
        return own_attribute(type(found), "__get__") is None or isinstance(found, SLOTS)

    def read(self, fn: Any) -> None:
        try:
            tree = source_of(fn).tree
        except (RetrogradError, AttributeError):
            self.fails = True
            return
        found = nodes(tree)
        local = {node.name for node in found if isinstance(node, gast.FunctionDef)}
        names = [node for node in found if isinstance(node, gast.Name)]
        own = {node.id for node in names if not isinstance(node.ctx, gast.Load)}
        for node in found:
            self.fails |= isinstance(node, WRITES) or stores_outside(node)
            if isinstance(node, gast.Attribute):
                self.fails |= node.attr in CHANGES or is_hidden_write(node.attr)
                self.names[node.attr] = None
            if isinstance(node, gast.Call):
                self.fails |= calls_something(node.func, own)
                self.fails |= any(word.arg == "out" for word in node.keywords)
        head = in_head(found)
        read = {node.id for node in names if id(node) not in head}
        self.hidden |= "super" in read
        operators = (gast.BinOp, gast.UnaryOp)
        if "sum" in read or any(isinstance(node, operators) for node in found):
            self.names.update(dict.fromkeys(OF_NUMBERS))
        for name in read - own - local:
            if f"__{name}__" in READS:  # `abs`, `divmod`
                self.names[f"__{name}__"] = None
            self.named(fn, name)

    def named(self, fn: Any, name: str) -> None:
        """A name that a function reads from outside."""
        value = value_of(fn, name)
        looks = callable(value) and traits_of(value).effect in ("none", "looks", "speaks")
        if isinstance(value, types.FunctionType):
            if not looks:
                self.ask(value)
        elif isinstance(value, type):
            self.fails |= not is_harmless_class(value)
        elif callable(value):
            self.fails |= not (looks or is_question(value))
        elif isinstance(value, types.ModuleType) or value is UNKNOWN:
            self.fails = True
        else:
            self.meet([value])


UNKNOWN = object()
SLOTS = (types.MemberDescriptorType, types.GetSetDescriptorType)


def functions_in(one: Any) -> list[str]:
    """The attributes of an object itself that can be called."""
    held = [(name, own_attribute(one, name)) for name in slots_of(type(one))]
    return [name for name, value in [*own_dict(one).items(), *held] if callable(value)]


def value_of(fn: Any, name: str) -> Any:
    cells = dict(zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True))
    if name in cells:
        try:
            return cells[name].cell_contents
        except ValueError:
            return UNKNOWN
    return fn.__globals__.get(name, getattr(builtins, name, UNKNOWN))


def in_head(found: list[Any]) -> set[int]:
    """The nodes of annotations and decorators, which are not read when a function is called."""
    parts: list[Any] = []
    for node in found:
        parts += getattr(node, "decorator_list", [])
        parts += [getattr(node, name, None) for name in ("annotation", "returns")]
    return {id(n) for part in parts if isinstance(part, gast.AST) for n in nodes(part)}


def calls_something(called: Any, own: set[str]) -> bool:
    """True if nobody knows what a call calls: a variable, an item, a result."""
    if isinstance(called, gast.Name):
        return called.id in own
    return not isinstance(called, gast.Attribute)


def is_question(fn: Any) -> bool:
    """True of functions of Python's that do nothing: ``isinstance``, ``iter``."""
    own = isinstance(fn, types.BuiltinFunctionType) and fn.__module__ == "builtins"
    return (
        own and fn.__self__ is builtins and fn.__name__ not in SEEN and traits_of(fn).effect is None
    )


def stores_outside(node: Any) -> bool:
    """True of an item or attribute that is written to."""
    parts = (gast.Attribute, gast.Subscript)
    return isinstance(node, parts) and not isinstance(node.ctx, gast.Load)


def is_hidden_write(name: str) -> bool:
    """True of special methods that are no operators which read: ``x.__setitem__``, ``x.__init__``."""
    return name.startswith("__") and name.endswith("__") and name not in (*READS, *FACTS)


def is_iterator(cls: type) -> bool:
    return own_attribute(cls, "__next__") is not None


def is_plain(cls: type) -> bool:
    return cls.__module__ in ("builtins", "numpy", "cupy", "collections")


def is_harmless_class(cls: type) -> bool:
    """True of classes whose objects are made without changing anything: ``tuple``, ``KeysView``."""
    return cls.__module__ in ("builtins", "collections.abc")
