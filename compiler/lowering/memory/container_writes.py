"""Writes to lists, dicts and objects: each gives the container a new content from here on."""

from __future__ import annotations

import types
from typing import Any

import gast

from retrograd.runtime.errors import MutationError, UnsupportedSyntax
from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.container_classes import ATTRIBUTES
from retrograd.runtime.objects.own_attributes import own_attribute

from ...analyses.class_protocols import asks_always
from ...analyses.shapes.infer import type_of
from ...dependencies.object_reads import static
from ...ir.containers import Pack
from ...ir.lattice import as_stack, join
from ...ir.operations import Const, Value
from ...ir.types import Array, Stack, Tree, is_record
from ..interface.lowerer import Lowerer
from ..nodes import Collecting, Listed, Mapped, Method, Node, Ref
from .places import cell_name, is_mutable
from .restart import Reopen

__all__ = ["DICT_WRITERS", "LIST_WRITERS", "ContainerWrites", "is_slot"]

LIST_WRITERS = ("append", "extend", "insert", "pop", "reverse", "clear", "remove", "sort")
DICT_WRITERS = ("update", "pop", "setdefault", "clear")


class ContainerWrites:
    """``d[k] = v``, ``x.a = v``, ``xs.append(v)`` and their like."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    # -- items -----------------------------------------------------------------------

    def write_item(self, base: Node, target: gast.AST, value: Node, index: Node = None) -> None:
        """``base[index] = value`` for a list, a dict or an object of the user's."""
        index = self.lowerer.expressions.index(target.slice, base) if index is None else index
        if isinstance(base, Value):
            return self.write_unopened(base, index, target)
        pack = self.lowerer.cells.present(base)  # the index is computed after it
        index = self.lowerer.constants.place_told(index)
        if pack.home is not None and not isinstance(index, slice):
            self.lowerer.items.put(pack, index, value, target)
        elif pack.kind in (dict, Mapped):
            self.write_entry(pack, index, value, target)
        elif pack.kind is Listed and isinstance(index, slice):
            self.splice(pack, index, value, target)
        elif pack.kind is Listed:
            content = self.lowerer.cells.list_operation(linear.replaced, pack, index, value)
            self.rewrite_listed(pack, content, target)
        elif pack.kind is list:
            self.write_list(pack, index, value, target)
        else:
            self.special(pack, "__setitem__", [index, value], target)

    def write_unopened(self, base: Value, index: Node, target: gast.AST) -> None:
        known = as_stack(base.type)
        if not (isinstance(known, Stack) and known.user):
            self.lowerer.expressions.refuse_write(target)
        raise Reopen(base, index.value if isinstance(index, Const) else None, target)

    def write_entry(self, pack: Pack, index: Node, value: Node, target: gast.AST) -> None:
        if pack.kind is Mapped or not isinstance(index, Const):
            whole = self.lowerer.cells.known_at_run_time(pack)
            content = self.lowerer.dicts.with_entry(whole, index, value)
            return self.rewrite_listed(whole, content, target)
        self.name_entry(value, index.value)
        made = dict(zip(pack.keys, pack.items, strict=True)) | {index.value: value}
        self.lowerer.cells.rewrite(pack, list(made), list(made.values()), target)

    def name_entry(self, value: Node, key: Any) -> None:
        """A value without a name of its own is called after the entry it is stored in."""
        if isinstance(value, Value) and value.hint is None and isinstance(key, str):
            value.hint = key

    def write_list(self, pack: Pack, index: Node, value: Node, target: gast.AST) -> None:
        items = list(pack.items)
        if isinstance(index, Const) and isinstance(index.value, int):
            if not -len(items) <= index.value < len(items):
                raise self.lowerer.subscripts.missing(index.value, list, target)
            items[index.value] = value
        elif isinstance(index, slice):
            parts = [
                self.lowerer.operations.operand(p) for p in (index.start, index.stop, index.step)
            ]
            if not all(isinstance(p, Const) for p in parts):
                return self.splice(self.opened_list(pack), index, value, target)
            items[slice(*[p.value for p in parts])] = self.lowerer.subscripts.unpack(
                value, None, target
            )
        else:
            content = self.lowerer.cells.list_operation(
                linear.replaced, self.lowerer.cells.as_one(pack), index, value
            )
            return self.rewrite_listed(pack, content, target)
        self.lowerer.cells.rewrite(pack, list(range(len(items))), items, target)

    def splice(self, pack: Pack, index: slice, value: Node | None, target: gast.AST) -> None:
        """``xs[a:b] = ys`` and ``del xs[a:b]`` of run-time length: what is before, the new items, the rest."""
        ends = self.ends_of(index)
        if ends is None:
            return self.splice_anywhere(pack, index, value, target)
        first, last = ends
        parts = [self.part_of(pack, slice(Const(None), Const(first), Const(None)))]
        if value is not None:
            parts.append(self.sequence(value, target))
        if last is not None:
            parts.append(self.part_of(pack, slice(Const(last), Const(None), Const(None))))
        whole = parts[0]
        for part in parts[1:]:
            kind = joined_type(whole, part)
            whole = self.lowerer.operations.apply(linear.joined, (whole, part), {})
            whole.type = kind
        self.rewrite_listed(
            pack, self.lowerer.cells.one_list(whole, whole.type, pack.items[0].hint), target
        )

    def part_of(self, pack: Pack, index: slice) -> Node:
        return self.lowerer.subscripts.item_listed(pack, index).items[0]

    def splice_anywhere(
        self, pack: Pack, index: slice, value: Node | None, target: gast.AST
    ) -> None:
        """The same where the two ends are known when it runs, or every other item is taken."""
        if value is None and not (is_known(index.step) and index.step.value in (None, 1)):
            raise UnsupportedSyntax(
                "`del` of every other item of a list of run-time length is not supported",
                place=self.scope.place(target), fix="make a new list without them: xs = xs[1::2]",
            )  # fmt: skip
        new: Any = (
            [] if value is None else self.lowerer.operations.operand(self.sequence(value, target))
        )
        at = self.lowerer.operations.operand(index)
        whole = self.lowerer.operations.apply(linear.spliced, (pack.items[0], at, new), {})
        kind = pack.items[0].type if value is None else joined_type(pack.items[0], new)
        content = self.lowerer.cells.one_list(whole, kind, pack.items[0].hint)
        self.rewrite_listed(pack, content, target)

    def ends_of(self, index: slice) -> tuple[int, int | None] | None:
        """Where a slice begins and ends, if these are in the same order for lists of all lengths."""
        ends = [self.lowerer.operations.operand(p) for p in (index.start, index.stop, index.step)]
        if all(map(is_known, ends)):
            first, last, step = (p.value for p in ends)
            first = first or 0
            if step in (None, 1):
                if last is None or 0 <= first <= last or first <= last < 0:
                    return first, last
                if 0 <= last < first:
                    return first, first
        return None

    def delete_item(self, base: Node, index: Node, target: gast.AST) -> None:
        """``del base[index]`` of a list or a dict."""
        if base.kind is Mapped or (base.kind is dict and not is_known(index)):
            base = self.lowerer.cells.known_at_run_time(base)
            return self.rewrite_listed(base, self.lowerer.dicts.without(base, index), target)
        if isinstance(index, slice):
            parts = [
                self.lowerer.operations.operand(p) for p in (index.start, index.stop, index.step)
            ]
            if base.kind is Listed:
                return self.splice(base, index, None, target)
            at: Any = slice(*[p.value for p in parts]) if all(map(is_known, parts)) else None
        else:
            at = index.value if is_known(index) else None
        if base.kind is Listed or (base.kind is list and at is None):
            opened = base if base.kind is Listed else self.opened_list(base)
            return self.rewrite_listed(base, self.without(opened, index), target)
        made: Any = dict(zip(base.keys, base.items, strict=True))
        made = list(made.values()) if base.kind is list else made
        try:
            del made[at]
        except (LookupError, TypeError):
            raise UnsupportedSyntax(
                "no such item is known here", place=self.scope.place(target)
            ) from None
        items = made if base.kind is list else list(made.values())
        keys = list(range(len(items))) if base.kind is list else list(made)
        self.lowerer.cells.rewrite(base, keys, items, target)

    def rewrite_listed(self, pack: Pack, content: Pack, target: gast.AST) -> None:
        """Give a list or a dict a content that is known when it runs."""
        if pack.home is not None:
            self.lowerer.items.renew(pack, content, target)
        elif pack.cell is None and pack.kind in (Listed, Mapped) and self.scope.program.nested:
            raise MutationError(
                "this writes to a container that is not known at compile time",
                place=self.scope.place(target), fix="give the container a name, and write to that",
            )  # fmt: skip
        if pack.cell is not None:
            self.lowerer.cells.check_one(pack.cell, target)
            self.scope.program.written.add(pack.cell)
            self.lowerer.cells.change_content(pack.cell, content)

    def special(self, pack: Pack, name: str, args: list[Node], node: gast.AST) -> Node:
        """A special method of a user's class."""
        found = static(pack.kind, name)
        if not isinstance(found, types.FunctionType):
            self.lowerer.expressions.refuse_write(node)
        return self.lowerer.calls.call_user(found, [pack, *args], {}, node)

    # -- attributes ------------------------------------------------------------------

    def write_attribute(self, base: Node, target: gast.AST, value: Node) -> None:
        """``base.name = value`` for an object made here, or one of the arguments."""
        name = target.attr
        if isinstance(base, Const):
            self.lowerer.states.refuse_or_reopen(base, name, target)
        if isinstance(base, Value):
            known: Any = base.type
            if is_record(known):
                raise Reopen(base, name, target)
            if not (isinstance(known, Tree) and known.container == "object"):
                self.lowerer.expressions.refuse_attribute_of_data(base, target)
            self.check_plain(known.cls, name, target)
            raise Reopen(base, name, target)
        if not isinstance(base, Pack) or base.kind in (tuple, list, dict, Listed, Mapped):
            self.lowerer.expressions.refuse_write(target)
        found = static(base.kind, name)
        if isinstance(found, property) and found.fset is not None:
            self.lowerer.calls.call_user(found.fset, [base, value], {}, target)
            return
        self.check_plain(base.kind, name, target)
        if base.home is not None and name in base.keys:
            return self.lowerer.items.put(base, Const(name), value, target)
        self.lowerer.states.known_to_state(base, name, target)
        self.name_entry(value, name)
        made = dict(zip(base.keys, base.items, strict=True)) | {name: value}
        self.lowerer.cells.rewrite(base, list(made), list(made.values()), target)

    def check_plain(self, cls: Any, name: str, target: gast.AST) -> None:
        """Refuse an attribute that is not simply stored."""
        found = static(cls, name)
        stored = found is None or not hasattr(type(found), "__set__") or is_slot(found)
        own = asks_always(cls) or cls.__setattr__ is not object.__setattr__
        if not (is_mutable(cls) and stored) or (own and cls not in ATTRIBUTES):
            raise MutationError(
                f"the attribute `{name}` of {own_attribute(cls, '__name__', cls)} cannot be written to",
                place=self.scope.place(target),
                fix="make a new object: dataclasses.replace(p, ...), p._replace(...)",
            )

    # -- methods ---------------------------------------------------------------------

    def collected_append(self, node: gast.AST) -> bool:
        """``out.append(y)`` on a list that the loop around it collects."""
        if len(node.args) != 1 or isinstance(node.args[0], (gast.Starred, gast.GeneratorExp)):
            return False
        held = self.appended_to(node.func)
        content = self.scope.env.get(cell_name(held.cell)) if isinstance(held, Ref) else None
        if not isinstance(content, Pack) or content.kind is not Collecting:
            return False
        assert isinstance(held, Ref)
        self.put_in(held.cell, self.lowerer.expression(node.args[0]))
        return True

    def appended_to(self, fn: Any) -> Node:
        """Whose ``append`` this is: written out, or under a name."""
        if isinstance(fn, gast.Attribute):
            return self.raw(fn.value) if fn.attr == "append" else None
        known = self.raw(fn)
        appends = isinstance(known, Pack) and known.kind == Method("append")
        return known.items[0] if appends else None

    def put_in(self, cell: int, item: Node) -> None:
        """One item more on a list that the loop around this collects."""
        held = self.lowerer.cells.stored(item)
        now = self.scope.env[cell_name(cell)]
        keys = list(range(len(now.items) + 1))
        self.scope.env[cell_name(cell)] = Pack(Collecting, keys, [*now.items, held])

    def raw(self, node: gast.AST) -> Node:
        """The node of a name or of an attribute of one, if that can be had without reading it."""
        if isinstance(node, gast.Name):
            return self.scope.env.get(node.id)
        if isinstance(node, gast.Attribute):
            base = self.raw(node.value)
            content = self.scope.env.get(cell_name(base.cell)) if isinstance(base, Ref) else base
            if isinstance(content, Pack) and node.attr in content.keys:
                return content.get(node.attr)
        return None

    def change_list(self, pack: Pack, name: str, args: list[Node], node: gast.AST) -> Node:
        """A method that changes a list."""
        if pack.kind is Listed:
            return self.change_listed(pack, name, args, node)
        items = list(pack.items)
        numbers = [a.value if isinstance(a, Const) else a for a in args]
        result: Node = None
        if name == "extend":
            try:
                items += self.lowerer.subscripts.unpack(args[0], None, node)
            except UnsupportedSyntax:
                return self.change_listed(self.opened_list(pack), name, args, node)
        elif name in ("insert", "pop") and numbers and not isinstance(numbers[0], int):
            return self.change_listed(self.opened_list(pack), name, args, node)
        elif name == "pop" and not items:
            raise UnsupportedSyntax("this list is empty", place=self.scope.place(node))
        elif name == "remove":
            known = args and all(isinstance(i, Const) for i in (*items, args[0]))
            if not known or args[0].value not in [i.value for i in items]:
                return self.change_listed(self.opened_list(pack), name, args, node)
            del items[[i.value for i in items].index(args[0].value)]
        else:
            given = [numbers[0], *args[1:]] if name in ("insert", "pop") and args else args
            result = getattr(items, name)(*given)
        self.lowerer.cells.rewrite(pack, list(range(len(items))), items, node)
        return Const(None) if result is None else result

    def opened_list(self, pack: Pack) -> Pack:
        made = self.lowerer.cells.as_one(pack)
        made.cell = pack.cell
        return made

    def change_listed(self, pack: Pack, name: str, args: list[Node], node: gast.AST) -> Node:
        """A method that changes a list of run-time length."""
        result: Node = Const(None)
        if name == "append":
            content = self.lowerer.cells.append_listed(pack, args[0])
        elif name == "extend":
            other = self.sequence(args[0], node)
            made = self.lowerer.operations.apply(linear.joined, (pack.items[0], other), {})
            content = self.lowerer.cells.one_list(
                made, joined_type(pack.items[0], other), pack.items[0].hint
            )
        elif name == "pop":
            at = args[0] if args else Const(-1)
            result = self.lowerer.subscripts.getitem(pack.items[0], at)
            content = self.without(pack, at)
        elif name == "reverse":
            content = self.lowerer.cells.list_operation(linear.flipped, pack)
        elif name == "insert":
            content = self.lowerer.cells.list_operation(linear.inserted, pack, args[0], args[1])
        elif name == "remove":
            operands = (pack.items[0], self.lowerer.operations.operand(args[0]))
            at = self.lowerer.operations.apply(linear.index_of, operands, {})
            content = self.without(pack, at)
        elif name == "clear":
            content = Pack(list, [], [])
        else:
            raise UnsupportedSyntax(
                f"`.{name}()` of a list of run-time length is not supported",
                place=self.scope.place(node),
            )
        self.rewrite_listed(pack, content, node)
        return result

    def without(self, pack: Pack, at: Node) -> Pack:
        made = self.lowerer.operations.apply(
            linear.removed, (pack.items[0], self.lowerer.operations.operand(at)), {}
        )
        return self.lowerer.cells.one_list(made, pack.items[0].type, pack.items[0].hint)

    def sequence(self, node: Node, at: gast.AST) -> Node:
        """Something iterable as a list at run time."""
        node = self.lowerer.protocols.laid_out(node, at)
        if isinstance(node, Pack):
            return self.lowerer.cells.as_one(node).items[0]
        found = self.lowerer.operations.operand(node)
        is_array = isinstance(type_of(found), Array)
        return self.lowerer.operations.apply(linear.items, (found,), {}) if is_array else found

    def change_dict(
        self, pack: Pack, name: str, args: list[Node], kwargs: Any, node: gast.AST
    ) -> Node:
        """A method that changes a dict."""
        made = dict(zip(pack.keys, pack.items, strict=True))
        key = args[0].value if args and isinstance(args[0], Const) else None
        result: Node = Const(None)
        if name == "update" and all(isinstance(a, Pack) and a.kind is dict for a in args):
            for a in args:
                made |= dict(zip(a.keys, a.items, strict=True))
            made |= kwargs
        elif name == "pop" and key in made:
            result = made.pop(key)
        elif name == "pop" and key is not None and len(args) == 2:
            return args[1]
        elif name == "setdefault" and key is not None:
            made.setdefault(key, [*args[1:], Const(None)][0])
            result = made[key]
        elif name == "clear":
            made = {}
        else:
            raise UnsupportedSyntax(
                f"this `.{name}()` of a dict is not supported", place=self.scope.place(node),
                fix="use constant keys that are in the dict",
            )  # fmt: skip
        self.lowerer.cells.rewrite(pack, list(made), list(made.values()), node)
        return result


def joined_type(first: Node, second: Any) -> Stack:
    """The type of two lists of run-time length as one."""
    kinds = type_of(first), type_of(second)
    both = join(*kinds) if all(isinstance(k, Stack) for k in kinds) else None
    return both if isinstance(both, Stack) else Stack(user=True)


def is_slot(found: Any) -> bool:
    return isinstance(found, types.MemberDescriptorType)


def is_known(node: Node) -> bool:
    return isinstance(node, Const)
