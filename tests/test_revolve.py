"""Snapshots of a loop: never more than asked for, every state right, the fewest iterations run again."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from retrograd import runtime as rt
from retrograd.runtime.checkpointing.revolve import Snapshots, walked


@cache
def fewest(length: int, free: int) -> int:
    """The least forward steps that reverse a loop with its start and ``free`` more states kept."""
    if length <= 1:
        return 0
    if free == 0:
        return length * (length - 1) // 2
    return min(
        k + fewest(length - k, free - 1) + fewest(k, free) for k in range(1, length)
    )  # fmt: skip


def way_back(kept: Snapshots, n: int) -> tuple[int, int]:
    """Go back through a loop whose state is its counter: steps run again, states held at most."""
    kept = rt.rewind(kept)
    steps, most = 0, len(kept.kept)
    for k in reversed(range(n)):
        start, state = rt.restore(kept, k)
        assert state == start <= k
        for _ in range(start, k):
            rt.keep_state(kept, state)
            state, steps = state + 1, steps + 1
            most = max(most, len(kept.kept))
        assert state == k
    return steps, most


@pytest.mark.parametrize("limit", range(1, 8))
def test_the_schedule_is_optimal(limit: int) -> None:
    for n in range(1, 60):
        kept = walked(n, limit)
        assert len(kept.kept) <= limit
        steps, most = way_back(kept, n)
        assert steps == fewest(n, limit - 1) - (n - 1)  # the way there is n - 1 of them
        assert most <= limit


@pytest.mark.parametrize("limit", [1, 2, 3, 8])
def test_an_unknown_length_needs_no_more_states(limit: int) -> None:
    for n in range(60):
        kept = rt.snapshots(None, limit)
        for i in range(n):
            rt.keep_state(kept, i)
            assert len(kept.kept) <= limit
        assert way_back(kept, n)[1] <= limit


def test_an_unknown_length_costs_little_more() -> None:
    n, limit = 300, 16
    kept = rt.snapshots(None, limit)
    for i in range(n):
        rt.keep_state(kept, i)
    assert way_back(kept, n)[0] <= 1.5 * (fewest(n, limit - 1) - (n - 1))


def test_the_way_back_can_be_gone_twice() -> None:
    kept = walked(40, 3)
    first = way_back(kept, 40)
    assert way_back(kept, 40) == first
    back = rt.rewind(kept)
    for _ in range(2):
        for k in reversed(range(40)):
            start, state = rt.restore(back, k)
            for _ in range(start, k):
                rt.keep_state(back, state)
                state += 1
            assert state == k


@pytest.mark.parametrize("copies", [False, True])
def test_states_are_copied_when_they_are_kept_and_if_asked_when_restored(copies: bool) -> None:
    x = np.zeros(1)
    kept = rt.snapshots(6, 2, copies)
    for _ in range(6):
        rt.keep_state(kept, x)
        x += 1
    found = [rt.restore(rt.rewind(kept), 3) for _ in range(2)]
    assert all(state[0] == start for start, state in found)
    found[0][1][0] = -1.0
    assert (found[1][1][0] == found[1][0]) == copies


def test_the_longest_loops_are_planned_in_no_time() -> None:
    kept = rt.snapshots(10**9, 32)
    rt.keep_state(kept, 0.0)
    assert 0 < kept.next < 10**9
