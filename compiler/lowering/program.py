"""The functions one compilation is about: the root, everything it calls, what it captures."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterable
from typing import Any

from retrograd.runtime.arrays.transfers import is_ndarray
from retrograd.runtime.errors import (
    CompileError,
    MutationError,
    UnsupportedOperation,
    UnsupportedSyntax,
)
from retrograd.runtime.objects.homes import REPLACEMENTS
from retrograd.runtime.objects.names_in_code import holds_place
from retrograd.runtime.objects.own_attributes import home_of, own_attribute
from retrograd.runtime.objects.own_signature import own_signature
from retrograd.runtime.records import dataclass, field
from retrograd.runtime.user.custom_rules import custom_of

from ..analyses.effects import owner_of
from ..analyses.module_objects import Taken
from ..analyses.shapes.infer import type_of
from ..dependencies.object_paths import Found
from ..dependencies.object_reads import Reading, custom_state, noting, of_function
from ..dependencies.state_types import kind_of_state
from ..frontend.source import Source, source_of
from ..ir.containers import LEAF, Pack
from ..ir.facts import Facts
from ..ir.operations import Block, Call, Const, Function, Value, walk
from ..ir.reserved_names import is_own
from ..ir.types import Type, apart
from .attempt import Attempt
from .call_facts import CallFacts, Known
from .calls.arguments_and_results import numbered
from .calls.call_signature import (
    check_parameters,
    copy_pack,
    describe,
    fresh_leaf,
    names_and_objects,
    stars_of,
)
from .calls.callee import Callee, Callees, key_of, not_settled
from .calls.callee_effects import (
    keep_writes,
    on_calls,
    refuse_results,
    refuse_unclear,
    return_versions,
)
from .calls.checkpoint_marks import ask
from .lowerer import Lowerer
from .memory.array_kinds import OfRank0
from .memory.held_containers import Doubtful, Held
from .memory.restart import Anew, Relearn, Reopen
from .module_state import check_alone, state_name
from .nodes import Code, Node
from .words import words

__all__ = ["Program"]

MAX_VARIANTS, DEEPEST = 4, 32  # versions of one function: side by side, each within the other


@dataclass
class Program:
    """Lowers functions on demand; ``unwrap`` is the face's way to see through its decorator."""

    unwrap: Callable[[Any], Any] = lambda fn: fn
    callees: Callees = field(default_factory=Callees)
    captures: dict[str, Any] = field(default_factory=dict)
    readings: dict[Any, Reading] = field(default_factory=dict)  # what the text depends on
    found: Found = field(default_factory=Found)
    sources: dict[str, Source] = field(default_factory=dict)
    functions: list[Any] = field(default_factory=list)  # whose texts those are
    variants: dict[Any, int] = field(default_factory=dict)
    texts: dict[str, Any] = field(default_factory=dict)
    tape: bool = True  # a callee that cannot be compiled runs on the tape
    refused: dict[Any, CompileError] = field(default_factory=dict)  # those, and why
    derived: dict[Any, Any] = field(default_factory=dict)  # derivatives of what is lowered
    last_cell: int = 0
    last_frame: int = 0
    opened: dict[Any, list[Any]] = field(default_factory=dict)  # paths that are written to
    focused: set[Any] = field(default_factory=set)  # paths to what is differentiated by itself
    states: list[Const] = field(default_factory=list)  # objects of the module that are written to
    cell_paths: dict[int, Any] = field(default_factory=dict)  # the same, of opened ones
    taken: list[Taken] = field(default_factory=list)  # containers of the module taken apart
    records: bool = False  # there are objects in lists of run-time length
    copies: bool = True  # copies of such containers are taken apart, too
    arriving: dict[int, Any] = field(default_factory=dict)  # of a callee's, by their numbers
    paths: dict[Value, Any] = field(default_factory=dict)  # containers of the arguments
    draws: list[Any] = field(default_factory=list)  # of random numbers that another run draws anew
    seeded: set[Value] = field(default_factory=set)  # generators that every run makes again
    under_way: list[Any] = field(default_factory=list)  # the callees that are being lowered
    written: set[int] = field(default_factory=set)  # containers that were written to
    chosen: set[int] = field(default_factory=set)  # containers of which one was chosen when it runs
    ambiguous: Doubtful = field(default_factory=Doubtful)  # containers that may be one of several
    held: Held = field(default_factory=Held)  # those put in others that are known at run time
    nested: bool = False  # whether the program writes to containers in such
    alias_check: bool = False  # what may share memory is looked at when it runs
    alias_matters: bool = False  # and one of them is written to somewhere
    learned: dict[Any, bool] = field(default_factory=dict)  # calls whose results are known
    raised: set[Value] = field(default_factory=set)  # exceptions that others are made of
    inert: set[Value] = field(default_factory=set)  # nothing that is differentiated is in these
    wrt: frozenset[int] | None = None  # the parameters that are differentiated, if that is known
    attempt: Attempt = field(default_factory=Attempt)
    frugal: bool = False  # whether elementwise operations are rather computed again than kept

    def __post_init__(self) -> None:
        self.known = CallFacts(self.paths)

    def inner(self) -> list[Function]:
        """The derivatives that are called in what was lowered."""
        return [made for key, made in self.callees.items() if key[0] == "derived"]

    def next_cell(self) -> int:
        self.last_cell += 1
        return self.last_cell

    def hold(self, cells: Iterable[int], where: Any, loops: tuple[Any, ...] | None) -> None:
        """These containers were put in one that is known at run time: it may hold any of them."""
        found = set(cells)
        self.held.put(found, where, loops)
        self.ambiguous |= found

    def mark_shared(self, pairs: Any, alive: set[int], then: Any = (), orelse: Any = ()) -> None:
        """``(a, b, c)``: c is a or b; nobody may write to it if another name holds a, or b on its own side."""
        for a, b, made in pairs:
            twice = sum(a == x for x, _, _ in pairs) > 1 or sum(b == y for _, y, _ in pairs) > 1
            found = ((a, orelse), (b, then))  # what the other side alone has found is no matter
            doubtful = any(c in self.ambiguous and c not in other for c, other in found)
            if twice or doubtful or a in alive or b in alive:
                self.ambiguous |= {a, b, made}

    def root(self, fn: Any, given: dict[str, Type]) -> Function:
        """Lower the function that is to be differentiated, its parameters having these types."""
        types, values = apart(given)
        self.known.begin_with(values)
        with noting(self):
            return self.lowered(fn, types)

    def lowered(self, fn: Any, given: dict[str, Type]) -> Function:
        source = source_of(fn)
        check_parameters(fn, source, given)
        self.found.root(fn, given)
        while True:
            params: dict[str, Node] = {}
            for name in own_signature(fn).parameters:
                params[name] = Value(name, given.get(name))
                self.known.learn(params[name], (name, ()))
                if self.wrt is not None and len(params) - 1 not in self.wrt:
                    self.inert.add(params[name])
            try:
                function = self.lower_root(fn, source, params)
                break
            except Reopen as found:
                self.open(found, source)
            except Anew:
                given = self.known.certain(given)
                self.begin_anew()
            except Relearn:
                self.begin_anew()
            except CompileError as error:
                if self.known.decide():
                    self.attempt.undecided = False  # all of it is lowered again
                elif not self.attempt.leave(error):
                    raise
                self.begin_anew()
        check_alone(self.states, [function, *self.callees.values()], source)
        refuse_unclear(function)
        refuse_results(function, source)
        keep_writes(function)
        function.names = tuple(params)
        function.facts.stars = stars_of(fn)
        function.defaults = {
            n: p.default
            for n, p in own_signature(fn).parameters.items()
            if p.default is not p.empty
        }
        return function

    def open(self, found: Reopen, source: Source) -> None:
        """Begin anew, knowing one container more of the arguments that is written to."""
        path = self.paths.get(found.value) if isinstance(found.value, Value) else found.value
        known = [] if path is None else self.opened.get(path)
        if path is None and not self.nested:
            self.nested = True
            return self.begin_anew()
        if path is None or (known is not None and found.key in known):
            raise MutationError(
                "this writes to a container that is not known at compile time",
                place=source.place(found.node),
                fix="write to a container of its own: dict(p), list(p), or return the new values",
            )
        for k in range(len(path[1]) + 1):
            self.opened.setdefault((path[0], path[1][:k]), [])
        self.opened[path].append(found.key)
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forget what was lowered."""
        tables = (
            self.callees, self.variants, self.paths, self.cell_paths, self.refused, self.derived,
            self.written, self.chosen, self.ambiguous, self.taken,
        )  # fmt: skip
        for table in tables:
            table.clear()
        self.held = Held()
        self.known.begin_anew()

    def lower(
        self,
        fn: Any,
        source: Source,
        params: dict[str, Node],
        root: bool = False,
        code: Code | None = None,
    ) -> Function:
        self.read(fn, source)
        self.frugal = self.frugal or bool(getattr(fn, "__recompute__", False))
        self.alias_check = self.alias_check or own_attribute(fn, "__alias__") == "check"
        name = "lambda_" if fn.__name__ == "<lambda>" else fn.__name__
        if name.startswith("__") and name.endswith("__"):
            name = "_".join([*fn.__qualname__.split(".")[-2:-1], name.strip("_")])
        lowerer = Lowerer(self, source, fn)
        if code is not None:
            name = code.__name__
            lowerer.enter_code(code)
        function = lowerer.function(name, params, doc=inspect.getdoc(fn) or "", root=root)
        function.facts.frugal = self.frugal
        ask(function, getattr(fn, "__snapshots__", 0))
        return function

    def read(self, fn: Any, source: Source) -> None:
        """The text of a function is a part of the program."""
        self.sources.setdefault(f"{fn.__module__}.{fn.__qualname__}", source)
        if not any(known is fn for known in self.functions):
            self.functions.append(fn)
            self.note_function(fn)

    def next_frame(self) -> int:
        self.last_frame += 1
        return self.last_frame

    def check_depth(self, key: Any, fn: Any, source: Source) -> None:
        """Refuse a function that calls itself with arguments of another kind each time: it has no last version."""
        if sum(known[0] == key[0] for known in self.under_way) <= DEEPEST:
            return
        raise UnsupportedOperation(  # all of its versions are refused, not the innermost alone
            f"each call of `{getattr(key[0], '__name__', fn.__name__)}` by itself has arguments of another kind"
            " (a list that grows, one container more around them)",
            place=source.place(getattr(key[0], "node", None)),
            fix="write it as a loop, or give each call the same: an array, or a list of one length",
        )  # fmt: skip

    def callee(
        self,
        fn: Any,
        params: dict[str, Node],
        code: Code | None = None,
        numbers: Callable[[Node], Known | None] | None = None,
        rank_0: OfRank0 | None = None,
    ) -> Callee:
        """The compiled callee for these arguments: lowered now, found again, or being lowered.

        ``numbers`` tells those that are known, for a callee made for them; ``rank_0`` those that may be arrays.
        """
        fn = self.unwrap(fn)
        source = source_of(fn) if code is None else code.source
        inward: dict[str, str] = {}
        cells: dict[int, int] = {}
        for p in params.values():
            numbered(p, cells)
        generic = self.variants.get(fn.__code__, 0) >= MAX_VARIANTS
        inner = {n: self.parameter(n, p, inward, generic, cells) for n, p in params.items()}
        known = self.known.of_callee(params, inner, numbers, rank_0, self.inert)
        again = code is None and getattr(fn, "__checkpoint__", False)
        closure = tuple(map(id, fn.__closure__ or ()))
        kinds = tuple(describe(p) for p in inner.values())
        key = key_of(
            fn.__code__ if code is None else code, again, closure, kinds, self.known, known
        )
        key = self.callees.known_as(key, self.known, self.under_way)
        outward = {new: old for old, new in inward.items()}
        if key not in self.callees:
            self.variants[fn.__code__] = self.variants.get(fn.__code__, 0) + 1
            with self.callees.lowering(key, self.known, self.under_way, self.refused):
                arriving = {n: self.cell_paths[c] for c, n in cells.items() if c in self.cell_paths}
                self.check_depth(key, fn, source)
                self.lower_callee(key, fn, source, inner, arriving, code)
            if key not in self.callees:  # a call of itself was refused, and all of it with that
                raise self.refused.get(fn) or not_settled(fn, source)
            self.callees[key].facts.checkpoint = again
        self.callees.called(key, self.note)
        return Callee(self.callees[key], outward, cells={n: c for c, n in cells.items()})

    def parameter(
        self, name: str, node: Node, inward: dict[str, str], generic: bool, cells: dict[int, int]
    ) -> Node:
        """A callee's parameter: fresh values of canonical type, constants as they are."""
        if not isinstance(node, Pack):
            made = fresh_leaf(name, node, inward, generic)
            if node in self.paths:
                self.paths[made] = self.paths[node]
            return made
        items = [
            self.parameter(f"{name}_{key}", item, inward, generic, cells)
            for key, item in zip(node.keys, node.items, strict=True)
        ]
        made = Pack(node.kind, list(node.keys), items)
        made.cell = None if node.cell is None else cells[node.cell]
        return made

    def lower_callee(
        self,
        key: Any,
        fn: Any,
        source: Source,
        inner: dict[str, Node],
        arriving: Any,
        code: Code | None,
    ) -> None:
        """Lower a callee; a recursive one again until what it assumed of itself holds, at first that it never returns."""
        tree: Any = LEAF
        kinds: list[Type] = [None]
        facts = Facts(raises=True)
        before = set(self.callees)
        for _ in range(6):
            for other in set(self.callees) - before:
                del self.callees[other]
            function = Function(fn.__name__, Block(), tree, source, facts=facts)
            function.body.yields = [Value(None, k) for k in kinds]
            self.callees[key] = function
            fresh = {
                n: copy_pack(p, self.inert, self.paths, *self.known.tables)
                for n, p in inner.items()
            }
            self.arriving = arriving
            if code is None and custom_of(fn) is not None:
                made = words().customized(self, fn, source, fresh)
            else:
                made = self.lower(fn, source, fresh, code=code)
            return_versions(made)
            found = [type_of(y) for y in made.body.yields]
            within = [made, *(f for k, f in self.callees.items() if k not in before)]
            recursive = any(
                isinstance(op, Call) and op.callee is function
                for f in within for op in walk(f.body)
            )  # fmt: skip
            function.body, function.doc, function.facts = made.body, made.doc, made.facts
            function.name = made.name
            function.tree, (function.names, made.facts.given) = made.tree, names_and_objects(fresh)
            same = [on_calls(f) for f in (facts, made.facts)]
            if not recursive or (found == kinds and made.tree == tree and same[0] == same[1]):
                return
            tree, kinds, facts = made.tree, found, made.facts
        raise not_settled(fn, source)

    def refuse(self, fn: Any, error: CompileError) -> None:
        """Remember why a callee was not compiled; it is no error unless it is differentiated."""
        fn = self.unwrap(fn)
        for key in [k for k in self.callees if k[0] is own_attribute(fn, "__code__")]:
            del self.callees[key]
        self.refused.setdefault(fn, error)

    def put_refused(self, refused: dict[Any, CompileError]) -> None:
        """Those were refused, and no others."""
        self.refused.clear()
        self.refused.update(refused)

    def lower_root(self, fn: Any, source: Source, params: dict[str, Node]) -> Function:
        if custom_of(fn) is None:
            return self.lower(fn, source, params, root=True)
        return words().custom_root(self, fn, params, source)

    def name_of(self, fn: Any) -> str:
        """How the text calls a function: the name the user's module has for it, or its own."""
        known = self.known_text(fn)
        own = own_attribute(fn, "__name__", type(fn).__name__)
        return known or self.text_for(own.strip("<>"), fn)

    def name_of_method(self, fn: Any) -> str:
        """A method of C of an object of the module: by the object, unless it has a name of its own."""
        owner = owner_of(fn)
        if owner is None or self.known_text(fn) is not None:
            return self.name_of(fn)
        own = f"a_{type(owner).__name__}"
        return f"{self.known_text(owner) or self.text_for(own, owner)}.{fn.__name__}"

    def known_text(self, value: Any) -> str | None:
        return next((name for name, known in self.texts.items() if known is value), None)

    # -- what is read of Python's objects ----------------------------------------------

    def note(self, how: str, owner: Any, name: Any, value: Any) -> Reading:
        """Something was read, and the text depends on it."""
        reading = Reading(how, owner, name, value)
        self.readings.setdefault(reading.key, reading)
        self.callees.noting[-1].readings.setdefault(reading.key, reading)
        self.found.read(reading)
        if is_ndarray(value):
            self.note("shape", value, "", value.shape)
        return reading

    def forget(self, before: dict[Any, Reading], taken: int | None = None, fn: Any = None) -> None:
        """A call is no part of the text after all; what was read for it, and what ``fn`` took for a constant, neither."""
        self.callees.forgotten += len(before) < len(self.readings)
        self.readings = before
        if taken is not None:
            self.taken[taken:] = [t for t in self.taken[taken:] if not holds_place(fn, t.place)]

    def note_function(self, fn: Any) -> None:
        """The text of a function, the defaults of its parameters, and what was said of its derivative."""
        if home_of(fn).partition(".")[0] == "retrograd":
            return
        for reading in of_function(fn):
            self.note(*reading)
        self.note("custom", fn, "", custom_state(fn))

    def note_call(self, fn: Any, args: list[Any], kwargs: dict[str, Any], value: Any) -> None:
        """A call gave this, and the text depends on it."""
        self.note("call", fn, (tuple(args), tuple(kwargs.items())), value)

    def capture(self, fn: Any, name: str, value: Any) -> None:
        if is_ours(fn):
            return
        self.note("cell" if name in fn.__code__.co_freevars else "global", fn, name, value)

    def capture_builtin(self, fn: Any, name: str) -> Any:
        """Python's own meaning of a name, as long as nothing of the module is called so."""
        value = fn.__builtins__[name]
        if is_ours(fn):
            return value
        self.note("builtin", fn, name, value)
        return value

    def capture_attribute(self, owner: Any, name: str, value: Any) -> None:
        bound = isinstance(value, types.MethodType) and value.__self__ is owner
        read = self.note("method", owner, name, value.__func__) if bound else None
        read = read or self.note("attribute", owner, name, value)
        if not read.holds():
            raise UnsupportedSyntax(
                f"the attribute `{name}` of a {type(owner).__name__} is another object each time it is read",
                fix="read it once, outside of the function, or pass it as an argument",
            )

    def attribute(self, owner: Any, name: str) -> Any:
        """An attribute of an object of the module, noted."""
        value = getattr(owner, name)
        self.capture_attribute(owner, name, value)
        return value

    def capture_kind(self, owner: Any, name: str) -> Type:
        """The type of an attribute that the program writes to; its value may change, its kind is guarded."""
        kind, text = kind_of_state(getattr(owner, name))
        self.note("kind", owner, name, text)
        return kind

    def state_number(self, value: Any) -> int | None:
        """Which object of the module that is written to this is."""
        return next((k for k, base in enumerate(self.states) if base.value is value), None)

    def new_state(self, base: Const) -> str:
        """An object of the module that is written to; what was read of it is no constant."""
        k = self.state_number(base.value)
        if k is not None:
            return state_name(k)
        self.states.append(base)
        self.readings = {key: r for key, r in self.readings.items() if key[0] != id(base.value)}
        return state_name(len(self.states) - 1)

    def capture_entry(self, owner: Any, key: Any, value: Any) -> None:
        """An entry of a container of the module."""
        self.note("item", owner, key, value)

    def capture_entries(self, owner: Any) -> None:
        """How many entries it has, or which."""
        if isinstance(owner, dict):
            self.note("keys", owner, "", tuple(owner))
        else:
            self.note("length", owner, "", len(owner))

    def text_for(self, name: str, value: Any) -> str:
        """How the text calls an object: by its name, numbered if the text or another module has it."""
        k, tried = 1, name
        while is_own(tried, value) or self.texts.setdefault(tried, value) is not value:
            k += 1
            tried = f"{name}_{k}"
        return tried


def is_ours(fn: Any) -> bool:
    """True for a program of ours: nobody binds its names anew."""
    return home_of(fn).startswith(REPLACEMENTS)
