"""`rg.pytensor`: functions of NumPy arrays in PyTensor's graphs, so in PyMC's models, with their gradients."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import pytensor.tensor as pt
from pytensor.gradient import DisconnectedType
from pytensor.graph.basic import Apply, Variable
from pytensor.graph.op import Op
from pytensor.tensor.type import TensorType

import retrograd as rg

from .remembered import Remembered

__all__ = ["NumPyOp", "op"]


def op(f: Callable[..., Any], result: Any = 0, *, backend: str | None = None) -> NumPyOp:
    """A function of arrays as an operation of PyTensor's, of which gradients of every order are known.

    ``result``: the number of dimensions of what it returns, a number by default, or a `TensorType`; a tuple of these
    for a function that returns several.  ``backend`` is as in `retrograd.grad`.

    >>> def log_likelihood(theta, data):
    ...     return -0.5 * np.sum((data - theta) ** 2)
    >>> theta = pt.dscalar("theta")
    >>> slope = pt.grad(op(log_likelihood)(theta, np.array([1.0, 2.0])), theta)
    >>> float(slope.eval({theta: 0.0}, mode="FAST_COMPILE"))
    3.0
    """
    single = not isinstance(result, tuple)
    return NumPyOp(f, tuple(map(type_of, (result,) if single else result)), single, backend)


def type_of(result: Any) -> TensorType:
    return TensorType("float64", (None,) * result) if isinstance(result, int) else result


class NumPyOp(Op):
    """What `op` makes."""

    __props__: tuple[str, ...] = ("f", "results", "single", "backend")

    def __init__(
        self,
        f: Callable[..., Any],
        results: tuple[TensorType, ...],
        single: bool,
        backend: str | None,
    ) -> None:
        self.f, self.results, self.single, self.backend = f, results, single, backend
        self.wrt: tuple[int, ...] | None = None  # what its gradient was last asked by

    def __reduce__(self) -> Any:
        return type(self), tuple(getattr(self, name) for name in self.__props__)

    def __str__(self) -> str:
        return f"{type(self).__name__}({getattr(self.f, '__name__', self.f)})"

    def make_node(self, *inputs: Any) -> Apply:
        return Apply(self, list(map(pt.as_tensor_variable, inputs)), [t() for t in self.results])

    def value(self, args: tuple[Any, ...]) -> Any:
        if self.wrt is None:
            return self.f(*args)
        return together(self.f, self.wrt, self.backend).value(args)

    def perform(self, node: Apply, inputs: list[Any], outputs: list[list[Any]]) -> None:
        found = self.value(tuple(map(given, inputs)))
        for storage, x, kind in zip(
            outputs, (found,) if self.single else found, self.results, strict=True
        ):
            storage[0] = np.asarray(x, dtype=kind.dtype)

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        return [[has_derivative(x)] * len(self.results) for x in node.inputs]

    def pullback(
        self, inputs: list[Variable], outputs: list[Variable], output_grads: list[Variable]
    ) -> list[Variable]:
        wrt = tuple(i for i, x in enumerate(inputs) if has_derivative(x))
        kinds = tuple(inputs[i].type for i in wrt)
        if self.single and self.results[0].ndim == 0:
            self.wrt = wrt
            slopes = GradientOp(self.f, wrt, kinds, self.backend)(*inputs, return_list=True)
            found = [output_grads[0] * x for x in slopes]
        else:
            cotangents = [
                pt.zeros_like(x) if isinstance(c.type, DisconnectedType) else c
                for x, c in zip(outputs, output_grads, strict=True)
            ]
            pull = PullOp(self.f, wrt, len(inputs), self.single, kinds, self.backend)
            found = pull(*inputs, *cotangents, return_list=True)
        by_input = dict(zip(wrt, found, strict=True))
        return [by_input.get(i, DisconnectedType()()) for i in range(len(inputs))]

    L_op = pullback  # as it was called before


class GradientOp(NumPyOp):
    """The gradient of a number: found with the value, where both are asked for at one place."""

    __props__: tuple[str, ...] = ("of", "by", "results", "backend")

    def __init__(
        self,
        of: Callable[..., Any],
        by: tuple[int, ...],
        results: tuple[TensorType, ...],
        backend: str | None,
    ) -> None:
        super().__init__(gradient_of(of, by), results, False, backend)
        self.of, self.by = of, by

    def value(self, args: tuple[Any, ...]) -> Any:
        return together(self.of, self.by, self.backend).gradient(args)


class PullOp(NumPyOp):
    """The gradients of arrays: of the inputs and, after them, the cotangents."""

    __props__: tuple[str, ...] = ("of", "by", "count", "of_single", "results", "backend")

    def __init__(
        self,
        of: Callable[..., Any],
        by: tuple[int, ...],
        count: int,
        of_single: bool,
        results: tuple[TensorType, ...],
        backend: str | None,
    ) -> None:
        super().__init__(back_of(of, by, count, of_single, backend), results, False, backend)
        self.of, self.by, self.count, self.of_single = of, by, count, of_single


# What is equal must be one function: PyTensor merges operations by it.


@lru_cache(maxsize=512)
def gradient_of(f: Callable[..., Any], wrt: tuple[int, ...]) -> Callable[..., Any]:
    def gradient(*args: Any) -> Any:
        return rg.grad(f, wrt)(*args)

    return gradient


@lru_cache(maxsize=512)
def back_of(
    f: Callable[..., Any], wrt: tuple[int, ...], count: int, single: bool, backend: str | None
) -> Callable[..., Any]:
    """``(*args, *cotangents)`` to the gradients."""

    def back(*inputs: Any) -> Any:
        args, cotangents = inputs[:count], inputs[count:]
        return rg.vjp(f, *args, wrt=wrt)[1](cotangents[0] if single else cotangents)

    return back


@lru_cache(maxsize=512)
def together(f: Callable[..., Any], wrt: tuple[int, ...], backend: str | None) -> Remembered:
    both = rg.value_and_grad(f, wrt, backend=backend)
    gradient = rg.grad(f, wrt, backend=backend)
    return Remembered(lambda args: f(*args), lambda args: both(*args), lambda args: gradient(*args))


def has_derivative(x: Variable) -> bool:
    return bool(np.issubdtype(x.type.dtype, np.inexact))


def given(x: Any) -> Any:
    """An input as the function gets it: a number if it has no dimensions, and else an array that is not written to."""
    if np.ndim(x) == 0:
        return x[()]
    seen = x.view()
    seen.flags.writeable = False
    return seen
