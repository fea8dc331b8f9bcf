"""The passes for shifted slices: loops that become one, and loops that run a block at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from retrograd.compiler.native.loop_ir.ir import (
    Accumulate,
    Affine,
    Alloc,
    Bail,
    Buffer,
    For,
    Get,
    If,
    Kernel,
    Let,
    Lit,
    Op,
    Set,
    Store,
    Var,
    affine,
    integer,
    minus,
    plus,
    walk,
)
from retrograd.compiler.native.loop_ir.values import Constant
from retrograd.compiler.native.passes.loops import cache_tiling as interleaved
from retrograd.compiler.native.passes.loops.cache_tiling import interleave
from retrograd.compiler.native.passes.loops.stencil_fusion import gather
from retrograd.compiler.native.passes.memory.array_contraction import unroll
from retrograd.compiler.native.passes.memory.store_forwarding import forward

from .interpreter import Left, ran

N, M = affine(Var("n")), affine(Var("m"))
A, B, C = (Buffer(name, "f8", (N,), "result") for name in "abc")


class Loops:
    """Loops with variables of their own."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, lo: Any, hi: Any, body: Callable[[Affine], list[Any]]) -> For:
        self.count += 1
        var = Var(f"i{self.count}")
        return For(var, affine(lo), affine(hi), body(affine(var)), free=True)


def kernel(*body: Any) -> Kernel:
    return Kernel("f", [], list(body), Constant(None))


def loops(k: Kernel) -> list[For]:
    return [s for s in walk(k.body) if isinstance(s, For)]


def add(place: Buffer, at: Any, source: Buffer, of: Any) -> Store:
    return Store(place, (affine(at),), Get(source, (affine(of),)), "add")


def heat() -> Kernel:
    """x[:-2] += a; x[1:-1] += a; x[2:] += a, of the b and the a here."""
    each = Loops()
    return kernel(
        *(each(0, plus(N, -2), lambda i, s=s: [add(B, plus(i, s), A, i)]) for s in range(3))
    )


def test_shifted_additions_are_one_loop_over_what_all_of_them_reach() -> None:
    k = gather(heat())
    core = loops(k)[2]
    assert (core.lo, core.hi) == (integer(2), plus(N, -2))
    assert len(core.body) == 3 and core.free
    assert [minus(loop.hi, loop.lo) for loop in loops(k) if loop is not core] == [integer(1)] * 4
    (bail,) = (s for s in k.body if isinstance(s, Bail))  # no such loop in less than four elements
    assert bail.cond == Op("less", (plus(N, -4), integer(0)), "b1")
    (store,) = forward(unroll(k)).body[3].body
    assert store.op is None and store.index == (affine(core.var),)


def test_a_neighbour_that_is_read_stays_apart() -> None:
    each = Loops()
    k = kernel(
        each(0, plus(N, -1), lambda i: [add(B, i, B, plus(i, 1))]),
        each(0, plus(N, -1), lambda i: [add(B, plus(i, 1), A, i)]),
    )
    assert len(loops(gather(k))) == 2


def test_ends_that_are_not_known_stay_apart() -> None:
    each = Loops()
    k = kernel(
        each(0, N, lambda i: [add(B, i, A, i)]), each(0, M, lambda i: [add(B, plus(i, 1), A, i)])
    )
    assert len(loops(gather(k))) == 2


def test_a_size_that_changes_stays_apart() -> None:
    """Whether the loops have iterations in common must be known at the beginning."""
    each, n = Loops(), affine(Var("j"))
    shifted = [each(0, n, lambda i, s=s: [add(B, plus(i, s), A, i)]) for s in range(2)]
    outer = For(Var("j"), integer(0), M, list(shifted))
    assert len(loops(gather(kernel(outer)))) == 3


def test_what_is_set_in_one_iteration_and_read_in_the_next_stays_apart() -> None:
    carry = Var("carry", "f8")
    each = Loops()
    first = each(
        0, plus(N, -1), lambda i: [Store(B, (i,), carry), Set(carry, Get(A, (plus(i, 1),)))]
    )
    second = each(0, plus(N, -1), lambda i: [add(B, plus(i, 1), A, i)])
    assert len(loops(gather(kernel(Set(carry, Lit(0.0, "f8")), first, second)))) == 2


def two_passes() -> Kernel:
    """a[i] = b[i] + b[i + 2]; b[i + 1] += a[i]."""
    each = Loops()
    value = lambda i: Op("add", (Get(B, (i,)), Get(B, (plus(i, 2),))), "f8")
    return kernel(
        each(0, plus(N, -2), lambda i: [Store(A, (i,), value(i))]),
        each(0, plus(N, -2), lambda i: [add(B, plus(i, 1), A, i)]),
    )


def test_a_loop_follows_another_a_block_at_a_time() -> None:
    k = interleave(two_passes())
    (outer,) = k.body
    assert isinstance(outer, For)
    ends = [
        s.value for s in outer.body if isinstance(s, Let) and s.var.name.startswith("strip_1_upto")
    ]
    start = affine(Var("strip_1_lo"))
    block = interleaved.BLOCK
    assert [e.args[1] for e in ends] == [plus(start, block), plus(start, block - 1)]


def test_what_is_handed_on_needs_room_for_a_block() -> None:
    each, own = Loops(), Buffer("own", "f8", (N,))
    value = lambda i: Op("add", (Get(B, (i,)), Get(B, (plus(i, 2),))), "f8")
    k = kernel(
        Alloc(own),
        each(0, plus(N, -2), lambda i: [Store(own, (i,), value(i))]),
        each(0, plus(N, -2), lambda i: [add(B, plus(i, 1), own, i)]),
    )
    interleave(k)
    assert own.dims == (integer(interleaved.BLOCK + 1),)


