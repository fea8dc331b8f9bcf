"""What an operation keeps of an array, shows of it, or copies: programs that write behind it are right, or refused.

``f(x, a)`` gets a row of three and a matrix; each program gives one number.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import retrograd as rg
from tests.fuzz.checks import check_function
from tests.written import written

X = np.array([0.7, 1.4, 0.3])
A = np.array([[0.4, 0.5, -0.3], [0.2, 1.1, 0.7], [-0.6, 0.4, 0.9]])

# What only looks at an array: `q` is written to afterwards, and `r` is what it said.
LOOKS = """
any(q)
all(q)
any(q > 0.5)
all([v > 0 for v in q])
any([q[0] > 0, q[1] > 0])
sum(q) > 1
sorted(q)[0] > 0
len(repr(q))
len(str(q[0]))
len(np.array2string(q))
np.shares_memory(q, x)
np.may_share_memory(q, x)
hash(q.shape) == 0
np.linalg.matrix_rank(np.outer(q, q))
np.lexsort((q, -q))[0]
np.argpartition(q, 1)[0]
np.nanargmax(q)
np.digitize(q, [0.0, 1.0])[0]
np.isin(q, [0.7])[0]
np.ravel_multi_index((1, 1), (2, 2))
np.unravel_index(np.argmax(q), (3, 1))[0]
np.isreal(q)[0]
np.isneginf(q)[0]
np.array_equal(q, x)
np.array_equiv(q, x)
np.shape(q)[0]
q.device == "cpu" if hasattr(q, "device") else True
q.flags.writeable
q.flags["C_CONTIGUOUS"]
q.nbytes > 0
q.strides[0] > 0
np.testing.assert_allclose(q, q) is None
np.testing.assert_array_equal(q, q, err_msg="no") is None
"""

# Programs that are right.
RIGHT = {
    "a diagonal": """
    d = np.zeros((3, 3))
    np.einsum("ii->i", d)[...] = x
    return np.sum(d @ a)
""",
    "the diagonals of a stack": """
    d = np.zeros((2, 3, 3))
    np.einsum("ijj->ij", d)[...] = x**2
    np.einsum("ijj->ij", d)[1, :2] *= x[1:]
    return np.sum(np.sin(d) @ a)
""",
    "a named diagonal": """
    d = x[:, None] * a
    v = np.einsum("ii->i", d)
    v += x
    d[0, 0] *= 3.0
    v[1] = v[0] * x[2]
    return np.sum(d**2) + v[0]
""",
    "a diagonal of what is written to": """
    d = np.outer(x, x)
    v = np.einsum("ii->i", d)
    d *= 2.0
    w = v * x
    d[...] = a
    return np.sum(w) + np.sum(v**3)
""",
    "axes in another order": """
    d = np.array(a)
    t = np.einsum("ij->ji", d)
    t[0] = x
    t[:, 1] += 2 * x
    return np.sum(d**2 * a)
""",
    "an ellipsis": """
    d = np.zeros((2, 3, 3))
    np.einsum("...ii->...i", d)[0] = x
    return np.sum(d[0] @ a) + np.sum(d)
""",
    "a diagonal of a diagonal's matrix": """
    d = np.array(a)
    np.einsum("ii->i", np.einsum("ij->ji", d))[1:] = x[:2]
    return np.sum(d**2)
""",
    "a diagonal in a loop": """
    d = np.zeros((3, 3))
    for k in range(3):
        np.einsum("ii->i", d)[k:] += x[k] * x[k:]
    return np.sum(np.sin(d))
""",
    "a diagonal of the caller's matrix": """
    np.einsum("ii->i", a)[...] = x**2
    return np.sum(a**2)
""",
    "a sum is new": """
    d = np.array(a)
    v = np.einsum("ij->i", d)
    v[0] = x[1]
    d[1] = x
    return np.sum(d**2) + np.sum(v**2)
""",
    "a product is new": """
    d = np.array(a)
    v = np.einsum("ij,j->ij", d, x)
    v[0] = x[1]
    d[1] = x
    return np.sum(d**2) + np.sum(v**2)
""",
    "a diagonal of complex numbers": """
    d = np.zeros((3, 3), dtype=complex)
    np.einsum("ii->i", d)[...] = 1j * x
    np.einsum("ii->i", d)[0] += x[0]
    return np.sum(np.abs(d @ a) ** 2)
""",
    "fill_diagonal": """
    d = np.array(a)
    np.fill_diagonal(d, x, wrap=False)
    np.fill_diagonal(d.T[1:], 2 * x[0])
    return np.sum(d**2)
