"""``retrograd grad --standalone``: the written file runs without retrograd."""

from __future__ import annotations

import ast
import builtins
import dis
import inspect
import shutil
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd import runtime
from retrograd.cli.standalone import standalone
from retrograd.cli.texts.short_guards import with_short_guard

from .conftest import Done
from .test_examples_written import CASES, EXAMPLES, flat
from .test_expects import CONVERTED, REFUSED, TAKEN

BLOCK = """
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "retrograd":
            raise ImportError("retrograd is not installed here")
sys.meta_path.insert(0, Block())
"""


def namespace(text: str) -> dict[str, Any]:
    """A module run in a world without retrograd."""
    assert "retrograd import" not in text
    space: dict[str, Any] = {"__name__": "made", "__doc__": ast.get_docstring(ast.parse(text))}
    exec(compile(text, "<standalone>", "exec"), space)
    return space


@pytest.mark.parametrize("name", CASES)
def test_every_example_stands_alone(name: str, folder: Path, call: Callable[..., Done]) -> None:
    entry, args = CASES[name]
    shutil.copy(EXAMPLES / f"{name}.py", folder / f"alone_{name}.py")
    done = call("grad", f"alone_{name}.py:{entry}", "--standalone", "-o", "alone.py")
    assert done.code == 0, done.err
    text = (folder / "alone.py").read_text(encoding="utf-8")
    gradient = namespace(text)[f"{entry}_grad"]
    expected = rg.grad(getattr(sys.modules[f"_retrograd_target_alone_{name}"], entry))(*args)
    np.testing.assert_allclose(flat(gradient(*args)), flat(expected), rtol=1e-12)
    (folder / "run.py").write_text(BLOCK + "import alone\n", encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-I", "-c", f"import sys; sys.path.insert(0, {str(folder)!r}); import run"],
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr


HELPERS = sorted(set(runtime.__all__))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", HELPERS)
def test_every_helper_can_be_taken_out(name: str) -> None:
    text = f'"""Doc."""\n\nfrom retrograd import runtime as rt\n\n\ndef f(x):\n    return rt.{name}(x)\n'
    space = namespace(standalone(text))
    known = set(space) | set(dir(builtins))
    for value in map(inspect.unwrap, list(space.values())):
        if isinstance(value, types.FunctionType) and value.__globals__ is space:
            assert unknown(value.__code__, known) == set()


def unknown(code: types.CodeType, known: set[str]) -> set[str]:
    """Global names that a function reads and nobody defines."""
    found = {
        i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    } - known
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            found |= unknown(inner, known)
    return found


def test_helpers_of_one_name_in_two_modules() -> None:
    """`stretch` is one helper, and another beside `matmul_pull_left`: the text means the first."""
    body = "    return rt.stretch(rt.matmul_pull_left(c, y, x), x)\n"
    text = f'"""Doc."""\n\nfrom retrograd import runtime as rt\n\n\ndef f(c, y, x):\n{body}'
    c, y, x = np.ones((4, 2, 2)), np.ones((2, 2)), np.ones((4, 2, 2))
    np.testing.assert_array_equal(namespace(standalone(text))["f"](c, y, x), c @ y.T)


def test_the_guard_stays(folder: Path, call: Callable[..., Done]) -> None:
    done = call("grad", "model.py:typed", "--standalone")
    assert done.code == 0, done.err
    assert "--standalone -o typed_grad.py" in done.out
    gradient = namespace(done.out)["typed_grad"]
    with pytest.raises(TypeError, match="`w` is not float64 of rank 1"):
        gradient(np.ones(3, np.float32), np.ones((2, 3)), np.ones(2))
    with pytest.raises(TypeError, match=r"the sizes are not w: f8\[d\], x: f8\[n, d\], y: f8\[n\]"):
        gradient(np.ones(3), np.ones((2, 3)), np.ones(3))
    assert "rt_" not in done.out
    assert done.out.count("\n") <= 1.3 * call("grad", "model.py:typed").out.count("\n") + 1


def test_no_checks(folder: Path, call: Callable[..., Done]) -> None:
    for more in ([], ["--standalone"]):
        text = call("grad", "model.py:typed", "--no-checks", *more).out
        assert "expects" not in text and "raise" not in text and "--no-checks" in text


SHORT = {
    kind: text
    for kind in [*TAKEN, *(k for k, _, _ in CONVERTED)]
    if "rt."
    not in (text := with_short_guard(f'@rt.expects("{kind}")\ndef same(x):\n    return x\n'))
}
TAKEN_AS_NUMBERS = (
    bool,
    np.bool_,
    np.generic,
    np.ndarray,
    int,
)  # by a short check, which asks for a number


@pytest.mark.parametrize("kind", SHORT)
def test_a_short_check_takes_what_the_whole_one_takes(kind: str) -> None:
    same = namespace(SHORT[kind])["same"]
    for value in TAKEN.get(kind, ()):
        got = same(value)
        assert np.array_equal(got, value) if kind == "f8" else repr(got) == repr(value)
    for given, wanted in [(v, w) for k, v, w in CONVERTED if k == kind]:
        try:
            assert repr(same(given)) == repr(wanted)
        except TypeError:  # dicts of other classes below others, and fields of objects
            assert kind[0] in "{PO([" or kind == "b1"
    for value in REFUSED.get(kind, ()):
        if kind in ("float", "int", "complex", "f8", "bool") and isinstance(
            value, TAKEN_AS_NUMBERS
        ):
            continue
        with pytest.raises((TypeError, AttributeError)):
            same(value)


def test_a_short_check_leaves_the_names_of_parameters_alone() -> None:
    text = (
        '@rt.expects("f8[n]", "f8[n]", "f4[n]")\ndef f(a, name, rank):\n    return a, name, rank\n'
    )
    given = np.ones(2), np.zeros(2), np.ones(2, "f4")
    got = namespace(with_short_guard(text))["f"](*given)
    assert all(x is y for x, y in zip(got, given, strict=True))


def test_a_text_that_needs_no_helper_is_left_as_it_is() -> None:
    text = "import numpy as np\n\n\ndef f(x):\n    return np.exp(x)\n"
    assert standalone(text) == text


def test_the_tape_cannot_be_taken_along(folder: Path, call: Callable[..., Done]) -> None:
    (folder / "risky.py").write_text(RISKY, encoding="utf-8")
    done = call("grad", "risky.py:f", "--standalone")
    assert done.code == 2
    assert "needs the eager tape" in done.err
    plain = call("grad", "risky.py:f")
    assert "Needs the tape at run time for `careful`" in plain.out
    assert "from risky import careful" in plain.out


RISKY = """
def careful(x):
    _ = locals()
    return x * x

def f(x):
    return careful(x) + x
"""
