"""The minimum cut: what it keeps is the least that gives everything that is wanted."""

from __future__ import annotations

import itertools
import random
from typing import Any

from retrograd.compiler.differentiate.residuals.min_cut import choose
from retrograd.compiler.ir.operations import Apply, Op, Value


class Region:
    """Values that depend on each other, with what keeping each costs."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        self.params = [Value(f"p{k}") for k in range(rng.randint(1, 3))]
        self.defined: dict[Value, Op] = {}
        for k in range(rng.randint(1, 7)):
            known = [*self.params, *self.defined]
            read = rng.sample(known, min(len(known), rng.randint(1, 2)))
            made = Value(f"v{k}")
            self.defined[made] = Apply([made], None, "f", tuple(read))
        everything = [*self.params, *self.defined]
        self.cost = {v: rng.randint(1, 9) for v in everything}
        self.cost.update((p, 0) for p in self.params if rng.random() < 0.3)
        self.may = {v for v in self.defined if rng.random() < 0.7}
        self.wanted = rng.sample(everything, rng.randint(1, len(everything)))

    def suffices(self, kept: Any) -> bool:
        return all(self.reached(v, kept) for v in self.wanted)

    def reached(self, v: Value, kept: Any) -> bool:
        if v in kept or self.cost[v] == 0:
            return True
        return v in self.may and all(self.reached(a, kept) for a in self.defined[v].args)  # type: ignore[attr-defined]

    def least(self) -> int:
        """By trying everything."""
        values = list(self.cost)
        return min(
            sum(self.cost[v] for v in kept)
            for n in range(len(values) + 1)
            for kept in itertools.combinations(values, n)
            if self.suffices(kept)
        )

    def chosen(self) -> set[Value]:
        return choose(self.defined, self.wanted, self.may.__contains__, self.cost.__getitem__)


def test_the_cut_is_enough_and_the_least() -> None:
    for seed in range(150):
        region = Region(seed)
        kept = region.chosen()
        assert region.suffices(kept), seed
        assert sum(region.cost[v] for v in kept) == region.least(), seed


def test_of_equal_cuts_that_which_repeats_least() -> None:
    x, a, b = Value("x"), Value("a"), Value("b")
    defined: dict[Value, Op] = {
        a: Apply([a], None, "f", (x,)), b: Apply([b], None, "f", (a,)),
    }  # fmt: skip
    assert choose(defined, [b], lambda v: v in defined, lambda v: 8) == {b}
    assert choose(defined, [b], lambda v: v in defined, lambda v: 4 if v is a else 8) == {a}
    assert choose(defined, [x, b], lambda v: v in defined, lambda v: 8) == {x}
