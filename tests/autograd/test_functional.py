"""Rows T074 to T113: derivatives of functions of tensors."""

from __future__ import annotations

import math
from typing import Any

import pytest

from .surface import ORACLE, close, raises, row, same

pytestmark = pytest.mark.filterwarnings("ignore")

E4, E8, E7, E6 = math.exp(0.4), math.exp(0.89), math.exp(0.8907), math.exp(0.8674)
STRICT = (
    "Output 0 of the user-provided function does not require gradients. The outputs must be computed in a "
    "differentiable manner from the input when running in strict mode."
)
LINEAR = (
    "While computing the hessian, found that the jacobian of the user-provided function with respect to input 0 is "
    "independent of the input. This is not allowed in strict mode. You should ensure that your function is twice "
    "differentiable"
)


def fn(torch: Any) -> Any:
    return torch.autograd.functional


def exp_reducer(x: Any) -> Any:
    return x.exp().sum(dim=1)


def adder(x: Any, y: Any) -> Any:
    return 2 * x + 3 * y


def pow_reducer(x: Any) -> Any:
    return x.pow(3).sum()


def pow_adder_reducer(x: Any, y: Any) -> Any:
    return (2 * x.pow(2) + 3 * y.pow(2)).sum()


def two(torch: Any) -> Any:
    return torch.tensor([[0.1, 0.2], [0.3, 0.4]])


@row("T074")
def test_t074_constants_by_lambda(torch: Any) -> None:
    def f(x: Any, constant: float, flag: bool = False) -> Any:
        return x * constant if flag else x

    J = fn(torch).jacobian(lambda x: f(x, 3.0, flag=True), torch.ones(2))
    assert same(J, [[3.0, 0.0], [0.0, 3.0]])
    assert isinstance(J, torch.Tensor)


@row("T075")
def test_t075_jacobian(torch: Any) -> None:
    J = fn(torch).jacobian(exp_reducer, torch.tensor([[0.4, 0.89], [0.8907, 0.8674]]))
    assert close(J, [[[E4, E8], [0, 0]], [[0, 0], [E7, E6]]])
    assert tuple(J.shape) == (2, 2, 2) and not J.requires_grad


@row("T076")
def test_t076_create_graph(torch: Any) -> None:
    x = torch.tensor([[0.4, 0.89], [0.8907, 0.8674]], requires_grad=True)
    J = fn(torch).jacobian(exp_reducer, x, create_graph=True)
    assert J.grad_fn.name() == "ViewBackward0"
    assert close(J, [[[E4, E8], [0, 0]], [[0, 0], [E7, E6]]])


@row("T077")
def test_t077_two_inputs(torch: Any) -> None:
    x = torch.tensor([0.1, 0.2])

    def exp_adder(x: Any, y: Any) -> Any:
        return 2 * x.exp() + 3 * y

    a, b = fn(torch).jacobian(exp_adder, (x, torch.ones(2)))
    assert close(a, [[2 * math.exp(0.1), 0], [0, 2 * math.exp(0.2)]])
    assert same(b, [[3.0, 0.0], [0.0, 3.0]])


@row("T078")
def test_t078_nesting(torch: Any) -> None:
    x, y = torch.ones(2), torch.ones(2, dtype=torch.float64)
    J = fn(torch).jacobian(lambda x, y: (x * y, x + y), (x, y))
    assert len(J) == 2
    assert all(len(r) == 2 for r in J)
    assert J[0][0].dtype == torch.float32
    assert J[0][1].dtype == torch.float64
    flat = fn(torch).jacobian(lambda x: (x * 2, x.sum()), x)
    assert [tuple(j.shape) for j in flat] == [(2, 2), (2,)]
    assert [tuple(j.shape) for r in J for j in r] == [(2, 2)] * 4
    assert J[1][1].dtype == torch.float64 and J[0][0].device == x.device
    assert isinstance(J, tuple) and isinstance(J[0], tuple) and isinstance(flat, tuple)
    assert tuple(fn(torch).jacobian(lambda x: x.sum(), torch.ones(3, 2)).shape) == (3, 2)


@row("T079")
def test_t079_strict(torch: Any) -> None:
    with raises(RuntimeError, STRICT):
        fn(torch).jacobian(lambda x: x.detach(), torch.ones(2), strict=True)


