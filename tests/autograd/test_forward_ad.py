"""Rows T055 to T073: forward mode."""

from __future__ import annotations

import gc
import threading
import weakref
from typing import Any

import pytest

from .surface import check, close, raises, row, same

pytestmark = pytest.mark.filterwarnings("ignore")


def fwad(torch: Any) -> Any:
    return torch.autograd.forward_ad


@row("T055")
def test_t055_dual_level(torch: Any) -> None:
    fw = fwad(torch)
    with fw.dual_level() as level:
        assert level == 0
        assert current(torch) == 0

    @fw.dual_level()
    def f() -> int:
        return int(current(torch))

    assert f() == 0
    assert current(torch) == -1


def current(torch: Any) -> int:
    return int(fwad(torch)._current_level)


@row("T056")
def test_t056_make_dual(torch: Any) -> None:
    fw = fwad(torch)
    x, t = torch.tensor(2.0), torch.tensor(3.0)
    with fw.dual_level():
        d = fw.make_dual(x, t)
        out = fw.unpack_dual(d * d + d.sin())
        assert close(out.primal, 4.9093)
        assert close(out.tangent, 10.7516)
        assert d.data_ptr() == x.data_ptr()
        x.add_(1)
        assert d._version == 1
        assert fw.unpack_dual(d).tangent is t
    assert d._is_view() and d._base is x


@row("T057")
def test_t057_unpack_dual(torch: Any) -> None:
    fw = fwad(torch)
    with fw.dual_level():
        x, t = torch.ones(2), torch.ones(2)
        assert fw.unpack_dual(x).tangent is None
        d = fw.make_dual(x, t)
        a, b = fw.unpack_dual(d), fw.unpack_dual(d)
        assert a.primal is not b.primal
        assert a.tangent is b.tangent
    assert isinstance(a, tuple) and a._fields == ("primal", "tangent")
    assert a.primal.data_ptr() == x.data_ptr() and a.primal._is_view()
    assert a.tangent is t and fw.unpack_dual(a.primal).tangent is None


@row("T058")
def test_t058_its_type(torch: Any) -> None:
    made = fwad(torch).UnpackedDualTensor(torch.ones(1), None)
    assert made._fields == ("primal", "tangent")
    assert repr(made) == "UnpackedDualTensor(primal=tensor([1.]), tangent=None)"
    with fwad(torch).dual_level():
        dual = fwad(torch).make_dual(torch.ones(1), torch.tensor([2.0]))
        found = fwad(torch).unpack_dual(dual)
    assert type(found) is fwad(torch).UnpackedDualTensor
    assert repr(found) == "UnpackedDualTensor(primal=tensor([1.]), tangent=tensor([2.]))"


@row("T059")
def test_t059_enter_and_exit(torch: Any) -> None:
    fw = fwad(torch)
    assert fw.enter_dual_level() == 0
    text = "Trying to exit a forward AD level that was not the last one that was created. This is not supported."
    with raises(RuntimeError, text):
        fw.exit_dual_level(level=1)
    fw.exit_dual_level()
    with raises(RuntimeError, "Dual level must be a positive number."):
        fw.exit_dual_level()
    assert fw.enter_dual_level() == 0
    fw.exit_dual_level(level=0)
    assert current(torch) == -1


@row("T060")
def test_t060_inside_a_level(torch: Any) -> None:
    fw = fwad(torch)
    text = "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first."
    with raises(RuntimeError, text):
        fw.make_dual(torch.ones(1), torch.ones(1))
    assert fw.unpack_dual(torch.ones(1)).tangent is None


@row("T061")
def test_t061_nested(torch: Any) -> None:
    fw = fwad(torch)
    with (
        fw.dual_level(),
        raises(RuntimeError, "Nested forward mode AD is not supported at the moment"),
    ):
        fw.enter_dual_level()


@row("T062")
def test_t062_cleared(torch: Any) -> None:
    fw = fwad(torch)
    with fw.dual_level():
        d = fw.make_dual(torch.ones(1), torch.ones(1))
    with fw.dual_level():
        assert fw.unpack_dual(d).tangent is None


@row("T063")
def test_t063_sizes(torch: Any) -> None:
    fw = fwad(torch)
    text = (
        "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not "
        "supported. Tensor is of size [2] while the given forward gradient is of size [1]."
    )
    with fw.dual_level(), raises(RuntimeError, text):
        fw.make_dual(torch.ones(2), torch.ones(1))


