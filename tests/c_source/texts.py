"""C files that are kept as they are to be read: ``python -m tests.c_source.texts`` writes them anew."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
from pathlib import Path

from retrograd.cli.main import main

__all__ = ["ASKED", "FOLDER", "written"]

HERE = Path(__file__).parent
FOLDER = HERE / "texts"
ASKED = {
    "loss_grad": ("loss", ["--sig", "w: f8[d], x: f8[n, d], y: f8[n]"]),
    "kalman_grad": ("log_likelihood", ["--value", "--sig", "q: float, ys: f8[10, 1]"]),
    "swing_up_grad": (
        "swing_up",
        ["--value", "--sig", "torque: f8[20], angle: float, speed: float, h: float"],
    ),
    "cooled_grad": ("cooled", ["--wrt", "u,k", "--sig", "u: f8[n], k: float, steps: int"]),
}


def written(stem: str, folder: Path) -> tuple[str, str]:
    """The C file and the header, as the command line writes them into a folder."""
    function, options = ASKED[stem]
    before = Path.cwd()
    words = [
        "grad",
        f"models.py:{function}",
        *options,
        "--language",
        "c",
        "-o",
        str(folder / f"{stem}.c"),
    ]
    os.chdir(HERE)
    try:
        with contextlib.redirect_stderr(io.StringIO()) as said:
            code = main(words)
    finally:
        os.chdir(before)
    assert code == 0, said.getvalue()
    return tuple(
        (folder / f"{stem}.{end}").read_text().replace(str(folder) + "/", "") for end in "ch"
    )  # type: ignore[return-value]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in ASKED:
        with tempfile.TemporaryDirectory() as place:
            source, header = written(name, Path(place))
        (FOLDER / f"{name}.c").write_text(source)
        (FOLDER / f"{name}.h").write_text(header)
        print(f"{name}.c, {name}.h", file=sys.stderr)
