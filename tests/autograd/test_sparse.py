"""Sparse gradients and tensors: what PyTorch has of them and this has, and what is refused; on the real torch too."""

from __future__ import annotations

import copy
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from .surface import ORACLE, raises, same

OURS = ORACLE != "torch"
pytestmark = pytest.mark.filterwarnings("ignore")


def leaf(torch: Any, *shape: int) -> Any:
    return torch.ones(*shape, dtype=torch.float64, requires_grad=True)


def looked_up(torch: Any, table: Any, *rows: int, **options: Any) -> Any:
    embedding = import_module(f"{torch.__name__}.nn.functional").embedding
    return embedding(torch.tensor(rows), table, sparse=True, **options)


def matrix(torch: Any, **options: Any) -> Any:
    indices, values = [[0, 1, 1], [2, 0, 2]], [3.0, 4.0, 5.0]
    return torch.sparse_coo_tensor(indices, values, (2, 4), dtype=torch.float64, **options)


DENSE = [[0.0, 0.0, 3.0, 0.0], [4.0, 0.0, 5.0, 0.0]]


def is_sparse_of(torch: Any, found: Any, indices: Any, values: Any) -> bool:
    assert found.layout is torch.sparse_coo and found.is_sparse
    return bool(same(found._indices(), indices) and same(found._values(), values))


def test_embeddings_have_gradients_of_the_rows_that_were_read(torch: Any) -> None:
    table = leaf(torch, 4, 2)
    looked_up(torch, table, 1, 3, 1).sum().backward()
    assert is_sparse_of(torch, table.grad, [[1, 3, 1]], [[1.0, 1.0]] * 3)
    assert not table.grad.is_coalesced() and table.grad.shape == (4, 2)
    one = table.grad.coalesce()
    assert is_sparse_of(torch, one, [[1, 3]], [[2.0, 2.0], [1.0, 1.0]]) and one.is_coalesced()
    assert one.coalesce() is one and one.sparse_dim() == 1 and one.dense_dim() == 1


def test_no_gradient_goes_to_the_row_of_padding(torch: Any) -> None:
    for padding in (1, -3):
        table = leaf(torch, 4, 2)
        looked_up(torch, table, 1, 3, 1, padding_idx=padding).sum().backward()
        assert is_sparse_of(torch, table.grad, [[3]], [[1.0, 1.0]])


def test_gather(torch: Any) -> None:
    x = leaf(torch, 3, 2)
    torch.gather(x, 0, torch.tensor([[0, 1], [0, 0]]), sparse_grad=True).sum().backward()
    assert is_sparse_of(torch, x.grad, [[0, 1, 0, 0], [0, 1, 0, 1]], [1.0, 1.0, 1.0, 1.0])


ADDED: dict[str, tuple[Callable[..., None], bool]] = {
    "sparse and sparse": (lambda t, w: (once(t, w), once(t, w)), True),
    "sparse and dense": (lambda t, w: (once(t, w), (w * 2).sum().backward()), False),
    "dense and sparse": (lambda t, w: ((w * 2).sum().backward(), once(t, w)), False),
    "both in one pass": (lambda t, w: (looked_up(t, w, 1).sum() + (w * 2).sum()).backward(), False),
    "sparse twice in one pass": (lambda t, w: (looked_up(t, w, 1) + looked_up(t, w, 2)).sum().backward(), True),
    "through a multiple": (lambda t, w: looked_up(t, w * 3, 1, 2).sum().backward(), not OURS),
    "with a graph": (lambda t, w: (once(t, w), looked_up(t, w, 2).pow(2).sum().backward(create_graph=True)), True),
}  # fmt: skip


def once(torch: Any, table: Any) -> None:
    looked_up(torch, table, 1, 3, 1).sum().backward()


