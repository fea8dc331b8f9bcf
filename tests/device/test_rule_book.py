"""The rule book on CuPy's arrays: every operation, its value, forward and reverse mode, beside the host's.

A helper of generated code is looked at where a derivative of a function that CuPy has may call it.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from ..rules.harness import name_of, samples
from .report import OPERATIONS, kept, key_of, of, row
from .rule_book import ASKS, DEFECTS, PASSES, outcome

pytestmark = pytest.mark.cupy
each = pytest.mark.parametrize("operation", OPERATIONS, ids=name_of)

# What is waited for, to refuse where a derivative is not known.
TO_REFUSE = {"np.linalg.lstsq": "whether singular values are cut off that are not zero"}


# Numbers of Python, which widen no array, are arrays of 64 bits on the device, which do.
WIDER = {"rt.norm_of": "gives another value: float64, not float32"}


@each
def test_operation(cupy: Any, operation: Any) -> None:
    found = of(operation)
    assert not found.defects
    assert row(found) == kept()[key_of(operation)], "python -m tests.device.report --write"


@pytest.mark.slow
@each
def test_every_sample(cupy: Any, operation: Any) -> None:
    wrong = []
    for number, sample in enumerate(samples().get(operation, ())):
        for kind in (np.float64, np.float32, np.complex128):
            if kind is not np.complex128 or sample.complex:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    found = outcome(operation, sample, kind)
                wrong += [
                    f"{number}, {np.dtype(kind)}, {mode}: {said}" for mode, said in found.defects
                ]
    if name_of(operation) in TO_REFUSE:
        wrong = [words for words in wrong if "waits for the device" not in words]
    if name_of(operation) in WIDER:
        wrong = [words for words in wrong if WIDER[name_of(operation)] not in words]
    assert not wrong, "\n".join(wrong)


def test_nearly_all_rules_whose_functions_cupy_has_are_right() -> None:
    called = [one for one in kept().values() if len(one) > 1 and one[0] in (PASSES, ASKS)]
    right = [one for one in called if set(one[1:]) == {PASSES}]
    assert len(right) >= 0.98 * len(called) > 700
    assert not any(word in DEFECTS for one in called for word in one[1:])
