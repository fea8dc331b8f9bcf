"""Tests whose answer is known are left out: from the bounds of loops, and from tests before them.

What is known of a sum of integers is the least it can be: ``n - k >= 1`` in ``for k in range(n)``.
Something else is known if it is such a sum, or two of them together.
"""

from __future__ import annotations

from typing import Any

from ..loop_ir.ir import (
    Affine,
    Bail,
    Buffer,
    Expr,
    For,
    If,
    Kernel,
    Let,
    Lit,
    Op,
    Product,
    Stmt,
    Var,
    affine,
    blocks_of,
    change_own_exprs,
    integer,
    minus,
    plus,
    times,
)  # fmt: skip
from ..loop_ir.values import Items, View
from .raised_bails import is_steady, mutable_names

__all__ = ["without_known_tests"]

Terms = tuple[tuple[Any, int], ...]
MOST = 60  # facts that are tried two at a time


class Facts:
    """What is known where a statement stands."""

    def __init__(self, mutable: set[str]) -> None:
        self.mutable = mutable
        self.least: dict[Terms, int] = {}
        self.values: dict[Var, Affine] = {}  # of variables that are names for sums of others
        self.conditions: dict[Var, Any] = {}  # what names of conditions stand for

    def inner(self) -> Facts:
        made = Facts(self.mutable)
        made.least, made.values = dict(self.least), dict(self.values)
        made.conditions = self.conditions
        return made

    def learn(self, e: Any, least: int = 0) -> None:
        """``e`` is at least ``least``."""
        found = affine(e)
        if found.terms and is_steady(found, self.mutable):
            bound = least - found.const
            self.least[found.terms] = max(bound, self.least.get(found.terms, bound))

    def learn_equal(self, a: Any, b: Any) -> None:
        self.learn(minus(a, b))
        self.learn(minus(b, a))

    def holds(self, e: Any, least: int = 0) -> bool:
        """True if ``e`` is surely at least ``least``."""
        found = affine(e)
        wanted = least - found.const
        if not found.terms:
            return wanted <= 0
        if not is_steady(found, self.mutable):
            return False
        if self.least.get(found.terms, wanted - 1) >= wanted:
            return True
        if len(self.least) > MOST:
            near = {atom for atom, _ in found.terms}
            facts = [(t, n) for t, n in self.least.items() if any(a in near for a, _ in t)]
        else:
            facts = list(self.least.items())
        for terms, known in facts:
            rest = minus(found, Affine(terms)).terms
            more = 0 if not rest else self.least.get(rest)
            if more is not None and known + more >= wanted:
                return True
        return False

    def refuted(self, cond: Any) -> bool:
        """True if a condition surely does not hold."""
        gaps = self.gaps(cond)
        if gaps is not None:
            return any(self.holds(gap, least) for gap, least in gaps)
        if isinstance(cond, Op) and cond.name == "logical_or":
            return all(map(self.refuted, cond.args))
        if isinstance(cond, Op) and cond.name == "logical_and":
            return any(map(self.refuted, cond.args))
        return False

    @staticmethod
    def gaps(cond: Any) -> list[tuple[Any, int]] | None:
        """What is at least how much if a comparison of integers does not hold."""
        if not isinstance(cond, Op) or len(cond.args) != 2:
            return None
        a, b = cond.args
        if a.dtype != "i8" or b.dtype != "i8":
            return None
        if cond.name == "less":
            return [(minus(a, b), 0)]
        if cond.name == "less_equal":
            return [(minus(a, b), 1)]
        if cond.name == "greater":
            return [(minus(b, a), 0)]
        return [(minus(b, a), 1)] if cond.name == "greater_equal" else None

    def fails(self, cond: Any) -> None:
        """A condition did not hold."""
        cond = self.conditions.get(cond, cond)
        for gap, least in self.gaps(cond) or ():
            self.learn(gap, least)
        if isinstance(cond, Op) and cond.name == "logical_or":
            for part in cond.args:
                self.fails(part)
        elif isinstance(cond, Op) and cond.name == "not_equal":
            a, b = cond.args
            if a.dtype == b.dtype == "i8":
                self.learn_equal(a, b)
        elif isinstance(cond, Op) and cond.name == "logical_not":
            self.succeeds(cond.args[0])

    def succeeds(self, cond: Any) -> None:
        """A condition held."""
        cond = self.conditions.get(cond, cond)
        if not isinstance(cond, Op):
            return
        opposite = opposite_of(cond)
        if opposite is not None:
            self.fails(opposite)
        elif cond.name == "logical_and":
            for part in cond.args:
                self.succeeds(part)
        elif cond.name == "logical_not":
            self.fails(cond.args[0])


