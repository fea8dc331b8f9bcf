"""Types of values: the kind of a number, dtype, rank, and each dimension.

Everything may be unknown (``None``); nothing here is ever a guess.  A dimension is a known
``int``, a ``Dim`` (a named size; ``above_one`` if it is known not to be 1, so that it is
never stretched by broadcasting) or ``None``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from retrograd.runtime.arrays.libraries import NUMPY
from retrograd.runtime.records import dataclass, field, replace

__all__ = [
    "CUT",
    "ONES",
    "STRANGER",
    "TEXT",
    "Array",
    "Dim",
    "Exactly",
    "Given",
    "Number",
    "Numeric",
    "Opaque",
    "Size",
    "Stack",
    "Tree",
    "Type",
    "apart",
    "array",
    "broadcast",
    "dtype_of",
    "is_certain",
    "is_numeric",
    "is_record",
    "is_surely_complex",
    "is_text",
    "kind_of",
    "may_have_complex_parts",
    "may_turn_complex",
    "number",
    "of_any_kind",
    "rename",
    "same_shape",
]


@dataclass(frozen=True)
class Dim:
    """A size known by name: equal names are equal sizes; ``first``: what it was called at first."""

    name: str
    above_one: bool = False
    first: str = field(default="", compare=False, repr=False)

    def __str__(self) -> str:
        return self.name


Size = int | Dim | None
ORDER = "buifc"  # of the kinds: each holds those before it
WHOLE = ("b", "u", "i")
WIDEST = {"b": "bool", "u": "uint64", "i": "int64", "f": "float64", "c": "complex128"}


@dataclass(frozen=True)
class Array:
    """An ndarray or a NumPy scalar; ``dims=None``: unknown rank; ``kind``: ``"bifc"``.

    ``least``: on some way it is of this kind, though its own holds more; ``library``: whose an argument is.
    """

    dtype: str | None = None
    dims: tuple[Size, ...] | None = None
    kind: str | None = None
    least: str | None = None
    library: str = field(default=NUMPY, compare=False)

    def __repr__(self) -> str:
        said = ["dtype", "dims", "kind", "least", *(["library"] if self.library != NUMPY else [])]
        return f"Array({', '.join(f'{name}={getattr(self, name)!r}' for name in said)})"

    @property
    def lowest(self) -> str | None:
        return self.least or self.kind

    @property
    def whole(self) -> bool:
        """Whether it is of whole numbers on some way, and not on every."""
        return self.least in WHOLE and self.kind not in WHOLE

    @property
    def readings(self) -> tuple[Any, ...]:
        """What it may be: of its kind, or of the least."""
        least = Array(WIDEST[self.least or ""], self.dims, self.least)
        return replace(self, least=None), least

    @property
    def rank(self) -> int | None:
        return None if self.dims is None else len(self.dims)

    def with_dims(self, dims: tuple[Size, ...] | None) -> Array:
        return replace(self, dims=dims)

    def with_dtype(self, dtype: str | None, kind: str | None = None) -> Array:
        return Array(dtype, self.dims, np.dtype(dtype).kind if dtype else kind)


@dataclass(frozen=True)
class Number:
    """A Python ``bool``, ``int``, ``float`` or ``complex``: weak in dtype promotion.

    ``least``: on some way it is of this kind, though its own holds more (``1 if test else 0.5``).
    """

    kind: str = "f"
    dims: tuple[Size, ...] = ()
    dtype: None = None
    rank: int = 0
    size: Dim | None = None  # an int that is the size of a known dimension
    least: str | None = None

    @property
    def lowest(self) -> str:
        return self.least or self.kind

    @property
    def whole(self) -> bool:
        """Whether it is a whole number on some way, and not on every."""
        return self.least in WHOLE and self.kind not in WHOLE

    @property
    def readings(self) -> tuple[Any, ...]:
        """What it may be: of its kind, or of the least."""
        return Number(self.kind), Number(self.lowest)


def number(*kinds: str) -> Number:
    """A number that is of one of these kinds."""
    kind, least = max(kinds, key=ORDER.index), min(kinds, key=ORDER.index)
    return Number(kind, least=None if least == kind else least)


def array(kind: str | None, dims: tuple[Size, ...] | None, *least: str | None) -> Array:
    """An array of unknown dtype, which on some way may be of lower kinds than its own."""
    known = [k for k in least if k is not None and k in ORDER]
    found = min(known, key=ORDER.index, default=None)
    return Array(None, dims, kind, None if found == kind else found)


ONES = {"b": True, "i": 1, "f": 1.0, "c": 1j}  # a number of Python's of each kind


@dataclass(frozen=True)
class Numeric:
    """A number of Python's or an array, nobody knows which: it has no shape and no dtype that could be asked for.

    ``bound``: the type of an array that is there on one way only, to who has seen to it that it is;
    ``dtype``: that of the array, which is also the one that NumPy gives the number.
    """

    bound: Array | None = None
    dtype: str | None = None

    @property
    def readings(self) -> tuple[Any, ...]:
        """What it may be: a number of Python's (weak in promotion), or an array."""
        if self.dtype is None:
            return ()
        kind = np.dtype(self.dtype).kind
        return Number(kind), Array(self.dtype, None, kind)

    @classmethod
    def one_sided(cls, array: Array) -> Numeric:
        """Of an array: its sizes are those of the one way."""
        dims = None if array.dims is None else (None,) * len(array.dims)
        return cls(array.with_dims(dims))


