"""What else rows T055 to T073 say of forward mode, sentence by sentence."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from .surface import raises, row, same

pytestmark = pytest.mark.filterwarnings("ignore")


def tangent(torch: Any, tensor: Any) -> Any:
    return torch.autograd.forward_ad.unpack_dual(tensor).tangent


def dual(torch: Any, values: Any, ways: Any, **options: Any) -> Any:
    kind = torch.float64
    return torch.autograd.forward_ad.make_dual(
        torch.tensor(values, dtype=kind, **options), torch.tensor(ways, dtype=kind)
    )


@row("T055")
def test_t055_before_and_after(torch: Any) -> None:
    fw = torch.autograd.forward_ad
    assert fw._current_level == -1
    with fw.dual_level() as level:
        assert (level, fw._current_level) == (0, 0)
    assert fw._current_level == -1

    @fw.dual_level()
    def f() -> Any:
        return tangent(torch, dual(torch, 2.0, 3.0)).item()

    assert [f(), f()] == [3.0, 3.0]
    assert fw._current_level == -1
    with pytest.raises(ZeroDivisionError), fw.dual_level():
        raise ZeroDivisionError
    assert fw._current_level == -1


@row("T056")
def test_t056_a_view_of_the_primal(torch: Any) -> None:
    fw = torch.autograd.forward_ad
    with fw.dual_level():
        x = torch.ones(2, 3)
        d = fw.make_dual(x, torch.ones(2, 3))
        assert d is not x and d._is_view() and d._base is x
        x.add_(1)
        assert same(d, [[2.0] * 3] * 2) and d._version == x._version == 1
        d.detach().mul_(2)
        assert same(x, [[4.0] * 3] * 2) and d._version == x._version == 2


@row("T056")
def test_t056_tangents_of_another_layout(torch: Any) -> None:
    fw = torch.autograd.forward_ad
    ways = torch.arange(6.0).reshape(2, 3)
    turned = ways.t().contiguous().t()
    with fw.dual_level():
        assert fw.unpack_dual(fw.make_dual(torch.ones(2, 3), ways)).tangent is ways
        found = fw.unpack_dual(fw.make_dual(torch.ones(2, 3), turned)).tangent
        assert found is not turned and same(found, ways.tolist())
        assert found.stride() == (3, 1)
        found = fw.unpack_dual(fw.make_dual(torch.ones(3, 2).t(), ways)).tangent
        assert same(found, ways.tolist()) and found.stride() == (1, 2)


@row("T057")
def test_t057_a_named_tuple_and_a_view(torch: Any) -> None:
    fw = torch.autograd.forward_ad
    with fw.dual_level():
        x = torch.ones(2)
        d = fw.make_dual(x, torch.ones(2))
        made = fw.unpack_dual(d)
        assert type(made) is fw.UnpackedDualTensor and isinstance(made, tuple)
        primal, way = made
        assert primal is made.primal and way is made.tangent
        assert primal is not x and primal._is_view() and primal.data_ptr() == x.data_ptr()
        assert fw.unpack_dual(primal).tangent is None


@row("T058")
def test_t058_its_text(torch: Any) -> None:
    fw = torch.autograd.forward_ad
    with fw.dual_level():
        made = fw.unpack_dual(fw.make_dual(torch.ones(1), torch.zeros(1)))
    assert made._fields == ("primal", "tangent")
    assert repr(made) == "UnpackedDualTensor(primal=tensor([1.]), tangent=tensor([0.]))"


@row("T059")
def test_t059_the_level_by_name(torch: Any) -> None:
    fw = torch.autograd.forward_ad
    level = fw.enter_dual_level()
    d = dual(torch, 2.0, 3.0)
    fw.exit_dual_level(level=level)
    assert level == 0 and fw._current_level == -1
    assert tangent(torch, d) is None


@row("T064")
def test_t064_mixed_types_have_the_type_of_the_primal(torch: Any) -> None:
    fw = torch.autograd.forward_ad
    with fw.dual_level():
        d = fw.make_dual(torch.ones(2), torch.ones(2, dtype=torch.float64))
        assert same(tangent(torch, d * 2), [2.0, 2.0])
        for wrong in (torch.tensor([1, 2]), torch.tensor([True, False])):
            with pytest.raises(ValueError, match="Expected tangent to be floating point"):
                fw.make_dual(torch.ones(2), wrong)


@row("T066")
def test_t066_no_grad_keeps_the_tangent_of_writes(torch: Any) -> None:
    with torch.autograd.forward_ad.dual_level(), torch.no_grad():
        d = dual(torch, [1.0, 2.0], [1.0, 1.0])
        y = (d * 2).mul_(d)
        assert same(tangent(torch, y), [4.0, 8.0])
        assert not y.requires_grad
        assert tangent(torch, y.detach()) is None
        assert same(tangent(torch, y), [4.0, 8.0])


@row("T067")
def test_t067_with_the_node(torch: Any) -> None:
    with torch.autograd.forward_ad.dual_level():
        x = torch.ones(2, requires_grad=True)
        d = torch.autograd.forward_ad.make_dual(x, torch.ones(2))
        text = "tensor([1., 1.], grad_fn=<ViewBackward0>, tangent=tensor([1., 1.]))"
        assert repr(d) == text


OUT = "Trying to use forward AD with {}_out that does not support it because it is an out= function"


@row("T068")
@pytest.mark.parametrize("name", ["add", "mul", "sin", "cat", "sum", "exp", "maximum"])
def test_t068_every_function_with_out(torch: Any, name: str) -> None:
    plain = torch.ones(2, dtype=torch.float64)
    with torch.autograd.forward_ad.dual_level():
        d = dual(torch, [1.0, 2.0], [1.0, 1.0])
        operands = {"cat": ([d, d],), "sum": (d, 0)}.get(name, (d, d))
        operands = (d,) if name in ("sin", "exp") else operands
        constants = {"cat": ([plain, plain],), "sum": (plain, 0)}.get(name, (plain, plain))
        constants = (plain,) if name in ("sin", "exp") else constants
        shape = {"cat": (4,), "sum": ()}.get(name, (2,))
        into = torch.zeros(shape, dtype=torch.float64)
        with raises(NotImplementedError, OUT.format(name)):
            getattr(torch, name)(*operands, out=into)
        into = torch.autograd.forward_ad.make_dual(into, torch.ones_like(into))
        with raises(NotImplementedError, OUT.format(name)):
            getattr(torch, name)(*constants, out=into)


@row("T070")
def test_t070_through_kinks_and_writes(torch: Any) -> None:
    fw = torch.autograd.forward_ad
    x = torch.tensor([-1.0, 2.0], requires_grad=True)
    t = torch.tensor([1.0, 3.0], requires_grad=True)
    with fw.dual_level():
        d = fw.make_dual(x, t)
        for f, gx, gt in (
            (lambda d: d.relu() * d, [0.0, 6.0], [0.0, 4.0]),
            (lambda d: d.abs() ** 2, [2.0, 6.0], [-2.0, 4.0]),
            (lambda d: torch.stack([d, d * d]).sum(0), [2.0, 6.0], [-1.0, 5.0]),
        ):
            found = torch.autograd.grad(tangent(torch, f(d)).sum(), (x, t))
            assert same(found[0], gx) and same(found[1], gt)


KINKS = {
    "relu": (lambda x: x.relu() ** 3, [0.0, 12.0], [0.0, 12.0]),
    "abs": (lambda x: x.abs() ** 3, [-3.0, 12.0], [6.0, 12.0]),
    "hardtanh": (lambda x: x.clamp(-9.0, 9.0) ** 3, [3.0, 12.0], [-6.0, 12.0]),
    "leaky_relu": (lambda x: (x * (x > 0)) ** 3, [0.0, 12.0], [0.0, 12.0]),
    "clone": (lambda x: x.clone().mul_(x).mul_(x), [3.0, 12.0], [-6.0, 12.0]),
    "slice": (lambda x: x[:] * x.flip(0).flip(0) * x.view(2), [3.0, 12.0], [-6.0, 12.0]),
    "max": (lambda x: x.max() ** 3, [0.0, 12.0], [0.0, 12.0]),
    "sort": (lambda x: x.sort()[0] ** 3, [3.0, 12.0], [-6.0, 12.0]),
    "matmul": (lambda x: (x @ x) * x, None, None),
}


@row("T071")
@pytest.mark.parametrize("name", KINKS)
def test_t071_of_every_kind_of_function(torch: Any, name: str) -> None:
    """The product of the Hessian of the sum with the direction, against two passes backward."""
    f, slope, product = KINKS[name]
    v = torch.tensor([1.0, 1.0], dtype=torch.float64)
    with torch.autograd.forward_ad.dual_level():
        d = dual(torch, [-1.0, 2.0], [1.0, 1.0], requires_grad=True)
        (g,) = torch.autograd.grad(f(d).sum(), d, create_graph=True)
        found = torch.autograd.forward_ad.unpack_dual(g)
    x = torch.tensor([-1.0, 2.0], dtype=torch.float64, requires_grad=True)
    (g,) = torch.autograd.grad(f(x).sum(), x, create_graph=True)
    (h,) = torch.autograd.grad(g, x, v)
    assert same(found.primal, g.tolist()) and same(found.tangent, h.tolist())
    if product is not None:
        assert same(g, slope) and same(h, product)


@row("T071")
def test_t071_zeros_where_slopes_are_steps(torch: Any) -> None:
    """The gradient of relu and abs has a tangent, of zeros; that of a linear function none."""
    with torch.autograd.forward_ad.dual_level():
        x = dual(torch, [-1.0, 2.0], [1.0, 1.0], requires_grad=True)
        for f, slope in ((torch.relu, [0.0, 1.0]), (torch.abs, [-1.0, 1.0])):
            (g,) = torch.autograd.grad(f(x).sum(), x, create_graph=True)
            assert same(g, slope) and same(tangent(torch, g), [0.0, 0.0])
        (g,) = torch.autograd.grad((x * 2).sum(), x, create_graph=True)
        assert tangent(torch, g) is None
        for step in (torch.sign, torch.floor, torch.ceil, torch.round, torch.trunc):
            assert same(tangent(torch, step(x)), [0.0, 0.0])


@row("T072")
def test_t072_each_view_has_its_part(torch: Any) -> None:
    with torch.autograd.forward_ad.dual_level():
        d = dual(torch, [[1.0, 2.0], [3.0, 4.0]], [[1.0, 1.0], [1.0, 1.0]])
        row_, turned = d[0], d.t()
        row_.mul_(3)
        assert same(tangent(torch, d), [[3.0, 3.0], [1.0, 1.0]])
        assert same(tangent(torch, turned), [[3.0, 1.0], [3.0, 1.0]])
        turned[0].mul_(2)
        assert same(d, [[6.0, 6.0], [6.0, 4.0]])
        assert same(tangent(torch, d), [[6.0, 3.0], [2.0, 1.0]])
        assert same(tangent(torch, row_), [6.0, 3.0])
        d.copy_(torch.ones(2, 2))
        assert same(tangent(torch, d), [[0.0, 0.0], [0.0, 0.0]])


@row("T072")
def test_t072_a_plain_tensor_gets_a_tangent(torch: Any) -> None:
    with torch.autograd.forward_ad.dual_level():
        baz = torch.zeros(2, 2, dtype=torch.float64)
        baz[0] = dual(torch, [2.0, 3.0], [5.0, 7.0])
        assert same(tangent(torch, baz), [[5.0, 7.0], [0.0, 0.0]])
        baz.add_(1)
        assert same(tangent(torch, baz), [[5.0, 7.0], [0.0, 0.0]])
        assert same(tangent(torch, baz * baz), [[30.0, 56.0], [0.0, 0.0]])
        kept = baz.clone()
        baz.mul_(2)
        assert same(tangent(torch, kept), [[5.0, 7.0], [0.0, 0.0]])


@row("T073")
def test_t073_tangents_of_the_level_in_other_threads(torch: Any) -> None:
    fw = torch.autograd.forward_ad
    found: list[Any] = []
    with fw.dual_level():
        d = dual(torch, [1.0], [2.0])
        work = lambda: found.append((fw._current_level, tangent(torch, d * 3)))
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    with fw.dual_level():
        assert tangent(torch, d) is None
        e = dual(torch, [1.0], [5.0])
        assert same(tangent(torch, e), [5.0])
    ((level, way),) = found
    assert level == 0 and same(way, [6.0])
