"""Questions that Python asks of an object: its items, and its truth.  All that the lowering knows of them.

Only exact lists, tuples, ranges and arrays are gone over by ``d[k]``.  Of anything else its class is asked:
a method of the user's is lowered, an argument or an object of the module is asked when it runs, once,
before the loop (``list(iter(d))``), and what is neither is refused.
"""

from __future__ import annotations

import builtins
import copy
import enum
import functools
import inspect
import itertools
import math
import operator
import types
from typing import Any

import gast
import numpy as np

from retrograd.runtime.errors import UnsupportedSyntax
from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import home_of, own_attribute
from retrograd.runtime.rules.book import book, is_constant
from retrograd.runtime.traits.lookup import traits_of

from ...analyses.class_protocols import (
    class_at,
    foreign_in,
    is_fields_only,
    is_foreign,
    is_foreign_operand,
    is_stranger,
    method_in,
    tells,
)
from ...analyses.shapes.infer import type_of
from ...frontend.desugar import desugared
from ...frontend.generators import is_generator
from ...frontend.source import source_of
from ...ir.containers import Pack
from ...ir.operations import Apply, Const, Operand, Value
from ...ir.primitives import Primitive
from ...ir.types import STRANGER, Array, Number, Stack, Tree
from ..calls.operator_overloads import is_users
from ..control_flow.one_sided.perhaps_none import is_perhaps
from ..interface.lowerer import Lowerer
from ..library.collections_inside import class_outside
from ..library.length_questions import holds_anything, is_container
from ..library.set_histories import order_of
from ..library.sets import is_set
from ..nodes import UNKNOWN, Code, Listed, Mapped, Node
from .iterables import Range
from .operand_classes import (
    is_array_class,
    is_array_like,
    is_default,
    is_field,
    is_numpy,
    is_of_objects,
    is_record,
    kinds_of,
    makes_objects,
    replaces,
)

__all__ = ["Protocols"]

ALL = slice(None)
ONLY, SECOND, LATER = slice(0, 1), slice(1, 2), slice(1, None)
GO_OVER: dict[Any, slice] = {
    **dict.fromkeys(
        (list, tuple, set, frozenset, sorted, sum, any, all, enumerate, reversed, iter, math.fsum, math.prod,
         itertools.islice, itertools.cycle, itertools.accumulate, itertools.pairwise, itertools.combinations,
         itertools.permutations, itertools.combinations_with_replacement),
        ONLY,
    ),
    **dict.fromkeys((filter, functools.reduce, itertools.starmap, itertools.takewhile, itertools.dropwhile), SECOND),
    map: LATER,
    **dict.fromkeys((zip, itertools.chain, itertools.product, itertools.compress, itertools.zip_longest), ALL),
}  # fmt: skip  # functions that go over arguments: which of them
GIVEN = "$list"  # what `__iter__` returns is gone over at once


