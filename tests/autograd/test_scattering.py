"""Entries written by index and by mask: values, gradients, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .surface import close, raises, same


def leaf(torch: Any, numbers: Any) -> Any:
    return torch.tensor(numbers, dtype=torch.float64, requires_grad=True)


def weights(torch: Any, *shape: int) -> Any:
    n = 1
    for k in shape:
        n *= k
    return (torch.arange(n, dtype=torch.float64) + 1).reshape(*shape)


def test_put(torch: Any) -> None:
    x, v = leaf(torch, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), leaf(torch, [10.0, 20.0])
    y = x.put(torch.tensor([1, -1]), v)
    assert same(y, [[1.0, 10.0, 3.0], [4.0, 5.0, 20.0]])
    (y * weights(torch, 2, 3)).sum().backward()
    assert same(x.grad, [[1.0, 0.0, 3.0], [4.0, 5.0, 0.0]]) and same(v.grad, [2.0, 6.0])
    z = x.put(torch.tensor([0, 0]), v, accumulate=True)
    assert same(z, [[31.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    bars = torch.autograd.grad((z * weights(torch, 2, 3)).sum(), (x, v))
    assert same(bars[0], weights(torch, 2, 3)) and same(bars[1], [1.0, 1.0])


def test_put_in_place(torch: Any) -> None:
    x, v = leaf(torch, [1.0, 2.0, 3.0]), leaf(torch, [[5.0], [7.0]])
    y = x * 2
    assert y.put_(torch.tensor([[2], [0]]), v) is y
    assert y._version == 1 and same(y, [7.0, 4.0, 5.0])
    y.square().sum().backward()
    assert same(x.grad, [0.0, 16.0, 0.0]) and same(v.grad, [[10.0], [14.0]])


def test_masked_scatter(torch: Any) -> None:
    x, v = leaf(torch, [1.0, 2.0]), leaf(torch, [[5.0, 6.0], [7.0, 8.0]])
    mask = torch.tensor([[True, False], [True, True]])
    y = x.masked_scatter(mask, v)
    assert same(y, [[5.0, 2.0], [6.0, 7.0]])
    (y * weights(torch, 2, 2)).sum().backward()
    assert same(x.grad, [0.0, 2.0]) and same(v.grad, [[1.0, 3.0], [4.0, 0.0]])
    assert torch.autograd.gradcheck(lambda x, v: x.masked_scatter(mask, v), (x, v))
    assert torch.autograd.gradgradcheck(lambda x, v: x.masked_scatter(mask, v) ** 2, (x, v))
    assert torch.autograd.gradcheck(
        lambda x, v: x.put(torch.tensor([1, 0, 1, 1]), v.reshape(-1), True) ** 2, (x, v)
    )


def test_masked_scatter_in_place(torch: Any) -> None:
    x, v = leaf(torch, [[1.0, 2.0], [3.0, 4.0]]), leaf(torch, [5.0, 6.0, 7.0])
    y = x * 3
    y.masked_scatter_(torch.tensor([True, False]), v)
    assert same(y, [[5.0, 6.0], [6.0, 12.0]])
    y.sum().backward()
    assert same(x.grad, [[0.0, 3.0], [0.0, 3.0]]) and same(v.grad, [1.0, 1.0, 0.0])


def test_masks_and_indices_are_kept(torch: Any) -> None:
    x, v = leaf(torch, [1.0, 2.0]), leaf(torch, [5.0, 6.0])
    mask, index = torch.tensor([True, False]), torch.tensor([0, 1])
    y, z = x.masked_scatter(mask, v), x.put(index, v)
    mask.logical_not_()
    index.add_(-1)
    for made in (y, z):
        with raises(RuntimeError, "one of the variables needed for gradient computation has been"):
            made.sum().backward()


def test_scatter_multiplies(torch: Any) -> None:
    x = torch.ones(2, 3, dtype=torch.float64) * 2
    with pytest.warns() if torch.__name__ == "torch" else nothing():
        y = x.scatter(1, torch.tensor([[0, 0]]), 3 * torch.ones(1, 2, dtype=torch.float64), reduce="multiply")  # fmt: skip
    assert same(y, [[18.0, 2.0, 2.0], [2.0, 2.0, 2.0]])
    assert same(x.scatter(0, torch.tensor([[1]]), 5.0), [[2.0, 2.0, 2.0], [5.0, 2.0, 2.0]])


class nothing:
    def __enter__(self) -> None: ...
    def __exit__(self, *error: Any) -> None: ...


def test_sources_are_kept(torch: Any) -> None:
    for name in ("index_add", "index_copy"):
        x, v = leaf(torch, [1.0, 2.0]), leaf(torch, [5.0]) * 1
        y = getattr(x, name)(0, torch.tensor([1]), v)
        with torch.no_grad():
            v.mul_(2)
        with raises(RuntimeError, "one of the variables needed for gradient computation has been"):
            y.sum().backward()


REFUSED: dict[str, tuple[type[Exception], str, Callable[..., Any]]] = {
    "fewer indices than parts": (
        RuntimeError,
        "index_add_(): Number of indices (1) should be equal to source.size(dim): (2), for dim: 0",
        lambda t, a: a.index_add(0, t.tensor([0]), t.ones(2, 3)),
    ),
    "other parts": (
        RuntimeError,
        "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = [3, 3] "
        "source.shape = [1, 2]",
        lambda t, a: a.index_add(0, t.tensor([0]), t.ones(1, 2)),
    ),
    "another type": (
        RuntimeError,
        "index_add_(): self (Float) and source (Long) must have the same scalar type",
        lambda t, a: a.index_add(0, t.tensor([0]), t.ones(1, 3).long()),
    ),
    "an index of truth values": (
        RuntimeError,
        "index_add_(): Expected dtype int32/int64 for index but got: Bool",
        lambda t, a: a.index_add(0, t.tensor([True]), t.ones(1, 3)),
    ),
    "an index from the end": (
        RuntimeError,
        "",
        lambda t, a: a.index_add(0, t.tensor([-1]), t.ones(1, 3)),
    ),
    "copies of other parts": (
        RuntimeError,
        "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: 3 at dimension "
        "0 and source slice shape: 2 at dimension 0.",
        lambda t, a: a.index_copy(0, t.tensor([0]), t.ones(1, 2)),
    ),
    "copies, too many": (
        IndexError,
        "index_copy_(): Number of indices (1) should be equal to source.size(dim) (2)",
        lambda t, a: a.index_copy(0, t.tensor([0]), t.ones(2, 3)),
    ),
    "copies of another rank": (
        IndexError,
        "index_copy_(): When source and destination are not scalars, their dimensionality must match. Source "
        "dimensionality (1), destination dimensionality (2)",
        lambda t, a: a.index_copy(0, t.tensor([0]), t.ones(3)),
    ),
    "filled with several": (
        RuntimeError,
        "index_fill_ only supports a 0-dimensional value tensor, but got tensor with 1 dimension(s).",
        lambda t, a: a.index_fill(0, t.tensor([0]), t.ones(1)),
    ),
    "a small source": (
        RuntimeError,
        "Expected index [1, 3] to be no larger than self [3, 3] apart from dimension 0 and to be no larger size than "
        "src [1, 2]",
        lambda t, a: a.scatter(0, t.tensor([[0, 1, 2]]), t.ones(1, 2)),
    ),
    "beyond the end": (
        RuntimeError,
        "index 5 is out of bounds for dimension 1 with size 3",
        lambda t, a: a.scatter(1, t.tensor([[5]]), 2.5),
    ),
    "before the start": (
        RuntimeError,
        "index -1 is out of bounds for dimension 1 with size 3",
        lambda t, a: a.scatter_add(1, t.tensor([[-1]]), t.ones(1, 1)),
    ),
    "an unknown reduction": (
        RuntimeError,
        "reduce argument must be either add or multiply.",
        lambda t, a: a.scatter(1, t.tensor([[0]]), 1.0, reduce="mean"),
    ),
    "put, too few": (
        IndexError,
        "put_(): Expected source and index to have the same number of elements, but got source.numel() = 1, "
        "index.numel() = 2",
        lambda t, a: a.put(t.tensor([1, -1]), t.ones(1)),
    ),
    "put beyond the end": (
        IndexError,
        "out of range: tried to access index 10 on a tensor of 9 elements.",
        lambda t, a: a.put(t.tensor([10]), t.ones(1)),
    ),
    "put of another type": (
        RuntimeError,
        "put_(): self and source expected to have the same dtype, but got self.dtype = Float and source.dtype = Long",
        lambda t, a: a.put(t.tensor([1]), t.tensor([1])),
    ),
    "masked, too few": (
        RuntimeError,
        "Number of elements of source < number of ones in mask",
        lambda t, a: a.masked_scatter(t.eye(3) > 0, t.ones(2)),
    ),
    "a mask of numbers": (
        RuntimeError,
        "masked_scatter_ only supports boolean masks, but got mask with dtype Float",
        lambda t, a: a.masked_scatter(t.eye(3), t.ones(9)),
    ),
    "more entries than there are": (
        RuntimeError,
        "selected index k out of range",
        lambda t, a: a.topk(4),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED.values(), ids=list(REFUSED))
def test_refused(torch: Any, case: Any) -> None:
    kind, text, call = case
    with raises(kind, text):
        call(torch, torch.zeros(3, 3))


def test_numbers_have_one_place(torch: Any) -> None:
    x, v = leaf(torch, 1.5), leaf(torch, 2.5)
    for call in (
        lambda: x.index_add(0, torch.tensor([0]), v), lambda: x.scatter_add(0, torch.tensor([0]), v.reshape(1)),
        lambda: x.put(torch.tensor([0]), v.reshape(1), accumulate=True),
    ):  # fmt: skip
        made = call()
        assert made.shape == () and same(made, 4.0) and made._base is None
        bars = torch.autograd.grad(made, (x, v))
        assert same(bars[0], 1.0) and same(bars[1], 1.0)
    assert same(x.index_copy(0, torch.tensor([0]), v), 2.5)
    assert same(x.masked_scatter(torch.tensor(True), v), 2.5)
    assert x.gather(0, torch.tensor([0]))._base is None
    assert close(x.index_fill(0, torch.tensor(-1), 7.0), 7.0)
