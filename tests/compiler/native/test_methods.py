"""Methods with arguments that no kernel takes are NumPy's."""

from __future__ import annotations

import shutil
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.native.reader import all_handlers  # noqa: F401
from retrograd.compiler.native.reader.handlers import METHODS, fits

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)
CALLS = [
    "y.copy('F')", "y.sum(1, None, None)", "y.sum(axis=0, out=np.empty(3))", "y.max(0, None, True)", "y.mean(1, float)", "y.reshape((3, 3), order='F')",
    "y.ravel('F')", "y.flatten('F')", "y.astype(float, 'F')", "y.clip(-1.0, 1.0, None)", "y.cumsum(0, float)", "y.prod(0, None, None, True)",
    "y.std(0, None, None, 1)", "y.trace(1, 1, 0)", "y.diagonal(1, 1, 0)", "y.transpose((1, 0))", "y.swapaxes(axis1=0, axis2=1)", "y.round(decimals=1)",
    "y.argmax(1, None) * y[0]", "y.any(0, None) * y", "y.squeeze(axis=())", "y.dot(b=y)",
]  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_any_arguments_of_a_method(call: str, tmp_path: Any) -> None:
    text = f"import numpy as np\n\n\ndef f(x):\n    y = np.sin(x) * x + np.cos(x)\n    z = {call}\n    return np.sum(z * z) + np.sum(y)\n"
    place = tmp_path / "program.py"
    place.write_text(text, encoding="utf-8")
    scope: dict[str, Any] = {"__name__": "program"}
    exec(compile(text, str(place), "exec"), scope)
    x = np.arange(9.0).reshape(3, 3) / 7
    try:
        want = rg.value_and_grad(scope["f"])(x)
    except (TypeError, rg.errors.RetrogradError) as error:
        with pytest.raises(type(error)):
            rg.value_and_grad(scope["f"], backend="c")(x)
        return
    kernel = rg.value_and_grad(scope["f"], backend="c")
    for _ in range(2):
        np.testing.assert_allclose(kernel(x)[1], want[1], rtol=1e-12)


@pytest.mark.parametrize("name", METHODS)
def test_too_many_arguments_fit_no_method(name: str) -> None:
    variadic = name in ("reshape", "transpose")
    assert fits(METHODS[name], [None] * 12, {}) == variadic
