"""A function whose regions run as kernels, the rest as NumPy.

Which kinds of arrays a region gets is known when it is first called: its kernel is made then.  If
that fails, the statement that failed stays NumPy, and the function is cut anew for later calls.
"""

from __future__ import annotations

import linecache
import time
import types
from collections.abc import Callable
from typing import Any

from retrograd.runtime.records import dataclass

from .. import compile as native
from ..argument_kinds import key_of
from ..refusal import Unsupported
from ..specialisations import Family
from .cut_regions import Cut, Region, cut, writes_loops

__all__ = ["Part", "Regions"]

TRIES = 40  # cuts of one function
SETTLING = 1.0  # seconds for runs that find out what stays


@dataclass(frozen=True)
class Part:
    """Lines of a text: compiled, or not and why."""

    first: int
    last: int
    compiled: bool
    why: str = ""


Check = Callable[[Any, Any, Any, str], None]


class Regions:
    """``function`` is a function of the emitted module ``text``, with kernels for its regions."""

    def __init__(
        self,
        backend: str,
        text: str,
        name: str,
        target: Any,
        accuracy: str,
        check: Check = lambda *given: None,
    ) -> None:
        self.backend, self.text, self.name, self.accuracy = backend, text, name, accuracy
        self.target, self.scope = target, dict(target.__globals__)
        self.stem = "kernel"
        while f"{self.stem}_" in text:
            self.stem += "_"
        self.check = check  # of a kernel against the text that it was made from
        self.stays: dict[int, str] = {}
        self.tries = 0
        self.known: dict[Any, str] = {}  # names of regions by what they are
        self.families: dict[str, Family] = {}
        self.failed: set[str] = set()
        self.function: Any = None
        self.only_read = False  # kernels are not compiled yet
        self.ahead: dict[Any, Callable[..., Any]] = {}  # kernels that were read
        self.made = self.cut()

    def settle(self, run: Callable[[], None]) -> None:
        """Finds what stays NumPy by runs of the text in which kernels are read, and none is compiled.

        A statement that stays is known only once it is met with its arguments, and there may be more behind it.
        """
        begun = time.monotonic()
        self.only_read = True
        try:
            while time.monotonic() - begun < SETTLING:
                before = self.tries
                run()
                if self.tries == before:
                    break
        finally:
            self.only_read = False
            for family in self.families.values():
                family.forget()

    def named(self, key: Any) -> str:
        """The name of a region: what has a name keeps it, since a call may be under way."""
        return self.known.setdefault(key, f"{self.stem}_{len(self.known) + 1}")

    def cut(self) -> Cut:
        """Cut the text; calls from now on run it."""
        self.tries += 1
        made = cut(self.text, self.name, self.target.__globals__, self.stays, self.named)
        filename = f"<retrograd regions of {self.name} {id(self):x}.{self.tries}>"
        linecache.cache[filename] = (len(made.text), None, made.text.splitlines(True), filename)
        scope = dict(self.scope)
        exec(compile(made.text, filename, "exec"), scope)
        for region in made.regions:
            if region.name not in self.families:
                made_now = self.family(region, made, scope[region.name])
                self.families[region.name] = made_now
                self.scope[region.name] = made_now.call
        code = scope[self.name].__code__
        if self.function is None:
            self.function = types.FunctionType(
                code, self.scope, self.name, self.target.__defaults__
            )
            self.function.__kwdefaults__ = self.target.__kwdefaults__
        self.function.__code__ = code
        return made

    def family(self, region: Region, made: Cut, plain: Any) -> Family:
        """The kernels of a region."""

        def nothing_yet(*args: Any) -> Any:
            return plain(*args)

        def build(args: tuple[Any, ...], fixed: bool, fallback: Any) -> Callable[..., Any]:
            make = self.read(region, made, plain, args, fixed)
            if self.only_read:
                return nothing_yet
            leave = plain  # what the kernel does not take, while it is checked
            kernel: Callable[..., Any] = make(lambda *given: leave(*given))
            lines = f"lines {region.first} to {region.last}"
            what = f"{lines} {'fixed ' if fixed else ''}{key_of(args, fixed)}"
            self.check(plain, kernel, args, what)
            leave = fallback
            return kernel

        def installed(call: Callable[..., Any]) -> None:
            self.scope[region.name] = call

        def refused(error: Unsupported) -> None:
            self.failed.add(region.name)
            self.learn(region, made.origin, error)

        return Family(plain, build, installed, refused)

    def read(
        self, region: Region, made: Cut, plain: Any, args: tuple[Any, ...], fixed: bool
    ) -> Callable[..., Any]:
        """What compiles a kernel, which is read once."""
        key = region.name, fixed, key_of(args, fixed)
        if key in self.ahead:
            return self.ahead.pop(key)
        found: Callable[..., Any] = native.prepared(
            self.backend, made.text, region.name, plain, args, fixed, self.accuracy,
            writes=writes_loops(region.stmts),
        )  # fmt: skip
        if self.only_read:
            self.ahead[key] = found
        return found

    def learn(self, region: Region, origin: list[int], error: Unsupported) -> None:
        """Leaves to NumPy what a kernel could not be made for."""
        lines = [origin[n - 1] for n in error.lines if n <= len(origin)]
        own = [n for n in lines if region.first <= n <= region.last][:1]
        reason = error.reason
        if error.name:
            own, reason = region.reading(error.name), f"`{error.name}` is {reason}"
        elif error.place is not None and not region.results:  # of a return
            own = [region.stmts[-1].lineno]
        elif error.place is not None:
            name = region.results[error.place] if len(region.results) > 1 else region.results[0]
            own, reason = region.making(name), f"`{name}` is {reason}"
        if not set(own) - set(self.stays):
            own = region.all_lines()
        for line in own:
            self.stays.setdefault(line, reason)
        if self.tries < TRIES:
            self.made = self.cut()

    def parts(self) -> list[Part]:
        """The parts that are compiled and those that are not, in the order of the text."""
        found = [
            Part(region.first, region.last, region.name not in self.failed)
            for region in self.made.regions
        ]
        found += [Part(line, line, False, why) for line, why in self.made.stays.items()]
        return sorted(found, key=lambda part: (part.first, part.last))
