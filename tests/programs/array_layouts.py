"""Programs of three steps: an array of some layout, an operation on it, a write; and what they should give."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from tests.written import written

__all__ = ["OPERATIONS", "POINTS", "SOURCES", "WRITES", "Case", "cases", "expected", "made"]

# Arrays of every layout, made of `a`, an array of the program's own of rank 1 or 2, or of `x` itself.
SOURCES = {
    1: [
        "a", "a[::-1]", "a[::2]", "a[1:]", "a[::-2]", "a[:0]", "a[:1]", "a[None]", "a[:, None]",
        "a.reshape(2, 3)", "a.reshape(2, 3).T", "a.reshape(2, 3)[:, 1]", "a.reshape(3, 2)[:, ::-1]",
        "np.flip(a)", "np.sort(a)", "np.sort(a)[::-1]", "a.copy()", "a[::-1].copy()", "np.copy(a[::-1])",
        "a * 2.0", "a[::-1] * 2.0", "np.exp(a)[::-1]", "-a[::2]", "a + a[::-1]", "np.sin(a[::-1])",
        "(a + 1j * a).real", "(a + 1j * a).imag", "np.real(a + 2j * a)", "np.real(np.fft.ifft(a))",
        "np.real(a)", "np.outer(a, a)[:, 1]", "np.outer(a, a).T", "np.broadcast_to(a, (2, 6))",
        "np.concatenate([a, a])[::-1]", "np.zeros(6) + a", "np.asarray(a)", "np.array(a)", "np.array(a[::-1])",
        "np.array([a, a]).T", "np.stack([a, a], axis=1)", "np.stack([a, a], axis=1)[:, 0]", "np.asarray(a[0])",
        "a[2:3]", "a[...]", "a[2, ...]", "np.where(a > 1.0, a, 0.5)[::-1]", "np.cumsum(a)[::2]", "x", "x[::-1]",
        "np.squeeze(a[None])", "np.ascontiguousarray(a[::-1])", "np.repeat(a, 2)[::2]", "np.diag(a)[1]",
        "np.diagonal(np.outer(a, a))", "np.diag(np.outer(a, a))", "np.roll(a, 1)[::-1]", "np.real(a[::-1] + 0j)",
        "np.linspace(0.0, 1.0, 6) * a", "np.abs(a)[::-1]", "np.zeros_like(a[::-1]) + a", "a[np.array([0, 2, 4])]",
        "a[a > 0.0]", "np.array(2.0 * a[0])",
    ],
    2: [
        "a", "a.T", "a[::-1]", "a[:, ::-1]", "a[::2]", "a[:, ::2]", "a[:, 1]", "a[1]", "a[:, 1:3]", "a[1:]", "a[:0]",
        "a[:1]", "a[:, :1]", "a.copy()", "a.copy().T", "a.T.copy()", "np.copy(a.T)", "np.copy(a).T", "a * 2.0",
        "a.T * 2.0", "a + 1.0", "a[::-1] + 1.0", "(a + 1j * a).real", "(a + 1j * a).imag", "(a + 1j * a).T.imag",
        "np.swapaxes(a, 0, 1)", "a.swapaxes(0, 1)", "np.moveaxis(a, 0, 1)", "np.transpose(a)", "np.rot90(a)",
        "np.flip(a)", "np.fliplr(a)", "np.flipud(a)", "a[None]", "a[:, None]", "a[..., None]", "a[..., 0]",
        "a @ a.T", "(a @ a.T).T", "a.T @ a", "np.sort(a, axis=0)", "np.sort(a.T, axis=0)", "np.sort(a)[:, ::-1]",
        "a.reshape(4, 3)", "a.reshape(4, 3).T", "a.reshape(-1)", "a.ravel()", "a.T.ravel()", "a.flatten()",
        "a.T.reshape(3, 4)", "a.reshape(2, 2, 3)", "a.reshape(2, 2, 3)[:, :, 0]", "np.array(a)", "np.array(a.T)",
        "np.array(a.T, order='C')", "np.asarray(a.T)", "np.ascontiguousarray(a.T)", "np.asfortranarray(a)",
        "np.concatenate([a.T, a.T])", "np.stack([a, a])", "np.stack([a, a], axis=2)[:, :, 0]", "np.zeros((3, 4)) + a",
        "np.zeros((3, 4)).T + a.T", "np.zeros_like(a.T) + a.T", "np.full_like(a, 2.0) * a", "np.cumsum(a, axis=1)",
        "np.cumsum(a.T, axis=1)", "np.diagonal(a)", "np.broadcast_to(a[0], (3, 4))", "np.exp(a.T)", "np.tril(a)",
        "np.clip(a.T, 0.0, 2.0)", "np.where(a > 1.0, a, 0.5).T", "np.take(a, np.array([0, 2]), axis=1)",
        "a[np.array([0, 2])]", "a[:, np.array([0, 2])]", "np.linalg.inv(a @ a.T + np.eye(3))",
        "np.squeeze(a[:, :1])", "np.atleast_2d(a)", "np.expand_dims(a.T, 0)", "x", "x.T", "x[:, 1]",
        "np.real(np.fft.fft2(a))", "np.roll(a.T, 1, axis=0)", "np.einsum('ij->ji', a)", "np.einsum('ij->ij', a)",
        "np.einsum('ij,j->ij', a, a[0])", "np.triu(a).T", "np.hstack([a, a])[:, ::2]", "np.outer(a[0], a[1]).T",
        "np.pad(a, 1)[1:-1, 1:-1]", "np.repeat(a, 2, axis=1)[:, ::2]", "a[[0, 2]]", "a[1, ...]", "a[1, 2, ...]",
        "a[..., 1, 2]", "a[1, 2, None]",
    ],
}  # fmt: skip
OPERATIONS = [
    "s", "s.ravel()", "s.reshape(-1)", "np.ravel(s)", "np.reshape(s, -1)", "np.reshape(s, (-1,))", "s.reshape(-1, 1)",
    "s.reshape(s.shape)", "s.flatten()", "s.copy()", "np.copy(s)", "s.T", "s.T.ravel()", "s.T.reshape(-1)",
    "np.transpose(s)", "np.squeeze(s)", "s.squeeze()", "s[...]", "s[None]", "s[..., None]", "s[:]", "s[::-1]",
    "s[::-1].ravel()", "s[1:]", "s[0]", "s[-1]", "s[..., 0]", "s[0, ...]", "s[()]", "s[0:1].reshape(-1)",
    "np.asarray(s)", "np.array(s)", "np.array(s, copy=False)", "np.array(s, copy=None)", "np.array(s, copy=True)", "s.astype(float, copy=True)", "np.asarray(s, dtype=float)",
    "np.ascontiguousarray(s)", "np.asfortranarray(s)", "np.asanyarray(s)", "np.require(s)", "s.astype(float)",
    "s.astype(float, copy=False)", "np.atleast_1d(s)", "np.atleast_2d(s)", "np.atleast_3d(s)", "np.expand_dims(s, 0)",
    "np.flip(s)", "np.real(s)", "np.imag(s)", "s.real", "s.imag", "np.broadcast_to(s, s.shape)", "np.swapaxes(s, 0, -1)",
    "np.moveaxis(s, 0, -1)", "np.rollaxis(s, 0)", "np.diagonal(s)", "np.diag(s)", "np.nan_to_num(s)", "np.conj(s)",
    "np.real_if_close(s)", "s.view()", "s[s > 0.5]", "s[np.array([0])]", "s[[0]]", "s[np.array(0)]", "s[True]",
    "np.take(s, 0, axis=0)", "np.take(s, 0)", "np.split(s, 1)[0]", "np.array_split(s, 2)[0]", "np.unwrap(s)",
    "np.trim_zeros(s)", "np.clip(s, -9.0, 9.0)", "np.abs(s)", "+s", "s + 0.0", "np.positive(s)", "np.maximum(s, -9.0)",
    "np.where(True, s, s)", "np.concatenate([s])", "np.roll(s, 0)", "np.sort(s)", "np.triu(s)", "np.tile(s, 1)",
    "np.repeat(s, 1)", "np.repeat(s, 1, axis=0)", "np.append(s, [])", "np.fix(s)", "np.sum(s, axis=())",
    "np.max(s, axis=())", "np.mean(s, axis=0)", "np.cumsum(s)", "np.cumsum(s, axis=0)", "np.diff(s, n=0)",
    "np.diff(s, n=0, axis=0)", "np.delete(s, [])", "np.insert(s, 0, [])", "np.unique(s)", "np.einsum('...->...', s)",
    "np.einsum('i...->i...', s)", "np.hstack([s])", "np.vstack([s])", "np.stack([s])[0]", "np.block(s)", "np.block([s])",
    "np.pad(s, 0)", "np.fliplr(s)", "np.rot90(s, 0)", "np.rot90(s)", "np.rot90(s, 2)", "np.interp(s, [0.0, 9.0], [0.0, 9.0])",
    "np.zeros_like(s)", "np.full_like(s, 2.0)", "np.fft.fftshift(s)", "np.percentile(s, 50.0)", "np.choose(0, [s])",
    "np.select([s > 0.5], [s], s)", "np.piecewise(s, [s > 9.0], [0.0, lambda v: v])", "np.apply_along_axis(lambda v: v, 0, s)",
    "np.broadcast_arrays(s, s)[0]", "np.meshgrid(s)[0]", "np.ndarray.ravel(s)", "s.ravel(order='K')", "s.ravel('F')",
    "s.ravel(order='A')", "s.reshape(-1, order='F')", "s.reshape(-1, order='A')", "s.flatten('F')", "s.copy('F')",
    "s.copy(order='K')", "np.resize(s, s.shape)", "s.item(0)", "s.flat[0]", "s.take([0])", "s.diagonal()",
    "s.repeat(1)", "s.clip(-9.0, 9.0)", "s.conj()", "s.cumsum()", "s.swapaxes(0, 0)", "s.mT",
    "np.dot(s, 1.0)", "np.multiply(s, 1.0)", "np.inner(s, 1.0)", "np.kron(1.0, s)", "np.outer(s, [1.0])",
    "np.copyto(s, s)", "next(iter(s))", "s if x.size else a", "[*s][0]", "list(s)[-1]",
    "s[None, ...][0]", "s[0:0]", "s[0][...]", "s[-1:, ...]", "s[..., -1, None]",
]  # fmt: skip
WRITES = [
    "z[...] = 0.5",
    "z *= 3.0",
    "s *= 3.0",
    "a[...] = 0.25",
    "z[..., 0] = 0.5",
    "z[0] += z[-1]",
]
TEXT = """def {name}(x):
    a = 2.0 * x
    s = {source}
    z = {operation}
    {write}
    return {total}
