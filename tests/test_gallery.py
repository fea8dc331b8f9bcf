"""The gallery runs: every program finds what it set out for, its gradient is right, and its page is what it gives."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import retrograd as rg
from tools import gallery
from tools.gallery import ENTRIES, PAGES, Entry, loaded

Found = dict[str, Any]
NAMES = [entry.name for entry in ENTRIES]
RNG = np.random.default_rng(0)


def near(found: Any, wanted: Any, within: Any) -> bool:
    return bool(np.all(np.abs(np.asarray(found) - np.asarray(wanted)) < within))


def rms(a: Any, b: Any) -> float:
    return float(np.sqrt(np.mean(np.abs(a - b) ** 2)))


def eight(found: Found) -> bool:
    """The velocities of Simo's table, but for the steps of the simulation."""
    return near(found["p"], [0.34711, 0.53273, 6.32445], 2e-3) and found["gap"] < 1e-20


def curve_fit(found: Found) -> bool:
    errors = np.sqrt(np.diag(found["covariance"]))
    return near(found["p"], loaded("curve_fit").TRUTH, 4 * errors) and max(errors) < 0.15


def exoplanet(found: Found) -> bool:
    truth = loaded("exoplanet").TRUTH
    return near(found["p"], truth, 4 * found["errors"]) and 0.5 < found["chi2"] < 1.7


# What a program must reach.
REACHED: dict[str, Callable[[Found], bool]] = {
    "curve_fit": curve_fit,
    "exoplanet": exoplanet,
    "gaussian_process_fit": lambda f: near(np.exp(f["theta"][2]), 0.15, 0.03),
    "kalman_filter": lambda f: (
        near(np.exp(f["theta"][1]), 3.0, 0.5) and rms(f["track"][:, 0], f["path"]) < 2.0
    ),
    "hamiltonian_monte_carlo": lambda f: (
        f["rate"] > 0.8 and near(f["chain"].mean(axis=0), [0.3, 2.0, -1.2], 0.8)
    ),
    "no_u_turn": lambda f: (
        near(f["chain"].mean(axis=0)[:2], [4.4, 0.8], 0.8) and 0.2 < f["step"] < 0.8
    ),
    "robust_regression": lambda f: rms(f["curves"]["robust"], f["truth"]) < 0.1,
    "variational_flow": lambda f: f["after"] < f["before"] - 5 and near(f["y"].mean(), -0.4, 0.2),
    "predator_prey": lambda f: near(f["p"], loaded("predator_prey").TRUTH, 0.1),
    "heat_inverse": lambda f: rms(f["k"], f["truth"]) < 0.08,
    "figure_eight": eight,
    "sparse_newton": lambda f: f["norms"][-1] < 1e-12 and f["J"].nnz == 5 * 48**2 - 4 * 48,
    "pendulum_swing_up": lambda f: near(f["path"][-1], [np.pi, 0.0], 0.15),
    "brachistochrone": lambda f: 0 < f["time"] - loaded("brachistochrone").cycloid()[2] < 1e-3,
    "lens_design": lambda f: f["before"] > 0.01 and f["blur"] < 1e-8,
    "deblurring": lambda f: rms(f["found"], f["truth"]) < 0.5 * rms(f["seen"], f["truth"]),
    "phase_retrieval": lambda f: rms(f["z"], f["truth"]) < 1e-3,
    "spirals": lambda f: f["losses"][-1] < 1e-3,
}
# Small arguments of the function that is differentiated.
SMALL: dict[str, tuple[Any, ...]] = {
    "curve_fit": (np.array([1.0, 0.2, 3.0, 0.1]), RNG.random(5), RNG.random(5)),
    "exoplanet": (np.array([11.0, 2.0, 0.3, 1.0, 0.7, 0.1]), RNG.random(4) * 20),
    "gaussian_process_fit": (np.array([0.1, 0.2, -0.5]), np.linspace(0, 2, 5), RNG.random(5)),
    "kalman_filter": (np.array([-0.5, 0.3]), RNG.random(5)),
    "hamiltonian_monte_carlo": (RNG.random(3), RNG.random((5, 3)), np.array([0, 1, 1, 0, 1.0])),
    "no_u_turn": (RNG.random(10), 10 * RNG.random(8), 5 + RNG.random(8)),
    "robust_regression": (
        {"coef": RNG.random(2), "intercept": 0.3, "log_width": -0.2},
        RNG.random((5, 2)),
        RNG.random(5),
        3.0,
        0.1,
    ),
    "variational_flow": (0.1 * RNG.random(20), RNG.random((5, 2))),
    "predator_prey": (
        np.log([0.6, 0.3, 0.7, 0.2]),
        np.array([6.0, 2.0]),
        1 + RNG.random((3, 2)),
        2,
    ),
    "heat_inverse": (-RNG.random(60), RNG.random(61), RNG.random((2, 12)), 20),
    "figure_eight": (np.array([0.36, 0.5, 1.0]), 4),
    "sparse_newton": (RNG.random((3, 3)), 1.5),
    "pendulum_swing_up": (RNG.random(5),),
    "brachistochrone": (np.array([0.2, 0.5]), np.array([0.0, 1.0, 2.0, 3.0])),
    "lens_design": (np.array([1.1, 0.2, -0.8, 0.1]), np.array([1.0, 4.0])),
    "deblurring": (RNG.random((4, 4)), RNG.random((4, 4)), RNG.random((4, 3))),
    "phase_retrieval": (
        RNG.random((3, 3)) + 1j * RNG.random((3, 3)),
        RNG.random((2, 3, 3)) + 0j,
        RNG.random((2, 3, 3)),
    ),
    "spirals": (
        [(RNG.random((2, 3)), RNG.random(3)), (RNG.random((3, 1)), RNG.random(1))],
        RNG.random((4, 2)),
        np.array([0, 1, 1, 0.0]),
    ),
}


