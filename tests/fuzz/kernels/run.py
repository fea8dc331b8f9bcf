"""Many programs, a hundred to a process; what ends a process, or takes too long, has failed."""

from __future__ import annotations

import json
import math
import os
import selectors
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from ..checks import Outcome
from . import sanitizers

__all__ = ["Batch", "Found", "outcomes"]

HERE = Path(__file__).parents[3]
PATIENCE = 300.0  # seconds without a word
GROUP = 100


class Batch(NamedTuple):
    """Programs (kind and seed) for one process, and how it compiles them; ``mistake``: one that is put in."""

    programs: list[tuple[str, int]]
    backend: str
    level: str
    sanitize: bool = False
    mistake: str = ""


class Found(NamedTuple):
    kind: str
    seed: int
    backend: str
    level: str
    outcome: Outcome


def outcomes(batches: list[Batch], jobs: int = 1, seconds: float = math.inf) -> Iterator[Found]:
    """What comes of all programs, in the order in which they end; of those that end within ``seconds``."""
    until = time.monotonic() + seconds
    found: list[Found | None] = []
    changed = threading.Condition()

    def put(item: Found | None) -> None:
        with changed:
            found.append(item)
            changed.notify()

    def work() -> None:
        try:
            with ThreadPoolExecutor(jobs) as pool:
                list(pool.map(lambda batch: whole(batch, put, until), batches))
        finally:
            put(None)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    while True:
        with changed:
            changed.wait_for(lambda: bool(found))
            item = found.pop(0)
        if item is None:
            return
        yield item


def whole(batch: Batch, put: Callable[[Found], None], until: float) -> None:
    """All programs of a batch, in as many processes as it takes."""
    left = batch.programs
    while left and time.monotonic() < until:
        folder = tempfile.mkdtemp(prefix="fuzz_kernels_")
        try:
            done, why = process(batch._replace(programs=left), folder, put, until)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        left = left[done:]
        if left and time.monotonic() < until:  # the process has ended at the first of them
            kind, seed = left[0]
            put(Found(kind, seed, batch.backend, batch.level, Outcome("failed", *why)))
            left = left[1:]


def process(
    batch: Batch, folder: str, put: Callable[[Found], None], until: float
) -> tuple[int, tuple[str, str]]:
    """How many programs a process has judged, and why it judged no more."""
    read, write = os.pipe()
    said = Path(folder, "said")
    asked = {**batch._asdict(), "pipe": write, "said": str(said)}
    variables = {
        **os.environ, "RETROGRAD_CACHE": os.path.join(folder, "cache"), "RETROGRAD_VERIFY": "1", "RETROGRAD_CHECK": "none",
        "RETROGRAD_FALLBACK": "calls", "PYTHONPATH": str(HERE), "TMPDIR": folder, "RETROGRAD_QUIET": "1", "OPENBLAS_NUM_THREADS": "1",
        **(sanitizers.environment() if batch.sanitize else {}),
    }  # fmt: skip
    with said.open("w") as errors:
        child = subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.kernels.worker", json.dumps(asked)],
            cwd=HERE, env=variables, pass_fds=[write], stdin=subprocess.DEVNULL, stdout=errors, stderr=errors,
        )  # fmt: skip
    os.close(write)
    done, late = 0, False
    try:
        for line in lines_of(read):
            if line is None:
                late = True
                break
            what, kind, seed, *rest = json.loads(line)
            if what == "ends":
                done += 1
                put(Found(kind, seed, batch.backend, batch.level, Outcome(*rest)))
            if time.monotonic() > until:
                break
    finally:
        os.close(read)
        if late or (child.poll() is None and done < len(batch.programs)):
            child.kill()
        code = child.wait()
    told = sanitizers.findings(str(said))[0] if batch.sanitize else ""
    what = "takes too long" if late else f"ends the process ({code})"
    return done, (what, told or said.read_text(errors="replace")[-3000:])


def lines_of(pipe: int) -> Iterator[Any]:
    """The lines that are written to a pipe; None, at last, if there is none for too long."""
    with selectors.DefaultSelector() as waiting:
        waiting.register(pipe, selectors.EVENT_READ)
        rest = b""
        while True:
            if not waiting.select(PATIENCE):
                yield None
                return
            more = os.read(pipe, 65536)
            if not more:
                return
            *lines, rest = (rest + more).split(b"\n")
            yield from lines
