"""The double answers like the wheel, which was asked without a device: same looks, same refusals, same crossings.

It may refuse more, where an operand is the host's; it accepts nothing that the wheel refuses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from . import counters, modules
from .wheel import observe, samples

WHEEL = observe.load()
KERNELS = WHEEL.pop(observe.KERNELS)
VERSIONS = WHEEL.pop(observe.VERSIONS)
pytestmark = pytest.mark.skipif(
    np.__version__.split(".")[:2] != VERSIONS[1].split(".")[:2],
    reason="the wheel was asked through another NumPy",
)
NOT_LOOKS = {"tuple", "list", "host", "value"}
HOST = re.compile(
    r"\b(h|hv|h0|hi|L|1\.5)\b"
)  # operands of the host, and numbers where an array is due

# Accepted by CuPy and refused here, on arrays of the device.
STRICTER = {
    "cp.concatenate([v, v], axis=i0)": "an array of the device as an axis",
    "cp.mean(a, axis=0, out=n[0])": "a mean in integers",
    **dict.fromkeys(
        (
            "cp.i0(z)",
            "cp.arctan2(g, z)",
            "cp.copysign(g, z)",
            "cp.hypot(g, z)",
            "cp.nextafter(g, z)",
        ),
        "NumPy has no complex loop",
    ),
}
# Of the host, and accepted by both, but told differently.
CROSSINGS = {"cp.tile(1.5, 2)": "a number becomes an array: no upload of NumPy's"}


@contextmanager
def watched() -> Iterator[Any]:
    """What has crossed and was launched since the last question."""
    with counters.counted() as counts:

        def happened() -> tuple[str, int]:
            kinds, launched = set(counts.transfers), counts.launched
            counts.transfers.clear()
            counts.launches.clear()
            ways = [("to the device", "upload" in kinds), ("to the host", bool(kinds - {"upload"}))]
            return " ".join(way for way, true in ways if true), launched

        yield happened


@pytest.fixture(scope="module")
def double() -> dict[str, Any]:
    pytest.importorskip("scipy")
    with modules.installed() as cp, watched() as happened:
        import cupyx

        return observe.observed(cp, cupyx, happened)


def refused(answer: Any) -> bool:
    return isinstance(answer, dict) and not NOT_LOOKS & set(answer)


def by_the_host(call: str) -> bool:
    return HOST.search(call) is not None


def test_every_sample_was_asked() -> None:
    assert set(WHEEL) <= set(samples.calls())
    assert len(WHEEL) > 0.9 * len(samples.calls())


def test_results_look_alike(double: dict[str, Any]) -> None:
    """Shapes, kinds of numbers and strides."""
    wrong = {
        call: (double[call][0], wheel)
        for call, (wheel, *_) in WHEEL.items()
        if not refused(wheel) and not refused(double[call][0]) and double[call][0] != wheel
    }
    assert wrong == {}


def test_nothing_is_accepted_that_cupy_refuses(double: dict[str, Any]) -> None:
    assert [
        call
        for call, (wheel, *_) in WHEEL.items()
        if refused(wheel) and not refused(double[call][0])
    ] == []


def test_nothing_is_refused_that_cupy_accepts_on_the_device(double: dict[str, Any]) -> None:
    stricter = {
        call
        for call, (wheel, *_) in WHEEL.items()
        if not refused(wheel) and refused(double[call][0])
    }
    assert {call for call in stricter if not by_the_host(call)} == set(STRICTER)


def test_refusals_have_the_same_type(double: dict[str, Any]) -> None:
    """Of calls with arrays of the device; AxisError and UFuncTypeError count as what they derive from."""
    bases = {"AxisError": "ValueError", "UFuncTypeError": "TypeError", "_UFuncNoLoopError": "TypeError",
             "LinAlgError": "ValueError"}  # fmt: skip
    wrong = []
    for call, (wheel, *_) in WHEEL.items():
        ours = double[call][0]
        if refused(wheel) and refused(ours) and not by_the_host(call):
            kinds = [bases.get(name, name) for one in (wheel, ours) for name in one]
            if kinds[0] != kinds[1]:
                wrong.append((call, wheel, ours))
    assert wrong == []


def test_values_cross_where_they_do_in_cupy(double: dict[str, Any]) -> None:
    """The figure that counts: a call that leaves the device there leaves it here."""
    wrong = {
        call: (ours[1], ways)
        for call, (wheel, ways, _) in WHEEL.items()
        if not refused(wheel) and not refused((ours := double[call])[0]) and ours[1] != ways
    }
    assert set(wrong) == set(CROSSINGS)


def test_views_launch_nothing(double: dict[str, Any]) -> None:
    """A call launches a kernel here if it launches one there; how many it is inside, the double does not say."""
    wrong = {
        call: (ours[2], launched)
        for call, (wheel, _, launched) in WHEEL.items()
        if not refused(wheel)
        and not refused((ours := double[call])[0])
        and not by_the_host(call)
        and bool(ours[2]) != bool(launched)
    }
    assert wrong == {"cp.ix_([0, 1], [0])": (1, 0)}  # CuPy uploads two arrays, NumPy makes them


# Errors a person reads, word for word.
TEXTS = """np.asarray(a); np.add(v, hv); v + hv; hv + v; v + h0; cp.add(L, v); range(i0); [1, 2][i0]; hash(a); bool(a); len(s)
    iter(s); a.item(); a[0] = h[0]; a[:] = h; a[5]; a[0, 0, 0]; a[h]; cp.zeros(3, object); cp.zeros(3, 'U3'); np.from_dlpack(a)
    a.get(out=a); a.get(out=hv); a.set(a); np.multiply.at(v, i, 1.0); np.maximum.reduce(v); np.minimum.accumulate(v); cp.add.at(z, i, 1.0)
    np.add(a, a, where=b); cp.add(a, a, order='F'); cp.sum(a, where=b); cp.sum(a, initial=0); cp.add(a, a, out=v); cp.add(a, a, out=n)
    np.block([[a, a]]); np.insert(a, 0, 1.0); np.linalg.svdvals(a); np.full(2, 1.0, like=a); np.copyto(a, h); h.T @ a; a @ h.T
    cp.linalg.solve(h, h); cp.linalg.qr(a, 'economic'); cp.where(True, a, a); cp.dot(a, 2.0); cp.from_dlpack(h); v += hv; -b; a.fill(hv)
    a.fill(a); cp.choose(i, [v, v]); cp.ascontiguousarray(1.0); a.ctypes; a.resize((2,)); a.setflags(write=False); cp.split(a, cp.array([1]))"""


@pytest.mark.parametrize(
    "call", [one.strip() for line in TEXTS.split("\n") for one in line.split(";")]
)
def test_texts_are_cupys(call: str, double: dict[str, Any]) -> None:
    assert double[call][0] == WHEEL[call][0]


def test_bounds_wrap_and_writes_race_in_cupys_own_kernels() -> None:
    """No kernel looks whether an index is in bounds; a write is a plain store of one thread among many."""
    assert KERNELS == {
        "take": {"wraps": True, "atomic": False},
        "write": {"wraps": True, "atomic": False},
        "add.at": {"wraps": True, "atomic": True},
    }


def test_the_wheels_memory_is_not_ours() -> None:
    """The answers hold no values: those of the wheel are nothing."""
    assert not any(
        isinstance(one, float)
        for wheel, *_ in WHEEL.values()
        for one in np.ravel(np.array(wheel, object))
    )
