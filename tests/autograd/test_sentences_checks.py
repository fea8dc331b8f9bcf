"""What else rows T248 to T323 say of checks, the profiler and anomalies, sentence by sentence."""

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
    return type("F", (torch.autograd.Function,), methods).apply


def check(torch: Any, *args: Any, **kwargs: Any) -> Any:
    return torch.autograd.gradcheck(*args, **kwargs)


def wrong(torch: Any) -> Any:
    return function(torch, lambda ctx, x: x * 2, lambda ctx, g: g * 3)


def error_of(torch: Any) -> Any:
    return import_module(f"{torch.__name__}.autograd.gradcheck").GradcheckError


@row("T249")
@row("T252")
@row("T273")
def test_t249_t252_t273_options_and_defaults(torch: Any) -> None:
    for name in ("gradcheck", "gradgradcheck"):
        found = inspect.signature(getattr(torch.autograd, name)).parameters
        defaults = {"eps": 1e-6, "atol": 1e-5, "rtol": 1e-3, "raise_exception": True, "nondet_tol": 0.0,
                    "check_undefined_grad": True, "check_grad_dtypes": False, "check_batched_grad": False,
                    "fast_mode": False}  # fmt: skip
        for option, default in defaults.items():
            assert found[option].default == default
            assert found[option].kind is inspect.Parameter.KEYWORD_ONLY
        assert "masked" in found
    off = function(torch, lambda ctx, x: x * 2, lambda ctx, g: g * 2.001)
    assert check(torch, off, (double(torch, 1.0),)) and not check(
        torch, off, (double(torch, 1.0),), rtol=1e-4, raise_exception=False
    )


@row("T250")
def test_t250_the_whole_message(torch: Any) -> None:
    with pytest.raises(RuntimeError) as caught:
        check(torch, wrong(torch), (double(torch, 1.0),))
    kind = f"{torch.__name__}.float64"
    assert type(caught.value) is error_of(torch)
    assert str(caught.value) == (
        "Jacobian mismatch for output 0 with respect to input 0,\n"
        f"numerical:tensor([[2.0000]], dtype={kind})\nanalytical:tensor([[3.]], dtype={kind})\n"
    )
    both = function(
        torch, lambda ctx, x, y: (x + y, x * y), lambda ctx, g, h: (g + h * 2, g + h * 9)
    )
    with raises(error_of(torch), "Jacobian mismatch for output 1 with respect to input 1,\n"):
        check(torch, both, (double(torch, 1.0), double(torch, 2.0)))


@row("T251")
def test_t251_input_errors_still_raise(torch: Any) -> None:
    with raises(ValueError, "gradcheck expects at least one input tensor to require gradient"):
        check(torch, lambda x: x, (torch.ones(1),), raise_exception=False)
    overlapping = torch.ones(1, dtype=torch.double).expand(3).requires_grad_()
    with raises(RuntimeError, "The 0th input has a dimension with stride 0."):
        check(torch, lambda x: x * 2, (overlapping,), raise_exception=False)
    assert torch.autograd.gradgradcheck(
        function(torch, lambda ctx, x: x * x, lambda ctx, g: g * 5), (double(torch, 1.0),), raise_exception=False
    ) in (True, False)  # fmt: skip


@row("T253")
def test_t253_only_single_precision(torch: Any) -> None:
    for kind in (torch.double, torch.cdouble):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            check(torch, lambda x: x * 2, (torch.ones(1, dtype=kind, requires_grad=True),))
    with warns(UserWarning, "Input #1 requires gradient and is not a double precision"):
        x = torch.ones(1, requires_grad=True)
        check(torch, lambda a, x: x * a, (double(torch, 1.0), x), raise_exception=False)


@row("T256")
def test_t256_both_parts(torch: Any) -> None:
    z = torch.tensor([1 + 2j], dtype=torch.cdouble, requires_grad=True)
    for f in (
        lambda z: z.conj() * z,
        lambda z: z.real * 2,
        lambda z: z.exp(),
        lambda z: (z * z).imag,
    ):
        assert check(torch, f, (z,))
    bad = function(torch, lambda ctx, z: z * 1, lambda ctx, g: g * 2)
    with raises(error_of(torch), "While considering the imaginary part of complex outputs only, Jacobian mismatch for output 0 with respect to input 0,"):  # fmt: skip
        check(torch, bad, (z,))


