"""Functions that compile themselves: a cheap guard, then the generated code for this kind of call.

A dispatcher is a plain Python function with the user's signature.  Each kind of arguments adds
one guarded line to it; what no line takes goes to ``miss``, which compiles.
"""

from __future__ import annotations

import functools
import inspect
import threading
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from retrograd.compiler.types import Type
from retrograd.runtime.errors import SignatureMismatch

from .kept import Recent
from .kinds import condition, sizes
from .parameters import handed, with_all

__all__ = ["ByKind", "Dispatcher", "check_equal", "equal_sizes", "is_current"]

MAX_LINES = 6


class Dispatcher:
    """``function``: what the user calls; ``add`` teaches it one more kind of arguments.

    ``inner`` is the signature of the generated code; ``failed`` answers where it raises.
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
    ) -> None:
        self.signature, self.lock = signature, threading.Lock()
        self.inner = signature if inner is None else inner
        self.bound = {n: f"bound_{n}__" for n in bound or {}}  # first arguments that stay the same
        self.scope: dict[str, Any] = {"miss__": miss, "failed__": failed}
        self.scope |= {self.bound[n]: value for n, value in (bound or {}).items()}
        self.lines: list[str] = []
        self.name = name
        self.function = self.build()
        self.function.__doc__ = doc
        self.function.__signature__ = signature  # type: ignore[attr-defined]

    def add(
        self,
        types: dict[str, Type],
        target: Callable[..., Any],
        guards: list[Any],
        equal: Iterable[Sequence[Any]] = (),
    ) -> None:
        """Send calls with arguments of these types to ``target`` from now on, if their sizes are equal."""
        with self.lock:
            k = len(self.scope)
            self.scope[f"target_{k}__"] = target
            parts = [self.guard(guard, f"{k}_{i}") for i, guard in enumerate(guards)]
            parts += [
                condition(kind, self.bound.get(name, name), self.scope)
                for name, kind in types.items()
            ]
            parts += [f"{a} == {b}" for a, b in equal_sizes(types, equal, self.bound)]
            test = " and ".join(parts) or "True"
            line = f"    if {test}:\n        return target_{k}__({self.given()})\n"
            if line not in self.lines:
                self.lines = [*self.lines, line][-MAX_LINES:]
            self.function.__code__ = self.build().__code__

    def guard(self, guard: Any, key: str) -> str:
        """A captured object is still what it was when the code was generated."""
        self.scope[f"read_{key}__"], self.scope[f"was_{key}__"] = guard.read, guard.value
        return f"read_{key}__() is was_{key}__"

    def forget(self) -> None:
        with self.lock:
            self.lines = []
            self.function.__code__ = self.build().__code__

    def given(self) -> str:
        """What the generated code takes."""
        own = handed(self.inner)
        return ", ".join([*self.bound.values(), *([own] if own else [])])

    def passed(self) -> str:
        return ", ".join(self.signature.parameters)

    def build(self) -> types.FunctionType:
        body = "".join(self.lines)
        if self.lines and self.scope["failed__"] is not None:
            lines = body.replace("\n    ", "\n        ")
            handler = f"        return failed__(error__, ({self.passed()},))\n"
            body = f"    try:\n    {lines}    except Exception as error__:\n{handler}"
        text = f"def {self.name}{self.header()}:\n{body}    return miss__({self.passed()})\n"
        scope = self.scope
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
    """What ``make(types)`` gave for arguments of these kinds; it says by its guards what it hangs on."""

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
        key = repr(types)
        made: Any = self.known.get(key)
        if is_current(made):
            check_equal(self.chain, types, made.equal, args)
            return made
        made = self.known[key] = self.make(types)
        check_equal(self.chain, types, made.equal, args)
        self.dispatcher.add(types, lambda *_: made, made.guards, made.equal)
        return made


def is_current(made: Any) -> bool:
    """Whether there is something, and what it was made from is what it was."""
    return made is not None and all(guard.read() is guard.value for guard in made.guards)


def check_equal(chain: Any, types: dict[str, Type], equal: Any, args: Sequence[Any]) -> None:
    """Refuse sizes that the function needs equal, and whose derivative would not notice: as it does itself."""
    if not equal:
        return
    names = [*list(chain.full.parameters)[: len(chain.bound)], *chain.parameters]
    scope = dict(zip(names, [*chain.bound, *args], strict=True))
    for a, b in equal_sizes(types, equal):
        if (m := eval(a, scope)) != (n := eval(b, scope)):
            given = args[: chain.arity]
            with_all(chain.raw, functools.partial(chain.fn, *chain.bound))(*given)
            raise SignatureMismatch(
                f"{chain.name} needs {a} == {b}, and they are {m} and {n}; pass arrays of sizes that fit"
            )


def equal_sizes(
    types: dict[str, Type],
    equal: Iterable[Sequence[Any]],
    bound: Mapping[str, str] = MappingProxyType({}),
) -> list[tuple[str, str]]:
    """The Python texts of sizes that have to be equal, of those that the arguments have: ``x.shape[0]``, ``2``."""
    known: dict[Any, str] = {}
    for name, kind in types.items():
        known |= sizes(kind, bound.get(name, name))
    found = [tuple(str(n) if type(n) is int else known.get(n) for n in pair) for pair in equal]
    return [(a, b) for a, b in found if a is not None and b is not None]
