"""Calls on tensors of the device: the same text as on the host, with its leaves on the device."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import retrograd

from ..autograd.calls import Call, differentiable, parts
from ..strict_cupy import no_transfers

__all__ = ["OnDevice", "compared", "down"]

CREATE = {
    "arange",
    "from_numpy",
    "empty",
    "eye",
    "full",
    "linspace",
    "ones",
    "rand",
    "randn",
    "tensor",
    "zeros",
}


class OnDevice:
    """retrograd, whose functions make their tensors on the device.

    A text is run twice: the tensors that it makes of data are kept, and handed out when it runs again.
    """

    __name__ = "retrograd"

    def __init__(self) -> None:
        self.made: list[Any] = []
        self.again: Iterator[Any] | None = None

    def __getattr__(self, name: str) -> Any:
        found = getattr(retrograd, name)
        return self.making(found) if name in CREATE else found

    def making(self, function: Any) -> Any:
        def made(*args: Any, **kwargs: Any) -> Any:
            if self.again is not None:
                return next(self.again).clone()
            self.made.append(function(*args, **kwargs).cuda())
            return self.made[-1].clone()

        return made

    def __enter__(self) -> None:
        self.again = iter(self.made)

    def __exit__(self, *error: object) -> None:
        self.again = None


def on_device(arrays: list[Any]) -> list[Any]:
    return [retrograd.tensor(array, device="cuda", requires_grad=True) for array in arrays]


def down(tensor: Any) -> Any:
    return tensor.detach().cpu().numpy()


def compared(text: str, allowed: tuple[str, ...], names: bool = True, twice: bool = False) -> None:
    """Values and gradients on the device are those on the host, and only what is allowed crosses.

    What is refused on the host is refused in the same words.
    """
    host, call = Call(text), Call(text)
    wanted = attempted(lambda: run(host, retrograd, None, twice))
    there = OnDevice()
    attempted(lambda: run(call, there, on_device(host.arrays), twice))
    leaves = on_device(host.arrays)
    with no_transfers(allowed=allowed), there:
        made = attempted(lambda: run(call, there, leaves, twice))
    if isinstance(wanted, Exception):
        assert (type(made), str(made)) == (type(wanted), str(wanted))
        return
    if isinstance(made, Exception):
        raise made
    for own, other in zip(made, wanted, strict=True):
        if isinstance(other, retrograd.Tensor):
            agree(own, other, names)
        else:
            assert own == other
    for own, other in zip(leaves, host.leaves, strict=True):
        assert (own.grad is None) == (other.grad is None)
        if own.grad is not None:
            agree(own.grad, other.grad, names)


def agree(own: Any, other: Any, names: bool) -> None:
    assert own.is_cuda and own.dtype == other.dtype and own.shape == other.shape
    assert own.requires_grad == other.requires_grad
    if names and own.grad_fn is not None:
        assert own.grad_fn.name() == other.grad_fn.name()
    np.testing.assert_allclose(down(own), down(other), 1e-9, 1e-9)


def attempted(run: Callable[[], Any]) -> Any:
    """What it gives, or how it was refused."""
    try:
        return run()
    except Exception as error:
        return error


def run(call: Call, module: Any, leaves: list[Any] | None, twice: bool) -> list[Any]:
    """The parts of the result, pulled back with ones; ``twice``: their gradients, of which the sum is pulled back."""
    made = parts(call.run(module, leaves))
    roots = differentiable(made)
    bars = [retrograd.ones_like(root) for root in roots]
    if twice and roots:
        given = {"create_graph": True, "allow_unused": True}
        made = [
            g for g in retrograd.autograd.grad(roots, call.leaves, bars, **given) if g is not None
        ]
        roots = differentiable(made)
        bars = [retrograd.ones_like(root) for root in roots]
    if roots:
        retrograd.autograd.backward(roots, bars)
    return made
