"""Every operation of the rule book on batches: as one example after the other, whichever arguments are batches."""

from __future__ import annotations

import contextlib
import copy
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from retrograd.runtime.batching.batched_array import BatchedArray, NotBatched
from retrograd.runtime.batching.dispatch import attempt
from retrograd.runtime.helpers.batches import examples
from retrograd.runtime.objects.pytree import at, map_paths
from retrograd.runtime.tape.dispatch import execute

from ..rules.harness import name_of, samples
from ..rules.sample import A, Sample, draw

COUNT = 3
BY_VALUE = {"np.linalg.eig", "np.linalg.eigvals"}  # real or complex by what the matrix is
WRITES = {
    "rt.index_add",
    "operator.imatmul",
}  # to their first argument, which all examples may share
# Helpers of texts that are batches themselves, which no program calls on a batch of tensors.
OF_BATCHES = {getattr(examples, name) for name in examples.__all__}
CALLS = [
    (op, k, s)
    for op, all_of in samples().items()
    for k, s in enumerate(all_of)
    if op not in OF_BATCHES
]
Place = tuple[Any, ...]


def drawn(x: Any, path: Place = ()) -> Iterator[Place]:
    """Where arrays are drawn."""
    if isinstance(x, A) and not x.scalar:
        yield path
    items = (
        x.items() if isinstance(x, dict) else enumerate(x) if isinstance(x, (list, tuple)) else ()
    )
    for key, item in items:
        yield from drawn(item, (*path, key))


def put(tree: Any, path: Place, value: Any) -> Any:
    if not path:
        return value
    if isinstance(tree, dict):
        return {**tree, path[0]: put(tree[path[0]], path[1:], value)}
    return type(tree)(put(v, path[1:], value) if k == path[0] else v for k, v in enumerate(tree))


def calls(sample: Sample, places: list[Place], seed: int) -> list[Any]:
    """The arguments of each example: all but those at the places are the same."""
    given = [
        draw((sample.args, sample.kwargs), np.random.default_rng(seed + k), sample.low, sample.high)
        for k in range(COUNT)
    ]
    made = []
    for one in given:
        call = given[0]
        for place in places:
            call = put(call, place, at(one, place))
        made.append(call)
    return made


def together(examples: list[Any], places: list[Place]) -> Any:
    """The call with batches at the places; None where its shapes differ, or it takes numbers of Python."""
    call = examples[0]
    for place in places:
        values = [at(one, place) for one in examples]
        if len({np.shape(v) for v in values}) > 1 or type(values[0]) in (int, float, complex):
            return None
        call = put(call, place, BatchedArray(1, np.stack(values)))
    return call


def alike(a: Any, b: Any, kinds: bool) -> bool:
    a, b = np.asarray(a), np.asarray(b)
    same = a.shape == b.shape and (a.dtype == b.dtype or not kinds)
    return same and np.allclose(a, b, rtol=1e-9, atol=1e-9, equal_nan=True)


def check(operation: Any, sample: Sample, places: list[Place], seed: int) -> None:
    examples = calls(sample, places, seed)
    batched = together(examples, places)
    if batched is None:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            wanted = [execute(operation, *copy.deepcopy(one)) for one in examples]
        except Exception:  # the other draws do not suit it
            return
        made = attempt(lambda *x, **named: execute(operation, x, named), *batched)
    kinds = name_of(operation) not in BY_VALUE

    def compare(part: Any, path: Place) -> Any:
        for k, one in enumerate(wanted):
            own = part.value[k] if isinstance(part, BatchedArray) else part
            if isinstance(own, (np.ndarray, np.generic, float, complex)):
                assert alike(own, at(one, path), kinds), (name_of(operation), path, k)
            else:
                assert own is at(one, path) or own == at(one, path), (name_of(operation), path, k)
        return part

    map_paths(compare, made)


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    ("operation", "k", "sample"), CALLS, ids=[f"{name_of(op)}-{k}" for op, k, _ in CALLS]
)
def test_as_one_example_after_the_other(operation: Any, k: int, sample: Sample) -> None:
    places = list(drawn((sample.args, sample.kwargs)))
    for chosen in [places, *([one] for one in places if len(places) > 1)]:
        if not chosen:
            continue
        with contextlib.suppress(*[NotBatched] * (name_of(operation) in WRITES)):
            check(operation, sample, chosen, k)


def test_batches_of_batches() -> None:
    x = np.arange(24.0).reshape(2, 3, 4)
    inner = BatchedArray(2, BatchedArray(1, x.swapaxes(0, 1).copy().swapaxes(0, 1)))
    assert inner.shape == (4,) and inner.value.shape == (3, 4)
    outer = BatchedArray(1, x[:, 0])
    made = inner * outer + np.ones(4)
    assert made.level == 2 and np.array_equal(made.value.value, x * x[:, :1] + 1)


