"""Random programs in C: RETROGRAD_FUZZ says how many.  ``python -m tests.c_source.test_random FIRST COUNT`` runs so many."""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.native.refusal import Unsupported
from retrograd.runtime.errors import CompileError
from retrograd.transforms.api import chain_of
from tests.fuzz.checks import loaded, quiet, unloaded
from tests.fuzz.native import small_program, stencil_program
from tests.fuzz.programs import program

from .derivatives import fixed, pair
from .programs import MAKERS

COUNT = int(os.environ.get("RETROGRAD_FUZZ", "100")) // 10
KINDS: dict[str, Callable[[int], str]] = {
    "small": small_program,
    "stencil": stencil_program,
    "any": program,
}
MODES = ("value_and_grad", "jvp")


def judged(text: str, seed: int, folder: Path) -> str:
    """``ok``, or why not; what differs raises."""
    try:
        module = loaded(text)
    except Exception:
        return "does not load"
    try:
        return held(module, seed, folder)
    finally:
        unloaded(module)


def held(module: Any, seed: int, folder: Path) -> str:
    args, wrt = module.ARGS, module.WRT
    kind = MODES[seed % 2]
    try:
        with quiet(), np.errstate(all="ignore"):
            rg.value_and_grad(module.main, wrt)(*args)
    except Exception:
        return "the plain program"
    chain = chain_of(module.main)
    places, single = chain.positions(wrt)
    types = chain.types(list(args))
    if seed % 3:
        types = {n: fixed(k, a) for (n, k), a in zip(types.items(), args, strict=True)}
    try:
        made = pair(chain, kind, places, single, types, f"made_{seed}")
    except Unsupported as error:
        return f"refused: {error.reason}"
    except CompileError:
        return "refused by the compiler"
    given = [*args, *(place.of(list(args)) for place in places)] if kind == "jvp" else [*args]
    try:
        with quiet():
            made.check(folder, given, MAKERS[seed % len(MAKERS)], 1e-8)
    except ArithmeticError:
        return "left"
    return "ok"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))


@pytest.mark.skipif(not MAKERS, reason="no C compiler")
@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", KINDS)
def test_random_programs(kind: str, tmp_path: Path) -> None:
    found = Counter(judged(KINDS[kind](seed), seed, tmp_path) for seed in range(COUNT))
    assert found["ok"] >= (COUNT // 3 if kind != "any" else 1), found


if __name__ == "__main__":
    first, count = int(sys.argv[1]), int(sys.argv[2])
    for kind, make in KINDS.items():
        if len(sys.argv) > 3 and kind not in sys.argv[3:]:
            continue
        outcomes: Counter[str] = Counter()
        for seed in range(first, first + count):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    outcomes[judged(make(seed), seed, Path(folder))] += 1
                except (Exception, AssertionError) as error:
                    outcomes["FAILED"] += 1
                    print(f"{kind} {seed}: {type(error).__name__} {str(error)[:600]}", flush=True)
        print(kind, dict(outcomes.most_common(12)))
