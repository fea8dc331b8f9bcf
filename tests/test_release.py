"""The release script: one version everywhere, a changelog that has something to say, archives that are whole."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path

import pytest

from tools import release

CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [0.1.0] - 2026-01-01\n\n- All.\n"


def test_every_place_says_the_same_version() -> None:
    assert len({version for _, version in release.versions()}) == 1
    assert {name for name, _ in release.versions()} == release.PLACES.keys()


def test_the_changelog_gets_its_heading() -> None:
    made = release.bumped(CHANGELOG, "0.2.0", "2026-12-24")
    assert "## [Unreleased]\n\n## [0.2.0] - 2026-12-24\n\n### Added\n\n- A thing.\n" in made
    assert release.section(made, "0.2.0") == "### Added\n\n- A thing."
    assert release.section(made, "Unreleased") == ""


def test_the_changelog_can_be_read() -> None:
    text = (release.ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert release.section(text, "Unreleased") or release.section(text, release.version_now())


@pytest.mark.parametrize("version", ["0.1.0", "0.2.0"])
def test_a_version_is_released_once_and_not_for_nothing(version: str) -> None:
    with pytest.raises(release.Refused):
        release.bumped(CHANGELOG.replace("- A thing.", "").replace("### Added", ""), version, "")


@pytest.mark.parametrize("version", ["0.2", "v0.2.0", "0.2.0rc1", "two"])
def test_what_is_no_version_is_refused(version: str) -> None:
    with pytest.raises(release.Refused, match="no version"):
        release.number(version)


def test_a_wheel_that_lacks_a_module_or_has_too_much_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "retrograd-1.0.0-py3-none-any.whl"
    names = {*release.modules(True), "retrograd/py.typed", "retrograd-1.0.0.dist-info/METADATA"}
    write(path, names)
    assert release.complaints(path, "1.0.0") == []
    write(path, (names | {"tests/a.py", "retrograd/x.pyc"}) - {"retrograd/compiler/pipeline.py"})
    assert release.complaints(path, "1.0.0") == [
        "tests is no part of the package",
        "retrograd/compiler/pipeline.py is missing",
        "retrograd/x.pyc does not belong there",
    ]


def test_an_sdist_that_lacks_a_module_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "retrograd-1.0.0.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        archive.add(release.ROOT / "README.md", "retrograd-1.0.0/README.md")
    found = release.complaints(path, "1.0.0")
    assert "compiler/pipeline.py is missing" in found
    assert "README.md is missing" not in found


def write(path: Path, names: set[str]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, "")
