"""The examples of PyTorch's documentation of autograd: the notes, the tutorials, the reference."""

from __future__ import annotations

import math
import os
import tempfile
import uuid
from typing import Any

import pytest

from .surface import close, raises, same, warns

pytestmark = pytest.mark.filterwarnings("ignore")


# -- autograd mechanics ----------------------------------------------------------------------------


def test_saved_tensors_of_a_node(torch: Any) -> None:
    x = torch.randn(5, requires_grad=True)
    y = x.pow(2)
    assert x.equal(y.grad_fn._saved_self) and x is y.grad_fn._saved_self
    x = torch.randn(5, requires_grad=True)
    y = x.exp()
    assert y.equal(y.grad_fn._saved_result) and y is not y.grad_fn._saved_result


def test_requires_grad_freezes(torch: Any) -> None:
    w = torch.ones(2, requires_grad=True)
    frozen = torch.ones(2).requires_grad_(False)
    y = (w * frozen).sum()
    y.backward()
    assert w.grad is not None and frozen.grad is None


def test_locally_disabled(torch: Any) -> None:
    x = torch.ones(1, requires_grad=True)
    with torch.no_grad():
        y = x * 2
    assert not y.requires_grad

    @torch.no_grad()
    def doubler(x: Any) -> Any:
        return x * 2

    assert not doubler(x).requires_grad
    with torch.inference_mode():
        z = x * 2
    assert z.is_inference()
    with raises(RuntimeError, "Inference tensors cannot be saved for backward."):
        x * z


def test_hooks_for_saved_tensors(torch: Any) -> None:
    x = torch.randn(5, requires_grad=True)
    y = x.pow(2)
    y.grad_fn._raw_saved_self.register_hooks(lambda x: 2 * x, lambda x: x / 2)
    y.sum().backward()
    assert close(x.grad, (2 * x).detach())


def test_saved_tensors_in_files(torch: Any) -> None:
    """The disk example of the tutorial: a name is kept, the file goes with it."""
    kept: dict[str, Any] = {}

    class SelfDeletingTempFile:
        def __init__(self) -> None:
            self.name = os.path.join(tempfile.gettempdir(), str(uuid.uuid4()))

        def __del__(self) -> None:
            kept.pop(self.name, None)

    def pack_hook(tensor: Any) -> Any:
        file = SelfDeletingTempFile()
        kept[file.name] = tensor.detach().clone()
        return file

    def unpack_hook(file: Any) -> Any:
        return kept[file.name]

    x = torch.randn(5, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(pack_hook, unpack_hook):
        y = x.pow(2)
    assert len(kept) == 1
    y.sum().backward()
    assert close(x.grad, (2 * x).detach())
    del y
    assert not kept


def test_saved_tensors_that_are_large_go_elsewhere(torch: Any) -> None:
    packed: list[int] = []

    def pack_hook(x: Any) -> Any:
        if x.numel() < 4:
            return x
        packed.append(x.numel())
        return ("file", x.clone())

    def unpack_hook(tensor_or_file: Any) -> Any:
        return tensor_or_file[1] if isinstance(tensor_or_file, tuple) else tensor_or_file

    small, large = (torch.ones(n, requires_grad=True) for n in (2, 5))
    with torch.autograd.graph.saved_tensors_hooks(pack_hook, unpack_hook):
        y = small.exp().sum() + (large**2).sum()
    y.backward()
    assert packed == [5] and same(large.grad, [2.0] * 5)


def test_hooks_that_multiply(torch: Any) -> None:
    """``a`` and ``b`` are packed for the product; the hooks double and undo it."""
    with torch.autograd.graph.saved_tensors_hooks(lambda x: x * 4, lambda x: x / 4):
        a = torch.ones(5, requires_grad=True)
        b = torch.ones(5, requires_grad=True) * 2
        y = a * b
    y.sum().backward()
    assert same(a.grad, [2.0] * 5)


def test_hooks_may_not_write(torch: Any) -> None:
    x = torch.ones(5, requires_grad=True)
    text = "A saved tensor pack hook is modifying its input in place."
    with (
        torch.autograd.graph.saved_tensors_hooks(lambda x: x.add_(1), lambda x: x),
        raises(RuntimeError, text),
    ):
        x.pow(2)


def test_save_on_cpu(torch: Any) -> None:
    a, b, c = (torch.randn(5, requires_grad=True) for _ in range(3))

    def f(a: Any, b: Any, c: Any) -> Any:
        prod_1 = a * b
        with torch.autograd.graph.save_on_cpu():
            prod_2 = prod_1 * c
        return prod_2 * a

    f(a, b, c).sum().backward()
    assert close(c.grad, (a * b * a).detach())


def test_disabled_hooks(torch: Any) -> None:
    message = "saved tensors default hooks are disabled"
    with torch.autograd.graph.disable_saved_tensors_hooks(message), raises(RuntimeError, message):
        with torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x):
            pass


