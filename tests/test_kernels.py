"""The kernels of the benchmarks: right in every mode, the same in JAX, and what is made of their times."""

from __future__ import annotations

import importlib
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from benchmarks import ledger
from benchmarks.kernels import __main__ as command
from benchmarks.kernels import report, tables
from benchmarks.kernels.contenders import CONTENDERS, OURS, problem_of
from benchmarks.kernels.grade import case, differences, graded, off, slope
from benchmarks.kernels.kernel import SIZES, Kernel
from benchmarks.kernels.programs import GROUPS, KERNELS
from benchmarks.kernels.time_limit import TookTooLong, at_most
from benchmarks.measure import measured

ALL = pytest.mark.parametrize("kernel", KERNELS.values(), ids=list(KERNELS))


def assert_right(kernel: Kernel, modes: tuple[str, ...]) -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        verdicts = graded(kernel, modes)
    assert [f"{v.mode}: {v}" for v in verdicts if v.outcome != "right"] == []
    assert [str(w.message) for w in said] == []


@pytest.mark.sampled(8)
@ALL
def test_every_mode_of_the_text(kernel: Kernel, unchecked: None) -> None:
    assert_right(kernel, ("grad", "value_and_grad", "jvp", "vjp", "hvp"))


@pytest.mark.slow
@ALL
def test_in_c(kernel: Kernel, unchecked: None) -> None:
    assert_right(kernel, ("c",))


@pytest.mark.slow
@ALL
def test_in_numba(kernel: Kernel, unchecked: None) -> None:
    pytest.importorskip("numba")
    assert_right(kernel, ("numba",))


@ALL
def test_what_is_written_to_is_said_and_weights_reach_the_sum(kernel: Kernel) -> None:
    """Arguments that a call changes are those at ``written``; the loss hangs on whatever it is differentiated by."""
    given, fresh = kernel.made(), kernel.made()
    assert np.isfinite(kernel.loss(*given))
    changed = {i for i, (x, y) in enumerate(zip(given, fresh, strict=True)) if np.any(x != y)}
    assert changed == set(kernel.written)
    of = case(kernel, "tiny", 0)
    sums = "total" in kernel.loss.__code__.co_names
    assert (of.loss(*of.given()) != kernel.loss(*kernel.made())) == sums
    assert abs(slope(of)) > 1e-8


@ALL
def test_every_size_is_larger_than_the_one_before(kernel: Kernel) -> None:
    sizes = [sum(getattr(x, "size", x) for x in kernel.made(size)) for size in SIZES]
    assert len(kernel.sizes) == len(SIZES)
    assert sizes == sorted(sizes)


@pytest.mark.sampled(6)
@ALL
def test_in_jax_it_is_the_same(kernel: Kernel) -> None:
    """The same value; derivatives are compared where it is timed."""
    jax = pytest.importorskip("jax")
    if kernel.without_jax:
        pytest.skip("no program in JAX")
    jax.config.update("jax_enable_x64", True)
    module = importlib.import_module(f"benchmarks.kernels.in_jax.{kernel.group}")
    given = [jax.numpy.asarray(x) if isinstance(x, np.ndarray) else x for x in kernel.made()]
    np.testing.assert_allclose(
        getattr(module, kernel.name)(*given), kernel.loss(*kernel.made()), rtol=1e-9
    )


def test_there_are_forty_kernels_in_ten_classes() -> None:
    assert len(KERNELS) >= 40
    assert len(GROUPS) >= 10


def test_a_wrong_derivative_is_seen() -> None:
    """One element's derivative at another's place, which a plain sum would not tell."""

    def turned(x: Any) -> Any:
        return np.sum(x[::-1] * np.cos(1.0 + np.arange(x.size)))

    of = case(KERNELS["durbin"], "tiny", 0)
    assert off(of.along(rg.grad(of.loss)(*of.given())), slope(of)) < 1e-6
    assert off(of.along(rg.grad(turned)(*of.given())), slope(of)) > 1e-3
    assert off((np.ones(2),), (np.ones(3),)) == float("inf")
    assert differences(lambda t: np.exp(2 * t), 1e-3) == pytest.approx(2.0, abs=1e-10)


def test_what_fails_is_a_verdict() -> None:
    def refused(x: Any) -> Any:
        raise ValueError("no")

    kernel = Kernel(refused, lambda rng, n: (np.ones(n),), (0,), sizes=((2,),))
    (verdict,) = graded(kernel, ["grad"])
    assert verdict.outcome == "refused"
    assert "NotDifferentiable" in str(verdict)


