"""Attributes: of arrays, of containers that came with the arguments, of objects of the module."""

from __future__ import annotations

import builtins
import enum
import functools
import sys
import types
from typing import Any

import gast
import numpy as np

from retrograd.runtime.arrays.transfers import is_ndarray, is_plain_array
from retrograd.runtime.arrays.twins import host_twin
from retrograd.runtime.errors import UnsupportedOperation, UnsupportedSyntax
from retrograd.runtime.objects.class_protocols import is_sparse
from retrograd.runtime.objects.own_attributes import home_of, own_attribute
from retrograd.runtime.rules.book import book, is_constant

from ..analyses.effects import owner_of
from ..analyses.shapes.infer import type_of
from ..analyses.visible_effects import is_changeable
from ..dependencies.object_reads import MISSING, class_of, static
from ..ir.containers import Pack
from ..ir.operations import Const, Value
from ..ir.types import BOTTOM, Array, Number, Numeric, Stack, Tree, is_record
from .calls.arguments_and_results import CONTAINERS
from .calls.callee_facts import is_fixed
from .calls.operator_overloads import is_users
from .interface.lowerer import Lowerer
from .iteration.itertools_calls import is_array
from .iteration.unbounded_iterables import Flat, counted
from .known_values import constant_of
from .library.collections_inside import class_outside
from .library.frozen_distributions import thawed
from .memory.container_writes import DICT_WRITERS, LIST_WRITERS
from .memory.restart import Reopen
from .names import refuse_tensors
from .nodes import (
    UNKNOWN,
    BoundConstant,
    BoundMethod,
    BoundUser,
    Listed,
    Mapped,
    Node,
    Ref,
    Super,
    describe,
)
from .opaque.opaque_calls import named
from .words import words

__all__ = ["Attributes"]