def test_hooks_on_tensors_before_and_after_a_write(torch: Any) -> None:
    """Registered before a write: the gradient with respect to the values before it."""
    seen: dict[str, Any] = {}
    x = torch.ones(2, requires_grad=True)
    t = x * 2
    t.register_hook(lambda g: seen.update(before=g.tolist()))
    t.retain_grad()
    t.mul_(3)
    t.register_hook(lambda g: seen.update(after=g.tolist()))
    t.sum().backward()
    assert seen == {"after": [1.0, 1.0], "before": [3.0, 3.0]} and same(t.grad, [1.0, 1.0])


# -- the reference ---------------------------------------------------------------------------------


def test_register_hook(torch: Any) -> None:
    v = torch.tensor([0.0, 0.0, 0.0], requires_grad=True)
    h = v.register_hook(lambda grad: grad * 2)
    v.backward(torch.tensor([1.0, 2.0, 3.0]))
    assert same(v.grad, [2.0, 4.0, 6.0])
    h.remove()


def test_post_accumulate_hook(torch: Any) -> None:
    v = torch.tensor([0.0, 0.0, 0.0], requires_grad=True)

    def step(p: Any) -> None:
        p.data.add_(p.grad, alpha=-0.01)

    h = v.register_post_accumulate_grad_hook(step)
    v.backward(torch.tensor([1.0, 2.0, 3.0]))
    assert close(v, [-0.01, -0.02, -0.03], 1e-6)
    h.remove()


def test_node_hooks(torch: Any) -> None:
    a = torch.tensor([0.0, 0.0, 0.0], requires_grad=True)
    b = a.clone()
    handle = b.grad_fn.register_hook(lambda gI, gO: (gO[0] * 2,))
    b.sum().backward(retain_graph=True)
    assert same(a.grad, [2.0, 2.0, 2.0])
    handle.remove()
    a.grad = None
    b.sum().backward(retain_graph=True)
    assert same(a.grad, [1.0, 1.0, 1.0])
    handle = b.grad_fn.register_prehook(lambda gI: (gI[0] * 2,))
    b.sum().backward(retain_graph=True)
    assert same(a.grad, [3.0, 3.0, 3.0])
    b.grad_fn.metadata["name"] = "clone"
    assert b.grad_fn.metadata == {"name": "clone"} and b.grad_fn.name() == "CloneBackward0"


def test_next_functions(torch: Any) -> None:
    a = torch.tensor([0.0], requires_grad=True)
    c = torch.tensor([0.0], requires_grad=True) + a.clone()
    names = [node.name() for node, _ in c.grad_fn.next_functions]
    assert names == ["torch::autograd::AccumulateGrad", "CloneBackward0"]


def test_multi_grad_hook(torch: Any) -> None:
    seen: list[Any] = []
    a, b, c, d = (torch.rand(2, 3, requires_grad=True) for _ in range(4))
    torch.autograd.graph.register_multi_grad_hook(
        (a, b, c, d), lambda grads: seen.append([g is not None for g in grads])
    )
    (a * b).sum().backward(retain_graph=True)
    (c * d).sum().backward(retain_graph=True)
    (a * b * c * d).sum().backward()
    assert seen == [[True, True, False, False], [False, False, True, True], [True] * 4]


