"""Programs whose Jacobians have structure: blocks of random sizes over random index maps, bands, arrows, rows.

    python -m tests.fuzz.structured [COUNT [SEED]]

Each is written as a loop over items, as a list of blocks or over all items at once.  The dense and the sparse
Jacobian, found for the first time and from a prepared plan, are held against finite differences and against a
matrix column by column; then the indices change, and the numbers do.
"""
# mypy: allow-untyped-calls

from __future__ import annotations

import os
import random
import sys
import tempfile
from typing import Any, NamedTuple

import numpy as np

import retrograd as rg
from retrograd.transforms.jacobian import few_directions
from tests.written import written

__all__ = ["Case", "case_of", "check", "differences", "flat"]


class Case(NamedTuple):
    """A program, the positions to differentiate at, and arguments for a generator of numbers."""

    text: str
    wrt: tuple[int, ...]
    arguments: Any


SCALAR = [
    "np.sin({})",
    "{} * {}",
    "np.exp(0.3 * {})",
    "{} ** 2",
    "{} - 0.5 * {}",
    "np.tanh({})",
    "np.where({} > 0.1, {}, 2.0 * {})",
]
ROWS = ["np.sin({})", "{} * {}", "np.exp(0.3 * {})", "{} ** 2", "{} - 0.5 * {}", "np.arctan({})"]


def expression(rng: random.Random, names: list[str], table: list[str], depth: int = 2) -> str:
    """A random expression of these values."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(names)
    form = rng.choice(table)
    return (
        "("
        + form.format(*[expression(rng, names, table, depth - 1) for _ in range(form.count("{}"))])
        + ")"
    )


def gathers(rng: random.Random) -> Case:
    """Each item has a block of a table, which others may share, and one of its own."""
    items, table, wide, own, out = (
        rng.randint(2, 7),
        rng.randint(1, 5),
        *(rng.randint(1, 4) for _ in range(3)),
    )
    parts = [f"a[{k}]" for k in range(wide)] + [f"b[{k}]" for k in range(own)]
    each = [expression(rng, parts, SCALAR) for _ in range(out)]
    block = "def block(a, b):\n    return np.array([" + ", ".join(each) + "])\n\n"
    style = rng.choice(["loop", "list", "whole"])
    if style == "loop":
        text = (
            block
            + f"""def f(shared, own, of):
    out = np.zeros({out} * len(of))
    for i in range(len(of)):
        out[{out} * i:{out} * (i + 1)] = block(shared[of[i]], own[i])
    return out
"""
        )
    elif style == "list":
        text = (
            block
            + "def f(shared, own, of):\n    return np.concatenate([block(shared[of[i]], own[i]) for i in range(len(of))])\n"
        )
    else:
        text = block + "def f(shared, own, of):\n    return block(shared[of].T, own.T).ravel()\n"

    def arguments(numbers: Any) -> tuple[Any, ...]:
        return (
            numbers.normal(size=(table, wide)),
            numbers.normal(size=(items, own)),
            numbers.integers(0, table, items),
        )

    return Case(text, (0, 1), arguments)


def bands(rng: random.Random) -> Case:
    """Each row depends on neighbours, as slices or as a loop with its edges tested."""
    n, low, high = rng.randint(8, 20), rng.randint(0, 2), rng.randint(0, 2)
    if rng.random() < 0.5:
        names = [f"x[{k}:len(x) - {low + high - k}]" for k in range(low + high + 1)]
        text = f"def f(x):\n    return {expression(rng, names, ROWS, 3)}\n"
    else:
        text = f"""def f(x):
    n = len(x)
    out = np.zeros(n)
    for i in range(n):
        left = x[i - 1] if i > 0 else 0.0
        right = x[i + 1] if i < n - 1 else 0.5
        out[i] = {expression(rng, ["left", "right", "x[i]"], SCALAR, 3)}
    return out
