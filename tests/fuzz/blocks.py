"""Random elementwise programs in blocks, against their plain text: ``python -m tests.fuzz.blocks FIRST COUNT``."""

from __future__ import annotations

import copy
import sys
from collections import Counter
from typing import Any
from unittest import mock

import numpy as np

from retrograd.compiler.passes.loops import cache_blocks
from retrograd.transforms import api
from retrograd.transforms.specialise.compile import render
from retrograd.transforms.wrt import resolved

from .checks import Outcome, loaded, quiet, shortened, unloaded, where
from .native import same

__all__ = ["compared", "vectors"]

UNARY = ["np.sin({})", "np.tanh({})", "np.exp(-{0} * {0})", "({}) ** 2", "({}) ** 3", "np.maximum({}, 0.1)",
         "np.where({0} > 0.1, {0}, 0.3)", "np.sqrt(1.5 + {0} * {0})", "1.0 / (2.0 + {0} ** 2)", "np.abs({})",
         "(-({}))", "np.log1p({0} * {0})", "np.clip({}, -0.5, 0.9)", "np.square({})", "np.add({}, 1)"]  # fmt: skip
BINARY = ["({} + {})", "({} - {})", "({} * {})", "({} / (1.5 + {} ** 2))", "np.minimum({}, {})",
          "np.hypot(1.0 + {}, {})", "np.multiply({}, {})"]  # fmt: skip
SUMS = [
    "np.sum({})",
    "np.mean({})",
    "np.max({})",
    "({0} @ {0})",
    "np.sum({}[1:])",
    "np.cumsum({})[-1]",
]


class Writer:
    """Vectors of two lengths, numbers made of them, loops and branches."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.vectors = {"x": ["x"], "y": ["y"]}
        self.numbers = ["s", "0.5", "2"]
        self.count = 0

    def pick(self, options: list[str]) -> str:
        return options[int(self.rng.integers(len(options)))]

    def expr(self, kind: str, depth: int = 2) -> str:
        r = self.rng.random()
        if depth == 0 or r < 0.15:
            return self.pick(self.vectors[kind])
        if r < 0.45:
            return self.pick(UNARY).format(self.expr(kind, depth - 1))
        if r < 0.85:
            return self.pick(BINARY).format(self.expr(kind, depth - 1), self.expr(kind, depth - 1))
        return f"({self.expr(kind, depth - 1)} * {self.pick(self.numbers)})"

    def statement(self) -> list[str]:
        kind = "x" if self.rng.random() < 0.7 else "y"
        self.count += 1
        name, r = f"v{self.count}", self.rng.random()
        if r < 0.25:
            total = self.pick(SUMS).format(f"({self.expr(kind)})")
            self.numbers.append(f"t{self.count}")
            return [f"t{self.count} = 0.1 * np.tanh({total})"]
        lines = [f"{name} = {self.expr(kind)}"]
        if r < 0.35:
            lines = [f"{name} = 0.1 * np.cumsum({self.expr(kind)})"]
        elif r < 0.42:
            other = self.pick(self.vectors[kind])
            step = f"    {name} = np.tanh({name}) * {other} + {self.expr(kind, 1)}"
            lines += ["for _ in range(2):", step]
        elif r < 0.5:
            lines += [f"if {self.numbers[-1]} > 0.05:", f"    {name} = {self.expr(kind)}"]
        self.vectors[kind].append(name)
        return lines


def vectors(seed: int) -> str:
    """A program of mostly elementwise arithmetic."""
    w = Writer(seed)
    body = [line for _ in range(int(w.rng.integers(3, 9))) for line in w.statement()]
    last = [f"np.sum({v})" for names in w.vectors.values() for v in names[-2:]]
    n, m = int(w.rng.integers(2, 12)), int(w.rng.integers(13, 24))
    return "\n".join([
        "import numpy as np", "", "", "def main(x, y, s):", *("    " + line for line in body),
        f"    return 0.1 * ({' + '.join([*last, *w.numbers[-2:]])})", "",
        f"RNG = np.random.default_rng({seed})", f"ARGS = (RNG.normal(size={n}), RNG.normal(size={m}), 0.7)",
        "WRT = (0, 1, 2)", "",
    ])  # fmt: skip


def compared(text: str, length: int) -> Outcome:
    """Whether the text in blocks of this length gives what the plain one gives, and touches nothing."""
    module = loaded(text)
    try:
        with quiet():
            return judged(module, length)
    except Exception as error:
        return Outcome("failed", f"{type(error).__name__}: {shortened(error)}", where(error))
    finally:
        unloaded(module)


def judged(module: Any, length: int) -> Outcome:
    args = module.ARGS
    value = module.main(*copy.deepcopy(args))
    if not np.isfinite(value):
        return Outcome("discarded", "not a moderate number")
    chain = api.chain_of(module.main).then("value_and_grad", module.WRT, False)
    types = chain.types(args)
    steps = resolved(chain, types)
    plain = render(module.main, types, steps, api.unwrap)[0]
    with (
        mock.patch.object(cache_blocks, "LENGTH", length),
        mock.patch.object(cache_blocks, "LEAST", -1),
    ):
        made = render(module.main, types, steps, api.unwrap, optimize=2)[0]
    results = []
    for text in (plain, made):
        namespace = dict(text.captured)
        exec(compile(text.text, "<text>", "exec"), namespace)
        given = copy.deepcopy(args)
        results.append(namespace[text.names[0]](*given))
        if not same(given, args, 0.0):
            return Outcome("failed", "the arguments are changed")
    if results[0][0] != value:
        return Outcome("failed", "the plain value differs")
    if not same(results[1], results[0], 1e-10):
        return Outcome("failed", "differs", f"{results[1]}\nnot\n{results[0]}")
    return Outcome("ok" if "stop = i + " in made.text else "plain")


def main() -> None:
    first, count = map(int, sys.argv[1:3])
    seen: Counter[str] = Counter()
    for seed in range(first, first + count):
        outcome = compared(vectors(seed), 1 + seed % 5)
        seen[outcome.verdict] += 1
        if outcome.verdict == "failed":
            print(f"seed {seed}: {outcome.reason}\n{outcome.detail[:300]}", flush=True)
    print(*(f"{n} {verdict}" for verdict, n in seen.most_common()), sep="\n")


if __name__ == "__main__":
    main()
