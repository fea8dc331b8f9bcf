"""Installs what some tests compare with, where it can be had: ``python -m tests.comparisons``.

Each package by itself, so that one that cannot be had (no network, no wheel for this Python) takes no other with it.
What is missing in the end is printed and is no failure: its tests are skipped, and the summary of the run counts them.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys

__all__ = ["main"]

OF_TORCH = "https://download.pytorch.org/whl/cpu"  # elsewhere its build for GPUs, of some gigabytes, comes first
PACKAGES = ("torch", "jax", "autograd", "ml_dtypes", "pandas", "fluids", "ht")


def installed(name: str) -> bool:
    importlib.invalidate_caches()
    return importlib.util.find_spec(name) is not None


def install(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "install", "-q", "--prefer-binary", "--retries", "1"]
    subprocess.run([*command, *arguments], check=False)


def main() -> int:
    for name in PACKAGES:
        if not installed(name) and name == "torch":
            install(name, "--index-url", OF_TORCH)
        if not installed(name):
            install(name)
    missing = [name for name in PACKAGES if not installed(name)]
    if missing:
        print(f"not to be had here, and not compared with: {', '.join(missing)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
