"""`retrograd rules`: the table, one rule, what is missing."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

from retrograd.cli.rules import emitted, sections
from retrograd.runtime.rules import all_rules  # noqa: F401
from retrograd.runtime.rules.book import book

from .conftest import Done

Call = Callable[..., Done]


def test_the_table_has_every_operation(call: Call) -> None:
    done = call("rules")
    assert done.code == 0
    rows = done.out.splitlines()[1:-2]
    assert len(rows) == len(book.rules)
    assert re.search(r"^np\.multiply +x, y +broadcasts$", done.out, re.MULTILINE)
    counts = [int(n) for n in re.findall(r"\d+", done.out.splitlines()[-1])]
    assert counts == [len(book.rules), len(book.constants)]


@pytest.mark.parametrize("name", ["np.multiply", "numpy.multiply", "multiply", "operator.mul"])
def test_one_rule(call: Call, name: str) -> None:
    done = call("rules", name)
    assert done.code == 0
    for part in ("dx * y + x * dy", 'argument="x"', "def multiply_vjp(x, y, ", "rt.unbroadcast("):
        assert part in done.out


def test_other_names_and_methods(call: Call) -> None:
    assert "def absolute(z, x, *, dx):" in call("rules", "np.abs").out
    assert "def T(z, a, *, da):" in call("rules", "ndarray.T").out
    assert "np.ndarray.sum" in call("rules", "sum").out


def test_a_constant_says_so(call: Call) -> None:
    done = call("rules", "np.floor")
    assert done.code == 0
    assert "no derivative by nature" in done.out


def test_the_record_of_an_operation(call: Call) -> None:
    done = call("rules", "np.cumsum").out
    for line in ("# memory +new", "# linear in +x", "# infinite +unknown: it is taken for finite"):
        assert re.search(f"^{line}", done, re.MULTILINE)
    assert re.search(r"^# memory +new$", call("rules", "np.floor").out, re.MULTILINE)


def test_what_is_unknown_is_listed(call: Call) -> None:
    done = call("rules", "--unknown", "np.nancum").out
    assert "infinite: unknown of 2 of 2\n  np.nancumprod  np.nancumsum\n" in done
    assert "memory: unknown of 0 of 2\n" in done


def test_an_unknown_name(call: Call) -> None:
    done = call("rules", "np.multpily")
    assert (done.code, done.out) == (2, "")
    assert "did you mean np.multiply?" in done.err


def test_missing_counts_and_filters(call: Call) -> None:
    done = call("rules", "--missing")
    assert done.code == 0
    counts = re.findall(r"^(\S+): (\d+) of (\d+) known, (\d+) missing$", done.out, re.MULTILINE)
    assert [space for space, *_ in counts][:4] == ["np", "np.linalg", "np.fft", "math"]
    for _, known, every, missing in counts:
        assert int(known) + int(missing) == int(every)
    assert done.out.endswith(
        f"{sum(int(c[3]) for c in counts)} functions without a rule or a declaration\n"
    )
    listed = set(re.findall(r"^  .*$", done.out, re.MULTILINE))
    words = {word for line in listed for word in line.split()}
    assert "savetxt" in words
    assert not words & {"sum", "multiply", "floor"}
    only = {
        word
        for line in call("rules", "--missing", "save").out.splitlines()
        if line[:1] == " "
        for word in line.split()
    }
    assert only == {word for word in words if "save" in word}


@pytest.mark.slow
def test_arrays_come_before_numbers(call: Call) -> None:
    """In whatever order the rules were registered."""
    out = call("rules", "tanh").out
    shown = re.findall(r"^# (?:np|math|cmath)\.tanh$|for real (?:arguments|numbers)", out, re.M)
    arrays, numbers = "for real arguments", "for real numbers"
    assert shown == ["# np.tanh", arrays, "# math.tanh", numbers, "# cmath.tanh", numbers]


def test_every_rule_can_be_shown() -> None:
    rules = {rule.differential: rule for rule in book.rules.values()}
    for rule in rules.values():
        if not rule.differential.__module__.startswith("retrograd.runtime."):
            continue  # registered by another test
        *_, adjoint = sections(rule)
        assert adjoint.startswith(("def ", "# it is written out for each use: ")), rule.name


@pytest.mark.parametrize(
    "operation", [np.multiply, np.sum, np.exp, np.linalg.solve, np.ndarray.T, np.where]
)
def test_the_emitted_adjoint_is_a_function(operation: object) -> None:
    text = emitted(book.rules[operation])
    assert text.startswith("def ")
    compile(text, "<adjoint>", "exec")
    assert "# line" not in text
