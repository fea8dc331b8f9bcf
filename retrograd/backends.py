"""Compiled back ends at call time: which kernel takes a call, and what happens to those that none takes.

The front kernel tests its arguments itself, in C; what it does not take comes to ``other``: arguments
of another kind get a kernel of their own, and what no kernel takes runs the emitted NumPy text.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np

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

    def learn(self, made: Any, args: tuple[Any, ...]) -> None:
        """There is code for arguments of this kind: compile it."""
        if any(guard.read() is not guard.value for guard in self.guards):
            self.front.forget()
            self.first, self.made, self.known = None, {}, {}
        self.made[kinds(args)] = made
        if self.first is None and (kernel := self.build(args, True, self.other)) is not None:
            self.first, self.guards = key_of(args, fixed=True), made.guards
            self.front.add({}, kernel, made.guards)

    def build(self, args: tuple[Any, ...], fixed: bool, fallback: Any) -> Callable[..., Any] | None:
        """A kernel for arguments like these, or a note why there is none."""
        from retrograd.compiler.native.compiled import compiled
        from retrograd.compiler.native.values import Unsupported

        made, chain = self.made[kinds(args)], self.chain
        name, target = next(iter(made.functions.items()))
        try:
            if (
                chain.bound
                or made.taped
                or any(map(is_starred, self.signature.parameters.values()))
            ):
                raise Unsupported("a method, starred parameters, or calls on the tape")
            return compiled(
                chain.backend, made.text, name, target, args, fixed, chain.accuracy, fallback
            )
        except Unsupported as error:
            where = f"line {error.line} of the text: " if error.line else ""
            self.noted(f"{where}{error.reason}")
        except Exception as error:
            if os.environ.get("RETROGRAD_VERIFY"):
                raise
            self.noted(f"no kernel could be made ({type(error).__name__}: {error})")
        return None

    def noted(self, note: str) -> None:
        """Why something runs as NumPy."""
        self.notes += [note] if note not in self.notes else []

    def other(self, *args: Any) -> Any:
        """A call that the kernel in front did not take."""
        flat = contiguous(args)
        if flat is not None:
            return self.function(*flat)
        if key_of(args, fixed=True) == self.first:  # it was taken, and left again
            return self.plain(*args)
        key = key_of(args, fixed=False)
        if key not in self.known and len(self.known) < MOST and kinds(args) in self.made:
            self.known[key] = self.build(args, False, self.plain)
        return (self.known.get(key) or self.plain)(*args)


def contiguous(args: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """Arguments with arrays in C order, or None if they are."""
    if all(in_order(a) for a in args):
        return None
    return tuple(a if in_order(a) else np.ascontiguousarray(a) for a in args)


def in_order(value: Any) -> bool:
    if type(value) is not np.ndarray:
        return True
    return bool(value.flags.c_contiguous and value.flags.aligned) or value.ndim == 0


def key_of(args: Any, fixed: bool) -> Any:
    """What a kernel is made for: dtypes, ranks, and the sizes that are constants in it."""
    from retrograd.compiler.native.kernels import SMALL, TINY

    if isinstance(args, np.ndarray):
        last = args.ndim - 1
        small = SMALL if fixed else 1
        sizes = tuple(
            n if n <= (max(small, TINY) if 0 < k == last else small) else -1
            for k, n in enumerate(args.shape)
        )
        return (args.dtype, sizes)
    if isinstance(args, (tuple, list)):
        return (type(args), *(key_of(a, fixed) for a in args))
    if isinstance(args, dict):
        return (dict, *((k, key_of(a, fixed)) for k, a in args.items()))
    return type(args)


def kinds(args: Any) -> Any:
    """Dtypes, ranks and which sizes are 1: what a text is written for."""
    return kinds_of_key(key_of(args, fixed=True))


def kinds_of_key(key: Any) -> Any:
    if isinstance(key, tuple) and len(key) == 2 and isinstance(key[0], np.dtype):
        return (key[0], tuple(1 if n == 1 else -1 for n in key[1]))
    if isinstance(key, tuple):
        return tuple(kinds_of_key(k) for k in key)
    return key
