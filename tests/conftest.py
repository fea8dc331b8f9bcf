"""Every test run has a cache folder of its own, checks the IR after every stage, and says what it left out."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from tests import devices, scope

os.environ["RETROGRAD_VERIFY"] = "1"
os.environ.pop("RETROGRAD_CHECK", None)
os.environ["RETROGRAD_FALLBACK"] = (
    "calls"  # a refusal is seen; tests of the tape ask for it: `taped`
)
os.environ["RETROGRAD_CACHE"] = tempfile.mkdtemp(prefix="retrograd-tests-")
pytest.register_assert_rewrite("tests.rules")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("retrograd")
    group.addoption("--quick", action="store_true", help="the tests marked quick, a minute of them")
    group.addoption("--full", action="store_true", help="every sample, every case, slow tests too")
    group.addoption("--share", metavar="K/N", help="the K-th of N parts of what --full has more")


def pytest_configure(config: pytest.Config) -> None:
    try:
        scope.choose(**{how: config.getoption(how) for how in ("quick", "full", "share")})
    except ValueError as error:
        raise pytest.UsageError(str(error)) from None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    devices.give_cupy(items, config.getoption("markexpr") or "")
    if any("::" in argument for argument in config.args):
        return  # asked for by name
    kept, left = scope.runs(items)
    config.hook.pytest_deselected(items=left)
    items[:] = kept


def pytest_collection_finish() -> None:
    settle()


@pytest.fixture(scope="module", autouse=True)
def settled() -> Iterator[None]:
    """A module of tests begins without garbage and leaves the policy of the process as it was."""
    from retrograd import get_fallback

    before = get_fallback()
    settle()
    yield
    assert get_fallback() == before, "this module has left another fallback behind"


def settle() -> None:
    """What is there now is no garbage: the collector need not go through it again and again."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The tests that were skipped, counted by their reasons."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    if reasons:
        terminalreporter.section(f"{len(skipped)} skipped, by reason", sep="-")
        for reason, count in reasons.most_common():
            terminalreporter.line(f"{count:6}  {reason}")


@pytest.fixture
def cupy(request: pytest.FixtureRequest) -> Iterator[Any]:
    """The double of CuPy, where imports find it; tests marked ``cupy`` have it, and under ``-m gpu`` CuPy itself."""
    real = request.node.get_closest_marker("gpu") is not None
    with devices.cupy_of_the_run(real) as found:
        yield found


@pytest.fixture(scope="session", autouse=True)
def remove_cache() -> Iterator[None]:
    """The folder stands before the first import of retrograd, and goes with the session."""
    yield
    shutil.rmtree(os.environ["RETROGRAD_CACHE"], ignore_errors=True)


@pytest.fixture
def taped() -> Iterator[None]:
    """What cannot be compiled runs on the tape, a whole function too, as it does for everybody."""
    from retrograd import set_fallback

    set_fallback("tape")
    yield
    set_fallback("default")


@pytest.fixture
def unchecked() -> Iterator[None]:
    """Derivatives are handed out as they are: the test itself judges them."""
    from retrograd import get_check, set_check

    set_check(None)
    yield
    set_check("default")
    assert get_check() == "first", "a test that set RETROGRAD_CHECK left it behind"
