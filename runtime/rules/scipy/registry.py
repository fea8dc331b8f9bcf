"""The families of rules for SciPy: each is registered once the program has imported its subject.

So importing retrograd never imports SciPy, and a program that calls ``scipy.special.erf`` finds
its rule.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

from ...objects.homes import REPLACEMENTS, SCIPY_HELPERS

__all__ = [
    "FAMILIES",
    "helpers",
    "is_extra",
    "load",
    "load_installed",
    "loaded",
    "spaces",
]

# The module, how generated text calls it, and the file of its rules.
FAMILIES = {
    "scipy.fft": ("fft", "fft"),
    "scipy.fftpack": ("fftpack", "fftpack"),
    "scipy.integrate": ("integrate", "integrate"),
    "scipy.interpolate": ("interpolate", "interpolate"),
    "scipy.linalg": ("linalg", "linalg"),
    "scipy.ndimage": ("ndimage", "ndimage"),
    "scipy.optimize": ("optimize", "optimize"),
    "scipy.signal": ("signal", "signal"),
    "scipy.sparse": ("sparse", "sparse"),
    "scipy.sparse.linalg": ("sparse_linalg", "sparse_linalg"),
    "scipy.spatial.distance": ("distance", "distance"),
    "scipy.spatial.transform": ("transform", "rotation"),
    "scipy.special": ("special", "special.register_all"),
    "scipy.stats": ("stats", "stats.real_line"),
}

loaded: dict[str, str] = {}  # the family of each module whose rules are registered


def load() -> None:
    """Register the families whose modules are imported by now."""
    for name, (_, family) in FAMILIES.items():
        if name not in loaded and name in sys.modules:
            loaded[name] = family
            import_module(f".{family}", __package__)


def load_installed() -> None:
    """Import what is installed, and register all of it: for listings and tests."""
    for name in FAMILIES:
        try:
            import_module(name)
        except ImportError:
            continue
    load()


def is_extra(family: str) -> bool:
    """True if a family of rules is one of these, or a sister that one of them imports.

    >>> is_extra("scipy.fft"), is_extra("scipy.special.gamma"), is_extra("numpy.arithmetic")
    (True, True, False)
    """
    return family.startswith("scipy.")


def spaces() -> dict[str, ModuleType]:
    """The modules whose rules are registered, by the name generated text gives them."""
    return {FAMILIES[name][0]: sys.modules[name] for name in loaded}


def helpers() -> list[ModuleType]:
    """The modules of helpers that the registered rules use."""
    prefixes = (SCIPY_HELPERS, f"{REPLACEMENTS}solvers")
    return [m for name, m in sorted(sys.modules.items()) if name.startswith(prefixes)]
