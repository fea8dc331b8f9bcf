"""Facts about operations have one home: their records."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MOST = 43  # tables of facts, six of them of kernels for the device, three of C files; each that goes lowers it


def test_facts_about_operations_stand_in_their_records() -> None:
    """In a process of its own: what a run remembers by operation is no table of facts."""
    command = [sys.executable, "-m", "tests.traits"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    counted = re.match(r"facts: (\d+)\n", told)
    assert counted is not None
    assert int(counted[1]) <= MOST, told
