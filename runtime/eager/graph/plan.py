"""Plans of nodes: what one keeps, and the adjoints that read it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from ...rules.book import Rule
from ...tape.rule_evaluation import adjoint_of, cotangent_of, parameters, shapes_of

__all__ = ["Plan", "Pull", "plan_of", "pulls_of", "reads_of"]


class Pull(NamedTuple):
    """An adjoint (None: the rule is transposed), and where it finds what it reads (-1: the cotangent).

    ``whole``: the value to whose shape its result is summed, if it does not do that itself.
    """

    adjoint: Any
    reads: tuple[int, ...]
    whole: int | None = None


class Plan(NamedTuple):
    """The plan of a node: what it keeps (name, for its shape only), and the pulls that read it.

    ``places``: where among that there are arrays as (array, counter, version, source).  ``defaults``: what
    the call left out; pulls find it behind what is kept.
    """

    keep: tuple[tuple[str, bool], ...]
    pulls: dict[str, Pull]
    places: frozenset[int] = frozenset()
    defaults: tuple[Any, ...] = ()


def reads_of(rule: Rule, adjoints: dict[str, Any], summed: Collection[str] = ()) -> dict[str, bool]:
    """The values that adjoints read of a call, and whether only for their shape.

    What those of the parameters in ``summed`` give is summed to the shape of the parameter.
    """
    reads: dict[str, bool] = {}
    for name, adjoint in adjoints.items():
        shapes = () if adjoint is None else shapes_of(adjoint)
        for read in read_by(rule, adjoint):
            if read != cotangent_of(rule):
                reads[read] = reads.get(read, True) and read in shapes
        if name in summed:
            reads.setdefault(name, True)
    return reads


def read_by(rule: Rule, adjoint: Any) -> tuple[str, ...]:
    return ("z", *rule.own) if adjoint is None else parameters(adjoint)


def pulls_of(
    rule: Rule, adjoints: dict[str, Any], order: Iterable[str], summed: Collection[str] = ()
) -> dict[str, Pull]:
    """The pulls that find what they read in this order."""
    place = {name: k for k, name in enumerate(order)} | {cotangent_of(rule): -1}
    return {
        name: Pull(
            adjoint,
            tuple(place[read] for read in read_by(rule, adjoint)),
            place[name] if name in summed else None,
        )
        for name, adjoint in adjoints.items()
    }


@lru_cache(maxsize=4096)
def plan_of(rule: Rule, active: tuple[str, ...]) -> Plan:
    """The plan of any call of a rule, by the arguments whose gradients are asked."""
    adjoints = {name: adjoint_of(rule, name) for name in active}
    reads = reads_of(rule, adjoints)
    return Plan(tuple(reads.items()), pulls_of(rule, adjoints, reads))
