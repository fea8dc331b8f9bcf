"""From a function and a request to loaded code: lower, derive, write, cache, load.

``chain`` is the list of transformations applied so far: ``grad(grad(f))`` is f with two.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from typing import Any, TypeVar

from retrograd.compiler.dependencies.object_paths import follow
from retrograd.compiler.dependencies.object_reads import ERRORS
from retrograd.compiler.driver.recursion_depth import deeply
from retrograd.compiler.driver.times import reported
from retrograd.compiler.ir.batch_axes import known_of_example, sizes_of
from retrograd.compiler.ir.target import asked_library, compiled_for, library_in
from retrograd.compiler.ir.types import Type, apart
from retrograd.runtime.checkpointing.marks import marks_of
from retrograd.runtime.errors import CompileError, SourceUnavailable
from retrograd.runtime.objects.own_attributes import home_of
from retrograd.runtime.records import dataclass, field

from ..batches.requests import batch_of, differentiated
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
from .internal_errors import built
from .steps import FORWARD, MANY, Step

__all__ = ["Loaded", "compile_chain", "consulted", "derive_chain", "encode_tree", "render"]

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
    multiplied: dict[str, bool] = field(
        default_factory=dict
    )  # whether it multiplies by its tangent
    reserved: list[Any] | None = None  # what cannot be checked, and why; None: not known
    proven: set[str] = field(default_factory=set)  # what was checked when it was first computed
    remember: Callable[[list[str]], None] | None = None  # for other processes
    pinned: bool = False  # it is made for values of arguments, not for their kinds alone
    notices: list[Any] = field(
        default_factory=list
    )  # what the user is told once it has run: site, text
    outside: Any = None  # what its last function reads of the module, once somebody has asked
    slow: list[Any] = field(
        default_factory=list
    )  # what a batch calls for one example after the other, with the lines
    types: dict[str, Type] | None = None  # of the two halves of a pullback


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
    ranks: dict[str, Any] | None = None,
) -> tuple[Any, list[Any]]:
    """The program and the IR functions that the last step of ``chain`` makes.

    What is refused, or would run on the tape, is tried again: see `Attempt`.  ``ranks``: those of arguments
    that are checked.
    """
    from retrograd.compiler import pipeline

    attempt = pipeline.Attempt(answers=answers)
    once = functools.partial(derived_once, fn, types, chain, unwrap, ranks)
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
    fn: Any, types: dict[str, Type], chain: tuple[Step, ...], unwrap: Any, ranks: dict[str, Any] | None,
    tape: bool, decide: bool, attempt: Any,
) -> tuple[Any, list[Any]]:  # fmt: skip
    """The same, once."""
    from retrograd.compiler import pipeline
    from retrograd.compiler.analyses.visible_effects import LASTING, refuse_turns, reservations
    from retrograd.compiler.analyses.written_dtypes import lenders
    from retrograd.compiler.differentiate.callee_derivatives import Derivatives
    from retrograd.compiler.lowering.library.random_draws import check_draws
    from retrograd.compiler.passes.arrays.ranks_as_types import enter_ranks
    from retrograd.compiler.passes.redundancy.unify_dimensions import of_constants, unasked, unheld

    from .gradient_leaves import refuse_parts_apart  # of a text that is written

    focus = tuple(place for step in chain for place in step.wrt if place.keys)
    refuse_parts_apart(types, [place for step in chain for place in step.wrt])
    own, batches = known_of_example(types, chain)
    program, function = pipeline.lower(
        fn, own, unwrap, tape, focus, differentiated(chain), decide, attempt=attempt
    )
    if ranks is not None:
        whole = [place.at for step in chain for place in step.wrt if not place.keys]
        enter_ranks(function, ranks, frozenset(function.names[at] for at in whole))
    if chain and chain[-1].kind in MANY:
        check_draws(program)
    reserved = reservations(program, function)
    if batches:
        refuse_turns(program, function)
    lent = lenders(function)
    pipeline.tell_order(function, len(chain))
    derive = Derivatives(tape=tape, refused=program.refused, apart=program.alias_matters)
    derive.one_run = not LASTING.isdisjoint(kind for kind, _ in reserved)
    made = [function]
    left = list(batches)
    for k, step in enumerate(chain):
        # What runs a loop again is no loop: it cannot be differentiated backwards once more.
        derive.revolving = all(later.kind in FORWARD for later in chain[k + 1 :])
        batch = batch_of(made[0], left.pop(0)) if step.kind == "vmap" else None
        request = pipeline.Request(step.kind, step.wrt, step.single, step.aux, batch)
        made = pipeline.derived(made[0], request, derive)
    for one in made:
        one.facts.sequences = function.facts.sequences
    equal = function.facts.same | made[0].facts.same
    unequal = unheld(equal, made)
    lengths = function.facts.lengths
    asked = unasked(function, made)
    same = [*equal.items(), *lengths]
    batched = [pair for each in batches for pair in sizes_of(each.sizes)]
    made[0].facts.equal = [*same, *of_constants(function, asked), *batched]
    made[0].facts.unheld = [*unequal, *lengths, *asked, *batched]
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
    own, _ = known_of_example(types, chain)
    lowered = pipeline.lower(fn, own, unwrap, tape, focus, differentiated(chain))
    return lowered[0].known.consulted


@built
@deeply
@targeted
def lowered(
    fn: Any, types: dict[str, Type], chain: tuple[Step, ...], unwrap: Any, tape: bool
) -> Any:
    """The IR functions of a program, before anything is derived from it."""
    from retrograd.compiler import pipeline

    focus = tuple(place for step in chain for place in step.wrt if place.keys)
    own, _ = known_of_example(types, chain)
    program, function = pipeline.lower(fn, own, unwrap, tape, focus, differentiated(chain), False)
    return [function, *program.callees.values()]


@built
@deeply
@targeted
def with_equal_sizes(
    fn: Any, types: dict[str, Type], chain: tuple[Step, ...], unwrap: Any, tape: bool, answers: bool
) -> dict[str, Type]:
    """The types with one name for sizes that a text takes for equal."""
    from .equal_sizes import unified  # of a text that is written

    _, made = derive_chain(fn, types, chain, unwrap, tape, False, answers)
    return unified(types, made[0].facts.equal)


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
    committed: Callable[[Any, Any, Any, Any], Any] | None = None,
    tape: bool = True,
    optimize: int = 1,
    answers: bool = True,
    ranks: dict[str, Any] | None = None,
) -> tuple[Any, Any, list[Any]]:
    """The module text of a derivative: (text, program, IR functions).

    For one that is kept under ``command``, ``committed`` says how it stands by itself, and what it expects:
    the types are given to it with one name for sizes that the text takes for equal, and which parameters may
    lend their kind to an array that is written to.  ``answers``: what packages ask in tests is answered now;
    ``ranks``: those of arguments that the guard lets pass.
    """
    from retrograd.compiler.driver.gc_pause import seldom_collected

    from .equal_sizes import unified  # of a text that is written
    from .module_headers import header  # of a text that is written
    from .read_record import record_of  # of a text that is written

    with seldom_collected():  # while the compiler is imported, too
        from retrograd.compiler import pipeline

        program, made = derive_chain(fn, types, chain, unwrap, tape, not committed, answers, ranks)
        source = next(iter(program.sources.values()))
        taped = pipeline.calls_on_tape(made, program)
        known = types
        if committed:
            known = unified(types, made[0].facts.equal)
        record = record_of(program) if command else None
        about = header(fn, known, chain, source, command, taped, record)
        home = committed(program, known, made[0].facts.lenders, made[0]) if committed else None
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
    kept = of_note(note)
    if kept is None:
        return None
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
    entry = entries.Entry(index.module, name, combined(key, [*now, repr(record["shared"])]))
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
        slow=record["slow"],
        reserved=record["reserved"],
        proven=set(record.get("proven", ())),
        remember=remember,
    )


def remember(index: Any, record: dict[str, Any], proven: list[str]) -> None:
    """Note with a text what was checked of it."""
    keep_record(index, record | {"proven": proven})


def keep_record(index: Any, record: dict[str, Any]) -> None:
    from retrograd.compiler.cache import entries

    entries.store(index, f"# {dict(sorted(record.items()))!r}\n")


def of_note(note: str) -> dict[str, Any] | None:
    """What was noted of a text, as it was written: Python's literals, of a file that is sealed as modules are.

    >>> of_note("# {'main': ['loss_grad'], 'few': 0}\\n")
    {'main': ['loss_grad'], 'few': 0}
    """
    try:
        found: dict[str, Any] = eval(note.lstrip("# "), {"__builtins__": {}})
    except (NameError, SyntaxError):  # of what is no literal, or another version's
        return None
    return found


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
        "few": made[0].facts.few, "slow": made[0].facts.one_by_one,
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
    entry = entries.Entry(index.module, name, combined(key, [*digests, repr(shared)]))
    module = fetch(entry, lambda: text.text, text.captured, text.names[0])
    keep_record(index, noted)
    return loaded(module, record, guards, sources, functools.partial(remember, index, noted))


# -- structures of results, as literals --------------------------------------------------


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
