"""Every operation of the rule book on the tape: value, both modes, second order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from retrograd.compiler.differentiate.rule_instance import bind_operands
from retrograd.runtime.objects.pytree import remade
from retrograd.runtime.rules.book import book
from retrograd.runtime.tape.box import has_boxes
from retrograd.runtime.tape.calls import pulled, pushed, taped
from retrograd.runtime.tape.dispatch import apply as dispatch
from retrograd.runtime.tape.dispatch import execute

from ..examination import Examination, aspect
from ..harness import name_of
from ..laws import is_hermitian
from ..sample import A, Sample, draw

SINGLE = {np.float32, np.complex64, np.ndarray.astype}  # these round to single precision
IN_PLACE = {"index_add", "iadd", "isub", "imul", "itruediv", "ipow", "imod", "imatmul"}


def call(operation: Any, sample: Sample, seed: int) -> tuple[Callable[..., Any], list[Any]] | None:
    """The call as a function of the arrays in it that may be differentiated, and their values."""
    if operation not in book.rules:
        return None
    rule = book.rules[operation]
    given = bind_operands(rule.differential, sample.args, sample.kwargs, 1, operation)
    drawn = [v for name in rule.active for v in leaves(given[name]) if isinstance(v, A)]
    if not drawn:
        return None
    rng = np.random.default_rng(seed)
    args, kwargs = draw(
        [list(sample.args), list(sample.kwargs.values())], rng, sample.low, sample.high
    )
    kwargs = dict(zip(sample.kwargs, kwargs, strict=True))
    values: list[Any] = []
    template = (list(sample.args), sample.kwargs)
    slots = slotted(template, (args, kwargs), {id(d) for d in drawn}, values)

    held = (operation,)  # a function in the closure would be followed by the tape

    def function(*xs: Any) -> Any:
        (op,) = held
        filled_args, filled_kwargs = filled(slots, xs)
        if has_boxes((filled_args, filled_kwargs)):
            return dispatch(op, tuple(filled_args), filled_kwargs)
        return execute(op, tuple(filled_args), filled_kwargs)

    return function, values


def is_symmetric(operation: Any, sample: Sample) -> bool:
    """Whether an operation takes matrices for symmetric, or reads one triangle of them."""
    named = name_of(operation).startswith("stats.multivariate_normal.")
    return bool(sample.kwargs.get("hermitian")) or named


def symmetric(d: Any) -> Any:
    square = np.ndim(d) > 1 and d.shape[-1] == d.shape[-2]
    return d + np.swapaxes(d, -1, -2) if square else d


class Slot(int):
    """The place of one differentiable value."""


def leaves(tree: Any) -> list[Any]:
    if isinstance(tree, (list, tuple)):
        return [leaf for item in tree for leaf in leaves(item)]
    if isinstance(tree, dict):
        return [leaf for item in tree.values() for leaf in leaves(item)]
    return [tree]


def slotted(template: Any, value: Any, wanted: set[int], values: list[Any]) -> Any:
    if isinstance(template, (list, tuple)):
        pairs = zip(template, value, strict=True)
        return type(template)(slotted(t, v, wanted, values) for t, v in pairs)
    if isinstance(template, dict):
        return {k: slotted(t, value[k], wanted, values) for k, t in template.items()}
    if id(template) in wanted and np.asarray(value).dtype.kind == "f":
        values.append(value)
        return Slot(len(values) - 1)
    return value


def filled(slots: Any, xs: Any) -> Any:
    if isinstance(slots, Slot):
        return xs[slots]
    if isinstance(slots, (list, tuple)):
        return type(slots)(filled(s, xs) for s in slots)
    if isinstance(slots, dict):
        return {k: filled(s, xs) for k, s in slots.items()}
    return slots.copy() if isinstance(slots, np.ndarray) else slots


def floats(tree: Any) -> list[Any]:
    """The float results of a call, flat."""
    parts = tree if isinstance(tree, (tuple, list)) else [tree]
    found = [
        p for part in parts for p in (floats(part) if isinstance(part, (tuple, list)) else [part])
    ]
    return [p for p in found if np.asarray(p).dtype.kind in "fc"]


def like(rng: Any, tree: Any) -> Any:
    """A random cotangent or tangent of the structure of a result."""
    if isinstance(tree, (tuple, list)):
        items = [like(rng, t) for t in tree]
        return remade(tree, items)
    if np.asarray(tree).dtype.kind not in "fc":
        return None
    made = rng.standard_normal(np.shape(tree))
    return made if isinstance(tree, np.ndarray) else float(made)


def dot(a: Any, b: Any) -> float:
    total = 0.0
    for x, y in zip(flat(a), flat(b), strict=True):
        if x is not None and y is not None and np.asarray(y).dtype.kind in "fc":
            total += float(np.real(np.vdot(np.asarray(x, complex), np.asarray(y, complex))))
    return total


def flat(tree: Any) -> list[Any]:
    if isinstance(tree, (tuple, list)):
        return [leaf for item in tree for leaf in flat(item)]
    return [tree]


def tupled(bars: Any, count: int) -> tuple[Any, ...]:
    return bars if count > 1 else (bars,)


@aspect(ignoring=("",))
def derivatives_on_the_tape(op: Examination) -> None:
    if getattr(op.operation, "__name__", "") in IN_PLACE:
        return  # writes into its first argument; boxes have `tape_writes` for that
    for number, sample in op.chosen():
        with op.failing(f"sample {number}: {sample}"):
            found = call(op.operation, sample, 3)
            if found is not None and found[1]:
                check(op.operation, *found, sample, np.random.default_rng(number))


def check(operation: Any, function: Any, xs: list[Any], sample: Sample, rng: Any) -> None:
    value = function(*xs)
    z, pull = taped(function, *xs)
    for a, b in zip(floats(z), floats(value), strict=True):
        np.testing.assert_array_equal(a, b)
    dots = tuple(like(rng, x) for x in xs)
    if is_symmetric(operation, sample):
        dots = tuple(symmetric(d) for d in dots)
    dots = tuple(
        d + np.swapaxes(d, -1, -2) if is_hermitian(x) else d for d, x in zip(dots, xs, strict=True)
    )
    rough = 1e-6 if operation in SINGLE else 1e-9
    _, tangent = pushed(function, dots, *xs)
    c = like(rng, value)
    bars = tupled(pull(c), len(xs))
    for bar, x in zip(bars, xs, strict=True):
        assert np.shape(bar) == np.shape(x)
    assert dot(c, tangent) == pytest.approx(dot(bars, dots), rel=rough, abs=rough)
    if sample.smooth and operation not in SINGLE:
        step = 1e-6
        up = function(*[x + step * d for x, d in zip(xs, dots, strict=True)])
        down = function(*[x - step * d for x, d in zip(xs, dots, strict=True)])
        slope = (dot(c, up) - dot(c, down)) / (2 * step)
        assert slope == pytest.approx(dot(bars, dots), rel=1e-5, abs=1e-6)
    if sample.order2 and sample.smooth and operation not in SINGLE:
        check_twice(function, xs, c, dots)


def check_twice(function: Any, xs: list[Any], c: Any, dots: Any) -> None:
    """The tangent of the pullback, by forward mode and by reverse mode over the tape."""
    _, pull = taped(function, *xs)
    bars, again = taped(pulled, pull, c, wrt=(0,))
    _, bars_dot = pushed(pulled, (dots,), pull, c, wrt=(0,))
    weights = tuple(np.ones(np.shape(b)) for b in tupled(bars, len(xs)))
    given = weights if len(xs) > 1 else weights[0]
    back = again(given)
    assert dot(weights, tupled(bars_dot, len(xs))) == pytest.approx(
        dot(back, dots), rel=1e-8, abs=1e-8
    )
