"""Every operation, its adjoint and its tangent on a batch: each example is what it is alone, whatever varies."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from retrograd.compiler.differentiate.batching.batch_request import Batch
from retrograd.compiler.differentiate.batching.examples import in_examples
from retrograd.compiler.ir.operations import Function
from retrograd.compiler.ir.types import Dim
from retrograd.runtime.errors import UnsupportedOperation

from ..examination import Examination, aspect
from ..harness import Case, Compiled, pull
from ..laws import direction
from ..sample import Sample

__all__ = ["batched", "compare"]

K = 3


@lru_cache(maxsize=64)
def batched(function: Function, varying: tuple[int, ...]) -> tuple[Compiled, list[tuple[str, int]]]:
    """A function of a batch; what of it runs for one example after the other."""
    made, slow = of_batch(function, varying)
    return Compiled(made), slow


def of_batch(
    function: Function, varying: tuple[int, ...]
) -> tuple[Function, list[tuple[str, int]]]:
    axes = tuple(0 if k in varying else None for k in range(len(function.body.params)))
    made, slow = in_examples(function, Batch(axes, [0] * len(function.body.yields), Dim("k", True)))
    made.tree = None
    return made, slow


def others(value: Any, k: int) -> Any:
    """Another value near by: of the same kind, on the same side of what it is compared with."""
    if k == 0 or np.asarray(value).dtype.kind not in "fc":
        return value
    dtype = np.asarray(value).dtype
    made = np.asarray(value) * (1 + 0.01 * k)
    return made.astype(dtype)[()] if not isinstance(value, np.ndarray) else made.astype(dtype)


def subsets(places: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Each alone, and all together."""
    yield tuple(places)
    if len(places) > 1:
        for place in places:
            yield (place,)


def compare(function: Function, values: list[Any], varying: tuple[int, ...]) -> None:
    """A batch against a loop over its examples."""
    single = Compiled(function)
    given = [
        [others(v, k) if at in varying else v for at, v in enumerate(values)] for k in range(K)
    ]
    wanted = [single(*copy.deepcopy(args)) for args in given]
    whole = [
        np.stack([args[at] for args in given]) if at in varying else v
        for at, v in enumerate(values)
    ]
    several, _ = batched(function, varying)
    made = several(*copy.deepcopy(whole))
    for got, *alone in zip(made, *wanted, strict=True):
        np.testing.assert_allclose(
            got, np.stack(alone), rtol=1e-9, atol=1e-11, err_msg=several.text
        )


def compare_adjoints(case: Case, varying: tuple[int, ...]) -> None:
    """The adjoint of a batch against those of its examples: what they share has the sum."""
    rng = np.random.default_rng(5)
    bars = [np.stack([direction(v, rng) for _ in range(K)]) for v in case.expected]
    single = Compiled(pull(case.function, case.wrt))
    examples = [
        [others(v, k) if at in varying else v for at, v in enumerate(case.values)] for k in range(K)
    ]
    alone = [single(*copy.deepcopy(args), *(b[k] for b in bars)) for k, args in enumerate(examples)]
    whole = [
        np.stack([args[at] for args in examples]) if at in varying else v
        for at, v in enumerate(case.values)
    ]
    together = Compiled(pull(of_batch(case.function, varying)[0], case.wrt))
    for at, got, *each in zip(
        case.wrt, together(*copy.deepcopy(whole), *bars), *alone, strict=True
    ):
        wanted = np.stack(each) if at in varying else np.sum(np.stack(each), axis=0)
        np.testing.assert_allclose(got, wanted, rtol=1e-8, atol=1e-10, err_msg=together.text)


@aspect()
def adjoints_of_batches(op: Examination) -> None:
    def check(case: Case, _: Sample) -> None:
        if case.expected:
            for varying in subsets(case.wrt):
                compare_adjoints(case, varying)

    op.each(check, typed=True)


@aspect()
def examples_of_a_batch(op: Examination) -> None:
    def check(case: Case, _: Sample) -> None:
        for varying in subsets(case.wrt):
            compare(case.function, case.values, varying)
        if case.expected:
            adjoint = pull(case.function, case.wrt)
            rng = np.random.default_rng(3)
            bars = [direction(v, rng) for v in case.expected]
            n = len(case.values)
            seeds = tuple(range(n, n + len(bars)))
            for varying in (seeds, (*case.wrt, *seeds), case.wrt):
                compare(adjoint, [*case.values, *bars], varying)

    for typed in (True, False):
        op.each(check, typed)


def compare_dtypes(case: Case, varying: tuple[int, ...], rtol: float) -> None:
    """A batch has the dtype that its examples have, and their numbers."""
    single = Compiled(case.function)
    examples = [
        [others(v, k) if at in varying else v for at, v in enumerate(case.values)] for k in range(K)
    ]
    alone = [single(*copy.deepcopy(args)) for args in examples]
    whole = [
        np.stack([args[at] for args in examples]) if at in varying else v
        for at, v in enumerate(case.values)
    ]
    several, _ = batched(case.function, varying)
    for got, *each in zip(several(*copy.deepcopy(whole)), *alone, strict=True):
        wanted = np.stack(each)
        np.testing.assert_allclose(got, wanted, rtol=rtol, atol=rtol, err_msg=several.text)
        assert np.asarray(got).dtype == wanted.dtype, several.text


@aspect(ignoring=("logm result may be inaccurate",))
def dtypes_of_batches(op: Examination) -> None:
    rtol = 1e-4

    def check(case: Case, _: Sample) -> None:
        if any(type(v) in (float, complex) for v in case.values):
            return  # a number of Python's gives way to arrays, and one of a batch does not
        with contextlib.suppress(UnsupportedOperation):  # results of several shapes
            for varying in subsets(case.wrt):
                compare_dtypes(case, varying, rtol)

    op.each(check, typed=True, dtype=np.float32)
    op.each(check, typed=True, dtype=np.complex128, complex=True)
