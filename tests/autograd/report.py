"""How much of the surface there is: ``python -m tests.autograd.report``.

Runs the tests of the rows on retrograd, and on PyTorch where it is installed, and names what is missing.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

from .read_closely import CLOSELY, READ_CLOSELY
from .surface import ROWS

HERE = Path(__file__).parent
TOTAL = 366


def rows() -> list[str]:
    return [f"T{k:03}" for k in range(1, TOTAL + 1)]


def outcomes(module: str) -> dict[str, str]:
    """What became of the test of each row: passed, failed, skipped or error."""
    command = [sys.executable, "-m", "pytest", "-v", "--tb=no", "-p", "no:cacheprovider", str(HERE)]
    ran = subprocess.run(
        command, env=os.environ | {"RETROGRAD_SURFACE_OF": module}, capture_output=True, text=True
    )
    names = {test.__name__: row for row, tests in ROWS.items() for test in tests}
    found: dict[str, str] = {}
    for test, outcome in re.findall(r"::(\w+)\S* (PASSED|FAILED|SKIPPED|ERROR)", ran.stdout):
        row = names.get(test)
        if row is not None and found.get(row, "passed") == "passed":
            found[row] = outcome.lower()
    return found


def read_closely() -> list[str]:
    """The rows whose tests were compared with the row sentence by sentence."""
    return [row for row in rows() if row in READ_CLOSELY]


def report(module: str) -> bool:
    """Print the count for one module; whether every row is there."""
    found = outcomes(module)
    passed = [row for row in rows() if found.get(row) == "passed"]
    print(f"{module}: {len(passed)} of {TOTAL} rows pass")
    closely = [row for row in read_closely() if row in passed]
    print(f"  {len(closely)} of them by tests of every sentence of the row")
    for outcome in ("failed", "error", "skipped"):
        names = [row for row in rows() if found.get(row) == outcome]
        if names:
            print(f"  {outcome}: {' '.join(names)}")
    missing = [row for row in rows() if row not in found]
    if missing:
        print(f"  without a test: {' '.join(missing)}")
    return len(passed) == TOTAL


def main() -> int:
    for path in sorted(HERE.glob("test_*.py")):
        import_module(f"{__package__}.{path.stem}")
    print(f"tested sentence by sentence: {', '.join(CLOSELY)}")
    complete = report("retrograd")
    if importlib.util.find_spec("torch") is not None:
        report("torch")
    return 0 if complete else 1


if __name__ == "__main__":
    raise SystemExit(main())
