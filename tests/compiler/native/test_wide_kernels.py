"""What the kernels of Jacobians meet: tested neighbours, cross products, joined axes, lists that grow, objects."""

from __future__ import annotations

import itertools
import math
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.ir.argument_path import Place
from retrograd.compiler.native.loop_ir.ir import Var, affine, times
from retrograd.compiler.native.reader.numpy.axis_groups import groups, source_of
from retrograd.compiler.native.specialisations import Family
from retrograd.compiler.native.text.list_appends import growing_in_place
from retrograd.compiler.native.text.object_parts import taken_apart
from retrograd.transforms.jacobian.batched_products import sought
from tests.written import namespace, written

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)
RNG = np.random.default_rng(5)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("RETROGRAD_VERIFY", "1")


def notes(made: Any, wrt: tuple[int, ...], args: tuple[Any, ...]) -> list[str]:
    """Why the sweep of a Jacobian is no kernel."""
    chain, _, _ = made.__columns__
    swept = sought(chain, "pushes", tuple(map(Place, wrt)), list(args)).loaded
    assert swept is not None and swept.kernels is not None
    found: list[str] = swept.kernels.notes
    return found


@pytest.fixture(autouse=True)
def left(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The calls that a kernel has left."""
    found: list[Any] = []
    other = Family.other

    def counted(self: Any, *args: Any) -> Any:
        found.append(args)
        return other(self, *args)

    monkeypatch.setattr(Family, "other", counted)
    return found


def check(f: Any, *args: Any, wrt: tuple[int, ...] = (0,), whole: bool = True) -> None:
    """A kernel's Jacobian is the text's, in the first call and in later ones."""
    made, plain = rg.jacobian(f, wrt, "forward", backend="c"), rg.jacobian(f, wrt, "forward")
    for _ in range(2):
        for found, wanted in zip(made(*args), plain(*args), strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-13)
    if whole:
        assert notes(made, wrt, args) == []


# -- indices within the limits that a test sets


TESTS = [
    ("i > 0", "x[i - 1]"), ("0 < i", "x[i - 1]"), ("i >= 1", "x[i - 1]"), ("i != 0", "x[i - 1]"),
    ("i < n - 1", "x[i + 1]"), ("i + 1 < n", "x[i + 1]"), ("i <= n - 2", "x[i + 1]"), ("i != n - 1", "x[i + 1]"),
    ("i > 1 and i < n - 2", "x[i - 2] * x[i + 2]"), ("not i < 1", "x[i - 1]"), ("i < len(x) - 1", "x[i + 1]"),
    ("i < m", "x[i]"), ("i == 2", "x[i + 1]"), ("i < 3", "x[i + 2]"),
]  # fmt: skip
LOOP = """def f(x, m):
    n = len(x)
    y = np.zeros(n)
    for i in range(n):
        {body}
    return y
"""
FORMS = [
    "y[i] = {read} if {test} else 2.0 * x[i]",
    "if {test}:\n            y[i] = {read}\n        else:\n            y[i] = 2.0 * x[i]",
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("form", "case"), list(itertools.product(range(2), range(len(TESTS)))))
def test_a_neighbour_that_is_tested_for_stays_in_the_kernel(
    form: int, case: int, left: list[Any]
) -> None:
    test, read = TESTS[case]
    f = written(LOOP.format(body=FORMS[form].format(test=test, read=read)))
    check(f, RNG.normal(size=7), 7)
    assert not left


OUTSIDE = [
    ("i > 0", "x[i - 2]"),
    ("i < n - 1", "x[i + 2]"),
    ("i < m + 1", "x[i]"),
    ("i != 1", "x[i - 1]"),
]


@pytest.mark.parametrize(("test", "read"), OUTSIDE)
def test_what_a_test_does_not_keep_inside_is_as_in_python(test: str, read: str) -> None:
    text = LOOP.format(body=FORMS[0].format(test=test, read=read))
    f, x = written(text), RNG.normal(size=7)
    made, plain = rg.jacobian(f, backend="c"), rg.jacobian(f)
    for m in (6, 7):
        try:
            wanted = plain(x, m)
        except IndexError:
            with pytest.raises(IndexError):
                made(x, m)
        else:
            np.testing.assert_allclose(made(x, m), wanted)


# -- cross products


@pytest.mark.parametrize(
    ("a", "b", "axes"),
    [
        ((3,), (3,), ""), ((4, 3), (3,), ""), ((4, 3), (4, 3), ""), ((5, 1, 3), (4, 3), ""),
        ((3, 4), (3, 4), ", axis=0"), ((3, 4), (4, 3), ", 0, 1"), ((3, 4), (4, 3), ", 0, 1, 0"),
    ],
)  # fmt: skip
def test_a_cross_product_is_numpys(a: Any, b: Any, axes: str) -> None:
    f = written(f"def f(a, b):\n    return np.cross(np.sin(a), b{axes}) * 2.0\n")
    check(f, RNG.normal(size=a), RNG.normal(size=b), wrt=(0, 1))


def test_vectors_of_two_are_left_to_numpy() -> None:
    g = written("def g(a, b):\n    return np.cross(a, b)\n", "g")
    with pytest.raises(Exception, match="length 3|dimension"):
        rg.jacobian(g, backend="c")(RNG.normal(size=(4, 5)), RNG.normal(size=(4, 5)))


# -- axes that are joined and split

N, M = Var("n"), Var("m")


@pytest.mark.parametrize(
    ("own", "new", "sizes"),
    [
        ((N, 2, M), (times(N, 2), M), [(1, 1), (2, 1)]),
        ((N, M), (N, M), [(1, 1), (1, 1)]),
        ((N, 6), (N, 2, 3), [(1, 1), (1, 2)]),
        ((Var("count"), M), (N, 2, M), [(1, 2), (1, 1)]),
        ((4, 6), (8, 3), [(2, 2)]),
    ],
)
def test_groups_of_axes(own: Any, new: Any, sizes: Any) -> None:
    found = groups(list(map(affine, own)), list(map(affine, new)))
    assert sorted((len(g.own), len(g.new)) for g in found) == sorted(sizes)


@pytest.mark.parametrize(
    ("own", "new"), [((2, 3, 4), (6, 4)), ((6, 4), (2, 3, 4)), ((2, 3, 4), (2, 12)), ((4, 6), (8, 3)), ((5, 4), (2, 10)), ((2, 3, 4), (24,)), ((24,), (2, 3, 4))]
)  # fmt: skip
def test_an_element_stands_where_numpy_has_it(own: Any, new: Any) -> None:
    numbers = np.arange(math.prod(own)).reshape(own)
    sizes, wide = [list(map(affine, shape)) for shape in (own, new)]
    found = groups(sizes, wide)
    for index in np.ndindex(*new):
        place = source_of(tuple(map(affine, index)), sizes, wide, found)
        assert numbers[tuple(map(number, place))] == numbers.reshape(new)[index]


def number(e: Any) -> int:
    """An expression of numbers."""
    e = affine(e)
    operations = {"remainder": int.__mod__, "floor_divide": int.__floordiv__}
    total: int = e.const
    for atom, k in e.terms:
        total += k * operations[atom.name](*map(number, atom.args))
    return total


RESHAPED = [
    "np.reshape(x ** 2, (-1, {m}))", "(x ** 2).reshape(-1)", "(x * 2.0).reshape({n} * 2, -1)",
    "np.tensordot(x.reshape({n}, 2, {m}), y, 1)", "np.tensordot(y.T, x.reshape(2, {n}, {m}) ** 2, ((1,), (2,)))",
    "np.tensordot(y.T, np.stack([x[:{m}], x[:{m}] ** 2]).transpose(1, 0, 2), 1)",
]  # fmt: skip


@pytest.mark.parametrize("text", RESHAPED)
def test_a_reshape_in_a_kernel(text: str) -> None:
    n, m = 6, 4
    f = written(f"def f(x, y):\n    return np.sin({text.format(n=n, m=m)})\n")
    check(f, RNG.normal(size=(2 * n, m)), RNG.normal(size=(m, 3)), whole=False)


# -- lists


LISTS = """
def chain(x, parents, c):
    found = []
    for i, parent in enumerate(parents):
        turn = np.array([[np.cos(x[i]), -np.sin(x[i])], [np.sin(x[i]), np.cos(x[i])]]) @ c
        found.append(turn if parent == -1 else found[parent] @ turn)
    return np.stack(found)

def blocks(x, c):
    rows = [np.sin(x[i]) * c[0] for i in range(len(x))]
    return np.concatenate([*rows, x ** 2])

def read_first(x, parents, c):
    found = []
    for i, parent in enumerate(parents):
        found.append(np.sin(x[i]) * found[parent])
    return np.array(found)
"""


def test_a_list_that_is_read_while_it_grows() -> None:
    f = namespace(LISTS)["chain"]
    check(f, RNG.normal(size=5), [-1, 0, 1, 1, 0], RNG.normal(size=(2, 2)))


def test_blocks_joined_with_an_array() -> None:
    check(namespace(LISTS)["blocks"], RNG.normal(size=4), RNG.normal(size=(2, 2)), whole=False)


def test_an_item_that_is_not_there_is_an_error() -> None:
    f, args = namespace(LISTS)["read_first"], (RNG.normal(size=3), [0, 0, 0], np.eye(2))
    for backend in (None, "c"):
        with pytest.raises(IndexError):
            rg.jacobian(f, backend=backend)(*args)


@pytest.mark.parametrize(
    ("body", "grows"),
    [
        ("r = []\n    r = rt.appended(r, x)\n    return np.stack(r)", True),
        ("r = []\n    r = rt.appended(r, x)\n    y = r[0]\n    return r", True),
        ("r = []\n    s = r\n    r = rt.appended(r, x)\n    return s, r", False),
        (
            "r = []\n    r = rt.appended(r, x)\n    s = [r]\n    r = rt.appended(r, x)\n    return s",
            False,
        ),
        ("r = []\n    r = rt.appended(r, x)\n    s = r[:]\n    return s", False),
        ("r = []\n    r = rt.appended(r, x)\n    return g(r)", False),
        ("r = rt.appended(r, x)\n    return r", False),
    ],
)
def test_a_list_grows_in_place_if_nobody_else_has_it(body: str, grows: bool) -> None:
    import ast

    (definition,) = ast.parse(f"def f(x, r0):\n    {body}\n").body
    assert isinstance(definition, ast.FunctionDef)
    if "r = []" not in body:
        definition.args.args[1].arg = "r"
    assert ("r.append" in ast.unparse(growing_in_place(definition))) == grows


# -- objects


@dataclass
class Model:
    weights: Any
    names: tuple[str, ...]
    scale: float
    mirrored: bool


class Computed:
    @property
    def weights(self) -> Any:
        return np.eye(2)

    scale, mirrored, names = 2.0, False, ()


OBJECTS = """
def inner(x, model):
    y = model.weights @ x
    return -y if model.mirrored else y

def outer(x, model, data):
    return np.sin(inner(x, model)) * model.scale * len(model.names) + data
"""


def model(mirrored: bool = False) -> Model:
    return Model(RNG.normal(size=(2, 2)), ("a", "b", "c"), 0.5, mirrored)


def test_an_object_is_taken_apart() -> None:
    f = namespace(OBJECTS)["outer"]
    made, plain = rg.jacobian(f, 0, "forward", backend="c"), rg.jacobian(f, 0, "forward")
    x, data = RNG.normal(size=2), RNG.normal(size=2)
    for one in (model(), model(True), model()):
        np.testing.assert_allclose(made(x, one, data), plain(x, one, data))
    assert notes(made, (0,), (x, model(), data)) == []


def test_an_attribute_that_is_computed_leaves_the_text_as_it_is() -> None:
    text = "def f(x, model):\n    return g(x, model) * model.scale\n\ndef g(x, m):\n    return m.weights @ x\n"
    f = namespace(text)["f"]
    x = RNG.normal(size=2)
    made = taken_apart(text, "f", f, (x, model()))
    assert made is not None and "model_scale" in made.text and made.split((x, 1.0)) is None
    assert taken_apart(text, "f", f, (x, Computed())) is None


@pytest.mark.parametrize(
    "use", ["str(model)", "[model]", "model.weights.append(1)", "g(*[model])", "model"]
)
def test_an_object_that_is_used_whole_stays(use: str) -> None:
    text = f"def f(x, model):\n    y = {use}\n    return x\n\ndef g(m):\n    return m\n"
    found = taken_apart(text, "f", namespace(text)["f"], (np.ones(2), model()))
    assert found is None or use.startswith("model.weights")