@dataclass(frozen=True)
class Tree:
    """A container of known structure: ``items`` in order, by ``keys``."""

    container: str  # "tuple", "list", "dict", or "object" (dataclass, named tuple: see cls); a dict may be of another class
    keys: tuple[Any, ...]
    items: tuple[Any, ...]
    cls: type | None = None
    known: Any = None  # an object whose value is that of the call: `Known`
    hides: bool = False  # an object that holds numbers which its keys do not show

    def item(self, key: Any) -> Any:
        if self.container in ("tuple", "list") and isinstance(key, int) and key < 0:
            key += len(self.keys)
        return self.items[self.keys.index(key)] if key in self.keys else None


STRANGER = Tree("object", (), ())  # an object of any class
TEXT = Tree("object", (), (), str)
CUT = Tree("object", (), (), slice)


def is_record(kind: Any) -> bool:
    """True of the type of a dict that stands for an object in a list of run-time length."""
    cls = kind.cls if isinstance(kind, Tree) and kind.container == "dict" else None
    return cls is not None and not issubclass(cls, Mapping)


@dataclass(frozen=True)
class Opaque:
    """What a call gave that carries no derivative: of any class, known when it runs.

    ``own``: of one of NumPy's own that nothing is computed with, a dtype or ``np.finfo``; ``holds``: its
    attributes that are numbers, and of which kind; ``dtype``: the dtype that it is; ``whole``: it is one of
    whole numbers on one way.
    """

    own: bool = False
    holds: tuple[tuple[str, str], ...] = ()
    dtype: str | None = None
    whole: bool = False

    @property
    def may_be_whole(self) -> bool:
        return self.whole or (self.dtype is not None and np.dtype(self.dtype).kind in "biu")

    @property
    def readings(self) -> tuple[Any, ...]:
        """What it may be: a dtype of fractions, or of whole numbers."""
        return Opaque(self.own), Opaque(self.own, dtype="int64")


@dataclass(frozen=True)
class Stack:
    """One value per iteration of a loop, in the order of execution; ``user``: a list of theirs, or, ``keyed``, a dict.

    ``fixed``: it may be a tuple, into which nothing can be put.
    """

    item: Any = None
    user: bool = False
    keyed: bool = False
    key: Any = None  # the type of the keys of a dict
    fixed: bool = False


@dataclass(frozen=True)
class Given:
    """An argument of which more than its type is known at the call: its value, or (`Exactly`) its class."""

    type: Any
    value: Any


@dataclass(frozen=True)
class Exactly:
    """Of this class, though the type leaves several; ``sure``: whatever it is called with, nobody needs to ask."""

    cls: type
    sure: bool = False


@dataclass(frozen=True)
class Bottom:
    """The type of a name that is not bound yet: joins with anything."""


BOTTOM = Bottom()
Type = Array | Number | Numeric | Tree | Stack | Opaque | Bottom | Given | None


def is_text(kind: Any) -> bool:
    return isinstance(kind, Tree) and kind.cls is str


def is_numeric(t: Any) -> bool:
    """True of the types of numbers and arrays, and of what is one or the other."""
    return isinstance(t, (Array, Number, Numeric))


def dtype_of(t: Any) -> str | None:
    """The dtype of the array that NumPy makes of a value.

    >>> dtype_of(Number("f")), dtype_of(Array("float32"))
    ('float64', 'float32')
    """
    if isinstance(t, Number):
        return np.dtype(type(ONES[t.kind])).name
    return t.dtype if isinstance(t, (Array, Numeric)) else None


def kind_of(t: Any) -> str | None:
    """``"b"``, ``"i"``, ``"f"``, ``"c"`` or None."""
    return t.kind if isinstance(t, (Array, Number)) else None


def is_certain(t: Any) -> bool:
    """True if what is called complex is never real: without a dtype it may be either, one after the other.

    >>> is_certain(Array(None, None, "c")), is_certain(Array(None, None, "f"))
    (False, True)
    """
    known = isinstance(t, Number) or (isinstance(t, Array) and t.dtype is not None)
    return kind_of(t) == "f" or (kind_of(t) == "c" and known)


def may_have_complex_parts(t: Any) -> bool:
    """True if this may be an array of complex numbers."""
    scalar = isinstance(t, (Number, Tree, Stack)) or (isinstance(t, Array) and t.dims == ())
    return not scalar and kind_of(t) not in ("f", "i", "b")


