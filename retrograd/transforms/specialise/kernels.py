"""Compiled back ends at call time: which kernel takes a call, and what happens to those that none takes.

The front kernel tests its arguments itself, in C; arguments of another kind get a kernel of their own,
and what no kernel takes runs the emitted NumPy text.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from inspect import Parameter
from typing import Any

from retrograd.runtime.errors import AnswerChanged, RetrogradError, SignatureMismatch

from ..check.policy import due, each_call
from ..star_arguments import is_starred, plain_signature, with_all
from .dispatcher import Dispatcher, equal_sizes, wanted_pairs
from .internal_errors import internal

__all__ = ["BACKENDS", "Kernels", "check_backend"]

BACKENDS = ("numpy", "c", "numba", "cuda")


def check_backend(backend: Any) -> str:
    """The name of a back end, or an error."""
    if backend is None:
        return "numpy"
    if not isinstance(backend, str) or backend not in BACKENDS:
        raise SignatureMismatch(f"backend is 'numpy', 'c', 'numba' or 'cuda', not {backend!r}")
    if backend == "numpy":
        return backend
    if backend == "c":
        from retrograd.compiler.native.c.toolchain import compiler

        compiler()
    elif backend == "cuda":
        from retrograd.compiler.native.cuda.entry import require as require_cupy

        require_cupy()
    else:
        from retrograd.compiler.native.numba.module import require

        require()
    return backend


class Kernels:
    """The kernels of a function; ``plain`` runs its NumPy text for any arguments.

    ``function`` is what the user calls: the first kernel, once there is one.  What stands behind it
    takes one argument for each parameter, by position, whatever the user's signature is.
    """

    def __init__(self, chain: Any, plain: Callable[..., Any], signature: Any, doc: str) -> None:
        inner = plain_signature(signature)
        kinds = {p.kind for p in signature.parameters.values()}
        by_position = kinds <= {Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD}
        self.chain, self.signature = chain, signature
        self.plain = plain if by_position else with_all(signature, plain)
        self.front = Dispatcher(
            plain.__name__, signature, self.plain, doc, inner=inner, public=True
        )
        self.function = self.front.function
        self.function.__native__ = self  # type: ignore[attr-defined]
        self.family: Any = None  # the kernels, once there is one
        self.guards: list[Any] = []
        self.before: list[Any] = []  # the keys of those that stand before the first kernel
        self.made: dict[Any, Any] = {}  # generated code by kinds of arguments
        self.notes: list[str] = []
        self.regions: list[Any] = []

    def learnt(self, made: Any, args: tuple[Any, ...], target: Any) -> Any:
        """Learns a kernel for calls that none takes; if it cannot be built, the mistake is ours.

        NumPy text runs instead, if that may be.
        """
        try:
            return self.learn(made, args, target)
        except (RetrogradError, TimeoutError, MemoryError, Warning):
            raise
        except Exception as error:
            failure = internal(self.chain, f"building a kernel ({self.chain.backend})", error)
            if self.chain.fallback is None:
                raise failure from error
            warnings.warn(f"{failure}\nit runs as NumPy instead", RuntimeWarning, stacklevel=4)
            return target

    def learn(self, made: Any, args: tuple[Any, ...], target: Any) -> Any:
        """There is code for arguments of this kind: compile it.

        What runs the calls that no kernel takes: ``target``, or it with kernels for its regions.
        """
        if not made.text:
            self.notes.append(
                "the function runs on the eager tape as a whole: there is no text to compile"
            )
            return target
        from retrograd.compiler.native.argument_kinds import kinds
        from retrograd.compiler.native.refusal import Unsupported
        from retrograd.compiler.native.specialisations import Family

        if made.pinned:  # kernels are found by kinds of arguments
            return self.in_regions(made, target, args)
        if not all(guard.holds() for guard in self.guards):
            self.forget()
        self.made[kinds(args)] = made
        family = self.family or Family(self.plain, self.build, self.install, later=self.aside)
        known = {guard.key for guard in self.guards}
        guards = self.guards
        self.guards = [*guards, *(g for g in made.guards if g.key not in known)]
        try:
            family.make(args)
        except Unsupported:
            self.guards = guards
            return self.in_regions(made, target, args)
        if self.family is not None:
            self.install(family.call)  # under the guards of all kernels
        self.family = family
        return target

    def aside(self, args: tuple[Any, ...], make: Callable[[Any], Any]) -> bool:
        """Has ``make`` make a further kernel, for arguments like these, beside the program, if that may be."""
        from retrograd.compiler.native.argument_kinds import kinds

        made = self.made.get(kinds(args))
        given = None if made is None else self.copies(made, args)
        if given is not None:
            self.later(given, make)
        return given is not None

    def copies(self, made: Any, args: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """Arguments with which kernels are made beside the program; None if the program waits for them."""
        if self.chain.wait or not may_run_aside(self.chain, made):
            return None
        from ..check.argument_copies import CannotCopy, fresh  # few kernels are made so

        try:
            return tuple(fresh(args))
        except CannotCopy:
            return None

    def later(self, args: tuple[Any, ...], make: Callable[[Any], Any]) -> None:
        from retrograd.compiler.native.background import later

        later(f"{self.chain.name} (backend={self.chain.backend!r})", lambda: make(args))

    def forget(self) -> None:
        self.front.forget()
        self.family, self.guards, self.made, self.regions = None, [], {}, []

    def renew(self, signature: Any) -> None:
        """The function was changed."""
        self.forget()
        self.signature = signature
        self.front.renew(signature, signature)

    def still(self) -> None:
        """Keeps kernels whose dependencies are as they were, whatever was said of derivatives since."""
        if self.family is None or not all(guard.holds() for guard in self.guards):
            return
        call = self.family.call
        left = self.left(call)
        if [guard.key for guard in left] != self.before:
            self.install(call)
            return
        self.have_looked_at(call)
        self.front.still({}, call, left)

    def install(self, call: Callable[..., Any]) -> None:
        """Has ``call`` take the calls from now on; where each is checked, the text does."""
        self.front.forget()
        left = self.left(call)
        self.have_looked_at(call)
        self.before = [guard.key for guard in left]
        if not each_call(self.chain):
            self.front.add({}, call, left)

    def left(self, call: Callable[..., Any]) -> list[Any]:
        """The guards that stand before ``call``: a kernel in C looks at most of them itself."""
        if self.chain.backend != "c":
            return self.guards
        from ..compiled.own_guards import left  # ctypes comes with it

        return left(call, self.guards)

    def have_looked_at(self, call: Callable[..., Any]) -> None:
        """Has the kernels in front look at the guards as they are now."""
        if self.chain.backend != "c":
            return
        from ..compiled.own_guards import guarded  # see ``left``

        behind = [] if self.family is None else [self.family.front, self.family.kernel]
        for kernel in {call, *behind}:
            guarded(kernel, self.plain, self.guards)

    def in_regions(self, made: Any, target: Any, args: tuple[Any, ...]) -> Any:
        """``target`` with kernels for its regions, if there are any."""
        from retrograd.compiler.native.partition.run_regions import Regions

        name = next(iter(made.functions))
        check = functools.partial(check_when_due, self.chain, made, region=True)
        found = Regions(self.chain.backend, made.text, name, target, self.chain.accuracy, check)
        self.regions.append(found)
        if not found.made.regions:
            return target
        called = functools.partial(with_all, self.chain.inner)
        given = [*self.chain.bound, *args]
        if due(self.chain, made, f"{self.chain.backend} {self.chain.accuracy} regions"):
            from ..check.kernels import settle  # few calls are checked

            settle(self.chain, found, called(found.function), given)
        self.check(made, called(target), called(found.function), given, "regions")
        return found.function

    def parts(self) -> list[Any]:
        """The compiled parts, and those that stay NumPy and why: lines of the text, 0 for all of it."""
        from retrograd.compiler.native.partition.run_regions import Part

        if self.regions:
            return [part for regions in self.regions for part in regions.parts()]
        return [] if self.family is None else [Part(0, 0, True)]

    def build(self, args: tuple[Any, ...], fixed: bool, fallback: Any) -> Callable[..., Any]:
        """A kernel for arguments like these, if there is generated code for them."""
        from retrograd.compiler.native.argument_kinds import key_of, kinds
        from retrograd.compiler.native.compile import compiled
        from retrograd.compiler.native.refusal import Unsupported

        made, chain = self.made.get(kinds(args)), self.chain
        if made is None:
            raise Unsupported("a kind of arguments that was not met")
        name, target = next(iter(made.functions.items()))
        try:
            if (
                chain.bound
                or made.taped
                or any(map(is_starred, self.signature.parameters.values()))
            ):
                raise Unsupported("a method, starred parameters, or calls on the tape")
            types = chain.types(args)
            equal = [*equal_sizes(types, made.equal), *wanted_pairs(types, made.equal)]
            kernel = compiled(
                chain.backend,
                made.text,
                name,
                target,
                args,
                fixed,
                chain.accuracy,
                fallback,
                equal,
                whole=True,
            )
        except Unsupported as error:
            self.note(error)
            raise
        what = f"{'fixed ' if fixed else ''}{key_of(args, fixed)}"
        try:
            self.check(made, target, kernel, args, what)
        except AnswerChanged as error:  # its text refuses these: it answers for itself
            raise Unsupported(error.reason) from error
        return kernel

    def check(self, made: Any, *kernel: Any) -> None:
        check_when_due(self.chain, made, *kernel)

    def note(self, error: Any) -> None:
        """Why something runs as NumPy."""
        where = f"line {error.line} of the text: " if error.line else ""
        note = f"{where}{error.reason}"
        self.notes += [note] if note not in self.notes else []


def may_run_aside(chain: Any, made: Any) -> bool:
    """Whether a text may be run, to hold its kernels against it, while the program goes on."""
    from retrograd.compiler.analyses.visible_effects import ACTS
    from retrograd.compiler.dependencies.isolated_runs import draws
    from retrograd.compiler.native.background import in_background

    if in_background():
        return False
    silent = made.reserved is not None and ACTS.isdisjoint(kind for kind, _ in made.reserved)
    return silent and "random" not in made.text and not draws(chain.fn)


def check_when_due(
    chain: Any, made: Any, text: Any, kernel: Any, args: Any, what: str, region: bool = False
) -> None:
    """Hold a kernel against its text before it is used; ``what`` tells it from the others of ``made``."""
    what = f"{chain.backend} {chain.accuracy} {what}"
    if due(chain, made, what):
        from ..check.kernels import check_kernel  # few calls are checked

        check_kernel(chain, made, text, kernel, args, what, region)