@pytest.mark.parametrize("name", ADDED)
def test_gradients_of_both_kinds_add_up(torch: Any, name: str) -> None:
    run, is_sparse = ADDED[name]
    table, plain = leaf(torch, 4, 2), leaf(torch, 4, 2)
    run(torch, table)
    assert table.grad.is_sparse is is_sparse
    with pytest.MonkeyPatch.context() as patch:
        functional = import_module(f"{torch.__name__}.nn.functional")
        dense = functional.embedding
        patch.setattr(
            functional, "embedding", lambda i, w, sparse=False: dense(i, w), raising=False
        )
        run(torch, plain)
    assert not plain.grad.is_sparse and same(table.grad.detach().to_dense(), plain.grad.detach())


def test_versions_of_gradients_that_are_added_to(torch: Any) -> None:
    table = leaf(torch, 4, 2)
    once(torch, table)
    first = table.grad
    once(torch, table)
    assert table.grad is first and first._version == 1 and first._nnz() == 6


def test_hooks_see_them(torch: Any) -> None:
    table, seen = leaf(torch, 4, 2), []
    table.register_hook(lambda bar: seen.append((bar.layout, bar._nnz())))
    table.register_post_accumulate_grad_hook(lambda w: seen.append(w.grad.is_sparse))
    once(torch, table)
    assert seen == [(torch.sparse_coo, 3), True]
    table.register_hook(lambda bar: bar * 2)
    table.grad = None
    once(torch, table)
    assert same(table.grad.to_dense(), [[0.0, 0.0], [4.0, 4.0], [0.0, 0.0], [2.0, 2.0]])


def test_second_derivatives(torch: Any) -> None:
    table = leaf(torch, 4, 2)
    (bar,) = torch.autograd.grad(
        (looked_up(torch, table, 1, 3, 1) ** 3).sum(), table, create_graph=True
    )
    assert bar.is_sparse and bar.grad_fn.name() == "SparseCooTensorWithDimsAndTensorsBackward0"
    (second,) = torch.autograd.grad(bar.to_dense().sum(), table)
    assert same(second.to_dense(), [[0.0, 0.0], [12.0, 12.0], [0.0, 0.0], [6.0, 6.0]])


def test_a_step_by_hand(torch: Any) -> None:
    table = leaf(torch, 4, 2)
    once(torch, table)
    with torch.no_grad():
        table -= 0.5 * table.grad
        table.add_(table.grad, alpha=-0.25)
    assert same(table, [[1.0, 1.0], [-0.5, -0.5], [1.0, 1.0], [0.25, 0.25]])


STEPS = {
    "SGD": {"lr": 0.1}, "SGD with momentum": {"lr": 0.1, "momentum": 0.9}, "Adagrad": {"lr": 0.1, "lr_decay": 0.2},
    "SparseAdam": {"lr": 0.1},
}  # fmt: skip


@pytest.mark.parametrize("name", STEPS)
def test_optimizers_take_them(torch: Any, name: str) -> None:
    """Adagrad and gradient descent as with dense ones; Adam of the rows alone as Adam where all rows are read."""
    optim = import_module(f"{torch.__name__}.optim")
    kind = getattr(optim, name.split()[0])
    tables = [leaf(torch, 3, 2), leaf(torch, 3, 2)]
    dense = optim.Adam if name == "SparseAdam" else kind
    steps = [kind([tables[0]], **STEPS[name]), dense([tables[1]], **STEPS[name])]
    rows = (0, 1, 2, 1) if name == "SparseAdam" else (1, 2, 1)
    for _ in range(3):
        for table, step, is_sparse in zip(tables, steps, (True, False), strict=True):
            step.zero_grad()
            found = looked_up(torch, table, *rows)
            (found if is_sparse else table[torch.tensor(rows)]).pow(3).sum().backward()
            assert table.grad.is_sparse is is_sparse
            step.step()
    assert torch.allclose(*tables, rtol=1e-6)


def test_adam_refuses_them(torch: Any) -> None:
    table = leaf(torch, 4, 2)
    optim = import_module(f"{torch.__name__}.optim")
    once(torch, table)
    with raises(RuntimeError, "Adam does not support sparse gradients, please consider SparseAdam"):
        optim.Adam([table]).step()
    table.grad = table.grad.to_dense()
    with raises(RuntimeError, "SparseAdam does not support dense gradients, please consider Adam"):
        optim.SparseAdam([table]).step()


