"""What NumPy gives for rank 0, an array or a scalar that nobody can write to, is what the records say."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from retrograd.runtime.traits.lookup import traits_of
from tests.rules.harness import apply, name_of, samples
from tests.rules.measured_traits import drawn

# SciPy's results may always be arrays, to the compiler; of helpers it is known where they are lowered.
OPERATIONS = sorted(
    (op for op in samples() if name_of(op).startswith(("np.", "builtins."))), key=name_of
)


def of_rank_0(args: list[Any]) -> Iterator[list[Any]]:
    """The same arguments, and those with one array, or every one, of rank 0."""
    yield args
    firsts = [np.array(a.ravel()[0]) if isinstance(a, np.ndarray) and a.size else a for a in args]
    yield firsts
    for k, first in enumerate(firsts):
        if isinstance(first, np.ndarray) and first.ndim == 0:
            for x in (first, first[()], first.item()):
                yield [*args[:k], x, *args[k + 1 :]]


def results(operation: Any) -> Iterator[tuple[Any, bool]]:
    """What the operation gives, where that has rank 0, and whether it was given an array."""
    for sample in samples()[operation]:
        if sample.kwargs.get("keepdims"):
            continue  # of rank 0, that says nothing, and makes an array of it
        args, kwargs = drawn(sample, 7)
        for given in of_rank_0(args):
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                try:
                    z = apply(operation, copy.deepcopy(given), copy.deepcopy(kwargs))
                except Exception:
                    continue
            of_array = bool(given) and isinstance(given[0], np.ndarray)
            parts = z if isinstance(z, (tuple, list)) else (z,)
            yield from ((p, of_array) for p in parts if np.ndim(p) == 0)


@pytest.mark.parametrize("operation", OPERATIONS, ids=map(name_of, OPERATIONS))
def test_the_record_is_right(operation: Any) -> None:
    known = traits_of(operation).rank_0
    for z, of_array in results(operation):
        if isinstance(z, np.ndarray):
            assert known in ("array", "kept", "either"), z
        elif isinstance(z, np.generic):
            assert known != "array" and (known != "kept" or not of_array), z


# What is made of an array of rank 0, of NumPy's number and of Python's: an array (a), or a number (n).
FORMS = {
    "t[...]": "aa-", "t[()]": "nn-", "t[None]": "aa-", "t[..., None]": "aa-", "np.asarray(t)": "aaa",
    "np.asanyarray(t)": "aaa", "np.array(t)": "aaa", "np.array(t, ndmin=0)": "aaa", "np.copy(t)": "aaa",
    "t.copy()": "an-", "np.zeros_like(t)": "aaa", "np.empty_like(t)": "aaa", "np.full_like(t, 0.3)": "aaa",
    "np.zeros(())": "aaa", "np.full((), t)": "aaa", "np.ascontiguousarray(t)": "aaa", "np.require(t)": "aaa",
    "t.reshape(())": "an-", "np.reshape(t, ())": "ana", "t.reshape(1)": "aa-", "np.atleast_1d(t)": "aaa",
    "t.squeeze()": "an-", "np.squeeze(t)": "ana", "t.T": "an-", "np.transpose(t)": "ana", "t.real": "ann",
    "np.real(t)": "ann", "t.astype(float)": "an-", "t.astype(float, copy=False)": "an-", "t.view()": "an-",
    "np.broadcast_to(t, ())": "aaa", "np.where(t > 0, t, 0.2)": "aaa", "np.flip(t)": "nnn", "t * 1.0": "nnn",
    "-t": "nnn", "np.sin(t)": "nnn", "np.add(t, t)": "nnn", "t.sum()": "nn-", "np.sum(t)": "nnn",
    "t.item()": "nn-", "float(t)": "nnn", "np.float64(t)": "nnn", "t.clip(0, 1)": "nn-", "np.dot(t, t)": "nnn",
    "np.max(t)": "nnn", "np.add(t, t, out=np.zeros(()))": "aaa", "np.nan_to_num(t)": "nnn",
    "np.einsum(',', t, t)": "nnn", "np.tensordot(t, t, 0)": "aaa", "t.conj()": "an-", "t.round()": "nn-",
    "np.linalg.norm(t)": "nnn", "np.mean(t)": "nnn", "np.vstack([t])[0, ...]": "aaa",
    "np.vstack([t])[0, 0, ...]": "aaa", "np.vstack([t])[0, 0]": "nnn",
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_what_forms_give(form: str) -> None:
    kinds = (np.array(0.7), np.float64(0.7), 0.7)
    assert "".join(given(form, t) for t in kinds) == FORMS[form]


def given(form: str, t: Any) -> str:
    try:
        return "a" if isinstance(eval(form, {"np": np, "t": t}), np.ndarray) else "n"
    except (AttributeError, TypeError):
        return "-"