@row("T257")
def test_t257_the_tolerance_in_the_message(torch: Any) -> None:
    count = [0]

    def backward(ctx: Any, g: Any) -> Any:
        count[0] += 1
        return g * (2 + 1e-7 * (count[0] % 7))

    F = function(torch, lambda ctx, x: x * 2, backward)
    for tolerance in (0.0, 1e-12):
        text = (
            "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives "
            "different values, although analytical gradient matches numerical gradient.The tolerance for nondeterminism "
            f"was {tolerance}."
        )
        with raises(error_of(torch), text):
            check(torch, F, (double(torch, 1.0),), nondet_tol=tolerance)
        assert not check(
            torch, F, (double(torch, 1.0),), nondet_tol=tolerance, raise_exception=False
        )


@row("T258")
def test_t258_other_errors_pass_through(torch: Any) -> None:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.set_materialize_grads(False)
        return x * 2

    F = function(torch, forward, lambda ctx, g: g * 2)
    for raises_ in (True, False):
        with pytest.raises(TypeError, match="NoneType"):
            check(torch, F, (double(torch, 1.0),), raise_exception=raises_)
    G = function(torch, forward, lambda ctx, g: None if g is None else g * 2)
    assert check(torch, G, (double(torch, 1.0),))


@row("T259")
def test_t259_another_type(torch: Any) -> None:
    F = function(torch, lambda ctx, x: x * 2, lambda ctx, g: (g * 2).float())
    x = double(torch, 1.0)
    assert check(torch, F, (x,), check_grad_dtypes=True)  # it is cast on its way
    x.grad_dtype = None  # it is not
    with pytest.raises(error_of(torch)):
        check(torch, F, (x,), check_grad_dtypes=True)


@row("T260")
def test_t260_what_a_batch_cannot_run(torch: Any) -> None:
    def backward(ctx: Any, g: Any) -> Any:
        float(g.sum())
        return g * 2

    F = function(torch, lambda ctx, x: x * 2, backward)
    x = double(torch, 1.0)
    assert check(torch, F, (x,))
    text = "While computing batched gradients, got: ...\n\ngradcheck or gradgradcheck failed while testing batched gradient computation."
    with raises(error_of(torch), text):
        check(torch, F, (x,), check_batched_grad=True)
    assert check(torch, F, (x,), check_batched_grad=True, raise_exception=False) is False
    text = "Setting check_batched_grad=True requires check_backward_ad to be True"
    with raises(AssertionError, text):
        check(
            torch, F, (x,), check_batched_grad=True, check_backward_ad=False, check_forward_ad=True
        )


@row("T261")
@row("T263")
def test_t261_t263_keywords(torch: Any) -> None:
    x = double(torch, 1.0, 2.0)
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'check_sparse_nnz'"):
        check(torch, lambda x: x, (x,), check_sparse_nnz=False)
    for masked in (True, False, None):
        assert check(torch, lambda x: x * 2, (x,), masked=masked)
    assert check(
        torch, lambda x: x * x, (x,), check_forward_ad=True, check_batched_forward_grad=True
    )


@row("T262")
def test_t262_each_by_itself(torch: Any) -> None:
    x = double(torch, 1.0)
    assert check(torch, lambda x: x.sin(), (x,), check_forward_ad=True, check_backward_ad=False)

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

    assert check(torch, F.apply, (x,))
    kind = f"{torch.__name__}.float64"
    text = (
        "Jacobian computed with forward mode mismatch for output 0 with respect to input 0,\n"
        f"numerical:tensor([[2.0000]], dtype={kind})\nanalytical:tensor([[3.]], dtype={kind})\n"
    )
    with pytest.raises(error_of(torch)) as caught:
        check(torch, F.apply, (x,), check_forward_ad=True, check_backward_ad=False)
    assert str(caught.value) == text


