"""Options that samples do not give: ``python -m tests.sweeps.options [NAME ...]``.

Operations of the rule book x their samples x each optional parameter x values that it may take (the words of its
docstring, other numbers, the other truth value).  Where the call gives floats that differences can be taken of, the
gradient, compiled and on the tape, is right or refused.  Texts of one form serve many operations, which is how one
function of the cache was found to be taken for another.

What is left over is listed by `EXPECTED`, with its reason: kinks and conventions that differences do not know.
"""

from __future__ import annotations

import inspect
import re
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from tests.rules.harness import name_of, samples
from tests.rules.sample import Sample, draw
from tests.written import written

__all__ = ["Case", "cases", "outcome"]

SKIPPED = {
    "out", "output", "dtype", "like", "subok", "rng", "random_state", "workers", "plan", "check_finite", "where", "order",
}  # fmt: skip
EXPECTED = {
    "one triangle is read": ("cholesky", "cho_factor", "eigh", "eigvalsh", "solve", "multivariate_normal", "pinv"),
    "the solution is not reached": ("cg", "bicg", "bicgstab", "gmres", "lambertw"),
    "a kink": ("trim_zeros", "quantile", "nanpercentile", "splev"),
}  # fmt: skip
QUOTED = re.compile(r"['\"\u2018]([a-zA-Z_]{1,20})['\"\u2019]")
NUMBERS: tuple[Any, ...] = (0, 1, 2, -1, True, False)
TEXT = """
def f(x):
    r = {call}
    r = r[0] if isinstance(r, tuple) else r
    return np.sum(np.real(r) * weight(np.shape(r)))
"""


class Case(NamedTuple):
    """A call with one option more than its sample has, as a function of one of its arrays."""

    name: str
    option: str
    value: Any
    f: Callable[[Any], Any]
    x: Any


def weight(shape: tuple[int, ...]) -> Any:
    return np.cos(1.0 + np.arange(np.prod(shape, dtype=int))).reshape(shape)


@contextmanager
def within(seconds: int) -> Iterator[None]:
    def stop(*_: Any) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def values(parameter: inspect.Parameter, document: str) -> list[Any]:
    """What an option may be, other than it is by default."""
    usual = parameter.default
    if usual is parameter.empty or parameter.kind in (
        parameter.VAR_POSITIONAL,
        parameter.VAR_KEYWORD,
    ):
        return []
    words: list[Any] = sorted(set(re.findall(QUOTED, document)))[:14]
    if isinstance(usual, bool):
        return [not usual]
    if isinstance(usual, str):
        return [word for word in words if word != usual]
    if isinstance(usual, (int, float)):
        return [number for number in (0, 1, 2, 3, -1) if number != usual]
    several = [(0,)] if parameter.name in ("axis", "axes") else []
    return [*NUMBERS, *several, *words]


def cases(names: list[str]) -> Iterator[Case]:
    for operation, calls in samples().items():
        home = str(getattr(operation, "__module__", ""))
        plain = callable(operation) and not isinstance(operation, (type, np.ufunc))
        if not plain or home.startswith("retrograd"):
            continue
        if names and not any(name in name_of(operation) for name in names):
            continue
        try:
            signature = inspect.signature(operation)
        except ValueError:
            continue
        for sample in calls[:4]:
            yield from of_sample(operation, signature, sample)


def of_sample(operation: Any, signature: inspect.Signature, sample: Sample) -> Iterator[Case]:
    rng = np.random.default_rng(1)
    args = draw(list(sample.args), rng, sample.low, sample.high)
    kwargs = {k: draw([v], rng, sample.low, sample.high)[0] for k, v in sample.kwargs.items()}
    try:
        given = signature.bind(*args, **kwargs).arguments
    except TypeError:
        return
    arrays = [
        k for k, a in enumerate(args) if isinstance(a, np.ndarray) and a.dtype == float and a.ndim
    ]
    for at in arrays[:1] + arrays[1:][-1:]:
        for name, parameter in signature.parameters.items():
            for value in values(parameter, operation.__doc__ or ""):
                if name not in given and name not in SKIPPED:
                    f = function(operation, args, kwargs, at, name, value)
                    yield Case(name_of(operation), name, value, f, args[at])


def function(
    operation: Any, args: list[Any], kwargs: dict[str, Any], at: int, name: str, value: Any
) -> Callable[[Any], Any]:
    names = ["x" if k == at else f"a{k}" for k in range(len(args))]
    names += [f"{k}=k_{k}" for k in kwargs]
    outside = {f"a{k}": a for k, a in enumerate(args)} | {f"k_{k}": v for k, v in kwargs.items()}
    call = f"operation({', '.join([*names, f'{name}={value!r}'])})"
    made: Callable[[Any], Any] = written(
        TEXT.format(call=call), operation=operation, weight=weight, **outside
    )
    return made


def slopes(f: Callable[[Any], Any], x: Any) -> Any:
    """Differences of two widths, if they say the same; None of what has none."""
    found = []
    for h in (1e-5, 1e-4):
        steps = h * np.eye(x.size).reshape(-1, *x.shape)
        found.append(np.array([(f(x + s) - f(x - s)) / (2 * h) for s in steps]).reshape(x.shape))
    alike = found[0].dtype.kind == "f" and np.allclose(*found, rtol=1e-3, atol=1e-4)
    return found[0] if alike else None


def outcome(case: Case) -> str:
    try:
        with within(20):
            first = np.asarray(case.f(case.x.copy()))
            if first.dtype.kind != "f" or not np.isfinite(first):
                return "no number"
            expected = slopes(case.f, case.x)
    except Exception:  # it does not take this
        return "not taken"
    if expected is None:
        return "rough"
    for strict in (True, False):
        try:
            with within(60):
                found = rg.grad(case.f, strict=strict)(case.x.copy())
        except RetrogradError:
            continue
        except Exception as error:
            return f"crashed: {type(error).__name__}"
        if not np.allclose(found, expected, rtol=2e-3, atol=2e-4):
            return "wrong"
    return "right or refused"


def expected(case: Case) -> str | None:
    last = case.name.rpartition(".")[2]
    return next(
        (why for why, names in EXPECTED.items() if {last, case.name.split(".")[1]} & {*names}), None
    )


def main() -> None:
    warnings.simplefilter("ignore")
    rg.set_check(None)
    counts: Counter[str] = Counter()
    for case in cases(sys.argv[1:]):
        found = outcome(case)
        why = expected(case) if found == "wrong" else None
        counts[found if why is None else f"wrong, {why}"] += 1
        if found.startswith("crashed") or (found == "wrong" and why is None):
            print(f"{found}: {case.name}({case.option}={case.value!r})", flush=True)
    print(dict(counts))


if __name__ == "__main__":
    main()
