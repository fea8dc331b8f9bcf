"""What else rows T001 to T054 say: dtypes, ``backward`` and ``grad``, sentence by sentence."""

from __future__ import annotations

import subprocess
import sys
import threading
import warnings
from typing import Any

import pytest

from .surface import close, raises, row, same, spoken, warns


def leaf(torch: Any, *values: float, **options: Any) -> Any:
    return torch.tensor(list(values), requires_grad=True, **options)


def edge(torch: Any, tensor: Any) -> Any:
    return torch.autograd.graph.get_gradient_edge(tensor)


@row("T005")
def test_t005_and_what_may_require_grad(torch: Any) -> None:
    text = "Only Tensors of floating point and complex dtype can require gradients"
    for values in ([1], [True]):
        with raises(RuntimeError, text):
            torch.tensor(values, requires_grad=True)
    for values in ([1.0], [1j]):
        assert torch.tensor(values, requires_grad=True).requires_grad


@row("T008")
def test_t008_the_imaginary_part_is_dropped(torch: Any) -> None:
    x = leaf(torch, 3.0)
    (x * (1 + 2j)).backward(torch.tensor([1j]))
    assert x.grad.dtype == torch.float32
    assert same(x.grad, [2.0])


@row("T009")
def test_t009_in_the_thread_that_calls(torch: Any) -> None:
    x, seen = leaf(torch, 2.0), []
    x.register_hook(lambda g: seen.append(threading.current_thread()))
    thread = threading.Thread(target=(x * x).backward)
    thread.start()
    thread.join()
    assert seen == [thread]


