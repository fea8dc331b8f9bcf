"""Everything public that is made of a function goes into pickles, for functions of every kind."""

from __future__ import annotations

import copy
import importlib.util
import multiprocessing
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import retrograd as rg
from tests.people import sent_functions
from tests.people.sent_functions import (
    APART,
    KINDS,
    MADE,
    WITHOUT_NAMES,
    X,
    answer,
    cubes,
    equal,
    reads_the_module,
    rows,
)  # fmt: skip

ROOT = Path(__file__).resolve().parents[2]
CLOUD = importlib.util.find_spec("cloudpickle") is not None
WAYS: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda made: pickle.loads(pickle.dumps(made)),
    "protocol 2": lambda made: pickle.loads(pickle.dumps(made, 2)),
    "protocol 5": lambda made: pickle.loads(pickle.dumps(made, 5)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}
if CLOUD:
    import cloudpickle

    WAYS["cloudpickle"] = lambda made: pickle.loads(cloudpickle.dumps(made))


def test_every_public_name_is_in_the_table() -> None:
    """A new transformation gets a row in `sent_functions`, or a reason to be apart."""
    assert set(rg.__all__) == set(MADE) | set(APART)
    assert not set(MADE) & set(APART)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
def test_in_this_process(kind: str, way: str) -> None:
    for name, (make, _) in rows(kind).items():
        made = make(KINDS[kind])
        assert equal(answer(name, WAYS[way](made)), answer(name, made)), name


@pytest.mark.skipif(not CLOUD, reason="cloudpickle is not installed")
@pytest.mark.parametrize("kind", WITHOUT_NAMES)
def test_what_has_no_name(kind: str) -> None:
    for name, (make, _) in rows(kind).items():
        made = make(WITHOUT_NAMES[kind])
        assert equal(answer(name, WAYS["cloudpickle"](made)), answer(name, made)), name
        with pytest.raises((pickle.PicklingError, AttributeError)):
            pickle.dumps(made)


LOAD = """
import pickle, sys, warnings
warnings.simplefilter("error")
from tests.people.sent_functions import answer, equal
with open(sys.argv[1], "rb") as file:
    sent = pickle.load(file)
for kind, name, data, wanted in sent:
    found = answer(name, pickle.loads(data))
    assert equal(found, wanted), (kind, name, found, wanted)
print("all the same:", len(sent))
"""


