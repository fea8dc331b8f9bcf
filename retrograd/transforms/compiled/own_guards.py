"""Guards that a kernel in C looks at itself, instead of the dispatcher before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType, ModuleType
from typing import Any

from retrograd.compiler.dependencies.object_reads import MISSING, Reading
from retrograd.compiler.native.c.own_guards import (
    MOST,
    Word,
    cell_of,
    packed,
    word_of_cell,
    word_of_changes,
    word_of_class,
    word_of_function,
)  # fmt: skip
from retrograd.runtime.user import rule_versions

__all__ = ["guarded", "left"]

LOOKS = ("global", "builtin", "item", "attribute", "cell", "code", "defaults")


def guarded(
    kernel: Callable[..., Any], miss: Callable[..., Any], guards: Sequence[Reading]
) -> None:
    """Has a kernel look at those of these guards that it can look at; what is no kernel in C looks at none."""
    cell = cell_of(kernel)
    if cell is not None:
        cell.cell_contents = split(guards)[0].items(miss)


def left(kernel: Callable[..., Any], guards: Sequence[Reading]) -> list[Reading]:
    """The guards that a kernel cannot look at as things are."""
    return list(guards) if cell_of(kernel) is None else split(guards)[1]


def split(guards: Sequence[Reading]) -> tuple[Table, list[Reading]]:
    table = Table()
    return table, [guard for guard in guards if not table.takes(guard)]


class Table:
    """What a kernel looks at; there is always the counter of rules."""

    def __init__(self) -> None:
        self.dicts: list[dict[Any, Any]] = []
        self.entries: list[Any] = []
        self.owners: list[Any] = []  # of the words
        self.fixed: list[Word] = []
        self.look(vars(rule_versions), "count", rule_versions.count)

    def items(self, miss: Callable[..., Any]) -> tuple[Any, ...]:
        changes = [word_of_changes(one) for one in self.dicts]
        unread = [(at[0], 0) for at in changes if at is not None]
        alive = (*self.owners, *self.dicts)
        return miss, MISSING, packed(self.fixed), packed(unread), tuple(self.entries), alive

    def look(self, owner: Any, name: Any, value: Any) -> bool:
        """Whether there is room for an entry of a dict."""
        if type(owner) is not dict or type(name) is not str:
            return False
        if not any(known is owner for known in self.dicts):
            if len(self.dicts) == MOST:
                return False
            self.dicts.append(owner)
        self.entries += (owner, name, value)
        return True

    def fix(self, word: Word | None, value: Any, owner: Any) -> bool:
        """Whether there is a word of memory that has to stay what it is: the address of ``value``."""
        if word is None or word[1] != id(value):
            return False
        if word not in self.fixed:
            self.fixed.append(word)
            self.owners += (owner, value)
        return True

    def takes(self, guard: Reading) -> bool:
        """Whether a kernel can look at a guard."""
        how, owner, name, value = guard
        if how == "custom":  # the counter of rules tells
            return True
        if how not in LOOKS or value is MISSING or guard.now() is not value:
            return False
        if how == "global":
            return self.look(owner.__globals__, name, value)
        if how == "builtin":
            hidden = self.look(owner.__globals__, name, MISSING)
            return hidden and self.look(owner.__builtins__, name, value)
        if how == "item":
            return self.look(owner, name, value)
        if how == "attribute":
            return self.takes_attribute(owner, name, value)
        return self.takes_part(how, owner, name, value)

    def takes_attribute(self, owner: Any, name: str, value: Any) -> bool:
        """The same of what stands in a module, which stays one."""
        if type(owner) is not ModuleType or name.startswith("__") or name not in vars(owner):
            return False
        return self.fix(word_of_class(owner), ModuleType, owner) and self.look(
            vars(owner), name, value
        )

    def takes_part(self, how: str, owner: Any, name: Any, value: Any) -> bool:
        """The same of what stands in an object itself."""
        if how == "cell":
            cell = owner.__closure__[owner.__code__.co_freevars.index(name)]
            return self.fix(word_of_cell(cell), value, cell)
        if type(owner) is not FunctionType:
            return False
        return self.fix(word_of_function(owner, f"__{how}__"), value, owner)
