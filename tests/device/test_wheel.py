"""What CuPy itself says of texts for the device, without a device: `tests.device.wheel`, in a process of its own."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys

import pytest

from ..documents import ROOT

# Where CuPy's own function brings something to the host, or a derivative asks what the function asked.
BRINGING = {
    "np.histogram2d", "np.logspace", "rt.slope_at", "scipy.ndimage._measurements.sum", "scipy.stats._stats_py.zmap",
    "scipy.stats._stats_py.zscore",
}  # fmt: skip


@pytest.mark.skipif(importlib.util.find_spec("cupy") is None, reason="CuPy is not installed")
def test_cupy_takes_the_texts() -> None:
    command = [sys.executable, "-m", "tests.device.wheel"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "Counter" in done.stdout, done.stderr
    assert "fails: " not in done.stdout, done.stdout
    bringing = re.findall(r"^(\S+).*brings", done.stdout, re.MULTILINE)
    assert set(bringing) <= {*BRINGING, "value", "forward", "reverse", "Counter({'runs':"}, (
        done.stdout
    )
