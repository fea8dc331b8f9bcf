"""Who takes part on the device: the same problems on arrays of CuPy, tensors of PyTorch's and arrays of JAX's there.

A call ends when the device has ended: everybody is waited for.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.contenders import Absent, Contender, Prepare, jitted, retrograd
from benchmarks.problem import Problem, peer
from retrograd.runtime.arrays.libraries import cupy
from retrograd.runtime.device.namespaces import on_device
from retrograd.runtime.objects.copied_functions import Copies

__all__ = ["CONTENDERS", "OURS", "there"]


def there(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of a problem's as somebody writes it for CuPy: NumPy's and SciPy's functions are CuPy's."""
    assert isinstance(function, types.FunctionType)
    return Copies(on_device, (function.__module__,)).copy(function)


def moved(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(cupy().asarray(x) if isinstance(x, np.ndarray) else x for x in arguments)


def waited(run: Contender) -> Contender:
    """Until the device has done what it was told."""
    device = cupy().cuda.Device()

    def call() -> tuple[Any, tuple[Any, ...]]:
        result = run()
        device.synchronize()
        return result

    return call


def plain(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
    function, given = there(problem.function), moved(arguments)
    return waited(lambda: (function(*given), ()))


def hand_written(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
    function, given = there(problem.hand_written), moved(arguments)
    return waited(lambda: function(*given))


def ours(**options: Any) -> Prepare:
    """Retrograd with options."""
    return lambda problem, arguments: waited(retrograd(problem, moved(arguments), **options))


def jax(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
    """``jax.jit`` on its first GPU."""
    jax = peer("jax")
    if jax.default_backend() != "gpu":
        raise Absent("JAX has no GPU here")
    return jitted(problem, problem.in_jax(), arguments)


def tensors(arguments: tuple[Any, ...]) -> list[Any]:
    torch = peer("torch")
    if not torch.cuda.is_available():
        raise Absent("PyTorch has no GPU here")
    return [
        torch.tensor(x, dtype=torch.float64, device="cuda") if isinstance(x, np.ndarray) else x
        for x in arguments
    ]


def torch(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
    """PyTorch, eager."""
    given, torch = tensors(arguments), peer("torch")
    function = problem.in_torch()
    if problem.jacobian:
        jacobian = torch.func.jacrev(function, problem.wrt)
        return finished(lambda: (None, jacobian(*given)))
    leaves = [given[i].requires_grad_() for i in problem.wrt]

    def run() -> tuple[Any, tuple[Any, ...]]:
        value = function(*given)
        return value.detach(), torch.autograd.grad(value, leaves)

    return finished(run)


def torch_compile(problem: Problem, arguments: tuple[Any, ...]) -> Contender:
    """``torch.compile`` of ``torch.func.grad_and_value``."""
    if problem.serial:
        raise Absent("torch.compile unrolls loops")
    given, torch = tensors(arguments), peer("torch")
    torch.compiler.reset()
    if problem.jacobian:
        jacobian = torch.compile(torch.func.jacrev(problem.in_torch(), problem.wrt))
        return finished(lambda: (None, jacobian(*given)))
    compiled = torch.compile(torch.func.grad_and_value(problem.in_torch(), problem.wrt))
    return finished(lambda: compiled(*given)[::-1])


def finished(run: Contender) -> Contender:
    """PyTorch's streams are its own."""
    synchronize = peer("torch").cuda.synchronize

    def call() -> tuple[Any, tuple[Any, ...]]:
        result = run()
        synchronize()
        return result

    return call


CONTENDERS: dict[str, Prepare] = {
    "function": plain,
    "hand-written": hand_written,
    "retrograd": ours(),
    "retrograd cuda": ours(backend="cuda"),
    "jax.jit": jax,
    "torch": torch,
    "torch.compile": torch_compile,
}
OURS = ("retrograd", "retrograd cuda")
