"""What a reviewer would strike out of a gradient's text must not be in it; the gradient is right."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg

rng = np.random.default_rng(0)
GRID = ((0, 1), (2, 0))
PARTS = (("single", 0), ("pair", 1, 2))


def text_of(f: Any, *args: Any, wrt: Any = 0) -> str:
    rg.check_grads(f, args, order=2)
    return rg.differentiate(f, wrt=wrt).source("grad", *args)


def swept(x: Any, a: Any) -> Any:
    x = x.copy()
    for _ in range(3):
        x += a * np.sin(x)
    return np.sum(x**2)


def test_a_whole_array_written_over_leaves_no_zeros_behind() -> None:
    text = text_of(swept, np.array([0.1, 0.2]), np.array([0.3, 0.4]))
    assert "[...]" not in text
    assert text.count(".copy()") == 2  # the argument's, and what sin read


def filled(x: Any, y: Any) -> Any:
    buffer = np.zeros(3)
    buffer[...] = x
    first = np.sum(buffer**2)
    buffer[...] = np.sin(y)
    return first + np.sum(buffer * x)


def test_what_was_written_over_has_no_adjoint_left() -> None:
    x, y = np.array([1.0, 2.0, 3.0]), np.array([0.1, 0.2, 0.3])
    got = rg.grad(filled, wrt=("x", "y"))(x, y)
    np.testing.assert_allclose(got[0], 2 * x + np.sin(y))
    np.testing.assert_allclose(got[1], np.cos(y) * x)


def turned(x: Any, t: Any) -> Any:
    m = np.array([[np.cos(t), -np.sin(t)], [np.sin(t), 1.0]])
    v = np.array([x[0] * t, x[1]])
    return np.sum((m @ v) ** 2)


def test_an_array_of_numbers_gives_back_its_entries() -> None:
    text = text_of(turned, np.array([0.4, 0.7]), 0.3, wrt=("x", "t"))
    assert "rt." not in text.partition("\ndef ")[2]  # but for the guard


def copied(x: Any) -> Any:
    return np.sum(np.array(x) ** 2) + np.sum(np.sin(np.copy(x)))


def test_a_copy_gives_back_the_whole() -> None:
    text = text_of(copied, np.array([1.0, 2.0]))
    assert "rt." not in text.partition("\ndef ")[2]  # but for the guard


def squares(x: Any, w: Any) -> Any:
    y = w @ x
    return np.sqrt(y @ y) * np.sum(y)


def test_a_vector_times_itself_has_one_term() -> None:
    text = text_of(squares, np.array([0.3, 0.5]), np.array([[1.0, 2.0], [3.0, 5.0]]))
    assert text.count("w.T @") == 1


def lengths(x: Any, w: Any) -> Any:
    total = 0.0
    for i in range(len(x)):
        for j in range(len(w)):
            total += np.sin(x[i] * w[j]) / x.shape[0]
    return total


def test_sizes_are_neither_asked_in_a_loop_nor_kept() -> None:
    x, w = np.array([1.0, 2.0]), np.array([0.1, 0.2, 0.3])
    text = text_of(lengths, x, w)
    assert "w_length" not in "".join(line for line in text.splitlines() if "append" in line)
    assert text.index("w_length = len(w)") < text.index("for ")
    assert rg.grad(lengths)(np.zeros(0), w).shape == (0,)


def grown(x: Any, n: int) -> Any:
    total = np.sum(x)
    for _ in range(n):
        total += np.sin(total) / len(x)
        x = np.concatenate((x, [0.5]))
    return total


def test_the_size_of_what_grows_is_asked_every_time() -> None:
    text_of(grown, np.array([0.1, 0.2]), 3)


def picked(x: Any, k: Any) -> Any:
    return np.sum(np.sin(x[k]))


def spread(x: Any) -> Any:
    return np.sum(np.where(x > 0, x, 0.1 * x) * np.maximum(x, 0.5))


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (picked, (np.array([0.1, 0.2, 0.3]), np.array([0, 2, 2]))),
        (spread, (np.array([1.0, -2.0]),)),
    ],
)
def test_what_is_new_is_not_copied(f: Any, args: Any) -> None:
    assert "copy" not in text_of(f, *args)


def cheapest(x: Any, c: float) -> Any:
    best = np.zeros(4)
    for i in range(1, 4):
        best[i] = min(best[i - 1] + x[i] ** 2, c) + max([x[i], 0.1])
    return best[3]


def test_the_least_of_numbers_is_a_number() -> None:
    text = text_of(cheapest, np.array([0.1, 0.5, 0.2, 0.9]), 0.4)
    assert "unbroadcast" not in text


def escape(c: float, n: int) -> Any:
    z = 0.0
    for _ in range(n):
        z = z * z + c
        if z > 2.0:
            break
    return z


def test_an_index_that_is_read_has_a_name() -> None:
    text = text_of(escape, 0.6, 9)
    assert " _ ==" not in text
    assert "for _, " not in text


def weighed(c: Any) -> Any:
    total = 0.0
    for n, (i, j) in enumerate(GRID):
        total += n * c[i] * c[j]
    for pair, part in zip(GRID, PARTS, strict=True):
        match part:
            case ("single", i):
                total += np.sin(c[i]) * pair[0]
            case ("pair", i, j):
                total += np.sin(c[i]) * c[j] * pair[0]
    for i, j in reversed(GRID):
        total += c[i] ** 2 * c[j]
    return total


def test_a_constant_tuple_is_looped_over(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.array([0.2, 0.5, 0.7])
    text_of(weighed, x)
    before = rg.grad(weighed)(x)
    monkeypatch.setitem(weighed.__globals__, "GRID", ((0, 1), (1, 0)))
    after = rg.grad(weighed)(x)
    assert not np.allclose(before, after)
    rg.check_grads(weighed, (x,))


def scaled_sum(x: Any, weights: Any, bounds: Any) -> Any:
    n, _, m = x.shape
    low, high = bounds
    a, b, c = weights
    return np.sum(np.sin(x)) * (a * n + b * m) + c * low * high


def test_a_tuple_is_taken_apart_at_once() -> None:
    args = rng.normal(size=(2, 3, 4)), (0.5, 0.2, 0.3), [0.1, 0.2]
    text = text_of(scaled_sum, *args, wrt=("x", "weights"))
    assert "n, _, m = x.shape" in text
    assert "a, b, _ = weights" in text
    assert "low, high = bounds" in text
    assert "shape[" not in text


def product_of_sizes(x: Any) -> Any:
    m = x.shape[1]
    n = x.shape[0]
    return np.sum(x * x) * n * m


def test_items_read_in_another_order_are_left_apart() -> None:
    assert "m, n" not in text_of(product_of_sizes, rng.normal(size=(2, 3)))


def mean_square(x: Any, w: Any) -> Any:
    total = 0.0
    for k in range(3):
        total += np.mean(np.tanh(w @ x + k) ** 2)
    return total


def test_no_array_is_kept_for_its_size() -> None:
    text = text_of(mean_square, rng.normal(size=3), rng.normal(size=(2, 3)))
    assert "power" not in text
    assert "tanh.size" in text


def orthogonalised(a: Any) -> Any:
    q = a.copy()
    total = 0.0
    for j in range(a.shape[1]):
        for i in range(j):
            c = q[:, i] @ q[:, j]
            q[:, j] -= c * q[:, i]
            total += c**2
        q[:, j] /= np.sqrt(q[:, j] @ q[:, j])
    return total + q[0, 1]


def test_a_tape_within_a_tape_is_not_copied_once_its_parts_are() -> None:
    assert " rt.copy(" not in text_of(orthogonalised, rng.normal(size=(4, 3)))


def flattened(x: Any) -> Any:
    y = x[np.array([0, 1, 1])]
    return np.sum(np.sqrt(np.mean(np.abs(np.diag(np.outer(y, y))) ** 2)))


def test_a_factor_for_each_entry_is_not_stretched_first() -> None:
    assert "stretch" not in text_of(flattened, np.array([0.3, 0.7]))


def bent(z: Any) -> Any:
    return z[:-2] + z[2:] - 2 * z[1:-1]


def smoothed(u: Any, k: Any) -> Any:
    u = u.copy()
    for _ in range(2):
        u[1:-1] += k * bent(u) * u[1:-1]
    return np.sum(bent(u) * u[1:-1])


def test_a_helper_written_in_place_knows_the_sizes_of_its_arguments() -> None:
    assert "unbroadcast" not in text_of(smoothed, rng.normal(size=5), 0.1)


def of_two_sizes(u: Any, v: Any) -> Any:
    return np.sum(bent(u) * np.sin(bent(v)))


def test_a_helper_on_arrays_of_two_sizes_is_stretched() -> None:
    u, v = rng.normal(size=3), rng.normal(size=6)
    rg.check_grads(of_two_sizes, (u, v))
    assert rg.grad(of_two_sizes)(u, v).shape == (3,)


def ridge(w: Any, lam: Any) -> Any:
    return lam * np.sum(w**2)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("lam", [0.3, np.float32(0.3), np.float64(0.3), np.array(0.3)])
def test_numbers_stand_together_before_an_array(dtype: Any, lam: Any) -> None:
    w = np.array([0.4, -0.7], dtype)
    got = rg.grad(ridge)(w, lam)
    assert got.dtype == dtype
    np.testing.assert_allclose(got, 2 * float(lam) * w, rtol=1e-6)
    assert "return 2 * lam * w" in rg.differentiate(ridge).source("grad", w.astype(float), 0.3)


def test_what_may_be_an_array_is_no_number() -> None:
    w, lam = np.array([0.4, -0.7]), np.array([0.3, 0.5])
    np.testing.assert_allclose(rg.vjp(ridge, w, lam)[1](np.ones(2))[0], 2 * w * lam.sum())
