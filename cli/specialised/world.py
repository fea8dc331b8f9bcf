"""The helpers that a text calls: what each call knows of its arguments, and what is left of each helper.

A call of a helper that comes down to one expression is replaced by it.  All other calls of a helper share
one definition, in which is left what one of them needs.
"""

from __future__ import annotations

import ast
import copy
import importlib
import itertools
import types
from typing import Any

import numpy as np

from ..texts.plain_containers import PLAIN
from .expressions import Environment, Helper, parameters
from .inlining import expression_of, is_docstring
from .kinds import Kind, Thing, class_of, either
from .reduction import Reducer, assigned
from .sources import PLAIN_HOME, Key, Sources, split, whole
from .tidied import tidy
from .unused import (
    can_do_without,
    unread_parameters,
    without_arguments,
    without_parameters,
    without_unread,
)

__all__ = ["World"]

DEEPEST = 12  # helpers that call each other, beyond which nothing is known
ROUNDS = 40
MOST_CASES = 16
LEAVES = (bool, int, float, complex, str, type(None))
VALUES = (
    type,
    types.ModuleType,
    types.BuiltinFunctionType,
    np.ufunc,
    np.dtype,
    tuple,
    str,
    int,
    float,
    frozenset,
)
Notes = list[tuple[Key, "Environment | None"]]


class World:
    """Helpers and what is known of their arguments; `View` is how a `Reducer` sees it."""

    def __init__(self, plain: bool = False) -> None:
        self.sources = Sources(plain)
        self.known: dict[Key, Environment] = {}
        self.others: set[Key] = set()
        self.handed: set[Key] = set()  # functions that are values, too
        self.depth: list[Any] = []
        self.memo: dict[str, Any] = {}

    # -- the text ----------------------------------------------------------------------------

    def settle(self, calls: list[ast.expr]) -> tuple[list[Any], dict[Key, ast.FunctionDef]]:
        """The expressions of a text as they are to stand there, and the functions that they call, with whole names."""
        for _ in range(ROUNDS):
            before = repr(self.known)
            made = [self.in_text(copy.deepcopy(call)) for call in calls]
            functions = {key: self.reduced(key) for key in list(self.known)}
            if repr(self.known) == before:
                break
        else:
            raise AssertionError("the helpers do not settle")
        drop_unread(
            {k: f for k, f in functions.items() if k not in self.handed},
            [*functions.values(), *made],
        )
        for function in functions.values():
            tidy(function)
        return made, functions

    def in_text(self, call: ast.expr) -> Any:
        notes: Notes = []
        local = {n.id for n in ast.walk(call) if isinstance(n, ast.Name) and "::" not in n.id}
        made = Reducer(View(self, notes), {}, local).expr(call)[0]
        self.take(notes)
        self.take_values(made)
        return made

    def take(self, notes: Notes) -> None:
        for key, environment in notes:
            definition = self.sources.function(key)
            if definition is None:
                continue
            names = parameters(definition)
            given = environment or dict.fromkeys(names)
            old = self.known.get(key)
            self.known[key] = {
                n: given.get(n) if old is None else either(old[n], given.get(n)) for n in names
            }

    def take_values(self, tree: Any, apart: bool = False) -> None:
        """Functions that are handed on as values can be called with anything; ``apart``: those that are called, too."""
        called = set() if apart else {id(n.func) for n in ast.walk(tree) if isinstance(n, ast.Call)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Name) or "::" not in node.id:
                continue
            key = split(node.id)
            if self.sources.function(key) is not None:
                if id(node) not in called:
                    self.handed.add(key)
                if id(node) not in called or key not in self.known:
                    self.take([(key, None)])
            elif key not in self.others:
                self.others.add(key)
                self.take_values(self.sources.statement(key) or node, apart=True)

    def reduced(self, key: Key) -> Any:
        """What is left of a function for all that its arguments can be."""
        notes: Notes = []
        made, _ = self.cut(key, self.known[key], notes)
        self.take(notes)
        self.take_values(made)
        return made

    # -- one function --------------------------------------------------------------------------

    def cut(self, key: Key, environment: Environment, notes: Notes) -> tuple[ast.FunctionDef, Kind]:
        """A function for arguments of which this is known, and what is known of its result."""
        definition = self.sources.function(key)
        assert definition is not None
        if any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in ast.walk(definition)):
            self.take_values(
                definition, apart=True
            )  # without its `yield` it would be another function
            return definition, None
        local = frozenset(parameters(definition)) | assigned(definition.body)
        reducer = Reducer(View(self, notes), dict(environment), local)
        definition.body, ends = reducer.block(definition.body)
        definition.body = definition.body or [ast.Pass()]
        without_unread(definition)
        kinds = reducer.returns + ([] if ends else [[None]])
        return definition, either(*kinds)

    def precise(self, key: Key, environment: Environment) -> tuple[ast.FunctionDef, Kind] | None:
        """The same for one call; None where functions call each other too deep."""
        asked = f"{key} {environment}"
        if asked not in self.memo:
            if len(self.depth) >= DEEPEST or key in self.depth:
                return None
            self.depth.append(key)
            try:
                self.memo[asked] = self.by_cases(key, environment)
            finally:
                self.depth.pop()
        found: tuple[ast.FunctionDef, Kind] = self.memo[asked]
        return found

    def by_cases(self, key: Key, environment: Environment) -> tuple[ast.FunctionDef, Kind]:
        """Cut for each of the cases that its arguments leave, if the same is left in all of them."""
        several = {n: kind for n, kind in environment.items() if kind is not None and len(kind) > 1}
        together = self.cut(key, environment, [])
        if not several or np.prod([len(k) for k in several.values()]) > MOST_CASES:
            return together
        cases = []
        for case in itertools.product(*several.values()):
            given = environment | {n: [one] for n, one in zip(several, case, strict=True)}
            cases.append(self.cut(key, given, []))
            if ast.dump(cases[0][0]) != ast.dump(cases[-1][0]):
                return together
        return cases[0][0], either(*[kind for _, kind in cases])


