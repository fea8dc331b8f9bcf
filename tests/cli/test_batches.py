"""`retrograd grad --batch`: files with the derivatives of each example, and what is refused."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.cli.c_language import files
from retrograd.cli.grad import all_asked, text_of
from retrograd.cli.main import parser

from .conftest import Done

Call = Callable[..., Done]
MODEL = '''
import numpy as np


def loss(w, x, y):
    return np.sum((np.tanh(x @ w) - y) ** 2)


def fit(params, x):
    return np.sum((params["a"] * x + params["b"]) ** 2)


def slope(w, x):
    return np.tanh(w * x)


def annotated(w: "f8[3]", x: "f8[3]", y: float):
    return (x @ w - y) ** 2


def shown(w, x, y):
    """A square.

    >>> shown(np.zeros(3), np.ones(3), 1.0)
    1.0
    """
    return (x @ w - y) ** 2


class Spring:
    def __init__(self, k=2.0):
        self.k = k

    def energy(self, x):
        return self.k * np.sum(x**2)
'''
SIG = "w: f8[d], x: f8[n, d], y: f8[n]"
W, V = np.array([0.3, -0.2, 0.5]), np.array([1.0, 2.0, -1.0])
X, Y = np.random.default_rng(0).normal(size=(5, 3)), np.random.default_rng(1).normal(size=5)


@pytest.fixture(autouse=True)
def model(folder: Path) -> None:
    (folder / "fits.py").write_text(MODEL, encoding="utf-8")


def loss(w: Any, x: Any, y: Any) -> Any:
    return np.sum((np.tanh(x @ w) - y) ** 2)


LOOPS: dict[str, Callable[..., Any]] = {
    "grad": lambda x, y: rg.grad(loss)(W, x, y),
    "value_and_grad": lambda x, y: rg.value_and_grad(loss)(W, x, y),
    "hessian": lambda x, y: rg.hessian(loss)(W, x, y),
    "jacobian": lambda x, y: rg.jacobian(loss)(W, x, y),
    "hvp": lambda x, y: rg.hvp(loss, (W, x, y), V),
    "jvp": lambda x, y: rg.jvp(loss, (W, x, y), (V, None, None)),
    "vjp": lambda x, y: rg.vjp(loss, W, x, y, wrt=0)[1](2.0)[0],
}
LAST = {"hvp": (V,), "jvp": (V,), "vjp": (np.full(5, 2.0),)}


def alike(found: Any, mode: str) -> None:
    runs = [LOOPS[mode](x, y) for x, y in zip(X, Y, strict=True)]
    if not isinstance(runs[0], tuple):
        found, runs = (found,), [(run,) for run in runs]
    for one, wanted in zip(found, zip(*runs, strict=True), strict=True):
        np.testing.assert_allclose(one, np.stack(wanted), rtol=1e-12, atol=1e-14)


OPTIONS: list[list[str]] = [["--standalone"], ["--no-checks"], ["--optimize", "2"]]


@pytest.mark.parametrize(
    ("mode", "more"),
    [*((mode, []) for mode in LOOPS), *((m, o) for o in OPTIONS for m in ("grad", "hessian"))],
)
def test_every_mode_gives_what_a_loop_gives(
    mode: str, more: list[str], written: Callable[..., Any], call: Call
) -> None:
    stem = f"{mode}_{'_'.join(more).replace('-', '')}"
    module = written(
        f"{stem}.py", "fits.py:loss", "--batch", "x,y", "--mode", mode, "--sig", SIG, *more
    )
    alike(getattr(module, f"loss_{mode}_vmap")(W, X, Y, *LAST.get(mode, ())), mode)
    assert ("retrograd import" in Path(f"{stem}.py").read_text()) == (
        more in ([], ["--optimize", "2"])
    )
    assert call("check", f"{stem}.py").code == 0
    Path("fits.py").write_text(MODEL.replace("np.tanh", "np.sin"))
    done = call("check", f"{stem}.py")
    assert done.code == 1
    assert "--batch x,y" in done.out + done.err


@pytest.mark.parametrize(
    ("batch", "args"),
    [("x:1,y", (W, X.T, Y)), ("x:-1,y:0", (W, X.T, Y)), ("w,x,y", (X + 1.0, X, Y))],
)
def test_axes_and_several_arguments(batch: str, args: Any, written: Callable[..., Any]) -> None:
    """Without types, too, where the axis is the first."""
    name = re.sub(r"\W", "_", batch)
    kinds = ["--sig", "x: f8[d, n]"] if ":" in batch else []
    module = written(f"axes_{name}.py", "fits.py:loss", "--batch", batch, *kinds)
    ws = args[0] if args[0].ndim == 2 else np.stack([W] * 5)
    wanted = [rg.grad(loss)(w, x, y) for w, x, y in zip(ws, X, Y, strict=True)]
    np.testing.assert_allclose(module.loss_grad_vmap(*args), wanted, rtol=1e-12)


def test_containers_have_an_axis_in_every_part(written: Callable[..., Any]) -> None:
    a, b = np.arange(4.0), np.arange(4.0) - 1.0
    for stem, more in (
        ("typed", ["--sig", "params: {'a': f8[n], 'b': f8[n]}, x: f8[d]"]),
        ("open", []),
    ):
        module = written(f"fit_{stem}.py", "fits.py:fit", "--batch", "params", *more)
        found = module.fit_grad_vmap({"a": a, "b": b}, V)
        np.testing.assert_allclose(found["a"], 2.0 * (a * (V @ V) + b * V.sum()), rtol=1e-12)
        np.testing.assert_allclose(found["b"], 2.0 * (a * V.sum() + 3 * b), rtol=1e-12)


def test_methods(written: Callable[..., Any]) -> None:
    import importlib

    module = written("springs.py", "fits.py:Spring.energy", "--batch", "x")
    spring = importlib.import_module("fits").Spring()
    np.testing.assert_allclose(module.energy_grad_vmap(spring, X), 4.0 * X, rtol=1e-12)


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("annotated", []),
        ("annotated", ["--sig", "x: f8[n, 3]"]),
        ("shown", []),
        ("loss", ["--example", "loss(np.zeros(3), np.ones(3), 1.0)"]),
        ("loss", ["--run", "train.py"]),
    ],
)
def test_what_a_function_says_is_of_one_example(name: str, more: list[str], call: Call) -> None:
    """A signature is of the batch; annotations, and calls that were seen, are the function's own."""
    Path("train.py").write_text(
        "import numpy as np, fits\nfits.loss(np.zeros(3), np.ones(3), 1.0)\n"
    )
    done = call("grad", f"fits.py:{name}", "--batch", "x,y", *more)
    assert done.code == 0, done.err
    kinds = re.findall(r'"(f8\[.*?\])"', done.out.split("@rt.expects(")[1].split(")\n")[0])
    (w, x, y) = [kind[3:-1].split(", ") for kind in kinds]
    assert x == [*y, *w]


