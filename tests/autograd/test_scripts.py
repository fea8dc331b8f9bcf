"""Whole scripts run on the module under test: their losses are those that were recorded, and PyTorch's."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from benchmarks.scripts import NAMES

from .surface import module

LOSSES = {  # of the first three steps
    "checkpointing": (4.985437132461465, 3.4104738439622326, 2.687684197716816),
    "cnn": (6.517603128532424, 4.215095793871775, 3.2307265872556057),
    "custom_functions": (461.91959918306617, 323.8550205172332, 310.2509187170306),
    "flow": (3.435743528928469, 3.0053701233232846, 2.7563580281352884),
    "func_transforms": (1.4522648062943762, 1.4031658007265644, 1.3628371459090263),
    "gan": (1.335168581471301, 1.3384164116058757, 1.3422417382017247),
    "gru": (3.6750560289491516, 3.637835280514725, 3.6008310974291318),
    "implicit_layer": (1.317946842653133, 1.271404070048117, 1.2302895761483665),
    "lbfgs": (0.024704949683026313, 0.010629634081915956, 0.008398131125678327),
    "lstm": (3.6976360633612773, 3.692751492009239, 3.688139660610717),
    "maml": (8.605946187097809, 8.405797567822287, 8.228299579745284),
    "matrix_factorisation": (2.3239821302806427, 2.1288121300043104, 1.968464324605471),
    "mlp": (2.486770162419089, 2.401812820068729, 2.284036961895606),
    "neural_ode": (1.0647205799426056, 0.8978614502307029, 0.7999433665769522),
    "newton_cg": (0.6931471805599453, 0.6476108783468026, 0.6349291840525572),
    "pinn": (1.957970599951826, 1.6128466322315949, 1.3067990271092895),
    "polynomial": (2797.5677540277106, 1679.1221925646255, 1332.0577597527877),
    "relu_hessian": (1.5690040790553845, 1.2226846679005015, 1.1059895557903048),
    "transformer": (4.056163939551433, 3.9394796119668336, 3.8278250122561968),
    "vae": (112.63005049868912, 109.50003717919299, 109.20402633969702),
}


def losses(name: str, torch: Any) -> list[float]:
    if name == "lbfgs":
        pytest.importorskip("scipy")
    step = import_module(f"benchmarks.scripts.{name}").start(torch)
    return [step() for _ in range(3)]


def test_every_script_has_recorded_losses() -> None:
    assert tuple(LOSSES) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_losses_are_those_recorded(name: str) -> None:
    found = losses(name, module())
    assert found == pytest.approx(LOSSES[name], rel=1e-9)
    assert min(found[1:]) < found[0] or name == "gan"  # two play against each other there


@pytest.mark.parametrize("name", NAMES)
def test_losses_are_those_of_torch(name: str) -> None:
    torch = pytest.importorskip("torch")
    assert losses(name, module()) == pytest.approx(losses(name, torch), rel=1e-12)
