"""Where an operation on matrices has a value for NaN, its adjoint has one, too: what LAPACK refuses is not asked of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.rules.harness import Case, Compiled, name_of, pull, samples

OPERATIONS = sorted((o for o in samples() if name_of(o).startswith("np.linalg.")), key=name_of)


def arrays(case: Case) -> list[int]:
    return [k for k in case.wrt if isinstance(case.values[k], np.ndarray) and case.values[k].size]


@pytest.mark.parametrize("operation", OPERATIONS, ids=map(name_of, OPERATIONS))
def test_the_adjoint_has_a_value(operation: Any) -> None:
    case = Case.of(operation, samples()[operation][0], typed=True)
    if case is None or not arrays(case):
        pytest.skip("no arrays with fractions")
    function, adjoint = Compiled(case.function), Compiled(pull(case.function, case.wrt))
    rng = np.random.default_rng(3)
    with np.errstate(all="ignore"):
        for k in arrays(case):
            at = list(case.values)
            at[k] = at[k].copy()
            at[k].flat[rng.integers(at[k].size)] = np.nan
            try:
                values = function(*at)
            except (np.linalg.LinAlgError, ValueError):  # what it says of NaN itself
                continue
            bars = [np.ones_like(v)[()] if hasattr(v, "dtype") else 1.0 for v in values]
            adjoint(*at, *bars)


def test_other_matrices_of_a_stack_have_their_determinants() -> None:
    a = np.random.default_rng(0).normal(size=(3, 3, 3))
    case = Case.of(np.linalg.det, samples()[np.linalg.det][0], typed=True)
    assert case is not None
    adjoint = Compiled(pull(case.function, case.wrt))
    spoilt = a.copy()
    spoilt[1, 0, 0] = np.nan
    (wanted,), (found,) = adjoint(a, np.ones(3)), adjoint(spoilt, np.ones(3))
    np.testing.assert_allclose(found[[0, 2]], wanted[[0, 2]], rtol=1e-12)
    assert np.isnan(found[1]).all()
