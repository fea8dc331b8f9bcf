"""Rows T248 to T274: derivatives against differences."""

from __future__ import annotations

import inspect
import warnings
from importlib import import_module
from typing import Any

import pytest

from .surface import raises, row, warns

pytestmark = pytest.mark.filterwarnings("ignore")


def double(torch: Any, *values: float) -> Any:
    return torch.tensor(list(values), dtype=torch.double, requires_grad=True)


def function(torch: Any, forward: Any, backward: Any) -> Any:
    methods = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type("F", (torch.autograd.Function,), methods)


def check(torch: Any, *args: Any, **kwargs: Any) -> Any:
    return torch.autograd.gradcheck(*args, **kwargs)


def wrong(torch: Any) -> Any:
    """A gradient that is not the right one."""
    return function(torch, lambda ctx, x: x * 2, lambda ctx, g: g * 3).apply


def error_of(torch: Any) -> Any:
    return import_module(f"{torch.__name__}.autograd.gradcheck").GradcheckError


@row("T248")
def test_t248_passes(torch: Any) -> None:
    assert check(torch, lambda x: x * x, (double(torch, 1.0, 2.0),)) is True


@row("T249")
def test_t249_keywords_only(torch: Any) -> None:
    with raises(TypeError, "gradcheck() takes 2 positional arguments but 3 were given"):
        check(torch, lambda x: x * x, (double(torch, 1.0),), 1e-6)


@row("T250")
def test_t250_mismatch(torch: Any) -> None:
    with raises(
        error_of(torch),
        "Jacobian mismatch for output 0 with respect to input 0,\nnumerical:tensor(...)\nanalytical:tensor(...)\n",
    ):
        check(torch, wrong(torch), (double(torch, 1.0),))


@row("T251")
def test_t251_raise_exception(torch: Any) -> None:
    assert check(torch, wrong(torch), (double(torch, 1.0),), raise_exception=False) is False
    with pytest.raises(ZeroDivisionError):
        check(torch, lambda x: 1 / 0, (double(torch, 1.0),), raise_exception=False)
    with pytest.raises(ValueError, match="at least one input tensor"):
        check(torch, lambda x: x, (torch.ones(1),), raise_exception=False)


@row("T252")
def test_t252_tolerances(torch: Any) -> None:
    F = function(torch, lambda ctx, x: x * 2, lambda ctx, g: g * 2.01).apply
    assert not check(torch, F, (double(torch, 1.0),), raise_exception=False)
    assert check(torch, F, (double(torch, 1.0),), rtol=0.1)
    assert check(torch, F, (double(torch, 1.0),), atol=0.1)
    defaults = inspect.signature(torch.autograd.gradcheck).parameters
    assert [defaults[name].default for name in ("eps", "atol", "rtol")] == [1e-6, 1e-5, 1e-3]
    near = function(torch, lambda ctx, x: x * 2, lambda ctx, g: g * (2 + 1e-3)).apply
    assert check(torch, near, (double(torch, 1.0),))  # atol + rtol * 2
    assert not check(torch, near, (double(torch, 1.0),), rtol=1e-4, raise_exception=False)
    cube = (lambda x: x**3, (double(torch, 1.0),))
    assert check(torch, *cube) and not check(torch, *cube, eps=0.5, raise_exception=False)


@row("T253")
def test_t253_single_precision(torch: Any) -> None:
    x = torch.ones(1, requires_grad=True)
    text = (
        "Input #0 requires gradient and is not a double precision floating point or complex. This check will likely fail "
        "if all the inputs are not of double precision floating point or complex. "
    )
    with warns(UserWarning, text):
        check(torch, lambda x: x * 2, (x,), raise_exception=False)


@row("T254")
def test_t254_nothing_requires_grad(torch: Any) -> None:
    text = "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True."
    with raises(ValueError, text):
        check(torch, lambda x: x, (torch.ones(1),), raise_exception=False)


@row("T255")
def test_t255_overlapping(torch: Any) -> None:
    x = torch.ones(1, dtype=torch.double).expand(3).requires_grad_()
    text = (
        "The 0th input has a dimension with stride 0. gradcheck only supports inputs that are non-overlapping to be able "
        "to compute the numerical gradients correctly. You should call .contiguous on the input before passing it to "
        "gradcheck."
    )
    with raises(RuntimeError, text):
        check(torch, lambda x: x * 2, (x,))


@row("T256")
def test_t256_complex(torch: Any) -> None:
    z = torch.tensor([1 + 2j, 0.5 - 1j], dtype=torch.cdouble, requires_grad=True)
    assert check(torch, lambda z: z * z, (z,))
    assert check(torch, lambda z: z.abs(), (z,))
    assert check(torch, lambda x: x * (1 + 2j), (double(torch, 1.0, 2.0),))
    F = function(torch, lambda ctx, z: z * 1, lambda ctx, g: g.real + 2j * g.imag).apply
    with raises(
        error_of(torch),
        "While considering the imaginary part of complex outputs only, Jacobian mismatch",
    ):
        check(torch, F, (z,))


