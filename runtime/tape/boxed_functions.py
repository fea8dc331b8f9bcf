"""Python functions run on boxes: what would not see a box is replaced in the names they read.

NumPy's functions dispatch by themselves; those of `math`, `np.array` and this package's helpers
do not.  A followed function is a copy of the user's with the same code, closure and defaults, whose
global names are looked up through ``Scope``.
"""

from __future__ import annotations

import builtins
import cmath
import contextlib
import functools
import math
import re
import sys
import threading
import types
from collections.abc import Callable, Iterator
from inspect import Parameter
from typing import Any

import numpy as np

from ..arrays.libraries import CUPY
from ..batching.dispatch import attempt
from ..device.making import making
from ..device.places import HOST, twin_for
from ..errors import TapeError
from ..helpers import linear
from ..objects.caller_names import reads_caller
from ..objects.homes import HELPERS, REPLACEMENTS, RULES, RUNTIME, SCIPY_HELPERS
from ..objects.names_in_code import is_filled, stored_names, writes_globals
from ..objects.own_attributes import own_attribute
from ..objects.own_signature import own_signature
from ..objects.python_functions import python_function
from ..objects.pytree import map_operands
from ..rules.book import book, is_constant
from ..rules.programs import program_of
from ..rules.rewrites import COMPUTED
from ..traits.lookup import traits_of
from ..user.custom_rules import CustomGradient
from .box import Box, Level, has_boxes, raw
from .code_with_calls import ATTRIBUTE, CALL, PRODUCT, WRITTEN, code_with_calls
from .dispatch import apply
from .library.program_classes import followed_class, of_made, product, standing_for
from .questions import (
    NUMBERS,
    attribute,
    construction,
    is_search,
    of_numbers,
    own_call,
    searching,
    writable,
)
from .type_queries import seeing
from .vectorized import going_over, of_lists, vectorized
from .zero_tangent import helped, is_zero

__all__ = ["LIBRARIES", "evaluate", "followed", "open_levels", "spoken"]

MODULES = {id(m) for m in (cmath, math, np, linear, sys.modules[RUNTIME.rstrip(".")])}
FOLLOWED = (
    types.ModuleType, types.FunctionType, types.BuiltinFunctionType, functools.partial,
    functools._lru_cache_wrapper, np.vectorize,
)  # fmt: skip
DISPATCHER = type(np.where)  # functions that ask `__array_function__`
ASKING = (divmod, pow, abs, round)
# What stands for functions of a kind of their own, None for others; `custom_gradients`, whose derivatives run
# on the tape themselves, enters it.
STAND_INS: list[Callable[[Any], Any]] = []
SILENT = vars(builtins) | {"print": lambda *args, **kwargs: None}
LIBRARIES = {"numpy", "scipy", "retrograd", *sys.stdlib_module_names} - {"__main__"}


def watch(frame: types.FrameType, event: str, _: Any) -> None:
    """A profile function: a call of such a function that nobody follows would lose its derivative."""
    if event != "call" or frame.f_code not in CustomGradient.codes:
        return
    if has_boxes(list(frame.f_locals.values())):
        raise TapeError(
            f"`{frame.f_code.co_name}` has a derivative of its own, and is called where the tape does not "
            "follow (in a method, or a library); call it from a function of the module"
        )


class Open(threading.local):
    """The levels whose function is running now, in this thread.

    ``again``: it has run before, for a lower order, and does not print the same once more.
    """

    def __init__(self) -> None:
        self.levels: list[Level] = []
        self.again = False

    @contextlib.contextmanager
    def running(self, level: Level, again: bool) -> Iterator[None]:
        outer, self.again = self.again, self.again or again
        self.levels.append(level)
        watching = bool(CustomGradient.codes) and sys.getprofile() is None
        if watching:
            sys.setprofile(watch)
        try:
            yield
        finally:
            if watching:
                sys.setprofile(None)
            self.levels.pop()
            self.again = outer


open_levels = Open()


