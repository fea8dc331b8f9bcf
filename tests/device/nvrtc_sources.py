"""What the wheel of CuPy makes of kernels, compiled to PTX by NVRTC without a device; a process of its own.

``python -m tests.device.nvrtc_sources FOLDER``: modules of kernels (``*.py``), and beside each the arguments of its function
(``*.npz``: arrays and numbers by position).  Prints how many sources were compiled, or what NVRTC says.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from tests.strict_cupy.wheel import null_device  # before CuPy

import cupy as cp  # isort: skip
from cupy.cuda import nvrtc  # isort: skip

OPTIONS = ("--gpu-architecture=compute_80", "-std=c++17")

CORE = Path(cp.__file__).parent / "_core" / "include"
HEADERS = [CORE, *CORE.glob("cupy/_cccl/*")]
HEADERS += [
    path for root in map(Path, sys.path) for path in root.glob("nvidia/cuda_runtime/include")
]
INCLUDE = tuple(f"-I{path}" for path in HEADERS)


def compiled(source: str) -> str:
    """What NVRTC has to say; nothing if there is PTX."""
    program = nvrtc.createProgram(source, "kernel.cu", (), ())
    try:
        nvrtc.compileProgram(program, OPTIONS + INCLUDE)
        return "" if nvrtc.getPTX(program) else "no PTX"
    except nvrtc.NVRTCError:
        return str(nvrtc.getProgramLog(program))


def shaped(function: Any) -> Any:
    """A function of a library that is not there: memory of the result's shape."""

    def called(*args: Any) -> Any:
        host = [np.ones(a.shape, a.dtype) if isinstance(a, cp.ndarray) else a for a in args]
        found = function(*host)
        return cp.empty(found.shape, found.dtype)

    return called


cp.matmul, cp.einsum = shaped(np.matmul), shaped(np.einsum)
cp.linalg.solve = shaped(lambda a, b: b)
cp.linalg.inv = cp.linalg.cholesky = shaped(lambda a: a)


def launched(path: Path) -> None:
    """Run the function of a module: the wheel hands the sources of its kernels over."""
    scope: dict[str, Any] = {}
    exec(path.read_text(), scope)
    kept = np.load(path.with_suffix(".npz"))
    args = [kept[name] for name in sorted(kept.files)]
    given = [cp.asarray(a) if a.ndim else a.item() for a in args]
    assert scope[path.stem.partition(".")[0]](*given) is not NotImplemented, path


if __name__ == "__main__":
    for file in sorted(Path(sys.argv[1]).glob("*.py")):
        launched(file)
    unique = list(dict.fromkeys(null_device.sources))
    said = [log for log in map(compiled, unique) if log]
    print(said[0] if said else len(unique))
    sys.exit(bool(said))