def test_a_call_that_does_not_end_is_ended() -> None:
    with pytest.raises(TookTooLong, match="after 1 s"):
        at_most(1, endless)


def endless() -> None:
    while True:
        try:
            sum(range(1000))
        except Exception:
            pass


def test_what_is_written_to_is_put_back_before_each_call() -> None:
    problem = problem_of(KERNELS["jacobi_1d"], "tiny")
    arguments = problem.arguments(0)
    run = CONTENDERS["retrograd"](problem, arguments)
    assert run()[0] == run()[0] == KERNELS["jacobi_1d"].loss(*problem.arguments(0))
    np.testing.assert_array_equal(arguments[0], problem.arguments(0)[0])


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    names = ["function", "retrograd", "autograd"]
    found = {}
    for name in ("atax", "jacobi_1d"):
        kernel = KERNELS[name]
        result = measured(problem_of(kernel, "tiny"), names, 1, CONTENDERS, OURS)
        found[f"{name}-tiny"] = result | {"group": kernel.group, "kernel": name}
    return found


def test_tables_have_a_row_for_each(results: dict[str, Any]) -> None:
    for table, rows in ((tables.in_full(results), 2), (tables.summary(results), 3)):
        lines = table.splitlines()
        assert len(lines) == 2 + rows
        assert len({line.count("|") for line in lines}) == 1
    assert "jacobi_1d-tiny" in tables.in_full(results)
    assert "of 2 NumPy kernels (2 cells)" in tables.overall(results)
    assert tables.first_calls(results) == "0 of 0 above 2 s"


def test_losses_are_named_worst_first() -> None:
    def cell(group: str, c: float, jax: float) -> dict[str, Any]:
        return {"group": group, "median": {"retrograd c": c, "jax.jit": jax}}

    found = {"a": cell("one", 2.0, 1.0), "b": cell("two", 9.0, 1.0), "c": cell("three", 1.0, 4.0)}
    assert tables.losses(found) == "C over `jax.jit` in two 9, one 2"
    assert tables.losses({"c": found["c"]}) == "in no class"


def test_pages_are_written_between_their_marks(results: dict[str, Any]) -> None:
    page = "before\n<!-- kernels:start -->\nold\n<!-- kernels:end -->\nafter"
    written = report.marked(page, results)
    assert written.startswith("before\n<!-- kernels:start -->\n| class |")
    assert written.endswith("|\n<!-- kernels:end -->\nafter")
    assert report.marked(written, results) == written


def test_the_command_grades(capsys: pytest.CaptureFixture[str], unchecked: None) -> None:
    assert command.main(["--grade", "--kernels", "atax", "--modes", "grad", "vjp"]) == 0
    printed = capsys.readouterr().out
    assert "| atax | right | right |" in printed
    assert "1 kernels, 2 grades, 0 not right" in printed
    with pytest.raises(SystemExit):
        command.options(["--kernels", "nobody"])


# -- the ledger --------------------------------------------------------------------------------------


def test_a_release_is_added_and_what_got_slower_is_seen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = ["--ledger", str(tmp_path / "ledger.csv")]

    def measure(release: str, text: float, c: float | None) -> None:
        median = {"function": 2.0, "retrograd": text, "jax.jit": text}
        median |= {"retrograd c": c} if c else {}
        file = tmp_path / f"{release}.json"
        file.write_text(json.dumps({"kernels": {"heat": {"median": median}}}))
        assert ledger.main(["add", release, str(file), *book]) == 0

    measure("0.9.0", 2.0, 1.0)
    assert ledger.main(["slower", *book]) == 0
    measure("0.10.0", 2.2, 3.0)
    capsys.readouterr()
    assert ledger.main(["slower", *book]) == 1
    assert capsys.readouterr().out == (
        "heat, retrograd c: 3.00 times as long (0.50 to 1.50 of the function)\n"
    )
    assert ledger.main(["slower", "0.9.0", "0.10.0", "--than", "1.05", *book]) == 1
    assert capsys.readouterr().out.count("\n") == 2
    measure("0.10.0", 2.0, None)
    assert len(ledger.read(tmp_path / "ledger.csv")) == 3 + 2
    capsys.readouterr()
    assert ledger.main(["slower", *book]) == 1
    assert capsys.readouterr().out == "heat, retrograd c: no longer there\n"


def test_the_ledger_can_be_read() -> None:
    entries = ledger.read()
    assert {e.release for e in entries} >= {"0.2.0"}
    assert len({e[:3] for e in entries}) == len(entries)
    assert all(e.ratio > 0 for e in entries)
