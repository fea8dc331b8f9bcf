"""Whole scripts on the device: each step has the loss that it has on the host, and waits for nothing but that."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

import retrograd
from benchmarks.scripts import NAMES

from ..strict_cupy import no_transfers

pytestmark = pytest.mark.cupy
MAKING = {"arange", "empty", "eye", "full", "linspace", "ones", "tensor", "zeros"}
ASK = {"vae": ("upload",)}  # its noise is NumPy's
LEFT = {"lbfgs": "hands its gradients to SciPy, on the host"}


class There:
    """retrograd for a script that makes all of its tensors on the device."""

    __name__ = "retrograd"

    def __getattr__(self, name: str) -> Any:
        found = getattr(retrograd, name)
        if name in MAKING:
            return lambda *args, **kwargs: found(*args, **({"device": "cuda"} | kwargs))
        if name in ("randn", "rand"):  # the same numbers as on the host
            return lambda *args, **kwargs: found(*args, **kwargs).cuda()
        return found

    def from_numpy(self, array: Any) -> Any:
        return retrograd.from_numpy(array).cuda()


@pytest.mark.filterwarnings("ignore:There is a performance drop")
@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", NAMES)
def test_losses(name: str) -> None:
    if name in LEFT:
        pytest.skip(LEFT[name])
    script = importlib.import_module(f"benchmarks.scripts.{name}")
    found = []
    for module in (retrograd, There()):
        retrograd.manual_seed(0)
        step = script.start(module)
        if module is retrograd:
            found.append([step() for _ in range(3)])
            continue
        losses = [step()]
        with no_transfers(allowed=("item", "float", *ASK.get(name, ()))):
            found.append([*losses, step(), step()])
    np.testing.assert_allclose(found[1], found[0], 1e-8)
