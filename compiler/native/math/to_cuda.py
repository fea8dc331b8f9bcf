"""Elementary functions for the device: CUDA's own, by the names of the C library.

What the C library has no function for is printed from the same text as for the host, in the variant that
calls the library.
"""

from __future__ import annotations

import re

from .source import closure, functions, is_wide, of_libm
from .to_c import function

__all__ = ["cuda_name", "definitions"]

INLINE = "static __device__ inline"
STRICT = "libm"


def cuda_name(name: str) -> str:
    """The name of a function in CUDA's C++.

    >>> cuda_name("rg_arctan2"), cuda_name("rg_expf"), cuda_name("rg_sigmoid")
    ('atan2', 'expf', 'sigmoid')
    """
    found = of_libm(STRICT).get(name)
    if found is None:
        return name.removeprefix("rg_")
    return found if is_wide(name) else f"{found}f"


def definitions(names: set[str]) -> list[str]:
    """The functions among ``names`` that CUDA lacks."""
    own = [n for n in closure(sorted(names), STRICT) if n not in of_libm(STRICT)]
    return [translated(function(functions(STRICT)[n], is_wide(n), INLINE)) for n in own]


def translated(text: str) -> str:
    text = re.sub(r"__builtin_inff?\(\)", "INFINITY", text.replace('__builtin_nan("")', "NAN"))
    text = text.replace("__builtin_", "")
    return re.sub(r"\brg_\w+", lambda found: cuda_name(found[0]), text)
