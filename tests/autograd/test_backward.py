"""Rows T001 to T037: dtypes, and ``autograd.backward``."""

from __future__ import annotations

import threading
import warnings
from typing import Any

import pytest

from .surface import close, raises, row, same, warns


def leaf(torch: Any, *values: float, **options: Any) -> Any:
    return torch.tensor(list(values), requires_grad=True, **options)


@row("T001")
def test_t001_requires_grad_is_all_it_takes(torch: Any) -> None:
    x = leaf(torch, 2.0)
    (x * x).backward()
    assert same(x.grad, [4.0])


@row("T002")
@pytest.mark.parametrize("name", ["half", "float", "double", "bfloat16"])
def test_t002_float_types(torch: Any, name: str) -> None:
    if name == "bfloat16":
        pytest.importorskip("ml_dtypes" if torch.__name__ == "retrograd" else "torch")
    kind = getattr(torch, name)
    x = torch.tensor([1.0, 2.0], dtype=kind, requires_grad=True)
    (x * x).sum().backward()
    assert x.grad.dtype == kind
    assert torch.half is torch.float16
    assert torch.float is torch.float32
    assert torch.double is torch.float64


@row("T003")
@pytest.mark.parametrize("name", ["cfloat", "cdouble"])
def test_t003_complex_types(torch: Any, name: str) -> None:
    kind = getattr(torch, name)
    z = torch.tensor([1 + 2j], dtype=kind, requires_grad=True)
    (z * z).sum().abs().backward()
    assert z.grad.dtype == kind
    assert torch.cfloat is torch.complex64
    assert torch.cdouble is torch.complex128


@row("T004")
def test_t004_conjugate_wirtinger(torch: Any) -> None:
    z = torch.tensor(1 + 2j, requires_grad=True)
    (g,) = torch.autograd.grad((z * z.conj()).real, z)
    assert close(g, 2 + 4j)
    (g,) = torch.autograd.grad((z**2).sum(), z, torch.tensor(1 + 0j))
    assert close(g, 2 - 4j)
    x = torch.tensor(2.0, requires_grad=True)
    (x * (1 + 1j)).abs().backward()
    assert close(x.grad, 1.4142)
    assert x.grad.dtype == torch.float32


@row("T005")
def test_t005_integers_cannot_require_grad(torch: Any) -> None:
    with raises(
        RuntimeError, "Only Tensors of floating point and complex dtype can require gradients"
    ):
        torch.tensor([1], requires_grad=True)
    x = torch.tensor([1.0], requires_grad=True)
    with torch.no_grad():
        assert not (x * 2).requires_grad


@row("T006")
def test_t006_nor_later(torch: Any) -> None:
    t = torch.tensor([1])
    with raises(
        RuntimeError, "only Tensors of floating point and complex dtype can require gradients"
    ):
        t.requires_grad = True
    with raises(RuntimeError, "only Tensors of floating point dtype can require gradients"):
        t.requires_grad_()


@row("T007")
def test_t007_mixed_types(torch: Any) -> None:
    x, y = leaf(torch, 2.0), leaf(torch, 3.0, dtype=torch.float64)
    (x * y).sum().backward()
    assert x.grad.dtype == torch.float32
    assert y.grad.dtype == torch.float64
    assert same(x.grad, [3.0])
    assert same(y.grad, [2.0])


@row("T008")
def test_t008_real_input_of_complex_operation(torch: Any) -> None:
    x = leaf(torch, 2.0)
    z = x * (1 + 2j)
    (z * z.conj()).real.sum().backward()
    assert x.grad.dtype == torch.float32
    assert close(x.grad, [20.0])


@row("T009")
def test_t009_backward_runs_in_the_calling_thread(torch: Any) -> None:
    x, seen = leaf(torch, 2.0), []
    x.register_hook(lambda g: seen.append(threading.current_thread() is threading.main_thread()))
    (x * x).backward()
    assert seen == [True]


@row("T010")
def test_t010_backward_of_a_scalar(torch: Any) -> None:
    x, y = leaf(torch, 2.0), leaf(torch, 3.0)
    torch.autograd.backward((x * y + x).sum())
    assert same(x.grad, [4.0])
    assert same(y.grad, [2.0])


@row("T011")
def test_t011_a_sequence(torch: Any) -> None:
    x = leaf(torch, 2.0)
    z, c = x * 3, x * x
    torch.autograd.backward([z, c], [torch.tensor([1.0]), torch.tensor([10.0])])
    assert same(x.grad, [43.0])
    x.grad = None
    torch.autograd.backward([x, x], [torch.tensor([1.0]), torch.tensor([1.0])])
    assert same(x.grad, [2.0])