@row("T264")
def test_t264_same_verdicts(torch: Any) -> None:
    x, y = double(torch, 0.5, 1.5), double(torch, 2.0, 3.0)
    cases = [
        (lambda x, y: x * y, True), (lambda x, y: (x.sin(), y.exp()), True), (lambda x, y: x / y, True),
        (lambda x, y: wrong(torch)(x) * y, False), (lambda x, y: y * x + wrong(torch)(y), False),
    ]  # fmt: skip
    for f, verdict in cases:
        for fast in (True, False):
            assert check(torch, f, (x, y), fast_mode=fast, raise_exception=False) is verdict
    text = (
        "Jacobian mismatch for output 0 with respect to input 0,\n...\n\nThe above quantities relating the numerical and "
        "analytical jacobians are computed \nin fast mode. See: https://github.com/pytorch/pytorch/issues/53876 for more "
        "background \nabout fast mode. Below, we recompute numerical and analytical jacobians in slow mode:\n\nNumerical:\n "
        "tensor([[2.0000]], dtype=torch.float64)\nAnalytical:\ntensor([[3.]], dtype=torch.float64)\n\nThe max per-element "
        "difference (slow mode) is: 1.0000000..."
    )
    with raises(error_of(torch), text):
        check(torch, wrong(torch), (double(torch, 1.0),), fast_mode=True)


@row("T266")
def test_t266_zero_passes(torch: Any) -> None:
    assert check(torch, lambda x: x.detach() * 0, (double(torch, 1.0),)) is True
    assert not check(torch, lambda x: x.detach(), (double(torch, 1.0),), raise_exception=False)


@row("T268")
def test_t268_results_of_every_kind(torch: Any) -> None:
    x, y = double(torch, 1.0), double(torch, 2.0)
    assert check(torch, lambda x, k, y: [x * y * k, y.exp()], (x, 3, y))
    assert check(torch, lambda x, c: x * c, (x, torch.ones(1, dtype=torch.double)))
    assert check(torch, lambda x: x * x, x)


@row("T269")
@row("T270")
@row("T271")
def test_t269_t270_t271_of_the_gradient(torch: Any) -> None:
    ggc, x = torch.autograd.gradgradcheck, double(torch, 1.0, 2.0)
    v = torch.ones(2, dtype=torch.double)
    assert ggc(lambda x: x**3, (x,), v) and ggc(lambda x: x**3, (x,), [v.requires_grad_()])
    assert ggc(lambda x: (x**3, x.sin()), (x,))
    assert ggc(lambda x: x**3, (x,), check_fwd_over_rev=True, check_rev_over_rev=False, check_undefined_grad=False)  # fmt: skip
    for option in ("check_undefined_grad", "check_batched_grad"):
        options = {"check_undefined_grad": False, option: True}
        with raises(
            AssertionError, f"Setting {option}=True requires check_rev_over_rev to be True"
        ):
            ggc(lambda x: x**3, (x,), check_fwd_over_rev=True, check_rev_over_rev=False, **options)
    for strided in (True, False):
        seen: list[bool] = []

        def backward(ctx: Any, g: Any, seen: list[bool] = seen) -> Any:
            seen.append(g.is_contiguous())
            return g * 2

        F = function(torch, lambda ctx, x: x * 2, backward)
        wide = torch.ones(2, 3, dtype=torch.double, requires_grad=True)
        assert ggc(F, (wide,), gen_non_contig_grad_outputs=strided)
        assert seen[0] is not strided


@row("T272")
def test_t272_the_mismatch(torch: Any) -> None:
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return g * 2 * x

    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    F = function(torch, forward, backward)
    x = double(torch, 1.0)
    text = "Jacobian mismatch for output 0 with respect to input 0,\nnumerical:tensor(...)\nanalytical:tensor([[0.]],"
    with raises(error_of(torch), text):
        torch.autograd.gradgradcheck(F, (x,))
    assert torch.autograd.gradgradcheck(F, (x,), raise_exception=False) is False


