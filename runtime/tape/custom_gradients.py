"""The user's own derivatives on the tape: what `custom_gradient`, `finite_differences` and `on_gradient` say.

The function itself is computed on plain values; its vjp or jvp runs on boxes where a higher derivative
asks for that, and the one that is missing is the transpose of the other.
"""

from __future__ import annotations

import dis
import functools
import inspect
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import RuleError, TapeError
from ..helpers import linear
from ..objects.pytree import map_pairs
from ..user.custom_rules import CustomGradient, custom_of
from ..user.finite_differences import difference_pull, difference_push
from .box import answers, boxes_in, has_boxes, lowered, raw
from .boxed_functions import STAND_INS, followed
from .dispatch import Own, apply, call
from .forward_level import Dual
from .graph import Edge
from .reverse_level import Pull, Tape
from .rule_evaluation import zeros_like

__all__ = ["Customized", "Hooked"]

WAY_OUT = "give its derivative in @rg.custom_gradient, or wrap the argument in rg.stop_gradient"


class Given(Own):
    """An operation whose derivative was given; ``names`` are those of its arguments."""

    name = ""
    names: tuple[str, ...] = ()

    def record(self, level: Any, args: tuple[Any, ...], z: Any) -> Any:
        active = [k for k, a in enumerate(args) if any(
            b._level is level and b._mark is not None for b in boxes_in(a)
        )]  # fmt: skip
        own = lowered(args, level)
        if isinstance(level, Tape):
            kept = tuple(level.keep(v, g) for v, g in zip(own, args, strict=True))
            targets = [t for at, k in enumerate(active) for t in level.targets(args[k], (at,))]
            pull = functools.partial(self.pulled, z, kept, active)
            return level.boxed(self.name, [Edge(targets, pull)], z)
        assert isinstance(level, Dual)
        dots = [
            level.tangents(a) if k in active else zeros_like(own[k]) for k, a in enumerate(args)
        ]
        return level.with_tangents(self.name, z, self.pushed(z, own, active, dots))

    def pulled(self, z: Any, own: Any, active: list[int], c: Any) -> Any:
        raise NotImplementedError

    def pushed(self, z: Any, own: Any, active: list[int], dots: list[Any]) -> Any:
        raise NotImplementedError


class Customized(Given):
    """A call of a function with a derivative of its own; ``*args`` count as one argument, a tuple."""

    def __init__(self, custom: CustomGradient) -> None:
        self.custom, self.name = custom, custom.fn.__name__
        self.signature = inspect.signature(custom.fn)
        self.names = tuple(self.signature.parameters)
        self.starred = [p.kind is p.VAR_POSITIONAL for p in self.signature.parameters.values()]

    def arguments(self, args: Any, kwargs: Any) -> tuple[Any, ...]:
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return tuple(bound.arguments[name] for name in self.names)

    def spread(self, own: Any) -> list[Any]:
        found: list[Any] = []
        for value, starred in zip(own, self.starred, strict=True):
            found += value if starred else [value]
        return found

    def __call__(self, *own: Any) -> Any:
        return self.custom.fn(*self.spread(own))

    def pulled(self, z: Any, own: Any, active: list[int], c: Any) -> Any:
        custom = self.custom
        self.check_silent(active)
        if custom.step is not None:
            self.check_plain((own, c))
            return tuple(
                difference_pull(custom.fn, self.spread(own), c, (k,), custom.step) for k in active
            )
        if custom.pull is not None:
            bars = self.bars(z, own, c)
            return tuple(fitted(self.needed(bars, k), own[k]) for k in active)
        if custom.push is None:
            raise self.refused("it has no vjp")
        start = tuple(zeros_like(own[k]) for k in active)

        def forward(*dots: Any) -> Any:
            given = {k: d for k, d in zip(active, dots, strict=True)}
            return self.tangent(z, own, [given.get(k, zeros_like(v)) for k, v in enumerate(own)])

        found = transposed(forward, start, c, self.name)
        return found

    def pushed(self, z: Any, own: Any, active: list[int], dots: list[Any]) -> Any:
        custom = self.custom
        self.check_silent(active)
        if custom.step is not None:
            self.check_plain((own, dots))
            moved = tuple(dots[k] for k in active)
            return difference_push(custom.fn, self.spread(own), moved, tuple(active), custom.step)
        if custom.push is not None:
            return self.tangent(z, own, dots)
        if custom.pull is None:
            raise self.refused("it has no jvp")

        def backward(c: Any) -> Any:
            bars = self.bars(z, own, c)
            return tuple(fitted(self.needed(bars, k), own[k]) for k in active)

        return transposed(backward, (zeros_like(z),), tuple(dots[k] for k in active), self.name)[0]

    def bars(self, z: Any, own: Any, c: Any) -> dict[str, Any]:
        """The result of the vjp for each argument that has a derivative."""
        custom = self.custom
        found = run(custom.pull, c, z, *self.spread(own))
        names = custom.active
        if len(names) > 1 and (not isinstance(found, (tuple, list)) or len(found) != len(names)):
            raise RuleError(
                f"{custom.pull.__name__}: a cotangent for each of {', '.join(names)} is to be "  # type: ignore[union-attr]
                "returned, as a tuple"
            )
        return dict(zip(names, found if len(names) > 1 else (found,), strict=True))

    def tangent(self, z: Any, own: Any, dots: list[Any]) -> Any:
        given = [d for name, d in zip(self.names, dots, strict=True) if name in self.custom.active]
        return run(self.custom.push, z, *self.spread(own), *given)

    def needed(self, bars: dict[str, Any], k: int) -> Any:
        if bars[self.names[k]] is None:
            raise self.refused(f"its vjp returns None for `{self.names[k]}`")
        return bars[self.names[k]]

    def check_silent(self, active: list[int]) -> None:
        for k in active:
            if self.names[k] in self.custom.constant:
                raise self.refused(f"`{self.names[k]}` was said to be constant")

    def check_plain(self, values: Any) -> None:
        if has_boxes(values):
            raise TapeError(f"{self.name}: finite differences have no second derivative")

    def refused(self, why: str) -> TapeError:
        return TapeError(f"{self.name}: {why}, and is being differentiated; {WAY_OUT}")


