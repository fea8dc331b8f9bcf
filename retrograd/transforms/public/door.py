"""The door of the API: how its functions answer what they were not meant to be given."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from retrograd.runtime.errors import SignatureMismatch
from retrograd.runtime.tracebacks import trim

__all__ = ["alike", "no_argument", "one_word", "public"]

F = TypeVar("F", bound=Callable[..., Any])
UNKNOWN = r"(.*)\(\) got an unexpected keyword argument '(\w+)'"
WRT = "here it is `wrt=` (a position, a name, or a tuple of them)"
HABITS = {  # options that other libraries have
    "allow_int": "integers have no gradient: leave them out of `wrt`",
    "holomorphic": "a complex function has tangents and cotangents: rg.jvp, rg.vjp",
    "reduce_axes": "sum what is to be summed in the function",
    "create_graph": "derivatives are functions, and have derivatives: rg.grad(rg.grad(f))",
    "retain_graph": "derivatives are functions: call them as often as you like",
    "has_aux": "it is an option of rg.grad, rg.value_and_grad, rg.jvp, rg.vjp, rg.linearize, rg.jacobian and rg.hessian",
    "vectorize": "many directions go in one sweep anyway",
    "chunk_size": "many directions go in one sweep; `mode=` says which way",
    "static_argnums": "leave what is not differentiated out of `wrt=`",
    "jit": 'nothing needs it; `backend="c"` compiles',
    "fun": "the function is the first argument, by position",
    "func": "the function is the first argument, by position",
}


def public(fn: F) -> F:
    """A function that users call: its errors show their frames alone, and say which options there are."""

    @functools.wraps(fn)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return fn(*args, **kwargs)
        except BaseException as error:
            better = answered(fn, error) if type(error) is TypeError else None
            if better is None:
                trim(error)
                raise
            try:
                raise better from None
            except SignatureMismatch as said:
                said.__traceback__ = None  # and raised again, it does not get this frame either
                raise

    return call  # type: ignore[return-value]


def answered(fn: Any, error: TypeError) -> TypeError | None:
    """A better answer to an option that the function does not have."""
    here = error.__traceback__
    found = re.fullmatch(UNKNOWN, str(error))
    if found is None or here is None or here.tb_next is not None:
        return None
    own = inspect.signature(fn).parameters.values()
    names = [p.name for p in own if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    called, option = fn.__name__, found[2]
    if option in ("argnum", "argnums"):
        option_here = WRT if "wrt" in names else "what does not move has None for its tangent"
        return SignatureMismatch(f"{called}() has no option `{option}`: {option_here}")
    said = HABITS.get(option) or alike(option, names) or f"it has {', '.join(names)}"
    return SignatureMismatch(f"{called}() has no option `{option}`: {said}")


def alike(name: str, known: Iterable[str]) -> str:
    """What was meant, perhaps.

    >>> alike("bakcend", ["wrt", "backend"]), alike("tol", ["wrt", "backend"])
    ('did you mean `backend`?', '')
    """
    from difflib import get_close_matches  # for errors alone

    found = get_close_matches(name, list(known), n=2, cutoff=0.6)
    return f"did you mean {' or '.join(f'`{one}`' for one in found)}?" if found else ""


def no_argument(function: str, name: str, known: Sequence[str]) -> str:
    """
    >>> no_argument("loss", "weight", ["weights", "x"])
    'loss has no argument `weight`; it has weights, x: did you mean `weights`?'
    """
    said = alike(name, known)
    return f"{function} has no argument `{name}`; it has {', '.join(known)}{said and f': {said}'}"


def one_word(wrt: Any, argnums: Any) -> Any:
    """What is differentiated: ``argnums`` is JAX's word for ``wrt``.

    >>> one_word(None, 1), one_word("x", None)
    (1, 'x')
    """
    if argnums is None:
        return wrt
    if wrt is not None:
        raise SignatureMismatch("wrt and argnums are two words for one thing: give one of them")
    return list(argnums) if isinstance(argnums, Sequence) and type(argnums) is not str else argnums
