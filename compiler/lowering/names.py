"""Names: what a name of the function, of the functions around it, or of the module means."""

from __future__ import annotations

from typing import Any

import gast

from retrograd.runtime.arrays.twins import host_twin
from retrograd.runtime.errors import UnsupportedOperation, UnsupportedSyntax
from retrograd.runtime.objects.eager_tensors import TO_ARRAY, has_tensor

from ..ir.operations import UNDEFINED, Const, Value
from ..simplify import scipy
from .calls.callee_facts import is_fixed
from .interface.lowerer import Lowerer
from .memory.places import Lost, is_cell
from .nodes import Node

__all__ = ["Names"]

UNBOUND = "`{}` is not bound"


class Names:
    """Looks names up."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    def load(self, name: str, node: gast.AST) -> Node:
        """The content of a local, closed-over, global or builtin name."""
        of_module = self.scope.outside.get(name)
        if of_module:
            return self.load_module(name, node)
        if name in self.scope.env:
            found = self.scope.env[name]
            if isinstance(found, Lost):
                raise self.lowerer.versions.unclear(found, Value(name))
            if type(found).__name__ == "Unsure":
                found = self.bound_for_certain(name, found, node)
            if found is UNDEFINED or type(found).__name__ in ("Conflict", "Unsure", "Torn"):
                raise self.unbound(name, found, node)
            return self.lowerer.known.settled(self.lowerer.cells.seen(found))
        if name in self.scope.local_names and (of_module is None or not self.closes_over(name)):
            raise self.unbound(name, UNDEFINED, node)
        return self.load_global(name, node)

    def closes_over(self, name: str) -> bool:
        """True of a name of a function around the one that is compiled, which has returned."""
        return name in self.scope.python.__code__.co_freevars

    def bound_for_certain(self, name: str, found: Any, node: gast.AST) -> Node:
        """The content of a name that is bound; where it is not, this raises as Python does."""
        found.ask()
        if type(found.content).__name__ == "Conflict":
            return found
        self.unless(
            found.bound, f"raise UnboundLocalError({UNBOUND.format(name)!r})", node, found.when
        )
        self.scope.env.update({n: v for n, v in found.cells.items() if n not in self.scope.env})
        self.scope.env[name] = found.content
        return found.content  # type: ignore[no-any-return]

    def unless(self, test: Node, error: str, node: gast.AST, true: bool = True) -> None:
        """Raise this unless a test comes out so."""
        raising = gast.copy_location(gast.parse(error).body[0], node)

        def fail() -> None:
            self.lowerer.statements([gast.fix_missing_locations(raising)])

        sides = (lambda: None, fail) if true else (fail, lambda: None)
        self.lowerer.branches.choose(test, *sides, node)

    def unbound(self, name: str, found: Any, node: gast.AST) -> UnsupportedSyntax:
        what = f"`{name}`"
        if is_cell(name):  # what a container holds has no name of the user's
            held = self.lowerer.cells.cell_hint(name)
            what = "a container" if held is None else f"what `{held}` holds"
        if type(found).__name__ == "Torn" and not found.by_loop:
            done, do = ("changed", "change") if is_cell(name) else ("bound", "bind")
            reason = f"is {done} in a `try` that may have failed before or after that"
            fix = f"{do} {what} before the `try`, in its last statement, or in every handler"
        elif found is UNDEFINED or getattr(found, "unbound", getattr(found, "by_loop", False)):
            reason, fix = "may be unbound here", f"assign {what} before the `if` or the loop"
        elif getattr(found, "in_loop", False):
            reason = "may be another function, or iterator, or another kind of thing in each iteration of a loop"
            fix = "call one function with other arguments, and give other kinds of things names of their own"
        elif getattr(found, "in_order", False):
            reason = "is what the last iteration over a set gave it: nobody knows which that is"
            fix = "go over a tuple, or over sorted(...)"
        else:
            reason = "is a different kind of thing in the two branches above"
            fix = "give both branches the same kind of value"
        return UnsupportedSyntax(f"{what} {reason}", place=self.scope.place(node), fix=fix)

    def load_global(self, name: str, node: gast.AST) -> Node:
        code = self.scope.python.__code__
        if name in code.co_freevars:
            cell = self.scope.python.__closure__[code.co_freevars.index(name)]
            try:
                return self.lowerer.states.state_of(self.captured(name, cell.cell_contents, node))
            except ValueError:
                raise self.unknown_name(name, node) from None
        return self.load_module(name, node)

    def load_module(self, name: str, node: gast.AST) -> Node:
        """A name of the module, or a builtin one."""
        if name in self.scope.python.__globals__:
            return self.lowerer.states.state_of(
                self.captured(name, self.scope.python.__globals__[name], node)
            )
        if name in self.scope.python.__builtins__:
            value = self.scope.program.capture_builtin(self.scope.python, name)
            plain = isinstance(value, bool)  # `__debug__`, which nobody can bind
            return Const(value, None if plain else self.scope.program.text_for(name, value))
        raise self.unknown_name(name, node)

    def unknown_name(self, name: str, node: gast.AST) -> UnsupportedSyntax:
        return UnsupportedSyntax(
            f"the name `{name}` is not defined", place=self.scope.place(node),
            fix="define it before the function is differentiated",
        )  # fmt: skip

    def captured(self, name: str, value: Any, node: gast.AST) -> Const:
        refuse_tensors(self.lowerer, name, value, node)
        self.scope.program.capture(self.scope.python, name, value)
        if host_twin(value) is not value:
            return Const(host_twin(value))
        return Const(value, self.scope.program.text_for(name, value))

    # -- imports in a function -----------------------------------------------------------

    def do_Import(self, node: gast.AST) -> None:
        for alias in node.names:
            found = self.imported(alias.name, node, ["_"] if alias.asname else [])
            self.scope.env[alias.asname or alias.name.split(".")[0]] = Const(found, alias.name)

    def do_ImportFrom(self, node: gast.AST) -> None:
        names = [a.name for a in node.names]
        module = self.imported(node.module or "", node, names, node.level)
        for alias in node.names:
            if not hasattr(module, alias.name):
                raise UnsupportedSyntax(
                    f"cannot import name `{alias.name}` from `{module.__name__}`",
                    place=self.scope.place(node),
                )
            found = getattr(module, alias.name)
            if not is_fixed(module):
                self.lowerer.attributes.note_attribute(module, alias.name, found, node)
            twin = host_twin(found)
            own = Const(found, alias.name) if twin is found else Const(twin)
            self.scope.env[alias.asname or alias.name] = own

    def imported(self, name: str, node: gast.AST, names: list[str], level: int = 0) -> Any:
        """A module, as the function imports it; a relative name is relative to its own."""
        try:
            module = __import__(name, self.scope.python.__globals__, None, names, level)
        except ImportError as error:
            raise UnsupportedSyntax(str(error), place=self.scope.place(node)) from None
        scipy.enter()  # it may be the first to import a library
        return module


def refuse_tensors(lowerer: Lowerer, name: str, value: Any, node: gast.AST) -> None:
    """Tensors among the constants: what is computed with them is a tensor, and nobody follows it."""
    if has_tensor(value):
        raise UnsupportedOperation(
            f"`{name}` is a tensor of the eager API, or holds one, and this is a function of arrays",
            place=lowerer.scope.place(node),
            fix=TO_ARRAY,
        )
