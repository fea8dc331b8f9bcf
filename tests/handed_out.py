"""Texts that are handed out, called with other arguments: `python -m tests.handed_out [way,way] [part of a name]`.

For other sizes, ranks, kinds, orders of memory and nothing at all, a text is right, or raises its function's
own error, or its guard's.
"""

from __future__ import annotations

import contextlib
import copy
import io
import linecache
import re
import signal
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from retrograd.cli.main import main as command_line
from retrograd.runtime.errors import RetrogradError
from retrograd.runtime.helpers.linear import match
from retrograd.runtime.objects.pytree import flatten, map_leaves
from retrograd.transforms.api import chain_value
from retrograd.transforms.specialise.module_headers import show
from retrograd.transforms.star_arguments import with_all
from tests.golden_case import Case, cases, moved
from tests.verdicts import is_refusal

__all__ = ["FINE", "WAYS", "Handed", "check", "programs"]

NAME = "<handed out>"  # the file that a traceback names
LONGEST = (
    0.5  # seconds; a loop that goes on until something is small may never end for other arguments
)
ENDS_AT_ONCE = {
    "break_accumulate": 0.0
}  # the path there has another derivative than those beside it


# -- other arguments ---------------------------------------------------------------------


def others(tree: Any) -> Iterator[Any]:
    """What differs from ``tree`` in one: a size, a rank, a kind, an order of memory, nothing in it."""
    if type(tree) in (list, tuple):
        for k, item in enumerate(tree[:3]):  # what is like them differs in the same ways
            yield from (type(tree)([*tree[:k], other, *tree[k + 1 :]]) for other in others(item))
        yield tree[:-1]
        yield type(tree)([*tree, *copy.deepcopy(tree[-1:])])
        yield tree[:0]
        yield tuple(tree) if type(tree) is list else list(tree)
    elif type(tree) is dict:
        for key, item in tree.items():
            yield from (tree | {key: other} for other in others(item))
        yield dict(reversed(tree.items()))
    elif isinstance(tree, np.ndarray):
        yield from other_arrays(tree)
    elif type(tree) is float:
        yield from (round(tree) or 1, np.float64(tree), np.float32(tree), np.array(tree), tree > 0)
        yield from (np.full(2, tree), np.full((1, 1), tree), [tree], -tree, 0.0)
    elif type(tree) is int:
        yield from (tree + 1, tree - 1, 0, 1, -tree, float(tree), np.int64(tree), np.array(tree))
    elif hasattr(tree, "__dict__") and not callable(tree):
        for key, item in vars(tree).items():
            yield from (changed(tree, key, other) for other in others(item))


def other_arrays(x: np.ndarray) -> Iterator[Any]:
    for axis in range(x.ndim):
        yield x.take([0] if x.shape[axis] else [], axis)
        yield x.take(range(x.shape[axis] - 1), axis)
        yield x.take([], axis)
        yield x.take([*range(x.shape[axis]), *[-1][: x.shape[axis]]], axis)
    if x.ndim:
        yield from (x[::-1], x[0], x[None], x[..., None], x.tolist())
        yield np.asfortranarray(x)
        yield np.repeat(x, 2, -1)[..., ::2]
    else:
        yield from (x[()], x[None], np.full(2, x))
    yield from (x.astype(kind) for kind in ("f4", "i8", "i4", "?", "c16", "O", ">f8"))
    yield -x if x.dtype.kind in "if" else x
    yield np.zeros_like(x)


def changed(thing: Any, key: str, value: Any) -> Any:
    made = copy.copy(thing)
    object.__setattr__(made, key, value)
    return made


def with_others(args: list[Any]) -> Iterator[list[Any]]:
    for k, x in enumerate(args):
        for other in others(x):
            yield [*args[:k], other, *args[k + 1 :]]


# -- what a call gives -------------------------------------------------------------------


class Endless(Exception):
    """A call takes too long."""


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    def stop(*_: Any) -> None:
        raise Endless

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def run(fn: Callable[..., Any], args: list[Any], seconds: float = LONGEST) -> Any:
    """What a call gives, or its error."""
    try:
        with np.errstate(all="ignore"), limited(seconds):
            return fn(*copy.deepcopy(args))
    except Exception as error:
        return error


