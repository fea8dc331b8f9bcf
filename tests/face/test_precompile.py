"""Derivatives compiled beforehand, and kernels that are compiled beside the program."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from benchmarks.latency_programs import PROGRAMS
from retrograd.compiler.native import background
from retrograd.compiler.native.background import BackgroundWarning, finish, later
from retrograd.runtime.errors import SignatureMismatch

needs_compiler = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="needs a C compiler"
)
X = np.linspace(0.1, 2.0, 50)


def loss(w: Any, x: Any) -> Any:
    return np.sum(np.tanh(w * x) * x)


@pytest.fixture
def anew() -> Any:
    """The same, of which no derivative was ever asked."""

    def loss(w: Any, x: Any) -> Any:
        return np.sum(np.tanh(w * x) * x)

    return loss


@pytest.fixture
def held() -> Iterator[threading.Event]:
    """The thread that compiles does nothing until this is set."""
    go = threading.Event()
    later("the test", go.wait)
    yield go
    go.set()
    assert finish(60)


# -- beside the program ------------------------------------------------------------------


@needs_compiler
def test_the_text_serves_until_the_kernel_is_there(held: threading.Event, anew: Any) -> None:
    gradient = rg.grad(anew, backend="c", wait=False)
    want = rg.grad(loss)(X, X)
    np.testing.assert_allclose(gradient(X, X), want, rtol=1e-12)
    np.testing.assert_allclose(gradient(X, X), want, rtol=1e-12)
    assert gradient.__native__.family is None
    held.set()
    assert finish(60)
    assert [part.compiled for part in gradient.__native__.parts()] == [True]
    np.testing.assert_allclose(gradient(X, X), want, rtol=1e-12)


@needs_compiler
def test_arguments_written_to_meanwhile_are_no_matter(held: threading.Event, anew: Any) -> None:
    gradient = rg.grad(anew, backend="c", wait=False)
    w, x = X.copy(), X.copy()
    gradient(w, x)
    w[:] = np.nan
    x.resize(3, refcheck=False)
    held.set()
    assert finish(60)
    np.testing.assert_allclose(gradient(X, X), rg.grad(loss)(X, X), rtol=1e-12)


@needs_compiler
def test_further_kinds_are_compiled_beside_it_too(anew: Any) -> None:
    gradient = rg.grad(anew, backend="c", wait=False)
    gradient(X, X)
    assert finish(60)
    small = X.astype(np.float32)
    for _ in range(3):
        found = gradient(small, small)
        assert found.dtype == np.float32
        assert finish(60)
    assert len(gradient.__native__.family.known) == 1
    np.testing.assert_allclose(gradient(small, small), rg.grad(loss)(small, small), rtol=1e-3)


@needs_compiler
def test_regions(held: threading.Event) -> None:
    def mixed(w: Any) -> Any:
        return np.sum(np.exp(-w * w) * w) + np.sum(np.sort(w) * np.arange(len(w)))

    gradient = rg.grad(mixed, backend="c", wait=False)
    want = rg.grad(mixed)(X)
    np.testing.assert_allclose(gradient(X), want, rtol=1e-12)
    held.set()
    assert finish(60)
    assert any(part.compiled for part in gradient.__native__.parts())
    np.testing.assert_allclose(gradient(X), want, rtol=1e-12)


@needs_compiler
def test_a_program_that_draws_is_waited_for() -> None:
    """Its kernel is held against its text, and the numbers would be missing elsewhere."""

    def noisy(w: Any) -> Any:
        return np.sum(w * np.random.normal(size=w.size))

    gradient = rg.grad(noisy, backend="c", wait=False)
    np.random.seed(4)
    found = gradient(X)
    assert background._worker.thread is None
    np.random.seed(4)
    assert np.array_equal(found, np.random.normal(size=X.size))


@needs_compiler
def test_decorated_functions(anew: Any) -> None:
    decorated = rg.differentiate(backend="c", wait=False)(anew)
    decorated.grad(X, X)
    assert finish(60)
    assert decorated.grad.__native__.family is not None


@needs_compiler
def test_what_wait_goes_with() -> None:
    with pytest.raises(SignatureMismatch, match="wait=False goes with"):
        rg.grad(loss, wait=False)
    with pytest.raises(SignatureMismatch, match="wait is True or False"):
        rg.grad(loss, backend="c", wait=0)  # type: ignore[call-overload]
    with pytest.raises(SignatureMismatch, match="wait=False goes with"):
        rg.differentiate(wait=False)(loss)


def test_what_a_job_raises_is_a_warning() -> None:
    def fails() -> None:
        raise ValueError("no room")

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        later("loss_grad", fails)
        assert finish(60)
    assert [(w.category, str(w.message)) for w in seen] == [
        (BackgroundWarning, "loss_grad stays NumPy: ValueError: no room")
    ]


def test_a_later_job_is_done_after_one_that_failed() -> None:
    done = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BackgroundWarning)
        later("first", lambda: 1 / 0)
        later("second", lambda: done.append(background.in_background()))
        assert finish(60)
    assert done == [True]
    assert not background.in_background()


END = """
import time
import threading
import retrograd.compiler.native.background as background
begun = threading.Event()
background.later("one", lambda: (begun.set(), time.sleep(0.3), print("finished", flush=True)))
begun.wait()
background.later("two", lambda: print("begun", flush=True))
print("end of the program", flush=True)
"""


def test_the_interpreter_ends_after_what_is_begun() -> None:
    done = subprocess.run([sys.executable, "-c", END], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["end of the program", "finished"]


FORKED = """
import os
import threading
from retrograd.compiler.native.background import finish, later
go = threading.Event()
later("the parent", go.wait)
if os.fork() == 0:
    later("the child", lambda: print("done", flush=True))
    print(finish(30), flush=True)
    os._exit(0)
