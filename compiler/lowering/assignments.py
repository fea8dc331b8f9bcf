"""Targets and names: ``a, *b = value``, ``del name``, ``global`` and ``nonlocal``."""

from __future__ import annotations

import builtins
import operator
from typing import Any

import gast
import numpy as np

from retrograd.runtime.errors import MutationError, UnsupportedSyntax
from retrograd.runtime.helpers import linear
from retrograd.runtime.traits.lookup import traits_of

from ..analyses.class_protocols import class_at, is_opaque, is_stranger, tells
from ..analyses.shapes.infer import type_of
from ..frontend.made_nodes import spoken
from ..ir.containers import Pack
from ..ir.operations import UNDEFINED, Const, Operand, Value
from ..ir.types import BOTTOM, Array, Number, Stack, Tree
from .expressions import BINARY
from .interface.lowerer import Lowerer
from .iteration.mutation_during_iteration import is_iterator
from .memory.array_kinds import check_kinds, is_numpy_scalar, of_module
from .memory.node_kinds import is_array
from .memory.restart import Reopen
from .memory.shape_writes import set_shape
from .nodes import Listed, Mapped, Node
from .subscripts import tree_length

__all__ = ["Assignment", "has_star"]


class Assignment:
    """Lowers what binds and unbinds names."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    def spread_out(self, target: gast.AST, value: Node) -> list[Node]:
        """``a, *b = value``: what stands for ``*b`` is a list."""
        at = next(k for k, t in enumerate(target.elts) if isinstance(t, gast.Starred))
        if self.is_of_unknown_length(value):
            return self.spread_at_run_time(target, value, at)
        items = self.lowerer.subscripts.unpack(value, None, target)
        after = len(target.elts) - at - 1
        if len(items) < at + after:
            self.lowerer.subscripts.unpack(
                Pack(list, list(range(len(items))), items), at + after, target
            )
        middle = items[at : len(items) - after]
        packed = Pack(list, list(range(len(middle))), list(middle))
        return [*items[:at], packed, *items[len(items) - after :]]

    def is_of_unknown_length(self, value: Node) -> bool:
        if isinstance(value, Pack):
            return value.kind is Listed
        return isinstance(value, Value) and tree_length(value.type) is None

    def spread_at_run_time(self, target: gast.AST, value: Node, at: int) -> list[Node]:
        """The same for a list or an array whose length is known when it runs."""
        subscripts, operations = self.lowerer.subscripts, self.lowerer.operations
        whole = value.items[0] if isinstance(value, Pack) else value
        after = len(target.elts) - at - 1
        known = type_of(whole)
        if not (isinstance(known, Stack) or (isinstance(known, Array) and known.dims)):
            raise UnsupportedSyntax(
                "a starred target for something of unknown length is not supported",
                place=self.scope.place(target.elts[at]), fix="take a slice: first, rest = x[0], x[1:]",
            )  # fmt: skip
        check = (operations.operand(whole), Const(at + after))
        operations.apply(linear.check_enough, check, {})
        operations.last().effect = True
        ends = [Const(at or None), Const(-after if after else None), Const(None)]
        middle = subscripts.getitem(whole, slice(*ends))
        rest = operations.apply(linear.items, (middle,), {}) if isinstance(known, Array) else middle
        rest.type = known if isinstance(known, Stack) else rest.type
        first = [subscripts.getitem(whole, Const(k)) for k in range(at)]
        last = [subscripts.getitem(whole, Const(k - after)) for k in range(after)]
        return [*first, Pack(Listed, [0], [rest]), *last]

    def do_Delete(self, node: gast.AST) -> None:
        for target in node.targets:
            if isinstance(target, gast.Subscript):
                self.delete(target)
            elif isinstance(target, gast.Name) and target.id in self.scope.outside:
                self.refuse_outside(target)
            elif isinstance(target, gast.Name):
                self.lowerer.names.load(target.id, target)
                self.scope.env[target.id] = UNDEFINED
            else:
                self.lowerer.simple_statements.refuse(node)

    def delete(self, target: gast.AST) -> None:
        base = self.lowerer.expression(target.value)
        if self.lowerer.inactive.is_asked_late(base):
            key = self.lowerer.inactive.operand(self.lowerer.expressions.index(target.slice))
            owner = self.lowerer.operations.operand(base)
            self.lowerer.inactive.late(operator.delitem, (owner, key), {})
            return
        if not isinstance(base, Pack) or base.kind not in (list, dict, Listed, Mapped):
            raise UnsupportedSyntax(
                "`del` of an item of this is not supported", place=self.scope.place(target),
                fix="make a new container without it",
            )  # fmt: skip
        self.lowerer.container_writes.delete_item(
            base, self.lowerer.expressions.index(target.slice, base), target
        )

    def do_Global(self, node: gast.AST) -> None:
        self.scope.declare_outside(node.names, isinstance(node, gast.Global))

    do_Nonlocal = do_Global

    def refuse_outside(self, node: gast.AST) -> None:
        raise MutationError(
            f"`{node.id}` is a name outside of the function, and is bound here",
            place=self.scope.place(node), fix="pass the value as an argument and return it",
        )  # fmt: skip

    def do_Assign(self, node: gast.AST) -> None:
        following = self.scope.following
        value = self.lowerer.expression(node.value)
        if is_iterator(value) and len(node.targets) == 1:
            return self.assign_iterator(node.targets[0], value, following)
        value = self.lowerer.cells.anchored(value)
        for target in node.targets:
            self.assign(target, value)

    def assign_iterator(self, target: gast.AST, value: Node, following: gast.AST | None) -> None:
        """``rows = zip(a, b)`` for the next statement, or ``p, q = zip(*rows)``."""
        iterators = self.lowerer.iterators
        if isinstance(target, gast.Name) and (
            iterators.in_passing(target.id, following)
            or self.lowerer.steps.is_in_steps(target.id, value)
        ):
            self.scope.env[target.id] = value
        elif isinstance(target, (gast.Tuple, gast.List)) and isinstance(value, Pack):
            kind = Listed if value.kind is Listed else list
            self.assign(
                target, self.lowerer.cells.anchored(Pack(kind, list(value.keys), list(value.items)))
            )
        else:
            self.assign(target, value)

    def do_AnnAssign(self, node: gast.AST) -> None:
        if node.value is not None:
            self.assign(node.target, self.lowerer.expression(node.value))

    def do_AugAssign(self, node: gast.AST) -> None:
        if isinstance(node.target, gast.Subscript):
            return self.augment_item(node)
        if not isinstance(node.target, gast.Name):
            return self.augment_attribute(node)
        if node.target.id in self.scope.outside:
            self.refuse_outside(node.target)
        old = self.lowerer.names.load(node.target.id, node)
        value = self.lowerer.expression(node.value)
        if not isinstance(old, Pack) or old.cell is None:
            self.lowerer.lending.note_bound(node.target.id)
        self.scope.env[node.target.id] = self.lowerer.cells.stored(self.augmented(node, old, value))
        self.name_value(self.scope.env[node.target.id], node.target.id)

    def assign_item(self, target: gast.AST, value: Node) -> None:
        """``x[i] = value``: a container's item, or a part of an array."""
        base = self.item_target(target)
        if self.lowerer.inactive.is_asked_late(base):
            key = self.lowerer.inactive.operand(self.lowerer.expressions.index(target.slice))
            return self.lowerer.inactive.write(operator.setitem, base, key, value, target)
        if is_container(base):
            return self.lowerer.container_writes.write_item(base, target, value)
        x, steps, index = self.item_place(base, target)
        outer = self.scope.turn_to(target)
        given = self.lowerer.array_writes.value(value)
        if is_flat(target):
            given = self.repeated(given, x, steps, index)
        self.lowerer.versions.write(x, (*steps, (Const(operator.getitem), index)), given, target)
        self.scope.turn_to(outer)

    def repeated(self, given: Operand, x: Value, steps: Any, index: Operand) -> Operand:
        """What ``x.flat[i]`` is set to: as many elements as are there, for which NumPy goes over them again."""
        apply = self.lowerer.operations.apply
        if () in (sizes_of(given), sizes_of(index)):
            return given
        shown = self.lowerer.versions.latest(x)
        for step, *more in steps:
            shown = apply(step.value, (shown, *more), {})
        part = apply(operator.getitem, (shown, index), {})
        sizes = sizes_of(part)
        if sizes and None not in sizes and sizes == sizes_of(given):
            return given
        return apply(np.resize, (given, apply(np.ndarray.shape, (part,), {})), {})

    def item_target(self, target: gast.AST) -> Node:
        """The base that ``x[i] = v`` writes to: of ``x.flat[i]``, the array."""
        if is_flat(target):
            return self.written(self.lowerer.expression(target.value.value), target)
        return self.lowerer.expression(target.value)

    def item_place(self, base: Node, target: gast.AST) -> tuple[Value, Any, Operand]:
        """The array that ``x[i] = v`` writes to, the views in between, and the index of what they show."""
        x = self.written(base, target)
        index = self.lowerer.operations.operand(self.lowerer.expressions.index(target.slice))
        if is_flat(target):
            return x, *self.lowerer.array_writes.flat(x, index)
        return x, (), index

    def assign_attribute(self, target: gast.AST, value: Node) -> None:
        """``x.real = v`` of an array, ``p.a = v`` of an object."""
        base = self.lowerer.expression(target.value)
        if self.lowerer.inactive.is_asked_late(base):
            return self.lowerer.inactive.write(
                builtins.setattr, base, Const(target.attr), value, target
            )
        kind = getattr(base, "type", None)
        if target.attr == "shape" and isinstance(base, Value) and isinstance(kind, Array):
            return set_shape(self.lowerer, base, value, target)
        if not (isinstance(base, Value) and isinstance(kind, Array) and kind.kind == "c"):
            self.lowerer.container_writes.write_attribute(base, target, value)
            return
        if target.attr not in ("real", "imag"):
            self.lowerer.expressions.refuse_write(target)
        outer = self.scope.turn_to(target)
        step = ((Const(getattr(np.ndarray, target.attr)),),)
        self.lowerer.versions.write(base, step, self.lowerer.array_writes.value(value), target)
        self.scope.turn_to(outer)

    def augment_item(self, node: gast.AST) -> None:
        """``x[i] += value``, the subscript evaluated once."""
        target, fn = node.target, BINARY[type(node.op)]
        base = self.item_target(target)
        if self.lowerer.inactive.is_asked_late(base):
            return self.augment_late(node, operator.getitem, operator.setitem, base)
        if is_container(base):
            index = self.lowerer.expressions.index(target.slice, base)
            return self.augment_entry(node, self.lowerer.cells.present(base), index)
        x, steps, index = self.item_place(base, target)
        step = (Const(operator.getitem), index)
        before, calls = (
            self.lowerer.versions.latest(x),
            any(isinstance(e, gast.Call) for e in gast.walk(node.value)),
        )
        old = (
            self.lowerer.operations.apply(operator.getitem, (x, index), {})
            if calls and not steps
            else None
        )
        value = self.lowerer.expression(node.value)
        outer = self.scope.turn_to(node)
        if (
            old is not None and self.lowerer.versions.latest(x) is not before
        ):  # a call has written to it since
            new = self.lowerer.operations.apply(
                fn,
                (self.lowerer.operations.operand(old), self.lowerer.array_writes.value(value)),
                {},
            )
            self.lowerer.versions.write(x, (*steps, step), new, node)
        else:
            self.lowerer.versions.augment_index(
                x, index, fn, self.lowerer.array_writes.value(value), node, steps
            )
        self.scope.turn_to(outer)

    def augment_late(self, node: gast.AST, get: Any, put: Any, base: Node) -> None:
        """``d[k] += e``, ``d.k += e`` of an object that is asked when it runs."""
        target, late = node.target, self.lowerer.inactive
        named = isinstance(target, gast.Attribute)
        key = (
            Const(target.attr)
            if named
            else late.operand(self.lowerer.expressions.index(target.slice))
        )
        owner = self.lowerer.operations.operand(base)
        old = late.late(get, (owner, key), {})
        new = self.augmented(node, old, self.lowerer.expression(node.value))
        late.write(put, base, key, new, target)

    def augment_entry(self, node: gast.AST, base: Node, index: Node) -> None:
        """``d[k] += e``; an array in a container is changed itself."""
        if isinstance(base, Value):
            return self.lowerer.container_writes.write_item(base, node.target, Const(None), index)
        old = self.lowerer.subscripts.item(base, index, node.target)
        value = self.lowerer.expression(node.value)
        new = self.augmented(node, old, value, self.lowerer.cells.seen(base))
        base = self.lowerer.cells.seen(base)  # a call may have bound it anew
        if (
            new is not old
            or self.lowerer.subscripts.item(base, index, node.target) is not old
            or base.kind is tuple
        ):
            self.lowerer.container_writes.write_item(base, node.target, new, index)

    def augment_attribute(self, node: gast.AST) -> None:
        """``x.a += e``: the object is computed once."""
        base, target = self.lowerer.expression(node.target.value), node.target
        if self.lowerer.inactive.is_asked_late(base):
            return self.augment_late(node, builtins.getattr, builtins.setattr, base)
        if isinstance(base, Const):
            self.lowerer.states.refuse_or_reopen(base, target.attr, target)
        if not is_container(base):
            self.lowerer.expressions.refuse_write(target)
        old = self.lowerer.attributes.attribute(base, target.attr, target)
        value = self.lowerer.expression(node.value)
        base = self.lowerer.cells.seen(base)
        new = self.augmented(node, old, value, base)
        if (
            new is not old
            or self.lowerer.attributes.attribute(base, target.attr, target) is not old
        ):
            self.lowerer.container_writes.write_attribute(base, target, new)

    def written(self, base: Node, target: gast.AST) -> Value:
        """The array that is written to."""
        if isinstance(base, Const):
            name = f"`{base.text}`" if base.text else "a constant"
            raise MutationError(
                f"{name} is written to, and is not made in this function", place=self.scope.place(target),
                fix="pass it as an argument, or write to a copy",
            )  # fmt: skip
        number = isinstance(base, Value) and isinstance(base.type, Number)
        if number or is_numpy_scalar(base, self.lowerer.versions.rank0):
            self.lowerer.expressions.refuse_write_to_number(target)
        if not isinstance(base, Value) or isinstance(base.type, (Tree, Stack)):
            self.lowerer.expressions.refuse_write(target)
        return base  # type: ignore[no-any-return]

    def assign(self, target: gast.AST, value: Node) -> None:
        match target:
            case gast.Name() if target.id in self.scope.outside:
                self.refuse_outside(target)
            case gast.Name():
                self.lowerer.lending.note_bound(target.id)
                self.scope.env[target.id] = self.lowerer.cells.stored(value)
                self.name_value(value, target.id)
            case gast.Tuple() | gast.List():
                value = self.lowerer.cells.present(
                    value
                )  # a target before this one may have changed it
                parts = (
                    self.lowerer.subscripts.unpack(value, len(target.elts), target)
                    if not has_star(target)
                    else self.spread_out(target, value)
                )
                for element, part in zip(target.elts, parts, strict=True):
                    self.assign(element, part)
            case gast.Subscript():
                self.assign_item(target, value)
            case gast.Attribute():
                self.assign_attribute(target, value)
            case gast.Starred():
                self.assign(target.value, value)
            case _:
                self.lowerer.expressions.refuse_write(target)

    def name_value(self, node: Node, name: str) -> None:
        """Give a value the user's name, if it has none yet."""
        if isinstance(node, Pack) and node.kind in (Listed, Mapped):
            node = node.items[0]
        if isinstance(node, Value) and node.hint is None:
            node.hint = spoken(name)

    def augmented(self, node: gast.AST, old: Node, value: Node, base: Node = None) -> Node:
        """``x += e``: a new value where ``x``, perhaps an item of ``base``, is a number or an array nobody else can see."""
        if isinstance(old, Pack):
            return self.augmented_container(
                node, BINARY[type(node.op)], self.lowerer.cells.present(old), value
            )
        if isinstance(old, Const) and type(old.value) is frozenset:
            return self.lowerer.expressions.binary(BINARY[type(node.op)], old, value, node)
        own = self.lowerer.overloads.augmenting_method(BINARY[type(node.op)], old, value, node)
        if own is not None:
            return own
        if is_sequence(old):
            if old.type.container == "list" and self.is_in_place(BINARY[type(node.op)], value):
                raise Reopen(old, None, node)
            return self.lowerer.expressions.binary(BINARY[type(node.op)], old, value, node)
        if isinstance(old, Value) and isinstance(old.type, Stack):  # a tuple
            return self.lowerer.expressions.binary(BINARY[type(node.op)], old, value, node)
        grows = isinstance(value, Pack) and self.lowerer.containers.is_shape(old)
        if (is_opaque(old) or grows) and self.lowerer.inactive.is_inert(value):
            # A list, a tuple or an array: Python knows.
            sign = Const(traits_of(BINARY[type(node.op)]).sign)
            pair = (self.lowerer.operations.operand(old), self.lowerer.inactive.operand(value))
            return self.lowerer.inactive.late(linear.augmented, (sign, *pair), {})
        if isinstance(value, Pack):
            value = self.lowerer.operations.apply(
                np.array, (self.lowerer.operations.operand(value),), {}
            )
        outer = self.scope.turn_to(node)
        x, e = self.lowerer.operations.operand(old), self.lowerer.operations.operand(value)
        fn = BINARY[type(node.op)]
        if isinstance(x, Const) and hasattr(type(x.value), f"__i{fn.__name__.strip('_')}__"):
            self.written(x, node.target)
        result = self.lowerer.operations.apply(fn, (x, e), {})
        result.loc = self.scope.location(node)
        self.scope.turn_to(outer)
        rank_0 = self.lowerer.versions.rank0
        if isinstance(x, Value):
            rank_0.learn(x, self.scope.program.known.class_of(x))
        number = is_scalar(type_of(x)) and x not in rank_0
        if not isinstance(x, Value) or number or x.type is BOTTOM:  # nothing has been there yet
            return result
        unsure = getattr(x.type, "dims", None) is None or is_scalar(x.type)
        if unsure and not rank_0.is_array(x):
            # A number or an array: nobody else may look at it afterwards.
            if self.lowerer.versions.may_be_of_module(x):
                raise of_module(x, self.scope.place(node))
            check_kinds(x, e, self.scope.place(node))
            if not self.lowerer.assumptions.is_alone(x, base):
                self.lowerer.call_effects.lose(self.lowerer.versions.place_of(x).cell, node)
            self.lowerer.versions.keep_rank0([result] if is_scalar(x.type) else [])
            if is_scalar(type_of(e)):
                rank_0.augmented(result, x)
            self.lowerer.versions.beside(result, [x])
            return result
        same = x.type == result.type and isinstance(x.type, Array) and x.type.dtype
        if same and self.lowerer.assumptions.is_alone(x, base):
            return result
        self.lowerer.versions.augment_whole(old, fn, e, result, node)
        return old

    def is_in_place(self, fn: Any, value: Node) -> bool:
        """True if ``xs += value`` or ``xs *= value`` changes the list: beside an array an array is made."""
        if fn is operator.mul:
            return not is_array(value) or self.lowerer.lists.repeats(value)
        return fn is operator.add and not is_array(value)

    def augmented_container(self, node: gast.AST, fn: Any, old: Pack, value: Node) -> Node:
        """``xs += ys``: lists and dicts are changed themselves, everything else is bound anew."""
        if is_stranger(value) or tells(class_at(value) or object, "__radd__") not in (
            None,
            *NUMBERS,
        ):
            raise UnsupportedSyntax(
                "a container augmented by an object of another class is not supported",
                place=self.scope.place(node), fix="make a list of it first: list(...)",
            )  # fmt: skip
        if old.kind in (list, Listed) and fn is operator.add and not is_array(value):
            self.lowerer.container_writes.change_list(old, "extend", [value], node)
            return self.lowerer.cells.seen(old)
        if old.kind in (list, Listed) and fn is operator.mul and self.is_in_place(fn, value):
            made = self.lowerer.containers.pack_arithmetic(fn, old, value, node)
            self.lowerer.lists.renew(old, made, node)
            return self.lowerer.cells.seen(old)
        if old.kind is Mapped and fn is operator.or_:
            self.lowerer.dicts.method(old, "update", [value], {}, node)
            return self.lowerer.cells.seen(old)
        if old.kind is dict and fn is operator.or_:
            value = self.lowerer.dicts.entries_given(value, node)
            self.lowerer.container_writes.change_dict(old, "update", [value], {}, node)
            return self.lowerer.cells.seen(old)
        own = self.lowerer.overloads.augmenting_method(fn, old, value, node)
        return self.lowerer.containers.pack_arithmetic(fn, old, value, node) if own is None else own


