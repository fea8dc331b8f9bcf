"""Calls as text, run on retrograd and, where it is installed, on the real torch.

``x(2, 3)`` in a text is a new leaf of that shape, ``p`` one of entries between 0 and 1, ``c`` a complex
one, ``spd`` one of positive definite matrices; ``n(7, 2, 3)`` are numbers below 7, ``b(2)`` booleans.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

__all__ = ["Call", "differentiable"]


class Call:
    """A text, and the arrays its leaves have; ``seed``: of the numbers, the length of the text if not given."""

    def __init__(self, text: str, kind: str = "float64", seed: int | None = None) -> None:
        self.text, self.kind = text, kind
        self.seed = len(text) if seed is None else seed
        self.arrays: list[Any] = []

    def run(self, module: Any, leaves: list[Any] | None = None) -> Any:
        """The result, with leaves of ``module`` (the given ones, or new ones)."""
        self.arrays, given = [], iter(leaves or ())
        rng = np.random.default_rng(self.seed)
        self.leaves: list[Any] = []

        def leaf(array: Any) -> Any:
            array = np.asarray(array)
            kind = {"c": {"float64": "complex128", "float32": "complex64"}[self.kind]}
            array = array.astype(kind.get(array.dtype.kind, self.kind))
            self.arrays.append(array)
            made = next(given, None)
            if made is None:
                made = module.from_numpy(array.copy()).requires_grad_()
            self.leaves.append(made)
            return made

        def spd(*shape: int) -> Any:
            a = rng.standard_normal(shape)
            return leaf(a @ np.swapaxes(a, -1, -2) + np.eye(shape[-1]))

        scope = {
            "x": lambda *s: leaf(rng.standard_normal(s)), "p": lambda *s: leaf(rng.uniform(0.1, 0.9, s)),
            "c": lambda *s: leaf(rng.standard_normal(s) + 1j * rng.standard_normal(s)), "spd": spd,
            "v": lambda *values: leaf(values),
            "n": lambda k, *s: module.from_numpy(rng.integers(0, k, s)),
            "b": lambda *s: module.from_numpy(rng.random(s) < 0.5),
            "w": lambda *s: module.from_numpy(rng.uniform(0.5, 1.5, s).astype(self.kind)),
            "torch": module, "np": np, "F": import_module(f"{module.__name__}.nn.functional"), "inf": float("inf"),
        }  # fmt: skip
        return eval(self.text, scope)


def parts(result: Any) -> list[Any]:
    return list(result) if isinstance(result, (tuple, list)) else [result]


def differentiable(result: Any) -> list[Any]:
    """The parts of a result that have a history."""
    return [r for r in parts(result) if getattr(r, "requires_grad", False)]
