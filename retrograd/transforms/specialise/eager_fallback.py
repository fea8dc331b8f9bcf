"""Fallback to the eager tape for what the compiler refuses: one call, or a whole function.

``eager`` is a chain of transformations run on the tape alone; its levels nest, so it differentiates
what other code differentiates already.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.compiler.dependencies.object_reads import of_function
from retrograd.compiler.ir.argument_path import Place
from retrograd.runtime.errors import CompileError, TapeError
from retrograd.runtime.objects.own_attributes import own_attribute
from retrograd.runtime.objects.own_signature import own_signature

from ..batches.loops import looped
from ..star_arguments import is_starred, with_all
from .compile import Loaded
from .steps import Step
from .tape_warnings import notice_of

__all__ = [
    "eager",
    "eager_vjp",
    "is_nothing",
    "is_taped",
    "on_tape",
    "plain",
]


def is_taped(args: Any, fn: Any = None) -> bool:
    """True if a derivative is asked for inside a function that runs on the tape.

    What runs there may hand on its values as arguments, in them, or in the closure of ``fn``.
    """
    if "retrograd.runtime.tape.box" not in sys.modules:
        return False
    from retrograd.runtime.tape.box import Box, has_boxes
    from retrograd.runtime.tape.boxed_functions import open_levels

    given = args if isinstance(args, list) else list(args)
    if has_boxes(given) or not open_levels.levels:
        return has_boxes(given)
    from retrograd.runtime.objects.pytree import hides

    return hides([given, captured(fn)], lambda held: type(held) is Box)


def captured(fn: Any, depth: int = 3) -> list[Any]:
    """The contents of a function's closure, and of those of the functions in it; its object, if it is a method."""
    fn = own_attribute(fn, "__wrapped__", fn)
    found = [own_attribute(fn, "__self__"), getattr(fn, "__defaults__", None)]
    for cell in getattr(fn, "__closure__", None) or ():
        try:
            found.append(cell.cell_contents)
        except ValueError:  # not bound yet
            continue
    inner = [f for f in found if isinstance(f, types.FunctionType)] if depth else []
    return [*found, *(held for f in inner for held in captured(f, depth - 1))]


def plain(value: Any) -> Any:
    """An argument without the boxes of the tape around its numbers."""
    if not is_taped([value]):
        return value
    from retrograd.runtime.objects.pytree import map_leaves
    from retrograd.runtime.tape.box import raw

    return map_leaves(raw, value)


def on_tape(chain: Any, error: CompileError) -> Loaded:
    """A whole function that cannot be compiled, on the tape; `error` says why it cannot."""
    made = Loaded({}, "", None, list(of_function(chain.fn)))
    made.notices.append(notice_of(chain.fn, error))
    if chain.steps[-1].kind != "vjp":
        made.functions[chain.name] = as_given(explained(eager(chain), error), chain)
        return made

    def forward(*args: Any) -> Any:
        return before_last(chain, args)

    def backward(pull: Any, c: Any) -> Any:
        return pull(c)

    made.functions |= {"forward": explained(forward, error), "backward": backward}
    return made


def as_given(run: Callable[..., Any], chain: Any) -> Callable[..., Any]:
    """``run``, which takes one argument for each parameter, called as generated code is."""
    if not any(map(is_starred, chain.inner.parameters.values())):
        return run

    def call(*args: Any, **kwargs: Any) -> Any:
        bound = chain.inner.bind(*args, **kwargs)
        bound.apply_defaults()
        return run(*[bound.arguments[n] for n in chain.inner.parameters])

    return call


def before_last(chain: Any, args: Sequence[Any]) -> tuple[Any, Any]:
    """The value and the pullback of the chain without its last step."""
    from retrograd.runtime.tape.calls import taped

    *steps, last = chain.steps
    f, given = of_places(derived(chain.fn, steps), last.wrt, args)
    value, pull = taped(f, *given, wrt=tuple(range(len(last.wrt))))
    bare = last._replace(single=len(last.wrt) == 1)
    if last.aux:
        return pair(value), lambda c: matched(pull((c, None)), args, bare)
    return value, lambda c: matched(pull(c), args, bare)


