"""Try every row in every mode against differences: ``python -m tests.operations.probe``.

A row passes in a mode when the derivative with respect to every one of its arguments agrees with
central differences.  The table counts the rows; ``--list`` names those that do not pass and why;
``--update`` writes the outcome of every row beside the list, from which the documents are made.
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
import multiprocessing
import os
import signal
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from .inputs import complexified, constants, directions, inputs
from .rows import HERE, Row, program, rows, weights

__all__ = ["MODES", "main", "outcome"]

MODES = ("reverse", "forward", "second", "complex")
SECONDS = 60


# -- one row ---------------------------------------------------------------------------


def outcome(row: Row, modes: tuple[str, ...] = MODES) -> dict[str, str]:
    """What becomes of the row: for each mode ``yes``, ``taped``, ``absent``, ``refused: ...`` or worse."""
    found = {}
    for mode in modes:
        if mode == "complex" and not row.complex:
            found[mode] = ""
        elif mode != "reverse" and found.get("reverse", "yes").startswith(
            ("refused", "absent", "no")
        ):
            found[mode] = found["reverse"]
        else:
            found[mode] = limited(lambda mode=mode: tried(row, mode))
    return found


def limited(work: Callable[[], str]) -> str:
    def late(*_: Any) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        return work()
    except TimeoutError:
        return f"no: more than {SECONDS} s"
    finally:
        signal.alarm(0)


def tried(row: Row, mode: str) -> str:
    given = {name: value for name, value in inputs().items() if name in row.arguments}
    if mode == "complex":
        given = complexified(given)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            module = loaded(row, given)
        except (AttributeError, ImportError, NameError) as error:
            return f"absent: {error}"
        return judged(row, module, given, mode)


def judged(row: Row, module: Any, given: dict[str, Any], mode: str) -> str:
    import retrograd as rg
    from tests.verdicts import is_refusal

    refusal = ""
    for strict in (True, False):
        try:
            wrong = CHECKS[mode](rg.differentiate(module.total, strict=strict), module, given)
        except TimeoutError:
            raise
        except Exception as error:
            if not is_refusal(error):
                return f"no: {type(error).__name__}: {short(error)}"
            refusal = refusal or short(error)
            continue
        if wrong:
            return f"WRONG: {wrong}"
        return "yes" if strict else "taped"
    return f"refused: {refusal}"


def short(error: Exception) -> str:
    lines = str(getattr(error, "reason", "") or error).strip().splitlines()
    return lines[0][:160] if lines else type(error).__name__


def loaded(row: Row, given: dict[str, Any]) -> Any:
    """The row's module, with a source that can be found, and its weights."""
    value = direct(row, given)
    folder = tempfile.mkdtemp(prefix="probe_")
    path = Path(folder) / "row.py"
    path.write_text(program(row, value))
    spec = importlib.util.spec_from_file_location("row", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    vars(module).update({k: v for k, v in constants().items() if k in row.globals})
    vars(module)["WEIGHTS"] = weights(value)
    vars(module)["TOLERANCE"] = 1e-3 if "float32" in row.expression else 2e-6
    spec.loader.exec_module(module)
    return module


def direct(row: Row, given: dict[str, Any]) -> Any:
    named = {**constants(), **copies(given)}
    exec(f"def f():\n{row.body}\n", named)
    return named["f"]()


def copies(given: dict[str, Any]) -> dict[str, Any]:
    return {name: np.array(value) if np.ndim(value) else value for name, value in given.items()}


# -- the checks: "" or what is wrong ---------------------------------------------------


def check_reverse(f: Any, module: Any, given: dict[str, Any]) -> str:
    import retrograd as rg

    bars = gradients(rg.grad(f, wrt=tuple(given)), given)
    ways = directions(3, given)
    for name in given:
        slope = difference(module.total, given, {name: ways[name]})
        ours = pairing(bars[name], ways[name])
        if not close(module, ours, slope):
            return f"d/d{name} is {ours:.8g}, differences {slope:.8g}"
    return ""


def check_forward(f: Any, module: Any, given: dict[str, Any]) -> str:
    import retrograd as rg

    ways = directions(4, given)
    for name in given:
        dots = [ways[n] if n == name else np.zeros_like(v)[()] for n, v in given.items()]
        ours = rg.jvp(f, list(copies(given).values()), dots)[1]
        slope = difference(module.total, given, {name: ways[name]})
        if not close(module, ours, slope):
            return f"along {name} is {ours:.8g}, differences {slope:.8g}"
    return ""


def check_second(f: Any, module: Any, given: dict[str, Any]) -> str:
    """The gradient's own tangent and gradient, against differences of the gradient."""
    import retrograd as rg

    g = rg.grad(f, wrt=tuple(given))
    ways = directions(6, given)
    names = list(given)
    dots = [ways[n] for n in names]
    forward = rg.jvp(g, list(copies(given).values()), dots)[1]
    forward = dict(zip(names, forward if len(names) > 1 else [forward], strict=True))
    for name in names:
        slope = difference(
            lambda *a, n=name: pairing(
                gradients(g, dict(zip(names, a, strict=True)))[n], weight(n, given)
            ),
            given,
            ways,
        )
        ours = pairing(forward[name], weight(name, given))
        if not close(module, ours, slope):
            return f"second derivative of {name} is {ours:.8g}, differences {slope:.8g}"
    backward = rg.hvp(
        f,
        list(copies(given).values()),
        dots if len(dots) > 1 else dots[0],
        wrt=tuple(names) if len(dots) > 1 else names[0],
    )
    backward = dict(zip(names, backward if len(names) > 1 else [backward], strict=True))
    for name in names:
        ours, other = (
            pairing(backward[name], weight(name, given)),
            pairing(forward[name], weight(name, given)),
        )
        if not close(module, ours, other):
            return f"hvp of {name} is {ours:.8g}, forward over reverse {other:.8g}"
    return ""


def check_complex(f: Any, module: Any, given: dict[str, Any]) -> str:
    return check_reverse(f, module, given) or check_forward(f, module, given)


CHECKS = {
    "reverse": check_reverse,
    "forward": check_forward,
    "second": check_second,
    "complex": check_complex,
}


def weight(name: str, given: dict[str, Any]) -> Any:
    return directions(8, given)[name]


def gradients(g: Any, given: dict[str, Any]) -> dict[str, Any]:
    bars = g(*copies(given).values())
    return dict(zip(given, bars if isinstance(bars, tuple) else [bars], strict=True))


def pairing(bar: Any, way: Any) -> float:
    """The change of a real function with this gradient along ``way``; NaN holes do not count."""
    product = np.conj(np.asarray(bar)) * way
    return float(np.real(np.sum(product)))


def difference(total: Callable[..., Any], given: dict[str, Any], ways: dict[str, Any]) -> float:
    """The slope of ``total`` along ``ways``: central differences of two steps, extrapolated."""

    def at(h: float) -> float:
        moved = copies(given)
        for name, way in ways.items():
            moved[name] = moved[name] + h * way
        return float(total(*moved.values()))

    def slope(h: float) -> float:
        return (at(h) - at(-h)) / (2 * h)

    h = 1e-3
    return (slope(h / 2) * 16 * 4 - slope(h) * 4 * 5 + slope(2 * h)) / 45


def close(module: Any, ours: Any, slope: float) -> bool:
    return bool(np.isfinite(ours)) and abs(ours - slope) <= module.TOLERANCE * max(1.0, abs(slope))


# -- all rows ---------------------------------------------------------------------------


def main() -> int:
    """Probe, print the table, list what does not pass."""
    asked = arguments()
    chosen = [row for row in rows() if matches(row, asked)]
    with multiprocessing.Pool(asked.jobs, prepared, maxtasksperchild=100) as pool:
        found = list(pool.imap(outcome, chosen, chunksize=4))
    pairs = list(zip(chosen, found, strict=True))
    for line in table(pairs):
        print(line)
    if asked.list:
        for line in failures(pairs):
            print(line)
    if asked.update:
        write(pairs)
    return 1 if any("WRONG" in text for _, out in pairs for text in out.values()) else 0


def arguments() -> Any:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "names", nargs="*", help="rows whose name or expression contains one of these"
    )
    parser.add_argument("--kind", default="", help="rows of these kinds, with commas")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true", help="name the rows that do not pass")
    parser.add_argument("--update", action="store_true", help="write the outcome of every row")
    return parser.parse_args()


