"""Every name of a kernel is there where it stands, and passes write out so much and no more."""

from __future__ import annotations

import re
import shutil
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from benchmarks.kernels.programs import KERNELS
from retrograd.compiler.native import build_kernel
from retrograd.compiler.native.loop_ir.clone import copies
from retrograd.compiler.native.loop_ir.ir import (
    Alloc,
    Buffer,
    For,
    Get,
    Kernel,
    Let,
    Lit,
    Set,
    Stmt,
    Store,
    Var,
    affine,
    change_exprs,
    exprs_of,
    integer,
    variables,
    walk,
)
from retrograd.compiler.native.loop_ir.values import Constant
from retrograd.compiler.native.loop_ir.verify_scopes import OutOfScope, in_scope
from retrograd.compiler.native.passes.loops import stencil_fusion
from retrograd.compiler.native.passes.memory import array_contraction
from retrograd.compiler.native.refusal import Unsupported

needs_c = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)
K, T = Var("k"), Var("t", "f8")
ONE = Lit(1.0, "f8")


def kernel(*body: Any) -> Kernel:
    return Kernel("f", [], list(body), Constant(None))


def loop(*body: Any) -> For:
    return For(K, integer(0), integer(3), list(body))


def memory(*dims: Any) -> Buffer:
    return Buffer("m", "f8", dims)


def test_what_is_in_scope() -> None:
    m = memory(integer(3))
    in_scope(kernel(Alloc(m), loop(Let(T, ONE), Store(m, (affine(K),), T))))
    in_scope(kernel(Set(T, ONE), loop(Set(T, ONE)), Let(Var("s", "f8"), T)))


def sample(field: Any) -> Any:
    """Something for a field of a statement, with `K` wherever an expression stands."""
    e = affine(K)
    m = memory(e)
    made = {
        "var": T, "value": Get(m, (e,)), "buffer": m, "index": (e,), "lo": e, "hi": e, "body": [], "cond": e,
        "then": [], "count": e, "part": T, "weight": 1, "c": m, "a": (m, False), "b": (m, False), "sizes": (e,),
        "loops": [], "lines": (), "name": "f", "operands": (Get(m, (e,)),), "written": m, "values": (e,), "memory": (m,),
        "op": None, "address": e, "size": e,
    }  # fmt: skip
    return made[field]


def takes_an_expression(one: Any) -> bool:
    required = one.default is MISSING and one.default_factory is MISSING
    return required or one.name in ("address", "size")


def statements(kind: type = Stmt) -> list[type]:
    """Every kind of statement of the loop IR."""
    return [kind, *(found for below in kind.__subclasses__() for found in statements(below))]


@pytest.mark.parametrize("kind", [k for k in statements() if k.__module__.endswith("loop_ir.ir")])
def test_what_a_statement_reads_is_what_is_rewritten(kind: type) -> None:
    stmt = kind(**{f.name: sample(f.name) for f in fields(kind) if takes_an_expression(f)})
    change_exprs([stmt], lambda e: integer(7) if e == K else e)
    assert K not in [v for e in exprs_of(stmt) for v in variables(e)]


def test_copies_of_memory_of_several_sizes_are_refused() -> None:
    body = loop(Alloc(memory(affine(K))))
    with pytest.raises(Unsupported, match="memory whose size changes"):
        copies(body.body, {K: integer(1)}, lambda v: v)


@pytest.mark.parametrize(
    "body",
    [
        [loop(Let(T, ONE)), Let(Var("s", "f8"), T)],
        [loop(), Let(Var("s"), affine(K))],
        [loop(Set(T, T))],
        [loop(Store(memory(integer(3)), (affine(K),), ONE))],
        [Alloc(memory(affine(K)))],
        [loop(Let(Var("n"), affine(K))), For(K, integer(0), affine(Var("n")), [])],
    ],
    ids=["a name of a loop", "its index", "not set", "no memory", "its size", "a bound"],
)
def test_what_is_not(body: list[Any]) -> None:
    with pytest.raises(OutOfScope):
        in_scope(kernel(*body))


def test_the_sizes_of_a_matrix_are_needed_at_each_element() -> None:
    m = memory(integer(3), affine(Var("n")))
    inside = loop(Let(Var("n"), integer(2)), Alloc(m))
    with pytest.raises(OutOfScope, match="`n`"):
        in_scope(kernel(inside, Store(m, (integer(0), integer(0)), ONE)))


