"""Calls whose result must be known when a text is made: a namespace or a function, which then gets active values.

::

    xp = array_namespace(x)      # evaluated while the function is compiled, for an array like `x`
    y = xp.sin(x)                # and this is `np.sin(x)`

The call stays in the text, where its result is compared with what it was; it is a guard of the text, too, if
it changes nothing.
"""

from __future__ import annotations

import types
from typing import Any

import gast
import numpy as np

from retrograd.runtime.helpers import linear

from ...analyses.library_names import name_of
from ...analyses.visible_effects import may_write, of_function
from ...ir.containers import Pack, leaves
from ...ir.operations import Apply, Const, Value
from ...ir.types import Array, Number, Opaque, Tree
from ..interface.lowerer import Lowerer
from ..memory.restart import Relearn
from ..nodes import Node
from .opaque_calls import named

__all__ = ["KnownResults", "is_function"]

ONES = {"b": True, "i": 1, "f": 1.0, "c": 1j}
FUNCTIONS = (
    types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType, np.ufunc, type,
)  # fmt: skip
PLAIN = (np.ndarray, np.generic, int, float, complex, str, bytes, type(None))
CONSTANT = (bool, int, str, bytes, type(None), np.dtype, np.bool_, np.integer)
"""What carries no derivative, whatever the call was given that gave it."""

Site = tuple[str, int, int]


class NotKnown(Exception):
    """Nothing like an argument can be made before the function runs."""


