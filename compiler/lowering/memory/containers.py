"""Containers the compiler takes apart: builtins that make them, their methods and attributes."""

from __future__ import annotations

import builtins
import operator
from typing import Any

import gast
import numpy as np

from retrograd.runtime.errors import MutationError, UnsupportedSyntax
from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.declared_containers import REGISTERED
from retrograd.runtime.objects.own_attributes import own_attribute

from ...analyses.class_protocols import asks_always, method_in
from ...analyses.shapes.infer import type_of
from ...dependencies.object_reads import static
from ...ir.containers import Pack
from ...ir.operations import Const, Value
from ...ir.types import STRANGER, Array, Number, Opaque, Stack, Tree
from ..interface.lowerer import Lowerer
from ..iteration.iterables import (
    Entries,
    Enumerate,
    Iteration,
    Late,
    Range,
    Reversed,
    Zip,
    iterable_of,
    written_out,
)
from ..known_arguments import told_apart, with_known_items
from ..known_items import is_written_out
from ..library.collections_inside import class_outside, own_dict
from ..library.frozen_distributions import Frozen, method_of
from ..library.set_calls import evaluated
from ..module_containers import is_container_constant
from ..nodes import UNKNOWN, Lazy, Listed, Mapped, Node, describe
from .container_writes import (
    DICT_WRITERS,
    LIST_WRITERS,
    is_slot,
    joined_type,
)
from .dict_methods import is_computed_entry
from .node_kinds import (
    NOT_ITERABLE,
    as_of_number,
    class_of,
    is_array,
    is_count,
    is_data,
    is_whole_number,
    joined,
)
from .restart import Reopen

__all__ = ["Containers"]


SAME_LENGTH = """
if first != other:
    raise ValueError("zip(): the arguments have different lengths")
"""


