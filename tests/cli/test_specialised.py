"""Helpers cut down to what is known of their arguments give what the whole ones give."""

from __future__ import annotations

import ast
import inspect
import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from retrograd import runtime
from retrograd.cli.specialised.kinds import Kind, Thing, either
from retrograd.cli.standalone import standalone
from retrograd.cli.texts.short_guards import with_short_guard
from tests.golden_case import Case, cases
from tests.standalone_lengths import alone

from .test_expects import REFUSED, TAKEN

APART = {
    "expects", "taped", "pushed", "pulled",  # of no text that stands alone, or tested by their own
    "spline",  # of knots that are none it reads what nobody wrote
}  # fmt: skip
HELPERS = sorted(
    name for name in set(runtime.__all__) - APART if inspect.isfunction(getattr(runtime, name))
)
TRIES = 60  # of arguments
WAYS = 4  # of which so many are taken at most


def values(r: random.Random) -> list[Any]:
    """Arguments of every class that a text knows."""
    n = np.random.default_rng(r.randrange(1000))
    lower = n.normal(size=(3, 3)) + 4 * np.eye(3)
    return [
        2.5, 0.0, np.float64(-1.5), 1, 0, 2, True, 1 + 2j, np.float32(0.5), None, "C",
        n.normal(size=3), n.normal(size=(2, 3)), n.normal(size=(3, 1)), np.array(0.5), lower,
        n.normal(size=3).astype(np.float32), n.normal(size=3) + 1j, np.arange(3), n.normal(size=(2, 3, 3)),
        (0, 1), [1.0, 2.0, 3.0], (1.0, 2.0), [n.normal(size=3), n.normal(size=3)], {"w": n.normal(size=2), "b": 1.5},
        slice(1, None), -1,
    ]  # fmt: skip


def kind_of(value: Any) -> Kind:
    """What a text knows of such a value: its class, its dtype and rank, and now and then the value itself."""
    if isinstance(value, (np.ndarray, np.generic)):
        return [Thing(type(value), value.dtype, value.ndim)]
    if isinstance(value, (tuple, list)):
        return [Thing(type(value), None, len(value))]
    if isinstance(value, (slice, dict)):
        return None
    return [value] if isinstance(value, (type(None), str)) else [Thing(type(value))]


def whole_call(name: str, count: int) -> tuple[str, str]:
    names = [f"x{k}" for k in range(count)]
    call = f"rt.{name}({', '.join(names)})"
    text = f'"""Doc."""\n\nfrom retrograd import runtime as rt\n\n\ndef f({", ".join(names)}):\n    return {call}\n'
    return text, call


def ways(name: str, r: random.Random) -> list[list[Any]]:
    """Some arguments with which a helper gives something."""
    helper = getattr(runtime, name)
    spec = [p for p in inspect.signature(helper).parameters.values() if p.default is p.empty]
    count = sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in spec)
    found: list[list[Any]] = []
    for _ in range(TRIES):
        given = [r.choice(values(r)) for _ in range(count)]
        if len(found) < WAYS and result(helper, given) is not None:
            found.append(given)
    return found


def result(f: Callable[..., Any], given: list[Any]) -> str | None:
    """What a call gives, as a text that tells classes and bits apart; None if it fails."""
    np.random.seed(0)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return told(f(*copied(given)))
        except Exception:
            return None


def copied(x: Any) -> Any:
    if isinstance(x, (list, tuple)):
        return type(x)(map(copied, x))
    if isinstance(x, dict):
        return {k: copied(v) for k, v in x.items()}
    return x.copy() if isinstance(x, np.ndarray) else x


def told(x: Any) -> str:
    if isinstance(x, (np.ndarray, np.generic)) and x.dtype.kind != "O":
        return f"{type(x).__name__} {x.dtype} {x.shape} {x.tobytes().hex()}"
    if isinstance(x, (list, tuple)):
        return f"{type(x).__name__}({', '.join(map(told, x))})"
    if isinstance(x, dict):
        return f"{{{', '.join(f'{k}: {told(v)}' for k, v in x.items())}}}"
    return f"{type(x).__name__} {x!r}" if type(x) in (float, int, complex, bool, type(None)) else ""


def cut(name: str, kinds: list[Kind]) -> Callable[..., Any]:
    text, call = whole_call(name, len(kinds))
    space: dict[str, Any] = {"__name__": "made", "__doc__": "Doc."}
    exec(compile(standalone(text, False, {call: kinds}), f"<{name}>", "exec"), space)
    return space["f"]  # type: ignore[no-any-return]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", HELPERS)
def test_a_helper_cut_down_gives_what_the_whole_one_gives(name: str) -> None:
    r = random.Random(name)
    for given in ways(name, r):
        assert result(cut(name, [kind_of(v) for v in given]), given) == result(
            getattr(runtime, name), given
        )


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", HELPERS)
def test_a_helper_cut_down_for_several_kinds_takes_each(name: str) -> None:
    r = random.Random(name)
    found = ways(name, r)
    if found:
        joint = [either(*map(kind_of, column)) for column in zip(*found, strict=True)]
        made = cut(name, joint)
        for given in found:
            assert result(made, given) == result(getattr(runtime, name), given)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("case", list(cases()), ids=lambda case: case.name)
def test_every_golden_text_stands_alone(case: Case) -> None:
    own, text = alone(case)
    if own is None or case.kind == "jvp":
        return
    results = [result(main_of(t, case), case.arguments()) for t in (own, text)]
    assert results[0] == results[1]


def main_of(text: str, case: Case) -> Callable[..., Any]:
    tree = ast.parse(text)
    space: dict[str, Any] = vars(case.module) | {
        "__name__": "made",
        "__doc__": ast.get_docstring(tree),
    }
    exec(compile(tree, case.name, "exec"), space)
    last = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)][-1]
    return space[last]  # type: ignore[no-any-return]


UNTYPED = [k for k in TAKEN if any(word in k for word in ("floating", "real", "not integers"))]


@pytest.mark.parametrize("kind", UNTYPED)
def test_a_short_check_of_any_shape_takes_plain_values_only(kind: str) -> None:
    """What it takes the whole one takes, too, and what that refuses it refuses."""
    text = f'"""Doc."""\n\nfrom retrograd import runtime as rt\n\n\n@rt.expects("{kind}")\ndef same(x):\n    return x\n'
    short = with_short_guard(text)
    if "expects" in short:
        pytest.skip("no short check")
    space: dict[str, Any] = {"__name__": "made", "__doc__": "Doc."}
    exec(compile(standalone(short), "<made>", "exec"), space)
    for value in TAKEN[kind]:
        if is_plain(value):
            assert repr(space["same"](value)) == repr(value)
    for value in REFUSED.get(kind, ()):
        with pytest.raises(TypeError):
            space["same"](value)


def is_plain(value: Any) -> bool:
    if type(value) in (list, tuple, dict):
        return all(map(is_plain, value.values() if type(value) is dict else value))
    return type(value) is np.ndarray or isinstance(value, (float, np.generic, str, type(None)))
