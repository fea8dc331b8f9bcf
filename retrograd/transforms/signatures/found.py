"""The types that a derivative is written for where nobody has spelled all of them.

In this order: a signature; annotations; calls that were seen (an example, the docstring's, a run of a script);
defaults.  A source fills in what those before it leave open, and may not contradict them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from retrograd.compiler.ir.types import Array, Dim, Given, Number, Tree, Type
from retrograd.runtime.errors import CompileError, SignatureMismatch
from retrograd.runtime.records import dataclass, replace

from ..specialise.argument_types import kind_of_argument
from ..specialise.compile import with_equal_sizes
from ..specialise.module_headers import show
from ..transformed_function import Chain, chain_of, unwrap
from ..wrt import resolved
from .agreement import Contradiction, OneOf, Several, meet
from .annotations import FunctionClasses, annotated
from .calls import called_in_docstring
from .signature_text import parse_signature
from .size_names import fixed, has_unnamed, named_apart, names_in, renamed, with_own_names
from .types_of_batches import batches_in, of_batches, of_examples

__all__ = ["Found", "Source", "found_types"]


@dataclass(frozen=True)
class Source:
    """Where types come from, in words for an error, and what it says."""

    words: str
    types: dict[str, Any]


@dataclass(frozen=True)
class Found:
    """The types of the arguments, and the signature that says all of them; None where the asker's own does."""

    types: dict[str, Type]
    text: str | None


def found_types(
    asked: Chain, said: str | None = None, seen: Sequence[Source] = (), words: str = "the signature"
) -> Found:
    """The types for a chain: those that ``said`` spells, and what other sources know of the rest."""
    classes = FunctionClasses(asked.fn)
    described = said if said is not None else asked.sig
    spelled = parse_signature(described, classes) if described else {}
    asked.changed(steps=()).check_names(spelled)
    if batches_in(asked.steps):
        found = of_a_batch(asked, spelled, said is None, seen, words)
    else:
        found = filled_in(asked, spelled, seen, words)
    if all(same(found[n], spelled.get(n)) for n in found):
        return Found(spelled, None)
    text = text_of(found, classes)
    return Found(parse_signature(text, classes), text) if text else Found(spelled, None)


def filled_in(
    asked: Chain, spelled: dict[str, Any], seen: Sequence[Source], words: str
) -> dict[str, Any]:
    """What is spelled, and what is known of the rest, with a name for every size."""
    whole = joined(asked, Source(words, spelled), others(asked, seen))
    known = {name: kind for name, kind in map(settled, whole.items()) if kind is not None}
    if all(same(known[n], spelled.get(n)) for n in known):
        return known
    return with_names(asked, known)


def of_a_batch(
    asked: Chain, spelled: dict[str, Any], own: bool, seen: Sequence[Source], words: str
) -> dict[str, Any]:
    """The types of a batch: a signature says them, unless it is the function's ``own``; all else is of one example."""
    one = asked.changed(steps=tuple(step for step in asked.steps if step.kind != "vmap"))
    examples, known = of_examples({} if own else spelled, asked.steps)
    found = filled_in(one, spelled if own else examples, seen, words)
    taken = {*asked.full.parameters, *names_in(spelled), *names_in(found)}
    return of_batches(found, asked.steps, known, taken)


def same(kind: Any, spelled: Any) -> bool:
    return repr(kind) == repr(spelled)


def others(asked: Chain, seen: Sequence[Source]) -> list[Source]:
    """The sources after the signature, the most certain first."""
    found = [Source("its annotation", annotated(asked.fn)), *seen]
    if not seen:
        shown = called_in_docstring(asked, chain_of)
        found += [Source("the call in its docstring", shown)] if shown else []
    return found


def joined(asked: Chain, spelled: Source, sources: Iterable[Source]) -> dict[str, Any]:
    """What all sources say together."""
    wanted = {name for step in asked.steps for name in whole_names(asked, step)}
    names = [*asked.full.parameters]
    found: dict[str, Any] = {n: spelled.types[n] for n in names if n in spelled.types}
    from_: dict[str, str] = dict.fromkeys(found, spelled.words)
    for source in sources:
        for name in names:
            kind = source.types.get(name)
            kind = as_floats(kind) if name in wanted else kind
            if kind is None:
                continue
            both = agreed(name, found.get(name), kind, from_.get(name, ""), source.words)
            found[name] = completed(found[name], both) if name in spelled.types else both
            from_.setdefault(name, source.words)
    for name in names:
        if name not in found:
            found[name] = of_default(asked.full.parameters[name].default, name in wanted)
    return {n: found[n] for n in names if found.get(n) is not None}


def whole_names(asked: Chain, step: Any) -> list[str]:
    """The parameters that a step asks for as a whole."""
    names = list(asked.full.parameters)
    return [names[p.at] for p in step.wrt if not p.keys and p.at < len(names)]


def as_floats(kind: Any) -> Any:
    """What is asked for a gradient is a float, though an int was given for it."""
    if isinstance(kind, Number) and kind.kind in "i":
        return Number("f")
    if isinstance(kind, Tree) and kind.container != "object":
        return replace(kind, items=tuple(map(as_floats, kind.items)))
    return kind


