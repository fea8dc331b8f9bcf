"""What it costs to start: importing, generating a gradient, loading it from the cache.

    python -m benchmarks.latency [--rounds N] [--json FILE] [--programs]

Every sample is a process of its own; a cold one has an empty cache folder, a warm one the cache
that a process before it filled.  Medians over the rounds.  ``--programs``: the first gradient of
programs of several kinds, all imports but NumPy's and the check of a first result included; the least
of the rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.latency_programs import PROGRAMS, Program

__all__ = ["main"]

IMPORT = """
import time, {first}
start = time.perf_counter()
import {module}
print(time.perf_counter() - start)
"""

PROGRAM = '''"""Sixteen statements."""
import numpy as np


def loss(w, v, x, y):
    a = x @ w
    b = np.tanh(a)
    c = b * b
    d = np.exp(-c)
    e = d + a
    f = e / (1 + c)
    g = np.sin(f) * b
    h = np.cos(g) + d
    i = h @ v
    j = np.sqrt(1 + i * i)
    k = np.log(j)
    m = k - np.mean(k)
    n = m * y
    o = np.maximum(n, 0.1 * n)
    p = np.sum(o) + np.sum(v * v)
    return p / y.size
'''

FORMS = (
    "np.tanh({a}) * {b}", "{a} + 0.5 * {b}", "np.sin({a})", "{a} * {b} - {b}", "np.exp(-{a} * {a})",
    "np.where({a} > 0, {a}, 0.1 * {b})", "{a} / (1 + {b} * {b})", "np.sqrt(1 + {a} ** 2)",
)  # fmt: skip


def long_program(statements: int = 200) -> str:
    """A function of so many statements, each of the one before it and of an earlier one."""
    lines = ["s0 = x @ w", "s1 = np.tanh(s0 @ v) * y"]
    for k in range(2, statements - 1):
        form = FORMS[k % len(FORMS)]
        lines.append(f"s{k} = " + form.format(a=f"s{k - 1}", b=f"s{max(1, k - 2 - k % 5)}"))
    lines.append(f"return np.sum(s{statements - 2})")
    body = "".join(f"    {line}\n" for line in lines)
    return f"import numpy as np\n\n\ndef loss(w, v, x, y):\n{body}"


GIVEN = """
rng = np.random.default_rng(0)
given = (rng.normal(size=(4, 5)), rng.normal(size=5), rng.normal(size=(7, 4)), rng.normal(size=7))
start = time.perf_counter()
"""

GENERATE = (
    """
import time
import numpy as np
import retrograd as rg
import retrograd.compiler.pipeline, retrograd.runtime.rules.all_rules
from retrograd.transforms.api import chain_of
from {program} import loss
"""
    + GIVEN
    + """
chain = chain_of(loss).then("grad", (0, 1), False)
chain.text(chain.types(given))
print(time.perf_counter() - start)
"""
)

LOAD = (
    """
import time
import numpy as np
import retrograd as rg
import retrograd.compiler.cache.entries, retrograd.compiler.cache.loader
import retrograd.compiler.frontend.source
import retrograd.transforms.api
from {program} import loss
"""
    + GIVEN
    + """
