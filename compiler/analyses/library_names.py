"""Library functions by the names that emitted code uses for them."""

from __future__ import annotations

import builtins
import cmath
import math
import operator
import types
from functools import cache
from typing import Any

import numpy as np

from retrograd.runtime.checkpointing import revolve
from retrograd.runtime.helpers import linear
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.rules.scipy import registry
from retrograd.runtime.solvers import implicit, refinement
from retrograd.runtime.tape import calls
from retrograd.runtime.traits.lookup import declared
from retrograd.runtime.user import batched, finite_differences, jacobian_blocks

from ..ir.operations import Const
from ..ir.reserved_names import MODULES
from .random_numbers import is_method_of_generator

__all__ = ["enter_root", "is_method", "name_of"]


# Second names of the array API, which fewer people know.
NEWER = {
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "concat", "permute_dims", "pow",
    "bitwise_left_shift", "bitwise_right_shift", "bitwise_invert",
}  # fmt: skip


@cache
def library_names() -> dict[int, str]:
    """How generated text spells the functions of NumPy, math, the runtime and builtins."""
    names: dict[int, str] = {}
    spaces = [
        (builtins, ""), (math, "math."), (cmath, "cmath."), (operator, "operator."), (revolve, "rt."), (linear, "rt."), (calls, "rt."),
        (batched, "rt."), (finite_differences, "rt."), (jacobian_blocks, "rt."), (np.polynomial.polynomial, "np.polynomial.polynomial."),
        (np.lib.stride_tricks, "np.lib.stride_tricks."), (np.linalg, "np.linalg."), (np.fft, "np.fft."), (np.random, "np.random."), (np, "np."),
    ]  # fmt: skip
    for space, prefix in spaces:
        for name in sorted(vars(space), key=lambda n: (-len(n), n)):
            found = getattr(space, name, None)
            if (
                callable(found)
                and not name.startswith("_")
                and (space is not np or name not in NEWER)
                and (prefix != "rt." or str(found.__module__).startswith("retrograd."))
            ):
                names[id(found)] = prefix + name
    names |= {id(fn): name for fn, name in declared("called")}
    solvers = {
        id(getattr(home, k)): f"rt.{k}" for home in (implicit, refinement) for k in home.__all__
    }
    return names | solvers


@cache
def extra_names(loaded: tuple[str, ...]) -> dict[int, str]:
    """The same for the libraries whose rules are registered (and their objects, for methods)."""
    ours = {id(vars(m)[name]): f"rt.{name}" for m in registry.helpers() for name in m.__all__}
    return ours | {
        id(found): f"{space}.{name}"
        for space, module in registry.spaces().items()
        for name, found in sorted(vars(module).items(), key=lambda pair: (-len(pair[0]), pair[0]))
        if callable(found) and not name.startswith("_") and id(found) not in library_names()
    }


def enter_root(roots: dict[str, Any], name: str, value: Any) -> None:
    """The object a name of the text stands for; None for a module imported under that name."""
    if value is MODULES.get(name, roots):
        value = None
    known = Const(roots.get(name, value))
    assert known.key() == Const(value).key(), f"two objects are called `{name}`"
    roots[name] = value


def name_of(fn: Any) -> str | None:
    """The dotted name of a library function, or None for the user's own objects."""
    owner = own_attribute(fn, "__self__")
    if isinstance(owner, np.ufunc):
        return f"np.{owner.__name__}.{fn.__name__}"
    known = library_names().get(id(fn))
    if known is not None or not registry.loaded:
        return known
    extra = extra_names(tuple(registry.loaded))
    if isinstance(fn, types.MethodType) and id(owner) in extra:
        return f"{extra[id(owner)]}.{fn.__name__}"
    return extra.get(id(fn))


def is_method(fn: Any) -> bool:
    """True if a call of it is written ``x.method(...)``."""
    return isinstance(fn, types.MethodDescriptorType) or is_method_of_generator(fn)
