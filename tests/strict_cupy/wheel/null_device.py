"""The real CuPy without a device: memory is the host's, a launch is noted and does nothing.

CuPy's modules find each other's C functions in tables (``__pyx_capi__``) when they are imported.  Before that,
the functions of the CUDA runtime in these tables are replaced by ones of the host.  So the wheel decides shapes,
kinds of numbers, strides, refusals and launches as it does on a device; only the values are nothing.
Import this before CuPy, in a process of its own.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from ctypes import c_int, c_size_t, c_ssize_t, c_uint, c_void_p, py_object
from typing import Any

import cupy_backends.cuda.api.driver as driver
import cupy_backends.cuda.api.runtime as runtime

os.environ["CUPY_ACCELERATORS"] = ""  # reductions by CuPy's own kernels, which are seen

__all__ = ["copies", "launches", "sources"]

sources: list[str] = []  # what was to be compiled
launches: list[str] = []  # names of kernels
copies: list[int] = []  # kinds of copies: 1 to the device, 2 to the host

TO_DEVICE, TO_HOST = 1, 2
VERSION = 12080
PROPERTIES = {
    "name": b"nothing", "warpSize": 32, "major": 8, "minor": 0, "multiProcessorCount": 108, "maxThreadsPerBlock": 1024,
    "sharedMemPerBlock": 49152, "totalGlobalMem": 1 << 34, "maxThreadsPerMultiProcessor": 2048,
    "sharedMemPerMultiprocessor": 167936, "regsPerBlock": 65536, "maxGridSize": (2147483647, 65535, 65535),
    "canMapHostMemory": 1, "unifiedAddressing": 1, "managedMemory": 1, "concurrentManagedAccess": 1,
}  # fmt: skip

_libc = ctypes.CDLL(None)
_libc.malloc.restype, _libc.malloc.argtypes = c_void_p, [c_size_t]
_libc.free.argtypes = [c_void_p]
_libc.memcpy.argtypes = [c_void_p, c_void_p, c_size_t]
_libc.memset.argtypes = [c_void_p, c_int, c_size_t]
_capsule = ctypes.pythonapi.PyCapsule_New
_capsule.restype, _capsule.argtypes = py_object, [c_void_p, ctypes.c_char_p, c_void_p]
_signature = ctypes.pythonapi.PyCapsule_GetName
_signature.restype, _signature.argtypes = ctypes.c_char_p, [py_object]
_kept: list[Any] = []
_kernels: list[str] = []


def put(
    module: Any, name: str, result: Any, arguments: list[Any], function: Callable[..., Any]
) -> None:
    """Instead of a C function; the last argument of each says how Cython dispatches."""
    callback = ctypes.PYFUNCTYPE(result, *arguments)(function)
    signature = _signature(module.__pyx_capi__[name])
    _kept.extend((callback, signature))
    module.__pyx_capi__[name] = _capsule(ctypes.cast(callback, c_void_p), signature, None)


def nothing(*arguments: Any) -> None:
    return None


def always(value: Any) -> Callable[..., Any]:
    return lambda *arguments: value


def malloc(size: int, *rest: Any) -> int:
    found = _libc.malloc(max(size, 1))
    _libc.memset(found, 0, max(size, 1))
    return found


def free(pointer: int, *rest: Any) -> None:
    _libc.free(pointer)


def memcpy(target: int, source: int, size: int, kind: int, *rest: Any) -> None:
    copies.append(kind)
    _libc.memcpy(target, source, size)


def memset(target: int, value: int, size: int, *rest: Any) -> None:
    _libc.memset(target, value, size)


def attribute(number: int, *rest: Any) -> int:
    return {75: 8, 76: 0}.get(number, 0)


def launch(kernel: int, *rest: Any) -> None:
    launches.append(_kernels[kernel - 1])


def kernel_of(module: int, name: str, *rest: Any) -> int:
    _kernels.append(name)
    return len(_kernels)


P, S, I, U, O = c_ssize_t, c_size_t, c_int, c_uint, py_object  # noqa: E741

RUNTIME: dict[str, tuple[Any, list[Any], Callable[..., Any]]] = {
    "getDevice": (I, [I], always(0)), "getDeviceCount": (I, [I], always(1)), "setDevice": (O, [I, I], nothing),
    "_ensure_context": (O, [], nothing), "malloc": (P, [S, I], malloc), "free": (O, [P, I], free),
    "mallocAsync": (P, [S, P, I], malloc), "freeAsync": (O, [P, P, I], free),
    "hostAlloc": (P, [S, U, I], malloc), "freeHost": (O, [P, I], free),
    "memcpy": (O, [P, P, S, I, I], memcpy), "memcpyAsync": (O, [P, P, S, I, P, I], memcpy),
    "memset": (O, [P, I, S, I], memset), "memsetAsync": (O, [P, I, S, P, I], memset),
    "deviceGetAttribute": (I, [I, I, I], attribute), "pointerGetMemoryType": (I, [P, I], always(0)),
    "runtimeGetVersion": (I, [I], always(VERSION)), "driverGetVersion": (I, [I], always(VERSION)),
    "streamSynchronize": (O, [P, I], nothing), "deviceSynchronize": (O, [I], nothing),
    "streamIsCapturing": (I, [P, I], always(0)), "streamWaitEvent": (O, [P, P, I, P], nothing),
    "streamCreate": (P, [I], always(5)), "streamCreateWithFlags": (P, [U, I], always(5)),
    "streamDestroy": (O, [P, I], nothing), "eventCreate": (P, [I], always(1)),
    "eventCreateWithFlags": (P, [U, I], always(1)), "eventRecord": (O, [P, P, I], nothing),
    "eventDestroy": (O, [P, I], nothing), "eventSynchronize": (O, [P, I], nothing),
    "memGetInfo": (O, [I], always((1 << 34, 1 << 34))), "getDeviceProperties": (O, [I, I], always(PROPERTIES)),
}  # fmt: skip

DRIVER: dict[str, tuple[Any, list[Any], Callable[..., Any]]] = {
    "launchKernel": (O, [P, *[U] * 7, P, P, P, I], launch), "moduleLoadData": (P, [O, I], always(1)),
    "moduleLoad": (P, [O, I], always(1)), "moduleUnload": (O, [P, I], nothing),
    "moduleGetFunction": (P, [P, O, I], kernel_of), "funcGetAttribute": (I, [I, P, I], always(0)),
    "funcSetAttribute": (O, [P, I, I, I], nothing), "ctxGetCurrent": (P, [I], always(1)),
    "ctxGetDevice": (I, [I], always(0)),
    "occupancyMaxActiveBlocksPerMultiprocessor": (I, [P, I, S, I], always(4)),
}  # fmt: skip

for _module, _table in ((runtime, RUNTIME), (driver, DRIVER)):
    for _name, (_result, _arguments, _function) in _table.items():
        put(_module, _name, _result, _arguments, _function)
for _name in ("getDevice", "getDeviceCount", "getDeviceProperties", "runtimeGetVersion", "driverGetVersion",
              "deviceGetAttribute", "setDevice", "streamSynchronize", "deviceSynchronize", "memGetInfo"):  # fmt: skip
    setattr(runtime, _name, RUNTIME[_name][2])


def compiled(source: str, *arguments: Any, **options: Any) -> Any:
    """A module with whatever function it is asked for."""
    sources.append(source)
    module = cupy.cuda.function.Module()
    module.load(b"nothing")
    return module


import cupy  # noqa: E402
from cupy.cuda import compiler  # noqa: E402

compiler._compile_module_with_cache = compiled
