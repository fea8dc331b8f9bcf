"""What else rows T074 to T113 say of derivatives of functions, sentence by sentence."""

from __future__ import annotations

import math
from typing import Any

import pytest

from .surface import close, raises, row, same

pytestmark = pytest.mark.filterwarnings("ignore")

NO_GRAD = (
    "does not require gradients. The outputs must be computed in a differentiable manner from the input when running "
    "in strict mode."
)
CONSTANT_JACOBIAN = (
    "While computing the hessian, found that the jacobian of the user-provided function with respect to input 0 is "
    "independent of the input. This is not allowed in strict mode. You should ensure that your function is twice "
    "differentiable and that the jacobian depends on the inputs (this would be violated by a linear function for "
    "example)."
)
ONLY_VECTORIZED = "Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly implemented for `vectorize=True`."
STRATEGY = 'Expected strategy to be either "forward-mode" or "reverse-mode".'


def fn(torch: Any) -> Any:
    return torch.autograd.functional


def exp_reducer(x: Any) -> Any:
    return x.exp().sum(dim=1)


def pow_reducer(x: Any) -> Any:
    return x.pow(3).sum()


def pow_adder_reducer(x: Any, y: Any) -> Any:
    return (2 * x.pow(2) + 3 * y.pow(2)).sum()


def two(torch: Any) -> Any:
    return torch.tensor([[0.1, 0.2], [0.3, 0.4]])


@row("T074")
def test_t074_tensors_in_tensors_out(torch: Any) -> None:
    f = fn(torch)
    x, v = torch.tensor([1.0, 2.0]), torch.ones(2)
    for found in (
        f.jacobian(lambda x: x * 3, x), f.hessian(lambda x: (x * x).sum(), x),
        f.vjp(lambda x: x * 3, x, v)[1], f.jvp(lambda x: x * 3, x, v)[1],
        f.vhp(lambda x: (x * x).sum(), x, v)[1], f.hvp(lambda x: (x * x).sum(), x, v)[1],
    ):  # fmt: skip
        assert type(found) is torch.Tensor


@row("T075")
@row("T076")
def test_t075_t076_shapes_and_numbers(torch: Any) -> None:
    x = torch.tensor([[0.4, 0.89], [0.8907, 0.8674]], requires_grad=True)
    for create in (False, True):
        J = fn(torch).jacobian(exp_reducer, x, create_graph=create)
        assert tuple(J.shape) == (2, 2, 2)
        assert close(J, [[[1.4918, 2.4351], [0, 0]], [[0, 0], [2.4368, 2.3807]]], 1e-4)
        assert J.requires_grad is create
    assert "grad_fn=<ViewBackward0>" in repr(J)
    (g,) = torch.autograd.grad(J.sum(), x)
    assert close(g, x.exp(), 1e-5)


@row("T078")
def test_t078_shapes_types_and_devices(torch: Any) -> None:
    x, y = torch.ones(2), torch.ones(3, dtype=torch.float64)
    J = fn(torch).jacobian(lambda x, y: (x.sum() * y, x * y.sum(), x.prod()), (x, y))
    assert [[tuple(j.shape) for j in r] for r in J] == [[(3, 2), (3, 3)], [(2, 2), (2, 3)], [(2,), (3,)]]  # fmt: skip
    for of_output in J:
        assert type(of_output) is tuple
        assert [j.dtype for j in of_output] == [torch.float32, torch.float64]
        assert all(j.device == x.device for j in of_output)
    flat = fn(torch).jacobian(lambda x: (x * 2, x.sum()), x)
    assert type(flat) is tuple and same(flat[0], [[2.0, 0.0], [0.0, 2.0]])
    flat = fn(torch).jacobian(lambda x, y: x.sum() * y, (x, y))
    assert type(flat) is tuple and [tuple(j.shape) for j in flat] == [(3, 2), (3, 3)]


@row("T082")
def test_t082_of_no_input_at_all(torch: Any) -> None:
    J = fn(torch).jacobian(lambda x: torch.ones(3), torch.ones(2))
    assert same(J, [[0.0, 0.0]] * 3) and not J.requires_grad


@row("T083")
def test_t083_nothing_is_left_behind(torch: Any) -> None:
    x, y = torch.ones(2, requires_grad=True), torch.ones(2)
    J = fn(torch).jacobian(lambda x, y: x * y * y, (x, y))
    assert [j.requires_grad for j in J] == [False, False]
    assert x.grad is None and y.grad is None
    assert x.requires_grad and not y.requires_grad and y.grad_fn is None


