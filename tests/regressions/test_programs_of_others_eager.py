"""Programs of PyTorch's sort that the eager tensors had wrong without a word, each held against its own mathematics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as torch


def entries(t: Any) -> Any:
    return np.asarray(t.detach().numpy(), dtype=float)


def leaf(*numbers: float) -> Any:
    return torch.tensor(list(numbers), dtype=torch.float64, requires_grad=True)


def still(*numbers: float) -> Any:
    return torch.tensor(list(numbers), dtype=torch.float64)


# -- S1: forward over reverse of kinks --------------------------------------------------------------

W, V = (1.0, -2.0, 3.0, 4.0), (1.0, 2.0)
KINKS = {
    "relu": (lambda x: (x.relu() ** 2).sum(), lambda x: 2.0 * (x > 0)),
    "abs": (lambda x: (x.abs() ** 3).sum(), lambda x: 6.0 * np.abs(x)),
    "hardtanh": (
        lambda x: (torch.nn.functional.hardtanh(x) ** 3).sum(),
        lambda x: 6.0 * x * (np.abs(x) < 1),
    ),
    "leaky_relu": (
        lambda x: (torch.nn.functional.leaky_relu(x, 0.1) ** 2).sum(),
        lambda x: np.where(x > 0, 2.0, 0.02),
    ),
    "threshold": (
        lambda x: (torch.nn.functional.threshold(x, 0.1, 5.0) ** 2).sum(),
        lambda x: 2.0 * (x > 0.1),
    ),
    "softshrink": (
        lambda x: (torch.nn.functional.softshrink(x, 0.2) ** 2).sum(),
        lambda x: 2.0 * (np.abs(x) > 0.2),
    ),
    "hardshrink": (
        lambda x: (torch.nn.functional.hardshrink(x, 0.3) ** 3).sum(),
        lambda x: 6.0 * x * (np.abs(x) > 0.3),
    ),
}


@pytest.mark.parametrize("name", KINKS)
def test_second_order_of_kinks(name: str) -> None:
    f, second = KINKS[name]
    x = np.array([0.7, -1.3, 0.25])
    known = second(x)
    np.testing.assert_allclose(entries(torch.func.hessian(f)(still(*x))), np.diag(known))
    ones = (still(1.0, 1.0, 1.0),)
    found = torch.func.jvp(torch.func.grad(f), (still(*x),), ones)[1]
    np.testing.assert_allclose(entries(found), known)
    found = torch.autograd.functional.hessian(
        f, still(*x), vectorize=True, outer_jacobian_strategy="forward-mode"
    )
    np.testing.assert_allclose(entries(found), np.diag(known))


def test_the_hessian_of_a_network() -> None:
    found = torch.func.hessian(lambda w: (w.view(2, 2) @ still(*V)).relu().pow(2).sum())(still(*W))
    known = np.zeros((4, 4))
    known[2:, 2:] = [[2.0, 4.0], [4.0, 8.0]]
    np.testing.assert_allclose(entries(found), known)
    given = leaf(1.0, -2.0)
    assert torch.autograd.gradgradcheck(lambda x: x.relu() ** 2, (given,), check_fwd_over_rev=True)


# -- S2: in place in forward mode -------------------------------------------------------------------


def item_written(x: Any) -> Any:
    y = x.clone()
    y[0] = 5.0
    return y * x


def scaled_slice(x: Any) -> Any:
    y = x.clone()
    y[:1] *= 3.0
    return y * x


IN_PLACE = {
    "mul_": (lambda x: x.clone().mul_(2.0) * x, lambda x: 4 * x),
    "add_": (lambda x: x.clone().add_(2.0) * x, lambda x: 2 * x + 2),
    "itself": (lambda x: x.clone().mul_(x).add_(x), lambda x: 2 * x + 1),
    "exp_": (lambda x: x.clone().exp_() * x, lambda x: np.exp(x) * (x + 1)),
    "pow_": (lambda x: x.clone().pow_(2) * x, lambda x: 3 * x * x),
    "div_": (lambda x: x.clone().div_(4.0) * x, lambda x: x / 2),
    "neg_": (lambda x: x.clone().neg_() * x, lambda x: -2 * x),
    "zero_": (lambda x: x.clone().zero_() * x, lambda x: 0 * x),
    "relu_": (lambda x: x.clone().relu_() * x, lambda x: 2 * x),
    "clamp_": (lambda x: x.clone().clamp_(0.0, 2.5) * x, lambda x: np.where(x < 2.5, 2 * x, 2.5)),
    "sub_": (lambda x: x.clone().sub_(x * x) * x, lambda x: 2 * x - 3 * x * x),
    "copy_": (lambda x: x.clone().copy_(x * x) * x, lambda x: 3 * x * x),
    "lerp_": (lambda x: x.clone().lerp_(x * x, 0.5) * x, lambda x: x + 1.5 * x * x),
    "masked_fill_": (lambda x: x.clone().masked_fill_(x > 2.5, 7.0) * x, lambda x: np.where(x > 2.5, 7.0, 2 * x)),
    "addcmul_": (lambda x: x.clone().addcmul_(x, x) * x, lambda x: 2 * x + 3 * x * x),
    "sum with a number": (lambda x: (x + 1).mul_(x) * x, lambda x: 3 * x * x + 2 * x),
    "item": (item_written, lambda x: np.where(np.arange(2) == 0, 5.0, 2 * x)),
    "slice": (scaled_slice, lambda x: np.where(np.arange(2) == 0, 6 * x, 2 * x)),
}  # fmt: skip


@pytest.mark.parametrize("name", IN_PLACE)
def test_tangents_of_what_is_written_in_place(name: str) -> None:
    f, slope = IN_PLACE[name]
    x = np.array([2.0, 3.0])
    np.testing.assert_allclose(entries(torch.func.jacfwd(f)(still(*x))), np.diag(slope(x)))
    given = still(1.0, 1.0)
    found = torch.func.jvp(f, (still(*x),), (given,))[1]
    np.testing.assert_allclose(entries(found), slope(x))
    np.testing.assert_array_equal(entries(given), [1.0, 1.0])  # the caller's


def test_second_order_of_what_is_written_in_place() -> None:
    found = torch.func.hessian(lambda x: (x.clone().mul_(2) * x).sum())(still(1.5))
    np.testing.assert_allclose(entries(found), [[4.0]])


# -- S3, S4, S8: functions with a derivative of their own -------------------------------------------


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x * g


def hooks() -> dict[str, Any]:
    graph = torch.autograd.graph
    return {
        "save_on_cpu": graph.save_on_cpu,
        "identity": lambda: graph.saved_tensors_hooks(lambda t: t, lambda t: t),
        "mutation": graph.allow_mutation_on_saved_tensors,
    }


@pytest.mark.parametrize("name", ["save_on_cpu", "identity", "mutation"])
def test_double_backward_under_hooks(name: str) -> None:
    x = leaf(2.0, 3.0)
    with hooks()[name]():
        y = Square.apply(x) * x
        (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        found = torch.autograd.grad(g.sum(), x)[0]
    np.testing.assert_allclose(entries(found), [12.0, 18.0])


def test_double_backward_through_a_checkpoint() -> None:
    x = leaf(2.0, 3.0)
    y = torch.utils.checkpoint.checkpoint(lambda t: Square.apply(t) * t, x, use_reentrant=False)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    np.testing.assert_allclose(entries(torch.autograd.grad(g.sum(), x)[0]), [12.0, 18.0])


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    @staticmethod
    def backward(ctx, g):
        return 2 * g

    @staticmethod
    def jvp(ctx, t):
        return t.mul_(2)


def test_a_tangent_written_by_the_function_itself() -> None:
    forward = torch.autograd.forward_ad
    with forward.dual_level():
        x = forward.make_dual(still(3.0), still(1.0)) * 1.0
        found = forward.unpack_dual(Doubled.apply(x))
    np.testing.assert_array_equal(entries(found.tangent), [2.0])


class Same(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, g):
        return g


def test_a_function_without_recording_gives_no_leaf() -> None:
    x = leaf(1.0)
    with torch.no_grad():
        y = Same.apply(x)
    with pytest.raises(RuntimeError, match="does not require grad"):
        (y * 2).sum().backward()


# -- S5 to S7 ---------------------------------------------------------------------------------------


def test_out_with_a_tangent() -> None:
    forward = torch.autograd.forward_ad
    with forward.dual_level():
        dual = forward.make_dual(torch.ones(3), torch.ones(3))
        with pytest.raises((NotImplementedError, RuntimeError)):
            torch.sin(torch.ones(3), out=dual)


def test_out_into_what_was_saved() -> None:
    a, b, c = leaf(1.0), still(1.0), still(2.0)
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        o = a * b
        torch.sin(c, out=b)
        o.backward()
    np.testing.assert_array_equal(entries(a.grad), [1.0])


@pytest.mark.parametrize("f", [lambda a, b: a // b, lambda a, b: a % b])
def test_whole_numbers_by_zero(f: Any) -> None:
    with pytest.raises((RuntimeError, ZeroDivisionError), match="ZeroDivisionError|zero"):
        f(torch.tensor([1, 2]), torch.tensor([1, 0]))