@pytest.mark.parametrize("entry", ENTRIES, ids=NAMES)
def test_program_finds_what_it_set_out_for(entry: Entry) -> None:
    pytest.importorskip(entry.needs or "numpy")
    assert REACHED[entry.name](loaded(entry.name).solve())


@pytest.mark.parametrize("entry", ENTRIES, ids=NAMES)
def test_derivative_agrees_with_differences(entry: Entry) -> None:
    pytest.importorskip(entry.needs or "numpy")
    rg.check_grads(getattr(loaded(entry.name), entry.function), SMALL[entry.name], order=1)


@pytest.mark.parametrize("entry", ENTRIES, ids=NAMES)
def test_page_is_what_the_program_gives(entry: Entry) -> None:
    """``python -m tools.gallery --pages`` writes it anew."""
    pytest.importorskip(entry.needs or "numpy")
    assert (PAGES / f"{entry.name}.md").read_text(encoding="utf-8") == gallery.page(entry)


@pytest.mark.parametrize("entry", ENTRIES, ids=NAMES)
def test_program_is_short_and_says_what_it_needs(entry: Entry) -> None:
    text = (gallery.PROGRAMS / f"{entry.name}.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 100
    names = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    assert names - set(sys.stdlib_module_names) <= {"numpy", "scipy", "retrograd", entry.needs}


def test_every_program_has_a_page_and_a_picture() -> None:
    programs = {path.stem for path in gallery.PROGRAMS.glob("*.py")}
    assert programs == set(NAMES) == REACHED.keys() == SMALL.keys()
    assert {path.stem for path in PAGES.glob("*.md")} == programs | {"index"}
    assert {path.stem for path in PAGES.glob("*.svg")} == programs
    assert (PAGES / "index.md").read_text(encoding="utf-8") == gallery.index()


@pytest.mark.parametrize("picture", sorted(PAGES.glob("*.svg")), ids=lambda path: Path(path).stem)
def test_picture_is_whole_small_and_follows_the_scheme(picture: Path) -> None:
    text = picture.read_text(encoding="utf-8")
    ElementTree.fromstring(text)
    assert "prefers-color-scheme: dark" in text
    assert len(text) < 200_000
