"""The double has CuPy's names with CuPy's signatures, and no others; the list is the wheel's."""

from __future__ import annotations

import importlib.util
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from . import modules, names
from .arrays.registry import MODULES
from .functions.calls import NotOnHost
from .wheel import observe

ROOT = Path(__file__).parents[2]
LISTED = names.load()

# Modules that are there by name only, and what is missing of the others.
BY_NAME = ("cupyx.scipy.sparse", "cupyx.scipy.sparse.linalg", "cupy.testing", "cupy.cuda.runtime")
NOT_ON_HOST = {
    "cupy": "DataSource asfarray broadcast byte_bounds disp find_common_type format_parser get_array_wrap issctype "
    "issubclass_ issubsctype make_aligned_dtype obj2sctype poly1d safe_eval sctype2char set_string_function vectorize who",
    "cupy.cuda": "BaseMemory CFunctionAllocator Function Graph ManagedMemory Memory MemoryAsync MemoryAsyncPool MemoryHook "
    "Module PinnedMemory PinnedMemoryPointer PythonFunctionAllocator alloc_pinned_memory get_cublas_handle get_hipcc_path "
    "get_nvcc_path get_rocm_path malloc_async malloc_managed",
    "cupy.random": "bytes multinomial random_integers",
    "cupyx": "DeviceSynchronized GeneralizedUFunc allow_synchronize get_runtime_info",
    "cupyx.linalg": "cho_solve invh",
    "cupyx.profiler": "benchmark load_ipython_extension",
    "cupyx.scipy.fft": "get_fft_plan",
    "cupyx.scipy.fftpack": "get_fft_plan",
    "cupyx.scipy.linalg": "kron",
    "cupyx.scipy.signal": "cwt morlet morlet2 qmf ricker",
    "cupyx.scipy.spatial.distance": "MetricInfo check_soft_dependencies distance_matrix hellinger kl_divergence",
    "cupyx.scipy.special": "btdtr btdtri sph_harm",
}


@pytest.fixture(autouse=True, scope="module")
def built() -> None:
    pytest.importorskip("scipy")
    modules.build()


def entries() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for home, listed in LISTED["modules"].items():
        for name, entry in listed.items():
            yield home, name, entry


@pytest.mark.skipif(importlib.util.find_spec("cupy") is None, reason="needs CuPy's wheel")
@pytest.mark.parametrize(
    ("command", "path"), [("names", names.PATH), ("wheel.observe", observe.PATH)]
)
def test_the_list_is_the_wheels(command: str, path: Path) -> None:
    run = [sys.executable, "-W", "ignore", "-m", f"tests.strict_cupy.{command}", "--print"]
    assert subprocess.run(
        run, capture_output=True, text=True, cwd=ROOT, check=True
    ).stdout == path.read_text(encoding="utf-8")


def test_every_name_is_there_and_no_other() -> None:
    for home, listed in LISTED["modules"].items():
        public = {name for name in vars(MODULES[home]) if name[0] != "_" or name == "__version__"}
        inner = {
            one.removeprefix(f"{home}.")
            for one in LISTED["modules"]
            if one.rpartition(".")[0] == home
        }
        assert public == set(listed) | inner, home


def test_signatures_are_cupys() -> None:
    """A replaced function cannot take what CuPy's does not."""
    wrong = []
    for home, name, entry in entries():
        made = getattr(MODULES[home], name)
        if (
            entry["kind"] == "function"
            and entry["parameters"] is not None
            and inspect.isfunction(made)
        ):
            ours = [(one.name, int(one.kind), one.default is one.empty) for one in parameters(made)]
            theirs = [(one[0], one[1], len(one) == 2) for one in entry["parameters"]]
            if ours not in (theirs, [("args", 2, True), ("kwargs", 4, True)]):
                wrong.append(f"{home}.{name}: {ours}, not {theirs}")
    assert wrong == []


def parameters(function: Any) -> list[inspect.Parameter]:
    return list(inspect.signature(function).parameters.values())


def test_the_array_has_cupys_attributes_and_no_others() -> None:
    device = MODULES["cupy"].ndarray
    listed = LISTED["classes"]["cupy.ndarray"]
    own = {
        name
        for name in dir(device)
        if not hasattr(object, name) and (name[0] != "_" or name.startswith("__"))
    }
    assert own - {"__slots__", "__weakref__", "__module__"} == set(listed) - {"__class_getitem__"}
    for name, entry in listed.items():
        if entry["kind"] == "method" and name[0] != "_":
            assert [one.name for one in parameters(getattr(device, name))] == [
                one[0] for one in entry["parameters"]
            ], name


@pytest.mark.parametrize("path", sorted(LISTED["classes"]))
def test_classes_have_no_public_names_of_their_own(path: str) -> None:
    home, _, name = path.rpartition(".")
    made = getattr(MODULES[home], name)
    assert {one for one in dir(made) if one[0] != "_"} <= set(LISTED["classes"][path])


def test_ufuncs_have_cupys_types() -> None:
    for home, name, entry in entries():
        made = getattr(MODULES[home], name)
        if entry["kind"] == "ufunc" and not is_missing(made):
            assert (made.types, made.nin, made.nout, made.name) == (
                entry["types"], entry["nin"], entry["nout"], entry["name"],
            )  # fmt: skip


def is_missing(made: Any) -> bool:
    return getattr(made, "__name__", "") == "refused" or (
        isinstance(made, type) and issubclass(made, modules.Absent)
    )


def test_what_the_host_cannot_compute_is_listed() -> None:
    found: dict[str, list[str]] = {}
    for home, name, _ in entries():
        if home not in BY_NAME and is_missing(getattr(MODULES[home], name)):
            found.setdefault(home, []).append(name)
    assert {home: " ".join(sorted(some)) for home, some in found.items()} == NOT_ON_HOST


def test_what_the_host_cannot_compute_says_so() -> None:
    with pytest.raises(
        NotOnHost, match=r"cupyx\.scipy\.sparse\.linalg\.spsolve is not in the double"
    ):
        MODULES["cupyx.scipy.sparse.linalg"].spsolve(np.eye(2), np.ones(2))
    with pytest.raises(NotOnHost, match=r"cupy\.poly1d"):
        MODULES["cupy"].poly1d([1.0])
