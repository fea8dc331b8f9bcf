"""A composed program in every way that its derivative can be had, each held against the first."""

from __future__ import annotations

import copy
import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import retrograd as rg
from retrograd.runtime.errors import GradientMismatch, InternalError, RetrogradError
from retrograd.transforms import api
from retrograd.transforms.specialise.eager_fallback import eager

from ..checks import Failed, Outcome, check, close, inner, loaded, mapped, quiet, unloaded, where

__all__ = ["WAYS", "judged"]

Way = Callable[[Any, tuple[Any, ...], tuple[int, ...]], Any]


def judged(text: str, seed: int, ways: int = 3) -> Outcome:
    """The laws of every fuzzed program, then some more ways, other ones for another seed."""
    base = check(text, second=seed % 3 == 0)
    if base.verdict != "ok":
        return base
    module = loaded(text)
    try:
        with quiet():
            return in_ways(module, random.Random(seed).sample(sorted(WAYS), ways))
    finally:
        unloaded(module)


def in_ways(module: Any, names: list[str]) -> Outcome:
    main, args, wrt = module.main, module.ARGS, module.WRT
    value, gradient = rg.value_and_grad(main, wrt)(*copy.deepcopy(args))
    refused = ""
    for name in names:
        try:
            hold(name, WAYS[name](main, copy.deepcopy(args), wrt), value, gradient)
        except Failed as failure:
            return Outcome("failed", failure.reason, failure.detail)
        except (InternalError, GradientMismatch) as error:
            return Outcome("failed", f"{name}: {type(error).__name__}", str(error))
        except RetrogradError as error:
            refused = f"{name}: {str(error).splitlines()[0]}"
        except TimeoutError:
            raise
        except Exception as error:
            return Outcome("failed", f"{name} crashes: {type(error).__name__}", where(error))
    return Outcome("ok", refused)


def hold(name: str, found: Any, value: Any, gradient: Any) -> None:
    """The same value and gradient, to what the precision allows."""
    if found is None:
        return
    near = 2e-2 if name == "float32" else 1e-8
    other_value, other = found
    numbers = inner(gradient, other), inner(gradient, gradient)
    if not close(other_value, value, near) or not close(*numbers, near):
        raise Failed(f"{name} differs", f"{other_value!r} {other!r}, not {value!r} {gradient!r}")


# -- the ways ----------------------------------------------------------------------------------------


def first_then(change: Callable[[Any], Any]) -> Way:
    """The same function, called with arguments of another kind after these."""

    def run(main: Any, args: Any, wrt: Any) -> Any:
        f = rg.value_and_grad(main, wrt)
        f(*copy.deepcopy(args))
        return f(*[mapped(change, a) for a in args])

    return run


def in_single(main: Any, args: Any, wrt: Any) -> Any:
    """float32: only where the function itself is near to what it is in float64."""
    given = [
        mapped(lambda x: np.float32(x) if np.ndim(x) == 0 else x.astype("f4"), a) for a in args
    ]
    if abs(main(*copy.deepcopy(given)) - main(*copy.deepcopy(args))) > 1e-3:
        return None
    return rg.value_and_grad(main, wrt)(*given)


def reversed_view(x: Any) -> Any:
    return x[::-1].copy()[::-1] if np.ndim(x) else x


def strided_view(x: Any) -> Any:
    return np.stack([x, x], axis=-1)[..., 0] if np.ndim(x) else x


def fortran(x: Any) -> Any:
    return np.asfortranarray(x) if np.ndim(x) else np.float64(x)


def frozen(x: Any) -> Any:
    if np.ndim(x):
        x = x.copy()
        x.flags.writeable = False
    return x


def on_backend(backend: str, threads: int = 1) -> Way:
    def run(main: Any, args: Any, wrt: Any) -> Any:
        f = rg.value_and_grad(main, wrt, backend=backend)
        f(*copy.deepcopy(args))
        before = rg.get_num_threads()
        rg.set_num_threads(threads)
        try:
            return f(*args)
        finally:
            rg.set_num_threads(before)

    return run


def decorated(**options: Any) -> Way:
    def run(main: Any, args: Any, wrt: Any) -> Any:
        return rg.differentiate(wrt=wrt, **options)(main).value_and_grad(*args)

    return run


def on_the_tape(main: Any, args: Any, wrt: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return eager(api.chain_of(main).then("value_and_grad", wrt, False))(*args)


def handed_out(main: Any, args: Any, wrt: Any) -> Any:
    """The text that a user gets, run by itself."""
    text = rg.differentiate(wrt=wrt)(main).source("value_and_grad", *args)
    scope: dict[str, Any] = {}
    try:
        exec(compile(text, "<handed out>", "exec"), scope)
    except (NameError, ImportError):  # it needs objects of the module
        return None
    try:
        return scope["main_value_and_grad"](*args)
    except NameError:
        return None


WAYS: dict[str, Way] = {
    "reversed": first_then(reversed_view), "strided": first_then(strided_view),
    "fortran": first_then(fortran), "read-only": first_then(frozen), "float32": in_single,
    "c": on_backend("c"), "c in threads": on_backend("c", 2), "optimize=2": decorated(optimize=2),
    "checkpoint": decorated(checkpoint=2), "elementwise": decorated(checkpoint="elementwise"),
    "tape": on_the_tape, "handed out": handed_out, "always": decorated(check="always"),
}  # fmt: skip
