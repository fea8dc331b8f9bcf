"""Random programs on the tape: bitwise the same value, the same gradient as the compiled one.

``python -m tests.fuzz.test_tape 1000`` runs so many of each kind, and all that were found.
"""

from __future__ import annotations

import collections
import contextlib
import copy
import io
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError, TapeError
from retrograd.runtime.objects.pytree import flatten
from retrograd.runtime.tape.calls import pushed, taped
from retrograd.transforms.api import Chain
from retrograd.transforms.check.check_grads import random_like
from retrograd.transforms.specialise.eager_fallback import eager_vjp

from . import aliases, programs
from .checks import loaded, quiet, unloaded

MAKERS = {"programs": programs.program, "aliases": aliases.program}
SEEDS = (1, 2, 3, 4, 5, 6, 7, 8)


def numbers(tree: Any) -> Any:
    """All numbers of a tree in a row."""
    leaves = [np.ravel(np.asarray(leaf, complex)) for leaf in flatten(tree)[0] if leaf is not None]
    return np.concatenate(leaves) if leaves else np.zeros(0)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", MAKERS)
def test_the_tape_agrees_with_the_compiled_gradient(kind: str, seed: int) -> None:
    run(MAKERS[kind](seed))


def run(text: str, second: bool = False) -> None:
    module = loaded(text)
    try:
        with quiet(), contextlib.redirect_stdout(io.StringIO()):
            compare(module, second)
    finally:
        unloaded(module)


def compare(module: Any, second: bool = False) -> None:
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
    if second:
        slope = rg.hvp(f, copy.deepcopy(args), dots, module.WRT)
        inner = lambda *xs: taped(f, *placed(args, wrt, xs), wrt=wrt)[1](c)
        mixed = pushed(inner, dots, *(args[k] for k in wrt))[1]
        norm = 1.0 + float(np.max(np.abs(numbers(slope)), initial=0.0))
        np.testing.assert_allclose(numbers(mixed), numbers(slope) * c, rtol=1e-6, atol=1e-7 * norm)


def placed(args: Any, wrt: Any, xs: Any) -> list[Any]:
    full = list(copy.deepcopy(args))
    for k, x in zip(wrt, xs, strict=True):
        full[k] = x
    return full


def main(count: int) -> None:
    """The verdicts over many programs, and what was wrong."""
    found: collections.Counter[Any] = collections.Counter()
    texts = [(kind, k, make(k)) for kind, make in MAKERS.items() for k in range(count)]
    folder = Path(__file__).parent / "found"
    texts += [("found", path.name, path.read_text()) for path in sorted(folder.glob("*.py"))]
    for kind, k, text in texts:
        try:
            run(text, second=True)
            verdict = "ok"
        except RetrogradError:
            verdict = "refused at second order"
        except BaseException as error:
            verdict = "skipped" if type(error).__name__ == "Skipped" else "WRONG"
            if isinstance(error, KeyboardInterrupt):
                raise
            if verdict == "WRONG":
                print(kind, k, type(error).__name__, " ".join(str(error).split())[:300], flush=True)
            else:
                verdict = str(error)[:40]
        found[kind, verdict] += 1
    for key, number in sorted(found.items()):
        print(*key, number)


if __name__ == "__main__":
    main(int(sys.argv[1]))
