"""What a benchmark problem is: one function in several sizes, and its forms for the peers."""

from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from retrograd.runtime.arrays.transfers import on_host

__all__ = ["SIZES", "Problem", "over", "peer", "same", "sized"]

SIZES = ("tiny", "small", "medium", "large", "huge")


@dataclass(frozen=True)
class Problem:
    """A function, where to differentiate it, the adjoint an expert writes, and the peers' texts.

    ``hand_written(*arguments)`` gives ``(value, gradients)``; ``in_autograd``, ``in_jax`` and
    ``in_torch`` import their peer and give the function in its language, in the form that suits it.
    The first is the adjoint of the function as it is written, step by step, every value computed
    once, with NumPy's fastest calls; ``hand_tuned`` also uses closed forms that hold for the data,
    other layouts and buffers written in place.  ``jax_expert`` is JAX as somebody writes it who
    has measured, where that is another text.

    With ``jacobian`` the function has an array as its result, and every contender gives its
    Jacobian.  ``serial`` are long loops, which ``torch.compile`` would unroll.
    """

    name: str
    function: Callable[..., Any]
    wrt: tuple[int, ...]
    arguments: Callable[..., tuple[Any, ...]]
    hand_written: Callable[..., tuple[Any, tuple[Any, ...]]]
    in_autograd: Callable[[], Callable[..., Any]]
    in_jax: Callable[[], Callable[..., Any]]
    in_torch: Callable[[], Callable[..., Any]]
    hand_tuned: Callable[..., tuple[Any, tuple[Any, ...]]] | None = None
    jax_expert: Callable[[], Callable[..., Any]] | None = None
    jacobian: bool = False
    serial: bool = False
    size: str = "tiny"
    family: str = ""


def sized(problem: Problem, **sizes: int | tuple[int, ...]) -> list[Problem]:
    """The problem in each of its sizes, which ``arguments`` takes after the seed.

    >>> made = Problem("ones", sum, (0,), lambda seed, m, n: ([1.0] * m * n,), *[sum] * 4)
    >>> [(p.name, p.size, len(p.arguments(0)[0])) for p in sized(made, tiny=(2, 3), small=(4, 5))]
    [('ones-2x3', 'tiny', 6), ('ones-4x5', 'small', 20)]
    """
    assert set(sizes) <= set(SIZES), sizes
    made = []
    for label, size in sizes.items():
        given = size if isinstance(size, tuple) else (size,)
        made.append(
            replace(
                problem,
                name=f"{problem.name}-{'x'.join(map(str, given))}",
                family=problem.name,
                size=label,
                arguments=lambda seed, given=given: problem.arguments(seed, *given),
            )
        )
    return made


def over(numpy: Any, function: Callable[..., Any], **others: Any) -> Callable[..., Any]:
    """The same code, with another module under the name ``np`` (and others under theirs).

    >>> import types
    >>> def double(x):
    ...     return np.double(x)
    >>> over(types.SimpleNamespace(double=lambda x: 2 * x), double)(3)
    6
    """
    assert isinstance(function, types.FunctionType)
    name = f"{function.__module__}.{function.__name__}_{getattr(numpy, '__name__', '')}"
    module = types.ModuleType(name)  # torch.compile looks globals up in the module of that name
    vars(module).update(function.__globals__)
    vars(module).update(others, np=numpy, stop_gradient=constant_in(numpy), __name__=name)
    sys.modules[name] = module
    code, defaults = function.__code__, function.__defaults__
    return types.FunctionType(code, vars(module), function.__name__, defaults)


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
        for a, b in ((fetched(x), fetched(y)) for x, y in pairs)
    )


def fetched(x: Any) -> Any:
    """A result of whoever, on the host."""
    if getattr(x, "is_cuda", False):
        return x.detach().cpu().numpy()
    return on_host(x)
