"""Tracebacks show the user's lines and those of generated text, and none of ours."""

from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
import traceback
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.tracebacks import is_own

ROOT = Path(__file__).resolve().parents[2]
DOC = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
EXAMPLES = [
    (code, name)
    for code, name in re.findall(
        r"\*\*Example\.\*\*\n\n```python\n(.*?)```\n\n```\n(\w+): ", DOC, re.DOTALL
    )
    if name != "TapeError"  # that of the page calls the tape itself
]
MOST = 14  # lines of a refusal, in all


def output_of(code: str, folder: Path, **environment: str) -> str:
    path = folder / "script.py"
    path.write_text("import numpy as np\nimport retrograd as rg\n\n" + code, encoding="utf-8")
    known = {**os.environ, "PYTHONPATH": str(ROOT), "RETROGRAD_CACHE": str(folder / "cache")}
    known.pop("RETROGRAD_FALLBACK", None)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(path)],
        capture_output=True, text=True, env={**known, **environment}, timeout=120,
    )  # fmt: skip
    return done.stderr


@pytest.mark.parametrize(("code", "name"), EXAMPLES, ids=[name for _, name in EXAMPLES])
def test_a_refusal_is_short(code: str, name: str, tmp_path: Path) -> None:
    said = output_of(code, tmp_path)
    assert f".{name}: " in said
    assert said.startswith("Traceback (most recent call last):\n")
    assert len(said.splitlines()) <= MOST, said
    assert not re.search(r'File ".*(retrograd/|compiler/|runtime/|dispatch)', said), said


USERS = """
def inner(a):
    if a.size > 2:
        raise ValueError("too long")
    return np.sum(a)

def f(x):
    return inner(np.exp(x))

rg.grad(f)(np.ones(3))
"""


def test_an_error_of_the_function_shows_its_own_frames(tmp_path: Path) -> None:
    said = output_of(USERS, tmp_path)
    assert "ValueError: too long" in said
    assert len(re.findall('File "', said)) >= 2
    assert "raise ValueError" in said
    assert not re.search(r'File ".*(/transforms/|/compiler/|/runtime/|dispatch)', said), said


EMITTED = """
def f(x):
    return np.sum(np.linalg.inv(x))

rg.grad(f)(np.zeros((2, 2)))
"""


def test_the_emitted_line_stays(tmp_path: Path) -> None:
    said = output_of(EMITTED, tmp_path)
    assert "LinAlgError: Singular matrix" in said
    assert "/cache/" in said
    assert "np.linalg.inv(x)" in said


def test_everything_is_there_on_request(tmp_path: Path) -> None:
    said = output_of(EXAMPLES[3][0], tmp_path, RETROGRAD_TRACEBACK="full")
    assert "made_functions.py" in said


def test_full_tracebacks_show_the_text_of_what_sends_calls_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RETROGRAD_TRACEBACK", "full")
    with pytest.raises(rg.RetrogradError) as caught:
        rg.grad(no_rule)(ONES)
    assert "return miss__(" in "".join(traceback.format_exception(caught.value))


def frames_of(run: Callable[[], Any]) -> list[Any]:
    try:
        run()
    except Exception as error:
        found, seen = [], set()
        cause: BaseException | None = error
        while cause is not None and id(cause) not in seen:
            seen.add(id(cause))
            found += [frame for frame, _ in traceback.walk_tb(cause.__traceback__)]
            cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
        return found
    raise AssertionError("nothing was raised")


def total(x: Any, y: Any = 1.0) -> Any:
    return np.sum(x) * y


def no_rule(x: Any) -> Any:
    return np.sum(np.unique_values(x))


def raising(x: Any) -> Any:
    raise KeyError("mine")


@rg.differentiate
def decorated(x: Any) -> Any:
    return raising(x)


ONES = np.ones(3)
CALLS: dict[str, Callable[[], Any]] = {
    "no function": lambda: rg.grad(3),  # type: ignore[call-overload]
    "no rule": lambda: rg.grad(no_rule)(ONES),
    "no argument": lambda: rg.grad(total, "z"),
    "an option": lambda: rg.grad(total, has_axu=True),  # type: ignore[call-overload]
    "an integer": lambda: rg.grad(total)(3),
    "not a scalar": lambda: rg.grad(np.sin)(ONES),
    "the function's own": lambda: rg.grad(raising)(ONES),
    "value_and_grad": lambda: rg.value_and_grad(no_rule)(ONES),
    "on a back end": lambda: rg.grad(no_rule, backend="c")(ONES),
    "jvp": lambda: rg.jvp(no_rule, (ONES,), (ONES,)),
    "tangents": lambda: rg.jvp(total, (ONES,), (ONES[:2],)),
    "vjp": lambda: rg.vjp(raising, ONES),
    "a cotangent": lambda: rg.vjp(total, ONES)[1](ONES),
    "hvp": lambda: rg.hvp(no_rule, (ONES,), ONES),
    "jacobian": lambda: rg.jacobian(no_rule)(ONES),
    "hessian": lambda: rg.hessian(no_rule)(ONES),
    "a sparse jacobian": lambda: rg.jacobian(raising, sparse=True)(ONES),
    "linearize": lambda: rg.linearize(raising, ONES),
    "a decorated function": lambda: decorated(ONES),
    "its gradient": lambda: decorated.grad(ONES),
    "its jvp": lambda: decorated.jvp((ONES,), (ONES,)),
    "its text": lambda: decorated.source("gard"),
    "an option of the decorator": lambda: rg.differentiate(total, alias="no"),  # type: ignore[call-overload]
    "a solver": lambda: rg.fixed_point(lambda z: raising(z), 1.0),
    "a solver that fails": lambda: rg.root(lambda z: z * z + 1.0, 1.0),
    "check_grads": lambda: rg.check_grads(raising, (ONES,)),
    "set_check": lambda: rg.set_check("frist"),
    "set_fallback": lambda: rg.set_fallback("tpae"),
    "a custom gradient": lambda: rg.custom_gradient(np.sin),
    "a rule": lambda: rg.rule(total)(lambda z, x, *, dx: dx * dx),
    "a checkpoint": lambda: rg.checkpoint(3),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.filterwarnings("ignore")
def test_no_frame_is_ours(name: str) -> None:
    frames = frames_of(CALLS[name])
    assert [f.f_code.co_qualname for f in frames if is_own(f)] == []


def test_a_gradient_in_a_gradient() -> None:
    def outer(x: Any) -> Any:
        return np.sum(rg.grad(raising)(x))

    names = [f.f_code.co_name for f in frames_of(lambda: rg.grad(outer)(ONES)) if is_own(f)]
    assert names == []


def test_an_interrupt_is_trimmed_too() -> None:
    def stopped(x: Any) -> Any:
        if np.sum(x) > 2.0:
            raise KeyboardInterrupt
        return np.sum(x)

    with pytest.raises(KeyboardInterrupt) as caught:
        rg.grad(stopped)(ONES)
    frames = [frame for frame, _ in traceback.walk_tb(caught.value.__traceback__)]
    assert not any(map(is_own, frames))


def test_an_error_keeps_nothing_alive() -> None:
    class Large(np.ndarray):
        pass

    x = ONES.view(Large)
    gone = weakref.ref(x)
    gc.disable()
    try:
        with pytest.raises(rg.RetrogradError):
            rg.grad(total)(x)
        del x
        assert gone() is None
    finally:
        gc.enable()