@row("T085")
def test_t085_with_create_graph(torch: Any) -> None:
    text = (
        'torch.autograd.functional.jacobian: `create_graph=True` and `strategy="forward-mode"` are not supported '
        'together (yet). Please either set `create_graph=False` or `strategy="reverse-mode"`.'
    )
    jacobian, x = fn(torch).jacobian, two(torch)
    with raises(NotImplementedError, text):
        jacobian(exp_reducer, x, strategy="forward-mode", vectorize=True, create_graph=True)
    assert close(jacobian(exp_reducer, x, strategy="reverse-mode"), jacobian(exp_reducer, x))


@row("T086")
def test_t086_of_every_function(torch: Any) -> None:
    f, x = fn(torch), torch.ones(2)
    for name in ("jacobian", "hessian", "vjp", "jvp", "vhp", "hvp"):
        text = f"The inputs given to {name} must be either a Tensor or a tuple of Tensors but "
        with raises(TypeError, text + "the given inputs has type <class 'list'>."):
            getattr(f, name)(pow_reducer, [x])
        with raises(TypeError, text + "the value at index 1 has type <class 'int'>."):
            getattr(f, name)(pow_reducer, (x, 1))
    text = "The outputs of the user-provided function given to {} must be either a Tensor or a tuple of Tensors but the "
    for name in ("jacobian", "vjp"):
        with raises(TypeError, text.format(name) + "given outputs...has type <class 'int'>."):
            getattr(f, name)(lambda x: 1, x)
        with raises(TypeError, text.format(name) + "value at index 1 has type <class 'int'>."):
            getattr(f, name)(lambda x: (x, 1), x)


@row("T087")
def test_t087_of_every_function(torch: Any) -> None:
    f, x = fn(torch), two(torch)
    v = torch.ones(2, 2)
    calls = [
        lambda: f.jacobian(exp_reducer, x), lambda: f.hessian(pow_reducer, x),
        lambda: f.vjp(pow_reducer, x)[1], lambda: f.jvp(pow_reducer, x, v)[1],
        lambda: f.vhp(pow_reducer, x, v)[1], lambda: f.hvp(pow_reducer, x, v)[1],
    ]  # fmt: skip
    for one in calls:
        with torch.no_grad():
            quiet = one()
            assert not torch.is_grad_enabled()
        assert same(quiet, one().tolist()) and torch.is_grad_enabled()


@row("T088")
@row("T089")
def test_t088_t089_nothing_beside_the_diagonal(torch: Any) -> None:
    x = torch.tensor([[0.8711, 0.8037], [0.3243, 0.5425]], requires_grad=True)
    for create in (False, True):
        H = fn(torch).hessian(pow_reducer, x, create_graph=create)
        expected = torch.zeros(4, 4)
        for k, value in enumerate((5.2266, 4.8222, 1.9458, 3.2550)):
            expected[k, k] = value
        assert tuple(H.shape) == (2, 2, 2, 2) and close(H.reshape(4, 4), expected, 1e-4)
        assert H.requires_grad is create
    assert "grad_fn=<ViewBackward0>" in repr(H)
    (g,) = torch.autograd.grad(H.sum(), x)
    assert same(g, [[6.0, 6.0], [6.0, 6.0]])


@row("T090")
def test_t090_both_sides(torch: Any) -> None:
    H = fn(torch).hessian(pow_adder_reducer, (torch.ones(2), torch.ones(2)))
    assert type(H) is tuple and type(H[0]) is tuple
    assert same(H[1][0], [[0.0, 0.0], [0.0, 0.0]])


@row("T091")
def test_t091_one_element_of_any_shape(torch: Any) -> None:
    for shape in ((), (1,), (1, 1)):
        H = fn(torch).hessian(lambda x, s=shape: (x * x).sum().reshape(s), torch.ones(2))
        assert same(H, [[2.0, 0.0], [0.0, 2.0]])


