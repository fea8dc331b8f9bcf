"""``expects``: a committed derivative refuses arguments that its text was not written for.

A kind is written as in a signature: ``f8[n, d]`` (equal names are equal sizes, ``...`` any rank),
``float``; ``floating``, ``real`` and ``not integers`` for texts that hold for every rank, or for those that they
name (``real of rank 1 or 2``; ``sequence of real of rank 0``: a vector, or a list of numbers); ``like x`` for tangents.
A number of another class with the same value is converted, and so is a dict of another class; its keys may come in
any order where ``keys in any order`` stands after the kinds.
With ``cp`` before it (``cp f8[n, d]``, ``cp floating``) its arrays are CuPy's.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from ..errors import SignatureMismatch
from ..tracebacks import trim
from .argument_conversions import converted
from .argument_forms import form_of
from .argument_refusals import alone, refusal
from .kind_checks import Sizes, check_of

__all__ = ["ANY_ORDER", "expects"]

F = TypeVar("F", bound=Callable[..., Any])
VARARGS, VARKEYWORDS = 4, 8  # of code objects
ANY_ORDER = "keys in any order"


def expects(*kinds: str) -> Callable[[F], F]:
    """Let a function be called with arguments of these kinds only, one for each parameter.

    >>> import numpy as np
    >>> @expects("f8[n]", "f8[n]")
    ... def dot(x, y):
    ...     return x @ y
    >>> dot(np.ones(3), np.ones(3)).item()
    3.0
    >>> try:
    ...     dot(np.ones(3), np.ones(4))
    ... except TypeError as error:
    ...     print(error)
    dot: `y` is f8[4], not f8[n] with n = 3
    """

    def decorate(fn: F) -> F:
        names = parameters(fn)
        count = len(names)
        forms = tuple(form_of(kind, names) for kind in kinds[:count])
        checks = tuple(map(check_of, forms))
        any_order = ANY_ORDER in kinds[count:]
        apart = names_apart([kind for kind in kinds[count:] if kind != ANY_ORDER])
        direct = -1 if is_starred(fn) else count  # so many arguments are those of the parameters
        if len(checks) != count:
            raise SignatureMismatch(f"{fn.__name__}: {len(kinds)} kinds for {count} parameters")

        @functools.wraps(fn)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            try:
                given: Any = args
                changed = False
                if kwargs or len(args) != direct:
                    args, kwargs, given = bound(fn, args, kwargs)
                sizes: Sizes = {}
                for k, check in enumerate(checks):
                    if not check(given[k], sizes, given):
                        value = converted(forms[k], given[k], any_order)
                        if value is given[k] or not check(value, sizes, given):
                            raise refusal(fn, names[k], forms[k], value, sizes, given)
                        given, changed = [*given[:k], value, *given[k + 1 :]], True
                for name in apart:
                    if sizes.get(name) == 1:
                        raise alone(fn, name)
                return called(fn, given) if changed else fn(*args, **kwargs)
            except BaseException as error:
                trim(error)
                raise

        return guarded  # type: ignore[return-value]

    return decorate


def called(fn: Any, given: list[Any]) -> Any:
    """A call with one value for each parameter."""
    code, starred = fn.__code__, bool(fn.__code__.co_flags & VARARGS)
    count, named = code.co_argcount, code.co_kwonlyargcount
    first = count + starred
    keywords = dict(zip(code.co_varnames[count : count + named], given[first:], strict=False))
    more = given[-1] if code.co_flags & VARKEYWORDS else {}
    return fn(*given[:count], *(given[count] if starred else ()), **keywords, **more)


def names_apart(last: list[str]) -> tuple[str, ...]:
    """The sizes of ``"n != 1 and d != 1"``, which may stand after the kinds."""
    parts = [part.split() for text in last for part in text.split(" and ")]
    if any(part[1:] != ["!=", "1"] for part in parts):
        raise SignatureMismatch(f"cannot read the kind {last[0]!r}")
    return tuple(part[0] for part in parts)


def parameters(fn: Any) -> list[str]:
    """The names of all parameters, in order; a call gives one value for each."""
    if is_starred(fn):
        import inspect

        return list(inspect.signature(fn).parameters)
    code = fn.__code__
    return list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])


def is_starred(fn: Any) -> bool:
    """True if there is ``*rest`` or ``**params``."""
    return bool(fn.__code__.co_flags & (VARARGS | VARKEYWORDS))


def bound(
    fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any], tuple[Any, ...]]:
    """The arguments with defaults filled in, as they are passed and one for each parameter."""
    import inspect

    made = inspect.signature(fn).bind(*args, **kwargs)
    made.apply_defaults()
    return made.args, made.kwargs, tuple(made.arguments.values())
