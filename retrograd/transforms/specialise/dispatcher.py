"""Functions that compile themselves: a cheap guard, then the generated code for this kind of call.

A dispatcher is a plain Python function with the user's signature.  Each kind of arguments adds
one guarded line to it; what no line takes goes to ``miss``, which compiles.
"""

from __future__ import annotations

import functools
import inspect
import re
import threading
import types
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from textwrap import indent
from types import MappingProxyType
from typing import Any, NamedTuple

from retrograd.compiler.dependencies.object_reads import ERRORS, MISSING, same
from retrograd.compiler.ir.types import Given, Tree, Type
from retrograd.runtime.errors import SignatureMismatch
from retrograd.runtime.tracebacks import DISPATCH, trim
from retrograd.runtime.user import rule_versions

from ..batches.loops import in_loops
from ..star_arguments import handed, with_all
from .argument_types import condition, kinds_key, sizes
from .memo import Recent

__all__ = [
    "ByKind",
    "Dispatcher",
    "ask_anew",
    "check_given",
    "equal_sizes",
    "is_current",
    "its_own",
    "regiven",
    "wanted_pairs",
]

MAX_LINES = 6
DISPATCHERS: weakref.WeakSet[Dispatcher] = weakref.WeakSet()
REGISTERED = threading.Lock()  # for those who add and those who go over them
SIZE_NAME = r"[^\W\d][\w.]*"


class Line(NamedTuple):
    """A kind of arguments: the number of its target, when to go there, and the names that it reads."""

    number: int
    test: str
    names: tuple[str, ...]


def ask_anew() -> None:
    """No call goes straight to what was made for it: the next one of each kind asks what holds now."""
    with REGISTERED:
        known = list(DISPATCHERS)
    for dispatcher in known:
        dispatcher.forget()


