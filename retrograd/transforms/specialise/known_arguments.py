"""What is known of the arguments of a call besides their kinds: texts, flags, whole numbers.

A function is compiled for all values of its arguments, unless it is refused so.  Then it is compiled for those that
its branches ask for: they are guarded like the kinds, and another value is another text.
"""

from __future__ import annotations

import enum
import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from retrograd.compiler.ir.argument_path import spelled
from retrograd.compiler.ir.gradient_parts import is_opaque
from retrograd.compiler.ir.types import Array, Exactly, Given, Number, Tree, Type, apart
from retrograd.runtime.errors import CompileError, MutationError, UnsupportedSyntax

from .argument_types import kinds_key

__all__ = ["Kinds", "compiled_for", "known_kind", "narrowed"]

Path = tuple[str, tuple[Any, ...]]  # a parameter, and the keys that lead into it
WORDS = (enum.Enum, type, np.dtype)
MOST = 32  # texts for values of arguments, for one kind of call


class Kinds(dict[str, Type]):
    """The kinds of the arguments of a call; ``known`` tells them with all that is known of the values."""

    def __init__(self, kinds: dict[str, Type], names: Sequence[str], args: Sequence[Any]) -> None:
        super().__init__(kinds)
        self.known = functools.partial(known_kinds, kinds, names, args)


def known_kinds(
    kinds: dict[str, Type], names: Sequence[str], args: Sequence[Any]
) -> dict[str, Type]:
    """Kinds with all that is known of the arguments of these names."""
    values = dict(zip(names, args, strict=False))
    return {n: known_kind(k, values[n]) if n in values else k for n, k in kinds.items()}


class Pinned:
    """The places in the arguments of a kind of call whose values matter, and how many texts there are."""

    def __init__(self) -> None:
        self.paths: frozenset[Path] = frozenset()
        self.made = 0


def compiled_for(
    pinned: dict[Any, Pinned],
    types: dict[str, Type],
    compiled: Callable[[dict[str, Type]], Any],
    consulted: Callable[[dict[str, Type]], Iterable[Path]],
    tape: bool = False,
) -> Any:
    """What ``compiled`` gives for these kinds, or, if it is refused, for the values that its branches ask for.

    These are entered in ``types``, and their places in ``pinned``.  ``tape``: when many values were met, the
    function may be refused, and runs on the tape.
    """
    if not isinstance(types, Kinds):
        return compiled(types)
    plain, known = apart(types)[0], types.known()
    found = pinned.get(key := kinds_key(plain)) or Pinned()
    if found.made >= MOST and tape:
        types.update(plain)
        raise UnsupportedSyntax(
            f"its branches depend on the value of {listed(found.paths)}, and {MOST} values were compiled"
        )
    new = apart(known)[1].keys() - found.paths
    try:
        made = compiled(types)
    except CompileError as error:
        paths = found.paths | (frozenset(consulted(known)) if new else frozenset())
        if new and isinstance(error, MutationError):
            paths |= of_rank_0(known).keys()
        if paths == found.paths:
            raise
    else:
        unsure = new and (getattr(made, "taped", None) or getattr(made, "left", False))
        paths = found.paths | (wanted(known, consulted) if unsure else set())
        rank_0 = of_rank_0(known) if getattr(made, "numbers", False) else {}
        serves = paths == found.paths and Exactly(np.ndarray) not in rank_0.values()
        paths |= rank_0.keys()
        if serves:
            if paths != found.paths:  # an array of rank 0 is to have a text of its own
                pinned[key], found.paths = found, paths
                types.update(narrowed(known, paths))
            found.made += 1
            return made
    pinned[key], found.paths = found, paths
    types.update(narrowed(known, paths))
    made, found.made = compiled(types), found.made + 1
    return made


def of_rank_0(known: dict[str, Type]) -> dict[Path, Exactly]:
    """The classes of the arguments that are numbers of NumPy's or arrays without dimensions."""
    return {at: value for at, value in apart(known)[1].items() if isinstance(value, Exactly)}


def listed(paths: Iterable[Path]) -> str:
    """Places as they are written.

    >>> listed([("mode", ()), ("layer", ("act",))])
    "`layer['act']`, `mode`"
    """
    return ", ".join(sorted(f"`{name}{spelled(keys)}`" for name, keys in paths))


def wanted(
    known: dict[str, Type], consulted: Callable[[dict[str, Type]], Iterable[Path]]
) -> frozenset[Path]:
    """The values that branches ask for; none where that is refused."""
    try:
        return frozenset(consulted(known))
    except CompileError:
        return frozenset()


def known_kind(kind: Any, value: Any) -> Any:
    """The kind of an argument with what is known of the value: of an array its class, if it has no dimensions.

    >>> known_kind(Number("i"), 2), known_kind(Number("f"), 2.0) == Number("f")
    (Given(type=Number(kind='i', dims=(), dtype=None, rank=0, size=None, least=None), value=2), True)
    """
    if isinstance(kind, Tree) and kind.known is not None:
        return kind
    if isinstance(kind, Tree) and (isinstance(value, WORDS) or type(value) in (str, bytes)):
        return Given(kind, value)
    if isinstance(kind, Number):
        return Given(kind, value) if kind.kind in "bi" else kind
    if isinstance(value, np.generic) and isinstance(kind, Array) and kind.kind in ("b", "i"):
        return Given(kind, value)
    if isinstance(kind, Array):
        return Given(kind, Exactly(type(value))) if kind.dims == () else kind
    if isinstance(kind, Tree) and kind.items:
        pairs = zip(kind.keys, kind.items, strict=True)
        return replace(kind, items=tuple(known_kind(i, part(kind, value, k)) for k, i in pairs))
    return kind


def part(kind: Tree, value: Any, key: Any) -> Any:
    if kind.container != "object":
        return value[key]
    return value.__dict__[key] if is_opaque(kind) else getattr(value, key)


def narrowed(known: dict[str, Type], paths: Iterable[Path]) -> dict[str, Type]:
    """Of all that is known only what stands at these paths."""
    wanted = set(paths)

    def kept(kind: Any, name: str, keys: tuple[Any, ...]) -> Any:
        if isinstance(kind, Given):
            return kind if (name, keys) in wanted else kind.type
        if isinstance(kind, Tree) and kind.items:
            pairs = zip(kind.keys, kind.items, strict=True)
            return replace(kind, items=tuple(kept(i, name, (*keys, k)) for k, i in pairs))
        return kind

    return {name: kept(kind, name, ()) for name, kind in known.items()}
