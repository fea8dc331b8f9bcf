"""The examples of PyTorch's introduction to autograd."""

from __future__ import annotations

from typing import Any

from .surface import close, same


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
