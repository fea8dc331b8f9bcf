"""Golden texts of another commit beside those of the working tree: time per call, in turns.

    python -m benchmarks.golden_texts COMMIT [NAME ...] [--rounds N]

Without names: those whose text differs.  A ratio is that of the medians, above 1 where the text of today is faster;
arguments are those of the golden file, or larger ones where those only show the cost of a call.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["main"]

FOLDER = Path("tests/golden")
MARK = "\n# output\n"
SAMPLE_SECONDS = 0.005
LARGER: dict[str, Callable[[], tuple[Any, ...]]] = {
    # one pair of six is within the cutoff
    "lennard_jones": lambda: (np.random.default_rng(0).random((60, 3)) * 6, 0.8, 0.7, 2.5),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)  # fmt: skip
    parser.add_argument("commit")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--rounds", type=int, default=15)
    asked = parser.parse_args()
    names = asked.names or [path.stem for path in sorted(FOLDER.glob("*.py"))]
    for name in names:
        text, before = (FOLDER / f"{name}.py").read_text(), text_at(asked.commit, name)
        if before is None or (not asked.names and output(before) == output(text)):
            continue
        arguments = LARGER.get(name) or namespace(text)["arguments"]
        contenders = [bound(t, arguments) for t in (before, text)]
        old, new = timed(contenders, asked.rounds)
        print(f"{name:<24} {1e6 * old:10.1f} us {1e6 * new:10.1f} us {old / new:6.2f}")


def text_at(commit: str, name: str) -> str | None:
    command = ["git", "show", f"{commit}:{FOLDER}/{name}.py"]
    shown = subprocess.run(command, capture_output=True, text=True)
    return shown.stdout if shown.returncode == 0 else None


def output(text: str) -> str:
    """The lines of the derivative, without its docstring: that names the version that wrote it."""
    return text.partition(MARK)[2].partition('"""\n')[2]


def namespace(text: str) -> dict[str, Any]:
    made: dict[str, Any] = {}
    exec(text, made)
    return made


def bound(text: str, arguments: Callable[[], tuple[Any, ...]]) -> Callable[[], Any]:
    program = namespace(text.partition(MARK)[0])
    derivative = next(
        value for name, value in namespace(text).items() if name not in program and name.endswith(("_grad", "_jvp"))
    )  # fmt: skip
    given = arguments()
    return lambda: derivative(*given)


def timed(contenders: list[Callable[[], Any]], rounds: int) -> list[float]:
    """Seconds per call: the medians over rounds in which each has its turn."""
    start = time.perf_counter()
    contenders[0]()
    calls = max(1, int(SAMPLE_SECONDS / (time.perf_counter() - start)))
    found: list[list[float]] = [[] for _ in contenders]
    for _ in range(rounds):
        for run, seconds in zip(contenders, found, strict=True):
            start = time.perf_counter()
            for _ in range(calls):
                run()
            seconds.append((time.perf_counter() - start) / calls)
    return [statistics.median(seconds) for seconds in found]


if __name__ == "__main__":
    main()
