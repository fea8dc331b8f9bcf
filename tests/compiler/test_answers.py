"""What a function that was not compiled returns is asked of what class it is before it is computed with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from tests.programs import opaque_results

X = np.array([1.1, 0.7, 1.3])
FILTERED = pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")


def slopes(f: Any) -> Any:
    h = 1e-6
    return [(f(X + h * e, 3) - f(X - h * e, 3)) / (2 * h) for e in np.eye(3)]


@FILTERED
@pytest.mark.parametrize("f", opaque_results.RIGHT, ids=lambda f: f.__name__)
def test_right_in_both_modes_and_second_order(f: Any) -> None:
    value, bar = rg.value_and_grad(f, wrt=0)(X, 3)
    assert value == f(X, 3)
    np.testing.assert_allclose(bar, slopes(f), rtol=1e-6, atol=1e-8)
    rg.check_grads(lambda x: f(x, 3), (X,), order=2)


@FILTERED
@pytest.mark.parametrize("f", opaque_results.REFUSED, ids=lambda f: f.__name__)
def test_refused_in_both_modes(f: Any) -> None:
    with pytest.raises(
        rg.RetrogradError, match="Own|generator|different kind|changes its structure"
    ):
        rg.grad(f, wrt=0)(X, 3)
    with pytest.raises(
        rg.RetrogradError, match="Own|generator|different kind|changes its structure"
    ):
        rg.jvp(lambda x: f(x, 3), (X,), (X,))


OF_THE_FRAME = {
    "eval": 'def f(x):\n    return eval("x[0] * x[1]")',
    "exec": 'def f(x):\n    exec("y = x")\n    return x[0] * x[1]',
    "locals": 'def f(x):\n    return locals()["x"][0] * x[1]',
    "globals": 'Y = 2.0\n\ndef f(x):\n    return globals()["Y"] * x[1]',
    "vars": 'def f(x):\n    return vars()["x"][0] * x[1]',
    "dir": "def f(x):\n    return len(dir()) * x[1]",
    "currentframe": 'import inspect\n\ndef f(x):\n    return inspect.currentframe().f_locals["x"][0] * x[1]',
}


@FILTERED
@pytest.mark.parametrize("name", OF_THE_FRAME)
def test_what_reads_the_names_of_its_caller_is_refused(name: str, tmp_path: Any) -> None:
    from .test_iterators import made

    f = made(OF_THE_FRAME[name], tmp_path)
    with pytest.raises(rg.RetrogradError, match=f"`{name}` reads the names"):
        rg.grad(f)(X)
    found = rg.grad(rg.differentiate(f, fallback="tape"))(X)
    h = 1e-6
    wanted = [(f(X + h * e) - f(X - h * e)) / (2 * h) for e in np.eye(3)]
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-8)


KEPT = {
    "last": "D = [1.0]\n\ndef f(x):\n    D.append(x[1])\n    return D[-1] * x[0]",
    "popped": "D = [1.0]\n\ndef f(x):\n    D.append(x[1])\n    return D.pop() * x[0]",
    "gone_over": "D = [1.0]\n\ndef f(x):\n    D.append(x[1])\n    return sum(v * x[0] for v in D)",
    "deque": "from collections import deque\nD = deque([1.0])\n\n"
    "def f(x):\n    D.append(x[1])\n    return D[-1] * x[0]",
}


@pytest.mark.parametrize("name", KEPT)
def test_what_an_object_of_the_module_keeps_is_not_read_again(name: str, tmp_path: Any) -> None:
    from .test_iterators import made

    with pytest.raises(rg.RetrogradError, match="again"):
        rg.grad(made(KEPT[name], tmp_path))(X)


def test_what_is_kept_and_not_read_is_right(tmp_path: Any) -> None:
    from .test_iterators import made

    f = made("D = [1.0]\n\ndef f(x):\n    D.append(x[1])\n    return x[0] * x[1]", tmp_path)
    np.testing.assert_allclose(rg.grad(f)(X), [0.7, 1.1, 0.0])
