"""`retrograd grad --mode`: what each mode writes, alone and with others in one file."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.cli.modes import MODES
from retrograd.runtime.errors import SignatureMismatch

from .conftest import Done

Call = Callable[..., Done]
MODEL = """
import numpy as np

RATE = 2.0


def shape(z):
    return np.tanh(z) * RATE


def residual(p, t, y):
    return p[0] * np.exp(-p[1] * t) - shape(y)


def loss(p, t):
    return np.sum(shape(p * t) ** 2)


def rhs(t, y, k):
    return np.array([-k * y[0], k * y[0] - y[1] ** 2])


def of_matrix(m, v):
    return {"out": m @ v, "total": np.sum(m * m)}


def of_dict(params, x):
    return np.sum((x * params["a"] + params["b"]) ** 2)


def pair(x, y):
    return np.sum(x * x * y), x * y


def slope(r):
    return 3.0 * r**2


def counting(x, log):
    for k in range(3):
        log[0] = log[0] + 1
        x = np.append(x, x[k])
    return x
"""
P, T, Y = np.array([1.5, 0.7]), np.linspace(0.0, 1.0, 5), np.linspace(0.5, 1.5, 5)
SIG = "p: f8[2], t: f8[n], y: f8[n]"
CASES: dict[str, tuple[Any, ...]] = {
    "residual": ("p", P, T, Y),
    "loss": ("p", P, np.array([0.3, 0.4])),
    "rhs": ("y", 0.0, P, 0.5),
    "of_matrix": ("m,v", np.arange(6.0).reshape(2, 3), np.ones(3)),
    "of_dict": ("params", {"a": 2.0, "b": np.ones(2)}, P),
    "pair": ("x", P, P + 1.0),
    "slope": ("r", 2.0),
}


@pytest.fixture
def program(folder: Path) -> Any:
    (folder / "fits.py").write_text(MODEL, encoding="utf-8")
    return folder


def same(found: Any, wanted: Any) -> None:
    if isinstance(wanted, (tuple, list)):
        assert len(found) == len(wanted)
        for a, b in zip(found, wanted, strict=True):
            same(a, b)
    elif isinstance(wanted, dict):
        assert list(found) == list(wanted)
        for key in wanted:
            same(found[key], wanted[key])
    else:
        assert np.shape(found) == np.shape(wanted)
        np.testing.assert_allclose(found, wanted, rtol=1e-10)


def asked(wrt: str) -> Any:
    return wrt.split(",") if "," in wrt else wrt


@pytest.mark.parametrize("name", CASES)
def test_jacobians_are_those_of_the_library(program: Path, written: Any, name: str) -> None:
    wrt, *args = CASES[name]
    made = written(f"{name}_j.py", f"fits.py:{name}", "--wrt", wrt, "--mode", "jacobian")
    function = getattr(load(program), name)
    same(getattr(made, f"{name}_jacobian")(*args), rg.jacobian(function, asked(wrt))(*args))


def load(folder: Path) -> Any:
    import importlib

    sys.path.insert(0, str(folder))
    return importlib.import_module("fits")


@pytest.mark.parametrize("name", ["loss", "of_dict", "slope"])
def test_second_derivatives_are_those_of_the_library(
    program: Path, written: Any, name: str
) -> None:
    wrt, *args = CASES[name]
    made = written(f"{name}_2.py", f"fits.py:{name}", "--wrt", wrt, "--mode", "hvp,hessian")
    function = getattr(load(program), name)
    same(getattr(made, f"{name}_hessian")(*args), rg.hessian(function, wrt)(*args))
    same(getattr(made, f"{name}_hvp")(*args, args[0]), rg.hvp(function, args, args[0], wrt))


def test_products_with_a_cotangent(program: Path, written: Any) -> None:
    made = written("v.py", "fits.py:residual", "--mode", "vjp", "--sig", SIG)
    both = written("w.py", "fits.py:residual", "--mode", "vjp", "--value", "--wrt", "p,y")
    function = load(program).residual
    value, pullback = rg.vjp(function, P, T, Y, wrt=("p", "y"))
    bar = np.linspace(1.0, 2.0, 5)
    same(made.residual_vjp(P, T, Y, residual_bar=bar), pullback(bar)[0])
    same(both.residual_vjp(P, T, Y, bar), (value, pullback(bar)))
    with pytest.raises(SignatureMismatch, match="residual_bar"):
        made.residual_vjp(P, T, Y, bar[1:])


def test_a_cotangent_for_each_result(program: Path, written: Any) -> None:
    made = written("v.py", "fits.py:pair", "--mode", "vjp")
    x, y = P, P + 1.0
    same(made.pair_vjp(x, y, 2.0, np.ones(2)), 2.0 * 2 * x * y + y)


def test_one_file_for_several_functions_and_modes(program: Path, written: Any, call: Call) -> None:
    made = written("all.py", "fits.py:loss", "fits.py:residual", "--mode", "jacobian,vjp")
    text = (program / "all.py").read_text("utf-8")
    for name in ("loss_jacobian", "loss_vjp", "residual_jacobian", "residual_vjp"):
        assert callable(getattr(made, name))
        assert f"* `{name}`: derivative of `" in text
    assert text.count("import numpy as np\n") == text.count("from retrograd import runtime") == 1
    assert text.count("\nRATE = 2.0\n") == 1
    assert "(source loss " in text
    same(made.loss_jacobian(P, T[:2]), rg.jacobian(load(program).loss)(P, T[:2]))
    assert call("check", "all.py").out == "all.py is up to date\n"


def test_functions_of_one_name_have_that_of_their_place_before_it(
    program: Path, call: Call
) -> None:
    (program / "other.py").write_text(MODEL.replace("RATE = 2.0", "RATE = 3.0"), encoding="utf-8")
    done = call("grad", "fits.py:loss", "other.py:loss", "-o", "both.py")
    assert done.code == 0, done.err
    made: dict[str, Any] = {}
    exec((program / "both.py").read_text("utf-8"), made)
    one, two = made["fits_loss_grad"](P, T[:2]), made["other_loss_grad"](P, T[:2])
    same(two, one * 9 / 4)  # each has its own RATE
    assert {made["RATE"], made["RATE_2"]} == {2.0, 3.0}


def test_a_name_of_ones_own(program: Path, call: Call) -> None:
    done = call("grad", "fits.py:loss", "--name", "slope_of_loss")
    assert "def slope_of_loss(p, t):" in done.out
    assert " --name slope_of_loss " in done.out
    assert call("grad", "fits.py:loss", "--name", "a b").code == 2
    assert call("grad", "fits.py:loss", "--name", "x", "--mode", "grad,vjp").code == 2


def test_a_signature_for_several_functions(program: Path, call: Call) -> None:
    done = call("grad", "fits.py:loss", "fits.py:residual", "--mode", "jacobian", "--sig", SIG)
    assert '@rt.expects("f8[2]", "f8[n]", "f8[n]")' in done.out
    assert "no function here has an argument `q`" in call(
        "grad", "fits.py:loss", "fits.py:residual", "--sig", "q: f8"
    ).err  # fmt: skip


@pytest.mark.parametrize("mode", ["jacobian", "vjp", "jvp", "hvp", "hessian"])
def test_standing_alone(program: Path, call: Call, mode: str) -> None:
    done = call("grad", "fits.py:loss", "--mode", mode, "--standalone", "-o", "alone.py")
    assert done.code == 0, done.err
    command = [sys.executable, "-c", "import sys, alone; assert 'retrograd' not in sys.modules"]
    subprocess.run(command, cwd=program, check=True)


def test_what_a_mode_cannot_be_is_said(program: Path, call: Call) -> None:
    sig = "t: float, y: f8[2], k: float"
    done = call("grad", "fits.py:rhs", "--wrt", "y", "--mode", "hessian", "--sig", sig)
    assert (done.code, "jacobian" in done.err) == (1, True)
    done = call("grad", "fits.py:loss", "--mode", "hesian")
    assert (done.code, "did you mean hessian?" in done.err) == (2, True)
    assert "--value goes with" in call("grad", "fits.py:loss", "--mode", "hvp", "--value").err
    done = call("grad", "fits.py:counting", "--mode", "jacobian")
    assert (done.code, "more than once" in done.err) == (1, True)


def test_scipy_takes_them(program: Path, written: Any) -> None:
    optimize = pytest.importorskip("scipy.optimize")
    integrate = pytest.importorskip("scipy.integrate")
    made = written("residual_jacobian.py", "fits.py:residual", "--mode", "jacobian")
    module = load(program)
    found = optimize.least_squares(module.residual, [1.0, 1.0], made.residual_jacobian, args=(T, Y))
    plain = optimize.least_squares(module.residual, [1.0, 1.0], args=(T, Y))
    np.testing.assert_allclose(found.x, plain.x, rtol=1e-4)
    second = written("two.py", "fits.py:loss", "--mode", "grad,hvp,hessian")
    t = np.array([0.3, 0.4])
    done = optimize.minimize(
        module.loss, P, args=(t,), jac=second.loss_grad, hess=second.loss_hessian, method="trust-exact",
    )  # fmt: skip
    assert done.success
    done = optimize.minimize(
        module.loss, P, args=(t,), jac=second.loss_grad, method="trust-ncg",
        hessp=lambda p, v, t: second.loss_hvp(p, t, v),
    )  # fmt: skip
    assert done.success
    rhs = written("rhs_jacobian.py", "fits.py:rhs", "--wrt", "y", "--mode", "jacobian")
    done = integrate.solve_ivp(
        module.rhs, (0.0, 1.0), P, method="Radau", jac=rhs.rhs_jacobian, args=(0.5,)
    )
    assert done.success


def test_every_mode_is_in_the_help(call: Call) -> None:
    text = call("grad", "--help").out
    assert all(f"  {name} " in text for name in MODES)


def test_json_is_all_that_is_printed(program: Path, call: Call) -> None:
    assert call("grad", "fits.py:loss", "-o", "loss_grad.py").code == 0
    assert json.loads(call("check", "--json").out)[0]["file"] == "loss_grad.py"
