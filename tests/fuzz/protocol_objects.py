"""Classes that answer Python's protocols in ways of their own, for the programs of `protocols`."""

from __future__ import annotations

import collections
import dataclasses
import enum
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np


class Held:
    """What the others keep: three items, and twice their number of answers."""

    rate = 2.0

    def __init__(self, a: Any, b: Any, c: Any) -> None:
        self.a, self.b, self.c = a, b, c
        self.items3 = [a, b, c]


class Yields(Held):
    def __iter__(self) -> Iterator[Any]:
        yield self.c
        yield self.a


class Returns(Held):
    def __iter__(self) -> Iterator[Any]:
        return iter([self.c, self.b, self.a, self.a])


class SizedYields(Yields):
    def __len__(self) -> int:
        return 2


class Indexed(Held):
    def __len__(self) -> int:
        return 2

    def __getitem__(self, k: int) -> Any:
        if k >= 3 or k < -3:
            raise IndexError(k)
        return 3.0 * self.items3[k]


class IndexedOnly(Held):
    def __getitem__(self, k: int) -> Any:
        if k > 1:
            raise IndexError(k)
        return 2.0 * self.items3[k]


class Falsy(Held):
    def __bool__(self) -> bool:
        return False


class Truthy(Held):
    def __bool__(self) -> bool:
        return bool(self.a > 0.2)


class Empty(Held):
    def __len__(self) -> int:
        return 0


class Contains(Held):
    def __contains__(self, v: Any) -> bool:
        return bool(v > 1.0)


class Contrary(Held):
    def __eq__(self, other: Any) -> bool:
        return True

    def __ne__(self, other: Any) -> bool:
        return True

    def __lt__(self, other: Any) -> bool:
        return True

    def __gt__(self, other: Any) -> bool:
        return True

    def __le__(self, other: Any) -> bool:
        return False

    def __ge__(self, other: Any) -> bool:
        return False

    def __hash__(self) -> int:
        return 7


class Stores(Held):
    def __getitem__(self, k: Any) -> Any:
        return self.items3[-1 - k]

    def __setitem__(self, k: Any, v: Any) -> None:
        self.items3[-1 - k] = 2.0 * v

    def __delitem__(self, k: Any) -> None:
        self.items3[0] = 7.0 * self.items3[1]


class Calls(Held):
    def __call__(self, v: Any) -> Any:
        return self.a * v * v


class Manages(Held):
    def __enter__(self) -> Any:
        return 4.0 * self.a

    def __exit__(self, *about: Any) -> None:
        pass


class Any_attribute(Held):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return 5.0


class Every_attribute(Held):
    def __getattribute__(self, name: str) -> Any:
        found = object.__getattribute__(self, name)
        return 3.0 * found if isinstance(found, float) else found


class Sets(Held):
    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value if name == "items3" else 2.0 * value)


class Proper(Held):
    @property
    def rate(self) -> Any:  # type: ignore[override]
        return self.a * self.a

    @rate.setter
    def rate(self, value: Any) -> None:
        self.a = 3.0 * value


class Tripled:
    def __get__(self, owner: Any, cls: Any = None) -> Any:
        return 3.0

    def __set__(self, owner: Any, value: Any) -> None:
        owner.b = value


class Described(Held):
    rate = Tripled()  # type: ignore[assignment]


class Slotted:
    __slots__ = ("a", "b", "c", "rate")

    def __init__(self, a: Any, b: Any, c: Any) -> None:
        self.a, self.b, self.c, self.rate = a, b, c, 2.0

    def __mul__(self, other: Any) -> Any:
        return self.a * other * other

    __rmul__ = __mul__

    def __iter__(self) -> Iterator[Any]:
        yield self.b


