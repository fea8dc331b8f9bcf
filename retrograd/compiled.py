"""From a function and a request to loaded code: lower, derive, write, cache, load.

``chain`` is the list of transformations applied so far: ``grad(grad(f))`` is f with two.
"""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from retrograd.compiler.depth import deeply
from retrograd.compiler.places import Place
from retrograd.compiler.types import Type
from retrograd.runtime.checkpoint import marks_of

from .depends import (
    combined,
    custom_digest,
    dependencies,
    dependency_digest,
    resolve,
    resolve_reader,
    stamp,
)
from .door import built

__all__ = ["Loaded", "Step", "compile_chain", "derive_chain", "render"]


FORWARD = ("jvp", "tangent", "pushes")
MANY = ("pushes", "pulls")  # directions


class Step(NamedTuple):
    """One transformation: its kind and the places it differentiates."""

    kind: str
    wrt: tuple[Place, ...]
    single: bool = True


@dataclass
class Loaded:
    """Generated code, ready to be called."""

    functions: dict[str, Callable[..., Any]]
    text: str
    tree: Any
    guards: list[Any] = field(default_factory=list)
    several: bool = False
    active: tuple[bool, ...] = ()
    taped: list[Any] = field(default_factory=list)  # calls on the tape: name, line, why
    few: int = 0  # so many directions are quicker one after the other
    equal: list[Any] = field(default_factory=list)  # sizes that were taken for equal, in pairs
    sources: list[Any] = field(default_factory=list)  # the functions that the text was made from
    kernels: Any = None  # of a sweep for many directions


@built
@deeply
def derive_chain(
    fn: Any, types: dict[str, Type], chain: tuple[Step, ...], unwrap: Any, tape: bool = True
) -> tuple[Any, list[Any]]:
    """The program and the IR functions that the last step of ``chain`` makes."""
    from retrograd.compiler import pipeline
    from retrograd.compiler.differentiate.derive import Derivatives
    from retrograd.compiler.drawing import check_draws
    from retrograd.compiler.passes.unify import unheld

    focus = tuple(place for step in chain for place in step.wrt if place.keys)
    program, function = pipeline.lower(fn, types, unwrap, tape, focus)
    if chain and chain[-1].kind in MANY:
        check_draws(program)
    derive = Derivatives(tape=tape, refused=program.refused, apart=program.alias_matters)
    made = [function]
    for k, step in enumerate(chain):
        # What runs a loop again is no loop: it cannot be differentiated backwards once more.
        derive.revolving = all(later.kind in FORWARD for later in chain[k + 1 :])
        request = pipeline.Request(step.kind, step.wrt, step.single)
        made = pipeline.derived(made[0], request, derive)
    unequal = unheld(function.facts.get("same", {}), made)
    made[0].facts["unheld"] = [*unequal, *function.facts.get("lengths", ())]
    return program, made


def header(
    fn: Any,
    types: dict[str, Type],
    chain: tuple[Step, ...],
    source: Any,
    command: str = "",
    taped: list[Any] | None = None,
) -> str:
    """The docstring of a generated module; ``command`` writes it anew, ``taped`` are its taped calls."""
    from pathlib import Path

    from retrograd.version import version

    names = list(inspect.signature(fn, follow_wrapped=False).parameters)
    first = "; then ".join(describe(step, names) for step in chain)
    place = f"{Path(source.file).name}, line {source.line}"
    lines = [*wrapped(f"Derivative of `{fn.__name__}` in {place}: {first}.", quotes=3), ""]
    known = wrapped(f"For arguments {signature_text(types)}.") if types and not command else []
    if 0 < len(known) <= LONGEST:
        lines += [*known, ""]
    for name, line, why in taped or []:
        reason = f": {why}" if why else ""
        lines += wrapped(f"Needs the tape at run time for `{name}`, called in line {line}{reason}.")
    lines += [""] if taped else []
    written = f"Written by retrograd {version} (source {source.digest[:8]}). Change the function, not this file"
    lines += [*wrapped(f"{written}, then"), f"    {command}"] if command else wrapped(f"{written}.")
    return "\n".join(lines) + "\n"