def test_a_sum_that_is_read_is_waited_for() -> None:
    s, each = Var("s", "f8"), Loops()
    k = kernel(
        Set(s, Lit(0.0, "f8")),
        each(0, N, lambda i: [Accumulate(s, "add", Get(A, (i,)))]),
        each(0, N, lambda i: [Store(A, (i,), s)]),
    )
    assert len(loops(interleave(k))) == 2


def test_what_is_read_in_another_order_is_waited_for() -> None:
    each = Loops()
    k = kernel(
        each(0, N, lambda i: [Store(A, (i,), Get(B, (i,)))]),
        each(0, N, lambda i: [Store(C, (i,), Get(A, (minus(plus(N, -1), i),)))]),
    )
    assert len(loops(interleave(k))) == 2


# -- random loops -----------------------------------------------------------------------


def random_kernel(rng: Any) -> Kernel:
    """Loops over three arrays, each with shifts of its own, some in a loop, some with scalars."""
    each = Loops()
    own = Buffer("own", "f8", (N,))
    sources = [A, B, C, own] if rng.random() < 0.5 else [A, B, C]

    def statement(i: Affine, k: int) -> list[Any]:
        target = (A, B, C)[int(rng.integers(3))]
        shift = int(rng.integers(0, 3))
        read = lambda: Get(
            sources[int(rng.integers(len(sources)))], (plus(i, int(rng.integers(0, 3))),)
        )
        value: Any = Op("multiply", (Lit(0.5, "f8"), read()), "f8")
        if rng.random() < 0.5:
            value = Op("add", (value, read()), "f8")
        before: list[Any] = []
        if rng.random() < 0.3:
            var = Var(f"v{each.count}_{k}", "f8")
            before, value = [rng.choice([Let, Set])(var, value)], var
        op = "add" if rng.random() < 0.7 else None
        return [*before, Store(target, (plus(i, shift),), value, op)]

    def loop() -> For:
        lo, hi = int(rng.integers(0, 3)), plus(N, -int(rng.integers(2, 5)))
        count = 1 if rng.random() < 0.7 else 2
        made = each(lo, hi, lambda i: [s for k in range(count) for s in statement(i, k)])
        made.backwards = bool(rng.random() < 0.05)
        made.free = False
        return made

    body: list[Any] = [loop() for _ in range(int(rng.integers(2, 6)))]
    if rng.random() < 0.3:
        at = int(rng.integers(len(body)))
        body[at] = If(Op("less", (integer(3), N), "b1"), [body[at]])
    if own in sources:
        first = lambda i: [Store(own, (i,), Op("add", (Get(A, (i,)), Get(B, (i,))), "f8"))]
        body = [Alloc(own), each(0, N, first), *body]
        body[1].free = False
    return kernel(*body)


def outcome(k: Kernel, n: int) -> dict[str, Any] | None:
    rng = np.random.default_rng(n)
    arrays = {name: rng.normal(size=n) for name in "abc"}
    try:
        ran(k, {"n": n}, arrays)
    except Left:
        return None
    return arrays


PASSES: dict[str, Callable[[Kernel], Kernel]] = {
    "gather": gather,
    "interleave": interleave,
    "forward": forward,
    "all": lambda k: forward(unroll(interleave(gather(k)))),
}


@pytest.mark.parametrize("name", PASSES)
def test_random_loops_do_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interleaved, "BLOCK", 5)
    changed = 0
    for seed in range(250):
        k = random_kernel(np.random.default_rng(seed))
        sizes = (4, 5, 8, 23)
        wanted = [outcome(k, n) for n in sizes]
        before = len(loops(k)), sum(isinstance(s, Store) for s in walk(k.body))
        k = PASSES[name](k)
        changed += before != (len(loops(k)), sum(isinstance(s, Store) for s in walk(k.body)))
        for n, known in zip(sizes, wanted, strict=True):
            found = outcome(k, n)
            assert found is not None or n < 23, seed
            for array in () if found is None else "abc":
                assert known is not None and found is not None
                np.testing.assert_allclose(found[array], known[array], 1e-12, 1e-12, str(seed))
    assert changed > 4


def random_nest(rng: Any) -> Kernel:
    """Loops over matrices."""
    each = Loops()
    square = {name: Buffer(name, "f8", (N, M), "result") for name in "abc"}

    def nest() -> For:
        names = ["abc"[int(rng.integers(3))] for _ in range(3)]
        shift = [int(k) for k in rng.integers(0, 3, 4)]

        def at(i: Affine, j: Affine) -> list[Any]:
            read = Get(square[names[1]], (plus(i, shift[0]), plus(j, shift[1])))
            value = Op("multiply", (Lit(0.5, "f8"), read), "f8")
            where = (plus(i, shift[2]), plus(j, shift[3]))
            return [Store(square[names[0]], where, value, "add")]

        return each(0, plus(N, -2), lambda i: [each(0, plus(M, -2), lambda j: at(i, j))])

    return kernel(*(nest() for _ in range(int(rng.integers(2, 5)))))


def test_random_nests_do_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interleaved, "ROWS", 2)
    changed = 0
    for seed in range(120):
        k = random_nest(np.random.default_rng(seed))

        def arrays(seed: int = seed) -> dict[str, Any]:
            rng = np.random.default_rng(seed)
            return {name: rng.normal(size=(9, 11)) for name in "abc"}

        wanted, found, before = arrays(), arrays(), len(loops(k))
        ran(k, {"n": 9, "m": 11}, wanted)
        k = PASSES["all"](k)
        changed += before != len(loops(k))
        ran(k, {"n": 9, "m": 11}, found)
        for name in "abc":
            np.testing.assert_allclose(found[name], wanted[name], 1e-12, 1e-12, err_msg=str(seed))
    assert changed > 4
