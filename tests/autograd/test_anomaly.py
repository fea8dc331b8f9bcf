"""Rows T314 to T323: anomaly detection."""

from __future__ import annotations

import threading
import warnings
from typing import Any

import pytest

from .surface import raises, row, warns


def leaf(torch: Any, *values: float, **options: Any) -> Any:
    return torch.tensor(list(values), requires_grad=True, **options)


def failing(torch: Any) -> Any:
    class MyFunc(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, inp: Any) -> Any:
            return inp.clone()

        @staticmethod
        def backward(ctx: Any, gO: Any) -> Any:
            raise RuntimeError("Some error in backward")

    return MyFunc


def run_fn(torch: Any, a: Any, MyFunc: Any) -> Any:
    out = MyFunc.apply(a)
    return out.sum()


@row("T314")
def test_t314_warns_on_entry(torch: Any) -> None:
    text = (
        "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for "
        "debugging."
    )
    with warns(UserWarning, text), torch.autograd.detect_anomaly():
        pass


@row("T315")
def test_t315_without(torch: Any) -> None:
    out = run_fn(torch, torch.rand(3, requires_grad=True), failing(torch))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with raises(RuntimeError, "Some error in backward"):
            out.backward()


@row("T316")
def test_t316_with(torch: Any) -> None:
    text = "Error detected in MyFuncBackward. Traceback of forward call that caused the error:\n  File ...out = MyFunc.apply(a)"
    with warns(UserWarning, text), torch.autograd.detect_anomaly():
        out = run_fn(torch, torch.rand(3, requires_grad=True), failing(torch))
        with raises(RuntimeError, "Some error in backward"):
            out.backward()
    assert not torch.is_anomaly_enabled()


def nans(torch: Any) -> Any:
    class NaN(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.clone()

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * float("nan")

    return NaN


@row("T317")
@pytest.mark.filterwarnings("ignore")
def test_t317_nan(torch: Any) -> None:
    with torch.autograd.detect_anomaly():
        out = nans(torch).apply(leaf(torch, 1.0))
        with raises(RuntimeError, "Function 'NaNBackward' returned nan values in its 0th output."):
            out.backward()
        x = leaf(torch, 0.0)
        with raises(
            RuntimeError, "Function 'SqrtBackward0' returned nan values in its 0th output."
        ):
            (x.sqrt() * 0).backward()
        (leaf(torch, -1.0).log() * 0 + leaf(torch, 1.0)).detach()


@row("T318")
@pytest.mark.filterwarnings("ignore")
def test_t318_check_nan(torch: Any) -> None:
    with torch.autograd.detect_anomaly(check_nan=False):
        nans(torch).apply(leaf(torch, 1.0)).backward()
    x = leaf(torch, 1.0)
    with torch.autograd.detect_anomaly(check_nan=False):
        nans(torch).apply(x).backward()
    assert x.grad.isnan().all()


@row("T319")
def test_t319_recorded_outside(torch: Any) -> None:
    out = run_fn(torch, torch.rand(3, requires_grad=True), failing(torch))
    text = (
        "Error detected in MyFuncBackward. No forward pass information available. Enable detect anomaly during forward "
        "pass for more information."
    )
    with (
        warns(UserWarning, text),
        torch.autograd.detect_anomaly(),
        raises(RuntimeError, "Some error"),
    ):
        out.backward()


@row("T320")
def test_t320_parents(torch: Any) -> None:
    class Inner(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.clone()

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            raise RuntimeError("Some error in the second backward")

    class MyFunc(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x.clone()

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (x,) = ctx.saved_tensors
            return Inner.apply(x) * g

    text = "Previous calculation was induced by MyFuncBackward. Traceback of forward call that induced the previous calculation:"
    with warns(UserWarning, text), torch.autograd.detect_anomaly():
        x = leaf(torch, 1.0)
        (g,) = torch.autograd.grad(MyFunc.apply(x), x, create_graph=True)
        with raises(RuntimeError, "Some error in the second backward"):
            g.backward()


@row("T321")
def test_t321_set_detect_anomaly(torch: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with torch.autograd.set_detect_anomaly(True, check_nan=False):
            assert torch.is_anomaly_enabled()
            assert not torch.is_anomaly_check_nan_enabled()
    assert not torch.is_anomaly_enabled()
    torch.autograd.set_detect_anomaly(True)
    assert torch.is_anomaly_enabled()
    assert torch.is_anomaly_check_nan_enabled()
    torch.autograd.set_detect_anomaly(False)
    torch.autograd.set_detect_anomaly(True, check_nan=False)
    with torch.autograd.set_detect_anomaly(False):
        assert not torch.is_anomaly_enabled() and torch.is_anomaly_check_nan_enabled()
    assert torch.is_anomaly_enabled() and not torch.is_anomaly_check_nan_enabled()
    torch.autograd.set_detect_anomaly(False)
    assert not torch.is_anomaly_enabled() and torch.is_anomaly_check_nan_enabled()


@row("T322")
def test_t322_of_the_whole_process(torch: Any) -> None:
    found = []
    with torch.autograd.set_detect_anomaly(True):
        thread = threading.Thread(target=lambda: found.append(torch.is_anomaly_enabled()))
        thread.start()
        thread.join()
    assert found == [True]


@row("T323")
def test_t323_traceback(torch: Any) -> None:
    with torch.autograd.set_detect_anomaly(True):
        y = leaf(torch, 1.0) * 2
    assert any("test_t323" in line for line in y.grad_fn.metadata["traceback_"])
    assert "traceback_" not in (leaf(torch, 1.0) * 2).grad_fn.metadata
    with torch.autograd.set_detect_anomaly(True):
        y = leaf(torch, 1.0) * 2
    assert isinstance(y.grad_fn.metadata["traceback_"], list) or y.grad_fn.metadata["traceback_"]
