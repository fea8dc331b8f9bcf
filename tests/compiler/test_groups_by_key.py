"""Groups in dicts that are gone over in order, and dicts whose keys are members of an enumeration."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.both_modes import agrees
from tests.written import written

MADE = {
    "defaultdict": "groups = collections.defaultdict(list)\n    for k, v in zip('abacab', v6):\n        groups[k].append(v)",
    "setdefault": "groups = {}\n    for k, v in zip('abacab', v6):\n        groups.setdefault(k, []).append(v)",
    "branch": "groups = {}\n    for k, v in zip('abacab', v6):\n        if k not in groups:\n            groups[k] = []\n        groups[k].append(v)",
}
READ = {
    "sorted": "sum(np.mean(v) * len(k) * v[0] for k, v in sorted(groups.items()))",
    "values": "sum(np.mean(v) * v[-1] for v in groups.values())",
    "a list of them": "sum(np.sum(v) ** 2 for v in list(groups.values()))",
    "put into another": "sum(np.mean(pair[1]) * pair[0] for pair in [(x[0], groups['a']), (x[1], groups['b'])])",
    "largest": "max((np.mean(v), k) for k, v in groups.items())[0] * x[0]",
}
HELD = {
    "read first": "groups['a'][-1] * group[0]",
    "read last": "group[0] * groups['a'][-1]",
    "another one": "group[-1] * groups['c'][0] + groups['a'][1]",
}
ENUMERATION = """
import enum


class State(enum.Enum):
    A = 1
    B = 2
"""
STATES = {
    "numbers": ("{State.A: x[0], State.B: x[1]}", "rate[state]"),
    "tuples": ("{State.A: (x[0], 2.0), State.B: (x[1], 3.0)}", "rate[state][0] * rate[state][1]"),
    "comprehension": ("{s: x[k] * s.value for k, s in enumerate(State)}", "rate[state]"),
}
X = np.array([0.7, 1.3, -0.6])


@pytest.mark.parametrize(("made", "read"), list(itertools.product(MADE, READ)))
def test_groups(made: str, read: str) -> None:
    text = f"import collections\n\ndef f(x):\n    v6 = np.concatenate([x, x**2])\n    {MADE[made]}\n    return {READ[read]}\n"
    agrees(written(text), X)


@pytest.mark.parametrize(("made", "read"), list(itertools.product(MADE, HELD)))
def test_groups_under_another_name(made: str, read: str) -> None:
    """Asking a dict for a key may put one in: what the name holds is read before that, where the call stands."""
    text = f"import collections\n\ndef f(x):\n    v6 = np.concatenate([x, x**2])\n    {MADE[made]}\n    group = groups['a']\n    group.append(x[1] * 0.7)\n    return {HELD[read]}\n"
    agrees(written(text), X)


@pytest.mark.parametrize("kept", STATES)
def test_keys_of_an_enumeration(kept: str) -> None:
    whole, read = STATES[kept]
    f = written(
        f"""{ENUMERATION}
def f(x):
    rate, state, s = {whole}, State.A, 0.0
    for k in range(4):
        s += {read} * x[2]
        if s < -1.0:
            state = State.B
    return s * s
"""
    )
    agrees(f, X)
    agrees(f, 3 * X)


KEPT = {
    "copied, and cut": "kept = copy(options)\n    for key in set(kept) - {'a'}:\n        kept.pop(key)\n    return kept",
    "cut": "for key in set(options.keys()) - set(['a']):\n        options.pop(key)\n    return options",
    "as they are": "return dict(options)",
    "chosen": "return {k: v for k, v in options.items() if k != 'b'}",
}


@pytest.mark.parametrize("kept", KEPT)
def test_options_by_a_helper(kept: str) -> None:
    """``model(y, **kept(...))``: a call that is given nothing to differentiate is followed, for the sake of the keys."""
    f = written(
        f"""
from copy import copy


def kept(**options):
    {KEPT[kept]}


def model(y, a=3.0, b=1.0):
    return y * a * b


def f(x):
    return model(x[0], **kept(a=x[1], b=2.0)) + model(x[1], **kept(a=4.0)) + model(x[2], **kept())
"""
    )
    agrees(f, X)