class Handed:
    """A golden program, and the texts of its derivatives."""

    def __init__(self, case: Case) -> None:
        self.case, self.args = case, case.arguments()
        self.random = np.random.default_rng(0)

    def value(self, args: list[Any]) -> Any:
        return run(lambda *full: chain_value(self.case.chain, full), args)

    def known(self, kind: str = "grad") -> Any:
        """From ``source(kind, *args)``."""
        return self.loaded(self.chain(kind).text(self.case.chain.types(self.args)), kind)

    def forward(self) -> Any:
        """From ``source("jvp", *args)``: its text, with tangents as a gradient's test takes its directions."""
        return Forward(self, self.known("jvp"))

    def generic(self) -> Any:
        """From ``source("grad")``."""
        return self.loaded(self.chain("grad").text({}), "grad")

    def committed(self, *words: str) -> Any:
        """From ``retrograd grad FILE:function -o OUT``."""
        case = self.case
        target, _, wrt = str(case.header("differentiate")).partition(" wrt ")
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "handed_out.py"
            words = ("grad", f"{case.path}:{target}", "--wrt", wrt, *words, "-o", str(out))
            with contextlib.redirect_stderr(io.StringIO()) as told:
                code = command_line(words)
            if code:
                raise RetrogradError(told.getvalue())
            return self.loaded(out.read_text(), "grad")

    def standalone(self) -> Any:
        types = self.case.chain.types(self.args)
        parts = [f"{name}: {show(kind)}" for name, kind in types.items() if has_spelling(kind)]
        return self.committed("--standalone", "--sig", ", ".join(parts))

    def chain(self, kind: str) -> Any:
        return self.case.chain.then(kind, self.case.wrt, len(self.case.wrt) == 1)

    def loaded(self, text: str, kind: str) -> Any:
        """The function of a text, taking one argument for each parameter."""
        scope = dict(vars(self.case.module))
        linecache.cache[NAME] = (len(text), None, text.splitlines(keepends=True), NAME)
        exec(compile(text, NAME, "exec"), scope)
        made = scope[f"{self.case.function.__name__}_{kind}"]
        return made if kind == "jvp" else with_all(self.case.chain.raw, made)

    # -- the check --

    def outcome(self, gradient: Any, args: list[Any]) -> str:
        """``right``, ``guard``, ``own error``, ``unknown`` (no derivative to compare with), or what is wrong."""
        own = self.value(args)
        at_once = ENDS_AT_ONCE.get(self.case.name)
        if isinstance(own, Endless) or (at_once is not None and np.all(args[0] == at_once)):
            return "unknown"
        got = run(gradient, args, 20 * LONGEST)
        if is_guards(got):
            return "guard"
        if isinstance(own, Exception):
            return self.of_an_error(own, got, args)
        if np.shape(own) or isinstance(own, (list, tuple)):
            refused = isinstance(got, Exception)
            return "unknown" if refused else f"the derivative {got!r} of no scalar, {own!r}"
        want = self.slope(args, own)
        if isinstance(got, Exception):
            fine = want is None or isinstance(got, RetrogradError)
            return "unknown" if fine else f"{type(got).__name__}: {got}"
        if isinstance(gradient, Forward):
            return self.compared(float(np.real(got[1])), want, args)
        parts = got if len(self.case.wrt) > 1 else (got,)
        for k, part in zip(self.case.wrt, parts, strict=True):
            if list(map(np.shape, leaves(part))) != list(map(np.shape, leaves(k.of(args)))):
                return f"the shape of {part!r}"
        return self.compared(self.along(parts, args), want, args)

    def compared(self, found: float, want: float | None, args: list[Any]) -> str:
        if want is None or not np.isfinite(found):  # as at the root of zero
            return "unknown"
        tolerance = 1e-2 if is_single(args) else 1e-4
        near = abs(found - want) <= tolerance * (1 + abs(want))
        return "right" if near else f"{found!r} where it is {want!r}"

    def of_an_error(self, own: Exception, got: Any, args: list[Any]) -> str:
        """The function raises: so does the text, or the text with the value, which nothing else may need."""
        if not isinstance(got, Exception):
            got = run(self.known("value_and_grad"), args)
        return "own error" if isinstance(got, Exception) else f"{got!r} where it raises {own!r}"

    def directions(self, args: list[Any]) -> list[Any]:
        self.random = np.random.default_rng(1)
        return [map_leaves(self.direction, k.of(args)) for k in self.case.wrt]

    def direction(self, x: Any) -> Any:
        return self.random.uniform(0.5, 1.5, np.shape(x))

    def along(self, parts: Any, args: list[Any]) -> float:
        pairs = zip(leaves(list(parts)), leaves(self.directions(args)), strict=True)
        return sum(float(np.sum(g * d)) for g, d in pairs)

    def slope(self, args: list[Any], value: float) -> float | None:
        """The derivative by differences; None where those on both sides, or of two steps, disagree."""
        directions = self.directions(args)
        base = [double(x) for x in args]

        def at(t: float) -> Any:
            given = copy.deepcopy(base)
            for k, d in zip(self.case.wrt, directions, strict=True):
                given = moved(given, k, d, t)
            found = self.value(given)
            return np.nan if isinstance(found, Exception) else float(np.real(found))

        points = {t: at(t) for t in (0.0, 1e-5, -1e-5, 3e-6, -3e-6)}
        if not np.all(np.isfinite([*points.values()])) or abs(points[0.0] - value) > 1e-3:
            return None  # the last: another path with single precision
        wide = (points[1e-5] - points[-1e-5]) / 2e-5
        near = (points[3e-6] - points[-3e-6]) / 6e-6
        bend = (points[1e-5] - 2 * points[0.0] + points[-1e-5]) / 1e-5
        unsure = abs(wide - near) > 2e-5 * (1 + abs(wide)) or abs(bend) > 1e-3 * (1 + abs(wide))
        return None if unsure else wide


