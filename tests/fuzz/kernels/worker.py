"""The process that judges programs, one after the other: a line when one begins, a line when it ends.

It is started anew for every hundred of them, and where a kernel has ended it: whoever reads knows at which one.
"""

from __future__ import annotations

import functools
import gc
import json
import os
import sys
import threading
import time
from typing import Any
from unittest import mock

from ..checks import Outcome
from ..shrink import timed
from . import matrices, sanitizers
from .kinds import MATRICES, case_of
from .mistakes import spoilt

__all__ = ["judged", "main", "text_of"]


BEGINS = "#define RG_LIBRARY {}.0"
small = {"to the library": False}  # products too small for it, as every second program has them


def text_of(kind: str, seed: int) -> str:
    return matrices.text_of(seed) if kind == MATRICES else case_of(kind, seed).text


def judged(kind: str, seed: int, backend: str) -> Outcome:
    from .judge import judged as of_case

    small["to the library"] = seed % 2 == 1
    try:
        if kind == MATRICES:
            found: Outcome = timed(lambda: matrices.judged(seed, backend))
        else:
            found = timed(lambda: of_case(case_of(kind, seed), backend))
        return found
    except TimeoutError as error:
        return Outcome("failed", "takes too long", str(error))
    except Exception as error:
        return Outcome("failed", f"the judge fails: {type(error).__name__}: {error}")


def options(level: str, sanitize: bool, mistake: str) -> None:
    """Has the C compiler do less: most of the time is its own. ``O3`` is what everybody gets."""
    from retrograd.compiler.native.c import entry, shared_library, toolchain

    if level != "O3" or sanitize:
        kept = tuple(flag for flag in toolchain.FLAGS if flag != "-O3")
        toolchain.FLAGS = (*kept, f"-{level}", *(sanitizers.FLAGS if sanitize else ()))  # type: ignore[assignment]
        mock.patch.object(toolchain, "spared", return_value=()).start()
    build = toolchain.library_of

    @functools.wraps(build)
    def changed(text: str, *args: Any, **kwargs: Any) -> Any:
        text = spoilt(text, mistake)
        if small["to the library"]:
            assert BEGINS.format(20000) in text
            text = text.replace(BEGINS.format(20000), BEGINS.format(0))
        return build(sanitizers.guarded(text) if sanitize else text, *args, **kwargs)

    mock.patch.object(entry, "library_of", changed).start()
    if sanitize:
        mock.patch.object(
            shared_library, "loaded", return_value=None
        ).start()  # memory by ``malloc``


def ends_with(parent: int) -> None:
    """Ends the process, whatever runs in it, once nobody reads what it says."""
    while os.getppid() == parent:
        time.sleep(5.0)
    os._exit(1)


def main() -> None:
    threading.Thread(target=ends_with, args=(os.getppid(),), daemon=True).start()
    asked: dict[str, Any] = json.loads(sys.argv[1])
    os.dup2(2, 1)  # what a program prints is not read
    os.environ.pop("LD_PRELOAD", None)  # for this process: compilers are not watched
    answer = os.fdopen(os.dup(asked["pipe"]), "w")
    if asked["backend"] == "c":
        options(asked["level"], asked["sanitize"], asked["mistake"])
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)  # a tenth of the time
    seen = 0
    for kind, seed in asked["programs"]:
        print(json.dumps(["begins", kind, seed]), file=answer, flush=True)
        found = judged(kind, seed, asked["backend"])
        if asked["sanitize"]:
            told, seen = sanitizers.findings(asked["said"], seen)
            if told:
                found = Outcome("failed", f"a sanitizer: {told.splitlines()[0][:160]}", told)
        print(json.dumps(["ends", kind, seed, *found]), file=answer, flush=True)


if __name__ == "__main__":
    main()