@row("T080")
def test_t080_strict_unused(torch: Any) -> None:
    text = "Output 0 of the user-provided function is independent of input 1. This is not allowed in strict mode."
    with raises(RuntimeError, text):
        fn(torch).jacobian(lambda x, y: x * 2, (torch.ones(2), torch.ones(2)), strict=True)


@row("T081")
def test_t081_strict_linear(torch: Any) -> None:
    text = (
        "The jacobian of the user-provided function is independent of input 0. This is not allowed in strict mode when "
        "create_graph=True."
    )
    x = torch.ones(2, requires_grad=True)
    with raises(RuntimeError, text):
        fn(torch).jacobian(lambda x: x.clone(), x, strict=True, create_graph=True)


@row("T082")
def test_t082_zeros(torch: Any) -> None:
    J = fn(torch).jacobian(lambda x, y: x * 2, (torch.ones(2), torch.ones(3)))
    assert tuple(J[1].shape) == (2, 3)
    assert same(J[1], [[0.0] * 3] * 2)


@row("T083")
def test_t083_inputs_untouched(torch: Any) -> None:
    x, y = torch.ones(2, requires_grad=True), torch.ones(2)
    J = fn(torch).jacobian(lambda x, y: x * y, (x, y))
    assert not J[0].requires_grad
    assert x.grad is None
    assert not y.requires_grad
    assert x.requires_grad
    c = torch.ones(2)
    assert not fn(torch).jacobian(lambda c: c * c, c).requires_grad and not c.requires_grad


@row("T084")
def test_t084_vectorize(torch: Any) -> None:
    x = two(torch)
    assert close(
        fn(torch).jacobian(exp_reducer, x, vectorize=True), fn(torch).jacobian(exp_reducer, x)
    )
    text = (
        "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not supported together. Please "
        "either set `strict=False` or `vectorize=False`."
    )
    with raises(RuntimeError, text):
        fn(torch).jacobian(exp_reducer, x, vectorize=True, strict=True)


@row("T085")
def test_t085_strategy(torch: Any) -> None:
    x, jacobian = two(torch), fn(torch).jacobian
    text = "Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly implemented for `vectorize=True`."
    with raises(NotImplementedError, text):
        jacobian(exp_reducer, x, strategy="forward-mode")
    text = (
        'torch.autograd.functional.jacobian: `create_graph=True` and `strategy="forward-mode"` are not supported '
        'together (yet). Please either set `create_graph=False` or `strategy="reverse-mode"`.'
    )
    with raises(NotImplementedError, text):
        jacobian(exp_reducer, x, strategy="forward-mode", vectorize=True, create_graph=True)
    with raises(
        AssertionError, 'Expected strategy to be either "forward-mode" or "reverse-mode". '
    ):
        jacobian(exp_reducer, x, strategy="sideways")
    assert close(
        jacobian(exp_reducer, x, strategy="forward-mode", vectorize=True), jacobian(exp_reducer, x)
    )


@row("T086")
def test_t086_types(torch: Any) -> None:
    jacobian, x = fn(torch).jacobian, torch.ones(2)
    text = (
        "The inputs given to jacobian must be either a Tensor or a tuple of Tensors but the given inputs has type "
        "<class 'list'>."
    )
    with raises(TypeError, text):
        jacobian(lambda x: x, [x])
    text = (
        "The inputs given to jacobian must be either a Tensor or a tuple of Tensors but the value at index 1 has type "
        "<class 'int'>."
    )
    with raises(TypeError, text):
        jacobian(lambda x, y: x, (x, 1))
    text = "The outputs of the user-provided function given to jacobian must be "
    with raises(TypeError, text):
        jacobian(lambda x: 1, x)
    text += "either a Tensor or a tuple of Tensors but the "
    for wrong in (lambda x: 1, lambda x: (x, 1), lambda x: [x]):
        with raises(TypeError, text):
            jacobian(wrong, x)


@row("T087")
def test_t087_under_no_grad(torch: Any) -> None:
    x = two(torch)
    with torch.no_grad():
        J = fn(torch).jacobian(exp_reducer, x)
        assert not torch.is_grad_enabled()
    assert close(J, fn(torch).jacobian(exp_reducer, x))


