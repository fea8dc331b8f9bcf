"""Computing again instead of keeping: the same derivatives, from the states and arguments that were asked for."""

from __future__ import annotations

import math
import tracemalloc
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.checkpointing import revolve
from retrograd.runtime.errors import SignatureMismatch, UnsupportedOperation, UnsupportedSyntax

RNG = np.random.default_rng(5)
W, H, XS = RNG.normal(size=(3, 3)), RNG.normal(size=3), RNG.normal(size=(7, 3))


def counted(x: Any, n: int) -> Any:
    y, total = x, 0.0
    for i in range(n):
        y = math.sin(y) * x + 0.1 * i
        total = total + y * y
    return total


def stepped(x: Any, n: int) -> Any:
    y = x
    for i in range(n, -3, -2):
        y = y * math.cos(x * i)
    return y


def conditional(x: Any) -> Any:
    y, k = x, 0
    while y < 40.0 and k < 30:
        if k % 2:
            y = y * (1.0 + 0.3 * x)
        else:
            y = y + math.exp(0.1 * x)
        k = k + 1
    return y * y


def left(x: Any, n: int) -> Any:
    y = x
    for i in range(n):
        y = y * 1.3 + math.sin(x)
        if y > 9.0:
            break
        if y > 5.0 and i % 3 == 0:
            continue
        y = y + 0.1 * x * x
    return y


def returns(x: Any, n: int) -> Any:
    y = x
    for i in range(n):
        y = y * 1.2 + 0.1 * x
        if y > 4.0:
            return y * i
    return y


def rows(w: Any, xs: Any) -> Any:
    h = np.zeros(3)
    for x in xs:
        h = np.tanh(w @ h + x)
    return np.sum(h * h)


def nested(x: Any, n: int) -> Any:
    y = x
    for i in range(n):
        z = y
        for j in range(i):
            z = math.sin(z) + 0.2 * j * x
        y = y * math.cos(z)
    return y


CASES = [
    (counted, (0.3, 9)), (counted, (0.3, 0)), (counted, (0.3, 1)), (stepped, (0.3, 8)), (conditional, (0.7,)),
    (left, (0.5, 20)), (left, (0.5, 3)), (returns, (0.5, 20)), (returns, (0.5, 3)), (rows, (W, XS)),
    (nested, (0.4, 6)),
]  # fmt: skip
each = pytest.mark.parametrize(
    ("f", "args"), CASES, ids=[f"{f.__name__}-{a[-1:]}"[:24] for f, a in CASES]
)


def taped(text: str) -> bool:
    """Whether an outermost loop keeps something of every iteration."""
    return "\n        tape.append" in text


@pytest.mark.sampled(4)
@each
@pytest.mark.parametrize("snapshots", [1, 2, 5, 100])
def test_snapshots_change_no_derivative(f: Any, args: Any, snapshots: int) -> None:
    frugal = rg.differentiate(checkpoint=snapshots)(f)
    assert not taped(frugal.source("grad", *args))
    np.testing.assert_allclose(frugal.grad(*args), rg.grad(f)(*args), rtol=1e-12)
    value, pullback = frugal.vjp(*args, wrt=0)
    assert value == f(*args)
    for _ in range(2):
        np.testing.assert_allclose(pullback(1.0)[0], rg.grad(f)(*args), rtol=1e-12)


@each
def test_snapshots_in_second_order(f: Any, args: Any) -> None:
    frugal = rg.differentiate(checkpoint=2)(f)
    v = np.ones_like(args[0]) if isinstance(args[0], np.ndarray) else 1.0
    wanted = rg.hvp(f, args, v)
    np.testing.assert_allclose(frugal.hvp(args, v), wanted, rtol=1e-9, atol=1e-12)
    back = rg.vjp(frugal.grad, *args, wrt=0)[1](v)[0]
    np.testing.assert_allclose(back, wanted, rtol=1e-9, atol=1e-12)


@each
def test_elementwise_changes_no_derivative(f: Any, args: Any) -> None:
    frugal = rg.differentiate(checkpoint="elementwise")(f)
    np.testing.assert_allclose(frugal.grad(*args), rg.grad(f)(*args), rtol=1e-12)


def asked(x: Any, n: int) -> Any:
    y = x
    for i in rg.checkpointed(range(n), snapshots=3):
        z = y
        for _ in rg.checkpointed(range(4), snapshots=2):
            z = math.sin(z) * x
        y = y + z * i
    while rg.checkpointed(y < 20.0, snapshots=2):
        y = y * (1.5 + x * x)
    return y


