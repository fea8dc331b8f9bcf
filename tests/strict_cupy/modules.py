"""The modules of the double, made from the list of CuPy's names; ``installed`` puts them where imports find them."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np

from . import cuda
from .arrays import methods
from .arrays.array import ndarray
from .arrays.pointers import flatiter
from .arrays.registry import MODULES
from .arrays.wrapping import unwrap, wrap
from .functions import creation, linear_algebra, protocols, random_streams, replaced
from .functions.calls import Function, missing
from .functions.hosted import hosted
from .functions.ufuncs import GUFunc, Ufunc
from .kernels import fusion
from .kernels.elementwise import ElementwiseKernel
from .kernels.raw import RawKernel, RawModule
from .kernels.reduction import ReductionKernel
from .names import load

__all__ = ["build", "installed"]

# Whose functions compute what the module has.
HOSTS = {
    "cupy": "numpy", "cupy.linalg": "numpy.linalg", "cupy.fft": "numpy.fft", "cupy.exceptions": "numpy.exceptions",
    "cupy.lib.stride_tricks": "numpy.lib.stride_tricks", "cupy.polynomial": "numpy.polynomial",
    "cupy.polynomial.polynomial": "numpy.polynomial.polynomial",
}  # fmt: skip
HOSTED = (
    "fft", "fftpack", "interpolate", "linalg", "ndimage", "signal", "signal.windows", "spatial", "spatial.distance",
    "special", "stats",
)  # fmt: skip
HOSTS |= {f"cupyx.scipy.{name}": f"scipy.{name}" for name in HOSTED}

HOSTED_CLASSES = ("cupyx.scipy.interpolate", "cupyx.scipy.signal", "cupyx.scipy.spatial")

RENAMED = {  # of CuPy, and in today's NumPy
    "round_": "round", "product": "prod", "cumproduct": "cumprod", "sometrue": "any", "alltrue": "all",
    "trapz": "trapezoid", "in1d": "isin", "msort": "sort", "row_stack": "vstack",
}  # fmt: skip

REPLACED: dict[str, dict[str, Any]] = {
    "cupy": replaced.HOST | creation.REPLACED | replaced.REPLACED
    | {"ndarray": ndarray, "ufunc": Ufunc, "flatiter": flatiter, "ElementwiseKernel": ElementwiseKernel,
       "ReductionKernel": ReductionKernel, "RawKernel": RawKernel, "RawModule": RawModule, "fuse": fusion.fuse},
    "cupy.linalg": linear_algebra.REPLACED | {"LinAlgError": np.linalg.LinAlgError},
    "cupy.random": random_streams.FUNCTIONS | random_streams.CLASSES,
    "cupy.cuda": cuda.CUDA, "cupy.cuda.runtime": cuda.RUNTIME, "cupy.cuda.nvtx": cuda.NVTX,
    "cupy.cuda.profiler": {"start": lambda: None, "stop": lambda: None},
    "cupyx": replaced.CUPYX, "cupyx.profiler": cuda.PROFILER,
    "cupyx.scipy": {"get_array_module": replaced.scipy_of},
    "cupyx.scipy.linalg": linear_algebra.SCIPY,
}  # fmt: skip

ASSERTIONS = (
    "assert_allclose",
    "assert_array_almost_equal",
    "assert_array_equal",
    "assert_array_less",
)


class Double(ModuleType):
    """A module of the double, which says what it is."""

    def __repr__(self) -> str:
        return f"<module {self.__name__!r} (a double: tests/strict_cupy)>"


def build() -> dict[str, ModuleType]:
    """All modules, once."""
    if "cupy" in MODULES:
        return {name: one for name, one in MODULES.items() if name != "protocols"}
    MODULES["protocols"] = protocols
    listed = load()["modules"]
    for home in listed:
        MODULES[home] = Double(home)
        MODULES[home].__path__ = []
    for home, entries in listed.items():
        fill(MODULES[home], home, entries)
    for home in listed:
        above, _, name = home.rpartition(".")
        if above:
            setattr(MODULES[above], name, MODULES[home])
    methods.attach()
    MODULES["cupy"].__version__ = load()["version"]
    return build()


def fill(module: ModuleType, home: str, entries: dict[str, Any]) -> None:
    given = REPLACED.get(home, {})
    for name, entry in entries.items():
        if entry["kind"] == "module":
            if f"{home}.{name}" not in MODULES:
                setattr(module, name, Double(f"{home}.{name}"))
        else:
            setattr(module, name, given[name] if name in given else made(home, name, entry))
    strangers = sorted(given.keys() - entries.keys())
    assert not strangers, f"the double has what CuPy has not in {home}: {strangers}"


def made(home: str, name: str, entry: dict[str, Any]) -> Any:
    kind = entry["kind"]
    if kind == "constant":
        return constant(home, name, entry)
    if kind == "class":
        return class_of(home, name, entry)
    if home == "cupy.testing" and name in ASSERTIONS:
        return asserting(getattr(np.testing, name))
    compute = computing(home, name)
    if compute is None or (kind == "function" and entry["parameters"] is None):
        return missing(f"{home}.{name}")
    if kind == "ufunc":
        return Ufunc(name, entry, compute)
    return (
        GUFunc(name, compute)
        if kind == "gufunc"
        else counted(Function(home, name, entry, compute), home, name)
    )


def counted(function: Function, home: str, name: str) -> Any:
    """The host must know a length: one transfer more."""
    if name not in replaced.LENGTHS if home == "cupy" else name not in replaced.SYNCHRONISING:
        return function
    return replaced.counting(name, function)


def computing(home: str, name: str) -> Callable[..., Any] | None:
    if name in replaced.UFUNCS:
        return replaced.UFUNCS[name]
    host = HOSTS.get(home)
    if host is None:
        return None
    try:
        found = getattr(importlib.import_module(host), RENAMED.get(name, name), None)
    except ImportError:  # no SciPy
        return None
    return found if callable(found) else None


def constant(home: str, name: str, entry: dict[str, Any]) -> Any:
    if entry["value"] is not None:
        return eval(entry["value"], {})
    if name in replaced.CONSTANTS:
        return replaced.CONSTANTS[name]
    found = getattr(np, name, None) if home == "cupy" else None
    return (
        found
        if isinstance(found, (float, type(None))) or name in ("s_", "index_exp")
        else Builder(name, found)
    )


class Builder:
    """``r_``, ``c_``, ``mgrid``, ``ogrid``."""

    def __init__(self, name: str, host: Any) -> None:
        self._name, self._host_builder = name, host

    def __getitem__(self, key: Any) -> Any:
        return wrap(self._host_builder[unwrap(key)])


def class_of(home: str, name: str, entry: dict[str, Any]) -> Any:
    if entry["numpy"] is not None:
        found = getattr(np, name, None) or getattr(np, entry["numpy"], None)
        if found is not None:
            return found
    for place in (np.exceptions, np):
        if isinstance(getattr(place, name, None), type) and issubclass(
            getattr(place, name), (Exception, np.generic)
        ):
            return getattr(place, name)
    found = computing(home, name)
    if isinstance(found, type) and home in HOSTED_CLASSES:
        return hosted(home, name, found)
    return type(name, (Absent,), {"__module__": home})


class Absent:
    """A class of CuPy that the double has by name only."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        missing(f"{type(self).__module__}.{type(self).__name__}")()


def asserting(function: Callable[..., Any]) -> Callable[..., Any]:
    """``cupy.testing``: takes arrays of both sides, and gets them."""

    def called(*args: Any, **kwargs: Any) -> Any:
        return function(*(one.get() if isinstance(one, ndarray) else one for one in args), **kwargs)

    return called


@contextmanager
def installed() -> Iterator[ModuleType]:
    """``import cupy`` and ``import cupyx`` find the double, until the end of the block."""
    before = {
        name: one for name, one in sys.modules.items() if name.split(".")[0] in ("cupy", "cupyx")
    }
    for name in before:
        del sys.modules[name]
    modules = build()
    sys.modules.update(modules)
    try:
        yield modules["cupy"]
    finally:
        for name in [name for name in sys.modules if name.split(".")[0] in ("cupy", "cupyx")]:
            del sys.modules[name]
        sys.modules.update(before)
