"""One sampled call of the rule book on the device: its value, forward and reverse mode, beside the host's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from retrograd.compiler.ir.target import compiled_for
from retrograd.runtime.arrays.libraries import CUPY, cupy, is_cupy
from retrograd.runtime.errors import UnsupportedOperation
from retrograd.runtime.objects.pytree import leaves, map_leaves

from ..rules.harness import Case, Compiled, draw_again, pull, push, samples
from ..rules.laws import direction
from ..rules.sample import A, Sample
from ..strict_cupy import NotOnHost, Transfer, counted, no_transfers
from .named import call_on_device, has_name, is_ours
from .reach import served_by

__all__ = ["DEFECTS", "MODES", "Outcome", "outcome"]

MODES = VALUE, FORWARD, REVERSE = ("value", "forward", "reverse")

# What becomes of a call.
PASSES = "passes"
NOTHING = "nothing to differentiate"
NO_ARRAYS = "numbers alone"
NO_FUNCTION = "CuPy has no such function"
NOT_TAKEN = "CuPy's function refuses these arguments"
ASKS = "the function itself waits for the device"
NOT_IN_DOUBLE = "the double cannot compute it"
REFUSED = "refused by name"
DEFECTS = WAITS, FAILS, WRONG = ("waits for the device", "fails", "gives another value")


@dataclass
class Outcome:
    """What became of a call in each mode; ``itself``: what CuPy's function does with these arguments."""

    itself: str
    modes: dict[str, str] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)

    @property
    def defects(self) -> list[tuple[str, str]]:
        """The modes that are neither right nor refused, with the words."""
        return [
            (mode, f"{found}: {self.said[mode]}")
            for mode, found in self.modes.items()
            if found in DEFECTS
        ]


def outcome(operation: Any, sample: Sample, dtype: Any = np.float64) -> Outcome:
    """The call on the device, and its derivatives."""
    if not has_name(operation) or (
        is_ours(operation) and of_helper(operation, dtype) == NO_FUNCTION
    ):
        return Outcome(NO_FUNCTION)
    host = Case.of(operation, sample, True, dtype)
    if host is None:
        return Outcome(NOTHING)
    if not any(isinstance(x, (np.ndarray, np.generic)) for x in host.values):
        return Outcome(NO_ARRAYS)
    kind, dtypes = (
        (of_helper(operation, dtype), [])
        if is_ours(operation)
        else itself(operation, sample, dtype)
    )
    found, wanted = Outcome(kind), on_host(host)
    for mode in MODES:
        tried = Try(operation, sample, dtype, mode, kind, dtypes)
        found.modes[mode], found.said[mode] = tried.outcome(*wanted[mode])
    return found


def sample_of(operation: Any) -> Sample:
    """The first of its samples in which there is an array."""
    calls = samples()[operation]
    return next((call for call in calls if holds_array(call)), calls[0])


def holds_array(sample: Sample) -> bool:
    given = parts_of((sample.args, tuple(sample.kwargs.values())))
    return any(isinstance(x, np.ndarray) or (isinstance(x, A) and not x.scalar) for x in given)


@cache
def of_helper(helper: Any, dtype: Any) -> str:
    """What the functions do in whose derivatives it is."""
    users = served_by().get(helper, set())
    known = [user for user in users if has_name(user)]
    if users and not known:
        return NO_FUNCTION
    found = {itself(user, sample_of(user), dtype)[0] for user in known}
    if found == {NOT_TAKEN}:  # complex numbers, say
        return NOT_TAKEN
    return ASKS if found and found <= {ASKS, NOT_TAKEN} else PASSES


def allowed(sample: Sample) -> tuple[str, ...]:
    """Crossings that a helper's arguments ask for: a mask is counted, a list of places is handed over."""
    given = leaves([list(sample.args), list(sample.kwargs.values())])
    masks = any(x is True or (isinstance(x, np.ndarray) and x.dtype.kind == "b") for x in given)
    lists = any(isinstance(x, list) for x in parts_of((sample.args, tuple(sample.kwargs.values()))))
    return ("mask", "flatnonzero", "nonzero") * masks + ("upload",) * lists


def parts_of(tree: Any) -> Iterator[Any]:
    yield tree
    for item in tree if isinstance(tree, (list, tuple)) else ():
        yield from parts_of(item)


def itself(operation: Any, sample: Sample, dtype: Any) -> tuple[str, list[Any]]:
    """What CuPy's own function does with the arguments, and the kinds of its results."""
    args, kwargs = up(draw_again(sample, dtype))
    with counted() as counts:
        try:
            result = call_on_device(operation, args, kwargs)
        except NotOnHost:
            return NOT_IN_DOUBLE, []
        except Exception:
            return NOT_TAKEN, []
    kinds = [x.dtype for x in leaves(result) if is_cupy(x) and x.dtype.kind in "fc"]
    return (ASKS if counts.transferred else PASSES), kinds


def functions(case: Case, mode: str) -> Compiled:
    """A mode of a call, compiled."""
    if mode == VALUE:
        return Compiled(case.function)
    return Compiled((push if mode == FORWARD else pull)(case.function, case.wrt))


