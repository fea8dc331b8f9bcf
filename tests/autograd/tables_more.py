"""The calls of `test_calls` of functions that write by index, split, and of methods torch has besides."""

from __future__ import annotations

__all__ = ["TABLES_MORE"]

SCATTERING = """
x(2, 3).put(n(6, 4), x(4))
x(2, 3).put(torch.tensor([1, -1, 0]), x(3))
x(2, 3).put(torch.tensor([1, 1, -1]), x(3), accumulate=True)
(x(2, 3) * 2).put_(torch.tensor([[0, 5]]), x(1, 2))
x(2, 3).masked_scatter(b(2, 3), x(6))
x(3).masked_scatter(b(2, 3), x(7))
x(2, 3).masked_scatter(torch.tensor([True, False, True]), x(2, 2))
(x(2, 3) * 2).masked_scatter_(torch.tensor([True, False, True]), x(4))
x(2, 3).index_add(1, n(3, 4), x(2, 4))
x(2, 3).index_add(0, torch.tensor([1, 1]), x(2, 3), alpha=2)
x(4).index_add(0, torch.tensor(2), x(1))
x(3, 2).index_copy(0, torch.tensor([2, 0]), x(2, 2))
x(3, 2).index_fill(1, torch.tensor([-1]), 2.5)
x(3, 2).scatter(0, n(3, 1, 2), x(1, 2))
x(3, 2).scatter(1, torch.tensor([[1], [0]]), 2.5)
x(3, 2).scatter_add(1, n(2, 3, 4), x(3, 4))
x(3, 4).select_scatter(x(3), 1, 2)
x(3, 4).slice_scatter(x(3, 2), 1, 0, 4, 2)
x(3, 4).diagonal_scatter(x(3), 1)
(x(3, 3) * 2).fill_diagonal_(1.5)
(x(7, 2) * 2).fill_diagonal_(1.5, wrap=True)
"""

OTHERS = """
x(3, 4).hsplit(2)
x(4).hsplit([1, 3])
x(4, 2).vsplit([1])
x(1, 2, 4).dsplit(2)
x(2, 4).split_with_sizes([1, 3], 1)
x(2, 4).narrow_copy(1, 1, 2)
c(2, 3).adjoint()
x(3, 4).msort()
torch.nanmedian(v(1.0, 3.0, 2.0))
v(1.0, 3.0, 2.0).nanmedian(0)
x(3, 4).nanmedian(1, True)
x(3, 4).renorm(2, 0, 1.5)
x(3, 4).renorm(1, 1, 0.5)
x(3).ldexp(torch.tensor([1, 2, 3]))
x(3).dist(x(3), 3)
(x(2, 3) * 2).cumsum_(1)
(x(2, 3) * 2).cumprod_(0)
(x(3, 3) * 2).tril_(-1)
(x(3, 3) * 2).triu_(1)
torch.celu(x(4))
torch.selu(x(4))
torch.hardshrink(x(4))
x(4).hardshrink(0.3)
torch.threshold(x(4), 0.1, 7.0)
torch.celu_(x(4) * 2)
x(4).prelu(p(1))
x(3, 4).div(p(4), rounding_mode='floor') * x(4)
x(3, 4).div(p(4), rounding_mode='trunc') * x(4)
torch.inner(x(3), x(3))
torch.cross(x(2, 3), x(2, 3))
c(3).resolve_conj() * 2
"""

TABLES_MORE = {"scattering": SCATTERING, "others": OTHERS}
