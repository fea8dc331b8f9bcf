"""A function of the user's and the transformations applied to it so far."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from retrograd.compiler.ir.argument_path import Place
from retrograd.compiler.ir.types import Type
from retrograd.derivatives import named_in, sent_by_value, text_of, with_text
from retrograd.runtime.errors import (
    CompileError,
    NotDifferentiable,
    RetrogradError,
    SignatureMismatch,
)
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.objects.python_functions import python_function

from .asked_arguments import LISTENERS
from .check.policy import UNSAID
from .function_kinds import CALLS, taken_apart
from .public.door import alike, no_argument
from .specialise import fallback_policy
from .specialise.argument_types import few_known, kind_of_argument, kinds_key
from .specialise.compile import Loaded, compile_chain, consulted, encode_tree, render
from .specialise.eager_fallback import on_tape
from .specialise.fallback_policy import UNSAID as UNSAID_FALLBACK
from .specialise.known_arguments import Kinds, compiled_for, narrowed
from .specialise.memo import Kept, Watch
from .specialise.name_origins import importable_home
from .specialise.steps import KINDS, Step
from .specialise.tape_warnings import notices_of_batches, notices_of_calls
from .star_arguments import is_starred, plain_signature, text_signature, with_defaults
from .wrt import Wrt, check_places, places_of, resolved

__all__ = ["FIELDS", "Chain", "chain_of", "fresh", "unwrap"]

OBJECTS = 8  # whose methods' chains are kept
LAST = (
    "jvp",
    "tangent",
    "pushes",
    "pulls",
    "gathered",
)  # transformations that take tangents or cotangents


FIELDS = (
    "fn", "steps", "sig", "bound", "given", "said", "check", "packed", "backend", "accuracy", "optimize",
    "wait",
)  # fmt: skip


class Chain:
    """A Python function and the transformations applied to it so far.

    ``said`` is what was asked of the fallback, see `fallback_policy`.  ``bound`` are first arguments that are
    given already: the object of a bound method, those of a partial; ``given`` are those by name.
    Inside this package there is one argument for each parameter: a tuple for ``*rest``, a dict for
    ``**params``.  ``packed``: the function that the chain makes takes them like that, too.
    ``inner`` is how generated code takes them.  ``wait``: calls wait for kernels that are compiled.

    What is made for a chain is kept with it, see `once`; ``watch`` is that of the function.
    """

    def __init__(
        self,
        fn: Callable[..., Any],
        steps: tuple[Step, ...] = (),
        sig: str | None = None,
        bound: tuple[Any, ...] = (),
        said: str | None = UNSAID_FALLBACK,
        check: str | None = UNSAID,
        packed: bool = False,
        backend: str = "numpy",
        accuracy: str = "inline",
        optimize: int = 1,
        wait: bool = True,
        given: tuple[tuple[str, Any], ...] = (),
        watch: Watch | None = None,
    ) -> None:
        self.backend, self.accuracy, self.optimize = backend, accuracy, optimize
        self.fn, self.steps, self.sig, self.bound = fn, steps, sig, bound
        self.said, self.check = said, check
        self.wait = wait
        self.given = given
        self.watch = watch or Watch(fn)
        self.packed, self.changed_shape = packed, False
        self.begin()

    def begin(self) -> None:
        """Take the function as it is now."""
        steps, bound = self.steps, self.bound
        self.age = self.watch.age()
        self.late: CompileError | None = None  # why generated code was given up when it ran
        self.made: dict[Any, Any] = {}
        self.seen: dict[str, set[Any]] = {}  # texts and functions that calls were compiled for
        self.full = with_defaults(self.watch.full(), dict(self.given))
        own = list(self.full.parameters.values())[len(bound) :]
        self.raw = self.full.replace(parameters=own)
        pushed = any(step.kind in LAST for step in steps)  # tangents come after all arguments
        self.packed = self.packed or pushed
        self.starred = any(map(is_starred, own)) and not self.packed
        self.arity = len(own)
        self.signature = plain_signature(self.raw) if self.packed else self.raw
        self.inner = plain_signature(self.full) if pushed else text_signature(self.full)

    def __reduce__(self) -> Any:
        known = {name: getattr(self, name) for name in FIELDS[1:]}
        fn = self.public_fn()
        return asked_again, (fn, known, text_of(fn))

    def public_fn(self) -> Any:
        """The function as others find it: decorated, or of a library."""
        whole = own_attribute(self.fn, "__columns_of__")
        if whole is not None:
            return whole
        if self.fn.__module__ == CALLS:
            return self.fn.__globals__["called"]
        if sent_by_value(self.fn):
            return self.fn
        found = named_in(self.fn)
        try:
            same = found is not None and chain_of(found).fn is self.fn
        except RetrogradError:
            same = False
        return found if same else self.fn

    @property
    def parameters(self) -> list[str]:
        """The parameters of the function the chain ends with: tangents and cotangents come last."""
        names = list(self.signature.parameters)
        for step in self.steps:
            if step.kind in ("jvp", "tangent"):
                own = [*("" for _ in self.bound), *names]
                names += [fresh(f"{place.word(own)}_dot", names) for place in step.wrt]
        return names

    def changed(self, **changes: Any) -> Chain:
        """The chain with another value of some of its fields."""
        known = {name: getattr(self, name) for name in FIELDS}
        return Chain(**(known | changes), watch=self.watch)

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """The result of ``make`` for this key, until something changes that derivatives are made from."""
        self.renew()
        try:
            found = self.made.get(key)
        except (TypeError, ValueError):  # not hashable
            return make()
        return self.made.setdefault(key, make()) if found is None else found

    def renew(self) -> int:
        """How often the function has changed; its text and its defaults are seen again, its parameters stay."""
        if self.watch.age() != self.age:
            before = shape_of(self.full)
            self.begin()
            self.changed_shape |= shape_of(self.full) != before
        if self.changed_shape:
            raise SignatureMismatch(
                f"the parameters of `{self.fn.__name__}` have changed since its derivative was asked for; "
                "ask for it anew"
            )
        return self.age

    def of_object(self, owner: Any) -> Chain:
        """The chain of a method of an object."""
        return self.given_these((owner,))

    def given_these(self, args: tuple[Any, ...], named: tuple[tuple[str, Any], ...] = ()) -> Chain:
        """The chain of a function that gets these arguments first, and others by name unless they are given.

        Those of the last few objects are kept.
        """
        if not args and not named:
            return self
        recent = self.once("objects", dict)
        key = (*map(id, args), *((name, id(value)) for name, value in named))
        found = recent.get(key)
        if found is None:
            while len(recent) >= OBJECTS:
                recent.pop(next(iter(recent)), None)
            known = dict(self.given) | dict(named)
            found = self.changed(bound=(*self.bound, *args), given=tuple(known.items()))
            recent[key] = found
        return found  # type: ignore[no-any-return]

    def then(
        self,
        kind: str,
        wrt: Sequence[Place | int],
        single: bool = True,
        aux: bool = False,
        batch: Any = None,
    ) -> Chain:
        if kind not in KINDS:
            said = alike(kind, KINDS) or f"there is {', '.join(KINDS)}"
            raise SignatureMismatch(f"no derivative is called `{kind}`: {said}")
        places = [k if isinstance(k, Place) else Place(k) for k in wrt]
        full = tuple(p._replace(at=p.at + len(self.bound)) for p in places)
        return self.changed(steps=(*self.steps, Step(kind, full, single, aux, batch)))

    def positions(self, wrt: Wrt | None) -> tuple[tuple[Place, ...], bool]:
        """``wrt`` as places, and whether one was asked for rather than a tuple."""
        return places_of(self, wrt)

    def check_names(self, names: Iterable[str]) -> None:
        """Refuse what is no parameter."""
        own = self.parameters
        for name in names:
            if name not in own:
                raise SignatureMismatch(no_argument(self.name, name, own))

    @property
    def fallback(self) -> str | None:
        """What may run on the tape: "tape", a call or all of it; "calls"; None, nothing."""
        return fallback_policy.in_force(self.said)

    @property
    def level(self) -> int:
        """How far the text is optimised: kernels are read from the plain one."""
        return self.optimize if self.backend == "numpy" else 1

    @property
    def dotted(self) -> str:
        """The name of what the chain makes as an attribute of the function: ``loss.grad``."""
        return self.dotted_as(*([] if self.steps else ["value"]))

    def dotted_as(self, *kinds: str) -> str:
        """The same, of what is made of it."""
        found = [s.kind for s in self.steps if s.kind != "first"]
        return f"{self.fn.__name__.strip('<>')}.{'_'.join([*found, *kinds])}"

    @property
    def name(self) -> str:
        own = self.fn.__name__.strip("<>")
        if own.startswith("__"):  # a method that Python calls: of which class
            own = "_".join([*self.fn.__qualname__.split(".")[-2:-1], own.strip("_")])
        return "_".join([own, *(s.kind for s in self.steps if s.kind != "first")])

    def types(self, args: Sequence[Any]) -> dict[str, Type]:
        """The types these arguments are compiled for; a kind asked for a gradient must be a float."""
        for hear in LISTENERS:
            hear(self, args)
        kinds = {n: kind_of_argument(a, n) for n, a in zip(self.parameters, args, strict=True)}
        found = {n: few_known(k, n, self.seen) for n, k in (self.bound_types() | kinds).items()}
        check_places(self, found)
        values = dict(zip(self.full.parameters, self.bound, strict=False))
        values |= dict(zip(self.parameters, args, strict=True))
        made = Kinds(found, [*values], [*values.values()])
        pinned = self.watch.pinned.get(kinds_key(found)) if self.watch.pinned else None
        if pinned:
            made.update(narrowed(made.known(), pinned.paths))
        return made

    def bound_types(self) -> dict[str, Type]:
        """The kind of the object of a bound method."""
        names = list(self.full.parameters)
        return {n: kind_of_argument(a, n) for n, a in zip(names, self.bound, strict=False)}

    def load(self, types: dict[str, Type]) -> Loaded:
        """Loaded code for these arguments; what cannot be compiled runs on the tape, if it may."""
        steps = resolved(self, types)
        from retrograd.compiler.driver.progress import progress

        if self.late is not None and self.fallback == "tape":
            return on_tape(self, self.late)
        try:
            with progress(f"writing {self.name}"):
                made: Loaded = self.as_known(
                    types, lambda known: self.compiled(self.own(known), steps)
                )
            self.watch.effects.update(kind for kind, _ in made.reserved or ())
        except NotDifferentiable:
            raise
        except CompileError as error:
            if self.fallback == "tape" and not gives_later(self.fn):
                return on_tape(self, error)
            raise
        made.notices += notices_of_calls(self.fn, made.taped)
        made.notices += notices_of_batches(self.fn, made.slow)
        return made

    def own(self, types: dict[str, Type]) -> dict[str, Type]:
        """The kinds of the function's own parameters."""
        return {n: types[n] for n in self.full.parameters if n in types}

    def as_known(self, types: dict[str, Type], make: Callable[[dict[str, Type]], Any]) -> Any:
        """What ``make`` gives for these kinds, with as much known of the values as it takes."""
        tape, steps = self.fallback is not None, resolved(self, types)
        ask = lambda known: consulted(self.fn, self.own(known), steps, unwrap, tape)  # noqa: E731
        return compiled_for(self.watch.pinned, types, make, ask, self.fallback == "tape")

    def compiled(self, types: dict[str, Type], steps: tuple[Step, ...]) -> Loaded:
        made = compile_chain(
            self.fn, types, steps, unwrap, self.fallback is not None, self.level, self.watch.answers
        )
        self.watch.also(map(unwrap, made.sources))
        return made

    def text(self, types: dict[str, Type]) -> str:
        """The generated text, with a guard for what it takes for granted."""
        home = functools.partial(importable_home, self.fn)
        from .specialise.expected_arguments import guarded  # of a text that somebody reads

        make = lambda known: guarded(self, known, unwrap, home=home)  # noqa: E731
        return str(self.as_known(types, make))

    def module(self, types: dict[str, Type]) -> Any:
        """The module that calls of these kinds run, with the trees that it was written from."""
        steps, tape = resolved(self, types), self.fallback is not None

        def make(known: dict[str, Type]) -> Any:
            own, answers = self.own(known), self.watch.answers
            return render(
                self.fn, own, steps, unwrap, tape=tape, optimize=self.level, answers=answers
            )

        text, _, functions = self.as_known(types, make)
        text.tree = encode_tree(functions[0].facts.value_tree)
        return text

    def bind(self, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any]:
        """The arguments in order, one for each parameter, defaults filled in."""
        self.renew()
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise SignatureMismatch(f"{self.name}() {error}") from None
        bound.apply_defaults()
        return [bound.arguments[n] for n in self.signature.parameters]


