"""Namespaces that a call gives (``xp = get_namespace(x)``), however it finds them and wherever they are used."""

from __future__ import annotations

import functools
import inspect
import sys
import threading
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import retrograd as rg
from retrograd.compiler.analyses.lazy_initialisation import only_completes
from retrograd.compiler.analyses.visible_effects import of_function

DEFAULTS = {"dispatch": False}
LOCAL = threading.local()
SEEN: dict[str, int] = {}
CALLS: list[int] = []


def config():
    if not hasattr(LOCAL, "config"):
        LOCAL.config = DEFAULTS.copy()
    return LOCAL.config


def namespace(*arrays, xp=None):
    if not config()["dispatch"]:
        return (np if xp is None else xp), False
    return np, True


def for_itself(f):
    """As libraries do: the signature that others are shown is not that of the text."""

    @functools.wraps(f)
    def wrapped(*args, **kwargs):
        return f(*args, xp=np, **kwargs)

    signature = inspect.signature(f)
    rest = [p for n, p in signature.parameters.items() if n != "xp"]
    wrapped.__signature__ = signature.replace(parameters=rest)
    return wrapped


@for_itself
def reshaped(x, shape, xp, *, copy=None):
    return xp.reshape(x.copy() if copy else x, shape)


def squares(x, xp):
    return xp.sum(xp.asarray(x) ** 2)


def handed_on(x):
    xp, _ = namespace(x)
    return squares(x, xp)


def a_part_of_it(x):
    xp, _ = namespace(x)
    sign, log_det = xp.linalg.slogdet(x)
    return -xp.inf if not sign > 0 else log_det


def a_constant_of_it(x):
    xp, _ = namespace(x)
    if x.shape[0] == 0:
        return xp.nan
    if x.dtype != xp.float32:
        return xp.sum(x * x)
    return xp.sum(x)


def dtypes(*arrays):
    xp, _ = namespace(*arrays)
    known = [xp.asarray(a) for a in arrays if hasattr(a, "dtype")]
    floats = [a.dtype for a in known if np.issubdtype(a.dtype, np.floating)]
    return xp.sum(known[0].astype(xp.result_type(*floats)) ** 3)


def of_another_signature(x):
    return np.sum(reshaped(x, (-1,), copy=True) ** 2 * np.arange(x.size))


def module_or_none():
    return sys.modules.get("a_module_that_nobody_has", None)


def none_at_all(x):
    others = module_or_none()
    if others is not None and isinstance(x, others.Frame):
        x = x.to_numpy()
    return np.sum(x**2)


def dense(m):
    return m.toarray() if sparse.issparse(m) else m


def of_sparse_ones(x):
    y = 2.0 * x
    if sparse.isspmatrix_csr(y):
        y = y.tocoo()
    if np.iterable(y):
        y = y * y
    return np.sum(dense(sparse.csr_matrix(np.eye(3))) @ y) + np.sum(dense(x))


PROGRAMS = [
    handed_on, a_part_of_it, a_constant_of_it, dtypes, of_another_signature, none_at_all, of_sparse_ones,
]  # fmt: skip
X = np.eye(3) + 0.1


def slope(f: Any, x: np.ndarray) -> np.ndarray:
    steps = 1e-6 * np.eye(x.size).reshape(-1, *x.shape)
    return np.array([(f(x + s) - f(x - s)) / 2e-6 for s in steps]).reshape(x.shape)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_it_is_compiled_and_right(program: Any) -> None:
    found = rg.grad(program, strict=True)(X.copy())
    np.testing.assert_allclose(found, slope(program, X), rtol=1e-6, atol=1e-8)


def test_what_is_completed_once_leaves_no_trace() -> None:
    assert only_completes(config, "LOCAL")
    assert not [why for kind, why in of_function(namespace) if kind == "run"]


def counted(x):
    if "count" not in SEEN:
        SEEN["count"] = 0
    SEEN["count"] += 1
    return np


def handed_to_another_name(x):
    seen = SEEN
    if "last" not in SEEN:
        seen["first"] = 1
    return np


def of_the_argument(x):
    if "scale" not in SEEN:
        SEEN["scale"] = np.mean(x)
    return np


def by_the_argument(x):
    if x.shape not in SEEN:
        SEEN[x.shape] = 1
    return np


def appended(x):
    CALLS.append(1)
    return np


@pytest.mark.parametrize(
    "pick",
    [counted, handed_to_another_name, of_the_argument, by_the_argument, appended],
    ids=lambda f: f.__name__,
)
def test_what_changes_something_is_not_run_beforehand(pick: Any) -> None:
    assert [why for kind, why in of_function(pick) if kind == "run"]


def with_its_arrays(x):
    """Not compiled: it asks for a format that is computed."""
    if not f"{x.sum():{'.3' if CALLS else '.2'}}":
        return x, x, None
    return x, 2.0 * x, np


def parts_that_are_differentiated(x):
    same, twice, xp = with_its_arrays(x)
    return xp.add(same * twice, 0.0).sum()


def parts_by_their_places(x):
    found = with_its_arrays(x)
    return found[2].add(found[0] * found[1], 0.0).sum()


@pytest.mark.parametrize("f", [parts_that_are_differentiated, parts_by_their_places])
def test_what_a_call_gives_beside_a_namespace_is_not_cut_off(f: Any) -> None:
    x = np.array([0.3, 0.7, 1.1])
    for derivative in (rg.grad(f), rg.differentiate(strict=True)(f).grad):
        try:
            slope = derivative(x)
        except rg.RetrogradError:
            continue
        np.testing.assert_allclose(slope, 4.0 * x)


def sometimes(x):
    """Not compiled, either: what stands beside the namespace depends on numbers."""
    if not f"{x.sum():{'.3' if CALLS else '.2'}}":
        return None, None, None
    return np, (2.0 * x if x.sum() > 10.0 else None), (3.0 * x if x.sum() > 20.0 else 3)


def by_numbers(x):
    xp, twice, thrice = sometimes(x)
    return xp.add(x * x if twice is None else x * twice, x * thrice).sum()


@pytest.mark.parametrize("scale", [1.0, 8.0, 40.0])
def test_what_was_none_or_a_word_may_be_an_array_another_time(scale: float) -> None:
    x = np.array([0.3, 0.7, 1.1])
    for derivative in (rg.grad(by_numbers), rg.differentiate(strict=True)(by_numbers).grad):
        derivative(x)
        expected = [
            (by_numbers(scale * x + e) - by_numbers(scale * x - e)) / 2e-6 for e in 1e-6 * np.eye(3)
        ]
        try:
            slope = derivative(scale * x)
        except rg.RetrogradError:
            continue
        np.testing.assert_allclose(slope, expected, rtol=1e-6)