@row("T015")
def test_t015_the_whole_message(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    text = (
        "Mismatch in shape: grad_output[0] has a shape of torch.Size([1, 2]) and output[0] has a shape of "
        "torch.Size([2])."
    )
    with raises(RuntimeError, text):
        (x * 2).backward(torch.ones(1, 2))
    assert x.grad is None


@row("T019")
def test_t019_none_for_what_has_no_grad(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    torch.autograd.backward([(x * 2).sum(), x * x], [None, torch.ones(2)])
    assert same(x.grad, [4.0, 6.0])
    text = "element 1 of tensors does not require grad and does not have a grad_fn"
    for constant in (torch.ones(()), torch.ones(2)):
        with raises(RuntimeError, text):
            torch.autograd.backward([x.sum(), constant], [None, None])


@row("T023")
def test_t023_the_whole_message_and_access(torch: Any) -> None:
    text = (
        "Trying to backward through the graph a second time (or directly access saved tensors after they have "
        "already been freed). Saved intermediate values of the graph are freed when you call .backward() or "
        "autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if "
        "you need to access saved tensors after calling backward."
    )
    y = leaf(torch, 2.0).exp()
    y.backward(retain_graph=False)
    with raises(RuntimeError, text):
        y.backward()
    with raises(RuntimeError, text):
        _ = y.grad_fn._saved_result


@row("T025")
def test_t025_the_second_run_adds(torch: Any) -> None:
    x = leaf(torch, 0.0)
    y = x.exp()
    for expected in (1.0, 2.0, 3.0):
        y.backward(retain_graph=True)
        assert same(x.grad, [expected])


@row("T026")
@pytest.mark.filterwarnings("ignore")
def test_t026_unless_it_is_told_not_to(torch: Any) -> None:
    x = leaf(torch, 2.0)
    y = x * x
    y.backward(create_graph=True)
    y.backward()
    y = x * x
    y.backward(create_graph=True, retain_graph=False)
    with raises(RuntimeError, "Trying to backward through the graph a second time"):
        y.backward()


@row("T027")
@pytest.mark.filterwarnings("ignore")
def test_t027_the_node_of_the_gradient(torch: Any) -> None:
    x = leaf(torch, 2.0)
    (x**4).backward(create_graph=True)
    assert x.grad.grad_fn.name() == "torch::autograd::CopyBackwards"
    assert repr(x.grad) == "tensor([32.], grad_fn=<CopyBackwards>)"
    assert x.grad.requires_grad
    (g,) = torch.autograd.grad(x**4, x, create_graph=True)
    assert g.grad_fn.name() == "MulBackward0"
    for expected in (48.0, 48.0, 24.0):
        (g,) = torch.autograd.grad(g, x, create_graph=True)
        assert same(g, [expected])


@row("T028")
def test_t028_the_whole_message(torch: Any) -> None:
    text = (
        f"import {torch.__name__} as torch, warnings\n"
        "x = torch.tensor([2.], requires_grad=True)\n"
        "with warnings.catch_warnings(record=True) as c:\n"
        "    warnings.simplefilter('always')\n"
        "    torch.autograd.backward(x * x, create_graph=True)\n"
        "print(len(c), c[0].category.__name__, c[0].message)\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(
        "1 UserWarning Using backward() with create_graph=True will create a reference cycle between the parameter "
        "and its gradient which can cause a memory leak. We recommend using autograd.grad when creating the graph to "
        "avoid this. "
    )


@row("T030")
def test_t030_only_these_accumulate(torch: Any) -> None:
    x, y, z = leaf(torch, 2.0), leaf(torch, 3.0), leaf(torch, 4.0)
    torch.autograd.backward(x * y * z, inputs=[x, z])
    assert same(x.grad, [12.0])
    assert y.grad is None
    assert same(z.grad, [6.0])


@row("T032")
def test_t032_it_is_retained(torch: Any) -> None:
    x = leaf(torch, 2.0)
    y = x * x
    (y * 3).backward(inputs=[y], retain_graph=True)
    (y * 3).backward(inputs=[y])
    assert same(y.grad, [6.0])
    assert y.retains_grad


@row("T035")
@pytest.mark.filterwarnings("ignore")
def test_t035_and_has_the_gradient_of_the_gradient(torch: Any) -> None:
    x, g = leaf(torch, 2.0), leaf(torch, 1.0)
    (x * x).backward(g, create_graph=True)
    (h,) = torch.autograd.grad(x.grad, g)
    assert same(h, [4.0])


@row("T037")
def test_t037_without_gradients(torch: Any) -> None:
    for root in (lambda y: y, lambda y: edge(torch, y)):
        x = leaf(torch, 3.0)
        torch.autograd.backward(root(x * x))
        torch.autograd.backward([root(x * x), root(x * 2)], [torch.ones(1), torch.ones(1)])
        assert same(x.grad, [14.0])


@row("T039")
def test_t039_single_tensors_and_sequences(torch: Any) -> None:
    x = leaf(torch, 2.0)
    for outputs in (x * x, [x * x], (x * x,)):
        for inputs in (x, [x], (x,)):
            found = torch.autograd.grad(outputs, inputs, retain_graph=True)
            assert type(found) is tuple and same(found[0], [4.0])
    assert type(torch.autograd.grad(x * x, {"x": x})) is dict


@row("T043")
def test_t043_the_message(torch: Any) -> None:
    x = leaf(torch, 1.0)
    for nothing in ([], ()):
        with raises(RuntimeError, "`inputs` argument to `grad()` cannot be empty."):
            torch.autograd.grad(x * 2, nothing)


@row("T044")
def test_t044_the_index(torch: Any) -> None:
    x, y = leaf(torch, 1.0), leaf(torch, 1.0)
    text = (
        "The differentiated Tensor at index 1 appears to not have been used in the graph. Set allow_unused=True if "
        "this is the desired behavior."
    )
    with raises(RuntimeError, text):
        torch.autograd.grad(x * 2, [x, y])
    with raises(RuntimeError, text.replace("index 1", "index 0")):
        torch.autograd.grad(x * 2, y)


@row("T046")
def test_t046_zeros_that_require_grad_with_create_graph(torch: Any) -> None:
    x, y = leaf(torch, 1.0), leaf(torch, 1.0, 2.0)
    g, zeros = torch.autograd.grad(x * x, [x, y], materialize_grads=True, create_graph=True)
    assert g.requires_grad and zeros.requires_grad
    assert same(zeros, [0.0, 0.0])
    g, zeros = torch.autograd.grad(x * x, [x, y], materialize_grads=True, allow_unused=True)
    assert not g.requires_grad and not zeros.requires_grad


@row("T047")
@pytest.mark.filterwarnings("ignore")
def test_t047_it_is_ignored(torch: Any) -> None:
    x, y = leaf(torch, 2.0), leaf(torch, 3.0)
    (g,) = torch.autograd.grad(x * y, x, only_inputs=False)
    assert same(g, [3.0])
    assert y.grad is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        torch.autograd.grad(x * y, x, only_inputs=True)


@row("T048")
def test_t048_the_whole_message(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    text = (
        "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch dimension. The "
        "sizes of the remaining dimensions are expected to match the shape of corresponding output, but a mismatch was "
        "detected: grad_output[0] has a shape of torch.Size([...]) and output[0] has a shape of torch.Size([2]). If you "
        "only want some tensors in `grad_output` to be considered batched, consider using vmap."
    )
    with raises(RuntimeError, text):
        torch.autograd.grad(x * x, x, torch.eye(3), is_grads_batched=True)


@row("T049")
def test_t049_retain_graph(torch: Any) -> None:
    x = leaf(torch, 3.0)
    y = x**3
    for _ in range(2):
        assert same(torch.autograd.grad(y, x, retain_graph=True)[0], [27.0])
    (g,) = torch.autograd.grad(y, x)
    assert not g.requires_grad
    with raises(RuntimeError, "Trying to backward through the graph a second time"):
        torch.autograd.grad(y, x)


@row("T052")
def test_t052_what_is_below_keeps_what_it_saved(torch: Any) -> None:
    x, ran = leaf(torch, 2.0), []
    y = x * x
    x.register_hook(lambda g: ran.append("x"))
    y.register_hook(lambda g: ran.append("y"))
    z = y * 3
    z.grad_fn.register_hook(lambda *g: ran.append("z"))
    torch.autograd.grad(z, y)
    assert ran == ["z", "y"]
    assert x.grad is None
    y.backward()
    assert same(x.grad, [4.0])


@row("T053")
def test_t053_as_with_the_tensor(torch: Any) -> None:
    x = leaf(torch, 2.0)
    y = x * x
    z = y.exp() * x
    by_tensor = torch.autograd.grad(z, [y, x], retain_graph=True)
    by_edge = torch.autograd.grad(edge(torch, z), [edge(torch, y), edge(torch, x)])
    assert [g.tolist() for g in by_edge] == [g.tolist() for g in by_tensor]


@row("T054")
def test_t054_hooks_of_results_run(torch: Any) -> None:
    x, ran = leaf(torch, 2.0), []
    x.register_hook(lambda g: ran.append("tensor") or g * 10)
    x.grad = None
    y = x * x
    y.grad_fn.register_prehook(lambda g: ran.append("prehook"))
    y.grad_fn.register_hook(lambda *g: ran.append("hook"))
    (g,) = torch.autograd.grad(y, x)
    assert ran == ["prehook", "hook", "tensor"]
    assert same(g, [40.0])
    assert x.grad is None


def test_messages_name_the_module(torch: Any) -> None:
    with pytest.raises(RuntimeError) as caught:
        leaf(torch, 1.0, 2.0).backward(torch.ones(3))
    assert spoken("torch.Size([3])") in str(caught.value)
    with warns(FutureWarning, "`grad_variables` is deprecated."):
        torch.autograd.backward(leaf(torch, 1.0), grad_variables=[torch.ones(1)])
    assert close(torch.ones(1), [1.0])
