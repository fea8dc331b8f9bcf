"""Containers of the module: what is in them is a constant, guarded like a name of the module."""

from __future__ import annotations

import builtins
import enum
import keyword
import operator
import re
import types
from typing import Any

import gast

from retrograd.runtime.objects.own_attributes import own_attribute

from ..analyses.module_objects import Taken
from ..analyses.third_party import is_of_package
from ..ir.containers import Pack
from ..ir.operations import UNDEFINED, Const, Value
from ..ir.plain_values import is_data, is_literal, is_writable
from .call_facts import Entry
from .interface.lowerer import Lowerer
from .iteration.iterables import is_plain
from .nodes import Node

__all__ = ["ModuleConstants"]

LARGEST = 100  # entries of a copy that is written out; a larger one is known when it runs


class ModuleConstants:
    """Entries of tuples, lists and dicts that the module holds."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    def constant_item(self, base: Const, key: Any) -> Node:
        """An entry of a container of the module: functions and objects are constants, guarded."""
        value = base.value[key]
        if base.text is None and is_plain(value):
            self.take(base)
            return Const(value)
        if not (callable(value) or is_opaque(value)):
            made = self.lowerer.operations.apply(
                operator.getitem, (base, self.spoken_of(Const(key))), {}
            )
            self.note_switch(made, base, key)
            return made
        name = str(own_attribute(value, "__name__", as_name(f"{base.text}_{key}")))
        name = name if name.isidentifier() else as_name(f"item_{key}")
        self.take(base)
        self.scope.program.capture_entry(base.value, key, value)
        return Const(value, self.scope.program.text_for(name, value))

    def note_switch(self, made: Value, base: Const, key: Any) -> None:
        """An entry that tells a place, ``xs[ORDER[0]]``, or by which a branch is taken in the code of a package."""
        value, place = base.value[key], self.scope.place(self.scope.node)
        if not is_plain(value):
            return
        program, name = self.scope.program, base.text or "a container of the module"

        def take() -> None:
            program.taken.append(Taken(base.value, name, place))
            program.capture_entry(base.value, key, value)

        decides = is_of_package(self.scope.python)
        program.known.note_entry(made, Entry(base.value, key, value, take, decides))

    def place_told(self, index: Node) -> Node:
        """Such an entry by which an item of another container is chosen, as what it is now; other nodes as they are."""
        entry = self.scope.program.known.entries.get(index) if isinstance(index, Value) else None
        if not isinstance(entry, Entry) or not isinstance(entry.value, (int, str)):
            return index
        entry.take()
        return Const(entry.value)

    def answer(self, test: Node) -> bool | None:
        """What such an entry, or its comparison with a constant, tells a branch; None where something else has a part in it."""
        facts = self.scope.program.known
        entry = facts.entries.get(test) if isinstance(test, Value) else None
        op = facts.asked.get(test) if isinstance(test, Value) and entry is None else None
        if op is None:
            parts: list[Any] = [] if entry is None else [entry]
        else:
            parts = [facts.entries.get(p) if isinstance(p, Value) else p for p in op.args]
        entries = [p for p in parts if isinstance(p, Entry)]
        plain = all(isinstance(p, Entry) or is_plain_constant(p) for p in parts)
        if not (entries and plain and all(e.decides for e in entries)):
            return None
        values = [p.value for p in parts]
        try:
            found = bool(values[0] if op is None else op.fn(*values, **op.kwargs))
        except Exception:  # it is raised when the function runs
            return None
        for one in entries:
            one.take()
        return found

    def take(self, base: Const) -> None:
        """Records that the content of a container is taken for a constant here."""
        name = base.text or "a container of the module"
        self.scope.program.taken.append(Taken(base.value, name, self.scope.place(self.scope.node)))

    def take_entries(self, base: Const) -> None:
        """Records the same of which entries there are."""
        self.take(base)
        self.scope.program.capture_entries(base.value)

    def spoken_of(self, node: Node) -> Node:
        """A constant that no literal gives back has a name in the text."""
        if not isinstance(node, Const) or node.text is not None or node is UNDEFINED:
            return node
        value = node.value
        if isinstance(value, types.FunctionType):
            return Const(value, self.scope.program.name_of(value))
        if is_writable(value) or own_attribute(value, "__name__") is not None:
            return node  # functions, classes and modules have a name
        return Const(value, self.scope.program.text_for(name_for(value), value))

    def has(self, node: Node, key: Any) -> bool | None:
        """Whether a dict of the module has an entry, guarded; None of anything else."""
        if not (isinstance(node, Const) and type(node.value) is dict):
            return None
        self.take(node)
        self.scope.program.note("has", node.value, key, key in node.value)
        return key in node.value

    def get(self, base: Const, key: Node, default: Node) -> Node | None:
        """``TABLE.get(key, default)``, where the key is known."""
        asked = self.lowerer.known.of(key)
        if not is_literal(asked):
            return None
        return self.constant_item(base, asked) if self.has(base, asked) else default

    def got(self, table: Const, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        """``TABLE.get(key, default)``: one entry, where the key is known; else one of them all."""
        made = None
        if len(args) in (1, 2) and not kwargs:
            made = self.get(table, args[0], args[1] if args[1:] else Const(None))
        if made is not None:
            return made
        whole = self.lowerer.cells.method(self.constant_pack(table), "get")
        return self.lowerer.calls.call(whole, args, kwargs, node)

    def constant_pack(self, base: Const) -> Pack:
        """A container of the module, taken apart; how many entries it has is guarded."""
        self.take_entries(base)
        keys = list(base.value) if isinstance(base.value, dict) else list(range(len(base.value)))
        plain = isinstance(base.value, dict) and all(map(is_plain, base.value.values()))
        return Pack(type(base.value), keys, [self.entry(base, k, plain) for k in keys])

    def entry(self, base: Const, key: Any, plain: bool) -> Node:
        """An entry of a container whose content is taken: None, among options, is no value to be read."""
        if not plain or base.value[key] is not None:
            return self.constant_item(base, key)
        self.scope.program.capture_entry(base.value, key, None)
        return Const(None)

    def own(self, node: Node) -> Node:
        """What a copy of a container of the module holds, which the function may write to; other nodes as they are."""
        small = is_container_constant(node) and len(node.value) <= LARGEST
        if not (small and self.scope.program.copies):
            return node
        before = len(self.scope.program.taken)
        made = self.constant_pack(node)
        for one in self.scope.program.taken[before:]:
            one.copied = True
        return made


def is_plain_constant(node: Node) -> bool:
    """True of a constant that the function itself writes out."""
    return isinstance(node, Const) and node.text is None


def as_name(text: str) -> str:
    """The letters and digits of a text: ``TABLE_1_2`` for an entry ``TABLE[1, 2]``.

    >>> as_name("TABLE_(1, 2)"), as_name("item_-1")
    ('TABLE_1_2', 'item_1')
    """
    return text if text.isidentifier() else re.sub(r"_?\W+_?", "_", text).strip("_") or "item"


def is_opaque(value: Any) -> bool:
    """True if a value is no array, number or text: an object or a container of the module's."""
    return not is_data(value)


def name_for(value: Any) -> str:
    """The name of a constant: that of an enumeration's member, else of its class."""
    name = str(getattr(value, "name", "")) if isinstance(value, enum.Enum) else ""
    name = name.lower() if name.isidentifier() else type(value).__name__.lower()
    return f"a_{name}" if hasattr(builtins, name) or keyword.iskeyword(name) else name


def is_container_constant(node: Node) -> bool:
    return isinstance(node, Const) and type(node.value) in (tuple, list, dict)
