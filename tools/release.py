"""A release, step by step::

    python -m tools.release bump 0.2.0     the version everywhere, the changelog's heading, all generated texts
    python -m tools.release build          wheel and sdist: built, checked, installed and tried
    python -m tools.release message        the message of the tag: the changelog's section

Nothing is tagged, pushed or uploaded.  ``build`` needs ``pip install ".[release]"``.
"""

from __future__ import annotations

import argparse
import datetime
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

__all__ = ["bumped", "complaints", "main", "section"]

ROOT = Path(__file__).resolve().parent.parent
# Where the version stands, by hand, and how.
PLACES = {
    "retrograd/version.py": r'(?m)^(version = ")([^"]+)(")$',
    "pyproject.toml": r'(?m)^(version = ")([^"]+)(")$',
    "CITATION.cff": r"(?m)^(version: )(\S+)()$",
}
REGENERATE = ["tests.regenerate", "tests.update_docs", "tools.gallery --pages"]
PYTHONS = ("venv/bin/python", "venv/Scripts/python.exe")
TRY = """\
import numpy as np, retrograd as rg
from pathlib import Path
Path("model.py").write_text("import numpy as np\\ndef f(w, x):\\n    return np.sum(np.tanh(x @ w) ** 2)\\n")
from model import f
w, x = np.array([0.5, -1.0]), np.array([[1.0, 2.0], [3.0, 4.0]])
t = np.tanh(x @ w)
assert np.allclose(rg.grad(f)(w, x), x.T @ (2 * t * (1 - t**2)))
assert "site-packages" in rg.__file__, rg.__file__
print(rg.__version__)
"""


class Refused(Exception):
    """The release cannot go on, and why."""


def version_now() -> str:
    (found,) = {version for _, version in versions()}
    return found


def versions() -> list[tuple[str, str]]:
    found = []
    for name, pattern in PLACES.items():
        match = re.search(pattern, (ROOT / name).read_text(encoding="utf-8"))
        if match is None:
            raise Refused(f"{name} says no version")
        found.append((name, match[2]))
    return found


def number(version: str) -> tuple[int, ...]:
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise Refused(f"{version} is no version: write three numbers, as in 0.2.0")
    return tuple(map(int, version.split(".")))


def bumped(changelog: str, version: str, today: str) -> str:
    """The changelog with what was unreleased under the new version."""
    head = "## [Unreleased]\n"
    if f"## [{version}]" in changelog:
        raise Refused(f"CHANGELOG.md has {version} already")
    if not section(changelog, "Unreleased"):
        raise Refused("CHANGELOG.md has nothing under Unreleased")
    return changelog.replace(head, f"{head}\n## [{version}] - {today}\n", 1)


def section(changelog: str, version: str) -> str:
    """What the changelog says about a version."""
    found = re.search(
        rf"(?ms)^## \[{re.escape(version)}\].*?\n(.*?)(?=^## \[|^\[[^\]]+\]: |\Z)", changelog
    )
    return found[1].strip() if found else ""


def bump(version: str) -> None:
    """Write the version where it stands, then everything that is generated."""
    if number(version) <= number(version_now()):
        raise Refused(f"{version} is not after {version_now()}")
    today = datetime.date.today().isoformat()
    changelog = ROOT / "CHANGELOG.md"
    text = bumped(changelog.read_text(encoding="utf-8"), version, today)
    changelog.write_text(text, encoding="utf-8")
    for name, pattern in PLACES.items():
        path = ROOT / name
        text = re.sub(pattern, rf"\g<1>{version}\g<3>", path.read_text(encoding="utf-8"), count=1)
        path.write_text(text, encoding="utf-8")
    for module in REGENERATE:
        print(f"== python -m {module}", flush=True)
        run([sys.executable, "-m", *module.split()])
    print(
        f"now {version}: look at the difference, run the tests, commit; then `python -m tools.release build`"
    )