class Dispatcher:
    """``function``: what the user calls; ``add`` teaches it one more kind of arguments.

    ``inner`` is the signature of the generated code; ``failed`` answers where it raises.  ``public``: users call it.
    """

    def __init__(
        self,
        name: str,
        signature: inspect.Signature,
        miss: Callable[..., Any],
        doc: str,
        bound: dict[str, Any] | None = None,
        inner: inspect.Signature | None = None,
        failed: Callable[[Exception, Sequence[Any]], Any] | None = None,
        public: bool = False,
    ) -> None:
        self.signature, self.lock = signature, threading.Lock()
        self.inner = signature if inner is None else inner
        self.bound = {n: f"bound_{n}__" for n in bound or {}}  # first arguments that stay the same
        self.scope: dict[str, Any] = {"miss__": miss, "failed__": failed, "errors__": ERRORS}
        self.scope["trim__"] = trim if public else None
        self.scope |= {self.bound[n]: value for n, value in (bound or {}).items()}
        self.lines: dict[Any, Line] = {}
        self.written: list[Line] = []  # all of them, but for those that nobody runs any more
        self.next = 0
        self.name = name
        self.function = self.build()
        self.function.__doc__ = doc
        self.function.__signature__ = signature  # type: ignore[attr-defined]
        with REGISTERED:
            DISPATCHERS.add(self)

    def add(
        self,
        types: dict[str, Type],
        target: Callable[..., Any],
        guards: list[Any],
        equal: Iterable[Sequence[Any]] = (),
    ) -> None:
        """Send calls with arguments of these types to ``target`` from now on, if their sizes are equal."""
        with self.lock:
            key, k = (kinds_key(types), id(target)), self.next
            self.next += 1
            names: dict[str, Any] = {f"target_{k}__": target}
            parts = [
                condition(kind, self.bound.get(name, name), names) for name, kind in types.items()
            ]
            parts += [f"{a} == {b}" for a, b in equal_sizes(types, equal, self.bound)]
            parts += wanted_sizes(types, equal, self.bound)
            if guards:
                names |= {"changes__": rule_versions, f"count_{k}__": rule_versions.count}
                parts.append(f"changes__.count == count_{k}__")
            parts += filter(None, [g.condition(f"{k}_{i}", names) for i, g in enumerate(guards)])
            parts += unshadowed(types, self.bound, guards)
            self.scope |= names
            self.written.append(line := Line(k, " and ".join(parts) or "True", tuple(names)))
            self.lines[key] = line
            while len(self.lines) > MAX_LINES:
                self.lines.pop(next(iter(self.lines)))
            self.function.__code__ = self.build().__code__
            self.tidy()

    def replace(
        self,
        types: dict[str, Type],
        old: Callable[..., Any],
        target: Callable[..., Any],
        guards: list[Any],
        equal: Iterable[Sequence[Any]] = (),
    ) -> None:
        """Send calls that went to ``old`` to ``target``."""
        with self.lock:
            self.lines.pop((kinds_key(types), id(old)), None)
        self.add(types, target, guards, equal)

    def tidy(self) -> None:
        """Forget what old lines refer to; another thread may be in one of the last few."""
        if len(self.written) > 64:
            kept = [*self.lines.values(), *self.written[-16:]]
            wanted = {name for line in kept for name in line.names}
            for line in self.written:
                for name in line.names if line not in kept else ():
                    if name not in wanted:
                        self.scope.pop(name, None)
            self.written = [line for line in self.written if line in kept]

    def still(
        self,
        types: dict[str, Type],
        target: Callable[..., Any],
        guards: list[Any],
        equal: Iterable[Sequence[Any]] = (),
    ) -> None:
        """Nothing that ``target`` depends on is among what somebody has said of derivatives since."""
        line = self.lines.get((kinds_key(types), id(target)))
        if line is None:  # others have its place, or all were asked anew
            if len(self.lines) < MAX_LINES:
                self.add(types, target, guards, equal)
        elif f"count_{line.number}__" in line.names:
            self.scope[f"count_{line.number}__"] = rule_versions.count

    def renew(self, signature: inspect.Signature, inner: inspect.Signature) -> None:
        """The function has other defaults, or another text: nothing that was made holds."""
        with self.lock:
            self.signature, self.inner, self.lines = signature, inner, {}
            made = self.build()
            self.function.__code__, self.function.__defaults__ = made.__code__, made.__defaults__
            self.function.__kwdefaults__ = made.__kwdefaults__
            self.function.__signature__ = signature  # type: ignore[attr-defined]

    def forget(self) -> None:
        with self.lock:
            self.lines = {}
            self.function.__code__ = self.build().__code__

    def given(self) -> str:
        """The arguments of the generated code."""
        own = handed(self.inner)
        return ", ".join([*self.bound.values(), *([own] if own else [])])

    def passed(self) -> str:
        return ", ".join(self.signature.parameters)

    def body(self) -> list[str]:
        """The statements: which line takes the call, and where it goes; a line without a test takes every call."""
        lines = list(self.lines.values())
        whole = [one for one in lines[:1] if one.test == "True" and self.scope["failed__"] is None]
        if whole:
            return [f"    return target_{whole[0].number}__({self.given()})"]
        words = ["if", *["elif"] * len(lines)]
        tests = [
            f"{word} {one.test}:\n            at__ = {one.number}"
            for word, one in zip(words, lines, strict=False)
        ]
        body = [
            f"    if at__ == {k}:\n        return target_{k}__({self.given()})" for k, *_ in lines
        ]
        chosen = "\n        ".join(tests)
        if body and self.scope["failed__"] is not None:
            tries = "\n".join(body).replace("\n", "\n    ")
            handler = f"        return failed__(error__, ({self.passed()},))"
            body = [f"    try:\n    {tries}\n    except Exception as error__:\n{handler}"]
        if tests:
            body.insert(0, f"    try:\n        {chosen}\n        else:\n            at__ = -1")
            body.insert(1, "    except errors__:\n        at__ = -1")
        body.append(f"    return miss__({self.passed()})")
        return body

    def build(self) -> types.FunctionType:
        body = self.body()
        if self.scope["trim__"] is not None:
            inner = indent("\n".join(body), "    ")
            body = [f"    try:\n{inner}\n    except BaseException as error__:"]
            body += ["        trim__(error__)", "        raise"]
        text = "\n".join([f"def {self.name}{self.header()}:", *body, ""])
        scope = self.scope
        scope[DISPATCH] = text
        exec(compile(text, f"<retrograd dispatch {self.name}>", "exec"), scope)
        made = scope.pop(self.name)
        assert isinstance(made, types.FunctionType)
        return made

    def header(self) -> str:
        """The parameters with their defaults, annotations left out."""
        parts, kinds = [], [p.kind for p in self.signature.parameters.values()]
        starred = False
        for k, p in enumerate(self.signature.parameters.values()):
            if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
                parts.append(f"{'*' if p.kind is p.VAR_POSITIONAL else '**'}{p.name}")
                starred = True
                continue
            if p.kind is p.KEYWORD_ONLY and not starred:
                parts.append("*")
                starred = True
            default = ""
            if p.default is not p.empty:
                self.scope[f"default_{p.name}__"] = p.default
                default = f"=default_{p.name}__"
            parts.append(p.name + default)
            last = k + 1 == len(kinds) or kinds[k + 1] is not p.POSITIONAL_ONLY
            if p.kind is p.POSITIONAL_ONLY and last:
                parts.append("/")
        return f"({', '.join(parts)})"


