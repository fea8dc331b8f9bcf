"""Some programs of each kind; ``python -m tests.fuzz.kernels --count 5000`` tries more."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from ..copies import alike
from .disguises import DISGUISES, disguised
from .kinds import KINDS, MATRICES, case_of
from .run import Batch, outcomes
from .worker import text_of

needs_c = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)


@needs_c
@pytest.mark.sampled(6)
@pytest.mark.parametrize("kind", KINDS)
def test_kernels_give_what_the_text_gives(kind: str) -> None:
    if kind == MATRICES:
        pytest.importorskip("scipy.sparse")
    programs = [(kind, seed) for seed in (11, 12)]
    found = list(outcomes([Batch(programs, "c", "O0")]))
    assert [(f.kind, f.seed) for f in found] == programs
    assert not [f.outcome for f in found if f.outcome.verdict == "failed"]


@needs_c
def test_a_wrong_kernel_has_failed() -> None:
    programs = [("arrays", 1), ("masks", 3)]
    found = outcomes([Batch(programs, "c", "O0", mistake="arrays may be shorter")])
    assert "failed" in [f.outcome.verdict for f in found]


@needs_c
def test_what_ends_the_process_has_failed_and_the_others_run() -> None:
    programs = [("arrays", 1), ("stencils", 2)]
    found = list(outcomes([Batch(programs, "c", "O0", mistake="the process ends")]))
    assert [f.outcome.reason for f in found] == ["ends the process (-6)"] * 2


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != MATRICES])
def test_the_same_seed_gives_the_same_program(kind: str) -> None:
    assert case_of(kind, 5) == case_of(kind, 5)
    assert len({text_of(kind, seed) for seed in range(8)}) > 4


@pytest.mark.parametrize("name", DISGUISES)
def test_a_disguise_leaves_the_arguments_alone_and_survives_a_copy(name: str) -> None:
    rng = np.random.default_rng(0)
    args = (
        rng.normal(size=4),
        rng.normal(size=4),
        rng.normal(size=(4, 4)),
        rng.integers(0, 4, 4),
        0.7,
    )
    before = [np.copy(a) for a in args]
    made = disguised(name, args, 3)
    assert made is not None
    for a, b in zip(args, before, strict=True):
        np.testing.assert_array_equal(a, b)
    for a, b in zip(made, alike(made), strict=True):
        assert type(a) is type(b)
        if isinstance(a, np.ndarray):
            same = (a.shape, a.dtype, a.flags.writeable, a.flags.aligned)
            assert same == (b.shape, b.dtype, b.flags.writeable, b.flags.aligned)
            assert a.strides == b.strides
            np.testing.assert_array_equal(a, b)
