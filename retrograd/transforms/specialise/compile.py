"""From a function and a request to loaded code: lower, derive, write, cache, load.

``chain`` is the list of transformations applied so far: ``grad(grad(f))`` is f with two.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from retrograd.compiler.dependencies.object_paths import follow
from retrograd.compiler.dependencies.object_reads import ERRORS
from retrograd.compiler.driver.recursion_depth import deeply
from retrograd.compiler.driver.times import reported
from retrograd.compiler.ir.target import asked_library, compiled_for, library_in
from retrograd.compiler.ir.types import Type, apart
from retrograd.runtime.checkpointing.marks import marks_of
from retrograd.runtime.errors import CompileError, SourceUnavailable
from retrograd.runtime.objects.own_attributes import home_of

from .equal_sizes import unified
from .fingerprint import (
    are_shared,
    combined,
    custom_digest,
    dependencies,
    distinct,
    read_again,
    reading_digest,
    stamp,
)
from .gradient_leaves import refuse_parts_apart
from .internal_errors import built
from .module_headers import header
from .steps import FORWARD, MANY, Step

__all__ = ["Loaded", "compile_chain", "consulted", "derive_chain", "render"]

Result = TypeVar("Result")


def targeted(run: Callable[..., Result]) -> Callable[..., Result]:
    """Have a program compiled for the library of its arguments."""

    @functools.wraps(run)
    def compiled(fn: Any, types: dict[str, Type], *args: Any, **kwargs: Any) -> Result:
        with compiled_for(library_in(types) or asked_library()):
            return run(fn, types, *args, **kwargs)

    return compiled


@dataclass
class Loaded:
    """Generated code, ready to be called."""

    functions: dict[str, Callable[..., Any]]
    text: str
    tree: Any
    guards: list[Any] = field(default_factory=list)
    several: bool = False
    taped: list[Any] = field(default_factory=list)  # calls on the tape: name, line, why
    left: bool = False  # whether a side of a branch is refused if it is taken
    numbers: bool = False  # whether an argument is refused if it is an array of rank 0
    few: int = 0  # so many directions are quicker one after the other
    equal: list[Any] = field(
        default_factory=list
    )  # sizes that are equal; or that the function wants so
    sources: list[Any] = field(default_factory=list)  # the functions that the text was made from
    kernels: Any = None  # of a sweep for many directions
    reserved: list[Any] | None = None  # what cannot be checked, and why; None: not known
    proven: set[str] = field(default_factory=set)  # what was checked when it was first computed
    remember: Callable[[list[str]], None] | None = None  # for other processes
    pinned: bool = False  # it is made for values of arguments, not for their kinds alone
    notices: list[Any] = field(
        default_factory=list
    )  # what the user is told once it has run: site, text
    outside: Any = None  # what its last function reads of the module, once somebody has asked


@built
@deeply
@targeted
def derive_chain(
    fn: Any,
    types: dict[str, Type],
    chain: tuple[Step, ...],
    unwrap: Any,
    tape: bool = True,
    decide: bool = True,
    answers: bool = True,
) -> tuple[Any, list[Any]]:
    """The program and the IR functions that the last step of ``chain`` makes.

    What is refused, or would run on the tape, is tried again: see `Attempt`.
    """
    from retrograd.compiler import pipeline

    attempt = pipeline.Attempt(answers=answers)
    once = functools.partial(derived_once, fn, types, chain, unwrap)
    try:
        program, made = once(tape, decide, attempt)
    except CompileError:
        better = derived_further(attempt, functools.partial(once, tape, decide))
        if better is None:
            raise
        return better
    if pipeline.calls_on_tape(made, program):
        better = derived_further(attempt, functools.partial(once, False, decide))
        program, made = better or (program, made)
    return program, made


def derived_further(attempt: Any, once: Any) -> tuple[Any, list[Any]] | None:
    """What a further attempt gives; None if none passes."""
    for another in attempt.further():
        try:
            made: tuple[Any, list[Any]] = once(another)
        except Exception:  # whatever is in the text of a library
            continue
        return made
    return None


def derived_once(
    fn: Any, types: dict[str, Type], chain: tuple[Step, ...], unwrap: Any, tape: bool, decide: bool, attempt: Any
) -> tuple[Any, list[Any]]:  # fmt: skip
    """The same, once."""
    from retrograd.compiler import pipeline
    from retrograd.compiler.analyses.visible_effects import reservations
    from retrograd.compiler.analyses.written_dtypes import lenders
    from retrograd.compiler.differentiate.callee_derivatives import Derivatives
    from retrograd.compiler.lowering.library.random_draws import check_draws
    from retrograd.compiler.passes.redundancy.unify_dimensions import of_constants, unasked, unheld

    focus = tuple(place for step in chain for place in step.wrt if place.keys)
    refuse_parts_apart(types, [place for step in chain for place in step.wrt])
    wrt = {place.at for step in chain for place in step.wrt} if chain else None
    program, function = pipeline.lower(fn, types, unwrap, tape, focus, wrt, decide, attempt=attempt)
    if chain and chain[-1].kind in MANY:
        check_draws(program)
    reserved = reservations(program, function)
    lent = lenders(function)
    pipeline.tell_order(function, len(chain))
    derive = Derivatives(tape=tape, refused=program.refused, apart=program.alias_matters)
    made = [function]
    for k, step in enumerate(chain):
        # What runs a loop again is no loop: it cannot be differentiated backwards once more.
        derive.revolving = all(later.kind in FORWARD for later in chain[k + 1 :])
        request = pipeline.Request(step.kind, step.wrt, step.single)
        made = pipeline.derived(made[0], request, derive)
    unequal = unheld(function.facts.same, made)
    lengths = function.facts.lengths
    asked = unasked(function, made)
    same = [*function.facts.same.items(), *lengths]
    made[0].facts.equal = [*same, *of_constants(function, asked)]
    made[0].facts.unheld = [*unequal, *lengths, *asked]
    made[0].facts.reserved = reserved
    made[0].facts.lenders = lent
    return program, made


@built
@deeply
@targeted
def consulted(
    fn: Any, types: dict[str, Type], chain: tuple[Step, ...], unwrap: Any, tape: bool = True
) -> set[Any]:
    """The places in the arguments whose values branches ask for, if all of them are known."""
    from retrograd.compiler import pipeline

    focus = tuple(place for step in chain for place in step.wrt if place.keys)
    wrt = {place.at for step in chain for place in step.wrt} if chain else None
    return pipeline.lower(fn, types, unwrap, tape, focus, wrt)[0].known.consulted


@built
@deeply
@targeted
@reported
def render(
    fn: Any,
    types: dict[str, Type],
    chain: tuple[Step, ...],
    unwrap: Any,
    command: str = "",
    committed: Callable[[Any, Any, Any], Any] | None = None,
    tape: bool = True,
    optimize: int = 1,
    answers: bool = True,
) -> tuple[Any, Any, list[Any]]:
    """The module text of a derivative: (text, program, IR functions).

    For one that is kept under ``command``, ``committed`` says how it stands by itself, and what it expects:
    the types are given to it with one name for sizes that the text takes for equal, and which parameters may
    lend their kind to an array that is written to.  ``answers``: what packages ask in tests is answered now.
    """
    from retrograd.compiler import pipeline
    from retrograd.compiler.driver.gc_pause import seldom_collected

    with seldom_collected():
        program, made = derive_chain(fn, types, chain, unwrap, tape, not committed, answers)
        source = next(iter(program.sources.values()))
        taped = pipeline.calls_on_tape(made, program)
        known = types
        if committed:
            known = unified(types, made[0].facts.equal)
        about = header(fn, known, chain, source, command, taped)
        home = committed(program, known, made[0].facts.lenders) if committed else None
        text = pipeline.module_of(made, about, program, home, optimize)
    text.taped, text.left = taped, bool(program.attempt.left)
    text.numbers = pipeline.takes_for_numbers(made)
    return text, program, made


# -- the cache ----------------------------------------------------------------------


@built
@deeply
@targeted
def compile_chain(
    fn: Any,
    types: dict[str, Type],
    chain: tuple[Step, ...],
    unwrap: Any,
    tape: bool = True,
    optimize: int = 1,
    answers: bool = True,
) -> Loaded:
    """Loaded code for these arguments: from the cache if what it depends on is unchanged."""
    from retrograd.compiler.cache import entries
    from retrograd.compiler.frontend.source import source_of

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
                answers,
                stamp(),
            )
        ).encode()
    ).hexdigest()
    name = "_".join([fn.__name__.strip("<>"), *(s.kind for s in chain)])
    index = entries.Entry(home_of(fn) or "unknown", f"{name}_index", key)
    found = load_from_cache(fn, apart(types)[0], name, key, index)
    if found is None:
        found = build(fn, types, chain, unwrap, name, key, index, tape, optimize, answers)
    found.pinned = bool(apart(types)[1])
    return found


def load_from_cache(fn: Any, types: Any, name: str, key: str, index: Any) -> Loaded | None:
    """The module whose recorded dependencies are all as they were, if there is one."""
    from retrograd.compiler.cache import entries
    from retrograd.compiler.cache.loader import fetch

    note = entries.read(index)
    if note is None:
        return None
    kept = json.loads(note.lstrip("# "))
    record = dict(kept)
    try:
        guards = [read_again(fn, types, path) for path in record["readings"]]
        now = [reading_digest(guard) for guard in guards]
        captured = {n: follow(fn, types, p) for n, p in record["captured"].items()}
        together = are_shared(fn, types, record["shared"])
        known = lambda k: k if isinstance(k, str) else follow(fn, types, k)  # noqa: E731
        record["tree"] = with_kinds(record["tree"], known)
    except (*ERRORS, ImportError, SourceUnavailable):
        return None
    if now != record["digests"] or not together or distinct(captured) != record["distinct"]:
        return None
    entry = entries.Entry(index.module, name, combined(key, [*now, json.dumps(record["shared"])]))
    try:
        module = fetch(entry, lost, captured, record["main"][0])
    except Lost:
        return None
    sources = [guard.owner for guard in guards if guard.how == "code"]
    return loaded(module, record, guards, sources, functools.partial(remember, index, kept))


class Lost(Exception):
    """The text that an index names is not in the cache."""


def lost() -> str:
    raise Lost


def loaded(
    module: Any,
    record: dict[str, Any],
    guards: list[Any],
    sources: list[Any],
    remember: Callable[[list[str]], None] | None = None,
) -> Loaded:
    """``remember`` notes what was checked of the text, where that is kept."""
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
        record["taped"],
        record["left"],
        record["numbers"],
        record["few"],
        record["equal"],
        sources,
        reserved=record["reserved"],
        proven=set(record.get("proven", ())),
        remember=remember,
    )


def remember(index: Any, record: dict[str, Any], proven: list[str]) -> None:
    """Note with a text what was checked of it."""
    keep_record(index, record | {"proven": proven})


def keep_record(index: Any, record: dict[str, Any]) -> None:
    from retrograd.compiler.cache import entries

    entries.store(index, "# " + json.dumps(record, sort_keys=True) + "\n")


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
    answers: bool,
) -> Loaded:
    """Compile, store text and index, load."""
    from retrograd.compiler.cache import entries
    from retrograd.compiler.cache.loader import fetch, load

    text, program, made = render(
        fn, types, chain, unwrap, tape=tape, optimize=optimize, answers=answers
    )
    tree = encode_tree(made[0].facts.value_tree)
    record = {
        "main": text.names, "tree": tree, "several": len(text.names) > 1,
        "taped": text.taped, "left": text.left, "numbers": text.numbers,
        "few": made[0].facts.few,
        "equal": made[0].facts.unheld,
        "reserved": made[0].facts.reserved,
    }  # fmt: skip
    paths = dependencies(program, text.captured)
    guards, sources = list(program.readings.values()), list(program.functions)
    portable = with_kinds(tree, lambda cls: cls if isinstance(cls, str) else program.found.to(cls))
    if paths is None or not is_portable(portable):
        module = load(text.text, None, f"{name}_{key[:8]}", text.captured)
        return loaded(module, record, guards, sources)
    readings, captured, digests = paths
    shared = program.found.shared()
    noted = record | {
        "tree": portable,
        "readings": readings,
        "digests": digests,
        "captured": captured,
        "shared": shared,
        "distinct": distinct(text.captured),
    }
    entry = entries.Entry(index.module, name, combined(key, [*digests, json.dumps(shared)]))
    module = fetch(entry, lambda: text.text, text.captured, text.names[0])
    keep_record(index, noted)
    return loaded(module, record, guards, sources, functools.partial(remember, index, noted))


# -- structures of results, as JSON ------------------------------------------------------


def encode_tree(tree: Any) -> Any:
    from retrograd.compiler.ir.containers import Pack

    if not isinstance(tree, Pack):
        return None
    kind = tree.kind.__name__ if tree.kind in (tuple, list, dict) else tree.kind
    return [kind, [k for k in tree.keys], [encode_tree(i) for i in tree.items]]


def with_kinds(tree: Any, change: Callable[[Any], Any]) -> Any:
    """The same with other kinds of containers."""
    if tree is None:
        return None
    kind, keys, items = tree
    return [change(kind), keys, [with_kinds(i, change) for i in items]]


def is_portable(tree: Any) -> bool:
    """True if every class in a structure has a path to it."""
    return tree is None or (tree[0] is not None and all(map(is_portable, tree[2])))
