"""The golden programs, compiled: what the NumPy text gives, and how many of them are one kernel."""

from __future__ import annotations

import contextlib
import copy
import io
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from tests.fuzz.native import same
from tests.golden_case import Case, cases

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)

CASES = {case.name: case for case in cases()}
IN_REGIONS = {
    "calls_that_stay", "comprehensions", "curvature_of_examples", "damped_newton", "formatted_progress", "implicit_layer",
    "gauss_newton", "jitter_fallback", "k_means_step", "kept_statements", "lstm_class",
    "pairwise_sums", "ray_tracing", "recursion", "rk45_adaptive", "shortest_path", "snapshots", "snapshots_while",
    "soft_alignment", "stateful_object", "try_cholesky",
}  # fmt: skip


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("RETROGRAD_VERIFY", "1")


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", CASES)
def test_the_kernel_gives_what_the_text_gives(name: str) -> None:
    case = CASES[name]
    wrt = [place.at for place in case.wrt if not place.keys]
    if len(wrt) != len(case.wrt) or name in ("any_number_of_terms", "lstm_class"):
        pytest.skip("with respect to a part of an argument, to any number of them, to an object")
    chosen: Any = wrt if len(wrt) > 1 else wrt[0]
    kernel = rg.value_and_grad(case.function, chosen, backend="c")
    plain = rg.value_and_grad(case.function, chosen)
    for _ in range(3):
        given, found = called(kernel, case)
        touched, wanted = called(plain, case)
        assert same(found, wanted, 1e-9), (found, wanted)
        assert same(plain_data(given), plain_data(touched), 0.0)
    native: Any = kernel.__native__  # type: ignore[attr-defined]
    whole = native.notes == []
    assert not whole or native.family.taken[None] == 0, "the kernel is left"
    assert whole == (name not in IN_REGIONS), kernel.__native__.notes  # type: ignore[attr-defined]


def plain_data(args: list[Any]) -> list[Any]:
    """The arguments that are no objects of the program's own."""
    return [a for a in args if type(a).__module__ in ("builtins", "numpy")]


def called(function: Any, case: Case) -> tuple[Any, Any]:
    args = copy.deepcopy(case.arguments())
    with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
        return args, function(*args)
