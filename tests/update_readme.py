"""Write the emitted blocks of the README anew: ``python -m tests.update_readme``."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"(<!-- emitted: (\S+) -->\n```python\n)(.*?)(```)", re.DOTALL)


def emitted(target: str) -> str:
    """What the command prints for a function."""
    command = [sys.executable, "-m", "retrograd.cli.main", "grad", target]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8", check=True)
    return done.stdout.strip() + "\n"


def updated(text: str) -> str:
    """The README with every block as it is printed now."""
    return BLOCK.sub(lambda found: found[1] + emitted(found[2]) + found[4], text)


def main() -> None:
    """Update the file in place."""
    path = ROOT / "README.md"
    before = path.read_text(encoding="utf-8")
    after = updated(before)
    path.write_text(after, encoding="utf-8")
    print("README.md is up to date" if after == before else "README.md written")


if __name__ == "__main__":
    main()
