"""Which names of a function may stand for the same memory, and which of it is written to in place.

Neither follows the order of the statements: two names that may share memory anywhere may do so
everywhere, which is all that a cut needs to be safe.
"""

from __future__ import annotations

import ast
import builtins
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from retrograd.runtime.objects.homes import RUNTIME
from retrograd.runtime.objects.own_attributes import home_of
from retrograd.runtime.traits.lookup import traits_of

from .host_names import host_name

__all__ = ["Memory", "is_view", "names_of", "value_of", "visible_in"]

LIBRARIES = ("numpy", RUNTIME, "scipy", "math")
NUMBERS = {"shape", "size", "ndim", "dtype", "itemsize"}
# Methods that give something new, whatever has them; those of lists and dicts keep their items.
FRESH_METHODS = {name for name, method in vars(np.ndarray).items()
                 if traits_of(method).memory == "new" or name == "astype"} - {*dir(list), *dir(dict)}  # fmt: skip


class Memory:
    """The classes of names of a function that may share memory, and the writes into them."""

    def __init__(
        self,
        definition: ast.FunctionDef,
        visible: dict[str, Any],
        home: dict[str, Any],
        functions: dict[str, ast.FunctionDef],
        writing: dict[str, bool] | None = None,
    ) -> None:
        self.visible, self.home, self.functions = visible, home, functions
        self.writing: dict[str, bool] = {} if writing is None else writing
        self.parent: dict[str, str] = {}
        self.writes: list[tuple[int, str]] = []  # line and name
        self.lists: set[str] = set()
        self.arrays = self.surely_arrays(definition)
        for node in ast.walk(definition):
            self.look(node)

    def surely_arrays(self, definition: ast.FunctionDef) -> set[str]:
        """Names that are never anything but a new array: what is put in is copied."""
        made: dict[str, bool] = dict.fromkeys(
            (a.arg for a in ast.walk(definition.args) if isinstance(a, ast.arg)), False
        )
        for node in ast.walk(definition):
            if isinstance(node, ast.Assign):
                fresh = isinstance(node.value, ast.Call) and self.is_fresh(node.value)
                for target in node.targets:
                    for n in stored_in(target):
                        made[n] = made.get(n, True) and fresh and isinstance(target, ast.Name)
            elif isinstance(node, (ast.For, ast.comprehension, ast.NamedExpr)):
                made |= dict.fromkeys(names_of(node.target), False)
        return {n for n, surely in made.items() if surely}

    def look(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign):
            self.assign(node)
        elif isinstance(node, ast.AugAssign):
            self.joined(node.target, node.value)
            self.writes += [(node.lineno, n) for n in names_of(node.target)]
        elif isinstance(node, ast.For):
            self.joined(node.target, node.iter)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            found = list(names_of(node.value))
            self.union(found)
            if (owner := appended(node.value)) is not None:
                self.lists.add(owner)
            else:
                self.writes += [(node.lineno, n) for n in found]
        elif isinstance(node, (ast.NamedExpr, ast.Delete, ast.With, ast.comprehension)):
            self.union(list(names_of(node)))
        elif isinstance(node, ast.keyword) and node.arg == "out":
            self.writes += [(node.value.lineno, n) for n in names_of(node.value)]
        if isinstance(node, ast.Call) and self.may_write(node):
            self.writes += [(node.lineno, n) for n in names_of(node)]

    def assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self.joined(target, node.value)
            if isinstance(target, ast.Subscript):
                self.writes += [(node.lineno, n) for n in names_of(target.value)]
            if isinstance(node.value, (ast.List, ast.Dict, ast.ListComp, ast.DictComp)):
                self.lists |= set(names_of(target))
        if len(node.targets) > 1 and not isinstance(node.value, ast.Constant):
            self.union([n for t in node.targets for n in names_of(t)])

    def may_write(self, call: ast.Call) -> bool:
        """True if a call may write into what it gets: functions that are not a library's may."""
        fn = value_of(call.func, self.visible)
        if fn is None:
            return isinstance(call.func, ast.Name)
        if not isinstance(fn, types.FunctionType):
            return False
        if fn.__globals__ is not self.home:
            return not home_of(fn).startswith(LIBRARIES)
        name = fn.__name__
        if name not in self.writing:
            self.writing[name] = True  # while it is looked at: it may call itself
            self.writing[name] = name not in self.functions or self.writes_arguments(name)
        return self.writing[name]

    def writes_arguments(self, name: str) -> bool:
        definition = self.functions[name]
        visible = visible_in(definition, self.home)
        inner = Memory(definition, visible, self.home, self.functions, self.writing)
        given = {inner.root(a.arg) for a in ast.walk(definition.args) if isinstance(a, ast.arg)}
        return any(inner.root(n) in given for _, n in inner.writes)

    def joined(self, target: ast.expr, value: ast.expr) -> None:
        several = (ast.Tuple, ast.List)
        if (
            isinstance(target, several)
            and isinstance(value, several)
            and len(target.elts) == len(value.elts)
        ):
            for a, b in zip(target.elts, value.elts, strict=True):
                self.joined(a, b)
            return
        owner = target.value if isinstance(target, ast.Subscript) else target
        if (
            isinstance(target, ast.Subscript)
            and isinstance(owner, ast.Name)
            and owner.id in self.arrays
        ):
            return
        self.union([*names_of(owner), *self.held(value)])

    def held(self, node: ast.expr) -> Iterator[str]:
        """The names whose memory a value may share."""
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, (ast.Constant, ast.Compare, ast.UnaryOp)):
            return
        elif isinstance(node, ast.BinOp):
            sides = (node.left, node.right)
            if isinstance(node.op, (ast.Add, ast.Mult)) and any(map(self.is_list, sides)):
                yield from names_of(node)
        elif isinstance(node, ast.Attribute):
            yield from () if node.attr in NUMBERS else self.held(node.value)
        elif isinstance(node, ast.Subscript):
            yield from self.held(node.value)
        elif isinstance(node, ast.IfExp):
            yield from [*self.held(node.body), *self.held(node.orelse)]
        elif isinstance(node, ast.Call):
            if not self.is_fresh(node):
                yield from names_of(node)
        else:
            yield from names_of(node)

    def is_list(self, node: ast.expr) -> bool:
        return not isinstance(node, ast.Constant) and (
            isinstance(node, (ast.List, ast.Tuple, ast.ListComp))
            or (isinstance(node, ast.Name) and node.id in self.lists)
        )

    def is_fresh(self, call: ast.Call) -> bool:
        """True if the result of a call is memory of its own."""
        if any(k.arg in ("out", "copy", None) for k in call.keywords):
            return False
        fn = value_of(call.func, self.visible)
        if fn is None:
            return isinstance(call.func, ast.Attribute) and call.func.attr in FRESH_METHODS
        if isinstance(fn, np.ufunc) or isinstance(getattr(fn, "__self__", None), np.ufunc):
            return True
        return traits_of(fn).memory == "new" or getattr(fn, "__module__", "") == "math"

    def union(self, names: list[str]) -> None:
        names = [n for n in names if n not in self.visible]
        for other in names[1:]:
            self.parent[self.root(other)] = self.root(names[0])

    def root(self, name: str) -> str:
        while name in self.parent and self.parent[name] != name:
            name = self.parent[name]
        self.parent.setdefault(name, name)
        return name

    def alone(self, name: str) -> bool:
        """True if no other name may stand for the same memory."""
        root = self.root(name)
        return not any(n != name and self.root(n) == root for n in list(self.parent))

    def written(self, name: str, first: int, last: int) -> bool:
        """True if memory of ``name`` is written to in place outside of these lines."""
        root = self.root(name)
        return any(self.root(n) == root for line, n in self.writes if not first <= line <= last)


