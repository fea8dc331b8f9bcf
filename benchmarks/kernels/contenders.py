"""Who is timed on a kernel: the function, ours, and the peers; what is written to is put back before each call."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import retrograd as rg
from benchmarks import contenders as usual
from benchmarks.contenders import Absent, Contender, Prepare
from benchmarks.kernels.kernel import Kernel
from benchmarks.kernels.time_limit import at_most
from benchmarks.problem import Problem, peer

__all__ = ["CONTENDERS", "FIRST_CALL_SECONDS", "OURS", "PEERS", "KernelProblem", "problem_of"]

FIRST_CALL_SECONDS = 40  # of whoever compiles; who has no result then takes no part


@dataclass(frozen=True)
class KernelProblem(Problem):
    """A kernel in one of its sizes, as the other benchmarks have their problems."""

    written: tuple[int, ...] = ()


def problem_of(kernel: Kernel, size: str) -> KernelProblem:
    """The gradient to compare with is that of the NumPy text, which is graded by itself."""
    return KernelProblem(
        name=f"{kernel.name}-{size}",
        family=kernel.name,
        size=size,
        function=kernel.loss,
        wrt=kernel.wrt,
        written=kernel.written,
        arguments=lambda seed: kernel.made(size, seed),
        hand_written=lambda *given: rg.value_and_grad(kernel.loss, kernel.wrt)(
            *(x.copy() if i in kernel.written else x for i, x in enumerate(given))
        ),
        in_autograd=lambda: in_autograd(kernel),
        in_jax=lambda: in_jax(kernel),
        in_torch=lambda: None,
    )


def in_jax(kernel: Kernel) -> Callable[..., Any]:
    if kernel.without_jax:
        raise Absent(kernel.without_jax)
    return getattr(
        importlib.import_module(f"benchmarks.kernels.in_jax.{kernel.group}"), kernel.name
    )  # type: ignore[no-any-return]


def in_autograd(kernel: Kernel) -> Callable[..., Any]:
    """The same text, where autograd's NumPy is ``np``: it takes what does not write."""
    numpy = peer("autograd.numpy")
    name = f"{kernel.loss.__module__}_in_autograd"
    if name not in sys.modules:
        spec = importlib.util.find_spec(kernel.loss.__module__)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        vars(module).update(np=numpy, total=numpy.sum)
        sys.modules[name] = module
    return getattr(sys.modules[name], kernel.loss.__name__)  # type: ignore[no-any-return]


def restoring(problem: Problem, arguments: tuple[Any, ...], call: Callable[..., Any]) -> Contender:
    """A call that finds the arguments as they were: what it writes to is put back first."""
    assert isinstance(problem, KernelProblem)
    own = list(arguments)
    pairs = []
    for i in problem.written:
        own[i] = arguments[i].copy()
        pairs.append((own[i], arguments[i]))
    copyto = np.copyto

    def run() -> Any:
        for mine, fresh in pairs:
            copyto(mine, fresh)
        return call(*own)

    return run if pairs else lambda: call(*arguments)


def function(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
    """The loss itself, no gradient."""
    return restoring(problem, arguments, lambda *given: (problem.function(*given), ()))


def ours(**options: Any) -> Prepare:
    """Value and gradient, specialised at the first call."""

    def prepare(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
        compiled = rg.value_and_grad(problem.function, wrt=problem.wrt, **options)
        return restoring(problem, arguments, compiled)

    return prepare


def bounded(prepare: Prepare) -> Prepare:
    """With a first call that comes back."""

    def bounding(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
        def first() -> tuple[Contender, Any]:
            run = prepare(problem, arguments)
            return run, run()

        run, result = at_most(FIRST_CALL_SECONDS, first)
        kept = [result]  # the caller's first call was this one
        return lambda: kept.pop() if kept else run()

    return bounding


OURS = ("retrograd", "retrograd c", "retrograd numba")
PEERS = ("autograd", "jax.jit")
CONTENDERS: dict[str, Prepare] = {
    "function": function,
    "retrograd": bounded(ours()),
    "retrograd c": bounded(ours(backend="c")),
    "retrograd numba": bounded(ours(backend="numba")),
    "autograd": bounded(usual.autograd),
    "jax.jit": bounded(usual.jax),
}
