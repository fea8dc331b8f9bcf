"""A watch over what the tape computes: the first operation that makes NaN or infinity of finite numbers.

While `watching`, every operation that is recorded is looked at, and every pull of a cotangent.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from ..arrays.nonfinite import badness, described, first_place
from .pytree import leaves

__all__ = ["Found", "Seen", "watch", "watching"]

OWN = ("retrograd.", "numpy.", "numpy")
running = threading.local()


class Found(NamedTuple):
    """An operation: where the program called it, in which pass, what it makes, what it was given."""

    name: str
    file: str
    line: int
    phase: str
    kind: str
    operands: list[tuple[str, str]]


class Seen:
    """What was found; ``first`` is what the results hang on, as far as the tape can tell.

    ``plain`` gives the number or array that a value of the tape stands for.
    """

    def __init__(self, plain: Callable[[Any], Any]) -> None:
        self.plain = plain
        self.forward: list[Found] = []
        self.backward: list[Found] = []

    def first(self) -> Found | None:
        """The first on the way back; else, or if that only read what was not finite, the first on the way there."""
        if self.backward and not (
            self.forward and self.backward[0].kind == "nan" and reads_bad(self.backward[0])
        ):
            return self.backward[0]
        return next(iter([*self.forward, *self.backward]), None)

    def recorded(self, name: str, given: dict[str, Any], z: Any, edges: list[Any]) -> list[Any]:
        """An operation that was computed; its edges, watched."""
        place = caller()
        bad = self.bad_in(z)
        if bad is not None and not any(self.bad_in(x) is not None for x in given.values()):
            self.forward.append(self.found(name, place, "forward", bad, given))
        return [self.watched(edge, name, place, given | {"the result": z}) for edge in edges]

    def watched(self, edge: Any, name: str, place: tuple[str, int], given: dict[str, Any]) -> Any:
        def over(pull: Any) -> Any:
            def run(c: Any) -> Any:
                part = pull(c)
                bad = self.bad_in(part)
                if bad is not None and self.bad_in(c) is None:
                    told = {"its cotangent": c, **given}
                    self.backward.append(self.found(name, place, "backward", bad, told))
                return part

            return run

        careful = None if edge.careful is None else over(edge.careful)
        return edge._replace(pull=over(edge.pull), careful=careful)

    def bad_in(self, tree: Any) -> Any:
        return next((x for x in map(self.plain, leaves(tree)) if badness(x)), None)

    def found(
        self, name: str, place: tuple[str, int], phase: str, bad: Any, given: dict[str, Any]
    ) -> Found:
        kind = badness(bad)
        at = first_place(bad, kind)
        plain = {key: self.plain(x) for key, x in given.items()}
        told = [(key, described(x, at)) for key, x in plain.items() if is_shown(x)]
        return Found(name, *place, phase, kind, told)


def is_shown(x: Any) -> bool:
    return isinstance(x, (int, float, complex)) or hasattr(x, "dtype")


def reads_bad(one: Found) -> bool:
    return any("inf" in text or "nan" in text for _, text in one.operands)


def caller() -> tuple[str, int]:
    """The innermost line that is neither ours nor NumPy's."""
    frame: Any = sys._getframe(2)
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if not module.startswith(OWN):
            return frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    return "", 0


def watch() -> Seen | None:
    """The watch of this thread, if there is one."""
    return getattr(running, "seen", None)


@contextmanager
def watching(plain: Callable[[Any], Any]) -> Iterator[Seen]:
    before = watch()
    running.seen = Seen(plain)
    try:
        yield running.seen
    finally:
        running.seen = before