def test_mutation_of_saved_tensors_is_allowed(torch: Any) -> None:
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        a = torch.ones(2, 3, requires_grad=True)
        b = a.clone()
        out = (b**2).sum()
        b.sin_()
        out.sum().backward()
    assert same(a.grad, [[2.0] * 3] * 2)


def test_gradient_edges(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x.exp()
    edge = torch.autograd.graph.get_gradient_edge(y)
    (g,) = torch.autograd.grad((y * 3).sum(), edge)
    assert same(g, [3.0, 3.0])


def test_anomaly_detection(torch: Any) -> None:
    class MyFunc(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, inp: Any) -> Any:
            return inp.clone()

        @staticmethod
        def backward(ctx: Any, gO: Any) -> Any:
            raise RuntimeError("Some error in backward")

    def run_fn(a: Any) -> Any:
        return MyFunc.apply(a).sum()

    inp = torch.rand(10, 10, requires_grad=True)
    with raises(RuntimeError, "Some error in backward"):
        run_fn(inp).backward()
    with (
        warns(UserWarning, "Error detected in MyFuncBackward"),
        torch.autograd.detect_anomaly(check_nan=False),
        raises(RuntimeError, "Some error in backward"),
    ):
        run_fn(inp).backward()


def test_functional_examples(torch: Any) -> None:
    functional = torch.autograd.functional

    def exp_reducer(x: Any) -> Any:
        return x.exp().sum(dim=1)

    inputs = torch.rand(2, 2)
    assert functional.jacobian(exp_reducer, inputs).shape == (2, 2, 2)
    assert functional.jacobian(exp_reducer, inputs, create_graph=True).requires_grad

    def exp_adder(x: Any, y: Any) -> Any:
        return 2 * x.exp() + 3 * y

    a, b = functional.jacobian(exp_adder, (torch.rand(2), torch.rand(2)))
    assert a.shape == (2, 2) and same(b, [[3.0, 0.0], [0.0, 3.0]])

    def pow_reducer(x: Any) -> Any:
        return x.pow(3).sum()

    assert functional.hessian(pow_reducer, torch.rand(2, 2)).shape == (2, 2, 2, 2)

    def pow_adder_reducer(x: Any, y: Any) -> Any:
        return (2 * x.pow(2) + 3 * y.pow(2)).sum()

    hessian = functional.hessian(pow_adder_reducer, (torch.rand(2), torch.rand(2)))
    assert same(hessian[0][0], [[4.0, 0.0], [0.0, 4.0]])
    assert same(hessian[0][1], [[0.0, 0.0], [0.0, 0.0]])
    assert same(hessian[1][1], [[6.0, 0.0], [0.0, 6.0]])
    x, v = torch.rand(4, 4), torch.ones(4)
    value, product = functional.vjp(lambda x: x.exp().sum(dim=1), x, v)
    assert close(product, x.exp()) and close(value, x.exp().sum(1))
    _, product = functional.hvp(pow_reducer, x, torch.ones(4, 4))
    assert close(product, 6 * x)
    _, product = functional.vhp(pow_reducer, x, torch.ones(4, 4))
    assert close(product, 6 * x)
    _, product = functional.jvp(lambda x: x.exp().sum(dim=1), x, torch.ones(4, 4))
    assert close(product, x.exp().sum(1))


# -- extending -------------------------------------------------------------------------------------


def linear_function(torch: Any) -> Any:
    class LinearFunction(torch.autograd.Function):
        @staticmethod
        def forward(input: Any, weight: Any, bias: Any) -> Any:
            output = input.mm(weight.t())
            if bias is not None:
                output += bias.unsqueeze(0).expand_as(output)
            return output

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            input, weight, bias = inputs
            ctx.save_for_backward(input, weight, bias)

        @staticmethod
        def backward(ctx: Any, grad_output: Any) -> Any:
            input, weight, bias = ctx.saved_tensors
            grad_input = grad_weight = grad_bias = None
            if ctx.needs_input_grad[0]:
                grad_input = grad_output.mm(weight)
            if ctx.needs_input_grad[1]:
                grad_weight = grad_output.t().mm(input)
            if bias is not None and ctx.needs_input_grad[2]:
                grad_bias = grad_output.sum(0)
            return grad_input, grad_weight, grad_bias

    return LinearFunction


def test_the_linear_function(torch: Any) -> None:
    linear = linear_function(torch).apply
    input = (
        torch.randn(20, 20, dtype=torch.double, requires_grad=True),
        torch.randn(30, 20, dtype=torch.double, requires_grad=True),
        torch.randn(30, dtype=torch.double, requires_grad=True),
    )
    assert torch.autograd.gradcheck(linear, input, eps=1e-6, atol=1e-4)
    x, w = (t.detach()[:3, :4].clone().requires_grad_() for t in input[:2])
    assert torch.autograd.gradgradcheck(lambda x, w: linear(x, w, None), (x, w))


def test_a_constant_argument_and_no_materialized_gradients(torch: Any) -> None:
    class MulConstant(torch.autograd.Function):
        @staticmethod
        def forward(tensor: Any, constant: Any) -> Any:
            return tensor * constant

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            _, constant = inputs
            ctx.set_materialize_grads(False)
            ctx.constant = constant

        @staticmethod
        def backward(ctx: Any, grad_output: Any) -> Any:
            if grad_output is None:
                return None, None
            return grad_output * ctx.constant, None

    x = torch.ones(2, requires_grad=True)
    MulConstant.apply(x, 3.0).sum().backward()
    assert same(x.grad, [3.0, 3.0])


def test_an_intermediate_result_is_saved(torch: Any) -> None:
    """``(x - 1) * (x - 2)**2`` by a function that returns its intermediates as well."""

    class MyCube(torch.autograd.Function):
        @staticmethod
        def forward(x: Any) -> Any:
            dx = 3 * x**2
            return x**3, dx

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            (x,) = inputs
            _, dx = output
            ctx.save_for_backward(x, dx)

        @staticmethod
        def backward(ctx: Any, grad_output: Any, grad_dx: Any) -> Any:
            x, dx = ctx.saved_tensors
            return grad_output * dx + grad_dx * 6 * x

    def my_cube(x: Any) -> Any:
        return MyCube.apply(x)[0]

    x = torch.tensor(2.0, dtype=torch.double, requires_grad=True)
    (g,) = torch.autograd.grad(my_cube(x), x, create_graph=True)
    (h,) = torch.autograd.grad(g, x)
    assert (g.item(), h.item()) == (12.0, 12.0)


def test_functions_with_forward_mode(torch: Any) -> None:
    fw = torch.autograd.forward_ad

    class Fn(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, foo: Any) -> Any:
            result = torch.exp(foo)
            ctx.result = result
            return result

        @staticmethod
        def jvp(ctx: Any, gI: Any) -> Any:
            gO = gI * ctx.result
            del ctx.result
            return gO

    primal, tangent = (torch.randn(10, 10, dtype=torch.double) for _ in range(2))
    with fw.dual_level():
        made = fw.unpack_dual(Fn.apply(fw.make_dual(primal, tangent)))
    assert close(made.tangent, primal.exp() * tangent)


# -- double backward with custom functions ---------------------------------------------------------


def test_square_saves_its_input(torch: Any) -> None:
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x**2

        @staticmethod
        def backward(ctx: Any, grad_out: Any) -> Any:
            (x,) = ctx.saved_tensors
            return grad_out * 2 * x

    x = torch.rand(3, 3, requires_grad=True, dtype=torch.double)
    assert torch.autograd.gradcheck(Square.apply, x)
    assert torch.autograd.gradgradcheck(Square.apply, x)


def test_exp_saves_its_output(torch: Any) -> None:
    class Exp(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            result = torch.exp(x)
            ctx.save_for_backward(result)
            return result

        @staticmethod
        def backward(ctx: Any, grad_out: Any) -> Any:
            (result,) = ctx.saved_tensors
            return result * grad_out

    x = torch.tensor(1.0, requires_grad=True, dtype=torch.double)
    assert torch.autograd.gradcheck(Exp.apply, x)
    assert torch.autograd.gradgradcheck(Exp.apply, x)


def test_sinh_returns_its_intermediates(torch: Any) -> None:
    class Sinh(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            expx = torch.exp(x)
            expnegx = torch.exp(-x)
            ctx.save_for_backward(expx, expnegx)
            return (expx - expnegx) / 2, expx, expnegx

        @staticmethod
        def backward(ctx: Any, grad_out: Any, _grad_out_exp: Any, _grad_out_negexp: Any) -> Any:
            expx, expnegx = ctx.saved_tensors
            grad_input = grad_out * (expx + expnegx) / 2
            grad_input += _grad_out_exp * expx
            grad_input -= _grad_out_negexp * expnegx
            return grad_input

    def sinh(x: Any) -> Any:
        return Sinh.apply(x)[0]

    x = torch.rand(3, 3, requires_grad=True, dtype=torch.double)
    assert torch.autograd.gradcheck(sinh, x)
    assert torch.autograd.gradgradcheck(sinh, x)


def test_what_is_not_tracked_gives_a_wrong_second_derivative(torch: Any) -> None:
    """The tutorial's warning: intermediates on ``ctx`` alone are constants for the second derivative."""

    class SinhBad(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.expx, ctx.expnegx = torch.exp(x), torch.exp(-x)
            return (ctx.expx - ctx.expnegx) / 2

        @staticmethod
        def backward(ctx: Any, grad_out: Any) -> Any:
            return grad_out * (ctx.expx + ctx.expnegx) / 2

    x = torch.tensor(0.5, requires_grad=True, dtype=torch.double)
    y = SinhBad.apply(x)
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    assert close(g, math.cosh(0.5), 1e-6) and not g.requires_grad


def test_a_backward_that_is_a_function(torch: Any) -> None:
    class CubeBackward(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, grad_out: Any, x: Any) -> Any:
            ctx.save_for_backward(x, grad_out)
            return grad_out * 3 * x**2

        @staticmethod
        def backward(ctx: Any, grad_out: Any) -> Any:
            x, saved = ctx.saved_tensors
            return grad_out * 3 * x**2, grad_out * saved * 6 * x

    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx: Any, grad_out: Any) -> Any:
            (x,) = ctx.saved_tensors
            return CubeBackward.apply(grad_out, x)

    x = torch.tensor(2.0, requires_grad=True, dtype=torch.double)
    assert torch.autograd.gradcheck(Cube.apply, x)
    assert torch.autograd.gradgradcheck(Cube.apply, x)


# -- forward-mode AD -------------------------------------------------------------------------------


def test_dual_numbers(torch: Any) -> None:
    fw = torch.autograd.forward_ad
    primal, tangent = torch.randn(10, 10), torch.randn(10, 10)

    def fn(x: Any, y: Any) -> Any:
        return x**2 + y**2

    with fw.dual_level():
        dual_input = fw.make_dual(primal, tangent)
        assert fw.unpack_dual(dual_input).tangent is tangent
        plain = fw.unpack_dual(fn(primal, primal))
        assert plain.tangent is None
        dual_output = fn(dual_input, tangent)
        jvp = fw.unpack_dual(dual_output).tangent
    assert close(jvp, 2 * primal * tangent)
    assert fw.unpack_dual(dual_output).tangent is None


def test_parameters_as_dual_numbers(torch: Any) -> None:
    fw = torch.autograd.forward_ad
    weight, tangent = torch.randn(5, 5), torch.randn(5, 5)
    x = torch.ones(3, 5)
    with fw.dual_level():
        out = torch.nn.functional.linear(x, fw.make_dual(weight, tangent))
        jvp = fw.unpack_dual(out).tangent
    assert close(jvp, torch.nn.functional.linear(x, tangent), 1e-5)


def test_functional_jvp(torch: Any) -> None:
    primal0, primal1, tangent0 = (torch.randn(10, 10) for _ in range(3))
    value, product = torch.func.jvp(
        lambda x, y: x**2 + y**2, (primal0, primal1), (tangent0, torch.zeros(10, 10))
    )
    assert close(value, primal0**2 + primal1**2, 1e-5) and close(
        product, 2 * primal0 * tangent0, 1e-5
    )