class Containers:
    """Lowers operations on tuples, lists, dicts and objects of known structure."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    def pack_arithmetic(self, fn: Any, left: Node, right: Node, node: gast.AST) -> Node:
        """``a + b`` and ``3 * a`` of tuples and lists; beside an array they are arrays."""
        if any(isinstance(side, Pack) and side.kind is Listed for side in (left, right)):
            return self.listed_arithmetic(fn, left, right, node)
        kinds = [side.kind for side in (left, right) if isinstance(side, Pack)]
        if fn is operator.or_ and kinds == [dict, dict]:
            made = dict(zip(left.keys, left.items, strict=True))
            made |= dict(zip(right.keys, right.items, strict=True))
            return Pack(dict, list(made), list(made.values()))
        if fn is operator.add and kinds in ([tuple, tuple], [list, list]):
            return joined(left.kind, left.items + right.items)
        pack, other = (left, right) if isinstance(left, Pack) else (right, left)
        if fn is operator.mul and pack.kind in (tuple, list) and is_count(other):
            return joined(
                pack.kind, [self.lowerer.cells.anchored(i) for i in pack.items] * other.value
            )
        if fn is operator.mul and pack.kind in (tuple, list) and is_whole_number(other):
            return self.repeated(pack, other)
        if fn is operator.mul and pack.kind in (tuple, list) and self.lowerer.lists.repeats(other):
            return self.repeated(pack, other)
        if pack.kind in (tuple, list) and is_array(other):
            whole = self.lowerer.operations.array_of(pack)
            pair = (whole, other) if pack is left else (other, whole)
            return self.lowerer.operations.apply(fn, pair, {})
        if pack.kind is tuple and self.is_shape(other) and self.lowerer.inactive.is_inert(pack):
            return self.lowerer.operations.apply(fn, self.lowerer.lists.operands([left, right]), {})
        raise UnsupportedSyntax(
            "this arithmetic with a container is not supported",
            place=self.scope.place(node), fix="make an array of it first: np.array(...)",
        )  # fmt: skip

    def is_shape(self, node: Node) -> bool:
        """True of what nothing is known of but that no derivative goes through it: ``np.broadcast_shapes(s, t)``."""
        unknown = isinstance(node, Value) and node.type is None
        return unknown and self.lowerer.inactive.is_inert(node)

    def repeated(self, pack: Pack, count: Node) -> Node:
        """``[0.0] * n`` with ``n`` known when it runs."""
        items = self.lowerer.cells.as_one(pack).items[0]
        made = self.lowerer.operations.apply(
            linear.repeated_list, (items, self.lowerer.operations.operand(count)), {}
        )
        listed = self.lowerer.cells.one_list(made, items.type, None)
        return self.convert_listed(tuple, listed) if pack.kind is tuple else listed

    def listed_arithmetic(self, fn: Any, left: Node, right: Node, node: gast.AST) -> Node:
        """``a + b`` of lists of run-time length."""
        if fn is operator.add and all(
            isinstance(s, Pack) and s.kind in (list, Listed) for s in (left, right)
        ):
            first, second = self.lowerer.cells.as_one(left), self.lowerer.cells.as_one(right)
            made = self.lowerer.operations.apply(
                linear.joined, (first.items[0], second.items[0]), {}
            )
            return self.lowerer.cells.one_list(
                made, joined_type(first.items[0], second.items[0]), None
            )
        whole, count = (left, right) if isinstance(left, Pack) else (right, left)
        if fn is operator.mul and (is_whole_number(count) or self.lowerer.lists.repeats(count)):
            return self.repeated(whole, count)
        a, b = (self.lowerer.operations.operand(s) for s in (left, right))
        if is_array(left) or is_array(right):
            pair = [
                self.lowerer.operations.apply(np.array, (o,), {}) if isinstance(s, Pack) else o
                for s, o in ((left, a), (right, b))
            ]
            return self.lowerer.operations.apply(fn, tuple(pair), {})
        raise UnsupportedSyntax(
            "this operation on a list of unknown length is not supported",
            place=self.scope.place(node), fix="make an array of it first: np.array(...)",
        )  # fmt: skip

    def builtin_range(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        bounds = [self.lowerer.operations.operand(a) for a in args]
        if len(bounds) == 1:
            bounds = [Const(0), bounds[0]]
        lo, hi, step = [*bounds, Const(1)][:3]
        return Range(bounds=(lo, hi, step))

    def builtin_zip(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        args = [told_apart(self.lowerer, self.listed(a)) for a in args]
        if any(isinstance(a, Pack) for a in args):
            args = [self.lowerer.construction.taken_apart(a) for a in args]
        strict = self.is_strict(kwargs, node)
        if args and all(isinstance(a, Pack) and a.kind is not Listed for a in args):
            if strict:
                self.refuse_unequal([len(a.items) for a in args], node)
            rows = list(zip(*[a.items for a in args], strict=False))
            made = joined(list, [joined(tuple, list(r)) for r in rows])
            return self.lowerer.iterators.live(
                made,
                lambda: self.builtin_zip(
                    [self.lowerer.iterators.refreshed(a) for a in args], {}, node
                ),
            )
        parts = [self.iteration(with_known_items(self.scope.program, a), node) for a in args]
        if strict:
            first, *others = [part.length(self.lowerer) for part in parts]
            for other in others:
                self.lowerer.higher_order.run(
                    SAME_LENGTH, {"first": first, "other": other}, node, "first"
                )
        return Zip(parts=parts, hint="k", strict=strict)

    def listed(self, node: Node) -> Node:
        """What is gone over in a container of the module, item by item; other nodes as they are."""
        node = written_out(node)
        return (self.convert(list, [node]) or node) if is_container_constant(node) else node

    def is_strict(self, kwargs: dict[str, Node], node: gast.AST) -> bool:
        strict = kwargs.get("strict", Const(False))
        if isinstance(strict, Const):
            return bool(strict.value)
        raise UnsupportedSyntax(
            "`strict` of zip is not known before the function runs",
            place=self.scope.place(node), fix="write strict=True or strict=False",
        )  # fmt: skip

    def refuse_unequal(self, lengths: list[int], node: gast.AST) -> None:
        if len(set(lengths)) > 1:
            raise UnsupportedSyntax(
                f"zip(strict=True) of {' and '.join(map(str, lengths))} items raises ValueError",
                place=self.scope.place(node), fix="call the function with containers of one length",
            )  # fmt: skip

    def builtin_enumerate(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        args = [*args, *[kwargs[name] for name in ("iterable", "start") if name in kwargs]]
        start = [*args[1:], Const(0)][0]
        args = [told_apart(self.lowerer, self.listed(args[0]))]
        if isinstance(args[0], Pack) and args[0].kind is not Listed and isinstance(start, Const):
            first = start.value
            pairs = [joined(tuple, [Const(first + k), v]) for k, v in enumerate(args[0].items)]
            return self.lowerer.iterators.live(
                joined(list, pairs),
                lambda: self.builtin_enumerate(
                    [self.lowerer.iterators.refreshed(args[0]), start], {}, node
                ),
            )
        return Enumerate(inner=self.iteration(args[0], node), start=start, hint=None)

    def builtin_reversed(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        args = [told_apart(self.lowerer, self.listed(a)) for a in args]
        if isinstance(args[0], Pack) and args[0].kind is not Listed:
            return self.lowerer.iterators.live(
                joined(list, args[0].items[::-1]),
                lambda: self.builtin_reversed(
                    [self.lowerer.iterators.refreshed(args[0])], {}, node
                ),
            )
        return Reversed(inner=self.iteration(args[0], node), hint="k")

    def builtin_max(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        return self.extreme(builtins.max, args, kwargs, node)

    def builtin_min(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        return self.extreme(builtins.min, args, kwargs, node)

    def extreme(self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        """An operation, as long as it is numbers that are compared; of containers, the one that is found at run time."""
        whole = self.lowerer.construction.taken_apart(args[0]) if len(args) == 1 else None
        if "key" in kwargs and (len(args) > 1 or is_written_out(whole)):
            return None
        items = whole.items if isinstance(whole, Pack) else args
        kinds = [getattr(i, "type", None) for i in items]
        kinds = [kind.item if isinstance(kind, Stack) else kind for kind in kinds]
        if any(isinstance(i, Pack) for i in items) or any(isinstance(k, Tree) for k in kinds):
            return self.lowerer.sorting.best(fn, args, kwargs, node)
        apart = isinstance(whole, Pack) and whole is not args[0] and whole.kind in (list, tuple)
        if kwargs or not apart or self.lowerer.known.of(args[0]) is not UNKNOWN:
            return None
        return self.lowerer.calls.call(Const(fn, fn.__name__), [whole], {}, node)

    def iteration(self, node: Node, at: gast.AST) -> Iteration:
        if isinstance(node, Iteration):
            return node
        node = whole = self.lowerer.protocols.laid_out(node, at)
        if isinstance(node, Iteration):
            return node
        if isinstance(node, Pack):
            node = node.items[0] if node.kind is Listed else self.lowerer.subscripts.bundle(node)
        try:
            found = self.lowerer.iterators.watched(iterable_of(self.lowerer, node), whole)
        except TypeError:
            found = None
        if not isinstance(found, Iteration):
            refused = UnsupportedSyntax(
                "this cannot be iterated over here", place=self.scope.place(at)
            )
            raise as_of_number(refused, node, NOT_ITERABLE)
        return found

    def builtin_len(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        if isinstance(args[0], Value) and isinstance(args[0].type, Number):
            raise UnsupportedSyntax(
                "`len` of a number, which has none", place=self.scope.place(node),
                fix="np.size(x), or a list or an array",
            )  # fmt: skip
        if isinstance(args[0], Entries):
            args = [self.lowerer.cells.present(args[0].whole)]
        if not isinstance(args[0], Pack):
            return None
        if args[0].kind in (Listed, Mapped):
            return self.lowerer.operations.apply(builtins.len, (args[0].items[0],), {})
        if args[0].kind not in (tuple, list, dict) and not hasattr(args[0].kind, "_fields"):
            return self.lowerer.container_writes.special(args[0], "__len__", [], node)
        return Const(len(args[0].items))

    def builtin_list(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        return self.convert(list, args)

    def builtin_tuple(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        return self.convert(tuple, args)

    def convert(self, kind: type, args: list[Node]) -> Node:
        args = [self.lowerer.constants.own(self.lowerer.construction.taken_apart(a)) for a in args]
        if not args:
            return Pack(kind, [], [])
        if isinstance(args[0], Pack) and args[0].kind is Listed:
            return self.convert_listed(kind, args[0])
        if isinstance(args[0], Pack):
            items = [Const(k) for k in args[0].keys] if args[0].kind is dict else args[0].items
            return Pack(kind, list(range(len(items))), list(items))
        if isinstance(args[0], Iteration):
            return self.convert_listed(
                kind, self.lowerer.higher_order.listing(args[0], self.scope.node)
            )
        known = type_of(args[0]) if isinstance(args[0], Value) else None
        if isinstance(known, Stack) and known.user and not known.keyed:
            return self.convert_listed(kind, Pack(Listed, [0], [args[0]]))
        if isinstance(known, Array) and known.dims:
            listed = self.lowerer.operations.apply(linear.items, (args[0],), {})
            made = Pack(Listed, [0], [listed])
            return made if kind is list else self.convert_listed(kind, made)
        return None

    def convert_listed(self, kind: type, pack: Pack) -> Node:
        """``list(out)`` is a list of its own; a tuple is never written to."""
        if kind is list:
            return self.lowerer.items.copied(pack)
        return self.lowerer.operations.apply(builtins.tuple, (pack.items[0],), {})

    def builtin_dict(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        if not args:
            return Pack(dict, list(kwargs), list(kwargs.values()))
        if len(args) > 1:
            return None
        args = [self.lowerer.constants.own(self.lowerer.construction.taken_apart(a)) for a in args]
        if isinstance(args[0], Pack) and own_dict(args[0], "items") is not None:
            args = [own_dict(args[0], "items")]
        if isinstance(args[0], Pack) and args[0].kind is Mapped:
            made_dict = self.lowerer.items.copied(args[0])
            if kwargs:
                made_dict = self.lowerer.cells.anchored(made_dict)
                self.lowerer.dicts.method(made_dict, "update", [], kwargs, node)
            return self.lowerer.cells.present(made_dict)
        if isinstance(args[0], Pack) and args[0].kind is dict:
            made = dict(zip(args[0].keys, args[0].items, strict=True)) | kwargs
            return Pack(dict, list(made), list(made.values()))
        return self.lowerer.dicts.of_pairs(args[0], kwargs, node)

    def builtin_isinstance(self, args: list[Node], kwargs: dict[str, Node], node: gast.AST) -> Node:
        self.lowerer.iterators.refuse_iterator(args[0], node)
        among = self.lowerer.known.of(args[1])
        if among is UNKNOWN:
            return None
        if isinstance(args[0], Pack):
            kind = {Listed: list, Mapped: dict}.get(args[0].kind, class_outside(args[0].kind))
            return Const(issubclass(kind, among)) if isinstance(kind, type) else None
        known = class_of(args[0].type) if isinstance(args[0], Value) else None
        return None if known is None else Const(issubclass(known, among))

    def pack_attribute(self, pack: Pack, name: str, node: gast.AST) -> Node:
        if pack.kind in (list, dict, tuple, Listed, Mapped):
            return self.lowerer.cells.method(pack, name)
        if isinstance(pack.kind, Frozen):
            return method_of(self.lowerer, pack, name, node)
        inner = own_dict(pack, name)
        if inner is not None:
            return self.lowerer.cells.method(inner, name)
        found = static(pack.kind, name)
        field = name in getattr(pack.kind, "_fields", ())
        if name in pack.keys and (field or not is_data(found)):
            return self.lowerer.perhaps_set.read(pack, name, node)
        if name in ("_replace", "_asdict") and hasattr(pack.kind, "_fields"):
            return self.lowerer.cells.method(pack, name)
        stored = found is None or not hasattr(type(found), "__get__")
        path = None if pack.cell is None else self.scope.program.cell_paths.get(pack.cell)
        if path is not None and stored:
            raise Reopen(path, name, node)
        if found is None and method_in(pack.kind, "__getattr__") is not None:
            return self.lowerer.calls.call_user(
                method_in(pack.kind, "__getattr__"), [pack, Const(name)], {}, node
            )
        return self.lowerer.attributes.class_attribute(pack, pack.kind, name, node)

    def dict_attribute(self, base: Value, known: Tree, name: str, node: gast.AST) -> Node:
        if known.cls is not None and not hasattr(dict, name):
            raise UnsupportedSyntax(
                f"`.{name}` of a {known.cls.__name__} is not supported here", place=self.scope.place(node),
                fix="read its items by their keys",
            )  # fmt: skip
        items = [self.lowerer.subscripts.getitem(base, Const(k)) for k in known.keys]
        return self.lowerer.cells.method(Pack(dict, list(known.keys), items), name)

    def object_attribute(self, base: Value, known: Tree, name: str, node: gast.AST) -> Node:
        if known == STRANGER and hasattr(np.ndarray, name):
            return self.lowerer.attributes.attribute(self.lowerer.protocols.vouch(base), name, node)
        if known.cls is None or asks_always(known.cls):
            return self.own_attribute(base, known, name)
        found = static(known.cls, name)
        own = name in known.keys and not hasattr(type(found), "__set__")
        if hasattr(type(found), "__get__") and not is_slot(found) and not own:
            return self.lowerer.attributes.class_attribute(base, known.cls, name, node)
        return self.own_attribute(base, known, name)

    def own_attribute(self, base: Value, known: Tree, name: str) -> Node:
        """What an object holds under a name; of one that is registered, beside its items there are constants."""
        found = self.lowerer.subscripts.getitem_attribute(base, name)
        if known.cls in REGISTERED and name not in known.keys:
            return self.lowerer.operations.apply(linear.stop_gradient, (found,), {})
        return found

    def call_pack(
        self, method: Pack, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node:
        """A method of a list, dict or object that the compiler takes apart."""
        pack, name = method.items[0], method.kind.name
        if not isinstance(pack, Pack):
            raise MutationError(
                "this container is one of another, items of which were put elsewhere since",
                place=self.scope.place(node), fix="take it out again: rows[i].append(...)",
            )  # fmt: skip
        if pack.kind is dict and name == "update":
            args = [self.lowerer.dicts.entries_given(other, node) for other in args]
        if is_computed_entry(pack, name, args):
            pack = self.lowerer.cells.known_at_run_time(pack)
        if pack.kind is Mapped:
            return self.lowerer.dicts.method(pack, name, args, kwargs, node)
        pairs = [
            Pack(tuple, [0, 1], [Const(k), v]) for k, v in zip(pack.keys, pack.items, strict=True)
        ]
        if pack.kind is dict and name in ("items", "keys", "values"):
            lists: dict[str, list[Any]] = {
                "items": list(pairs), "keys": [Const(k) for k in pack.keys], "values": list(pack.items),
            }  # fmt: skip
            view = joined(list, lists[name])
            view.view = name
            return self.lowerer.iterators.live(
                view,
                lambda: self.call_pack(
                    self.lowerer.cells.method(self.lowerer.iterators.refreshed(pack), name),
                    args,
                    kwargs,
                    node,
                ),
            )
        if pack.kind is dict and name == "get" and isinstance(args[0], Const):
            key = args[0].value
            return pack.get(key) if key in pack.keys else [*args[1:], Const(None)][0]
        if pack.kind is Listed and name == "copy":
            return self.lowerer.items.copied(pack)
        if name == "copy" and pack.kind in (list, dict):
            return Pack(pack.kind, list(pack.keys), list(pack.items))
        if pack.kind in (list, Listed) and name == "sort":
            return self.lowerer.sorting.sort_list(pack, kwargs, node)
        if pack.kind in (list, Listed) and name in LIST_WRITERS:
            return self.lowerer.container_writes.change_list(pack, name, args, node)
        if pack.kind is dict and name in DICT_WRITERS:
            return self.lowerer.container_writes.change_dict(pack, name, args, kwargs, node)
        if pack.kind in (list, tuple) and name in ("index", "count"):
            found = [getattr(i, "value", i) for i in pack.items]
            if all(isinstance(i, Const) for i in [*pack.items, *args]):
                return Const(getattr(found, name)(*[a.value for a in args]))
        if pack.kind in (list, tuple, Listed) and name in ("index", "count"):
            place = self.lowerer.lists.place(pack, name, args)
            if place is not None:
                return place
        named = hasattr(pack.kind, "_fields")
        if named and name == "_replace":
            made = dict(zip(pack.keys, pack.items, strict=True)) | kwargs
            return Pack(pack.kind, list(made), list(made.values()))
        if named and name == "_asdict":
            return Pack(dict, list(pack.keys), list(pack.items))
        kind = class_outside(pack.kind)
        raise UnsupportedSyntax(
            f"`.{name}()` of a {own_attribute(kind, '__name__', kind)} is not supported here",
            place=self.scope.place(node), fix="collect values in an array or a tuple of fixed length",
        )  # fmt: skip

    def iterable(self, node: gast.AST, any_order: bool = False) -> Iteration | Pack:
        """What stands behind ``in``, to go over; ``any_order``: the members of a set may come in any."""
        found, scattered = evaluated(self.lowerer, node, any_order)
        if scattered is not None:
            return scattered
        if self.scope.dead and isinstance(found, Value):  # of a call that never returns
            return Pack(tuple, [], [])
        if isinstance(found, Lazy):
            found = self.lowerer.generators.step_by_step(found)
        if self.lowerer.inactive.is_asked_late(found):
            parameters = self.lowerer.objects_now.parameters(found)
            if isinstance(parameters, Pack):
                return parameters
            return Late(value=found, index_type=Opaque(), hint=None)
        over = self.lowerer.known.taken_apart(found)
        value = whole = self.lowerer.protocols.laid_out(over, node)
        if isinstance(value, Const) and isinstance(value.value, (set, frozenset)):
            raise self.lowerer.protocols.not_gone_over(type(value.value), node)
        if isinstance(value, Pack) and value.kind is Listed:
            value = value.items[0]
        if isinstance(value, Pack) and value.kind is Mapped:
            return self.lowerer.dicts.entries(value)  # type: ignore[no-any-return]
        value = written_out(value)
        if is_container_constant(value):
            return self.lowerer.constants.constant_pack(value)
        try:
            made: Iteration | Pack = self.lowerer.iterators.watched(
                iterable_of(self.lowerer, value), whole
            )
            return made
        except TypeError:
            refused = UnsupportedSyntax(
                f"a loop over {describe(value)} is not supported",
                place=self.scope.place(node), fix="loop over a range, an array, a list, zip or enumerate",
            )  # fmt: skip
            raise as_of_number(refused, value, NOT_ITERABLE) from None
