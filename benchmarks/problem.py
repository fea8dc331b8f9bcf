"""What a benchmark problem is, and how the same function is given to each peer."""

from __future__ import annotations

import importlib
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Contender", "Problem", "contenders", "over", "peer", "same"]

Contender = Callable[[], tuple[Any, tuple[Any, ...]]]


@dataclass(frozen=True)
class Problem:
    """A function, where to differentiate it, the adjoint an expert writes, and the peers' texts.

    ``hand_written(*arguments)`` gives ``(value, gradients)``; ``in_autograd``, ``in_jax`` and
    ``in_torch`` import their peer and give the function in its language.  The first is the
    adjoint of the function as it is written, step by step, every value computed once, with NumPy's
    fastest calls; ``hand_tuned`` also uses closed forms that hold for the data, other layouts and
    buffers written in place.
    """

    name: str
    function: Callable[..., Any]
    wrt: tuple[int, ...]
    arguments: Callable[[int], tuple[Any, ...]]
    hand_written: Callable[..., tuple[Any, tuple[Any, ...]]]
    in_autograd: Callable[[], Callable[..., Any]]
    in_jax: Callable[[], Callable[..., Any]]
    in_torch: Callable[[], Callable[..., Any]]
    hand_tuned: Callable[..., tuple[Any, tuple[Any, ...]]] | None = None


def over(numpy: Any, function: Callable[..., Any]) -> Callable[..., Any]:
    """The same code, with another module under the name ``np``.

    >>> import types
    >>> def double(x):
    ...     return np.double(x)
    >>> over(types.SimpleNamespace(double=lambda x: 2 * x), double)(3)
    6
    """
    assert isinstance(function, types.FunctionType)
    names = {**function.__globals__, "np": numpy, "stop_gradient": constant_in(numpy)}
    return types.FunctionType(function.__code__, names, function.__name__, function.__defaults__)


def constant_in(numpy: Any) -> Callable[[Any], Any]:
    """A peer's way to take a value as a constant."""
    name = getattr(numpy, "__name__", "")
    if name.startswith("jax"):
        return importlib.import_module("jax").lax.stop_gradient  # type: ignore[no-any-return]
    if name.startswith("autograd"):
        return importlib.import_module("autograd.tracer").getval  # type: ignore[no-any-return]
    return lambda x: x


def peer(name: str) -> Any:
    """A module that need not be installed."""
    return importlib.import_module(name)


def same(found: Any, wanted: Any, tolerance: float = 1e-7) -> bool:
    """Whether (value, gradients) agree, each gradient relative to its largest entry."""
    pairs = zip((found[0], *found[1]), (wanted[0], *wanted[1]), strict=True)
    return all(
        np.shape(a) == np.shape(b)
        and np.max(np.abs(np.asarray(a) - b)) <= tolerance * (1e-12 + np.max(np.abs(b)))
        for a, b in pairs
    )


def retrograd(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
    """Value and gradient, specialised at the first call."""
    import retrograd as rg

    compiled = rg.value_and_grad(problem.function, wrt=problem.wrt)
    return lambda: compiled(*arguments)


def retrograd_grad(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
    """The gradient alone; the value comes from the function when results are compared."""
    import retrograd as rg

    compiled = rg.grad(problem.function, wrt=problem.wrt)
    return lambda: (None, compiled(*arguments))


def autograd(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
    """HIPS autograd."""
    compiled = peer("autograd").value_and_grad(problem.in_autograd(), problem.wrt)
    return lambda: compiled(*arguments)


def jax(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
    """jax.jit in double precision; arguments are jax arrays, and the call waits for its results."""
    jax = peer("jax")
    jax.config.update("jax_enable_x64", True)
    function = problem.in_jax()
    static = tuple(i for i, x in enumerate(arguments) if isinstance(x, int))
    compiled = jax.jit(jax.value_and_grad(function, problem.wrt), static_argnums=static)
    given = [x if isinstance(x, int) else jax.numpy.asarray(x) for x in arguments]
    return lambda: jax.block_until_ready(compiled(*given))


def torch(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
    """PyTorch, eager."""
    torch = peer("torch")
    torch.set_num_threads(1)
    function = problem.in_torch()
    given: list[Any] = [
        x if isinstance(x, int) else torch.tensor(x, dtype=torch.float64) for x in arguments
    ]
    leaves = [given[i].requires_grad_() for i in problem.wrt]

    def run() -> tuple[Any, tuple[Any, ...]]:
        value = function(*given)
        return value.detach(), torch.autograd.grad(value, leaves)

    return run


def plain(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
    """The function itself, no gradient: what times are divided by."""
    return lambda: (problem.function(*arguments), ())


def hand_written(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
    """The floor."""
    return lambda: problem.hand_written(*arguments)


def hand_tuned(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
    """Below the floor, by another layout or algorithm."""
    assert problem.hand_tuned is not None
    tuned = problem.hand_tuned
    return lambda: tuned(*arguments)


contenders: dict[str, Callable[[Problem, tuple[Any, ...]], Contender]] = {
    "function": plain,
    "hand-written": hand_written,
    "hand-tuned": hand_tuned,
    "retrograd": retrograd,
    "retrograd grad": retrograd_grad,
    "autograd": autograd,
    "jax.jit": jax,
    "torch": torch,
}