COMPUTED: dict[str, tuple[Callable[..., Any], Any]] = {
    "dense": (lambda t, s: s.to_dense(), DENSE),
    "a multiple": (lambda t, s: (2 * (s * 2) / 4).to_dense(), DENSE),
    "negative": (lambda t, s: (-s).to_dense(), [[-x for x in row] for row in DENSE]),
    "a sum": (lambda t, s: (s + s).to_dense(), [[2 * x for x in row] for row in DENSE]),
    "a difference": (lambda t, s: (s - s).to_dense(), [[0.0] * 4] * 2),
    "dense and sparse": (lambda t, s: t.ones(2, 4, dtype=s.dtype) + s, [[x + 1 for x in row] for row in DENSE]),
    "without sparse": (lambda t, s: t.ones(2, 4, dtype=s.dtype) - s, [[1 - x for x in row] for row in DENSE]),
    "by dense": (lambda t, s: (s * t.full((2, 4), 2.0, dtype=s.dtype)).to_dense(), [[2 * x for x in row] for row in DENSE]),
    "of all": (lambda t, s: import_module(f"{t.__name__}.sparse").sum(s), 12.0),
    "of columns": (lambda t, s: import_module(f"{t.__name__}.sparse").sum(s, 0).to_dense(), [4.0, 0.0, 8.0, 0.0]),
    "of rows": (lambda t, s: import_module(f"{t.__name__}.sparse").sum(s, 1).to_dense(), [3.0, 9.0]),
    "a product": (lambda t, s: import_module(f"{t.__name__}.sparse").mm(s, t.ones(4, 2, dtype=s.dtype)), [[3.0, 3.0], [9.0, 9.0]]),
    "a product by name": (lambda t, s: t.mm(s, t.ones(4, 1, dtype=s.dtype)), [[3.0], [9.0]]),
    "a product by operator": (lambda t, s: s @ t.ones(4, dtype=s.dtype), [3.0, 9.0]),
    "transposed": (lambda t, s: s.t().to_dense().t(), DENSE),
    "of another type": (lambda t, s: s.to(t.float32).to(t.float64).to_dense(), DENSE),
    "values": (lambda t, s: s.coalesce().values(), [3.0, 4.0, 5.0]),
    "a copy": (lambda t, s: s.clone().to_dense(), DENSE),
    "there and back": (lambda t, s: s.to_dense().to_sparse().to_dense(), DENSE),
}  # fmt: skip


UNCHECKED = {
    "dense and sparse",
    "without sparse",
    "of another type",
}  # its gradient is dense, or in single precision
if not OURS:
    UNCHECKED |= {"a product by name", "a product by operator"}


@pytest.mark.parametrize("name", COMPUTED)
def test_what_is_computed(torch: Any, name: str) -> None:
    run, expected = COMPUTED[name]
    assert same(run(torch, matrix(torch)), expected)
    s = matrix(torch, requires_grad=True)
    made = run(torch, s)
    assert made.requires_grad
    if name not in UNCHECKED:
        assert torch.autograd.gradcheck(lambda x: run(torch, x), (s,), masked=True)


def test_derivatives_by_what_stands_beside_it(torch: Any) -> None:
    d, e = leaf(torch, 4, 2), leaf(torch, 2, 4)
    s = matrix(torch, requires_grad=True)
    sparse = import_module(f"{torch.__name__}.sparse")
    assert torch.autograd.gradcheck(sparse.mm, (s, d), masked=True)
    assert torch.autograd.gradcheck(lambda y: y + s.detach(), (e,))
    values = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)

    def made(v: Any) -> Any:
        return torch.sparse_coo_tensor([[0, 1], [1, 2]], v, (2, 3)).to_dense() ** 2

    assert torch.autograd.gradcheck(made, (values,))
    if OURS:  # PyTorch's second derivative ends at the sparse gradient
        assert torch.autograd.gradgradcheck(made, (values,))


