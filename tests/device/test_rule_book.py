"""The rule book on CuPy's arrays: every operation, its value, forward and reverse mode, beside the host's.

A helper of generated code is looked at where a derivative of a function that CuPy has may call it.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from retrograd.runtime.rules.book import book
from tests import scope

from ..rules.harness import name_of, samples
from .rule_book import outcome

pytestmark = pytest.mark.cupy
OPERATIONS = sorted(book.rules.keys() | samples().keys(), key=name_of)


@pytest.mark.parametrize("operation", OPERATIONS, ids=name_of)
def test_operation(cupy: Any, operation: Any) -> None:
    wrong = []
    is_whole = scope.is_whole(name_of(operation))
    kinds = (np.float64, np.float32, np.complex128) if is_whole else (np.float64,)
    for number, sample in enumerate(samples().get(operation, ())[: None if is_whole else 1]):
        for kind in kinds:
            if kind is not np.complex128 or sample.complex:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    found = outcome(operation, sample, kind)
                wrong += [
                    f"sample {number}, {np.dtype(kind)}, {mode}: {said}"
                    for mode, said in found.defects
                ]
    assert not wrong, "\n".join(wrong)
