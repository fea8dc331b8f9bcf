"""The families of rules for SciPy: each is registered once the program has imported its subject.

So importing retrograd never imports SciPy, and a program that calls ``scipy.special.erf`` finds
its rule.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

__all__ = ["FAMILIES", "helpers", "is_extra", "load", "load_installed", "loaded", "spaces"]

# The module, how generated text calls it, and the file of its rules.
FAMILIES = {
    "scipy.fft": ("fft", "scipy_fft"),
    "scipy.integrate": ("integrate", "scipy_integrate"),
    "scipy.interpolate": ("interpolate", "scipy_interpolate"),
    "scipy.linalg": ("linalg", "scipy_linalg"),
    "scipy.ndimage": ("ndimage", "scipy_ndimage"),
    "scipy.optimize": ("optimize", "scipy_optimize"),
    "scipy.signal": ("signal", "scipy_signal"),
    "scipy.sparse": ("sparse", "scipy_sparse"),
    "scipy.sparse.linalg": ("sparse_linalg", "scipy_sparse_linalg"),
    "scipy.spatial.distance": ("distance", "scipy_distance"),
    "scipy.special": ("special", "scipy_special"),
    "scipy.stats": ("stats", "scipy_stats"),
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
    """Whether a family of rules is one of these, or a sister that one of them imports.

    >>> is_extra("scipy_special"), is_extra("scipy_special_gamma"), is_extra("arithmetic")
    (True, True, False)
    """
    return family.startswith("scipy_")


def spaces() -> dict[str, ModuleType]:
    """The modules whose rules are registered, by the name generated text gives them."""
    return {FAMILIES[name][0]: sys.modules[name] for name in loaded}


def helpers() -> list[ModuleType]:
    """The modules of helpers that the registered rules have imported."""
    home = f"{__package__.rpartition('.')[0]}.linear_scipy_"
    return [module for name, module in sorted(sys.modules.items()) if name.startswith(home)]