class ByKind:
    """The results of ``make(types)`` by kinds of arguments; each says by its guards what it hangs on."""

    def __init__(self, chain: Any, make: Callable[[dict[str, Type]], Any]) -> None:
        self.chain, self.make, self.known = chain, make, Recent()
        names = chain.parameters
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        signature = inspect.Signature([inspect.Parameter(name, kind) for name in names])
        bound = dict(zip(chain.full.parameters, chain.bound, strict=False))
        self.dispatcher = Dispatcher("by_kind", signature, self.miss, "", bound)
        self.find = self.dispatcher.function

    def of(self, args: Sequence[Any]) -> Any:
        return self.find(*args)

    def miss(self, *args: Any) -> Any:
        """No line of the dispatcher takes these arguments: it has room for a few."""
        types = self.chain.types(args)
        key = kinds_key(types)
        made, target = self.known.get(key, (None, None))
        if is_current(made):
            check_given(self.chain, types, made, args)
            self.dispatcher.still(types, target, made.guards, made.equal)
            return made
        made = self.make(types)
        target = lambda *_: made  # noqa: E731
        self.known[kinds_key(types)] = made, target  # which values are known is settled now
        check_given(self.chain, types, made, args)
        self.dispatcher.add(types, target, made.guards, made.equal)
        return made

    def forget(self) -> None:
        """Nothing that was made is known."""
        self.known.clear()
        self.dispatcher.forget()


def its_own(default: Any) -> Any:
    """A fraction that no caller can pass: what was left out is told apart from what was given, see `regiven`."""
    return float.fromhex(default.hex()) if type(default) is float else default


def regiven(
    name: str, args: tuple[Any, ...], before: inspect.Signature, now: inspect.Signature
) -> tuple[Any, ...]:
    """Arguments of a call that was bound with the defaults of before, with those of now."""
    made = []
    for x, old, new in zip(args, before.parameters.values(), now.parameters.values(), strict=True):
        left_out = x is old.default and not same(old.default, new.default)
        if left_out and type(x) is not float:
            raise SignatureMismatch(
                f"the default of `{old.name}` has changed, and whether it was given cannot be told: "
                f"call {name} again"
            )
        made.append(new.default if left_out else x)
    return tuple(made)


def is_current(made: Any) -> bool:
    """True if there is something, and what it was made from is what it was."""
    return made is not None and all(guard.holds() for guard in made.guards)


def unshadowed(
    types: dict[str, Type], bound: Mapping[str, str], guards: list[Any]
) -> Iterator[str]:
    """Conditions that no argument has an attribute of its own in place of a method that was looked up."""
    looked = [g for g in guards if g.how == "static" and g.value is not MISSING]
    for name, kind in types.items():
        for text, tree in objects(kind, bound.get(name, name)):
            if tree.cls is None or not tree.cls.__dictoffset__:
                continue
            for guard in looked:
                hidden = guard.owner is tree.cls and not hasattr(type(guard.value), "__set__")
                if hidden and not guard.name.startswith("__") and guard.name not in tree.keys:
                    yield f"{guard.name!r} not in {text}.__dict__"


def objects(kind: Any, text: str) -> Iterator[tuple[str, Tree]]:
    """The objects in an argument, with the source that reads them."""
    kind = kind.type if isinstance(kind, Given) else kind
    if not isinstance(kind, Tree):
        return
    is_object = kind.container == "object"
    if is_object:
        yield text, kind
    for key, item in zip(kind.keys, kind.items, strict=True):
        yield from objects(item, f"{text}.{key}" if is_object else f"{text}[{key!r}]")


