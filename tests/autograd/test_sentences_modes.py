"""What else rows T114 to T166 say of modes, layouts and writes, sentence by sentence."""

from __future__ import annotations

import subprocess
import sys
import threading
import warnings
from typing import Any

import pytest

from .surface import raises, row, same, warns

MODIFIED = "one of the variables needed for gradient computation has been modified by an inplace operation: "
ENABLE = (
    " is at version 1; expected version 0 instead. Hint: enable anomaly detection to find the operation that failed to "
    "compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False)."
)
AMBIGUOUS = (
    "Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both "
    "the view and the inplace either both inside the {0} block (if you don't want the inplace to be tracked) or both "
    "outside (if you want the inplace to be tracked)."
)


def leaf(torch: Any, *values: float, **options: Any) -> Any:
    return torch.tensor(list(values), requires_grad=True, **options)


def inferred(torch: Any, *values: float) -> Any:
    with torch.inference_mode():
        return torch.tensor(list(values))


def in_thread(work: Any) -> Any:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    thread.join()
    return found[0]


@row("T115")
def test_t115_generators_and_classes(torch: Any) -> None:
    @torch.no_grad()
    def numbers() -> Any:
        got = yield torch.is_grad_enabled()
        yield got, torch.is_grad_enabled()

    with torch.enable_grad():
        made = numbers()
        assert next(made) is False and torch.is_grad_enabled()
        assert made.send("sent") == ("sent", False) and torch.is_grad_enabled()
    text = (
        "Decorating classes is deprecated and will be disabled in future versions. You should only decorate functions "
        "or methods. To preserve the current behavior of class decoration, you can directly decorate the `__init__` "
        "method and nothing else."
    )
    with warns(FutureWarning, text):

        @torch.no_grad()
        class C:
            def __init__(self) -> None:
                self.enabled = torch.is_grad_enabled()

    assert C().enabled is False


@row("T116")
@row("T136")
def test_t116_t136_both_ways(torch: Any) -> None:
    def quiet() -> Any:
        with torch.no_grad():
            return torch.is_grad_enabled(), torch.is_inference_mode_enabled()

    assert in_thread(quiet) == (False, False)
    assert torch.is_grad_enabled()
    with torch.inference_mode():
        assert in_thread(torch.is_grad_enabled) and in_thread(quiet) == (False, False)


@row("T119")
def test_t119_every_factory(torch: Any) -> None:
    with torch.no_grad():
        for made in (
            torch.ones(2, requires_grad=True), torch.randn(2, requires_grad=True),
            torch.tensor([1.0], requires_grad=True), torch.zeros(2).requires_grad_(),
        ):  # fmt: skip
            assert made.requires_grad and made.is_leaf


@row("T120")
@row("T121")
def test_t120_t121_the_documented_examples(torch: Any) -> None:
    x = leaf(torch, 1.0)
    with torch.no_grad(), torch.enable_grad():
        y = x * 2
    assert y.requires_grad
    y.backward()
    assert same(x.grad, [2.0])

    @torch.enable_grad()
    def doubler(x: Any) -> Any:
        return x * 2

    with torch.no_grad():
        z = doubler(x)
        assert not torch.is_grad_enabled()
    assert z.requires_grad
    is_train = False
    with torch.set_grad_enabled(is_train):
        y = x * 2
    assert not y.requires_grad
    torch.set_grad_enabled(True)
    assert (x * 2).requires_grad
    torch.set_grad_enabled(False)
    assert not (x * 2).requires_grad
    with torch.set_grad_enabled(True):
        assert torch.is_grad_enabled()
    assert not torch.is_grad_enabled()
    torch.set_grad_enabled(True)


@row("T125")
@row("T135")
def test_t125_t135_modes_within_modes(torch: Any) -> None:
    x = leaf(torch, 1.0)
    with torch.no_grad(), torch.inference_mode(False):
        assert torch.is_grad_enabled() and (x * 2).requires_grad
    with torch.inference_mode():
        with torch.enable_grad():
            y = x * 2
            assert y.is_inference() and not y.requires_grad and y.is_leaf
        assert torch.tensor([1.0]).is_inference()
        assert not x.is_inference()
    assert torch.is_grad_enabled() and not (x * 2).is_inference()


