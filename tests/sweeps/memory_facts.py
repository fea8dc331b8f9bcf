"""Measures what the compiler believes of operations and memory, over arrays of every layout.

``python -m tests.sweeps.memory_facts``: every sample of every operation, in every layout.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from retrograd.compiler.analyses.aliasing.memory_facts import (
    gives_array,
    is_read_only,
    is_surely_array,
    keeps_order,
    lies_in_order,
)
from retrograd.compiler.analyses.aliasing.views_and_copies import relation
from retrograd.compiler.analyses.shapes.infer import infer
from retrograd.compiler.ir.operations import Apply, Value
from retrograd.compiler.ir.types import Array, Number
from tests.rules.harness import Maker, apply, name_of, samples
from tests.rules.sample import Sample, draw

__all__ = ["LAYOUTS", "arrays_in", "claims", "layouts", "measured", "relaid"]

LAYOUTS = (
    "C", "F", "reversed", "strided", "rows", "transposed", "real", "imag", "column", "misaligned", "read-only",
)  # fmt: skip


def layouts(x: np.ndarray) -> dict[str, np.ndarray]:
    """The same elements, lying in memory in every way.

    >>> {k: v.flags.c_contiguous for k, v in layouts(np.ones((2, 3))).items() if k in ("C", "F")}
    {'C': True, 'F': False}
    """
    bytes_ = np.zeros(x.nbytes + 1, np.uint8)[1:]
    misaligned = bytes_.view(x.dtype).reshape(x.shape)
    misaligned[...] = x
    locked = np.array(x)
    locked.flags.writeable = False
    found = {"C": np.array(x, order="C"), "F": np.array(x, order="F"), "misaligned": misaligned,
             "read-only": locked}  # fmt: skip
    if x.ndim:
        found["reversed"] = np.array(x[::-1])[::-1]
        found["strided"] = np.repeat(x, 2, axis=-1)[..., ::2]
        found["rows"] = np.repeat(x, 2, axis=0)[::2]
        found["column"] = np.stack([x, x], axis=-1)[..., 1]
        found["transposed"] = np.array(x.swapaxes(0, -1)).swapaxes(0, -1)
    if x.dtype.kind == "f":
        found["real"], found["imag"] = (x + 1j * x).real, (x + 1j * x).imag
    return found


def relaid(value: Any, layout: str) -> Any:
    """A value with every array in it in this layout."""
    if isinstance(value, np.ndarray):
        return layouts(value).get(layout, value)
    if type(value) in (list, tuple):
        return type(value)(relaid(item, layout) for item in value)
    return value


def arrays_in(tree: Any) -> Iterator[np.ndarray]:
    if isinstance(tree, np.ndarray):
        yield tree
    elif isinstance(tree, (list, tuple)):
        for item in tree:
            yield from arrays_in(item)
    elif isinstance(tree, dict):
        for item in tree.values():
            yield from arrays_in(item)


def claims(op: Apply, args: list[Any], kwargs: dict[str, Any], z: Any) -> Iterator[str]:
    """What is believed of an operation and is not so in this call."""
    kind, bases = relation(op)
    given, made = list(arrays_in([*args, *kwargs.values()])), list(arrays_in(z))
    shared = any(np.shares_memory(p, q) for p in made for q in given)
    if kind == "new":
        if shared:
            yield "is called new, and shows an argument"
        if any(not q.flags.writeable for q in made):
            yield "is called new, and cannot be written to"
        if isinstance(z, np.ndarray) and lies_in_order(op) and not z.flags.c_contiguous:
            yield "is said to lie in C order, and does not"
    base = args[0] if args else None
    if kind == "view" and isinstance(base, np.ndarray) and isinstance(z, np.ndarray):
        if z.size and not np.shares_memory(z, base):
            yield "is called a view, and is a copy"
        if base.flags.writeable and not z.flags.writeable and not is_read_only(op.fn):
            yield "is called a view that can be written to, and cannot"
    if isinstance(base, np.ndarray) and isinstance(z, np.ndarray) and base.flags.c_contiguous:
        seen, _ = relation(op, True)
        if seen == "view" and keeps_order(op) and not z.flags.c_contiguous:
            yield "is said to keep the order, and does not"
        if seen == "view" and z.size and not np.shares_memory(z, base):
            yield "is called a view of what lies in C order, and is a copy"
    yield from rank_0(op, z)


def rank_0(op: Apply, z: Any) -> Iterator[str]:
    kind = op.result.type
    if isinstance(kind, Number) and isinstance(z, np.ndarray):
        yield "is called a number, and is an array"
    if isinstance(kind, Array) and kind.dims == ():
        if isinstance(z, np.ndarray) and not gives_array(op, op.result):
            yield "is called a scalar, and is an array of rank 0"
        if not isinstance(z, np.ndarray) and is_surely_array(op):
            yield "is called an array of rank 0, and is a scalar"


def call(operation: Any, sample: Sample, layout: str, dtype: Any) -> Iterator[str]:
    """One call: what is wrong in what is believed of it."""
    rng = np.random.default_rng(7)
    drawn = draw(
        [list(sample.args), list(sample.kwargs.values())], rng, sample.low, sample.high, dtype
    )
    args, named = (relaid(part, layout) for part in drawn)
    kwargs = dict(zip(sample.kwargs, named, strict=True))
    maker = Maker(True)
    operands = tuple(maker.operand(t, v) for t, v in zip(sample.args, args, strict=True))
    keywords = {k: maker.operand(t, kwargs[k]) for k, t in sample.kwargs.items()}
    z = apply(operation, args, kwargs)
    made = Value("z", infer(operation, operands, keywords))
    yield from claims(Apply([made], None, operation, operands, keywords), args, kwargs, z)


def measured(
    some: int | None = None, names: tuple[str, ...] = LAYOUTS
) -> tuple[Counter[str], list[str]]:
    """Counts of calls, and every claim that does not hold."""
    counts: Counter[str] = Counter()
    wrong: dict[str, None] = {}
    for operation, many in samples().items():
        for sample in many[:some]:
            for dtype in (np.float64, np.complex128) if sample.complex else (np.float64,):
                for layout in names:
                    try:
                        with warnings.catch_warnings():
                            warnings.simplefilter("ignore")
                            found = list(call(operation, sample, layout, dtype))
                    except (TypeError, ValueError):  # some functions refuse a layout
                        counts["refused by the function"] += 1
                        continue
                    counts["measured"] += 1
                    wrong |= dict.fromkeys(f"{name_of(operation)} {f} ({layout})" for f in found)
    return counts, list(wrong)


if __name__ == "__main__":
    counted, mistakes = measured()
    print("\n".join(mistakes))
    print(dict(counted), f"{len(mistakes)} wrong")
    raise SystemExit(bool(mistakes))
