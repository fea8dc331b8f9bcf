"""The README shows real output: blocks marked `<!-- emitted: FILE:FUNCTION -->` are compared."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
EMITTED = re.findall(r"<!-- emitted: (\S+) -->\n```python\n(.*?)```", README, re.DOTALL)


def test_the_readme_shows_a_gradient() -> None:
    assert EMITTED
    assert README.count("<!-- emitted: ") == len(EMITTED)


@pytest.mark.parametrize(("target", "text"), EMITTED, ids=[target for target, _ in EMITTED])
def test_emitted_block_is_what_the_command_prints(target: str, text: str) -> None:
    command = [sys.executable, "-m", "retrograd.cli.main", "grad", target]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == text.strip()
