"""One process of the mutation test: ``python -m tests.mutants.trial``; a JSON request a line, a JSON answer a line.

It runs in a copy of the tree, whose files the driver changes between processes.
"""

from __future__ import annotations

import argparse
import contextlib
import cProfile
import importlib
import json
import os
import pickle
import signal
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["main"]

LONG = 20  # seconds for one program


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kinds", default="")
    parser.add_argument("--serve", action="store_true")
    parser.add_argument("--baseline", type=Path)
    parser.add_argument("--trace", type=Path)
    parser.add_argument("--texts", action="store_true")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    sys.setrecursionlimit(3000)
    signal.signal(signal.SIGALRM, late)
    warnings.simplefilter("ignore")
    if given.serve:
        serve()
    elif given.texts:
        from .corpus import rule_texts

        print("\n" + json.dumps(rule_texts()))
    elif given.trace:
        record(given.kinds, given.names, given.baseline, given.trace)
    else:
        print("\n" + json.dumps(trial(given.kinds, given.names, given.baseline)))
    return 0


HEAVY = (
    "numpy.random", "scipy.fft", "scipy.integrate", "scipy.interpolate", "scipy.linalg", "scipy.ndimage",
    "scipy.optimize", "scipy.signal", "scipy.sparse.linalg", "scipy.spatial", "scipy.special", "scipy.stats",
    "gast", "astunparse", "inspect", "ast",
)  # fmt: skip


def serve() -> None:
    """One request a line, each in a child that imports the edited tree; what does not change is there before."""
    for name in HEAVY:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if child == 0:
            sys.dont_write_bytecode = True  # the text of a mutant, under the date of another one
            with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
                found = answered(request)
            Path(request["answer"]).write_text(json.dumps(found))
            os._exit(0)
        wait(child, time.monotonic() + request["seconds"] + 20)
        print("done", flush=True)


def wait(child: int, until: float) -> None:
    """Until it ends; a mutant that swallows its alarm is killed."""
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > until:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return
        time.sleep(0.02)


def answered(request: dict[str, Any]) -> dict[str, str]:
    try:
        signal.alarm(request["seconds"])
        return trial(request["kinds"], request["names"], Path(request["baseline"]))
    except BaseException:  # the tree cannot even be imported, or not in time
        return {"all": "loud"}


def late(*_: Any) -> None:
    raise TimeoutError("too long")


def trial(kinds: str, names: list[str], baseline: Path) -> dict[str, str]:
    """What becomes of these programs: same, caught, loud or silent."""
    from . import corpus

    known = pickle.loads(baseline.read_bytes())
    with tempfile.TemporaryDirectory() as folder:
        found = corpus.programs(kinds, Path(folder))
        return {name: outcome(found[name], known[name]) for name in names}


def outcome(program: Any, known: dict[str, list[Any]]) -> str:
    import retrograd as rg

    from . import corpus

    verdicts = []
    fn, args = program.make()
    for mode, run in (("reverse", corpus.backward), ("forward", corpus.forward)):
        if mode not in known:
            continue
        try:
            with np.errstate(all="ignore"):
                got = run(fn, program.make()[1])
            verdicts.append("same" if equal(got, known[mode]) else "silent")
        except rg.GradientMismatch:
            verdicts.append("caught")
        except Exception:
            verdicts.append("loud")
    return next((v for v in ("silent", "caught", "loud") if v in verdicts), "same")


def equal(got: list[Any], want: list[Any]) -> bool:
    return len(got) == len(want) and all(
        np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=1e-6, atol=1e-9, equal_nan=True)
        for a, b in zip(got, want, strict=True)
    )


# -- the baseline ------------------------------------------------------------------------------------


def record(kinds: str, names: list[str], baseline: Path, trace: Path) -> None:
    """The results of the tree as it is, and which functions each program goes through."""
    import retrograd

    from . import corpus

    root = str(Path(retrograd.__file__).resolve().parent.parent)
    results, touched = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for name, program in corpus.programs(kinds, Path(folder)).items():
            if names and name not in names:
                continue
            profile = cProfile.Profile()
            found = {}
            fn, _ = program.make()
            for mode, run in (("reverse", corpus.backward), ("forward", corpus.forward)):
                signal.alarm(LONG)
                profile.enable()
                try:
                    with np.errstate(all="ignore"):
                        found[mode] = run(fn, program.make()[1])
                except Exception as error:
                    if type(error).__name__ == "GradientMismatch":
                        print(f"false alarm: {name} {mode}: {error}", file=sys.stderr)
                finally:
                    profile.disable()
                    signal.alarm(0)
            if found:
                results[name], touched[name] = found, sorted(functions_of(profile, root))
    baseline.write_bytes(pickle.dumps(results))
    trace.write_text(json.dumps(touched))


def functions_of(profile: cProfile.Profile, root: str) -> set[tuple[str, str]]:
    """The functions of the tree that ran: (file, name)."""
    codes = [entry.code for entry in profile.getstats() if not isinstance(entry.code, str)]
    ours = [code for code in codes if code.co_filename.startswith(root)]
    return {(c.co_filename[len(root) + 1 :].removeprefix("retrograd/"), c.co_name) for c in ours}


if __name__ == "__main__":
    raise SystemExit(main())
