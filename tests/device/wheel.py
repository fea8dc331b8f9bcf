"""Texts for the device on CuPy itself, without one: ``python -m tests.device.wheel``, where the wheel is installed.

Memory is the host's and launches do nothing (`tests.strict_cupy.wheel.null_device`), so CuPy decides what it takes, shapes and
kinds of numbers, and what crosses; values are nothing.  What asks for values, or for a CUDA library, cannot be tried so.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections import Counter
from typing import Any

import numpy as np

from ..strict_cupy import names
from ..strict_cupy.wheel import null_device  # before CuPy

names.stand_in_for_libraries()

import cupy  # noqa: E402

from retrograd.compiler.ir.target import compiled_for  # noqa: E402
from retrograd.runtime.arrays.libraries import CUPY  # noqa: E402
from retrograd.runtime.errors import UnsupportedOperation  # noqa: E402
from retrograd.runtime.objects.pytree import leaves  # noqa: E402

from ..golden_case import cases  # noqa: E402
from ..rules.harness import Case  # noqa: E402
from ..strict_cupy.wheel.observe import NOT_HERE  # noqa: E402
from . import report  # noqa: E402
from .golden_on_device import called, compiled, up  # noqa: E402
from .rule_book import MODES, PASSES, functions, on_host, sample_of  # noqa: E402
from .test_golden_on_device import ASK, REFUSED  # noqa: E402

UNTRIED = (
    *NOT_HERE,
    "an integer is required",  # a constant of cuBLAS
    "'NoneType' object has no attribute 'get'",  # a kernel of a module that was not compiled
    "`window_shape` cannot", "frequencies must be", "critical frequencies", "not met", "monotonically",  # values
    "Unknown window type",  # a window that CuPy lacks
    "have been implemented",  # CuPy's own function has no such transform
)  # fmt: skip
RUNS, NEEDS, BROUGHT = (
    "runs",
    "needs a CUDA library or values, or CuPy has it not",
    "brings something to the host",
)


def outcome(run: Any, expected: Any) -> str:
    """What CuPy does with a text: shapes and kinds must be those of the host."""
    null_device.copies.clear()
    try:
        found = run()
    except UnsupportedOperation as error:
        return f"refused: {error.reason}"
    except Exception as error:
        if any(words in str(error) for words in UNTRIED) or isinstance(error, ImportError):
            return NEEDS
        if null_device.TO_HOST in null_device.copies:  # a number that no device has computed
            return BROUGHT
        return f"fails: {type(error).__name__}: {error}"
    if null_device.TO_HOST in null_device.copies:
        return BROUGHT
    for mine, wanted in zip(leaves(found), leaves(expected), strict=True):
        if isinstance(mine, cupy.ndarray) and mine.shape != np.shape(wanted):
            return f"fails: shape {mine.shape}, not {np.shape(wanted)}"
    return RUNS


def of_golden() -> dict[str, str]:
    """The gradients of the golden programs that ask for no values."""
    found = {}
    for case in cases():
        args = case.arguments()
        given = up(cupy, args)
        arrays = [x for x in leaves(given) if isinstance(x, cupy.ndarray)]
        if arrays and case.name not in {*ASK, *REFUSED}:
            expected = called(case, compiled(case, args)[0], args)
            function = compiled(case, given)[0]
            found[case.name] = outcome(
                lambda f=function, x=given, c=case: called(c, f, x), expected
            )
    return found


def of_rules() -> dict[str, dict[str, str]]:
    """The operations that pass on the double and wait for nothing there, in all modes."""
    found: dict[str, dict[str, str]] = {}
    for operation in report.OPERATIONS:
        name = report.key_of(operation)
        if set(report.kept().get(name, ())) == {PASSES}:
            found[name] = of_operation(operation)
    return found


def of_operation(operation: Any) -> dict[str, str]:
    sample = sample_of(operation)
    case = Case.of(operation, sample, True, np.float64)
    assert case is not None
    found = {}
    for mode, (args, expected) in on_host(case).items():
        with compiled_for(CUPY):
            there = Case.of(operation, sample, True, np.float64, CUPY)
            assert there is not None
            function = functions(there, mode)
        given = up(cupy, list(args))
        found[mode] = outcome(lambda f=function, x=given: f(*x), expected)
    return found


def main() -> None:
    warnings.simplefilter("ignore")
    golden = of_golden()
    rules = of_rules()
    for name, said in golden.items():
        print(f"{name:40} {said}")
    for name, modes in rules.items():
        if set(modes.values()) != {RUNS}:
            print(f"{name:40} {json.dumps(modes)}")
    print(Counter(said.partition(":")[0] for said in golden.values()))
    for mode in MODES:
        print(mode, Counter(modes[mode].partition(":")[0] for modes in rules.values()))
    sys.stdout.flush()
    os._exit(0)  # what CuPy would give back at its end is not there to be given back


if __name__ == "__main__":
    main()