LONGEST = 3  # lines about the kinds of arguments


def wrapped(text: str, quotes: int = 0) -> list[str]:
    """Lines of a docstring; the first of all has its quotes in front."""
    import textwrap

    return textwrap.wrap(text, 88 - quotes, break_long_words=False, break_on_hyphens=False)


def describe(step: Step, names: list[str]) -> str:
    mode = "forward mode" if step.kind in FORWARD else "reverse mode"
    mode += ", many directions at once" if step.kind in ("pushes", "pulls") else ""
    wrt = [place.text(names) if place.at < len(names) else str(place.at) for place in step.wrt]
    listed = " and ".join([", ".join(wrt[:-1]), wrt[-1]]) if len(wrt) > 1 else "".join(wrt)
    return f"{mode}, with respect to {listed}"


def signature_text(types: dict[str, Type]) -> str:
    parts = [f"{name}: {show(kind)}" for name, kind in types.items() if kind is not None]
    return ", ".join(parts)


SHORT = {"float64": "f8", "float32": "f4", "complex128": "c16", "complex64": "c8", "int64": "i8",
         "int32": "i4", "bool": "b1", "float16": "f2"}  # fmt: skip


def show(kind: Any) -> str:
    """A type as a signature writes it."""
    from retrograd.compiler.types import Array, Number, Tree

    if isinstance(kind, Number):
        return {"b": "bool", "i": "int", "f": "float", "c": "complex"}[kind.kind]
    if isinstance(kind, Array):
        dtype = SHORT.get(kind.dtype or "", kind.dtype or "float")
        if kind.dims is None:
            return f"{dtype}[...]"
        return f"{dtype}[{', '.join(str(n) for n in kind.dims)}]" if kind.dims else dtype
    if isinstance(kind, Tree) and kind.container == "dict":
        return (
            "{"
            + ", ".join(f"{k!r}: {show(i)}" for k, i in zip(kind.keys, kind.items, strict=True))
            + "}"
        )
    if isinstance(kind, Tree) and kind.container in ("tuple", "list"):
        inner = ", ".join(show(i) for i in kind.items)
        return f"({inner})" if kind.container == "tuple" else f"[{inner}]"
    return getattr(getattr(kind, "cls", None), "__name__", "object")


@built
@deeply
def render(
    fn: Any,
    types: dict[str, Type],
    chain: tuple[Step, ...],
    unwrap: Any,
    command: str = "",
    committed: Callable[[Any], Any] | None = None,
    tape: bool = True,
    optimize: int = 1,
) -> tuple[Any, Any, list[Any]]:
    """The module text of a derivative: (text, program, IR functions).

    For one that is kept under ``command``, ``committed`` says how it stands by itself.
    """
    from retrograd.compiler import pipeline
    from retrograd.compiler.collector import seldom_collected

    with seldom_collected():
        program, made = derive_chain(fn, types, chain, unwrap, tape)
        source = next(iter(program.sources.values()))
        taped = pipeline.calls_on_tape(made, program)
        about = header(fn, types, chain, source, command, taped)
        home = committed(program) if committed else None
        text = pipeline.module_of(made, about, program, home, optimize)
    text.taped = taped
    return text, program, made


# -- the cache ----------------------------------------------------------------------


@built
@deeply
def compile_chain(
    fn: Any,
    types: dict[str, Type],
    chain: tuple[Step, ...],
    unwrap: Any,
    tape: bool = True,
    optimize: int = 1,
) -> Loaded:
    """Loaded code for these arguments: from the cache if what it depends on is unchanged."""
    from retrograd.compiler import cache
    from retrograd.compiler.source import source_of

    source = source_of(fn)
    key = hashlib.sha256(
        repr(
            (
                source.digest + custom_digest(fn),
                source.first,
                source.file,
                fn.__qualname__,
                marks_of(fn),
                types,
                chain,
                tape,
                optimize,
                stamp(),
            )
        ).encode()
    ).hexdigest()
    name = "_".join([fn.__name__.strip("<>"), *(s.kind for s in chain)])
    index = cache.Entry(fn.__module__ or "unknown", f"{name}_index", key)
    found = load_from_cache(fn, name, key, index)
    if found is not None:
        return found
    return build(fn, types, chain, unwrap, name, key, index, tape, optimize)


