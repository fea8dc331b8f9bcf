"""Operations of the current block: what a call of a function of arrays and numbers becomes."""

from __future__ import annotations

import types
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from retrograd.runtime.errors import UnsupportedOperation, UnsupportedSyntax
from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.rules.array_likes import as_arrays, places_of_several
from retrograd.runtime.rules.book import book, is_constant
from retrograd.runtime.traits.lookup import traits_of

from ..analyses.effects import only_looks
from ..analyses.random_numbers import generator_class
from ..analyses.shapes.creation import rows_of
from ..analyses.shapes.infer import infer, type_of
from ..ir.containers import Pack, Record, leaves
from ..ir.operations import (
    UNDEFINED,
    Apply,
    Block,
    Const,
    Op,
    Operand,
    Value,
    values_read,
)
from ..ir.primitives import FORMAT, Primitive
from ..ir.types import Array, Stack, Tree
from .calls.callee_facts import is_pure, leaves_alone
from .chosen_functions import chosen_value
from .interface.lowerer import Lowerer
from .iteration.iterables import Range
from .iteration.records import is_recordable, refuse_records
from .iteration.unbounded_iterables import Flat
from .library.collections_inside import class_outside
from .library.numpy_rewrites import arrays_of
from .library.random_draws import is_seed
from .library.rewrite_call import formed_operation, is_listed, told
from .memory.places import Lost
from .memory.writing_calls import is_numpy, writes
from .nodes import Listed, LocalFunction, Mapped, Node, OneOf, Ref, Within, describe

__all__ = ["Operations"]