def gives_later(fn: Any) -> bool:
    """Whether a call gives no value, but what computes it later: a generator or a coroutine."""
    code = own_attribute(fn, "__code__")
    later = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
    return code is not None and bool(code.co_flags & later)


def shape_of(signature: inspect.Signature) -> list[Any]:
    return [(p.name, p.kind) for p in signature.parameters.values()]


def fresh(name: str, taken: list[str]) -> str:
    k, tried = 1, name
    while tried in taken:
        k += 1
        tried = f"{name}_{k}"
    return tried


def asked_again(f: Any, known: dict[str, Any], text: Any) -> Chain:
    """A chain that was pickled: its function, or what that is where it was decorated, and its fields."""
    return chain_of(with_text(f, text)).changed(**known)


def chain_of(f: Any) -> Chain:
    """The program behind a function: a decorated one, a transformed one, or a plain one; a chain is its own."""
    known = f if isinstance(f, Chain) else own_attribute(f, "__retrograd__")
    if isinstance(known, Chain):
        known.renew()
        return known
    if own_attribute(f, "__columns__") is not None:
        from .whole_jacobians import written  # few programs have any

        return chain_of(written(f))
    given = taken_apart(f)
    if given.fn is not f:
        return chain_of(given.fn).given_these(given.args, given.keywords)
    kept: Chain | None = Kept.of(f)
    if kept is None:
        check_names(f)
        kept = Kept.keep(Chain(f))
    return kept


def check_names(f: Any) -> None:
    """Refuse parameters that are called like what a dispatcher reads beside them."""
    code = f.__code__
    for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        if name.endswith("__") and not name.startswith("_"):
            raise NotDifferentiable(
                f"{f.__name__} has a parameter `{name}`: names that end in two underscores are kept for "
                "what is generated",
                fix="give the parameter another name",
            )


def unwrap(fn: Any) -> Any:
    """The plain function behind our decorator, for the compiler."""
    known = own_attribute(fn, "__retrograd__")
    if isinstance(known, Chain) and not known.steps and not known.bound and not known.given:
        return known.fn
    return python_function(fn)
