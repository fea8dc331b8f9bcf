"""Sweeps for many directions at once, checked by one combination of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.compiler.ir.argument_path import Place
from retrograd.runtime.arrays.transfers import on_host
from retrograd.runtime.objects.pytree import map_floats

from .first_call import Birth
from .slopes import direction_of, of_kind, signs

__all__ = ["SweepBirth"]


class SweepBirth(Birth):
    """The state before a sweep runs; ``products`` is the Jacobian it belongs to."""

    writes = False  # what a sweep leaves in the arguments is not what the function leaves

    def columns(self, products: Any, seeds: Any, columns: Any) -> None:
        """``J @ seeds``."""
        seeds, columns = on_host(seeds), on_host(columns)
        weights = combination(products, seeds)
        d = iter(parts_of(seeds @ weights, products.x))
        directions = {
            place: map_floats(lambda _: next(d), x)
            for place, x in zip(own_places(products), products.inputs, strict=True)
        }
        t = iter(parts_of(columns @ weights, products.y, exact=True))
        self.tangents(directions, products.beside_value(t))

    def rows(self, products: Any, seeds: Any, rows: Any) -> None:
        """``J.T @ seeds``."""
        seeds, rows = on_host(seeds), on_host(rows)
        weights = signs((seeds.shape[1],), np.random.default_rng(2))
        c = iter(parts_of(seeds @ weights, products.y))
        b = iter(parts_of(rows @ weights, products.x, exact=True))
        cotangent = products.beside_value(c)
        bars = [map_floats(lambda _: next(b), x) for x in products.inputs]
        self.gradients(own_places(products), bars, cotangent)


def own_places(products: Any) -> list[Place]:
    """Places among all arguments, the object of a bound method first."""
    return [p._replace(at=p.at + len(products.chain.bound)) for p in products.places]


def combination(products: Any, seeds: Any) -> Any:
    """Weights that make a step of the size of the arguments from each of some directions."""
    rng = np.random.default_rng(2)
    scales = np.concatenate([np.ravel(np.abs(direction_of(x, rng))) for x in products.x])
    touched = np.where(seeds != 0, scales[:, None], np.inf)
    return np.min(touched, axis=0, initial=np.max(scales, initial=0.0)) * signs(
        (seeds.shape[1],), rng
    )


def parts_of(flat: Any, like: list[Any], exact: bool = False) -> list[Any]:
    """A flat vector in the leaves ``like``; ``exact``: not in their precision."""
    found, start = [], 0
    for x in like:
        n = int(np.size(x))
        part = np.reshape(flat[start : start + n], np.shape(x))
        found.append(part if exact else of_kind(part if np.ndim(x) else part[()], x))
        start += n
    return found