def more_arguments(case: Case, mode: str) -> list[Any]:
    """The directions that a mode takes after the values."""
    rng = np.random.default_rng(11)
    if mode == FORWARD:
        return [direction(case.values[k], rng) for k in case.wrt]
    return [direction(y, rng) for y in case.expected] if mode == REVERSE else []


def on_host(case: Case) -> dict[str, tuple[list[Any], Any]]:
    """Of every mode the arguments and the results."""
    found = {}
    for mode in MODES:
        args = [*case.values, *more_arguments(case, mode)]
        found[mode] = args, functions(case, mode)(*args)
    return found


@dataclass
class Try:
    """One mode of one call on the device; ``itself``, ``kinds``: what CuPy's own function does, and gives."""

    operation: Any
    sample: Sample
    dtype: Any
    mode: str
    itself: str
    kinds: list[Any]

    def outcome(self, args: list[Any], expected: list[Any]) -> tuple[str, str]:
        """What becomes of it beside the host's results, and the words of an error."""
        try:
            with compiled_for(CUPY):
                case = Case.of(self.operation, self.sample, True, self.dtype, CUPY)
                assert case is not None
                function = functions(case, self.mode)
            given, results = self.run(function, args, case)
            self.compare(results, expected)
            untouched(given, args)
        except Transfer as error:
            return WAITS, where(error)
        except UnsupportedOperation as error:
            return REFUSED, str(error)
        except NotOnHost as error:
            return NOT_IN_DOUBLE, str(error)
        except AssertionError as error:
            return WRONG, str(error)
        except Exception as error:
            return (NOT_TAKEN if self.itself == NOT_TAKEN else FAILS), where(error)
        return PASSES, ""

    def run(self, function: Any, args: list[Any], case: Case) -> Any:
        """The arguments on the device, and the results; nothing is waited for, unless CuPy's function does."""
        given = on_device(args, case, self.mode)
        if self.itself != PASSES:
            return given, function(*given)
        may_cross = allowed(self.sample) if is_ours(self.operation) else ()
        try:
            return given, quietly(function, given, may_cross)
        except (
            Transfer
        ):  # constants of helpers (nodes of an integral) are handed over when they are first read
            function(*on_device(args, case, self.mode))
        given = on_device(args, case, self.mode)
        return given, quietly(function, given, may_cross)

    def compare(self, results: list[Any], expected: list[Any]) -> None:
        """The host's numbers, in the kinds that CuPy's function gives: these are not always NumPy's."""
        results, expected = leaves(results), leaves(expected)
        kinds: list[Any] = [getattr(x, "dtype", None) for x in expected]
        if self.mode != REVERSE and len(self.kinds) == len(kinds):
            kinds = self.kinds
        for found, wanted, kind in zip(results, expected, kinds, strict=True):
            close(found, wanted, kind)


def untouched(given: list[Any], args: list[Any]) -> None:
    for found, wanted in zip(leaves(given), leaves(args), strict=True):
        if is_cupy(found):
            np.testing.assert_array_equal(found.get(), wanted, "an argument was written to")


def close(found: Any, wanted: Any, kind: Any) -> None:
    if is_cupy(found):
        found = found.get()
        assert kind is None or found.dtype == kind, f"{found.dtype}, not {kind}"
    assert np.shape(found) == np.shape(wanted), f"shape {np.shape(found)}, not {np.shape(wanted)}"
    if not isinstance(wanted, (np.ndarray, np.generic, int, float, complex)):
        return
    wanted = np.asarray(wanted)
    single = {wanted.dtype.name, np.asarray(found).dtype.name} & {"float32", "complex64"}
    size = float(np.max(np.abs(wanted[np.isfinite(wanted)]), initial=0.0))
    rough, least = (1e-5, 1e-6) if single else (1e-11, 1e-13)
    np.testing.assert_allclose(found, wanted, rough, least * (1 + size))


def on_device(args: list[Any], case: Case, mode: str) -> list[Any]:
    """The arguments on the device, where numbers that NumPy computes are arrays: their directions are, too."""
    given, count = up(args), len(case.values)
    for k, c in enumerate(given[count:]):
        if mode == REVERSE or is_cupy(given[case.wrt[k]]):
            given[count + k] = cupy().asarray(c)
    return given


def quietly(function: Any, given: list[Any], allowed: tuple[str, ...]) -> Any:
    with no_transfers(allowed=allowed):
        return function(*given)


def up(tree: Any) -> Any:
    """The same with arrays and NumPy's scalars on the device, where no scalars are."""
    return map_leaves(
        lambda x: (
            cupy().asarray(x)
            if isinstance(x, (np.ndarray, np.generic)) and x.dtype.kind in "biufc"
            else x
        ),
        tree,
    )


def where(error: BaseException) -> str:
    """An error with the line of this package that it comes from."""
    trace, line = error.__traceback__, ""
    while trace is not None:
        code = trace.tb_frame.f_code
        if "strict_cupy" not in code.co_filename and code.co_name != "of_mode":
            line = f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno} {code.co_qualname}"
        trace = trace.tb_next
    return f"{type(error).__name__}: {error} [{line}]"
