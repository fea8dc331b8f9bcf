"""The user's own derivatives: ``@rg.custom_gradient`` and ``rg.on_gradient``, in both modes and second order."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import TapeWarning

X, Y = np.array([0.3, 1.2]), np.array([2.0, 0.5])


@rg.custom_gradient
def cube(x):
    return x * x * x


@cube.vjp
def cube_vjp(c, z, x):
    return 3 * x * x * c


@rg.custom_gradient(constant=("scale",))
def scaled_product(x, y, scale):
    """The compiler does not take this text: it is called as it is."""
    with np.errstate(all="ignore"):
        return scale * x * y


@scaled_product.jvp
def scaled_product_jvp(z, x, y, scale, dx, dy):
    return scale * (dx * y + x * dy)


def both_vjp(c, z, x, y):
    return c * np.cos(x) * y, c * np.sin(x)


def both_jvp(z, x, y, dx, dy):
    return np.cos(x) * y * dx + np.sin(x) * dy


@rg.custom_gradient(vjp=both_vjp, jvp=both_jvp)
def both(x, y):
    return np.sin(x) * y


@rg.custom_gradient
def polar(point):
    return {"r": np.sqrt(point["x"] ** 2 + point["y"] ** 2), "angle": point["x"] / point["y"]}


@polar.vjp
def polar_vjp(c, z, point):
    x, y = point["x"], point["y"]
    return {
        "x": c["r"] * x / z["r"] + c["angle"] / y,
        "y": c["r"] * y / z["r"] - c["angle"] * x / y**2,
    }


@rg.custom_gradient
def two(x):
    return np.sin(x), np.cos(x)


@two.vjp
def two_vjp(c, z, x):
    return c[0] * z[1] - c[1] * z[0]


def use_cube(x):
    return np.sum(cube(x) * np.sin(x))


def use_product(x, y):
    return np.sum(scaled_product(x, y, 2.0) ** 2)


def use_both(x, y):
    return np.sum(both(x, y) ** 3)


def use_polar(x, y):
    out = polar({"x": x, "y": y})
    return np.sum(out["r"] * out["angle"])


def use_two(x):
    a, b = two(x)
    return np.sum(a * b * b)


def in_a_loop(x):
    for _ in range(3):
        if np.sum(x) > 0:
            x = cube(x) + 0.1
    return np.sum(x)


def in_a_callee(a, b):
    c = cube(b)
    total = np.sum(a) * 2.0
    for k in range(2):
        total = total + np.sum(cube(c) * k) * np.sum(cube(a))
    return total * np.sum(c)


def through_a_callee(x, y):
    return in_a_callee(x, y) * in_a_callee(np.concatenate([y, x]), x)


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (through_a_callee, (X, np.array([0.4, -0.3, 0.9]))), (use_cube, (X,)), (use_product, (X, Y)), (use_both, (X, Y)), (use_polar, (X, Y)),
        (use_two, (X,)), (in_a_loop, (X,)), (cube, (X,)), (cube, (1.5,)), (both, (X, Y)),
    ],
    ids=lambda v: getattr(v, "__name__", ""),
)  # fmt: skip
def test_all_modes_and_orders(f: Any, args: Any) -> None:
    rg.check_grads(f, args, order=2)


@rg.custom_gradient
def marked(x):
    return x * x


@marked.vjp
def marked_vjp(c, z, x):
    return 7.0 * c


def use_marked(x):
    return marked(x) * x


def test_the_given_rule_is_used() -> None:
    assert marked(3.0) == 9.0
    assert rg.grad(marked)(3.0) == 7.0
    assert rg.grad(use_marked)(3.0) == 7.0 * 3.0 + 9.0
    assert rg.jvp(marked, (3.0,), (1.0,))[1] == 7.0  # the transpose of the vjp
    assert rg.grad(rg.grad(use_marked))(3.0) == 14.0


def test_the_text_calls_the_rule() -> None:
    text = rg.differentiate(use_cube).source("grad", X)
    assert "x_bar = cube_vjp(np.sin(x), z, x)" in text
    assert "def cube_vjp(c, z, x):\n    return 3 * x * x * c" in text


# -- refusals ---------------------------------------------------------------------------


@rg.custom_gradient
def straight_through(x):
    return np.round(x)


@straight_through.vjp
def straight_through_vjp(c, z, x):
    return np.clip(c, -1.0, 1.0)


def use_straight(x):
    return np.sum(straight_through(x) * np.array([0.5, 3.0]))


def test_a_nonlinear_vjp_has_no_transpose() -> None:
    np.testing.assert_array_equal(rg.grad(use_straight)(X), [0.5, 1.0])
    with pytest.raises(rg.RetrogradError, match=r"vjp is not linear(.|\n)*give the jvp in @rg"):
        rg.jvp(use_straight, (X,), (Y,))


@rg.custom_gradient
def outside(x):
    return x + 1.0


@outside.vjp
def outside_vjp(c, z, x):
    _ = locals()  # what the compiler does not take
    return 2.0 * c


def use_outside(x):
    return np.sum(outside(x) * x)


def use_outside_once(x):
    return outside(x * x)


def test_a_vjp_that_is_called_as_it_is() -> None:
    np.testing.assert_allclose(rg.grad(use_outside)(X), 2.0 * X + X + 1.0)
    with pytest.raises(
        rg.RetrogradError, match="does not take the text of its vjp to transpose it"
    ):
        rg.jvp(use_outside, (X,), (Y,))
    with pytest.warns(TapeWarning, match="outside_vjp"):  # and differentiated on the tape
        assert rg.grad(rg.grad(use_outside_once))(1.5) == pytest.approx(4.0)


@rg.custom_gradient
def half(x, y):
    return x * y


@half.vjp
def half_vjp(c, z, x, y):
    return c * y, None


def use_half(x, y):
    return half(x, y)


def product_by_constant(x, y):
    return np.sum(scaled_product(x, x, y))


def test_what_has_no_derivative_is_refused() -> None:
    assert rg.grad(use_half)(3.0, 2.0) == 2.0
    with pytest.raises(rg.RetrogradError, match="its vjp returns None for `y`"):
        rg.grad(use_half, wrt="y")(3.0, 2.0)
    with pytest.raises(rg.RetrogradError, match="`scale` was said to be constant"):
        rg.grad(product_by_constant, wrt="y")(X, 2.0)


@rg.custom_gradient
def nothing(x):
    return x * x


def test_without_a_rule() -> None:
    def f(x):
        return nothing(x)

    with pytest.raises(rg.RetrogradError, match="nothing: it has no vjp"):
        rg.grad(f)(2.0)
    with pytest.raises(rg.RetrogradError, match="nothing: it has no jvp"):
        rg.jvp(f, (2.0,), (1.0,))


def test_wrong_rules_are_refused_at_once() -> None:
    def f(x, y):
        return x * y

    def short(c, z, x):
        return c

    with pytest.raises(
        rg.RetrogradError, match=r"short: the parameters are \(c, z, x, y\) for `f`"
    ):
        rg.custom_gradient(vjp=short)(f)
    with pytest.raises(rg.RetrogradError, match="takes a Python function"):
        rg.custom_gradient(np.sin)
    with pytest.raises(rg.RetrogradError, match="`f` has no argument `k`"):
        rg.custom_gradient(constant=("k",))(f)


@rg.custom_gradient
def pair(x, y):
    return x * y


@pair.vjp
def pair_vjp(c, z, x, y):
    return c * y


def use_pair(x, y):
    return pair(x, y)


def test_a_cotangent_for_each_argument() -> None:
    with pytest.raises(rg.RetrogradError, match="a cotangent for each of x, y"):
        rg.grad(use_pair)(1.0, 2.0)


# -- hooks ------------------------------------------------------------------------------

SEEN: list[Any] = []


def clip(c):
    return np.clip(c, -1.0, 1.0)


def clipped(x):
    y = rg.on_gradient(x * 3.0, clip)
    return np.sum(y * y)


def recorded(x):
    y = rg.on_gradient(x * 3.0, SEEN.append)
    return np.sum(y * y * y)


def printed(x):
    y = rg.on_gradient(x * 3.0, print)
    return np.sum(y * y)


def asserted(x):
    y = rg.on_gradient(x * 3.0, check_size)
    return np.sum(y * y)


def check_size(c):
    assert np.max(np.abs(c)) < 5.0, "too large"


def in_loop(x, limit):
    for _ in range(2):
        x = rg.on_gradient(x * 2.0, lambda c: np.minimum(c, limit))
    return np.sum(x * x)


def two_of_them(x, y):
    a, b = rg.on_gradient((x, y), lambda c: (c[0] * 2.0, c[1] * 3.0))
    return np.sum(a * b)


def test_a_hook_is_the_identity_outside() -> None:
    assert clipped(X) == np.sum((3.0 * X) ** 2)
    assert rg.on_gradient(X, clip) is X


def test_a_hook_changes_the_cotangent() -> None:
    np.testing.assert_allclose(rg.grad(clipped)(X), 3.0 * np.clip(6.0 * X, -1.0, 1.0))
    value, gradient = rg.value_and_grad(clipped)(X)
    assert value == clipped(X)
    np.testing.assert_allclose(gradient, [3.0, 3.0])


def test_second_order_is_that_of_the_changed_gradient() -> None:
    x = np.array([0.1, 1.2])  # clipped in the second entry only
    np.testing.assert_allclose(rg.hvp(clipped, (x,), Y), [18.0 * Y[0], 0.0])
    np.testing.assert_allclose(rg.vjp(rg.grad(clipped), x)[1](Y)[0], [18.0 * Y[0], 0.0])


def test_a_hook_that_looks(capsys: pytest.CaptureFixture[str]) -> None:
    SEEN.clear()
    np.testing.assert_allclose(rg.grad(recorded)(X), 81.0 * X * X)
    np.testing.assert_allclose(SEEN, [3.0 * (3.0 * X) ** 2])
    np.testing.assert_allclose(rg.grad(printed)(X), 18.0 * X)
    assert capsys.readouterr().out == f"{6.0 * X}\n" or "[" in capsys.readouterr().out
    np.testing.assert_allclose(rg.jvp(printed, (X,), (Y,))[1], 18.0 * X @ Y)
    np.testing.assert_allclose(rg.hvp(printed, (X,), Y), 18.0 * Y)


def test_a_hook_that_asserts() -> None:
    np.testing.assert_allclose(rg.grad(asserted)(0.1 * X), 1.8 * X)
    with pytest.raises(AssertionError, match="too large"):
        rg.grad(asserted)(X)
    np.testing.assert_allclose(rg.jvp(asserted, (X,), (Y,))[1], 18.0 * X @ Y)


def test_a_hook_reads_what_is_around_it() -> None:
    np.testing.assert_allclose(
        rg.grad(in_loop)(X, 5.0), 2 * np.minimum(2 * np.minimum(8 * X, 5), 5)
    )
    np.testing.assert_allclose(rg.grad(in_loop)(X, 1.0), [2.0, 2.0])


def test_a_hook_on_a_container() -> None:
    x_bar, y_bar = rg.grad(two_of_them, wrt=("x", "y"))(X, Y)
    np.testing.assert_allclose(x_bar, 2.0 * Y)
    np.testing.assert_allclose(y_bar, 3.0 * X)


@pytest.mark.parametrize("f", [clipped, recorded], ids=lambda f: f.__name__)
def test_forward_mode_of_a_hook_is_refused(f: Any) -> None:
    with pytest.raises(rg.RetrogradError, match=r"has no forward mode(.|\n)*reverse mode"):
        rg.jvp(f, (X,), (Y,))


PROGRAM = """
import numpy as np
import retrograd as rg

@rg.custom_gradient
def cube(x):
    return x * x * x

@cube.vjp
def cube_vjp(c, z, x):
    return FACTOR * x * x * c

def f(x):
    return np.sum(cube(x))

print(rg.grad(f)(np.array([1.0, 2.0])), rg.grad(cube)(1.0))
"""


def test_the_cache_sees_a_change_of_the_rule(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    found = []
    for factor in ("3.0", "3.0", "4.0"):
        path.write_text(PROGRAM.replace("FACTOR", factor))
        done = subprocess.run(
            [sys.executable, str(path)],
            env={"RETROGRAD_CACHE": str(tmp_path / "cache"), "PYTHONPATH": ":".join(sys.path)},
            capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        found.append(done.stdout)
    assert found == ["[ 3. 12.] 3.0\n", "[ 3. 12.] 3.0\n", "[ 4. 16.] 4.0\n"]


def test_keywords_only_are_refused() -> None:
    def scaled(x, *, k=2.0):
        return x * k

    with pytest.raises(rg.RetrogradError, match="by keyword only"):
        rg.custom_gradient(scaled)
