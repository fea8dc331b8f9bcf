"""What the first calls of kernels take: the compiler's halves, the C compiler's, and how many builds there were.

    python -m benchmarks.first_calls [--kernels NAME ...] [--size small] [--json FILE]

For the programs of `benchmarks/kernels`: the first call of ``value_and_grad`` with ``backend="c"``, each in a
process of its own with an empty cache.  Processor seconds, since others may use the machine: the NumPy text and
everything else that is not one of the others, reading texts into loops, passes over them, printing, the C compiler; how
many kernels were begun, how many were compiled, and the lines of the longest.
"""

from __future__ import annotations

import argparse
import compileall
import contextlib
import json
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import retrograd as rg
from benchmarks.kernels.kernel import SIZES
from benchmarks.kernels.programs import GROUPS, KERNELS
from retrograd.compiler.native import build_kernel
from retrograd.compiler.native import compile as native
from retrograd.compiler.native.c import entry, toolchain

__all__ = ["first_call", "main"]

PARTS = ("text", "read", "passes", "print", "cc")
LIMIT = 2.0  # processor seconds that a first call should take at most


def seconds() -> float:
    """Processor time of this process and of those that it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


@contextlib.contextmanager
def measured(spent: Counter[str]) -> Iterator[None]:
    """Meanwhile the parts of making kernels put down what they take, each without those within it."""
    within = [0.0]

    def timing(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*args: Any, **options: Any) -> Any:
            spent[f"{name} calls"] += 1
            within.append(0.0)
            begun = seconds()
            try:
                return call(*args, **options)
            finally:
                whole = seconds() - begun
                spent[name] += whole - within.pop()
                within[-1] += whole

        return timed

    def long(text: str, *args: Any, **options: Any) -> Any:
        spent["lines"] = max(spent["lines"], text.count("\n"))
        return library_of(text, *args, **options)

    library_of = entry.library_of
    changes = (
        (build_kernel, "read", "read"),
        (build_kernel, "optimised", "passes"),
        (native, "printed_as", "print"),
        (toolchain, "ran", "cc"),
    )
    with contextlib.ExitStack() as stack:
        for owner, attribute, name in changes:
            call = timing(name, getattr(owner, attribute))
            stack.enter_context(patch.object(owner, attribute, call))
        stack.enter_context(patch.object(entry, "library_of", long))
        yield


def first_call(name: str, size: str) -> dict[str, float]:
    """What the first call of a kernel's gradient takes here."""
    kernel = KERNELS[name]
    given = kernel.made(size)
    spent: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache:
        os.environ["RETROGRAD_CACHE"] = cache
        derivative = rg.value_and_grad(kernel.loss, wrt=kernel.wrt, backend="c")
        begun = seconds()
        with measured(spent):
            derivative(*given)
        whole = seconds() - begun
    parts = {part: spent[part] for part in PARTS[1:]}
    return {
        "text": whole - sum(parts.values()),
        **parts,
        "whole": whole,
        "begun": spent["read calls"],
        "compiled": spent["cc calls"],
        "lines": spent["lines"],
    }


def apart(name: str, size: str) -> dict[str, float]:
    """The same in a process of its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(first_call, (name, size))


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kernels", nargs="+", metavar="NAME", default=[])
    parser.add_argument("--size", choices=SIZES, default="small")
    parser.add_argument("--json", metavar="FILE", help="write all numbers there too")
    options = parser.parse_args(argv)
    unknown = {*options.kernels} - {*KERNELS, *GROUPS}
    if unknown:
        parser.error(f"no kernel or class: {', '.join(sorted(unknown))}")
    wanted = [
        n for n, k in KERNELS.items() if not options.kernels or {n, k.group} & {*options.kernels}
    ]
    for part in (
        "",
        "compiler",
        "runtime",
    ):  # modules have their bytecode, as an installed package has
        compileall.compile_dir(os.path.join(os.path.dirname(rg.__file__), part), quiet=1)
    apart(wanted[0], options.size)
    found = {}
    print(
        f"{'kernel':26}" + "".join(f"{p:>8}" for p in (*PARTS, "whole")) + "   begun compiled lines"
    )
    for name in wanted:
        found[name] = one = apart(name, options.size)
        row = "".join(f"{one[p]:8.2f}" for p in (*PARTS, "whole"))
        print(
            f"{name:26}{row} {one['begun']:7.0f} {one['compiled']:8.0f} {one['lines']:5.0f}",
            flush=True,
        )
    slow = [name for name, one in found.items() if one["whole"] > LIMIT]
    print(
        f"{len(slow)} of {len(found)} take more than {LIMIT:.0f} s; all: {sum(one['whole'] for one in found.values()):.1f} s"
    )
    if options.json:
        with open(options.json, "w") as file:
            json.dump(found, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