@row("T092")
@row("T109")
@row("T113")
@pytest.mark.parametrize("name", ["hessian", "vhp", "hvp"])
def test_t092_t109_t113_strict(torch: Any, name: str) -> None:
    f = getattr(fn(torch), name)
    v = () if name == "hessian" else (torch.ones(2),)
    with raises(RuntimeError, CONSTANT_JACOBIAN):
        f(lambda x: x.sum(), torch.ones(2), *v, strict=True)
    with raises(RuntimeError, f"Output 0 of the user-provided function {NO_GRAD}"):
        f(lambda x: x.detach().sum(), torch.ones(2), *v, strict=True)
    f(lambda x: (x * x).sum(), torch.ones(2), *v, strict=True)
    with raises(RuntimeError, f"The Tensor returned by the function given to {name} should contain a single element"):  # fmt: skip
        f(lambda x: x * x, torch.ones(2), *v)
    with raises(RuntimeError, f"The function given to {name} should return a single Tensor"):
        f(lambda x: (x.sum(), x.sum()), torch.ones(2), *v)
    if v:
        text = (
            "The vector v can only be None if the input to the user-provided function is a single Tensor with a single "
            "element."
        )
        with raises(RuntimeError, text):
            f(lambda x: (x * x).sum(), torch.ones(2))
        assert same(f(lambda x: (x * x).sum(), torch.ones(1))[1], [2.0])


@row("T093")
def test_t093_every_strategy(torch: Any) -> None:
    hessian, x = fn(torch).hessian, two(torch)
    H = hessian(pow_reducer, x)
    for outer in ("forward-mode", "reverse-mode"):
        assert close(hessian(pow_reducer, x, vectorize=True, outer_jacobian_strategy=outer), H)
    with raises(NotImplementedError, ONLY_VECTORIZED):
        hessian(pow_reducer, x, outer_jacobian_strategy="forward-mode")
    for vectorize in (False, True):
        with raises(AssertionError, STRATEGY):
            hessian(pow_reducer, x, vectorize=vectorize, outer_jacobian_strategy="sideways")


@row("T095")
def test_t095_values_and_third_order(torch: Any) -> None:
    x = two(torch).requires_grad_()
    out, g = fn(torch).vjp(exp_reducer, x, torch.ones(2), create_graph=True)
    assert "grad_fn=<SumBackward1>" in repr(out) and "grad_fn=<MulBackward0>" in repr(g)
    assert close(g, x.exp(), 1e-6) and close(out, exp_reducer(x), 1e-6)
    assert close(torch.autograd.grad(g.sum(), x)[0], x.exp(), 1e-6)


@row("T097")
def test_t097_one_output_of_one_element(torch: Any) -> None:
    vjp = fn(torch).vjp
    text = "The vector v can only be None if the user-provided function returns a single Tensor with a single element."
    assert same(vjp(lambda x: (x * x).sum().reshape(1), torch.ones(2))[1], [2.0, 2.0])
    for several in (lambda x: x * x, lambda x: (x.sum(), x.sum())):
        with raises(RuntimeError, text):
            vjp(several, torch.ones(2))


@row("T098")
def test_t098_of_jvp_and_several(torch: Any) -> None:
    f, x = fn(torch), torch.ones(2)
    with raises(RuntimeError, "v has invalid size: should be torch.Size([2]) but got torch.Size([3])."):  # fmt: skip
        f.jvp(lambda x: x * 2, x, torch.ones(3))
    with raises(RuntimeError, "v is a tuple of invalid length: should be 2 but got 1."):
        f.vjp(lambda x: (x * 2, x * 3), x, torch.ones(2))
    text = "The v given to {} must be either a Tensor or a tuple of Tensors but the "
    for name in ("vjp", "jvp", "vhp", "hvp"):
        with raises(TypeError, text.format(name) + "given v has type <class 'list'>."):
            getattr(f, name)(lambda x: (x * x).sum(), x, [torch.ones(2)])
        with raises(TypeError, text.format(name) + "value at index 0 has type <class 'int'>."):
            getattr(f, name)(lambda x: (x * x).sum(), x, (1,))


