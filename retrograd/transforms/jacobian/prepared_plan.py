"""A plan for a pattern, prepared: the seeds laid out, and for every entry of the matrix where it is read and where it goes."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ..api import Chain
from .batched_products import ENTRIES, FLOAT64, Products, run, sizes, spread
from .gathered_inputs import Picked
from .sparse_recovery import Plan, differ_in, scipy_sparse
from .sparsity_pattern import Known

__all__ = ["Prepared", "alike", "can_be_prepared", "likeness"]

CHECKED = 0  # seeds the random vector that a star colouring is checked with


class Block(NamedTuple):
    """The matrix by one input: entries read at ``source`` of the products."""

    source: Any
    target: Any  # places in a dense block, or a sparse one whose numbers are to be filled in
    shape: tuple[int, ...]


class Prepared:
    """A plan for arguments of these shapes, and of these integers, flags and texts.

    ``columns`` are those that the columns of its pattern stand for, where entries of inputs are picked by others.
    """

    def __init__(
        self,
        products: Products,
        made: Any,
        known: Known,
        plan: Plan,
        sparse: bool,
        entries: Picked | None = None,
    ) -> None:
        self.args = [likeness(x) for x in products.full]
        self.made, self.known, self.plan, self.sparse = made, known, plan, sparse
        self.picked = entries is not None
        (value,) = products.y
        self.value_shape = np.shape(value)
        self.inputs = [np.shape(x) for x in products.x] if entries is None else entries.shapes
        self.compiled = products.chain.backend != "numpy"
        seeds = plan.seeds()
        self.v = np.random.default_rng(CHECKED).standard_normal(products.n) if plan.stars else None
        if self.v is not None:
            seeds = np.column_stack([seeds, self.v])
        self.k = seeds.shape[1]
        like = products.x if plan.forward else products.y
        most = max(8, ENTRIES // max(products.n, products.m, 1))
        step = self.k if self.compiled else most
        self.seeds = [
            list(spread(seeds[:, at : at + step], like, self.compiled))
            for at in range(0, self.k, step)
        ]
        self.blocks = list(self.laid_out(products, None if entries is None else entries.columns))

    def laid_out(self, products: Products, columns: Any) -> Iterator[Block]:
        """The blocks, their entries in the order of rows and then columns."""
        pattern, plan = self.plan.pattern, self.plan
        rows = np.repeat(np.arange(pattern.m), np.diff(pattern.indptr))
        own = pattern.indices if columns is None else columns[pattern.indices]
        order = np.lexsort((own, rows))
        starts = np.cumsum([0, *map(math.prod, self.inputs)])
        for b, (lo, hi) in enumerate(pairwise(sizes(products.x))):
            chosen = order[(own[order] >= lo) & (own[order] < hi)]
            start, height = (
                (0, pattern.m) if plan.forward else (starts[b], math.prod(self.inputs[b]))
            )
            at, colour = plan.at[chosen] - start, plan.colour[chosen]
            source = at * self.k + colour if self.compiled else colour * height + at
            yield self.block(
                source, rows[chosen], own[chosen] - lo, hi - lo, np.shape(products.x[b])
            )

    def block(
        self, source: Any, rows: Any, columns: Any, width: int, shape: tuple[int, ...]
    ) -> Block:
        if not self.sparse:
            return Block(source, rows * width + columns, self.value_shape + shape)
        m = self.plan.pattern.m
        indptr = np.searchsorted(rows, np.arange(m + 1))
        made = scipy_sparse().csr_array((np.zeros(len(rows)), columns, indptr), (m, width))
        return Block(source, made, (m, width))

    @property
    def kind(self) -> str:
        """The sweep that it takes."""
        if self.picked:
            return "gathered"
        return "pushes" if self.plan.forward else "pulls"

    def holds(self, full: Sequence[Any], made: Any) -> bool:
        """True if these arguments have the pattern."""
        return (
            made is self.made
            and all(map(alike, self.args, full))
            and (not self.known.captured or self.known.holds())
        )

    def matrices(self, chain: Chain, full: list[Any], order: Sequence[int]) -> list[Any] | None:
        """A block for each input; None if it has to be found in another way."""
        products = self.swept(chain, full, order)
        if products is None:
            return None
        if self.plan.forward:
            products = [products[0]] * len(self.blocks)
        read = [flat.take(block.source) for flat, block in zip(products, self.blocks, strict=True)]
        if self.v is not None and not self.agrees(products[0]):
            return None
        if self.sparse:
            return [
                filled(block.target, data) for block, data in zip(self.blocks, read, strict=True)
            ]
        if not all(np.isfinite(data).all() for data in read):
            return None  # 0 * inf: an entry may have come into another one
        return [scattered(block, data) for block, data in zip(self.blocks, read, strict=True)]

    def swept(self, chain: Chain, full: list[Any], order: Sequence[int]) -> list[Any] | None:
        """Flat products with the seeds: of the result, or of each input."""
        found = []
        for seeds in self.seeds:
            k = seeds[0].shape[-1]
            made = run(self.made, chain, full, seeds)
            parts = [made] if self.plan.forward else [made[at] for at in order]
            shapes = [self.value_shape] if self.plan.forward else self.inputs
            for part, shape in zip(parts, shapes, strict=True):
                if np.shape(part) != (*shape, k) or part.dtype is not FLOAT64:
                    return None
            found.append([self.flat(part, k) for part in parts])
        return (
            found[0]
            if len(found) == 1
            else [np.concatenate(parts) for parts in zip(*found, strict=True)]
        )

    def flat(self, part: Any, k: int) -> Any:
        """In memory: of each entry all directions, or of each direction all entries."""
        return part.reshape(-1) if self.compiled else part.reshape(-1, k).T.reshape(-1)

    def agrees(self, products: Any) -> bool:
        """True if the matrix times the random vector is what the sweep says: it is symmetric."""
        pattern, m = self.plan.pattern, self.plan.pattern.m
        last = products[self.k - 1 :: self.k] if self.compiled else products[(self.k - 1) * m :]
        data = products.take(self.blocks[0].source)
        return not differ_in(pattern, data, self.v, last)


def can_be_prepared(products: Products) -> bool:
    """True for one array as the result, of arrays and numbers in double precision."""
    chain, value = products.chain, products.value
    return (
        type(value) is np.ndarray
        and value.dtype is FLOAT64
        and not chain.bound
        and not any(place.keys for place in products.places)
        and all(
            type(x) is float or (type(x) is np.ndarray and x.dtype is FLOAT64)
            for x in products.inputs
        )
        and all(map(has_likeness, products.full))
    )


def has_likeness(x: Any) -> bool:
    kind = type(x)
    if kind is np.ndarray:
        return x.dtype.kind in "biuf"
    return kind in (bool, int, float, str, type(None))


def likeness(x: Any) -> Any:
    """What a pattern may hang on: of floats the shape."""
    if type(x) is not np.ndarray:
        return x
    return np.broadcast_to(np.zeros((), x.dtype), x.shape) if x.dtype.kind == "f" else x.copy()


def alike(was: Any, x: Any) -> bool:
    kind = type(x)
    if kind is not type(was):
        return False
    if kind is np.ndarray:
        same = x.shape == was.shape and x.dtype == was.dtype
        return same and (x.dtype.kind == "f" or bool(np.array_equal(x, was)))
    return kind is float or bool(x == was)


def filled(template: Any, data: Any) -> Any:
    """A sparse matrix of the same places, which are its own."""
    made = copy.copy(template)
    made.data, made.indices, made.indptr = data, template.indices.copy(), template.indptr.copy()
    return made


def scattered(block: Block, data: Any) -> Any:
    made = np.zeros(block.shape)
    made.reshape(-1)[block.target] = data
    return made
