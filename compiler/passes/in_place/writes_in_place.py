"""Array updates turned into writes in place.

>>> from tests.before_after import in_gradient
>>> in_gradient('''
... def f(x):
...     x[0] = x[0] ** 2
...     return np.sum(x ** 2)
... ''', "x: f8[n]", place)
def f_grad(x):
    # forward
    rt.check_distinct(x)
    x_0 = x[0]
    x[0] = x_0**2
    x_2 = x
    # backward
    # `return np.sum(x ** 2)`
    x_bar = 2.0 * x_2
    # `x[0] = x[0] ** 2`
    x_bar[0] = 2 * x_0 * x_bar[0]
    written(x, x_2)
    return x_bar
# becomes
def f_grad(x):
    # forward
    rt.check_distinct(x)
    x_0 = x[0]
    x[0] = x_0**2
    # backward
    # `return np.sum(x ** 2)`
    x_bar = 2.0 * x
    # `x[0] = x[0] ** 2`
    x_bar[0] = 2 * x_0 * x_bar[0]
    return x_bar

Up to here a write gives a new value, the next version of the array.  A value that is read after it was
overwritten is copied first (`copy_before_overwrite`), memory that is not the program's own is copied
where it enters (`ownership`), and all other writes happen in place, with the same values: a write takes
the time of the part that is written.  Sums of adjoints (``x_bar += c``) are writes, too.
"""

from __future__ import annotations

import operator

from retrograd.runtime.errors import MutationError
from retrograd.runtime.helpers import linear

from ...analyses.aliasing.may_alias import Shares, shares_of
from ...analyses.aliasing.memory_facts import is_version
from ...analyses.aliasing.read_write_order import Timeline, has_writes
from ...ir.operations import Apply, Function, Op, walk
from .alias_checks import checks_of, pin
from .copy_before_overwrite import Repair
from .name_copies import take_all
from .order_stores import is_note
from .ownership import in_blocks, own

__all__ = ["may_write", "place", "writes_arrays"]

ROUNDS = 200


def place(function: Function) -> Function:
    """Make every write of ``function`` one in place, copying where that would change a value."""
    if not may_write(function):
        return function
    checks, known = checks_of(function), set(walk(function.body))
    for _ in range(ROUNDS):
        if own(function):
            continue
        shares = shares_of(function)
        if not Repair(function, shares, Timeline().run(function)).run():
            break
    else:
        raise MutationError(
            f"the copies that writing in place needs in `{function.name}` have no end: "
            "each is read after another write",
            fix="write into a copy (y = x.copy()) where the function begins to write",
        )
    settle(function, shares)
    take_all(function.body)
    if checks:
        pin(function, known, shares.memory)
    return function


def may_write(function: Function) -> bool:
    """True if a function writes, or gives back an argument's memory, which its caller may write to."""
    return writes_arrays(function) or any(map(adds_in_place, walk(function.body)))


def writes_arrays(function: Function) -> bool:
    """The same, but for sums of adjoints."""
    handed_back = any(j is not None for _, j in function.facts.writes)
    return (
        handed_back
        or bool(function.facts.versions)
        or any(has_writes(op) for op in walk(function.body))
    )


def adds_in_place(op: Op) -> bool:
    return isinstance(op, Apply) and op.fn in (linear.index_add, operator.iadd)


def settle(function: Function, shares: Shares) -> None:
    """Mark the writes as what they are now, and drop the notes of what they did to arguments."""
    memory = shares.memory
    for block, op in list(in_blocks(function.body)):
        if is_version(op):
            op.style = "in place"
        elif isinstance(op, Apply) and is_note(op):
            x, held = op.args
            if memory.cells.get(held) is memory.cells.get(x):  # type: ignore[arg-type]
                block.ops.remove(op)
            else:
                op.fn, op.args, op.style = linear.write, (x, (), held), "in place"
                op.effect = True
    function.facts.memory = memory
