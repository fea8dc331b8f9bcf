"""Containers of the module, wherever they are held: what is read after a change is what is there then.

``python -m tests.compiler.test_outside_ways`` runs all of them; the suite a part.
"""

from __future__ import annotations

import heapq
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import InternalError
from tests.programs.module_writes_combined import cases, made

pytestmark = pytest.mark.usefixtures("unchecked")
H = 1e-6


def verdict(text: str) -> str:
    """``right``, ``refused``, or what is wrong."""
    scope = made(text)
    f, reset = scope["f"], scope["reset"]

    def fresh(x: float) -> float:
        reset()
        return float(f(x))

    try:
        value, slope = fresh(0.7), (fresh(0.7 + H) - fresh(0.7 - H)) / (2 * H)
    except AttributeError:
        return "not run"
    reset()
    try:
        found, gradient = rg.value_and_grad(f)(0.7)
    except InternalError as error:
        return str(error)
    except rg.RetrogradError:
        return "refused"
    finally:
        reset()
    same = found == value and np.isclose(gradient, slope, rtol=1e-6)
    return "right" if same else f"{found} and {gradient}, not {value} and {slope}"


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("name", "text"), random.Random(2).sample(sorted(cases()), 150), ids=lambda v: v.split("\n")[0]
)
def test_right_or_refused(name: str, text: str) -> None:
    assert verdict(text) in ("right", "refused", "not run")


HEAP: list[float] = [5.0]
LOG: list[float] = []


def pushed(x):
    heapq.heappush(HEAP, x * x)
    heapq.heappush(HEAP, x * x * x)
    return x * x


def logged(x):
    for k in range(3):
        LOG.append(x * k)
    return x * x


def logged_by_the_class(x):
    list.append(LOG, x * x)
    return x * x


@pytest.mark.parametrize("f", [pushed, logged, logged_by_the_class])
def test_what_is_kept_and_not_asked_for_again_is_no_matter(f: Any) -> None:
    assert np.isclose(rg.grad(f)(0.7), 1.4)


def pushed_and_read(x):
    heapq.heappush(HEAP, x * x)
    return HEAP[0] * x


def logged_and_read(x):
    list.append(LOG, x * x)
    return LOG[-1] * x


@pytest.mark.parametrize("f", [pushed_and_read, logged_and_read])
def test_what_is_asked_for_again_is_refused(f: Any) -> None:
    with pytest.raises(rg.RetrogradError, match="asked again"):
        rg.grad(f)(0.7)


def main() -> None:
    rg.set_check(None)
    found: Counter[str] = Counter()
    for name, text in cases():
        result = verdict(text)
        found[result if result in ("right", "refused", "not run") else "wrong"] += 1
        if result not in ("right", "refused", "not run"):
            print(name, result)
    print(dict(found))


if __name__ == "__main__":
    main()
