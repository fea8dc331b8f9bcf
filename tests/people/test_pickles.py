"""Derivatives in pickles: by the function and the request, in this process, others, and by value."""

from __future__ import annotations

import functools
import importlib.util
import multiprocessing
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg

ROOT = Path(__file__).resolve().parents[2]
X = np.array([1.0, 2.0, 3.0])


def cubes(x: Any, k: float = 2.0) -> Any:
    return k * np.sum(x**3)


def pair(x: Any) -> Any:
    return np.sum(x * x), "said"


@rg.differentiate
def loss(x: Any) -> Any:
    return np.sum(x**2)


@rg.differentiate(wrt="k", check=None)
def scaled(x: Any, k: Any) -> Any:
    return np.sum(k * x)


@functools.lru_cache
def kept(x: float) -> float:
    return x * x


class Net:
    def __init__(self) -> None:
        self.k = 2.0

    @rg.differentiate
    def loss(self, x: Any) -> Any:
        return self.k * np.sum(x**2)

    def plain(self, x: Any) -> Any:
        return self.k * np.sum(x**2)


NET = Net()
CASES: dict[str, tuple[Callable[[], Any], tuple[Any, ...]]] = {
    "grad": (lambda: rg.grad(cubes), (X,)),
    "wrt": (lambda: rg.grad(cubes, ("k", "x")), (X, 1.0)),
    "value_and_grad": (lambda: rg.value_and_grad(cubes), (X,)),
    "has_aux": (lambda: rg.grad(pair, has_aux=True), (X,)),
    "a back end": (lambda: rg.grad(cubes, backend="c"), (X,)),
    "twice": (lambda: rg.grad(rg.grad(kept)), (3.0,)),
    "jacobian": (lambda: rg.jacobian(rg.grad(cubes)), (X,)),
    "hessian": (lambda: rg.hessian(cubes), (X,)),
    "decorated": (lambda: loss, (X,)),
    "its gradient": (lambda: loss.grad, (X,)),
    "its hessian": (lambda: loss.hessian, (X,)),
    "with options": (lambda: scaled.value_and_grad, (X, X)),
    "a method": (lambda: rg.grad(NET.plain), (X,)),
    "a decorated method": (lambda: NET.loss, (X,)),
    "the gradient of one": (lambda: NET.loss.grad, (X,)),
    "a partial": (lambda: rg.grad(functools.partial(cubes, k=3.0)), (X,)),
    "of a library": (lambda: rg.grad(np.linalg.norm), (X,)),
}


def equal(a: Any, b: Any) -> bool:
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(equal, a, b))
    return bool(np.array_equal(a, b))


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("protocol", [4, 5])
def test_here(name: str, protocol: int) -> None:
    make, args = CASES[name]
    again = pickle.loads(pickle.dumps(make(), protocol))
    assert equal(again(*args), make()(*args))


def test_what_has_no_name_is_refused_by_pickle() -> None:
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(rg.grad(lambda x: x * x))


def answers(jobs: list[tuple[Any, tuple[Any, ...]]]) -> list[Any]:
    return [f(*args) for f, args in jobs]


@pytest.mark.parametrize("how", ["spawn", "fork"])
def test_in_another_process(how: str) -> None:
    """Started from a process of its own: what other tests import here may have threads that a fork breaks."""
    if how not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {how} on this system")
    check = f"from tests.people.test_pickles import check_in_a_pool as check; check({how!r})"
    done = subprocess.run(
        [sys.executable, "-c", check], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr


def check_in_a_pool(how: str) -> None:
    jobs = [(make(), args) for make, args in CASES.values()]
    with multiprocessing.get_context(how).Pool(1) as pool:
        found = pool.apply(answers, (jobs,))
    assert all(map(equal, found, answers(jobs)))


MAIN = """
import numpy as np
import retrograd as rg

def helper(x):
    return np.sin(x)

def f(x):
    return np.sum(helper(x) * x)

@rg.differentiate
def loss(x):
    return np.sum(helper(x) ** 2)

class Net:
    k = 2.0

    @rg.differentiate
    def loss(self, x):
        return self.k * np.sum(helper(x))

if __name__ == "__main__":
    import sys
    from cloudpickle import dumps
    cases = [rg.grad(f), rg.hessian(f), loss, loss.grad, rg.jacobian(loss), Net().loss.grad, rg.grad(Net().loss)]
    x = np.ones(3)
    with open(sys.argv[1], "wb") as file:
        file.write(dumps([(g, x, g(x)) for g in cases]))
"""
LOAD = """
import pickle, sys, warnings
import numpy as np
warnings.simplefilter("error")
with open(sys.argv[1], "rb") as file:
    for g, x, wanted in pickle.load(file):
        np.testing.assert_array_equal(g(x), wanted)
        print("same")
"""


def test_functions_of_main_by_value(tmp_path: Path) -> None:
    if importlib.util.find_spec("cloudpickle") is None:
        pytest.skip("cloudpickle is not installed")
    (tmp_path / "main.py").write_text(MAIN, encoding="utf-8")
    (tmp_path / "load.py").write_text(LOAD, encoding="utf-8")
    known = {**os.environ, "PYTHONPATH": str(ROOT)}
    for script in ("main.py", "load.py"):
        done = subprocess.run(
            [sys.executable, str(tmp_path / script), str(tmp_path / "pickle")],
            capture_output=True, text=True, env=known, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["same"] * 7


def test_names_in_messages_are_the_functions() -> None:
    with pytest.raises(TypeError, match=r"cubes\.grad(_\d+)?\(\) missing 1 required positional"):
        rg.grad(cubes)()  # type: ignore[call-arg]
    assert "cubes.grad" in repr(rg.grad(cubes))
