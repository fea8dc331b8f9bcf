"""Functions of every kind as Python functions with a text, and what is given to them beforehand."""

from __future__ import annotations

import functools
import inspect
import keyword
import linecache
import types
from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from retrograd.compiler.dependencies.object_reads import ERRORS, static
from retrograd.runtime.errors import NotDifferentiable
from retrograd.runtime.objects.library_functions import is_library
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.objects.own_signature import own_signature
from retrograd.runtime.objects.python_functions import python_function
from retrograd.runtime.objects.spoken_classes import a

from .specialise.memo import Recent

__all__ = ["CALLS", "Given", "taken_apart"]


LONGEST = 40  # text of what is no function
NUMBERS = (float, complex)  # classes that compute


class Given(NamedTuple):
    """A function, and what a call of it is given before and beside the caller's arguments."""

    fn: Any
    args: tuple[Any, ...] = ()
    keywords: tuple[tuple[str, Any], ...] = ()


def taken_apart(f: Any) -> Given:
    """What a call of ``f`` calls: a function with a text, or one that is decorated or derived.

    >>> taken_apart(functools.partial(taken_apart, 1)) == (taken_apart, (1,), ())
    True
    """
    f = python_function(f)
    if isinstance(f, types.FunctionType) and not has_rule(f):
        return Given(f)
    if isinstance(f, functools._lru_cache_wrapper):
        return Given(f.__wrapped__)
    if inspect.ismethod(f) and not has_rule(f):
        return Given(f.__func__, (f.__self__,))
    if isinstance(f, functools.partial) and takes(f.func, f.args, f.keywords):
        return Given(f.func, f.args, tuple(f.keywords.items()))
    method = method_of_array(f)
    if method is not None:
        return Given(calling(method), (f.__self__,))
    if not callable(f):
        shown = repr(f) if len(repr(f)) < LONGEST else "this"
        raise NotDifferentiable(
            f"{shown} is {a(type(f))}, not a function",
            fix="give the function itself, and the arguments to what comes back: rg.grad(f)(x)",
        )
    if isinstance(f, type) and not has_rule(f) and f not in NUMBERS:
        raise NotDifferentiable(
            f"{f.__name__} is a class",
            fix=f"name what is computed: `lambda x: {f.__name__}(x).value`",
        )
    method = static(type(f), "__call__")
    if is_python(method) and not is_library(method):
        return Given(method, (f,))
    return Given(calling(f))


def method_of_array(f: Any) -> Any:
    """The method of all arrays that ``f`` is, of one of them: ``np.ndarray.dot`` for ``A.dot``."""
    if isinstance(f, types.BuiltinMethodType) and type(f.__self__) is np.ndarray:
        return static(np.ndarray, f.__name__)
    return None


def is_python(method: Any) -> bool:
    """Whether a method is written in Python, decorated or not."""
    return (
        isinstance(method, types.FunctionType) or own_attribute(method, "__retrograd__") is not None
    )


def has_rule(f: Any) -> bool:
    try:
        if not is_library(f):
            return False
        # a library's functions are seldom what is asked for
        from retrograd.compiler.lowering.calls.callee_facts import known
        from retrograd.runtime.rules.programs import program_of
        from retrograd.runtime.rules.scipy import registry

        registry.load()
        return known(f) or program_of(f) is not None
    except TypeError:  # not hashable
        return False


def takes(fn: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> bool:
    """Whether every argument stands for a parameter of its own, so that those that remain follow it."""
    fn = python_function(fn)
    if not is_python(fn):
        return False
    chain = own_attribute(fn, "__retrograd__")  # of a decorated or derived function
    signature = own_signature(fn) if chain is None else chain.raw
    own = signature.parameters
    first = list(own.values())[: len(args)]
    by_position = all(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in first)
    if keywords and any(p.kind is p.VAR_POSITIONAL for p in own.values()):
        return False
    named = [own[n] for n in keywords if n in own]
    by_name = all(p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) for p in named)
    everything = len(first) == len(args) and len(named) == len(keywords)
    return by_position and by_name and everything


# -- what has no text: a function that calls it ----------------------------------------------

CALLING = Recent()  # by id: the function, and one that calls it
CALLS = "calls_of_libraries"  # the module of these functions


def calling(f: Any) -> types.FunctionType:
    """A Python function that calls ``f``; the same one for everybody who asks."""
    if id(f) not in CALLING:
        CALLING[id(f)] = f, written(f)
    made: types.FunctionType = CALLING[id(f)][1]
    return made


def written(f: Any) -> types.FunctionType:
    name = str(own_attribute(f, "__name__") or type(f).__name__)
    name = name if name.isidentifier() and not keyword.iskeyword(name) else "function"
    named = list(required(f))
    given = ", ".join([*named, "*args", "**options"])
    text = f"def {name}({given}):\n    return called({given})\n"
    file = file_for(f, name)
    scope: dict[str, Any] = {"called": f, "__name__": CALLS}
    exec(compile(text, file, "exec"), scope)
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    made: types.FunctionType = scope.pop(name)
    return made


def file_for(f: Any, name: str) -> str:
    """What stands for the file of a text: the same in each process, if there is one function of the name."""
    home = own_attribute(f, "__module__")
    whole = f"{home}.{name}" if isinstance(home, str) else name
    tried = (f"<{whole}>" if k == 1 else f"<{whole} {k}>" for k in count(1))
    return next(file for file in tried if file not in linecache.cache)


def required(f: Any) -> Iterator[str]:
    """The names of the arguments that a call cannot leave out, by position."""
    count = own_attribute(f, "nin")
    if count is not None:
        yield from ["x", "y", "z"][:count] if count <= 3 else [f"x{k}" for k in range(count)]
        return
    try:
        parameters = inspect.signature(f).parameters.values()
    except (ValueError, *ERRORS):
        return
    for p in parameters:
        if p.default is not p.empty or p.kind not in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD):
            return
        yield p.name
