"""Objects as the arguments of a text, taken apart: a function gets the attributes that it reads in their place.

Kernels take arrays and numbers.  ``hand.weights`` of a parameter ``hand`` becomes the parameter ``hand_weights``, and
``len(hand.names)`` a number, in every function of the text that the object is handed to.  An object that is used in
another way is left as it is, and so is the text.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

__all__ = ["TakenApart", "is_object", "taken_apart"]

SIMPLE = (
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    type(None),
    np.ndarray,
    np.generic,
    tuple,
    list,
    dict,
    set,
)


class Read(NamedTuple):
    """An attribute, or its length."""

    attribute: str
    length: bool

    def of(self, owner: Any) -> Any:
        value = getattr(owner, self.attribute)
        return len(value) if self.length else value


class TakenApart(NamedTuple):
    """The text, its function, and how its arguments are had from those of the first one."""

    text: str
    function: Callable[..., Any]
    parts: list[tuple[int, type, tuple[Read, ...]]]  # objects by their positions

    def split(self, args: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """The arguments; None if they are of another kind."""
        found = list(args)
        for position, cls, reads in reversed(self.parts):
            if type(args[position]) is not cls:
                return None
            found[position : position + 1] = [read.of(args[position]) for read in reads]
        return tuple(found)


class Refused(Exception):
    """An object is used as more than its attributes."""


def is_object(x: Any) -> bool:
    """True of an instance of a class of the user's."""
    return not isinstance(x, (*SIMPLE, type)) and not callable(x) and not hasattr(x, "dtype")


def taken_apart(text: str, name: str, function: Any, args: tuple[Any, ...]) -> TakenApart | None:
    """The function ``name`` of a text for arguments like these, if that can be done."""
    tree = ast.parse(text)
    functions = {f.name: f for f in tree.body if isinstance(f, ast.FunctionDef)}
    places = [(name, k) for k, x in enumerate(args) if is_object(x)]
    try:
        uses = Uses(functions)
        for place in places:
            uses.follow(place)
        uses.close()
        parts = [(k, type(args[k]), uses.reads_of((name, k))) for _, k in places]
        if not all(is_plain(args[k], read) for k, _, reads in parts for read in reads):
            return None
        for definition in functions.values():
            Rewriter(uses, definition).rewrite()
    except Refused:
        return None
    made = ast.unparse(ast.fix_missing_locations(tree))
    return TakenApart(made, loaded(made, name, function), parts)


def is_plain(owner: Any, read: Read) -> bool:
    """True if an attribute is kept with its object: reading it runs nothing."""
    try:
        found = inspect.getattr_static(owner, read.attribute)
    except AttributeError:
        return False
    return not hasattr(found, "__get__") or isinstance(found, types.MemberDescriptorType)


def loaded(text: str, name: str, function: Any) -> Callable[..., Any]:
    file = f"<{name} with objects taken apart {id(function):x}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope = dict(function.__globals__)
    exec(compile(text, file, "exec"), scope)
    made: Callable[..., Any] = scope[name]
    return made


Place = tuple[str, int]  # a function, and the position of a parameter