class Protocols:
    """Questions that Python puts to the class of an object."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    # -- going over ------------------------------------------------------------------

    def gone_over_by(self, fn: Any, args: list[Node], node: gast.AST) -> list[Node]:
        """The arguments of a call, those that it goes over laid out."""
        args = list(args)
        try:
            which = GO_OVER.get(fn)
        except TypeError:  # not hashable
            return args
        if fn in (builtins.min, builtins.max) and len(args) == 1:
            which = ONLY
        if which is None:
            return args
        if fn is reversed and args:
            self.check_reversible(args[0], node)
        asked, live = range(len(args))[which], fn in (zip, enumerate)
        for k in asked:
            args[k] = self.lowerer.dicts.listed(self.laid_out(args[k], node), live)
        return args

    def laid_out(self, node: Node, at: gast.AST) -> Node:
        """An iterable of Python's, laid out so that an index goes over it."""
        node = self.lowerer.perhaps.taken_apart(node)
        members = order_of(self.lowerer, node) if is_set(node) else None
        if members is not None:
            return self.set_laid_out(node, members, at)
        if isinstance(node, Pack):
            return self.pack_laid_out(node, at)
        if is_stranger(node):
            return self.lowerer.objects_now.parameters(node) or self.at_once(node)
        if isinstance(node, Const) and type(node.value) is dict:
            return self.pack_laid_out(self.lowerer.constants.constant_pack(node), at)
        if isinstance(node, Const) and type(node.value) is enum.EnumMeta:
            return listed(list(map(Const, node.value)))
        cls = class_at(node)
        if isinstance(node, Const) and cls is range:
            bounds = (node.value.start, node.value.stop, node.value.step)
            return Range(bounds=tuple(map(Const, bounds)))  # type: ignore[arg-type]
        if cls is not None and (is_foreign(cls) or hasattr(cls, "_fields")):
            return self.object_laid_out(node, cls, at)
        if isinstance(node, Value) and isinstance(node.type, Tree):
            if node.type.container == "dict":
                return listed([Const(k) for k in node.type.keys])
            if node.type.container == "object" and cls not in (str, bytes):
                raise self.not_gone_over(cls, at)
        return node

    def set_laid_out(self, node: Node, members: list[Any], at: gast.AST) -> Node:
        """The members of a set in the order in which Python goes over it."""
        made = listed([Const(k) for k in members])
        if not isinstance(node, Pack):
            return made
        return self.lowerer.iterators.live(
            made, lambda: self.laid_out(self.lowerer.iterators.refreshed(node), at)
        )

    def pack_laid_out(self, pack: Pack, at: gast.AST) -> Node:
        if pack.kind is dict:
            return self.lowerer.iterators.live(
                listed([Const(k) for k in pack.keys]),
                lambda: self.pack_laid_out(self.lowerer.iterators.refreshed(pack), at),
            )
        if pack.kind in (tuple, list, Listed):
            return pack
        if pack.kind is Mapped:
            return self.lowerer.dicts.entries(pack)
        return self.object_laid_out(pack, pack.kind, at)

    def object_laid_out(self, node: Node, cls: Any, at: gast.AST) -> Node:
        """An object of a class that has something to say about it."""
        if not isinstance(cls, type) or tells(cls, "__next__") is not None:
            raise self.not_gone_over(cls, at)
        found = tells(cls, "__iter__")
        if hasattr(cls, "_fields") and found is tuple.__dict__["__iter__"]:
            items = node.items if isinstance(node, Pack) else self.fields_of(node, cls)
            return Pack(tuple, list(range(len(items))), list(items))
        taken_apart = isinstance(node, Pack) or (isinstance(node, Value) and is_fields_only(cls))
        if taken_apart and method_in(cls, "__iter__") is not None and is_users(found):
            return self.by_iter(found, node, at)
        sized = tells(cls, "__len__") is not None
        if taken_apart or not sized or (found is None and tells(cls, "__getitem__") is None):
            raise self.not_gone_over(cls, at)
        return self.at_once(node)

    def fields_of(self, node: Node, cls: Any) -> list[Node]:
        """The items of a named tuple that was not made here."""
        if isinstance(node, Value):
            items: list[Node] = self.lowerer.construction.taken_apart(node).items
            return items
        return [
            self.lowerer.operations.apply(operator.getitem, (node, Const(k)), {})
            for k in range(len(cls._fields))
        ]

    def at_once(self, node: Node) -> Value:
        """``list(iter(d))``, when it runs."""
        made: Value = self.lowerer.operations.apply(linear.gone_over, (node,), {})
        made.type = Stack(None, user=True)
        return made

    def by_iter(self, found: Any, node: Node, at: gast.AST) -> Node:
        """The result of ``__iter__``, its body lowered here, as a list."""
        source = source_of(found)
        self.scope.program.read(found, source)
        owner = next(iter(found.__code__.co_varnames))
        if is_generator(desugared(source)):
            code = Code(desugared(source), source, found)
            made = self.lowerer.generators.lazy(code, {}, {owner: node}, at)
            return self.lowerer.generators.step_by_step(made)
        tree = Returned().visit(copy.deepcopy(desugared(source)))
        saved = self.scope.in_module(found, source)
        try:
            made = self.lowerer.closures.in_place(
                tree, {}, {owner: node, GIVEN: Const(list, "list")}
            )
        finally:
            self.scope.in_module(*saved)
        return (
            self.lowerer.iterators.steady(made, [node], at)
            if isinstance(made, (Pack, Value))
            else made
        )

    def check_reversible(self, node: Node, at: gast.AST) -> None:
        """``__reversed__``, or the items from the last to the first: not ``__iter__``."""
        cls = node.kind if isinstance(node, Pack) else class_at(node)
        if is_stranger(node) or (isinstance(cls, type) and is_foreign(cls)):
            name = "an unknown object" if cls is None else f"a {cls.__name__}"
            raise UnsupportedSyntax(
                f"`reversed` of {name} is not supported", place=self.scope.place(at),
                fix="make a list of it before: reversed(list(...))",
            )  # fmt: skip

    def not_gone_over(self, cls: Any, at: gast.AST) -> UnsupportedSyntax:
        cls = class_outside(cls)
        if cls in (set, frozenset):
            refused = UnsupportedSyntax(
                "a loop over a set is not supported: nobody knows in which order it goes",
                place=self.scope.place(at), fix="go over a tuple or a list, or over sorted(...) of a set made outside",
            )  # fmt: skip
            refused.in_turn = True
            return refused
        name = own_attribute(cls, "__name__", cls)
        iterates = isinstance(cls, type) and tells(cls, "__next__") is not None
        reason = f"{name} is an iterator, which ends once" if iterates else f"going over a {name}"
        return UnsupportedSyntax(
            f"{reason}, and is not supported" if iterates else f"{reason} is not supported",
            place=self.scope.place(at), fix="make a list of it outside: list(...)",
        )  # fmt: skip

    # -- truth -----------------------------------------------------------------------

    def truth_of(self, node: Node, at: gast.AST) -> Node:
        """The truth of a node: a constant where it is known, else something that may be asked when it runs."""
        self.lowerer.iterators.refuse_iterator(node, at)
        if not isinstance(node, Pack):
            held = holds_anything(node)
            return node if held is None else Const(held)
        if node.kind in (Listed, Mapped):
            return node.items[0]
        if is_perhaps(node):
            return self.lowerer.perhaps.truth(node, at)
        if node.kind in (tuple, list, dict):
            return Const(bool(node.items))
        if not isinstance(node.kind, type):
            return Const(True)
        for name in ("__bool__", "__len__"):
            found = tells(node.kind, name)
            if (
                name == "__len__"
                and hasattr(node.kind, "_fields")
                and not method_in(node.kind, name)
            ):
                return Const(bool(node.items))
            if found is None:
                continue
            if method_in(node.kind, name) is None or not is_users(found):
                raise UnsupportedSyntax(
                    f"whether a {node.kind.__name__} is true is not supported", place=self.scope.place(at),
                    fix="say what is asked: len(d) > 0, d is not None",
                )  # fmt: skip
            return self.truth_of(self.lowerer.calls.call_user(found, [node], {}, at), at)
        return Const(True)

    def builtin_type(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        for a in args:
            self.lowerer.iterators.refuse_iterator(a, node)
        kind = args[0].kind if len(args) == 1 and isinstance(args[0], Pack) else None
        if isinstance(kind, type):
            run_time: dict[Any, Any] = {Listed: list, Mapped: dict}
            outside = run_time.get(kind, class_outside(kind))
            return self.lowerer.known.spoken(outside)
        return None

    def builtin_bool(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        if len(args) != 1 or not is_container(args[0]):
            return None
        found = self.truth_of(args[0], node)
        if isinstance(found, Const) and found.text is None:
            return Const(bool(found.value))
        return self.lowerer.operations.apply(bool, (self.lowerer.operations.operand(found),), {})

    # -- attributes that may be missing ------------------------------------------------

    def builtin_getattr(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        """``getattr(d, "name", default)``: known where the class or the fields say it."""
        if len(args) > 1:
            args = [args[0], self.name_of_part(*args[:2]), *args[2:]]
        named = len(args) in (2, 3) and isinstance(args[1], Const)
        if not named or type(args[1].value) is not str:
            return None
        base, name = args[0], args[1].value
        number = isinstance(base, Value) and isinstance(base.type, (Array, Number))
        if len(args) == 2 or (number and name in ("real", "imag")):
            return self.lowerer.attributes.attribute(base, name, node)
        there = self.has_attribute(base, name)
        if there is None and is_default(base, name, self.lowerer.known.of(args[2])):
            return args[2]
        if there is None:
            operands = tuple(self.lowerer.operations.operand(a) for a in args)
            made = self.lowerer.operations.apply(linear.attribute_or, operands, {})
            made.type = STRANGER
            return made
        return self.lowerer.branches.either(
            self.is_there(base, name, there),
            lambda: self.lowerer.attributes.attribute(base, name, node),
            lambda: args[2],
            node,
        )

    def name_of_part(self, base: Node, name: Node) -> Node:
        """The name by which a part is asked for, as a constant: of an object of the function, a name of the module decides."""
        named = isinstance(name, Const) and name.text is not None and isinstance(base, Pack)
        found = self.lowerer.known.of(name) if named else UNKNOWN
        return Const(found) if isinstance(found, str) else self.lowerer.known.key(name)

    def builtin_hasattr(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        if len(args) != 2 or not isinstance(args[0], Pack) or not isinstance(args[1], Const):
            return None
        there = self.has_attribute(args[0], args[1].value)
        if there is None:
            raise UnsupportedSyntax(
                "`hasattr` of this is not supported", place=self.scope.place(node)
            )
        return self.is_there(args[0], args[1].value, there)

    def is_there(self, base: Node, name: str, there: bool) -> Node:
        """True if there is an attribute: known, but of one that one way alone has set."""
        held = there and isinstance(base, Pack) and name in base.keys
        return self.lowerer.perhaps_set.asked(base, name) if held else Const(there)

    def has_attribute(self, base: Node, name: str) -> bool | None:
        """True if there is an attribute; None where that is not known before it runs."""
        if isinstance(base, Const):
            if not hasattr(base.value, name):
                self.scope.program.note_call(builtins.hasattr, [base.value, name], {}, False)
                return False
            self.scope.program.capture_attribute(base.value, name, getattr(base.value, name))
            return True
        if isinstance(base, Pack):
            kind = {Listed: list, Mapped: dict}.get(base.kind, base.kind)
            own = name in base.keys and kind not in (list, tuple, dict)
            if not isinstance(kind, type) or (not own and method_in(kind, "__getattr__")):
                return None
            return own or hasattr(kind, name)
        known = base.type if isinstance(base, Value) else None
        if isinstance(known, Tree) and known.container == "object":
            there = known.cls is not None and tells(known.cls, name) is not None
            return True if there or name in known.keys else None
        kinds: dict[str, type] = {"tuple": tuple, "list": list, "dict": dict}
        if isinstance(known, Tree):
            return hasattr(kinds[known.container], name)
        if not isinstance(known, (Array, Number)):
            return None
        found = {hasattr(kind, name) for kind in kinds_of(known)}
        return found.pop() if len(found) == 1 else None

    # -- objects that nobody knows ----------------------------------------------------

    def introduce(self, op: Apply) -> None:
        """Marks what a foreign object answers: its class is asked where it is computed with."""
        asked = [*op.args, *op.kwargs.values()]
        result = op.results[0]
        self.refuse_kinds(op, asked)
        if result.type is not None or op.fn is linear.plain or is_field(op):
            return
        asked = asked[:1] if op.fn is operator.getitem else asked
        unknown = any(map(is_foreign, foreign_in(asked))) or any(map(is_stranger, asked))
        unknown = unknown or (op.fn is operator.getitem and holds_objects(op.args[0]))
        if unknown or makes_objects(op) or inspect.isgeneratorfunction(op.fn):
            result.type = STRANGER

    def beside_array(self, node: Node, other: Node) -> Node:
        """A tuple or a list beside an array, as the array that NumPy makes of it."""
        kind = node.type if isinstance(node, Value) else None
        listed = isinstance(kind, Tree) and kind.container in ("tuple", "list")
        listed = listed or (isinstance(node, Const) and type(node.value) in (tuple, list))
        return (
            self.lowerer.operations.apply(np.array, (self.lowerer.operations.operand(node),), {})
            if listed and is_array_like(other)
            else node
        )

    def refuse_kinds(self, op: Apply, asked: list[Operand]) -> None:
        """Arrays of another class, or of objects, and methods of a base that the class of an object replaces."""
        fix = "compute with the array itself, and call methods by the object"
        if op.fn is np.ndarray.view and any(map(is_array_class, asked)):
            reason = "a view as another class of arrays"
        elif traits_of(op.fn).gives == "matrix" or str(home_of(op.fn)).startswith(
            ("numpy.ma", "numpy.matrixlib")
        ):
            reason = "an array of another class"
        elif is_numpy(op.fn) and any(map(is_of_objects, asked)):
            reason = "an array of objects"
        elif is_numpy(op.fn) and is_record(op.kwargs.get("dtype", [*op.args[1:2], None][0])):
            reason = "an array of records"
        elif isinstance(op.fn, METHODS) and replaces(asked[0], op.fn):
            reason = f"`{op.fn.__objclass__.__name__}.{op.fn.__name__}` of an object whose class replaces it"
        elif op.fn in (operator.floordiv, divmod) and any(map(is_foreign_operand, asked)):
            reason = f"`{op.fn.__name__}` of an object of another class"
        else:
            return
        raise UnsupportedSyntax(
            f"{reason} is not supported", place=self.scope.place(self.scope.node), fix=fix
        )

    def vouched(self, fn: Any, args: tuple[Operand, ...]) -> tuple[Operand, ...]:
        """The operands of an operation that has a derivative: each is a number, an array or text.

        The first one of ``spsolve(A, b)`` and its like is a matrix of any class.
        """
        own = isinstance(fn, Primitive) or fn is builtins.getattr
        ours = fn in (linear.plain, linear.gone_over, linear.float_dtype)
        if own or ours or not any(map(is_stranger, args)):
            return args
        if fn is operator.getitem or not (is_in_book(fn) or self.answers_with_active(fn, args)):
            return args
        matrix = int(home_of(fn).startswith("scipy.sparse"))
        rest = [self.vouch(a) if is_stranger(a) else a for a in args[matrix:]]
        return (*args[:matrix], *rest)

    def answers_with_active(self, fn: Any, args: tuple[Operand, ...]) -> bool:
        """True of a comparison or a question that an object may answer with what it is compared with."""
        known = traits_of(fn)
        asks = known.sign is not None and is_constant(fn) and not known.answered
        return asks and not self.lowerer.inactive.are_inert(args)

    def vouch(self, x: Operand) -> Value:
        """A number, an array or text for certain, whether its value is needed or not."""
        made: Value = self.lowerer.operations.apply(linear.plain, (x,), {})
        self.lowerer.operations.last().effect = True
        self.lowerer.known_results.part_of(made, x)
        return made


def holds_objects(operand: Operand) -> bool:
    """True of a container of the module with an object in it, one of which is taken."""
    value = operand.value if isinstance(operand, Const) else None
    items: Any = value.values() if isinstance(value, dict) else value
    if type(value) not in (list, tuple, dict):
        return False
    return any(type_of(Const(item)) == STRANGER for item in items)


def is_in_book(fn: Any) -> bool:
    try:
        return fn in book
    except TypeError:
        return False


class Returned(gast.NodeTransformer):  # type: ignore[misc]
    """``return x`` of a method as ``return list(x)``."""

    def visit_FunctionDef(self, node: gast.AST) -> Any:
        node.body = [self.visit(s) for s in node.body]
        return node

    def visit_Lambda(self, node: gast.AST) -> Any:
        name = gast.Name(id=GIVEN, ctx=gast.Load(), annotation=None, type_comment=None)
        node.body = gast.Call(func=name, args=[node.body], keywords=[])
        gast.copy_location(name, node)
        gast.copy_location(node.body, node)
        return node

    def visit_Return(self, node: gast.AST) -> Any:
        if node.value is None:
            return node
        name = gast.copy_location(
            gast.Name(id=GIVEN, ctx=gast.Load(), annotation=None, type_comment=None), node
        )
        call = gast.Call(func=name, args=[node.value], keywords=[])
        return gast.copy_location(gast.Return(value=gast.copy_location(call, node)), node)


METHODS = (types.MethodDescriptorType, types.WrapperDescriptorType)


def listed(items: list[Node]) -> Pack:
    return Pack(list, list(range(len(items))), items)
