"""Arguments that mean what a committed derivative is for, made what it is for.

A number of another class with the same value, a dict of another class or, where the text does not depend on it, in
another order, an array that lies in a file.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np

from ..objects.container_classes import is_mapping
from ..objects.declared_containers import with_fields
from .argument_forms import Form

__all__ = ["converted"]

INTEGERS = (int, np.int64, np.int32)
FLOATS = (float, np.float64)
FITTING: dict[Any, tuple[type, ...]] = {
    bool: (np.bool_,),
    int: INTEGERS,
    float: (*FLOATS, *INTEGERS),
    complex: (complex, np.complex128, *FLOATS, *INTEGERS),
}
SCALARS = {"bool": bool, "int64": int, "float64": float, "complex128": complex}


def converted(form: Form, value: Any, any_order: bool) -> Any:
    """The value as a kind wants it, as far as that changes nothing of what it means."""
    if type(value) is np.memmap:
        return np.asarray(value)
    make = CONVERSIONS.get(form.sort)
    return value if make is None else make(form, value, any_order)


def number(form: Form, value: Any, any_order: bool) -> Any:
    return as_number(form.of, value)


def as_number(kind: type, value: Any) -> Any:
    """A number of another class, if it has the same value."""
    if type(value) not in FITTING.get(kind, ()):
        return value
    try:
        made = kind(value)
    except OverflowError:
        return value
    return made if made == value or value != value else value


def scalar(form: Form, value: Any, any_order: bool) -> Any:
    """A number of Python's as a scalar of NumPy's."""
    kind = SCALARS.get(form.of.name)
    if kind is None or isinstance(value, (np.ndarray, np.generic)) or form.device:
        return value
    made = value if type(value) is kind else as_number(kind, value)
    if type(made) is not kind:
        return value
    try:
        return form.of.type(made)
    except OverflowError:
        return value


def floating(form: Form, value: Any, any_order: bool) -> Any:
    """Whole numbers as floats, in containers of Python's, too."""
    if form.of != "floating":
        return parts_of_any(value, lambda item: item)
    return like(form, value, any_order)


def like(form: Form, value: Any, any_order: bool) -> Any:
    """Whole numbers in a tangent as floats."""
    return parts_of_any(
        value, lambda item: as_number(float, item) if type(item) in INTEGERS else item
    )


def parts_of_any(value: Any, change: Callable[[Any], Any]) -> Any:
    if type(value) is np.memmap:
        return np.asarray(value)
    if type(value) is dict:
        return same_or(value, {k: parts_of_any(v, change) for k, v in value.items()})
    if type(value) in (list, tuple):
        return same_or(value, type(value)(parts_of_any(v, change) for v in value))
    return change(value)


def same_or(value: Any, made: Any) -> Any:
    """The container itself if nothing in it has changed."""
    keys = value if isinstance(value, dict) else range(len(value))
    return value if all(made[k] is value[k] for k in keys) else made


def container(form: Form, value: Any, any_order: bool) -> Any:
    if form.of == "dict":
        return with_items(form, value, any_order, dict)
    if type(value).__name__ != form.of or len(value) != len(form.parts):
        return value
    pairs = zip(form.parts, value, strict=True)
    return same_or(value, type(value)(converted(p, v, any_order) for (_, p), v in pairs))


def mapping(form: Form, value: Any, any_order: bool) -> Any:
    """A dict of another class: of an `OrderedDict`, another order is another dict."""
    if form.of == "OrderedDict":
        return with_items(form, value, any_order, OrderedDict)
    return value


def with_items(form: Form, value: Any, any_order: bool, cls: Callable[[Any], Any]) -> Any:
    if type(value) is not dict and not is_mapping(type(value)):
        return value
    kinds = dict(form.parts)
    if value.keys() != kinds.keys():
        return value
    keys = kinds if any_order else value
    return cls((key, converted(kinds[key], value[key], any_order)) for key in keys)


def fields(form: Form, value: Any, any_order: bool) -> Any:
    """An object with other values in its fields; without any, itself."""
    if type(value).__name__ != form.of or not all(hasattr(value, k) for k, _ in form.parts):
        return value
    before = {k: getattr(value, k) for k, _ in form.parts}
    after = {k: converted(part, before[k], any_order) for k, part in form.parts}
    if all(after[k] is before[k] for k in after):
        return value
    named: Any = getattr(value, "_replace", None) if isinstance(value, tuple) else None
    return with_fields(value, after) if named is None else named(**after)


CONVERSIONS: dict[str, Callable[[Form, Any, bool], Any]] = {
    "python": number,
    "scalar": scalar,
    "word": floating,
    "like": like,
    "container": container,
    "mapping": mapping,
    "object": fields,
}
