"""Try many programs; print what differs, each kind shrunk once."""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter

from .compare import difference, program, shrunk
from .programs import START


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--all", action="store_true", help="print every difference")
    parser.add_argument("--rich", action="store_true", help="more functions, types, views of views")
    parser.add_argument(
        "--seconds", type=float, default=float("inf"), help="begin none after that time"
    )
    asked = parser.parse_args()
    end, tried = time.monotonic() + asked.seconds, 0
    kinds: Counter[str] = Counter()
    failed = 0
    for seed in range(asked.seed, asked.seed + asked.count):
        if time.monotonic() > end:
            break
        tried += 1
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
    print(f"{tried} programs of {START} tensors and more: {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
