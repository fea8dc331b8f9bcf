"""Expressions to operations: every call, operator, attribute and subscript is an ``Apply``."""

from __future__ import annotations

import builtins
import operator
import types
from typing import Any

import gast
import numpy as np

from retrograd.runtime.errors import MutationError, Place, UnsupportedOperation, UnsupportedSyntax
from retrograd.runtime.objects.own_attributes import own_attribute

from ..ir.containers import Pack
from ..ir.operations import UNDEFINED, Apply, Block, Const, If, Location, Operand, Value
from ..ir.primitives import FORMAT, IN, NOT_IN, Primitive
from ..ir.types import Number, Tree
from .calls.arguments_and_results import CONTAINERS
from .calls.callee_facts import is_library
from .calls.constructors import Super
from .calls.resolve import Calls, is_container_constant
from .control_flow.join import Conflict, Merge
from .iteration.iterables import Iteration, iterable_of, written_out
from .library.numpy_rewrites import normal_item
from .memory.array_versions import Lost
from .memory.container_identity import Listed, Ref, Reopen
from .memory.container_writes import DICT_WRITERS, LIST_WRITERS
from .memory.containers import is_none
from .subscripts import Subscripts

__all__ = ["BINARY", "COMPARE", "UNARY", "Expressions"]

Node = Any

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


