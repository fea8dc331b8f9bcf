"""Compiled back ends at call time: which kernel takes a call, and what happens to those that none takes.

The front kernel tests its arguments itself, in C; what it does not take comes to ``other``: arguments
of another kind get a kernel of their own, and what no kernel takes runs the emitted NumPy text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.runtime.errors import SignatureMismatch

from .dispatch import Dispatcher
from .parameters import is_starred

__all__ = ["BACKENDS", "Kernels", "check_backend"]

BACKENDS = ("numpy", "c", "numba")
MOST = 8  # kernels of one function


def check_backend(backend: Any) -> str:
    """The name of a back end, or an error."""
    if backend in (None, "numpy"):
        return "numpy"
    if backend not in BACKENDS:
        raise SignatureMismatch(f"backend is 'numpy', 'c' or 'numba', not {backend!r}")
    if backend == "c":
        from retrograd.compiler.native.toolchain import compiler

        compiler()
    else:
        from retrograd.compiler.native.numba_module import require

        require()
    return str(backend)


class Kernels:
    """The kernels of a function; ``plain`` runs its NumPy text for any arguments.

    ``function`` is what the user calls: the first kernel, once there is one.
    """

    def __init__(self, chain: Any, plain: Callable[..., Any], signature: Any, doc: str) -> None:
        self.chain, self.plain, self.signature = chain, plain, signature
        self.front = Dispatcher(plain.__name__, signature, plain, doc)
        self.function = self.front.function
        self.function.__native__ = self  # type: ignore[attr-defined]
        self.first: Any = None  # what the kernel in front is made for
        self.guards: list[Any] = []
        self.made: dict[Any, Any] = {}  # generated code by kinds of arguments
        self.known: dict[Any, Callable[..., Any] | None] = {}
        self.notes: list[str] = []
        self.regions: list[Any] = []

    def learn(self, made: Any, args: tuple[Any, ...], target: Any) -> Any:
        """There is code for arguments of this kind: compile it.

        What runs the calls that no kernel takes: ``target``, or it with kernels for its regions.
        """
        from retrograd.compiler.native.arguments import key_of, kinds

        if any(guard.read() is not guard.value for guard in self.guards):
            self.front.forget()
            self.first, self.made, self.known, self.regions = None, {}, {}, []
        self.made[kinds(args)] = made
        in_front = self.first is None
        kernel = self.build(args, in_front, self.other if in_front else self.plain)
        if kernel is None:
            from retrograd.compiler.native.regions import Regions

            name = next(iter(made.functions))
            found = Regions(self.chain.backend, made.text, name, target, self.chain.accuracy)
            self.regions.append(found)
            return found.function if found.made.regions else target
        if in_front:
            self.first, self.guards = key_of(args, fixed=True), made.guards
            self.front.add({}, kernel, made.guards)
        else:
            self.known[key_of(args, fixed=False)] = kernel
        return target

    def parts(self) -> list[Any]:
        """What is compiled, and what stays NumPy and why: lines of the text, 0 for all of it."""
        from retrograd.compiler.native.regions import Part

        if self.regions:
            return [part for regions in self.regions for part in regions.parts()]
        return [] if self.first is None else [Part(0, 0, True)]

    def build(self, args: tuple[Any, ...], fixed: bool, fallback: Any) -> Callable[..., Any] | None:
        """A kernel for arguments like these, or a note why there is none."""
        from retrograd.compiler.native.arguments import kinds
        from retrograd.compiler.native.compiled import compiled
        from retrograd.compiler.native.refusal import Unsupported

        made, chain = self.made[kinds(args)], self.chain
        name, target = next(iter(made.functions.items()))
        try:
            if (
                chain.bound
                or made.taped
                or any(map(is_starred, self.signature.parameters.values()))
            ):
                raise Unsupported("a method, starred parameters, or calls on the tape")
            if made.equal:
                raise Unsupported("sizes that nothing in the text compares")
            return compiled(
                chain.backend, made.text, name, target, args, fixed, chain.accuracy, fallback
            )
        except Unsupported as error:
            where = f"line {error.line} of the text: " if error.line else ""
            self.noted(f"{where}{error.reason}")
        return None

    def noted(self, note: str) -> None:
        """Why something runs as NumPy."""
        self.notes += [note] if note not in self.notes else []

    def other(self, *args: Any) -> Any:
        """A call that the kernel in front did not take."""
        from retrograd.compiler.native.arguments import contiguous, key_of, kinds

        flat = contiguous(args)
        if flat is not None:
            return self.function(*flat)
        if key_of(args, fixed=True) == self.first:  # it was taken, and left again
            return self.plain(*args)
        key = key_of(args, fixed=False)
        if key not in self.known and len(self.known) < MOST and kinds(args) in self.made:
            self.known[key] = self.build(args, False, self.plain)
        return (self.known.get(key) or self.plain)(*args)