def may_turn_complex(t: Any) -> bool:
    """True if this may be real now and complex later."""
    return may_have_complex_parts(t) and not is_surely_complex(t)


def of_any_kind(t: Any) -> Any:
    """The type of an adjoint that may be complex though its value is real, or though it was real so far."""
    kind = "c" if kind_of(t) == "c" else None  # "c" without a dtype: it may be either
    return Array(None, t.dims, kind) if isinstance(t, (Array, Number)) else t


def is_surely_complex(t: Any) -> bool:
    return kind_of(t) == "c" and is_certain(t)


def join_sizes(a: Size, b: Size) -> Size:
    """The size that elementwise operation gives two aligned dimensions."""
    if a == b or b == 1:
        return a
    if a == 1:
        return b
    for known in (a, b):
        if isinstance(known, int) or (isinstance(known, Dim) and known.above_one):
            return known
    return None


def join_dims(a: tuple[Size, ...] | None, b: tuple[Size, ...] | None) -> tuple[Size, ...] | None:
    """The dims of an elementwise result.

    >>> n = Dim("n", above_one=True)
    >>> join_dims((n,), (3, 1)) == (3, n)
    True
    """
    if a is None or b is None:
        return None
    if len(a) < len(b):
        a, b = b, a
    head = len(a) - len(b)
    return a[:head] + tuple(join_sizes(x, y) for x, y in zip(a[head:], b, strict=True))


def broadcast(*types: Type) -> Array | Number | None:
    """The type of an elementwise float operation on ``types`` (dtype by NumPy's promotion).

    >>> broadcast(Array("float32", (3,), "f"), Number("f"))
    Array(dtype='float32', dims=(3,), kind='f', least=None)
    """
    if not all(isinstance(t, (Array, Number)) for t in types):
        return None
    dims: tuple[Size, ...] | None = ()
    for t in types:
        dims = join_dims(dims, t.dims)  # type: ignore[union-attr]
    arrays = [t for t in types if isinstance(t, Array)]
    kinds = [kind_of(t) for t in types]
    kind = None if None in kinds else max(kinds, key="bifc".index)  # type: ignore[arg-type]
    if not arrays:
        return Number(kind or "f")
    return Array(promote(types), dims, kind)


def promote(types: tuple[Type, ...]) -> str | None:
    """NumPy's result dtype, Python numbers being weak; None if any array's is unknown."""
    arrays = [t for t in types if isinstance(t, Array)]
    if any(t.dtype is None for t in arrays):
        return None
    weak = [{"b": True, "i": 1, "f": 1.0, "c": 1j}[t.kind] for t in types if isinstance(t, Number)]
    try:
        return np.result_type(*[np.dtype(t.dtype) for t in arrays], *weak).name
    except TypeError:
        return None


def same_shape(a: Type, b: Type) -> bool:
    """True if two values provably have the same shape."""
    if not isinstance(a, (Array, Number)) or not isinstance(b, (Array, Number)):
        return False
    return a.dims is not None and a.dims == b.dims and None not in a.dims


def apart(types: dict[str, Type]) -> tuple[dict[str, Any], dict[Any, Any]]:
    """The types alone, and what more is known, by the way that leads there.

    >>> apart({"kind": Given(Number("i"), 2)})
    ({'kind': Number(kind='i', dims=(), dtype=None, rank=0, size=None, least=None)}, {('kind', ()): 2})
    """
    known: dict[Any, Any] = {}

    def plain(kind: Any, name: str, keys: tuple[Any, ...]) -> Any:
        if isinstance(kind, Given):
            known[name, keys] = kind.value
            return kind.type
        if isinstance(kind, Tree) and kind.items:
            pairs = zip(kind.keys, kind.items, strict=True)
            return replace(kind, items=tuple(plain(i, name, (*keys, k)) for k, i in pairs))
        return kind

    return {name: plain(kind, name, ()) for name, kind in types.items()}, known


def rename(kind: Type, change: Callable[[str], str | None]) -> Type:
    """A type with its named dimensions renamed; those that ``change`` does not know become unknown."""
    if isinstance(kind, Array) and kind.dims is not None:
        return kind.with_dims(tuple(rename_size(d, change) for d in kind.dims))
    if isinstance(kind, Number) and kind.size is not None:
        size = rename_size(kind.size, change)
        return Number(kind.kind, size=size if isinstance(size, Dim) else None)
    if isinstance(kind, Stack):
        return replace(kind, item=rename(kind.item, change))
    if isinstance(kind, Tree):
        return replace(kind, items=tuple(rename(i, change) for i in kind.items))
    return kind


def rename_size(size: Any, change: Callable[[str], str | None]) -> Any:
    if not isinstance(size, Dim):
        return size
    name = change(size.name)
    return None if name is None else Dim(name, size.above_one)