class Forward:
    """A text in forward mode, called with arguments alone."""

    def __init__(self, handed: Handed, text: Any) -> None:
        self.handed, self.text = handed, text

    def __call__(self, *args: Any) -> Any:
        pairs = zip(self.handed.case.wrt, self.handed.directions(list(args)), strict=True)
        tangents = [alike(k.of(args), iter(leaves(d))) for k, d in pairs]
        return self.text(*args, *tangents)


def alike(x: Any, tangents: Iterator[Any]) -> Any:
    """Tangents in the kinds of their arguments, where those have one."""

    def tangent(leaf: Any) -> Any:
        d = next(tangents)
        return match(d, leaf) if np.asarray(leaf).dtype.kind == "f" else d

    return map_leaves(tangent, x)


def is_guards(got: Any) -> bool:
    """Whether the check at the entrance raised: the decorator's, or the lines of a text that stands alone."""
    if any(kind.__name__.endswith("SignatureMismatch") for kind in type(got).__mro__):
        return True
    if not isinstance(got, TypeError):
        return False
    at = traceback.extract_tb(got.__traceback__)[-1]
    one = r"[\w.(]*(float|complex|index)\(\+?\w+\)+"
    converted = re.fullmatch(rf"[\w, ]+ = {one}(, {one})*", at.line or "")
    return at.filename == NAME and bool(converted or re.match(r"`\w+` is not ", str(got)))


def has_spelling(kind: Any) -> bool:
    """Whether a signature can say a type."""
    return "object" not in show(kind) and getattr(kind, "container", "") != "object"


def leaves(tree: Any) -> list[Any]:
    return flatten(tree)[0]


def is_single(args: list[Any]) -> bool:
    return any(getattr(x, "dtype", None) == np.float32 for x in leaves(args))


def double(tree: Any) -> Any:
    """With float32 numbers as doubles: what a derivative is the derivative of."""
    return map_leaves(
        lambda x: x.astype(float) if getattr(x, "dtype", None) == np.float32 else x, tree
    )


WAYS: dict[str, Callable[[Handed], Any]] = {
    "known": Handed.known,
    "forward": Handed.forward,
    "generic": Handed.generic,
    "committed": Handed.committed,
    "standalone": Handed.standalone,
}
FINE = ("right", "guard", "own error", "unknown")


def programs() -> list[Case]:
    return list(cases())


def check(case: Case, way: str) -> Iterator[tuple[str, list[Any]]]:
    """The outcome for every other arguments, and the arguments; nothing where there is no such text."""
    handed = Handed(case)
    try:
        gradient = WAYS[way](handed)
    except RetrogradError as error:
        if is_refusal(error):
            return
        raise
    for args in [handed.args, *with_others(handed.args)]:
        yield handed.outcome(gradient, args), args


def main(ways: str = ",".join(WAYS), part: str = "") -> None:
    warnings.simplefilter("ignore")
    for way in ways.split(","):
        counts: Counter[str] = Counter()
        for case in (c for c in programs() if part in c.name):
            try:
                found = list(check(case, way))
            except Exception as error:
                found = [(f"{type(error).__name__}: {error}", [])]
            for what, args in found:
                counts[what if what in FINE else "wrong"] += 1
                if what not in FINE:
                    print(f"{way} {case.name}: {what[:300]}\n    for {args!r}"[:800], flush=True)
        print(way, dict(counts), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
