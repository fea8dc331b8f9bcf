"""A derivative that computes for the first time is held against its function before anybody sees it.

The value, what is left in the arguments, and the derivative along a random direction; where one of
them means nothing (a kink, noise, an effect that would be seen twice) it is left out.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import os
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from retrograd.compiler.dependencies.isolated_runs import RandomStates, secluded
from retrograd.compiler.ir.argument_path import Place
from retrograd.runtime.arrays.transfers import on_host
from retrograd.runtime.errors import GradientMismatch
from retrograd.runtime.objects.pytree import hides, in_order_of, is_float, leaves, map_leaves

from ..device_values import as_written, on_device
from ..star_arguments import is_starred
from .argument_copies import CannotCopy, fresh
from .compare import CLOSE, DOUBLE, contents, put_back, room_of, unequal
from .slopes import (
    SEARCHED,
    FailsNearby,
    Line,
    Precision,
    direction_of,
    is_inexact,
    kept_symmetric,
    numbers,
    numbers_like,
    precision_of,
)
from .time_limit import TooLong, at_most
from .verdict import judged
from .worst_entry import worst_entry

__all__ = ["Birth", "mark"]

PATIENCE = (
    2.0  # seconds, and some times as many as the function takes: for all runs near the arguments
)
SLOW = 1.0  # seconds: a function that takes longer is checked by its value only
HUGE = 2**28  # bytes of arguments that are not copied: a later process may have smaller ones
MANY = 8  # arguments that are moved one by one where all together are no verdict
TEXT = "text"

Push = Callable[[list[Any], list[Any]], Any]


def mark(made: Any, what: str = TEXT) -> None:
    """It was checked: in this process, and in those that find the text in the cache."""
    if what not in made.proven:
        made.proven.add(what)
        if made.remember is not None:
            made.remember(sorted(made.proven))


class Birth:
    """The state before a derivative of ``base`` runs, to judge it when it has run.

    ``args``: one for each parameter of ``base``; ``made``: the generated code; ``primal``: what ``base``
    computes, given its bound objects and arguments; ``aux``: a pair, of which the first is differentiated.
    """

    writes = True  # whether what the derivative leaves in the arguments is the function's
    around: Callable[[Any], Any] = staticmethod(lambda run: run)  # what is computed with a function

    def __init__(
        self,
        base: Any,
        made: Any,
        args: Sequence[Any],
        primal: Callable[[list[Any]], Any],
        aux: bool = False,
    ) -> None:
        self.base, self.made, self.primal, self.aux = base, made, primal, aux
        self.names = [*list(base.full.parameters)[: len(base.bound)], *base.parameters]
        own = {name for name, p in base.full.parameters.items() if is_starred(p)}
        self.args = [  # a dict of `**options` is new in each call: what it holds is the caller's
            copy.copy(x) if name in own else x
            for name, x in zip(self.names, [*base.bound, *args], strict=True)
        ]
        self.reserved = {kind for kind, _ in reservations_of(base, made, self.args)}
        self.symmetric = "triangle" in self.reserved  # whether matrices that are so have to stay so
        self.sure = False
        self.before: list[Any] | None = None
        self.huge = sum(getattr(x, "nbytes", 0) for x in contents(self.args)) > HUGE
        if self.reserved.isdisjoint(("run", "say", "call")) and not self.huge:
            try:
                self.before = fresh(self.args)
            except (CannotCopy, RecursionError):
                return
            self.states = RandomStates(base.fn)

    # -- what is asked ------------------------------------------------------------------------------

    def gradients(
        self, wrt: Sequence[Place], bars: Sequence[Any], cotangent: Any, value: Any = None
    ) -> None:
        """The cotangents of the places ``wrt``, for a cotangent of the result; perhaps the value."""
        self.judge(value, functools.partial(self.check_bars, list(wrt), list(bars), cotangent))

    def tangents(
        self,
        directions: dict[Place, Any],
        tangent: Any,
        value: Any = None,
        push: Push | None = None,
    ) -> None:
        """The tangent of the result along these directions; perhaps the value, too.

        ``push`` gives the tangent for other arguments and directions.
        """
        directions = {place: map_leaves(on_host, v) for place, v in directions.items()}
        self.judge(value, functools.partial(self.check_tangent, directions, tangent, push))

    def judge(self, value: Any, derivative: Callable[[Any], None]) -> None:
        if self.before is not None:
            now = RandomStates(self.base.fn)
            try:
                with secluded():
                    self.judged(value, derivative)
            except GradientMismatch:
                put_back(self.args, self.before)
                raise
            finally:
                now.restore()
        self.marked()

    def marked(self) -> None:
        """Where nothing was sure, the next process tries once more."""
        if self.huge:
            return
        nothing = self.before is None or bool({"derivative", "triangle"} & self.reserved)
        if self.sure or nothing or "unsure" in self.made.proven:
            mark(self.made)
        else:
            mark(self.made, "unsure")

    def judged(self, value: Any, derivative: Callable[[Any], None]) -> None:
        assert self.before is not None
        if not self.base.steps and on_device(self.before):
            self.run_as_written()
        own = fresh(self.before)
        began = time.perf_counter()
        try:
            result = self.run(own)
        except GradientMismatch:
            raise
        except Exception:  # the user's own; whatever it is, there is nothing to compare with
            return
        took = time.perf_counter() - began
        if not self.check_value(result, value, own):
            return
        if self.aux:
            whole, result = self.primal, result[0]
            self.primal = lambda full: whole(full)[0]
        if took > SLOW or "derivative" in self.reserved or is_hidden(result):
            self.sure = True
            return
        try:
            with contextlib.suppress(FailsNearby, TooLong), at_most(PATIENCE + 40 * took):
                self.nearby(functools.partial(derivative, result))
        except GradientMismatch:
            raise
        except Exception:  # of the comparison: no reason to keep a result back, but a bug
            if os.environ.get("RETROGRAD_VERIFY"):
                raise

    def nearby(self, check: Callable[[], None]) -> None:
        try:
            check()
        except FailsNearby:
            self.symmetric = True  # perhaps it takes no others
            check()

    def run_as_written(self) -> None:
        """On the device, have the function run without the compiler, if NumPy's protocols take it there.

        What it draws from NumPy's generators, its text draws on the device.
        """
        written = self.around(as_written(self.base))
        with contextlib.suppress(Exception):
            self.states.restore()
            written(fresh(self.before or []))
            if not self.states.are_others():
                self.primal = written

    def run(self, full: list[Any]) -> Any:
        """The function itself, on arguments of its own."""
        self.states.restore()
        return self.primal(full)

    # -- values ---------------------------------------------------------------------------------------

    def check_value(self, result: Any, value: Any, own: list[Any]) -> bool:
        """True if the function can be repeated; what the derivative said of it must be so then."""
        room = max(CLOSE if "value" in self.reserved else DOUBLE, room_of(self.args))
        found = None if value is None else unequal(value, result, room)
        left = unequal(contents(self.args), contents(own)) if self.writes else None
        if found is None and left is None:
            return True
        again = fresh(self.before or [])
        if unequal(self.run(again), result) or unequal(contents(again), contents(own)):
            return False  # not repeatable
        what = "value" if found is not None else "content of an argument afterwards"
        got, want = found or left or ("", "")
        raise self.mismatch(f"the {what} is {got}, the function's is {want}")

    # -- derivatives ----------------------------------------------------------------------------------

    def check_tangent(
        self, directions: dict[Place, Any], tangent: Any, push: Push | None, result: Any
    ) -> None:
        assert self.before is not None
        kept = self.kept_symmetric(directions)
        if unequal(list(kept.values()), list(directions.values())):
            if push is None:
                return
            self.states.restore()
            directions, tangent = kept, push(fresh(self.before), list(kept.values()))
        precision = self.precision_of([d for d in directions.values()], result)
        self.check_shapes("tangent of the result", tangent, result)
        got, middle = numbers_like(tangent, result), numbers(result)
        if precision is None:
            return
        flat = joined(got)
        sizes = [np.full(x.size, 0.01 * np.max(np.abs(x), initial=0.0)) for x in got]
        scale = np.abs(flat) + joined(sizes)
        line = self.line(directions, precision)
        found = judged(line, middle, joined, flat, scale)
        self.sure = found.sure
        if np.any(found.wrong):
            error = np.where(found.wrong, np.abs(flat - found.want), -1.0)
            k = int(np.argmax(error))
            where = entry(got, k)
            raise self.mismatch(
                f"the tangent of result {where[0]} is {flat[k]:.8g}{at(where[1])}, "
                f"finite differences say {found.want[k]:.8g}"
            )

    def check_bars(self, wrt: list[Place], bars: list[Any], cotangent: Any, result: Any) -> None:
        """``<c, J v> == <J^T c, v>``; then, if it does not hold, entry by entry."""
        assert self.before is not None
        inputs = [place.of(self.before) for place in wrt]
        for place, x, bar in zip(wrt, inputs, bars, strict=True):
            what = f"gradient with respect to `{place.text(self.names)}`"
            self.check_shapes(what, in_order_of(x, bar), x)
        precision = self.precision_of(inputs, result)
        weights, middle = numbers_like(cotangent, result), numbers(result)
        if precision is None or [np.shape(x) for x in weights] != [np.shape(x) for x in middle]:
            return
        bar_of = dict(zip(wrt, bars, strict=True))
        for directions in self.asked_along(wrt, inputs):
            terms = [
                term
                for place, v in directions.items()
                for term in products(in_order_of(place.of(self.before), bar_of[place]), v)
            ]
            got = np.asarray(sum((np.sum(t) for t in terms), 0.0))
            scale = np.asarray(sum((np.sum(np.abs(t)) for t in terms), 0.0))
            line = self.line(directions, precision)
            found = judged(line, middle, functools.partial(weighted, weights), got, scale)
            if np.any(found.wrong):
                what = (
                    f"the gradient along a random direction is {got:.8g}, "
                    f"finite differences say {found.want:.8g}"
                )
                with contextlib.suppress(TooLong):
                    what = worst_entry(self, wrt, bars, weights, middle, precision) or what
                raise self.mismatch(what)
            if found.sure and len(directions) == len(wrt):
                self.sure = True
                return

    def asked_along(self, wrt: list[Place], inputs: list[Any]) -> Iterator[dict[Place, Any]]:
        """Directions of all places together; where those are no verdict (a jump in one), of each alone."""
        for own in (False, True):
            rng = np.random.default_rng(0)
            directions = {p: direction_of(x, rng, own) for p, x in zip(wrt, inputs, strict=True)}
            yield self.kept_symmetric(directions)
        if 1 < len(wrt) <= MANY:
            for place in wrt:
                yield {place: self.kept_symmetric(directions)[place]}

    def precision_of(self, *trees: Any) -> Precision | None:
        found = precision_of(*trees)
        if found and "search" in self.reserved:
            step, unit, near, _ = map(max, found, SEARCHED)
            found = Precision(step, unit, near)
        return found and found._replace(parts="rounding" in self.reserved)

    def check_shapes(self, what: str, got: Any, like: Any) -> None:
        """A derivative has the shape of what it is the derivative of."""
        mine, theirs = leaves(got), leaves(like)
        if len(mine) != len(theirs):
            raise self.mismatch(f"the {what} has {len(mine)} parts, not {len(theirs)}")
        for a, b in zip(mine, theirs, strict=True):
            if is_inexact(b) and a is not None and np.shape(a) != np.shape(b):
                raise self.mismatch(f"the {what} has the shape {np.shape(a)}, not {np.shape(b)}")
            if is_inexact(b) and np.iscomplexobj(a) and not np.iscomplexobj(b):
                raise self.mismatch(f"the {what} is complex, of a real number")

    def kept_symmetric(self, directions: dict[Place, Any]) -> dict[Place, Any]:
        """The directions along which a function that reads one triangle has the derivative we mean."""
        if not self.symmetric or self.before is None:
            return directions
        return {p: kept_symmetric(v, p.of(self.before)) for p, v in directions.items()}

    def line(self, directions: dict[Place, Any], precision: Precision) -> Line:
        assert self.before is not None
        return Line(self.run, self.before, directions, precision, self.kept_symmetric)

    def mismatch(self, what: str) -> GradientMismatch:
        name = self.base.name
        one_sided = (
            "it reads one triangle of a matrix, and its derivative is that for symmetric ones: give it one, "
            "`(a + a.T) / 2`; "
        )
        return GradientMismatch(
            f"{name}: {what}.  This was found when the derivative was first computed; nothing was returned.\n"
            f"what to do: {one_sided if 'triangle' in self.reserved else ''}if the function branches at this "
            "very point (`if x == 0`), move the point, or write the branch for the points around it, too; if its "
            "value has lost its digits there (`1 - np.cos(1e-7)`), write it in another way; else this is a bug in retrograd or in a rule it was given: report it with the function; check=None (or "
            "rg.set_check(None)) returns it unchecked"
        )


def is_hidden(result: Any) -> bool:
    """True if floats are returned in an object that is no container: no difference of two is seen in it."""
    return any(not is_float(x) and hides(x, is_float) for x in leaves(result))


def reservations_of(base: Any, made: Any, args: Sequence[Any]) -> list[tuple[str, str]]:
    """The effects left out, and why: known with the text; of a function on the tape, read off its code."""
    if made.reserved is not None:
        return list(made.reserved)
    from retrograd.compiler.analyses.visible_effects import of_class, of_function

    found = of_function(base.fn)
    for cls in {type(x) for x in leaves(list(args))}:
        found += of_class(cls, {})
    return found


def joined(parts: Sequence[Any]) -> Any:
    return np.concatenate([np.ravel(x) for x in parts]) if parts else np.zeros(0)


def weighted(weights: Sequence[Any], values: Sequence[Any]) -> Any:
    pairs = zip(weights, values, strict=True)
    return np.asarray(sum((np.sum(c * y) for c, y in pairs), 0.0))


def products(bar: Any, v: Any) -> list[Any]:
    return [b * d for b, d in zip(numbers_like(bar, v), numbers(v), strict=True)]


def entry(parts: Sequence[Any], k: int) -> tuple[int, tuple[int, ...]]:
    """Which leaf the number ``k`` of all of them stands in, and where."""
    for leaf, x in enumerate(parts):
        if k < x.size:
            return leaf, tuple(int(i) for i in np.unravel_index(k, x.shape))
        k -= x.size
    raise IndexError(k)


def at(index: tuple[int, ...]) -> str:
    return f" at {index}" if index else ""