def of_places(
    f: Callable[..., Any], places: Sequence[Place], args: Sequence[Any]
) -> tuple[Callable[..., Any], list[Any]]:
    """``f`` as a function of what stands at some places, then of all arguments; and those."""
    from retrograd.runtime.tape.boxed_functions import argument_names

    def run(*given: Any) -> Any:
        full: list[Any] = list(given[len(places) :])
        for place, x in zip(places, given, strict=False):
            full = place.put(full, x)
        return f(*full)

    run.__name__ = own_attribute(f, "__name__", "run")
    names = argument_names(f) or ()
    if all(place.at < len(names) for place in places):
        run.argument_names = tuple(place.text(names) for place in places)  # type: ignore[attr-defined]
    given = [place.of(args) for place in places]
    for place in places:
        args = place.put(args, None)
    return run, [*given, *args]


def explained(run: Callable[..., Any], error: CompileError) -> Callable[..., Any]:
    """Raises the compiler's error where the tape refuses too: it knows the line and the way out."""

    def call(*args: Any) -> Any:
        try:
            return run(*args)
        except TapeError as refusal:
            why, _, _ = str(refusal).partition("; ")  # its way out is not that of a text
            reason = f"{error.reason} (nor does the tape take it: {why})"
            raise type(error)(reason, place=error.place, fix=error.fix) from refusal

    return call


def eager(chain: Any) -> Callable[..., Any]:
    """The derivative that a chain describes, as a function that runs on the tape.

    Where Python's floats raise and the function has a value, NumPy's numbers are computed with.
    """
    run = derived(chain.fn, chain.steps)

    def call(*args: Any) -> Any:
        try:
            return run(*args)
        except (ArithmeticError, ValueError) as error:
            # A call that failed: few do.
            from .float_exceptions import no_finite, numbers_of_numpy, raised_by_floats
            from .function_alone import has_value  # a call that failed

            if not raised_by_floats(error) or is_taped(args) or not has_value(chain, args):
                raise
            try:
                with np.errstate(all="ignore"):
                    return run(*map(numbers_of_numpy, args))
            except Exception:
                raise no_finite(chain, error) from error

    return call


def eager_vjp(
    chain: Any, places: Sequence[Place], args: Sequence[Any], aux: bool = False
) -> tuple[Any, Any]:
    """The value of a chain and its pullback, which returns a tuple; ``aux``: the value of a pair."""
    from retrograd.runtime.tape.calls import taped

    f, given = of_places(eager(chain), places, args)
    value, pull = taped(f, *given, wrt=tuple(range(len(places))))
    whole = (lambda c: (c, None)) if aux else (lambda c: c)
    value = pair(value) if aux else value
    return value, lambda c: pull(whole(c)) if len(places) > 1 else (pull(whole(c)),)


def derived(fn: Any, steps: Sequence[Step]) -> Callable[..., Any]:
    made = positional(fn)
    for step in steps:
        inner, made = made, MAKERS[step.kind](made, step)
        if step.kind not in ("jvp", "tangent"):  # what these take besides has no names
            made.argument_names = getattr(inner, "argument_names", None)  # type: ignore[attr-defined]
    return made


def positional(fn: Any) -> Callable[..., Any]:
    """The function with one argument for each parameter, and seen by the tape.

    It is followed anew in each call: what it calls may have another text by then.
    """

    from retrograd.runtime.tape.boxed_functions import followed

    signature = own_signature(fn)

    def call(*args: Any) -> Any:
        return with_all(signature, followed(fn))(*args)

    call.__name__ = fn.__name__
    call.argument_names = tuple(signature.parameters)  # type: ignore[attr-defined]
    return call