""",
    "fill_diagonal repeats its values": """
    d = np.array(a)
    np.fill_diagonal(d, x[:2])
    np.fill_diagonal(d[:2], np.concatenate([x[1:], x]))
    return np.sum(d**2 * a)
""",
    "a rank in a loop": """
    out, rank, count = np.zeros((3, 3)), 0, 0
    for k in range(3):
        out[:, count] = a[k] * x
        new = np.linalg.matrix_rank(out)
        if new > rank:
            rank = new
            count += 1
    return np.sum(out**2) * rank
""",
    "a copy of a number or an array": """
    y = x * 1.0 if x[0] > 0 else x[0]
    z = copy(y)
    y *= 3.0
    w = deepcopy(z)
    w[1] = z[0] * x[2]
    return np.sum(y * z * w)
""",
    "a copy of a number": """
    y = x * 1.0 if x[0] < 0 else x[0]
    z = copy(y)
    y *= 3.0
    return np.sum(y * z * a)
""",
    "copies in a loop that ends early": """
    v, n = copy(x * 1.0), 0
    while n < 5:
        n += 1
        old = copy(v)
        v = old * x + a[0]
        if (v > 100).any():
            v = 3.0
            break
    return np.sum(v * old)
""",
    "a number has no items": """
    y = float(2.0) * len(x) + 0 * x.shape[0]
    try:
        i = y > 1
        y[i] = 2.0 - y[i]
    except TypeError:
        y = 3.0 * y
    return np.sum(y * x)
""",
    "a name of a statement before the failure": """
    y = float(len(x))
    i = 1.0
    try:
        i = y > 1
        y[0] = 2.0
    except TypeError:
        y = 3.0
    return np.sum(x * y * i)
""",
    "what is written into a number is computed first": """
    y = np.sin(x[0]) / np.cos(x[1])
    i = y < 0.0
    try:
        y[i] = np.cosh(x[i]) * (abs(x[1] - x[0]) % np.pi)
    except (AttributeError, TypeError):
        if not i:
            y = y * x[1]
    return y * np.sum(x)
""",
    "an attribute of a number": """
    y = np.sin(x[0]) / np.cos(x[1])
    try:
        y.scale = np.cosh(x[1])
    except AttributeError:
        y = y * np.cosh(x[1])
    return y * np.sum(x)
""",
    "a diagonal that goes on": """
    d = np.concatenate([a, a])
    np.fill_diagonal(d, x, wrap=True)
    return np.sum(d**2)
""",
}  # fmt: skip

# Programs that are refused: nobody knows what memory is written to, or Python would do something else.
REFUSED = {
    "subscripts that are not known": """
    d = np.array(a)
    v = np.einsum(("ii->i", "ij->i")[int(x[0] > 0)], d)
    v[0] = x[1]
    return np.sum(d**2)
""",
    "a copy of a list or an array": """
    y = (x * 1.0, [x, x * 2])[int(x[0] > 0)]
    z = copy(y)
    return np.sum(z[0] * y[1])
""",
}  # fmt: skip


def program(body: str) -> Any:
    return written("from copy import copy, deepcopy\n\n\ndef f(x, a):" + body)


def outcome_of(body: str) -> str:
    found = check_function(program(body), (X, A))
    return f"{found.verdict}: {found.reason}\n{found.detail}"


@pytest.mark.sampled(4)
@pytest.mark.parametrize("asked", LOOKS.strip().splitlines())
def test_what_only_looks_at_an_array_keeps_nothing(asked: str) -> None:
    body = f"""
    q = np.sin(x) * x
    r = {asked}
    q[0] = x[1] * x[2]
    if r:
        q[1:] *= x[:2]
    return np.sum(q**2)
"""
    found = outcome_of(body)
    assert found.startswith("ok"), found


@pytest.mark.parametrize("name", RIGHT)
def test_right(name: str) -> None:
    found = outcome_of(RIGHT[name])
    assert found.startswith("ok"), found


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    found = outcome_of(REFUSED[name])
    assert found.startswith("refused"), found


@pytest.mark.parametrize("backend", ["c", "numba"])
@pytest.mark.parametrize(
    "name", [n for n in RIGHT if "diagonal" in n or n in ("an ellipsis", "axes in another order")]
)
def test_kernels_see_the_same_memory(name: str, backend: Any) -> None:
    f = program(RIGHT[name])
    wanted = rg.grad(f)(X.copy(), A.copy())
    found = rg.grad(rg.differentiate(backend=backend)(f))(X.copy(), A.copy())
    assert np.allclose(found, wanted)
