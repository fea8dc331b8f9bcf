"""Objects of the module that are written to: read where the function begins, written where it ends.

Each is like an argument that every function of the program is given: its attributes live in a cell,
so branches, loops, calls and methods see what they hold.
"""

from __future__ import annotations

import builtins

import gast

from retrograd.runtime.errors import MutationError
from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import home_of, own_attribute

from ..analyses.class_protocols import asks_always
from ..analyses.opaque_operations import is_opaque
from ..dependencies.state_types import containers_of
from ..frontend.source import Source
from ..ir.containers import Pack
from ..ir.operations import Apply, Const, Function, Value, walk
from ..ir.types import Array
from .interface.lowerer import Lowerer
from .memory.places import is_mutable
from .memory.restart import Reopen
from .nodes import Node, Ref

__all__ = ["States", "check_alone", "state_name"]

PREFIX = "$state"


def state_name(k: int) -> str:
    """The hidden parameter that stands for an object of the module."""
    return f"{PREFIX} {k}"


class States:
    """The objects of the module that this program writes to."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope
        self.state_refs: dict[int, Ref] = {}

    def state_of(self, base: Const) -> Node:
        """The present content of an object with state; the constant itself for every other."""
        k = self.scope.program.state_number(base.value)
        ref = self.state_refs.get(k) if k is not None else None
        return base if ref is None else self.lowerer.cells.seen(ref)

    def refuse_or_reopen(self, base: Const, name: str, node: gast.AST) -> None:
        """An attribute of an object of the module is written to: begin anew, knowing that."""
        cls = type(base.value)
        simple = hasattr(base.value, "__dict__") and is_mutable(cls) and not callable(base.value)
        simple = simple and not asks_always(cls)
        if not simple or home_of(cls).partition(".")[0] in ("numpy", "cupy", "builtins"):
            return
        text = base.text or self.scope.program.known_text(base.value)
        if text is not None:
            raise Reopen((self.scope.program.new_state(Const(base.value, text)), ()), name, node)

    def known_to_state(self, pack: Pack, name: str, node: gast.AST) -> None:
        """An attribute that is written to is read at the beginning, if it is there."""
        path = None if pack.cell is None else self.scope.program.cell_paths.get(pack.cell)
        if path is None or not path[0].startswith(PREFIX):
            return
        if name not in pack.keys and name not in self.scope.program.opened.get(path, ()):
            raise Reopen(path, name, node)

    def admit_states(self, params: dict[str, Node]) -> None:
        """Read them at the beginning of the differentiated function; a callee is given them."""
        for k, base in enumerate(self.scope.program.states):
            held = self.scope.env.get(state_name(k))
            if isinstance(held, Ref):
                self.state_refs[k] = held
            elif self.lowerer.boundary.is_root:
                self.state_refs[k] = self.opened_state(k, base)
        handles = [v for v in params.values() if isinstance(v, Value) and containers_of(v.type)]
        if self.lowerer.boundary.is_root and handles and self.scope.program.states:
            written = tuple(self.scope.program.states)
            op = Apply([Value(None)], None, linear.check_separate, (written, (*handles, *written)))
            op.effect = True
            self.lowerer.operations.emit(op)

    def opened_state(self, k: int, base: Const) -> Ref:
        path = (state_name(k), ())
        keys = [key for key in self.scope.program.opened.get(path, ()) if key is not None]
        keys = [key for key in keys if hasattr(base.value, key)]
        items = [self.state_part(base, key) for key in keys]
        made: Ref = self.lowerer.cells.new_cell(Pack(type(base.value), keys, items))
        self.lowerer.boundary.open(base, made)
        self.scope.program.cell_paths[made.cell] = path
        return made

    def state_part(self, base: Const, key: str) -> Node:
        """An attribute as it is when the function is called; of which kind is guarded."""
        kind = self.scope.program.capture_kind(base.value, key)
        part = self.lowerer.operations.apply(builtins.getattr, (base, Const(key)), {})
        part.type, part.hint = kind, key
        self.lowerer.operations.last().effect = True
        if isinstance(kind, Array):  # anybody may hold it, so it is not written to in place
            self.lowerer.versions.hold_of_module(part)
        return part

    def state_params(self) -> dict[str, Node]:
        """The state that a callee is given beside its arguments."""
        return {state_name(k): self.lowerer.cells.seen(ref) for k, ref in self.state_refs.items()}


def check_alone(states: list[Const], functions: list[Function], source: Source) -> None:
    """Refuse functions that nobody has read: they may look at an object before it is written to."""
    for function in functions if states else []:
        for op in walk(function.body):
            if isinstance(op, Apply) and is_opaque(op):
                name = op.style or own_attribute(op.fn, "__name__", "this")
                raise MutationError(
                    f"`{name}` is not compiled, and may look at `{states[0].text}`, which is written to here",
                    place=source.place(op.loc), fix="return the value instead, and write it outside",
                )  # fmt: skip
