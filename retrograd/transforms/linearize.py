"""``linearize``: the tangents of a function at some arguments, as they were when it was asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar, overload

from retrograd.derivatives import pickled_on_demand
from retrograd.runtime.errors import NotDifferentiable

from .api import Chain, chain_arguments, chain_value, jvp
from .asked import asked_of
from .check.argument_copies import CannotCopy, fresh
from .public.door import public
from .pullbacks import Outside
from .specialise.eager_fallback import pair
from .stateful_functions import Traces

__all__ = ["linearize"]


R = TypeVar("R")
Aux = TypeVar("Aux")


@overload
def linearize(
    f: Callable[..., R],
    *args: Any,
    has_aux: Literal[False] = False,
    backend: str | None = None,
    strict: bool | None = None,
) -> tuple[R, Callable[..., R]]: ...


@overload
def linearize(
    f: Callable[..., tuple[R, Aux]],
    *args: Any,
    has_aux: Literal[True],
    backend: str | None = None,
    strict: bool | None = None,
) -> tuple[R, Callable[..., R], Aux]: ...


@public
def linearize(
    f: Callable[..., Any],
    *args: Any,
    has_aux: bool = False,
    backend: str | None = None,
    strict: bool | None = None,
) -> tuple[Any, ...]:
    """``(f(*args), tangent_function)``: the tangent of ``f`` at these arguments.

    ``has_aux``: the function returns ``(value, aux)``, and this ``(value, tangent_function, aux)``.
    ``backend`` is as in `grad`.

    >>> def square(x):
    ...     return x * x
    >>> value, tangent = linearize(square, 3.0)
    >>> value, tangent(2.0)
    (9.0, 12.0)
    """
    chain = asked_of(f, strict, backend)
    full = chain_arguments(chain, args)
    found = chain.once("traces", lambda: Traces(chain)).of_run(full)
    try:
        before = fresh(args) if "run" not in found.kinds else None
    except CannotCopy:
        before = None if found.kinds else list(args)
    if before is None:
        raise NotDifferentiable(
            f"linearize of {chain.name} would run it for each tangent, and it writes to what is not its own",
            fix="pass what it changes as an argument; or use rg.jvp or rg.vjp, which run it once",
        )
    outside = around(chain, found.made)
    seen = outside.seen()
    value = chain_value(chain, full)
    tangent = tangent_at(chain, before, has_aux, outside, seen, bool(found.kinds))
    if has_aux:
        value, aux = pair(value)
        return value, tangent, aux
    return value, tangent


def tangent_at(
    chain: Chain, before: list[Any], has_aux: bool, outside: Outside, seen: Any, writes: bool
) -> Callable[..., Any]:
    own: Any = chain.then("first", ()) if has_aux else chain

    @public
    def tangent(*tangents: Any) -> Any:
        name = outside.changed(seen)
        if name is not None:
            raise NotDifferentiable(
                f"{chain.name} reads `{name}`, which was written to since it was linearized",
                fix="call linearize again; or pass what changes as an argument",
            )
        return jvp(own, fresh(before) if writes else before, tangents)[1]

    recipe = lambda: (chain, before, has_aux, seen)  # noqa: E731
    return pickled_on_demand(tangent, chain.dotted_as("tangent"), tangent_again, recipe)  # type: ignore[no-any-return]


def tangent_again(chain: Chain, before: list[Any], has_aux: bool, seen: Any) -> Callable[..., Any]:
    """A tangent function that was pickled: what the function reads here has to be what it was there."""
    found = chain.once("traces", lambda: Traces(chain)).of_run(chain_arguments(chain, before))
    outside = around(chain, found.made)
    return tangent_at(chain, before, has_aux, outside, seen, bool(found.kinds))


def around(chain: Any, made: Any) -> Outside:
    """The objects a function reads beside its arguments: of the module, and the object of a bound method."""
    from retrograd.compiler.analyses.visible_effects import named_by

    names = dict(zip(chain.full.parameters, chain.bound, strict=False))
    if made is None:  # it runs on the tape
        return Outside((), names | dict(named_by(chain.fn)))
    return Outside(list(made.functions.values()), names)


linearize.__word__ = "linearize"  # type: ignore[attr-defined]  # how the compiler knows it