def agreed(name: str, one: Any, other: Any, first: str, second: str) -> Any:
    try:
        return meet(one, other, name)
    except Contradiction as error:
        raise SignatureMismatch(
            f"`{error.path}` is {said(error.one)} by {first}, but {said(error.other)} by {second}"
        ) from None


def said(kind: Any) -> str:
    """A type in an error, as far as it is known."""
    if isinstance(kind, OneOf):
        return " or ".join(map(said, kind.kinds))
    if isinstance(kind, Several):
        return f"a {kind.container}"
    if isinstance(kind, Array) and kind.dtype is None:
        return "an array" if kind.dims is None else f"an array of {len(kind.dims)} dimensions"
    if isinstance(kind, Array) and kind.dims is not None:
        sizes = tuple(min(getattr(d, "sizes", ()), default=d) for d in kind.dims)
        return show(kind.with_dims(sizes), whole=True)
    if isinstance(kind, Tree) and kind.cls is type(None):
        return "None"
    return show(kind, whole=isinstance(kind, Tree) and kind.container != "object")


def completed(spelled: Any, both: Any) -> Any:
    """What a signature says stays as it is; it may leave out fields of objects."""
    if not isinstance(spelled, Tree) or not isinstance(both, Tree):
        return both if spelled is None else spelled
    pairs = dict(zip(spelled.keys, spelled.items, strict=True))
    items = [completed(pairs.get(k), i) for k, i in zip(both.keys, both.items, strict=True)]
    return replace(spelled, keys=both.keys, items=tuple(items))


def of_default(default: Any, wanted: bool) -> Any:
    """The type of a number that stands as a default."""
    if type(default) in (bool, int, float, complex):
        kind = kind_of_argument(default, "")
        return as_floats(kind) if wanted else kind
    if type(default) is tuple and default:
        items = tuple(of_default(item, wanted) for item in default)
        return None if None in items else Tree("tuple", tuple(range(len(items))), items)
    return None


# -- what can be written ----------------------------------------------------------------------


ANY, FLOATS = (
    Array(None, None, None),
    Array("float64", None, "f"),
)  # the second for a part that is the first


def settled(entry: tuple[str, Any]) -> tuple[str, Any]:
    """A type that can be written; None of one that is known too little."""
    name, kind = entry
    return name, whole(kind)


def whole(kind: Any) -> Any:
    if isinstance(kind, Array) and kind.dtype is None:
        usual = {"f": "float64", "i": "int64", "c": "complex128"}.get(kind.kind or "")
        kind = None if usual is None else Array(usual, kind.dims, kind.kind)
    if isinstance(kind, Tree):
        items = [whole(FLOATS if item == ANY else item) for item in kind.items]
        if kind.container != "object":
            return None if None in items else replace(kind, items=tuple(items))
        return replace(kind, items=tuple(items))
    return None if isinstance(kind, (OneOf, Several)) else kind


def with_names(asked: Chain, types: dict[str, Any]) -> dict[str, Type]:
    """The types with a name for every size, one for those that the program takes for equal."""
    taken = set(asked.full.parameters)
    if not has_unnamed(types) and any_texts(types) == types:
        return renamed(types, taken)
    for attempt in (any_texts(types), types, fixed(types)):
        apart = named_apart(attempt)
        try:
            return renamed(with_own_names(apart, equal_sizes(asked, apart)), taken)
        except CompileError:
            continue
    return renamed(named_apart(types), taken)


def any_texts(types: dict[str, Any]) -> dict[str, Any]:
    """The types with texts of which only the type is known, as most programs take them."""

    def any_text(kind: Any) -> Any:
        if isinstance(kind, Tree) and kind.cls in (str, bytes):
            return replace(kind, known=None)
        if not isinstance(kind, Tree):
            return kind
        return replace(kind, items=tuple(map(any_text, kind.items)))

    return {name: any_text(kind) for name, kind in types.items()}


def equal_sizes(asked: Chain, types: dict[str, Type]) -> dict[str, Type]:
    tape = asked.fallback is not None
    return with_equal_sizes(
        asked.fn, types, resolved(asked, types), unwrap, tape, answers=asked.watch.answers
    )


def text_of(types: dict[str, Type], classes: FunctionClasses) -> str:
    """The signature that says these types, but for those that cannot be read again."""
    return ", ".join(
        f"{name}: {show(kind, whole=True)}"
        for name, kind in types.items()
        if is_readable(name, kind, classes)
    )


def is_readable(name: str, kind: Type, classes: FunctionClasses) -> bool:
    try:
        again = parse_signature(f"{name}: {show(kind, whole=True)}", classes)[name]
    except (SignatureMismatch, AssertionError):
        return False
    return repr(comparable(again)) == repr(comparable(kind))


def comparable(kind: Any) -> Any:
    if isinstance(kind, Given):
        return replace(kind, type=comparable(kind.type))
    if isinstance(kind, Tree):
        return replace(kind, items=tuple(map(comparable, kind.items)), hides=False)
    if isinstance(kind, Array):
        sizes = tuple(Dim(d.name) if isinstance(d, Dim) else d for d in kind.dims or ())
        return replace(kind, dims=None if kind.dims is None else sizes)
    return kind
