"""Checkpoints of functions that read more than their arguments: right where that is as it was, or refused."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd as torch
from retrograd.utils.checkpoint import checkpoint


class Surroundings:
    """A function of one argument, and what it reads beside it."""

    def __init__(self) -> None:
        self.w = torch.tensor([2.0, 3.0], dtype=torch.double, requires_grad=True)
        self.x = torch.tensor([1.0, 0.5], dtype=torch.double, requires_grad=True)
        self.buffer = torch.tensor([0.5, 0.25], dtype=torch.double)
        self.array = np.array([1.5, 2.5])
        self.between = self.w * self.w.sin()
        self.several = {"all": [self.w, self.buffer]}
        self.number = 2.0

    def __call__(self, x: Any) -> Any:
        y = (x * self.several["all"][0]).sin() * self.between
        y = (y * torch.from_numpy(self.array)).exp() * self.buffer
        y = y.clone().mul_(self.number)
        return (y * y * self.several["all"][1]).sum()


def derivatives(of: Callable[[Any], Any]) -> list[Any]:
    """To the argument and to the closure, twice."""
    made = Surroundings()
    first = torch.autograd.grad(of(made)(made.x), (made.x, made.w), create_graph=True)
    second = torch.autograd.grad(sum((g * g).sum() for g in first), (made.x, made.w))
    return [g.detach().numpy() for g in (*first, *second)]


def checkpointed(function: Any) -> Any:
    return functools.partial(checkpoint, function, use_reentrant=False)


def test_what_is_read_beside_the_arguments_has_its_gradients() -> None:
    for found, right in zip(derivatives(checkpointed), derivatives(lambda f: f), strict=True):
        np.testing.assert_array_equal(found, right)


def test_tangents_of_what_is_read_come_through() -> None:
    made, found = Surroundings(), []
    with torch.autograd.forward_ad.dual_level():
        w = torch.autograd.forward_ad.make_dual(made.w, torch.ones(2, dtype=torch.double))
        for f in (lambda x: (x * w).sin().sum(), checkpointed(lambda x: (x * w).sin().sum())):
            (g,) = torch.autograd.grad(f(made.x), made.x, create_graph=True)
            found.append(torch.autograd.forward_ad.unpack_dual(g).tangent.detach().numpy())
    np.testing.assert_array_equal(*found)


def set_data(made: Surroundings) -> None:
    with torch.no_grad():
        made.between.mul_(2.0)


def bind(name: str, change: Callable[[Any], Any]) -> Callable[[Surroundings], None]:
    return lambda made: setattr(made, name, change(getattr(made, name)))


LATER: dict[str, Callable[[Surroundings], Any]] = {
    "a buffer is written to": lambda made: made.buffer.mul_(3.0),
    "one entry of it": lambda made: made.buffer[1].add_(1e-9),
    "a value between": set_data,
    "an array": lambda made: made.array.__setitem__(0, 7.0),
    "a list": lambda made: made.several["all"].reverse(),
    "a name, to a tensor": bind("buffer", lambda t: t + 1.0),
    "a name, to a number": bind("number", lambda n: n + 1.0),
}


@pytest.mark.parametrize("what", LATER)
def test_what_changed_since_is_refused(what: str) -> None:
    made = Surroundings()
    y = checkpointed(made)(made.x)
    LATER[what](made)
    with pytest.raises(RuntimeError, match="Recomputed values are others"):
        y.backward()
    assert made.x.grad is None


def test_what_was_bound_to_the_same_values_is_right() -> None:
    made, right = Surroundings(), Surroundings()
    y = checkpointed(made)(made.x)
    made.buffer, made.array = made.buffer.clone(), made.array.copy()
    y.backward()
    right(right.x).backward()
    np.testing.assert_array_equal(made.w.grad.numpy(), right.w.grad.numpy())


def test_names_of_a_loop_are_read_late() -> None:
    """Each function of the loop reads the last item on the way back."""
    y = x = torch.tensor(1.0, requires_grad=True)
    for k in (2.0, 3.0):
        y = checkpoint(lambda t: (t * k).sin(), y, use_reentrant=False)  # noqa: B023
    with pytest.raises(RuntimeError, match="bound anew"):
        y.backward()
    assert x.grad is None


def test_random_numbers_that_are_not_kept_are_refused() -> None:
    x = torch.ones(8, requires_grad=True)
    for keeps in (True, False):
        y = checkpoint(
            lambda t: (t * torch.rand(8)).sum(), x, use_reentrant=False, preserve_rng_state=keeps
        )
        if keeps:
            y.backward()
        else:
            with pytest.raises(RuntimeError, match="or it is random"):
                y.backward()


def test_the_comparison_can_be_turned_off() -> None:
    made = Surroundings()
    y = checkpoint(made, made.x, use_reentrant=False, determinism_check="none")
    made.buffer.mul_(3.0)
    y.backward()
    with pytest.raises(ValueError, match="determinism_check"):
        checkpoint(made, made.x, use_reentrant=False, determinism_check="never")


def test_a_function_that_goes_back_itself() -> None:
    def slope(x: Any) -> Any:
        (g,) = torch.autograd.grad((x * x).sin().sum(), x, create_graph=True)
        return (g * x).sum()

    def constant_slope(x: Any) -> Any:
        leaf = x.detach().requires_grad_()
        (leaf**3).sum().backward()
        return (x * leaf.grad).sum()

    x = torch.tensor([0.3, 0.7], dtype=torch.double, requires_grad=True)
    for f in (slope, constant_slope):
        kept, plain = (torch.autograd.grad(g(x), x) for g in (lambda x, f=f: checkpointed(f)(x), f))
        assert np.array_equal(kept[0].numpy(), plain[0].numpy())


@pytest.mark.parametrize("then", ["retain_grad", "register_hook", "inputs", "grad"])
def test_what_is_asked_of_an_input_after_the_first_run_changes_nothing(then: str) -> None:
    def found(kept: Callable[..., Any]) -> list[Any]:
        w = torch.tensor([2.0, 3.0], dtype=torch.double, requires_grad=True)
        x = w.sin()
        y = kept(lambda a: (a * w / (a * a + w)).tanh() * w, x)
        if then == "retain_grad":
            x.retain_grad()
        elif then == "register_hook":
            w.register_hook(lambda g: g * 2)
        elif then == "grad":
            w.grad = torch.ones(2, dtype=torch.double)
        y.sum().backward(inputs=[x] if then == "inputs" else None)
        return [None if one is None else one.tolist() for one in (w.grad, x._grad)]

    assert found(functools.partial(checkpoint, use_reentrant=False)) == found(lambda f, x: f(x))


@pytest.mark.parametrize(
    "write", [lambda y: y.square_(), lambda y: y.mul_(3).sin_(), lambda y: y[:1].exp_().sum() + y]
)
def test_results_that_are_written_to_afterwards(write: Callable[[Any], Any]) -> None:
    def f(x: Any) -> Any:
        return (write(x / (x * x + 1)) * x).sum()

    def hooked(x: Any) -> Any:
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
            return f(x)

    def second(g: Callable[[Any], Any]) -> list[float]:
        x = torch.tensor([0.3, 0.7], dtype=torch.double, requires_grad=True)
        (slope,) = torch.autograd.grad(g(x), x, create_graph=True)
        return torch.autograd.grad((slope * slope).sum(), x)[0].tolist()

    assert np.allclose(second(checkpointed(f)), second(f), rtol=1e-12)
    assert np.allclose(second(hooked), second(f), rtol=1e-12)