@row("T088")
def test_t088_hessian(torch: Any) -> None:
    H = fn(torch).hessian(pow_reducer, torch.tensor([[0.8711, 0.8037], [0.3243, 0.5425]]))
    flat = H.reshape(4, 4)
    assert close([flat[k, k].item() for k in range(4)], [5.2266, 4.8222, 1.9458, 3.2550])
    assert close(flat.sum(), 5.2266 + 4.8222 + 1.9458 + 3.2550)
    assert tuple(H.shape) == (2, 2, 2, 2)
    assert same(flat - torch.diag(torch.diag(flat)), [[0.0] * 4] * 4)


@row("T089")
def test_t089_create_graph(torch: Any) -> None:
    x = two(torch).requires_grad_()
    H = fn(torch).hessian(pow_reducer, x, create_graph=True)
    assert H.grad_fn.name() == "ViewBackward0"
    assert close(H.reshape(4, 4), torch.diag(6 * x.detach().reshape(4)))


@row("T090")
def test_t090_two_inputs(torch: Any) -> None:
    H = fn(torch).hessian(pow_adder_reducer, (torch.ones(2), torch.ones(2)))
    assert same(H[0][0], [[4.0, 0.0], [0.0, 4.0]])
    assert same(H[0][1], [[0.0, 0.0], [0.0, 0.0]])
    assert same(H[1][1], [[6.0, 0.0], [0.0, 6.0]])
    assert same(H[1][0], [[0.0, 0.0], [0.0, 0.0]])


@row("T091")
def test_t091_one_element(torch: Any) -> None:
    hessian, x = fn(torch).hessian, torch.ones(2)
    with raises(
        RuntimeError,
        "The Tensor returned by the function given to hessian should contain a single element",
    ):
        hessian(lambda x: x * x, x)
    with raises(RuntimeError, "The function given to hessian should return a single Tensor"):
        hessian(lambda x: (x.sum(), x.sum()), x)
    assert same(hessian(lambda x: (x * x).sum().reshape(1), x), [[2.0, 0.0], [0.0, 2.0]])


@row("T092")
def test_t092_strict(torch: Any) -> None:
    with raises(RuntimeError, LINEAR):
        fn(torch).hessian(lambda x: x.sum(), torch.ones(2), strict=True)
    with raises(RuntimeError, STRICT):
        fn(torch).hessian(lambda x: x.detach().sum(), torch.ones(2), strict=True)


@row("T093")
def test_t093_strategies(torch: Any) -> None:
    hessian, x = fn(torch).hessian, two(torch)
    H = hessian(pow_reducer, x)
    assert close(hessian(pow_reducer, x, vectorize=True), H)
    assert close(hessian(pow_reducer, x, vectorize=True, outer_jacobian_strategy="forward-mode"), H)
    with raises(AssertionError, 'Expected strategy to be either "forward-mode" or "reverse-mode".'):
        hessian(pow_reducer, x, outer_jacobian_strategy="sideways")
    text = "Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly implemented for `vectorize=True`."
    with raises(NotImplementedError, text):
        hessian(pow_reducer, x, outer_jacobian_strategy="forward-mode")


@row("T094")
def test_t094_vjp(torch: Any) -> None:
    out, g = fn(torch).vjp(exp_reducer, two(torch), torch.ones(2))
    assert close(out, [2.3266, 2.8417])
    assert close(g, [[1.1052, 1.2214], [1.3499, 1.4918]])
    assert not out.requires_grad and not g.requires_grad


@row("T095")
def test_t095_create_graph(torch: Any) -> None:
    x = two(torch).requires_grad_()
    out, g = fn(torch).vjp(exp_reducer, x, torch.ones(2), create_graph=True)
    assert out.grad_fn.name() == "SumBackward1"
    assert g.grad_fn.name() == "MulBackward0"
    assert close(out, [2.3266, 2.8417]) and close(g, [[1.1052, 1.2214], [1.3499, 1.4918]])


@row("T096")
def test_t096_two_inputs(torch: Any) -> None:
    x, y, v = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]), torch.tensor([1.0, 10.0])
    out, (a, b) = fn(torch).vjp(adder, (x, y), v)
    assert same(out, [11.0, 16.0])
    assert same(a, [2.0, 20.0])
    assert same(b, [3.0, 30.0])


@row("T097")
def test_t097_without_v(torch: Any) -> None:
    out, g = fn(torch).vjp(pow_reducer, two(torch))
    assert close(out, 0.1)
    text = "The vector v can only be None if the user-provided function returns a single Tensor with a single element."
    with raises(RuntimeError, text):
        fn(torch).vjp(exp_reducer, two(torch))
    assert close(g, 3 * two(torch) ** 2)
    assert same(fn(torch).vjp(lambda x: x * 3, torch.ones(1))[1], [3.0])
    with raises(RuntimeError, text):
        fn(torch).vjp(lambda x: (x.sum(), x.sum()), two(torch))


