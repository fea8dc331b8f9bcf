"""A kernel for one kind of arguments, by one of the back ends."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from retrograd.runtime.errors import BackendUnavailable, CacheError

from ..driver.gc_pause import seldom_collected
from . import kernel_cache
from .refusal import Unsupported
from .thread_count import several

if TYPE_CHECKING:
    from .loop_ir.ir import Kernel

__all__ = ["compiled", "prepared", "text_of"]


def compiled(
    backend: str,
    text: str,
    name: str,
    target: Any,
    args: tuple[Any, ...],
    fixed: bool,
    accuracy: str,
    fallback: Callable[..., Any],
    equal: Sequence[tuple[str, ...]] = (),
    writes: bool = True,
    whole: bool = False,
) -> Callable[..., Any]:
    """``target``, a function of the emitted module ``text``, compiled for arguments like ``args``.

    What the kernel does not take goes to ``fallback``; the rest is as in ``prepared``.
    """
    return prepared(
        backend, text, name, target, args, fixed, accuracy, equal, writes, whole
    )(fallback)  # fmt: skip


def prepared(
    backend: str,
    text: str,
    name: str,
    target: Any,
    args: tuple[Any, ...],
    fixed: bool,
    accuracy: str,
    equal: Sequence[tuple[str, ...]] = (),
    writes: bool = True,
    whole: bool = False,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A kernel that is read and printed, and compiled when it is asked for, with what takes the calls that it does not.

    These are the sizes that are to be ``equal`` and are not, among others; ``writes``: it may write to its
    arguments; ``whole``: it is all of a text, and not regions of it.
    """
    said = f"{text}{list(equal)}{writes}" if equal or not writes else text
    key = kernel_cache.key_of_kernel(said, name, target.__globals__, args, fixed, accuracy)
    with own_mistakes():
        known = kernel_cache.text(name, key) if backend == "c" and key is not None else None
    if known is not None:
        from .c.entry import entry_of  # ctypes and what comes with it: for C alone

        def load(fallback: Callable[..., Any]) -> Callable[..., Any]:
            with own_mistakes():
                return entry_of(known, name, fallback, [])

        return load
    with own_mistakes():
        with seldom_collected():
            from .build_kernel import kernel_of  # a kernel that is kept needs no reader
            from .partition.kind_questions import asks_anything  # nor this

        scope = target.__globals__
        if whole and asks_anything(text, scope):
            raise Unsupported("a value is asked for its kind")
        with seldom_collected():
            kernel = kernel_of(text, name, scope, args, fixed, equal, backend, several(), writes)
            printed = printed_as(backend, kernel, accuracy)

    def make(fallback: Callable[..., Any]) -> Callable[..., Any]:
        with own_mistakes():
            made = entry(backend, printed, kernel, name, fallback)
            if backend == "c" and key is not None and not kernel.captured:
                kernel_cache.remember(name, key, printed)  # what compiles
            return made

    return make


@contextmanager
def own_mistakes() -> Iterator[None]:
    """A mistake of ours in making a kernel is one in the tests only: otherwise it is one more reason to stay NumPy."""
    try:
        yield
    except (Unsupported, BackendUnavailable, CacheError):
        raise
    except Exception as error:
        if os.environ.get("RETROGRAD_VERIFY"):
            raise
        raise Unsupported(f"no kernel could be made ({type(error).__name__}: {error})") from error


def entry(
    backend: str, printed: str, kernel: Kernel, name: str, fallback: Callable[..., Any]
) -> Callable[..., Any]:
    """A kernel as a Python function."""
    if backend == "c":
        from .c.entry import entry_of  # see ``compiled``

        return entry_of(printed, name, fallback, kernel.captured)
    if backend == "cuda":
        from .cuda.entry import entry_of as cuda_entry  # see ``compiled``

        return cuda_entry(printed, name, fallback, kernel.captured)
    from .numba.module import entry_of as numba_entry  # numba need not be installed

    return numba_entry(printed, name, fallback, kernel.captured)


def text_of(
    backend: str,
    text: str,
    name: str,
    target: Any,
    args: tuple[Any, ...],
    fixed: bool = True,
    accuracy: str = "inline",
) -> str:
    """The source of a kernel: C, or Python for numba."""
    from .build_kernel import kernel_of  # see ``compiled``

    scope = target.__globals__
    kernel = kernel_of(text, name, scope, args, fixed, backend=backend, threads=several())
    return printed_as(backend, kernel, accuracy)


def printed_as(backend: str, kernel: Kernel, accuracy: str) -> str:
    if backend == "c":  # a kernel that is kept needs no printer
        from .c.shim import module_text  # one back end is asked for
        from .c_text.expressions import math_names  # one back end is asked for
        from .math.to_c import math_text  # one back end is asked for

        return module_text(kernel, math_text(math_names(kernel), accuracy))
    if backend == "cuda":
        from .cuda.module_text import module_text as cuda_text  # one back end is asked for

        return cuda_text(kernel)
    from .numba.printer import module_text as numba_text  # one back end is asked for

    return numba_text(kernel, accuracy)
