"""Lists in the places of arrays: what the rules say of their parameters, against NumPy and SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.runtime.rules.argument_binding import bound
from retrograd.runtime.rules.array_likes import is_function_of_arrays
from retrograd.runtime.rules.book import book

from ..examination import Examination, aspect
from ..harness import apply, draw_again
from ..sample import Sample

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


@aspect()
def lists_in_the_places_of_arrays(op: Examination) -> None:
    if not op.has_rule or not is_function_of_arrays(op.operation):
        return
    if getattr(op.operation, "__objclass__", None) is np.ndarray:
        return  # a method of arrays
    for number, sample in op.chosen():
        with op.failing(f"sample {number}: {sample}"):
            check(op.operation, sample)


def check(operation: Any, sample: Sample) -> None:
    args, kwargs = draw_again(sample, np.float64)
    try:
        wanted = apply(operation, args, kwargs)
        calls = swapped(operation, args, kwargs)
    except TypeError:
        return  # not a call of this rule
    for name, mine, named in calls:
        try:
            found = apply(operation, mine, named)
        except (TypeError, AttributeError):
            continue  # lists are not taken there: nobody has such a call
        assert same(found, wanted), f"a list for {name}"


def same(a: Any, b: Any) -> bool:
    if isinstance(a, CONTAINERS) and isinstance(b, CONTAINERS):
        return len(a) == len(b) and all(map(same, a, b))
    return np.array_equal(a, b, equal_nan=np.asarray(b).dtype.kind in "fc")