class Operators(Held):
    """Every operator, none of them what it looks like."""

    def __add__(self, o: Any) -> Any:
        return self.a * o * o

    def __radd__(self, o: Any) -> Any:
        return self.b * o * o

    def __sub__(self, o: Any) -> Any:
        return self.a + o * o

    def __rsub__(self, o: Any) -> Any:
        return self.a * o**3

    def __mul__(self, o: Any) -> Any:
        return self.a + 3.0 * o * o

    def __rmul__(self, o: Any) -> Any:
        return self.b + 5.0 * o * o

    def __truediv__(self, o: Any) -> Any:
        return self.a - o * o

    def __rtruediv__(self, o: Any) -> Any:
        return self.a + 2.0 * o * o

    def __pow__(self, o: Any) -> Any:
        return self.a * o

    def __rpow__(self, o: Any) -> Any:
        return self.c * o * o

    def __matmul__(self, o: Any) -> Any:
        return self.a * np.sum(o * o)

    def __rmatmul__(self, o: Any) -> Any:
        return self.b * np.sum(o**3)

    def __neg__(self) -> Any:
        return self.a * self.a

    def __pos__(self) -> Any:
        return self.b * self.b

    def __invert__(self) -> Any:
        return self.c

    def __abs__(self) -> Any:
        return -self.a

    def __floordiv__(self, o: Any) -> Any:
        return self.a * o

    def __mod__(self, o: Any) -> Any:
        return self.b * o


class InPlace(Held):
    def __iadd__(self, o: Any) -> Any:
        self.a = self.a * o * o
        return self

    def __imul__(self, o: Any) -> Any:
        return self.a + o * o * o

    def __mul__(self, o: Any) -> Any:
        return self.b * o


class Converts(Held):
    def __float__(self) -> float:
        return 9.0

    def __int__(self) -> int:
        return 4

    def __index__(self) -> int:
        return 1

    def __round__(self, n: Any = None) -> float:
        return 6.0

    def __len__(self) -> int:
        return 5

    def __str__(self) -> str:
        return "four"

    def __repr__(self) -> str:
        return "eleven"

    def __format__(self, form: str) -> str:
        return "fourteen"

    def __trunc__(self) -> int:
        return 8

    def __floor__(self) -> int:
        return 3


class Reversible(Held):
    def __iter__(self) -> Iterator[Any]:
        return iter([self.a, self.b])

    def __reversed__(self) -> Iterator[Any]:
        return iter([self.c, self.c, self.a])


class Counter3:
    """An iterator: gone over once."""

    def __init__(self, a: Any, b: Any, c: Any) -> None:
        self.left = [c, b, a]

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        if not self.left:
            raise StopIteration
        return self.left.pop()


class AsArray(Held):
    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array([self.c, self.b, self.a]) * 2.0


class AsUfunc(Held):
    def __array_ufunc__(self, ufunc: Any, method: str, *args: Any, **kwargs: Any) -> Any:
        held = [7.0 if a is self else a for a in args]
        return getattr(ufunc, method)(*held, **kwargs) ** 2

    def __array_function__(self, fn: Any, kinds: Any, args: Any, kwargs: Any) -> Any:
        return 11.0


class Everything(Operators, Indexed, Truthy, Contains, Calls, Manages, Converts, Reversible):
    """All of them at once."""

    def __len__(self) -> int:
        return 4

    def __missing__(self, k: Any) -> Any:
        return 1.0


class Below(Operators):
    """Inherits all, and has one of its own."""

    def __radd__(self, o: Any) -> Any:
        return 4.0 * o**3


class Lambdas(Held):
    __len__ = lambda self: 6
    __mul__ = lambda self, o: 4.0 * o * o
    __rmul__ = __mul__
    __iter__ = lambda self: iter([self.c, self.c])


class Answer:
    def __init__(self, value: Any) -> None:
        self.value = value

    def __call__(self, *args: Any) -> Any:
        return self.value


class Odd(Held):
    """Special methods that are no functions."""

    __len__ = Answer(3)
    __mul__ = Answer(8.0)
    __rmul__ = Answer(8.0)
    __bool__ = Answer(False)


class MyList(list):  # type: ignore[type-arg]
    rate = 2.0


class OwnIterList(list):  # type: ignore[type-arg]
    def __iter__(self) -> Iterator[Any]:
        return reversed([self[0], self[1]])


class OwnItemList(list):  # type: ignore[type-arg]
    def __getitem__(self, k: Any) -> Any:
        return 2.0 * super().__getitem__(k)

    def __len__(self) -> int:
        return 2

    def __contains__(self, v: Any) -> bool:
        return True

    def __bool__(self) -> bool:
        return False

    def __add__(self, o: Any) -> Any:
        return 5.0 * o

    def __mul__(self, o: Any) -> Any:
        return o * o

    __rmul__ = __mul__


