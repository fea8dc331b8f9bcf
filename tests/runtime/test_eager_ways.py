"""The short ways of eager operations: taken where they may be, and no other than the general one."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import retrograd as torch
from retrograd.runtime.eager.fast_path.prepared_forms import PreparedNode
from retrograd.runtime.eager.graph.grad_mode import asked
from retrograd.runtime.eager.graph.operation_node import AnyOpNode


def leaf(*shape: int, dtype: Any = np.float64) -> Any:
    drawn = np.random.default_rng(sum(shape)).uniform(0.5, 1.5, shape).astype(dtype)
    return torch.tensor(drawn, requires_grad=True)


CALLS = {
    "multiply": lambda x, y: x * y,
    "a number": lambda x, y: (2 - x / 3) * (1 + y),
    "stretched": lambda x, y: x * y[0] + y[:, :1],
    "stretched, all orders": lambda x, y: (x**2).sum(0) ** y / y[1],
    "unary": lambda x, y: (x.exp() - y.tanh()).sqrt(),
    "matmul": lambda x, y: x @ y.t(),
    "a vector": lambda x, y: x @ y[0],
    "sum": lambda x, y: x.sum() * y.sum(1, keepdim=True),
    "mean, var": lambda x, y: x.mean(0) + y.var() * x.std(1)[0],
    "amax": lambda x, y: x.amax(1) * y.prod(1),
    "parts": lambda x, y: x[1:] * y[0, 2] + y[[0, 1]],
    "shapes": lambda x, y: x.reshape(4, 3) @ y.unsqueeze(0).squeeze(0),
    "cumulated": lambda x, y: x.cumsum(1) * y.cumprod(0),
    "chosen": lambda x, y: torch.where(x > y, x, y),
    "joined": lambda x, y: torch.cat([x, y * x]).norm(),
    "joined with a constant": lambda x, y: torch.stack((x * y, torch.ones(3, 4).to(x.dtype), x), 1),
    "complex": lambda x, y: (x * 1j + y).sum().abs(),
}


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("call", CALLS.values(), ids=list(CALLS))
def test_agrees_with_the_general_way(call: Any, dtype: Any) -> None:
    """Saved-tensor hooks open every node, and profilers let no call go a short way."""
    x, y = leaf(3, 4, dtype=dtype), leaf(3, 4, dtype=dtype)
    results = []
    for context in (None, torch.autograd.graph.saved_tensors_hooks(id_, id_), profiled()):
        if context is not None:
            context.__enter__()
        z = call(x, y)
        grads = torch.autograd.grad((z * z).sum(), (x, y), create_graph=True)
        again = torch.autograd.grad(sum((g * g).sum() for g in grads), (x, y), allow_unused=True)
        if context is not None:
            context.__exit__(None, None, None)
        results.append([v.detach().numpy() for v in (z, *grads, *again) if v is not None])
    for other in results[1:]:
        for a, b in zip(results[0], other, strict=True):
            assert a.dtype == b.dtype
            np.testing.assert_allclose(a, b, rtol=1e-5 if dtype is np.float32 else 1e-12)


def id_(x: Any) -> Any:
    return x


def profiled() -> Any:
    return torch.autograd.profiler.profile()


@pytest.mark.parametrize(
    "make",
    [
        lambda x: x * 2, lambda x: x @ x, lambda x: x.sum(), lambda x: x.mean(0), lambda x: x[0],
        lambda x: x.reshape(-1), lambda x: torch.nn.Parameter(x.detach()) * 2,
        lambda x: torch.nn.Parameter(x.detach()).sum(), lambda x: x[0] * 2, lambda x: x + x[0],
        lambda x: torch.cat([x, x.detach()]),
    ],
)  # fmt: skip
def test_is_taken(make: Any) -> None:
    assert isinstance(make(leaf(3, 3)).grad_fn, PreparedNode)


def test_is_not_taken_under_hooks() -> None:
    x = leaf(3)
    with torch.autograd.graph.saved_tensors_hooks(id_, id_):
        assert isinstance(x.sum().grad_fn, AnyOpNode)
    assert isinstance(x.sum().grad_fn, PreparedNode)


def test_the_flag_goes_back() -> None:
    """What modes ask for is counted, in every thread, and no longer than they last."""
    before = asked.on
    with torch.no_grad(), torch.no_grad():
        assert asked.on == before + 1
        with torch.enable_grad():
            assert asked.on == before
    with torch.inference_mode(), torch.autograd.set_detect_anomaly(True):
        assert asked.on == before + 2
    with pytest.raises(ValueError, match="out"), torch.no_grad():
        raise ValueError("out")
    (leaf(2) * 2).sum().backward()
    assert asked.on == before


def test_modes_of_another_thread() -> None:
    """A thread without recording does not stop this one's."""
    inside, done = threading.Event(), threading.Event()

    def other() -> None:
        with torch.no_grad():
            inside.set()
            done.wait(10)

    thread = threading.Thread(target=other)
    thread.start()
    assert inside.wait(10)
    x = leaf(3)
    y = x * 3 + x.sum()
    done.set()
    thread.join()
    (grad,) = torch.autograd.grad(y.sum(), x)
    np.testing.assert_allclose(grad.numpy(), 6.0)


def test_gradients_of_leaves_are_their_own() -> None:
    """A sum hands one array to both of its operands."""
    x, y = leaf(3), leaf(3)
    (x + y).backward(torch.ones_like(x))
    x.grad.mul_(5)
    np.testing.assert_array_equal(y.grad.numpy(), 1.0)


def test_a_gradient_is_taken_over() -> None:
    """What nobody else holds becomes the leaf's gradient without a copy."""
    x = leaf(3)
    arrays: list[Any] = []
    node = (x * 2).grad_fn
    pull = type(node).brief
    try:
        type(node).brief = lambda *args: arrays.append(id((found := pull(*args))[0])) or found
        (x * 2).backward(torch.ones_like(x))
    finally:
        type(node).brief = pull
    assert arrays == [id(x.grad._array)]


def test_written_to_since() -> None:
    x = leaf(3)
    y = x * 1
    z = (y * y).sum()
    y.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.backward()


def test_functions_made_for_one_call_are_not_remembered() -> None:
    from retrograd.runtime.eager.fast_path.argument_calls import PREPARED

    x = leaf(3)
    x.round(decimals=1)
    before = len(PREPARED)
    for _ in range(5):
        x.round(decimals=1)
    assert len(PREPARED) == before
