"""Where tensors are: made there, moved there and back as part of the graph, and refused where they do not meet."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import retrograd as torch
import retrograd.nn.functional as F
from retrograd.runtime.errors import UnsupportedOperation

from ..strict_cupy import counted, cuda, no_transfers

pytestmark = pytest.mark.cupy
MIXED = (
    "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!"
)


def leaf(*values: float, device: str = "cuda") -> Any:
    return torch.tensor(values, dtype=torch.float64, device=device, requires_grad=True)


def test_a_device_by_its_name() -> None:
    for name in ("cuda", "cuda:0", torch.device("cuda", 0), torch.device("cuda:0"), 0):
        x = torch.zeros(2, device=name)
        assert x.is_cuda and not x.is_cpu and x.get_device() == 0
        assert x.device == torch.device("cuda:0") and str(x.device) == "cuda:0"
    assert repr(torch.device("cuda")) == "device(type='cuda')"
    assert repr(torch.device("cuda", 0)) == "device(type='cuda', index=0)"
    assert torch.device("cuda") != torch.device("cuda:0") and torch.device("cuda:0").index == 0
    assert torch.zeros(2).get_device() == -1 and torch.zeros(2).device.type == "cpu"
    with pytest.raises(RuntimeError, match="invalid device ordinal"):
        torch.zeros(2, device="cuda:1")
    for name in ("cuda:x", "gpu"):
        with pytest.raises(RuntimeError, match="has no device"):
            torch.device(name)
    made = torch.device("cuda:0")
    assert pickle.loads(pickle.dumps(made)) == made


MAKING = [
    "zeros(2, 3)", "ones((2, 3))", "empty(3)", "full((2,), 1.5)", "rand(2)", "randn(2)", "eye(2)", "arange(4)",
    "arange(0.0, 1.0, 0.25)", "linspace(0, 1, 3)", "logspace(0, 1, 3)", "randint(0, 5, (3,))", "randperm(4)",
    "normal(0.0, 1.0, (2,))", "zeros_like(torch.ones(2))", "full_like(torch.ones(2), 3.0)", "randn_like(torch.ones(2))",
    "scalar_tensor(2.0)", "ones(2).new_zeros(3)", "ones(2).new_full((2,), 4.0)",
]  # fmt: skip


@pytest.mark.parametrize("text", MAKING)
def test_made_there_and_not_moved_there(text: str) -> None:
    code = f"torch.{text[:-1]}, device='cuda')"
    with no_transfers():
        made = eval(code, {"torch": torch})
    host = eval(f"torch.{text}", {"torch": torch})
    assert made.is_cuda and made.dtype == host.dtype and made.shape == host.shape
    if "rand" not in text and "empty" not in text and "normal" not in text:
        np.testing.assert_allclose(made.cpu().numpy(), host.numpy())


def test_made_like_what_is_there() -> None:
    x = torch.ones(2, 3, device="cuda")
    with no_transfers():
        made = [
            torch.zeros_like(x), torch.rand_like(x), torch.full_like(x, 2.0), x.new_zeros(2), x.new_ones(3), x.new_empty(1),
            x.new(2), x.new_full((2,), 1.0), torch.empty_like(x), x.clone(), x.detach(), x.data, x.double(), x.type_as(x.double()),
        ]  # fmt: skip
    assert all(one.is_cuda for one in made)
    assert torch.zeros_like(x, device="cpu").is_cpu and x.new_tensor([1.0]).is_cuda


def test_moved_as_part_of_the_graph() -> None:
    x = leaf(1.0, 2.0, device="cpu")
    y = x.cuda()
    assert y.grad_fn.name() == "ToCopyBackward0" and y.is_cuda and y.cuda() is y and x.cpu() is x
    (y * y).sum().cpu().backward()
    assert x.grad.is_cpu and x.grad.tolist() == [2.0, 4.0]
    (g,) = torch.autograd.grad((y**3).sum(), x, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), x)
    assert h.is_cpu and h.tolist() == [6.0, 12.0]
    z = leaf(1.0)
    assert z.to("cpu", torch.float32).dtype == torch.float32 and z.to("cpu").device.type == "cpu"
    assert (
        z.to(torch.ones(1)).is_cpu and z.to(device="cuda") is z and z.to("cuda", copy=True) is not z
    )
    assert not torch.ones(2).cuda().requires_grad


def test_tangents_move_along() -> None:
    fw = torch.autograd.forward_ad
    with fw.dual_level():
        x = fw.make_dual(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 10.0]))
        y = x.cuda()
        p, t = fw.unpack_dual((y * y).cpu())
    assert t.tolist() == [2.0, 40.0] and p.tolist() == [1.0, 4.0]
    x = torch.tensor([0.5, 1.0], device="cuda")
    with no_transfers():
        value, dot = torch.func.jvp(lambda x: (x.sin() * x).sum(), (x,), (torch.ones_like(x),))
    host = torch.func.jvp(lambda x: (x.sin() * x).sum(), (x.cpu(),), (torch.ones(2),))
    assert dot.is_cuda and abs(dot.item() - host[1].item()) < 1e-6


@pytest.mark.parametrize(
    "run",
    [
        lambda a, b: a + b, lambda a, b: b * a, lambda a, b: a.matmul(b), lambda a, b: torch.cat([a, b]),
        lambda a, b: torch.where(a > 0, b, a), lambda a, b: a.add_(b), lambda a, b: b.add_(a), lambda a, b: torch.maximum(a, b),
        lambda a, b: a.int() + b, lambda a, b: a == b, lambda a, b: torch.stack([b, a]), lambda a, b: torch.dot(a, b),
        lambda a, b: a.index_add(0, b.long(), a), lambda a, b: a.index_copy(0, b.long(), a), lambda a, b: a.index_fill(0, b.long(), 1.0),
        lambda a, b: a.scatter(0, b.long(), a), lambda a, b: a.scatter_add(0, a.long() * 0, b), lambda a, b: a.put(b.long(), a),
        lambda a, b: a.masked_scatter(b > 0, a), lambda a, b: a.masked_fill(b > 0, 0.0), lambda a, b: a.take(b.long()),
        lambda a, b: a.gather(0, b.long()), lambda a, b: a.index_select(0, b.long()), lambda a, b: torch.fmax(a, b),
        lambda a, b: a.scatter_reduce(0, b.long(), a, "amax"), lambda a, b: torch.isclose(a, b), lambda a, b: a.equal(b),
        lambda a, b: torch.isin(a, b), lambda a, b: torch.searchsorted(a, b), lambda a, b: torch.clamp(a, min=b),
        lambda a, b: F.embedding(b.long(), a.reshape(2, 1)), lambda a, b: F.cross_entropy(a.reshape(1, 2), b[:1].long()),
        lambda a, b: F.mse_loss(a, b), lambda a, b: F.linear(a, b.reshape(1, 2)), lambda a, b: F.layer_norm(a, (2,), b),
        lambda a, b: F.batch_norm(a.reshape(2, 1), b[:1], b[1:], training=True), lambda a, b: torch.linalg.solve(a.diag(), b),
        lambda a, b: torch.einsum("i,i", a, b), lambda a, b: a + np.ones(2), lambda a, b: np.add(a, b),
    ],
)  # fmt: skip
def test_tensors_that_do_not_meet(run: Any) -> None:
    with pytest.raises(RuntimeError) as error:
        run(torch.ones(2, device="cuda"), torch.ones(2))
    assert str(error.value) == MIXED


def test_numbers_of_the_host_are_taken() -> None:
    x, n = leaf(1.0, 2.0), torch.tensor(3.0, dtype=torch.float64, requires_grad=True)
    y = x * n + n
    assert y.is_cuda
    y.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0] and n.grad.is_cpu and n.grad.item() == 5.0
    m = torch.zeros(2, device="cuda")
    m[0] = torch.tensor(2.0)
    m.fill_(torch.tensor(7.0))
    assert m.tolist() == [7.0, 7.0]
    with no_transfers():
        m.mul_(2.0).add_(1).masked_fill_(m > 3, 0.5)


def test_indices_may_be_of_the_host_and_not_the_other_way() -> None:
    x = torch.arange(4.0, device="cuda")
    assert x[torch.tensor([2, 0])].tolist() == [2.0, 0.0] and x[[1]].tolist() == [1.0]
    assert x[torch.tensor([True, False, True, False])].tolist() == [0.0, 2.0]
    with pytest.raises(RuntimeError, match="indices should be either on cpu or on the same device"):
        torch.arange(4.0)[torch.tensor([1], device="cuda")]
    with pytest.raises(RuntimeError, match="Expected all tensors"):
        x.gather(0, torch.tensor([1]))
    x[torch.tensor([0, 0])] = 5.0
    assert x[0].item() == 5.0


def test_copies_cross() -> None:
    x, y = torch.zeros(2), torch.ones(2, device="cuda")
    x.copy_(y)
    y.copy_(torch.tensor([3.0, 4.0]))
    assert x.tolist() == [1.0, 1.0] and y.tolist() == [3.0, 4.0] and y.is_cuda
    with pytest.raises(
        RuntimeError, match="Expected out tensor to have device cuda:0, but got cpu"
    ):
        torch.add(y, y, out=x)
    torch.add(y, y, out=y)
    assert y.tolist() == [6.0, 8.0]


def test_writes_and_views() -> None:
    x = leaf(1.0, 2.0, 3.0, 4.0)
    with no_transfers():
        y = (x * 1).reshape(2, 2)
        y[0].mul_(3.0)
        y.t()[1] += 1.0
        y.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0, 1.0, 1.0] and y.tolist() == [[3.0, 7.0], [3.0, 5.0]]
    a = x * 1
    b = a * a
    a.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        b.sum().backward()
    wide = torch.zeros(1, 3, device="cuda").expand(2, 3)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        wide.add_(1)


def test_gradients_add_up_there() -> None:
    x = leaf(1.0, 2.0)
    with no_transfers():
        for _ in range(3):
            (x * x).sum().backward()
        x.sum().backward()
    assert x.grad.is_cuda and x.grad.tolist() == [7.0, 13.0]
    with pytest.raises(
        RuntimeError, match="invalid gradient at index 0 - expected device cuda:0 but got cpu"
    ):
        (x * 2).backward(torch.ones(2, dtype=torch.float64))


class Stray(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * 2

    @staticmethod
    def backward(ctx: Any, bar: Any) -> Any:
        return bar.cpu()


def test_gradients_at_the_wrong_place_are_refused() -> None:
    x = leaf(1.0, 2.0)
    with pytest.raises(RuntimeError) as error:
        Stray.apply(x).sum().backward()
    assert str(error.value) == (
        "Function StrayBackward returned an invalid gradient at index 0 - expected device cuda:0 but got cpu"
    )
    with pytest.raises(RuntimeError, match="on the same device"):
        x.grad = torch.ones(2, dtype=torch.float64)
    with torch.autograd.graph.saved_tensors_hooks(lambda v: v.cpu(), lambda v: v):
        y = x.sin()
    with pytest.raises(RuntimeError, match="move it back there"):
        y.sum().backward()
    with pytest.raises(RuntimeError, match="Expected all tensors"):
        torch.func.jvp(lambda a: a * 2, (x.detach(),), (torch.ones(2),))


def test_numpy_and_numbers_are_asked_for() -> None:
    x = torch.tensor([1.0, 2.0], device="cuda")
    text = "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."
    for ask in (lambda: x.numpy(), lambda: np.asarray(x)):
        with pytest.raises(TypeError) as error:
            ask()
        assert str(error.value) == text
    assert x.numpy(force=True).tolist() == [1.0, 2.0] and x[1].item() == 2.0 and bool(x[0] == 1)
    assert str(x) == "tensor([1., 2.], device='cuda:0')" and float(x[0]) == 1.0
    assert str(x.requires_grad_()) == "tensor([1., 2.], device='cuda:0', requires_grad=True)"
    assert x.type() == "retrograd.cuda.FloatTensor"
    for ask in (lambda: x[1].item(), lambda: bool(x[0] > 0), lambda: str(x), lambda: x.tolist()):
        with counted() as counts:
            ask()
        assert counts.transferred > 0


def test_arrays_of_the_device_are_operands(cupy: Any) -> None:
    x, array = leaf(1.0, 2.0), cupy.asarray([3.0, 4.0])
    with no_transfers():
        y = x * array + array * x + np.multiply(array, x)
        array[0] = 100.0
        y.sum().backward()
    assert y.tolist() == [9.0, 24.0] and x.grad.tolist() == [9.0, 12.0]


def test_sparse_tensors_are_refused() -> None:
    for run in (
        lambda: torch.eye(2, device="cuda").to_sparse(),
        lambda: torch.sparse_coo_tensor([[0, 1]], [1.0, 2.0], (2,), device="cuda"),
        lambda: F.embedding(
            torch.tensor([0], device="cuda"),
            torch.ones(2, 1, device="cuda").requires_grad_(),
            sparse=True,
        ),
    ):
        with pytest.raises(UnsupportedOperation, match="in the main memory here") as error:
            run()
        assert error.value.fix


def test_copied_and_pickled() -> None:
    x = leaf(1.0, 2.0)
    y = copy.deepcopy(x)
    assert y.is_cuda and y.requires_grad and y.tolist() == [1.0, 2.0]
    z = pickle.loads(pickle.dumps(x))
    assert z.is_cuda and z.tolist() == [1.0, 2.0]
    p = torch.nn.Parameter(torch.ones(2, device="cuda"))
    assert p.is_cuda and copy.deepcopy(p).is_cuda


def test_arrays_of_cupy(cupy: Any) -> None:
    array = cupy.arange(3.0)
    with no_transfers():
        shared, own = torch.as_tensor(array), torch.tensor(array)
        array[0] = 7.0
        foreign = torch.from_dlpack(array)
        back = cupy.from_dlpack(shared)
        back[1] = 8.0
    assert shared.tolist() == [7.0, 8.0, 2.0] and own.tolist() == [0.0, 1.0, 2.0]
    assert foreign.is_cuda and foreign.tolist() == [7.0, 8.0, 2.0]
    assert shared.__dlpack_device__()[0] == 2 and torch.ones(1).__dlpack_device__()[0] == 1
    host = np.arange(2.0)
    near = torch.from_dlpack(host)
    host[0] = 5.0
    assert near.tolist() == [5.0, 1.0]
    with pytest.raises(BufferError):
        leaf(1.0).__dlpack__()


def test_saved_in_the_main_memory() -> None:
    x = leaf(0.5, 1.0)
    with torch.autograd.graph.save_on_cpu():
        y = x.sin() * x
    kept = [f for f, _ in y.grad_fn.next_functions]
    y.sum().backward()
    assert x.grad.is_cuda and kept
    np.testing.assert_allclose(
        x.grad.tolist(), np.cos([0.5, 1.0]) * [0.5, 1.0] + np.sin([0.5, 1.0])
    )
    with counted() as counts, torch.autograd.graph.save_on_cpu(pin_memory=True):
        z = x.exp()
        assert counts.transfers["get"] == 1
        z.sum().backward()
    assert counts.transfers["upload"] == 1


def test_pinned() -> None:
    x = torch.ones(2)
    y = x.pin_memory()
    assert y.is_pinned() and not x.is_pinned() and y.tolist() == [1.0, 1.0] and y.pin_memory() is y
    assert y.cuda(non_blocking=True).is_cuda
    with pytest.raises(RuntimeError, match="only dense CPU tensors can be pinned"):
        x.cuda().pin_memory()


def test_random_numbers_of_the_device() -> None:
    torch.manual_seed(3)
    a = torch.rand(4, device="cuda").tolist()
    torch.manual_seed(3)
    b = torch.rand(4, device="cuda").tolist()
    torch.cuda.manual_seed(3)
    c = torch.rand(4, device="cuda").tolist()
    assert a == b == c and a != torch.rand(4).tolist()
    g = torch.Generator(device="cuda").manual_seed(1)
    d = torch.randn(3, device="cuda", generator=g)
    assert d.tolist() == torch.randn(3, device="cuda", generator=g.manual_seed(1)).tolist()
    with pytest.raises(
        RuntimeError, match="Expected a 'cpu' device type for generator but found 'cuda'"
    ):
        torch.rand(2, generator=g)
    x = torch.zeros(500, device="cuda")
    with no_transfers():
        drawn = [
            x.uniform_(2.0, 3.0).clone(), x.normal_(1.0, 0.1).clone(), x.bernoulli_(0.5).clone(), x.exponential_().clone(),
            x.cauchy_().clone(), x.log_normal_().clone(), x.random_(5).clone(), x.geometric_(0.5).clone(),
            torch.nn.functional.dropout(torch.ones_like(x)), torch.bernoulli(torch.full_like(x, 0.5)),
            torch.multinomial(torch.ones(5, device="cuda"), 3), torch.multinomial(torch.ones(5, device="cuda"), 9, True),
        ]  # fmt: skip
    assert all(one.is_cuda for one in drawn)
    assert 2.4 < drawn[0].mean().item() < 2.6 and 0.9 < drawn[1].mean().item() < 1.1
    assert sorted({*drawn[10].tolist()}) == sorted(drawn[10].tolist()) and len(drawn[11]) == 9


def test_steps_of_optimizers() -> None:
    ways = [
        lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.1),
        lambda p: torch.optim.Adam(p, lr=0.1, amsgrad=True), lambda p: torch.optim.Adagrad(p),
    ]  # fmt: skip
    for make in ways:
        found = []
        for device in ("cpu", "cuda"):
            p = torch.nn.Parameter(torch.tensor([1.0, -2.0], device=device))
            optimizer = make([p])
            for _ in range(3):
                optimizer.zero_grad()
                (p**2).sum().backward()
                with no_transfers():
                    optimizer.step()
            found.append(p.tolist())
        np.testing.assert_allclose(*found, rtol=1e-6)


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any, k: float) -> Any:
        ctx.save_for_backward(x)
        ctx.k = k
        return x * k

    @staticmethod
    def backward(ctx: Any, bar: Any) -> Any:
        (x,) = ctx.saved_tensors
        assert x.is_cuda and bar.is_cuda
        return bar * ctx.k, None


def test_functions_hooks_and_checkpoints() -> None:
    x = leaf(1.0, 2.0)
    other, seen = leaf(1.0, 2.0), []  # type: ignore[var-annotated]
    with no_transfers():
        x.register_hook(lambda g: seen.append(g.is_cuda))
        y = Scaled.apply(x, 3.0)
        z = torch.utils.checkpoint.checkpoint(lambda a: a.sin() * a, y, use_reentrant=False)
        z.sum().backward()
        w = torch.utils.checkpoint.checkpoint(lambda a: a.exp(), other, use_reentrant=True)
        w.sum().backward()
    assert seen == [True] and other.grad.is_cuda
    values = np.array([3.0, 6.0])
    np.testing.assert_allclose(x.grad.tolist(), 3 * (np.cos(values) * values + np.sin(values)))


def test_batches_there() -> None:
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device="cuda")
    with no_transfers():
        made = torch.vmap(torch.func.grad(lambda a: (a**3).sum()))(x)
    assert made.is_cuda and made.tolist() == [[3.0, 12.0], [27.0, 48.0]]


@pytest.mark.filterwarnings("ignore:There is a performance drop")
def test_batches_of_batches_there() -> None:
    x = torch.tensor([1.0, 2.0], device="cuda")
    full = torch.func.hessian(lambda a: a[0] ** 2 * a[1])(x)
    assert full.is_cuda and full.tolist() == [[4.0, 2.0], [2.0, 0.0]]


def test_checks_of_gradients() -> None:
    x = leaf(0.3, 0.7)
    assert torch.autograd.gradcheck(lambda x: x.sin() * x, (x,), check_forward_ad=True)
    assert torch.autograd.gradgradcheck(lambda x: x.sin() * x, (x,))


@pytest.mark.filterwarnings("ignore")
def test_anomalies_are_named() -> None:
    x = leaf(-1.0)
    with (
        torch.autograd.detect_anomaly(),
        pytest.raises(RuntimeError, match="returned nan values"),
    ):
        (x.sqrt() * 0).sum().backward()


def test_ranges_of_nvtx() -> None:
    x = leaf(1.0, 2.0)
    cuda.ranges.clear()
    with torch.autograd.profiler.emit_nvtx(record_shapes=True):
        (x * x).sum().backward()
    assert any(text.startswith("aten::mul, seq = ") for text in cuda.ranges)
    assert any(text.startswith("MulBackward0, stashed seq = ") for text in cuda.ranges)
    torch.cuda.nvtx.range_push("mine")
    torch.cuda.nvtx.range_pop()
    with torch.cuda.nvtx.range("part {}", 1):
        torch.cuda.nvtx.mark("here")
    assert cuda.ranges[-3:] == ["mine", "part 1", "here"]


def test_times_of_the_device() -> None:
    x = leaf(1.0, 2.0)
    with torch.autograd.profiler.profile(use_device="cuda") as prof:
        (x * x).sum().backward()
    assert prof.use_device == "cuda"
    assert all(event.device_time_total > 0 for event in prof.function_events)
    assert all(event.kernels[0].device == 0 for event in prof.function_events)
    assert prof.key_averages()[0].device_time_total > 0


def test_what_programs_ask() -> None:
    c = torch.cuda
    assert (
        c.is_available()
        and c.is_initialized()
        and c.device_count() == 1
        and c.current_device() == 0
    )
    assert isinstance(c.get_device_name(), str) and len(c.get_device_capability()) == 2
    assert torch.backends.cuda.is_built()
    c.set_device(0)
    c.synchronize()
    c.empty_cache()
    assert c.memory_allocated() >= 0 and c.memory_reserved() >= 0 and c.mem_get_info()[1] > 0
    begun, ended = c.Event(enable_timing=True), c.Event(enable_timing=True)
    begun.record()
    ended.record()
    ended.synchronize()
    assert begun.query() and begun.elapsed_time(ended) >= 0
    with pytest.raises(ValueError, match="enable_timing"):
        c.Event().elapsed_time(ended)
    side = c.Stream()
    with c.stream(side):
        assert c.current_stream() == side
        made = torch.ones(2, device="cuda") * 2
    c.current_stream().wait_stream(side)
    side.synchronize()
    assert made.tolist() == [2.0, 2.0] and c.current_stream() == c.default_stream()
    with c.device(0):
        pass


def test_the_last_of_several_writes_wins() -> None:
    index = torch.tensor([0, 2, 0, 0, 2], device="cuda")
    for _ in range(5):
        x, v = leaf(1.0, 2.0, 3.0), leaf(10.0, 20.0, 30.0, 40.0, 50.0)
        y = x * 1
        y[index] = v
        (y * y).sum().backward()
        assert y.tolist() == [40.0, 2.0, 50.0]
        assert v.grad.tolist() == [0.0, 0.0, 0.0, 80.0, 100.0] and x.grad.tolist() == [
            0.0,
            4.0,
            0.0,
        ]
        z = torch.zeros(3, dtype=torch.float64, device="cuda").scatter(0, index, v.detach())
        assert z.tolist() == [40.0, 0.0, 50.0]


def test_cupy_without_a_device_draws_nothing(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is imported, by whomever, a checkpoint begins no random numbers of a device."""

    def refused() -> int:
        raise RuntimeError("cudaErrorInsufficientDriver")

    monkeypatch.setattr(cupy.cuda.runtime, "getDeviceCount", refused)
    monkeypatch.setattr(cupy.random, "default_rng", lambda seed: refused())
    x = torch.ones(2, requires_grad=True)
    torch.utils.checkpoint.checkpoint(torch.sin, x, use_reentrant=False).sum().backward()
    torch.utils.checkpoint.checkpoint(torch.sin, x, use_reentrant=True).sum().backward()
    assert not torch.cuda.is_available()
