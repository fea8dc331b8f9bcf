"""`vmap` runs a function once, and gives what it gives for one example after the other; Jacobians by rows."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import retrograd

from .calls import Call, differentiable, parts
from .surface import close, raises
from .test_calls import CALLS

COUNT = 3
NAMED = pytest.mark.parametrize(("family", "text"), CALLS, ids=[f"{f}: {t}" for f, t in CALLS])
X = np.random.default_rng(0).standard_normal((4, 3))
W = np.random.default_rng(1).standard_normal((3, 3))


def values(text: str) -> Callable[..., Any]:
    """The tensors that a call gives."""

    def function(*leaves: Any) -> Any:
        made = parts(Call(text).run(retrograd, list(leaves)))
        return tuple(one for one in made if isinstance(one, retrograd.Tensor))

    return function


def gradients(text: str, count: int) -> Callable[..., Any]:
    """The gradient of a number that depends on all that a call gives."""

    def total(*leaves: Any) -> Any:
        total = 0.0
        for one in differentiable(Call(text).run(retrograd, list(leaves))):
            real = retrograd.view_as_real(one) if one.is_complex() else one
            total = total + (real * real).sum()
        return total if isinstance(total, retrograd.Tensor) else leaves[0].sum() * 0

    return retrograd.func.grad(total, argnums=tuple(range(count)))


def listed(made: Any) -> list[np.ndarray]:
    found = made if isinstance(made, tuple) else (made,)
    return [one.detach().resolve_conj().numpy() for one in found]


@pytest.mark.sampled(4)
@NAMED
def test_calls(family: str, text: str) -> None:
    """Values and gradients of every function, where all of its operands are batches, and where one is."""
    call = Call(text)
    call.run(retrograd)
    batches = [np.stack([a, 0.97 * a, 1.03 * a]) for a in call.arrays]
    for dims in {(0,) * len(batches), (0, *(None,) * (len(batches) - 1))}:
        for function in (values(text), gradients(text, len(batches))):
            rows = [
                [b if d is None else b[k] for b, d in zip(shared(batches, dims), dims, strict=True)]
                for k in range(COUNT)
            ]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                wanted = [listed(function(*map(tensor, row))) for row in rows]
                made = retrograd.vmap(function, dims)(*map(tensor, shared(batches, dims)))
            for k, whole in enumerate(listed(made)):
                np.testing.assert_allclose(whole, np.stack([one[k] for one in wanted]), 1e-8, 1e-9)


def shared(batches: list[np.ndarray], dims: Any) -> list[np.ndarray]:
    return [b if d == 0 else b[0] for b, d in zip(batches, dims, strict=True)]


def tensor(array: np.ndarray) -> Any:
    return retrograd.from_numpy(np.ascontiguousarray(array))


# -- functions of functions --------------------------------------------------------------------------


def network(torch: Any, x: Any, w: Any) -> Any:
    return ((w @ x).tanh() * x).sum() + x.prod()


ONE = {
    "grad": lambda t, w: lambda a: t.func.grad(lambda q: network(t, q, w))(a),
    "grad of a shared argument": lambda t, w: lambda a: t.func.grad(lambda v: network(t, a, v))(w),
    "grad of grad": lambda t, w: lambda a: t.func.grad(t.func.grad(lambda s: (s**3 * a.sum()).sin()))(a[0]),
    "hessian": lambda t, w: t.func.hessian(lambda q: network(t, q, w)),
    "jacrev of jacrev": lambda t, w: t.func.jacrev(t.func.jacrev(lambda q: network(t, q, w))),
    "jacfwd of jacfwd": lambda t, w: t.func.jacfwd(t.func.jacfwd(lambda q: network(t, q, w))),
    "jacrev of jacfwd": lambda t, w: t.func.jacrev(t.func.jacfwd(lambda q: network(t, q, w))),
    "jvp": lambda t, w: lambda a: t.func.jvp(lambda q: (w @ q).sin(), (a,), (a * 2,))[1],
    "vjp": lambda t, w: lambda a: t.func.vjp(lambda q: (w @ q).sin(), a)[1](a)[0],
    "writes": lambda t, w: t.func.grad(lambda a: written(t, a.clone()).pow(2).sum()),
    "vmap": lambda t, w: lambda a: t.vmap(lambda row: t.func.grad(lambda q: network(t, q, w))(row * a))(w),
    "checkpoint": lambda t, w: t.func.grad(
        lambda a: t.utils.checkpoint.checkpoint(lambda q: network(t, q, w), a, use_reentrant=False)
    ),
    "kinks": lambda t, w: t.func.hessian(lambda a: ((w @ a).relu() ** 2).sum() + a.abs().pow(3).sum()),
    "order of examples": lambda t, w: lambda a: t.stack([a.sort().values, a.argmax() * a, a.cumsum(0)]),
    "complex": lambda t, w: t.func.grad(lambda a: (a * (1 + 2j)).exp().abs().sum()),
    "dtypes": lambda t, w: lambda a: (a.float() * 2).double() + a.to(t.int64),
}  # fmt: skip


def written(torch: Any, b: Any) -> Any:
    b[1:].mul_(3)
    b[0] = b[1].clone() * b[0].clone()
    return b


@pytest.mark.parametrize("name", ONE)
def test_functions_of_functions(torch: Any, name: str) -> None:
    x, w = torch.tensor(X, dtype=torch.float64), torch.tensor(W, dtype=torch.float64)
    function = ONE[name](torch, w)
    wanted = torch.stack([function(one) for one in x])
    assert close(torch.vmap(function)(x), wanted, 1e-9)
    assert close(torch.vmap(function, chunk_size=3)(x), wanted, 1e-9)
    assert close(torch.vmap(function, in_dims=1, out_dims=-1)(x.t()), wanted.movedim(0, -1), 1e-9)


@pytest.mark.parametrize("name", [n for n in ONE if n not in ("checkpoint", "dtypes", "complex")])
def test_derivatives_of_batches(torch: Any, name: str) -> None:
    """What is around a batch, and what all of its examples share, gets the gradient of all of them."""
    found = []
    for looped in (True, False):
        x = torch.tensor(X, dtype=torch.float64, requires_grad=True)
        w = torch.tensor(W, dtype=torch.float64, requires_grad=True)
        function = ONE[name](torch, w)
        made = torch.stack([function(one) for one in x]) if looped else torch.vmap(function)(x)
        gradients = torch.autograd.grad(
            made.pow(2).sum(), (x, w), create_graph=True, allow_unused=True
        )
        found.append([g for g in gradients if g is not None])
        again = sum(g.pow(2).sum() for g in found[-1])
        if again.requires_grad:
            found[-1] += [
                g for g in torch.autograd.grad(again, (x, w), allow_unused=True) if g is not None
            ]
    assert all(close(a, b, 1e-8) for a, b in zip(*found, strict=True))


def test_gradients_of_several_cotangents(torch: Any) -> None:
    x = torch.tensor(X[0], dtype=torch.float64, requires_grad=True)
    y = (torch.tensor(W, dtype=torch.float64) @ x).sin() * x.sum()
    units = torch.eye(3, dtype=torch.float64)
    (rows,) = torch.autograd.grad(y, x, units, is_grads_batched=True, create_graph=True)
    single = [torch.autograd.grad(y, x, u, retain_graph=True)[0] for u in units]
    assert close(rows, torch.stack(single), 1e-12)
    (second,) = torch.autograd.grad(rows.pow(2).sum(), x, retain_graph=True)
    (wanted,) = torch.autograd.grad(
        sum(torch.autograd.grad(y, x, u, create_graph=True)[0].pow(2).sum() for u in units), x
    )
    assert close(second, wanted, 1e-12)


@pytest.mark.parametrize("strategy", ["reverse-mode", "forward-mode"])
def test_jacobians_in_one_run(torch: Any, strategy: str) -> None:
    jacobian = torch.autograd.functional.jacobian
    x, y = torch.tensor(X[0], dtype=torch.float64), torch.tensor(W, dtype=torch.float64)

    def function(a: Any, b: Any) -> Any:
        return (b @ a).sin(), (a * b[0]).sum()

    made = jacobian(function, (x, y), vectorize=True, strategy=strategy)
    wanted = jacobian(function, (x, y))
    assert all(
        close(p, q, 1e-12)
        for one, two in zip(made, wanted, strict=True)
        for p, q in zip(one, two, strict=True)
    )


def test_chunks_of_jacobians(torch: Any) -> None:
    x = torch.tensor(X[0], dtype=torch.float64)
    for size in (1, 2, 3, None):
        assert close(torch.func.jacrev(lambda a: a**2 * a.sum(), chunk_size=size)(x), torch.func.jacfwd(lambda a: a**2 * a.sum())(x), 1e-12)  # fmt: skip
    pair = torch.func.jacrev(lambda d: d["a"] * d["b"])({"a": x, "b": 2 * x})
    assert close(pair["a"], torch.diag(2 * x), 1e-12) and close(pair["b"], torch.diag(x), 1e-12)


def test_subscripts_of_each_example(torch: Any) -> None:
    w, places = torch.tensor(W), torch.tensor([[0, 2], [1, 1]])
    assert close(torch.vmap(lambda i: w[i])(places), w[places], 1e-12)
    assert close(
        torch.vmap(lambda i: w[:, i])(places), torch.stack([w[:, i] for i in places]), 1e-12
    )
    g = torch.func.grad(lambda v: torch.vmap(lambda i: v[i].sum() * v[i, 0].sum())(places).sum())(w)
    h = torch.func.grad(lambda v: sum(v[i].sum() * v[i, 0].sum() for i in places))(w)
    assert close(g, h, 1e-12)


def test_examples_that_share_their_memory(torch: Any) -> None:
    """None of them may be written to: the others would see it."""
    with raises(
        RuntimeError, "unsupported operation: more than one element of the written-to tensor"
    ):
        torch.vmap(lambda a, b: a.mul_(b))(torch.ones(1, 3).expand(4, 3), torch.ones(4, 3))


def test_what_asks_for_one_example(torch: Any) -> None:
    x = torch.tensor(X)
    with raises(RuntimeError, "vmap: It looks like you're calling .item() on a Tensor."):
        torch.vmap(lambda a: a * a.sum().item())(x)
    with raises(
        RuntimeError, "vmap: It looks like you're attempting to use a Tensor in some data-dependent"
    ):
        torch.vmap(lambda a: a if a.sum() > 0 else -a)(x)
    with raises(RuntimeError, ""):
        torch.vmap(lambda a: a[a > 0])(x)
    assert repr(torch.vmap(lambda a: [repr(a), a][1])(x)) == repr(x)
    assert torch.vmap(lambda a: a * 2)(torch.zeros(0, 3)).shape == (0, 3)


def test_new_tensors_have_room_for_all_examples() -> None:
    """Here a function may write what differs into what it has made; PyTorch refuses."""

    def stepped(a: Any) -> Any:
        path = retrograd.zeros(3)
        for k in range(3):
            path[k] = a[k] * (path[k - 1] if k else 1.0)
        return path

    x = retrograd.tensor(X, dtype=retrograd.float32)
    assert close(retrograd.vmap(stepped)(x), x.cumprod(1), 1e-6)


def test_a_function_without_a_rule_says_so() -> None:
    x = retrograd.tensor([[2.0, 1.0], [1.0, 3.0]]).expand(2, 2, 2)
    with pytest.warns(
        UserWarning, match="have not yet implemented the batching rule for matrix_exp"
    ):
        made = retrograd.vmap(retrograd.linalg.matrix_exp)(x)
    assert close(made[1], retrograd.linalg.matrix_exp(x[1]), 1e-6)


def test_a_function_of_batches_and_what_its_backward_reads(torch: Any) -> None:
    """Its backward runs after the batch: what it takes from around gets the gradient of all examples, too."""
    around = torch.tensor(W[0], dtype=torch.float64, requires_grad=True)

    class Product(torch.autograd.Function):  # type: ignore[misc]
        generate_vmap_rule = True

        @staticmethod
        def forward(x: Any, w: Any) -> Any:
            return x * w * w

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            x, w = ctx.saved_tensors
            return g * w * w, g * x * 2 * w * around.sum() / around.sum().detach()

    found = []
    for looped in (True, False):
        x = torch.tensor(X, dtype=torch.float64, requires_grad=True)
        w = torch.tensor(W[1], dtype=torch.float64, requires_grad=True)

        def product(a: Any, w: Any = w) -> Any:
            return Product.apply(a, w)

        made = torch.stack([product(a) for a in x]) if looped else torch.vmap(product)(x)
        first = torch.autograd.grad(made.pow(2).sum(), (x, w), create_graph=True)
        second = torch.autograd.grad(sum(g.pow(2).sum() for g in first), (x, w, around))
        found.append([*first, *second])
    assert all(close(a, b, 1e-9) for a, b in zip(*found, strict=True))


# -- layouts -----------------------------------------------------------------------------------------

LAYOUTS = {
    "in order": lambda t, a: a.clone(),
    "transposed": lambda t, a: a.t().clone().t(),
    "every second": lambda t, a: t.stack([a, a * 0], -1)[..., 0],
    "part of a tensor": lambda t, a: t.cat([a * 0, a, a * 0])[len(a) : 2 * len(a)],
    "stretched": lambda t, a: a[:1].expand(3, -1),
    "with an axis of one": lambda t, a: a[0][..., None],
    "of a tensor with other axes": lambda t, a: t.stack([a, a * 0], 1)[:, 0].t(),
}  # fmt: skip

JACOBIANS = {
    "jacrev": lambda t, f, x: t.func.jacrev(f)(x),
    "jacfwd": lambda t, f, x: t.func.jacfwd(f)(x),
    "jacfwd in chunks": lambda t, f, x: t.vmap(lambda u: t.func.jvp(f, (x,), (u,))[1], chunk_size=2)(units(t, x)),
    "of vectors": lambda t, f, x: t.func.jacfwd(lambda flat: f(flat.reshape(x.shape)))(x.reshape(-1)),
    "by rows": lambda t, f, x: t.autograd.functional.jacobian(f, x, vectorize=True),
    "by columns": lambda t, f, x: t.autograd.functional.jacobian(f, x, vectorize=True, strategy="forward-mode"),
    "dual numbers": lambda t, f, x: t.vmap(lambda u: pushed(t, f, x, u))(units(t, x)),
    "batched cotangents": lambda t, f, x: pulled(t, f, x),
    "hessian": lambda t, f, x: t.func.hessian(lambda a: f(a).pow(2).sum())(x),
    "hessian of functional": lambda t, f, x: t.autograd.functional.hessian(lambda a: f(a).pow(2).sum(), x, vectorize=True),
    "hessian, forward": lambda t, f, x: t.autograd.functional.hessian(
        lambda a: f(a).pow(2).sum(), x, vectorize=True, outer_jacobian_strategy="forward-mode"
    ),
}  # fmt: skip


def units(torch: Any, x: Any) -> Any:
    return torch.eye(x.numel(), dtype=torch.float64).reshape(-1, *x.shape)


def pushed(torch: Any, f: Callable[..., Any], x: Any, u: Any) -> Any:
    with torch.autograd.forward_ad.dual_level():
        y = f(torch.autograd.forward_ad.make_dual(x, u))
        return torch.autograd.forward_ad.unpack_dual(y).tangent


def pulled(torch: Any, f: Callable[..., Any], x: Any) -> Any:
    leaf = x.detach().requires_grad_()
    y = f(leaf)
    return torch.autograd.grad(y, leaf, units(torch, y), is_grads_batched=True)[0]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", JACOBIANS)
def test_layouts(torch: Any, name: str, layout: str) -> None:
    """Where the numbers lie in memory changes no Jacobian."""
    x = LAYOUTS[layout](torch, torch.tensor(W, dtype=torch.float64))

    def f(a: Any) -> Any:
        b = a.sin() * 2
        return b.t() @ a + b[:1].mT.cos()

    assert close(
        JACOBIANS[name](torch, f, x), JACOBIANS[name](torch, f, x.clone().contiguous()), 1e-12
    )