def test_examples_along_another_axis_are_counted_there(written: Callable[..., Any]) -> None:
    module = written("columns.py", "fits.py:loss", "--batch", "x:1,y")
    w, x, y = np.array([0.3, -0.2, 0.5]), np.arange(15.0).reshape(3, 5) / 10, np.ones(5)
    want = [rg.grad(loss)(w, x[:, k], y[k]) for k in range(5)]
    np.testing.assert_allclose(module.loss_grad_vmap(w, x, y), want, rtol=1e-12)


def test_ranks_that_the_function_decides_are_of_one_example(written: Callable[..., Any]) -> None:
    """A gradient is of a number: so `x` is one for each example."""
    module = written("slopes.py", "fits.py:slope", "--batch", "x")
    np.testing.assert_allclose(
        module.slope_grad_vmap(0.5, Y), Y * (1.0 - np.tanh(0.5 * Y) ** 2), rtol=1e-12
    )


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--batch", "z"], "--batch z: there is w, x, y"),
        (["--batch", ""], "--batch : there is w, x, y"),
        (["--batch", "x:a"], "--batch x:a: the axis is a number, as in x:1"),
        (["--batch", "x,x:1"], "x has one axis of examples, and is named twice"),
        (["--batch", "x['a']"], "parts of an argument are batched by `rg.vmap`"),
        (["--batch", "x:9", "--sig", SIG], "in_axes is 9 for `x`, which has 2 axes"),
        (["--batch", "w,x", "--sig", "w: float, x: f8[n], y: f8"], "`w` is a number, and has no axis"),
    ],
)  # fmt: skip
def test_refusals(argv: list[str], words: str, call: Call) -> None:
    done = call("grad", "fits.py:loss", *argv, "-o", "refused.py")
    assert (done.code, done.out) == (2, "")
    assert words in done.err
    assert not Path("refused.py").exists()


# -- other languages, and lists of files --------------------------------------------------------------


