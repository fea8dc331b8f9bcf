"""A kernel for one kind of arguments, by one of the back ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .kernels import kernel_of

__all__ = ["compiled", "text_of"]


def compiled(
    backend: str,
    text: str,
    name: str,
    target: Any,
    args: tuple[Any, ...],
    fixed: bool,
    accuracy: str,
    fallback: Callable[..., Any],
) -> Callable[..., Any]:
    """``target``, a function of the module ``text``, compiled for arguments like ``args``.

    What the kernel does not take goes to ``fallback``.
    """
    printed = text_of(backend, text, name, target, args, fixed, accuracy)
    if backend == "c":
        from .toolchain import entry_of

        return entry_of(printed, name, fallback)
    from .numba_module import entry_of as numba_entry

    return numba_entry(printed, name, fallback)


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
    kernel = kernel_of(text, name, target.__globals__, args, fixed)
    if backend == "c":
        from .math_c import math_text
        from .print_c import math_names
        from .shim_c import module_text
        from .toolchain import head_size

        return module_text(kernel, math_text(math_names(kernel), accuracy), head_size())
    from .print_numba import module_text as numba_text

    return numba_text(kernel, accuracy)