os.wait()
go.set()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_has_a_thread_of_its_own() -> None:
    """Started from a process of its own: what other tests import here may have threads that a fork breaks."""
    command = [sys.executable, "-c", FORKED]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout.split(), done.stderr) == (["done", "True"], "")


# -- precompile --------------------------------------------------------------------------


DEPLOYED = """
import sys
import numpy as np
import retrograd as rg

def loss(w, x):
    return np.sum(np.tanh(w * x) * x)

gradient = rg.grad(loss, backend=sys.argv[1])
if sys.argv[2] == "install":
    rg.precompile(gradient, "w: f8[n], x: f8[n]")
else:
    gradient(np.ones(50), np.ones(50))
print("retrograd.compiler.pipeline" in sys.modules, "retrograd.compiler.native.build_kernel" in sys.modules)
"""


@needs_compiler
@pytest.mark.parametrize("backend", ["numpy", "c"])
def test_another_process_compiles_nothing(tmp_path: Path, backend: str) -> None:
    (tmp_path / "program.py").write_text(DEPLOYED)
    path = os.pathsep.join([str(tmp_path), *sys.path])
    known = {**os.environ, "RETROGRAD_CACHE": str(tmp_path / "cache"), "PYTHONPATH": path}

    def run(action: str) -> str:
        command = [sys.executable, "-c", "import program", backend, action]
        done = subprocess.run(
            command, cwd=tmp_path, env=known, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    assert run("install") == f"True {backend == 'c'}"
    assert run("use") == "False False"


FIRST = """
import sys
import numpy as np
import retrograd as rg
from program import loss

rng = np.random.default_rng(0)
rg.grad(loss, wrt={wrt})(*({given}))
print("retrograd.compiler.pipeline" in sys.modules, "retrograd.runtime.rules.book" in sys.modules)
"""


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_of_every_kind_are_kept(tmp_path: Path, name: str) -> None:
    program = PROGRAMS[name]
    (tmp_path / "program.py").write_text(program.text)
    path = os.pathsep.join([str(tmp_path), *sys.path])
    known = {**os.environ, "RETROGRAD_CACHE": str(tmp_path / "cache"), "PYTHONPATH": path}
    code = FIRST.format(wrt=program.wrt, given=program.given)
    said = [
        subprocess.run([sys.executable, "-c", code], env=known, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]  # fmt: skip
    assert said == ["True True\n", "False False\n"]


@needs_compiler
@pytest.mark.parametrize("wait", ["", ", wait=False"])
def test_kernels_are_there_when_it_returns(wait: str, anew: Any) -> None:
    options = {"wait": False} if wait else {}
    gradient = rg.precompile(
        rg.grad(anew, backend="c", **options), "w: f8[n], x: f8[n]", (2.0, 3.0)
    )
    assert gradient.__native__.family is not None
    assert len(gradient.__native__.family.known) == 1
    assert gradient(X, X).shape == X.shape


def test_it_gives_the_derivative_again() -> None:
    gradient = rg.grad(loss)
    assert rg.precompile(gradient, (X, X)) is gradient


@pytest.mark.parametrize("transform", [rg.value_and_grad, rg.jacobian, rg.hessian])
def test_other_derivatives(transform: Any) -> None:
    made = rg.precompile(transform(loss), (X[:3], X[:3]), "w: f8[k], x: f8[k]")
    assert callable(made)


def annotated(a: float, n: int = 3) -> float:
    return a**n


def test_types_that_the_function_says() -> None:
    assert rg.precompile(rg.grad(annotated))(2.0) == 12.0


def test_what_is_refused() -> None:
    with pytest.raises(SignatureMismatch, match="is a derivative"):
        rg.precompile(loss, (X, X))
    with pytest.raises(SignatureMismatch, match="is a derivative"):
        rg.precompile(rg.differentiate(loss), (X, X))
    with pytest.raises(SignatureMismatch, match="not ndarray"):
        rg.precompile(rg.grad(loss), X, X)
    with pytest.raises(SignatureMismatch, match="nothing says what `w` is"):
        rg.precompile(rg.grad(loss))
    with pytest.raises(SignatureMismatch, match="give the arguments of a call"):
        rg.precompile(rg.grad(lambda w: np.linalg.cholesky(w)[0, 0]), "w: f8[3, 3]")