"""
    return Case(text, (0,), lambda numbers: (numbers.normal(size=n),))


def arrows(rng: random.Random) -> Case:
    """A few parameters for all rows, and some of each row's own."""
    n, few = rng.randint(5, 20), rng.randint(1, 3)
    names = [f"p[{k}]" for k in range(few)] + ["x", "t"]
    text = f"def f(p, x, t):\n    return {expression(rng, [*names, 'x'], ROWS, 3)} + 0.0 * x\n"
    return Case(
        text,
        (0, 1),
        lambda numbers: (numbers.normal(size=few), numbers.normal(size=n), numbers.normal(size=n)),
    )


def rows(rng: random.Random) -> Case:
    """A function of each row of an array."""
    n, wide = rng.randint(5, 12), rng.randint(2, 5)
    names = [f"x[:, {k}]" for k in range(wide)]
    columns = [f"{expression(rng, names, ROWS)} * np.ones({n})" for _ in range(rng.randint(1, 4))]
    text = f"def f(x):\n    return np.stack([{', '.join(columns)}], axis=1)\n"
    return Case(text, (0,), lambda numbers: (numbers.normal(size=(n, wide)),))


def products(rng: random.Random) -> Case:
    """A matrix with zeros that stay, and something for each entry of a product with it."""
    n, m = rng.randint(6, 12), rng.randint(6, 12)
    text = f"def f(x, a):\n    y = a @ x\n    return {expression(rng, ['y'], ROWS)} + y\n"

    def arguments(numbers: Any) -> tuple[Any, ...]:
        return numbers.normal(size=n), numbers.normal(size=(m, n))

    return Case(text, (0,), arguments)


def case_of(seed: int) -> Case:
    rng = random.Random(seed)
    return rng.choice([gathers, gathers, bands, arrows, rows, products])(rng)


def differences(f: Any, args: tuple[Any, ...], wrt: tuple[int, ...]) -> Any:
    """The flat Jacobian by central differences."""
    columns = []
    for k in wrt:
        for j in range(args[k].size):
            ends = []
            for step in (1e-6, -1e-6):
                moved = [a.copy() for a in args]
                moved[k].reshape(-1)[j] += step
                ends.append(np.ravel(f(*moved)))
            columns.append((ends[0] - ends[1]) / 2e-6)
    return np.stack(columns, axis=1)


def flat(blocks: Any, height: int) -> Any:
    """The blocks beside each other."""
    parts = [b.toarray() if hasattr(b, "toarray") else np.reshape(b, (height, -1)) for b in blocks]
    return np.concatenate(parts, axis=1)


def check(case: Case, seed: int, backend: str | None = None) -> None:
    """The Jacobians of a case, dense and sparse, in calls that change what the pattern hangs on."""
    f = written(case.text)
    numbers = np.random.default_rng(seed)
    dense = rg.jacobian(f, case.wrt, backend=backend)
    sparse = rg.jacobian(f, case.wrt, sparse=True, backend=backend)
    for _ in range(3):  # other indices
        args = case.arguments(numbers)
        for _ in range(3):  # the pattern is looked for, found, and prepared
            wanted = differences(f, args, case.wrt)
            for made in (dense(*args), sparse(*args)):
                found = flat(made, wanted.shape[0])
                np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-6, err_msg=case.text)
            args = tuple(a * 1.01 if a.dtype.kind == "f" else a for a in args)


def main(count: int = 200, first: int = 0) -> None:
    os.environ["RETROGRAD_CACHE"] = tempfile.mkdtemp(prefix="fuzz_cache_")
    os.environ["RETROGRAD_VERIFY"] = "1"
    few_directions.LEAST = few_directions.GAIN = few_directions.FEWER = 1
    failed = 0
    for seed in range(first, first + count):
        backend = "c" if seed % 4 == 0 else None
        try:
            check(case_of(seed), seed, backend)
        except Exception as error:
            failed += 1
            print(
                f"{seed} {backend}: {type(error).__name__}: {str(error)[:400]}\n{case_of(seed).text}",
                flush=True,
            )
    print(f"{count} programs, {failed} failed")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
