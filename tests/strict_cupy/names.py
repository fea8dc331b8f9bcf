"""The names of CuPy, with their kinds and signatures, as they are in the wheel.

``python -m tests.strict_cupy.names`` writes them where the wheel is installed.  The double has the names
of this list and no others, so it cannot have what CuPy lacks.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import json
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["DEFAULT", "PATH", "collected", "load", "signature", "stand_in_for_libraries"]

PATH = Path(__file__).with_name("names.json")

# Modules of which every name is listed.
MODULES = (
    "cupy", "cupy.cuda", "cupy.cuda.runtime", "cupy.cuda.nvtx", "cupy.cuda.profiler", "cupy.exceptions",
    "cupy.fft", "cupy.lib", "cupy.lib.stride_tricks", "cupy.linalg", "cupy.polynomial",
    "cupy.polynomial.polynomial", "cupy.random", "cupy.testing",
    "cupyx", "cupyx.linalg", "cupyx.profiler", "cupyx.scipy", "cupyx.scipy.fft", "cupyx.scipy.fftpack",
    "cupyx.scipy.interpolate", "cupyx.scipy.linalg", "cupyx.scipy.ndimage", "cupyx.scipy.signal",
    "cupyx.scipy.signal.windows", "cupyx.scipy.sparse", "cupyx.scipy.sparse.linalg", "cupyx.scipy.spatial",
    "cupyx.scipy.spatial.distance", "cupyx.scipy.special", "cupyx.scipy.stats",
)  # fmt: skip

# Classes of which every member is listed.
CLASSES = (
    "cupy.ndarray", "cupy.ufunc", "cupy.flatiter", "cupy.random.Generator", "cupy.random.RandomState",
    "cupy.cuda.Device", "cupy.cuda.Stream", "cupy.cuda.Event", "cupy.cuda.MemoryPool", "cupy.cuda.MemoryPointer",
    "cupy.ElementwiseKernel", "cupy.ReductionKernel", "cupy.RawKernel", "cupy.RawModule",
)  # fmt: skip

# Members that every class has, some of them in later Pythons only.
OF_PYTHON = (
    "__pyx_vtable__", "__slots__", "__module__", "__getstate__", "__firstlineno__", "__static_attributes__",
    "__annotations__", "__dict__", "__weakref__",
)  # fmt: skip

Entry = dict[str, Any]


def collected() -> dict[str, Any]:
    """What the installed wheel has."""
    import cupy

    stand_in_for_libraries()
    classes = {
        name: of_class(found(name)) for name in CLASSES
    }  # first: some are loaded when they are asked for
    modules = {name: of_module(importlib.import_module(name)) for name in MODULES}
    return {"version": cupy.__version__, "modules": modules, "classes": classes}


def stand_in_for_libraries() -> None:
    """Modules that need a CUDA library when they are imported find an empty one instead."""
    libraries = importlib.import_module("cupy_backends.cuda.libs")
    for name in ("cublas", "cusolver", "cusparse", "cufft", "curand"):
        try:
            getattr(libraries, name)
        except (ImportError, AttributeError):
            path = f"cupy_backends.cuda.libs.{name}"
            sys.modules[path] = NoLibrary(path)
            setattr(libraries, name, sys.modules[path])


def lacking(*args: Any, **kwargs: Any) -> Any:
    raise ImportError("Failure finding a CUDA library")


class NoLibrary(ModuleType):
    """Whatever is asked for is there, and fails when it is called."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lacking


def found(path: str) -> Any:
    home, _, name = path.rpartition(".")
    return getattr(importlib.import_module(home), name)


def of_module(module: ModuleType) -> dict[str, Entry]:
    names = (name for name in dir(module) if name[0] != "_" or name == "__version__")
    entries = {name: entry(getattr(module, name), module.__name__, name) for name in sorted(names)}
    return {name: one for name, one in entries.items() if one is not None}


