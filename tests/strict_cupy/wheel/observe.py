"""What the wheel answers to the sample calls, without a device: ``python -m tests.strict_cupy.wheel.observe`` writes it down.

Shapes, kinds of numbers, strides and refusals are the wheel's own; the values are nothing, so none is kept.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from .samples import calls, context

__all__ = ["KERNELS", "PATH", "VERSIONS", "answer", "load", "observed"]

KERNELS = "kernels"  # what their texts say
VERSIONS = "versions"  # of CuPy and of NumPy, by whose protocols the calls went
PATH = Path(__file__).with_name("observed.json")
NOT_HERE = (
    "Failure finding",
    "cannot open shared object",
    "cudaErrorInvalidDevice",
    "could not get source",
)  # the call needs what is not here


def answer(call: str, names: dict[str, Any], device: type) -> Any:
    """A refusal with its text, or what the result looks like."""
    try:
        try:
            code = compile(call, "<sample>", "eval")
        except SyntaxError:
            exec(compile(call, "<sample>", "exec"), names)
            return "done"
        return described(eval(code, names), device)
    except Exception as error:
        return {
            type(error).__name__: str(error).partition("\n")[0].partition("__array_ufunc__(")[0]
        }


def described(result: Any, device: type) -> Any:
    if isinstance(result, device):
        shown = [result.dtype.str, list(result.shape)]
        steps = [
            step if length > 1 else 0
            for step, length in zip(result.strides, result.shape, strict=True)
        ]
        return [*shown, steps] if result.size > 1 else shown
    if isinstance(result, (tuple, list)):
        return {type(result).__name__: [described(one, device) for one in result]}
    if isinstance(result, np.ndarray):
        return {"host": [result.dtype.str, list(result.shape)]}
    return {"value": type(result).__name__}


def observed(cp: Any, cupyx: Any, happened: Callable[[], tuple[str, int]]) -> dict[str, Any]:
    """All calls, each on arrays of its own.

    ``happened`` says which ways values went and how many kernels were launched since it was asked last.
    """
    found: dict[str, Any] = {VERSIONS: [cp.__version__, np.__version__]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for call in calls():
            names = context(cp, cupyx)
            happened()
            one = answer(call, names, cp.ndarray)
            ways, launched = happened()
            if not any(words in str(one) for words in NOT_HERE):
                found[call] = [one, ways, launched]
    return found


def kernels(cp: Any, sources: list[str]) -> dict[str, dict[str, bool]]:
    """Of the kernels for subscripts, as the wheel hands them to the compiler: do bounds wrap, is the store atomic?"""
    found = {}
    x, index = cp.zeros(4), cp.array([0, 0])
    calls: dict[str, Callable[[], Any]] = {
        "take": lambda: x[index],
        "write": lambda: x.__setitem__(index, x[:2]),
        "add.at": lambda: cp.add.at(x, index, x[:2]),
    }
    for name, call in calls.items():
        sources.clear()
        cp.clear_memo()
        call()
        body = sources[-1].partition("_ind.set(i);")[2]
        found[name] = {"wraps": "indices % " in body, "atomic": "atomicAdd(" in body}
    return found


def load() -> dict[str, Any]:
    return json.loads(PATH.read_text(encoding="utf-8"))


def written(answers: dict[str, Any]) -> str:
    lines = (f"{json.dumps(call)}: {json.dumps(one)}" for call, one in answers.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> None:
    from .. import names
    from . import null_device

    names.stand_in_for_libraries()

    def happened() -> tuple[str, int]:
        kinds, launched = list(null_device.copies), len(null_device.launches)
        null_device.copies.clear()
        null_device.launches.clear()
        ways = [way for kind, way in ((1, "to the device"), (2, "to the host")) if kind in kinds]
        return " ".join(ways), launched + sum(kind > 2 for kind in kinds)

    import cupyx.scipy.special

    found = {KERNELS: kernels(null_device.cupy, null_device.sources)}
    found |= observed(null_device.cupy, cupyx, happened)
    if sys.argv[1:] == ["--print"]:
        print(written(found), end="", flush=True)
    else:
        PATH.write_text(written(found), encoding="utf-8")
    os._exit(0)  # what CuPy would give back at its end is not there to be given back


if __name__ == "__main__":
    main()