@row("T099")
@row("T104")
def test_t099_t104_every_strict_message(torch: Any) -> None:
    f, x, v = fn(torch), torch.ones(2), torch.ones(2)
    text = f"Output 0 of the user-provided function {NO_GRAD}"
    for run in (
        lambda g: f.vjp(g, x, v, strict=True), lambda g: f.jvp(g, x, v, strict=True),
    ):  # fmt: skip
        with raises(RuntimeError, text):
            run(lambda x: x.detach())
        run(lambda x: x * 2)
    text = "The output of the user-provided function is independent of input 1. This is not allowed in strict mode."
    with raises(RuntimeError, text):
        f.vjp(lambda x, y: x * 2, (x, x), v, strict=True)
    with raises(RuntimeError, text):
        f.jvp(lambda x, y: x * 2, (x, x), (v, v), strict=True)
    text = (
        "The jacobian of the user-provided function is independent of input 0. This is not allowed in strict mode when "
        "create_graph=True."
    )
    y = torch.ones(2, requires_grad=True)
    for run in (f.vjp, f.jvp):
        with raises(RuntimeError, text):
            run(lambda x: x * 2, y, v, strict=True, create_graph=True)


@row("T100")
@row("T102")
def test_t100_t102_other_directions(torch: Any) -> None:
    jvp, v = fn(torch).jvp, torch.tensor([[1.0, 0.0], [0.0, -2.0]])
    out, t = jvp(exp_reducer, two(torch), v)
    assert close(out, [2.3266, 2.8417]) and close(t, [math.exp(0.1), -2 * math.exp(0.4)])
    x, y = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])
    out, t = jvp(lambda x, y: 2 * x + 3 * y, (x, y), (torch.ones(2), torch.ones(2)))
    assert same(out, [11.0, 16.0]) and same(t, [5.0, 5.0])
    assert not t.requires_grad and x.grad is None


@row("T101")
def test_t101_differentiable(torch: Any) -> None:
    x = two(torch).requires_grad_()
    out, t = fn(torch).jvp(exp_reducer, x, torch.ones(2, 2), create_graph=True)
    assert out.requires_grad and close(t, [2.3266, 2.8417])
    assert f"grad_fn=<{t.grad_fn.name()}>" in repr(t)
    for one in (out, t):
        (g,) = torch.autograd.grad(one.sum(), x, retain_graph=True)
        assert close(g, two(torch).exp())
    _, t = fn(torch).jvp(lambda x: (x**3).sum(dim=1), x, torch.ones(2, 2), create_graph=True)
    assert close(torch.autograd.grad(t.sum(), x)[0], 6 * two(torch))
    _, t = fn(torch).jvp(exp_reducer, x, torch.ones(2, 2))
    assert not t.requires_grad and t.grad_fn is None


@row("T103")
def test_t103_one_input_of_one_element(torch: Any) -> None:
    jvp, one = fn(torch).jvp, torch.ones(1, 1)
    text = (
        "The vector v can only be None if the input to the user-provided function is a single Tensor with a single "
        "element."
    )
    assert same(jvp(lambda x: x.reshape(1) * 3, one)[1], [3.0])
    with raises(RuntimeError, text):
        jvp(lambda x, y: x * y, (one, one))


@row("T107")
@row("T111")
@pytest.mark.parametrize("name", ["vhp", "hvp"])
def test_t107_t111_values_and_third_order(torch: Any, name: str) -> None:
    x = two(torch).requires_grad_()
    out, g = getattr(fn(torch), name)(pow_reducer, x, torch.ones(2, 2), create_graph=True)
    assert "grad_fn=<SumBackward0>" in repr(out) and "grad_fn=<MulBackward0>" in repr(g)
    assert close(out, 0.1) and close(g, [[0.6, 1.2], [1.8, 2.4]])
    assert close(torch.autograd.grad(g.sum(), x)[0], [[6.0, 6.0], [6.0, 6.0]])


@row("T112")
def test_t112_the_value(torch: Any) -> None:
    x, y = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])
    out, (a, b) = fn(torch).hvp(pow_adder_reducer, (x, y), (torch.ones(2), torch.zeros(2)))
    assert same(out, 85.0) and same(a, [4.0, 4.0]) and same(b, [0.0, 0.0])


@row("T113")
def test_t113_as_vhp_of_several_inputs(torch: Any) -> None:
    x, y = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])
    v = (torch.tensor([1.0, -1.0]), torch.tensor([0.5, 2.0]))
    f = lambda x, y: (x * x * y).sum() + x[0] * y[1] ** 3
    (a, b), (c, d) = fn(torch).hvp(f, (x, y), v)[1], fn(torch).vhp(f, (x, y), v)[1]
    assert close(a, c, 1e-6) and close(b, d, 1e-6)
    assert close(a, [2 * 3 * 1 + 2 * 1 * 0.5 + 48 * 2, 8 * -1 + 4 * 2.0], 1e-5)
