"""``traits_of``: the record of any operation, of what is declared beside its rule and what can be read off it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from ..objects.homes import RUNTIME, SCIPY_HELPERS
from ..objects.own_attributes import home_of, own_attribute
from ..rules import all_rules
from ..rules.book import book
from ..rules.traits import BY_NAME, DECLARED, Traits, made

__all__ = ["declared", "names_with", "operator_of", "traits_of"]

assert all_rules is not None  # every family of NumPy is registered, and with it what it declares

UNKNOWN = Traits()
UFUNC_METHODS = ("reduce", "accumulate", "reduceat", "outer")
# Modules all of whose functions return something new.
NEW_HOMES = ("numpy.lib.scimath",
             *(f"numpy.polynomial.{family}" for family in
               ("polynomial", "chebyshev", "hermite", "hermite_e", "laguerre", "legendre")),
             "scipy.special", "scipy.stats._distn_infrastructure", "scipy.stats._multivariate",
             *(f"{SCIPY_HELPERS}{part}"
               for part in ("bessel", "cdf", "elliptic", "special")))  # fmt: skip
LASTING = (
    "numpy",
    "builtins",
    "math",
    "_operator",
    "scipy",
    RUNTIME.removesuffix("."),
)  # not of the user's program


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


def declared(trait: str) -> Iterator[tuple[Any, Any]]:
    """The operations that declare a trait, and what they declare."""
    return ((op, facts[trait]) for op, facts in DECLARED.items() if trait in facts)


def names_with(trait: str) -> dict[str, Any]:
    """The declared values of a trait, by the name of the operation: for what a rule's text calls."""
    return BY_NAME.get(trait, {})


@cache
def operator_of(ufunc: np.ufunc) -> Any:
    """Python's operator that a ufunc is on arrays, if there is one: ``operator.add`` of ``np.add``."""
    signed = (op for op, facts in DECLARED.items() if facts.get("sign") and len(facts["sign"]) < 3)
    return next((op for op in signed if DECLARED[op].get("ufunc") is ufunc), None)


def found(operation: Any) -> Traits:
    """The record, which is kept for the next time unless that would keep an object of the program alive."""
    facts = read_off(operation) | DECLARED.get(operation, {})
    record = Traits(**facts) if facts else UNKNOWN
    if may_show(record) and record.rank_0 is None:
        record = replace(record, rank_0="kept")
    if operation in DECLARED or is_lasting(operation):
        made[operation] = record
    return record


def read_off(operation: Any) -> dict[str, Any]:
    """The facts that an operation shows without their being declared."""
    if isinstance(operation, str):
        return {}
    home = home_of(operation)
    if isinstance(operation, np.ufunc):
        elementwise = operation.signature is None
        facts = {"memory": "new", "elementwise": elementwise, "ufunc": operation}
    elif isinstance(own_attribute(operation, "__self__"), np.ufunc):
        facts = {"memory": "new"} if operation.__name__ in UFUNC_METHODS else {}
    else:
        facts = {"memory": "new"} if lies_in(home, NEW_HOMES) else {}
        facts |= {"effect": "looks"} if is_assertion(operation, home) else {}
    if home.startswith(SCIPY_HELPERS) or is_special(operation):
        facts["infinite"] = "may"  # most have poles
    rule = book.rules.get(operation)
    if rule is not None and rule.broadcasts:
        facts["elementwise"] = (
            "axis" not in rule.own
        )  # along that, entries are compared with others
    augments = DECLARED.get(operation, {}).get("augments")
    return facts | ({"ufunc": traits_of(augments).ufunc} if augments else {})


def lies_in(home: str, modules: tuple[str, ...]) -> bool:
    """True if a module is one of these, or a submodule: ``math_tools`` is not in ``math``."""
    return home in modules or home.startswith(tuple(f"{module}." for module in modules))


def is_assertion(operation: Any, home: str) -> bool:
    """True of ``np.testing.assert_allclose`` and its kin, which only look at arrays."""
    named = str(own_attribute(operation, "__name__", "")).startswith("assert_")
    return named and lies_in(home, ("numpy.testing",))


def is_special(operation: Any) -> bool:
    """True if a function is one of ``scipy.special``, and not NumPy's under another name."""
    special, name = sys.modules.get("scipy.special"), str(own_attribute(operation, "__name__", ""))
    mine = special is not None and getattr(special, name, None) is operation
    return mine and getattr(np, name, None) is not operation


def may_show(record: Traits) -> bool:
    """True if a result may be a view of the first argument, or that argument."""
    return record.memory == "view" or bool(record.view_if) or record.new_if == "copied"


def is_lasting(operation: Any) -> bool:
    owner = own_attribute(operation, "__self__")
    if isinstance(operation, (str, np.ufunc)) or isinstance(owner, np.ufunc):
        return True
    home = home_of(operation)
    return (owner is None or isinstance(owner, ModuleType)) and lies_in(home, LASTING)