def matches(row: Row, asked: Any) -> bool:
    kinds = asked.kind.split(",") if asked.kind else [row.kind]
    return row.kind in kinds and (
        not asked.names or any(name in row.name or name in row.expression for name in asked.names)
    )


def prepared() -> None:
    os.environ["RETROGRAD_CACHE"] = tempfile.mkdtemp(prefix="probe_cache_")


def passes(row: Row, text: str) -> bool:
    """Whether an outcome is what is wanted; what has no derivative may be refused."""
    return text in ("yes", "taped") or (row.kind == "nondiff" and text.startswith("refused"))


def table(pairs: list[tuple[Row, dict[str, str]]]) -> Iterator[str]:
    """The counts, as the documents print them."""
    yield f"{'':<34}" + "".join(f"{mode:>14}" for mode in MODES)
    smooth = [(row, out) for row, out in pairs if row.kind != "nondiff"]
    groups: dict[str, list[tuple[Row, dict[str, str]]]] = {
        "rows": smooth,
        **{f"priority {k}": [p for p in smooth if p[0].priority == k] for k in (1, 2, 3)},
        **{
            kind: [p for p in pairs if p[0].kind == kind]
            for kind in dict.fromkeys(r.kind for r, _ in pairs)
        },
    }
    for title, group in groups.items():
        yield f"{title:<34}" + "".join(f"{count(group, mode):>14}" for mode in MODES)
    yield f"{'np functions':<34}" + "".join(f"{distinct(smooth, mode):>14}" for mode in MODES[:3])


def count(group: list[tuple[Row, dict[str, str]]], mode: str) -> str:
    asked = [passes(row, out[mode]) for row, out in group if out[mode]]
    return f"{sum(asked)}/{len(asked)}"


def distinct(pairs: list[tuple[Row, dict[str, str]]], mode: str) -> str:
    functions: dict[str, bool] = {}
    for row, out in pairs:
        if row.name.startswith("np."):
            functions[row.function] = functions.get(row.function, True) and passes(row, out[mode])
    return f"{sum(functions.values())}/{len(functions)}"


def failures(pairs: list[tuple[Row, dict[str, str]]]) -> Iterator[str]:
    for row, out in pairs:
        bad = {mode: text for mode, text in out.items() if text and not passes(row, text)}
        if bad:
            said = "; ".join(f"{mode}: {text}" for mode, text in bad.items())
            if len(set(bad.values())) == 1:
                said = f"{'/'.join(bad)}: {next(iter(bad.values()))}"
            yield f"[{row.kind} {row.priority}] {row.expression!r}  {said}"


def write(pairs: list[tuple[Row, dict[str, str]]]) -> None:
    with (HERE / "outcomes.csv").open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["name", *MODES])
        out.writerows([row.name, *(found[mode] for mode in MODES)] for row, found in pairs)


if __name__ == "__main__":
    raise SystemExit(main())
