"""Pullbacks in two halves: the forward one, which keeps what it needs, and the one that takes a cotangent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from retrograd.compiler.ir.argument_path import Place
from retrograd.compiler.ir.types import Type

from .check.nonfinite import watched_halves
from .check.policy import due, finds_nan
from .made_functions import answers, primal
from .specialise.compile import Loaded
from .specialise.dispatcher import ByKind
from .specialise.eager_fallback import eager_vjp, is_taped
from .specialise.tape_warnings import tell
from .tangents import cotangent_like, cotangents, differentiated
from .transformed_function import Chain

__all__ = ["Halved", "asked_for", "halved", "loaded", "pulling"]

Halved = Callable[[list[Any], bool], tuple[Any, Callable[..., Any]]]
"""Value and pullback of arguments that the caller may write to, or not."""


def halved(chain: Chain, places: tuple[Place, ...], aux: bool = False) -> Halved:
    """The two halves of the pullback of a chain as it is now; ``aux``: of the first of two results."""
    run: Halved = chain.once(("vjp", places, aux), lambda: split_vjp(chain, places, aux))
    return run


def split_vjp(
    chain: Chain, positions: tuple[Place, ...], aux: bool
) -> Callable[[list[Any], bool], Any]:
    """The two halves of the pullback of a chain, compiled per kind of arguments."""
    asked, order = asked_for(chain, positions, aux)
    halves = ByKind(asked, lambda types: loaded(asked, types))
    full_places = [p._replace(at=p.at + len(chain.bound)) for p in positions]

    def run(args: list[Any], waits: bool) -> Any:
        if is_taped(args, chain.fn):
            return taped_vjp(chain, positions, args, aux)
        if finds_nan(chain):
            return watched_halves(asked, args, lambda: answer(args, waits), order)
        return answer(args, waits)

    def answer(args: list[Any], waits: bool) -> Any:
        from retrograd.runtime.objects.pytree import pack

        try:
            made = halves.of(args)
            forward, backward = made.functions.values()
            birth = born(asked, made, args)
            quick = compiled_halves(asked, made, args, waits)
            *flat, saved = forward(*chain.bound, *args) if quick is None else (*quick[0], None)
        except Exception as error:
            return failed(error, args, waits)
        reading: Any = None
        result = pack(made.tree, flat)
        value = result[0] if aux else result
        shape, pulled = differentiated(made.tree, flat) if aux else (made.tree, flat)
        if quick is not None:
            back = quick[1]
            reading = lambda f: (lambda _, *bars: back(*bars)) if f is backward else f  # noqa: E731
        elif waits and made.text:
            from .pullbacks import set_apart  # few pullbacks wait

            saved, reading = set_apart(made, saved, [*chain.bound, *args, *flat])
        pullback = pulling(backward, reading, saved, shape, pulled, order)
        if birth is not None:
            from .check.checked_results import check_pullback  # few calls are checked

            check_pullback(birth, full_places, result, pullback)
        tell(made.notices)
        found = answers().pulled_back(chain, pullback, value, made)
        if waits:
            kept = (saved, shape, pulled, value, reading) if quick is None else quick[2]
            found.kept = chain, positions, aux, made, kept  # for pickles
        return result, found

    def compiled_halves(asked: Chain, made: Any, args: list[Any], waits: bool) -> Any:
        if asked.backend == "numpy":
            return None
        from .compiled.pullback_kernels import kernels_of  # a back end is asked for

        kernels = kernels_of(asked, made)
        return None if kernels is None else kernels.halves(args, waits)

    def failed(error: Exception, args: list[Any], waits: bool) -> Any:
        try:
            anew = lambda: halved(chain, positions, aux)(args, waits)  # noqa: E731
            on_tape = lambda: taped_vjp(chain, positions, args, aux)  # noqa: E731
            return answers().answered(asked, args, error, anew, on_tape)
        finally:
            if asked.late is not None:
                halves.forget()
            del error

    return run


def loaded(asked: Chain, types: dict[str, Type]) -> Loaded:
    """The text of both halves, which knows what it was made for."""
    made = asked.load(types)
    made.types = dict(types)  # which values are known is settled now
    return made


def asked_for(chain: Chain, places: Sequence[Place], aux: bool) -> tuple[Chain, list[int]]:
    """The chain that is compiled for a pullback, and where in its results those asked for stand."""
    in_order = sorted(places, key=lambda place: (bool(place.keys), place.at))
    return chain.then("vjp", in_order, False, aux), [in_order.index(k) for k in places]


def pulling(
    backward: Callable[..., Any],
    reading: Any,
    saved: Any,
    shape: Any,
    values: Any,
    order: list[int],
) -> Callable[..., tuple[Any, ...]]:
    """The way back from what the forward half has saved; ``reading`` says which objects its text reads."""
    usual = backward if reading is None else reading(backward)

    def pullback(cotangent: Any, instead: Any = None) -> tuple[Any, ...]:
        bars = cotangents(shape, cotangent, values)
        if instead is not None:
            found = (instead if reading is None else reading(instead))(saved, *bars)
        else:
            found = usual(saved, *bars)
        return tuple(found[k] for k in order) if len(order) > 1 else (found,)

    return pullback


def taped_vjp(
    chain: Chain, places: Sequence[Place], args: Sequence[Any], aux: bool
) -> tuple[Any, Any]:
    result, pull = eager_vjp(chain, places, args, aux)
    value = result[0] if aux else result
    return result, lambda c: pull(cotangent_like(value, c))


def born(chain: Chain, made: Any, args: Sequence[Any]) -> Any:
    """The record of the arguments of a pullback that has to be checked."""
    if not due(chain, made):
        return None
    from .check.first_call import Birth  # few calls are checked

    base = chain.changed(steps=chain.steps[:-1])
    return Birth(base, made, args, primal(base), chain.steps[-1].aux)
