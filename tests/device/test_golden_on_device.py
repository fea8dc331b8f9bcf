"""The golden programs on CuPy's arrays: the gradient is that of what the program computes there, and nothing is waited for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from retrograd.runtime.objects.pytree import leaves

from ..golden_case import Case, cases, flat
from ..strict_cupy import counted, no_transfers
from .golden_on_device import called, compiled, down, up

pytestmark = pytest.mark.cupy
CASES = list(cases())
each = pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])

# Programs that are another one on the device, where an item of an array is a view of it and a failed
# decomposition says nothing: the gradient is of that one.
OTHER = {"bubble_sort", "lotka_volterra", "jitter_fallback", "try_cholesky"}
# CuPy refuses what these hand to it: a list among arrays.
REFUSED = {"lu_with_pivoting", "shortest_path"}
# What waits for the device, since the program asks: a branch, a number, a comparison of Python's.
ASK = {
    "bubble_sort", "comprehensions", "conjugate_gradients", "continue_skip", "damped_newton", "early_return", "edit_distance", "gauss_newton", "implicit_layer",
    "k_means_step", "kept_statements", "lennard_jones", "line_search", "lookup_table", "match_shapes", "missing_data", "saddle_point", "snapshots_while", "soft_alignment", "softmax_by_loops",
}  # fmt: skip


@each
def test_gradients(cupy: Any, case: Case) -> None:
    args = case.arguments()
    given = up(cupy, args)
    if not any(isinstance(x, cupy.ndarray) for x in leaves(given)):
        pytest.skip("its arguments are numbers")
    function, text = compiled(case, given)
    assert "import numpy" not in text
    if case.name in REFUSED:
        with pytest.raises(TypeError):
            called(case, function, given)
        return
    if case.name in ASK:
        with counted() as counts:
            called(case, function, up(cupy, args))
        assert counts.transferred or not counts.seen
        found = called(case, function, given)
    else:
        with no_transfers():
            found = called(case, function, given)
    if case.name not in OTHER:
        wanted = called(case, compiled(case, args)[0], args)
        np.testing.assert_allclose(flat(down(cupy, found)), flat(wanted), 1e-9, 1e-12)