@row("T064")
def test_t064_types(torch: Any) -> None:
    fw = fwad(torch)
    with fw.dual_level():
        with raises(
            ValueError, "Expected primal to be floating point or complex, but got: torch.int64"
        ):
            fw.make_dual(torch.tensor([1]), torch.ones(1))
        with raises(
            ValueError, "Expected tangent to be floating point or complex, but got: torch.int64"
        ):
            fw.make_dual(torch.ones(1), torch.tensor([1]))
        fw.make_dual(torch.ones(1), torch.ones(1, dtype=torch.float64))
        mixed = fw.make_dual(torch.ones(1, dtype=torch.float64), torch.ones(1))
        assert same(fw.unpack_dual(mixed * 3).tangent, [3.0])


@row("T065")
def test_t065_dual_tangent(torch: Any) -> None:
    fw = fwad(torch)
    text = "Setting a forward grad that itself has a forward gradient at the same level0 is not supported."
    with fw.dual_level():
        t = fw.make_dual(torch.ones(1), torch.ones(1))
        with raises(RuntimeError, text):
            fw.make_dual(torch.ones(1), t)


@row("T066")
def test_t066_no_grad_and_detach(torch: Any) -> None:
    fw = fwad(torch)
    with fw.dual_level():
        d = fw.make_dual(torch.ones(1), torch.ones(1))
        with torch.no_grad():
            assert same(fw.unpack_dual(d * 2).tangent, [2.0])
        assert fw.unpack_dual(d.detach()).tangent is None
        e = d * 2
        e.detach_()
        assert fw.unpack_dual(e).tangent is None
        with torch.no_grad():
            assert same(fw.unpack_dual(fw.make_dual(torch.ones(1), torch.ones(1))).tangent, [1.0])


@row("T067")
def test_t067_repr(torch: Any) -> None:
    fw = fwad(torch)
    with fw.dual_level():
        d = fw.make_dual(torch.tensor([1.0, 2.0]), torch.ones(2))
        assert repr(d) == "tensor([1., 2.], tangent=tensor([1., 1.]))"


@row("T068")
def test_t068_out(torch: Any) -> None:
    fw = fwad(torch)
    text = "Trying to use forward AD with add_out that does not support it because it is an out= function"
    with fw.dual_level():
        d = fw.make_dual(torch.ones(1), torch.ones(1))
        with raises(NotImplementedError, text):
            torch.add(d, d, out=torch.zeros(1))
        with raises(NotImplementedError, text):
            torch.add(torch.ones(1), torch.ones(1), out=d)
        sine = text.replace("add_out", "sin_out")
        with raises(NotImplementedError, sine):
            torch.sin(torch.ones(1), out=d)
        with raises(NotImplementedError, sine):
            torch.sin(d, out=torch.zeros(1))
        assert same(fw.unpack_dual(d).tangent, [1.0])


NO_WAY_FORWARD = {
    "igamma": ("igamma", lambda t, a, c: t.igamma(a, c)),
    "igammac": ("igammac", lambda t, a, c: t.igammac(a, c)),
    "igamma, second": ("igamma", lambda t, a, c: t.igamma(c, a)),
    "zeta": ("special_zeta", lambda t, a, c: t.special.zeta(a + 1, c)),
    "zeta, second": ("special_zeta", lambda t, a, c: t.special.zeta(c + 1, a)),
    "cdist": ("_cdist_forward", lambda t, a, c: t.cdist(a.view(2, 1), c.view(1, 2).mT)),
    "grid_sample": ("grid_sampler_2d", lambda t, a, c: t.nn.functional.grid_sample(
        a.view(1, 1, 1, 2), 0 * c.view(1, 1, 1, 2) + 0.2, align_corners=True
    )),
    "index_reduce": ("index_reduce", lambda t, a, c: c.index_reduce(0, t.tensor([0, 0]), a, "prod")),
    "bincount": ("aten::bincount", lambda t, a, c: t.bincount(t.tensor([0, 1]), a)),
}  # fmt: skip


@row("T069")
@pytest.mark.parametrize("name", NO_WAY_FORWARD)
def test_t069_without_formula(torch: Any, name: str) -> None:
    """Refused so, or right: there are formulas here that torch lacks."""
    called, fn = NO_WAY_FORWARD[name]
    fw, h = fwad(torch), 1e-6
    a, da, c = (torch.tensor(v, dtype=torch.double) for v in ([1.5, 0.7], [1.0, -0.5], [0.8, 2.1]))
    with fw.dual_level():
        try:
            found = fw.unpack_dual(fn(torch, fw.make_dual(a, da), c)).tangent
        except NotImplementedError as error:
            text = f"Trying to use forward AD with {called} that does not support it"
            more = "" if "::" in called else " because it has not been implemented yet.\n"
            check(str(error), text + more)
        else:
            assert found is not None
            both = fn(torch, a + h * da, c) - fn(torch, a - h * da, c)
            assert close(found, both / (2 * h), 1e-6)


