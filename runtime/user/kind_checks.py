"""What a committed derivative takes as it is: the check of each kind of argument."""

from __future__ import annotations

import ast
import dataclasses
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..arrays.libraries import is_cupy
from ..arrays.transfers import is_ndarray
from ..objects.pytree import children
from .argument_forms import Form, form_of
from .known_objects import spelled_as

__all__ = ["Check", "Sizes", "check_of", "is_on_host"]

Sizes = dict[str, int]
Check = Callable[[Any, Sizes, tuple[Any, ...]], bool]
Own = Callable[[Any], bool]  # True of an array of the library that a text is for
ITEMS = (np.ndarray, np.generic, str, bytes, bytearray, range, deque)
NUMBERS = "buif"  # the kinds of dtypes
CONTAINERS: dict[str, Any] = {"tuple": tuple, "list": list, "dict": dict}


def check_of(form: Form) -> Check:
    own: Own = is_cupy if form.device else is_on_host
    return MAKERS[form.sort](form, own)


def python_value(form: Form, own: Own) -> Check:
    kind = form.of
    return lambda value, sizes, args: type(value) is kind


def word(form: Form, own: Own) -> Check:
    return WHOLE[form.of](own)


def spelled(form: Form, own: Own) -> Check:
    text = form.of
    return lambda value, sizes, args: spelled_as(text, value)


def given(form: Form, own: Own) -> Check:
    """A value: a literal, a member of an enumeration (``Color.RED``), or any of a class (``f8 = float64``)."""
    kind, text = form.of
    try:
        literal = ast.literal_eval(text)
    except ValueError:
        return named(kind, text)
    if type(literal).__name__ == kind:
        return lambda value, sizes, args: type(value) is type(literal) and value == literal
    whole = check_of(form_of(kind))
    return lambda value, sizes, args: whole(value, sizes, args) and value == literal


def named(kind: str, text: str) -> Check:
    """``Color.RED``, a class or a dtype by its name, or any value of the class ``float64``."""
    if is_dtype(kind):
        whole = check_of(form_of(kind))
        return lambda value, sizes, args: type(value).__name__ == text and whole(value, sizes, args)

    def check(value: Any, sizes: Sizes, args: Any) -> bool:
        said = getattr(value, "__name__", str(value))
        said = f"{kind}.{getattr(value, 'name', '')}" if "." in text else said
        return type(value).__name__ == kind and said == text

    return check


def is_dtype(name: str) -> bool:
    try:
        return np.dtype(name) is not None
    except TypeError:
        return False


def mapping(form: Form, own: Own) -> Check:
    """A dict of another class, by its name."""
    checks = [(key, check_of(part)) for key, part in form.parts]
    name, keys = form.of, tuple(key for key, _ in form.parts)

    def check(value: Any, sizes: Sizes, args: Any) -> bool:
        if type(value).__name__ != name or tuple(value) != keys:
            return False
        return all(inner(value[key], sizes, args) for key, inner in checks)

    return check


def container(form: Form, own: Own) -> Check:
    """A tuple, list or dict with parts of known kinds."""
    cls = CONTAINERS[form.of]
    keys = tuple(key for key, _ in form.parts)
    checks = [check_of(part) for _, part in form.parts]

    def check(value: Any, sizes: Sizes, args: Any) -> bool:
        if type(value) is not cls or len(value) != len(keys):
            return False
        if cls is dict and tuple(value) != keys:
            return False
        return all(inner(value[k], sizes, args) for k, inner in zip(keys, checks, strict=True))

    return check


def instance(form: Form, own: Own) -> Check:
    """An object of a class of this name, whose attributes are of known kinds."""
    name, checks = form.of, [(key, check_of(part)) for key, part in form.parts]

    def check(value: Any, sizes: Sizes, args: Any) -> bool:
        if type(value).__name__ != name:
            return False
        return all(
            hasattr(value, k) and inner(getattr(value, k), sizes, args) for k, inner in checks
        )

    return check


def is_on_host(value: Any) -> bool:
    return type(value) is np.ndarray


def scalar(form: Form, own: Own) -> Check:
    """An array without dimensions, or a NumPy scalar."""
    dtype = form.of

    def check(value: Any, sizes: Sizes, args: Any) -> bool:
        if own(value):
            return bool(value.dtype == dtype) and value.shape == ()
        return own is is_on_host and type(value) is dtype.type

    return check


def any_rank(form: Form, own: Own) -> Check:
    dtype = form.of
    return lambda value, sizes, args: own(value) and value.dtype == dtype


def array(form: Form, own: Own) -> Check:
    dtype, dims = form.of
    literal = [(k, int(d)) for k, d in enumerate(dims) if d.isdigit()]
    named = [(k, d) for k, d in enumerate(dims) if not d.isdigit() and d != "_"]
    rank = len(dims)

    def check(value: Any, sizes: Sizes, args: Any) -> bool:
        if not own(value) or (value.dtype is not dtype and value.dtype != dtype):
            return False
        shape = value.shape
        if len(shape) != rank:
            return False
        for k, size in literal:
            if shape[k] != size:
                return False
        for k, name in named:  # noqa: SIM110 (a generator would cost more than the checks)
            if sizes.setdefault(name, shape[k]) != shape[k]:
                return False
        return True

    return check