def entry(value: Any, home: str, name: str) -> Entry | None:
    import cupy
    import numpy

    if isinstance(value, ModuleType):
        return {"kind": "module"} if value.__name__ == f"{home}.{name}" else None
    if isinstance(value, cupy.ufunc):
        return of_ufunc(value)
    if type(value).__name__ == "_GUFunc":
        return {"kind": "gufunc", "signature": value._signature}
    if isinstance(value, type):
        same = getattr(numpy, name, None) is value or getattr(numpy, value.__name__, None) is value
        return {"kind": "class", "numpy": value.__name__ if same else None}
    if callable(value):
        return {"kind": "function", "parameters": parameters(value)}
    if type(value).__name__ == "_Feature":  # from __future__
        return None
    return {"kind": "constant", "type": type(value).__name__, "value": literal(value)}


def of_ufunc(ufunc: Any) -> Entry:
    return {
        "kind": "ufunc", "name": ufunc.name, "nin": ufunc.nin, "nout": ufunc.nout,
        "types": [kind for kind in ufunc.types if "E" not in kind],  # bfloat16, with ml_dtypes
    }  # fmt: skip


def of_class(one: type) -> dict[str, Entry]:
    members = {}
    for name in sorted(dir(one)):
        dunder = name.startswith("__") and name.endswith("__")
        if (dunder and hasattr(object, name)) or (name.startswith("_") and not dunder):
            continue
        value = getattr(one, name)
        if callable(value):
            members[name] = {"kind": "method", "parameters": parameters(value)}
        else:
            members[name] = {"kind": "attribute"}
    for name in OF_PYTHON:
        members.pop(name, None)
    return members


def parameters(function: Any) -> list[list[Any]] | None:
    """Name, kind, whether there is a default, and the default if it is a literal."""
    try:
        return [of_parameter(one) for one in inspect.signature(function).parameters.values()]
    except (TypeError, ValueError):
        return from_docstring(function.__doc__ or "")


def of_parameter(one: inspect.Parameter) -> list[Any]:
    if one.default is one.empty:
        return [one.name, int(one.kind)]
    return [one.name, int(one.kind), literal(one.default)]


def literal(value: Any) -> str | None:
    """How a default is written, if it can be read again."""
    plain = isinstance(value, (bool, int, float, str, tuple)) or value is None
    return repr(value) if plain and not re.search("<|nan|inf", repr(value)) else None


def from_docstring(text: str) -> list[list[Any]] | None:
    """The signature that Cython writes into the first line."""
    first = re.match(r"[\w.]+\((.*)\)", text.partition("\n")[0])
    if first is None:
        return None
    cleaned = re.sub(r"(?<![\w'])[\w. ]+? (\**\w+)(?=[,=]|$)", r"\1", first.group(1))
    cleaned = re.sub(r"=<[^>]*>", "=None", cleaned)
    try:
        made = eval(f"lambda {cleaned}: None", {"numpy": None})
    except (SyntaxError, NameError):
        return None
    return [of_parameter(one) for one in inspect.signature(made).parameters.values()]


@functools.cache
def load() -> dict[str, Any]:
    """The list that is kept."""
    return json.loads(PATH.read_text(encoding="utf-8"))


class Default:
    """Stands for a default that has no text of its own."""

    def __repr__(self) -> str:
        return "<default>"


DEFAULT = Default()


def signature(listed: list[list[Any]] | None) -> inspect.Signature | None:
    """The signature that an entry describes."""
    if listed is None:
        return None
    kinds = {int(kind): kind for kind in inspect._ParameterKind}
    made = []
    for name, kind, *default in listed:
        value = inspect.Parameter.empty if not default else default_value(default[0])
        made.append(inspect.Parameter(name, kinds[kind], default=value))
    return inspect.Signature(made)


def default_value(text: str | None) -> Any:
    return DEFAULT if text is None else eval(text, {})


def written(names: dict[str, Any]) -> str:
    """One entry a line, so that a change can be read."""
    lines = [f'{{"version": {json.dumps(names["version"])}']
    for part in ("modules", "classes"):
        lines.append(f', "{part}": {{')
        homes = []
        for home, entries in names[part].items():
            body = ",\n".join(
                f"  {json.dumps(name)}: {json.dumps(one)}" for name, one in entries.items()
            )
            homes.append(f' "{home}": {{\n{body}\n }}')
        lines.append(",\n".join(homes) + "}")
    return "\n".join(lines) + "}\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["--print"]:
        print(written(collected()), end="")
    else:
        PATH.write_text(written(collected()), encoding="utf-8")
