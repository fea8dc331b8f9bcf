"""Objects that a text may be compiled for: texts, functions, classes, modules, members of enumerations, dtypes."""

from __future__ import annotations

import ast
import enum
import functools
import hashlib
import importlib
import re
import types
from typing import Any

import numpy as np

from ..objects.own_attributes import home_of, own_attribute

__all__ = ["FUNCTIONS", "Known", "can_be_known", "is_spelled", "named", "spelled_as"]

AROUND = ("__retrograd__", "py_func")  # of functions around others: ours, and those of numba
LITERALS = (str, bytes, bool, int, float, complex, type(None))
LONGEST = 80  # of texts
SPELLED = (
    r"""b?(['"]).*\1|dtype\(.*\)|module [\w.]+|(partial|vectorize)\([^:]*\)|[\w.<>]+\.[\w.<>@]+"""
)
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, np.ufunc, type(np.sum))
NAMED = (*FUNCTIONS, type, types.ModuleType, enum.Enum, np.vectorize)


def can_be_known(value: Any) -> bool:
    """True for what stays as it is, and is told apart from others in any process.

    >>> can_be_known("relu"), can_be_known(np.tanh), can_be_known([1.0])
    (True, True, False)
    """
    if type(value) in (str, bytes):
        return len(value) <= LONGEST
    if isinstance(value, types.BuiltinFunctionType):
        return isinstance(own_attribute(value, "__self__"), (types.ModuleType, type(None)))
    if type(value) is functools.partial:
        given = [*value.args, *value.keywords.values()]
        return can_be_known(value.func) and all(map(is_word, given))
    if isinstance(value, types.MethodType):
        return isinstance(value.__func__, types.FunctionType)
    if isinstance(value, (*NAMED, np.dtype)):
        return True
    return callable(value) and any(own_attribute(value, n) is not None for n in AROUND)


def is_word(value: Any) -> bool:
    return type(value) in LITERALS or can_be_known(value)


class Known:
    """The value of an argument, or of a part of one, that a text is compiled for.

    >>> Known("relu") == Known("re" + "lu"), Known(np.tanh), Known("relu")
    (True, numpy.tanh, 'relu')
    """

    __slots__ = ("parts", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        self.parts = parts_of(value) if type(value) is functools.partial else None

    @property
    def is_asked(self) -> bool:
        """True if other objects may stand for it, which `is_same` tells."""
        return self.code is not None or isinstance(
            self.value, (functools.partial, types.MethodType)
        )

    @property
    def code(self) -> types.CodeType | None:
        """The code of a function that is nothing but its code: one that is defined anew is the same."""
        fn = self.value
        if type(fn) is not types.FunctionType or "<" not in fn.__qualname__:
            return None
        held = fn.__closure__ or fn.__defaults__ or fn.__kwdefaults__ or fn.__dict__
        return None if held else fn.__code__

    @property
    def by_value(self) -> bool:
        """True if an equal object stands for it: functions and classes stand for themselves alone."""
        return type(self.value) in LITERALS or isinstance(self.value, np.dtype)

    def is_same(self, value: Any) -> bool:
        if value is self.value and self.parts is None:
            return True
        if (code := self.code) is not None:
            other = Known(value)
            return other.code is code and value.__globals__ is self.value.__globals__
        if type(value) is type(self.value) is functools.partial:
            return parts_of(value) == self.parts
        if isinstance(value, types.MethodType) and isinstance(self.value, types.MethodType):
            return value.__func__ is self.value.__func__ and value.__self__ is self.value.__self__
        if not self.by_value:
            return False
        return type(value) is type(self.value) and repr(value) == repr(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Known) and self.is_same(other.value)

    def __hash__(self) -> int:
        if self.parts is not None:
            return hash(repr(self.parts))
        if isinstance(self.value, types.MethodType):
            return id(self.value.__func__)
        return hash(repr(self.value)) if self.by_value else id(self.code or self.value)

    def __repr__(self) -> str:
        """The same in every process."""
        value = self.value
        if self.by_value:
            return repr(value)
        if self.parts is not None:
            return f"partial{self.parts!r}"
        if isinstance(value, np.vectorize):
            return f"vectorize({Known(value.pyfunc)!r})"
        if isinstance(value, types.ModuleType):
            return f"module {value.__name__}"
        if isinstance(value, enum.Enum):
            return f"{type(value).__module__}.{type(value).__qualname__}.{value.name}"
        home = home_of(value) or "numpy"
        name = own_attribute(value, "__qualname__") or own_attribute(value, "__name__", "")
        name = getattr(name, "plain", name)  # of a derivative
        return f"{home}.{name}{mark_of(value) if '<' in name else ''}"


def parts_of(value: Any) -> tuple[Any, ...]:
    """What a partial application is made of; its keywords may be changed later."""
    named = [(name, Known(x)) for name, x in value.keywords.items()]
    return Known(value.func), *map(Known, value.args), *named


def is_spelled(kind: str) -> bool:
    """True if the text of a kind names one object, as `Known` writes it.

    >>> is_spelled("numpy.tanh"), is_spelled("'relu'"), is_spelled("f8[...]"), is_spelled("float")
    (True, True, False, False)
    """
    return re.fullmatch(SPELLED, kind, re.DOTALL) is not None


def spelled_as(kind: str, value: Any) -> bool:
    """True if an object is the one that a text names."""
    return can_be_known(value) and repr(Known(value)) == kind


def named(kind: str) -> Any:
    """The object that a text names; `ValueError` if it names none that can be found."""
    if kind[:1] in "'\"b" and kind[-1:] in "'\"":
        return ast.literal_eval(kind)
    if kind.startswith("dtype("):
        return np.dtype(ast.literal_eval(kind[6:-1]))
    if kind.startswith("module "):
        return importlib.import_module(kind[7:])
    parts = kind.split(".")
    for k in range(len(parts) - 1, 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:k]))
            for name in parts[k:]:
                found = getattr(found, name)
        except (ImportError, AttributeError):
            continue
        if spelled_as(kind, found):
            return found
    raise ValueError(kind)


def mark_of(fn: Any) -> str:
    """What tells functions of one name apart: their code."""
    code = own_attribute(fn, "__code__")
    if code is None:
        return ""
    said = repr((code.co_code, code.co_names, code.co_varnames, code.co_firstlineno))
    consts = [c if not isinstance(c, types.CodeType) else c.co_code for c in code.co_consts]
    return f"@{hashlib.sha256((said + repr(consts)).encode()).hexdigest()[:8]}"