@pytest.mark.parametrize(
    "index",
    [
        0, slice(1, None), (..., 0), (None, 1), np.array([1, 0, 1]), [0, 1], (0, slice(None), np.array([0, 2])),
        (slice(None), np.array([[0], [1]]), np.array([0, 2])), (np.array([0, 1]), slice(None), np.array([1, 2])),
        np.array([True, False]), (slice(None), np.array([True, False, True])), (slice(None), 1, np.array([0, 1])),
    ],
    ids=str,
)  # fmt: skip
def test_subscripts(index: Any) -> None:
    """Read, and written with what is the same for all examples, and what is not."""
    x = np.random.default_rng(0).standard_normal((COUNT, 2, 3, 4))
    wanted = np.stack([one[index] for one in x])
    assert np.array_equal(BatchedArray(1, x)[index].value, wanted)
    for value in (wanted[0], BatchedArray(1, -wanted)):
        written, expected = BatchedArray(1, x.copy()), x.copy()
        written[index] = value
        for k, one in enumerate(expected):
            one[index] = value.value[k] if isinstance(value, BatchedArray) else value
        assert np.array_equal(written.value, expected)


@pytest.mark.parametrize(
    "before", [(), (slice(None),), (None,), (0,), (slice(None), None)], ids=str
)
@pytest.mark.parametrize("after", [(), (slice(1, 3),), (np.array([0, 1]),)], ids=str)
def test_places_of_each_example(before: Any, after: Any) -> None:
    rng = np.random.default_rng(1)
    x, places = rng.standard_normal((COUNT, 2, 3, 4)), rng.integers(0, 2, (COUNT, 2))
    for shared in (False, True):
        for one in (places, places[:, 0]):
            index = (*before, BatchedArray(1, one), *after)
            own = [(*before, one[k], *after) for k in range(COUNT)]
            wanted = np.stack([(x[0] if shared else x[k])[own[k]] for k in range(COUNT)])
            made = attempt(
                lambda a, i: a[i],
                (
                    BatchedArray(1, np.stack([x[0]] * COUNT)) if shared else BatchedArray(1, x),
                    index,
                ),
                {},
            )
            assert np.array_equal(made.value, wanted)
            written, expected = BatchedArray(1, x.copy()), x.copy()
            written[index] = BatchedArray(1, -wanted)
            for k, row in enumerate(expected):
                row[own[k]] = -wanted[k]
            assert np.array_equal(written.value, expected)


def test_refuses_to_be_the_array_of_one_example() -> None:
    x = BatchedArray(1, np.arange(3.0))
    for act in (
        np.asarray,
        float,
        bool,
        lambda x: x.item(),
        lambda x: np.zeros(3).__setitem__(0, x),
    ):
        with pytest.raises((NotBatched, ValueError)):
            act(x)
    shared = np.zeros(3)
    with pytest.raises(NotBatched):
        np.add(shared, BatchedArray(1, np.ones((2, 3))), out=shared)
    assert not shared.any()


@pytest.mark.parametrize("answer", [bool, int, str])
def test_one_answer_for_examples_that_differ_is_refused(answer: Any) -> None:
    """What is no array is the same for all examples, or there is none."""
    alike_ones, others = (BatchedArray(1, np.array(v)) for v in ([2.0, 2.0], [0.0, 2.0]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert attempt(lambda x: answer(float(x)), (alike_ones,), {}) == answer(2.0)
        with pytest.raises(NotBatched):
            attempt(lambda x: answer(float(x)), (others,), {})
        with pytest.raises(NotBatched):
            np.allclose(others, 2.0)
        assert np.allclose(alike_ones, 2.0) is True


def test_functions_that_cannot_be_remembered() -> None:
    class Twice:
        __hash__ = None  # type: ignore[assignment]

        def __call__(self, x: Any) -> Any:
            return 2 * np.asarray(x)

    assert np.array_equal(attempt(Twice(), (np.ones(2),), {}), [2.0, 2.0])
    with pytest.warns(UserWarning, match="batching rule"):
        made = attempt(Twice(), (BatchedArray(1, np.ones((3, 2))),), {})
    assert np.array_equal(made.value, np.full((3, 2), 2.0))


def test_batches_in_other_places_than_the_first() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        places = BatchedArray(1, np.array([[1], [1]]))
        assert [p.shape for p in np.split(np.arange(4.0), places)] == [(1,), (3,)]
        made = attempt(np.take, (np.arange(4.0), places), {})
    assert np.array_equal(made.value, [[1.0], [1.0]])