class Attributes:
    """Reads attributes."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    def on_Attribute(self, node: gast.AST) -> Node:
        return self.attribute(self.lowerer.expression(node.value), node.attr, node)

    def attribute(self, base: Node, name: str, node: gast.AST) -> Node:
        if name == "flat" and isinstance(base, Value) and is_array(base):
            return Flat(
                value=base,
                places=counted(self.lowerer.itertools_calls.shape_of(base, node)),
                hint="k",
            )
        method = self.lowerer.draws.method_of(base, name)
        if method is not None:
            return method
        if isinstance(base, Value) and (found := self.known_attribute(base, name)) is not None:
            return found
        if name == "__class__" and isinstance(base, Value):
            return self.lowerer.calls.call(Const(type), [base], {}, node)
        if self.lowerer.inactive.is_asked_late(base) and self.is_late(base, name):
            return self.lowerer.inactive.attribute(base, name)
        if isinstance(base, Const):
            return self.constant_attribute(base, name, node)
        if isinstance(base, Pack):
            return self.lowerer.containers.pack_attribute(base, name, node)
        if isinstance(base, Super):
            return self.lowerer.construction.super_attribute(base, name, node)
        if isinstance(base, BoundUser) and base.decorated is not None:
            return words().of_decorated(base, name, self.scope.place(node))
        if not isinstance(base, Value):
            raise UnsupportedSyntax(
                f"an attribute of {describe(base)}", place=self.scope.place(node)
            )
        known = base.type
        if known is BOTTOM:
            return base  # what never is has any attribute
        if isinstance(known, Tree) and known.container == "object" and name in known.keys:
            return self.lowerer.subscripts.getitem_attribute(base, name)
        if isinstance(known, Tree) and name in WRITERS.get(known.container, ()):
            raise Reopen(base, None, node)
        if isinstance(known, Stack) and known.user:
            if name in WRITERS["dict" if known.keyed else "list"]:
                raise Reopen(base, None, node)
            kind = Mapped if known.keyed else Listed
            return self.lowerer.cells.method(Pack(kind, [0], [base]), name)
        if isinstance(known, Tree) and name in getattr(known.cls, "_fields", ()):
            return self.lowerer.subscripts.getitem(base, Const(known.cls._fields.index(name)))  # type: ignore[union-attr]
        if isinstance(known, Tree) and known.container in ("list", "tuple"):
            items = [self.lowerer.subscripts.getitem(base, Const(k)) for k in known.keys]
            return self.lowerer.cells.method(
                Pack(CONTAINERS[known.container], list(known.keys), items), name
            )
        if isinstance(known, Tree) and is_record(known):
            return self.record_attribute(base, known, name, node)
        if isinstance(known, Tree) and known.container == "dict":
            return self.lowerer.containers.dict_attribute(base, known, name, node)
        if isinstance(known, Tree) and known.container == "object":
            return self.lowerer.containers.object_attribute(base, known, name, node)
        descriptor = of_arrays(name)
        if descriptor is None and known is None and self.lowerer.inactive.is_inert(base):
            return self.lowerer.inactive.attribute(base, name)
        if descriptor is None:
            self.lowerer.known_results.ask(base)
            refused = UnsupportedOperation(
                f"`.{name}` of {told(known)} has no rule", place=self.scope.place(node)
            )
            if isinstance(known, (Array, Number)) and nothing_has(name, known.kind):
                cls = CLASSES[known.kind] if isinstance(known, Number) else "numpy.ndarray"
                refused.as_python(AttributeError, f"'{cls}' object has no attribute '{name}'")
            raise refused
        if callable(descriptor):
            return BoundMethod(descriptor, base)
        known_one = descriptor in book or is_constant(descriptor)
        if not known_one and not self.lowerer.inactive.is_inert(base):
            raise UnsupportedSyntax(
                f"`.{name}` of {told(known)} has no rule", place=self.scope.place(node)
            )
        return self.lowerer.operations.apply(descriptor, (base,), {})

    def record_attribute(self, base: Value, known: Tree, name: str, node: gast.AST) -> Node:
        """An attribute of an object in a list of run-time length."""
        if name in known.keys:
            return self.lowerer.subscripts.getitem(base, Const(name))
        assert known.cls is not None
        return self.class_attribute(base, known.cls, name, node)

    def class_attribute(self, base: Node, cls: type, name: str, node: gast.AST) -> Node:
        if name == "T" and is_sparse(cls):
            return self.lowerer.inactive.attribute(base, name)  # another one each time
        found = static(cls, name, MISSING)
        if isinstance(found, property):
            return self.lowerer.calls.call_user(found.fget, [base], {}, node)
        if isinstance(found, functools.cached_property):
            return self.kept(base, name, found, node)
        if isinstance(found, types.FunctionType):
            return BoundUser(found, base)
        if cls in (str, bytes) and callable(found) and isinstance(base, Value):
            return BoundMethod(found, base)  # known when it runs
        plain = self.scope.program.unwrap(found)
        if isinstance(plain, types.FunctionType):
            return BoundUser(plain, base, found)
        if isinstance(found, (staticmethod, classmethod)):
            return Const(getattr(cls, name), name)
        if name == "__class__":
            return Const(cls, cls.__name__)
        if found is not MISSING and not hasattr(type(found), "__get__"):
            return Const(found, self.scope.program.text_for(name, found))
        raise UnsupportedSyntax(
            f"`{name}` of a {own_attribute(class_outside(cls), '__name__', cls)} is not supported",
            place=self.scope.place(node), fix="write it as a loop, or ask for it outside",
        )  # fmt: skip

    def kept(
        self, base: Node, name: str, found: functools.cached_property[Any], node: gast.AST
    ) -> Node:
        """What a ``cached_property`` computes: an attribute of the object from now on."""
        made = self.lowerer.calls.call_user(found.func, [base], {}, node)
        if isinstance(base, Pack) and base.cell is not None:
            now = self.lowerer.cells.seen(Ref(base.cell))
            keys, items = [*now.keys, name], [*now.items, self.lowerer.cells.stored(made)]
            self.lowerer.cells.rewrite(now, keys, items, node)
        return made

    def known_attribute(self, base: Value, name: str) -> Node | None:
        """``np.finfo(x.dtype).eps``, ``x.dtype.kind``: of an object that is known."""
        value = self.lowerer.known.attribute(base, name)
        if value is UNKNOWN:
            return None
        found = constant_of(value)
        if found is not None:
            return found
        if callable(value) and not isinstance(value, type):
            return BoundMethod(getattr(type(self.lowerer.known.of(base)), name), base)
        made = self.lowerer.operations.apply(builtins.getattr, (base, Const(name)), {})
        made.type = type_of(Const(value))
        return made

    def is_late(self, base: Node, name: str) -> bool:
        """True if this is no method of an object of other people's, which may be lowered."""
        if not isinstance(base, Const):
            return True
        found = static(type(base.value), name)
        return not isinstance(found, (types.FunctionType, types.MethodDescriptorType))

    def constant_attribute(self, base: Const, name: str, node: gast.AST) -> Node:
        if isinstance(base.value, (enum.Enum, np.dtype)):
            known = constant_of(getattr(base.value, name, UNKNOWN))
            if known is not None:
                return known
        if type(base.value) is dict and name == "get":
            return BoundConstant(dict.get, base)
        if type(base.value) is dict and name in ("items", "keys", "values"):
            return self.lowerer.cells.method(self.lowerer.constants.constant_pack(base), name)
        if is_ndarray(base.value) and not hasattr(np.ndarray, name):
            raise self.not_of_arrays(base.value, name, node)
        if is_ndarray(base.value):
            descriptor = getattr(np.ndarray, name)
            if callable(descriptor):
                return BoundConstant(descriptor, base)
            return self.lowerer.operations.apply(descriptor, (base,), {})
        method = thawed(self.lowerer, base.value, name, node)
        if method is not None:
            return method
        method = getattr(type(base.value), name, None)
        if type(base.value) in (str, bytes, int, float, complex) and callable(method):
            return BoundConstant(method, base)
        found = static(class_of(base.value), name)
        if isinstance(found, property) and is_users(found.fget):  # type: ignore[arg-type]
            return self.lowerer.calls.call_user(found.fget, [base], {}, node)
        plain = self.scope.program.unwrap(found)
        if plain is not found and isinstance(plain, types.FunctionType):
            return BoundUser(plain, named(self.scope.program, base), found)
        try:
            value = getattr(base.value, name)
        except AttributeError as error:
            refused = UnsupportedSyntax(str(error), place=self.scope.place(node))
            sure = not base.text or self.lowerer.known.of(base) is None
            raise (refused.as_python(AttributeError) if sure else refused) from None
        if host_twin(value) is not value:
            return Const(host_twin(value))
        text = f"{base.text}.{name}" if base.text else None
        if base.text and owner_of(value) is base.value:
            self.scope.program.text_for(base.text.replace(".", "_"), base.value)
        if not is_ours(self.scope.python, base.value):
            self.note_attribute(base.value, name, value, node)
        if base.text and is_changeable(base.value) and not callable(value):
            self.lowerer.constants.take(base)
        if value is None:
            return Const(None)
        refuse_tensors(self.lowerer, name, value, node)
        return self.lowerer.states.state_of(Const(value, text))

    def not_of_arrays(self, array: Any, name: str, node: gast.AST) -> UnsupportedSyntax:
        """What a subclass of arrays has of its own is not followed; of NumPy's own there is none."""
        if not is_plain_array(array):
            return UnsupportedSyntax(
                f"`.{name}` of an array of the class {type(array).__name__} is not supported",
                place=self.scope.place(node), fix="compute with np.asarray(...) of it",
            )  # fmt: skip
        self.scope.program.note_call(builtins.hasattr, [array, name], {}, False)
        missing = f"'numpy.ndarray' object has no attribute '{name}'"
        refused = UnsupportedSyntax(missing, place=self.scope.place(node))
        return refused.as_python(AttributeError)

    def note_attribute(self, owner: Any, name: str, value: Any, node: gast.AST) -> None:
        try:
            self.scope.program.capture_attribute(owner, name, value)
        except UnsupportedSyntax as error:
            if is_sparse(type(owner)) and is_sparse(type(value)):
                return  # `A.T`, which is made when it is read
            error.place = self.scope.place(node)
            raise


