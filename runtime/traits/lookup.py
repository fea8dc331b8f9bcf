"""``traits_of``: the record of any operation, of what is declared beside its rule and what can be read off it."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np

from ..objects.homes import RUNTIME, SCIPY_HELPERS
from ..objects.own_attributes import own_attribute
from ..rules import all_rules
from .record import DECLARED, Traits, made

__all__ = ["traits_of"]

assert all_rules is not None  # every family of NumPy is registered, and with it what it declares

UNKNOWN = Traits()
NEW = Traits(memory="new")
UFUNC_METHODS = ("reduce", "accumulate", "reduceat", "outer")
# Modules all of whose functions return something new.
NEW_HOMES = ("scipy.special", "scipy.stats._distn_infrastructure", "scipy.stats._multivariate",
             *(f"{SCIPY_HELPERS}{part}"
               for part in ("bessel", "cdf", "elliptic", "special")))  # fmt: skip
LASTING = ("numpy", "builtins", "math", "_operator", "scipy", RUNTIME)  # not of the user's program


def traits_of(operation: Any) -> Traits:
    """The record of an operation; that of nothing known for any other object.

    >>> traits_of(np.cumsum).memory, traits_of(np.transpose).memory, traits_of(print).memory
    ('new', 'view', None)
    """
    try:
        return made[operation]
    except KeyError:
        return found(operation)
    except TypeError:  # not hashable
        return UNKNOWN


def found(operation: Any) -> Traits:
    """The record, which is kept for the next time unless that would keep an object of the program alive."""
    record = replace(read_off(operation), **DECLARED.get(operation, {}))
    if may_show(record) and record.rank_0 is None:
        record = replace(record, rank_0="either")
    if operation in DECLARED or is_lasting(operation):
        made[operation] = record
    return record


def read_off(operation: Any) -> Traits:
    """What an operation shows without being declared."""
    if isinstance(operation, (np.ufunc, str)):
        return UNKNOWN if isinstance(operation, str) else NEW
    owner = own_attribute(operation, "__self__")
    if isinstance(owner, np.ufunc):
        return NEW if operation.__name__ in UFUNC_METHODS else UNKNOWN
    if str(own_attribute(operation, "__module__", "")).startswith(NEW_HOMES):
        return NEW
    return UNKNOWN


def may_show(record: Traits) -> bool:
    """Whether a result may be a view of the first argument, or that argument, by what is declared."""
    return record.memory == "view" or bool(record.view_if) or record.new_if == "copied"


def is_lasting(operation: Any) -> bool:
    owner = own_attribute(operation, "__self__")
    if isinstance(operation, (str, np.ufunc)) or isinstance(owner, np.ufunc):
        return True
    home = own_attribute(operation, "__module__") or ""
    return (owner is None or isinstance(owner, ModuleType)) and home.startswith(LASTING)
