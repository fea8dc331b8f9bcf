"""``backend="cuda"`` on the double: what the text for the device gives, in fewer launches; and what C gives, bit for bit."""

from __future__ import annotations

import importlib
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.native.c import toolchain
from retrograd.compiler.native.compile import compiled as native
from retrograd.compiler.native.compile import text_of
from retrograd.runtime.errors import BackendUnavailable, InternalError
from retrograd.runtime.objects.pytree import leaves

from ..golden_case import Case, cases, flat
from ..strict_cupy import counted, no_transfers
from ..strict_cupy.kernels import host_compiler
from .golden_on_device import down, up
from .kernels_on_device import of_case
from .test_golden_on_device import ASK, REFUSED

pytestmark = [
    pytest.mark.cupy,
    pytest.mark.skipif(
        host_compiler.compiler() is None, reason="kernels of the double need a C++ compiler"
    ),
]
CASES = list(cases())
with_c = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)


@pytest.fixture(autouse=True)
def strictly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_VERIFY", "1")


@pytest.mark.sampled(6)
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_golden_program(cupy: Any, case: Case) -> None:
    if case.name in REFUSED:
        pytest.skip("CuPy refuses what the program hands to it")
    args = up(cupy, case.arguments())
    if not any(isinstance(x, cupy.ndarray) for x in leaves(args)):
        pytest.skip("its arguments are numbers")
    text, kernels = of_case(case, args, None), of_case(case, args, "cuda")
    found, wanted = flat(down(cupy, kernels.result)), flat(down(cupy, text.result))
    np.testing.assert_allclose(found, wanted, 1e-9, 1e-12)
    assert kernels.counts.launched <= text.counts.launched
    assert kernels.counts.transferred <= text.counts.transferred
    if case.name not in ASK:
        assert kernels.counts.transferred == 0
    person = by_hand(case.name)
    if person is not None:
        given = up(cupy, case.arguments())[: person.__code__.co_argcount]
        with counted() as counts:
            written = person(*given)
        np.testing.assert_allclose(flat(down(cupy, written)), wanted, 1e-9, 1e-12)
        assert kernels.counts.launched <= counts.launched


def by_hand(name: str) -> Any:
    """What a person wrote for a program, with the library that is installed now."""
    module = importlib.reload(importlib.import_module("tests.device.by_hand"))
    return module.BY_HAND.get(name)


# -- bit for bit what C gives -----------------------------------------------------------