class MyTuple(tuple):  # type: ignore[type-arg]
    def __iter__(self) -> Iterator[Any]:
        return iter([self[2]])


class MyDict(dict):  # type: ignore[type-arg]
    def __missing__(self, k: Any) -> Any:
        return 4.0


class OwnIterDict(dict):  # type: ignore[type-arg]
    def __iter__(self) -> Iterator[Any]:
        return iter([1, 0])

    def keys(self) -> Any:
        return [0, 1]

    def __contains__(self, k: Any) -> bool:
        return True

    def __getitem__(self, k: Any) -> Any:
        return 3.0 * dict.__getitem__(self, k)


class MyText(str):
    def __iter__(self) -> Iterator[Any]:
        return iter("ab")

    def __len__(self) -> int:
        return 7

    def __eq__(self, other: Any) -> bool:
        return True

    __hash__ = str.__hash__


class MyFloat(float):
    rate = 2.0


class OwnFloat(float):
    def __mul__(self, o: Any) -> Any:
        return o * o

    __rmul__ = __mul__

    def __add__(self, o: Any) -> Any:
        return 3.0 * o * o

    __radd__ = __add__

    def __lt__(self, o: Any) -> bool:
        return True

    def __bool__(self) -> bool:
        return False

    def __neg__(self) -> Any:
        return 8.0

    def __float__(self) -> float:
        return 5.0


class MyInt(int):
    def __mul__(self, o: Any) -> Any:
        return o * o

    __rmul__ = __mul__

    def __index__(self) -> int:
        return 0


class MyArray(np.ndarray):
    def __mul__(self, o: Any) -> Any:
        return 3.0 * np.asarray(self) * o * o

    __rmul__ = __mul__

    def __iter__(self) -> Iterator[Any]:
        return iter([4.0])

    def __getitem__(self, k: Any) -> Any:
        return 5.0


class Pair(NamedTuple):
    a: Any
    b: Any
    c: Any


class OwnPair(Pair):
    def __iter__(self) -> Iterator[Any]:
        return iter([self[2], self[2], self[0]])

    def __getitem__(self, k: Any) -> Any:
        return 2.0 * tuple.__getitem__(self, k)

    def __add__(self, o: Any) -> Any:
        return 2.0 * o


@dataclasses.dataclass
class Data:
    a: Any
    b: Any
    c: Any
    rate: float = 2.0

    def __iter__(self) -> Iterator[Any]:
        return iter([self.c, self.a])

    def __getitem__(self, k: Any) -> Any:
        return (self.c, self.b, self.a)[k]

    def __len__(self) -> int:
        return 2

    def __mul__(self, o: Any) -> Any:
        return self.a * o * o

    __rmul__ = __mul__


@dataclasses.dataclass(frozen=True)
class Plain:
    a: Any
    b: Any
    c: Any
    rate: float = 2.0


@dataclasses.dataclass(order=True)
class Ordered:
    a: Any
    b: Any
    c: Any

    def __bool__(self) -> bool:
        return False


class Colour(enum.Enum):
    RED = 1.5
    BLUE = 0.5


class Unit(str, enum.Enum):  # noqa: UP042  (as many programs write it)
    METRE = "m"
    FOOT = "ft"


class Level(enum.IntEnum):
    ONE = 1
    TWO = 2


class Flags(enum.Flag):
    NONE = 0
    BIT = 1


class Holder:
    """Holds another object in an attribute."""

    def __init__(self, held: Any) -> None:
        self.held = held


def array_of(a: Any, b: Any, c: Any) -> Any:
    return np.array([a, b, c]).view(MyArray)


def table(a: Any, b: Any, c: Any) -> Any:
    return {2: a, 0: b, 1: c}


def add3(a: Any, b: Any = 1.0, c: Any = 2.0, *rest: Any) -> Any:
    return a + 2.0 * b + 3.0 * c + 7.0 * len(rest)


def named(a: Any = 1.0, b: Any = 2.0, **rest: Any) -> Any:
    return a + 2.0 * b + len(rest)


Named = collections.namedtuple("Named", ["a", "b", "c"])
