"""What is written into a tensor of another type: filled in, copied, or refused."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

TYPES = ("float32", "float64", "int64", "bool", "complex128")
MASK = [[True, False], [True, True]]


def written(torch: Any, a: Any, index: Any, value: Any) -> Any:
    made = a.clone()
    made[index] = value
    return made


# A tensor, and one number of another one.
FILLS = {
    "fill_": lambda t, a, s: a.clone().fill_(s[1, 1]),
    "masked_fill": lambda t, a, s: a.masked_fill(t.tensor(MASK), s[1, 1]),
    "masked_fill_": lambda t, a, s: a.clone().masked_fill_(t.tensor(MASK), s[1, 1]),
    "index_fill": lambda t, a, s: a.index_fill(0, t.tensor([1]), s[1, 1]),
    "a number where a mask says": lambda t, a, s: written(t, a, t.tensor(MASK), s[1, 1]),
    "a number where a list of truth values says": lambda t, a, s: written(
        t, a[0], [True, False], s[1, 1]
    ),
    "one entry where a mask says": lambda t, a, s: written(t, a, t.tensor(MASK), s[1, 1:]),
}
# A tensor, and several entries of another one.
COPIES = {
    "copy_": lambda t, a, s: a.clone().copy_(s),
    "a row": lambda t, a, s: written(t, a, 0, s[0]),
    "columns": lambda t, a, s: written(t, a, (slice(None), slice(1)), s[:, :1]),
    "select_scatter": lambda t, a, s: a.select_scatter(s[0], 0, 1),
    "slice_scatter": lambda t, a, s: a.slice_scatter(s[:1], 0, 1, 2),
    "diagonal_scatter": lambda t, a, s: a.diagonal_scatter(s.diagonal()),
}
# Those of which both have to be of one type.
STRICT = {
    "index_put": lambda t, a, s: a.index_put((t.tensor([1, 0]),), s),
    "rows of a list": lambda t, a, s: written(t, a, [0, 1], s),
    "entries where a mask says": lambda t, a, s: written(t, a, t.tensor(MASK), s.reshape(-1)[:3]),
    "index_copy": lambda t, a, s: a.index_copy(0, t.tensor([1, 0]), s),
    "index_add": lambda t, a, s: a.index_add(0, t.tensor([1, 0]), s),
    "scatter": lambda t, a, s: a.scatter(0, t.tensor([[0, 1], [1, 0]]), s),
    "scatter, of a number": lambda t, a, s: a[0, 0].scatter(0, t.tensor([0]), s[0, :1]),
    "scatter_add": lambda t, a, s: a.scatter_add(0, t.tensor([[0, 1], [1, 0]]), s),
    "masked_scatter": lambda t, a, s: a.masked_scatter(t.tensor(MASK), s),
    "put": lambda t, a, s: a.put(t.tensor([1, 0]), s[0]),
}
PAIRS = [pytest.param(*pair, id=" from ".join(pair)) for pair in product(TYPES, TYPES)]


def of_type(torch: Any, name: str, first: int) -> Any:
    numbers = torch.arange(first, first + 4).reshape(2, 2).to(getattr(torch, name))
    return numbers.requires_grad_() if name.startswith(("float", "complex")) else numbers


def refused_by_torch(call: str, own: str, other: str) -> bool:
    """Integers that are filled with what requires grad, and real numbers with complex ones, in one function."""
    if own in ("int64", "bool"):
        return other.startswith(("float", "complex"))
    return call == "index_fill" and other == "complex128" != own


@pytest.mark.filterwarnings("ignore:Casting complex values")
@pytest.mark.parametrize(("own", "other"), PAIRS)
@pytest.mark.parametrize("call", FILLS | COPIES)
def test_the_type_stays(torch: Any, call: str, own: str, other: str) -> None:
    if refused_by_torch(call, own, other):
        pytest.skip("PyTorch's integers would require grad, or it refuses a complex number")
    if torch.__name__ == "torch" and own == "complex128" and call not in ("copy_", "a row"):
        pytest.skip("PyTorch has no gradient of this with complex results")
    a, s = of_type(torch, own, 0), of_type(torch, other, 1)
    made = (FILLS | COPIES)[call](torch, a, s)
    assert made.dtype == a.dtype
    plain = (FILLS | COPIES)[call](torch, a.detach(), s.detach().to(a.dtype))
    assert torch.equal(made.detach(), plain)
    if not made.requires_grad:
        return
    leaves = [x for x in (a, s) if x.requires_grad]
    bars = torch.autograd.grad(made.abs().sum(), leaves, allow_unused=True)
    assert all(b is None or b.dtype == x.dtype for b, x in zip(bars, leaves, strict=True))
    if own.startswith("float") and other.startswith("float"):
        assert sum(b.sum() for b in bars) == made.count_nonzero()  # each entry is of one of them


@pytest.mark.parametrize(("own", "other"), [p for p in PAIRS if p.values[0] != p.values[1]])
@pytest.mark.parametrize("call", STRICT)
def test_both_are_of_one_type(torch: Any, call: str, own: str, other: str) -> None:
    a, s = of_type(torch, own, 0), of_type(torch, other, 1)
    with pytest.raises(RuntimeError, match="type|dtype"):
        STRICT[call](torch, a, s)


def test_shifts(torch: Any) -> None:
    x, n = torch.tensor([1, 2, 12]), torch.tensor([3, 1, 2])
    assert (x << n).tolist() == [8, 4, 48]
    assert (x >> 1).tolist() == [0, 1, 6]
    assert (1 << n).tolist() == [8, 2, 4]
    x <<= 2
    x >>= torch.tensor(1)
    assert x.tolist() == [2, 4, 24]


@pytest.mark.filterwarnings("ignore:Using a target size")
@pytest.mark.parametrize("shapes", [((), (3,)), ((3,), ()), ((2, 3), ()), ((), ())])
@pytest.mark.parametrize("loss", ["mse_loss", "l1_loss", "smooth_l1_loss"])
def test_a_number_counts_in_losses(torch: Any, loss: str, shapes: Any) -> None:
    """Between a number in double precision and entries in single precision the loss is in double precision."""
    for first, second in (("float32", "float64"), ("float64", "float32")):
        a = torch.ones(shapes[0], dtype=getattr(torch, first)).requires_grad_()
        b = torch.zeros(shapes[1], dtype=getattr(torch, second))
        made = getattr(torch.nn.functional, loss)(a, b)
        assert made.dtype == torch.float64
        (bar,) = torch.autograd.grad(made, a)
        assert bar.dtype == a.dtype
        assert bar.shape == a.shape


@pytest.mark.parametrize("call", ["scatter", "scatter_add"])
@pytest.mark.parametrize("own", TYPES)
def test_scattering_nothing(torch: Any, call: str, own: str) -> None:
    """It gives the tensor as it is, and leads to what is scattered."""
    a = (torch.zeros(2, 2) * -1.0).to(getattr(torch, own))
    s, none = of_type(torch, own, 1), torch.zeros(0, 2, dtype=torch.int64)
    made = getattr(a, call)(0, none, s[:0])
    assert made.dtype == a.dtype
    assert made.detach().numpy().tobytes() == a.numpy().tobytes()
    assert made.requires_grad == s.requires_grad
    if s.requires_grad:
        (bar,) = torch.autograd.grad(made.abs().sum(), s)
        assert bar.count_nonzero() == 0
