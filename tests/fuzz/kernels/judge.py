"""Whether a back end gives what the NumPy text gives: for a program, a way to ask, and arguments in disguises."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from unittest import mock

import numpy as np

from retrograd.runtime.errors import (
    CompileError,
    GradientMismatch,
    InternalError,
    RetrogradError,
)

from ..checks import Outcome, loaded, quiet, shortened, unloaded, where
from ..copies import alike
from ..native import same
from .disguises import disguised
from .modes import MODES

__all__ = ["WHOLE", "Case", "Watch", "judged", "watched"]

# Frames between generated code and generated code count as such: else an error would be taken for the user's.
COUNTING = """
def counting(watch, fallback):
    def left(*args):
        watch.left += 1
        return fallback(*args)
    return left
"""
SCOPE: dict[str, Any] = {"__generated__": True}
exec(COUNTING, SCOPE)
NEAR = {"f8": 1e-9, "f4": 2e-3}
REGION = re.compile(r"kernel_+\d+")  # the name of a kernel of a region
WHOLE = "whole"
# Which entries of a Fourier transform are NaN is the algorithm's affair: these are not tried then.
NOT_FINITE = ("with one that is not a number", "with an infinite one")


class Case(NamedTuple):
    """A program and how it is asked: its text, the mode, disguises of the arguments with seeds."""

    kind: str
    seed: int
    text: str
    mode: str
    disguises: tuple[str, ...]


class Watch:
    """How many kernels were made, how many of them of regions, and how many calls they have left to the text.

    ``why``: what kept whole functions from being kernels.
    """

    def __init__(self) -> None:
        self.made = self.regions = self.left = 0
        self.why: list[str] = []

    @property
    def extent(self) -> str:
        """How much of a program is kernels, and why not all of it."""
        if self.made and not self.regions and not self.why:
            return WHOLE
        return f"{'regions' if self.made else 'no kernel'}: {self.why[0] if self.why else 'nothing is asked'}"


@contextlib.contextmanager
def watched(backend: str) -> Iterator[Watch]:
    """Counts the kernels of a back end that are made meanwhile, and their calls."""
    from retrograd.compiler.native import compile as native
    from retrograd.compiler.native.c import entry
    from retrograd.compiler.native.numba import module
    from retrograd.compiler.native.refusal import Unsupported

    watch = Watch()
    home = entry if backend == "c" else module
    plain, prepared = home.entry_of, native.prepared

    def counted(text: str, name: str, fallback: Callable[..., Any], captured: Any = ()) -> Any:
        watch.made += 1
        watch.regions += bool(REGION.fullmatch(name))
        return plain(text, name, SCOPE["counting"](watch, fallback), captured)

    def asked(backend: str, text: str, name: str, *args: Any, **kwargs: Any) -> Any:
        try:
            return prepared(backend, text, name, *args, **kwargs)
        except Unsupported as error:
            if not REGION.fullmatch(name):
                watch.why.append(error.reason)
            raise

    with mock.patch.object(home, "entry_of", counted), mock.patch.object(native, "prepared", asked):
        yield watch


def judged(case: Case, backend: str = "c") -> Outcome:
    """``ok``: a kernel ran and gave what the text gives; ``numpy``: no kernel ran."""
    try:
        module = loaded(case.text)
    except Exception as error:
        return Outcome("discarded", f"does not load: {type(error).__name__}")
    try:
        with quiet(), contextlib.redirect_stdout(io.StringIO()), watched(backend) as watch:
            return verdict(module, case, backend, watch)
    finally:
        unloaded(module)


def verdict(module: Any, case: Case, backend: str, watch: Watch) -> Outcome:
    main, args, wrt = module.main, module.ARGS, tuple(module.WRT)
    if not wrt:
        return Outcome("discarded", "nothing to differentiate")
    outcome = compared(main, wrt, case.mode, args, backend)
    if outcome.verdict != "ok":
        return outcome
    made, before, extent = watch.made, watch.left, watch.extent
    again = compared(main, wrt, case.mode, args, backend)
    if again.verdict == "failed":
        return again
    ran = made and (watch.left == before or made > 1)
    others = [("", other) for other in getattr(module, "OTHERS", ())]
    for k, name in enumerate(case.disguises):
        other = disguised(name, args, case.seed + k)
        if other is not None and not (name in NOT_FINITE and "np.fft" in case.text):
            others.append((f" ({name})", other))
    for name, other in others:
        outcome = compared(main, wrt, case.mode, other, backend)
        if outcome.verdict == "failed":
            return Outcome("failed", outcome.reason + name, outcome.detail)
    if watch.made and (ran or not made):
        return Outcome("ok", extent)
    return Outcome("numpy", "left" if watch.made else extent)


def compared(main: Any, wrt: tuple[int, ...], mode: str, args: Any, backend: str) -> Outcome:
    """One call of a mode, twice with a back end and once without."""
    wrt = tuple(k for k in wrt if has_derivative(args[k]))
    if not wrt:
        return Outcome("discarded", "nothing to differentiate")
    plain, kernel = MODES[mode](main, wrt, None), MODES[mode](main, wrt, backend)
    touched = alike(args)
    try:
        wanted = plain(*touched)
    except InternalError as error:
        return Outcome("failed", f"the compiler fails: {shortened(error)}", where(error))
    except CompileError as error:
        return Outcome("refused", type(error).__name__)
    except Exception as error:
        return raised_alike(error, kernel, args)
    for _ in range(2):
        given = alike(args)
        try:
            found = kernel(*given)
        except Exception as error:
            return Outcome("failed", f"{type(error).__name__}: {shortened(error)}", where(error))
        outcome = differing(found, wanted, given, touched, args, in_single(main))
        if outcome is not None:
            if outcome.verdict == "failed" and is_rough(plain, args, wanted, found):
                return Outcome("discarded", "rough")
            return outcome
    return Outcome("ok")


def in_single(main: Any) -> bool:
    """True if a program has numbers of single precision of its own."""
    code = main.__code__
    return "float32" in code.co_names or "f4" in code.co_consts


def differing(
    found: Any, wanted: Any, given: Any, touched: Any, args: Any, single: bool
) -> Outcome | None:
    single = single or any(getattr(a, "dtype", None) == np.float32 for a in args)
    near = NEAR["f4" if single else "f8"]
    if has_infinities(args):
        found, wanted, given, touched = map(without_infinities, (found, wanted, given, touched))
    if not same(found, wanted, near):
        return Outcome("failed", "differs", f"{found}\nnot\n{wanted}")
    if not same(given, touched, near):
        detail = f"{given}\nnot\n{touched}"
        return Outcome("failed", "the arguments are left in another state", detail)
    return None


def has_infinities(args: Any) -> bool:
    """True if an argument is, or has, an infinite number."""
    numbers = map(np.asarray, args)
    return any(np.isinf(x).any() for x in numbers if x.dtype.kind in "fc")


def without_infinities(tree: Any) -> Any:
    """NaN in their places: of an infinite argument it is the order of sums that tells which of the two comes out."""
    if isinstance(tree, (tuple, list)):
        return type(tree)(map(without_infinities, tree))
    if isinstance(tree, dict):
        return {key: without_infinities(item) for key, item in tree.items()}
    if getattr(tree, "dtype", np.dtype(int)).kind not in "fc" and not isinstance(tree, float):
        return tree
    made = np.where(np.isinf(tree), np.nan, tree).astype(np.asarray(tree).dtype)
    return made if isinstance(tree, np.ndarray) else type(tree)(made)


def raised_alike(error: Exception, kernel: Callable[..., Any], args: Any) -> Outcome:
    """Where the text raises, so does the back end, in the same way."""
    touched = alike(args)
    for _ in range(2):
        try:
            kernel(*touched)
        except GradientMismatch as other:
            return Outcome("failed", f"a kernel is not right: {shortened(other)}", str(other))
        except Exception as other:
            if type(other) is not type(error):
                what = f"{type(other).__name__}, not {type(error).__name__}"
                return Outcome("failed", what, where(other))
        else:
            return Outcome("failed", f"gives what the text raises {type(error).__name__} for")
    ours = isinstance(error, RetrogradError)
    return Outcome("refused" if ours else "discarded", f"raises {type(error).__name__}")


def has_derivative(value: Any) -> bool:
    return isinstance(value, float) or getattr(value, "dtype", np.dtype(int)).kind in "fc"


def is_rough(plain: Callable[..., Any], args: Any, wanted: Any, found: Any) -> bool:
    """True if the text itself differs as much when its arguments change in their last digits."""
    worst = distance(found, wanted)
    rng = np.random.default_rng(3)

    def moved(a: Any) -> Any:
        if isinstance(a, np.ndarray) and a.dtype.kind == "f":
            little = np.finfo(a.dtype).eps * 4
            made = alike((a,))[0]
            flags = made.flags.writeable
            if flags:
                made *= 1 + little * rng.normal(size=a.shape)
            return made
        return a * (1 + 1e-15 * rng.normal()) if isinstance(a, float) else a

    for _ in range(3):
        try:
            near = plain(*(moved(a) for a in args))
        except Exception:
            return True
        if not distance(near, wanted) <= 0.01 * worst:
            return True
    return False


def distance(a: Any, b: Any) -> float:
    """The largest difference of two results; infinite where they have no same structure."""
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)) and len(a) == len(b):
        return max((distance(x, y) for x, y in zip(a, b, strict=True)), default=0.0)
    if isinstance(a, dict) or np.shape(a) != np.shape(b):
        return np.inf
    if a is None or b is None:
        return 0.0 if a is b else np.inf
    gap = np.abs(np.asarray(a) - np.asarray(b))
    return float(np.max(gap, initial=0.0)) if np.all(np.isfinite(gap)) else np.inf