class KnownResults:
    """The calls of a program that give functions and namespaces."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope
        self.made_at = self.scope.program.known.made_at

    def site(self, node: gast.AST) -> Site | None:
        line = getattr(node, "lineno", None)
        return None if line is None else (self.scope.source.file, line, node.col_offset)

    def note(self, made: Node, node: gast.AST) -> Node:
        """A call gave this."""
        site = self.site(node)
        if site is not None:
            for v in leaves(made):
                if isinstance(v, Value):
                    self.made_at.setdefault(v, site)
        return made

    def part_of(self, part: Value, whole: Node) -> None:
        """This was taken out of what a call gave."""
        if isinstance(whole, Value) and whole in self.made_at:
            self.made_at[part] = self.made_at[whole]

    def ask(self, value: Node) -> None:
        """This is to be known: begin anew, if a call gave it that was not asked yet."""
        site = self.made_at.get(value) if isinstance(value, Value) else None
        learned = self.scope.program.learned
        if site is not None and site not in learned:
            learned[site] = True
            callee = self.scope.program.known.callees.get(site)
            if callee is not None:
                learned[callee] = True  # where it is called elsewhere, too
            raise Relearn

    def known(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node | None:
        """The result of a call that is to be known; None if it is no function, or was not asked for."""
        site, learned = self.site(node), self.scope.program.learned
        if site is None:
            return None
        called = fn if isinstance(fn, types.FunctionType) else None
        self.scope.program.known.note_callee(site, called)
        elsewhere = called is not None and learned.get(called, False)
        if not learned.get(site, elsewhere) or not self.may_run(fn):
            return None
        try:
            given = [self.sample(a) for a in args], {k: self.sample(v) for k, v in kwargs.items()}
            value = fn(*given[0], **given[1])
        except Exception:  # whatever the user's function raises: it is called when it runs
            self.scope.program.learned[site] = False
            return None
        handed = [a for a in (*args, *kwargs.values()) if isinstance(a, Const) and a.text]
        value = () if isinstance(value, (tuple, list)) and not value else value
        parts = value if isinstance(value, tuple) else (value,)
        asked_here = value is None and learned.get(site, False)  # which is no help to who asks it
        told = [may_stand(part) or one_of(handed, part) for part in parts]
        inert = self.lowerer.inactive.are_inert([*args, *kwargs.values()])
        others = [part for part, known in zip(parts, told, strict=True) if not known]
        lost = not inert and not all(isinstance(part, CONSTANT) for part in others)
        if asked_here or lost or not (any(told) or not parts):
            self.scope.program.learned[site] = False
            return None
        self.scope.program.note_call(fn, *given, value)
        return self.compared(fn, args, kwargs, value, node)

    def may_run(self, fn: Any) -> bool:
        """Whether a call leaves no trace."""
        method = isinstance(fn, types.MethodType)
        if method and (not isinstance(fn.__func__, types.FunctionType) or may_write(fn.__func__)):
            return False
        return not any(kind == "run" for kind, _ in of_function(fn.__func__ if method else fn))

    def sample(self, node: Node) -> Any:
        """Something like an argument."""
        if isinstance(node, Const):
            return node.value
        if isinstance(node, Pack) and node.kind in (tuple, list):
            return node.kind(map(self.sample, node.items))
        if isinstance(node, Pack) and node.kind is dict:
            return {k: self.sample(i) for k, i in zip(node.keys, node.items, strict=True)}
        kind = node.type if isinstance(node, Value) else None
        if isinstance(kind, Tree) and kind.cls is type(None):
            return None
        if isinstance(kind, Number):
            return ONES[kind.kind]
        if isinstance(kind, Array) and kind.dims is not None:
            dims = tuple(n if isinstance(n, int) else 2 for n in kind.dims)
            return np.ones(dims, kind.dtype or "float64")[()]
        raise NotKnown

    def compared(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], value: Any, node: gast.AST
    ) -> Node:
        """The call, and a comparison of what it gives with what it gave."""
        owner, name = getattr(fn, "__self__", None), getattr(fn, "__name__", "")
        operands = tuple(map(self.lowerer.inactive.operand, args))
        named_ones = {k: self.lowerer.inactive.operand(v) for k, v in kwargs.items()}
        loc = self.scope.location(node)
        made = Value(None, Opaque(), loc)
        if isinstance(fn, types.MethodType):
            base = self.lowerer.operations.operand(named(self.scope.program, Const(owner)))
            op = Apply(
                [made], loc, linear.method_called, (base, Const(name), *operands), named_ones
            )
        else:
            op = Apply([made], loc, fn, operands, named_ones)
            op.style = None if name_of(fn) else self.scope.program.name_of(fn)
        self.lowerer.operations.emit(op)
        self.scope.program.inert.add(made)
        parts = value if isinstance(value, tuple) else (value,)
        handed = [a for a in (*args, *kwargs.values()) if isinstance(a, Const) and a.text]
        known = [
            one_of(handed, part) or (self.constant(part) if may_stand(part) else None)
            for part in parts
        ]
        expected = tuple(Const(None) if k is None else k for k in known)
        form = expected if isinstance(value, tuple) else expected[0]
        self.lowerer.inactive.late(linear.check_same, (made, form), {})
        if not isinstance(value, tuple):
            return known[0]
        items = [
            self.lowerer.inactive.item(made, Const(k)) if one is None else one
            for k, one in enumerate(known)
        ]
        return Pack(tuple, list(range(len(items))), items)

    def constant(self, value: Any) -> Const:
        """A function or a namespace by its name in the text; that there is none, as it is."""
        program = self.scope.program
        if value is None:
            return Const(None)
        if not isinstance(value, types.ModuleType):
            return Const(value, program.name_of(value))
        name = "np" if value is np else value.__name__.rpartition(".")[2]
        text = program.known_text(value) or program.text_for(name, value)
        return Const(value, text)


def one_of(handed: list[Const], value: Any) -> Const | None:
    """The object that a call was given and gives back: `optional(options, DEFAULTS)`."""
    return next((c for c in handed if c.value is value and not isinstance(value, PLAIN)), None)


def may_stand(value: Any) -> bool:
    """True of what a text can say in place of a call: a function, a namespace, or that there is none."""
    return value is None or is_function(value)


def is_function(value: Any) -> bool:
    return isinstance(value, FUNCTIONS)