def parts(value: Any) -> Iterator[Any]:
    """The numbers and arrays in nested containers."""
    if not is_indexed(value):
        yield value
        return
    if isinstance(value, dict):
        value = tuple(value.values())
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = tuple(getattr(value, f.name) for f in dataclasses.fields(value))
    if isinstance(value, (tuple, list)):
        for item in value:
            yield from parts(item)
    else:
        yield value


def is_indexed(value: Any) -> bool:
    """True if the items 0, 1, 2, ... are those that a loop meets, or there are none: a text reads them so.

    >>> is_indexed([1.0]), is_indexed({"a": 1.0}), is_indexed({1: 1.0, 0: 2.0})
    (True, True, False)
    """
    kind: Any = type(value)
    if kind is dict:
        return all(type(key) is str for key in value)
    for base in (tuple, list):
        if issubclass(kind, base):
            return bool(kind.__iter__ is base.__iter__ and kind.__getitem__ is base.__getitem__)
    return not hasattr(kind, "__getitem__") or isinstance(value, ITEMS)


def is_floating(value: Any, own: Own) -> bool:
    if is_ndarray(value):
        return own(value) and value.dtype.kind == "f"
    return isinstance(value, (float, np.floating))


def floating(own: Own) -> Check:
    """Real floats of any rank and structure."""

    def check(value: Any, sizes: Sizes, args: Any) -> bool:
        if is_leaf(value):
            return is_floating(value, own)
        return all(is_floating(part, own) for part in parts(value))

    return check


def is_leaf(value: Any) -> bool:
    return is_ndarray(value) or isinstance(
        value, (np.generic, float, int, complex, str, type(None))
    )


def is_real(value: Any, own: Own) -> bool:
    if is_ndarray(value):
        return own(value) and value.dtype.kind not in "cO"
    return is_indexed(value) and not isinstance(value, (complex, np.complexfloating))


def real(own: Own) -> Check:
    """Anything but complex numbers, arrays that are not plain ones of numbers, and items in an order of their own."""

    def check(value: Any, sizes: Sizes, args: Any) -> bool:
        if is_leaf(value):
            return is_real(value, own)
        return all(is_real(part, own) for part in parts(value))

    return check


def not_integers(own: Own) -> Check:
    """Anything real but arrays of integers: the text writes fractions to an array of this kind."""
    is_one = real(own)

    def check(value: Any, sizes: Sizes, args: Any) -> bool:
        return is_one(value, sizes, args) and not (is_ndarray(value) and value.dtype.kind != "f")

    return check


def ranked(form: Form, own: Own, rows: int = 0) -> Check:
    """Numbers and arrays of some ranks, or of so many more."""
    word, named = form.of
    of_kind, ranks = WHOLE[word](own), {rank + rows for rank in named}

    def check(value: Any, sizes: Sizes, args: Any) -> bool:
        if not (value.dtype.kind in NUMBERS if is_ndarray(value) else is_number(value)):
            return False
        return np.ndim(value) in ranks and of_kind(value, sizes, args)

    return check


def sequence(form: Form, own: Own, rows: int = 0) -> Check:
    """A list or a tuple of items, or an array of them."""
    inner = sequence if form.of.sort == "sequence" else ranked
    item, whole = inner(form.of, own), inner(form.of, own, rows + 1)

    def check(value: Any, sizes: Sizes, args: Any) -> bool:
        if isinstance(value, (list, tuple)) and is_indexed(value):
            return all(item(part, sizes, args) for part in value)
        return own(value) and whole(value, sizes, args)

    return check


def is_number(value: Any) -> bool:
    return isinstance(value, (bool, int, float, np.number, np.bool_))


def like(form: Form, own: Own) -> Check:
    """Floats of the structure and shapes of another argument."""
    index = form.of

    def check(value: Any, sizes: Sizes, args: tuple[Any, ...]) -> bool:
        return same(value, args[index])

    return check


def same(dot: Any, x: Any) -> bool:
    own: Own = is_cupy if is_cupy(x) else is_on_host
    if is_floating(x, own):
        return is_floating(dot, own) and np.shape(dot) == np.shape(x)
    inner = children(x)
    if inner is None:
        return dot is None and not (is_ndarray(x) or isinstance(x, (int, complex, np.generic)))
    theirs = children(dot)
    if type(dot) is not type(x) or theirs is None or len(theirs) != len(inner):
        return False
    dots = dict(theirs)
    return all(key in dots and same(dots[key], item) for key, item in inner)


WHOLE: dict[str, Callable[[Own], Check]] = {
    "floating": floating,
    "real": real,
    "not integers": not_integers,
}
MAKERS: dict[str, Callable[[Form, Own], Check]] = {
    "python": python_value,
    "word": word,
    "like": like,
    "spelled": spelled,
    "ranked": ranked,
    "sequence": sequence,
    "value": given,
    "mapping": mapping,
    "container": container,
    "object": instance,
    "scalar": scalar,
    "any rank": any_rank,
    "array": array,
}
