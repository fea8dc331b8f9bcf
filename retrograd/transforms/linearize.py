"""``linearize``: the tangents of a function at some arguments, as they were when it was asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.runtime.errors import NotDifferentiable

from .api import chain_arguments, chain_value, jvp
from .asked import asked_of
from .check.argument_copies import CannotCopy, fresh
from .pullbacks import Outside
from .stateful_functions import Traces

__all__ = ["linearize"]


def linearize(
    f: Callable[..., Any], *args: Any, strict: bool | None = None
) -> tuple[Any, Callable[..., Any]]:
    """``(f(*args), tangent_function)``: the tangent of ``f`` at these arguments.

    >>> def square(x):
    ...     return x * x
    >>> value, tangent = linearize(square, 3.0)
    >>> value, tangent(2.0)
    (9.0, 12.0)
    """
    chain = asked_of(f, strict)
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
    changed = around(chain, found.made).changes()
    value = chain_value(chain, full)

    def tangent(*tangents: Any) -> Any:
        name = changed()
        if name is not None:
            raise NotDifferentiable(
                f"{chain.name} reads `{name}`, which was written to since it was linearized",
                fix="call linearize again; or pass what changes as an argument",
            )
        return jvp(f, fresh(before) if found.kinds else before, tangents, strict=strict)[1]

    return value, tangent


def around(chain: Any, made: Any) -> Outside:
    """The objects a function reads beside its arguments: of the module, and the object of a bound method."""
    from retrograd.compiler.analyses.visible_effects import named_by

    names = dict(zip(chain.full.parameters, chain.bound, strict=False))
    if made is None:  # it runs on the tape
        return Outside((), names | dict(named_by(chain.fn)))
    return Outside(list(made.functions.values()), names)


linearize.__word__ = "linearize"  # type: ignore[attr-defined]  # how the compiler knows it
