"""``RawKernel`` and ``RawModule``: the threads of the grid run one after the other."""

from __future__ import annotations

import ctypes
import re
from typing import Any

import numpy as np

from .. import counters
from ..arrays.array import ndarray
from ..arrays.pointers import MemoryPointer
from ..functions.calls import NotOnHost
from .host_compiler import library

__all__ = ["RawKernel", "RawModule"]

LOOP = """
extern "C" void {name}__grid(void **_a, const unsigned *_g) {{
    gridDim = dim3{{_g[0], _g[1], _g[2]}}; blockDim = dim3{{_g[3], _g[4], _g[5]}};
    for (blockIdx.z = 0; blockIdx.z < gridDim.z; blockIdx.z++)
    for (blockIdx.y = 0; blockIdx.y < gridDim.y; blockIdx.y++)
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)
    for (threadIdx.z = 0; threadIdx.z < blockDim.z; threadIdx.z++)
    for (threadIdx.y = 0; threadIdx.y < blockDim.y; threadIdx.y++)
    for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)
        {name}({values});
}}
"""


class RawKernel:
    """One function of a source."""

    def __init__(
        self, code: str, name: str, options: tuple[str, ...] = (), backend: str = "nvrtc",
        translate_cucomplex: bool = False, *, enable_cooperative_groups: bool = False, jitify: bool = False,
    ) -> None:  # fmt: skip
        self.code, self.name, self.options, self.backend = code, name, options, backend
        self.enable_cooperative_groups = enable_cooperative_groups

    def __call__(
        self,
        grid: tuple[int, ...],
        block: tuple[int, ...],
        args: tuple[Any, ...],
        *,
        shared_mem: int = 0,
        stream: Any = None,
    ) -> None:
        if shared_mem:
            raise NotOnHost(
                "shared memory: on the host the threads of a block run one after the other"
            )
        if int(np.prod(block)) > 1024:
            raise ValueError("a block has at most 1024 threads")
        types = parameter_types(self.code, self.name)
        if len(types) != len(args):
            raise TypeError(f"{self.name} has {len(types)} parameters, and {len(args)} are given")
        held = [held_value(one) for one in args]
        pointers = (ctypes.c_void_p * max(1, len(held)))(*(one.ctypes.data for one in held))
        sizes = (ctypes.c_uint * 6)(*three(grid), *three(block))
        counters.launch(self.name)
        library(self._source)[f"{self.name}__grid"](pointers, sizes)

    @property
    def _source(self) -> str:
        types = parameter_types(self.code, self.name)
        values = ", ".join(f"*({one} *)_a[{number}]" for number, one in enumerate(types))
        return self.code + LOOP.format(name=self.name, values=values)

    def compile(self, log_stream: Any = None) -> None:
        library(self._source)

    @property
    def attributes(self) -> dict[str, int]:
        return {"max_threads_per_block": 1024}


class RawModule:
    """A source with several functions."""

    def __init__(
        self, *, code: str | None = None, path: str | None = None, options: tuple[str, ...] = (), backend: str = "nvrtc",
        translate_cucomplex: bool = False, enable_cooperative_groups: bool = False,
        name_expressions: Any = None, jitify: bool = False,
    ) -> None:  # fmt: skip
        if (code is None) == (path is None):
            raise TypeError("Exactly one of `code` and `path` keyword arguments must be given.")
        if path is not None or name_expressions is not None:
            raise NotOnHost("compiled modules and templates (`path`, `name_expressions`)")
        self.code, self.options, self.backend = code, options, backend

    def get_function(self, name: str) -> RawKernel:
        assert self.code is not None
        parameter_types(self.code, name)
        return RawKernel(self.code, name, self.options, self.backend)

    def compile(self, log_stream: Any = None) -> None:
        library(self.code)

    def get_global(self, name: str) -> Any:
        raise NotOnHost("global variables of a module")


def parameter_types(code: str, name: str) -> list[str]:
    """The C types of a kernel's parameters, from its text."""
    plain = re.sub(r"//[^\n]*|/\*.*?\*/", " ", code, flags=re.S)
    found = re.search(
        rf"__global__\s+void\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?{re.escape(name)}\s*\(([^)]*)\)",
        plain,
    )
    if found is None:
        raise ValueError(f"there is no kernel {name} in the source")
    parts = [part.strip() for part in found.group(1).split(",") if part.strip()]
    return [
        re.sub(r"\b(__restrict__|restrict)\b", "", re.sub(r"(\w+)\s*$", "", part)).strip()
        for part in parts
    ]


def held_value(one: Any) -> np.ndarray:
    """The bytes of an argument as CuPy hands them over: a pointer, or a number in its own size."""
    if isinstance(one, ndarray):
        return np.array([one.data.ptr], np.uintp)
    if isinstance(one, MemoryPointer):
        return np.array([one.ptr], np.uintp)
    if isinstance(one, (bool, np.bool_)):
        return np.array([one], bool)
    if isinstance(one, (int, float, complex, np.generic)):
        return np.array([one])  # an int has eight bytes, a float is a double
    raise TypeError(f"Unsupported type {type(one)}")


def three(sizes: Any) -> tuple[int, int, int]:
    every = (*sizes, 1, 1, 1)[:3]
    return int(every[0]), int(every[1]), int(every[2])
