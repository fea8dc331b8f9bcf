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


# -- reductions where several entries meet ---------------------------------------------------------

REDUCTIONS_REFUSED = {
    "x.scatter_reduce(0, i, x, 'foo')": "reduce argument must be either sum, prod, mean, amax or amin, got foo",
    "x.scatter_reduce(0, i, x.double(), 'sum')": "scatter(): Expected self.dtype to be equal to src.dtype",
    "x.scatter_reduce(2, i, x, 'sum')": "Dimension out of range (expected to be in range of [-2, 1], but got 2)",
    "x.scatter_reduce(0, i + 9, x, 'sum')": "index 9 is out of bounds for dimension 0 with size 3",
    "torch.index_reduce(x, 0, at, x[:2], 'sum')": "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got sum.",
    "torch.index_reduce(x, 0, at, x[:2].double(), 'prod')": "index_reduce_(): self (Float) and source (Double) must have the same scalar type",
    "torch.index_reduce(x, 0, at, x, 'prod')": "index_reduce_(): Number of indices (2) should be equal to source.size(dim): (3), for dim: 0",
    "torch.index_reduce(x, 0, i[:1], x[:2], 'prod')": "index_reduce_(): Index is supposed to be a vector, but got dim: 2 with type: Long and size: [1, 2]",
    "torch.index_reduce(x, 0, at + 7, x[:2], 'prod')": "index out of range in self",
    "torch.tensor([1j]).scatter_reduce(0, at, torch.tensor([1j, 1j]), 'amax')": "",
}  # fmt: skip


@pytest.mark.parametrize("text", REDUCTIONS_REFUSED)
def test_reductions_that_are_refused(torch: Any, text: str) -> None:
    scope = {
        "torch": torch,
        "x": torch.ones(3, 2),
        "i": torch.zeros(3, 2, dtype=torch.long),
        "at": torch.tensor([0, 0]),
    }
    with raises((RuntimeError, IndexError), REDUCTIONS_REFUSED[text]):  # type: ignore[arg-type]
        eval(text, scope)


@pytest.mark.parametrize("call", ["scatter_reduce", "index_reduce"])
@pytest.mark.parametrize("several", [0, 1, 2])
def test_second_derivatives_of_products_with_zeros(torch: Any, call: str, several: int) -> None:
    """Against those of a product that is written out; PyTorch refuses several zeros of the source."""
    if several == 2 and torch.__name__ == "torch":
        pytest.skip("refused by torch")
    values = [0.0] * several + [2.0, 0.5, 4.0][several:]
    found = []
    for make in (
        lambda x, s: getattr(torch, call)(x, 0, torch.tensor([1, 1, 1]), s, "prod"),
        lambda x, s: torch.stack([x[0], x[1] * s[0] * s[1] * s[2]]),
    ):
        x = torch.tensor([4.0, 0.5], requires_grad=True)
        s = torch.tensor(values, requires_grad=True)
        g = torch.autograd.grad(make(x, s).square().sum(), (x, s), create_graph=True)
        h = torch.autograd.grad(sum(one.square().sum() for one in g), (x, s))
        found.append([one.tolist() for one in (*g, *h)])
    assert found[0] == found[1]


def test_what_a_reduction_reads_is_not_written_to(torch: Any) -> None:
    at = torch.tensor([0, 0])
    for write in ("src", "at", "made"):
        x, src = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True) * 2
        made = x.scatter_reduce(0, at, src, "amax")
        {"src": src, "at": at, "made": made * 1 if write != "made" else made}[write].mul_(1)
        with raises(RuntimeError, "one of the variables needed for gradient computation has been"):
            torch.autograd.grad(made.sum(), x)