def other_process(tmp_path: Path, text: str, *args: str, **environment: str) -> str:
    script = tmp_path / "script.py"
    script.write_text(text, encoding="utf-8")
    known = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    done = subprocess.run(
        [sys.executable, str(script), *args], capture_output=True, text=True, env=known, timeout=240
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.parametrize("dumps", ["pickle", *(["cloudpickle"] if CLOUD else [])])
def test_in_another_process(dumps: str, tmp_path: Path) -> None:
    sent = []
    functions = KINDS if dumps == "pickle" else {**KINDS, **WITHOUT_NAMES}
    for kind, f in functions.items():
        for name, (make, _) in rows(kind).items():
            made = make(f)
            wanted = answer(name, made)
            data = pickle.dumps(made) if dumps == "pickle" else cloudpickle.dumps(made)
            sent.append((kind, name, data, wanted))
    (tmp_path / "sent").write_bytes(pickle.dumps(sent))
    out = other_process(tmp_path, LOAD, str(tmp_path / "sent"))
    assert out.split()[-1] == str(len(sent))


# -- pullbacks hold values ------------------------------------------------------------------------


def test_a_pullback_has_the_values_of_its_run() -> None:
    x = X.copy()
    _, pull = rg.vjp(reads_the_module, x)
    _, tangent = rg.linearize(reads_the_module, x)
    wanted = pull(1.0), tangent(X)
    x[:] = 0.0
    scale = sent_functions.TABLE["scale"]
    data = pickle.dumps(pull), pickle.dumps(tangent)
    before = scale.copy()
    try:
        scale *= 2.0  # here, and so it is where they are read
        assert equal(pickle.loads(data[0])(1.0), wanted[0])
        with pytest.raises(rg.errors.NotDifferentiable, match="written to since it was linearized"):
            pickle.loads(data[1])(X)
    finally:
        scale[:] = before
    assert equal(pickle.loads(data[1])(X), wanted[1])


def test_a_pullback_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = pickle.dumps(rg.vjp(cubes, X)[1])
    code = cubes.__code__
    try:
        cubes.__code__ = reads_the_module.__code__
        with pytest.raises(rg.errors.SignatureMismatch, match="pickled by another version"):
            pickle.loads(data)
    finally:
        cubes.__code__ = code
    assert equal(pickle.loads(data)(1.0), (3 * X**2,))


def measured(x: Any) -> Any:
    return eval("x * x")


@pytest.mark.usefixtures("taped")
@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
def test_a_pullback_of_the_tape_says_that_it_stays() -> None:
    _, pull = rg.vjp(measured, 2.0)
    with pytest.raises(pickle.PicklingError, match=r"call rg\.vjp there"):
        pickle.dumps(pull)


def test_what_is_read_is_not_kept_alive() -> None:
    import gc
    import weakref

    again = pickle.loads(pickle.dumps(rg.vjp(cubes, X)[1]))
    seen = weakref.ref(again)
    del again
    gc.collect()
    assert seen() is None


# -- texts that go along --------------------------------------------------------------------------

SCRIPT = """
import sys
import numpy as np
import retrograd as rg
from cloudpickle import dumps

def helper(x):
    return x * np.sin(x)

def f(x):
    return np.sum(helper(x))

@rg.differentiate
def g(x):
    return np.sum(helper(x) ** 2)

class Net:
    k = 2.0
    def loss(self, x):
        return self.k * np.sum(helper(x))
    @classmethod
    def of_class(cls, x):
        return cls.k * np.sum(helper(x))

x = np.ones(3)
made = [rg.grad(f), g, g.grad, rg.hessian(f), rg.grad(Net().loss), rg.grad(Net.of_class), rg.vjp(f, x)[1]]
with open(sys.argv[1], "wb") as file:
    file.write(dumps([(one, one(1.0 if one is made[-1] else x)) for one in made]))
"""
ELSEWHERE = """
import pickle, sys, warnings
import numpy as np
warnings.simplefilter("error")
with open(sys.argv[1], "rb") as file:
    pairs = pickle.load(file)
for k, (made, wanted) in enumerate(pairs):
    found = made(1.0 if k == len(pairs) - 1 else np.ones(3))
    np.testing.assert_array_equal(found, wanted)
print("same", len(pairs))
"""


@pytest.mark.skipif(not CLOUD, reason="cloudpickle is not installed")
@pytest.mark.parametrize("there", ["nothing", "another file"])
def test_a_script_that_is_not_there(there: str, tmp_path: Path) -> None:
    """On another machine: the text goes along, and a file of the same name is not taken for it."""
    script = tmp_path / "model.py"
    script.write_text(SCRIPT, encoding="utf-8")
    known = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(script), str(tmp_path / "sent")]
    done = subprocess.run(command, capture_output=True, text=True, env=known, timeout=120)
    assert done.returncode == 0, done.stderr
    if there == "nothing":
        script.unlink()
    else:
        script.write_text("# another one\n" * 40, encoding="utf-8")
    out = other_process(
        tmp_path, ELSEWHERE, str(tmp_path / "sent"), RETROGRAD_CACHE=str(tmp_path / "cache")
    )
    assert out.split() == ["same", "7"]


@pytest.mark.skipif(not CLOUD, reason="cloudpickle is not installed")
def test_a_module_that_goes_by_value(tmp_path: Path) -> None:
    (tmp_path / "away.py").write_text(SCRIPT.partition("x = np.ones")[0], encoding="utf-8")
    send = """
import sys
sys.path.insert(0, sys.argv[2])
import away, cloudpickle, numpy as np, retrograd as rg
cloudpickle.register_pickle_by_value(away)
x = np.ones(3)
made = [rg.grad(away.f), away.g, away.g.grad, rg.grad(away.Net().loss), rg.vjp(away.f, x)[1]]
with open(sys.argv[1], "wb") as file:
    file.write(cloudpickle.dumps([(one, one(1.0 if one is made[-1] else x)) for one in made]))
"""
    other_process(tmp_path, send, str(tmp_path / "sent"), str(tmp_path))
    (tmp_path / "away.py").unlink()
    out = other_process(tmp_path, ELSEWHERE, str(tmp_path / "sent"))
    assert out.split() == ["same", "5"]


# -- pools ----------------------------------------------------------------------------------------


def pool(*args: str, **environment: str) -> str:
    """In a process of its own: what other tests import here may have threads that a fork breaks."""
    command = [sys.executable, "-W", "error", "-m", "tests.people.pools", *args]
    known = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=known, timeout=240)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.sampled(4)
@pytest.mark.parametrize("how", ["fork", "spawn", "forkserver", "futures", "joblib"])
def test_pools(how: str) -> None:
    if how == "joblib" and importlib.util.find_spec("joblib") is None:
        pytest.skip("joblib is not installed")
    if how in ("fork", "forkserver") and how not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {how} on this system")
    assert "all the same" in pool(how)


@pytest.mark.slow
def test_many_processes_write_one_cache(tmp_path: Path) -> None:
    pool("cache", "8", RETROGRAD_CACHE=str(tmp_path / "cache"))
