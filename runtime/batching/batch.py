"""What rules of batches are written with: the arguments of all examples, and the table that the rules enter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .batched_array import BatchedArray, as_array

__all__ = ["RULES", "UNDISPATCHED", "Batch", "batch_of", "rule", "rule_of_first"]

# By the function of NumPy, a ufunc and its method, or the name of what Python writes.  A rule gives arrays of all
# examples along their first axis; values that are no arrays are the same for all.  NotImplemented: it has no answer.
RULES: dict[Any, Callable[..., Any]] = {}

# The same for functions that NumPy does not ask batches about.
UNDISPATCHED: dict[Any, Callable[..., Any]] = {}


def rule(*functions: Any) -> Callable[[Any], Any]:
    """Enter the rule of functions any of whose operands may be a batch."""

    def enter(function: Any) -> Any:
        for one in functions:
            RULES[one] = function
        return function

    return enter


def rule_of_first(*functions: Any) -> Callable[[Any], Any]:
    """Enter the rule of functions whose first operand is the batch; it has no answer where another one is."""

    def enter(function: Any) -> Any:
        def apply(batch: Batch, *args: Any, **kwargs: Any) -> Any:
            if not args or not batch.has(args[0]):
                return NotImplemented
            return function(batch, *args, **kwargs)

        return rule(*functions)(apply)

    return enter


@dataclass(frozen=True, slots=True)
class Batch:
    """The batch that is computed: its level, and the number of its examples."""

    level: int
    count: int

    def has(self, x: Any) -> bool:
        """True if there is one for each example."""
        return type(x) is BatchedArray and x.level == self.level

    def whole(self, x: Any) -> Any:
        """The array of all examples."""
        if self.has(x):
            return x.value
        x = as_array(x)
        return np.broadcast_to(x, (self.count, *x.shape))

    def own(self, x: Any) -> Any:
        """The array of all examples, or what is the same for each."""
        return x.value if self.has(x) else x

    def aligned(self, x: Any, rank: int) -> Any:
        """The same, so that it can be broadcast against results of that rank."""
        if not self.has(x):
            return x
        value = x.value
        missing = rank - value.ndim + 1
        if missing <= 0:
            return value
        return value.reshape(value.shape[0], *(1,) * missing, *value.shape[1:])


def batch_of(tree: Any) -> Batch:
    """The batch of the highest level among values and in tuples, lists, dicts and slices of them; level 0: there is none."""
    found = NONE
    for value in tree.values() if type(tree) is dict else tree:
        kind = type(value)
        if kind is BatchedArray:
            if value.level > found.level:
                found = Batch(value.level, len(value.value))
        elif kind is tuple or kind is list or kind is dict:
            inner = batch_of(value)
            found = inner if inner.level > found.level else found
        elif kind is slice:
            inner = batch_of((value.start, value.stop, value.step))
            found = inner if inner.level > found.level else found
    return found


NONE = Batch(0, 0)