def drop_unread(functions: dict[Key, ast.FunctionDef], trees: list[Any]) -> None:
    """Leave out parameters that are not read, where every call can leave out the argument, in place."""
    for _ in range(len(functions) + 1):
        found = False
        for key, function in functions.items():
            name = whole(*key)
            calls = [
                n
                for t in trees
                for n in ast.walk(t)
                if isinstance(n, ast.Call) and is_name(n.func, name)
            ]
            dropped = unread_parameters(function, lambda f, name=name: is_name(f, name))  # type: ignore[misc]
            names = [a.arg for a in (*function.args.args, *function.args.kwonlyargs)]
            if not dropped or not all(can_do_without(call, names, dropped) for call in calls):
                continue
            for call in calls:
                without_arguments(call, names, dropped)
            without_parameters(function, dropped)
            without_unread(function)
            found = True
        if not found:
            return


def is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


class View:
    """The world while one function is read; ``notes`` are the calls that it makes."""

    def __init__(self, world: World, notes: Notes | None) -> None:
        self.world, self.notes = world, notes

    def silent(self) -> View:
        return View(self.world, None)

    def value(self, name: str) -> Kind:
        """What a global name stands for."""
        key = split(name)
        if self.world.sources.function(key) is not None:
            return [Helper(*key)]
        found = getattr(importlib.import_module(key[0]), key[1], None)
        return (
            [found]
            if isinstance(found, VALUES) or getattr(found, "__module__", "") == "numpy"
            else None
        )

    def call(self, node: ast.Call, helper: Helper, given: Any) -> tuple[Any, Kind]:
        """A call of a helper: the expression that takes its place, or the call."""
        key = self.plainer((helper.module, helper.name), given)
        node.func = ast.Name(whole(*key), ast.Load())
        definition = self.world.sources.function(key)
        assert definition is not None
        bindings = None if given is None else bound(self, definition, node, *given)
        if bindings is None:
            self.note(key, None)
            return node, None
        environment, texts = bindings
        found = self.world.precise(key, environment)
        if found is None:
            self.note(key, environment)
            return node, None
        made, kind = found
        short = expression_of(made.body, texts)
        if short is None or (is_docstring(made.body[0]) and len(made.body) == 1):
            self.note(key, environment)
            return node, kind
        return short, kind

    def plainer(self, key: Key, given: Any) -> Key:
        """The function for plain containers, where the first argument is none."""
        if key not in PLAIN or given is None or not given[0] or given[0][0] is None:
            return key
        return (PLAIN_HOME, key[1]) if all(map(is_leaf, given[0][0])) else key

    def note(self, key: Key, environment: Environment | None) -> None:
        if self.notes is not None:
            self.notes.append((key, environment))


def is_leaf(one: Any) -> bool:
    if isinstance(one, Thing) and issubclass(one.cls, (np.ndarray, np.generic)):
        return one.dtype is not None and one.dtype.kind in "biufc"
    return class_of(one) in LEAVES


def bound(
    view: View,
    definition: ast.FunctionDef,
    call: ast.Call,
    args: list[Kind],
    named: dict[str, Kind],
) -> tuple[Environment, dict[str, Any]] | None:
    """What is known of each parameter, and the expression that is given for it."""
    spec = definition.args
    if spec.kwarg or spec.posonlyargs:
        return None
    names = [a.arg for a in spec.args]
    if len(args) > len(names) and spec.vararg is None:
        return None
    environment: Environment = dict(zip(names, args, strict=False))
    texts: dict[str, Any] = dict(zip(names, call.args, strict=False))
    if spec.vararg is not None:
        rest = call.args[len(names) :]
        environment[spec.vararg.arg] = None if rest else [()]
        texts[spec.vararg.arg] = rest
    for word in call.keywords:
        assert word.arg is not None
        environment[word.arg], texts[word.arg] = named[word.arg], word.value
    every = [a.arg for a in (*spec.args, *spec.kwonlyargs)]
    if set(environment) - set(every) - {spec.vararg and spec.vararg.arg}:
        return None
    defaults = dict(zip(names[len(names) - len(spec.defaults) :], spec.defaults, strict=True))
    defaults |= {a.arg: d for a, d in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if d}
    for name in every:
        if name not in environment:
            if name not in defaults:
                return None
            texts[name] = defaults[name]
            environment[name] = Reducer(view.silent(), {}, frozenset()).expr(
                copy.deepcopy(defaults[name])
            )[1]
    return environment, texts