def pair(result: Any) -> tuple[Any, Any]:
    """A value and what is handed on beside it."""
    if not isinstance(result, tuple) or len(result) != 2:
        raise TapeError(
            "has_aux=True is for a function that returns a pair, `(value, aux)`; "
            "return the value and the rest: `return loss, predictions`"
        )
    return result


def value_and_grad(f: Callable[..., Any], step: Step) -> Callable[..., Any]:
    from retrograd.runtime.tape.box import raw
    from retrograd.runtime.tape.calls import taped

    def run(*args: Any) -> Any:
        g, given = of_places(f, step.wrt, args)
        moved = given[: len(step.wrt)]
        if all(map(is_nothing, moved)):
            value = f(*args)
            check_one(pair(value)[0] if step.aux else value)
            bars = tuple(map(np.zeros_like, moved))
            return value, matched(bars if len(bars) > 1 else bars[0], args, step)
        value, pull = taped(g, *given, wrt=tuple(range(len(step.wrt))))
        one = check_one(raw(pair(value)[0] if step.aux else value))
        return value, matched(pull((one, None) if step.aux else one), args, step)

    return run


def check_one(value: Any) -> Any:
    """The cotangent 1 of a value, which has to be one number."""
    from retrograd.runtime.helpers import linear

    rank = np.ndim(value) if isinstance(value, np.ndarray) else 0
    linear.check_scalar(value, rank)
    return np.ones((1,) * rank) if rank else 1.0


def grad(f: Callable[..., Any], step: Step) -> Callable[..., Any]:
    both = value_and_grad(f, step)

    def run(*args: Any) -> Any:
        value, bars = both(*args)
        return (bars, value[1]) if step.aux else bars

    return run


def first(f: Callable[..., Any], step: Step) -> Callable[..., Any]:
    return lambda *args: pair(f(*args))[0]


def tangent(f: Callable[..., Any], step: Step) -> Callable[..., Any]:
    both = jvp(f, step)
    return lambda *args: both(*args)[1]


def jvp(f: Callable[..., Any], step: Step) -> Callable[..., Any]:
    from retrograd.runtime.tape.calls import pushed

    def run(*args: Any) -> Any:
        n = len(args) - len(step.wrt)
        g, given = of_places(f, step.wrt, args[:n])
        if all(map(is_nothing, given[: len(step.wrt)])) and not step.aux:
            value = f(*args[:n])
            if isinstance(value, (float, np.ndarray)):
                return value, np.zeros_like(value)[()]
        found = pushed(g, args[n:], *given, wrt=tuple(range(len(step.wrt))))
        if not step.aux:
            return found
        (value, aux), (tangent, _) = map(pair, found)
        return value, tangent, aux

    return run


def is_nothing(x: Any) -> bool:
    """True if an argument has no entries: every derivative with respect to it is nothing, too."""
    return isinstance(x, np.ndarray) and x.size == 0


def matched(bars: Any, args: Sequence[Any], step: Step) -> Any:
    """Gradients in the kind of their arguments: of a Python float, a Python float."""
    from retrograd.runtime.helpers import linear
    from retrograd.runtime.tape.dispatch import call

    found = bars if len(step.wrt) > 1 else (bars,)
    made = tuple(call(linear.match, c, k.of(args)) for c, k in zip(found, step.wrt, strict=True))
    return made[0] if step.single else made


def vmap(f: Callable[..., Any], step: Step) -> Callable[..., Any]:
    """One example after the other."""
    from retrograd.runtime.tape.dispatch import apply

    names = getattr(f, "argument_names", None) or [name for name, _ in step.batch.ins]
    return looped(f, step, names, lambda op, *args, **kwargs: apply(op, args, kwargs))


MAKERS = {
    "grad": grad, "value_and_grad": value_and_grad, "jvp": jvp, "tangent": tangent, "first": first,
    "vmap": vmap,
}  # fmt: skip
