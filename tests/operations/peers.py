"""The same rows tried with the peers that are installed: ``python -m tests.operations.peers``.

A row is run with the peer's own modules in place of NumPy's and SciPy's; its gradient with respect to every
argument is compared with differences, as `probe` does.  ``--update`` writes the counts beside the list.
"""

from __future__ import annotations

import argparse
import csv
import importlib
import multiprocessing
import os
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .inputs import constants, directions, inputs
from .probe import copies, difference, direct, limited, pairing
from .rows import HERE, Row, program, rows, weights

__all__ = ["PEERS", "main", "outcome"]

Gradient = Callable[[Callable[..., Any], int], Callable[..., Any]]


def of_autograd() -> tuple[dict[str, str], Gradient]:
    grad = importlib.import_module("autograd").grad
    names = {"np": "autograd.numpy", "la": "autograd.numpy.linalg", "fft": "autograd.numpy.fft"}
    names |= {
        "sp": "autograd.scipy.special", "st": "autograd.scipy.stats", "sl": "autograd.scipy.linalg",
        "si": "autograd.scipy.integrate", "sg": "autograd.scipy.signal",
    }  # fmt: skip
    return names, lambda total, k: grad(total, argnum=k)


def of_jax() -> tuple[dict[str, str], Gradient]:
    jax = importlib.import_module("jax")
    jax.config.update("jax_enable_x64", True)
    names = {"np": "jax.numpy", "la": "jax.numpy.linalg", "fft": "jax.numpy.fft"}
    names |= {
        "sp": "jax.scipy.special", "st": "jax.scipy.stats", "sl": "jax.scipy.linalg", "sg": "jax.scipy.signal",
        "si": "jax.scipy.integrate", "sf": "jax.scipy.fft", "nd": "jax.scipy.ndimage",
        "sip": "jax.scipy.interpolate",
    }  # fmt: skip
    return names, lambda total, k: jax.grad(total, argnums=k)


PEERS = {"HIPS autograd": of_autograd, "JAX": of_jax}


def modules(names: dict[str, str]) -> dict[str, Any]:
    """The names the rows use, the peer's modules among them where it has them."""
    found = dict(constants())
    for name, module in names.items():
        try:
            found[name] = importlib.import_module(module)
        except ImportError:
            found.pop(name, None)
    return found


def outcome(row: Row, peer: str) -> str:
    """``yes``, ``WRONG: ...`` or what was raised."""
    return limited(lambda: tried(row, peer))


def tried(row: Row, peer: str) -> str:
    given = {name: value for name, value in inputs().items() if name in row.arguments}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            value = direct(row, given)
            names, grad = PEERS[peer]()
            plain = totals(row, value, constants())
            total = totals(row, value, modules(names))
            for k, (name, way) in enumerate(directions(3, given).items()):
                slope = difference(plain, given, {name: way})
                ours = pairing(grad(total, k)(*copies(given).values()), way)
                if not abs(ours - slope) <= 1e-4 * max(1.0, abs(slope)):
                    return f"WRONG: d/d{name} is {ours:.8g}, differences {slope:.8g}"
        except TimeoutError:
            raise
        except Exception as error:  # whatever it is, the row does not pass
            return f"no: {type(error).__name__}"
    return "yes"


def totals(row: Row, value: Any, names: dict[str, Any]) -> Callable[..., Any]:
    """The row's scalar function with these modules."""
    lines = program(row, value).splitlines()
    text = "\n".join(line for line in lines if not line.startswith(("import ", "from ")))
    scope: dict[str, Any] = {**names, "WEIGHTS": weights(value)}
    exec(text, scope)
    total: Callable[..., Any] = scope["total"]
    return total


def counted(peer: str, jobs: int) -> int | None:
    """How many of the rows that have a derivative pass; None where the peer is not installed."""
    try:
        PEERS[peer]()
    except ImportError:
        return None
    smooth = [row for row in rows() if row.kind != "nondiff"]
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        found = pool.starmap(outcome, [(row, peer) for row in smooth], chunksize=16)
    return sum(text == "yes" for text in found)


def main() -> None:
    """Count, print, and with ``--update`` write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--update", action="store_true")
    asked = parser.parse_args()
    counts = {peer: counted(peer, asked.jobs or 1) for peer in PEERS}
    for peer, count in counts.items():
        print(f"{peer}: {'not installed' if count is None else count}")
    if asked.update:
        with (HERE / "peers.csv").open("w", newline="") as file:
            out = csv.writer(file, lineterminator="\n")
            out.writerow(["peer", "reverse"])
            out.writerows(item for item in counts.items() if item[1] is not None)


if __name__ == "__main__":
    main()
