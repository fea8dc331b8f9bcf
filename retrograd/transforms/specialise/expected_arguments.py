"""Assumptions of a written text about its arguments, for its guard and its header."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from retrograd.compiler.ir.target import is_on_device
from retrograd.compiler.ir.types import Array, Dim, Given, Tree, Type
from retrograd.runtime.errors import CompileError

from ..wrt import inner, resolved
from .compile import render
from .equal_sizes import changed
from .module_headers import show

__all__ = ["expected", "guarded"]


def guarded(
    chain: Any,
    types: dict[str, Type],
    unwrap: Any,
    command: str = "",
    home: Callable[[Any, str, Any], tuple[str, str] | None] | None = None,
) -> str:
    """The text of a chain with its guard; that no size is 1 is said where the text depends on it.

    ``home`` says where an object that the text of a program needs is imported from, ``command`` how to write
    the text again.
    """
    from retrograd.compiler.emit.module_text import Committed

    steps, tape = resolved(chain, types), chain.fallback is not None
    swept = any(step.kind in ("pushes", "pulls", "tangent") for step in chain.steps)
    equal = types  # with one name for sizes that are equal

    def text(known: dict[str, Type], apart: bool = False) -> str:
        def said(program: Any, found: dict[str, Type], lent: frozenset[int]) -> Committed:
            nonlocal equal
            equal = found
            whose = partial(home, program) if home else None
            return Committed(whose, () if swept else expected(chain, found, apart, lent))

        made = render(
            chain.fn, known, steps, unwrap, command, said, tape, chain.level, chain.watch.answers
        )
        return str(made[0].text)

    plain = text(types)
    if not any(map(has_apart, types.values())):
        return plain
    try:
        general = text({name: changed(kind, larger) for name, kind in equal.items()})
    except CompileError:
        general = ""
    return plain if general == plain else text(types, apart=True)


def larger(size: Any) -> Any:
    """A size of which it is not known whether it is 1."""
    return replace(size, above_one=False) if isinstance(size, Dim) else size


def has_apart(kind: Type) -> bool:
    kind = kind.type if isinstance(kind, Given) else kind
    if isinstance(kind, Array):
        return any(isinstance(n, Dim) and n.above_one for n in kind.dims or ())
    return isinstance(kind, Tree) and any(map(has_apart, kind.items))


def expected(
    chain: Any, types: dict[str, Type], apart: bool = False, lent: frozenset[int] = frozenset()
) -> tuple[str, ...]:
    """The kind of every argument, as ``rt.expects`` reads it; ``apart``: and which sizes are not 1.

    No array of integers may stand for the parameters ``lent``.
    """
    first = list(chain.full.parameters)[: len(chain.bound)]
    own = [*first, *chain.signature.parameters]
    names = [*first, *chain.parameters]
    places = [place for step in chain.steps for place in step.wrt]
    wanted = {names[place.at] for place in places if not place.keys}
    uncut = {n for k, n in enumerate(chain.full.parameters) if k in lent}
    kinds = [shown_kind(types.get(n), whole_kind(n in wanted, n in uncut)) for n in own]
    for place in (p for step in chain.steps if step.kind == "jvp" for p in step.wrt):
        name = names[place.at]  # a tangent is like what it is the tangent of
        known = inner(types.get(name), place.keys)
        kinds.append(shown_kind(known, "floating" if place.keys else f"like {name}"))
    if not apart:
        return tuple(kinds)
    sizes = list(dict.fromkeys(n for kind in types.values() for n in names_of(kind)))
    return (*kinds, " and ".join(f"{n} != 1" for n in sizes))


def names_of(kind: Type) -> list[str]:
    """The names of the sizes that are not 1."""
    kind = kind.type if isinstance(kind, Given) else kind
    if isinstance(kind, Array):
        return [n.name for n in kind.dims or () if isinstance(n, Dim) and n.above_one]
    return [n for item in kind.items for n in names_of(item)] if isinstance(kind, Tree) else []


def whole_kind(wanted: bool, uncut: bool) -> str:
    kind = "floating" if wanted else "not integers" if uncut else "real"
    return f"cp {kind}" if is_on_device() else kind


def shown_kind(kind: Any, otherwise: str) -> str:
    return otherwise if kind is None else show(kind, whole=True)
