"""Jacobians with structure from few directions, dense and sparse ones: what is known of the last patterns.

A dense matrix is looked at when it is asked for again: the pattern costs a run of the program in Python, and many
a Jacobian is wanted once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.compiler.ir.argument_path import Place
from retrograd.runtime.errors import AnswerChanged, NotDifferentiable

from ..api import Chain
from ..check.policy import due, each_call
from ..specialise.eager_fallback import is_taped
from .batched_products import Products, in_order, sizes, sought
from .gathered_inputs import picked
from .prepared_plan import Prepared, alike, can_be_prepared, likeness
from .sparse_recovery import Plan, plan_in, plan_of, symmetric_plan, unlike
from .sparsity_pattern import Known, found_in_program, last_found

__all__ = ["FewDirections"]

KEPT = 4  # plans: for so many shapes, or contents of integers
LEAST = 16  # directions, below which one sweep for all is as good
FEWER = 3  # times fewer directions by picked entries: backward a direction costs more
GAIN = 2  # times as many directions as colours
BUDGET = 4 * 10**6  # what finding the pattern may cost: about a second


class FewDirections:
    """The plans for one Jacobian; ``symmetric``: it is a Hessian."""

    def __init__(
        self, chain: Chain, places: Sequence[Place], mode: str | None, sparse: bool, symmetric: bool
    ) -> None:
        self.chain, self.places, self.mode = chain, tuple(places), mode
        self.sparse, self.symmetric = sparse, symmetric
        ordered = in_order(places)
        self.order = [ordered.index(place) for place in places]
        self.ordered = tuple(ordered)
        self.known: list[Prepared] = []
        self.last: list[Any] | None = None  # what the last dense matrix was asked for with
        self.refused: set[Any] = set()  # shapes whose pattern is no help

    def of(self, full: list[Any]) -> list[Any] | None:
        """A block for each input, if the pattern is known."""
        for prepared in self.known:
            made = self.code(prepared.kind, full)
            if made is not None and prepared.holds(full, made) and not self.due(prepared):
                try:
                    return prepared.matrices(self.chain, full, self.order)
                except AnswerChanged:
                    return None
        return None

    def due(self, prepared: Prepared) -> bool:
        """True if what the sweep computes is to be checked: by picked entries it is, where it is prepared."""
        return each_call(self.chain) if prepared.picked else due(self.chain, prepared.made)

    def code(self, kind: str, full: list[Any]) -> Any:
        if is_taped(full, self.chain.fn):
            return None
        places = self.places if kind == "pushes" else self.ordered
        return sought(self.chain, kind, places, full).loaded

    def learn_of(self, full: list[Any], blocks: list[Any], value: Any) -> None:
        """The same, of a matrix that was found without products."""
        inputs = [full[place.at] for place in self.places]
        first = inputs[0]
        shape = np.shape(blocks[0])[: np.ndim(blocks[0]) - np.ndim(first)]
        if self.may_help(inputs, shape):
            self.learn(Products(self.chain, full, self.places, value))

    def learn(self, products: Products) -> None:
        """Prepare what the next call needs, if it is worth it."""
        if not self.sparse and not self.may_help(products.x, *map(np.shape, products.y)):
            return
        if products.n == 0 or products.one_run or not can_be_prepared(products):
            return
        if not self.sparse and not self.is_asked_again(products.full):
            return
        known = self.pattern(products)
        if known is not None and known.kept:
            plan = self.plan(known)
            prepared = self.by_entries(products, known, plan) or self.by_inputs(
                products, known, plan
            )
            if prepared is not None:
                self.known = [prepared, *self.known[: KEPT - 1]]
                return
        if not self.sparse:
            self.refused.add(shapes(products.x, *map(np.shape, products.y)))

    def by_inputs(self, products: Products, known: Known, plan: Plan) -> Prepared | None:
        made = self.code("pushes" if plan.forward else "pulls", products.full)
        if made is None or not self.is_worth_it(products, plan):
            return None
        if due(self.chain, made):  # the matrix was found by the other mode
            plan.read(products)
        return Prepared(products, made, known, plan, self.sparse)

    def by_entries(self, products: Products, known: Known, plan: Plan) -> Prepared | None:
        """By the entries that other arguments pick, if that takes half as many directions; checked by a product."""
        if self.symmetric or self.mode == "forward" or plan.count < 2 * FEWER:
            return None
        entries = picked(products, BUDGET)
        rows = None if entries is None else plan_of(entries.pattern, "reverse")
        if rows is None or rows.count * FEWER > plan.count or not self.is_worth_it(products, rows):
            return None
        made = self.code("gathered", products.full)
        if made is None:
            return None
        prepared = Prepared(products, made, known, rows, self.sparse, entries)
        return prepared if self.agrees(prepared, products) else None

    def agrees(self, prepared: Prepared, products: Products) -> bool:
        """True if the matrix times a random vector is the product of the usual sweep."""
        blocks = prepared.matrices(self.chain, products.full, self.order)
        v = np.random.default_rng(1).standard_normal((products.n, 1))
        if blocks is None:
            return False
        parts = np.split(v[:, 0], sizes(products.x)[1:-1])
        flat = [b if self.sparse else b.reshape(products.m, -1) for b in blocks]
        found = sum(b @ part for b, part in zip(flat, parts, strict=True))
        scale = sum(abs(b) @ abs(part) for b, part in zip(flat, parts, strict=True))
        return not unlike(found, scale, products.columns(v)[:, 0])

    def is_worth_it(self, products: Products, plan: Plan) -> bool:
        return self.sparse or plan.count * GAIN <= min(products.n, products.m)

    def may_help(self, inputs: list[Any], *results: tuple[int, ...]) -> bool:
        n, m = sum(int(np.size(x)) for x in inputs), sum(map(math.prod, results))
        return min(n, m) >= LEAST and shapes(inputs, *results) not in self.refused

    def is_asked_again(self, full: list[Any]) -> bool:
        again = self.last is not None and all(map(alike, self.last, full))
        self.last = None if again else list(map(likeness, full))
        return again

    def pattern(self, products: Products) -> Known | None:
        if self.sparse:
            return last_found(products)
        try:
            return found_in_program(products, BUDGET)
        except (NotDifferentiable, AnswerChanged):  # the program was read for other answers
            return None

    def plan(self, known: Known) -> Plan:
        if self.symmetric:
            return symmetric_plan(known.pattern, known.plans, self.mode)
        return plan_in(known.plans, known.pattern, self.mode, False)


def shapes(inputs: list[Any], *results: tuple[int, ...]) -> Any:
    return (*map(np.shape, inputs), *results)
