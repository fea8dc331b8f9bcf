"""Expressions to operations: every call, operator, attribute and subscript is an ``Apply``."""

from __future__ import annotations

import enum
import operator
import types
from typing import Any, NoReturn

import gast

from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.errors import MutationError, UnsupportedSyntax
from retrograd.runtime.objects.library_functions import is_library
from retrograd.runtime.traits.lookup import traits_of
from retrograd.runtime.user.known_objects import FUNCTIONS

from ..analyses.aliasing.container_origins import is_listed
from ..analyses.effects import asks_identity
from ..analyses.shapes.infer import type_of
from ..ir.containers import Pack
from ..ir.operations import Apply, Const, Operand, Value
from ..ir.plain_values import is_literal
from ..ir.primitives import FORMAT, IN, NOT_IN, Primitive
from ..ir.types import TEXT, Array, Number, Tree
from .chosen_functions import function_by_test
from .control_flow.one_sided.perhaps_none import is_none_constant, is_perhaps
from .interface.lowerer import Lowerer
from .iteration.iterables import Iteration
from .iteration.itertools_calls import is_integer
from .known_values import is_data, stand_ins, the_same
from .library.length_questions import is_container, told_by_lengths
from .library.numpy_rewrites import normal_item
from .library.set_calls import arithmetic, views_compared
from .library.set_histories import displayed
from .memory.dict_methods import has_keys
from .memory.node_kinds import is_none
from .module_containers import is_container_constant, is_opaque
from .nodes import Lazy, Mapped, Node

__all__ = ["BINARY", "COMPARE", "UNARY", "Expressions"]


BINARY = {
    gast.Add: operator.add, gast.Sub: operator.sub, gast.Mult: operator.mul,
    gast.Div: operator.truediv, gast.FloorDiv: operator.floordiv, gast.Mod: operator.mod,
    gast.Pow: operator.pow, gast.MatMult: operator.matmul, gast.BitAnd: operator.and_,
    gast.BitOr: operator.or_, gast.BitXor: operator.xor, gast.LShift: operator.lshift,
    gast.RShift: operator.rshift,
}  # fmt: skip
UNARY = {
    gast.USub: operator.neg, gast.UAdd: operator.pos, gast.Invert: operator.invert,
    gast.Not: operator.not_,
}  # fmt: skip
COMPARE = {
    gast.Lt: operator.lt, gast.LtE: operator.le, gast.Gt: operator.gt, gast.GtE: operator.ge,
    gast.Eq: operator.eq, gast.NotEq: operator.ne, gast.Is: operator.is_,
    gast.IsNot: operator.is_not, gast.In: IN, gast.NotIn: NOT_IN,
}  # fmt: skip


