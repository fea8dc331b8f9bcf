"""The derivatives of a function of parameters, as vectors and matrices of the solver's one vector."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from retrograd.runtime.objects.pytree import at, is_float, map_paths

from .parameters import Parameters

__all__ = ["Derivatives"]

LARGE = 10_000  # entries of a matrix that is worth being looked at for zeros
SPARSE = 0.2  # of the entries


class Derivatives:
    """Of ``f(parameters, *args)``, taken at vectors.

    ``sparse``: matrices are sparse ones, or never; None: large ones are, if they are found to have few entries.
    """

    def __init__(
        self,
        f: Callable[..., Any],
        parameters: Parameters,
        backend: str | None = None,
        sparse: bool | None = None,
    ) -> None:
        self.f, self.parameters, self.backend = f, parameters, backend
        self.sparse: dict[str, bool | None] = {"jacobian": sparse, "hessian": sparse}
        self.made: dict[Any, Callable[..., Any]] = {}
        self.paths: list[tuple[Any, ...]] = []
        map_paths(self.note, parameters.like)

    def note(self, leaf: Any, path: tuple[Any, ...]) -> Any:
        self.paths += [path] * is_float(leaf)
        return leaf

    # -- of a scalar ---------------------------------------------------------------------

    def value(self, x: np.ndarray, *args: Any) -> Any:
        return self.f(self.parameters.tree(x), *args)

    def gradient(self, x: np.ndarray, *args: Any) -> np.ndarray:
        gradient = self.once("gradient", lambda: rg.grad(self.f, backend=self.backend))
        return self.parameters.flattened(gradient(self.parameters.tree(x), *args))

    def value_and_gradient(self, x: np.ndarray, *args: Any) -> tuple[Any, np.ndarray]:
        both = self.once("both", lambda: rg.value_and_grad(self.f, backend=self.backend))
        value, gradient = both(self.parameters.tree(x), *args)
        return value, self.parameters.flattened(gradient)

    def hessian_product(self, x: np.ndarray, v: np.ndarray, *args: Any) -> np.ndarray:
        tree = self.parameters.tree
        given = (tree(x), *args)
        product = rg.hvp(self.f, given, tree(np.asarray(v, x.dtype)), backend=self.backend)
        return self.parameters.flattened(product)

    def hessian(self, x: np.ndarray, *args: Any) -> Any:
        def blocks(found: Any) -> list[list[Any]]:
            return [[at(at(found, p), q) for q in self.paths] for p in self.paths]

        return self.matrix("hessian", rg.hessian, blocks, x, args)

    # -- of several ----------------------------------------------------------------------

    def values(self, x: np.ndarray, *args: Any) -> np.ndarray:
        return np.ravel(self.value(x, *args))

    def jacobian(self, x: np.ndarray, *args: Any) -> Any:
        def blocks(found: Any) -> list[list[Any]]:
            return [[at(found, p) for p in self.paths]]

        return self.matrix("jacobian", rg.jacobian, blocks, x, args)

    # -- matrices ------------------------------------------------------------------------

    def matrix(self, name: str, transform: Any, blocks: Any, x: np.ndarray, args: Any) -> Any:
        """Dense or sparse: the first call finds out which."""
        if self.sparse[name] is None and self.parameters.size**2 < LARGE:
            self.sparse[name] = False
        if self.sparse[name] is not False:
            try:
                found = self.called(f"sparse {name}", transform, x, args, sparse=True)
            except RetrogradError:
                if self.sparse[name]:
                    raise
                self.sparse[name] = False
            else:
                made = joined(blocks(found))
                if self.sparse[name] is None:
                    self.sparse[name] = made.nnz < SPARSE * made.shape[0] * made.shape[1]
                if self.sparse[name]:
                    return made
        sizes = [np.size(at(self.parameters.like, p)) for p in self.paths]
        rows = blocks(self.called(name, transform, x, args))
        heights = sizes if len(rows) > 1 or name == "hessian" else [-1]
        return np.block([
            [np.reshape(block, (height, width)) for block, width in zip(row, sizes, strict=True)]
            for row, height in zip(rows, heights, strict=True)
        ])  # fmt: skip

    def called(self, name: str, transform: Any, x: np.ndarray, args: Any, **options: Any) -> Any:
        f = self.f if name.endswith("hessian") else self.arrays(x, args)
        made = self.once(name, lambda: transform(f, backend=self.backend, **options))
        return made(self.parameters.tree(x), *args)

    def arrays(self, x: np.ndarray, args: Any) -> Callable[..., Any]:
        """The function, its result an array where it is a list of numbers."""
        kind = self.once("kind", lambda: type(self.value(x, *args)))
        if not issubclass(kind, (list, tuple)):
            return self.f
        f = self.f

        def listed(p: Any, *args: Any) -> Any:
            return np.array(f(p, *args))

        made: Callable[..., Any] = self.once("listed", lambda: listed)
        return made

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        if name not in self.made:
            self.made[name] = make()
        return self.made[name]


def joined(blocks: list[list[Any]]) -> Any:
    if len(blocks) == len(blocks[0]) == 1:
        return blocks[0][0]
    from scipy import sparse  # an extra

    return sparse.block_array(blocks, format="csr")
