"""How long the programs of the gallery take: ``python -m tools.gallery --times``."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["measure"]

ROOT = Path(__file__).resolve().parent.parent


def measure(entry: Any, path: Path) -> None:
    """Measure one program, and enter it in the file of times."""
    times = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    with tempfile.TemporaryDirectory() as cache:
        first, whole = (run(entry.name, cache) for _ in range(2))
    times[entry.name] = {**recorded(entry), "first": round(first, 1), "whole": round(whole, 1)}
    times["machine"] = f"one core of a shared virtual machine, Python {platform.python_version()}"
    ordered = {"machine": times.pop("machine"), **dict(sorted(times.items()))}
    path.write_text(json.dumps(ordered, indent=1) + "\n", encoding="utf-8")


def run(name: str, cache: str) -> float:
    """Seconds of processor time of the program, in a process of its own."""
    environment = {**os.environ, "RETROGRAD_CACHE": cache, "PYTHONPATH": str(ROOT)}
    begin = spent()
    subprocess.run(
        [sys.executable, str(ROOT / "examples" / "gallery" / f"{name}.py")],
        env=environment, check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    return spent() - begin


def spent() -> float:
    now = os.times()
    return now.children_user + now.children_system


def recorded(entry: Any) -> dict[str, Any]:
    """The derivative that the program takes most often, timed on the arguments of its last call."""
    import retrograd as rg

    from .gallery import loaded

    module, seen = loaded(entry.name), {}
    makers = {name: getattr(rg, name) for name in ("grad", "value_and_grad", "jacobian")}

    def watched(name: str) -> Callable[..., Any]:
        def make(f: Any, *options: Any, **named: Any) -> Any:
            made = makers[name](f, *options, **named)

            def call(*args: Any) -> Any:
                seen[name] = f, made, args
                return made(*args)

            return call

        return make

    for name in makers:
        setattr(rg, name, watched(name))
    try:
        module.solve()
    finally:
        for name, maker in makers.items():
            setattr(rg, name, maker)
    name, (f, made, args) = next(iter(seen.items()))
    return {
        "measured": f"rg.{name}({f.__name__})",
        "function": best(lambda: f(*args)),
        "gradient": best(lambda: made(*args)),
    }


def best(call: Callable[[], Any]) -> float:
    """Seconds of processor time of one call: the least of many, or of a few long ones."""
    call()
    taken = [timed(call)]
    for _ in range(max(7, min(300, int(0.4 / max(taken[0], 1e-7))))):
        taken.append(timed(call))
    return float(f"{min(taken):.3g}")


def timed(call: Callable[[], Any]) -> float:
    begin = time.thread_time()
    call()
    return time.thread_time() - begin
