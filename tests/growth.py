"""How the compiler's time and text grow with a program: ``python -m tests.growth [--sizes 50,100,200]``.

Each kind of program is made of ``n`` parts of one sort: terms, branches, calls, loops, names.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import retrograd as rg
from tests.written import written

__all__ = ["PROGRAMS", "arguments_of", "made"]

DEEPEST = 180  # brackets in brackets that Python itself reads


def program(text: str, parameters: str = "x, y") -> str:
    return f"def f({parameters}):\n" + "".join(f"    {line}\n" for line in text.splitlines())


def joined(n: int, part: Callable[[int], str], by: str = "\n") -> str:
    return by.join(map(part, range(n)))


def terms(n: int) -> str:
    kinds = ("{k}.5 * np.sin({a}.0 * x + y)", "x * y * {k}.25")
    return program("return " + joined(n, lambda k: kinds[k % 2].format(k=k, a=k % 7), " + "))


def calls_in_calls(n: int) -> str:
    n = min(n, DEEPEST)
    return program("return " + "np.sin(" * n + "x * y" + ")" * n)


def brackets(n: int) -> str:
    n = min(n, DEEPEST)
    return program("return " + "(y + 0.5 * " * n + "x" + ")" * n)


def methods(n: int) -> str:
    return program(
        "return (x * y * np.ones(3))" + ".reshape(3, 1).clip(-9.0, 9.0)" * (n // 2) + ".sum()"
    )


def elifs(n: int) -> str:
    rest = joined(n, lambda k: f"elif x > {n - k}.5:\n    z = x * {k}.25 + y")
    return program(f"if x > 1000.0:\n    z = x\n{rest}\nelse:\n    z = y * y * x\nreturn z * z")


def returns(n: int) -> str:
    early = joined(n, lambda k: f"t = x * {k}.5\nif t > 1e9:\n    return t + y")
    return program(f"{early}\nreturn t * y")


def cases(n: int) -> str:
    listed = joined(n, lambda k: f"    case {k}:\n        z = x * {k}.25 + y")
    return program(
        f"k = int(x * {n})\nmatch k:\n{listed}\n    case _:\n        z = x * x * y\nreturn z"
    )


def choices(n: int) -> str:
    return program("return " + joined(n, lambda k: f"x * {k}.5 if x > {n - k} else ", "") + "y * x")


def conditions(n: int) -> str:
    return program("return x * y if " + joined(n, lambda k: f"x > {-k}.5", " and ") + " else y")


def returns_in_a_loop(n: int) -> str:
    early = joined(
        n, lambda k: f"    if x > {k + 9}.5:\n        return x * {k}.25 + y\n    x = x + 0.1 * y"
    )
    return program(f"for i in range(2):\n{early}\nreturn x * y")


def arguments(n: int) -> str:
    total = joined(n, lambda k: f"a{k} * a{k}", " + ")
    return program(f"return {total}", joined(n, lambda k: f"a{k}", ", "))


def helpers(n: int) -> str:
    first = "def h0(x, y):\n    return x * y\n"
    rest = "".join(f"def h{k}(x, y):\n    return np.sin(h{k - 1}(x, y)) + y\n" for k in range(1, n))
    return first + rest + program(f"return h{n - 1}(x, y)")


def names(n: int) -> str:
    body = joined(n, lambda k: f"v{k + 1} = np.cos(v{k}) * y + 0.1 * v{k // 2}")
    return program(f"v0 = x\n{body}\nreturn v{n}")


def sums(n: int) -> str:
    body = joined(n, lambda k: f"z += {k}.5 * np.sin({k % 5} * x + {k % 3} * y)")
    return program(f"z = 0.0\n{body}\nreturn z")


def loops(n: int) -> str:
    body = joined(n, lambda k: f"for i in range(2):\n    z = np.sin(z) + {k}.5 * y")
    return program(f"z = x\n{body}\nreturn z")


def branches(n: int) -> str:
    body = joined(
        n, lambda k: f"if z > {k}.5:\n    z = np.sin(z) + y\nelse:\n    z = np.cos(z) * y"
    )
    return program(f"z = x\n{body}\nreturn z")


def writes(n: int) -> str:
    body = joined(n, lambda k: f"z[{k % 10}] = np.sin(z[{(k + 3) % 10}]) * x + y")
    return program(f"z = np.zeros(10)\n{body}\nreturn z.sum()")


def calls(n: int) -> str:
    helper = "def g(x, y):\n    for i in range(2):\n        x = np.sin(x) * y\n    return x\n"
    return helper + program("z = x\n" + joined(n, lambda k: "z = g(z, y) + g(y, z)") + "\nreturn z")


def lists(n: int) -> str:
    body = joined(n, lambda k: f"z.append(np.sin(x * {k}.5) + y)")
    return program(f"z = []\n{body}\nreturn sum(z)")


PROGRAMS: dict[str, Callable[[int], str]] = {
    made.__name__: made
    for made in (
        terms, calls_in_calls, brackets, methods, elifs, returns, cases, choices, conditions,
        returns_in_a_loop, arguments, helpers, names, sums, loops, branches, writes, calls, lists,
    )
}  # fmt: skip


def made(kind: str, n: int) -> Any:
    """The function of a program, with a source that can be read."""
    return written(PROGRAMS[kind](n))


def arguments_of(kind: str, n: int) -> tuple[float, ...]:
    return tuple(0.5 + k / n for k in range(n)) if kind == "arguments" else (1.34, 0.7)


def seconds(kind: str, n: int) -> float:
    f, args = made(kind, n), arguments_of(kind, n)
    start = time.process_time()
    rg.value_and_grad(f, tuple(range(len(args))))(*args)
    return time.process_time() - start


def main() -> None:
    """Seconds of the first call by size, and the exponent of the growth."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="50,100,200,400")
    parser.add_argument("kinds", nargs="*", default=[])
    asked = parser.parse_args()
    sizes = [int(n) for n in asked.sizes.split(",")]
    seconds("terms", 5)  # imports
    print(f"{'':18}", *(f"{n:8d}" for n in sizes), "exponent")
    for kind in asked.kinds or PROGRAMS:
        took = [seconds(kind, n) for n in sizes]
        exponent = np.polyfit(np.log(sizes), np.log(took), 1)[0]
        print(f"{kind:18}", *(f"{t:8.2f}" for t in took), f"{exponent:8.2f}", flush=True)


if __name__ == "__main__":
    main()
