"""The functions of a text that call themselves: each read once for a kind of arguments, until what they give is known.

A call is of something that is being read: what it gives is what the ways on which the function does not call itself
give, and then what all of them do (rounds).
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from retrograd.runtime.records import dataclass, field

from ...loop_ir.calls import Function
from ...loop_ir.ir import Buffer, affine
from ...loop_ir.values import Constant, Items, Scalar, View, plain_view
from ...refusal import Unsupported
from ..reader import Reader
from ..values import Record
from .packing import Source, put_together

__all__ = ["Endless", "Program", "Routine", "parameters", "recursive"]

ROUNDS = 8


class Endless(Exception):
    """What a function gives is not known yet: it is being read, and all ways so far lead into it."""


@dataclass(eq=False)
class Routine:
    """A function for one kind of arguments; ``results``: a spec for each of what it gives, ``fresh``: or not, of each."""

    definition: ast.FunctionDef
    specs: tuple[Any, ...]
    function: Function
    results: list[Any] | None = None
    fresh: list[bool] = field(default_factory=list)
    single: bool = False
    records: dict[int, Record] = field(default_factory=dict)
    round: int = 0
    open: bool = False
    refused: Unsupported | None = None  # why it cannot be read, which others may ask, too


@dataclass(eq=False)
class Program:
    """All such functions of a kernel; ``reader`` makes a reader for one."""

    functions: dict[str, ast.FunctionDef]
    reader: Callable[[], Reader]
    body: Callable[[Reader, Routine], list[Any]]
    names: set[str] = field(default_factory=set)
    routines: dict[Any, Routine] = field(default_factory=dict)
    round: int = 0
    changed: bool = False
    depth: int = 0

    def __post_init__(self) -> None:
        self.names = recursive(self.functions)

    def has(self, definition: ast.FunctionDef) -> bool:
        """True of a function that calls itself and has plain parameters."""
        given = definition.args
        starred = given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs
        own = self.functions.get(definition.name) is definition
        return own and definition.name in self.names and not starred

    def routine(
        self, definition: ast.FunctionDef, names: list[str], specs: tuple[Any, ...]
    ) -> Routine:
        """The function for arguments of these specs, what it gives being known."""
        key = definition.name, specs
        found = self.routines.get(key)
        if found is None:
            name = f"rg_fn_{len(self.routines)}_{definition.name}"
            function = Function(name, [], [], Constant(None), parameters=names)
            found = self.routines[key] = Routine(definition, specs, function)
        if found.refused is not None:
            raise found.refused
        if not found.open and found.round < self.round + (not self.depth):
            self.read(found)
        if found.results is None:
            raise Endless
        return found

    def read(self, routine: Routine) -> None:
        """Read a function; the first of a circle again and again, until nothing changes."""
        if routine.round and not self.depth:
            return  # it is known
        outer = self.depth
        self.depth += 1
        try:
            for _ in range(1 if outer else ROUNDS):
                if not outer:
                    self.round += 1
                    self.changed = False
                self.once(routine)
                if outer or not self.changed:
                    return
            raise Unsupported(f"what `{routine.definition.name}` gives changes with each call")
        finally:
            self.depth = outer

    def once(self, routine: Routine) -> None:
        routine.open, routine.round = True, self.round
        r = self.reader()
        try:
            routine.function.body = self.body(r, routine)
        except Unsupported as error:
            routine.refused = error
            raise
        finally:
            routine.open = False

    def made(self) -> list[Function]:
        """The functions, those that are called before those that call them where that can be."""
        return [routine.function for routine in self.routines.values() if routine.function.body]


def recursive(functions: dict[str, ast.FunctionDef]) -> set[str]:
    """The names of the functions that call themselves, in a circle or at once."""
    calls = {
        name: {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and n.id in functions}
        for name, node in functions.items()
    }

    def reached(name: str) -> set[str]:
        seen: set[str] = set()
        todo = list(calls[name])
        while todo:
            one = todo.pop()
            if one not in seen:
                seen.add(one)
                todo += calls[one]
        return seen

    return {name for name in functions if name in reached(name)}


def parameters(r: Reader, routine: Routine, names: list[str]) -> list[Any]:
    """The values that the parameters of a function stand for; its numbers and arrays, in the order of the call."""
    numbers: list[Any] = []
    arrays: list[View] = []

    def number(dtype: str) -> Any:
        numbers.append(r.fresh("a_number", dtype))
        return numbers[-1]

    def array(rank: int, dtype: str) -> View:
        sizes = tuple(affine(r.fresh("m")) for _ in range(rank))
        arrays.append(plain_view(Buffer(r.fresh("a_array").name, dtype, sizes, "argument")))
        return arrays[-1]

    source = Source(lambda: number("i8"), lambda: number("f8"), array)
    values = [put_together(r, spec, source) for spec in routine.specs]
    sides = Items(tuple(Scalar(v) for v in numbers)), Items(tuple(arrays))
    routine.function.params = list(sides)
    r.env = dict(zip(names, values, strict=True))
    return values
