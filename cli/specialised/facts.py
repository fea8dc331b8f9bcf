"""What functions and attributes give for values of which the class is known.

Only what holds for every value of the class is told; of everything else nothing is known.
"""

from __future__ import annotations

import operator
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from .kinds import Kind, Thing, class_of, either

__all__ = ["MISSING", "arithmetic", "attribute", "called", "compared", "method", "truth"]

ARRAYS = (np.ndarray, np.generic)
MISSING = object()
FLOATING = "fc"
ORDERS: dict[str, Callable[[Any, Any], Any]] = {
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
}
PLAIN = (str, int, float, complex, bool, tuple, type(None), np.dtype, type, frozenset)


def is_array(one: Any) -> bool:
    return isinstance(one, Thing) and issubclass(one.cls, ARRAYS)


def every(kind: Kind, ask: Callable[[Any], Any]) -> Kind:
    """The answers for each possibility; None if there is none for one of them."""
    if kind is None:
        return None
    answers = [ask(one) for one in kind]
    return None if any(a is MISSING for a in answers) else either(*[[a] for a in answers])


def truth(kind: Kind) -> bool | None:
    """Whether it is true, if that is known."""
    found = every(kind, true_of)
    return found[0] if found is not None and len(found) == 1 else None


def true_of(one: Any) -> Any:
    if isinstance(one, Thing):
        sized = one.cls in (tuple, list, dict) and one.rank is not None
        return bool(one.rank) if sized else MISSING
    return bool(one) if isinstance(one, PLAIN) else True if callable(one) else MISSING


# -- attributes ---------------------------------------------------------------------------


def attribute(kind: Kind, name: str) -> Kind:
    return every(kind, lambda one: attribute_of(one, name))


def attribute_of(one: Any, name: str) -> Any:
    if name == "__class__":
        return class_of(one)
    if not isinstance(one, Thing):
        known = isinstance(one, (types.ModuleType, np.dtype, type))
        return getattr(one, name, MISSING) if known else MISSING
    if not is_array(one):
        return one if name == "real" and one.cls is float else MISSING
    real = one.dtype is not None and one.dtype.kind in "fiub"
    answers: dict[str, Any] = {
        "dtype": one.dtype or MISSING,
        "ndim": MISSING if one.rank is None else one.rank,
        "shape": () if one.rank == 0 else Thing(tuple, None, one.rank),
        "size": 1 if one.rank == 0 else Thing(int),
        "T": one,
        "real": one if real else MISSING,
    }
    return answers.get(name, MISSING)


def has(one: Any, name: str) -> Any:
    """Whether a value has an attribute, by its class."""
    if isinstance(one, Thing):
        return hasattr(one.cls, name)
    return hasattr(one, name) if isinstance(one, PLAIN) else MISSING


# -- comparisons --------------------------------------------------------------------------


def compared(sign: str, left: Kind, right: Kind) -> Kind:
    """The answer of a comparison for every pair."""
    if left is None or right is None:
        return None
    return either(*[every([a], lambda x, b=b: pair(sign, x, b)) for a in left for b in right])  # type: ignore[misc]


def pair(sign: str, a: Any, b: Any) -> Any:
    if sign in ("IsNot", "NotEq", "NotIn"):
        found = pair({"IsNot": "Is", "NotEq": "Eq", "NotIn": "In"}[sign], a, b)
        return found if found is MISSING else not found
    if isinstance(a, Thing) or isinstance(b, Thing):
        return unequal(sign, a, b)
    if sign == "Is":
        known = isinstance(a, (type, bool, type(None))) and isinstance(b, (type, bool, type(None)))
        return a is b if known else MISSING if type(a) is type(b) else False
    if not isinstance(a, PLAIN) or not isinstance(b, PLAIN):
        return MISSING
    if sign == "In":
        return a in b if isinstance(b, (tuple, frozenset, str)) else MISSING
    if sign == "Eq":
        return bool(a == b)
    ordered = type(a) in (int, float) and type(b) in (int, float) and sign in ORDERS
    return ORDERS[sign](a, b) if ordered else MISSING


