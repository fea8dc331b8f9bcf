"""Per-function memo, dropped with the function.

``rg.grad(f)(x)`` in a loop then costs what a derivative costs that was made before the loop.
"""

from __future__ import annotations

import inspect
import operator
import types
from collections.abc import Callable, Iterable
from typing import Any

from retrograd.derivatives import text_of, with_text
from retrograd.runtime.errors import NotDifferentiable
from retrograd.runtime.objects.own_signature import own_signature
from retrograd.runtime.user import rule_versions

__all__ = ["Kept", "Recent", "Watch"]

MOST = 256  # entries


class Recent(dict[Any, Any]):
    """A memory of the last ``MOST`` entries."""

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        while len(self) > MOST:
            self.pop(next(iter(self)), None)


class Watch:
    """Watches what derivatives of a function are made from: its code and defaults, those of what it calls, rules.

    What they read of modules and closures is compared where they are called.
    """

    def __init__(self, fn: Callable[..., Any]) -> None:
        self.fn = fn
        self.seen: dict[Any, tuple[Any, ...]] = {}
        self.also([fn])
        self.rules, self.changed = rule_versions.count, 0
        self.answers = True  # what packages ask in tests is answered while compiling
        self.effects: set[str] = (
            set()
        )  # what its calls do besides computing, by kinds of reservations
        self.signature: inspect.Signature | None = None
        self.pinned: dict[
            Any, Any
        ] = {}  # arguments whose values matter, by kinds: see known_arguments

    def also(self, functions: Iterable[Any]) -> None:
        """There are derivatives that are made from these functions, too."""
        new = {f: state_of(f) for f in functions if isinstance(f, types.FunctionType)}
        self.seen = new | self.seen

    def age(self) -> int:
        """How often something has changed."""
        if self.rules == rule_versions.count:
            for fn, was in self.seen.items():
                if fn.__code__ is not was[0] or fn.__defaults__ is not was[1]:
                    break
                if (fn.__kwdefaults__ or len(was) > 2) and not same(state_of(fn), was):
                    break
            else:
                return self.changed
        self.seen = {fn: state_of(fn) for fn in self.seen}
        self.rules, self.signature = rule_versions.count, None
        self.answers = True
        self.begin_anew()
        return self.changed

    def leave_questions(self) -> None:
        """What packages ask has not always the same answer: derivatives that are made from now on ask when they run."""
        self.answers = False
        self.begin_anew()

    def begin_anew(self) -> None:
        self.pinned.clear()
        self.changed += 1

    def full(self) -> inspect.Signature:
        """The signature of the function."""
        if self.signature is None:
            self.signature = signature_of(self.fn)
        return self.signature


def state_of(fn: Any) -> tuple[Any, ...]:
    named = fn.__kwdefaults__
    return (fn.__code__, fn.__defaults__, *(named.values() if named else ()))


def same(now: tuple[Any, ...], was: tuple[Any, ...]) -> bool:
    """True if code and defaults are the objects that they were."""
    return len(now) == len(was) and all(map(operator.is_, now, was))


def signature_of(fn: Any) -> inspect.Signature:
    try:
        return own_signature(fn)
    except (ValueError, TypeError):
        raise NotDifferentiable(
            f"{fn!r} has no signature to read", fix="wrap it in a Python function"
        ) from None


NAME = "__retrograd_kept__"


class Carried:
    """The text of a function that came here by value, and of those around it."""

    def __init__(self, texts: Any) -> None:
        self.texts = texts


class Kept:
    """A function's chain, in the function's own dict; a copy of that dict elsewhere means nothing."""

    def __init__(self, chain: Any) -> None:
        self.chain = chain

    def __reduce__(self) -> Any:
        """Pickled by value along with a function: what stays of it is the text of the function."""
        return Carried, (text_of(self.chain.fn),)

    @staticmethod
    def of(fn: Any) -> Any:
        """The chain that was kept, unless it is another function's or something has changed."""
        found = fn.__dict__.get(NAME)
        if isinstance(found, Carried):
            with_text(fn, found.texts)
        if not isinstance(found, Kept):
            return None
        chain = found.chain
        return chain if chain.fn is fn and chain.age == chain.watch.age() else None

    @staticmethod
    def keep(chain: Any) -> Any:
        chain.fn.__dict__[NAME] = Kept(chain)
        return chain
