"""Long chains of branches split into consecutive pieces.

>>> from tests.before_after import lowered
>>> chain = "\\n".join(f"    if k == {i}: return {i} * x" for i in range(20))
>>> made = lowered(f"def f(x, k):\\n{chain}\\n    return x", "x: float, k: int")
>>> len(made.body.ops), len(cut_chains(made).body.ops)
(2, 3)

``elif`` and early returns are nested branches.  Three hundred of them are nested three hundred deep, which
Python does not parse; and whatever one of them computes for the backward sweep would have to be passed out
through all those around it, so that the text would grow quadratically.  Each piece sets a flag if none of
its branches was taken, and the next piece runs if so.
"""

from __future__ import annotations

from ...ir.operations import (
    UNDEFINED,
    Block,
    Const,
    Function,
    If,
    Op,
    Value,
    replace_values,
    values_in,
    values_read,
)
from ...ir.types import Number

__all__ = ["cut_chains"]

LONG = 16  # branches in branches that stay as they are: nobody's text changes for less
PIECE = 8  # branches in a piece of a longer chain


def cut_chains(function: Function) -> Function:
    """``function``, in which no branch stands more than ``LONG`` deep at the end of others."""
    todo = [function.body]
    while todo:
        block = todo.pop()
        ops: list[Op] = []
        for op in block.ops:
            ops += pieces(op) if type(op) is If else [op]
        block.ops = ops
        todo += [inner for op in block.ops for inner in op.blocks]
    return function


def pieces(op: If) -> list[Op]:
    """A branch and what follows from it, none of it deeper than ``LONG``."""
    made: list[Op] = []
    while len(path := deepest(op)) > LONG:
        made.append(op)
        op = cut(path[:PIECE])
    return [*made, op]


def deepest(op: If) -> list[tuple[If, Block]]:
    """The longest way down: branches, each the last operation of a side of the one before."""
    depth: dict[If, int] = {}
    below: dict[If, tuple[Block, If] | None] = {}
    todo = [op]
    while todo:
        here = todo[-1]
        ends = [(side, side.ops[-1]) for side in (here.then, here.orelse) if side.ops]
        inner = [(side, last) for side, last in ends if type(last) is If]
        missing = [last for _, last in inner if last not in depth]
        if missing:
            todo += missing
            continue
        todo.pop()
        best = max(inner, key=lambda pair: depth[pair[1]], default=None)
        below[here] = best
        depth[here] = 1 + (depth[best[1]] if best else 0)
    path = []
    step = below[op]
    while step is not None:
        path.append((op, step[0]))
        op = step[1]
        step = below[op]
    return path


def cut(path: list[tuple[If, Block]]) -> If:
    """Take the innermost side of ``path`` out; it is returned as a branch that runs after the first.

    The results of the new branch are those that the first had, whose readers need not change.
    """
    top, (_, innermost) = path[0][0], path[-1]
    moved = innermost.ops
    innermost.ops = []
    outer, own = values_to_hand_out(path, moved)
    wanted = []  # results of the first branch that the rest computes
    for k, result in enumerate(top.results):
        y = traced(path, k)
        if y in own:
            wanted.append((k, result, y))
    then, orelse = Block([], moved), Block()
    results = []
    for k, result, y in wanted:
        blank(path, k)
        top.results[k] = result.twin()
        results.append(result)
        then.yields.append(y)
        orelse.yields.append(top.results[k])
    innermost.yields = [  # nobody reads these
        UNDEFINED if isinstance(y, Value) and y in own else y for y in innermost.yields
    ]
    table = {v: handed_out(path, v) for v in outer}
    going = flag(path)
    made = If(results, top.loc, going, then, orelse)
    for one, _ in path:
        one.expression = False
    return renamed(made, table)


def values_to_hand_out(
    path: list[tuple[If, Block]], moved: list[Op]
) -> tuple[list[Value], set[Value]]:
    """Values that the rest reads of earlier operations in the branches; and values it computes."""
    before = {r for _, side in path for op in side.ops for r in op.results}
    before -= {r for op, _ in path for r in op.results}
    own = {r for op in moved for r in op.results}
    found: dict[Value, None] = {}
    todo = list(moved)
    read: list[Value] = []
    while todo:
        op = todo.pop()
        read += values_read(op)
        for inner in op.blocks:
            read += values_in(inner.yields)
            todo += inner.ops
    yielded = [v for v in path[-1][1].yields if isinstance(v, Value) and v in before]
    found = dict.fromkeys(v for v in [*reversed(read), *yielded] if v in before)
    return list(found), own


def traced(path: list[tuple[If, Block]], k: int) -> object:
    """The value of result ``k`` of the first branch, if all of ``path`` is taken."""
    for op, side in path:
        y = side.yields[k]
        following = next((inner for inner, _ in path if y in inner.results), None)
        if following is None or op is path[-1][0]:
            return y
        k = following.results.index(y)
    return None


def blank(path: list[tuple[If, Block]], k: int) -> None:
    """Nothing is bound where all of ``path`` is taken."""
    for at, (_, side) in enumerate(path):
        y = side.yields[k]
        inner = path[at + 1][0] if at + 1 < len(path) else None
        if inner is None or y not in inner.results:
            side.yields[k] = UNDEFINED
            return
        k = inner.results.index(y)


def handed_out(path: list[tuple[If, Block]], v: Value) -> Value:
    """A value from inside of the branches of ``path``, as a result of the first."""
    for op, side in reversed(path[: 1 + depth_of(path, v)]):
        made = v.twin()
        other = op.orelse if side is op.then else op.then
        side.yields.append(v)
        other.yields.append(UNDEFINED)
        op.results.append(made)
        v = made
    return v


def depth_of(path: list[tuple[If, Block]], v: Value) -> int:
    return next(k for k, (_, side) in enumerate(path) if any(v in op.results for op in side.ops))


def flag(path: list[tuple[If, Block]]) -> Value:
    """A new result of the first branch: true if all of ``path`` is taken."""
    going: Const | Value = Const(True)
    for op, side in reversed(path):
        other = op.orelse if side is op.then else op.then
        side.yields.append(going)
        other.yields.append(Const(False))
        going = Value("going", Number("b"), op.loc)
        op.results.append(going)
    assert isinstance(going, Value)
    return going


def renamed(op: If, table: dict[Value, Value]) -> If:
    """``op``, which reads through ``table`` from now on."""
    if table:
        replace_values(Block([], [op]), lambda v: table.get(v, v) if isinstance(v, Value) else v)
    return op