def evaluate(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """A rule, or what was emitted from one, on values that may be boxes or zero tangents."""
    if has_boxes((args, kwargs)) or any(is_zero(v) for v in [*args, *kwargs.values()]):
        if CUPY not in sys.modules:
            return helper_followed(function)(*args, **kwargs)
        with making.at(map_operands(raw, (args, kwargs))):
            follow = helper_followed if making.place is HOST else helper_followed_there
            return follow(function)(*args, **kwargs)
    return attempt(twin_for(function, args, kwargs), args, kwargs)


@functools.lru_cache(maxsize=4096)
def helper_followed(function: Any) -> Any:
    return copied(function, Scope(function.__globals__, creates=False))


@functools.lru_cache(maxsize=4096)
def helper_followed_there(function: Any) -> Any:
    """The same where values are on the device, which takes some functions otherwise than NumPy's protocols say."""
    return copied(function, ScopeThere(function.__globals__, creates=False))


def followed(function: Any) -> Any:
    """The function as it is run on the tape; one that writes global names runs as it is."""
    return Scope({}, creates=True).follow(function)


def spoken(function: Any, key: int | str) -> str:
    """The name of an argument in an error: its own, where the function is written in Python."""
    names = argument_names(function)
    if names is None:
        return f"argument {key}"
    if isinstance(key, int) and key < len(names):
        key = names[key]
    return f"argument `{key}` of `{function.__name__}`"


def argument_names(function: Any) -> tuple[str, ...] | None:
    """The names of a function's arguments, or of those that it stands for; None if no Python says them."""
    code = own_attribute(function, "__code__")
    known: tuple[str, ...] | None = own_attribute(function, "argument_names")
    if known is not None or code is None:
        return known
    return tuple(code.co_varnames[isinstance(function, types.MethodType) : code.co_argcount])


class Scope(dict[str, Any]):
    """Global names that are looked up in ``names`` when they are read, and followed."""

    def __init__(
        self,
        names: dict[str, Any],
        creates: bool,
        family: dict[int, Scope] | None = None,
        copies: dict[int, Any] | None = None,
    ) -> None:
        super().__init__({k: v for k, v in names.items() if k[:2] == "__"})
        self["__builtins__"] = self.get("__builtins__", builtins)
        if creates:
            self["__builtins__"] = seeing(SILENT if open_levels.again else self["__builtins__"])
            self |= {
                CALL: self.call,
                ATTRIBUTE: self.attribute,
                WRITTEN: self.written,
                PRODUCT: product,
            }
        self.names, self.creates = names, creates
        self.family: dict[int, Scope] = {} if family is None else family
        self.made: dict[str, tuple[Any, Any]] = {}
        self.copies: dict[int, Any] = {} if copies is None else copies

    def __missing__(self, name: str) -> Any:
        value = self.names[name]
        known = self.made.get(name)
        if known is None or known[0] is not value:
            known = self.made[name] = (value, self.follow(value))
        return known[1]

    def follow(self, value: Any) -> Any:
        if isinstance(value, types.ModuleType):
            return Proxy(value, self) if is_proxied(value) else value
        if isinstance(value, types.MethodType) and value in book:
            return dispatched(value)  # of a distribution
        if isinstance(value, types.MethodType):
            return types.MethodType(self.follow(value.__func__), value.__self__)
        if isinstance(value, functools.partial):
            return functools.partial(self.follow(value.func), *value.args, **value.keywords)
        if isinstance(value, types.BuiltinFunctionType | types.FunctionType):
            return self.follow_function(value)
        if isinstance(value, functools._lru_cache_wrapper):
            if id(value) not in self.copies:
                self.copies[id(value)] = self.cached(value)
            return self.copies[id(value)]
        if isinstance(value, np.vectorize):
            return vectorized(value, self.follow(value.pyfunc))
        text = python_function(value)
        if text is not value:
            return self.follow(text)
        if type(value).__module__.startswith("scipy.") and value in book:
            return dispatched(value)  # an object that is called
        if type(value).__module__.startswith("scipy.stats.") and has_rules(value):
            return Owner(value)
        return value

    def call(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
        return self.asked(fn)(*args, **kwargs)

    def asked(self, fn: Any) -> Any:
        """What is called in place of ``fn``."""
        if isinstance(fn, types.FunctionType) and isinstance(fn.__globals__, Scope):
            return fn
        ours = going_over(fn)
        if ours is not None:
            return ours
        if isinstance(fn, type):
            if fn in NUMBERS:
                return of_numbers(fn)
            return standing_for(fn, self.class_on_tape) or construction(fn, self.follow)
        if isinstance(fn, types.MethodDescriptorType) and fn in book:
            return dispatched(fn)
        if isinstance(fn, (np.ufunc, DISPATCHER)):
            return of_lists(fn) if isinstance(fn, np.ufunc) or fn in book else self.follow(fn)
        if own_attribute(fn, "__module__") == "builtins":
            return fn  # asks the box itself
        if not isinstance(fn, types.FunctionType):
            stands = standing_for(fn, self.class_on_tape)
            if stands is not None:
                return stands
        found = self.follow(fn)
        return own_call(fn, self.follow) if found is fn else found

    def class_on_tape(self, cls: type) -> type:
        if id(cls) not in self.copies:
            self.copies[id(cls)] = followed_class(cls, self.follow)
        return self.copies[id(cls)]  # type: ignore[no-any-return]

    def attribute(self, owner: Any, name: str) -> Any:
        return attribute(owner, name, self.follow)

    def written(self, value: Any) -> Any:
        references = sys.getrefcount(value)
        return writable(value, references, own_array)

    def follow_function(self, value: Any) -> Any:
        if isinstance(own_attribute(value, "__globals__"), Scope):
            return value  # it is followed
        if self.creates and traits_of(value).creates:
            return creator(value)
        if value.__module__ == "_operator" or value in ASKING:
            return value  # asks the box itself
        if value in book or value in COMPUTED or is_constant(value):
            return of_made(value, dispatched(value), self.follow_function)
        for stand_in in STAND_INS:
            found = stand_in(value)
            if found is not None:
                return found
        program = program_of(value)
        if isinstance(program, types.FunctionType):
            return without_defaults(value, program, self.follow_function(program))
        if self.creates and is_search(value):
            return searching(value)
        if not isinstance(value, types.FunctionType):
            return value
        if self.is_library(value):
            return of_batches(value) if value.__module__.startswith(HELPERS) else value
        if writes_globals(value.__code__):
            return value
        if reads_caller(value):
            return refusing(value)
        if id(value) not in self.copies:
            self.copy_function(value)
        return self.copies[id(value)]

    def cached(self, value: Any) -> Any:
        """A cached function: calls with values of the tape are remembered for this run only."""
        known: dict[Any, tuple[Any, Any]] = {}

        @functools.wraps(value.__wrapped__)
        def call(*args: Any, **kwargs: Any) -> Any:
            if not has_boxes((args, kwargs)):
                return value(*args, **kwargs)
            pairs = (*enumerate(args), *kwargs.items())
            key = tuple((k, has_boxes(a), id(a) if has_boxes(a) else a) for k, a in pairs)
            if key not in known:  # the arguments live as long as their numbers are used
                known[key] = pairs, self.follow(value.__wrapped__)(*args, **kwargs)
            return known[key][1]

        return call

    def copy_function(self, value: Any) -> None:
        """A copy of the user's function; what its closure holds is followed where no code rebinds it.

        The copy is known before its closure is filled, so that a recursive function finds itself.
        """
        rebound = stored_names(value.__code__)
        cells = list(value.__closure__ or ())
        own = {}
        for k, name in enumerate(value.__code__.co_freevars):
            content = cells[k].cell_contents if is_filled(cells[k]) else None
            if is_followed(content) and name not in rebound:
                cells[k], own[k] = types.CellType(), content
        self.copies[id(value)] = copied(
            value, self.scope_of(value), tuple(cells) or None, asking=self.creates
        )
        for k, content in own.items():
            cells[k].cell_contents = self.follow(content)

    def is_library(self, function: Any) -> bool:
        module = str(function.__globals__.get("__name__", ""))
        if not self.creates and module.startswith(RULES):
            return False  # what a rule calls is part of the rule
        if module.startswith(REPLACEMENTS):
            return False  # a program that stands for a function of SciPy's
        return module.partition(".")[0] in LIBRARIES

    def scope_of(self, function: Any) -> Scope:
        names = function.__globals__
        if id(names) not in self.family:
            self.family[id(names)] = type(self)(names, self.creates, self.family, self.copies)
        return self.family[id(names)]


def without_defaults(function: Any, program: Any, followed: Any) -> Any:
    """The program in place of a function of a library, without options of that which it leaves out, given as they are."""
    known = own_signature(function).parameters
    extra = known.keys() - own_signature(program).parameters.keys()
    plain = {k: known[k].default for k in extra if known[k].kind is Parameter.KEYWORD_ONLY}
    if not plain:
        return followed

    @functools.wraps(program)
    def call(*args: Any, **kwargs: Any) -> Any:
        said = {k: v for k, v in kwargs.items() if k not in plain or v is not plain[k]}
        return followed(*args, **said)

    return call


def refusing(function: Any) -> Any:
    """In place of a function that computes with the variables of its caller that it is told in a text."""

    @functools.wraps(function)
    def refused(*args: Any, **kwargs: Any) -> Any:
        texts = " ".join(a for a in (*args, *kwargs.values()) if isinstance(a, str))
        if texts and not holding_boxes().isdisjoint(re.findall(r"[^\W\d]\w*", texts)):
            raise TapeError(
                f"`{function.__name__}` reads the names of the function that calls it, and is not supported"
            )
        return function(*args, **kwargs)

    return refused


def holding_boxes() -> set[str]:
    """The variables that hold values of the tape where a function is called; what calls it for the text may stand between."""
    frames = [sys._getframe(k) for k in (2, 3, 4)]
    return {name for frame in frames for name, held in frame.f_locals.items() if has_boxes(held)}


class ScopeThere(Scope):
    """The names of a rule that computes on the device."""

    def follow(self, value: Any) -> Any:
        if isinstance(value, types.ModuleType) and value.__name__.startswith("numpy."):
            return Proxy(value, self)
        return dispatched(value) if isinstance(value, DISPATCHER) else super().follow(value)


def is_followed(value: Any) -> bool:
    return isinstance(value, FOLLOWED) or python_function(value) is not value


def is_proxied(module: types.ModuleType) -> bool:
    """True if a module has functions that do not see boxes by themselves: SciPy's, and our helpers for it."""
    name = module.__name__
    if id(module) in MODULES or name.startswith(SCIPY_HELPERS):
        return True
    root = name.partition(".")[0]
    return root == "scipy" or root not in LIBRARIES  # SciPy's, and the user's own


class Proxy(types.ModuleType):
    """A module whose functions see boxes."""

    def __init__(self, module: types.ModuleType, scope: Scope) -> None:
        super().__init__(module.__name__, module.__doc__)
        self.__dict__["_module"], self.__dict__["_scope"] = module, scope

    def __getattr__(self, name: str) -> Any:
        return self._scope.follow(getattr(self._module, name))

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._module, name, value)


class Owner:
    """A distribution whose methods see boxes, and those of what its call freezes."""

    def __init__(self, family: Any, *args: Any, **kwargs: Any) -> None:
        self._family, self._args, self._kwargs = family, args, kwargs

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._family, name)
        if isinstance(method, types.MethodType) and method in book:
            return functools.partial(self._called, dispatched(method))
        plain = self._args or self._kwargs
        return getattr(self._family(*self._args, **self._kwargs), name) if plain else method

    def _called(self, call: Any, *args: Any, **kwargs: Any) -> Any:
        if self._args and not args:  # where the density is asked for is given by its name
            args, kwargs = tuple(kwargs.values()), {}
        return call(*args, *self._args, **kwargs, **self._kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return Owner(self._family, *args, **kwargs)


def has_rules(owner: Any) -> bool:
    """True if an object has methods with rules: a distribution."""
    methods = (getattr(owner, name, None) for name in ("logpdf", "logpmf"))
    return any(isinstance(m, types.MethodType) and m in book for m in methods)


def copied(
    function: Any, scope: Scope, closure: tuple[Any, ...] | None = None, asking: bool = False
) -> Any:
    """The function with other global names; ``asking``: and with its calls as questions."""
    cells = function.__closure__ if closure is None else closure
    was = function.__code__
    code = code_with_calls(was) if asking else was
    if code is not was and cells:
        known = dict(zip(was.co_freevars, cells, strict=True))
        cells = tuple(known[name] for name in code.co_freevars)
    made = types.FunctionType(code, scope, function.__name__, function.__defaults__, cells)
    made.__kwdefaults__, made.__module__ = function.__kwdefaults__, function.__module__
    made.__qualname__, made.__doc__ = function.__qualname__, function.__doc__
    made.__dict__.update(function.__dict__)
    return made


@functools.lru_cache(maxsize=4096)
def dispatched(fn: Any) -> Any:
    """The function, which sees a box among its arguments."""

    @functools.wraps(fn)
    def call(*args: Any, **kwargs: Any) -> Any:
        if any(is_zero(a) for a in args):
            return helped(fn, args, kwargs)
        if has_boxes((args, kwargs)):
            return apply(fn, args, kwargs)
        return attempt(making.twin(fn, args, kwargs), args, kwargs)

    return call


@functools.lru_cache(maxsize=4096)
def of_batches(helper: Any) -> Any:
    """A helper that sees no boxes; what it is given may be batches."""
    return functools.wraps(helper)(lambda *args, **kwargs: attempt(helper, args, kwargs))


def own_array(made: Any) -> Any:
    """An array that is new, as one that values of the tape may be written into."""
    if open_levels.levels and type(made) is np.ndarray:
        made = open_levels.levels[-1].constant(made)
        if type(made) is Box:
            made._own = True
    return made


@functools.lru_cache(maxsize=16)
def creator(fn: Any) -> Any:
    """``np.zeros`` and its like: an array that values of the tape may be written into."""
    see = dispatched(fn)

    @functools.wraps(fn)
    def call(*args: Any, **kwargs: Any) -> Any:
        return own_array(see(*args, **kwargs))

    return call
