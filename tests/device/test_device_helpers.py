"""What stands for helpers and for functions on the device: of its names, and beside the host's."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
from scipy import special

from retrograd.runtime.device import adapted, copies, kernels
from retrograd.runtime.device.needs import lacking_in
from retrograd.runtime.device.special_functions import SPECIAL
from retrograd.runtime.helper_index import HOMES
from retrograd.runtime.helpers import containers, exact_zero
from retrograd.runtime.helpers.cumulative import recur_slowly
from retrograd.runtime.helpers.shaping import insert_array
from retrograd.runtime.objects.homes import HELPERS

pytestmark = pytest.mark.cupy
RNG = np.random.default_rng(5)
POINTS = np.array([1e-8, 0.02, 0.7, 3.0, 12.5, 29.9, 30.1, 80.0])


def test_what_stands_for_a_helper_stands_for_one(cupy: Any) -> None:
    for place in copies.INSTEAD:
        home, _, name = place.rpartition(".")
        assert callable(getattr(importlib.import_module(f"{HELPERS}{home}"), name))


def test_what_stands_for_a_function_that_cupy_lacks_has_no_name_of_a_helper(cupy: Any) -> None:
    names = {whole.rpartition(".")[2] for whole in adapted.INSTEAD}
    lacking = {name for name in names if not hasattr(cupy, name)}
    assert not lacking & HOMES.keys()


def test_a_helper_that_needs_what_cupy_lacks_says_so(cupy: Any) -> None:
    assert lacking_in(insert_array) == "numpy.insert"
    assert lacking_in(exact_zero.on_support) is None


@pytest.mark.parametrize("whole", SPECIAL)
@pytest.mark.parametrize("order", range(5))
def test_bessel_functions(cupy: Any, whole: str, order: int) -> None:
    wanted = getattr(special, whole.rpartition(".")[2])(order, POINTS)
    found = SPECIAL[whole](order, cupy.asarray(POINTS)).get()
    np.testing.assert_allclose(found, wanted, 2e-12, 1e-300)


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128"])
def test_recurrences(cupy: Any, dtype: str) -> None:
    a, c = RNG.normal(size=(3, 7)).astype(dtype), RNG.normal(size=(3, 7)).astype(dtype)
    a[0] *= 1e30  # products of these overflow, and what they are multiplied with is zero
    c[0, :-1] = 0
    a[1, 3] = 0
    found = kernels.recurrence(cupy.asarray(a), cupy.asarray(c), np.dtype(dtype))
    np.testing.assert_allclose(
        found.get(), recur_slowly(c, a), 1e-5 if dtype == "float32" else 1e-12
    )


def test_gradients_of_arrays_in_containers_may_be_numbers(cupy: Any) -> None:
    like = [cupy.zeros(2), cupy.zeros(3, "int64"), 1.0]
    found = copies.copied(containers.match)([2.0, None, 3.0], like)
    assert found[0].tolist() == [2.0, 2.0]
    assert found[1] is None
    assert found[2] == 3.0


ZEROS, ODD = np.array([0.0, 1.0, -2.0]), np.array([np.inf, 0.0, np.nan])


@pytest.mark.parametrize("name", ["mul0", "div0"])
@pytest.mark.parametrize(
    "pair", [(ZEROS, ODD), (0.0, ODD), (2.0, ODD), (ZEROS, 0.0), (ZEROS, 3.0), (ZEROS, np.inf)]
)
def test_exact_zeros(cupy: Any, name: str, pair: Any) -> None:
    helper = getattr(exact_zero, name)
    with np.errstate(all="ignore"):
        wanted = helper(*pair)
    up = [cupy.asarray(x) if isinstance(x, np.ndarray) else x for x in pair]
    np.testing.assert_array_equal(copies.copied(helper)(*up).get(), wanted)
