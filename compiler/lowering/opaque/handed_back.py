"""Calls that look at their arguments and give them back, or nothing: validators, `check_array(x)`.

::

    x = check_array(x, dtype="numeric")      # stays a call, and gives `x`
    return np.sum(x * x)

Where such a function is not compiled, it is called for something like its arguments.  If it gives these back, the
call stays in the text, where the same has to come out, and nothing be written to: see `rt.given_back`.
"""

from __future__ import annotations

import copy
import inspect
import warnings
from collections.abc import Callable, Iterator
from typing import Any
from weakref import WeakKeyDictionary

import gast

from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.errors import SourceUnavailable
from retrograd.runtime.helpers import linear
from retrograd.runtime.helpers.calls_that_look import unchanged
from retrograd.runtime.helpers.object_protocols import is_word

from ...analyses.third_party import is_of_package
from ...analyses.visible_effects import ACTS, of_function
from ...frontend.source import source_of
from ...ir.containers import Pack
from ...ir.operations import Apply, Const, Value
from ...ir.types import Opaque
from ..interface.lowerer import Lowerer
from ..memory.node_kinds import is_object
from ..nodes import Node
from .known_results import is_function

__all__ = ["HandedBack"]

KNOWN: WeakKeyDictionary[Any, dict[Any, bool]] = WeakKeyDictionary()
HARMLESS = ("which stays a call", "which is not its own")  # of a package: it fills its own table
SHORT = 12  # statements
LOOPS = (gast.For, gast.While)


class HandedBack:
    """Calls of functions that give back what they are given."""

    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer, self.scope = lowerer, lowerer.scope

    def call(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node | None:
        """The call as it is, and its arguments in place of its result; None for any other."""
        if not gives_back(fn) or not leaves_no_trace(fn):
            return None
        args = list(map(self.lowerer.cells.seen, args))
        kwargs = {k: self.lowerer.cells.seen(v) for k, v in kwargs.items()}
        if any(map(is_object, (*args, *kwargs.values()))):
            return None  # taken apart: no call is given those
        samples = self.samples(fn, args, kwargs)
        if samples is None:
            return None
        try:
            samples = copy.deepcopy(samples)  # objects of the module are nobody's to change now
            gave = called(fn, *samples)
        except Exception:  # whatever it raises: it is called when it runs
            return None
        if any(map(is_function, parts_of(gave))):
            return self.lowerer.known_results.known(fn, args, kwargs, node, asked=True)
        several, places = type(gave) is tuple, places_of(gave, *samples)
        if places is None:
            return None
        nodes: dict[Any, Node] = {**dict(enumerate(args)), **kwargs}
        made = self.made(fn, places if several else places[0], args, kwargs)
        if places == (None,):
            return Const(None)
        items = [
            self.lowerer.inactive.item(made, Const(k)) if place is None else nodes[place]
            for k, place in enumerate(places)
        ]
        return Pack(tuple, list(range(len(items))), items) if several else items[0]

    def samples(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node]
    ) -> tuple[list[Any], dict[str, Any]] | None:
        """Something like the arguments: the default of a parameter where nothing is known that is like one."""
        try:
            bound = inspect.signature(fn).bind(*args, **kwargs).arguments
        except TypeError:
            return None
        defaults = {k: p.default for k, p in inspect.signature(fn).parameters.items()}
        names = list(bound)[: len(args)]
        made = {}
        for name, node in [*zip(names, args, strict=False), *kwargs.items()]:
            found = self.lowerer.known_results.like([node], {})
            made[name] = (
                defaults.get(name, inspect.Parameter.empty) if found is None else found[0][0]
            )
        if len(names) != len(args) or inspect.Parameter.empty in map(type_or_self, made.values()):
            return None
        return [made[name] for name in names], {k: made[k] for k in kwargs}

    def long_one(
        self, fn: Any, args: list[Node], kwargs: dict[str, Node], node: gast.AST
    ) -> Node | None:
        """The same of a long function of a package, before it is lowered: a short one is read rather."""
        return self.call(fn, args, kwargs, node) if is_of_package(fn) and is_long(fn) else None

    def made(self, fn: Any, places: Any, args: list[Node], kwargs: dict[str, Node]) -> Value:
        operands = tuple(map(self.lowerer.inactive.operand, args))
        named = {k: self.lowerer.inactive.operand(v) for k, v in kwargs.items()}
        loc = self.scope.location(self.scope.node)
        name = self.scope.program.name_of(fn)
        made = Value(None, Opaque(), loc)
        op = Apply(
            [made], loc, linear.given_back, (Const(fn, name), Const(places), *operands), named, True
        )
        self.scope.program.inert.add(made)
        self.lowerer.operations.emit(op)
        return made