def check_given(chain: Any, types: dict[str, Type], made: Any, args: Sequence[Any]) -> None:
    """Refuse arguments of these kinds that what was made for them does not take."""
    names = [*list(chain.full.parameters)[: len(chain.bound)], *chain.parameters]
    scope = dict(zip(names, [*chain.bound, *args], strict=True))
    check_methods(chain, types, made.guards, scope)
    if made.equal:
        check_equal(chain, types, made.equal, args, scope)


def check_methods(chain: Any, types: dict[str, Type], guards: list[Any], scope: Any) -> None:
    """Refuse an object that has an attribute of its own in place of a method which was compiled."""
    methods = [guard for guard in guards if hasattr(type(guard.value), "__get__")]
    for test in unshadowed(types, {}, methods):
        if not eval(test, scope):
            name, _, place = test.partition(" not in ")
            raise SignatureMismatch(
                f"{chain.name}: `{place.removesuffix('.__dict__')}` has an attribute of its own in place "
                f"of the method {name} of its class; make it a method of a class of its own"
            )


def check_equal(
    chain: Any, types: dict[str, Type], equal: Any, args: Sequence[Any], scope: Any
) -> None:
    """Refuse sizes that the function needs equal, and whose derivative would not notice: as it does itself."""
    for a, b in equal_sizes(types, equal):
        if (m := eval(a, scope)) != (n := eval(b, scope)):
            given = args[: chain.arity]
            itself = with_all(chain.raw, functools.partial(chain.fn, *chain.bound))
            in_loops(itself, chain.steps, chain.parameters[: chain.arity])(*given)
            raise SignatureMismatch(
                f"{chain.name} needs {a} == {b}, and they are {m} and {n}; pass arrays of sizes that fit"
            )
    if not all(eval(test, scope) for test in wanted_sizes(types, equal)):
        from .function_alone import alone  # a call that failed

        found = alone(chain, args)
        if found is not None and found.raised is not None:
            try:
                raise found.raised
            finally:
                del found  # this frame is in its traceback


def equal_sizes(
    types: dict[str, Type],
    equal: Iterable[Sequence[Any]],
    bound: Mapping[str, str] = MappingProxyType({}),
) -> list[tuple[str, str]]:
    """The Python texts of sizes that have to be equal, of those that the arguments have: ``x.shape[0]``, ``2``."""
    known = texts_of_sizes(types, bound)
    found = [[in_python(n, known) for n in pair] for pair in equal if len(pair) == 2]
    return [(a, b) for a, b in found if a is not None and b is not None]


def wanted_sizes(
    types: dict[str, Type],
    equal: Iterable[Sequence[Any]],
    bound: Mapping[str, str] = MappingProxyType({}),
) -> list[str]:
    """When the function need not be asked whether it takes these sizes, as Python texts."""
    tests = []
    for a, b, how in wanted_pairs(types, equal, bound):
        numbers = [n for n in (a, b) if n.strip("0123456789")]
        ones = "" if how == "==" else "".join(f" or {n} == 1" for n in numbers)
        tests.append(f"({a} == {b}{ones})")
    return tests


def wanted_pairs(
    types: dict[str, Type],
    equal: Iterable[Sequence[Any]],
    bound: Mapping[str, str] = MappingProxyType({}),
) -> list[tuple[str, str, str]]:
    """The Python texts of two sizes, and how they are wanted: ``==``, or one of them may be 1."""
    known = texts_of_sizes(types, bound)
    found = [
        (in_python(first, known), in_python(second, known), how)
        for first, second, how in (pair for pair in equal if len(pair) == 3)
    ]
    return [(a, b, how) for a, b, how in found if a is not None and b is not None]


def texts_of_sizes(types: dict[str, Type], bound: Mapping[str, str]) -> dict[str, str]:
    known: dict[str, str] = {}
    for name, kind in types.items():
        known |= sizes(kind, bound.get(name, name))
    return known


def in_python(size: Any, known: dict[str, str]) -> str | None:
    """A size in the words of the arguments: ``x_0-1`` is ``x.shape[0]-1``; None if they do not tell it."""
    if isinstance(size, int):
        return str(size)
    if size in known:
        return known[size]
    if any(name not in known for name in re.findall(SIZE_NAME, size)):
        return None
    return f"({re.sub(SIZE_NAME, lambda m: known[m[0]], size)})"
