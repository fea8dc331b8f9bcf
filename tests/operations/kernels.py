"""Which rows kernels take whole: ``python -m tests.operations.kernels [--priority 1] [--backend c] [--list] [--run]``.

The value and the gradient of a row are read as a kernel; no compiler runs.  The table counts the rows by
priority; ``--list`` names those that stay NumPy, by the reason; ``--run`` compiles what is a kernel and holds
it against the text.
"""

from __future__ import annotations

import argparse
import copy
import os
import re
import tempfile
import warnings
from collections import Counter, defaultdict
from typing import Any

import numpy as np

from tests.written import written

from .inputs import constants, inputs
from .probe import direct
from .rows import Row, program, rows, weights

__all__ = ["main", "reason"]


def reason(row: Row, backend: str = "c", runs: bool = False) -> str:
    """Why a row is no kernel; ``whole`` if it is one, ``no text`` if it has no generated gradient.

    ``runs``: a kernel that does not give what the text gives is a mistake.
    """
    given = {name: value for name, value in inputs().items() if name in row.arguments}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            value = direct(row, given)
        except (AttributeError, ImportError, NameError):
            return "absent"
        # each weight has a name: what is in a list may change, and is no part of a kernel
        text = re.sub(r"WEIGHTS\[(\d+)\]", r"WEIGHTS_\1", program(row, value))
        names = {f"WEIGHTS_{k}": w for k, w in enumerate(weights(value))}
        names |= {k: v for k, v in constants().items() if k in row.globals}
        total, args = written(text, "total", **names), tuple(given.values())
        found = read(total, args, backend)
        return compared(total, args, backend) if runs and found == "whole" else found


def compared(total: Any, args: tuple[Any, ...], backend: str) -> str:
    """``whole`` if the kernel gives what the text gives."""
    import retrograd as rg
    from tests.fuzz.native import same

    places = tuple(range(len(args)))
    plain, kernel = (rg.value_and_grad(total, places, backend=b) for b in (None, backend))
    try:
        wanted = plain(*copy.deepcopy(args))
        kernel(*copy.deepcopy(args))
        found = kernel(*copy.deepcopy(args))
    except Exception as error:
        return f"a mistake: {type(error).__name__}: {error}"
    return "whole" if same(found, wanted, 1e-11) else f"a mistake: {found}, not {wanted}"


def read(total: Any, args: tuple[Any, ...], backend: str) -> str:
    """The value and gradient of a function read as a kernel."""
    from retrograd.compiler.native.build_kernel import kernel_of
    from retrograd.compiler.native.refusal import Unsupported
    from retrograd.transforms.api import chain_of

    places = tuple(range(len(args)))
    chain = chain_of(total).then("value_and_grad", chain_of(total).positions(places)[0], False)
    try:
        made = chain.load(chain.types(args))
        if not made.text or made.taped:
            return "no text"
    except Exception:
        return "no text"
    name, target = next(iter(made.functions.items()))
    try:
        kernel_of(made.text, name, target.__globals__, args, True, backend=backend)
    except Unsupported as error:
        return str(error.reason)
    except Exception as error:
        return f"a mistake: {type(error).__name__}: {error}"
    return "whole"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--priority", type=int, help="rows of this priority alone (1 to 3)")
    parser.add_argument("--backend", choices=("c", "numba"), default="c")
    parser.add_argument("--list", action="store_true", help="name what stays NumPy")
    parser.add_argument("--run", action="store_true", help="hold kernels against the text")
    asked = parser.parse_args()
    os.environ["RETROGRAD_CACHE"] = tempfile.mkdtemp(prefix="rows_")
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    why: dict[str, list[str]] = defaultdict(list)
    for row in rows():
        if asked.priority in (None, row.priority):
            found = reason(row, asked.backend, asked.run)
            stays = found not in ("whole", "no text", "absent")
            counts[row.priority]["numpy" if stays else found] += 1
            if stays:
                why[found].append(row.name)
    if asked.list:
        for found, names in sorted(why.items(), key=lambda pair: -len(pair[1])):
            print(f"{len(names):4} {found}: {', '.join(names)}")
    print("| priority | rows | whole kernels | stay NumPy | no text |\n|---|---:|---:|---:|---:|")
    for priority, by in sorted(counts.items()):
        rest = by["no text"] + by["absent"]
        print(f"| {priority} | {sum(by.values())} | {by['whole']} | {by['numpy']} | {rest} |")


if __name__ == "__main__":
    main()