@row("T098")
def test_t098_v(torch: Any) -> None:
    vjp = fn(torch).vjp
    with raises(
        RuntimeError, "v has invalid size: should be torch.Size([2]) but got torch.Size([3])."
    ):
        vjp(exp_reducer, two(torch), torch.ones(3))
    with raises(RuntimeError, "The given v should contain a single Tensor."):
        vjp(exp_reducer, two(torch), (torch.ones(2), torch.ones(2)))
    text = "The v given to vjp must be either a Tensor or a tuple of Tensors but the given v has type <class 'list'>."
    with raises(TypeError, text):
        vjp(exp_reducer, two(torch), [torch.ones(2)])


@row("T099")
def test_t099_strict(torch: Any) -> None:
    with raises(RuntimeError, STRICT):
        fn(torch).vjp(lambda x: x.detach(), torch.ones(2), torch.ones(2), strict=True)
    x = torch.ones(2, requires_grad=True)
    text = "The output of the user-provided function is independent of input 1. This is not allowed in strict mode."
    with raises(RuntimeError, text):
        fn(torch).vjp(lambda x, y: x * 2, (x, x), torch.ones(2), strict=True)
    text = "The jacobian of the user-provided function is independent of input 0. This is not allowed in strict mode when"
    with raises(RuntimeError, text):
        fn(torch).vjp(lambda x: x.clone(), x, torch.ones(2), strict=True, create_graph=True)


@row("T100")
def test_t100_jvp(torch: Any) -> None:
    out, t = fn(torch).jvp(exp_reducer, two(torch), torch.ones(2, 2))
    assert close(out, [2.3266, 2.8417])
    assert close(t, [2.3266, 2.8417])


@row("T101")
def test_t101_create_graph(torch: Any) -> None:
    x = two(torch).requires_grad_()
    out, t = fn(torch).jvp(exp_reducer, x, torch.ones(2, 2), create_graph=True)
    assert t.requires_grad
    name = t.grad_fn.name()
    assert name == ("SqueezeBackward1" if ORACLE == "torch" else "SumBackward0")  # of the rule book
    assert close(out, [2.3266, 2.8417]) and close(t, [2.3266, 2.8417])
    (g,) = torch.autograd.grad(t.sum(), x)
    assert close(g, [[1.1052, 1.2214], [1.3499, 1.4918]])


@row("T102")
def test_t102_two_inputs(torch: Any) -> None:
    v = (torch.ones(2), torch.ones(2))
    out, t = fn(torch).jvp(adder, (torch.ones(2), torch.ones(2)), v)
    assert same(out, [5.0, 5.0])
    assert same(t, [5.0, 5.0])


@row("T103")
def test_t103_without_v(torch: Any) -> None:
    text = (
        "The vector v can only be None if the input to the user-provided function is a single Tensor with a single "
        "element."
    )
    with raises(RuntimeError, text):
        fn(torch).jvp(exp_reducer, two(torch))
    _, t = fn(torch).jvp(lambda x: x * 3, torch.ones(1))
    assert same(t, [3.0])
    with raises(RuntimeError, text):
        fn(torch).jvp(adder, (torch.ones(1), torch.ones(1)))


@row("T104")
def test_t104_strict(torch: Any) -> None:
    with raises(RuntimeError, STRICT):
        fn(torch).jvp(lambda x: x.detach(), torch.ones(2), torch.ones(2), strict=True)
    x = torch.ones(2, requires_grad=True)
    text = "The output of the user-provided function is independent of input 1. This is not allowed in strict mode."
    with raises(RuntimeError, text):
        fn(torch).jvp(lambda x, y: x * 2, (x, x), (x, x), strict=True)


def marked(torch: Any) -> Any:
    """The square, whose backward is differentiable once only."""

    class Once(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx: Any, g: Any) -> Any:
            return 2 * g * ctx.saved_tensors[0]

    return Once.apply


