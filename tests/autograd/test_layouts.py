"""Rows T139 to T147: the memory of gradients."""

from __future__ import annotations

import warnings
from typing import Any

from .surface import row, same


def strided(torch: Any, shape: tuple[int, ...], order: tuple[int, ...]) -> Any:
    """A leaf whose axes lie in memory in another order."""
    n = 1
    for k in shape:
        n *= k
    inverse = [order.index(k) for k in range(len(shape))]
    x = torch.arange(float(n)).reshape([shape[k] for k in order]).permute(*inverse)
    return x.detach().requires_grad_()


@row("T139")
def test_t139_dense(torch: Any) -> None:
    for grow in (lambda p: (p * p).sum(), lambda p: p.sum()):
        p = strided(torch, (4, 3), (1, 0))
        assert p.stride() == (1, 4)
        grow(p).backward()
        assert p.grad.stride() == (1, 4)
    p = strided(torch, (2, 3, 4, 5), (0, 2, 3, 1))
    (p * 2).sum().backward()
    assert p.grad.stride() == p.stride()


@row("T140")
def test_t140_otherwise_row_major(torch: Any) -> None:
    p = torch.arange(24.0).reshape(4, 6)[:, ::2].detach().requires_grad_()
    assert p.stride() == (6, 2)
    (p * 2).sum().backward()
    assert p.grad.stride() == (3, 1)
    q = torch.arange(3.0).expand(4, 3).detach().requires_grad_()
    (q * 2).sum().backward()
    assert q.grad.stride() == (3, 1)


@row("T141")
def test_t141_in_place(torch: Any) -> None:
    p = strided(torch, (2, 2), (1, 0))
    (p * 2).sum().backward()
    g = p.grad
    (p * 3).sum().backward()
    assert p.grad is g
    assert g.stride() == (1, 2)
    assert same(g, [[5.0, 5.0], [5.0, 5.0]])


@row("T142")
def test_t142_replaced_with_create_graph(torch: Any) -> None:
    p = strided(torch, (2, 2), (1, 0))
    (p * 2).sum().backward()
    g = p.grad
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (p * p).sum().backward(create_graph=True)
    assert p.grad is not g
    assert same(g, [[2.0, 2.0], [2.0, 2.0]])
    assert p.grad.stride() == (1, 2)


@row("T143")
def test_t143_reset(torch: Any) -> None:
    p = strided(torch, (2, 3), (1, 0))
    for _ in range(2):
        p.grad = None
        (p * 2).sum().backward()
        assert p.grad.stride() == p.stride()


@row("T144")
def test_t144_assigned(torch: Any) -> None:
    p = torch.ones(2, 2, requires_grad=True)
    p.grad = torch.zeros(2, 2).t()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (p * 2).sum().backward()
    assert p.grad.stride() == (1, 2)


@row("T145")
def test_t145_zeroed(torch: Any) -> None:
    p = strided(torch, (2, 3), (1, 0))
    (p * 2).sum().backward()
    g = p.grad
    g.zero_()
    assert p.grad is g
    assert g.stride() == (1, 2)


@row("T146")
def test_t146_never_the_users_memory(torch: Any) -> None:
    p, v = torch.ones(3, requires_grad=True), torch.ones(3)
    p.backward(v)
    assert p.grad is not v
    p.grad.add_(1)
    assert same(v, [1.0, 1.0, 1.0])


@row("T147")
def test_t147_one_owner(torch: Any) -> None:
    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            return a + b

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            g = g * 2
            return g, g

    a, b = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
    Two.apply(a, b).sum().backward()
    a.grad.add_(1)
    assert same(b.grad, [2.0, 2.0, 2.0])
    assert same(a.grad, [3.0, 3.0, 3.0])