@row("T274")
def test_t274_from_its_module(torch: Any) -> None:
    names: dict[str, Any] = {}
    exec(f"from {torch.__name__}.autograd.gradcheck import GradcheckError, gradcheck", names)
    assert names["GradcheckError"] is error_of(torch) and callable(names["gradcheck"])


# -- anomalies ------------------------------------------------------------------------------------------


def nans(torch: Any, forward: Any = None) -> Any:
    methods = {
        "forward": staticmethod(forward or (lambda ctx, x: x.clone())),
        "backward": staticmethod(lambda ctx, g: g * float("nan")),
    }
    return type("NaN", (torch.autograd.Function,), methods)


@row("T316")
@row("T320")
def test_t316_t320_the_chain(torch: Any) -> None:
    def fails(ctx: Any, g: Any) -> Any:
        raise RuntimeError("Some error in backward")

    methods = {"forward": staticmethod(lambda ctx, x: x.clone()), "backward": staticmethod(fails)}
    Inner = type("Inner", (torch.autograd.Function,), methods)

    def again(ctx: Any, g: Any) -> Any:
        return Inner.apply(ctx.saved_tensors[0]) * g

    MyFunc = function(torch, lambda ctx, x: ctx.save_for_backward(x) or x.clone(), again)
    x = torch.ones(1, requires_grad=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with torch.autograd.detect_anomaly():
            (g,) = torch.autograd.grad(MyFunc(x), x, create_graph=True)
            with raises(RuntimeError, "Some error in backward"):
                g.backward()
    said = [str(w.message) for w in caught]
    assert len(said) == 3 and "Anomaly Detection has been enabled." in said[0]
    assert (
        "Error detected in InnerBackward. Traceback of forward call that caused the error:\n  File "
        in said[1]
    )
    assert "Inner.apply(ctx.saved_tensors[0]) * g" in said[1]
    assert (
        "Previous calculation was induced by FBackward. Traceback of forward call that induced the previous calculation:\n"
        in said[2]
    )
    assert "MyFunc(x), x, create_graph=True" in said[2]


@row("T317")
@row("T318")
def test_t317_t318_which_output_and_what_is_not_checked(torch: Any) -> None:
    x, y = torch.ones(1, requires_grad=True), torch.zeros(1, requires_grad=True)
    with torch.autograd.detect_anomaly():
        assert (torch.zeros(1, requires_grad=True) / 0).isnan().all()  # going forward all is well
        with raises(RuntimeError, "Function 'DivBackward0' returned nan values in its 1th output."):
            (x * 0 / y).backward()
        with raises(
            RuntimeError, "Function 'SqrtBackward0' returned nan values in its 0th output."
        ):
            (torch.zeros(1, requires_grad=True).sqrt() * 0).backward()
    for quiet in (
        lambda: torch.autograd.detect_anomaly(check_nan=False),
        lambda: torch.autograd.set_detect_anomaly(True, check_nan=False),
    ):
        x.grad = None
        with quiet():
            nans(torch).apply(x).backward()
        assert x.grad.isnan().all()


@row("T321")
def test_t321_restored(torch: Any) -> None:
    state = lambda: (torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled())
    assert state() == (False, True)
    with torch.autograd.set_detect_anomaly(True, check_nan=False):
        assert state() == (True, False)
        with torch.autograd.set_detect_anomaly(True):
            assert state() == (True, True)
        with torch.autograd.set_detect_anomaly(False):
            assert state()[0] is False
        assert state() == (True, False)
    assert state() == (False, True)
    with pytest.raises(ZeroDivisionError), torch.autograd.detect_anomaly():
        raise ZeroDivisionError
    assert state() == (False, True)


@row("T323")
def test_t323_only_what_is_made_in_the_mode(torch: Any) -> None:
    x = torch.ones(1, requires_grad=True)
    before = x * 2
    with torch.autograd.set_detect_anomaly(True):
        inside = before * 3
    after = inside * 4
    assert [list(t.grad_fn.metadata) for t in (before, inside, after)] == [[], ["traceback_"], []]
    lines = inside.grad_fn.metadata["traceback_"]
    assert type(lines) is list and "inside = before * 3" in lines[-1]
