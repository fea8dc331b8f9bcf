"""The dtypes of every row's values and derivatives: ``python -m tests.operations.dtypes [NAME ...]``.

A value has the dtype that NumPy gives it, a tangent that of the value it belongs to, the gradient of an argument that of
the argument; that of a Python float is a float.  Each row is tried in single and in double precision, in complex numbers
where it takes them, compiled and on the tape, and behind a loop, which carries adjoints.
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import retrograd as rg
from retrograd.runtime.tape.calls import pushed, taped
from tests.verdicts import is_refusal

from .inputs import complexified, constants, inputs
from .probe import direct
from .rows import Row, leaves, rows, weights

__all__ = ["EXCEPTIONS", "KINDS", "WAYS", "tried"]

EXCEPTIONS = {
    "math.dist((s,0.0),(s2,1.0))": "its form is an operation on arrays, whose tangent is a NumPy scalar",
    "sl.norm(v)": "gives a Python float, and NumPy's norm a NumPy scalar",
    "si.quad(lambda t: np.sin(s*t),0.,1.)[0]": "its program gives a NumPy scalar for a Python float",
    "si.simpson(y5,x=x5)": "SciPy computes with float64 differences of the places; its program does not",
    "ssd.euclidean(b,u)": "its program gives a NumPy scalar for a Python float",
    "str_.from_rotvec(b).as_matrix()": "SciPy computes rotations in float64; its program as it is given them",
}  # values and tangents; gradients have none
KINDS = {"float32": np.float32, "float64": np.float64, "complex64": np.complex64}


def arguments(row: Row, kind: str) -> dict[str, Any]:
    """The inputs of a row in a precision; its Python numbers are what they are."""
    given = {name: value for name, value in inputs().items() if name in row.arguments}
    if kind.startswith("complex"):
        given = complexified(given)
    return {n: np.asarray(v, kind) if np.ndim(v) else v for n, v in given.items()}


def looped(row: Row) -> Row:
    """The row behind a loop that leaves its arguments as they are."""
    names = row.arguments
    inner = "".join(f"        {name} = 2 * (0.5 * {name})\n" for name in names)
    body = row.body.strip()
    return replace(row, expression=f"for _ in range(2):\n{inner}    {body}")


def wanted(row: Row, given: dict[str, Any]) -> Any:
    """What NumPy gives, or None where it does not take these arguments."""
    try:
        return direct(row, given)
    except Exception:  # whatever NumPy does not take
        return None


def module_of(row: Row, value: Any) -> Any:
    from .rows import program

    path = Path(tempfile.mkdtemp(prefix="dtypes_")) / "row.py"
    path.write_text(program(row, value))
    spec = importlib.util.spec_from_file_location("row", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    vars(module).update({k: v for k, v in constants().items() if k in row.globals})
    floats = [leaf for _, leaf in leaves(value) if np.asarray(leaf).dtype.kind in "fc"]
    vars(module)["WEIGHTS"] = [
        np.asarray(c, np.asarray(y).dtype)[()] for c, y in zip(weights(value), floats, strict=True)
    ]
    spec.loader.exec_module(module)
    return module


def kind_of(x: Any) -> str:
    """The dtype of an array, the class of a Python number."""
    if isinstance(x, np.ndarray | np.generic):
        return x.dtype.name
    return type(x).__name__


def kinds_of(tree: Any) -> list[str]:
    """Of what can carry a derivative."""
    found = [leaf for _, leaf in leaves(tree)]
    return [kind_of(leaf) for leaf in found if np.asarray(leaf).dtype.kind in "fc"]


def compiled_reverse(module: Any, given: dict[str, Any]) -> Any:
    return None, rg.grad(module.total, wrt=tuple(given))(*given.values())


def taped_reverse(module: Any, given: dict[str, Any]) -> Any:
    value, pull = taped(module.total, *given.values(), wrt=tuple(range(len(given))))
    bars = pull(np.asarray(1.0, np.asarray(value).dtype)[()])
    return None, bars if len(given) > 1 else (bars,)


def dots(given: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(np.ones_like(v) if np.ndim(v) else type(v)(1.0) for v in given.values())


def compiled_forward(module: Any, given: dict[str, Any]) -> Any:
    return rg.jvp(module.f, tuple(given.values()), dots(given))


def taped_forward(module: Any, given: dict[str, Any]) -> Any:
    return pushed(module.f, dots(given), *given.values())


WAYS: dict[str, Callable[..., Any]] = {
    "reverse": compiled_reverse, "forward": compiled_forward,
    "reverse on the tape": taped_reverse, "forward on the tape": taped_forward,
}  # fmt: skip


def judged(way: str, value: Any, given: dict[str, Any], found: Any) -> str:
    made, derivative = found
    if made is None:
        bars = zip(given.items(), derivative, strict=True)
        wrong = [
            f"{n}: {kind_of(bar)} for {kind_of(x)}"
            for (n, x), bar in bars
            if kind_of(bar) != kind_of(x)
        ]
        return f"gradient {', '.join(wrong)}" if wrong else ""
    if kinds_of(made) != kinds_of(value):
        return f"value {kinds_of(made)} for {kinds_of(value)}"
    if not same_tangents(kinds_of(derivative), kinds_of(value)):
        return f"tangent {kinds_of(derivative)} for {kinds_of(value)}"
    return ""


def same_tangents(found: list[str], value: list[str]) -> bool:
    """Containers of parts without a derivative have zeros in their places, of any kind."""
    return len(found) != len(value) or found == value


def tried(
    row: Row, kinds: Any = tuple(KINDS), ways: Any = tuple(WAYS)
) -> Iterator[tuple[str, str]]:
    """What is wrong, by kind and way ("" where nothing is, "refused" where there is no derivative)."""
    for kind in kinds:
        if kind.startswith("complex") and not row.complex:
            continue
        given = arguments(row, kind)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            value = wanted(row, given) if given else None
            if value is None or not kinds_of(value):
                continue
            module = module_of(row, value)
            for way in ways:
                try:
                    found = WAYS[way](module, given)
                except Exception as error:
                    what = "refused:" if is_refusal(error) else "CRASH"
                    yield f"{kind}, {way}", f"{what} {type(error).__name__}: {error}"
                    continue
                yield f"{kind}, {way}", judged(way, value, given, found)


def main() -> int:
    rg.set_check(None)
    asked = [r for r in rows() if not sys.argv[1:] or any(a in r.expression for a in sys.argv[1:])]
    found: Counter[str] = Counter()
    for row in asked:
        for form in (row, looped(row)):
            for where, wrong in tried(form):
                known = row.expression in EXCEPTIONS and not wrong.startswith(("gradient", "CRASH"))
                if wrong and known:
                    found["known"] += 1
                elif wrong and not wrong.startswith("refused"):
                    found["WRONG"] += 1
                    print(f"{form.expression!r} {where}: {wrong}"[:220], flush=True)
                else:
                    found["refused" if wrong else "right"] += 1
    print(dict(found))
    return 1 if found["WRONG"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
