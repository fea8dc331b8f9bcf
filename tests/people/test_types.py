"""What a type checker says of programs that use the API: right calls, wrong ones, and what an editor shows.

Each line of the table is one of a program; beside it what it is revealed to be, or the code of its error (mypy's, pyright's).
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
from typing import Any, reveal_type
import numpy as np
from numpy.typing import NDArray
import retrograd as rg

Vec = NDArray[np.float64]
w = np.ones(3)

def loss(w: Vec, x: Vec, scale: float = 1.0) -> float:
    return scale * float(np.sum(w * x))

def numpys(w: Vec) -> np.floating[Any]:
    return np.sum(w)

def vector(w: Vec) -> Vec:
    return w

def pair(w: Vec, k: int) -> tuple[float, dict[str, Vec]]:
    return 1.0, {"w": w}

def text(w: Vec) -> str:
    return "a"

@rg.differentiate
def area(r: float, k: float = 2.0) -> float:
    return k * r

@rg.differentiate(wrt="k", backend="c")
def options(r: float, k: float = 2.0) -> float:
    return k * r

class Net:
    @rg.differentiate
    def loss(self, w: Vec, k: int) -> float:
        return 1.0

    @rg.differentiate(wrt="w")
    def named(self, w: Vec) -> float:
        return 1.0

    def plain(self, w: Vec) -> float:
        return 1.0

net = Net()

@rg.custom_gradient
def cube(x: float) -> float:
    return x**3

@cube.vjp
def cube_vjp(c: float, z: float, x: float) -> float:
    return 3 * x * x * c

@rg.custom_gradient(constant=("k",))
def power(x: float, k: int) -> float:
    return x**k

@rg.finite_differences
def measured(x: float) -> float:
    return x

@rg.rule(cube)
def cube_rule(z: Any, x: Any, *, dx: Any) -> Any:
    return 3 * x * x * dx

def g(z: Vec, x: Vec) -> Vec:
    return z + x
"""
LOSS = "(w: Vec, x: Vec, scale: float =) -> "
REVEALED = {
    "rg.grad(loss)": f"{LOSS}Any",
    "rg.grad(loss, argnums=(0, 1))": f"{LOSS}Any",
    "rg.grad(numpys)": "(w: Vec) -> Any",
    "rg.grad(vector)": "(w: Vec) -> Any",
    "rg.grad(rg.grad(loss))": f"{LOSS}Any",
    "rg.grad(pair, has_aux=True)": "(w: Vec, k: int) -> tuple[Any, dict[str, Vec]]",
    "rg.value_and_grad(loss)": f"{LOSS}tuple[float, Any]",
    "rg.value_and_grad(pair, has_aux=True)": "(w: Vec, k: int) -> tuple[tuple[float, dict[str, Vec]], Any]",
    "rg.jacobian(vector)": "(w: Vec) -> Any",
    "rg.jacobian(pair, has_aux=True)": "(w: Vec, k: int) -> tuple[Any, dict[str, Vec]]",
    "rg.hessian(loss)": f"{LOSS}Any",
    "rg.vjp(loss, w, w)": "tuple[float, (Any) -> tuple[Any, ...]]",
    "rg.vjp(pair, w, 2, has_aux=True)": "tuple[float, (Any) -> tuple[Any, ...], dict[str, Vec]]",
    "rg.jvp(loss, (w, w), (w, None))": "tuple[float, float]",
    "rg.jvp(pair, (w, 1), (w, None), has_aux=True)": "tuple[float, float, dict[str, Vec]]",
    "rg.linearize(vector, w)[0]": "Vec",
    "area": "Differentiable[[r: float, k: float =], float]",
    "options": "Differentiable[[r: float, k: float =], float]",
    "area(2.0)": "float",
    "area.grad": "(r: float, k: float =) -> Any",
    "options.grad": "(r: float, k: float =) -> Any",
    "area.value_and_grad": "(r: float, k: float =) -> tuple[float, Any]",
    "area.hessian": "(r: float, k: float =) -> Any",
    "area.vjp(2.0)[0]": "float",
    "area.jvp((2.0,), (1.0,))": "tuple[float, float]",
    "area.source()": "str",
    "rg.grad(area)": "(r: float, k: float =) -> Any",
    "Net.loss": "Differentiable[[self: Net, w: Vec, k: int], float]",
    "net.loss": "BoundDifferentiable[[w: Vec, k: int], float]",
    "net.loss(w, 1)": "float",
    "net.loss.value_and_grad(w, 1)": "tuple[float, Any]",
    "net.named": "BoundDifferentiable[[w: Vec], float]",
    "rg.grad(net.loss)": "(w: Vec, k: int) -> Any",
    "rg.grad(net.plain)": "(w: Vec) -> Any",
    "cube": "Custom[[x: float], float]",
    "power(1.0, 2)": "float",
    "measured": "(x: float) -> float",
    "cube_rule": "(z: Any, x: Any, *, dx: Any) -> Any",
    "rg.checkpoint(loss)": f"{LOSS}float",
    "rg.fixed_point(g, w, w)": "ndarray[tuple[int], dtype[float64]]",
    "rg.root(lambda z: z * z - 2.0, 1.0)": "float",
    "rg.argmin(lambda z: z * z, 1.0)": "float",
    "rg.stop_gradient(2.0)": "float",
}
CALL, KIND = ("call-arg", "reportCallIssue"), ("arg-type", "reportArgumentType")
NAME, NONE = ("attr-defined", "reportAttributeAccessIssue"), ("call-overload", "reportCallIssue")
WRONG = {
    "rg.grad(loss)(w)": CALL,
    "rg.grad(loss)(w, 1)": KIND,
    "rg.grad(loss)(w, w, scale='a')": KIND,
    "rg.grad(loss)(w, w, scal=1.0)": CALL,
    "rg.grad(text)": KIND,
    "rg.grad(pair)": KIND,
    "rg.grad(loss, has_aux=True)": ("call-overload", "reportArgumentType"),
    "rg.grad(3)": ("call-overload", "reportArgumentType"),
    "rg.grad(loss, wtr=1)": NONE,
    "rg.value_and_grad(text)": ("type-var", "reportArgumentType"),
    "rg.value_and_grad(loss)('a', w)": KIND,
    "rg.hessian(text)": KIND,
    "rg.hessian(loss)(w)": CALL,
    "rg.jacobian(vector)()": CALL,
    "rg.jacobian(vector)('a')": KIND,
    "rg.jvp(loss, 1.0, (w,))": ("call-overload", "reportArgumentType"),
    "area('x')": KIND,
    "area()": CALL,
    "area.grad('x')": KIND,
    "area.hessian(1.0, 2.0, 3.0)": CALL,
    "area.gard(2.0)": NAME,
    "net.loss('a', 1)": KIND,
    "net.loss.grad(w)": CALL,
    "net.loss.garden": NAME,
    "cube('a')": KIND,
    "power(2.0)": CALL,
    "measured('a')": KIND,
    "rg.checkpoint(loss)(w)": CALL,
    "rg.differentiate(3)": ("call-overload", "reportArgumentType"),
}


