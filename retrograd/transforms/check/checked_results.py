"""The first results of derivatives, each checked before it is handed over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.compiler.dependencies.isolated_runs import secluded
from retrograd.compiler.ir.argument_path import Place
from retrograd.runtime.arrays.transfers import beside
from retrograd.runtime.objects.pytree import map_leaves, map_pairs

from .first_call import Birth
from .slopes import is_inexact, of_kind, signs

__all__ = ["check_pullback", "first_result"]


def first_result(
    chain: Any,
    made: Any,
    run: Callable[[Sequence[Any]], Any],
    args: Sequence[Any],
    primal: Callable[[Any], Callable[[list[Any]], Any]],
) -> Any:
    """The result of ``run``, which computes the last transformation of ``chain``, for these arguments.

    ``primal`` makes the function that a chain stands for.
    """
    last = chain.steps[-1]
    pushed = last.kind in ("jvp", "tangent")
    n = len(args) - (len(last.wrt) if pushed else 0)
    base = chain.changed(steps=chain.steps[:-1])
    birth = Birth(base, made, args[:n], primal(base))
    result = run(args)
    if pushed:
        value, tangent = result if last.kind == "jvp" else (None, result)

        def push(full: list[Any], directions: list[Any]) -> Any:
            dots = [map_pairs(put, v, x) for v, x in zip(directions, args[n:], strict=True)]
            found = run([*full[len(chain.bound) :], *dots])
            return found[1] if last.kind == "jvp" else found

        birth.tangents(dict(zip(last.wrt, args[n:], strict=True)), tangent, value, push)
        return result
    value, bars = result if last.kind == "value_and_grad" else (None, result)
    birth.gradients(last.wrt, (bars,) if last.single else bars, 1.0, value)
    return result


def put(v: Any, x: Any) -> Any:
    return beside(x, v)


def check_pullback(birth: Birth, wrt: Sequence[Place], value: Any, pullback: Any) -> None:
    """A pullback, with a random cotangent."""
    rng = np.random.default_rng(1)

    def draw(x: Any) -> Any:
        if not is_inexact(x):
            return x
        made = signs(np.shape(x), rng)
        made = made + 1j * signs(np.shape(x), rng) if np.iscomplexobj(x) else made
        return beside(x, of_kind(made, x))

    cotangent = map_leaves(draw, value)
    try:
        with secluded():
            bars = pullback(cotangent)
    except Exception:  # it will be raised, and answered, where the user pulls
        return
    birth.gradients(wrt, bars, cotangent, value)