def told(known: Any) -> str:
    """How a message calls a value of a type."""
    if isinstance(known, Numeric):
        return "a number or an array"
    if isinstance(known, (Array, Number)):
        return "an array" if isinstance(known, Array) else "a number"
    return "a value of unknown class"


def nothing_has(name: str, kind: str | None) -> bool:
    """True if nothing that may stand where an array of a kind is expected has such an attribute."""
    sparse = sys.modules.get("scipy.sparse")
    kinds = [np.ndarray, np.matrix, np.ma.MaskedArray, *(NUMBERS if kind in CLASSES else SCALARS)]
    kinds += [getattr(sparse, cls) for cls in ("csr_matrix", "coo_array", "dia_matrix") if sparse]
    return not any(hasattr(cls, name) for cls in kinds)


SCALARS: tuple[type, ...] = (int, float, complex, *set(np.sctypeDict.values()))
NUMBERS = tuple(cls for cls in SCALARS if not issubclass(cls, (np.flexible, np.object_)))
CLASSES = {"b": "bool", "i": "int", "f": "float", "c": "complex"}
WRITERS = {"list": LIST_WRITERS, "dict": DICT_WRITERS}


def of_arrays(name: str) -> Any:
    """What arrays have under a name: not what their class has, as its own name."""
    found = next((vars(c)[name] for c in np.ndarray.__mro__ if name in vars(c)), None)
    return getattr(np.ndarray, name) if hasattr(type(found), "__get__") else None


def is_ours(function: Any, owner: Any) -> bool:
    """True if it is a program of the runtime that reads a library: nobody replaces what is in there."""
    return is_fixed(owner) and home_of(function).partition(".")[0] == "retrograd"
