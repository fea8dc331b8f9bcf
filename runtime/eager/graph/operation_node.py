"""The node of an operation of the rule book: what it keeps, and how its adjoints are called.

The formulas are those of ``adjoints.py``, which the compiler derives from the rules.  On the way back
they get arrays; with ``create_graph`` they get boxes (those of the tape), whose operations come
back to `EAGER` and make nodes in turn.

A node holds its plan itself, or its class does: the class of a form that was prepared (`fast_path`)
has programs besides, that make its nodes and run them with less work.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ...batching.batched_array import BatchedArray, as_array, zeros_beside
from ...helpers import linear
from ...objects.pytree import at, map_operands, remade
from ...rules.book import Rule
from ...tape.box import Box, is_float
from ...tape.boxed_functions import evaluate
from ...tape.reverse_level import transposed
from ..observe.observers import seen, watch
from ..tensor.tensor import unwrapped
from .boxes import EAGER, boxed, tensor
from .node import GradFn
from .piecewise_slopes import STEPWISE, stepwise
from .plan import Plan, plan_of
from .reopened_tensors import boxed_again, counted, counter_of, result
from .saved_tensors import FREED, LASTING, Saved
from .saving import Several
from .shown_values import handle, names_of, shown

__all__ = ["AnyOpNode", "OpNode", "node_class"]


class OpNode(GradFn):
    """An operation with a rule: ``saved`` are the values its plan keeps, None once they are freed.

    An array is kept as (array, counter, version, source) in the places of the plan, else, and wherever it
    has hooks, as a `Saved`.
    """

    __slots__ = ("attributes", "saved")

    attributes: dict[str, Any] | None  # what else the call was given, where ``_saved_...`` shows it

    rule: Rule
    plan: Plan
    targets: tuple[tuple[str, tuple[Any, ...]], ...]
    saved: Any
    several: bool

    def run(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        if all(bar is None for bar in bars):
            return (None,) * len(self.edges)
        if self.saved is None:
            raise RuntimeError(FREED)
        if self.more is not None:
            self.check_guards()
        short = self.brief is not None and not create and not watch.on
        if short and type(bars[0]) is not BatchedArray:
            return self.brief(bars[0], True)  # type: ignore[no-any-return]
        return self.in_full(bars, create)

    def carefully(self, c: Any, keep: bool) -> tuple[Any, ...]:
        """Does as `brief`, where a kept value has to be looked at first."""
        found = self.in_full([c], False)
        if not keep:
            self.release()
        return found

    def in_full(self, bars: list[Any], create: bool) -> tuple[Any, ...]:
        """The adjoints with values that were checked; they may be recorded."""
        if self.saved is None:
            raise RuntimeError(FREED)
        values = [self.value(k) for k in range(len(self.saved))]
        one = next((unwrapped(b) for b in bars if b is not None), None)
        c: Any = tuple(
            zeros_beside(one, *o) if b is None else b
            for b, o in zip(bars, self.outputs, strict=True)
        )
        if create:
            values = [self.boxed(k, v) for k, v in enumerate(values)]
            c = tuple([boxed(bar) for bar in c])
        if watch.on:
            values, c = map_operands(seen, (values, c))
        c = c if self.several else c[0]
        found = {name: self.pull(name, c, values) for name in self.plan.pulls}
        parts = [
            at(found[name], path) if edge is not None and name in found else None
            for edge, (name, path) in zip(self.edges, self.targets, strict=True)
        ]
        if not create:
            return tuple(parts)
        made = [None if part is None else tensor(part) for part in parts]
        return stepwise(self, made) if type(self).__name__ in STEPWISE else tuple(made)

    def pull(self, name: str, c: Any, values: list[Any]) -> Any:
        plan = self.plan
        adjoint, reads, whole = plan.pulls[name]
        if adjoint is None:
            own = dict(zip((n for n, _ in plan.keep), values, strict=True))
            return transposed(self.rule, name, own.pop("z"), own, c)
        given = [*values, *plan.defaults]
        bar = evaluate(adjoint, *[c if k < 0 else given[k] for k in reads])
        return bar if whole is None else evaluate(linear.unbroadcast, bar, values[whole])

    # -- what is kept ------------------------------------------------------------------------

    def is_closed(self, k: int) -> bool:
        """True if an array is kept there that is no `Saved` yet (an option may be a tuple, too)."""
        return k in self.plan.places and type(self.saved[k]) is tuple

    def opened(self, k: int) -> Saved:
        array, counter, version, source = self.saved[k]
        saved = Saved(array, counter, source)
        saved.version = version
        return saved

    def open(self, place: int | None = None) -> None:
        """Make a `Saved` of what is kept there (or of everything): hooks have a place in it."""
        if self.plan.places:
            self.saved = [
                self.opened(k) if place in (None, k) and self.is_closed(k) else saved
                for k, saved in enumerate(self.saved)
            ]

    def value(self, k: int) -> Any:
        """A kept value, if nobody has written to it."""
        saved = self.saved[k]
        if self.is_closed(k):
            if saved[1][0] != saved[2] and self.is_quotient(k):
                return self.quotient()
            self.opened(k).check(self.whence(k), self.seq)
            return saved[0]
        if type(saved) is Saved:
            saved.check(self.whence(k), self.seq)
            return saved.unpacked()
        if type(saved) is Several:
            return saved.opened(self.seq, self if self.plan.keep[k][0] == "z" else None)
        return saved

    def is_quotient(self, k: int) -> bool:
        return self.plan.keep[k][0] == "z" and type(self).__name__ == "DivBackward0"

    def quotient(self) -> Any:
        """The result again: torch's formula does not read it, so it may be written to."""
        x, y = (next(k for k, (n, _) in enumerate(self.plan.keep) if n == own) for own in "xy")
        return np.true_divide(self.value(x), self.value(y))

    def whence(self, k: int) -> tuple[Any, int]:
        """The node that made a kept value, and which of its results it is."""
        saved = self.saved[k]
        source = saved[3] if self.is_closed(k) else saved.source
        if source is not None:
            return (source._grad_fn, source._nr) if source._grad_fn is not None else (None, 0)
        return (self, 0) if self.plan.keep[k][0] == "z" else (None, 0)

    def holds(self, k: int, array: Any, but: Any = None) -> bool:
        """True if an array is kept there, and not as that of the tensor ``but`` itself."""
        saved = self.saved[k]
        if self.is_closed(k):
            return saved[0] is array and (but is None or saved[3] is not but)
        if type(saved) is Saved:
            return saved.array is array and (but is None or saved.source is not but)
        return False

    def keeps(self, array: Any, but: Any = None) -> bool:
        return any(self.holds(k, array, but) for k in range(len(self.saved or ())))

    def exchange(self, array: Any, other: Any, counter: Any, but: Any = None) -> None:
        """Keep another array, with its counter, in the place of one."""
        kept = list(self.saved)
        for k, saved in enumerate(kept):
            if not self.holds(k, array, but):
                continue
            if type(saved) is Saved:
                saved.array, saved.counter, saved.version = other, counter, counter[0]
            else:
                kept[k] = other, counter, counter[0], saved[3]
        self.saved = type(self.saved)(kept)

    def boxed(self, k: int, value: Any) -> Any:
        """A kept value with its place in the graph, for derivatives of the derivative."""
        name, shape_only = self.plan.keep[k]
        if shape_only:
            return value
        saved = self.saved[k]
        if name == "z":
            if self.several:
                return remade(
                    value,
                    [
                        Box(EAGER, v, result(self, v, j)) if is_float(v) else v
                        for j, v in enumerate(value)
                    ],
                )
            return Box(EAGER, value, counted(result(self, as_array(value), 0), counter_of(saved)))
        for edge, (owner, path) in zip(self.edges, self.targets, strict=True):
            if owner == name:
                value = boxed_again(EAGER, value, saved, path, edge)
        return value

    def retype(self, k: int, kind: Any) -> None:
        """One of the results was put into memory of another type."""
        self.outputs = tuple(
            (shape, kind) if j == k else (shape, old) for j, (shape, old) in enumerate(self.outputs)
        )

    def release(self) -> None:
        """Let go of the arrays; a node that kept shapes only may run again."""
        if type(self).__name__ in LASTING:
            return
        if not self.plan.pulls and any(not s for _, s in plan_of(self.rule, self.rule.active).keep):
            self.saved = None  # it kept nothing since it leads nowhere, and still runs once only
        if self.more is not None and self.more.get("guards"):
            self.saved = None
            return
        numbers = (float, int, complex)
        pairs = zip(self.saved or (), self.plan.keep, strict=False)
        if any(
            not shape
            and (
                type(s) in (Saved, Several)
                or k in self.plan.places
                or (type(s) in numbers and n in (*self.rule.active, "z"))
            )
            for k, (s, (n, shape)) in enumerate(pairs)
        ):
            self.saved = None

    # -- what users see of the saved values --------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_saved_"):
            return shown(self, name.removeprefix("_saved_"))
        if name.startswith("_raw_saved_"):
            return handle(self, name.removeprefix("_raw_saved_"))
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *names_of(self)]


class AnyOpNode(OpNode):
    """The node of any operation; it holds all of its plan itself."""

    __slots__ = ("plan", "rule", "several", "targets")

    def __init__(
        self,
        rule: Rule,
        plan: Plan,
        edges: Any,
        targets: Any,
        saved: Any,
        outputs: Any,
        several: bool,
    ) -> None:
        super().__init__(edges, outputs)
        self.attributes = None
        self.rule, self.plan, self.targets = rule, plan, targets
        self.saved, self.several = saved, several


@lru_cache(maxsize=4096)
def node_class(name: str) -> type[AnyOpNode]:
    """The class of the nodes of that name."""
    return type(name, (AnyOpNode,), {"__slots__": (), "__module__": __name__})
