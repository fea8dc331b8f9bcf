"""Calls: by a handler, or by the text of the function that is called."""

from __future__ import annotations

import ast
import functools
import types
from typing import Any

import numpy as np

from ...loop_ir.values import Constant, Items, View
from ...refusal import Unsupported
from ...stand_ins.find import ORDERS, TEXTS, VECTORS, stand_in_of
from ...text.helper_texts import is_helper, texts_of
from ...text.operation_counts import operations
from ..aliasing import apart, check_written
from ..handlers import fits, handler_of, reads_expression
from ..module_objects import known
from ..numpy.complex_numbers import check_taken
from ..numpy.elementwise import UFUNCS, elementwise
from ..numpy.special_functions import SPECIAL, is_scipy, special
from ..reader import Reader
from ..recursion.routines import called as call_of_itself
from .assignments import bound
from .expressions import evaluate
from .operators import math_call
from .statements import run

MOST = 2000  # operations of functions that call themselves
DEEPEST = 64
LONGEST = 1000  # elements that are put in order in a kernel: NumPy does it with wide instructions


@reads_expression(ast.Call)
def call(r: Reader, node: ast.Call) -> Any:
    fn = evaluate(r, node.func)
    args: list[Any] = []
    for arg in node.args:
        if isinstance(arg, ast.Starred):
            inner = evaluate(r, arg.value)
            if not isinstance(inner, Items):
                raise Unsupported("a starred array")
            args += inner.values
        else:
            args.append(evaluate(r, arg))
    if any(k.arg is None for k in node.keywords):
        raise Unsupported("keywords of a dict")
    kwargs = {str(k.arg): evaluate(r, k.value) for k in node.keywords}
    if not isinstance(fn, Constant):
        raise Unsupported(f"a call of `{ast.unparse(node.func)}`")
    with r.below(id(node)):
        return called(r, fn.value, args, kwargs, ast.unparse(node.func))


def called(r: Reader, fn: Any, args: list[Any], kwargs: dict[str, Any], text: str) -> Any:
    """``fn(*args, **kwargs)`` for a function that is known."""
    handler = handler_of(fn, r.source is not None)
    if r.device is not None:
        r.device.check_call(fn, handler, text)
    if handler is not None:
        check_taken(handler, args, kwargs, text)
        if not fits(handler, args, kwargs):
            raise Unsupported(f"these arguments of {text}")
        return handler(r, *args, **kwargs)
    if isinstance(fn, functools.partial):  # the handler of a method, with what it is of
        if not fits(fn.func, [*fn.args[1:], *args], kwargs):
            raise Unsupported(f"these arguments of {text}")
        return fn(*args, **kwargs)
    if isinstance(fn, np.ufunc) and fn in UFUNCS and not kwargs and len(args) == fn.nin:
        check_taken(fn, args, {}, text)
        return elementwise(r, fn, *args)
    if isinstance(fn, np.ufunc) and fn in UFUNCS and fn.nout == 1 and set(kwargs) <= {"out"}:
        check_taken(fn, args, kwargs, text)
        return into(r, fn, args, kwargs)
    if isinstance(fn, np.ufunc) and not kwargs and fn.__name__ in SPECIAL and is_scipy(fn):
        return special(r, fn.__name__, args)
    if isinstance(fn, types.BuiltinFunctionType) and fn.__module__ == "math" and not kwargs:
        return math_call(r, fn.__name__, args)
    if r.device is None and (found := stand_in_of(fn)) is not None:
        return stood_in(r, *found, args, kwargs, text)
    if isinstance(fn, types.FunctionType):
        return of_text(r, fn, args, kwargs)
    raise Unsupported(text)


def stood_in(
    r: Reader,
    place: tuple[str, str],
    program: Any,
    args: list[Any],
    kwargs: dict[str, Any],
    text: str,
) -> Any:
    """A call of a function of NumPy or SciPy, by a program of what kernels know."""
    check_taken(program, args, kwargs, text)
    arrays = [a for a in [*args, *kwargs.values()] if isinstance(a, View)]
    if place in VECTORS and any(len(a.dims) != 1 for a in arrays):
        raise Unsupported(f"{text} of a matrix")
    if place in ORDERS and any((r.likely(a.dims[0]) or 0) > LONGEST for a in arrays):
        raise Unsupported(f"{text} of a long array")
    texts = texts_of(program.__module__)
    try:
        with r.elsewhere(program.__globals__, texts):
            return inlined(r, texts[program.__name__], args, kwargs)
    except Unsupported as error:  # its lines are not those of the text
        raise Unsupported(text) from error