class Expressions:
    """Lowers expressions into the current block."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    def refuse(self, node: gast.AST) -> Node:
        name, fix = REFUSED.get(type(node).__name__, (type(node).__name__, ""))
        raise UnsupportedSyntax(f"{name} is not supported", place=self.scope.place(node), fix=fix)

    # -- leaves ----------------------------------------------------------------------

    def on_Constant(self, node: gast.AST) -> Node:
        return Const(node.value)

    def on_Name(self, node: gast.AST) -> Node:
        return self.lowerer.names.load(node.id, node)

    def on_Tuple(self, node: gast.AST) -> Node:
        made = self.pack(tuple, node)
        if made.kind is tuple:
            return made
        return self.lowerer.calls.call(Const(tuple, "tuple"), [made], {}, node)

    def any_of(self, items: frozenset[Any], fn: Any) -> Node:
        """The items of a set that is asked for one, in an order that every process has."""
        found = [Const(v) for v in sorted(items, key=repr)]
        known = Pack(tuple, list(range(len(found))), found)
        return known if fn in (IN, NOT_IN) else Const(items)

    def on_List(self, node: gast.AST) -> Node:
        return self.pack(list, node)

    def pack(self, kind: type, node: gast.AST, counted: bool = False) -> Pack:
        items: list[Node] = []
        for at, element in enumerate(node.elts):
            if not isinstance(element, gast.Starred):
                items.append(self.lowerer.expression(element))
                continue
            spread = self.lowerer.expression(element.value)
            if kind is list and isinstance(spread, (Iteration, Lazy)):
                spread = self.lowerer.calls.call(Const(list, "list"), [spread], {}, element)
            if not counted and self.lowerer.subscripts.is_of_unknown_length(spread):
                return self.lowerer.lists.display(items, spread, node.elts[at + 1 :], node)
            items += self.lowerer.subscripts.unpack(spread, None, element)
        return Pack(kind, list(range(len(items))), list(map(self.lowerer.cells.present, items)))

    def on_Set(self, node: gast.AST) -> Node:
        items = self.pack(tuple, node, counted=True)
        made = self.lowerer.calls.call(Const(set, "set"), [items], {}, node)
        return displayed(self.lowerer, made, items)

    def on_Dict(self, node: gast.AST) -> Node:
        pairs: list[tuple[Node, Node]] = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                inner = self.lowerer.construction.as_keywords(self.lowerer.expression(value))
                if has_keys(inner):
                    pairs.append((None, inner))
                    continue
                if not (isinstance(inner, Pack) and inner.kind in (dict, Mapped)):
                    raise UnsupportedSyntax(
                        "`**` needs a dict whose keys are known at compile time",
                        place=self.scope.place(value),
                    )
                known = zip(map(Const, inner.keys), inner.items, strict=True)
                pairs += known if inner.kind is dict else [(None, inner)]
                continue
            pairs.append((self.lowerer.expression(key), self.lowerer.expression(value)))
        if not all(isinstance(key, Const) for key, _ in pairs):
            return self.lowerer.dicts.display(node, pairs)
        final = {key.value: self.lowerer.cells.present(item) for key, item in pairs}
        return Pack(dict, list(final), list(final.values()))

    def on_JoinedStr(self, node: gast.AST) -> Node:
        pieces = self.pieces(node)
        known = self.lowerer.known.text(pieces)
        if known is not None:
            return known
        op = Apply([Value(None, TEXT)], self.scope.location(node), FORMAT, pieces)
        self.lowerer.known.note(op)
        return self.lowerer.operations.emit(op)

    def pieces(self, node: gast.AST) -> tuple[Operand, ...]:
        """Text as a constant, a field as its value, its conversion and the pieces of its format."""
        parts: list[Operand] = []
        for piece in node.values:
            if isinstance(piece, gast.Constant):
                parts.append(Const(piece.value))
            else:
                value = self.lowerer.operations.operand(self.lowerer.expression(piece.value))
                form = self.pieces(piece.format_spec) if piece.format_spec is not None else ()
                parts.append((value, Const(piece.conversion), form))
        return tuple(parts)

    # -- operators -------------------------------------------------------------------

    def on_BinOp(self, node: gast.AST) -> Node:
        left, right = self.lowerer.expression(node.left), self.lowerer.expression(node.right)
        made = self.binary(BINARY[type(node.op)], self.lowerer.cells.present(left), right, node)
        return self.whole_number(node, made)

    def whole_number(self, node: gast.AST, made: Node) -> Node:
        """Integers of a loop that is written out: ``k + 1`` is 2 where ``k`` is 1."""
        last = self.scope.block.ops[-1] if self.scope.block.ops else None
        written = isinstance(node.left, gast.Constant) and isinstance(node.right, gast.Constant)
        if written or not isinstance(last, Apply) or made not in last.results:
            return made
        if traits_of(last.fn).sign not in ("+", "-", "*") or not all(
            is_integer(a) for a in last.args
        ):
            return made
        self.scope.block.ops.pop()
        return Const(last.fn(*[a.value for a in last.args]))

    def binary(self, fn: Any, left: Node, right: Node, node: gast.AST) -> Node:
        sets = arithmetic(self.lowerer, fn, left, right, node)
        if sets is not None:
            return sets
        own = self.lowerer.overloads.operator_method(fn, left, right, node)
        if own is not None:
            return own
        if fn is operator.mod and isinstance(left, Const) and isinstance(left.value, str):
            return self.lowerer.operations.apply(
                str.__mod__, (left, self.lowerer.operations.operand(right)), {}
            )
        if fn in (operator.add, operator.or_, operator.mul):
            left, right = (
                self.lowerer.subscripts.taken_for(fn, left, right),
                self.lowerer.subscripts.taken_for(fn, right, left),
            )
        if fn is operator.mul and isinstance(left, Pack) and left.kind is tuple:
            right = self.lowerer.known.key(right)
        if isinstance(left, Pack) or isinstance(right, Pack):
            return self.lowerer.containers.pack_arithmetic(fn, left, right, node)
        left, right = (
            self.lowerer.protocols.beside_array(left, right),
            self.lowerer.protocols.beside_array(right, left),
        )
        return self.lowerer.operations.apply(
            fn, (self.lowerer.operations.operand(left), self.lowerer.operations.operand(right)), {}
        )

    def on_UnaryOp(self, node: gast.AST) -> Node:
        fn: Any = UNARY[type(node.op)]
        if fn is operator.not_:
            self.lowerer.known_results.expect(node.operand)
        lower = self.condition if fn is operator.not_ else self.lowerer.expression
        inner = lower(node.operand)
        if (
            isinstance(inner, Const)
            and inner.text is None
            and type(inner.value) in (bool, int, float, complex)
        ):
            return Const(fn(inner.value))
        if is_container(inner) and fn is operator.not_:
            inner = self.lowerer.protocols.truth_of(inner, node)
            if inner in self.lowerer.perhaps.denied:
                return self.lowerer.perhaps.denied[inner]
            if isinstance(inner, Const) and inner.text is None:
                return Const(not inner.value)
        asked = fn is operator.not_ and isinstance(inner, Value)
        if asked and (known := self.lowerer.branches.is_true(inner)) is not None:
            return Const(not known)
        own = self.lowerer.overloads.unary_method(fn, inner, node)
        return (
            self.lowerer.operations.apply(fn, (self.lowerer.operations.operand(inner),), {})
            if own is None
            else own
        )

    def on_Compare(self, node: gast.AST) -> Node:
        left, later = node.left, list(node.comparators)
        first = self.compare(self.compared(left), node.ops[0], right := self.compared(later[0]))
        return self.chain(first, right, list(node.ops[1:]), later[1:], node)

    def compared(self, node: gast.AST) -> Node:
        """An operand of a comparison: ``{"a", "b"}`` is nothing that a program keeps."""
        if isinstance(node, gast.Set):
            items = [self.lowerer.expression(e) for e in node.elts]
            if all(isinstance(i, Const) and i.text is None and is_literal(i.value) for i in items):
                return Const(frozenset(i.value for i in items))
        return self.lowerer.expression(node)

    def chain(
        self, test: Node, left: Node, ops: list[Any], rest: list[Any], node: gast.AST
    ) -> Node:
        """``a < b < c`` is ``a < b and b < c`` with ``b`` computed once."""
        if not ops:
            return test

        def further() -> Node:
            right = self.compared(rest[0])
            return self.chain(self.compare(left, ops[0], right), right, ops[1:], rest[1:], node)

        return self.lowerer.branches.either(test, further, lambda: test, node)

    def compare(self, left: Node, op: gast.AST, right: Node) -> Node:
        fn, left = COMPARE[type(op)], self.lowerer.cells.present(left)
        if asks_identity(fn) and is_perhaps(left) and is_none_constant(right):
            return self.lowerer.perhaps.asked(fn, left)
        viewed = views_compared(self.lowerer, fn, left, right, self.scope.node)
        if viewed is not None:
            return viewed
        if isinstance(right, Const) and isinstance(right.value, frozenset) and not right.text:
            right = self.any_of(right.value, fn)
        if isinstance(left, Const) and isinstance(right, (Const, Pack)) and left.text is None:
            folded = fold_comparison(fn, left, right)
            if folded is not None:
                return Const(folded)
        right = self.lowerer.dicts.asked(right) if fn in (IN, NOT_IN) else right
        if fn in (IN, NOT_IN) and is_empty(right):
            return Const(fn is NOT_IN)
        kind = right.type if isinstance(right, Value) else None
        in_dict = isinstance(kind, Tree) and kind.container == "dict" and fn in (IN, NOT_IN)
        if in_dict and isinstance(left, Const) and left.text is None:
            return Const((left.value in kind.keys) is (fn is IN))  # type: ignore[union-attr]
        if asks_identity(fn) and are_apart(left, right):
            return Const((left.value is right.value) is (fn is operator.is_))
        against_none = isinstance(right, Const) and right.value is None
        if asks_identity(fn) and against_none:
            none = is_none(left)
            if none is not None:
                return Const(none is (fn is operator.is_))
        if (told := told_by_lengths(fn, left, right)) is not None:
            return Const(told)
        known = self.lowerer.known.compared(fn, left, right)
        if known is not None:
            return known
        own = self.lowerer.overloads.comparison_method(fn, left, right, self.scope.node)
        if own is not None:
            return own
        return self.lowerer.operations.apply(
            fn, (self.lowerer.operations.operand(left), self.lowerer.operations.operand(right)), {}
        )

    def condition(self, node: gast.AST) -> Node:
        """What is asked for its truth alone, as the test of an ``if`` is."""
        if isinstance(node, gast.BoolOp):
            return self.bool_op(isinstance(node.op, gast.And), node.values, node, asked=True)
        return self.lowerer.expression(node)

    def truth(self, node: gast.AST) -> Node:
        """A part of a condition: of a container, whether it holds anything."""
        made = self.condition(node)
        if not is_container(made) and not is_listed(made):
            return made
        made = self.lowerer.protocols.truth_of(made, node)
        return self.lowerer.operations.apply(bool, (made,), {}) if is_listed(made) else made

    def on_BoolOp(self, node: gast.AST) -> Node:
        return self.bool_op(isinstance(node.op, gast.And), node.values, node)

    def bool_op(
        self, conjunction: bool, values: list[Any], node: gast.AST, asked: bool = False
    ) -> Node:
        self.lowerer.known_results.expect(values[0])
        first = self.truth(values[0]) if asked else self.lowerer.expression(values[0])
        if len(values) == 1:
            return first

        def rest() -> Node:
            return self.bool_op(conjunction, values[1:], node, asked)

        then, orelse = (rest, lambda: first) if conjunction else (lambda: first, rest)
        return self.lowerer.branches.either(first, then, orelse, node)

    def on_IfExp(self, node: gast.AST) -> Node:
        self.lowerer.known_results.expect(node.test)
        test = self.condition(node.test)
        function = function_by_test(self.lowerer, test, node)
        return function or self.lowerer.branches.either(
            test,
            lambda: self.lowerer.expression(node.body),
            lambda: self.lowerer.expression(node.orelse),
            node,
        )

    def on_NamedExpr(self, node: gast.AST) -> Node:
        value = self.lowerer.cells.anchored(self.lowerer.expression(node.value))
        self.lowerer.assignment.assign(node.target, value)
        return value

    # -- subscripts ------------------------------------------------------------------

    def on_Slice(self, node: gast.AST) -> Node:
        parts = [
            Const(None) if p is None else self.lowerer.expression(p)
            for p in (node.lower, node.upper, node.step)
        ]
        return slice(*parts)

    def on_Subscript(self, node: gast.AST) -> Node:
        base = self.lowerer.expression(node.value)
        index = self.index(node.slice, base)
        if chooses(base):
            index = self.lowerer.known.key(index)
        made = self.lowerer.known.folded(operator.getitem, [base, index], {})
        if made is not None:
            return made
        if is_whole(index) and type(getattr(base, "value", None)) is list:
            base = self.lowerer.constants.own(base)
        if isinstance(base, Pack):
            return self.lowerer.subscripts.item(self.lowerer.cells.present(base), index, node)
        if self.lowerer.inactive.is_asked_late(base) and self.lowerer.inactive.is_inert(index):
            return self.lowerer.inactive.item(base, index)
        if is_container_constant(base) and isinstance(index, Const):
            try:
                return self.lowerer.constants.constant_item(base, index.value)
            except (LookupError, TypeError):
                self.lowerer.constants.take_entries(base)  # it may be there another time
                kind = type(base.value)
                raise self.lowerer.subscripts.missing(index.value, kind, node) from None
        made = normal_item(self.lowerer, base, index)
        if made is not None:
            return made
        is_object = isinstance(base, Const) and not is_ndarray(base.value)
        found = getattr(type(base.value), "__getitem__", None) if is_object else None
        if isinstance(found, types.FunctionType) and not is_library(found):
            if self.lowerer.objects_now.stays_item(base, found, index):
                return self.lowerer.inactive.item(base, index)
            return self.lowerer.calls.call_user(found, [base, index], {}, node)
        own = self.lowerer.overloads.by_method(base, "__getitem__", [index], node)
        return self.lowerer.subscripts.part(base, index) if own is None else own

    def index(self, node: gast.AST, base: Node = None) -> Node:
        return self.lowerer.subscripts.key(self.lowerer.expression(node), base)

    def refuse_write(self, target: gast.AST) -> None:
        what = "attribute" if isinstance(target, gast.Attribute) else "array element"
        raise MutationError(
            f"writing to an {what} is not supported yet",
            place=self.scope.place(target),
            fix="build the new array instead: np.where, np.concatenate, np.stack, or an expression",
        )

    def refuse_attribute_of_data(self, base: Value, target: gast.AST) -> NoReturn:
        """Arrays and numbers have no attributes of one's own."""
        made = list(stand_ins(base.type, base)) if is_data(base) else []
        refused = MutationError(
            f"nothing can be written to the attribute `{target.attr}` of this value",
            place=self.scope.place(target), fix="keep it under a name of its own",
        )  # fmt: skip
        if (
            the_same(made, lambda v: setattr(v, target.attr, None), AttributeError)
            is AttributeError
        ):
            refused.as_python(AttributeError)
        raise refused

    def refuse_write_to_number(self, target: gast.AST) -> NoReturn:
        refused = MutationError(
            "a number has no items that could be written to", place=self.scope.place(target)
        )
        raise refused.as_python(TypeError)

    # -- attributes ------------------------------------------------------------------

    # -- iteration -------------------------------------------------------------------

    # -- blocks and places -----------------------------------------------------------


