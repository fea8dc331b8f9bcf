"""Nothing is compiled again for the same kinds of arguments, and nothing at all in a second process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

RUN = """
import warnings
import retrograd as rg
from tests.programs import cached_lookups
from tests.sweeps.compiled_once import builds
warnings.simplefilter("ignore")
built = builds()
for name in cached_lookups.NAMES:
    gradient = rg.grad(getattr(cached_lookups, name))
    for what in ("first", "again"):
        built.clear()
        gradient(1.5)
        print(*[f"{what} {name}"] * len(built), sep="\\n", end="\\n" if built else "")
built.clear()
value, pull = rg.vjp(cached_lookups.gives, 1.5)
rg.grad(cached_lookups.whole)(value)
print(*["first object" for _ in built], sep="\\n")
"""
ROOT = Path(__file__).parent.parent.parent


def run(code: list[str], cache: Path) -> list[str]:
    env = os.environ | {"RETROGRAD_CACHE": str(cache), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, *code], cwd=ROOT, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return [line for line in done.stdout.splitlines() if line.startswith(("first", "again"))]


def test_methods_objects_and_containers(tmp_path: Path) -> None:
    """Bound methods of ufuncs, objects of module and local classes, lists: one build each, and none again."""
    first, second = (run(["-c", RUN], tmp_path / "cache") for _ in range(2))
    assert len(first) >= 18
    assert not [line for line in first if line.startswith("again")]
    assert second == []


def test_golden_programs(tmp_path: Path) -> None:
    """A sample: all of them with `python -m tests.sweeps.compiled_once`, twice."""
    command = ["-m", "tests.sweeps.compiled_once", "5", "24"]
    first, second = (run(command, tmp_path / "cache") for _ in range(2))
    assert first
    assert not [line for line in first if line.startswith("again")]
    assert second == []