def appended(call: ast.Call) -> str | None:
    """The list that a call of ``append`` lengthens."""
    func = call.func
    if isinstance(func, ast.Attribute) and func.attr == "append":
        return func.value.id if isinstance(func.value, ast.Name) else None
    return None


def stored_in(target: ast.expr) -> Iterator[str]:
    return (
        n.id for n in ast.walk(target) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    )


def names_of(node: ast.AST) -> Iterator[str]:
    return (n.id for n in ast.walk(node) if isinstance(n, ast.Name))


def visible_in(definition: ast.FunctionDef, scope: dict[str, Any]) -> dict[str, Any]:
    """The objects behind the names of a function that are not its own."""
    own = {a.arg for a in ast.walk(definition.args) if isinstance(a, ast.arg)}
    own |= {
        n.id
        for n in ast.walk(definition)
        if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)
    }
    return {n: host_name(v) for n, v in {**vars(builtins), **scope}.items() if n not in own}


def value_of(node: ast.expr, visible: dict[str, Any]) -> Any:
    """The object of the module, of NumPy or of Python that an expression names, or None."""
    if isinstance(node, ast.Name):
        return visible.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = value_of(node.value, visible)
        return getattr(owner, node.attr, None) if owner is not None else None
    return None


def is_view(node: ast.expr) -> bool:
    """True if an expression is certainly nothing but another look at an array, or a size.

    ``x[0]`` may be a number, which a later write into ``x`` does not change.
    """
    if isinstance(node, (ast.Name, ast.Constant)):
        return True
    if isinstance(node, ast.Attribute):
        return node.attr in {"T", *NUMBERS} and is_view(node.value)
    if isinstance(node, ast.Subscript):
        inner = list(ast.walk(node.slice))
        sized = isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
        return (
            is_view(node.value)
            and (sized or any(isinstance(n, ast.Slice) for n in inner))
            and all(isinstance(n, INDEX) for n in inner)
        )
    return False


INDEX = (ast.Constant, ast.Slice, ast.Tuple, ast.UnaryOp, ast.USub, ast.Load)
