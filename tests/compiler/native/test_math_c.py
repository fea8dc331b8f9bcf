"""The inline functions as C: error in ulp, special values, and loops that become vector code."""

from __future__ import annotations

import ctypes
import platform
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrograd.compiler.native.math.to_c import BOUNDS, BOUNDS_F, math_text

from .inline_math import CALLED, NAMES, TWO, arguments, base, check, dtype_of

FLAGS = "-std=gnu11 -O3 -ffp-contract=fast -fno-math-errno -fno-trapping-math -fopenmp-simd".split()
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")


def program(accuracy: str = "inline", names: list[str] = NAMES) -> str:
    """The functions, and for each a loop over arrays."""
    text = ["#include <stdint.h>", math_text(set(names), accuracy)]
    for name in names:
        kind = "double" if name in BOUNDS else "float"
        two = base(name) in TWO
        head = f"{kind} *restrict y, const {kind} *restrict x, const {kind} *restrict z, long n"
        call = f"{name}(x[i], z[i])" if two else f"{name}(x[i])"
        text.append(f"void v_{name}({head}) {{ for (long i = 0; i < n; i++) y[i] = {call}; }}")
    return "\n".join([*text, ""])


def compiled(folder: Path, text: str, *flags: str) -> ctypes.CDLL:
    source, library = folder / "math.c", folder / "math.so"
    source.write_text(text)
    command = [
        str(COMPILER),
        *FLAGS,
        *flags,
        "-fPIC",
        "-shared",
        str(source),
        "-o",
        str(library),
        "-lm",
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return ctypes.CDLL(str(library))


def caller(library: ctypes.CDLL, name: str) -> Callable[..., Any]:
    function = getattr(library, f"v_{name}")

    def call(*inputs: Any) -> Any:
        x, z = inputs[0], inputs[-1]
        y = np.empty_like(x)
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in (y, x, z)]
        function(*pointers, ctypes.c_long(x.size))
        return y

    return call


def native() -> list[str]:
    """The flag for this machine, where the compiler has one."""
    command = [str(COMPILER), "-march=native", "-E", "-x", "c", "/dev/null"]
    known = subprocess.run(command, capture_output=True).returncode == 0
    return ["-march=native"] if known else []


@pytest.fixture(scope="module", params=["native", "plain", "uncontracted"])
def library(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> ctypes.CDLL:
    """For this machine; for any of its kind, where a product and sum may be a call; as written."""
    flags = {"native": native(), "plain": [], "uncontracted": [*native(), "-ffp-contract=off"]}
    return compiled(tmp_path_factory.mktemp("math"), program(), *flags[request.param])


@pytest.mark.sampled(7)
@needs_compiler
@pytest.mark.parametrize("name", NAMES)
def test_within_the_bound(library: ctypes.CDLL, name: str) -> None:
    check(name, caller(library, name)(*arguments(name)))


@needs_compiler
def test_powers_that_are_exact(library: ctypes.CDLL) -> None:
    n = np.arange(1.0, 101.0)
    for power in (2.0, 3.0, 0.5, 1.5, 4.0):
        found = caller(library, "rg_pow")(n**2, np.full_like(n, power))
        np.testing.assert_array_equal(found, (n**2) ** power)


@needs_compiler
def test_strict_is_the_library(tmp_path: Path) -> None:
    text = program("libm")
    assert "#define rg_exp __builtin_exp\n" in text
    assert "#define rg_arctan2f __builtin_atan2f\n" in text
    library = compiled(tmp_path, text)
    x = np.linspace(-3.0, 3.0, 1001)
    np.testing.assert_allclose(caller(library, "rg_tanh")(x), np.tanh(x), rtol=1e-15)
    np.testing.assert_allclose(caller(library, "rg_sigmoid")(x), 1 / (1 + np.exp(-x)), rtol=1e-15)
    sums = caller(library, "rg_logaddexp")(x, -x)
    np.testing.assert_allclose(sums, np.logaddexp(x, -x), rtol=1e-15)
    assert "fma" not in math_text(set(NAMES), "libm")


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the flags are those of x86-64")
@pytest.mark.skipif(
    shutil.which("gcc") is None, reason="only gcc says which loops it has vectorised"
)
@pytest.mark.parametrize("march", ["x86-64-v3", "x86-64-v4"])
def test_loops_become_vector_code(tmp_path: Path, march: str) -> None:
    source = tmp_path / "math.c"
    source.write_text(program())
    command = [
        "gcc",
        *FLAGS,
        f"-march={march}",
        "-fopt-info-vec",
        "-S",
        str(source),
        "-o",
        "/dev/null",
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    if "bad value" in done.stderr:
        pytest.skip(f"this gcc does not know {march}")
    assert done.returncode == 0, done.stderr
    said = [line for line in done.stderr.splitlines() if "loop vectorized" in line]
    lines = {int(line.split(":")[1]) for line in said}
    text = source.read_text().splitlines()
    found = {text[at - 1].split("(")[0].removeprefix("void v_") for at in lines}
    assert found == set(NAMES) - CALLED


def test_text_is_deterministic_and_holds_only_what_is_needed() -> None:
    assert math_text({"rg_tanh", "rg_erf"}) == math_text({"rg_erf", "rg_tanh"})
    assert "rg_erfc_of(" in math_text({"rg_erf"})
    assert "rg_log" not in math_text({"rg_erf"})
    assert math_text(set()).strip() == ""


def test_what_is_not_known_is_an_error() -> None:
    with pytest.raises(KeyError, match="rg_gamma"):
        math_text({"rg_gamma"})
    with pytest.raises(ValueError, match="'inline' or 'libm'"):
        math_text({"rg_exp"}, "fast")


def test_every_function_has_both_widths() -> None:
    assert {f"{name}f" for name in BOUNDS} == set(BOUNDS_F)
    assert {dtype_of(name) for name in BOUNDS_F} == {np.float32}
