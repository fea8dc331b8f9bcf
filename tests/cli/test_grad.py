"""`retrograd grad`: targets, options, the text, and the file that is written."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import SignatureMismatch

from .conftest import Done

Call = Callable[..., Done]
X = np.array([[1.0, 2.0, 3.0], [0.5, -1.0, 2.0]])
W = np.array([0.1, -0.2, 0.3])
Y = np.array([1.0, 2.0])


def differences(f: Callable[..., Any], w: Any, *rest: Any) -> Any:
    """The gradient by central differences."""
    steps = 1e-6 * np.eye(w.size)
    return np.array([(f(w + h, *rest) - f(w - h, *rest)) / 2e-6 for h in steps])


def command_in(text: str) -> str:
    """The command in the header of a text."""
    return next(line for line in text.splitlines() if line.startswith("    retrograd grad "))


# -- the written module -----------------------------------------------------------------


def test_the_file_computes_the_gradient(written: Any) -> None:
    made = written("typed_grad.py", "model.py:typed")
    expected = 2 * X.T @ (X @ W - Y) / Y.size
    np.testing.assert_allclose(made.typed_grad(W, X, Y), expected)
    np.testing.assert_allclose(made.typed_grad(w=W, y=Y, x=X), expected)


def test_the_file_imports_what_it_captures(written: Any) -> None:
    made = written("loss_grad.py", "model.py:loss", "--wrt", "w")
    model, helper = sys.modules["model"], sys.modules["helper"]
    assert made.K is model.K
    assert made.helper_WEIGHTS is helper.WEIGHTS
    found = made.loss_grad(W, X[0])
    np.testing.assert_allclose(found, differences(model.loss, W, X[0]), rtol=1e-6)


def test_the_file_reads_attributes_of_captured_objects(written: Any) -> None:
    made = written("table_grad.py", "model.py:table")
    np.testing.assert_allclose(made.table_grad(W), [0.5, 1.0, 2.0])


def test_a_dotted_module_is_imported_by_that_name(call: Call) -> None:
    done = call("grad", "model:loss")
    assert done.code == 0
    assert "\nfrom model import K\n" in done.out
    assert "retrograd grad model:loss --wrt w -o loss_grad.py" in done.out


def test_what_cannot_be_imported_is_refused(call: Call) -> None:
    done = call("grad", "model.py:inner")
    assert done.code == 1
    assert "needs `c`, which no other module can import" in done.err
    assert done.out == ""


def test_a_file_without_a_name_is_refused_when_it_is_needed(call: Call, folder: Path) -> None:
    text = (folder / "model.py").read_text(encoding="utf-8")
    (folder / "my-model.py").write_text(text, encoding="utf-8")
    assert call("grad", "my-model.py:two").code == 0
    done = call("grad", "my-model.py:loss")
    assert done.code == 1
    assert "rename the file" in done.err


# -- writing ----------------------------------------------------------------------------


def test_regenerating_by_the_printed_command_changes_nothing(call: Call, folder: Path) -> None:
    assert call("grad", "model.py:typed", "--value", "-o", "made.py").code == 0
    path = folder / "made.py"
    before, stamp = path.read_bytes(), path.stat().st_mtime_ns
    program, *argv = shlex.split(command_in(before.decode()))
    assert program == "retrograd"
    again = call(*argv)
    assert (again.code, path.read_bytes(), path.stat().st_mtime_ns) == (0, before, stamp)
    assert "up to date" in again.err


@pytest.mark.parametrize(
    "argv",
    [
        ["model.py:two", "--wrt", "b,w"],
        ["model.py:two", "--mode", "forward", "--sig", "w: f8[n], b: f8, x: f8[n]"],
        ["model.py:one_of_tuple"],
        ["model.py:one_of_tuple", "--wrt", "x"],
        ["model.py:Net.loss"],
        ["model.py:smooth", "--optimize", "2", "--sig", "w: f8[n], b: f8, x: f8[n]"],
    ],
    ids=" ".join,
)
def test_the_command_in_the_header_asks_for_the_same(call: Call, argv: list[str]) -> None:
    first = call("grad", *argv)
    assert first.code == 0, first.err
    words = shlex.split(command_in(first.out))
    assert call(*words[1 : words.index("-o")]).out == first.out


def test_the_text_for_large_arrays_computes_the_same(written: Any) -> None:
    sig = ["--sig", "w: f8[n], b: float, x: f8[n]"]
    plain = written("smooth_plain.py", "model.py:smooth", *sig)
    long = written("smooth_long.py", "model.py:smooth", "--optimize", "2", *sig)
    w, x = np.random.default_rng(0).normal(size=(2, 10_000))
    np.testing.assert_allclose(long.smooth_grad(w, 0.3, x), plain.smooth_grad(w, 0.3, x), rtol=1e-9)
    assert "range(0, len(" in Path(str(long.__file__)).read_text(encoding="utf-8")


def test_printing_and_writing_give_the_same_text(call: Call, folder: Path) -> None:
    printed = call("grad", "model.py:two")
    assert call("grad", "model.py:two", "-o", "two_grad.py").out == ""
    assert (folder / "two_grad.py").read_text(encoding="utf-8") == printed.out


def test_absolute_paths_do_not_get_into_the_text(call: Call, folder: Path) -> None:
    done = call("grad", str(folder / "model.py") + ":two", "-o", str(folder / "two_grad.py"))
    assert done.code == 0
    relative = call("grad", "model.py:two").out
    assert (folder / "two_grad.py").read_text(encoding="utf-8") == relative


def test_another_file_is_never_overwritten(call: Call, folder: Path) -> None:
    before = (folder / "model.py").read_bytes()
    done = call("grad", "model.py:two", "-o", "model.py")
    assert done.code == 2
    assert "not written by retrograd" in done.err
    assert (folder / "model.py").read_bytes() == before


def test_a_refused_program_leaves_the_file_alone(call: Call, folder: Path) -> None:
    assert call("grad", "model.py:two", "-o", "made.py").code == 0
    before = (folder / "made.py").read_bytes()
    assert call("grad", "model.py:refused", "-o", "made.py").code == 1
    assert (folder / "made.py").read_bytes() == before
    assert {path.suffix for path in folder.iterdir() if path.is_file()} == {".py"}


@pytest.mark.skipif(os.name == "nt", reason="no file modes")
def test_the_mode_of_a_rewritten_file_stays(call: Call, folder: Path) -> None:
    assert call("grad", "model.py:two", "-o", "made.py").code == 0
    (folder / "made.py").chmod(0o640)
    assert call("grad", "model.py:two", "--value", "-o", "made.py").code == 0
    assert (folder / "made.py").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("output", [".", "nowhere/made.py"])
def test_output_that_cannot_be_a_file(call: Call, output: str) -> None:
    done = call("grad", "model.py:two", "-o", output)
    assert (done.code, done.out) == (2, "")


# -- what is differentiated -------------------------------------------------------------


def test_the_decorator_gives_the_defaults(call: Call) -> None:
    done = call("grad", "model.py:typed")
    assert '@rt.expects("f8[d]", "f8[n, d]", "f8[n]")' in done.out
    assert "--sig" not in done.out


def test_a_signature_on_the_command_line_wins(call: Call) -> None:
    done = call("grad", "model.py:typed", "--sig", "w: f4[d], x: f4[n, d], y: f4[n]")
    assert '@rt.expects("f4[d]", "f4[n, d]", "f4[n]")' in done.out
    assert "--sig 'w: f4[d], x: f4[n, d], y: f4[n]'" in done.out


def test_without_a_signature_the_text_is_generic(written: Any) -> None:
    made = written("two_grad.py", "model.py:two", "--wrt", "w,b")
    for w, b, x in [
        (2.0, 3.0, 4.0),
        (W, 0.5, X),
        (np.float32(2), np.ones(3, "f4"), np.ones(3, "f4")),
    ]:
        for found, expected in zip(
            made.two_grad(w, b, x),
            rg.grad(lambda w, b, x: np.sum((w * x + b) ** 2), (0, 1))(w, b, x),
            strict=True,
        ):
            np.testing.assert_allclose(found, expected)
            assert np.shape(found) == np.shape(expected)


def test_value_and_gradient(written: Any) -> None:
    made = written("both.py", "model.py:typed", "--value")
    value, w_bar = made.typed_value_and_grad(W, X, Y)
    np.testing.assert_allclose(value, np.mean((X @ W - Y) ** 2))
    np.testing.assert_allclose(w_bar, 2 * X.T @ (X @ W - Y) / Y.size)


def test_forward_mode(written: Any) -> None:
    made = written("forward.py", "model.py:typed", "--mode", "forward")
    value, dot = made.typed_jvp(W, X, Y, np.ones(3))
    np.testing.assert_allclose(value, np.mean((X @ W - Y) ** 2))
    np.testing.assert_allclose(dot, (2 * X.T @ (X @ W - Y) / Y.size).sum())
    with pytest.raises(SignatureMismatch, match=r"`w_dot` is f8\[4\], not f8\[d\] with d = 3"):
        made.typed_jvp(W, X, Y, np.ones(4))


def test_methods_leave_out_the_instance(written: Any) -> None:
    made = written("net_grad.py", "model.py:Net.loss")
    np.testing.assert_allclose(made.loss_grad(None, W), 2 * W)


def test_static_methods(written: Any) -> None:
    made = written("size_grad.py", "model.py:Net.size")
    np.testing.assert_allclose(made.size_grad(W), 2 * W)


def test_positions_name_arguments_too(call: Call) -> None:
    by_name, by_position = (call("grad", "model.py:two", "--wrt", w) for w in ("x,b", "-1,1"))
    assert by_position.code == 2  # a leading dash is an option's
    by_position = call("grad", "model.py:two", "--wrt=-1,1")
    assert by_name.out == by_position.out != ""


# -- refusals ---------------------------------------------------------------------------


def test_the_compiler_refuses_with_a_caret_and_no_traceback(call: Call) -> None:
    done = call("grad", "model.py:refused")
    assert (done.code, done.out) == (1, "")
    first, line, caret, fix = done.err.splitlines()[-4:]
    assert "model.py:" in first
    assert line.strip() == "return np.sum(np.unique_values(x))"
    assert caret.index("^") == line.index("np.unique_values")
    assert fix.startswith("what to do: ")
    assert "Traceback" not in done.err


def test_an_integer_has_no_gradient(call: Call) -> None:
    done = call("grad", "model.py:power", "--sig", "x: int, k: float")
    assert done.code == 1
    assert "`x` is an integer" in done.err


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["model.py:los"], "did you mean loss"),
        (["model.py:Net.lose"], "model.py.Net has no 'lose'; did you mean loss"),
        (["model.py"], "which function of model.py? model.py has typed, loss, table"),
        (["modle.py:loss"], "there is no file modle.py; did you mean model.py?"),
        (["modle:loss"], "there is no module modle"),
        (["model.py:K"], "is no function (it is of type ndarray)"),
        (["model.py:Net"], "is a class"),
        (["model.py:two", "--wrt", "q"], "two has no argument `q`; it has w, b, x"),
        (["model.py:two", "--wrt", "7"], "two has no argument 7"),
        (["model.py:two", "--wrt", ","], "--wrt needs a name"),
        (["model.py:two", "--sig", "q: f8"], "two has no argument `q`"),
        (["model.py:two", "--sig", "w: f8["], "cannot read the signature"),
        (["model.py:two", "--sig", "w: g9"], "`g9` is no dtype"),
        (["a b:loss"], "neither a file"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_not_found(call: Call, argv: list[str], message: str) -> None:
    done = call("grad", *argv)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_a_file_that_fails_shows_its_own_traceback(call: Call, folder: Path) -> None:
    (folder / "broken.py").write_text("def f(x):\n    return x\n\n1 / 0\n", encoding="utf-8")
    done = call("grad", "broken.py:f")
    assert done.code == 2
    assert "broken.py cannot be imported" in done.err
    assert 'broken.py", line 4' in done.err
    assert done.err.rstrip().endswith("ZeroDivisionError: division by zero")
    assert "targets.py" not in done.err


def test_a_file_with_a_syntax_error(call: Call, folder: Path) -> None:
    (folder / "broken.py").write_text("def f(x:\n", encoding="utf-8")
    done = call("grad", "broken.py:f")
    assert done.code == 2
    assert "SyntaxError" in done.err


def test_a_file_of_a_package_says_how_to_name_it(call: Call, folder: Path) -> None:
    (folder / "pkg").mkdir()
    (folder / "pkg" / "__init__.py").write_text("", encoding="utf-8")
    (folder / "pkg" / "a.py").write_text("def twice(x):\n    return 2.0 * x\n", encoding="utf-8")
    text = "from .a import twice\n\n\ndef f(x):\n    return twice(x) * x\n"
    (folder / "pkg" / "b.py").write_text(text, encoding="utf-8")
    done = call("grad", "pkg/b.py:f")
    assert done.code == 2
    assert "name it by module" in done.err
    assert call("grad", "pkg.b:f").code == 0
    assert "there is no module pkg.c" in call("grad", "pkg.c:f").err


def test_what_the_file_prints_does_not_mix_with_the_text(call: Call) -> None:
    done = call("grad", "model.py:two")
    assert done.out.startswith('"""Derivative of `two`')
    assert done.err == "imported\n"


def squares(x: Any) -> Any:
    return np.sum(x * x)


def test_text_that_is_handed_out_has_a_guard_too() -> None:
    text = rg.differentiate(sig="x: f8[n]")(squares).source("grad")
    assert "def squares_grad(x):" in text
    assert '@rt.expects("f8[n]")' in text
    assert "retrograd grad " not in text