class Operations:
    """Enters operations, their operands as they are now."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    def operation(self, fn: Any, args: list[Node], kwargs: dict[str, Node]) -> Node:
        """NumPy makes an array of a list by itself; the rules of most operations want to see it."""
        if fn is not None and callable(fn) and is_numpy(fn):
            several = places_of_several(fn, len(args))
            args = [a if k in several else self.arrayed(a) for k, a in enumerate(args)]
            kwargs = {k: v for k, v in kwargs.items() if not self.is_scratch(k, args)}
        shifted: Node = self.lowerer.draws.of_parameters(fn, args, kwargs)
        if shifted is not None:
            return shifted
        fn, args = self.lowerer.draws.drawn(fn, args, kwargs)
        made = self.operation_or_write(fn, args, kwargs)
        if isinstance(made, Value) and generator_class(made.type) is not None and is_seed(args):
            self.scope.program.seeded.add(made)
        return made

    def operation_or_write(self, fn: Any, args: list[Node], kwargs: dict[str, Node]) -> Node:
        if writes(fn, args, kwargs):
            return self.lowerer.array_writes.writing_call(fn, args, kwargs)
        self.refuse_changes(fn, [*args, *kwargs.values()])
        operands = tuple(self.operand(a) for a in arrays_of(self.lowerer, fn, args))
        return self.apply(fn, operands, {k: self.operand(a) for k, a in kwargs.items()})

    def is_scratch(self, option: str, args: list[Node]) -> bool:
        """True if NumPy may use the memory of an array that was made here: nobody knows what is in it then."""
        array = args[0] if option.startswith("overwrite_") and args else None
        return isinstance(array, Value) and array in self.lowerer.versions.fresh

    def arrayed(self, node: Node) -> Node:
        """A list that a loop collected as an array; everything else as it is."""
        return self.array_of(node) if is_list(node) else node

    def array_of(self, node: Node) -> Value:
        return self.apply(np.array, (self.operand(node),), {})

    def apply(self, fn: Any, args: tuple[Operand, ...], kwargs: dict[str, Operand]) -> Value:
        """``fn(*args, **kwargs)`` as an operation of the current block."""
        if self.lowerer.inactive.concerns(fn, args, kwargs):
            return self.lowerer.inactive.late(fn, args, kwargs)
        if any(map(is_list, args)) and is_arithmetic(fn) and not self.are_plain(args):
            if not any(isinstance(type_of(a), Array) for a in args):
                raise UnsupportedSyntax(
                    "this operation on a list of unknown length is not supported",
                    place=self.scope.place(self.scope.node), fix="make an array of it first: np.array(...)",
                )  # fmt: skip
            args = tuple(self.arrayed(a) for a in args)
        if self.scope.program.records:
            refuse_records(self.lowerer, fn, [*args, *kwargs.values()])
        args = tuple(map(self.lowerer.versions.current, self.lowerer.protocols.vouched(fn, args)))
        kwargs = {k: self.lowerer.versions.current(v) for k, v in kwargs.items()}
        fn, args, kwargs = self.formed(fn, args, kwargs)
        made = infer(fn, args, kwargs)
        if isinstance(made, Array) and not self.scope.program.attempt.answers:
            made = made.with_dims(None if rows_of(fn, args, made) else made.dims)
        result = Value(None, made, self.scope.location(self.scope.node))
        effect = not (isinstance(fn, Primitive) or fn in book or is_constant(fn) or is_pure(fn))
        op = Apply([result], result.loc, fn, args, kwargs, effect)
        self.lowerer.versions.learn_place(op)
        self.lowerer.protocols.introduce(op)
        self.lowerer.known.note(op)
        self.lowerer.parted.note(op)
        return self.emit(op)

    def are_plain(self, args: tuple[Operand, ...]) -> bool:
        """True of lists and numbers that no derivative goes through: Python's own operators put them together."""
        arrays = any(isinstance(type_of(a), Array) for a in args)
        return not arrays and self.lowerer.inactive.are_inert([*args])

    def doubt(self, given: list[Value]) -> None:
        """A call that may write to what it is given: what was known of that is known no more."""
        for value in given:
            if isinstance(value.type, Tree):
                self.scope.program.known.doubt(value)

    def emit(self, op: Op) -> Value:
        if self.lowerer.assumptions.pending:
            self.lowerer.assumptions.flush(op, before=True)
        self.scope.block.ops.append(op)
        if self.lowerer.assumptions.pending:
            self.lowerer.assumptions.flush(op)
        self.lowerer.versions.made_in(op.results, self.scope.block)
        if isinstance(op, Apply) and op.effect:
            self.hand_over(op)
        if isinstance(op, Apply) and self.is_inert(op):
            self.scope.program.inert.update(op.results)
        return op.results[0]

    def is_inert(self, op: Apply) -> bool:
        """True of what carries no derivative: of such alone, or the text of an exception in another one's."""
        told = self.scope.program.raised if is_text(op) else ()
        return all(v in told or self.lowerer.inactive.is_inert(v) for v in values_read(op))

    def hand_over(self, op: Apply) -> None:
        """What a function that nobody has read gets, it may keep, and write to."""
        if (
            not only_looks(op)
            and traits_of(op.fn).reads != "part"
            and not traits_of(op.fn).answered
        ):
            self.doubt(values_read(op))
            named = op.args[1].value if op.fn is linear.method_called else op.style
            for v in values_read(op):
                self.lowerer.handed.hand_over(v, named or own_attribute(op.fn, "__name__", "this"))

    def last(self) -> Apply:
        """The operation that was entered last."""
        op = self.scope.block.ops[-1]
        assert isinstance(op, Apply)
        return op

    def formed(self, fn: Any, args: tuple[Operand, ...], kwargs: dict[str, Operand]) -> Any:
        """The call that says it better, with arrays in place of lists where the operation makes arrays of them."""
        try:
            fn, args, kwargs = formed_operation(fn, args, told(self.lowerer, fn, kwargs))
            return fn, *as_arrays(fn, args, kwargs, is_listed, self.made_array)
        except UnsupportedOperation as error:
            error.place = error.place or self.scope.place(self.scope.node)
            raise

    def made_array(self, items: Any) -> Value:
        return self.apply(np.array, (items,), {})

    def emit_effect(self, kind: Primitive, parts: tuple[Operand, ...], node: gast.AST) -> None:
        self.scope.block.ops.append(
            Apply([Value(None)], self.scope.location(node), kind, parts, effect=True)
        )

    def refuse_changes(self, fn: Any, args: list[Node]) -> None:
        """A function nobody can read is not given a list or a dict that it might change."""
        if leaves_alone(fn):
            return
        alive = self.lowerer.cells.alive(self.scope.env)
        for a in args:
            named = isinstance(a, (Ref, Pack)) and a.cell in alive
            named = named or (isinstance(a, Pack) and a.home is not None)
            opaque = not isinstance(fn, types.FunctionType)
            if named and (
                opaque or all(isinstance(v, Const) for v in leaves(self.lowerer.cells.seen(a)))
            ):
                told = (
                    self.scope.program.refused.get(fn)
                    if isinstance(fn, types.FunctionType)
                    else None
                )
                why = "" if told is None else f", and could not be compiled ({told.reason})"
                raise UnsupportedOperation(
                    f"{own_attribute(fn, '__name__', fn)} could change the container it is given{why}",
                    place=self.scope.place(self.scope.node), fix="pass a copy: list(...), dict(...)",
                )  # fmt: skip

    # -- operands ------------------------------------------------------------------------

    def operand(self, node: Node) -> Operand:
        """An evaluated expression as something an operation can read."""
        if isinstance(node, (Value, Const)):
            return self.lowerer.versions.current(
                self.lowerer.constants.spoken_of(self.checked(node, self.scope.node))
            )
        if isinstance(node, Ref) or (isinstance(node, Pack) and node.cell is not None):
            node = self.lowerer.cells.seen(node)
        if isinstance(node, Within):
            node = self.lowerer.items.read(node)
        if isinstance(node, Pack) and node.kind in (Listed, Mapped):
            return self.operand(node.items[0])
        if isinstance(node, Pack) and node.kind in (tuple, list):
            return node.kind([self.operand(item) for item in node.items])
        if isinstance(node, Pack) and node.kind is dict:
            return {k: self.operand(item) for k, item in zip(node.keys, node.items, strict=True)}
        if isinstance(node, Pack) and is_recordable(node.kind):
            self.scope.program.records = True
            items = zip(node.keys, node.items, strict=True)
            return Record(node.kind, {k: self.operand(item) for k, item in items})
        if isinstance(node, Flat):  # outside of loops: a copy
            return self.apply(np.ndarray.flatten, (node.value,), {})
        if isinstance(node, Lost):
            raise self.lowerer.versions.unclear(node, Value(None))
        if type(node) is Range and node.bounds is not None:
            return self.apply(np.arange, node.bounds, {})  # what NumPy makes of a range
        if isinstance(node, OneOf) and (value := chosen_value(self.lowerer, node)) is not None:
            return value
        if isinstance(node, slice):
            return slice(*[self.operand(p) for p in (node.start, node.stop, node.step)])
        what = replace(node, kind=class_outside(node.kind)) if isinstance(node, Pack) else node
        fix = "use its items: a list, a tuple or a dict of them"
        if isinstance(node, LocalFunction):
            fix = "call it here and hand on what it gives"
        raise UnsupportedSyntax(
            f"{describe(what)} cannot be used as a value here",
            place=self.scope.place(self.scope.node),
            fix=fix,
        )

    def checked(self, node: Node, at: gast.AST) -> Any:
        if node is UNDEFINED:
            raise UnsupportedSyntax(
                "a name may be unbound here: it is assigned in one branch or loop only",
                place=self.scope.place(at), fix="assign it before the `if` or the loop",
            )  # fmt: skip
        if isinstance(node, Lost):
            raise self.lowerer.versions.unclear(node, Value(None))
        if not isinstance(node, (Value, Const)):
            raise UnsupportedSyntax(
                f"{describe(node)} cannot be used here", place=self.scope.place(at)
            )
        return node

    # -- taking back ---------------------------------------------------------------------

    def mark(self) -> tuple[Block, int]:
        return self.scope.block, len(self.scope.block.ops)

    def rewind(self, mark: tuple[Block, int]) -> None:
        block, at = mark
        gone = {r for op in block.ops[at:] for r in op.results}
        del block.ops[at:]
        self.lowerer.subscripts.forget(gone)
        self.lowerer.versions.forget(gone)


def is_text(op: Apply) -> bool:
    return op.fn is FORMAT or traits_of(op.fn).gives == "text"


def is_list(node: Node) -> bool:
    """True if a value is a list that a loop collected."""
    if isinstance(node, Pack) and node.kind is Listed:
        return True
    return isinstance(node, Value) and isinstance(node.type, Stack)


def is_arithmetic(fn: Any) -> bool:
    """True if it is arithmetic, or a comparison, of numbers and arrays."""
    signs = ("+", "-", "*", "/", "**", "@", "-x", "<", "<=", ">", ">=", "==", "!=")
    return traits_of(fn).sign in signs
