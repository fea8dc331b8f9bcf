"""Lists in the places of arrays: what the rules say of their parameters, against NumPy and SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.rules.argument_binding import bound
from retrograd.runtime.rules.array_likes import is_function_of_arrays
from retrograd.runtime.rules.book import book

from .harness import apply, draw_again, name_of, samples

OPERATIONS = [op for op in samples() if op in book.rules and is_function_of_arrays(op)]
CONTAINERS = (list, tuple)


def swapped(operation: Any, args: list[Any], kwargs: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    """The calls in which one array is a list, and one list an array, by the name of the parameter."""
    rule = book.rules[operation]
    places = bound(rule.differential, tuple(range(len(args))), {k: k for k in kwargs}, 1, operation)
    found = []
    for name in rule.active:
        if name not in places or name in rule.several | rule.unlisted:
            continue
        mine, named = list(args), dict(kwargs)
        into: Any = mine if isinstance(places[name], int) else named
        value = into[places[name]]
        if isinstance(value, CONTAINERS):
            into[places[name]] = np.array(value)
        elif np.ndim(value) and np.size(value) and hasattr(value, "tolist"):
            into[places[name]] = value.tolist()
        else:
            continue
        found.append((name, mine, named))
    return found


@pytest.mark.parametrize("operation", OPERATIONS, ids=name_of)
def test_a_list_in_the_place_of_an_array_is_that_array(operation: Any) -> None:
    if getattr(operation, "__objclass__", None) is np.ndarray:
        pytest.skip("a method of arrays")
    for sample in samples()[operation][:6]:
        args, kwargs = draw_again(sample, np.float64)
        try:
            wanted = apply(operation, args, kwargs)
            calls = swapped(operation, args, kwargs)
        except TypeError:
            continue  # not a call of this rule
        for name, mine, named in calls:
            try:
                found = apply(operation, mine, named)
            except (TypeError, AttributeError):
                continue  # lists are not taken there: nobody has such a call
            assert same(found, wanted), f"{name_of(operation)}: {name}"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("operation", [np.array_split, np.split, np.dsplit])
def test_a_list_that_is_none_is_refused(operation: Any) -> None:
    def cut(x: Any) -> Any:
        return np.sum(operation([[[x, x, 2.0 * x]]], [1, 2])[0])

    assert book.rules[operation].unlisted == {"ary"}
    for strict in (True, False):
        with pytest.raises(rg.RetrogradError, match="treats a list otherwise"):
            rg.differentiate(cut, strict=strict).grad(1.5)


def same(a: Any, b: Any) -> bool:
    if isinstance(a, CONTAINERS) and isinstance(b, CONTAINERS):
        return len(a) == len(b) and all(map(same, a, b))
    return np.array_equal(a, b, equal_nan=np.asarray(b).dtype.kind in "fc")
