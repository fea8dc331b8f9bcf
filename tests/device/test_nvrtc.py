"""The kernels' sources, as the wheel of CuPy completes them, compile to PTX: NVRTC needs no device.

Skipped where the wheel or NVRTC (``pip install nvidia-cuda-nvrtc-cu12 nvidia-cuda-runtime-cu12``) is not installed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.native import compile as native

from ..golden_case import cases
from .golden_on_device import up
from .kernels_on_device import of_case
from .test_kernels import ELEMENTWISE, REDUCTIONS, arrays

pytestmark = pytest.mark.cupy
ROOT = Path(__file__).parents[2]
SOME = ("epidemic", "heat_in_place", "ising_energy", "logistic_regression", "mlp", "nested_loops", "piecewise", "softmax_cross_entropy")  # fmt: skip


def python() -> str:
    """A Python that has the wheel: this one, or the one that ``CUPY_PYTHON`` names."""
    return os.environ.get("CUPY_PYTHON", sys.executable)


def is_there() -> bool:
    asked = "import importlib.util as u, sys; sys.exit(not all(map(u.find_spec, ('cupy', 'nvidia.cuda_nvrtc'))))"
    try:
        done = subprocess.run([python(), "-c", asked], capture_output=True, cwd="/", check=False)
    except OSError:
        return False
    return done.returncode == 0


def wanted(cupy: Any) -> Iterator[None]:
    """Calls that make kernels."""
    for function in ELEMENTWISE.values():
        for dtype in ("f8", "f4"):
            rg.grad(function, wrt=(0, 1), backend="cuda")(*up(cupy, arrays(dtype)))
            yield
    for function in REDUCTIONS.values():
        rg.value_and_grad(function, backend="cuda")(cupy.asarray(np.ones((5, 7))))
        yield
    for case in cases():
        if case.name in SOME:
            of_case(case, up(cupy, case.arguments()), "cuda")
            yield


@pytest.mark.skipif(not is_there(), reason="CuPy's wheel or NVRTC is not installed")
def test_every_kernel_compiles_to_ptx(
    cupy: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Keeper(cupy, tmp_path)
    monkeypatch.setattr(native, "entry", kept.entry(native.entry))
    for _ in wanted(cupy):
        pass
    assert kept.count > 40
    done = subprocess.run(
        [python(), "-m", "tests.device.nvrtc_sources", str(tmp_path)],
        capture_output=True, text=True, cwd=ROOT, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    assert int(done.stdout) > 60


class Keeper:
    """Writes down each module of kernels, and what it was first called with."""

    def __init__(self, cupy: Any, folder: Path) -> None:
        self.cupy, self.folder, self.count = cupy, folder, 0

    def entry(self, made: Any) -> Any:
        def entry(backend: str, printed: str, kernel: Any, name: str, fallback: Any) -> Any:
            function = made(backend, printed, kernel, name, fallback)
            flat = all(not hasattr(p, "values") for p in kernel.params) and not kernel.captured
            if backend != "cuda" or not flat:
                return function
            self.count += 1
            stem = f"{name}.{self.count:03}"
            (self.folder / f"{stem}.py").write_text(printed)

            def called(*args: Any) -> Any:
                path = self.folder / f"{stem}.npz"
                if not path.exists():
                    host = [
                        a.get() if isinstance(a, self.cupy.ndarray) else np.asarray(a) for a in args
                    ]
                    np.savez(path, **{f"a{k:02}": a for k, a in enumerate(host)})
                return function(*args)

            return called

        return entry
