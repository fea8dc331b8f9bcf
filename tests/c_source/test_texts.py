"""Four C files as they are to be read; `python -m tests.c_source.texts` writes them anew."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from .programs import FLAGS, MAKERS
from .texts import ASKED, FOLDER, written


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize("stem", ASKED)
def test_the_text(stem: str, tmp_path: Path) -> None:
    source, header = written(stem, tmp_path)
    assert source == (FOLDER / f"{stem}.c").read_text()
    assert header == (FOLDER / f"{stem}.h").read_text()


@pytest.mark.parametrize("stem", ASKED)
def test_a_person_can_read_it(stem: str) -> None:
    """No word of the compiler's, no line too long, nothing but the C library."""
    source = (FOLDER / f"{stem}.c").read_text()
    lines = source.partition("*/")[2].splitlines()
    assert not re.search(r"\b(rg_|Py[A-Z])\w*|malloc|goto", source)
    code = [line for line in lines if not line.lstrip().startswith(("//", "/*", "#include"))]
    assert max(map(len, code)) <= 120
    assert all(line == line.rstrip() for line in lines)
    assert source.count("#include <") <= 2


@pytest.mark.skipif(not MAKERS, reason="no C compiler")
@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("stem", ASKED)
def test_it_compiles_without_a_warning(stem: str, maker: str, tmp_path: Path) -> None:
    for level in ("-O0", "-O2"):
        command = [
            maker,
            *FLAGS,
            level,
            "-c",
            str(FOLDER / f"{stem}.c"),
            "-o",
            str(tmp_path / "it.o"),
        ]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


@pytest.mark.skipif(
    "g++" not in [m.replace("gcc", "g++") for m in MAKERS], reason="no C++ compiler"
)
def test_the_headers_are_c_plus_plus_too(tmp_path: Path) -> None:
    text = "".join(f'#include "{FOLDER / stem}.h"\n' for stem in ASKED)
    (tmp_path / "it.cpp").write_text(text)
    done = subprocess.run(
        ["g++", "-Wall", "-c", "it.cpp"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_the_page_shows_what_is_written() -> None:
    page = (Path(__file__).parents[2] / "docs" / "c.md").read_text()
    (shown,) = re.findall(r"^<!-- of (\w+\.c) -->\n```c\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert shown[1] in (FOLDER / shown[0]).read_text()


MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include "loss_grad.h"
#include "cooled_grad.h"
#include "swing_up_grad.h"

int main(void)
{
    double w[2] = {0.1, -0.2}, x[6] = {1, 2, 3, 4, 5, 6}, y[3] = {1, 0, 1}, grad_w[2];
    double *work = malloc(loss_grad_work(3) * sizeof *work);
    if (loss_grad(w, x, y, 2, 3, grad_w, work)) return 1;
    printf("%.17g %.17g\\n", grad_w[0], grad_w[1]);
    free(work);
    double u[5] = {0, 1, 2, 1, 0}, grad_u[5], grad_k;
    work = malloc(cooled_grad_work(4, 5) * sizeof *work);
    if (cooled_grad(u, 0.2, 4, 5, grad_u, &grad_k, work)) return 1;
    printf("%.17g %.17g\\n", grad_u[2], grad_k);
    free(work);
    double torque[20] = {0.5}, value, grad_torque[20];
    if (swing_up_value_and_grad(torque, 0.1, 0.0, 0.1, &value, grad_torque)) return 1;
    printf("%.17g %.17g\\n", value, grad_torque[0]);
    return 0;
}
"""


@pytest.mark.skipif(not MAKERS, reason="no C compiler")
def test_a_program_of_its_own_touches_no_other_memory(tmp_path: Path) -> None:
    """Under the sanitizers, with the workspaces exactly as large as they say."""
    import numpy as np

    import retrograd as rg

    from . import models

    (tmp_path / "main.c").write_text(MAIN)
    files = [str(FOLDER / f"{stem}.c") for stem in ("loss_grad", "cooled_grad", "swing_up_grad")]
    command = [
        MAKERS[0], "-std=c99", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
        f"-I{FOLDER}", "main.c", *files, "-o", "main", "-lm",
    ]  # fmt: skip
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    if "cannot find" in done.stderr:
        pytest.skip("no sanitizers")
    assert done.returncode == 0, done.stderr
    run = subprocess.run(["./main"], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    found = np.array(run.stdout.split(), float)
    w = rg.grad(models.loss)(
        np.array([0.1, -0.2]), np.arange(1.0, 7.0).reshape(3, 2), np.array([1.0, 0.0, 1.0])
    )
    u, k = rg.grad(models.cooled, wrt=["u", "k"])(np.array([0.0, 1, 2, 1, 0]), 0.2, 4)
    value, torque = rg.value_and_grad(models.swing_up)(np.r_[0.5, np.zeros(19)], 0.1, 0.0, 0.1)
    np.testing.assert_allclose(found, [*w, u[2], k, value, torque[0]], rtol=1e-10)
