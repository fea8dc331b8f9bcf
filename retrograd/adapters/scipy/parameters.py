"""Parameters as one vector: what a user keeps in arrays, dicts and lists, and a solver wants flat."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.errors import SignatureMismatch
from retrograd.runtime.objects.pytree import (
    at,
    children,
    is_float,
    leaves,
    map_leaves,
    map_paths,
)

__all__ = ["Parameters", "parameters_of"]


class Parameters:
    """The structure of parameters: which leaves are numbers that a solver may change, and of which shapes.

    >>> both = parameters_of({"w": np.zeros(2), "b": 1.0})
    >>> both.flat, both.tree(np.arange(3.0))
    (array([0., 0., 1.]), {'w': array([0., 1.]), 'b': np.float64(2.0)})
    """

    def __init__(self, like: Any) -> None:
        self.like = like
        self.parts = [(x, np.shape(x), np.size(x)) for x in leaves(like)]
        if any(np.iscomplexobj(x) for x, _, _ in self.parts):
            raise SignatureMismatch(
                "SciPy's solvers change real numbers; give the real and the imaginary part as two parameters"
            )
        self.size = sum(size for x, _, size in self.parts if is_float(x))
        if not self.size:
            raise SignatureMismatch(
                "there is no parameter that is a floating-point number: write 3.0 for 3, or np.zeros(n)"
            )

    @property
    def is_vector(self) -> bool:
        """True if the function takes the solver's own vector."""
        return isinstance(self.like, np.ndarray) and self.like.ndim == 1

    @property
    def flat(self) -> np.ndarray:
        return self.flattened(self.like)

    def flattened(self, tree: Any) -> np.ndarray:
        """A tree of this structure, parameters or a gradient, as one vector."""
        found = [np.ravel(x) for x, (like, _, _) in self.zipped(tree) if is_float(like)]
        return found[0] if len(found) == 1 else np.concatenate(found)

    def zipped(self, tree: Any) -> list[tuple[Any, Any]]:
        return list(zip(leaves(tree), self.parts, strict=True))

    def tree(self, x: np.ndarray) -> Any:
        """A vector as the function wants it; its own, since it may write into it."""
        x = np.array(x)
        if self.is_vector:
            return x
        start = 0

        def part(like: Any) -> Any:
            nonlocal start
            if not is_float(like):
                return like
            end = start + np.size(like)
            made, start = x[start:end].reshape(np.shape(like)), end
            return made if np.ndim(like) else made[()]

        return map_leaves(part, self.like)

    def bounds(self, given: Any) -> Any:
        """Bounds as SciPy takes them: ``(low, high)`` for each number, from a tree of pairs, or SciPy's own.

        ``given`` may name some of the parameters alone (``{"b": (0, None)}``); a pair is for all numbers of its part.
        """
        if given is None or self.is_vector or not isinstance(given, (dict, list, tuple)):
            return given
        check_names(given, self.like, "bounds")
        pairs: list[tuple[Any, Any]] = []

        def add(like: Any, path: tuple[Any, ...]) -> Any:
            if is_float(like):
                low, high = pair_at(given, path)
                lows = np.broadcast_to(-np.inf if low is None else low, np.shape(like)).ravel()
                highs = np.broadcast_to(np.inf if high is None else high, np.shape(like)).ravel()
                pairs.extend(zip(lows.tolist(), highs.tolist(), strict=True))
            return like

        map_paths(add, self.like)
        return pairs


def pair_at(given: Any, path: tuple[Any, ...]) -> tuple[Any, Any]:
    """The bounds of a part, which may be those of what it is a part of; none of what is not named."""
    for k, key in enumerate(path):
        if is_pair(given) and k:
            break
        if isinstance(given, dict) and key not in given:
            return None, None
        given = at(given, (key,))
        if given is None:
            return None, None
    if not is_pair(given):
        raise SignatureMismatch(f"the bounds of a part are a pair (low, high), not {given!r}")
    return given


def check_names(given: Any, like: Any, path: str) -> None:
    """Refuse bounds of what is no parameter: a name that is misspelled would leave one without."""
    if not isinstance(given, dict):
        return
    parts = dict(children(like) or ())
    for key, own in given.items():
        if key not in parts:
            names = ", ".join(map(repr, parts)) or "no parts"
            raise SignatureMismatch(f"{path}[{key!r}] names no parameter: there are {names}")
        check_names(own, parts[key], f"{path}[{key!r}]")


def is_pair(given: Any) -> bool:
    return (
        isinstance(given, tuple)
        and len(given) == 2
        and all(x is None or np.ndim(x) == 0 or isinstance(x, np.ndarray) for x in given)
        and not any(isinstance(x, (dict, tuple, list)) for x in given)
    )


def parameters_of(x0: Any) -> Parameters:
    """A list or tuple of numbers is a vector, as for SciPy, and whole numbers are taken for floating-point ones."""
    if isinstance(x0, (list, tuple)) and x0 and all(is_number(x) for x in x0):
        x0 = np.array(x0, np.float64)
    elif is_number(x0) or (isinstance(x0, np.ndarray) and x0.dtype.kind in "iub"):
        x0 = np.asarray(x0, np.float64)
        x0 = x0 if x0.ndim else x0[()]
    return Parameters(x0)


def is_number(x: Any) -> bool:
    return isinstance(x, (int, float, np.number)) and not isinstance(x, (bool, complex))