def unequal(sign: str, a: Any, b: Any) -> Any:
    """Of a value that is not known: another class, or another length, is another value."""
    if sign == "Is":
        return False if class_of(a) is not class_of(b) else MISSING
    if sign == "Eq" and class_of(a) is tuple and class_of(b) is tuple:
        lengths = [one.rank if isinstance(one, Thing) else len(one) for one in (a, b)]
        return MISSING if None in lengths or lengths[0] == lengths[1] else False
    return MISSING


# -- calls --------------------------------------------------------------------------------


def called(fn: Any, args: list[Kind], named: dict[str, Kind]) -> Kind:
    """What a function of Python's or NumPy's gives."""
    answer = next((a for known, a in ANSWERS if known is fn), None)
    if answer is None or not args or not fits(answer, args, named):
        return None
    found: Kind = answer(*args, **named)
    return found


def fits(answer: Any, args: list[Kind], named: dict[str, Kind]) -> bool:
    code = answer.__code__
    names = code.co_varnames[: code.co_argcount]
    free = names[len(args) :]
    least = code.co_argcount - len(answer.__defaults__ or ())
    return (
        len(args) <= len(names)
        and set(named) <= set(free)
        and set(names[len(args) : least]) <= set(named)
    )


def is_instance(x: Kind, classes: Kind) -> Kind:
    if classes is None or len(classes) != 1 or isinstance(classes[0], Thing):
        return None
    return every(x, lambda one: issubclass(class_of(one), classes[0]))


def attribute_or(x: Kind, name: Kind, default: Kind = None) -> Kind:
    if name is None or x is None:
        return None
    found: list[Kind] = []
    for one in x:
        there = has(one, name[0])
        if there is MISSING:
            return None
        found.append(attribute([one], name[0]) if there else default)
    return either(*found)


def length(x: Kind) -> Kind:
    def of(one: Any) -> Any:
        if isinstance(one, Thing):
            return one.rank if one.cls in (tuple, list, dict) and one.rank is not None else MISSING
        return len(one) if isinstance(one, (tuple, str)) else MISSING

    return every(x, of)


def rank(x: Kind) -> Kind:
    return every(x, rank_of)


def rank_of(one: Any) -> Any:
    if is_array(one):
        return MISSING if one.rank is None else one.rank
    return 0 if class_of(one) in (bool, int, float, complex) else MISSING


def shape(x: Kind) -> Kind:
    def of(one: Any) -> Any:
        if is_array(one):
            return attribute_of(one, "shape")
        return () if class_of(one) in (bool, int, float, complex) else MISSING

    return every(x, of)


def is_complex(x: Kind) -> Kind:
    def of(one: Any) -> Any:
        if is_array(one):
            return MISSING if one.dtype is None else one.dtype.kind == "c"
        return class_of(one) is complex if class_of(one) in (bool, int, float, complex) else MISSING

    return every(x, of)


def dtype_like(one: Any) -> Any:
    if is_array(one):
        return one.dtype or MISSING
    kinds = {float: np.dtype(np.float64), complex: np.dtype(np.complex128)}
    return kinds.get(class_of(one), MISSING)


def as_dtype(dtype: Kind) -> Any:
    """The one dtype that is meant; None if none is given, MISSING if it is not known."""
    if dtype is None or len(dtype) != 1 or not isinstance(dtype[0], (np.dtype, type, type(None))):
        return MISSING
    return None if dtype[0] is None else np.dtype(dtype[0])


def as_array(x: Kind, dtype: Kind = [None]) -> Kind:  # noqa: B006
    asked = as_dtype(dtype)

    def of(one: Any) -> Any:
        own = dtype_like(one) if asked is None else asked
        known = is_array(one) or class_of(one) in (float, complex)
        found = one.rank if is_array(one) else 0
        return MISSING if own is MISSING or not known else Thing(np.ndarray, own, found)

    return every(x, of)


def in_shape(x: Kind, to: Kind, order: Kind = None) -> Kind:
    """`np.reshape`, `np.broadcast_to`: an array of this shape."""
    ranks = length(to) if to is not None else None
    known = ranks[0] if ranks is not None and len(ranks) == 1 else None

    def of(one: Any) -> Any:
        own = dtype_like(one)
        return MISSING if own is MISSING else Thing(np.ndarray, own, known)

    return every(x, of)


def zeros_of(x: Kind, dtype: Kind = [None]) -> Kind:  # noqa: B006
    return as_array(x, dtype)


