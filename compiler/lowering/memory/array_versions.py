"""Arrays that are written to: names hold memory, the environment holds what it contains now.

``x[i] = v`` makes a new value, the next *version* of the memory of ``x``; every name of that
memory, and every view of it, reads the new version from then on.  So a program with writes is
still one where each value is written once, and its derivative needs nothing new.

The current version of each memory stands in the environment under a hidden name; branches and
loops merge it like any other name.  What may or may not be the memory just written is ``Lost``,
and an error if it is read.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable, Iterable
from itertools import zip_longest
from typing import Any, TypeGuard

import gast

from retrograd.runtime.errors import MutationError
from retrograd.runtime.helpers import linear

from ...analyses.aliasing.memory_facts import (
    gives_array,
    is_itself,
    is_read_only,
    keeps_order,
    lies_in_order,
    may_repeat,
)
from ...analyses.aliasing.views_and_copies import Cell, Memory, is_memory, relation, step_of
from ...analyses.shapes.infer import type_of
from ...ir.containers import leaves, rebuild
from ...ir.lattice import join
from ...ir.operand_key import key
from ...ir.operations import Apply, Block, Const, If, Operand, Value, map_operand, values_in
from ...ir.target import is_on_device
from ...ir.types import Array, Numeric, Stack
from ..interface.lowerer import Lowerer
from ..nodes import Environment, Node
from .array_kinds import (
    OfRank0,
    added,
    check_kinds,
    is_constant_array,
    is_doubtful,
    is_item,
    is_rank_0,
    of_module,
    shows_constant,
)
from .choices import Choices, Chosen
from .overlap_test import axes_of
from .places import PREFIX, Lost, Path, Place, hidden
from .restart import Reopen
from .writing_calls import settled

__all__ = ["Versions"]


class Versions:
    """Which memory a value is, what that holds now, and writing to it."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope
        self.memory = Memory()
        self.choices = Choices(lowerer)
        self.places: dict[Value, Place] = {}
        self.keys: dict[Cell, str] = {}
        self.cells: dict[str, Cell] = {}
        self.born: dict[Value, Block] = {}  # where a value was made; parameters are not listed
        self.views: dict[Any, tuple[Value, Block]] = {}
        self.rank0 = OfRank0()
        self.fresh: set[Value] = set()  # new memory, made here
        self.contiguous: set[Cell] = set()  # memory that lies in C order
        self.ordered: set[Value] = set()  # views of it that do, too
        self.of_module: set[Cell] = set()  # what may be an array of the module
        self.checked_arrays: dict[Cell, Apply] = {}
        self.items: dict[Value, dict[int, Cell]] = {}  # of functions that give several new arrays
        self.owners: dict[Value, tuple[Value, Any]] = {}  # containers of the arguments

    # -- the memory of a value ---------------------------------------------------------

    def place_of(self, v: Value) -> Place:
        """The place of a value; a memory of its own, if nothing else is known."""
        if v not in self.places:
            self.places[v] = Place(self.memory.of(v), (), v)
        return self.places[v]

    def made_in(self, values: Iterable[Value], block: Block) -> None:
        """These values are made in this block."""
        self.born.update(dict.fromkeys(values, block))

    def keep_rank0(self, values: Iterable[Value]) -> None:
        """These are of rank 0, and perhaps arrays."""
        self.rank0.update(values)

    def hold_of_module(self, v: Value) -> None:
        """This may be an array of the module."""
        self.of_module.add(self.place_of(v).cell)

    def share(self, v: Value, cells: Iterable[Cell]) -> Cell:
        """This may be any of these memories; its own is returned."""
        self.memory.approach(v, cells)
        return self.place_of(v).cell

    def stand_alone(self, v: Value) -> None:
        """Gives an item of an argument a memory of its own; that the two are apart is checked."""
        self.memory.approach(v, ())
        self.places.pop(v, None)
        self.owners.pop(v, None)
        self.place_of(v)

    def key_of(self, cell: Cell) -> str:
        """The hidden name under which the environment keeps what a memory holds."""
        if cell not in self.keys:
            self.keys[cell] = f"{PREFIX}{len(self.keys)}"
            self.cells[self.keys[cell]] = cell
        return self.keys[cell]

    def held(self, cell: Cell, env: Environment | None = None) -> Value | Lost:
        """The current version of a memory."""
        names = self.scope.env if env is None else env
        found: Value | Lost = names.get(self.keys.get(cell, ""), cell.first)
        return found

    def current(self, operand: Operand) -> Operand:
        """The operand as it is now: after every write to its memory so far."""
        if not self.places:
            return operand
        return map_operand(operand, lambda v: self.latest(v) if isinstance(v, Value) else v)

    def latest(self, v: Value) -> Value:
        place = self.places.get(v)
        if place is None:
            return v
        version = self.choices.read(place.cell)
        if isinstance(version, Lost):
            raise self.unclear(version, v)
        if not place.path:
            return version
        return v if version is place.version else self.seen_again(place, version, v)

    def seen_again(self, place: Place, version: Value, old: Value) -> Value:
        """A view of a memory that was written to since: the same views of what it holds now."""
        memo = (version, key(place.path))
        known = self.views.get(memo)
        if known is not None and known[1] in self.scope.blocks:
            return known[0]
        part: Any = version
        for fn, *args in place.path:
            part = self.lowerer.operations.apply(fn.value, (part, *args), {})
        part.hint = part.hint or old.hint
        self.views[memo] = (part, self.scope.block)
        return part  # type: ignore[no-any-return]

    def forget(self, gone: set[Value]) -> None:
        """These values were taken back."""
        self.views = {k: v for k, v in self.views.items() if v[0] not in gone}
        self.choices.forget(gone)

    def unclear(self, lost: Lost, v: Value) -> MutationError:
        hint = v.hint or "this array"
        return MutationError(
            f"cannot tell whether {hint if ' ' in hint else f'`{hint}`'} and {lost.name} share memory, and {lost.name} was written to",
            place=lost.place if self.scope.node is None else self.scope.place(self.scope.node),
            fix="copy the array before the write (`.copy()`), or use an array no other name may show",
        )

    def learn_place(self, op: Apply) -> None:
        """Enter what the result of an operation may share memory with."""
        base = op.args[0] if op.args and isinstance(op.args[0], Value) else None
        ordered = base is not None and self.is_ordered(base)
        kind, bases = relation(op, ordered, self.rank0.is_array(base))
        if kind == "new" and isinstance(op.result.type, Stack):  # of arrays of rank 0, perhaps
            kind, bases = (
                "either",
                [v for v in values_in(op.args) if not getattr(v.type, "dims", None)],
            )
        presumed = kind == "either" and self.lowerer.assumptions.is_presumed_view(op, base)
        if presumed and base is not None:
            kind, bases = "view", [base]
        if base in self.scope.program.paths and op.fn in (operator.getitem, builtins.getattr):
            self.owners[op.result] = base, getattr(op.args[1], "value", None)
        if self.may_hold_rank_0(op, base):
            self.rank0.add(op.result)
            return self.beside(op.result, [base])  # type: ignore[list-item]
        if shows_constant(op):
            self.of_module.add(self.place_of(op.result).cell)
        self.rank0.enter(op, kind)
        if kind == "view":
            self.memory.same(op.result, bases[0])
            at = self.place_of(bases[0])
            way = step_of(op)
            version = self.choices.read(at.cell)
            if way is None or isinstance(version, Lost):
                return self.beside(op.result, bases)
            step = () if is_itself(op) else (way,)
            self.places[op.result] = Place(at.cell, (*at.path, *step), version)
            if ordered and keeps_order(op):
                self.ordered.add(op.result)
            if presumed:
                self.lowerer.assumptions.presume_view(op.result, bases[0])
        elif base is not None and base in self.fresh and is_item(op):
            self.apart_from_its_like(op.result, base, op.args[1].value)  # type: ignore[union-attr]
        elif kind == "either":
            bases = [v for v in bases if self.may_be_array(v)]
            if bases:
                self.beside(op.result, bases)
        elif gives_array(op, op.result):
            self.fresh.add(op.result)
            if lies_in_order(op):
                self.contiguous.add(self.memory.of(op.result))

    def may_hold_rank_0(self, op: Apply, base: Value | None) -> bool:
        """True if an item of a container may be an array of rank 0, and not a NumPy scalar."""
        if base is None or op.fn not in (operator.getitem, builtins.getattr):
            return False
        if not is_rank_0(op.result) or isinstance(base.type, Array):
            return False
        near = (self.place_of(base).cell, *self.place_of(base).cell.near)
        return self.lowerer.lists.holds_others(base) or any(c.first in self.rank0 for c in near)

    def is_ordered(self, v: Value) -> bool:
        """True if an array certainly lies in C order: a whole one that does, or some rows of it."""
        place = self.places.get(v)
        if place is None:
            return self.memory.of(v) in self.contiguous and self.memory.of(v).first is v
        return v in self.ordered or (place.cell in self.contiguous and not place.path)

    def stands_for(self, v: Value, cell: Cell) -> None:
        """``v`` is a version of a memory: what a write, a branch or an iteration leaves there."""
        self.memory.cells[v] = cell
        self.places[v] = Place(cell, (), v)
        self.rank0.follow(v, cell.first)

    # -- writing -----------------------------------------------------------------------

    def write(
        self, target: Value, steps: Path, value: Operand, node: gast.AST, add: bool = False
    ) -> None:
        """``target`` (a part of it, if ``steps`` lead there) now holds ``value``."""
        place = self.place_of(target)
        self.open_owner(place.cell, node)
        version = self.choices.read(place.cell)
        if isinstance(version, Lost):
            raise self.unclear(version, target)
        self.check_target(target, place, value, node)
        path = (*place.path, *steps)
        if not add:
            self.check_overlap(place.cell, version, path, value)
        if is_on_device() and not add:
            value = settled(self.lowerer, version, path, value)
        fn = linear.increase if add else linear.write
        made = Value(place.cell.first.hint, version.type, self.scope.location(node))
        self.lowerer.operations.emit(Apply([made], made.loc, fn, (version, path, value)))
        self.set_version(place.cell, made, node)

    def open_owner(self, cell: Cell, node: gast.AST) -> None:
        """Reads the items of an argument one by one where it comes in, since one is written to."""
        owner, key = self.owners.get(cell.first, (None, None))
        path = None if owner is None else self.scope.program.paths.get(owner)
        if (
            owner is not None
            and path is not None
            and key not in self.scope.program.opened.get(path, ())
        ):
            raise Reopen(owner, key, node)

    def set_version(self, cell: Cell, made: Value, node: gast.AST) -> None:
        """A memory was written to; what may be the same memory is not known any more."""
        self.stands_for(made, cell)
        self.scope.env[self.key_of(cell)] = made
        name = f"`{cell.first.hint}`" if cell.first.hint else "an array"
        self.lowerer.assumptions.settle_views(cell, node)
        for near in self.lowerer.parted.near(cell):
            lost = self.choices.left(cell, near, Lost(name, self.scope.place(node)))
            if isinstance(lost, Chosen):
                self.open_owner(near, node)
            if isinstance(lost, Chosen) or not self.lowerer.assumptions.settles(cell, near, node):
                self.scope.env[self.key_of(near)] = lost

    def check_target(self, target: Value, place: Place, value: Operand, node: gast.AST) -> None:
        """Refuse writes that NumPy refuses, and those that would cut a derivative off."""
        name = target.hint or place.cell.first.hint or "this array"
        if any(is_read_only(fn.value) for fn, *_ in place.path):
            raise MutationError(
                f"`{name}` is a read-only view",
                place=self.scope.place(node),
                fix="copy it first (`.copy()`)",
            )
        if self.may_be_of_module(target):
            raise of_module(target, self.scope.place(node))
        self.lowerer.handed.check_write(target, name, value, node)
        check_kinds(target, value, self.scope.place(node))
        base, sure = self.held(place.cell), self.rank0.is_array(place.cell.first)
        doubtful = not sure and is_doubtful(place.cell.first, self.scope.blocks)
        unknown = doubtful or (not sure and getattr(type_of(base), "dims", None) is None)
        if place.path and isinstance(base, Value) and unknown:
            self.check(linear.check_array, self.rank0.witness(base), place.cell, node)
        elif target.type is None or isinstance(target.type, Numeric) or doubtful:
            now = self.rank0.witness(self.latest(target))
            self.check(linear.check_assignable, now, place.cell, node)

    def check(self, by: Callable[[Any], None], now: Value, cell: Cell, node: gast.AST) -> None:
        """Look at what is written to when it is there: once on the way to here."""
        known = self.checked_arrays.get(cell)
        if known is None or not any(known in block.ops for block in self.scope.blocks):
            made = Apply([Value(None)], self.scope.location(node), by, (now,), effect=True)
            self.checked_arrays[cell] = made
            self.scope.block.ops.append(made)

    def check_overlap(self, cell: Cell, version: Value, path: Path, value: Operand) -> None:
        """Look, when it runs, at a row that is written over with a column of the same array."""
        other = self.places.get(value) if isinstance(value, Value) else None
        if other is None or other.cell is not cell or getattr(value.type, "rank", 1) != 1:
            return
        rank = getattr(version.type, "rank", None)
        both = [None if rank is None else axes_of(p, rank) for p in (path, other.path)]
        if both[0] is not None and (both[0] == both[1] or len(both[0]) != 1):
            return
        part: Any = version
        for fn, *args in path:
            part = self.lowerer.operations.apply(fn.value, (part, *args), {})
        loc, parts = self.scope.location(self.scope.node), (part, value)
        check = Apply([Value(None)], loc, linear.check_overlap, parts, effect=True)
        self.lowerer.operations.emit(check)

    def write_index(self, target: Value, index: Operand, value: Operand, node: gast.AST) -> None:
        """``target[index] = value``."""
        self.write(target, ((Const(operator.getitem), index),), value, node)

    def augment_index(
        self,
        target: Value,
        index: Operand,
        fn: Any,
        value: Operand,
        node: gast.AST,
        steps: Path = (),
    ) -> None:
        """``target[index] += value`` and its kin; an integer array counts each place once."""
        step = (*steps, (Const(operator.getitem), index))
        apply = self.lowerer.operations.apply
        more = None if may_repeat(index) else added(apply, target, fn, value)
        if more is not None:
            return self.write(target, step, more, node, add=True)
        part: Any = target
        for view, *args in step:
            part = apply(view.value, (part, *args), {})
        self.write(target, step, apply(fn, (part, value), {}), node)

    def augment_whole(self, x: Value, fn: Any, value: Operand, new: Value, node: gast.AST) -> None:
        """``x += value`` and its kin on an array: its memory holds ``new`` (a new value) from now on."""
        place = self.place_of(x)
        fits = (
            x.type == new.type
            and isinstance(x.type, Array)
            and None not in (x.type.dims or (None,))
        )
        if fits and not place.path and self.is_private(place.cell):
            self.check_target(x, place, new, node)
            return self.set_version(place.cell, new, node)
        more = added(self.lowerer.operations.apply, x, fn, value)
        self.write(x, (), new if more is None else more, node, add=more is not None)

    def is_private(self, cell: Cell) -> bool:
        """True if a memory was made here, in this iteration, so that nobody outside sees writes to it."""
        fresh = cell.first in self.fresh and not cell.near
        return fresh and self.scope.is_in_body(self.born.get(cell.first))

    # -- branches and loops ------------------------------------------------------------

    def merge_versions(
        self, op: If, then_env: Environment, else_env: Environment
    ) -> dict[str, Any]:
        """The version of each memory after a branch."""
        merged: Environment = {}
        for block, env, other in ((op.then, then_env, else_env), (op.orelse, else_env, then_env)):
            self.choices.settle_in(block, env, other)
        for name in dict.fromkeys(k for env in (then_env, else_env) for k in env if hidden(k)):
            cell = self.cells[name]
            if not self.outlives(cell):
                continue
            a, b = then_env.get(name, cell.first), else_env.get(name, cell.first)
            if a is b or (isinstance(a, Chosen) and b is a.old):
                merged[name] = a
            elif isinstance(b, Chosen) and a is b.old:
                merged[name] = b
            elif isinstance(a, Lost) or isinstance(b, Lost):
                merged[name] = a if isinstance(a, Lost) else b
            else:
                merged[name] = self.either_version(op, cell, a, b)
        return merged

    def either_version(self, op: If, cell: Cell, a: Value, b: Value) -> Value:
        result = Value(cell.first.hint, join(type_of(a), type_of(b)), op.loc)
        op.then.yields.append(a)
        op.orelse.yields.append(b)
        op.results.append(result)
        self.born[result] = self.scope.block
        self.stands_for(result, cell)
        return result

    def as_of(self, block: Block, env: Environment, node: Node) -> Node:
        """A node as it is at the end of a branch."""
        if not self.places or not any(
            v in self.places for v in leaves(node) if isinstance(v, Value)
        ):
            return node
        outer = self.scope.use(env)
        self.scope.enter_again(block)
        try:
            return rebuild(node, lambda v: self.latest_or_lost(v))
        finally:
            self.scope.leave()
            self.scope.use(outer)

    def now(self, node: Node) -> Node:
        """A node with every array in it as it is now; what is lost stays as it was, unread."""
        return rebuild(node, self.latest_or_lost) if self.places else node

    def latest_or_lost(self, v: Node) -> Node:
        place = self.places.get(v) if isinstance(v, Value) else None
        if place is None:
            return v
        lost = self.choices.read(place.cell)
        return lost if isinstance(lost, Lost) else self.latest(v)

    def join_places(self, op: If, result: Value, a: Any, b: Any) -> None:
        """The result of a branch may be the memory of what either side gives."""
        self.born[result] = self.scope.block
        ends = [v for v in (a, b) if isinstance(v, Value) and self.may_be_array(v)]
        self.rank0.join(result, a, b)
        if ends and self.may_be_array(result):
            self.beside(result, ends, [op.then if v is a else op.orelse for v in ends])
            if type(op) is If:  # and no `try`, whose way nobody knows
                placed = [(v is a, self.place_of(v)) for v in ends]
                self.choices.join(op, self.place_of(result).cell, placed)
        if self.may_be_of_module(a) or self.may_be_of_module(b):
            self.of_module.add(self.place_of(result).cell)

    def beside(self, v: Value, others: list[Value], ends: Iterable[Block] = ()) -> None:
        """``v`` may be the memory of any of ``others``, each as it is at the end of a branch."""
        cells = zip_longest((self.place_of(u).cell for u in others), ends)
        near = {n for cell, end in cells for n in (cell, *self.lowerer.parted.near(cell, end))}
        self.memory.approach(v, near)
        self.place_of(v)
        self.lowerer.assumptions.apart(v, near)

    def apart_from_its_like(self, v: Value, base: Value, k: int) -> None:
        """An item of several new arrays, ``u, s, vt = svd(x)``: the memory of no other of them."""
        known = self.items.setdefault(base, {})
        cell = self.place_of(base).cell
        near = {cell, *cell.near} - {c for j, c in known.items() if j != k}
        self.memory.approach(v, near)
        known.setdefault(k, self.place_of(v).cell)
        self.lowerer.assumptions.apart(v, near)

    def may_be_of_module(self, v: Any) -> bool:
        """True if a value may be an array of the module, or a view of one."""
        if not isinstance(v, Value) or v not in self.places:
            return is_constant_array(v)
        cell = self.places[v].cell
        return not self.of_module.isdisjoint((cell, *cell.near))

    def may_be_array(self, v: Any) -> TypeGuard[Value]:
        return isinstance(v, Value) and (is_memory(v) or v in self.rank0)

    def stand_in(self, copies: dict[Value, Value]) -> None:
        """The copies of carried values that the test of a ``while`` reads."""
        for param, copy in copies.items():
            if param in self.places:
                cell = self.places[param].cell
                self.stands_for(copy, cell)
                self.scope.env[self.key_of(cell)] = copy

    def outlives(self, cell: Cell) -> bool:
        """True if a memory was made around the region that has just ended."""
        born = self.born.get(cell.first)
        return born is None or born in self.scope.blocks

    def same_place(self, a: Any, b: Any) -> bool:
        """True if two values are the same views of one memory."""
        if not (isinstance(a, Value) and isinstance(b, Value)):
            return False
        x, y = self.places.get(a), self.places.get(b)
        return x is not None and y is not None and x.cell is y.cell and key(x.path) == key(y.path)

    def changed_versions(self, outer: Environment, carried: Iterable[str]) -> list[str]:
        """The memories from outside a loop that its body wrote to, beyond ``carried``."""
        known = set(carried)
        return [
            name
            for name, version in self.scope.env.items()
            if hidden(name) and name not in known and self.outlives(self.cells[name])
            and version is not outer.get(name, self.cells[name].first)
        ]  # fmt: skip
