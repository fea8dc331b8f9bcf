"""Fuzzed programs of a batch of examples, against a loop over them: values, gradients of each, the gradient of all.

    python -m tests.fuzz.batches --count 5000 --seed 0

The programs are those of the other generators; which arguments vary is drawn, too.
"""
# mypy: allow-untyped-calls

from __future__ import annotations

import argparse
import copy
import multiprocessing
import os
import random
import tempfile
from collections import Counter
from typing import Any

import numpy as np

import retrograd as rg
from retrograd.runtime.errors import CompileError, InternalError, TapeError
from retrograd.runtime.objects.pytree import children, map_leaves, with_items

from . import (
    aliases,
    grouping,
    inner,
    inside,
    leaving,
    nested,
    parting,
    passing,
    plain,
    programs,
    rank0,
)
from .checks import Outcome, loaded, quiet, unloaded
from .shrink import timed

__all__ = ["GENERATORS", "judged", "text_of"]

GENERATORS = (
    programs,
    plain,
    nested,
    inner,
    leaving,
    aliases,
    grouping,
    inside,
    passing,
    rank0,
    parting,
)
B = 3
LARGEST = 1e6


class Discarded(Exception):
    """A program that cannot be judged."""


def text_of(seed: int) -> str:
    """Half of the programs are those of the main generator."""
    made = GENERATORS[(seed // 2) % len(GENERATORS)] if seed % 2 else programs
    found = made.program(seed)
    return found if isinstance(found, str) else found[0]


def judged(text: str, seed: int) -> Outcome:
    try:
        module = loaded(text)
        main, args = module.main, module.ARGS
    except Exception as error:
        return Outcome("discarded", f"does not load: {type(error).__name__}")
    try:
        with quiet():
            return verdict(main, list(args), getattr(module, "WRT", None), random.Random(seed))
    finally:
        unloaded(module)


def verdict(main: Any, args: list[Any], wrt: Any, rng: random.Random) -> Outcome:
    try:
        Trial(main, args, wrt, rng).run()
    except Discarded as why:
        return Outcome("discarded", str(why))
    except InternalError as error:
        return Outcome("failed", f"the compiler fails: {line(error)}", str(error))
    except (CompileError, TapeError) as error:
        return Outcome("refused", line(error), str(error))
    except AssertionError as error:
        return Outcome("failed", line(error), str(error))
    except TimeoutError:
        raise
    except Exception as error:
        return Outcome("failed", f"crashes: {type(error).__name__}: {line(error)}", str(error))
    return Outcome("ok")


def line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0][:160]


def is_number(x: Any) -> bool:
    if isinstance(x, (bool, np.bool_)):
        return False
    return isinstance(x, (float, complex, np.inexact)) or (
        isinstance(x, np.ndarray) and x.dtype.kind in "fc"
    )


def axes_in(tree: Any) -> Any:
    """The examples of every fraction along the first axis; all else is shared."""
    inner = children(tree)
    if inner is None:
        return 0 if is_number(tree) else None
    if isinstance(tree, dict):
        return {key: axes_in(item) for key, item in inner}
    return tuple(axes_in(item) for _, item in inner)


def spread(x: Any, k: int) -> Any:
    """The example number ``k``."""
    if not is_number(x) or k == 0:
        return x
    made = np.asarray(x) * (1 + 0.05 * k) + 0.02 * k
    made = made.astype(np.asarray(x).dtype)
    return made if isinstance(x, np.ndarray) else made[()]


class Trial:
    """One program, with arguments of which some vary."""

    def __init__(self, main: Any, args: list[Any], wrt: Any, rng: random.Random) -> None:
        self.main = main
        numbers = [k for k, a in enumerate(args) if has_numbers(axes_in(a))]
        if not numbers:
            raise Discarded("no fraction among the arguments")
        self.varying = sorted(rng.sample(numbers, rng.randint(1, len(numbers))))
        if any(has_lists(args[k]) for k in self.varying):
            raise Discarded("a container of another kind")
        self.axes = tuple(axes_in(a) if k in self.varying else None for k, a in enumerate(args))
        self.examples = [
            [map_leaves(lambda x, i=i: spread(x, i), copy.deepcopy(a)) if k in self.varying else a
             for k, a in enumerate(args)]
            for i in range(B)
        ]  # fmt: skip
        self.batch = [
            whole([e[k] for e in self.examples]) if k in self.varying else a
            for k, a in enumerate(args)
        ]
        asked = wrt if wrt is not None else numbers
        self.wrt = tuple(k for k in asked if isinstance(k, int) and k in numbers)

    def given(self, i: int) -> list[Any]:
        """An example, as a loop over the batch takes it."""
        return [
            part(a, self.axes[k], i) if k in self.varying else copy.deepcopy(a)
            for k, a in enumerate(self.batch)
        ]

    def run(self) -> None:
        wanted = self.alone(self.main)
        self.equal(rg.vmap(self.main, in_axes=self.axes), wanted, "values")
        if not self.wrt or not all(is_scalar(w) for w in wanted):
            return
        slope = rg.grad(self.main, wrt=self.wrt)
        slopes = self.alone(slope)
        self.equal(rg.vmap(slope, in_axes=self.axes), slopes, "gradients of each")
        _, pull = rg.vjp(
            rg.vmap(self.main, in_axes=self.axes), *copy.deepcopy(self.batch), wrt=self.wrt
        )
        self.compare(pull(np.ones(B)), self.summed(slopes), "the gradient of all")

    def alone(self, f: Any) -> list[Any]:
        """The results of all examples, one after the other."""
        try:
            found = [f(*self.given(i)) for i in range(B)]
        except (InternalError, CompileError, TapeError) as error:
            raise Discarded(f"refused without a batch: {line(error)}") from None
        except Exception as error:
            raise Discarded(f"raises: {type(error).__name__}") from None
        leaves = [x for one in found for x in flat(one)]
        if not all(is_number(x) or x is None or isinstance(x, (int, np.ndarray)) for x in leaves):
            raise Discarded("gives what is no number")
        if any(x is not None and not np.all(np.abs(np.asarray(x)) < LARGEST) for x in leaves):
            raise Discarded("large, or not finite")
        return found

    def overflows(self) -> bool:
        """True if an example computes what is not finite, though it may not return it."""
        try:
            with np.errstate(over="raise", divide="raise", invalid="raise"):
                for i in range(B):
                    self.main(*self.given(i))
        except ArithmeticError:
            return True
        return False

    def equal(self, f: Any, wanted: list[Any], what: str) -> None:
        try:
            together = whole(wanted)
        except (ValueError, TypeError):
            raise Discarded("results of several shapes") from None
        self.compare(f(*copy.deepcopy(self.batch)), together, what)

    def summed(self, slopes: list[Any]) -> Any:
        """The gradient of the sum of all results."""
        parts = []
        for k, at in enumerate(self.wrt):
            each = [s[k] for s in slopes]
            parts.append(whole(each) if at in self.varying else total(each))
        return tuple(parts)

    def compare(self, got: Any, wanted: Any, what: str) -> None:
        a, b = flat(got), flat(wanted)
        assert len(a) == len(b), f"{what}: {len(a)} parts, not {len(b)}"
        for x, y in zip(a, b, strict=True):
            if x is None or y is None:
                assert x is y, f"{what}: None"
                continue
            x, y = np.asarray(x), np.asarray(y)
            assert x.shape == y.shape, f"{what}: the shape {x.shape}, not {y.shape}"
            room = 1e-8 * (1 + np.max(np.abs(y), initial=0.0))
            close = np.max(np.abs(x - y), initial=0.0) <= room
            if not close and np.isnan(x).any() and self.overflows():
                raise Discarded("infinite on the way: nothing times that is not a number")
            assert close, f"{what}: other numbers, varying {self.varying}: {x} {y}"


def has_numbers(axes: Any) -> bool:
    if isinstance(axes, dict):
        return any(map(has_numbers, axes.values()))
    return any(map(has_numbers, axes)) if isinstance(axes, tuple) else axes is not None


def has_lists(tree: Any) -> bool:
    """True if there is a container in it whose axes cannot be said."""
    inner = children(tree)
    if inner is None:
        return False
    known = type(tree) in (dict, tuple, list)
    return not known or any(has_lists(item) for _, item in inner)


def whole(trees: list[Any]) -> Any:
    """The examples as one batch."""
    first, inner = trees[0], children(trees[0])
    if inner is not None:
        columns = zip(*([item for _, item in children(t) or ()] for t in trees), strict=True)
        return with_items(first, [whole(list(c)) for c in columns])
    if first is None or isinstance(first, (str, bytes)):
        return first
    return (
        np.stack(trees)
        if is_number(first) or isinstance(first, np.ndarray) or type(first) in (int, bool)
        else first
    )


def part(tree: Any, axes: Any, i: int) -> Any:
    inner = children(tree)
    if axes is None:
        return copy.deepcopy(tree)
    if inner is not None and not isinstance(axes, int):
        keyed = axes if isinstance(axes, dict) else dict(enumerate(axes))
        return with_items(
            tree,
            [
                part(item, keyed[k if isinstance(axes, dict) else n], i)
                for n, (k, item) in enumerate(inner)
            ],
        )
    return tree[i].copy() if isinstance(tree[i], np.ndarray) else tree[i]


def total(trees: list[Any]) -> Any:
    first, inner = trees[0], children(trees[0])
    if inner is not None:
        columns = zip(*([item for _, item in children(t) or ()] for t in trees), strict=True)
        return with_items(first, [total(list(c)) for c in columns])
    return None if first is None else sum(trees[1:], first)


def flat(tree: Any) -> list[Any]:
    inner = children(tree)
    return [tree] if inner is None else [x for _, item in inner for x in flat(item)]


def is_scalar(x: Any) -> bool:
    return isinstance(x, (float, np.floating)) or (isinstance(x, np.ndarray) and x.ndim == 0)


# -- many of them --------------------------------------------------------------------------------


def prepared() -> None:
    os.environ["RETROGRAD_CACHE"] = tempfile.mkdtemp(prefix="fuzz_batches_")
    os.environ["RETROGRAD_VERIFY"] = "1"
    os.environ["RETROGRAD_FALLBACK"] = "calls"


def tried(seed: int) -> tuple[int, Outcome]:
    text = text_of(seed)
    try:
        return seed, timed(lambda: judged(text, seed))
    except TimeoutError as error:
        return seed, Outcome("failed", "takes too long", str(error))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    verdicts: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    with multiprocessing.Pool(asked.jobs, prepared, maxtasksperchild=300) as pool:
        seeds = range(asked.seed, asked.seed + asked.count)
        for seed, outcome in pool.imap_unordered(tried, seeds, chunksize=4):
            verdicts[outcome.verdict] += 1
            reasons[f"{outcome.verdict}: {outcome.reason}"] += bool(outcome.reason)
            if outcome.verdict == "failed":
                print(f"seed {seed}: {outcome.reason}", flush=True)
    for name, count in [*verdicts.most_common(), *reasons.most_common(40)]:
        print(f"{count:7d} {name}")
    return 1 if verdicts["failed"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
