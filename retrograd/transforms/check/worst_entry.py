"""The worst entry of a wrong gradient."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from retrograd.compiler.ir.argument_path import Place
from retrograd.runtime.arrays.transfers import on_host
from retrograd.runtime.objects.container_classes import has_fields
from retrograd.runtime.objects.pytree import basis, children, in_order_of, leaves

from .slopes import FailsNearby, Line, Precision
from .verdict import judged

__all__ = ["worst_entry"]

MANY = 400  # entries looked at one by one
LONG = 5.0  # seconds for all of them


def worst_entry(
    birth: Any,
    wrt: Sequence[Place],
    bars: Sequence[Any],
    weights: Sequence[Any],
    middle: Sequence[Any],
    precision: Precision,
) -> str | None:
    """Describes the worst entry; None if no entry is wrong by itself."""

    def project(values: Sequence[Any]) -> Any:
        return np.asarray(sum((np.sum(c * y) for c, y in zip(weights, values, strict=True)), 0.0))

    worst: tuple[float, str] | None = None
    end = time.perf_counter() + LONG
    for place, bar in zip(wrt, bars, strict=True):
        x = place.of(birth.before)
        flat, names = leaves(in_order_of(x, bar)), list(paths(x, place.text(birth.names)))
        for count, (leaf, index, unit) in enumerate(basis(x)):
            if count >= MANY or time.perf_counter() > end:
                break
            got = np.asarray(np.real(np.asarray(on_host(flat[leaf]))[index]))
            line = Line(birth.run, birth.before, {place: unit}, precision)
            try:
                found = judged(line, list(middle), project, got, np.abs(got))
            except FailsNearby:
                continue
            error = float(np.abs(got - found.want))
            if np.any(found.wrong) and (worst is None or error > worst[0]):
                worst = error, said(names[leaf], index, got, found.want)
    return None if worst is None else worst[1]


def paths(tree: Any, name: str) -> Iterator[str]:
    """How each leaf is written: ``params['w']``."""
    inner = children(tree)
    if inner is None:
        yield name
        return
    dotted = has_fields(type(tree))
    for key, item in inner:
        named = dotted and isinstance(key, str)
        yield from paths(item, f"{name}.{key}" if named else f"{name}[{key!r}]")


def said(name: str, index: tuple[int, ...], got: Any, want: Any) -> str:
    where = f" at {tuple(int(i) for i in index)}" if index else ""
    return (
        f"the gradient with respect to `{name}` is {got:.8g}{where}, "
        f"finite differences say {want:.8g}"
    )
