"""The kernels of one function, by kinds of arguments: made when they are first called for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from .argument_kinds import contiguous, key_of, may_be_copied, straight
from .refusal import Unsupported
from .thread_count import FAMILIES

__all__ = ["Family"]

MOST = 8  # kernels of one function
MISSES = 8  # calls that the kernel in front leaves, until it is watched
WATCHED = 24  # calls


class Family:
    """``call`` is what runs a call, best: ``installed`` is told of each change of it.

    ``build(args, fixed, fallback)`` makes a kernel; ``refused(error)`` hears why there is none for
    the first call: all calls run ``plain`` then.  ``later(args, make)`` has a further kernel made beside the program,
    if it says so: until then ``plain`` runs.  A call that the kernel in front leaves is slow.  If
    there are many, some calls are counted, and what took most of them stands in front from then on.
    """

    def __init__(
        self,
        plain: Callable[..., Any],
        build: Callable[[tuple[Any, ...], bool, Any], Callable[..., Any]],
        installed: Callable[[Callable[..., Any]], None],
        refused: Callable[[Unsupported], None] = lambda error: None,
        later: Callable[[tuple[Any, ...], Callable[[tuple[Any, ...]], None]], bool] | None = None,
    ) -> None:
        self.plain, self.build, self.installed, self.refused = plain, build, installed, refused
        self.later = later
        self.empty()

    def empty(self) -> None:
        """No kernels."""
        self.known: dict[Any, Callable[..., Any]] = {}
        self.first: Any = None  # what the kernel in front is made for
        self.front: Callable[..., Any] = self.plain
        self.kernel: Callable[..., Any] = self.plain
        self.taken: Counter[Any] = Counter()  # misses, by what ran them
        self.seen, self.patience = 0, MISSES
        self.call: Callable[..., Any] = self.begin

    def forget(self) -> None:
        """Make the kernels anew, each when it is called for."""
        self.empty()
        self.installed(self.call)

    def begin(self, *args: Any) -> Any:
        """The first call."""
        try:
            self.make(args)
        except Unsupported as error:
            self.install(self.plain)
            self.refused(error)
        return self.call(*args)

    def make(self, args: tuple[Any, ...]) -> None:
        """A kernel for arguments like these: the first one stands in front."""
        if self.first is None:
            self.first = key_of(
                args, fixed=True
            )  # it may be left as soon as it is held against its text
            try:
                self.front = self.build(args, True, self.other)
            except BaseException:
                self.first = None
                raise
            self.install(self.front)
            FAMILIES.add(self)
        else:
            key = key_of(args, fixed=False)
            self.known[key] = self.build(args, False, partial(self.left, key))

    def try_to_make(self, args: tuple[Any, ...]) -> None:
        """A kernel for arguments like these, if there is one; if not, they stay plain."""
        try:
            self.make(args)
        except Unsupported:
            self.known[key_of(args, fixed=False)] = self.plain

    def install(self, call: Callable[..., Any]) -> None:
        self.call = call
        self.installed(call)

    def other(self, *args: Any) -> Any:
        """A call that the kernel in front did not take."""
        flat = contiguous(args)
        if flat is not None:
            if not may_be_copied(self.front):
                self.missed(None)
                return self.plain(*args)
            self.missed("copied")
            return self.front(*flat)
        if key_of(args, fixed=True) == self.first:  # it was taken, and left again
            self.missed(None)
            return self.plain(*args)
        key = key_of(args, fixed=False)
        if key not in self.known and len(self.known) < MOST:
            if self.later is not None and self.later(args, self.try_to_make):
                self.known.setdefault(key, self.plain)
            else:
                self.try_to_make(args)
        self.missed(key)
        return self.known.get(key, self.plain)(*args)

    def left(self, own: Any, *args: Any) -> Any:
        """A call that a kernel which came to the front did not take: another one may."""
        key = key_of(args, fixed=False)
        return self.plain(*args) if key == own else self.other(*args)

    def missed(self, key: Any) -> None:
        self.taken[key] += 1
        if self.call is self.front and self.taken.total() >= self.patience:
            self.taken.clear()
            self.seen = 0
            self.install(self.watched)

    def watched(self, *args: Any) -> Any:
        """A call that is counted."""
        self.seen += 1
        if self.seen > WATCHED:
            self.judge()
        return self.front(*args)

    def straight(self, *args: Any) -> Any:
        """A call whose arrays are mostly in another order."""
        return self.kernel(*map(straight, args))

    def judge(self) -> None:
        """Put in front what took most of the calls."""
        key, count = self.taken.most_common(1)[0] if self.taken else (None, 0)
        if 2 * self.taken.total() <= WATCHED:
            self.patience *= 8
        elif key in self.known and 2 * count > WATCHED:
            self.front, self.first = self.known[key], ()  # the first kernel is no longer asked
        elif key == "copied" and 2 * count > WATCHED:
            self.kernel, self.front = self.front, self.straight
        else:
            self.front = self.plain
        self.taken.clear()
        self.install(self.front)