def build(out: Path) -> None:
    """Build wheel and sdist, and see that they are what they should be."""
    version = version_now()
    out.mkdir(parents=True, exist_ok=True)
    if list(out.iterdir()):
        raise Refused(f"{out} is not empty")
    run([sys.executable, "-m", "build", "--outdir", str(out)])
    made = sorted(out.iterdir())
    run([sys.executable, "-m", "twine", "check", "--strict", *map(str, made)])
    for path in made:
        if found := complaints(path, version):
            raise Refused(f"{path.name}: " + "; ".join(found))
        tried(path, version)
    print("\n".join(f"{path}  {path.stat().st_size / 1024:.0f} KiB" for path in made))


def complaints(path: Path, version: str) -> list[str]:
    """What is wrong with the contents of a wheel or an sdist."""
    if path.suffix == ".whl":
        names = set(zipfile.ZipFile(path).namelist())
        wanted, prefix = {"retrograd/py.typed", f"retrograd-{version}.dist-info/METADATA"}, ""
        tops = {name.partition("/")[0] for name in names} - {
            "retrograd",
            f"retrograd-{version}.dist-info",
        }
        found = [f"{top} is no part of the package" for top in sorted(tops)]
    else:
        prefix = f"retrograd-{version}/"
        with tarfile.open(path) as archive:
            names = {member.name.removeprefix(prefix) for member in archive if member.isfile()}
        wanted = {
            "README.md",
            "CHANGELOG.md",
            "LICENSE",
            "pyproject.toml",
            "docs/tutorial.md",
            "examples/heat.py",
        }
        found = []
    wanted |= set(modules(path.suffix == ".whl"))
    return found + [f"{name} is missing" for name in sorted(wanted - names)] + strangers(names)


def modules(installed: bool) -> Iterable[str]:
    """Every module of the package: as it is installed, or as it lies in the repository."""
    for part in ("retrograd", "compiler", "runtime", "cli"):
        for path in (ROOT / part).rglob("*.py"):
            name = str(path.relative_to(ROOT))
            if path.resolve() == path:  # not by way of the links in retrograd/
                yield f"retrograd/{name}" if installed and part != "retrograd" else name


def strangers(names: Iterable[str]) -> list[str]:
    bad = re.compile(r"__pycache__|\.pyc$|\.so$|(^|/)\.(?!github)|\.egg-info/.*\.json$|~$")
    return [f"{name} does not belong there" for name in sorted(names) if bad.search(name)]


def tried(path: Path, version: str) -> None:
    """Install it into a fresh environment, and take a gradient there."""
    with tempfile.TemporaryDirectory() as folder:
        run([sys.executable, "-m", "venv", f"{folder}/venv"])
        python = next(str(p) for p in map(Path(folder).joinpath, PYTHONS) if p.exists())
        run([python, "-m", "pip", "install", "-q", str(path.resolve())], cwd=folder)
        script = Path(folder) / "try.py"
        script.write_text(TRY, encoding="utf-8")
        said = run([python, str(script)], cwd=folder)
        if said.strip() != version:
            raise Refused(f"{path.name} installs {said.strip()}, not {version}")
        run([python, "-m", "retrograd", "grad", "model.py:f"], cwd=folder)


def run(command: list[str], cwd: str | Path = ROOT) -> str:
    environment = {k: v for k, v in os.environ.items() if cwd == ROOT or k != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=cwd, env=environment, stdout=subprocess.PIPE, encoding="utf-8", check=False
    )
    if done.returncode:
        raise Refused(f"{' '.join(command)}\n{done.stdout}")
    return done.stdout


def message() -> str:
    """The message of the tag."""
    version = version_now()
    said = section((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version)
    if not said:
        raise Refused(
            f"CHANGELOG.md says nothing of {version}: `python -m tools.release bump` first"
        )
    return f"retrograd {version}\n\n{said}\n"


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.release", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    steps = parser.add_subparsers(dest="step", required=True)
    steps.add_parser("bump").add_argument("version")
    steps.add_parser("build").add_argument("--out", type=Path, default=ROOT / "dist")
    steps.add_parser("message")
    asked = parser.parse_args()
    try:
        if asked.step == "bump":
            bump(asked.version)
        elif asked.step == "build":
            build(asked.out)
        else:
            print(message(), end="")
    except Refused as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