@row("T127")
@row("T129")
@row("T134")
def test_t127_t129_t134_inference_tensors_outside(torch: Any) -> None:
    t = inferred(torch, 1.0, 2.0)
    x = leaf(torch, 3.0, 4.0)
    for uses in (lambda: x * t, lambda: t * x, lambda: x / t):
        with raises(RuntimeError, "Inference tensors cannot be saved for backward."):
            uses()
    (x * t.clone()).sum().backward()
    assert same(x.grad, [1.0, 2.0])
    c = t.clone()
    assert not c.is_inference()
    c.requires_grad_()
    (c * c).sum().backward()
    assert same(c.grad, [2.0, 4.0])
    text = "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."
    with raises(RuntimeError, text):
        t.requires_grad = True


@row("T128")
def test_t128_inside_it_may_be_written_to(torch: Any) -> None:
    t = inferred(torch, 1.0)
    with torch.inference_mode():
        t.add_(1)
    assert same(t, [2.0])
    for write in (lambda: t.mul_(2), lambda: t.zero_(), lambda: t.copy_(torch.ones(1))):
        with raises(RuntimeError, "Inplace update to inference tensor outside InferenceMode is not allowed."):  # fmt: skip
            write()


@row("T131")
@row("T132")
def test_t131_t132_the_whole_messages(torch: Any) -> None:
    a = leaf(torch, 1.0, 2.0).clone()
    with torch.inference_mode():
        v = a.view(2)
        assert v.requires_grad and v._is_view() and not v.is_inference()
    text = "A view was created in inference mode and is being modified inplace in normal mode. "
    with raises(RuntimeError, text + AMBIGUOUS.format("inference_mode")):
        v.add_(1)
    a.add_(1)
    text = (
        "A view was created in inference mode and its base or another view of its base has been modified inplace in "
        "normal mode. "
    )
    with raises(RuntimeError, text + AMBIGUOUS.format("inference_mode")):
        _ = v.grad_fn


@row("T137")
def test_t137_asked_by_its_name(torch: Any) -> None:
    enabled, mode = (
        torch.autograd.is_multithreading_enabled,
        torch.autograd.grad_mode.set_multithreading_enabled,
    )
    assert enabled() is True
    with pytest.raises(ZeroDivisionError), mode(False):
        raise ZeroDivisionError
    with mode(False):
        assert enabled() is False
    assert enabled() is True


def test_view_replay_is_a_mode(torch: Any) -> None:
    force, enabled = (
        torch.autograd._force_original_view_tracking,
        torch.autograd.is_view_replay_enabled,
    )
    assert enabled() is False
    with force(True):
        assert enabled() is True
        x = leaf(torch, 1.0, 2.0)
        y = x.clone()
        v = y[:1]
        y.mul_(3)
        v.sum().backward()
        assert same(x.grad, [3.0, 0.0])
    assert enabled() is False


@row("T138")
def test_t138_in_the_module_too(torch: Any) -> None:
    for name in ("no_grad", "enable_grad", "set_grad_enabled", "inference_mode"):
        assert getattr(torch.autograd.grad_mode, name) is getattr(torch, name)
    assert torch.autograd.grad_mode.set_multithreading_enabled


# -- layouts ------------------------------------------------------------------------------------------


@row("T139")
def test_t139_channels_last_and_expanded(torch: Any) -> None:
    x = torch.arange(120.0).reshape(2, 4, 5, 3).permute(0, 3, 1, 2).detach().requires_grad_()
    assert x.stride() == (60, 1, 15, 3)
    for back in (lambda: x.sum().backward(), lambda: (x * x).sum().backward()):
        x.grad = None
        back()
        assert x.grad.stride() == (60, 1, 15, 3)


