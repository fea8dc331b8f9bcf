"""Pullbacks and linear maps that wait for a cotangent or tangent: nobody else can write to their values.

A pullback reads what the run before it has kept: arguments, results, objects of the module, all of
which belong to the caller. Of these it gets copies; what only the run knows of is not copied.
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from retrograd.runtime.arrays.libraries import is_cupy
from retrograd.runtime.arrays.transfers import is_ndarray, on_host
from retrograd.runtime.objects.own_attributes import own_dict
from retrograd.runtime.objects.python_functions import python_function

from .check.argument_copies import ATOMS, COPIED, CannotCopy, Copier, is_ordinary, owner_of, same
from .check.compare import contents

__all__ = ["Outside", "Reading", "outside", "set_apart"]

NUMBERS = {float, int, bool, complex, str, type(None), np.float64}
SHARED = (*ATOMS, *COPIED[1:])  # random generators: nothing is drawn on the way back


def set_apart(made: Any, saved: Any, given: Sequence[Any]) -> tuple[Any, Reading]:
    """``saved`` with copies of what is reached from ``given``, and the objects of the module that the text reads."""
    around, lenders = outside(made)
    if type(saved) is not tuple or any(type(x) not in NUMBERS for x in saved):
        saved = Lent([*given, *lenders.objects.values()], around.read)(saved)
    return saved, around.copied()


class Lent(Copier):
    """Copies what is the caller's, and nothing else."""

    def __init__(self, given: Sequence[Any], read: set[str]) -> None:
        super().__init__()
        self.read = read  # names of attributes, among others
        self.owners: set[int] = set()
        for x in given:
            self.note(x)

    def note(self, x: Any) -> None:
        """Whoever has ``x`` can write to the memory of the arrays in it."""
        if type(x) in NUMBERS:
            return
        if is_ndarray(x):
            self.owners.add(id(owner_of(x)))
        elif id(x) not in self.owners and not isinstance(x, SHARED):
            self.owners.add(id(x))
            for item in inside(x):
                self.note(item)

    def __call__(self, x: Any) -> Any:
        kind = type(x)
        if kind in NUMBERS or ((kind is np.ndarray or is_cupy(x)) and self.is_own(x)):
            return x
        if kind is tuple:
            inner = [self(v) for v in x]
            return x if all(map(same, inner, x)) else tuple(inner)
        if kind is list and not self.is_lent(x) and set(map(type, x)) <= NUMBERS:
            return x
        return x if isinstance(x, SHARED) else super().__call__(x)

    def is_own(self, x: Any) -> bool:
        """True if nobody but the run has an array."""
        owner = x if x.base is None else owner_of(x)
        return id(owner) not in self.owners and owner.base is None and not x.dtype.hasobject

    def is_lent(self, x: Any) -> bool:
        return id(x) in self.owners

    def array(self, x: Any) -> Any:
        if x.dtype.hasobject:
            return self.objects(x)
        return super().array(x) if x.nbytes > owner_of(x).nbytes else x.copy(order="K")

    def instance(self, x: Any) -> Any:
        """Of an object, what the text names; one that has no copy stays what it is."""
        if is_ordinary(type(x)) and not isinstance(x, tuple):
            made = self.keep(x, object.__new__(type(x)))
            made.__dict__.update(x.__dict__)
            made.__dict__.update({k: self(v) for k, v in x.__dict__.items() if k in self.read})
            return made
        if not self.is_lent(x) and not isinstance(x, tuple):
            return x
        try:
            return super().instance(x)
        except CannotCopy:
            return x


class Everything(Lent):
    """Copies whatever a text reads."""

    def is_own(self, x: Any) -> bool:
        return False

    def is_lent(self, x: Any) -> bool:
        return True


def inside(x: Any) -> Iterator[Any]:
    """The contents of an object; a function that others have compiled holds none of the program's."""
    if python_function(x) is not x:
        return
    if isinstance(x, dict):
        yield from x.values()
    elif isinstance(x, (tuple, list, set)):
        yield from x
    yield from own_dict(x).values()
    for cls in type(x).__mro__:
        names = cls.__dict__.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            yield getattr(x, name, None)


# -- objects of the module --------------------------------------------------------------------------


class Outside:
    """The objects from outside that functions of a text read, by name; and others that are given."""

    def __init__(self, functions: Sequence[Any], others: dict[str, Any] | None = None) -> None:
        self.functions: dict[str, types.FunctionType] = {}
        self.objects = {name: x for name, x in (others or {}).items() if is_data(x)}
        self.read: set[str] = set()  # names, those of attributes among them
        for function in functions:
            self.scope = function.__globals__
            self.functions[function.__name__] = function
            self.reach(function.__code__)

    def reach(self, code: types.CodeType) -> None:
        self.read.update(code.co_names)
        for const in code.co_consts:
            if isinstance(const, types.CodeType):
                self.reach(const)
            elif isinstance(const, str):
                self.read.add(const)
        for name in code.co_names:
            found = self.scope.get(name)
            if isinstance(found, types.FunctionType) and found.__globals__ is self.scope:
                if name not in self.functions:
                    self.functions[name] = found
                    self.reach(found.__code__)
            elif is_data(found):
                self.objects[name] = found

    def copied(self) -> Reading:
        """What has functions of the text read the objects as they are now."""
        return Reading(self, copies_of(self) if self.objects else {})

    def seen(self) -> dict[str, list[Any]]:
        """What the objects hold now."""
        return {name: contents(x) for name, x in copies_of(self).items()}

    def changed(self, before: dict[str, list[Any]]) -> str | None:
        """The name of an object that no longer holds what it held."""
        now = self.objects.items()
        return next((n for n, x in now if not all_same(contents(x), before.get(n, []))), None)


class Reading:
    """Functions of a text that read copies of the objects of the module."""

    def __init__(self, around: Outside, copies: dict[str, Any]) -> None:
        self.around, self.copies = around, copies

    def __call__(self, function: Any) -> Any:
        if not self.copies:
            return function
        scope = function.__globals__ | self.copies
        for name in self.around.functions:
            f = scope[name]
            scope[name] = types.FunctionType(f.__code__, scope, name, f.__defaults__)
            scope[name].__kwdefaults__ = f.__kwdefaults__
        return scope[function.__name__]


def copies_of(around: Outside) -> dict[str, Any]:
    copier = Everything((), around.read)
    return {name: copier(x) for name, x in around.objects.items()}


def outside(made: Any) -> tuple[Outside, Outside]:
    """Of the last function of a text, and of all of them; found once."""
    if made.outside is None:
        functions = list(made.functions.values())
        made.outside = Outside(functions[-1:]), Outside(functions)
    return made.outside  # type: ignore[no-any-return]


def is_data(x: Any) -> bool:
    plain = not callable(x) or is_ordinary(type(x))
    return plain and not isinstance(x, SHARED) and type(x) not in NUMBERS


def all_same(now: list[Any], before: list[Any]) -> bool:
    return len(now) == len(before) and all(map(is_same, now, before))


def is_same(a: Any, b: Any) -> bool:
    x, y = np.asarray(on_host(a)), np.asarray(on_host(b))
    equal = (x == y) | ((x != x) & (y != y)) if x.shape == y.shape else False
    return bool(np.all(equal))
