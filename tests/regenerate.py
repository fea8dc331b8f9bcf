"""Write the outputs of the golden files anew: ``python -m tests.regenerate [--check] [name ...]``."""

from __future__ import annotations

import argparse
import difflib

from .golden_case import Case, cases


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.regenerate", description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail where a file would change"
    )
    parser.add_argument("names", nargs="*", help="golden files without .py (default: all)")
    asked = parser.parse_args()
    known = {case.name: case for case in cases()}
    unknown = sorted(set(asked.names) - set(known))
    if unknown:
        parser.error(f"no golden file called {', '.join(unknown)}")
    stale = [name for name in asked.names or known if changes(known[name], asked.check)]
    return 1 if asked.check and stale else 0


def changes(case: Case, check: bool) -> bool:
    """Whether the file was not as it should be; it is written unless only checked."""
    old, new = case.path.read_text(), case.whole()
    if old == new:
        return False
    name = case.path.name
    print(
        "".join(
            difflib.unified_diff(old.splitlines(True), new.splitlines(True), name, f"{name} (new)")
        )
    )
    if not check:
        case.path.write_text(new)
    return True


if __name__ == "__main__":
    raise SystemExit(main())
