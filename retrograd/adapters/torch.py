"""`rg.torch`: functions of NumPy arrays between PyTorch's tensors."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

import retrograd as rg
from retrograd.runtime.arrays.libraries import cupy, is_cupy
from retrograd.runtime.errors import CompileError, SignatureMismatch, UnsupportedOperation
from retrograd.runtime.objects.pytree import at, flatten, is_float, leaves, map_leaves, map_paths

from .pulled import pulled, pushed

__all__ = ["wrap"]


def wrap(f: Callable[..., Any], *, backend: str | None = None) -> Callable[..., Any]:
    """A function of arrays as a function of tensors, whose derivative autograd knows.

    Tensors may stand in containers; memory is shared, not copied, in both directions, on the device too (CuPy's
    arrays).  So arrays cannot be written to: a function that does begins with a copy.  It works under ``create_graph=True``, `torch.func` and forward mode.  ``backend`` is as in
    `retrograd.grad`.

    >>> def energy(x, k):
    ...     return 0.5 * k * np.sum(x ** 2)
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> wrap(energy)(x, 3.0).backward()
    >>> x.grad
    tensor([3., 6.])
    """

    @functools.wraps(f)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        call = Call(functools.partial(f, **kwargs) if kwargs else f, args, backend)
        if not call.tensors:
            return f(*args, **kwargs)
        made = Bridge.apply(call, *call.tensors)
        return call.packed(made)

    return wrapped


def same(x: Any) -> Any:
    return x


class Call:
    """One call: where its tensors stood, and what became of it."""

    def __init__(self, f: Callable[..., Any], args: tuple[Any, ...], backend: str | None) -> None:
        self.f, self.args, self.backend = f, args, backend
        self.leaves, _ = flatten(args)
        self.places = [i for i, x in enumerate(self.leaves) if isinstance(x, torch.Tensor)]
        self.tensors = [self.leaves[i] for i in self.places]
        self.recorded = torch.is_grad_enabled() and any(x.requires_grad for x in self.tensors)
        self.pullback: Any = None
        self.value: Any = None

    def given(
        self,
        tensors: Sequence[Any],
        change: Callable[[Any], Any] = same,
        other: Callable[[Any], Any] = same,
    ) -> tuple[Any, ...]:
        """The arguments with something made of tensors in the places of the tensors, and of what else there is."""
        by_place = dict(zip(self.places, tensors, strict=True))
        count = iter(range(len(self.leaves)))

        def one(leaf: Any) -> Any:
            i = next(count)
            return change(by_place[i]) if i in by_place else other(leaf)

        made: tuple[Any, ...] = map_leaves(one, self.args)
        return made

    def wrt(self) -> tuple[int, ...]:
        """The arguments that hold tensors with a derivative."""
        paths = zip(self.paths(), self.tensors, strict=True)
        return tuple(sorted({path[0] for path, x in paths if has_derivative(x)}))

    def paths(self) -> list[tuple[Any, ...]]:
        """Where the tensors stand: the argument and what leads on from it."""
        found: list[tuple[Any, ...]] = []

        def note(leaf: Any, path: tuple[Any, ...]) -> Any:
            found.extend([path] * isinstance(leaf, torch.Tensor))
            return leaf

        map_paths(note, self.args)
        return found

    def gradients(self, found: Sequence[Any], wrt: tuple[int, ...]) -> list[Any]:
        """The tensors' parts of the arguments' gradients."""
        by_argument = dict(zip(wrt, found, strict=True))
        return [
            at(by_argument[first], tuple(rest)) if first in by_argument else None
            for first, *rest in self.paths()
        ]

    def of_batch(self, tensors: Sequence[Any], in_dims: Sequence[int | None]) -> Call:
        """The call for all examples at once."""
        axes = self.given(in_dims, other=lambda x: None)
        return Call(rg.vmap(self.f, axes), self.given(tensors), self.backend)

    def packed(self, made: Any) -> Any:
        """Tensors in the containers of the result."""
        results = iter(made if isinstance(made, tuple) else (made,))
        return map_leaves(lambda x: next(results) if is_array(x) else x, self.value)


class Bridge(torch.autograd.Function):
    """The node of the graph: a pullback that was made on the way, or one that is differentiated again."""

    @staticmethod
    def forward(call: Call, *tensors: Any) -> Any:
        args = call.given(tensors, to_array)
        if call.recorded:
            call.value, call.pullback = rg.vjp(call.f, *args, wrt=call.wrt(), backend=call.backend)
        else:
            call.value = call.f(*args)
        found = [to_tensor(x, tensors) for x in leaves(call.value) if is_array(x)]
        if not found:
            raise SignatureMismatch("the function returns no array and no number")
        return found[0] if len(found) == 1 else tuple(found)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.call, *tensors = inputs
        results = output if isinstance(output, tuple) else (output,)
        ctx.save_for_backward(*tensors, *results)  # what is written to later is found out
        ctx.save_for_forward(*tensors)
        ctx.mark_non_differentiable(*(x for x in results if not has_derivative(x)))

    @staticmethod
    def backward(ctx: Any, *cotangents: Any) -> Any:
        call = ctx.call
        tensors, wrt = ctx.saved_tensors[: len(call.tensors)], call.wrt()
        if torch.is_grad_enabled() or call.pullback is None:
            found = again(call, tensors, wrt, cotangents)
        else:
            found = wrap(lambda *c: call.pullback(like(call.value, c)))(*cotangents)
        return None, *call.gradients(found, wrt)

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        call, tensors = ctx.call, ctx.saved_tensors
        along = call.given(tangents[1:], other=lambda x: None)
        made = wrap(pushed(call.f, call.backend))(call.given(tensors), along)
        found = [x for x in leaves(made) if isinstance(x, torch.Tensor)]
        return found[0] if len(found) == 1 else tuple(found)

    @staticmethod
    def vmap(info: Any, in_dims: Any, call: Call, *tensors: Any) -> Any:
        try:
            one = call.of_batch(tensors, in_dims[1:])
            made = Bridge.apply(one, *one.tensors)
        except (CompileError, SignatureMismatch):
            return one_by_one(info.batch_size, in_dims[1:], call, tensors)
        call.value = one.value
        return made, (0,) * len(made) if isinstance(made, tuple) else 0


def one_by_one(count: int, in_dims: Any, call: Call, tensors: Sequence[Any]) -> Any:
    """The results of a batch whose examples only a loop computes."""
    runs = []
    for i in range(count):
        given = [x if d is None else x.select(d, i) for x, d in zip(tensors, in_dims, strict=True)]
        one = Call(call.f, call.given(given), call.backend)
        runs.append(Bridge.apply(one, *one.tensors))
        call.value = one.value
    if isinstance(runs[0], tuple):
        return tuple(torch.stack(x) for x in zip(*runs, strict=True)), (0,) * len(runs[0])
    return torch.stack(runs), 0


def again(call: Call, tensors: Any, wrt: tuple[int, ...], cotangents: Any) -> Any:
    """The gradients by a call that has a derivative of its own."""
    pullback = wrap(pulled(call.f, wrt, call.backend))
    return pullback(like(call.value, cotangents), *call.given(tensors))


def like(value: Any, cotangents: Sequence[Any]) -> Any:
    remaining = iter(cotangents)
    return map_leaves(lambda x: next(remaining) if is_array(x) else x, value)


def has_derivative(x: torch.Tensor) -> bool:
    return x.is_floating_point() or x.is_complex()


def is_array(x: Any) -> bool:
    return is_float(x) or is_cupy(x) or isinstance(x, (bool, int, np.ndarray, np.generic))


def to_array(x: Any) -> Any:
    """A tensor's memory as an array that is not written to: PyTorch would not know of it."""
    x = x.detach().resolve_conj().resolve_neg()
    if x.device.type == "cpu":
        found = x.numpy()
        found.flags.writeable = False
        return found
    if x.device.type == "cuda":
        return cupy().from_dlpack(x)
    raise UnsupportedOperation(f"tensors on `{x.device}`")


def to_tensor(x: Any, inputs: Sequence[Any]) -> torch.Tensor:
    """An array's memory as a tensor; a copy of what an argument or a constant still has."""
    if is_cupy(x):
        return torch.from_dlpack(x)
    if not isinstance(x, np.ndarray):
        return torch.from_numpy(np.array(x))
    lent = any(t.device.type == "cpu" and np.may_share_memory(x, to_array(t)) for t in inputs)
    if lent or not x.flags.writeable or any(s < 0 for s in x.strides):
        x = x.copy()
    return torch.from_numpy(x)