rg.grad(loss, wrt=(0, 1))(*given)
print(time.perf_counter() - start)
"""
)

FIRST_GRADIENT = """
import time
import numpy as np
import retrograd as rg
from sixteen import loss
rng = np.random.default_rng(0)
given = (rng.normal(size=(4, 5)), rng.normal(size=5), rng.normal(size=(7, 4)), rng.normal(size=7))
start = time.perf_counter()
rg.grad(loss, wrt=(0, 1))(*given)
print(time.perf_counter() - start)
"""

IN_C = """
import time
import numpy as np
rng = np.random.default_rng(0)
given = (rng.normal(size=(4, 5)), rng.normal(size=5), rng.normal(size=(7, 4)), rng.normal(size=7))
start = time.perf_counter()
import retrograd as rg
from sixteen import loss
rg.grad(loss, wrt=(0, 1), backend="c")(*given)
print(time.perf_counter() - start)
"""


OF_PROGRAM = """
import time
import numpy as np
rng = np.random.default_rng(0)
given = ({given})
start = time.perf_counter()
import retrograd as rg
from program import loss
rg.grad(loss, wrt={wrt}, backend={backend!r})(*given)
print(time.perf_counter() - start)
"""


def seconds(code: str, folder: str, cache: str, check: str = "first") -> float:
    """What ``code`` prints, run by a fresh interpreter in ``folder``."""
    environment = {**os.environ, "RETROGRAD_CACHE": cache, "RETROGRAD_CHECK": check}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or ["no message"])[-1])
    return float(done.stdout)


def one_round(folder: str) -> dict[str, float]:
    """One sample of each kind, cold before warm."""
    with tempfile.TemporaryDirectory() as cache:
        run = {
            "import numpy": IMPORT.format(first="sys", module="numpy"),
            "import retrograd, numpy being there": IMPORT.format(first="numpy", module="retrograd"),
            "generate the text of 16 statements, compiler imported": GENERATE.format(
                program="sixteen"
            ),
            "the same of 200 statements": GENERATE.format(program="long"),
            "first gradient, cold cache, imports and all": FIRST_GRADIENT,
            "first gradient, cached by another process, imports and all": FIRST_GRADIENT,
            "load from the cache, face imported": LOAD.format(program="sixteen"),
            "first gradient of 200 statements, face imported": LOAD.format(program="long"),
            "load 200 statements from the cache, face imported": LOAD.format(program="long"),
        }
        if any(map(shutil.which, ("cc", "gcc", "clang"))):
            run["first gradient in C, numpy being there"] = IN_C
            run["the same, compiled by another process"] = IN_C
        found = {name: seconds(code, folder, cache) for name, code in run.items()}
    return found | unchecked(folder)


def unchecked(folder: str) -> dict[str, float]:
    """The first gradient without the check of a first result, cold and warm: what the check costs."""
    with tempfile.TemporaryDirectory() as cache:
        return {
            f"{name}, unchecked": seconds(FIRST_GRADIENT, folder, cache, "none")
            for name in ("first gradient, cold cache", "first gradient, cached by another process")
        }


def of_programs(rounds: int) -> dict[str, float]:
    """By program and back end: the first gradient, cold and warm."""
    backends = ["numpy"] + ["c"] * any(map(shutil.which, ("cc", "gcc", "clang")))
    found: dict[str, float] = {}
    for name, program in PROGRAMS.items():
        for backend in backends:
            code = OF_PROGRAM.format(given=program.given, wrt=program.wrt, backend=backend)
            rounds_made = [one_program(program, code) for _ in range(rounds)]
            for k, kind in enumerate(("cold", "cached")):
                found[f"{name}, {backend}, {kind}"] = min(values[k] for values in rounds_made)
    return found


def one_program(program: Program, code: str) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "program.py").write_text(program.text, encoding="utf-8")
        with tempfile.TemporaryDirectory() as cache:
            return seconds(code, folder, cache), seconds(code, folder, cache)


def measured(rounds: int) -> dict[str, float]:
    """Medians, in seconds; one round before them warms the file system and the bytecode."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "sixteen.py").write_text(PROGRAM, encoding="utf-8")
        (Path(folder) / "long.py").write_text(long_program(), encoding="utf-8")
        one_round(folder)
        samples = [one_round(folder) for _ in range(rounds)]
    return {name: statistics.median(s[name] for s in samples) for name in samples[0]}


def options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.latency", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--programs", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    given = options(arguments)
    try:
        medians = of_programs(given.rounds) if given.programs else measured(given.rounds)
    except RuntimeError as error:
        print(f"latency: {error}")
        return 1
    print("| what | time |\n|---|---:|")
    for name, value in medians.items():
        print(f"| {name} | {value * 1e3:.1f} ms |")
    if given.json:
        given.json.write_text(json.dumps(medians, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