def test_another_name_reaches_the_sizes_of_memory() -> None:
    """Fused loops are given one index: what is read in them is changed wherever it stands."""
    n = Var("n")
    stmts: list[Any] = [Alloc(memory(affine(K), integer(3))), loop(Let(n, affine(K)))]
    change_exprs(stmts, lambda e: n if e == K else e)
    assert not any(v == K for s in walk(stmts) for e in exprs_of(s) for v in variables(e))


@needs_c
@pytest.mark.filterwarnings("error")
def test_memory_of_an_iteration_in_loops_that_become_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("RETROGRAD_VERIFY", "1")
    rng = np.random.default_rng(0)
    pivoted = KERNELS["pivoted"].loss  # rows are exchanged, and what was in them is kept
    made = rg.grad(pivoted, (0, 1), backend="c")
    for n in (4, 9, 30):
        A, b = rng.normal(size=(n, n)), rng.normal(size=n)
        wanted = rg.grad(pivoted, (0, 1))(A.copy(), b.copy())
        for _ in range(2):
            found = made(A.copy(), b.copy())
            for one, other in zip(found, wanted, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-8)
    assert [part.why for part in made.__native__.parts() if not part.compiled] == []


def pull(x: Any, m: Any) -> Any:
    """The slices of an iteration have sizes that are equal if two others are, which are no one's."""
    n = len(m)
    total = 0.0
    for i in range(n - 1):
        d = x[i + 1 :] - x[i]
        total -= m[i] * np.sum(m[i + 1 :] / np.sqrt(np.sum(d * d, axis=1) + 1e-3))
    return total


@needs_c
def test_sizes_that_go_with_a_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))
    rng = np.random.default_rng(0)
    made = rg.grad(pull, (0, 1), backend="c")
    for n in (5, 6, 40):
        x, m = rng.random((n, 3)), rng.random(n)
        for found, wanted in zip(made(x, m), rg.grad(pull, (0, 1))(x, m), strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-12)
    with pytest.raises(ValueError, match="broadcast"):
        made(rng.random((7, 3)), rng.random(6))


@needs_c
def test_what_does_not_compile_is_not_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later request of the same process, or of another, finds no text that fails."""
    from retrograd.compiler.native import compile as compiled

    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("RETROGRAD_VERIFY")
    real = compiled.printed_as
    monkeypatch.setattr(compiled, "printed_as", lambda *given: real(*given) + "mistake")
    x, m = np.ones((5, 3)), np.ones(5)
    for k in range(2):
        vars(pull).clear()
        made = rg.grad(pull, backend="c")
        np.testing.assert_allclose(made(x, m), rg.grad(pull)(x, m))
        assert "does not compile" in made.__native__.notes[0], k


# -- growth ---------------------------------------------------------------------------------


def heat(a: Any, b: Any, steps: int) -> Any:
    a, b = a.copy(), b.copy()
    for _ in range(steps):
        for u, v in ((a, b), (b, a)):
            v[1:-1, 1:-1, 1:-1] = (
                0.1 * (u[2:, 1:-1, 1:-1] + u[:-2, 1:-1, 1:-1] + u[1:-1, 2:, 1:-1])
                + 0.2 * (u[1:-1, :-2, 1:-1] + u[1:-1, 1:-1, 2:] + u[1:-1, 1:-1, :-2])
                + np.sin(u[1:-1, 1:-1, 1:-1])
            )
    return np.sum(a * a) + np.sum(b)


@pytest.mark.parametrize("sizes", [(3, 4, 3), (40, 41, 42)], ids=["written out", "gathered"])
def test_nests_are_written_out_up_to_a_bound(
    sizes: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[int, int]] = []
    real = build_kernel.optimised

    def counted(made: Kernel, *rest: Any) -> Kernel:
        before = sum(1 for _ in walk(made.body))
        found = real(made, *rest)
        seen.append((before, sum(1 for _ in walk(found.body))))
        return found

    monkeypatch.setattr(build_kernel, "optimised", counted)
    args = (np.ones(sizes), np.ones(sizes), 2)
    from retrograd.compiler.native.compile import text_of

    made = rg.differentiate(heat)
    text = re.sub(r"^@rt.expects.*\n", "", made.source("grad", *args), flags=re.MULTILINE)
    scope: dict[str, Any] = {}
    exec(text, scope)
    text_of("c", text, "heat_grad", scope["heat_grad"], args)
    ((before, after),) = seen
    assert after <= 2 * before + stencil_fusion.GROWTH + 2 * array_contraction.GROWTH
