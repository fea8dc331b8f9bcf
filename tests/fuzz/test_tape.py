"""Random programs on the tape: bitwise the same value, the same gradient as the compiled one."""

from __future__ import annotations

import contextlib
import copy
import io
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.checking import random_like
from retrograd.fallback import eager_vjp
from retrograd.runtime.errors import RetrogradError, TapeError
from retrograd.runtime.tape import pushed
from retrograd.transforms import Chain
from retrograd.trees import flatten

from .checks import loaded, quiet, unloaded
from .programs import program

SEEDS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)


def numbers(tree: Any) -> Any:
    """All numbers of a tree in a row."""
    leaves = [np.ravel(np.asarray(leaf, complex)) for leaf in flatten(tree)[0] if leaf is not None]
    return np.concatenate(leaves) if leaves else np.zeros(0)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_tape_agrees_with_the_compiled_gradient(seed: int) -> None:
    module = loaded(program(seed))
    try:
        with quiet(), contextlib.redirect_stdout(io.StringIO()):
            compare(module)
    finally:
        unloaded(module)


def compare(module: Any) -> None:
    f, args = module.main, module.ARGS
    positions, _ = Chain(f).positions(module.WRT)
    try:
        value, pull = rg.vjp(f, *copy.deepcopy(args), wrt=positions)
        c = random_like(value, np.random.default_rng(1))
        expected = numbers(pull(c))
    except RetrogradError:
        pytest.skip("the compiler refuses this program")
    try:
        on_tape, pull = eager_vjp(Chain(f), positions, copy.deepcopy(args))
    except TapeError:
        pytest.skip("the tape refuses this program (a write that a view would see)")
    np.testing.assert_array_equal(numbers(on_tape), numbers(f(*copy.deepcopy(args))))
    bars = pull(c)
    scale = 1.0 + float(np.max(np.abs(expected), initial=0.0))
    np.testing.assert_allclose(numbers(bars), expected, rtol=1e-7, atol=1e-9 * scale)
    wrt = tuple(place.at for place in positions)
    dots = tuple(random_like(args[k], np.random.default_rng(2)) for k in wrt)
    _, tangent = pushed(f, dots, *copy.deepcopy(args), wrt=wrt)
    left, right = np.vdot(numbers(c), numbers(tangent)), np.vdot(numbers(bars), numbers(dots))
    assert np.real(left) == pytest.approx(np.real(right), rel=1e-6, abs=1e-6 * scale)
