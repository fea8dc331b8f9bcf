"""Every spelling of an index, and every use of one, in a kernel as in the text it stands for."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.native.loop_ir.values import Items
from retrograd.compiler.native.reader.module_objects import known
from retrograd.compiler.native.reader.reader import Reader
from tests.fuzz.native import same

pytestmark = [
    pytest.mark.usefixtures("unchecked"),
    pytest.mark.skipif(not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"),
]
INDICES = {
    "list": "[1, 1]",
    "list_negative": "[-1, 0, 2]",
    "tuple_of_lists": "([1, 1], [0, 0])",
    "list_and_slice": "([0, 2, 0], slice(None))",
    "list_and_number": "([0, 2, 0], 1)",
    "nested_list": "[[0, 1], [1, 2]]",
    "tuple": "(1, 2)",
    "list_of_bool": "[True, False, True]",
    "array": "np.array([1, 1])",
    "array_of_bool": "np.array([True, False, True])",
    "array_and_list": "(np.array([0, 0]), [1, 1])",
    "rows": "np.array([[0, 1], [1, 2]])",
    "number": "-1",
    "numpy_number": "np.int64(2)",
}
USES = {
    "read": "    return np.sum(np.sin(A[{index}]))\n",
    "read_twice": "    t = A[{index}]\n    return np.sum(t * t)\n",
    "set": "    y = A * 1.0\n    y[{index}] = B[{index}]\n    return np.sum(np.sin(y) * A)\n",
    "set_to_others": "    y = A * 1.0\n    y[{index}] = np.cumsum(B, 0)[{index}]\n    return np.sum(np.sin(y))\n",
    "set_to_one": "    y = A * 1.0\n    y[{index}] = B[0, 0]\n    return np.sum(np.sin(y) * A)\n",
    "add": "    y = A * 1.0\n    y[{index}] += B[{index}]\n    return np.sum(np.sin(y) * A)\n",
    "multiply": "    y = A * 1.0\n    y[{index}] *= B[{index}]\n    return np.sum(np.sin(y) * A)\n",
    "named": "    k = {index}\n    y = A * 1.0\n    y[k] = B[k]\n    return np.sum(np.sin(y))\n",
    "add_at": "    y = A * 1.0\n    np.add.at(y, {index}, B[{index}])\n    return np.sum(np.sin(y) * A)\n",
}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("index", INDICES)
def test_a_kernel_indexes_as_its_text(index: str, use: str, tmp_path: Path) -> None:
    f = written("def f(A, B):\n" + USES[use].format(index=INDICES[index]), tmp_path)
    a, b = np.random.default_rng(5).normal(size=(2, 3, 3))
    wanted = rg.value_and_grad(f, [0, 1])(a, b)
    kernel = rg.value_and_grad(f, [0, 1], backend="c")
    for _ in range(2):
        assert same(kernel(a, b), wanted, 1e-12)


def written(text: str, folder: Path) -> Any:
    file = folder / "indexed.py"
    file.write_text("import numpy as np\n" + text)
    spec = importlib.util.spec_from_file_location("indexed", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f


VALUES = [
    (1, 2), [1, 2], [[1, 2], [3, 4]], ([0, 1], [1, 1]), (), (slice(None), [0, 0]), {"a": 1, "b": [2]},
    [(1, "x"), None], 3, 2.5, True, "x", None,
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_what_the_reader_knows_is_what_python_has(value: Any) -> None:
    """A helper of the runtime is called with it, and may ask whether it is a list."""
    found = Reader.literal(object.__new__(Reader), read(value))
    assert found == value
    assert type(found) is type(value)


def read(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return Items(tuple(map(read, value)), kind=type(value).__name__)
    if isinstance(value, dict):
        return Items(tuple(map(read, value.values())), tuple(value), "dict")
    return known(value)


def test_an_index_of_an_array_that_is_empty_where_the_kernel_is_made():
    def ends(x):
        v = x.copy()
        v[-1] = 2.0
        v[0] *= 3.0
        return np.sum(v)

    empty = np.zeros(0)
    for given in (np.ones(4), empty):
        gradient = rg.grad(ends, backend="c")
        if given.size:
            assert same(gradient(given), rg.grad(ends)(given), 0.0)
        else:
            with pytest.raises(IndexError):
                gradient(given)
