"""Try many programs; print what differs, each kind shrunk once.

They run in a process of their own: some end it (PyTorch reads where nothing is), and the next one goes on behind them.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from .compare import difference, program, shrunk
from .programs import START

FOUND = 1  # the exit status of a process that found differences


def main() -> int:
    asked = arguments()
    if asked.progress is not None:
        return tried(asked)
    end, first, last = time.monotonic() + asked.seconds, asked.seed, asked.seed + asked.count
    failed, ended = False, []
    with tempfile.TemporaryDirectory() as folder:
        progress = Path(folder, "progress")
        while first < last:
            progress.write_text(str(first))
            rest = [
                f"--seed={first}",
                f"--count={last - first}",
                f"--seconds={end - time.monotonic()}",
            ]
            flags = [f"--{name}" for name in ("all", "rich") if getattr(asked, name)]
            command = [
                sys.executable,
                "-m",
                "tests.fuzz.eager",
                *rest,
                *flags,
                f"--progress={progress}",
            ]
            status = subprocess.run(command).returncode
            failed |= status == FOUND
            reached = int(progress.read_text())
            if status >= 0:
                break
            print(f"seed {reached}: the process was ended by signal {-status}", flush=True)
            ended.append(reached)
            first = reached + 1
    if ended:
        print(f"{len(ended)} programs ended their process: {ended}")
    return FOUND if failed else 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--all", action="store_true", help="print every difference")
    parser.add_argument("--rich", action="store_true", help="more functions, types, views of views")
    parser.add_argument(
        "--seconds", type=float, default=float("inf"), help="begin none after that time"
    )
    parser.add_argument(
        "--progress", type=Path, help=argparse.SUPPRESS
    )  # where a process notes its seed
    return parser.parse_args()


def tried(asked: argparse.Namespace) -> int:
    """Try these programs here; the status says whether any differs."""
    end, count = time.monotonic() + asked.seconds, 0
    kinds: Counter[str] = Counter()
    failed = 0
    with open(asked.progress, "r+b", buffering=0) as progress:
        for seed in range(asked.seed, asked.seed + asked.count):
            if time.monotonic() > end:
                break
            progress.seek(0)
            progress.write(b"%d" % seed)
            count += 1
            statements = program(seed, asked.rich)
            found = difference(statements)
            if found is None:
                continue
            failed += 1
            key = f"{found.kind}: {re.sub(r'x[0-9]+', 'x', found.statement)}"
            kinds[key] += 1
            if kinds[key] == 1 or asked.all:
                fewer = shrunk(statements)
                print(f"seed {seed}: {difference(fewer)}", *fewer, "", sep="\n", flush=True)
    print(f"{count} programs of {START} tensors and more: {failed} differ", flush=True)
    return FOUND if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