"""
POINTS: dict[str, Any] = {
    "vector": lambda: np.array([0.4, -0.3, 0.7, 0.2, 0.9, -0.6]),
    "reversed": lambda: np.array([0.4, -0.3, 0.7, 0.2, 0.9, -0.6])[::-1],
    "strided": lambda: np.linspace(-0.7, 0.8, 12)[::2],
    "C": lambda: np.linspace(-0.7, 0.8, 12).reshape(3, 4) ** 2 + 0.1,
    "F": lambda: np.asfortranarray(np.linspace(-0.7, 0.8, 12).reshape(3, 4) ** 2 + 0.1),
}


class Case(NamedTuple):
    """One program, and the name of the point where it is run."""

    source: str
    operation: str
    write: str
    point: str

    def text(self, name: str) -> str:
        return TEXT.format(
            name=name, source=self.source, operation=self.operation, write=self.write,
            total="np.sum(z * z) + np.sum(s) + 2.0 * np.sum(a)",
        )  # fmt: skip


def cases() -> Iterator[Case]:
    """All of them. ``a = 2.0 * x`` has the memory of its own that NumPy gives it: only in the order of
    rows and columns can it tell how ``x`` lies."""
    for point in POINTS:
        rank = POINTS[point]().ndim
        alike = point in ("reversed", "strided")
        for source in SOURCES[rank]:
            if alike and not re.search(r"\bx\b", source):
                continue
            for operation in OPERATIONS:
                for write in WRITES:
                    yield Case(source, operation, write, point)


def made(case: Case, name: str = "f") -> Any:
    """The function of a case, with a text that the compiler finds."""
    text = case.text(name)
    return written(text, name)


def expected(f: Any, x: Any) -> tuple[float, Any] | None:
    """The value of a function and its derivative by differences; None if it cannot be run, or jumps here.

    The programs are polynomials: what the second difference sees is a tie (``np.unique`` of equal numbers).
    """
    try:
        value = f(x.copy("K"))
        slopes = np.zeros(x.shape)
        for at in np.ndindex(x.shape):
            ends = []
            for step in (1e-5, -1e-5):
                y = x.copy("K")
                y[at] += step
                ends.append(f(y))
            slopes[at] = (ends[0] - ends[1]) / 2e-5
            if abs(ends[0] - 2 * value + ends[1]) > 1e-6 * max(1.0, abs(value)):
                return None
    except Exception:
        return None
    return (value, slopes) if np.isfinite(value) else None
