"""The examples of PyTorch's introduction to autograd."""

from __future__ import annotations

import threading
from typing import Any

from .surface import close, raises, same


def test_the_introduction(torch: Any) -> None:
    a = torch.tensor([2.0, 3.0], requires_grad=True)
    b = torch.tensor([6.0, 4.0], requires_grad=True)
    q = 3 * a**3 - b**2
    q.backward(gradient=torch.tensor([1.0, 1.0]))
    assert same(9 * a**2 == a.grad, [True, True]) and same(-2 * b == b.grad, [True, True])


def test_a_simple_network(torch: Any) -> None:
    functional = torch.nn.functional
    x, y = torch.ones(5), torch.zeros(3)
    w = torch.randn(5, 3, requires_grad=True)
    b = torch.randn(3, requires_grad=True)
    z = torch.matmul(x, w) + b
    loss = functional.binary_cross_entropy_with_logits(z, y)
    loss.backward()
    assert close(b.grad, torch.sigmoid(z.detach()) / 3, 1e-5) and w.grad.shape == (5, 3)
    inp = torch.eye(4, 5, requires_grad=True)
    out = (inp + 1).pow(2).t()
    out.backward(torch.ones_like(out), retain_graph=True)
    first = inp.grad.clone()
    out.backward(torch.ones_like(out), retain_graph=True)
    assert same(inp.grad, 2 * first)
    inp.grad.zero_()
    out.backward(torch.ones_like(out), retain_graph=True)
    assert same(inp.grad, first)


def test_leaves(torch: Any) -> None:
    assert torch.rand(10, requires_grad=True).is_leaf
    assert not (torch.rand(10, requires_grad=True) + 2).is_leaf
    assert not torch.rand(10, requires_grad=True).double().is_leaf
    assert torch.rand(10).double().requires_grad_().is_leaf
    a = torch.zeros(3)
    assert a.is_leaf and a.requires_grad is False and a.grad_fn is None


def test_what_the_first_tutorial_prints(torch: Any) -> None:
    x = torch.ones(2, 2, requires_grad=True)
    y = x + 2
    z = y * y * 3
    out = z.mean()
    assert repr(x) == "tensor([[1., 1.],\n        [1., 1.]], requires_grad=True)"
    assert repr(y) == "tensor([[3., 3.],\n        [3., 3.]], grad_fn=<AddBackward0>)"
    assert repr(y.grad_fn).startswith("<AddBackward0 object at 0x")
    assert f"{z}" == "tensor([[27., 27.],\n        [27., 27.]], grad_fn=<MulBackward0>)"
    assert repr(out) == "tensor(27., grad_fn=<MeanBackward0>)"
    assert (f"{out}", f"{out:.3f}") == ("27.0", "27.000")
    with raises(TypeError, "unsupported format string passed to "):
        format(z, ".3f")
    out.backward()
    assert repr(x.grad) == "tensor([[4.5000, 4.5000],\n        [4.5000, 4.5000]])"
    a = (x.detach() * 3) / (x.detach() - 3)
    assert not a.requires_grad and a.requires_grad_(True) is a and a.requires_grad
    assert type((a * a).sum().grad_fn).__name__ == "SumBackward0"


def test_a_loop_as_long_as_the_values_ask(torch: Any) -> None:
    x = torch.tensor([0.5, -1.0, 2.0], requires_grad=True)
    y, doublings = x * 2, 1
    while y.data.norm() < 1000:
        y, doublings = y * 2, doublings + 1
    y.backward(torch.tensor([0.1, 1.0, 0.0001], dtype=torch.float))
    assert close(x.grad, [0.1 * 2**doublings, 2.0**doublings, 0.0001 * 2**doublings], 1e-5)
    assert x.requires_grad and (x**2).requires_grad
    with torch.no_grad():
        assert not (x**2).requires_grad


def test_threads_train_on_their_own(torch: Any) -> None:
    found: list[Any] = []

    def train() -> None:
        x = torch.ones(5, 5, requires_grad=True)
        ((x + 3) * (x + 4) * 0.5).sum().backward()
        found.append(x.grad)

    threads = [threading.Thread(target=train) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 10 and all(same(g, [[4.5] * 5] * 5) for g in found)


def test_what_requires_grad_spreads_to(torch: Any) -> None:
    x, y = torch.randn(5, 5), torch.randn(5, 5)
    z = torch.randn((5, 5), requires_grad=True)
    a = x + y
    assert not a.requires_grad and (a + z).requires_grad
