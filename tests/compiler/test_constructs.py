"""Every row of the table of constructs: gradients against finite differences, refusals by their class."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from tests.programs.constructs import CONSTRUCTS, Construct

SUPPORTED = [row for row in CONSTRUCTS if not row.error]
REFUSED = [row for row in CONSTRUCTS if row.error]


def loaded(row: Construct, folder: Path) -> Any:
    """The row's function, from a file of its own."""
    path = folder / f"construct_{CONSTRUCTS.index(row)}.py"
    path.write_text(f"import numpy as np\n\n{row.source}", encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f


def arguments(row: Construct) -> list[Any]:
    return [np.array(a) if isinstance(a, list) else a for a in row.args]


def differences(f: Any, x: Any, step: float = 1e-6) -> Any:
    """The gradient by central differences."""
    units = np.eye(np.size(x)).reshape(-1, *np.shape(x)) * step
    found = [
        (f(x + e if np.ndim(x) else x + float(e)) - f(x - e if np.ndim(x) else x - float(e)))
        for e in units
    ]
    return np.reshape(found, np.shape(x)) / (2 * step)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("row", SUPPORTED, ids=lambda row: row.name)
def test_supported(row: Construct, tmp_path: Path) -> None:
    f, (x,) = loaded(row, tmp_path), arguments(row)
    used, changed = np.copy(x)[()], np.copy(x)[()]
    value, bar = rg.value_and_grad(f)(used)
    assert value == f(changed)
    np.testing.assert_array_equal(used, changed)
    np.testing.assert_allclose(bar, differences(f, x), rtol=1e-6, atol=1e-7)
    rg.check_grads(f, (x,), order=2)


@pytest.mark.usefixtures("taped")
@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row.name)
def test_what_is_not_compiled_is_right_on_the_tape_or_refused(
    row: Construct, tmp_path: Path
) -> None:
    f, args = loaded(row, tmp_path), arguments(row)
    try:
        bar = rg.grad(f)(*args)
    except rg.RetrogradError as error:
        if "scalar" not in str(error) and type(error).__name__ != row.error:
            raise
        return
    except AttributeError:  # of the program itself
        return
    np.testing.assert_allclose(bar, differences(f, args[0]), rtol=1e-6, atol=1e-7)
    rg.check_grads(f, args, order=1)


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row.name)
def test_refused(row: Construct, tmp_path: Path) -> None:
    f = loaded(row, tmp_path)
    with pytest.raises(rg.RetrogradError) as caught:
        rg.grad(f)(*arguments(row))
    assert type(caught.value).__name__ == row.error
    assert row.instead
