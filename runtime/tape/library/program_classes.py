"""Classes of libraries, and objects of theirs, that programs stand for (`runtime/rules/programs.py`), on the tape."""

from __future__ import annotations

import operator
import types
from collections.abc import Callable
from typing import Any

from ...objects.class_protocols import is_sparse
from ...objects.homes import REPLACEMENTS
from ...objects.own_attributes import own_attribute
from ...rules.programs import objects, program_of, remade_as
from ...rules.scipy import registry
from ..box import has_boxes, raw
from ..dispatch import apply

__all__ = ["followed_class", "of_made", "product", "standing_for"]

Follow = Callable[[Any], Any]


def followed_class(cls: type, follow: Follow) -> type:
    """A program's class whose methods, properties and operators run on the tape."""
    own: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if not base.__module__.startswith(REPLACEMENTS):
            continue
        for name, value in vars(base).items():
            if isinstance(value, types.FunctionType):
                own[name] = follow(value)
            elif isinstance(value, property) and value.fget is not None:
                own[name] = property(follow(value.fget))
    return type(cls)(cls.__name__, (cls,), own)


def standing_for(fn: Any, class_on_tape: Callable[[type], type]) -> Callable[..., Any] | None:
    """What is called in place of a class, an object or a method of one, where it is given values of the tape."""
    if isinstance(fn, type):
        return in_place_of_class(fn, class_on_tape)
    owner = own_attribute(fn, "__self__")
    if is_sparse(type(owner)) and fn.__name__ == "dot":
        return lambda other: product("matmul", owner, other)
    if is_known(type(fn)):
        return in_place_of_object(fn, fn, "__call__", class_on_tape)
    if is_known(type(owner)):
        return in_place_of_object(fn, owner, fn.__name__, class_on_tape)
    return None


def is_known(cls: type) -> bool:
    """True if programs stand for objects of a class."""
    if cls.__module__.partition(".")[0] in ("builtins", "__main__"):
        return False
    registry.load()
    return any(kind in objects for kind in cls.__mro__)


def in_place_of_class(
    cls: type, class_on_tape: Callable[[type], type]
) -> Callable[..., Any] | None:
    if cls.__module__.startswith(REPLACEMENTS):
        return class_on_tape(cls)
    program = program_of(cls)
    if not isinstance(program, type):
        return None
    of_tuples = getattr(program, "of_tuples", False)

    def make(*args: Any, **kwargs: Any) -> Any:
        stands = has_boxes((args, kwargs)) and not (of_tuples and type(args[0]) is not tuple)
        return (class_on_tape(program) if stands else cls)(*args, **kwargs)

    return make


def in_place_of_object(
    fn: Any, owner: Any, name: str, class_on_tape: Callable[[type], type]
) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        if not has_boxes((args, kwargs)):
            return fn(*args, **kwargs)
        cls, parts = remade_as(owner)
        whole = class_on_tape(cls)(**parts)
        return (getattr(whole, name, None) or fn)(*args, **kwargs)

    return call


def of_made(fn: Any, call: Any, follow: Follow) -> Any:
    """A function that a program stands for where it is given an object of a program's class: ``spsolve``."""
    program = program_of(fn)
    if not getattr(program, "of_sparse", False):
        return call

    def chosen(first: Any, *args: Any, **kwargs: Any) -> Any:
        made = type(first).__mro__[1].__module__.startswith(REPLACEMENTS)
        return (follow(program) if made else call)(first, *args, **kwargs)

    return chosen


def product(name: str, a: Any, b: Any) -> Any:
    """``a @ b`` or ``a * b``: a sparse matrix would take the memory of a box as that of an array."""
    op = getattr(operator, name)
    if not has_boxes((a, b)):
        return op(a, b)
    left, right = is_sparse(type(a)), is_sparse(type(b))
    matrix = (left and is_matrix(a)) or (right and is_matrix(b))
    several = all(getattr(raw(v), "ndim", 0) for v in (a, b))
    if (left or right) and (op is operator.matmul or (matrix and several)):
        return apply(operator.matmul, (a, b), {})
    return op(a, b)


def is_matrix(a: Any) -> bool:
    """True of ``csr_matrix`` and its like, whose ``*`` is the product of matrices."""
    from scipy.sparse import spmatrix  # it imports SciPy, which few programs need

    return isinstance(a, spmatrix)