def load_from_cache(fn: Any, name: str, key: str, index: Any) -> Loaded | None:
    """The module whose recorded dependencies are all as they were, if there is one."""
    from retrograd.compiler import cache
    from retrograd.compiler.module import fetch

    note = cache.read(index)
    if note is None:
        return None
    record = json.loads(note.lstrip("# "))
    try:
        now = [dependency_digest(fn, d) for d in record["depends"]]
        captured = {n: resolve(fn, path) for n, path in record["captured"].items()}
    except (AttributeError, KeyError, ImportError):
        return None
    if now != record["digests"]:
        return None
    entry = cache.Entry(index.module, name, combined(key, now))
    try:
        module = fetch(entry, lost, captured, record["main"][0])
    except Lost:
        return None
    guards = [Guard(resolve_reader(fn, d), resolve(fn, d)) for d in record["guards"]]
    sources = [resolve(fn, path) for path in record["depends"] if path[0] == "function"]
    return loaded(module, record, guards, sources)


class Lost(Exception):
    """The text that an index names is not in the cache."""


def lost() -> str:
    raise Lost


def loaded(module: Any, record: dict[str, Any], guards: list[Any], sources: list[Any]) -> Loaded:
    import inspect as inspecting

    functions = {n: getattr(module, n) for n in record["main"]}
    text = inspecting.getsource(module)
    text = text.partition("\n")[2] if text.startswith("# retrograd-cache") else text.lstrip("\n")
    return Loaded(
        functions,
        text,
        record["tree"],
        guards,
        record["several"],
        tuple(record["active"]),
        record["taped"],
        record["few"],
        record["equal"],
        sources,
    )


class Guard(NamedTuple):
    """A captured object and how to see what it is now."""

    read: Callable[[], Any]
    value: Any


def build(
    fn: Any,
    types: Any,
    chain: Any,
    unwrap: Any,
    name: str,
    key: str,
    index: Any,
    tape: bool,
    optimize: int,
) -> Loaded:
    """Compile, store text and index, load."""
    from retrograd.compiler import cache
    from retrograd.compiler.module import fetch, load

    text, program, made = render(fn, types, chain, unwrap, tape=tape, optimize=optimize)
    record = {
        "main": text.names, "tree": encode_tree(made[0].facts.get("value_tree")), "several": len(text.names) > 1,
        "active": list(made[0].facts.get("active", ())), "taped": text.taped,
        "few": made[0].facts.get("few", 0), "equal": made[0].facts["unheld"],
    }  # fmt: skip
    paths = dependencies(fn, program, text.captured)
    guards = [Guard(c.read, c.value) for c in program.guards.values()]
    sources = list(program.functions)
    if paths is None or not is_plain(made[0].facts.get("value_tree")):
        module = load(text.text, None, f"{name}_{key[:8]}", text.captured)
        return loaded(module, record, guards, sources)
    depends, captured, guarded, digests = paths
    record |= {"depends": depends, "digests": digests, "captured": captured, "guards": guarded}
    entry = cache.Entry(index.module, name, combined(key, digests))
    module = fetch(entry, lambda: text.text, text.captured, text.names[0])
    cache.store(index, "# " + json.dumps(record, sort_keys=True) + "\n")
    return loaded(module, record, guards, sources)


# -- structures of results, as JSON ------------------------------------------------------


def encode_tree(tree: Any) -> Any:
    from retrograd.compiler.structure import Pack

    if not isinstance(tree, Pack):
        return None
    kind = tree.kind.__name__ if tree.kind in (tuple, list, dict) else tree.kind
    return [kind, [k for k in tree.keys], [encode_tree(i) for i in tree.items]]


def is_plain(tree: Any) -> bool:
    from retrograd.compiler.structure import Pack

    if not isinstance(tree, Pack):
        return True
    return tree.kind in (tuple, list, dict) and all(is_plain(i) for i in tree.items)
