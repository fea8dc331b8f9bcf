"""Whole Jacobians and Hessians, a column or a row at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from retrograd.compiler.places import Place
from retrograd.runtime.errors import NotDifferentiable, SignatureMismatch

from .transforms import Wrt, chain_arguments, chain_of, chain_value, grad, pulled, pushed
from .trees import basis, flatten, map_leaves

__all__ = ["hessian", "jacobian"]


def jacobian(f: Callable[..., Any], wrt: Wrt = 0, mode: str | None = None) -> Callable[..., Any]:
    """The derivative of every result by every argument: output shape + input shape.

    ``mode``: forward (a column at a time) or reverse (a row); by default the fewer.

    >>> def powers(x):
    ...     return np.stack([x, x * x])
    >>> jacobian(powers)(3.0)
    array([1., 6.])
    """
    if mode not in (None, "forward", "reverse"):
        raise SignatureMismatch(f"mode is 'forward', 'reverse' or None, not {mode!r}")
    chain = chain_of(f)
    positions, single = chain.positions(wrt)

    def jacobian_at(*args: Any, **kwargs: Any) -> Any:
        full = chain.bind(args, kwargs) if kwargs else chain_arguments(chain, args)
        value = chain_value(chain, full)
        inputs = [place.of(full) for place in positions]
        check_real(chain, inputs)
        chosen = mode or cheaper(inputs, value)
        if is_complex(value):
            check_forward(chain, mode)
            chosen = "forward"
        if chosen == "forward":
            blocks = columns(chain, full, positions)
        else:
            blocks = rows(chain, full, positions, value)
        return assemble(value, inputs, blocks, single)

    jacobian_at.__columns__ = True  # type: ignore[attr-defined]
    return jacobian_at


def is_complex(tree: Any) -> bool:
    return any(np.iscomplexobj(leaf) for leaf in flatten(tree)[0])


def check_real(chain: Any, inputs: list[Any]) -> None:
    """A function of a complex number has two derivatives there, and no single matrix holds both."""
    if is_complex(inputs):
        raise NotDifferentiable(
            f"jacobian of {chain.name} with respect to a complex argument",
            fix="make it a function of the real and the imaginary part, or use rg.jvp and rg.vjp",
        )


def check_forward(chain: Any, mode: str | None) -> None:
    """Rows are real inner products: they would show the real parts of complex results only."""
    if mode == "reverse":
        raise NotDifferentiable(
            f"jacobian of {chain.name} in reverse mode: a result is complex",
            fix="leave mode out, or use mode='forward'",
        )


def cheaper(inputs: Any, value: Any) -> str:
    sizes = [sum(np.size(v) for v in flatten(tree)[0]) for tree in (inputs, value)]
    return "forward" if sizes[0] <= sizes[1] else "reverse"


def columns(chain: Any, full: list[Any], places: tuple[Place, ...]) -> dict[Any, Any]:
    """Blocks (result leaf, argument, argument leaf) from one tangent per entry."""
    blocks: dict[Any, Any] = {}
    for at, place in enumerate(places):
        x = place.of(full)
        for leaf, index, direction in basis(x):
            dots, _ = flatten(pushed(chain, full, [place], [direction])[1])
            shape = np.shape(flatten(x)[0][leaf])
            for result, dot in enumerate(dots):
                block = blocks.setdefault((result, at, leaf), empty(dot, np.shape(dot) + shape))
                block[(..., *index)] = dot
    return blocks


def rows(chain: Any, full: list[Any], places: tuple[Place, ...], value: Any) -> dict[Any, Any]:
    """The same blocks from one cotangent per entry."""
    blocks: dict[Any, Any] = {}
    _, pullback = pulled(chain, full, places)
    for result, index, direction in basis(value):
        for at, bar in enumerate(pullback(direction)):
            for leaf, c in enumerate(flatten(bar)[0]):
                shape = np.shape(flatten(value)[0][result])
                block = blocks.setdefault((result, at, leaf), empty(c, shape + np.shape(c)))
                block[index] = c
    return blocks


def empty(like: Any, shape: tuple[int, ...]) -> Any:
    return np.zeros(shape, np.result_type(np.asarray(like).dtype, np.float16))


def assemble(value: Any, inputs: list[Any], blocks: dict[Any, Any], single: bool) -> Any:
    """Blocks in the containers of the result, and inside them those of the arguments."""
    results = iter(range(10**9))

    def block(out: Any, x: Any, key: tuple[int, int, int]) -> Any:
        made = blocks[key] if key in blocks else empty(x, np.shape(out) + np.shape(x))
        return scalar(made)

    def for_leaf(out: Any, result: int, at: int, leaf: Iterator[int], v: Any) -> Any:
        return block(out, v, (result, at, next(leaf)))

    def for_result(out: Any) -> Any:
        result = next(results)
        whole = []
        for at, tree in enumerate(inputs):
            whole.append(map_leaves(partial(for_leaf, out, result, at, iter(range(10**9))), tree))
        return whole[0] if single else tuple(whole)

    return map_leaves(for_result, value)


def scalar(block: Any) -> Any:
    return block[()] if block.ndim == 0 else block


def hessian(f: Callable[..., Any], wrt: Wrt = 0) -> Callable[..., Any]:
    """Second derivatives of a scalar function: forward over reverse.

    >>> def loss(x):
    ...     return np.sum(x ** 3)
    >>> hessian(loss)(np.array([1.0, 2.0]))
    array([[ 6.,  0.],
           [ 0., 12.]])
    """
    return jacobian(grad(f, wrt), wrt, mode="forward")