def into(r: Reader, fn: np.ufunc, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """``fn(*args, out=x)``, or with ``x`` behind the arguments: into an array, which is the result."""
    out = kwargs.get("out", args[fn.nin] if len(args) == fn.nin + 1 else None)
    if len(args) not in (fn.nin, fn.nin + 1) or not isinstance(out, View):
        raise Unsupported(f"these arguments of np.{fn.__name__}")
    value = elementwise(r, fn, *args[: fn.nin])
    if value.dtype[0] != out.dtype[0] or len(value.dims) > len(out.dims):
        raise Unsupported(f"np.{fn.__name__} into an array of another kind")
    check_written(r, out)
    r.fill(out, apart(r, value, out.buffer, out))
    return out


def at_once(r: Reader, fn: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """The result of a helper for arguments that are all known."""
    try:
        given = [r.literal(a) for a in args], {k: r.literal(v) for k, v in kwargs.items()}
    except Unsupported:
        return None
    try:
        found = fn(*given[0], **given[1])
    except Exception:
        return None
    plain = isinstance(found, (int, float, str, tuple)) and not isinstance(found, np.generic)
    return known(found) if plain else None


def of_text(r: Reader, fn: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A call of another function of the module, or of a helper of the runtime."""
    if fn.__globals__ is r.scope and fn.__name__ in r.functions:
        return inlined(r, r.functions[fn.__name__], args, kwargs)
    if is_helper(fn) and (done := at_once(r, fn, args, kwargs)) is not None:
        return done
    if not is_helper(fn) and fn.__module__ not in TEXTS:
        raise Unsupported(f"{fn.__module__}.{fn.__name__}")
    texts = texts_of(fn.__module__)
    if fn.__name__ not in texts:
        raise Unsupported(f"rt.{fn.__name__}")
    try:
        with r.elsewhere(fn.__globals__, texts):
            return inlined(r, texts[fn.__name__], args, kwargs)
    except Unsupported as error:  # its lines are not those of the text
        raise Unsupported(f"rt.{fn.__name__}") from error


def arguments(
    r: Reader, definition: ast.FunctionDef, args: list[Any], kwargs: dict[str, Any]
) -> dict[str, Any]:
    """The values of the parameters of a function."""
    given = definition.args
    names = [a.arg for a in [*given.posonlyargs, *given.args]]
    found = dict(zip(names, args, strict=False)) | kwargs
    if given.vararg is not None:
        found[given.vararg.arg] = Items(tuple(args[len(names) :]))
        names.append(given.vararg.arg)
    elif len(args) > len(names) or given.kwarg is not None:
        raise Unsupported(f"the arguments of `{definition.name}`")
    first = len(given.posonlyargs) + len(given.args) - len(given.defaults)
    later = [a.arg for a in given.kwonlyargs]
    defaults = [*zip(names[first:], given.defaults, strict=False)]
    defaults += [(n, d) for n, d in zip(later, given.kw_defaults, strict=True) if d is not None]
    for name, default in defaults:
        if name not in found:
            found[name] = evaluate(r, default)
    if set(found) != {*names, *later}:
        raise Unsupported(f"the arguments of `{definition.name}`")
    return found


def once_more(r: Reader, definition: ast.FunctionDef) -> None:
    """A function calls itself: its text is read once more, as long as this ends soon."""
    r.repeats += operations(definition.body)
    if r.repeats > MOST or len(r.calls) > DEEPEST:
        raise Unsupported(f"`{definition.name}` calls itself, how often is not known")


def inlined(r: Reader, definition: ast.FunctionDef, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """The body of a function in place of its call; one that calls itself is called."""
    if r.program is not None and r.program.has(definition):
        given = arguments(r, definition, args, kwargs)
        return call_of_itself(r, definition, {n: bound(r, v, n) for n, v in given.items()})
    if definition in r.calls:
        once_more(r, definition)
    outer, loops = r.env, r.loops
    r.env = {n: bound(r, v, n) for n, v in arguments(r, definition, args, kwargs).items()}
    r.calls.append(definition)
    r.outer.append(outer)
    try:
        if r.device is not None:
            r.device.around.append(outer)
        value = run(r, definition.body, set())
    finally:
        if r.device is not None:
            r.device.around.pop()
        r.env, r.loops = outer, loops
        r.calls.pop()
        r.outer.pop()
    return Constant(None) if value is None else value