@row("T012")
def test_t012_only_scalars_without_gradients(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    with raises(RuntimeError, "grad can be implicitly created only for scalar outputs"):
        (x * x).backward()
    x = torch.ones(1, 1, requires_grad=True)
    (x * 2).backward()
    assert same(x.grad, [[2.0]])
    x = torch.ones(1, requires_grad=True)
    (x * 2).backward()
    assert same(x.grad, [2.0])


@row("T013")
def test_t013_complex_scalar(torch: Any) -> None:
    z = torch.tensor(1 + 1j, requires_grad=True)
    text = "grad can be implicitly created only for real scalar outputs but got torch.complex64"
    with raises(RuntimeError, text):
        (z * z).backward()


@row("T014")
def test_t014_as_many_gradients_as_tensors(torch: Any) -> None:
    x = leaf(torch, 2.0)
    with raises(RuntimeError, "got 2 tensors and 1 gradients"):
        torch.autograd.backward([x * 2, x * 3], [torch.ones(1)])


@row("T015")
def test_t015_shapes_of_gradients(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    text = (
        "Mismatch in shape: grad_output[0] has a shape of torch.Size([3]) and output[0] has a shape of "
        "torch.Size([2])."
    )
    with raises(RuntimeError, text):
        (x * 2).backward(torch.ones(3))
    with raises(
        RuntimeError,
        "Mismatch in shape: grad_output[0] has a shape of torch.Size([1, 2]) and output[0] has a shape of "
        "torch.Size([2]).",
    ):
        (x * 2).backward(torch.ones(1, 2))


@row("T016")
def test_t016_types_of_gradients(torch: Any) -> None:
    x = leaf(torch, 1.0)
    text = (
        "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: "
        "grad_output[0] has a dtype of torch.complex64 and output[0] has a dtype of torch.float32."
    )
    with raises(RuntimeError, text):
        (x * 2).backward(torch.tensor([1j]))


@row("T017")
@pytest.mark.parametrize("name", ["double", "int64"])
def test_t017_gradients_of_other_real_types(torch: Any, name: str) -> None:
    x = leaf(torch, 1.0)
    (x * 2).backward(torch.tensor([3], dtype=getattr(torch, name)))
    assert x.grad.dtype == torch.float32
    assert same(x.grad, [6.0])


@row("T018")
def test_t018_gradients_of_a_wrong_type(torch: Any) -> None:
    x = leaf(torch, 1.0)
    with raises(TypeError, "gradients can be either Tensors or None, but got str"):
        torch.autograd.backward([x * 2], ["a"])
    with raises(TypeError, "'float' object is not iterable"):
        torch.autograd.backward([x * 2], 1.0)


@row("T019")
def test_t019_none_for_scalars(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    torch.autograd.backward([x.sum(), (x * x).sum()], [None, None])
    assert same(x.grad, [3.0, 5.0])
    with raises(RuntimeError, "grad can be implicitly created only for scalar outputs"):
        torch.autograd.backward([x * x], [None])
    text = "element 1 of tensors does not require grad and does not have a grad_fn"
    with raises(RuntimeError, text):
        torch.autograd.backward([x.sum(), torch.ones(2)], [None, None])


@row("T020")
def test_t020_gradients_left_out(torch: Any) -> None:
    x = leaf(torch, 1.0, 2.0)
    torch.autograd.backward([x.sum(), (x * x).sum()])
    assert same(x.grad, [3.0, 5.0])


@row("T021")
def test_t021_output_without_grad(torch: Any) -> None:
    text = "element 0 of tensors does not require grad and does not have a grad_fn"
    with raises(RuntimeError, text):
        torch.autograd.backward(torch.tensor([1.0]))


@row("T022")
def test_t022_accumulates(torch: Any) -> None:
    x = leaf(torch, 2.0)
    y = x * x
    y.backward(retain_graph=True)
    assert same(x.grad, [4.0])
    y.backward()
    assert same(x.grad, [8.0])


FREED = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already "
    "been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). "
    "Specify retain_graph=True if"
)


@row("T023")
def test_t023_the_graph_is_freed(torch: Any) -> None:
    x = leaf(torch, 2.0)
    y = x * x
    y.backward()
    with raises(RuntimeError, FREED):
        y.backward()
    with raises(RuntimeError, FREED):
        torch.autograd.grad(y, x)


@row("T024")
def test_t024_nothing_saved_nothing_freed(torch: Any) -> None:
    x = leaf(torch, 2.0)
    y = x + 1
    y.backward()
    y.backward()
    assert same(x.grad, [2.0])


@row("T025")
def test_t025_retain_graph(torch: Any) -> None:
    x = leaf(torch, 2.0)
    y = x.exp()
    y.backward(retain_graph=True)
    y.backward()
    assert close(x.grad, [2 * 7.38906])


@row("T026")
def test_t026_create_graph_retains(torch: Any) -> None:
    x = leaf(torch, 2.0)
    y = x * x
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y.backward(create_graph=True)
    y.backward()
    assert same(x.grad, [8.0])


@row("T027")
def test_t027_create_graph(torch: Any) -> None:
    x = leaf(torch, 2.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (x**3).backward(create_graph=True)
    assert x.grad.requires_grad
    assert type(x.grad.grad_fn).__name__ == "CopyBackwards"
    g, x.grad = x.grad, None
    g.backward(retain_graph=True)
    assert close(x.grad, [12.0])
    (third,) = torch.autograd.grad(torch.autograd.grad(g, x, create_graph=True)[0], x)
    assert close(third, [6.0])


@row("T028")
def test_t028_cycle_warning_once(torch: Any) -> None:
    import subprocess
    import sys

    text = (
        f"import {torch.__name__} as torch, warnings\n"
        "warnings.simplefilter('always')\n"
        "x = torch.tensor([2.], requires_grad=True)\n"
        "with warnings.catch_warnings(record=True) as c:\n"
        "    warnings.simplefilter('always')\n"
        "    torch.autograd.grad(x * x, x, create_graph=True)\n"
        "    before = [str(w.message) for w in c if 'reference cycle' in str(w.message)]\n"
        "    (x * x).backward(create_graph=True)\n"
        "    (x * x).backward(create_graph=True)\n"
        "    after = [str(w.message) for w in c if 'reference cycle' in str(w.message)]\n"
        "print(len(before), len(after), after[0])\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(
        "0 1 Using backward() with create_graph=True will create a reference cycle between the parameter and its "
        "gradient which can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid "
        "this."
    )


@row("T029")
def test_t029_grad_variables(torch: Any) -> None:
    x = leaf(torch, 2.0)
    with warns(FutureWarning, "`grad_variables` is deprecated. Use `grad_tensors` instead."):
        torch.autograd.backward([x * 2], grad_variables=[torch.ones(1)])
    assert same(x.grad, [2.0])
    text = (
        "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only use "
        "`grad_tensors`."
    )
    with warnings.catch_warnings(), raises(RuntimeError, text):
        warnings.simplefilter("ignore")
        torch.autograd.backward([x * 2], [torch.ones(1)], grad_variables=[torch.ones(1)])


@row("T030")
def test_t030_inputs(torch: Any) -> None:
    x, y = leaf(torch, 2.0), leaf(torch, 3.0)
    (x * y).backward(inputs=x)
    assert same(x.grad, [3.0])
    assert y.grad is None
    (x * y).backward(inputs=[y])
    assert same(x.grad, [3.0]) and same(y.grad, [2.0])


@row("T031")
def test_t031_inputs_empty(torch: Any) -> None:
    x = leaf(torch, 2.0)
    with raises(RuntimeError, "`inputs` argument to `backward()` cannot be empty."):
        (x * x).backward(inputs=[])


@row("T032")
def test_t032_inputs_that_are_no_leaves(torch: Any) -> None:
    x = leaf(torch, 2.0)
    y = x * x
    z = y * 3
    z.backward(inputs=[y])
    assert same(y.grad, [3.0])
    assert x.grad is None
    assert y.retains_grad


@row("T033")
def test_t033_inputs_without_grad(torch: Any) -> None:
    x, c = leaf(torch, 2.0), torch.tensor([1.0])
    with raises(RuntimeError, "can't retain_grad on Tensor that has requires_grad=False"):
        (x * c).backward(inputs=[c])


@row("T034")
def test_t034_inputs_unused(torch: Any) -> None:
    x, y, ran = leaf(torch, 2.0), leaf(torch, 3.0), []
    x.register_hook(lambda g: ran.append(1))
    (x * x).backward(inputs=[y])
    assert y.grad is None
    assert ran == []
    y2 = x * x
    y2.grad_fn.register_hook(lambda *g: ran.append(2))
    (y2 * 3).backward(inputs=[y])
    assert ran == []


@row("T035")
def test_t035_gradients_that_require_grad(torch: Any) -> None:
    x = leaf(torch, 2.0)
    g = leaf(torch, 1.0)
    (x * 2).backward(g)
    assert not x.grad.requires_grad
    x.grad = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (x * 2).backward(g, create_graph=True)
    assert x.grad.requires_grad


@row("T036")
def test_t036_streams(torch: Any) -> None:
    """Nothing can be seen of streams on a CPU: the gradient is there when backward returns."""
    x = leaf(torch, 2.0)
    (x * x).backward()
    assert same(x.grad, [4.0])


@row("T037")
def test_t037_edges_as_outputs(torch: Any) -> None:
    x = leaf(torch, 2.0)
    y = x * x
    torch.autograd.backward(torch.autograd.graph.get_gradient_edge(y), torch.ones(1))
    assert same(x.grad, [4.0])
    x.grad = None
    torch.autograd.backward(torch.autograd.graph.get_gradient_edge(x * x))
    assert same(x.grad, [4.0])