def run(rule: Any, *args: Any) -> Any:
    return followed(rule)(*args) if has_boxes(args) else rule(*map(linear.copy, args))


def fitted(bar: Any, like: Any) -> Any:
    """A cotangent in the shape and kind of its argument."""
    return map_pairs(
        lambda x, b: zeros_like(x) if b is None else call(linear.unbroadcast, b, x), like, bar
    )


def transposed(forward: Callable[..., Any], start: tuple[Any, ...], c: Any, name: str) -> Any:
    """The transpose of a function that is linear: where it starts says nothing."""
    wrt = tuple(range(len(start)))
    pull = Pull(forward, start, {}, wrt)
    other = Pull(forward, tuple(call(linear.add, s, moved(s)) for s in start), {}, wrt)
    found, again = pull(c), other(c)
    if not same(found, again):
        raise TapeError(
            f"{name}: its vjp or jvp is not linear, so that the other does not follow from it; {WAY_OUT}"
        )
    return found if len(start) > 1 else (found,)


def moved(tree: Any) -> Any:
    """Some other point of the same structure."""
    return map_pairs(
        lambda x, _: raw(x) * 0 + np.cos(np.arange(1.0, np.size(raw(x)) + 1)).reshape(np.shape(raw(x))),
        tree, None,
    )  # fmt: skip


def same(a: Any, b: Any) -> bool:
    equal: list[bool] = []
    map_pairs(
        lambda x, y: equal.append(
            np.allclose(raw(x), raw(y), rtol=1e-9, atol=1e-12, equal_nan=True)
        ),
        a,
        b,
    )
    return all(equal)


# -- hooks ------------------------------------------------------------------------------------


class Hooked(Given):
    """``rg.on_gradient``: the identity, whose cotangent a hook may look at or change."""

    name, names = "on_gradient", ("x",)

    def __init__(self, hook: Any) -> None:
        self.hook = hook

    def below(self, args: tuple[Any, ...]) -> Any:
        return args[0]  # the derivative of a changed gradient is not changed again

    def __call__(self, x: Any) -> Any:
        return x

    def pulled(self, z: Any, own: Any, active: list[int], c: Any) -> Any:
        if not has_boxes(c):
            return (fitted(linear.hooked(c, self.hook), own[0]),)
        changed = run(self.hook, c)
        return (c if changed is None else fitted(changed, own[0]),)

    def pushed(self, z: Any, own: Any, active: list[int], dots: list[Any]) -> Any:
        if not looks(self.hook):
            raise TapeError(
                "on_gradient: a hook that changes the cotangent has no forward mode; use reverse mode "
                "(rg.grad, rg.vjp), or return None from a hook that only looks"
            )
        return dots[0]


@answers("_on_gradient")
def hooked(x: Any, hook: Any) -> Any:
    """``rg.on_gradient`` asks the class of boxes: ``x`` may be a container of them."""
    return apply(Hooked(hook), (x,), {})


def looks(hook: Any) -> bool:
    """True if a hook certainly returns None."""
    if not isinstance(hook, types.FunctionType):
        return hook is print
    before = None
    for step in dis.get_instructions(hook.__code__):
        if step.opname.startswith("RETURN") and step.opname != "RETURN_GENERATOR":
            last = step if step.opname == "RETURN_CONST" else before
            if (
                last is None
                or last.opname not in ("LOAD_CONST", "RETURN_CONST")
                or last.argval is not None
            ):
                return False
        before = step
    return True


@functools.lru_cache(maxsize=1024)
def customized(fn: Any) -> Any:
    """A function with a derivative of its own, which sees a box among its arguments."""
    custom = custom_of(fn)
    assert custom is not None

    @functools.wraps(fn)
    def called(*args: Any, **kwargs: Any) -> Any:
        if not has_boxes((args, kwargs)):
            return fn(*args, **kwargs)
        op = Customized(custom)
        return apply(op, op.arguments(args, kwargs), {})

    called.__custom_gradient__ = None  # type: ignore[attr-defined]
    return called


STAND_INS.append(lambda fn: None if custom_of(fn) is None else customized(fn))