ELEMENTWISE: dict[str, Callable[..., Any]] = {
    "arithmetic": lambda x, y: np.sum((x + y) * (x - y) / (x * x + 1.0) - 3.0 * y),
    "powers": lambda x, y: np.sum(x**3 + y**2 - x**4 + (y * y + 1.0) ** 1.7 + (x * x + 2.0) ** 0.5),
    "exponentials": lambda x, y: np.sum(np.exp(-x * x) * np.expm1(y) + np.exp2(x) + np.log1p(y * y)),
    "logarithms": lambda x, y: np.sum(np.log(x * x + 0.5) * np.log2(y * y + 0.5) + np.log10(x * x + 1)),
    "trigonometry": lambda x, y: np.sum(np.sin(x) * np.cos(y) + np.tan(0.3 * x) - np.arctan(y)),
    "inverse": lambda x, y: np.sum(np.arcsin(0.2 * np.tanh(x)) + np.arccos(0.3 * np.tanh(y)) + np.arctan2(x, y)),
    "hyperbolic": lambda x, y: np.sum(np.sinh(0.5 * x) + np.cosh(0.5 * y) * np.tanh(x) + np.arcsinh(y)),
    "choices": lambda x, y: np.sum(np.where(x > y, x * y, np.abs(y)) + np.maximum(x, 0.0) * np.minimum(y, 1.0)),
    "clipped": lambda x, y: np.sum(np.clip(x, -0.5, 0.5) ** 2 * y + np.sign(y) * x),
    "roots": lambda x, y: np.sum(np.sqrt(x * x + y * y) + np.cbrt(x * x + 1.0) + np.hypot(x, y)),
    "logaddexp": lambda x, y: np.sum(np.logaddexp(x, y) * np.square(x)),
    "slices": lambda x, y: np.sum(100.0 * (x[1:] - y[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2),
    "steps": lambda x, y: np.sum(x[::2] * y[::2] ** 2) + np.sum(x[::-1] * y),
    "columns": lambda x, y: np.sum(np.sin(x[:, None] * y[None, :])),
    "in_place": lambda x, y: overwritten(x, y),
    "recurrence": lambda x, y: recurrence(x, y),
}  # fmt: skip


def overwritten(x: Any, y: Any) -> Any:
    z = x * y
    z[1:-1] = z[1:-1] * x[:-2] + 0.5
    z += y
    return np.sum(z * z)


def recurrence(x: Any, y: Any) -> Any:
    h = 0.1 * x[0]
    for t in range(1, len(x)):
        h = np.tanh(h * y[t] + x[t])
    return h * h


def arrays(dtype: Any, n: int = 37) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(11)
    return rng.normal(size=n).astype(dtype), rng.normal(size=n).astype(dtype)


CONTRACTED, APART = "-ffp-contract=fast", "-ffp-contract=off"


@pytest.fixture
def uncontracted(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Iterator[None]:
    """Which product of ``a * b - c * d`` is rounded is the compiler's choice, here and on a device: let it round both."""
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    for module in (toolchain, host_compiler):
        flags = tuple(APART if flag == CONTRACTED else flag for flag in module.FLAGS)
        monkeypatch.setattr(module, "FLAGS", flags)
    toolchain.stamp.cache_clear()
    host_compiler.library.cache_clear()
    yield
    toolchain.stamp.cache_clear()
    host_compiler.library.cache_clear()


# A sum of several elements may be added up in another order.
SUMS = {"columns"}


@with_c
@pytest.mark.parametrize("name", ELEMENTWISE)
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_gradients_as_in_c(cupy: Any, uncontracted: None, name: str, dtype: str) -> None:
    args = arrays(dtype)
    in_c = rg.grad(ELEMENTWISE[name], wrt=(0, 1), backend="c", accuracy="libm")
    on_device = rg.grad(ELEMENTWISE[name], wrt=(0, 1), backend="cuda")
    given = up(cupy, args)
    in_c(*args), on_device(*given)  # the first calls are those of the texts
    wanted = in_c(*args)
    with no_transfers(allowed=("upload",)):
        found = on_device(*given)
    assert in_c.__native__.notes == on_device.__native__.notes == []  # type: ignore[attr-defined]
    for a, b in zip(down(cupy, found), wanted, strict=True):
        assert a.dtype == b.dtype
        if name in SUMS:
            np.testing.assert_allclose(a, b, 3e-6 if dtype == "f4" else 1e-13)
        else:
            np.testing.assert_array_equal(a, b)


@with_c
@pytest.mark.parametrize(
    "name", ["arithmetic", "exponentials", "trigonometry", "choices", "slices"]
)
def test_second_derivatives_as_in_c(cupy: Any, uncontracted: None, name: str) -> None:
    args = arrays("f8")

    def slope(x: Any, y: Any) -> Any:
        return np.sum(rg.grad(ELEMENTWISE[name])(x, y) * y)

    in_c, on_device = rg.grad(slope, backend="c", accuracy="libm"), rg.grad(slope, backend="cuda")
    given = up(cupy, args)
    in_c(*args), on_device(*given)  # see above
    wanted, found = in_c(*args), on_device(*given)
    assert on_device.__native__.notes == []  # type: ignore[attr-defined]
    np.testing.assert_array_equal(found.get(), wanted)


REDUCTIONS: dict[str, Callable[..., Any]] = {
    "softmax": lambda x: np.sum((np.exp(x - x.max(axis=1, keepdims=True))) / np.sum(np.exp(x), axis=1)[:, None]),
    "rows_and_columns": lambda x: np.sum(x.sum(axis=0) ** 2) + np.sum(np.sin(x).mean(axis=1) ** 3),
    "variance": lambda x: np.var(x) + np.sum(np.std(x, axis=0)),
    "extremes": lambda x: np.sum(np.max(x, axis=1) ** 2) + np.max(x) * np.min(x),
    "norm": lambda x: np.linalg.norm(x) * np.sum(x[1:, :-1] * x[:-1, 1:]),
    "trace": lambda x: np.sum(np.diagonal(x @ x.T) ** 2),
}  # fmt: skip


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("shape", [(5, 7), (1, 4), (6, 1), (3, 2)])
def test_reductions(cupy: Any, name: str, shape: tuple[int, int]) -> None:
    x = np.random.default_rng(3).normal(size=shape)
    kernel, plain = (
        rg.value_and_grad(REDUCTIONS[name], backend="cuda"),
        rg.value_and_grad(REDUCTIONS[name]),
    )
    given = cupy.asarray(x)
    for _ in range(2):
        value, slope = kernel(given)
    wanted = plain(x)
    np.testing.assert_allclose(value.get(), wanted[0], 1e-12)
    np.testing.assert_allclose(slope.get(), wanted[1], 1e-10, 1e-13)


# -- arguments of other kinds -----------------------------------------------------------


def energy(x: Any, k: float = 2.0) -> Any:
    return np.sum(np.tanh(x) * k)


def test_other_sizes_dtypes_and_strides(cupy: Any) -> None:
    kernel, plain = rg.value_and_grad(energy, backend="cuda"), rg.value_and_grad(energy)
    base = np.linspace(0.1, 1.0, 60)
    for x in (base[:10], base[:11], base, base[::2], base[::-1], base[:1], base.reshape(20, 3), base.reshape(20, 3).T,
              base.astype(np.float32), np.zeros(0), np.zeros((0, 3))):  # fmt: skip
        tolerance = 1e-5 if x.dtype == np.float32 else 1e-12
        whole = cupy.asarray(base)
        given = cupy.asarray(x) if x.base is not base else like(whole, base, x)
        value, slope = kernel(given, 3.0)
        wanted = plain(x, 3.0)
        np.testing.assert_allclose(value.get(), wanted[0], tolerance)
        np.testing.assert_allclose(slope.get(), wanted[1], tolerance)
        assert (slope.dtype, slope.shape) == (x.dtype, x.shape)


def like(whole: Any, base: np.ndarray, x: np.ndarray) -> Any:
    """The same view of an array on the device."""
    if x.ndim == 1 and x.size:
        step = x.strides[0] // base.strides[0]
        start = (x.ctypes.data - base.ctypes.data) // base.itemsize
        stop = start + step * x.size
        return whole[start : stop if stop >= 0 else None : step]
    return whole[: x.size].reshape(x.shape if x.flags.c_contiguous else x.shape[::-1]).T if not x.flags.c_contiguous else whole[: x.size].reshape(x.shape)  # fmt: skip


def test_numbers_on_the_device_are_not_fetched(cupy: Any) -> None:
    def loss(x: Any, scale: Any) -> Any:
        return np.sum(np.exp(-scale * x * x)) / scale

    kernel = rg.grad(loss, wrt=(0, 1), backend="cuda")
    x, scale = np.linspace(-1.0, 1.0, 9), np.float64(0.7)
    given = cupy.asarray(x), cupy.asarray(0.7)
    kernel(*given)
    with no_transfers(), counted() as counts:
        slope, along = kernel(*given)
    assert counts.launched <= 4
    wanted = rg.grad(loss, wrt=(0, 1))(x, scale)
    np.testing.assert_allclose(slope.get(), wanted[0], 1e-13)
    np.testing.assert_allclose(along.get(), wanted[1], 1e-13)


def test_an_item_that_changes_under_its_name(cupy: Any) -> None:
    """On the device ``p`` is a view of ``s[0]``: a kernel does what the text does there, or leaves it to it."""
    text = """
import cupy as cp

def f(x):
    s = x * 2.0
    p = s[0]
    s[0] = 3.0 * s[1]
    t = s.sum()
    u = t
    t += 1.0
    return p * cp.exp(s) * u * 1.0
"""
    scope: dict[str, Any] = {}
    exec(text, scope)
    x = cupy.arange(4.0)
    from .kernels_on_device import with_kernels

    regions = with_kernels(text, scope["f"])
    for _ in range(6):
        found = regions.function(x)
    np.testing.assert_array_equal(found.get(), scope["f"](x).get())


# -- what a user sees -------------------------------------------------------------------

CHAIN = """
import cupy as cp

def slope(x, k):
    e = cp.exp(-k * x * x)
    return cp.sum(e), -2.0 * k * x * e
"""


def test_the_module_is_for_people(cupy: Any) -> None:
    scope: dict[str, Any] = {}
    exec(CHAIN, scope)
    found = text_of("cuda", CHAIN, "slope", scope["slope"], (cupy.ones(5), 0.5))
    assert 'slope_1 = cp.ElementwiseKernel(\n    "float64 x, float64 k",' in found
    assert "slope_2 = cp.ReductionKernel(" in found
    assert "retrograd" not in found
    own: dict[str, Any] = {}
    exec(found, own)
    total, slope = own["slope"](cupy.ones(5), 0.5)
    assert float(total) == pytest.approx(5 * np.exp(-0.5))
    assert own["slope"](cupy.ones((5, 2)), 0.5) is NotImplemented


def test_a_kernel_that_the_device_refuses(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from retrograd.compiler.native.cuda import entry

    scope: dict[str, Any] = {}
    exec(CHAIN, scope)
    refused = type("CompileException", (Exception,), {})

    def function_of(text: str, name: str) -> Any:
        def run(*args: Any) -> Any:
            raise refused("error: identifier is undefined")

        return run

    monkeypatch.setattr(entry, "function_of", function_of)
    monkeypatch.setattr(entry, "compile_errors", lambda: (refused,))
    kernel = native(
        "cuda", CHAIN, "slope", scope["slope"], (cupy.ones(5), 0.5), True, "inline", scope["slope"]
    )
    with pytest.raises(InternalError, match="a kernel of `slope` does not compile on this device"):
        kernel(cupy.ones(5), 0.5)


def test_without_cupy(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(BackendUnavailable, match="CuPy cannot be imported"):
        rg.grad(energy, backend="cuda")