def test_loops_say_it_themselves() -> None:
    text = rg.differentiate(asked).source("grad", 0.6, 5)
    assert not taped(text)
    assert text.count("# recomputed") == 3
    rg.check_grads(asked, (0.6, 5), order=2)


def test_only_what_an_iteration_needs_is_a_state() -> None:
    text = rg.differentiate(checkpoint=3)(counted).source("grad", 0.3, 4)
    assert "rt.keep_state(kept, y)" in text


def test_peak_memory_stays_flat() -> None:
    def peak(run: Any, n: int) -> int:
        run(H, n)
        tracemalloc.start()
        run(H, n)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    def chain(h: Any, n: int) -> Any:
        for _ in range(n):
            h = np.tanh(h) * 1.01
        return np.sum(h)

    frugal, plain = rg.differentiate(checkpoint=8)(chain).grad, rg.grad(chain)
    assert peak(frugal, 3000) < 1.5 * peak(frugal, 300)
    assert peak(plain, 3000) > 5 * peak(frugal, 3000)


def test_states_are_held_no_longer_than_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    most = 0
    keep = revolve.Snapshots.keep

    def counting(self: Any, at: int, state: Any) -> None:
        nonlocal most
        keep(self, at, state)
        most = max(most, len(self.kept))

    monkeypatch.setattr(revolve.Snapshots, "keep", counting)
    rg.differentiate(checkpoint=4)(counted).grad(0.3, 50)
    assert most == 4


# -- functions -------------------------------------------------------------------------


def block(h: Any, w: Any) -> Any:
    a = np.tanh(w @ h)
    b = a * h + np.sin(a)
    return b


again = rg.checkpoint(block)


@rg.checkpoint
def deep(h: Any, w: Any) -> Any:
    h = again(h, w)
    for _ in range(2):
        h = again(h, w) * 0.7
    return h


@rg.checkpoint
def folded(h: Any, w: Any, n: int) -> Any:
    if n == 0:
        return h
    return folded(np.tanh(w @ h), w, n - 1) * h


def plain_network(w: Any, h: Any) -> Any:
    for _ in range(3):
        h = block(h, w)
    return np.sum(h)


def network(w: Any, h: Any) -> Any:
    for _ in range(3):
        h = again(h, w)
    return np.sum(h)


def in_place_network(w: Any, h: Any) -> Any:
    for _ in range(3):
        h = rg.checkpoint(block)(h, w)
    return np.sum(h)


unmarked_block = block


def own_network(w: Any, h: Any) -> Any:
    return np.sum(unmarked_block(h, w))


def deep_network(w: Any, h: Any) -> Any:
    return np.sum(deep(h, w)) + np.sum(deep(h * 2.0, w))


def folded_network(w: Any, h: Any) -> Any:
    return np.sum(folded(h, w, 3))


@pytest.mark.parametrize("f", [network, in_place_network])
def test_a_checkpointed_function_keeps_its_arguments(f: Any) -> None:
    text = rg.differentiate(f).source("grad", W, H)
    assert "block_adjoint(h, w, " in text
    assert "block_fwd" not in text
    assert text.count("tape.append(h)") == 1
    np.testing.assert_allclose(rg.grad(f)(W, H), rg.grad(plain_network)(W, H), rtol=1e-12)


@pytest.mark.parametrize("f", [network, deep_network, folded_network])
def test_checkpointed_functions_in_both_orders(f: Any) -> None:
    rg.check_grads(f, (W, H), order=2)
    v = np.ones_like(W)
    back = rg.vjp(rg.grad(f), W, H, wrt=0)[1](v)[0]
    np.testing.assert_allclose(back, rg.hvp(f, (W, H), v), rtol=1e-9, atol=1e-12)


def test_a_checkpointed_function_is_the_same_function() -> None:
    assert again is not block
    assert not hasattr(block, "__checkpoint__")
    np.testing.assert_array_equal(again(H, w=W), block(H, W))
    assert (again.__name__, again.__module__) == (block.__name__, block.__module__)