class Expressions(Subscripts, Calls):
    """Lowers expressions into the current block."""

    def expression(self, node: Any) -> Node:
        outer, self.node = self.node, node
        try:
            lower: Any = getattr(self, f"on_{type(node).__name__}", None)
            if lower is None:
                name, fix = REFUSED.get(type(node).__name__, (type(node).__name__, ""))
                raise UnsupportedSyntax(f"{name} is not supported", place=self.place(node), fix=fix)
            return lower(node)
        finally:
            self.node = outer

    def operand(self, node: Node) -> Operand:
        """An evaluated expression as something an operation can read."""
        if isinstance(node, (Value, Const)):
            return self.current(self.spoken_of(self.checked(node, self.node)))
        if isinstance(node, Ref) or (isinstance(node, Pack) and node.cell is not None):
            node = self.seen(node)
        if isinstance(node, Pack) and node.kind is Listed:
            return self.operand(node.items[0])
        if isinstance(node, Pack) and node.kind in (tuple, list):
            return node.kind([self.operand(item) for item in node.items])
        if isinstance(node, Pack) and node.kind is dict:
            return {k: self.operand(item) for k, item in zip(node.keys, node.items, strict=True)}
        if isinstance(node, Lost):
            raise self.unclear(node, Value(None))
        if isinstance(node, slice):
            return slice(*[self.operand(p) for p in (node.start, node.stop, node.step)])
        raise UnsupportedSyntax(
            f"{describe(node)} cannot be used as a value here", place=self.place(self.node)
        )

    def checked(self, node: Node, at: Any) -> Any:
        if node is UNDEFINED:
            raise UnsupportedSyntax(
                "a name may be unbound here: it is assigned in one branch or loop only",
                place=self.place(at), fix="assign it before the `if` or the loop",
            )  # fmt: skip
        if isinstance(node, Lost):
            raise self.unclear(node, Value(None))
        if not isinstance(node, (Value, Const)):
            raise UnsupportedSyntax(f"{describe(node)} cannot be used here", place=self.place(at))
        return node

    # -- leaves ----------------------------------------------------------------------

    def on_Constant(self, node: Any) -> Node:
        return Const(node.value)

    def on_Name(self, node: Any) -> Node:
        return self.load(node.id, node)

    def load(self, name: str, node: Any) -> Node:
        """The content of a local, closed-over, global or builtin name."""
        if name in self.env:
            found = self.env[name]
            if isinstance(found, Lost):
                raise self.unclear(found, Value(name))
            if found is UNDEFINED or type(found).__name__ in ("Conflict", "Torn"):
                raise self.unbound(name, found, node)
            return self.seen(found)
        if name in self.local_names:
            raise self.unbound(name, UNDEFINED, node)
        return self.load_global(name, node)

    def unbound(self, name: str, found: Any, node: Any) -> UnsupportedSyntax:
        if type(found).__name__ == "Torn":
            reason = "is bound in a `try` that may have failed before or after that"
            fix = f"bind `{name}` before the `try`, in its last statement, or in every handler"
        elif found is UNDEFINED or getattr(found, "unbound", False):
            reason, fix = "may be unbound here", f"assign `{name}` before the `if` or the loop"
        elif getattr(found, "in_loop", False):
            reason = "may be another function, or iterator, in each iteration of a loop"
            fix = "call one function with other arguments"
        else:
            reason = "is a different kind of thing in the two branches above"
            fix = "give both branches the same kind of value"
        return UnsupportedSyntax(f"`{name}` {reason}", place=self.place(node), fix=fix)

    def on_Tuple(self, node: Any) -> Node:
        return self.pack(tuple, node)

    def on_List(self, node: Any) -> Node:
        return self.pack(list, node)

    def pack(self, kind: type, node: Any) -> Pack:
        items: list[Node] = []
        for element in node.elts:
            if isinstance(element, gast.Starred):
                items += self.unpack(self.expression(element.value), None, element)
            else:
                items.append(self.expression(element))
        return Pack(kind, list(range(len(items))), list(map(self.present, items)))

    def on_Dict(self, node: Any) -> Node:
        keys, items = [], []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                inner = self.taken_apart(self.expression(value))
                if not (isinstance(inner, Pack) and inner.kind is dict):
                    raise UnsupportedSyntax(
                        "`**` needs a dict whose keys are known at compile time",
                        place=self.place(value),
                    )
                keys += inner.keys
                items += inner.items
                continue
            constant = self.expression(key)
            if not isinstance(constant, Const):
                raise UnsupportedSyntax(
                    "a computed dict key is not supported", place=self.place(key),
                    fix="write the keys as constants, or use an array and an index",
                )  # fmt: skip
            keys.append(constant.value)
            items.append(self.expression(value))
        final = dict(zip(keys, map(self.present, items), strict=True))
        return Pack(dict, list(final), list(final.values()))

    def on_JoinedStr(self, node: Any) -> Node:
        return self.emit(Apply([Value(None)], self.location(node), FORMAT, self.pieces(node)))

    def pieces(self, node: Any) -> tuple[Operand, ...]:
        """Text as a constant, a field as its value, its conversion and the pieces of its format."""
        parts: list[Operand] = []
        for piece in node.values:
            if isinstance(piece, gast.Constant):
                parts.append(Const(piece.value))
            else:
                value = self.operand(self.expression(piece.value))
                form = self.pieces(piece.format_spec) if piece.format_spec is not None else ()
                parts.append((value, Const(piece.conversion), form))
        return tuple(parts)

    # -- operators -------------------------------------------------------------------

    def on_BinOp(self, node: Any) -> Node:
        left, right = self.expression(node.left), self.expression(node.right)
        return self.binary(BINARY[type(node.op)], self.present(left), right, node)

    def binary(self, fn: Any, left: Node, right: Node, node: Any) -> Node:
        own = self.operator_method(fn, left, right, node)
        if own is not None:
            return own
        if fn is operator.mod and isinstance(left, Const) and isinstance(left.value, str):
            return self.apply(str.__mod__, (left, self.operand(right)), {})
        if fn in (operator.add, operator.or_, operator.mul):
            left, right = self.taken_for(fn, left, right), self.taken_for(fn, right, left)
        if isinstance(left, Pack) or isinstance(right, Pack):
            return self.pack_arithmetic(fn, left, right, node)
        left, right = self.beside_array(left, right), self.beside_array(right, left)
        return self.apply(fn, (self.operand(left), self.operand(right)), {})

    def on_UnaryOp(self, node: Any) -> Node:
        inner = self.expression(node.operand)
        fn: Any = UNARY[type(node.op)]
        if (
            isinstance(inner, Const)
            and inner.text is None
            and type(inner.value) in (bool, int, float, complex)
        ):
            return Const(fn(inner.value))
        if isinstance(inner, Pack) and fn is operator.not_:
            inner = self.truth_of(inner, node)
            if isinstance(inner, Const) and inner.text is None:
                return Const(not inner.value)
        own = self.unary_method(fn, inner, node)
        return self.apply(fn, (self.operand(inner),), {}) if own is None else own

    def on_Compare(self, node: Any) -> Node:
        left, later = node.left, list(node.comparators)
        first = self.compare(self.expression(left), node.ops[0], right := self.expression(later[0]))
        return self.chain(first, right, list(node.ops[1:]), later[1:], node)

    def chain(self, test: Node, left: Node, ops: list[Any], rest: list[Any], node: Any) -> Node:
        """``a < b < c`` is ``a < b and b < c`` with ``b`` computed once."""
        if not ops:
            return test

        def further() -> Node:
            right = self.expression(rest[0])
            return self.chain(self.compare(left, ops[0], right), right, ops[1:], rest[1:], node)

        return self.either(test, further, lambda: test, node)

    def compare(self, left: Node, op: Any, right: Node) -> Node:
        fn, left = COMPARE[type(op)], self.present(left)
        if isinstance(left, Const) and isinstance(right, (Const, Pack)) and left.text is None:
            folded = fold_comparison(fn, left, right)
            if folded is not None:
                return Const(folded)
        kind = right.type if isinstance(right, Value) else None
        in_dict = isinstance(kind, Tree) and kind.container == "dict" and fn in (IN, NOT_IN)
        if in_dict and isinstance(left, Const) and left.text is None:
            return Const((left.value in kind.keys) is (fn is IN))  # type: ignore[union-attr]
        against_none = isinstance(right, Const) and right.value is None
        if fn in (operator.is_, operator.is_not) and against_none:
            none = is_none(left)
            if none is not None:
                return Const(none is (fn is operator.is_))
        own = self.comparison_method(fn, left, right, self.node)
        if own is not None:
            return own
        return self.apply(fn, (self.operand(left), self.operand(right)), {})

    def on_BoolOp(self, node: Any) -> Node:
        return self.bool_op(isinstance(node.op, gast.And), node.values, node)

    def bool_op(self, conjunction: bool, values: list[Any], node: Any) -> Node:
        first = self.expression(values[0])
        if len(values) == 1:
            return first

        def rest() -> Node:
            return self.bool_op(conjunction, values[1:], node)

        then, orelse = (rest, lambda: first) if conjunction else (lambda: first, rest)
        return self.either(first, then, orelse, node)

    def on_IfExp(self, node: Any) -> Node:
        test = self.expression(node.test)
        return self.either(
            test, lambda: self.expression(node.body), lambda: self.expression(node.orelse), node
        )

    def either(self, test: Node, then: Any, orelse: Any, node: Any) -> Node:
        """An expression that evaluates one of two others."""
        test = self.truth_of(test, node)
        if isinstance(test, Const) and test.text is None:
            return then() if test.value else orelse()
        results, before = [], self.env
        for side in (then, orelse):
            self.env = dict(before)
            block = self.enter()
            result = self.stored(side())
            self.leave()
            results.append((block, result, self.env))
        (then_block, a, then_env), (else_block, b, else_env) = results
        op = If(
            [], self.location(node), self.operand_before(test, before), then_block, else_block, True
        )
        self.block.ops.append(op)
        merge = Merge(self, op, then_env, else_env)
        self.env = self.named(op, before, merge)  # type: ignore[attr-defined]
        chosen = merge.chosen(a, b)
        self.env |= merge.made()
        merge.mark_within(self.env)
        if isinstance(chosen, Lost):
            raise self.unclear(chosen, Value(None))
        if isinstance(chosen, Conflict):
            raise UnsupportedSyntax(
                "both branches must have the same type",
                place=self.place(node), fix="make both numbers, arrays, or equal containers",
            )  # fmt: skip
        return self.seen(chosen)

    def operand_before(self, node: Node, env: dict[str, Node]) -> Operand:
        """An operand as it is before either side of an expression has run."""
        outer, self.env = self.env, env
        try:
            return self.operand(node)
        finally:
            self.env = outer

    def on_NamedExpr(self, node: Any) -> Node:
        value = self.anchored(self.expression(node.value))
        self.assign(node.target, value)  # type: ignore[attr-defined]
        return value

    # -- subscripts ------------------------------------------------------------------

    def on_Slice(self, node: Any) -> Node:
        parts = [
            Const(None) if p is None else self.expression(p)
            for p in (node.lower, node.upper, node.step)
        ]
        return slice(*parts)

    def on_Subscript(self, node: Any) -> Node:
        base = self.expression(node.value)
        index = self.index(node.slice)
        if isinstance(base, Pack):
            return self.item(self.present(base), index, node)
        if is_container_constant(base) and isinstance(index, Const):
            try:
                return self.constant_item(base, index.value)
            except (LookupError, TypeError):
                raise UnsupportedSyntax(
                    f"there is no item {index.value!r} here", place=self.place(node)
                ) from None
        made = normal_item(self, base, index)
        if made is not None:
            return made
        found = getattr(type(base.value), "__getitem__", None) if isinstance(base, Const) else None
        if isinstance(found, types.FunctionType) and not is_library(found):
            return self.call_user(found, [base, index], {}, node)
        own = self.by_method(base, "__getitem__", [index], node)
        return self.getitem(base, index) if own is None else own

    def index(self, node: Any) -> Node:
        return self.expression(node)

    def refuse_write(self, target: Any) -> None:
        what = "attribute" if isinstance(target, gast.Attribute) else "array element"
        raise MutationError(
            f"writing to an {what} is not supported yet",
            place=self.place(target),
            fix="build the new array instead: np.where, np.concatenate, np.stack, or an expression",
        )

    # -- attributes ------------------------------------------------------------------

    def on_Attribute(self, node: Any) -> Node:
        return self.attribute(self.expression(node.value), node.attr, node)

    def attribute(self, base: Node, name: str, node: Any) -> Node:
        if isinstance(base, Const):
            return self.constant_attribute(base, name, node)
        if isinstance(base, Pack):
            return self.pack_attribute(base, name, node)
        if isinstance(base, Super):
            return self.super_attribute(base, name, node)
        if not isinstance(base, Value):
            raise UnsupportedSyntax(f"an attribute of {describe(base)}", place=self.place(node))
        known = base.type
        if isinstance(known, Tree) and known.container == "object" and name in known.keys:
            return self.getitem_attribute(base, name)
        if isinstance(known, Tree) and name in WRITERS.get(known.container, ()):
            raise Reopen(base, None, node)
        if isinstance(known, Tree) and name in getattr(known.cls, "_fields", ()):
            return self.getitem(base, Const(known.cls._fields.index(name)))  # type: ignore[union-attr]
        if isinstance(known, Tree) and known.container in ("list", "tuple"):
            items = [self.getitem(base, Const(k)) for k in known.keys]
            return self.method(Pack(CONTAINERS[known.container], list(known.keys), items), name)
        if isinstance(known, Tree) and known.container == "dict":
            return self.dict_attribute(base, known, name, node)
        if isinstance(known, Tree) and known.container == "object":
            return self.object_attribute(base, known, name, node)
        descriptor = getattr(np.ndarray, name, None)
        if descriptor is None:
            raise UnsupportedOperation(f"`.{name}` of an array has no rule", place=self.place(node))
        if callable(descriptor):
            return BoundMethod(descriptor, base)
        return self.apply(descriptor, (base,), {})

    def getitem_attribute(self, base: Value, name: str) -> Node:
        memo = (id(base), ("attribute", name))
        known = self.projections.get(memo)
        if known is not None and known[2] in self.open_blocks():
            return known[1]
        result = self.apply(builtins.getattr, (base, Const(name)), {})
        if isinstance(base.type, Tree) and isinstance(result, Value) and name in base.type.keys:
            result.type = base.type.item(name)
        self.extend_path(base, Const(name), result)
        self.projections[memo] = (base, result, self.block)
        return result

    # -- iteration -------------------------------------------------------------------

    def iterable(self, node: Any) -> Iteration | Pack:
        value = whole = self.laid_out(self.expression(node), node)
        if isinstance(value, Pack) and value.kind is Listed:
            value = value.items[0]
        value = written_out(value)
        if is_container_constant(value):
            return self.constant_pack(value)
        try:
            return self.watched(iterable_of(self, value), whole)  # type: ignore[no-any-return]
        except TypeError:
            raise UnsupportedSyntax(
                f"a loop over {describe(value)} is not supported",
                place=self.place(node), fix="loop over a range, an array, a list, zip or enumerate",
            ) from None  # fmt: skip

    # -- blocks and places -----------------------------------------------------------

    def enter(self) -> Block:
        block = Block()
        self.blocks.append(block)
        return block

    def leave(self) -> None:
        self.blocks.pop()

    def location(self, node: Any) -> Location | None:
        if self.pinned is not None:
            return self.pinned  # type: ignore[no-any-return]
        line = getattr(node, "lineno", None)
        return None if line is None else Location(line, node.col_offset)

    def place(self, node: Any) -> Place:
        found: Place = self.source.place(node if node is not None else self.tree)
        return found


class BoundMethod:
    """``x.sum`` before it is called."""

    def __init__(self, descriptor: Any, value: Value) -> None:
        self.descriptor, self.value = descriptor, value


WRITERS = {"list": LIST_WRITERS, "dict": DICT_WRITERS}


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


def describe(node: Any) -> str:
    if isinstance(node, Pack):
        return f"a {own_attribute(node.kind, '__name__', node.kind)}"
    if isinstance(node, BoundMethod):
        return f"the method {node.descriptor.__name__}"
    if isinstance(node, Number):
        return "a number"
    return {"Const": "a constant", "LocalFunction": "a function", "Range": "a range"}.get(
        type(node).__name__, f"a {type(node).__name__}"
    )


REFUSED = {
    "SetComp": ("a set comprehension", "use an array expression"),
    "Set": ("a set", "use a tuple or a list"),
    "Await": ("`await`", "write a plain function"),
    "Yield": ("`yield`", "return the values"),
    "YieldFrom": ("`yield from`", "return the values"),
    "Starred": ("a starred expression", "write the arguments out"),
}