@row("T070")
def test_t070_reverse_over_forward(torch: Any) -> None:
    fw = fwad(torch)
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    t = torch.tensor([1.0, 1.0], requires_grad=True)
    with fw.dual_level():
        d = fw.make_dual(x, t)
        tt = fw.unpack_dual(d * d).tangent
        gx, gt = torch.autograd.grad(tt.sum(), (x, t))
    assert same(gx, [2.0, 2.0])
    assert same(gt, [2.0, 4.0])
    assert same(
        torch.autograd.functional.hvp(lambda v: (v * v).sum(), x.detach(), torch.ones(2))[1],
        [2.0, 2.0],
    )


@row("T071")
def test_t071_forward_over_reverse(torch: Any) -> None:
    fw = fwad(torch)
    x, v = torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([1.0, 0.0])
    with fw.dual_level():
        d = fw.make_dual(x, v)
        (g,) = torch.autograd.grad((d**3).sum(), d, create_graph=True)
        out = fw.unpack_dual(g)
        (h,) = torch.autograd.grad((d.relu() ** 2).sum(), d, create_graph=True)
        kinked = fw.unpack_dual(h).tangent
    assert same(out.primal, [3.0, 12.0])
    assert same(out.tangent, [6.0, 0.0])
    assert same(kinked, [2.0, 0.0])


@row("T072")
def test_t072_writes_and_views(torch: Any) -> None:
    fw = fwad(torch)
    with fw.dual_level():
        dual = fw.make_dual(torch.ones(2), torch.ones(2))
        view = dual.narrow(0, 0, 1)
        view *= 2
        assert same(fw.unpack_dual(dual).tangent, [2.0, 1.0])
        baz = torch.zeros(2)
        baz[0] = dual[0]
        assert same(fw.unpack_dual(baz).tangent, [2.0, 0.0])
        copy = dual.clone()
        copy[0] *= 3
        assert same(fw.unpack_dual(copy).tangent, [6.0, 1.0])
        assert same(fw.unpack_dual(dual).tangent, [2.0, 1.0])


@row("T073")
def test_t073_of_the_whole_process(torch: Any) -> None:
    found = []
    with fwad(torch).dual_level():
        thread = threading.Thread(target=lambda: found.append(current(torch)))
        thread.start()
        thread.join()
    assert found == [0]
    with fwad(torch).dual_level():
        d = fwad(torch).make_dual(torch.ones(1), torch.ones(1))
        thread = threading.Thread(
            target=lambda: found.append(fwad(torch).unpack_dual(d * 2).tangent)
        )
        thread.start()
        thread.join()
    assert same(found[1], [2.0])
    with fwad(torch).dual_level():
        assert fwad(torch).unpack_dual(d).tangent is None


@pytest.mark.parametrize("way", ["jvp", "dual level", "jacfwd", "jvp of jvp", "a kink"])
def test_a_closed_level_leaves_nothing_behind(way: str) -> None:
    """What was computed in a level is freed at once, though tangents lead to nodes that have them."""
    import retrograd as torch

    def cubed(t: Any) -> Any:
        return (t - 1).abs() * t**3 if way == "a kink" else t.exp() * t**3

    x = torch.tensor([0.4, 1.9], dtype=torch.float64, requires_grad=True)
    seen = []

    def f(t: Any) -> Any:
        made = cubed(t)
        seen.append(weakref.ref(made))
        return made

    gc.collect()
    gc.disable()
    try:
        if way == "a kink":
            torch.func.jvp(
                lambda t: torch.func.grad(lambda q: f(q).sum())(t), (x,), (torch.ones_like(x),)
            )
        elif way == "jvp":
            torch.func.jvp(f, (x,), (torch.ones_like(x),))
        elif way == "jacfwd":
            torch.func.jacfwd(f)(x)
        elif way == "jvp of jvp":
            one = torch.ones_like(x)
            torch.func.jvp(lambda t: torch.func.jvp(f, (t,), (one,))[1], (x,), (one,))
        else:
            with torch.autograd.forward_ad.dual_level():
                f(torch.autograd.forward_ad.make_dual(x, torch.ones_like(x)))
        node = weakref.ref(x.view_as(x).grad_fn.next_functions[0][0])
        assert [ref() for ref in seen] == [None]
        del x
        assert node() is None
    finally:
        gc.enable()
