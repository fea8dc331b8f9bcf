"""``expects``: a committed derivative refuses arguments that its text was not written for.

A kind is written as in a signature: ``f8[n, d]`` (equal names are equal sizes, ``...`` any rank),
``float``; ``floating``, ``real`` and ``not integers`` for texts that hold for every rank; ``like x`` for tangents.
With ``cp`` before it (``cp f8[n, d]``, ``cp floating``) its arrays are CuPy's.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import re
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np

from ..arrays.libraries import is_cupy
from ..arrays.transfers import is_ndarray, is_plain_array
from ..errors import SignatureMismatch
from ..objects.pytree import children
from .known_objects import is_spelled, spelled_as
from .type_text import pieces, taken_apart

__all__ = ["expects"]

F = TypeVar("F", bound=Callable[..., Any])
Sizes = dict[str, int]
Check = Callable[[Any, Sizes, tuple[Any, ...]], bool]
Own = Callable[[Any], bool]  # True of an array of the library that a text is for
DEVICE = "cp "
KIND = re.compile(r"(\w+)(?:\[(.*)\])?")
OBJECT = re.compile(r"(\w+)\((.*)\)")  # Point(x: float, y: f8[n])
VARARGS, VARKEYWORDS = 4, 8  # of code objects
ITEMS = (np.ndarray, np.generic, str, bytes, bytearray, range, deque)
PYTHON = {"bool": bool, "int": int, "float": float, "complex": complex}


def expects(*kinds: str) -> Callable[[F], F]:
    """Let a function be called with arguments of these kinds only, one for each parameter.

    >>> @expects("f8[n]", "f8[n]")
    ... def dot(x, y):
    ...     return x @ y
    >>> dot(np.ones(3), np.ones(3)).item()
    3.0
    >>> try:
    ...     dot(np.ones(3), np.ones(4))
    ... except TypeError as error:
    ...     print(error)
    dot: `y` is f8[4], not f8[n] with n = 3
    """

    def decorate(fn: F) -> F:
        names = parameters(fn)
        count = len(names)
        checks = tuple(check_of(kind, names) for kind in kinds[:count])
        apart = names_apart(kinds[count:])
        direct = -1 if is_starred(fn) else count  # so many arguments are those of the parameters
        if len(checks) != count or len(kinds) > count + 1:
            raise SignatureMismatch(f"{fn.__name__}: {len(kinds)} kinds for {count} parameters")

        @functools.wraps(fn)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            given = args
            if kwargs or len(args) != direct:
                args, kwargs, given = bound(fn, args, kwargs)
            sizes: Sizes = {}
            for k, check in enumerate(checks):
                if not check(given[k], sizes, given):
                    raise refusal(fn, names[k], kinds[k], given[k], sizes)
            for name in apart:
                if sizes.get(name) == 1:
                    raise alone(fn, name)
            return fn(*args, **kwargs)

        return guarded  # type: ignore[return-value]

    return decorate


def names_apart(last: tuple[str, ...]) -> tuple[str, ...]:
    """The sizes of ``"n != 1 and d != 1"``, which may stand after the kinds."""
    parts = [part.split() for text in last for part in text.split(" and ")]
    if any(part[1:] != ["!=", "1"] for part in parts):
        raise SignatureMismatch(f"cannot read the kind {last[0]!r}")
    return tuple(part[0] for part in parts)


def parameters(fn: Any) -> list[str]:
    """The names of all parameters, in order; a call gives one value for each."""
    if is_starred(fn):
        import inspect

        return list(inspect.signature(fn).parameters)
    code = fn.__code__
    return list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])


def is_starred(fn: Any) -> bool:
    """True if there is ``*rest`` or ``**params``."""
    return bool(fn.__code__.co_flags & (VARARGS | VARKEYWORDS))


def bound(
    fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any], tuple[Any, ...]]:
    """The arguments with defaults filled in, as they are passed and one for each parameter."""
    import inspect

    made = inspect.signature(fn).bind(*args, **kwargs)
    made.apply_defaults()
    return made.args, made.kwargs, tuple(made.arguments.values())


# -- checks -----------------------------------------------------------------------------


def check_of(kind: str, names: list[str]) -> Check:
    if kind.startswith("like "):
        return like(names.index(kind.removeprefix("like ")))
    own: Own = is_cupy if kind.startswith(DEVICE) else is_on_host
    kind = kind.removeprefix(DEVICE)
    if kind in PYTHON:
        return python_number(PYTHON[kind])
    if kind in WHOLE:
        return WHOLE[kind](own)
    if is_spelled(kind):
        return lambda value, sizes, args: spelled_as(kind, value)
    try:
        known = pieces(kind, "=")
    except ValueError:
        raise SignatureMismatch(f"cannot read the kind {kind!r}") from None
    if len(known) == 2:
        return given(*known)
    made = OBJECT.fullmatch(kind)
    inner = taken_apart(made[2]) if made is not None and made[2].startswith("{") else None
    if made is not None and isinstance(inner, tuple):
        return mapping(made[1], inner[1])
    if made is not None:
        return instance(made[1], [pieces(part, ":") for part in pieces(made[2])])
    apart = taken_apart(kind)
    if isinstance(apart, tuple):
        return container(*apart)
    found = KIND.fullmatch(kind)
    if found is None:
        raise SignatureMismatch(f"cannot read the kind {kind!r}")
    dtype = np.dtype(found[1])
    if found[2] is None:
        return scalar(dtype, own)
    if found[2].strip() == "...":
        return lambda value, sizes, args: own(value) and value.dtype == dtype
    return array(dtype, tuple(part.strip() for part in found[2].split(",") if part.strip()), own)


def given(kind: str, text: str) -> Check:
    """A value: a literal, a member of an enumeration (``Color.RED``), or any of a class (``f8 = float64``)."""
    try:
        literal = ast.literal_eval(text)
    except ValueError:
        return named(kind, text)
    if type(literal).__name__ == kind:
        return lambda value, sizes, args: type(value) is type(literal) and value == literal
    whole = check_of(kind, [])
    return lambda value, sizes, args: whole(value, sizes, args) and value == literal


def named(kind: str, text: str) -> Check:
    """``Color.RED``, a class or a dtype by its name, or any value of the class ``float64``."""
    if is_dtype(kind):
        whole = check_of(kind, [])
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


def mapping(name: str, pairs: list[tuple[Any, Any]]) -> Check:
    """A dict of another class, by its name."""
    checks = [(key, inner_check(kind)) for key, kind in pairs]
    keys = tuple(key for key, _ in pairs)

    def check(value: Any, sizes: Sizes, args: Any) -> bool:
        if type(value).__name__ != name or tuple(value) != keys:
            return False
        return all(inner(value[key], sizes, args) for key, inner in checks)

    return check


def inner_check(kind: Any) -> Check:
    return container(*kind) if isinstance(kind, tuple) else check_of(kind, [])


def container(name: str, pairs: list[tuple[Any, Any]]) -> Check:
    """A tuple, list or dict with parts of known kinds."""
    cls = CONTAINERS[name]
    keys = tuple(key for key, _ in pairs)
    checks = [inner_check(kind) for _, kind in pairs]

    def check(value: Any, sizes: Sizes, args: Any) -> bool:
        if type(value) is not cls or len(value) != len(keys):
            return False
        if cls is dict and tuple(value) != keys:
            return False
        return all(inner(value[k], sizes, args) for k, inner in zip(keys, checks, strict=True))

    return check


def instance(name: str, fields: list[list[str]]) -> Check:
    """An object of a class of this name, whose attributes are of known kinds."""
    checks = [(key, check_of(kind, [])) for key, kind in fields]

    def check(value: Any, sizes: Sizes, args: Any) -> bool:
        if type(value).__name__ != name:
            return False
        return all(
            hasattr(value, k) and inner(getattr(value, k), sizes, args) for k, inner in checks
        )

    return check


ARRAYS = (np.ndarray, np.memmap)
CONTAINERS: dict[str, Any] = {"tuple": tuple, "list": list, "dict": dict}


def python_number(kind: type) -> Check:
    return lambda value, sizes, args: type(value) is kind


def is_on_host(value: Any) -> bool:
    return type(value) in ARRAYS


def scalar(dtype: Any, own: Own) -> Check:
    """An array without dimensions, or a NumPy scalar."""

    def check(value: Any, sizes: Sizes, args: Any) -> bool:
        if own(value):
            return bool(value.dtype == dtype) and value.shape == ()
        return own is is_on_host and type(value) is dtype.type

    return check


def array(dtype: Any, dims: tuple[str, ...], own: Own) -> Check:
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
        return is_plain(value, own) and value.dtype.kind == "f"
    return isinstance(value, (float, np.floating))


def is_plain(value: Any, own: Own) -> bool:
    """True of an array of the right library that is of no subclass."""
    return own(value) and type(value) is not np.memmap


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
        return is_plain(value, own) and value.dtype.kind not in "cO"
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


def like(index: int) -> Check:
    """Floats of the structure and shapes of another argument."""

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


# -- the refusal ------------------------------------------------------------------------


def refusal(fn: Any, name: str, kind: str, value: Any, sizes: Sizes) -> SignatureMismatch:
    """An error: what was expected, what came, and how to write the text for it."""
    inner = kind.partition("[")[2].rstrip("]").split(",")
    known = [
        f"{d} = {sizes[d]}" for d in map(str.strip, inner) if d in sizes and is_fixed(value, kind)
    ]
    wanted = in_words(kind) + (f" with {', '.join(known)}" if known else "")
    text = f"{fn.__name__}: `{name}` is {described(value)}, not {wanted}"
    command = regenerate(fn)
    if command:
        text += f"; to write the text for other arguments, change --sig in\n    {command}"
    return SignatureMismatch(text)


def alone(fn: Any, name: str) -> SignatureMismatch:
    return SignatureMismatch(f"{fn.__name__}: the size {name} is 1; this text is for other sizes")


WORDS = {
    "floating": "a float or a float array",
    "real": "a real number, an array or a list of them, or a dict with texts for keys",
    "not integers": "an array of floats, to which the function writes",
}


def in_words(kind: str) -> str:
    """What a kind says; of one for the device with no word of its own, as it is written."""
    said = WORDS.get(kind.removeprefix(DEVICE))
    if said is None:
        return kind
    return f"{said}, on the device" if kind.startswith(DEVICE) else said


def is_fixed(value: Any, kind: str) -> bool:
    """True if only sizes can be wrong, so that it helps to say which are fixed already."""
    return is_plain_array(value) and value.ndim == len(kind.split(","))


def described(value: Any) -> str:
    if is_plain_array(value):
        where = DEVICE if is_cupy(value) else ""
        return f"{where}{short(value.dtype)}[{', '.join(map(str, value.shape))}]"
    if isinstance(value, np.generic):
        return f"{short(value.dtype)} (a NumPy scalar)"
    return f"a {type(value).__name__}"


def short(dtype: Any) -> str:
    """``f8`` for float64; other byte orders and kinds by their own name."""
    return dtype.str[1:] if dtype.isnative and dtype.kind in "bifuc" else str(dtype)


def regenerate(fn: Any) -> str:
    """The command at the end of the module's docstring."""
    lines = (fn.__globals__.get("__doc__") or "").strip().splitlines()
    last = lines[-1].strip() if lines else ""
    return last if last.startswith("retrograd ") else ""
