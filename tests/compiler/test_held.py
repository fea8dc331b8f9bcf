"""A container that is held and changed meanwhile is read where it is used, or refused.

A sample here; all of them: ``python -m tests.compiler.test_held [COUNT [WORD]]``.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import InternalError
from tests.programs.held_containers import PRELUDE, programs
from tests.written import written

pytestmark = pytest.mark.usefixtures("unchecked")
AT = (0.8, 0.5)
SAMPLE = 151  # every so many of the programs


def made(text: str) -> Any:
    """``f`` of a program: its text is where the compiler looks for it."""
    return written(PRELUDE + text)


def verdict(text: str) -> str:
    """``right``, ``refused``, ``not run`` (by Python itself), or what is wrong."""
    f = made(text)
    try:
        value = f(*AT)
        bars = differences(f)
    except Exception:
        return "not run"
    try:
        got, found = rg.value_and_grad(f, (0, 1))(*AT)
    except InternalError as error:
        return f"InternalError: {str(error).splitlines()[0]}"
    except rg.RetrogradError as error:
        return f"refused: {str(error).partition(': ')[2].splitlines()[0]}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    same = np.isclose(got, value) and np.allclose(found, bars, rtol=1e-5, atol=1e-7)
    return "right" if same else f"{got} for {value}, {found} for {bars}"


def differences(f: Any) -> list[float]:
    h = 1e-5
    (a, b) = AT
    return [(f(a + h, b) - f(a - h, b)) / (2 * h), (f(a, b + h) - f(a, b - h)) / (2 * h)]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("name", "text"), list(programs())[::SAMPLE])
def test_right_or_refused(name: str, text: str) -> None:
    found = verdict(text)
    assert found in ("right", "not run") or found.startswith("refused"), (name, found)


def main() -> None:
    rg.set_check(None)
    count, word = [*sys.argv[1:], *["1", ""][len(sys.argv) - 1 :]]
    found: Counter[str] = Counter()
    for name, text in list(programs())[:: int(count)]:
        if word not in name:
            continue
        result = verdict(text)
        found[result] += 1
        if result not in ("right", "not run") and not result.startswith("refused"):
            print(name, "->", result, flush=True)
    for result, n in found.most_common(25):
        print(n, result)


if __name__ == "__main__":
    main()