def type_or_self(value: Any) -> Any:
    """What is compared by what it is: an array is no answer to a comparison."""
    return value if isinstance(value, type) else type(value)


def once(question: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A question about a function that is asked once of each."""

    def answered(fn: Any) -> bool:
        answers = KNOWN.setdefault(fn, {})
        if question not in answers:
            answers[question] = question(fn)
        return answers[question]

    return answered


@once
def gives_back(fn: Any) -> bool:
    """True if a function converts a parameter, and returns it, or returns nothing, as its text says.

    Nothing is computed with the names of its parameters.
    """
    try:
        tree = source_of(fn).tree
    except SourceUnavailable:
        return False
    names = {a.id for a in parameters(tree)}
    values = list(values_returned(tree))
    returned = names.intersection(names_of(values))
    if any(computes(s, names if not values else returned, False) for s in tree.body):
        return False
    return not values or bool(returned)


@once
def is_long(fn: Any) -> bool:
    return sum(isinstance(node, gast.stmt) for node in gast.walk(source_of(fn).tree)) > SHORT


def parameters(tree: Any) -> list[Any]:
    given = tree.args
    return [*given.posonlyargs, *given.args, *given.kwonlyargs]


def values_returned(tree: Any) -> Iterator[Any]:
    for node in gast.walk(tree):
        if isinstance(node, (gast.Yield, gast.YieldFrom)):
            yield node
        given = node.value if isinstance(node, gast.Return) else None
        if given is not None and not (isinstance(given, gast.Constant) and given.value is None):
            yield given


def names_of(values: list[Any]) -> Iterator[str]:
    for value in values:
        items = value.elts if isinstance(value, gast.Tuple) else [value]
        yield from (item.id for item in items if isinstance(item, gast.Name))


def computes(node: Any, names: set[str], looped: bool) -> bool:
    """True if one of these names is bound to more than what a call gives, or in a loop, or is written to."""
    looped = looped or isinstance(node, LOOPS)
    if isinstance(node, gast.AugAssign) and root_of(node.target) in names:
        return True
    if isinstance(node, gast.Assign):
        bound = [t for target in node.targets for t in targets_in(target)]
        if any(isinstance(t, gast.Subscript) and root_of(t) in names for t in bound):
            return True
        rebinds = any(isinstance(t, gast.Name) and t.id in names for t in bound)
        if rebinds and (
            looped or not isinstance(node.value, (gast.Call, gast.Name, gast.Attribute))
        ):
            return True
    return any(computes(child, names, looped) for child in gast.iter_child_nodes(node))


def targets_in(target: Any) -> list[Any]:
    if isinstance(target, (gast.Tuple, gast.List)):
        return [t for item in target.elts for t in targets_in(item)]
    return [target]


def root_of(node: Any) -> str | None:
    while isinstance(node, (gast.Subscript, gast.Attribute)):
        node = node.value
    return node.id if isinstance(node, gast.Name) else None


@once
def leaves_no_trace(fn: Any) -> bool:
    """True if a function may be run while another is compiled; the tables of a package are its own affair."""
    reasons = [why for kind, why in of_function(fn) if kind in ACTS]
    if is_of_package(fn):
        reasons = [why for why in reasons if not why.endswith(HARMLESS)]
    return not reasons


def called(fn: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    with warnings.catch_warnings(), unchanged(fn, [*args, *kwargs.values()]):
        warnings.simplefilter("ignore")
        return fn(*args, **kwargs)


def parts_of(gave: Any) -> tuple[Any, ...]:
    return gave if type(gave) is tuple else (gave,)


def places_of(gave: Any, args: list[Any], kwargs: dict[str, Any]) -> tuple[Any, ...] | None:
    """Which argument each part of a result is, None of what carries no derivative; None if there is more to it."""
    given = [(k, a) for k, a in [*enumerate(args), *kwargs.items()] if is_ndarray(a)]
    parts = parts_of(gave)
    places = tuple(next((k for k, a in given if a is part), None) for part in parts)
    known = all(p is not None or is_word(part) for p, part in zip(places, parts, strict=True))
    told = gave is None or any(p is not None for p in places)
    return places if known and told else None