class Uses:
    """What is read of the objects in the parameters of functions."""

    def __init__(self, functions: dict[str, ast.FunctionDef]) -> None:
        self.functions = functions
        self.own: dict[Place, set[Read]] = {}
        self.handed: dict[Place, set[Place]] = {}

    def follow(self, place: Place) -> None:
        """The uses of a parameter, and of those that it is handed to."""
        if place in self.own:
            return
        function, position = place
        definition = self.functions[function]
        parameter = definition.args.args[position].arg
        self.own[place], self.handed[place] = set(), set()
        for node, parents in walked(definition):
            if isinstance(node, ast.Name) and node.id == parameter:
                self.use(place, node, parents)

    def use(self, place: Place, node: ast.Name, parents: list[ast.AST]) -> None:
        above = parents[-1]
        if isinstance(above, ast.Attribute) and isinstance(above.ctx, ast.Load):
            self.own[place].add(Read(above.attr, is_length(parents[-2], above)))
            return
        if isinstance(above, ast.Call) and node in above.args and not above.keywords:
            called = above.func.id if isinstance(above.func, ast.Name) else ""
            if called in self.functions and not any(isinstance(a, ast.Starred) for a in above.args):
                target = called, above.args.index(node)
                self.handed[place].add(target)
                self.follow(target)
                return
        raise Refused

    def close(self) -> None:
        """What is read of a parameter is read of those that it comes from, too; every call hands on an object."""
        for _ in self.own:
            for place, targets in self.handed.items():
                for target in targets:
                    self.own[place] |= self.own[target]
        for definition in self.functions.values():
            for node, _ in walked(definition):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    self.check(definition, node)

    def check(self, caller: ast.FunctionDef, node: ast.Call) -> None:
        """An object where the function has one, and nowhere else."""
        assert isinstance(node.func, ast.Name)
        for function, position in self.own:
            if function == node.func.id:
                given = node.args[position] if position < len(node.args) else None
                if not isinstance(given, ast.Name) or not self.is_object(caller, given.id):
                    raise Refused

    def is_object(self, function: ast.FunctionDef, name: str) -> bool:
        names = [a.arg for a in function.args.args]
        return name in names and (function.name, names.index(name)) in self.own

    def reads_of(self, place: Place) -> tuple[Read, ...]:
        return tuple(sorted(self.own[place]))


def is_length(above: ast.AST, node: ast.AST) -> bool:
    return (
        isinstance(above, ast.Call)
        and isinstance(above.func, ast.Name)
        and above.func.id == "len"
        and above.args == [node]
    )


def walked(
    node: ast.AST, parents: tuple[ast.AST, ...] = ()
) -> Iterator[tuple[ast.AST, list[ast.AST]]]:
    """All nodes, and what stands around each."""
    for child in ast.iter_child_nodes(node):
        yield child, [*parents, node]
        yield from walked(child, (*parents, node))


class Rewriter(ast.NodeTransformer):
    """Puts the parts in the place of the objects of one function."""

    def __init__(self, uses: Uses, definition: ast.FunctionDef) -> None:
        self.uses, self.definition = uses, definition
        self.taken = {n.id for n in ast.walk(definition) if isinstance(n, ast.Name)}
        self.taken |= {a.arg for a in definition.args.args}
        self.names: dict[str, dict[Read, str]] = {}
        for k, a in enumerate(definition.args.args):
            if (definition.name, k) in uses.own:
                reads = uses.reads_of((definition.name, k))
                self.names[a.arg] = {read: self.fresh(a.arg, read) for read in reads}

    def fresh(self, parameter: str, read: Read) -> str:
        name = f"{parameter}_{read.attribute}" + ("_length" if read.length else "")
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name

    def rewrite(self) -> None:
        if not self.names:
            return
        for statement in self.definition.body:
            self.visit(statement)
        self.definition.args.args = [
            ast.arg(new)
            for a in self.definition.args.args
            for new in (self.names[a.arg].values() if a.arg in self.names else [a.arg])
        ]

    def visit_Call(self, node: ast.Call) -> ast.AST:
        inner = node.args[0] if len(node.args) == 1 else None
        if isinstance(inner, ast.Attribute) and is_length(node, inner):
            found = self.part(inner, True)
            if found is not None:
                return found
        called = node.func.id if isinstance(node.func, ast.Name) else ""
        node.args = [
            new for k, arg in enumerate(node.args) for new in self.spread(arg, (called, k))
        ]
        self.generic_visit(node)
        return node

    def spread(self, arg: ast.expr, target: Place) -> list[ast.expr]:
        """The parts of an object that is handed on: those that the function reads."""
        if not (isinstance(arg, ast.Name) and arg.id in self.names):
            return [arg]
        names = self.names[arg.id]
        return [ast.Name(names[read], ast.Load()) for read in self.uses.reads_of(target)]

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        found = self.part(node, False)
        if found is not None:
            return found
        self.generic_visit(node)
        return node

    def part(self, node: ast.Attribute, length: bool) -> ast.AST | None:
        if isinstance(node.value, ast.Name) and node.value.id in self.names:
            return ast.Name(self.names[node.value.id][Read(node.attr, length)], ast.Load())
        return None
