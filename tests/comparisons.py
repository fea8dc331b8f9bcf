"""Installs what some tests compare with, where it can be had: ``python -m tests.comparisons``.

Each package by itself, so that one that cannot be had (no network, no wheel for this Python) takes no other with it.
What is missing in the end is printed and is no failure: its tests are skipped, and the summary of the run counts them.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys

__all__ = ["main"]

# What to ask for, in order: the build of PyTorch for CPUs is a fraction of the one for GPUs.
PACKAGES = {
    "torch": ("torch==2.13.0+cpu", "torch"),
    "jax": ("jax",),
    "autograd": ("autograd",),
    "ml_dtypes": ("ml_dtypes",),
    "pandas": ("pandas",),
    "fluids": ("fluids",),
    "ht": ("ht",),
    "bottleneck": ("bottleneck",),
    "lmfit": ("lmfit",),
    "sklearn": ("scikit-learn",),
    "iminuit": ("iminuit",),
    "pytensor": ("pytensor",),
    "dask": ("dask[array]",),
    "distributed": ("distributed",),
    "joblib": ("joblib",),
    "cupy": ("cupy-cuda12x",),  # without a device: its names, answers and refusals
}


def installed(name: str) -> bool:
    importlib.invalidate_caches()
    return importlib.util.find_spec(name) is not None


def install(requirement: str) -> None:
    command = [sys.executable, "-m", "pip", "install", "-q", "--prefer-binary", "--retries", "1"]
    subprocess.run([*command, requirement], check=False)


def main() -> int:
    for name, wanted in PACKAGES.items():
        for requirement in wanted:
            if not installed(name):
                install(requirement)
    missing = [name for name in PACKAGES if not installed(name)]
    if missing:
        print(f"not to be had here, and not compared with: {', '.join(missing)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
