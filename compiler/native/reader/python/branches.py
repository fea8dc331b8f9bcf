"""Branches, and what names stand for after them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...loop_ir.ir import Bail, If, Lit, Stmt
from ...refusal import NothingAppended, Unsupported
from ...text.name_liveness import assigned
from ..handlers import reads_statement
from ..join_values import joined, place_for, settle, spec_of
from ..loop_carried import kept
from ..reader import Reader
from ..values import Either
from .expressions import evaluate
from .index_limits import tested
from .statements import ENDED, run


@reads_statement(ast.If)
def branch(r: Reader, stmt: ast.If, live: set[str]) -> None:
    cond = r.truth(evaluate(r, stmt.test))
    if isinstance(cond, bool) or cond in r.assumed:
        taken = cond if isinstance(cond, bool) else r.assumed[cond]
        found = run(r, stmt.body if taken else stmt.orelse, live)
        if found is ENDED:
            raise Unsupported("a break that is always taken")
        return
    said, cond = cond, r.named(cond, "cond")
    before = dict(r.env)
    sides = []
    for body, side in ((stmt.body, True), (stmt.orelse, False)):
        r.env = dict(before)
        with r.into([]) as block, assuming(r, cond, side), tested(r, said, side):
            found = side_of(r, body, live)
        sides.append((block, r.env, found))
    going = [(block, env) for block, env, found in sides if found is None]
    r.env = dict(before)
    for name in sorted(assigned([stmt]) & live):
        merge(r, name, cond, going)
    for name in assigned([stmt]) - live:
        r.env.pop(name, None)
    r.emit(If(cond, sides[0][0], sides[1][0]))


def side_of(r: Reader, body: list[ast.stmt], live: set[str]) -> Any:
    """Run a side.  One that reads a list before anything was appended is left until its items are known."""
    before, env = r.snapshot(), dict(r.env)
    try:
        return run(r, body, live)
    except NothingAppended as error:
        if not r.loops:
            raise
        r.restore(before)
        r.env = env
        r.unread.add(error.arena)
        r.block[:] = [Bail(Lit(True, "b1"))]
        return ENDED


@contextmanager
def assuming(r: Reader, cond: Any, side: bool) -> Iterator[None]:
    """A condition holds, or does not, for a while."""
    r.assumed[cond] = side
    try:
        yield
    finally:
        del r.assumed[cond]


def merge(r: Reader, name: str, cond: Any, going: list[tuple[list[Stmt], dict[str, Any]]]) -> None:
    """Merges what a name stands for after a branch."""
    values = [env.get(name) for _, env in going]
    if any(v is not None for v in values):
        values = [
            kept_on(r, name, block) if v is None else v
            for v, (block, _) in zip(values, going, strict=True)
        ]
    known = [v for v in values if v is not None]
    if not known:
        r.env.pop(name, None)
        return
    if all(v is known[0] for v in values):
        r.env[name] = known[0]
        return
    try:
        places: list[Any] = [joined(r, [spec_of(v) for v in known], name)] * len(values)
    except Unsupported:
        places = [place_for(r, spec_of(v), name) for v in values]
    r.env[name] = places[0] if all(p is places[0] for p in places) else Either(cond, *places)
    for (block, _), place, value in zip(going, places, values, strict=True):
        with r.into(block):
            settle(r, [(place, value)])


def kept_on(r: Reader, name: str, block: list[Stmt]) -> Any:
    """The value of a name on a way that does not bind it."""
    with r.into(block):
        return kept(r, name)
