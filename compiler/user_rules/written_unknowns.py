"""Functions that write to the unknowns that a solver of SciPy gives them: ``p[p < 0] = 0``.

Some solvers give a copy, others go on from what is written (``tests/compiler/test_written_unknowns.py`` measures which).
Of those the function may write only what stands there already, which is looked at when it runs.
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from retrograd.runtime.errors import RetrogradError
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.replacements import solver_steps

from ..analyses.aliasing.memory_facts import may_view
from ..analyses.instructions import CHANGES
from ..frontend.source import source_of
from ..frontend.tree_nodes import nodes
from ..lowering.nodes import BoundUser, LocalFunction, Node

__all__ = ["GIVES_A_COPY", "GOES_ON", "kept_apart"]

GIVES_A_COPY = frozenset({
    "minimize", "fmin", "fmin_powell", "fmin_cg", "fmin_bfgs", "fmin_ncg", "fmin_l_bfgs_b", "least_squares",
})  # fmt: skip
GOES_ON = frozenset({"fsolve", "root", "newton", "fixed_point", "leastsq", "odeint", "solve_ivp"})
OF_NUMBERS = frozenset({"newton", "fixed_point"})  # perhaps, which `p += 1` does not write to


def kept_apart(name: str, f: Node, time_first: bool) -> Any:
    """What makes a function of one that may write to its unknowns; None of one that does not."""
    tree = tree_of(f)
    if tree is None or not writes_to(tree, int(time_first), name not in OF_NUMBERS):
        return None
    if name in GIVES_A_COPY:
        return solver_steps.on_a_copy
    if name not in GOES_ON:
        return None
    if name in OF_NUMBERS:
        return solver_steps.leaving
    return solver_steps.leaving_second if time_first else solver_steps.leaving_vector


def tree_of(f: Node) -> Any:
    """The text of a function; a method has one parameter more."""
    if isinstance(f, LocalFunction):
        return f.node
    fn = f.function if isinstance(f, BoundUser) else getattr(f, "value", None)
    try:
        return source_of(own_attribute(fn, "__func__", fn)).tree if callable(fn) else None
    except (RetrogradError, AttributeError):
        return None


def writes_to(tree: Any, k: int, whole: bool) -> bool:
    """True if a function may write to one of its first parameters, under any name of it; ``whole``: by ``p += 1``, too."""
    params = [a.id for a in (*tree.args.posonlyargs, *tree.args.args)]
    found = nodes(tree)
    names = set(params[: k + 2])  # one more: `self`
    size = 0
    while len(names) > size:
        size = len(names)
        for node in found:
            if isinstance(node, gast.Assign) and not names.isdisjoint(
                map(root_of, parts_of(node.value))
            ):
                names |= {n.id for t in node.targets for n in nodes(t) if isinstance(n, gast.Name)}
    return any(root in names for node in found for root in written_by(node, whole))


def written_by(node: Any, whole: bool) -> list[str | None]:
    """The names of what a node may write to."""
    if isinstance(node, (gast.Assign, gast.AugAssign, gast.AnnAssign)):
        targets = node.targets if isinstance(node, gast.Assign) else [node.target]
        parts = [part for target in targets for part in nodes(target)]
        stored = [p for p in parts if isinstance(p, gast.Subscript)]
        stored += targets if whole and isinstance(node, gast.AugAssign) else []
        return [root_of(part) for part in stored]
    if isinstance(node, gast.Call):
        given = [word.value for word in node.keywords if word.arg == "out"]
        if isinstance(node.func, gast.Attribute) and node.func.attr in (
            *CHANGES,
            "copyto",
            "putmask",
            "place",
        ):
            given += [node.func.value, *node.args[:1]]
        return [root_of(part) for part in given]
    return []


def parts_of(node: Any) -> list[Any]:
    """``p[:1], p[1:]`` is two."""
    return list(node.elts) if isinstance(node, (gast.Tuple, gast.List)) else [node]


def root_of(node: Any) -> str | None:
    """The name of an array that an expression shows: of `np.asarray(p)[1:]`, `p`."""
    while True:
        if isinstance(node, gast.Name):
            return str(node.id)
        if isinstance(node, (gast.Subscript, gast.Attribute)):
            node = node.value
        elif isinstance(node, gast.Call) and shows(node.func):
            whole = isinstance(node.func, gast.Attribute) and not node.args
            node = node.func.value if whole else node.args[0] if node.args else node.func
        else:
            return None


def shows(called: Any) -> bool:
    """True of a function or method of NumPy's whose result may show an array: ``np.asarray``, ``p.reshape``."""
    if not isinstance(called, gast.Attribute):
        return False
    return any(may_view(own_attribute(home, called.attr)) for home in (np, np.ndarray))