@row("T257")
def test_t257_nondeterministic(torch: Any) -> None:
    count = [0]

    def backward(ctx: Any, g: Any) -> Any:
        count[0] += 1
        return g * (2 + 1e-7 * (count[0] % 7))

    F = function(torch, lambda ctx, x: x * 2, backward).apply
    text = (
        "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives different "
        "values, although analytical gradient matches numerical gradient.The tolerance for nondeterminism was 0.0."
    )
    with raises(error_of(torch), text):
        check(torch, F, (double(torch, 1.0),))
    assert check(torch, F, (double(torch, 1.0),), nondet_tol=1e-3)
    assert not check(torch, F, (double(torch, 1.0),), nondet_tol=1e-12, raise_exception=False)


@row("T258")
def test_t258_undefined(torch: Any) -> None:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.set_materialize_grads(False)
        return x * 2

    def backward(ctx: Any, g: Any) -> Any:
        if g is None:
            raise RuntimeError("no gradient")
        return g * 2

    F = function(torch, forward, backward).apply
    text = (
        'Expected backward function to handle undefined output grads. Please look at "Notes about undefined output '
        'gradients" in "tools/autograd/derivatives.yaml"'
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with raises(error_of(torch), text):
            check(torch, F, (double(torch, 1.0),))
    assert any(
        "New undefined gradient support checking feature is enabled by default" in str(w.message)
        for w in caught
    )
    assert check(torch, F, (double(torch, 1.0),), check_undefined_grad=False)

    def other(ctx: Any, g: Any) -> Any:
        return g * 2 if g is not None else 1 / 0

    with pytest.raises(ZeroDivisionError):
        check(torch, function(torch, forward, other).apply, (double(torch, 1.0),))


@row("T259")
def test_t259_types(torch: Any) -> None:
    assert check(torch, lambda x: x * x, (double(torch, 1.0),), check_grad_dtypes=True)


@row("T260")
def test_t260_batched(torch: Any) -> None:
    assert check(torch, lambda x: x * x, (double(torch, 1.0, 2.0),), check_batched_grad=True)
    with pytest.raises(AssertionError):
        check(
            torch,
            lambda x: x,
            (double(torch, 1.0),),
            check_batched_grad=True,
            check_backward_ad=False,
            check_forward_ad=True,
        )


@row("T261")
def test_t261_check_sparse_nnz(torch: Any) -> None:
    with pytest.raises(TypeError, match="unexpected keyword"):
        check(torch, lambda x: x, (double(torch, 1.0),), check_sparse_nnz=True)
    assert check(torch, lambda x: x * 2, (double(torch, 1.0),), masked=False)


@row("T262")
def test_t262_forward(torch: Any) -> None:
    assert check(torch, lambda x: x * x, (double(torch, 1.0),), check_forward_ad=True)
    text = "Expected at least one of check_forward_ad or check_backward_ad to be True"
    with raises(AssertionError, text):
        check(torch, lambda x: x, (double(torch, 1.0),), check_backward_ad=False)

    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def jvp(ctx: Any, t: Any) -> Any:
            return t * 3

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2

    text = "Jacobian computed with forward mode mismatch for output 0 with respect to input 0"
    with raises(error_of(torch), text):
        check(torch, F.apply, (double(torch, 1.0),), check_forward_ad=True)
    assert check(torch, F.apply, (double(torch, 1.0),))
    assert not check(
        torch, F.apply, (double(torch, 1.0),), check_forward_ad=True, raise_exception=False
    )


@row("T263")
def test_t263_batched_forward(torch: Any) -> None:
    text = "Setting check_batched_forward_grad=True requires check_forward_ad to be True"
    with raises(AssertionError, text):
        check(torch, lambda x: x, (double(torch, 1.0),), check_batched_forward_grad=True)
    x = double(torch, 1.0, 2.0)
    assert check(
        torch, lambda x: x * x, (x,), check_forward_ad=True, check_batched_forward_grad=True
    )


@row("T264")
def test_t264_fast_mode(torch: Any) -> None:
    assert check(torch, lambda x: x * x, (double(torch, 1.0, 2.0),), fast_mode=True)
    text = "...The above quantities relating the numerical and analytical jacobians are computed \nin fast mode. "
    with raises(error_of(torch), text):
        check(torch, wrong(torch), (double(torch, 1.0),), fast_mode=True)
    for fast in (True, False):
        assert not check(
            torch, wrong(torch), (double(torch, 1.0),), fast_mode=fast, raise_exception=False
        )


@row("T265")
def test_t265_not_multiplied(torch: Any) -> None:
    F = function(
        torch, lambda ctx, x: x * 2, lambda ctx, g: torch.full((1,), 2.0, dtype=torch.double)
    ).apply
    with raises(error_of(torch), "backward not multiplied by grad_output"):
        check(torch, F, (double(torch, 1.0),))


@row("T266")
def test_t266_no_differentiable_output(torch: Any) -> None:
    with raises(error_of(torch), "Numerical gradient for function expected to be zero"):
        check(torch, lambda x: x.detach() * 2, (double(torch, 1.0),))
    assert check(torch, lambda x: (x * 2, x.detach() * 0), (double(torch, 1.0),))


@row("T267")
def test_t267_outputs_that_depend_on_values(torch: Any) -> None:
    def f(x: Any) -> Any:
        return x * 2 if x.detach().item() <= 1.0 else torch.cat([x, x])

    text = (
        "Expected `func` to return outputs with the same shape when inputs are perturbed on index (0,) by 1e-06, but got: "
        "shapes torch.Size([1]) and torch.Size([2])."
    )
    with raises(AssertionError, text):
        check(torch, f, (double(torch, 1.0),))


@row("T268")
def test_t268_several(torch: Any) -> None:
    x, y = double(torch, 1.0), double(torch, 2.0)
    assert check(torch, lambda x, y, k: (x * y * k, x + y), (x, y, 3))
    assert check(torch, lambda x, y: x * y, [x, y])
    assert check(torch, lambda x, y, k: [x * k, y], [x, y, 3])


@row("T269")
def test_t269_gradgradcheck(torch: Any) -> None:
    x = double(torch, 1.0, 2.0)
    assert torch.autograd.gradgradcheck(lambda x: x**3, (x,)) is True
    assert torch.autograd.gradgradcheck(lambda x: x**3, (x,), (torch.ones(2, dtype=torch.double),))
    half = function(torch, lambda ctx, x: x**2, lambda ctx, g: g * 2).apply
    assert not torch.autograd.gradgradcheck(
        lambda x: half(x) * x, (double(torch, 3.0),), raise_exception=False
    )


@row("T270")
def test_t270_strided(torch: Any) -> None:
    seen = []

    def backward(ctx: Any, g: Any) -> Any:
        seen.append(g.is_contiguous())
        return g * 2

    F = function(torch, lambda ctx, x: x * 2, backward).apply
    x = torch.ones(2, 3, dtype=torch.double, requires_grad=True)
    torch.autograd.gradgradcheck(F, (x,), gen_non_contig_grad_outputs=True)
    assert not seen[0]
    seen.clear()
    torch.autograd.gradgradcheck(F, (x,))
    assert seen[0]


@row("T271")
def test_t271_modes(torch: Any) -> None:
    x = double(torch, 1.0)
    assert torch.autograd.gradgradcheck(lambda x: x**3, (x,), check_fwd_over_rev=True)
    text = "Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True"
    with raises(AssertionError, text):
        torch.autograd.gradgradcheck(lambda x: x, (x,), check_rev_over_rev=False)
    assert torch.autograd.gradgradcheck(
        lambda x: x**3,
        (x,),
        check_fwd_over_rev=True,
        check_rev_over_rev=False,
        check_undefined_grad=False,
    )
    for name in ("check_undefined_grad", "check_batched_grad"):
        options = {"check_undefined_grad": False, name: True}
        with raises(AssertionError, f"Setting {name}=True requires check_rev_over_rev to be True"):
            torch.autograd.gradgradcheck(
                lambda x: x**3, (x,), check_fwd_over_rev=True, check_rev_over_rev=False, **options
            )


@row("T272")
def test_t272_once_differentiable(torch: Any) -> None:
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return g * 2 * x

    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    F = function(torch, forward, backward).apply
    with pytest.raises(RuntimeError):
        torch.autograd.gradgradcheck(F, (double(torch, 1.0),))


@row("T273")
def test_t273_parameters(torch: Any) -> None:
    assert torch.autograd.gradgradcheck(
        lambda x: x**3, (double(torch, 1.0),), eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=False, nondet_tol=0.0,
        check_undefined_grad=True, check_grad_dtypes=True, check_batched_grad=True, fast_mode=False, masked=False,
    )  # fmt: skip

    def square(bad: bool) -> Any:
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x

        def backward(ctx: Any, g: Any) -> Any:
            (x,) = ctx.saved_tensors
            return g * 2 * (x.detach() * 1.01 + x * -0.01 if bad else x)

        return function(torch, forward, backward).apply

    again, x = torch.autograd.gradgradcheck, double(torch, 1.0)
    assert again(square(False), (x,))
    with raises(error_of(torch), "Jacobian mismatch for output 0 with respect to input 0"):
        again(square(True), (x,))
    for fast in (True, False):
        assert again(square(True), (x,), raise_exception=False, fast_mode=fast) is False
    assert again(square(True), (x,), atol=10.0)


@row("T274")
def test_t274_error(torch: Any) -> None:
    assert issubclass(error_of(torch), RuntimeError)
