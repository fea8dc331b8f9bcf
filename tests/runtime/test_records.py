"""Our own dataclasses are those of the standard library: made side by side, they say the same."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from retrograd.runtime import records

OPTIONS = ({}, {"frozen": True}, {"eq": False}, {"frozen": True, "eq": False})


def pair(**options: Any) -> tuple[Any, Any]:
    def made(dataclass: Callable[..., Any], field: Callable[..., Any]) -> Any:
        @dataclass(**options)
        class Point:
            """A point."""

            x: int
            y: Any = 2
            names: list[str] = field(default_factory=list)
            hidden: int = field(default=0, repr=False, compare=False)
            count: ClassVar[int] = 7

        @dataclass(**options)
        class Named(Point):
            name: str = "a"

            def __repr__(self) -> str:
                return f"<{self.name}>"

        return Point, Named

    return made(records.dataclass, records.field), made(dataclasses.dataclass, dataclasses.field)


def answer(run: Callable[[], Any]) -> Any:
    try:
        found = run()
    except Exception as error:
        return type(error), str(error).partition(" missing")[0].replace("test_records.", "")
    return found.replace("records", "dataclasses") if isinstance(found, str) else found


CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "repr": lambda P, N: repr(P(1)),
    "all given": lambda P, N: repr(P(1, y=3, names=["b"], hidden=4)),
    "own repr": lambda P, N: repr(N(1, name="c")),
    "equal": lambda P, N: P(1) == P(1, hidden=5),
    "unequal": lambda P, N: P(1) == P(2),
    "other class": lambda P, N: P(1) == N(1),
    "hash": lambda P, N: len({*map(hash, [P(1, 2, ()), P(1, 2, (), 9)])}),
    "unhashable": lambda P, N: hash(P(1)) and None,
    "apart": lambda P, N: P(1).names is P(1).names,
    "write": lambda P, N: setattr(P(1), "x", 5),
    "delete": lambda P, N: delattr(P(1), "x"),
    "nothing given": lambda P, N: P(),
    "too much": lambda P, N: P(1, none=2),
    "fields": lambda P, N: [(f.name, f.repr, f.compare, f.init) for f in dataclasses.fields(N)],
    "replaced": lambda P, N: dataclasses.replace(N(1), y=4).y,
    "as a dict": lambda P, N: dataclasses.asdict(N(1)),
    "class variable": lambda P, N: (P.count, "count" in {f.name for f in dataclasses.fields(P)}),
    "default": lambda P, N: (P.y, hasattr(P, "names"), P.hidden),
    "is one": lambda P, N: dataclasses.is_dataclass(P),
    "matched": lambda P, N: P.__match_args__,
    "copied": lambda P, N: copy.deepcopy(P(1, [2])).y,
    "doc": lambda P, N: P.__doc__,
}


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", CALLS)
def test_it_is_as_in_the_standard_library(name: str, options: dict[str, bool]) -> None:
    ours, theirs = pair(**options)
    assert answer(lambda: CALLS[name](*ours)) == answer(lambda: CALLS[name](*theirs))


def test_a_class_of_the_standard_library_may_come_after_ours() -> None:
    (point, _), _ = pair(frozen=True)
    further = dataclasses.make_dataclass("Further", [("z", int, 3)], bases=(point,), frozen=True)
    assert repr(further(1)).endswith("Further(x=1, y=2, names=[], z=3)")
    with pytest.raises(TypeError, match="frozen"):
        dataclasses.make_dataclass("Loose", [("z", int, 3)], bases=(point,))


def test_what_is_computed_after_the_fields() -> None:
    @records.dataclass
    class Square:
        side: float
        area: float = records.field(init=False)

        def __post_init__(self) -> None:
            self.area = self.side**2

    assert repr(Square(3.0)).endswith("Square(side=3.0, area=9.0)")


@records.dataclass(frozen=True)
class Kept:
    one: int
    other: Any = None


def test_pickled() -> None:
    assert pickle.loads(pickle.dumps(Kept(1, [2]))) == Kept(1, [2])


def test_an_object_in_itself_has_an_end() -> None:
    @records.dataclass
    class Ring:
        next: Any = None

    ring = Ring()
    ring.next = ring
    assert repr(ring).endswith("Ring(next=...)")