@pytest.mark.parametrize("mode", ["grad", "value_and_grad", "hessian", "jacobian", "hvp", "jvp"])
def test_c(mode: str, tmp_path: Path) -> None:
    if shutil.which("cc") is None:
        pytest.skip("no C compiler")
    from tests.c_source.programs import compiled

    sig = "w: f8[3], x: f8[n, 3], y: f8[n]"
    argv = ["grad", "fits.py:loss", "--batch", "x,y", "--mode", mode, "--sig", sig]
    options = parser().parse_args([*argv, "--language", "c"])
    (asked,) = all_asked(options)
    options.language = "python"
    made = files(asked, text_of([options]))
    found = compiled(made, tmp_path, "cc")([W, X, Y, *LAST.get(mode, ())])
    alike(tuple(found) if len(found) > 1 else found[0], mode)


def test_c_that_there_is_not_is_refused(call: Call) -> None:
    sig = "params: {'a': f8[n], 'b': f8[n]}, x: f8[3]"
    done = call("grad", "fits.py:fit", "--batch", "params", "--sig", sig, "--language", "c")
    assert done.code == 1
    assert "fit_grad_vmap cannot be written in C" in done.err


PROJECT = """
[[tool.retrograd.gradients]]
function = "fits.py:loss"
output = "gradients/each.py"
batch = ["x", "y"]
mode = ["grad", "hessian"]
sig = "w: f8[d], x: f8[n, d], y: f8[n]"

[[tool.retrograd.gradients]]
function = "fits.py:loss"
output = "gradients/each.py"
batch = "x:1,y"
name = "columns"
sig = "w: f8[d], x: f8[d, n], y: f8[n]"
"""


def test_a_project_that_lists_batches(folder: Path, call: Call) -> None:
    Path("pyproject.toml").write_text(PROJECT)
    assert call("sync").code == 0
    assert call("sync", "--check").code == 0
    space: dict[str, Any] = {}
    exec((folder / "gradients" / "each.py").read_text(), space)
    alike(space["loss_grad_vmap"](W, X, Y), "grad")
    alike(space["loss_hessian_vmap"](W, X, Y), "hessian")
    alike(space["columns"](W, X.T, Y), "grad")
    Path("fits.py").write_text(MODEL.replace("np.tanh", "np.sin"))
    assert call("sync", "--check").code == 1
    assert call("sync").code == 0
    assert "np.sin" in (folder / "gradients" / "each.py").read_text()


# -- what is explained and shown ----------------------------------------------------------------------


def test_explained_are_the_values_of_one_example(call: Call, folder: Path) -> None:
    with open("fits.py", "a", encoding="utf-8") as file:
        file.write("\n\nimport retrograd as rg\n\neach = rg.vmap(rg.grad(loss), (None, 0, 0))\n")
        file.write("many = rg.vmap(loss, (None, 0, 0))\n")
    alone = call("explain", "fits.py:loss", "--sig", "w: f8[d], x: f8[d], y: f8").out.splitlines()
    for target in (["fits.py:loss", "--batch", "x,y"], ["fits.py:each"], ["fits.py:many"]):
        done = call("explain", *target, "--sig", SIG)
        assert done.code == 0, done.err
        first, said, *rest = done.out.splitlines()
        assert [first, *rest] == alone
        assert said == "for a batch of examples (x, y); what follows is of one of them"
        page = call("explain", *target, "--sig", SIG, "--html").out
        assert "def loss_grad_vmap(w, x, y):" in re.sub(r"<[^>]*>", "", page)
        assert "loss_grad_vmap_grad" not in page
        assert "reverse mode, with respect to w; then a batch of examples" in page
    timed = ["--sig", "w: f8[3], x: f8[5, 3], y: f8[5]", "--html", "--time"]
    assert "one run" in call("explain", "fits.py:loss", "--batch", "x,y", *timed).out
    assert "there is w, x, y" in call("explain", "fits.py:loss", "--batch", "z").err


@rg.differentiate(sig="w: f8[d], x: f8[d], y: f8")
def signed(w: Any, x: Any, y: Any) -> Any:
    return (x @ w - y) ** 2


def test_a_notebook_shows_the_text_of_a_batch() -> None:
    """The signature of a decorated function is of one example."""
    for f in (signed, loss):
        for made, name in (
            (rg.vmap(f, (None, 0, 0)), "vmap"),
            (rg.vmap(rg.grad(f), (None, 0, 0)), "grad_vmap"),
        ):
            assert f"_{name}(w, x, y):" in made.source()
            shown = made._repr_html_()
            assert f"_{name}" in shown
            assert shown.startswith("<div>")
    assert "x * (2.0 * (x @ w - y))[:, None]" in rg.vmap(rg.grad(signed), (None, 0, 0)).source()
