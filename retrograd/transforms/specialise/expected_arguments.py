"""Assumptions of a written text about its arguments, for its guard and its header."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from retrograd.compiler.driver.progress import progress
from retrograd.compiler.ir.operations import values_in, values_read, walk
from retrograd.compiler.ir.target import is_on_device
from retrograd.compiler.ir.types import Array, Dim, Given, Number, Tree, Type
from retrograd.runtime.errors import CompileError
from retrograd.runtime.user.argument_checks import ANY_ORDER

from ..signatures.decided_ranks import decided_ranks, ranks_in_words, types_of_ranks
from ..signatures.key_order import has_order, is_blind
from ..signatures.size_names import names_in
from ..signatures.types_of_batches import batches_in, of_batches, of_examples
from ..wrt import inner, resolved
from .compile import lowered, render
from .equal_sizes import changed
from .module_headers import show

__all__ = ["expected", "guarded", "written"]


def guarded(
    chain: Any,
    types: dict[str, Type],
    unwrap: Any,
    command: str = "",
    home: Callable[[Any, str, Any], tuple[str, str] | None] | None = None,
    name: str = "",
    read: Callable[[Any], None] | None = None,
) -> str:
    """The text of a chain with its guard, see `written`."""
    return str(written(chain, types, unwrap, command, home, name, read).text)


def written(
    chain: Any,
    types: dict[str, Type],
    unwrap: Any,
    command: str = "",
    home: Callable[[Any, str, Any], tuple[str, str] | None] | None = None,
    name: str = "",
    read: Callable[[Any], None] | None = None,
) -> Any:
    """The module of a chain with its guard; that no size is 1 is said where the text depends on it.

    ``home`` says where an object that the text of a program needs is imported from, ``command`` how to write
    the text again; ``name`` is that of the function, if not the usual one.  ``read`` is told of the program.
    """
    steps = resolved(chain, types)
    decided, ranks = decided_types(chain, types, steps, unwrap)
    rest = (steps, unwrap, command, home, name, read)
    try:
        return guarded_text(chain, types | decided, ranks, *rest)
    except CompileError:
        if not (ranks or decided):
            raise
    return guarded_text(chain, types, {}, *rest)


def decided_types(
    chain: Any, types: dict[str, Type], steps: Any, unwrap: Any
) -> tuple[dict[str, Type], dict[str, Any]]:
    """The types of arguments that nobody told, where the function decides their ranks, and the ranks."""
    tape = chain.fallback is not None
    if not batches_in(steps):
        ranks = decided_ranks(chain.fn, types, steps, unwrap, tape)
        return types_of_ranks(ranks, wanted_in(chain)) if ranks else {}, ranks
    one, known = of_examples(types, steps)
    within = tuple(step for step in steps if step.kind != "vmap")
    ranks = decided_ranks(chain.fn, one, within, unwrap, tape) if within else {}
    found = types_of_ranks(ranks, wanted_in(chain)) if ranks else {}
    return of_batches(found, steps, known, {*chain.full.parameters, *names_in(types)}), {}


def guarded_text(
    chain: Any,
    types: dict[str, Type],
    ranks: dict[str, Any],
    steps: Any,
    unwrap: Any,
    command: str,
    home: Callable[[Any, str, Any], tuple[str, str] | None] | None,
    name: str,
    read: Callable[[Any], None] | None,
) -> Any:
    """The same, where arguments are of these ranks."""
    from retrograd.compiler.emit.module_text import Committed

    tape = chain.fallback is not None
    swept = any(step.kind in ("pushes", "pulls", "gathered") for step in chain.steps)
    equal = types  # with one name for sizes that are equal
    once = partial(lowered, chain.fn, chain=steps, unwrap=unwrap, tape=tape)
    free = any(map(has_order, types.values())) and is_blind(types, once)
    orders = (ANY_ORDER,) if free else ()

    def text(known: dict[str, Type], apart: bool = False) -> Any:
        def said(
            program: Any, found: dict[str, Type], lent: frozenset[int], made: Any
        ) -> Committed:
            nonlocal equal
            equal = found
            if read is not None:
                read(program)
            whose = partial(home, program) if home else None
            last = cotangents(chain, made)
            kinds = () if swept else (*expected(chain, found, apart, lent, ranks, last), *orders)
            return Committed(whose, kinds[without_class(chain, made) :], name)

        with progress(f"writing {chain.name}"):
            made = render(
                chain.fn,
                known,
                steps,
                unwrap,
                command,
                said,
                tape,
                chain.level,
                chain.watch.answers,
                ranks,
            )
        return made[0]

    plain = text(types)
    if not any(map(has_apart, types.values())):
        return plain
    try:
        general = text({name: changed(kind, larger) for name, kind in equal.items()})
    except CompileError:
        return text(types, apart=True)
    return plain if general.text == plain.text else text(types, apart=True)


def larger(size: Any) -> Any:
    """A size of which it is not known whether it is 1."""
    return replace(size, above_one=False) if isinstance(size, Dim) else size


def has_apart(kind: Type) -> bool:
    kind = kind.type if isinstance(kind, Given) else kind
    if isinstance(kind, Array):
        return any(isinstance(n, Dim) and n.above_one for n in kind.dims or ())
    return isinstance(kind, Tree) and any(map(has_apart, kind.items))


def expected(
    chain: Any,
    types: dict[str, Type],
    apart: bool = False,
    lent: frozenset[int] = frozenset(),
    ranks: dict[str, Any] | None = None,
    last: Sequence[str] = (),
) -> tuple[str, ...]:
    """The kind of every argument, as ``rt.expects`` reads it; ``apart``: and which sizes are not 1.

    No array of integers may stand for the parameters ``lent``; those in ``ranks`` have such; ``last`` are the
    kinds of cotangents.
    """
    first = list(chain.full.parameters)[: len(chain.bound)]
    own = [*first, *chain.signature.parameters]
    names = [*first, *chain.parameters]
    wanted = wanted_in(chain)
    uncut = {n for k, n in enumerate(chain.full.parameters) if k in lent}
    kinds = []
    for n in own:
        kind = whole_kind(n in wanted, n in uncut)
        bounded = ranks is not None and n in ranks
        kinds.append(ranks_in_words(kind, ranks[n]) if bounded else shown_kind(types.get(n), kind))  # type: ignore[index]
    for place in (p for step in chain.steps if step.kind in ("jvp", "tangent") for p in step.wrt):
        name = names[place.at]  # a tangent is like what it is the tangent of
        known = inner(types.get(name), place.keys)
        kinds.append(shown_kind(known, "floating" if place.keys else f"like {name}"))
    kinds += last
    if not apart:
        return tuple(kinds)
    sizes = list(dict.fromkeys(n for kind in types.values() for n in names_of(kind)))
    return (*kinds, " and ".join(f"{n} != 1" for n in sizes)) if sizes else tuple(kinds)


def without_class(chain: Any, made: Any) -> int:
    """Take the class that a class method is bound to out of the parameters, where nothing reads it: how many are."""
    body = made.body
    if not chain.bound or not isinstance(chain.bound[0], type) or not body.params:
        return 0
    first = body.params[0]
    if first in set().union(values_in(body.yields), *map(values_read, walk(body))):
        return 0
    body.params, made.names = body.params[1:], made.names[1:]
    return 1


def cotangents(chain: Any, made: Any) -> list[str]:
    """The kinds of the cotangents that come after the arguments, one for each result."""
    kinds = [step.kind for step in chain.steps if step.kind != "vmap"]
    if not kinds or kinds[-1] not in ("cotangent", "pull"):
        return []
    own = chain.full.parameters
    return [cotangent_kind(seed.type) for seed in made.body.params[len(own) :]]


def cotangent_kind(kind: Any) -> str:
    known = isinstance(kind, (Array, Number)) and kind.dims
    return show(kind) if known and all(map(is_named, kind.dims)) else whole_kind(False, False)


def is_named(size: Any) -> bool:
    return isinstance(size, int) or str(size).isidentifier()


def wanted_in(chain: Any) -> set[str]:
    """The parameters that are differentiated as a whole."""
    names = [*list(chain.full.parameters)[: len(chain.bound)], *chain.parameters]
    return {names[p.at] for step in chain.steps for p in step.wrt if not p.keys}


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
    return otherwise if kind is None or is_vague(kind) else show(kind, whole=True)


def is_vague(kind: Any) -> bool:
    """True of an object of whose fields nothing is known but the names: any that has them will do."""
    return (
        isinstance(kind, Tree)
        and kind.known is None
        and kind.items.count(None) == len(kind.items)
        and (kind.container == "object")
    )