def opposite_of(cond: Op) -> Op | None:
    """The comparison that holds exactly where this one does not."""
    a, *rest = cond.args
    if cond.name == "less":
        return Op("less_equal", (*rest, a), "b1")
    if cond.name == "less_equal":
        return Op("less", (*rest, a), "b1")
    if cond.name == "greater":
        return Op("less_equal", (a, *rest), "b1")
    if cond.name == "greater_equal":
        return Op("less", (a, *rest), "b1")
    return Op("not_equal", (a, *rest), "b1") if cond.name == "equal" else None


def without_known_tests(kernel: Kernel) -> Kernel:
    """Leave out tests that surely do not hold, and the wraps of indices that are surely not negative."""
    facts = Facts(mutable_names(kernel))
    for buffer in (b for param in kernel.params for b in buffers(param)):
        for n in buffer.dims:
            facts.learn(n)
    in_block(kernel.body, facts)
    return kernel


def buffers(param: Any) -> list[Buffer]:
    if isinstance(param, Items):
        return [b for value in param.values for b in buffers(value)]
    return [param.buffer] if isinstance(param, View) and param.buffer is not None else []


def in_block(stmts: list[Stmt], facts: Facts) -> None:
    """The statements of a block; ``facts`` grow as they run."""
    kept = []
    for stmt in stmts:
        if not isinstance(stmt, Product):
            change_own_exprs(stmt, lambda e: simpler(e, facts))
        if type(stmt) is Bail:
            if facts.refuted(stmt.cond):
                continue
            stmt.cond = left_of(stmt.cond, facts)
            facts.fails(stmt.cond)
        kept.append(stmt)
        if isinstance(stmt, Let):
            learn_value(stmt, facts)
        elif isinstance(stmt, For):
            inner = facts.inner()
            inner.learn(minus(stmt.var, stmt.lo))
            inner.learn(minus(stmt.hi, stmt.var), 1)
            inner.learn(minus(stmt.hi, stmt.lo), 1)
            in_block(stmt.body, inner)
        elif isinstance(stmt, If):
            then, orelse = facts.inner(), facts.inner()
            then.succeeds(stmt.cond)
            orelse.fails(stmt.cond)
            in_block(stmt.then, then)
            in_block(stmt.orelse, orelse)
        else:
            for block in blocks_of(stmt):
                in_block(block, facts.inner())
    stmts[:] = kept


def left_of(cond: Any, facts: Facts) -> Any:
    """A condition without the parts that surely do not hold."""
    if isinstance(cond, Op) and cond.name == "logical_or":
        parts = [left_of(p, facts) for p in cond.args if not facts.refuted(p)]
        if len(parts) == 1:
            return parts[0]
        return Op("logical_or", tuple(parts), "b1") if parts else Lit(False, "b1")
    return cond


def learn_value(stmt: Let, facts: Facts) -> None:
    """What a name for an integer says."""
    var, value = stmt.var, stmt.value
    if var.dtype == "b1" and isinstance(value, Op) and is_steady(value, facts.mutable):
        facts.conditions[var] = value
    if var.dtype != "i8" or var.name in facts.mutable:
        return
    if isinstance(value, (Affine, Var)):
        if is_steady(value, facts.mutable):
            facts.values[var] = affine(value)
        facts.learn_equal(var, value)
    elif isinstance(value, Op) and value.name in ("maximum", "minimum"):
        for part in value.args:
            gap = minus(var, part)
            facts.learn(gap if value.name == "maximum" else times(-1, gap))


def simpler(e: Any, facts: Facts) -> Expr:
    """An index that is not negative is no index from the end, and one that is negative is."""
    if isinstance(e, Var):
        return facts.values.get(e, e)
    if isinstance(e, Op) and e.name == "wrap":
        index, size = e.args
        if facts.holds(index):
            return affine(index)
        if facts.holds(times(-1, index), 1):
            return plus(index, size)
    if isinstance(e, Op) and e.name == "maximum" and e.dtype == "i8":
        a, b = e.args
        if facts.holds(minus(a, b)):
            return affine(a)
        if facts.holds(minus(b, a)):
            return affine(b)
    if isinstance(e, Op) and e.name == "floor_divide" and e.dtype == "i8":  # no fraction is lost
        return affine(e.args[0]) if affine(e.args[1]) == integer(1) else e
    return e  # type: ignore[no-any-return]
