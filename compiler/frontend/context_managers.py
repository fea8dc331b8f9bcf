"""``with`` by simpler statements: what a manager does before and after a body.

::

    with scaled(x) as v:      ->      manager = scaled(x)
        y = v * v                     v = manager.__enter__()
                                      try:
                                          y = v * v
                                      finally:
                                          manager.__exit__(None, None, None)

That is the same where nothing is raised, and where ``__exit__`` lets through what is raised.  A generator
that yields once becomes a function that gives what it yields, and what follows:

::

    @contextmanager
    def doubled(a):                   def doubled(a):
        b = 2 * a                         b = 2 * a
        try:                  ->          def leave():
            yield b                           print(b)
        finally:                          return b, leave
            print(b)
"""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

import gast

from .exit_queries import assigned
from .generators import YIELDS, own_nodes
from .made_nodes import load

__all__ = ["as_halves", "entered_and_left", "halves_around"]

LEAVE = "yielded.leave"  # no name of a user's


class Halves(NamedTuple):
    """What a generator does before it yields, what it yields, and what it does then."""

    before: list[Any]
    value: Any
    after: list[Any]


def entered_and_left(manager: str, target: Any, body: list[Any], node: Any) -> list[Any]:
    """``body`` between ``__enter__`` and ``__exit__`` of what a name holds."""
    enter = gast.Call(method(manager, "__enter__"), [], [])
    nothing = [gast.Constant(None, None) for _ in range(3)]
    leave = gast.Call(method(manager, "__exit__"), nothing, [])
    return between(enter, leave, target, body, node)


def halves_around(halves: str, target: Any, body: list[Any], node: Any) -> list[Any]:
    """``body`` between the halves of a generator: what it yielded, and what leaves it, are in a tuple."""
    value, leave = (
        gast.Subscript(load(halves), gast.Constant(k, None), gast.Load()) for k in (0, 1)
    )
    return between(value, gast.Call(leave, [], []), target, body, node)


def between(first: Any, last: Any, target: Any, body: list[Any], node: Any) -> list[Any]:
    opening = gast.Expr(first) if target is None else gast.Assign([target], first, None)
    whole = gast.Try(body=body, handlers=[], orelse=[], finalbody=[placed(gast.Expr(last), node)])
    return [placed(opening, node), gast.copy_location(whole, node)]


def method(name: str, of: str) -> Any:
    return gast.Attribute(load(name), of, gast.Load())


def placed(made: Any, node: Any) -> Any:
    """Made statements stand where the user's node stands; what is the user's own stays where it is."""
    for part in gast.walk(made):
        if not hasattr(part, "lineno"):
            gast.copy_location(part, node)
    return made


def as_halves(function: Any) -> Any | None:
    """A generator as a function that gives what it yields, and what to call then; None if it yields anywhere else."""
    function = copy.deepcopy(function)
    yields = [n for n in own_nodes(function.body) if isinstance(n, YIELDS)]
    returns = [n for n in own_nodes(function.body) if isinstance(n, gast.Return)]
    found = halves(function.body)
    if len(yields) != 1 or returns or found is None:
        return None
    value = found.value or gast.Constant(None, None)
    pair = gast.Tuple([value, load(LEAVE)], gast.Load())
    leave = leaving(found, function)
    made = [*found.before, leave, placed(gast.Return(pair), found.value or function)]
    function.body = made
    return function


def leaving(found: Halves, function: Any) -> Any:
    """The second half as an inner function; what it binds anew it is given as it is when it yields."""
    bound = {n for part in found.before for n in assigned(part)} | parameters(function)
    anew = {n for part in found.after for n in assigned(part)}
    given = sorted(bound & anew)
    names = [gast.Name(n, gast.Param(), None, None) for n in given]
    spec = gast.arguments(
        args=names, posonlyargs=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None,
        defaults=[load(n) for n in given],
    )  # fmt: skip
    body = found.after or [gast.Pass()]
    made = gast.FunctionDef(
        name=LEAVE, args=spec, body=body, decorator_list=[], returns=None, type_comment=None,
        type_params=[],
    )  # fmt: skip
    return placed(made, function)


def parameters(function: Any) -> set[str]:
    spec = function.args
    several = [a for a in (spec.vararg, spec.kwarg) if a is not None]
    return {a.id for a in [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *several]}


def halves(body: list[Any]) -> Halves | None:
    """The statements before and after the one that yields, also inside of ``try`` and ``finally``."""
    for k, statement in enumerate(body):
        if not any(isinstance(n, YIELDS) for n in own_nodes([statement])):
            continue
        inner = halves_of(statement)
        if inner is None:
            return None
        return Halves([*body[:k], *inner.before], inner.value, [*inner.after, *body[k + 1 :]])
    return None


def halves_of(statement: Any) -> Halves | None:
    if isinstance(statement, (gast.Expr, gast.Assign)) and isinstance(statement.value, gast.Yield):
        value, statement.value = statement.value.value, gast.Constant(None, None)
        after = [placed(statement, statement)] if isinstance(statement, gast.Assign) else []
        return Halves([], value, after)
    if isinstance(statement, gast.Try) and not statement.handlers:
        inner = halves(statement.body)
        after = [*statement.orelse, *statement.finalbody]
        return None if inner is None else inner._replace(after=[*inner.after, *after])
    return None
