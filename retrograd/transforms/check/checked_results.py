"""The first results of derivatives, each checked before it is handed over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.compiler.dependencies.isolated_runs import RandomStates, secluded
from retrograd.compiler.driver.progress import progress
from retrograd.compiler.ir.argument_path import Place
from retrograd.runtime.arrays.transfers import beside
from retrograd.runtime.objects.pytree import children, leaves, map_leaves, map_pairs, with_items

from ..batches.loops import looped, part_of
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
    itself = primal(base)
    if last.kind == "vmap":
        return batch_result(chain, base, made, run, args, itself)
    if last.kind == "first":
        birth = Birth(base, made, args, lambda full: itself(full)[0])
        result = run(args)
        birth.judge(result, lambda _: None)
        return result
    birth = Birth(base, made, args[:n], itself, last.aux)
    result = run(args)
    with progress(f"checking {chain.name} once"):
        held_against(chain, birth, run, args, n, result)
    return result


def batch_result(
    chain: Any,
    base: Any,
    made: Any,
    run: Callable[[Sequence[Any]], Any],
    args: Sequence[Any],
    itself: Callable[[list[Any]], Any],
) -> Any:
    """The results of a batch, of which the first example and the last are computed alone, too."""
    step = chain.steps[-1]
    names = [*list(chain.full.parameters)[: len(chain.bound)], *chain.parameters]

    def few(run: Callable[[list[Any]], Any]) -> Callable[[list[Any]], Any]:
        each = looped(lambda *full: run(list(full)), step, names, only=ends)
        return lambda full: each(*full)

    birth = Birth(base, made, args, few(itself))
    birth.around = few  # type: ignore[method-assign]
    if birth.writes and chain.bound:  # to an object that a second run would find changed
        return run(args)
    birth.writes = False
    birth.reserved |= {"value"}
    states = RandomStates(base.fn)
    result = run(args)
    generators = (np.random.Generator, np.random.RandomState, np.random.BitGenerator)
    draws = states.are_others() or any(isinstance(x, generators) for x in leaves(list(args)))
    if not draws:
        with progress(f"checking {chain.name} once"):
            birth.judge(of_ends(result, step.batch.out), lambda _: None)
    return result


def ends(count: int) -> list[int]:
    """The numbers of the examples that are looked at."""
    return sorted({0, count - 1}) if count else []


def of_ends(result: Any, out: Any) -> Any:
    """The results of these examples."""
    inner = children(result)
    if inner is not None:
        parts = [of_ends(item, part_of(out, key, k)) for k, (key, item) in enumerate(inner)]
        return with_items(result, parts)
    if out is None or not np.ndim(result):
        return result
    return np.take(result, ends(np.shape(result)[out]), axis=out)


def held_against(
    chain: Any,
    birth: Birth,
    run: Callable[[Sequence[Any]], Any],
    args: Sequence[Any],
    n: int,
    result: Any,
) -> None:
    """The result, held against the function."""
    last = chain.steps[-1]
    if last.kind in ("jvp", "tangent"):
        value, tangent, *beside = result if last.kind == "jvp" else (None, result)
        value = (value, *beside) if beside else value

        def push(full: list[Any], directions: list[Any]) -> Any:
            dots = [map_pairs(put, v, x) for v, x in zip(directions, args[n:], strict=True)]
            found = run([*full[len(chain.bound) :], *dots])
            return found[1] if last.kind == "jvp" else found

        birth.tangents(dict(zip(last.wrt, args[n:], strict=True)), tangent, value, push)
        return
    value, bars = result if last.kind == "value_and_grad" else (None, result)
    bars = bars[0] if last.aux and last.kind == "grad" else bars
    birth.gradients(last.wrt, (bars,) if last.single else bars, 1.0, value)


def put(v: Any, x: Any) -> Any:
    return beside(x, v)


def check_pullback(birth: Birth, wrt: Sequence[Place], value: Any, pullback: Any) -> None:
    """A pullback of the first result, or of all of it, with a random cotangent."""
    rng = np.random.default_rng(1)

    def draw(x: Any) -> Any:
        if not is_inexact(x):
            return x
        made = signs(np.shape(x), rng)
        made = made + 1j * signs(np.shape(x), rng) if np.iscomplexobj(x) else made
        return beside(x, of_kind(made, x))

    cotangent = map_leaves(draw, value[0] if birth.aux else value)
    try:
        with secluded():
            bars = pullback(cotangent)
    except Exception:  # it will be raised, and answered, where the user pulls
        return
    birth.gradients(wrt, bars, cotangent, value)