def program() -> str:
    lines = [f"reveal_type({line})" for line in REVEALED]
    return PROGRAM + "\n".join([*lines, *WRONG, ""])


def spoken(kind: str) -> str:
    """A type in the words of both checkers."""
    kind = re.sub(r"\b(numpy|builtins|retrograd\.[\w.]+|user)\.(?=\w)", "", kind)
    kind = re.sub(r"ndarray\[(tuple\[Any, \.\.\.\]|_AnyShape), dtype\[float64\]\]", "Vec", kind)
    kind = re.sub(r"= [^,)\]]+", "=", kind).replace("def (", "(").replace("NDArray[float64]", "Vec")
    kind = kind.replace("Differentiable[(", "Differentiable[[").replace("Custom[(", "Custom[[")
    return kind.replace("), float]", "], float]")


def compared(found: dict[int, list[tuple[str, str]]], which: int) -> None:
    """What is said of each line, against the table: ``(code, text)``, a revelation having no code."""
    first = program().count("\n") - len(REVEALED) - len(WRONG) + 1
    wrong = []
    for k, (line, wanted) in enumerate(REVEALED.items()):
        said = [spoken(text) if not code else code for code, text in found.pop(first + k, [])]
        wrong += [] if said == [wanted] else [f"{line}: {said}, not {wanted}"]
    for k, (line, codes) in enumerate(WRONG.items(), len(REVEALED)):
        said = [code for code, _ in found.pop(first + k, [])]
        wrong += [] if codes[which] in said else [f"{line}: {said}, not {codes[which]}"]
    assert not wrong, "\n".join(wrong)
    assert found == {}, "the program itself is right"


def run(command: list[str], folder: Path) -> str:
    (folder / "user.py").write_text(program(), encoding="utf-8")
    known = {**os.environ, "MYPYPATH": str(ROOT), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=known)
    return done.stdout


def test_mypy(tmp_path: Path) -> None:
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    options = ["--strict", "--follow-imports=silent", f"--cache-dir={ROOT / '.mypy_cache'}"]
    said = run([sys.executable, "-m", "mypy", *options, "user.py"], tmp_path)
    found: dict[int, list[tuple[str, str]]] = {}
    for line, kind, text in re.findall(r"^user\.py:(\d+): (error|note): (.*)$", said, re.M):
        revealed = re.fullmatch(r'Revealed type is "(.*)"', text)
        code = re.search(r"\[([\w-]+)\]$", text)
        if kind == "error":
            found.setdefault(int(line), []).append((code[1] if code else "?", text))
        elif revealed:
            found.setdefault(int(line), []).append(("", revealed[1]))
    assert found, said
    compared(found, 0)


def test_pyright(tmp_path: Path) -> None:
    checker = next((c for c in ("basedpyright", "pyright") if shutil.which(c, path=places())), None)
    if checker is None:
        pytest.skip("neither basedpyright nor pyright is installed")
    settings = {"include": ["user.py"], "extraPaths": [str(ROOT)], "typeCheckingMode": "standard"}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    where = str(shutil.which(checker, path=places()))
    said = json.loads(run([where, "--outputjson", "--pythonpath", sys.executable], tmp_path))
    found: dict[int, list[tuple[str, str]]] = {}
    for one in said["generalDiagnostics"]:
        line = one["range"]["start"]["line"] + 1
        revealed = re.fullmatch(r'Type of ".*" is "(.*)"', one["message"], re.S)
        if one["severity"] == "error":
            found.setdefault(line, []).append((one.get("rule", "?"), one["message"]))
        elif revealed:
            found.setdefault(line, []).append(("", revealed[1]))
    compared(found, 1)


def places() -> str:
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
