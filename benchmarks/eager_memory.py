"""Peak memory of a chain of 50 operations, there and back: ``python -m benchmarks.eager_memory`` (Linux).

In arrays of the size of the operand, above what is there before; each contender has a process of its own, and the
system is asked for the peak, which sees PyTorch's memory as well as NumPy's.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["OPERATIONS", "arrays", "main"]

NUMBERS = 1_000_000
LENGTH = 50
OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "x.sin()": lambda y, x: y.sin(),
    "(x * 1.01 + 0.1).tanh()": lambda y, x: (y * 1.01 + 0.1).tanh(),
    "x.sigmoid()": lambda y, x: y.sigmoid(),
    "x.sqrt()": lambda y, x: y.sqrt(),
    "x / leaf": lambda y, x: y / x,
    "x.tanh()": lambda y, x: y.tanh(),
    "x * leaf": lambda y, x: y * x,
    "x + leaf": lambda y, x: y + x,
}


def resident(kind: str) -> int:
    """Bytes of this process in memory: now (``VmRSS``), or at most (``VmHWM``)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(kind))


def arrays(module: str, name: str) -> float:
    """The peak of one chain in this process, in arrays."""
    torch = importlib.import_module(module)
    operation = OPERATIONS[name]
    x = torch.tensor(np.linspace(0.1, 0.9, NUMBERS), requires_grad=True)
    operation(x, x).sum().backward()
    x.grad = None
    Path("/proc/self/clear_refs").write_text("5")
    before = resident("VmRSS")
    y = x
    for _ in range(LENGTH):
        y = operation(y, x)
    y.sum().backward()
    return (resident("VmHWM") - before) / x.nbytes


def alone(module: str, name: str) -> str:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.eager_memory", "--one", module, name]
    environment = os.environ | {"MALLOC_MMAP_THRESHOLD_": "100000", "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True
    ).stdout.strip()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", nargs=2, metavar=("MODULE", "OPERATION"))
    asked = parser.parse_args()
    if asked.one:
        print(f"{arrays(*asked.one):.1f}")
        return
    modules = [m for m in ("retrograd", "torch") if importlib.util.find_spec(m)]
    print(f"| {LENGTH} times | {' | '.join(modules)} |", f"|---|{'---|' * len(modules)}", sep="\n")
    for name in OPERATIONS:
        print(f"| `{name}` | {' | '.join(alone(m, name) for m in modules)} |")


if __name__ == "__main__":
    main()