@row("T142")
@pytest.mark.filterwarnings("ignore")
def test_t142_values(torch: Any) -> None:
    p = torch.arange(4.0).reshape(2, 2).t().detach().requires_grad_()
    (p * 2).sum().backward()
    before = p.grad
    (p * p).sum().backward(create_graph=True)
    assert p.grad is not before and p.grad.requires_grad and not before.requires_grad
    assert same(p.grad, (2 + 2 * p).tolist()) and same(before, [[2.0, 2.0], [2.0, 2.0]])
    assert p.grad.stride() == before.stride() == (1, 2)


@row("T143")
def test_t143_by_rule_two_as_well(torch: Any) -> None:
    p = torch.arange(24.0).reshape(4, 6)[:, ::2].detach().requires_grad_()
    kept = []
    for _ in range(2):
        p.grad = None
        (p * 2).sum().backward()
        assert p.grad.stride() == (3, 1)
        kept.append(p.grad)
    assert kept[0] is not kept[1]


@row("T144")
def test_t144_the_warning(torch: Any) -> None:
    text = (
        f"import {torch.__name__} as torch, warnings\n"
        "def said(grad):\n"
        "    p = torch.ones(2, 2, requires_grad=True)\n"
        "    p.grad = grad\n"
        "    with warnings.catch_warnings(record=True) as c:\n"
        "        warnings.simplefilter('always')\n"
        "        (p * 2).sum().backward()\n"
        "    assert p.grad is grad and p.grad.tolist() == [[2.0, 2.0], [2.0, 2.0]]\n"
        "    return p.grad.stride(), [(w.category.__name__, str(w.message)) for w in c]\n"
        "print(said(torch.zeros(2, 2)))\n"
        "print(said(torch.zeros(2, 2).t()))\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    obeys, differs = done.stdout.splitlines()
    assert obeys == "((2, 1), [])"
    assert differs.startswith(
        "((1, 2), [('UserWarning', 'grad and param do not obey the gradient layout contract. This is not an error, but "
        "may impair performance.\\ngrad.sizes() = [2, 2], strides() = [1, 2]\\nparam.sizes() = [2, 2], strides() = [2, 1]"
    )


@row("T146")
def test_t146_nor_what_backward_is_given(torch: Any) -> None:
    p, v = torch.ones(3, requires_grad=True), torch.ones(3)
    torch.autograd.backward([p], [v])
    assert p.grad.data_ptr() != v.data_ptr()
    q = torch.ones(3, requires_grad=True)
    (q * 1).backward(v)
    q.grad.mul_(5)
    assert same(v, [1.0, 1.0, 1.0])


@row("T147")
def test_t147_never_both(torch: Any) -> None:
    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any, b: Any) -> Any:
            return a + b

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            ctx.kept_alive = g * 2
            pointers.append(ctx.kept_alive.data_ptr())
            return ctx.kept_alive, ctx.kept_alive

    pointers: list[int] = []
    a, b = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
    Two.apply(a, b).sum().backward()
    assert a.grad.data_ptr() != b.grad.data_ptr()
    assert (a.grad.data_ptr(), b.grad.data_ptr()).count(pointers[0]) <= 1


# -- writes ----------------------------------------------------------------------------------------------


@row("T148")
def test_t148_each_by_itself(torch: Any) -> None:
    for write in (
        lambda a: a.zero_(), lambda a: a.copy_(torch.ones(3)), lambda a: a.unsqueeze_(0), lambda a: a.fill_(2),
        lambda a: a.__setitem__(0, 5.0), lambda a: a[:2].mul_(2), lambda a: a.detach().add_(1),
    ):  # fmt: skip
        a = torch.zeros(3)
        write(a)
        assert a._version == 1
    for read in (
        lambda a: a.data.add_(1), lambda a: a.numpy().fill(7), lambda a: a.requires_grad_(), lambda a: a.clone().add_(1),
    ):  # fmt: skip
        a = torch.zeros(3)
        read(a)
        assert a._version == 0
    a.add_(0)
    assert (a.data._version, a.clone()._version, a.detach()._version) == (0, 0, 1)


