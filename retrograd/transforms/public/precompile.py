"""Derivatives that are compiled before they are needed: when a program is installed, or when it starts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from retrograd.runtime.errors import RetrogradError, SignatureMismatch
from retrograd.runtime.objects.own_attributes import own_attribute

from ..signatures.found import found_types
from ..signatures.sample_arguments import LARGE, NoSample, sample_arguments
from ..transformed_function import Chain
from .door import public

__all__ = ["precompile"]

P = ParamSpec("P")
R = TypeVar("R")


@public
def precompile(f: Callable[P, R], *calls: Any) -> Callable[P, R]:
    """Compile a derivative for these calls, and keep in the cache what was made; gives ``f`` again.

    A call is a tuple of arguments, or a signature, ``"w: f8[d], x: f8[n, d]"``, of which arguments are made;
    without any, the types are those that annotations, the decorator or the docstring say.  ``f`` is run once
    for each call, whether its kernels are compiled beside the program (``wait=False``) or not: when this
    returns, they are there.

    >>> import retrograd as rg
    >>> def area(r):
    ...     return 3.0 * r * r
    >>> slope = rg.precompile(rg.grad(area), (1.0,))
    >>> slope(2.0)
    12.0
    """
    chain = chain_behind(f)
    for call in calls or (None,):
        run(f, chain, call)
    if chain.backend != "numpy":
        from retrograd.compiler.native.background import finish

        finish()
    return f


def chain_behind(f: Any) -> Chain:
    """What a derivative was made from; anything else is refused."""
    columns = own_attribute(f, "__columns__")
    chain = own_attribute(f, "__retrograd__") if columns is None else columns[0]
    if not isinstance(chain, Chain) or (columns is None and not chain.steps):
        raise SignatureMismatch(
            "what is compiled beforehand is a derivative: rg.precompile(rg.grad(f), (x,)), or f.grad of a "
            "decorated function"
        )
    return chain


def run(f: Callable[..., Any], chain: Chain, call: Any) -> None:
    if isinstance(call, tuple):
        f(*call)
        return
    if not (call is None or isinstance(call, str)):
        raise SignatureMismatch(
            f"a call is a tuple of its arguments or a signature, not {type(call).__name__}: "
            "rg.precompile(rg.grad(f), (x,))"
        )
    try:
        args = sample_arguments(chain, found_types(chain, call).types, sizes=LARGE)
    except NoSample as missing:
        raise SignatureMismatch(
            f"{chain.name}: nothing says what `{missing}` is: give the arguments of a call, or a signature"
        ) from None
    try:
        f(*args)
    except RetrogradError:
        raise
    except Exception as error:
        raise SignatureMismatch(
            f"{chain.name} raises {type(error).__name__} ({error}) for arguments that were made of its types: "
            "give the arguments of a call"
        ) from error