@row("T105")
def test_t105_backward_has_to_be_differentiable(torch: Any) -> None:
    """It is differentiated by the gradient: a function without a jvp of its own is enough."""

    class Twice(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return 2 * g * ctx.saved_tensors[0]

    x, v = torch.tensor([1.0, 3.0]), torch.tensor([1.0, -1.0])
    out, t = fn(torch).jvp(lambda x: Twice.apply(x).sin(), x, v, strict=True)
    assert close(t, 2 * x * v * (x * x).cos(), 1e-6) and close(out, (x * x).sin(), 1e-6)
    for function in (marked(torch), lambda x: marked(torch)(x).sin()):
        with pytest.raises(RuntimeError):
            fn(torch).jvp(function, x, v, strict=True)


@row("T105")
def test_t105_who_says_so(torch: Any) -> None:
    """PyTorch gives zeros where nobody asks to be strict; here it is refused."""
    x, v = torch.ones(2), torch.ones(2)
    if ORACLE == "torch":
        assert same(fn(torch).jvp(marked(torch), x, v)[1], [0.0, 0.0])
        return
    with raises(
        RuntimeError,
        "trying to differentiate twice a function that was marked with @once_differentiable",
    ):
        fn(torch).jvp(marked(torch), x, v)


@row("T106")
def test_t106_vhp(torch: Any) -> None:
    out, g = fn(torch).vhp(pow_reducer, two(torch), torch.ones(2, 2))
    assert close(out, 0.1)
    assert close(g, [[0.6, 1.2], [1.8, 2.4]])


@row("T107")
def test_t107_create_graph(torch: Any) -> None:
    x = two(torch).requires_grad_()
    out, g = fn(torch).vhp(pow_reducer, x, torch.ones(2, 2), create_graph=True)
    assert out.grad_fn.name() == "SumBackward0"
    assert g.grad_fn.name() == "MulBackward0"
    assert close(out, 0.1) and close(g, [[0.6, 1.2], [1.8, 2.4]])


@row("T108")
def test_t108_two_inputs(torch: Any) -> None:
    x, y = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])
    out, (a, b) = fn(torch).vhp(pow_adder_reducer, (x, y), (torch.zeros(2), torch.ones(2)))
    assert close(out, 85.0)
    assert same(a, [0.0, 0.0])
    assert same(b, [6.0, 6.0])


@row("T109")
def test_t109_errors(torch: Any) -> None:
    vhp, x = fn(torch).vhp, two(torch)
    text = "The Tensor returned by the function given to vhp should contain a single element"
    with raises(RuntimeError, text):
        vhp(exp_reducer, x, torch.ones(2, 2))
    with raises(
        RuntimeError,
        "The vector v can only be None if the input to the user-provided function is a single Tensor with a single element.",
    ):
        vhp(pow_reducer, x)
    with raises(RuntimeError, LINEAR):
        vhp(lambda x: x.sum(), x, torch.ones(2, 2), strict=True)


@row("T110")
def test_t110_hvp(torch: Any) -> None:
    out, g = fn(torch).hvp(pow_reducer, two(torch), torch.ones(2, 2))
    assert close(out, 0.1)
    assert close(g, [[0.6, 1.2], [1.8, 2.4]])


@row("T111")
def test_t111_create_graph(torch: Any) -> None:
    x = two(torch).requires_grad_()
    out, g = fn(torch).hvp(pow_reducer, x, torch.ones(2, 2), create_graph=True)
    assert out.grad_fn.name() == "SumBackward0"
    assert g.grad_fn.name() == "MulBackward0"
    assert close(out, 0.1) and close(g, [[0.6, 1.2], [1.8, 2.4]])


@row("T112")
def test_t112_two_inputs(torch: Any) -> None:
    x, y = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])
    out, (a, b) = fn(torch).hvp(pow_adder_reducer, (x, y), (torch.zeros(2), torch.ones(2)))
    assert same(a, [0.0, 0.0])
    assert same(b, [6.0, 6.0])
    assert close(out, 85.0)


@row("T113")
def test_t113_errors(torch: Any) -> None:
    hvp, x = fn(torch).hvp, two(torch)
    with raises(RuntimeError, "The function given to hvp should return a single Tensor"):
        hvp(lambda x: (x.sum(), x.sum()), x, torch.ones(2, 2))
    with raises(RuntimeError, LINEAR):
        hvp(lambda x: x.sum(), x, torch.ones(2, 2), strict=True)
    f, v = (lambda x: (x[0] * x[0] * x[1]).sum()), torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert close(hvp(f, x, v)[1], fn(torch).vhp(f, x, v)[1])