@row("T151")
@row("T154")
def test_t151_t154_the_whole_messages(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    y = x * x
    with torch.no_grad():
        x.add_(1)
    with raises(RuntimeError, MODIFIED + "[torch.FloatTensor [2]]" + ENABLE):
        y.sum().backward()
    a = leaf(torch, 1.0, 2.0) * 1
    y = a * a
    a.add_(1)
    with raises(RuntimeError, MODIFIED + "[torch.FloatTensor [2]], which is output 0 of Add...," + ENABLE):  # fmt: skip
        y.sum().backward()
    a = leaf(torch, 1.0, dtype=torch.float64).exp()
    a.mul_(2)
    with raises(RuntimeError, MODIFIED + "[torch.DoubleTensor [1]], which is output 0 of Exp...," + ENABLE):  # fmt: skip
        a.sum().backward()


@row("T158")
@row("T159")
def test_t158_t159_the_graph_after(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    y = x.clone()
    v, other = y[0:1], y[1:]
    v.mul_(3)
    other.mul_(5)
    assert y.grad_fn.name() == "torch::autograd::CopySlices"
    assert v.grad_fn.name() == other.grad_fn.name() == "AsStridedBackward0"
    (y.sum() + v.sum()).backward()
    assert same(x.grad, [6.0, 5.0])
    x, r = torch.zeros(3), leaf(torch, 1.0, 2.0, 3.0)
    v, w = x[1], x.view(3, 1)
    assert not v.requires_grad
    x.add_(r)
    x.mul_(2)
    assert w.requires_grad and w.grad_fn.name() == "AsStridedBackward0"
    (v + w.sum()).backward()
    assert same(r.grad, [2.0, 4.0, 2.0])


@row("T161")
def test_t161_every_function_of_several_views(torch: Any) -> None:
    rest = (
        " is a view and is being modified inplace. This view is the output of a function that returns multiple views. "
        "Such functions do not allow the output views to be modified inplace. You should replace the inplace operation "
        "by an out-of-place one."
    )
    y = leaf(torch, 1.0, 2.0, 3.0, 4.0).clone()
    for k, parts in ((1, y.unbind()), (0, y.split(2)), (1, y.chunk(2)), (1, y.split([1, 3]))):
        with raises(RuntimeError, f"Output {k} of ...{rest}"):
            parts[k].mul_(2)
    for part in (*torch.unsafe_split(y, 2), *torch.unsafe_chunk(y, 2)):
        part.mul_(2)


@row("T162")
def test_t162_the_whole_message(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0).clone()
    with torch.no_grad():
        v = x[:1]
    text = (
        "A view was created in no_grad mode and is being modified inplace with grad mode enabled. "
    )
    with raises(RuntimeError, text + AMBIGUOUS.format("no_grad")):
        v.mul_(2)


@row("T163")
def test_t163_every_function(torch: Any) -> None:
    x, c = leaf(torch, 1.0), torch.ones(1)
    rest = "(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad."
    for name, args in (("mul", (x, c)), ("mul", (c, x)), ("sin", (x,)), ("exp", (x,))):
        with raises(RuntimeError, name + rest):
            getattr(torch, name)(*args, out=torch.zeros(1))
    with raises(RuntimeError, "add" + rest):
        torch.add(c, c, out=leaf(torch, 1.0) * 1)
    with torch.no_grad():
        torch.add(x, x, out=c)
    assert same(c, [2.0])


@row("T164")
@row("T165")
def test_t164_t165_every_write(torch: Any) -> None:
    text = (
        "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
        "Please clone() the tensor before performing the operation."
    )
    for write in (lambda t: t.add_(1), lambda t: t.mul_(torch.ones(3)), lambda t: t.exp_()):
        with raises(RuntimeError, text):
            write(torch.zeros(1).expand(3))
    for kind, other in ((torch.int32, "Int"), (torch.int64, "Long"), (torch.bool, "Bool")):
        text = f"result type Float can't be cast to the desired output type {other}"
        with raises(RuntimeError, text):
            torch.tensor([1]).to(kind).add_(torch.tensor([1.5]))


@row("T152")
@row("T156")
def test_t156_data_is_silent(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    y = x * x
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x.data.zero_()
        y.sum().backward()
    assert same(x.grad, [0.0, 0.0]) and x._version == 0
