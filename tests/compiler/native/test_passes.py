"""The passes over the loop IR, each on the smallest program that shows it."""

from __future__ import annotations

from typing import Any

from retrograd.compiler.native.loop_ir.effects import effects_of
from retrograd.compiler.native.loop_ir.ir import (
    Accumulate,
    Alloc,
    Bail,
    Break,
    Buffer,
    For,
    Get,
    Kernel,
    Let,
    Lit,
    Op,
    Set,
    Store,
    Var,
    While,
    affine,
    integer,
    plus,
    subexpressions,
    times,
    walk,
)  # fmt: skip
from retrograd.compiler.native.loop_ir.values import Constant
from retrograd.compiler.native.passes.loops.independent_loops import mark_free
from retrograd.compiler.native.passes.loops.loop_fusion import fuse
from retrograd.compiler.native.passes.memory.array_contraction import contract, unroll
from retrograd.compiler.native.passes.memory.rematerialise import recompute
from retrograd.compiler.native.passes.memory.store_forwarding import forward
from retrograd.compiler.native.passes.near_range_trig import near
from retrograd.compiler.native.passes.sums.blocked_summation import block_sums

N = affine(Var("n_x_0"))
X = Buffer("x", "f8", (N,), "argument")
OUT = Buffer("out", "f8", (N,), "result")
COUNT = 0


def each(inner: Any, hi: Any = N, free: bool = True) -> For:
    """A loop with a variable of its own."""
    global COUNT
    COUNT += 1
    var = Var(f"i{COUNT}")
    return For(var, integer(0), hi, inner(affine(var)), free=free)


def kernel(*body: Any) -> Kernel:
    return Kernel("f", [], list(body), Constant(None))


def loops(k: Kernel) -> list[For]:
    return [s for s in walk(k.body) if isinstance(s, For)]


def twice(e: Any) -> Op:
    return Op("multiply", (Lit(2.0, "f8"), e), "f8")


def through(offset: int) -> Kernel:
    """t[i] = 2 x[i]; out[i] = t[i + offset]."""
    t = Buffer("t", "f8", (N,))
    return kernel(
        Alloc(t),
        each(lambda i: [Store(t, (i,), twice(Get(X, (i,))))]),
        each(lambda i: [Store(OUT, (i,), Get(t, (plus(i, offset),)))]),
    )


def test_an_element_that_is_needed_in_the_same_iteration_joins_the_loops() -> None:
    assert len(loops(fuse(through(0)))) == 1


def test_a_neighbour_keeps_them_apart() -> None:
    assert len(loops(fuse(through(1)))) == 2
    assert len(loops(fuse(through(-1)))) == 2


def test_what_may_leave_stays_between() -> None:
    k = through(0)
    k.body.insert(2, Bail(Op("less", (Get(X, (integer(0),)), Lit(0.0, "f8")), "b1")))
    assert len(loops(fuse(k))) == 2


def test_a_sum_ends_before_it_is_read() -> None:
    s = Var("s", "f8")
    k = kernel(
        Set(s, Lit(0.0, "f8")),
        each(lambda i: [Accumulate(s, "add", Get(X, (i,)))]),
        each(lambda i: [Store(OUT, (i,), Op("multiply", (s, Get(X, (i,))), "f8"))]),
    )
    assert len(loops(fuse(k))) == 2


def test_other_ranges_stay_apart() -> None:
    k = kernel(
        each(lambda i: [Store(OUT, (i,), Get(X, (i,)))]),
        each(lambda i: [Store(OUT, (i,), Get(X, (i,)), "add")], plus(N, -1)),
    )
    assert len(loops(fuse(k))) == 2


def rows(*slow: str) -> Kernel:
    """t[i] = sum_j 2 m[i, j]; then functions of it, one loop after the other."""
    m, s = Buffer("m", "f8", (N, affine(Var("n_x_1"))), "argument"), Var("s", "f8")
    chain = [Buffer(f"t{k}", "f8", (N,)) for k in range(len(slow) + 1)]

    def row(i: Any) -> Any:
        inner = each(lambda j: [Accumulate(s, "add", twice(Get(m, (i, j))))], affine(Var("n_x_1")))
        return [Set(s, Lit(0.0, "f8")), inner, Store(chain[0], (i,), s)]

    def step(k: int, name: str) -> For:
        return each(lambda i: [Store(chain[k + 1], (i,), Op(name, (Get(chain[k], (i,)),), "f8"))])

    steps = [step(k, name) for k, name in enumerate(slow)]
    return kernel(*map(Alloc, chain), each(row), *steps)


def test_functions_of_sums_stay_vectors() -> None:
    """In a loop with a loop inside, a function is done number by number."""
    assert len(loops(fuse(rows("negative")))) == 2
    apart = loops(fuse(rows("exp", "log")))
    assert len(apart) == 3
    assert [len(s.body) for s in apart if not any(isinstance(t, For) for t in s.body)] == [1, 2]


def test_functions_of_sums_are_counted_together() -> None:
    """Eight quotients cost as much as an exponential, whichever loop they came in by."""
    k = fuse(rows(*["sqrt"] * 8))
    (nest,) = [s for s in k.body if isinstance(s, For) and any(isinstance(t, For) for t in s.body)]
    assert 1 <= sum(isinstance(s, Store) for s in nest.body) < 8


def test_memory_of_one_iteration_is_a_scalar() -> None:
    k = contract(fuse(through(0)))
    assert not [s for s in walk(k.body) if isinstance(s, Alloc)]
    (loop,) = loops(k)
    assert [type(s) for s in loop.body][-1] is Store