def filled(to: Kind, dtype: Kind = [np.float64]) -> Kind:  # noqa: B006
    asked, ranks = as_dtype(dtype), length(to) if to is not None else None
    known = ranks[0] if ranks is not None and len(ranks) == 1 else None
    return None if asked is MISSING or asked is None else [Thing(np.ndarray, asked, known)]


def real_part(x: Kind) -> Kind:
    return attribute(x, "real")


def the_dtype(x: Kind) -> Kind:
    asked = as_dtype(x)
    return None if asked in (MISSING, None) else [asked]


def kinds_of_class(x: Kind) -> Kind:
    return every(x, class_of)


def is_subclass(x: Kind, classes: Kind) -> Kind:
    if classes is None or len(classes) != 1:
        return None
    return every(x, lambda one: issubclass(one, classes[0]) if isinstance(one, type) else MISSING)


def has_attribute(x: Kind, name: Kind) -> Kind:
    return None if name is None else every(x, lambda one: has(one, name[0]))


def reduced(x: Kind, axis: Kind = None, keepdims: Kind = None) -> Kind:
    """A sum: an array, or a number of NumPy's."""

    def of(one: Any) -> Kind:
        own = dtype_like(one)
        if own is MISSING or own.kind not in FLOATING or not is_array(one):
            return None
        return [Thing(np.ndarray, own), Thing(own.type, own, 0)]

    return None if x is None else either(*map(of, x))


def joint_dtype(x: Kind, y: Kind) -> Kind:
    """The dtype of two that are known."""
    asked = [as_dtype(x), as_dtype(y)]
    return None if MISSING in asked or None in asked else [np.result_type(*asked)]


TABLE: dict[Any, Any] = {
    isinstance: is_instance,
    issubclass: is_subclass,
    type: kinds_of_class,
    getattr: attribute_or,
    hasattr: has_attribute,
    len: length,
    np.ndim: rank,
    np.shape: shape,
    np.iscomplexobj: is_complex,
    np.asarray: as_array,
    np.array: as_array,
    np.reshape: in_shape,
    np.broadcast_to: in_shape,
    np.zeros_like: zeros_of,
    np.zeros: filled,
    np.real: real_part,
    np.dtype: the_dtype,
    np.sum: reduced,
    np.result_type: joint_dtype,
}
ANSWERS = list(TABLE.items())


def method(kind: Kind, name: str, args: list[Kind]) -> Kind:
    """What a method of an array gives."""
    if kind is None or not all(map(is_array, kind)):
        return None
    if name == "sum":
        return reduced(kind)
    if name in ("copy", "conj") or (name == "astype" and len(args) == 1):
        asked = as_dtype(args[0]) if name == "astype" else None
        if asked is MISSING:
            return None
        return every(kind, lambda one: one if asked is None else retyped(one, asked))
    if name in ("reshape", "ravel", "transpose"):
        return every(kind, lambda one: Thing(np.ndarray, one.dtype) if one.dtype else MISSING)
    return None


def retyped(one: Thing, dtype: np.dtype[Any]) -> Thing:
    return Thing(one.cls if one.cls is np.ndarray else dtype.type, dtype, one.rank)


def arithmetic(left: Kind, right: Kind) -> Kind:
    """A sum, difference, product or quotient of float arrays and numbers."""
    if left is None or right is None:
        return None
    return either(*[of_two(a, b) for a in left for b in right])


def of_two(a: Any, b: Any) -> Kind:
    dtypes = [
        dtype_like(one) if class_of(one) is not int else np.dtype(np.float64) for one in (a, b)
    ]
    if MISSING in dtypes or any(d != np.float64 for d in dtypes):
        return None
    arrays = [one for one in (a, b) if is_array(one)]
    if not arrays:
        return [Thing(float)] if float in (class_of(a), class_of(b)) else None
    ranks = [one.rank for one in arrays]
    if None not in ranks and max(ranks):
        return [Thing(np.ndarray, np.dtype(np.float64), max(ranks))]
    number = Thing(np.float64, np.dtype(np.float64), 0)
    return (
        [number] if ranks == [0] * len(ranks) else [number, Thing(np.ndarray, np.dtype(np.float64))]
    )
