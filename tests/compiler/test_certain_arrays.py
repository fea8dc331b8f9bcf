"""Arrays whose types do not tell that they are: `y[..., 0]` of a row, and what has any rank."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import MutationError

from ..both_modes import agrees
from ..written import written

ROW = np.array([0.7, -0.4, 1.2, 0.5])
X = {"rank 1": ROW, "rank 2": np.array([ROW, ROW[::-1] ** 2, 1 - ROW])}

# -- of what `np.ones(x.shape[1:] + (2,))` holds, an array for each of the last axis -----------------

PARTS = {
    "as it is": "",
    "an axis more, if none": "if {v}.ndim == 0:\n    {v} = {v}[np.newaxis]\n",
    "an axis more": "{v} = {v}[None]\n",
    "asarray": "{v} = np.asarray({v})\n",
    "at least a row": "{v} = np.atleast_1d({v})\n",
    "expand_dims": "{v} = np.expand_dims({v}, 0)\n",
    "reshape": "{v} = {v}.reshape(-1, 1)\n",
    "the whole": "{v} = {v}[...]\n",
    "squeezed": "{v} = {v}[None].squeeze()\n",
}
WRITES = {
    "out=": "np.sum(x, axis=0, out={v})",
    "...": "{v}[...] = np.sum(x) ** 2",
    "+=": "{v} += np.sum(x) * {v}",
    "in turn": "{v} += np.sum(x)\nnp.multiply({v}, {v}, out={v})\nnp.add({v}, x[1, ...].sum(), out={v})",
}
FORMS = ("in line", "in a helper", "in a loop")


def indented(text: str, by: int) -> str:
    return text.rstrip("\n").replace("\n", "\n" + " " * by)


def program(form: str, part: str, write: str) -> str:
    """Both arrays are looked for, and written to, one after the other."""
    lines = ["def f(x):", "    out = np.ones(x.shape[1:] + (2,))"]
    inner = PARTS[part] + WRITES[write]
    if form == "in a loop":
        lines += ["    for k in range(2):", "        v = out[..., k]"]
        lines += [
            f"        {indented(inner.format(v='v'), 8)}",
            "        x = x * np.sum(out[..., 0])",
        ]
        return "\n".join([*lines, "    return np.sum(out * [1.0, 3.0]) + np.sum(v)\n"])
    for k, v in enumerate("vw"):
        text = inner.format(v=v)
        lines.append(f"    {v} = out[..., {k}]")
        if form == "in a helper":
            lines += [
                f"    def put({v}, x):",
                f"        {indented(text, 8)}",
                f"        return {v}",
            ]
            lines.append(f"    {v} = put({v}, x)")
        else:
            lines.append(f"    {indented(text, 4)}")
        lines.append("    x = x * np.sum(out[..., 0])")
    return "\n".join([*lines, "    return np.sum(out * [1.0, 3.0]) + np.sum(v * w)\n"])


@pytest.mark.sampled(4)
@pytest.mark.parametrize("rank", X)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_any_rank_shows_the_array(part: str, write: str, form: str, rank: str) -> None:
    f = written(program(form, part, write))
    try:
        f(X[rank].copy())
    except ValueError:
        pytest.skip("NumPy refuses")
    if part == "reshape" and rank == "rank 2":  # of a column, which may be a copy
        with pytest.raises(MutationError, match="cannot tell whether"):
            rg.grad(f, strict=True)(X[rank])
        return
    agrees(f, X[rank])


def number(x: Any) -> Any:
    """`s[None]` of NumPy's scalar is a copy, and so is `p[()]`."""
    s = x.sum()
    v = s[np.newaxis]
    v[0] *= x[0]
    out = np.zeros(2)
    p = out[..., 0]
    q = p[()]
    p[...] = x.sum()
    return v[0] * s + out[0] * x[0] + q


def test_a_number_shows_nothing() -> None:
    agrees(number, ROW)


def test_what_may_be_a_number_is_not_written_to() -> None:
    def flipped(x):  # `np.flip` of an array of rank 0 gives the number
        out = np.ones(2)
        v = np.flip(out[..., 0])
        v += x[0]
        return np.sum(out) * v * x[1]

    with pytest.raises(MutationError, match="cannot tell whether"):
        rg.grad(flipped, strict=True)(ROW)


@pytest.mark.parametrize("s", [np.float64(1.3), np.array(1.3)], ids=["number", "array"])
def test_an_argument_of_rank_0_is_one_of_the_two_at_each_call(s: Any) -> None:
    def f(s):
        v = s[np.newaxis]
        v[0] = v[0] ** 2
        return v[0] * s

    made = np.array if isinstance(s, np.ndarray) else np.float64  # an array is written to, too
    want = (f(made(1.3 + 1e-6)) - f(made(1.3 - 1e-6))) / 2e-6
    np.testing.assert_allclose(rg.grad(f, strict=True)(s.copy()), want, rtol=1e-6)


# -- arrays of which the rank is not known -----------------------------------------------------------

RANKS = {
    "zeros": "out = np.zeros(y.shape)",
    "ones_like": "out = np.ones_like(y)",
    "copy": "out = np.array(y)",
}
CHANGES = {
    "+=": "out += x",
    "*= of a part": "w = out[..., 0]\nw *= x[1] ** 2",
    "both": "w = out[..., 1:]\nout += x\nw *= x[2]\nout -= x[0]\nw[...] += 1",
    "a row more": "w = out[None]\nw += x\nw[..., 0] = x[3]",
}


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("made", RANKS)
def test_arrays_of_any_rank_are_written_to(made: str, change: str, sign: int) -> None:
    body = f"y = x[None] if x[0] > 0 else x\n{RANKS[made]}\nv = out\n{CHANGES[change]}"
    text = f"def f(x):\n    {indented(body, 4)}\n    return (v * out * y).sum()\n"
    agrees(written(text), sign * ROW)