def test_memory_that_others_read_stays() -> None:
    k = contract(fuse(through(1)))
    assert [s.buffer.name for s in walk(k.body) if isinstance(s, Alloc)] == ["t"]


def test_what_nobody_reads_goes() -> None:
    t = Buffer("t", "f8", (N,))
    k = contract(kernel(Alloc(t), each(lambda i: [Store(t, (i,), Get(X, (i,)))])))
    assert k.body == []


def test_short_loops_are_written_out() -> None:
    k = unroll(kernel(each(lambda i: [Store(OUT, (i,), Get(X, (i,)))], integer(3))))
    assert [s.index for s in k.body] == [(integer(0),), (integer(1),), (integer(2),)]
    assert (
        len(loops(unroll(kernel(each(lambda i: [Store(OUT, (i,), Get(X, (i,)))], integer(9))))))
        == 1
    )


def test_a_stored_value_is_not_read_back() -> None:
    place = (integer(0),)
    k = forward(kernel(Store(OUT, place, twice(Get(X, place))), Store(X, place, Get(OUT, place))))
    assert [type(s) for s in k.body] == [Let, Store, Store]
    assert k.body[2].value == k.body[0].var


def test_but_it_is_if_it_was_written_to_between() -> None:
    place, other = (integer(0),), (affine(Var("k")),)
    k = forward(
        kernel(
            Store(OUT, place, twice(Get(X, place))),
            Store(OUT, other, Lit(0.0, "f8")),
            Store(X, place, Get(OUT, place)),
        )
    )
    assert k.body[-1].value == Get(OUT, place)


def test_a_difference_of_vectors_is_computed_where_a_matrix_is_read() -> None:
    d = Buffer("d", "f8", (N, N))
    inner = lambda i: [
        each(lambda j: [Store(d, (i, j), Op("subtract", (Get(X, (i,)), Get(X, (j,))), "f8"))])
    ]
    k = recompute(
        kernel(
            Alloc(d),
            each(inner),
            each(lambda i: [each(lambda j: [Store(OUT, (i,), Get(d, (j, i)), "add")])]),
        )
    )
    read = {
        g.buffer.name for s in walk(k.body) if isinstance(s, Store) and s.op for g in gets(s.value)
    }
    assert read == {"x"}


def gets(e: Any) -> list[Get]:
    from retrograd.compiler.native.loop_ir.ir import loads

    return list(loads(e))


def test_iterations_with_elements_of_their_own_are_free() -> None:
    own = kernel(each(lambda i: [Store(OUT, (i,), Get(OUT, (i,)))], free=False))
    next_one = kernel(each(lambda i: [Store(OUT, (plus(i, 1),), Get(OUT, (i,)))], free=False))
    same = kernel(each(lambda i: [Store(OUT, (integer(0),), Get(X, (i,)))], free=False))
    assert [loops(mark_free(k))[0].free for k in (own, next_one, same)] == [True, False, False]


def test_long_sums_are_cut() -> None:
    s = Var("s", "f8")
    k = block_sums(
        kernel(Set(s, Lit(0.0, "f8")), each(lambda i: [Accumulate(s, "add", Get(X, (i,)))]))
    )
    outer, inner = loops(k)
    assert inner in outer.body
    assert {a.var.name for a in walk(outer.body) if isinstance(a, Accumulate)} == {"s", "part_s"}


def angles(free: bool) -> Kernel:
    """out[i] = sin(x[i]), twice."""
    sine = lambda i: [Store(OUT, (i,), Op("sin", (Get(X, (i,)),), "f8"))]
    outer = For(Var("k"), integer(0), N, [each(sine, free=free), each(sine, free=free)])
    return kernel(outer)


def test_angles_in_vector_loops_are_counted_if_they_are_huge() -> None:
    k = near(angles(free=True))
    start, outer, leave = k.body
    assert isinstance(start, Set) and isinstance(outer, For) and isinstance(leave, Bail)
    counts = [s for s in walk(k.body) if isinstance(s, Accumulate)]
    assert [s.var for s in counts] == [start.var] * 2
    used = {e.name for s in walk(k.body) if isinstance(s, Store) for e in ops(s.value)}
    assert used == {"sin_near"}


def test_other_angles_are_those_of_the_library() -> None:
    k = near(angles(free=False))
    assert len(k.body) == 1
    assert {e.name for s in walk(k.body) if isinstance(s, Store) for e in ops(s.value)} == {"sin"}


def test_a_loop_that_may_run_for_ever_is_left_inside() -> None:
    inner = angles(free=True).body[0]
    k = near(kernel(While([inner, Break()])))
    (loop,) = k.body
    assert isinstance(loop, While)
    assert [type(s) for s in loop.body] == [Set, For, Bail, Break]


def ops(e: Any) -> list[Op]:
    return [s for s in subexpressions(e) if isinstance(s, Op)]


def test_integers_have_one_form() -> None:
    a, b = Var("a"), Var("b")
    assert plus(times(2, a), plus(b, -3)) == plus(plus(b, a), plus(a, -3))
    assert times(a, b) == times(b, a)
    assert plus(a, a, -1) == integer(0)


def test_a_size_that_places_elements_is_read():
    """A buffer's sizes, but the first, say where its elements stand: what they are computed from stays, and before them."""
    count = Var("count")
    table = Buffer("table", "f8", (affine(Var("used")), affine(count)), "arena")
    k = kernel(
        Let(count, plus(N, integer(1))),
        each(lambda i: [Store(table, (integer(0), i), Get(X, (i,)))]),
    )
    assert count.name in effects_of(k.body[1]).reads
    contract(k)
    assert isinstance(k.body[0], Let)
