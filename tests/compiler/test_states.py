"""Objects of the module that a function writes to: as the function leaves them, once for a derivative."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import MutationError


class Store:
    """Some state."""

    rate = 0.5

    def __init__(self) -> None:
        self.count, self.total, self.name = 2, 1.5, "a"
        self.field = np.ones(3)

    def note(self, v: Any) -> Any:
        self.count += 1
        self.total = self.total + v * self.rate
        return self.total


STATE = Store()
ALIAS = STATE


def counted(x: Any) -> Any:
    STATE.count += 1
    return x * x


def followed(x: Any) -> Any:
    STATE.last = 2 * x
    ALIAS.last = ALIAS.last * x
    return x * STATE.last


def by_methods(x: Any) -> Any:
    y = 0.0
    for k in range(3):
        if x > 0.3 * k:
            STATE.count += k
            y = y + STATE.note(x * k)
    return y * STATE.count


def added(v: Any) -> Any:
    STATE.total += v
    return v * STATE.total


def by_helpers(x: Any) -> Any:
    return added(x) + added(x * x) + added(1.0)


def until(x: Any) -> Any:
    while STATE.total < 9.0:
        STATE.total = STATE.total * 2 + x
        STATE.count += 1
    return STATE.total * STATE.count


def early(x: Any) -> Any:
    STATE.count += 1
    if x < 0.5:
        return x * STATE.total
    STATE.count *= 3
    return x * STATE.total**2


def arrays(x: Any) -> Any:
    STATE.field = STATE.field * x
    return np.sum(STATE.field**2)


def kept(x: Any) -> Any:
    y = np.array([x, 2.0, x * x])
    STATE.last = y
    y[1] = x
    STATE.first = z = y * 2.0
    return np.sum(y * z * STATE.last)


PROGRAMS = [kept, counted, followed, by_methods, by_helpers, until, early, arrays]


def run(f: Any, x: Any) -> tuple[Any, dict[str, Any]]:
    vars(STATE).clear()
    STATE.__init__()  # type: ignore[misc]
    value = f(x)
    return value, {
        k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in vars(STATE).items()
    }


@pytest.mark.parametrize("x", [0.7, 0.2])
@pytest.mark.parametrize("f", PROGRAMS)
def test_the_object_is_left_as_by_the_function(f: Any, x: float) -> None:
    strict = rg.differentiate(strict=True)(f)
    want, left = run(f, x)
    slope = (run(f, x + 1e-6)[0] - run(f, x - 1e-6)[0]) / 2e-6
    both = rg.value_and_grad(strict)
    for _ in range(2):
        (value, bar), after = run(both, x)
        assert value == want
        assert after == left
        np.testing.assert_allclose(bar, slope, rtol=1e-7)
    (_, dot), after = run(lambda v: rg.jvp(strict, (v,), (1.0,)), x)
    np.testing.assert_allclose(dot, slope, rtol=1e-7)
    assert after == left
    (_, pull), after = run(lambda v: rg.vjp(strict, v), x)
    np.testing.assert_allclose(pull(1.0)[0], slope, rtol=1e-7)
    assert after == left
    second, after = run(rg.grad(rg.grad(strict)), x)
    near = [run(rg.grad(strict), x + h)[0] for h in (1e-6, -1e-6)]
    np.testing.assert_allclose(second, (near[0] - near[1]) / 2e-6, rtol=1e-6, atol=1e-8)
    assert after == left


def test_a_value_of_another_kind_has_a_text_of_its_own() -> None:
    derivative = rg.grad(by_helpers)
    assert run(derivative, 0.7)[0] == run(derivative, 0.7)[0]
    STATE.total = np.array([1.0])
    with pytest.raises(rg.RetrogradError):
        derivative(0.7)
    STATE.total = 3
    assert derivative(0.5) == pytest.approx(
        (lambda f: (f(0.5 + 1e-6) - f(0.5 - 1e-6)) / 2e-6)(from_three), rel=1e-6
    )


def from_three(x: float) -> Any:
    STATE.total = 3
    return by_helpers(x)


def test_counting_compiles_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from retrograd.transforms.specialise import compile as compiled

    made = []
    original = compiled.render
    monkeypatch.setattr(compiled, "render", lambda *a, **k: made.append(1) or original(*a, **k))
    derivative = rg.grad(counted)
    for k in range(5):
        assert derivative(1.0 + k) == 2.0 * (1.0 + k)
    assert len(made) == 1


def test_what_is_kept_is_nobody_elses() -> None:
    def f(x: Any) -> Any:
        STATE.last = y = np.exp(x)
        return np.sum(y)

    x = np.array([0.5, 1.0])
    bar = rg.grad(f)(x)
    bar += 100.0
    np.testing.assert_array_equal(STATE.last, np.exp(x))  # type: ignore[attr-defined]

    def g(p: Any, x: Any) -> Any:
        p["last"] = y = np.exp(x)
        return np.sum(y)

    p: dict[str, Any] = {"last": None}
    bar = rg.grad(g, "x")(p, x)
    bar += 100.0
    np.testing.assert_array_equal(p["last"], np.exp(x))


def unread(x: Any) -> Any:
    _ = locals()
    return {math.floor(x) + STATE.count: x}


def looked_at(x: Any) -> Any:
    STATE.count += 1
    return x * len(unread(x))


def in_place(x: Any) -> Any:
    STATE.field[0] = x
    return np.sum(STATE.field)


def held(x: Any) -> Any:
    STATE.count += 1
    STATE.field[0] = x
    return np.sum(STATE.field)


def whole(x: Any) -> Any:
    STATE.count += 1
    print(STATE)
    return x * x


def passed_too(s: Any, x: Any) -> Any:
    STATE.count += 1
    return s.count * x


def test_refused() -> None:
    run(counted, 1.0)
    with pytest.raises(MutationError, match="is not compiled, and may look at `STATE`"):
        rg.grad(looked_at)(0.7)
    with pytest.raises(MutationError, match="is not made in this function"):
        rg.grad(in_place)(0.7)
    with pytest.raises(MutationError, match="may be an array of the module"):
        rg.grad(held)(0.7)
    with pytest.raises(rg.RetrogradError):
        rg.grad(whole)(0.7)
    other = Store()
    assert rg.grad(passed_too, "x")(other, 0.7) == other.count
    with pytest.raises(MutationError, match="was passed twice"):
        rg.grad(passed_too, "x")(STATE, 0.7)