def is_whole(index: Node) -> bool:
    """True of the index in ``items[:]``, which copies a list."""
    parts = (index.start, index.stop, index.step) if isinstance(index, slice) else (None,)
    return all(isinstance(p, Const) and p.value is None for p in parts)


def chooses(base: Node) -> bool:
    """Whether what is taken from a container says what the program does with it: functions, other containers."""
    if isinstance(base, Const):
        items = base.value.values() if isinstance(base.value, dict) else base.value
        return is_container_constant(base) and any(map(is_opaque, items))
    items = (
        base.items if isinstance(base, Pack) else getattr(getattr(base, "type", None), "items", ())
    )
    kinds = [type_of(i) if isinstance(base, Pack) else i for i in items]
    different = len(set(map(type, kinds))) > 1
    return different or not all(isinstance(k, (Number, Array)) for k in kinds)


def are_apart(left: Node, right: Node) -> bool:
    """True if two constants are told apart by what they are, not by where they come from: no two texts or numbers."""
    if not (isinstance(left, Const) and isinstance(right, Const)):
        return False
    words, alone = (str, bytes), (enum.Enum, type, *FUNCTIONS)
    either = isinstance(left.value, alone) or isinstance(right.value, alone)
    return either or isinstance(left.value, words) is not isinstance(right.value, words)


def fold_comparison(fn: Any, left: Const, right: Any) -> bool | None:
    if isinstance(right, Const) and right.text is None and not isinstance(fn, Primitive):
        try:
            return bool(fn(left.value, right.value))
        except TypeError:
            return None  # raised if it is reached
    if isinstance(fn, Primitive):
        items = right.keys if isinstance(right, Pack) and right.kind is dict else None
        if isinstance(right, Pack) and right.kind in (tuple, list):
            plain = all(isinstance(c, Const) for c in right.items)
            items = [c.value for c in right.items] if plain else None
        if items is not None:
            return (left.value in items) == (fn is IN)
    return None


REFUSED = {
    "Await": ("`await`", "write a plain function"),
    "Yield": ("`yield`", "return the values"),
    "YieldFrom": ("`yield from`", "return the values"),
    "Starred": ("a starred expression", "write the arguments out"),
}


def is_empty(node: Node) -> bool:
    return isinstance(node, Pack) and node.kind in (tuple, list, dict) and not node.items
