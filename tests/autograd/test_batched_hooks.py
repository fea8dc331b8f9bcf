"""Hooks that are registered in a batch, and run after it: what they read is differentiated as without a batch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import retrograd

from .surface import close, raises

X, W, C = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [0.5, -1.0], [2.0, 3.0]


def of_parts(change: Callable[[Any], Any]) -> Callable[..., Any]:
    """A hook of a node that changes each gradient."""
    return lambda *given: tuple(None if g is None else change(g) for g in given[0])


# What is registered on ``y = a * w``, a result inside of the batch; ``c`` is outside of it.
HOOKS: dict[str, Callable[..., Any]] = {
    "a tensor": lambda y, a, w, c: y.register_hook(lambda g: g * c),
    "its sum": lambda y, a, w, c: y.register_hook(lambda g: g * c.sum()),
    "twice": lambda y, a, w, c: y.register_hook(lambda g: g * c * c),
    "two hooks": lambda y, a, w, c: (y.register_hook(lambda g: g * c), y.register_hook(lambda g: g + c.sin())),
    "what is differentiated": lambda y, a, w, c: y.register_hook(lambda g: g * w),
    "the example": lambda y, a, w, c: y.register_hook(lambda g: g * a * c),
    "itself": lambda y, a, w, c: y.register_hook(lambda g: g * y * c),
    "a product": lambda y, a, w, c: y.register_hook(lambda g: retrograd.outer(g, c).sum(0) * g),
    "a branch": lambda y, a, w, c: y.register_hook(lambda g: g if g.ndim else c),
    "a node": lambda y, a, w, c: y.grad_fn.register_hook(of_parts(lambda g: g * c)),
    "before a node": lambda y, a, w, c: y.grad_fn.register_prehook(of_parts(lambda g: g * c)),
    "outside": lambda y, a, w, c: w.register_hook(lambda g: g * c),
    "several": lambda y, a, w, c: retrograd.autograd.graph.register_multi_grad_hook((y,), lambda gs: None),
}  # fmt: skip
ONCE = ("outside",)  # once for the batch, and once for each example without one
ENDS = {
    "squares": lambda y, c: (y**2).sum(),
    "the sum": lambda y, c: y.sum(),
    "written": lambda y, c: y.mul_(2.0).sin().sum(),
    "shared": lambda y, c: (y * c).exp().sum(),
}


def function(hook: str, end: str, w: Any, c: Any) -> Callable[[Any], Any]:
    def of_one(a: Any) -> Any:
        y = a * w
        HOOKS[hook](y, a, w, c)
        return ENDS[end](y, c)

    return of_one


def derivatives(mapped: Callable[..., Any], hook: str, end: str, x: Any = X) -> list[Any]:
    """The gradients of first and second order."""
    x, w, c = (retrograd.tensor(v, dtype=retrograd.float64, requires_grad=True) for v in (x, W, C))
    made = mapped(function(hook, end, w, c), x)
    first = retrograd.autograd.grad(made.sum(), (x, w), create_graph=True)
    again = sum((g * g).sum() for g in first)
    found = [*first]
    if again.requires_grad:
        found += retrograd.autograd.grad(again, (x, w, c), materialize_grads=True)
    return [g.detach() for g in found]


def looped(function: Any, x: Any) -> Any:
    return retrograd.stack([function(one) for one in x])


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("hook", [hook for hook in HOOKS if hook not in ONCE])
def test_second_order(hook: str, end: str) -> None:
    found = derivatives(lambda f, x: retrograd.vmap(f)(x), hook, end)
    wanted = derivatives(looped, hook, end)
    assert all(close(a, b, 1e-10) for a, b in zip(found, wanted, strict=True))


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("hook", ONCE)
def test_hooks_of_what_is_shared(hook: str, end: str) -> None:
    """One batch is one call: as of a function that is called once, whose examples are summed."""
    found = derivatives(lambda f, x: retrograd.vmap(f)(x), hook, end)
    wanted = derivatives(lambda f, x: f(x), hook, end)
    assert all(close(a, b, 1e-10) for a, b in zip(found, wanted, strict=True))


@pytest.mark.parametrize("hook", [hook for hook in HOOKS if hook not in ONCE])
def test_batches_in_batches(hook: str) -> None:
    x = [X, [[0.5, -0.5], [1.5, 1.0], [0.0, 2.0]]]
    found = derivatives(lambda f, x: retrograd.vmap(retrograd.vmap(f))(x), hook, "squares", x)
    wanted = derivatives(lambda f, x: looped(lambda rows: looped(f, rows), x), hook, "squares", x)
    assert all(close(a, b, 1e-10) for a, b in zip(found, wanted, strict=True))


@pytest.mark.parametrize("hook", ["a tensor", "the example", "a node", "before a node"])
def test_cotangents_in_batches(hook: str) -> None:
    found = []
    for mapped in (looped, lambda f, x: retrograd.vmap(f)(x)):
        x, w, c = (
            retrograd.tensor(v, dtype=retrograd.float64, requires_grad=True) for v in (X, W, C)
        )
        made = mapped(function(hook, "squares", w, c), x)
        (rows,) = retrograd.autograd.grad(
            made,
            x,
            retrograd.eye(3, dtype=retrograd.float64),
            is_grads_batched=True,
            create_graph=True,
        )
        found.append([rows, *retrograd.autograd.grad((rows**2).sum(), (x, w, c))])
    assert all(close(a, b, 1e-10) for a, b in zip(*found, strict=True))


STRAY = "vmap: a gradient of single examples leaves its batch"


@pytest.mark.parametrize("stores", [False, True])
def test_hooks_after_the_batch(stores: bool) -> None:
    """Nobody knows by then which batch it was: refused, unless the hook reads nothing that all share."""
    x, w, c = (retrograd.tensor(v, requires_grad=True) for v in (X, W, C))
    inside: list[Any] = []

    def of_one(a: Any) -> Any:
        inside.append(a * w)
        return (inside[-1] ** 2).sum()

    made = retrograd.vmap(of_one)(x)
    inside[0].register_hook(lambda g: g * c)
    first = retrograd.autograd.grad(made.sum(), (x, w), create_graph=True)
    again = sum((g**2).sum() for g in first)
    with raises(RuntimeError, STRAY):
        again.backward(inputs=(c,)) if stores else retrograd.autograd.grad(again, c)
    assert c.grad is None
