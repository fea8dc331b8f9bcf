"""Sparse gradients: what they are, where they arrive, and what is refused of sparse tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd

PLACES = [[1, 2], [1, 3]]


def parts(module: Any) -> tuple[Any, Any, Any]:
    """A table, indices, and a sparse matrix with an entry in two parts."""
    w = module.arange(12, dtype=module.float64).reshape(4, 3).requires_grad_()
    values = module.tensor([3.0, 4.0, 5.0], dtype=module.float64)
    s = module.sparse_coo_tensor(module.tensor([[0, 1, 0], [2, 0, 2]]), values, (2, 3))
    return w, module.tensor(PLACES), s


def seen(value: Any) -> Any:
    """What is compared of a result: the layout, and all entries."""
    if isinstance(value, (tuple, list)):
        return [seen(one) for one in value]
    if not hasattr(value, "requires_grad"):
        return value
    value = value.detach()
    return value.is_sparse, (value.to_dense() if value.is_sparse else value).tolist()


# Programs with a table `w`, indices `i` and a sparse matrix `s`; the last line has the result.
PROGRAMS = """
(F.embedding(i, w, sparse=True) ** 2).sum().backward(); w.grad
F.embedding(i, w, padding_idx=1, sparse=True).sum().backward(); w.grad
F.embedding(i, w, padding_idx=-3, sparse=True).sum().backward(); w.grad
[F.embedding(i, w, sparse=True).sum().backward() for _ in range(2)]; w.grad
F.embedding(i, w, sparse=True).sum().backward(); w.sum().backward(); w.grad
w.sum().backward(); g = w.grad; F.embedding(i, w, sparse=True).sum().backward(); [g is w.grad, g]
F.embedding(i, w, sparse=True).sum().backward(); g = w.grad; F.embedding(i, w, sparse=True).sum().backward(); [g is w.grad, g]
(F.embedding(i, w, sparse=True).sum() + (w * w).sum()).backward(); w.grad
(F.embedding(i, w, sparse=True).sum() + F.embedding(i[0], w, sparse=True).prod()).backward(); w.grad
h = w.register_hook(lambda g: g * 2); F.embedding(i, w, sparse=True).sum().backward(); w.grad
a = []; h = w.register_hook(lambda g: a.append(seen(g))); F.embedding(i, w, sparse=True).sum().backward(); a
a = []; h = w.register_post_accumulate_grad_hook(lambda p: a.append(seen(p.grad))); F.embedding(i, w, sparse=True).sum().backward(); a
h = w.register_hook(lambda g: g.to_dense()); F.embedding(i, w, sparse=True).sum().backward()
torch.autograd.grad(F.embedding(i, w, sparse=True).sum(), w)
(g,) = torch.autograd.grad(w.gather(1, i - 1, sparse_grad=True).pow(2).sum(), w); g
x = w.detach()[0, 2].requires_grad_(); torch.gather(x, 0, torch.tensor(0), sparse_grad=True).backward(); x.grad
x = w.detach()[0].requires_grad_(); torch.gather(x, 0, torch.tensor(1), sparse_grad=True).backward(); x.grad
F.embedding(i, w, sparse=True).sum().backward(); w.grad.zero_(); w.grad
w.backward(torch.sparse_coo_tensor(torch.tensor([[1]]), torch.ones(1, 3, dtype=w.dtype), (4, 3))); w.grad
w.grad = torch.sparse_coo_tensor(torch.tensor([[1]]), torch.ones(1, 3, dtype=w.dtype), (4, 3)); w.sum().backward(); w.grad
v = torch.ones(3, dtype=w.dtype).requires_grad_(); d = torch.sparse_coo_tensor(s._indices(), v, (2, 3)).to_dense(); (d * d).sum().backward(); [d, v.grad]
v = torch.ones(3, dtype=w.dtype).requires_grad_(); torch.sparse.sum(torch.sparse_coo_tensor(s._indices(), v, (2, 3))).backward(); v.grad
s.requires_grad_(); (s.to_dense() ** 2).sum().backward(); s.grad
s.requires_grad_(); (s.to_dense(masked_grad=False) + 1).pow(2).sum().backward(); s.grad
s.requires_grad_(); v = s.coalesce().values(); (v * v).sum().backward(); [v, s.grad]
s.requires_grad_(); torch.sparse.sum(s).backward(); s.grad
s.requires_grad_(); r = torch.sparse.sum(s, 0); (r.to_dense() ** 2).sum().backward(); [r, s.grad]
s.requires_grad_(); r = torch.sparse.sum(s, (0, 1)); r.backward(); [r, s.grad]
s.requires_grad_(); s.sum().backward(); s.grad
s.requires_grad_(); m = w[:3]; r = torch.sparse.mm(s, m); (r * r).sum().backward(); [r, s.grad, w.grad]
s.requires_grad_(); r = torch.sparse.addmm(torch.ones(2, 3, dtype=w.dtype), s, w[:3], beta=2, alpha=3); r.sum().backward(); [r, s.grad, w.grad]
s.requires_grad_(); u = (s * 2 - s / 4).coalesce(); torch.sparse.sum(u * 3).backward(); [u, s.grad]
[s @ w[:3], s @ w[0], w[:, :2] @ s, s.t(), -s, s + s, w[:2] + s, s * w[:2]]
x = w[:2].detach().requires_grad_(); m = x.sparse_mask(s.coalesce()); torch.sparse.sum(m).backward(); [m, x.grad]
r = w.to_sparse(); (r.to_dense() ** 2).sum().backward(); [r, w.grad]
[s.is_sparse, w.is_sparse, s.sparse_dim(), s.dense_dim(), s._nnz(), s.is_coalesced(), s.coalesce()._nnz(), s.coalesce().indices().tolist()]
s.mul_(2); s.add_(s.clone()); s
d = torch.ones(2, 3, dtype=w.dtype); d.add_(s); d += s; [d, torch.add(d, s, alpha=2)]
[s.clone(), s.float(), s.detach(), s.abs(), s.square(), s.sin(), s ** 2, s.norm().item()]
[(s.long() * 0.5).double(), s.long().double() * 2, s * 1.5]
repr(s).replace("torch", "").replace("retrograd", "")
repr(s.requires_grad_()).replace("torch", "").replace("retrograd", "")
torch.utils.checkpoint.checkpoint(lambda t: F.embedding(i, t, sparse=True).pow(2).sum(), w, use_reentrant=False).backward(); w.grad
(g,) = torch.autograd.grad(F.embedding(i, w, sparse=True).pow(3).sum(), w, create_graph=True); torch.autograd.grad(g.to_dense().sum(), w)
Fixed.apply(w, s.to_dense().sum() * 0).sum().backward(); w.grad
s.indices()
s.values()
w.coalesce()
s + w[:2]
s.numpy()
F.embedding(i + 9, w, sparse=True)
torch.sparse_coo_tensor(torch.tensor([[0, 5]]), torch.ones(3))
torch.sparse_coo_tensor(torch.tensor([[0, -1]]), torch.ones(2))
torch.sparse_coo_tensor(torch.tensor([[0, 1]]), torch.ones(2), (3, 3))
F.embedding(i, w, sparse=True).sum().backward(); torch.optim.Adam([w], lr=0.1).step()
F.embedding(i, w, sparse=True).sum().backward(); torch.optim.SGD([w], lr=0.1, weight_decay=0.1).step()
F.embedding(i, w, sparse=True).sum().backward(); torch.optim.Adagrad([w], lr=0.1, weight_decay=0.1).step()
w.sum().backward(); torch.optim.SparseAdam([w], lr=0.1).step()
torch.autograd.gradcheck(torch.sparse.sum, [s.coalesce().requires_grad_()], masked=True)
torch.autograd.gradcheck(lambda t: t.to_dense(masked_grad=False), [s.coalesce().requires_grad_()], masked=False)
torch.autograd.gradcheck(lambda t: t.to_dense(), [s.coalesce().requires_grad_()], masked=True)
torch.autograd.gradcheck(torch.sparse.mm, [s.coalesce().requires_grad_(), w.detach()[:3].requires_grad_()], masked=True)
torch.autograd.gradcheck(lambda t: t.to_dense(), [s.coalesce().requires_grad_()], masked=False, raise_exception=False)
torch.autograd.gradcheck(lambda t: t * 2, [s.coalesce().requires_grad_()], masked=True)
torch.autograd.gradcheck(lambda t: F.embedding(i, t, sparse=True), [w])
""".strip().splitlines()


def fixed(module: Any) -> Any:
    """A function whose gradient is a sparse one that it was not given."""

    class Fixed(module.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            return x * 1

        @staticmethod
        def backward(ctx: Any, bar: Any) -> Any:
            values = module.ones(2, 3, dtype=bar.dtype)
            return module.sparse_coo_tensor(module.tensor([[0, 2]]), values, (4, 3)), None

    return Fixed


def outcome(module: Any, program: str) -> Any:
    """What a program gives, or the error it ends with."""
    w, i, s = parts(module)
    import importlib

    for part in ("nn.functional", "optim", "sparse", "utils.checkpoint"):
        importlib.import_module(f"{module.__name__}.{part}")
    names = {"torch": module, "F": module.nn.functional, "w": w, "i": i, "s": s, "seen": seen, "Fixed": fixed(module)}  # fmt: skip
    *steps, last = program.split("; ")
    try:
        exec("\n".join(steps), names)
        try:
            return seen(eval(last, names))
        except SyntaxError:
            exec(last, names)
            return None
    except Exception as error:
        return type(error).__name__, str(error).replace("retrograd", "torch")


@pytest.mark.filterwarnings("ignore:Sparse invariant checks")
@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_do_what_they_do_in_torch(program: str) -> None:
    torch = pytest.importorskip("torch")
    np.testing.assert_equal(rounded(outcome(retrograd, program)), rounded(outcome(torch, program)))


def rounded(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [rounded(one) for one in value]
    return round(value, 6) if isinstance(value, float) else value


# A sum in which a table is used: the sparse gradient is the dense one.
USES = """
F.embedding(i, w, sparse=SPARSE).sin().sum()
F.embedding(i, w * 2, sparse=SPARSE).sin().sum()
F.embedding(i, w, padding_idx=1, sparse=SPARSE).sin().sum()
F.embedding(i, w, sparse=SPARSE).sin().sum() + (w * w).sum() + F.embedding(i.t(), w.t().contiguous().t(), sparse=SPARSE).prod()
w.gather(1, i - 1, sparse_grad=SPARSE).sin().sum()
w.gather(0, i, sparse_grad=SPARSE).sin().sum() + w.sum()
torch.gather(w, -1, i[:1], sparse_grad=SPARSE).exp().sum()
""".strip().splitlines()


@pytest.mark.parametrize("use", USES)
def test_sparse_gradient_is_the_dense_one(use: str) -> None:
    found = []
    for is_sparse in ("True", "False"):
        w, i, _ = parts(retrograd)
        names = {"torch": retrograd, "F": retrograd.nn.functional, "w": w, "i": i}
        program = use.replace("SPARSE", is_sparse)
        first = eval(program, names)
        first.backward()
        (g,) = retrograd.autograd.grad(eval(program, names), w, create_graph=True)
        assert g.requires_grad
        dense = g.to_dense() if g.is_sparse else g
        (twice,) = retrograd.autograd.grad((dense * dense).sum(), w)
        found.append(((w.grad.to_dense() if w.grad.is_sparse else w.grad).tolist(), dense.tolist(), twice.to_dense().tolist()))  # fmt: skip
    np.testing.assert_allclose(*[np.array(one) for one in found], rtol=1e-12)


OPTIMIZERS = [
    ("SGD", {"lr": 0.1}), ("SGD", {"lr": 0.1, "momentum": 0.9}), ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
    ("SGD", {"lr": 0.1, "maximize": True}), ("SparseAdam", {"lr": 0.1}),
    ("SparseAdam", {"lr": 0.1, "betas": (0.5, 0.9), "maximize": True}), ("Adagrad", {"lr": 0.1}),
    ("Adagrad", {"lr": 0.1, "lr_decay": 0.1, "initial_accumulator_value": 0.2}),
    ("Adagrad", {"lr": 0.1, "maximize": True}),
]  # fmt: skip


def path(module: Any, name: str, options: dict[str, Any], is_sparse: bool) -> Any:
    w, i, _ = parts(module)
    optimizer = getattr(module.optim, name)([w], **options)
    for step in range(4):
        optimizer.zero_grad()
        (module.nn.functional.embedding(i[:, step % 2], w, sparse=is_sparse) ** 2).sum().backward()
        optimizer.step()
    return w.detach().numpy()


@pytest.mark.filterwarnings("ignore:Sparse invariant checks")
@pytest.mark.parametrize(("name", "options"), OPTIMIZERS)
def test_steps_along_sparse_gradients(name: str, options: dict[str, Any]) -> None:
    found = path(retrograd, name, options, True)
    if name != "SparseAdam":
        np.testing.assert_allclose(found, path(retrograd, name, options, False), rtol=1e-12)
    torch = pytest.importorskip("torch")
    np.testing.assert_allclose(found, path(torch, name, options, True), rtol=1e-9)


FOREIGN = ["exp", "sigmoid", "cumsum", "reshape", "tolist", "stride", "softmax", "max", "unsqueeze"]


@pytest.mark.parametrize("name", FOREIGN)
def test_what_has_no_sparse_form_is_refused(name: str) -> None:
    *_, s = parts(retrograd)
    arguments = {"cumsum": (0,), "reshape": (-1,), "softmax": (0,), "unsqueeze": (0,)}
    with pytest.raises(NotImplementedError, match="sparse"):
        getattr(s, name)(*arguments.get(name, ()))


def test_numpy_does_not_take_a_sparse_tensor_for_an_array() -> None:
    *_, s = parts(retrograd)
    for function in (np.asarray, np.exp, np.linalg.norm, np.sum):
        with pytest.raises((NotImplementedError, TypeError), match=r"[Ss]parse"):
            function(s.t() if function is np.sum else s, *((0,) if function is np.sum else ()))


def test_a_write_that_would_have_to_be_recorded_is_refused() -> None:
    *_, s = parts(retrograd)
    u = s.requires_grad_() * 2
    with pytest.raises(NotImplementedError, match="not recorded"):
        u.mul_(2)


def test_batches_of_sparse_gradients_are_refused() -> None:
    w, i, _ = parts(retrograd)
    y = retrograd.nn.functional.embedding(i, w, sparse=True)
    bars = retrograd.ones(2, *y.shape, dtype=w.dtype)
    with pytest.raises(RuntimeError, match="does not have vmap support"):
        retrograd.autograd.grad(y, w, bars, is_grads_batched=True)
