"""Who takes part: a problem and its arguments in, a call that gives value and gradients out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks import THREADS
from benchmarks.problem import Problem, peer

__all__ = ["BACKENDS", "CONTENDERS", "OURS", "PEERS", "TRACED", "Absent", "Contender", "Prepare"]

Contender = Callable[[], tuple[Any, tuple[Any, ...]]]
Prepare = Callable[[Problem, tuple[Any, ...]], Contender]


class Absent(Exception):
    """A contender has no part in a problem, for a reason that is no failure."""


def plain(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
    """The function itself, no gradient."""
    return lambda: (problem.function(*arguments), ())


def hand_written(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
    """The floor."""
    return lambda: problem.hand_written(*arguments)


def hand_tuned(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
    """The same numbers by another layout or algorithm."""
    tuned = problem.hand_tuned
    if tuned is None:
        raise Absent("no such form")
    return lambda: tuned(*arguments)


def retrograd(problem: Problem, arguments: tuple[Any, ...], **options: Any) -> Contender:
    """Value and gradient, specialised at the first call."""
    import retrograd as rg

    if problem.jacobian:
        if set(options) - {"backend"}:
            raise Absent("Jacobians have no text for large arrays")
        jacobian = rg.jacobian(problem.function, wrt=problem.wrt, **options)
        return lambda: (None, jacobian(*arguments))
    compiled = rg.value_and_grad(problem.function, wrt=problem.wrt, **options)
    return lambda: compiled(*arguments)


def retrograd_grad(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
    """The gradient alone; the value comes from the function when results are compared."""
    import retrograd as rg

    if problem.jacobian:
        raise Absent("the Jacobian comes without the value anyway")
    compiled = rg.grad(problem.function, wrt=problem.wrt)
    return lambda: (None, compiled(*arguments))


def with_options(**options: Any) -> Prepare:
    """Retrograd with options."""
    return lambda problem, arguments: retrograd(problem, arguments, **options)


def autograd(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
    """HIPS autograd."""
    if problem.jacobian:
        one = [peer("autograd").jacobian(problem.in_autograd(), k) for k in problem.wrt]
        return lambda: (None, tuple(jacobian(*arguments) for jacobian in one))
    compiled = peer("autograd").value_and_grad(problem.in_autograd(), problem.wrt)
    return lambda: compiled(*arguments)


def jax(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
    """jax.jit in double precision; arguments are jax arrays, and the call waits for its results."""
    return jitted(problem, problem.in_jax(), arguments)


def jax_expert(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
    """The same, of the text that somebody writes who has measured."""
    if problem.jax_expert is None:
        raise Absent("no such form")
    return jitted(problem, problem.jax_expert(), arguments)


def jitted(problem: Problem, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Contender:
    jax = peer("jax")
    jax.config.update("jax_enable_x64", True)
    static = tuple(i for i, x in enumerate(arguments) if isinstance(x, int))
    given = [x if isinstance(x, int) else jax.numpy.asarray(x) for x in arguments]
    if problem.jacobian:
        jacobian = jax.jit(jax.jacrev(function, problem.wrt), static_argnums=static)
        return lambda: (None, jax.block_until_ready(jacobian(*given)))
    compiled = jax.jit(jax.value_and_grad(function, problem.wrt), static_argnums=static)
    return lambda: jax.block_until_ready(compiled(*given))


def tensors(arguments: tuple[Any, ...]) -> list[Any]:
    """The arguments as PyTorch has them, and its threads."""
    torch = peer("torch")
    torch.set_num_threads(THREADS)
    return [x if isinstance(x, int) else torch.tensor(x, dtype=torch.float64) for x in arguments]


def torch(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
    """PyTorch, eager."""
    given = tensors(arguments)
    torch = peer("torch")
    function = problem.in_torch()
    if problem.jacobian:
        jacobian = torch.func.jacrev(function, problem.wrt)
        return lambda: (None, jacobian(*given))
    leaves = [given[i].requires_grad_() for i in problem.wrt]

    def run() -> tuple[Any, tuple[Any, ...]]:
        value = function(*given)
        return value.detach(), torch.autograd.grad(value, leaves)

    return run


def torch_compile(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
    """``torch.compile`` of ``torch.func.grad_and_value``, which was faster than of the function."""
    if problem.serial:
        raise Absent("torch.compile unrolls loops")
    given = tensors(arguments)
    torch = peer("torch")
    torch.compiler.reset()  # it gives up compiling what it has compiled several times: one problem is one size
    if problem.jacobian:
        jacobian = torch.compile(torch.func.jacrev(problem.in_torch(), problem.wrt))
        return lambda: (None, jacobian(*given))
    compiled = torch.compile(torch.func.grad_and_value(problem.in_torch(), problem.wrt))

    def run() -> tuple[Any, tuple[Any, ...]]:
        gradients, value = compiled(*given)
        return value, gradients

    return run


PEERS: dict[str, Prepare] = {
    "autograd": autograd,
    "jax.jit": jax,
    "jax expert": jax_expert,
    "torch": torch,
    "torch.compile": torch_compile,
}
BACKENDS: dict[str, Prepare] = {
    "retrograd large": with_options(optimize=2),
    "retrograd c": with_options(backend="c"),
    "retrograd numba": with_options(backend="numba"),
}
CONTENDERS: dict[str, Prepare] = {
    "function": plain,
    "hand-written": hand_written,
    "hand-tuned": hand_tuned,
    "retrograd": retrograd,
    "retrograd grad": retrograd_grad,
    **BACKENDS,
    **PEERS,
}
OURS = ("retrograd", "retrograd grad", *BACKENDS)
# What allocates through Python, so that tracemalloc sees it all.
TRACED = ("function", "hand-written", "hand-tuned", *OURS, "autograd")
