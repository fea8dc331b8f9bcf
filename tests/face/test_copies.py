"""Arguments once more: a copy holds what the original holds, whatever the methods of its class tell."""

from __future__ import annotations

import collections
from typing import Any, NamedTuple

import numpy as np
import pytest

from retrograd.transforms.check.argument_copies import CannotCopy, fresh


class Backwards(list[Any]):
    def __iter__(self) -> Any:
        return reversed(self)


class Silent(dict[str, Any]):
    def items(self) -> Any:
        return []

    def __iter__(self) -> Any:
        return iter(())


class Counted(list[Any]):
    """Its constructor is no place for copies."""

    made = 0

    def __init__(self, first: float, second: float) -> None:
        type(self).made += 1
        super().__init__((first, second))
        self.label = ["two"]


class Pair(NamedTuple):
    a: Any
    b: Any


class OtherWay(Pair):
    def __iter__(self) -> Any:
        return reversed((self.a, self.b))


class Hidden(collections.OrderedDict[str, Any]):
    def items(self) -> Any:
        return []


class Doubled(collections.deque[Any]):
    def __iter__(self) -> Any:
        return iter((*list(super().__iter__()), 1.0))


A = np.arange(3.0)


@pytest.mark.parametrize(
    ("x", "base"),
    [
        (Backwards([1.0, A, 2.0]), list),
        (Silent(a=A, b=2.0), dict),
        (Counted(A, 2.0), list),  # type: ignore[arg-type]
        (OtherWay(A, 2.0), tuple),
        (collections.OrderedDict(a=A), dict),
        (collections.defaultdict(list, a=A), dict),
        (collections.Counter(a=2), dict),
        (collections.deque([A, 1.0], 3), collections.deque),
    ],
    ids=lambda x: getattr(type(x), "__name__", ""),
)
def test_what_a_copy_holds(x: Any, base: Any) -> None:
    before = Counted.made
    (made,) = fresh([x])
    assert type(made) is type(x) and made is not x
    assert Counted.made == before
    assert vars(made) == vars(x) if hasattr(x, "__dict__") else True
    held = [list((dict.items if base is dict else base.__iter__)(one)) for one in (x, made)]
    assert str(held[0]) == str(held[1])
    copied = held[1][0][1] if base is dict else held[1][0]
    assert copied is not A


@pytest.mark.parametrize("x", [Hidden(a=1.0), Doubled([1.0])], ids=["OrderedDict", "deque"])
def test_what_python_would_not_copy_is_not_copied(x: Any) -> None:
    with pytest.raises(CannotCopy):
        fresh([x])
