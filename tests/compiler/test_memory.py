"""Memory: what is believed of operations is measured, and programs that write through views are right."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.helpers.linalg.einsum import shows_operand
from retrograd.runtime.traits.lookup import traits_of
from tests.programs.array_layouts import Case
from tests.sweeps.array_layouts import Table, chosen
from tests.sweeps.memory_facts import arrays_in, layouts, measured


def test_what_is_believed_is_so() -> None:
    counts, wrong = measured(some=1, names=("strided",))
    assert not wrong
    assert counts["measured"] > 1500


def test_some_of_the_table() -> None:
    table = Table().run(chosen(25, 3))
    assert not table.failures
    assert table.counts["reverse: right"] > 8


@pytest.mark.parametrize("source", ["a[::-1]", "a[::2]", "np.flip(a)", "(a + 1j * a).real", "(a + 1j * a).imag",
                                    "np.real(np.fft.ifft(a))", "np.outer(a, a)[:, 1]", "np.sort(a)[::-1]",
                                    "a.reshape(2, 3).T", "a.reshape(2, 3)[:, 1]"])  # fmt: skip
@pytest.mark.parametrize("operation", ["s.ravel()", "s.reshape(-1)"])
def test_what_is_not_contiguous_is_not_taken_for_a_view(source: str, operation: str) -> None:
    writes = ("z[0] += z[-1]", "s *= 3.0")
    table = Table(("reverse", "check"), strict=False)
    table.run(Case(source, operation, write, "vector") for write in writes)
    assert not table.failures
    assert operation != "s.ravel()" or table.counts["reverse: right"] >= 1  # the tape refuses some


def reversed_row(x: Any) -> Any:
    z = (2.0 * x)[::-1].ravel()
    z[0] = 10.0
    return np.sum(z * z)


def rotation(a: Any, i: int, j: int) -> Any:
    R = np.zeros((3, 3))
    s = np.sin(a)
    R[..., i, j] = 2 * s
    R[..., j, i] = s
    return np.sum(R * R)


def seen_item(x: Any) -> Any:
    y = 2.0 * x
    v = y[..., 1]
    y[1] = 5.0
    return np.sum(y * y) + v * 3.0


def of_a_number(x: Any) -> Any:
    y = np.asarray(2.0 * x)
    y[y < 0] = 0.0
    return np.sum(y * y)


@pytest.mark.parametrize("backend", [None, "c"])
def test_what_was_wrong(backend: Any) -> None:
    x = np.array([1.0, 2.0, 3.0])
    value, slopes = rg.value_and_grad(reversed_row, backend=backend)(x)
    assert value == 120.0
    assert slopes.tolist() == [8.0, 16.0, 0.0]
    slope = rg.grad(rotation, backend=backend)(0.7, 1, 2)
    assert slope == pytest.approx(5 * np.sin(1.4))
    value, slopes = rg.value_and_grad(seen_item, backend=backend)(x)
    assert value == 80.0
    assert slopes.tolist() == [8.0, 0.0, 24.0]


@pytest.mark.parametrize("x", [1.0, -1.0, np.array(1.0), np.float64(0.5)])
def test_an_array_of_rank_0_is_written_to(x: Any) -> None:
    assert rg.grad(of_a_number)(x) == (8 * x if x > 0 else 0.0)
    assert rg.differentiate(of_a_number).jvp((x,), (1.0,))[1] == (8 * x if x > 0 else 0.0)


V = np.array([1.0, 2.0, 3.0, 4.0])


def parts(t: Any) -> Any:
    v, w = t * V, t * t * V[::-1]
    y = np.zeros(4, dtype=complex)
    y.real = v
    y.imag[1:] = w[1:]
    return np.sum(np.abs(y) ** 2 * v)


def test_parts_of_complex_arrays_are_written_to_in_the_second_order() -> None:
    cubes, fifths = np.sum(V**3), np.sum(V[1:] * V[::-1][1:] ** 2)
    assert rg.grad(parts)(1.3) == pytest.approx(3 * cubes * 1.3**2 + 5 * fifths * 1.3**4)
    assert rg.grad(rg.grad(parts))(1.3) == pytest.approx(6 * cubes * 1.3 + 20 * fifths * 1.3**3)


def test_an_item_of_what_does_not_lie_in_order() -> None:
    gradient = rg.grad(lambda x: x.item(1) ** 2)(np.asfortranarray([[1.0, 2.0], [3.0, 4.0]]))
    assert gradient.tolist() == [[0.0, 4.0], [0.0, 0.0]]


def part_of_single(x: Any) -> Any:
    y = x.copy()
    y.real = y.imag**2
    return y


def test_the_tangent_of_single_complex_numbers_stays_single() -> None:
    x = np.array([0.5 + 0.25j, 1j], np.complex64)
    value, dot = rg.jvp(part_of_single, (x,), (x,))
    assert value.dtype == dot.dtype == np.complex64
    np.testing.assert_allclose(dot, 2.0 * x.imag**2 + 1j * x.imag)


NEW = {
    np.linalg.matrix_rank: "f(x)", np.argpartition: "f(x, 0)", np.nanargmax: "f(x, axis=0)", np.nanargmin: "f(x)",
    np.digitize: "f(x, [0.0, 1.0])", np.isin: "f(x, [1.0])", np.iscomplex: "f(x)", np.isreal: "f(x)",
    np.isneginf: "f(x)", np.isposinf: "f(x)", np.unravel_index: "f(x.astype(int), (9, 9))",
    np.ravel_multi_index: "f((x.astype(int), x.astype(int)), (9, 9))", np.lexsort: "f((x, x))", np.linalg.trace: "f(x)",
    divmod: "f(x, 2.0)", np.shape: "f(x)",
}  # fmt: skip


@pytest.mark.parametrize("operation", NEW, ids=lambda fn: fn.__name__)
def test_results_without_a_derivative_are_new(operation: Any) -> None:
    assert traits_of(operation).memory == "new"
    for whole in (np.array([3.0, 1.0, 2.0]), np.arange(4.0).reshape(2, 2)):
        for x in layouts(whole).values():
            try:
                z = eval(NEW[operation], {"f": operation, "x": x, "np": np})
            except ValueError:  # the trace of a row
                continue
            made = list(arrays_in(z))
            assert not any(np.shares_memory(part, x) for part in made)
            assert all(part.flags.writeable for part in made)


@pytest.mark.parametrize(
    "subscripts",
    ["i", "ij", "ij->ji", "ii->i", "...ii->...i", "ijj->ji", "ij->i", "ii", "ii->", "i->..."],
)
def test_a_sum_of_nothing_is_a_view(subscripts: str) -> None:
    for whole in (
        np.array([3.0, 1.0]),
        np.arange(4.0).reshape(2, 2),
        np.arange(8.0).reshape(2, 2, 2),
    ):
        for x in layouts(whole).values():
            try:
                z = np.einsum(subscripts, x)
            except ValueError:  # of another rank
                continue
            assert np.shares_memory(z, x) == shows_operand(subscripts)
            assert not shows_operand(subscripts) or z.flags.writeable == x.flags.writeable
