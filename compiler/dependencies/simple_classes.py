"""Classes whose ``__init__`` only stores its arguments."""

from __future__ import annotations

import inspect
import types
from typing import Any

from .object_reads import static

__all__ = ["has_second_part", "source_known", "stores_only", "stores_simply"]


def stores_simply(cls: type) -> bool:
    """True if attributes are simply stored, or not at all after ``__init__``."""
    frozen = getattr(getattr(cls, "__dataclass_params__", None), "frozen", False)
    simply = static(cls, "__getattribute__") is object.__getattribute__
    return simply and (bool(frozen) or static(cls, "__setattr__") is object.__setattr__)


def stores_only(cls: type, keys: list[Any]) -> bool:
    """True if the constructor of a class keeps these fields as it is given them."""
    if issubclass(cls, tuple):
        return True
    parameters = getattr(cls, "__dataclass_params__", None)
    init = static(cls, "__init__")
    if parameters is None or not parameters.init or source_known(init):
        return False
    taken = inspect.signature(cls).parameters
    return not has_second_part(init) and all(key in taken for key in keys)


def source_known(init: Any) -> bool:
    """True if an ``__init__`` was written by the user, not made by ``dataclass``."""
    return isinstance(init, types.FunctionType) and init.__code__.co_filename != "<string>"


def has_second_part(init: Any) -> bool:
    """True if an ``__init__`` made by ``dataclass`` ends in ``__post_init__``: the class had one, or a base, by then."""
    return "__post_init__" in init.__code__.co_names
