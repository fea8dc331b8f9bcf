"""The names of an inner function: its parameters and variables, their defaults, what it reads."""

from __future__ import annotations

from typing import Any

import gast

from .exit_queries import assigned, by_node

__all__ = ["bound_in", "default_nodes", "free_names", "reaches"]


@by_node
def bound_in(node: Any) -> tuple[str, ...]:
    """The parameters and variables of a function."""
    body = node.body if isinstance(node.body, list) else []
    spec = node.args
    params = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]
    params += [a for a in (spec.vararg, spec.kwarg) if a is not None]
    return (*[a.id for a in params], *[n for s in body for n in assigned(s)])


def default_nodes(node: Any) -> list[Any]:
    """The defaults of the parameters of a function."""
    return [*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)]


def free_names(node: Any) -> list[str]:
    """The names that a function reads, in order."""
    return list(
        dict.fromkeys(
            n.id for part in (node.body if isinstance(node.body, list) else [node.body])
            for n in gast.walk(part) if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Store)
        )
    )  # fmt: skip


def reaches(start: Any, known: dict[str, Any], target: str) -> bool:
    """Whether a function calls, through others, the one called ``target``."""
    seen: set[str] = set()
    todo = [start]
    while todo:
        node = todo.pop()
        for name in free_names(node):
            if name == target and name not in bound_in(node):
                return True
            if name in known and name not in seen:
                seen.add(name)
                todo.append(known[name])
    return False