def test_gradcheck_of_layouts(torch: Any) -> None:
    check, s = torch.autograd.gradcheck, matrix(torch, requires_grad=True)
    assert check(lambda x: x.to_dense(masked_grad=False), (s,), masked=False)
    mismatch = torch.autograd.gradcheck.__globals__["GradcheckError"]
    with raises(mismatch, "Jacobian mismatch for output 0 with respect to input 0"):
        check(lambda x: x.to_dense(), (s,))
    with raises(ValueError, "Sparse output is not supported at gradcheck yet."):
        check(lambda x: x * 2, (s,), masked=True)
    with raises(mismatch, "grad is incorrect layout (torch.sparse_coo is not torch.strided)"):
        check(lambda w: looked_up(torch, w, 1), (leaf(torch, 4, 2),))


def test_printed_and_copied(torch: Any) -> None:
    s = matrix(torch, requires_grad=True)
    text = (
        "tensor(indices=tensor([[0, 1, 1],\n                       [2, 0, 2]]),\n       values=tensor([3., 4., 5.]),\n"
        "       size=(2, 4), nnz=3, dtype=torch.float64, layout=torch.sparse_coo,\n       requires_grad=True)"
    )
    assert repr(s) == text.replace("torch.", f"{torch.__name__}.")
    other = copy.deepcopy(s)
    assert other is not s and same(other.to_dense(), DENSE) and other.requires_grad
    assert s.is_leaf and s.numel() == 8 and s.size() == (2, 4) and s.dim() == 2 and s._nnz() == 3


REFUSED: dict[str, tuple[type[Exception], str, Callable[..., Any]]] = {
    "indices of what is not coalesced": (RuntimeError, "Cannot get indices on an uncoalesced tensor, please call .coalesce() first", lambda t, s: s.indices()),
    "values of what is not coalesced": (RuntimeError, "Cannot get values on an uncoalesced tensor, please call .coalesce() first", lambda t, s: s.values()),
    "sparse and dense": (RuntimeError, "add(sparse, dense) is not supported. Use add(dense, sparse) instead.", lambda t, s: s + t.ones(2, 4)),
    "coordinates of a dense tensor": (RuntimeError, "coalesce expected sparse coordinate tensor layout but got Strided", lambda t, s: t.ones(2).coalesce()),
    "an array": (TypeError, "can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.", lambda t, s: s.numpy()),
    "other numbers": (RuntimeError, "indices and values must have same nnz, but got nnz from indices: 2, nnz from values: 3", lambda t, s: t.sparse_coo_tensor([[0, 1]], [1.0, 2.0, 3.0])),
    "other dimensions": (RuntimeError, "'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = 1, sparse_dim = 2, dense_dim = 0", lambda t, s: t.sparse_coo_tensor([[0], [1]], [1.0], (2,))),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(torch: Any, name: str) -> None:
    kind, text, run = REFUSED[name]
    with raises(kind, text):
        run(torch, matrix(torch))


MISSING = (
    lambda t, s: s.cos(), lambda t, s: t.cos(s), lambda t, s: s[0], lambda t, s: s.view(-1), lambda t, s: s * s, lambda t, s: s > 0,
    lambda t, s: t.stack([s, s]), lambda t, s: t.ones(2, 4).where(t.ones(2, 4) > 0, s), lambda t, s: s.mul_(2), lambda t, s: s.item(),
    lambda t, s: list(s), lambda t, s: t.exp(s), lambda t, s: s + 1, lambda t, s: s.tolist(),
)  # fmt: skip


@pytest.mark.skipif(not OURS, reason="torch has it")
@pytest.mark.parametrize("k", range(len(MISSING)))
def test_what_is_missing_says_so(torch: Any, k: int) -> None:
    with pytest.raises((NotImplementedError, TypeError), match="sparse|expected a tensor"):
        MISSING[k](torch, matrix(torch, requires_grad=True))


@pytest.mark.skipif(not OURS, reason="torch does not look")
def test_coordinates_are_looked_at(torch: Any) -> None:
    with raises(RuntimeError, "size is inconsistent with indices: for dim 0, size is 3"):
        torch.sparse_coo_tensor([[0, 5]], [1.0, 2.0], (3,))
    with raises(RuntimeError, "found negative index -1 for dim 0"):
        torch.sparse_coo_tensor([[-1]], [1.0], (2,))
