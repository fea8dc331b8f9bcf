"""What a call costs on tiny functions: a derivative that was made before, and one asked for anew.

    python -m benchmarks.calls [--rounds N]

There is nearly no arithmetic, so these are microseconds of the face: finding the code for the
arguments, seeds, containers.
"""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import retrograd as rg
from benchmarks.measure import timed
from benchmarks.problems import PROBLEMS

__all__ = ["main"]

X = np.arange(5.0)


def cubes(x):
    return np.sum(x * x * x)


def both(x):
    return np.stack([x, x * x])


def anew(transform: Callable[..., Any], f: Any, args: Any, **options: Any) -> Any:
    return transform(f, **options)(*args)


def pulled(f: Any, x: Any, c: Any) -> Any:
    return rg.vjp(f, x)[1](c)


def pushed(f: Any, x: Any, v: Any) -> Any:
    return rg.linearize(f, x)[1](v)


def runs() -> dict[str, dict[str, Callable[[], Any]]]:
    """By name: the call of what was made before, if there is such a thing, and the call anew."""
    error = PROBLEMS["ba-jacobian-1"]
    cases: list[tuple[str, Any, Any, Any, dict[str, Any]]] = [
        ("grad", rg.grad, cubes, (X,), {}),
        ("value_and_grad", rg.value_and_grad, cubes, (X,), {}),
        ("jacobian, 5 columns", rg.jacobian, both, (X,), {}),
        ("jacobian, 10 rows", rg.jacobian, both, (X,), {"mode": "reverse"}),
        ("jacobian, ba", rg.jacobian, error.function, error.arguments(0), {"wrt": error.wrt}),
        ("hessian", rg.hessian, cubes, (X,), {}),
    ]
    found: dict[str, dict[str, Callable[[], Any]]] = {
        name: {
            "made": partial(transform(f, **options), *args),
            "anew": partial(anew, transform, f, args, **options),
        }
        for name, transform, f, args, options in cases
    }
    found["jvp"] = {"anew": partial(rg.jvp, both, (X,), (X,))}
    found["vjp"] = {"anew": partial(pulled, both, X, both(X))}
    found["linearize"] = {"anew": partial(pushed, both, X, X)}
    found["hvp"] = {"anew": partial(rg.hvp, cubes, (X,), X)}
    return found


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calls", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--rounds", type=int, default=11)
    rounds = parser.parse_args(arguments).rounds
    print(f"{'call':<22} {'made before':>12} {'asked anew':>12}")
    for name, by_form in runs().items():
        for run in by_form.values():
            run()
        samples = timed(by_form, rounds)
        cells = [
            f"{statistics.median(samples[form]) * 1e6:.1f}us" if form in samples else ""
            for form in ("made", "anew")
        ]
        print(f"{name:<22} {cells[0]:>12} {cells[1]:>12}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