def test_the_mark_is_a_part_of_what_the_text_depends_on(tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    first = rg.grad(own_network)(W, H)
    monkeypatch.setitem(globals(), "unmarked_block", again)
    np.testing.assert_allclose(rg.grad(own_network)(W, H), first)
    texts = [p.read_text() for p in tmp_path.rglob("*.py")]
    assert [any(name in text for text in texts) for name in ("block_fwd", "block_adjoint")] == [
        True,
        True,
    ]


# -- refusals --------------------------------------------------------------------------


def prints(x: Any, n: int) -> Any:
    for _ in rg.checkpointed(range(n), snapshots=2):
        print("step")
        x = x * x
    return x


@rg.checkpoint
def loud(x: Any) -> Any:
    print("here")
    return x * x


def calls_loud(x: Any) -> Any:
    return loud(x) + 1.0


def calls_loud_in_a_loop(x: Any) -> Any:
    for _ in rg.checkpointed(range(3), snapshots=2):
        x = x * unmarked(x)
    return x


def unmarked(x: Any) -> Any:
    if x > 100.0:
        print("large")
    return x * 0.5


@pytest.mark.parametrize(
    ("f", "args"), [(prints, (1.1, 3)), (calls_loud, (1.1,)), (calls_loud_in_a_loop, (1.1,))]
)
def test_what_prints_is_not_run_twice(f: Any, args: Any) -> None:
    with pytest.raises(
        UnsupportedOperation, match="run again on the way back, and this calls print"
    ):
        rg.grad(f)(*args)
    rg.jvp(f, args, (1.0, None)[: len(args)])


def asserts(x: Any, n: int) -> Any:
    for _ in rg.checkpointed(range(n), snapshots=2):
        assert x < 1e6
        if x < 0:
            raise ValueError("negative")
        x = x * x
    return x


def test_what_fails_fails_on_the_way_there() -> None:
    rg.check_grads(asserts, (1.1, 3))
    with pytest.raises(ValueError, match="negative"):
        rg.grad(asserts)(-1.0, 3)


def misplaced(x: Any, n: int) -> Any:
    for i, _ in enumerate(rg.checkpointed(range(n), snapshots=2)):
        x = x * i
    return x


def unknown(x: Any, n: int) -> Any:
    for _ in rg.checkpointed(range(n), snapshots=n):
        x = x * x
    return x


def literal(x: Any) -> Any:
    for y in rg.checkpointed((1.0, 2.0), snapshots=2):
        x = x * y
    return x


@pytest.mark.parametrize(
    ("f", "args", "reason"),
    [
        (misplaced, (1.0, 2), "stands in the head"),
        (unknown, (1.0, 2), "not a positive number known here"),
        (literal, (1.0,), "no states to keep"),
    ],
)
def test_what_cannot_be_checkpointed_says_so(f: Any, args: Any, reason: str) -> None:
    with pytest.raises(UnsupportedSyntax, match=reason):
        rg.grad(f)(*args)


@pytest.mark.parametrize("wrong", [0, -1, True, 2.0, "all"])
def test_the_option_is_checked(wrong: Any) -> None:
    with pytest.raises(SignatureMismatch, match="checkpoint is"):
        rg.differentiate(checkpoint=wrong)(counted)
    with pytest.raises(SignatureMismatch, match="checkpoint takes"):
        rg.checkpoint(np.sin)


# -- elementwise -----------------------------------------------------------------------


def layers(x: Any, w: Any, n: int) -> Any:
    for _ in range(n):
        a = x * w
        b = np.exp(-a * a)
        x = b * np.sin(b)
    return np.sum(x)


def test_elementwise_keeps_one_array_of_a_chain() -> None:
    frugal = rg.differentiate(checkpoint="elementwise")(layers)
    text = frugal.source("grad", H, H, 3)
    assert text.count("tape.append(a)") == 1
    assert "# recomputed" in text
    np.testing.assert_array_equal(frugal.grad(H, H, 3), rg.grad(layers)(H, H, 3))


def halves(x: Any, w: Any) -> Any:
    a = x * w
    b = np.exp(-a * a)
    c = b * np.sin(b)
    return c


def calls_halves(x: Any, w: Any) -> Any:
    return np.sum(halves(x, w) * halves(w, x))


def test_elementwise_between_the_halves_of_a_function() -> None:
    frugal = rg.differentiate(checkpoint="elementwise")(calls_halves)
    assert frugal.source("grad", H, H).count("saved = x, w\n") == 2
    np.testing.assert_array_equal(frugal.grad(H, H), rg.grad(calls_halves)(H, H))
    rg.check_grads(frugal, (H, H), order=2)


# -- writes ----------------------------------------------------------------------------


def heat(u: Any, n: int) -> Any:
    u = u.copy()
    for _ in range(n):
        u[1:-1] = u[1:-1] + 0.2 * np.sin(u[2:]) * u[:-2]
        u[0] = u[1] * u[2]
    return np.sum(u * u)


def written_after(u: Any, n: int) -> Any:
    u = u * 1.0
    h = u
    for _ in range(n):
        h = np.sin(h) * u[1]
    total = np.sum(h * h)
    u[0] = 7.0
    return total + np.sum(u * u * u)


def written_from_inside(u: Any, n: int) -> Any:
    v = u * 1.0
    h = u
    for _ in range(n):
        v[0] = v[0] * 0.5
        h = np.sin(h) * v
    return np.sum(h * h) + np.sum(v)


def filled(x: Any, n: int) -> Any:
    ys = np.zeros(n)
    y = x[0]
    for i in range(n):
        y = np.sin(y) * x[1]
        ys[i] = y
    return np.sum(ys * ys)


def step(u: Any) -> None:
    u[1:] = np.sin(u[:-1]) * u[1:]
    u[0] = u[-1] * u[1]


marked_step = rg.checkpoint(step)


def calls_step(u: Any, n: int) -> Any:
    u = u * 1.0
    for _ in range(n):
        step(u)
    return np.sum(u * u)


def calls_marked_step(u: Any, n: int) -> Any:
    u = u * 1.0
    for _ in range(n):
        marked_step(u)
    return np.sum(u * u)


def snapshots_in_a_helper(h: Any, n: int) -> Any:
    for _ in rg.checkpointed(range(n), snapshots=2):
        h = np.sin(h) * h
    return h


def plain_helper(h: Any, n: int) -> Any:
    for _ in range(n):
        h = np.sin(h) * h
    return h


def writes_after_a_plain_helper(u: Any, n: int) -> Any:
    u = u * 1.0
    total = np.sum(plain_helper(u, n))
    u[1] = 3.0
    return total + np.sum(u * u)


def writes_after_a_helper(u: Any, n: int) -> Any:
    u = u * 1.0
    total = np.sum(snapshots_in_a_helper(u, n))
    u[1] = 3.0
    return total + np.sum(u * u)


@pytest.mark.parametrize(
    ("frugal", "plain"),
    [
        *[(rg.differentiate(checkpoint=2)(f), f) for f in (heat, written_after, written_from_inside, filled)],
        *[(rg.differentiate(checkpoint="elementwise")(f), f) for f in (heat, written_from_inside, calls_step)],
        (calls_marked_step, calls_step),
        (rg.differentiate(checkpoint=2)(calls_marked_step), calls_step),
        (writes_after_a_helper, writes_after_a_plain_helper),
    ],
)  # fmt: skip
def test_what_is_kept_is_not_written_over(frugal: Any, plain: Any) -> None:
    u, v = RNG.normal(size=4), RNG.normal(size=4)
    np.testing.assert_allclose(rg.grad(frugal)(u, 5), rg.grad(plain)(u, 5), rtol=1e-10)
    wanted = rg.hvp(plain, (u, 5), v)
    np.testing.assert_allclose(rg.hvp(frugal, (u, 5), v), wanted, rtol=1e-8, atol=1e-12)
    back = rg.vjp(rg.grad(frugal), u, 5, wrt=0)[1](v)[0]
    np.testing.assert_allclose(back, wanted, rtol=1e-8, atol=1e-12)


def read_after_the_loop(x):
    y = np.repeat(np.tanh(x), 2)[::2] * 1.18
    total = 0.0
    for t in range(3):
        u = y * (t + 1)
        total = total + np.sum(u)
    total = total + u[1] * t
    return np.sin(total)


@pytest.mark.parametrize("snapshots", [1, 2, 3])
def test_a_name_that_the_first_iteration_binds(snapshots: int) -> None:
    """A snapshot of the first one holds nothing for it."""
    x = np.array([-1.443, 0.728, 1.106])
    expected = rg.grad(read_after_the_loop, strict=True)(x)
    kept = rg.differentiate(checkpoint=snapshots, strict=True)(read_after_the_loop)
    np.testing.assert_allclose(rg.grad(kept, strict=True)(x), expected, rtol=1e-12)
