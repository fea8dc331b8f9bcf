"""The tool: answers GradBench's messages, a line of JSON each, on stdin and stdout.

python -m benchmarks.gradbench.tool [--backend c|numba]
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, TextIO

__all__ = ["EVALS", "answer", "main"]

EVALS = tuple(Path(__file__).with_name("evals.txt").read_text().split())
PACKAGE = f"{__package__}.evals"


def module_of(name: str) -> ModuleType:
    if name not in EVALS:
        raise LookupError(f"no eval {name!r}: there are {', '.join(EVALS)}")
    return importlib.import_module(f"{PACKAGE}.{name}")


def answer(message: dict[str, Any], backend: str | None) -> dict[str, Any]:
    """What is answered, without its id.

    >>> answer({"id": 0, "kind": "start", "eval": "hello"}, None)
    {'tool': 'retrograd'}
    >>> answer({"id": 1, "kind": "define", "module": "nonsense"}, None)["success"]
    False
    >>> answer({"id": 3, "kind": "analysis", "of": 2, "valid": True}, None)
    {}
    """
    kind = message["kind"]
    if kind == "start":
        return {"tool": f"retrograd-{backend}" if backend else "retrograd"}
    if kind == "define":
        return defined(message["module"])
    if kind == "evaluate":
        return evaluated(message, backend)
    return {}


def defined(name: str) -> dict[str, Any]:
    try:
        module_of(name)
    except LookupError as error:
        return {"success": False, "error": str(error)}
    return {"success": True}


def evaluated(message: dict[str, Any], backend: str | None) -> dict[str, Any]:
    """A failure is an answer, too: the eval goes on with the next message."""
    try:
        function = module_of(message["module"]).FUNCTIONS[message["function"]]
        response: dict[str, Any] = function(message["input"], backend)
    except Exception:
        return {"success": False, "error": traceback.format_exc()}
    return response


def serve(lines: Iterable[str], out: TextIO, backend: str | None) -> None:
    for line in lines:
        message = json.loads(line)
        print(json.dumps({"id": message["id"], **answer(message, backend)}), file=out, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--backend", choices=["c", "numba"], help="NumPy text by default")
    serve(sys.stdin, sys.stdout, parser.parse_args().backend)


if __name__ == "__main__":
    main()