def has_star(target: gast.AST) -> bool:
    return any(isinstance(t, gast.Starred) for t in target.elts)


def sizes_of(operand: Operand) -> Any:
    """The sizes of an array, () of a number; None where they are not known."""
    return getattr(type_of(operand), "dims", None)


def is_flat(target: gast.AST) -> bool:
    """``x.flat[i]``: an element of an array by its number in C order."""
    return isinstance(target.value, gast.Attribute) and target.value.attr == "flat"


def is_container(node: Node) -> bool:
    """True if a subscript of this is an item of a list, a dict or an object of the user's."""
    return isinstance(node, Pack) or (isinstance(node, Value) and is_of_items(node.type))


def is_of_items(kind: Any) -> bool:
    return isinstance(kind, Tree) or (isinstance(kind, Stack) and kind.user)


def is_sequence(node: Node) -> bool:
    """True if this is a list or a tuple of the arguments: Python joins and repeats them, all else makes an array."""
    kind = node.type if isinstance(node, Value) else None
    return isinstance(kind, Tree) and kind.container in ("list", "tuple")


NUMBERS = [vars(kind).get("__radd__") for kind in (bool, int, float, complex, np.ndarray)]


def is_scalar(kind: Any) -> bool:
    """True if a value is immutable: a Python number or the result of a full reduction."""
    return isinstance(kind, Number) or (isinstance(kind, Array) and kind.dims == ())
