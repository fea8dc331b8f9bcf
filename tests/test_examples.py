"""Every example runs by itself, without a warning, is short, and reaches what it set out for."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).resolve().parent.parent / "examples").glob("*.py"))
REACHED = {
    "bratu": r"entries 5998  largest change \d\.\de-1\d\nlargest u = 0\.3289",
    "heat": r"step 400  loss 0\.0000000\d  largest error of k 0\.0\d",
    "equilibrium": r"step 150  mean squared error 0\.00[0-3](.|\n)*residual \de-1[0-9]",
    "gaussian_process": r"prediction at 2\.5: 0\.[56]\d+",
    "logistic_regression": r"step 300  loss 0\.4",
    "mlp": r"step 500  mean squared error 0\.00[0-4]",
    "newton": r"1\.24413  1\.47175 +\d\.\de-(09|1\d)|1\.24413  1\.47175 +0\.0e\+00",
    "rk4": r"step 300  loss 0\.000",
    "rosenbrock": r"to f = \d\.\d+e-(1[2-9]|[2-9]\d)",
    "softmax": r"step 100  cross-entropy 0\.1\d+  accuracy 9\d%",
}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(path: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "RETROGRAD_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, "-W", "error", str(path)]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    assert re.search(REACHED[path.stem], done.stdout), done.stdout


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_is_short_and_needs_numpy_only(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 60
    names = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    assert names - set(sys.stdlib_module_names) <= {"numpy", "retrograd"}
