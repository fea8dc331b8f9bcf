"""What the helpers of the rules refuse is a refusal at every door: no other error says so."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime import errors
from retrograd.runtime.errors import InternalError, RetrogradError
from retrograd.runtime.tape.calls import taped

from ..written import written

pytestmark = pytest.mark.usefixtures("unchecked")
HELPERS = sorted((Path(__file__).parents[2] / "runtime" / "helpers").rglob("*.py"))


def raised(path: Path) -> Iterator[tuple[str, str]]:
    """The class and the text of each error that a file raises."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            yield ast.unparse(node.exc.func), ast.unparse(node.exc)


@pytest.mark.parametrize("path", HELPERS, ids=lambda path: path.stem)
def test_no_derivative_is_a_refusal(path: Path) -> None:
    for name, text in raised(path):
        assert name != "NotImplementedError", text
        if "derivative" in text:
            assert issubclass(getattr(errors, name, Exception), RetrogradError), text


STACKS = {
    "toeplitz": "linalg.toeplitz(x)", "circulant": "linalg.circulant(x)", "hankel": "linalg.hankel(x)",
    "solve_circulant": "linalg.solve_circulant(x, np.ones(3))", "lu_factor": "linalg.lu_factor(m)[0]",
    "schur": "linalg.schur(t)[0]", "polar": "linalg.polar(x[:2])[1]",
}  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", STACKS)
def test_what_helpers_refuse(name: str) -> None:
    linalg = pytest.importorskip("scipy.linalg")
    text = (
        "def f(x):\n    m = x[:, :, None] * x[:, None, :] + 3 * np.eye(3)\n"
        f"    t = x[:2, :2] + np.array([[0.0, 4.0], [-4.0, 0.0]])\n    return np.sum({STACKS[name]})\n"
    )
    f = written(text, linalg=linalg)
    x = np.random.default_rng(0).standard_normal((3, 3)) + np.eye(3)
    try:
        value = f(x)
    except ValueError:
        pytest.skip("this SciPy takes no stacks")
    steps = np.eye(9).reshape(9, 3, 3) * 1e-6
    expected = np.reshape([(f(x + e) - f(x - e)) / 2e-6 for e in steps], (3, 3))

    def tape(x: Any) -> Any:
        return taped(f, x)[1](np.ones_like(value))

    for way in (rg.grad(f), tape):
        try:
            found = way(x)
        except InternalError:
            raise
        except RetrogradError:
            continue
        np.testing.assert_allclose(np.reshape(found, (3, 3)), expected, rtol=1e-4, atol=1e-5)
