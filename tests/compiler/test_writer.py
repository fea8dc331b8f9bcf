"""The writer's law over real source, and golden cases for its precedence and wrapping."""

import ast
import sys
import sysconfig
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrograd.compiler.emit.printer.printer import write
from tests import scope

ROOTS = (Path(sysconfig.get_path("stdlib")), Path(np.__file__).parent)
STRIDE = 1 if scope.is_whole(__name__) else 60


def sources(root: Path) -> list[Path]:
    inside = (path.relative_to(root) for path in root.rglob("*.py"))
    return [root / path for path in sorted(inside) if "site-packages" not in path.parts]


def parsed(source: str | bytes) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)


def check_law(tree: ast.Module, width: int = 88) -> str:
    text = write(tree, width)
    again = parsed(text.encode())
    assert ast.dump(again) == ast.dump(tree)
    assert write(again, width) == text
    return text


@pytest.mark.parametrize("width", [88, 40])
@pytest.mark.parametrize("root", ROOTS, ids=["stdlib", "numpy"])
def test_law_over_real_files(root: Path, width: int) -> None:
    paths = sources(root)[:: STRIDE if width == 88 else 3 * STRIDE]
    written = 0
    for path in paths:
        try:
            tree = parsed(path.read_bytes())
        except (SyntaxError, ValueError):
            continue  # the standard library tests its parser on broken files
        try:
            check_law(tree, width)
        except AssertionError as error:
            pytest.fail(f"{path} at width {width}: {str(error)[:200]}")
        written += 1
    assert written > 0.9 * len(paths)


SAME = r'''
(-2) ** 2
-(2**2)
2**-1
a**b**c
(a**b) ** c
-x @ y.T
-(x @ y)
a - (b - c) - d
a / (b * c) * d
(a + b) * c % d
a << b | c & d ^ ~e
not a == b
not (a and b) or c
(a or b) or c
a < b <= c is not d not in e
(a < b) < c
a if b else c if d else e
(a if b else c) if d else e
(lambda: x)()
lambda: (yield)
lambda x, /, y=1, *a, z, **k: x if y else z
h[1:, None]
h[a:b:c, ..., ::2]
h[1 : n + 1]
h[0, 1]
h[0,]
h[()]
h[(a, b), c]
x[*a]
x[*a, 1]
()
(a,)
(*a, b)
[a, *b]
{a, *b}
{"a": 1, **b}
(3).real
1.5.real
1e309
2j
"it's"
'a "quoted" word'
"tab\t\\ \x00 \udc80 é"
b"a'\xff\n"
...
x = yield y
x = yield a, b
x = (yield) + 1
x = await y ** 2
(await x)(y)
await (yield)
if n := f(x):
    pass
f(x := 1, *a, k=lambda: 0, **b)
f(x for x in y)
f((x for x in y), 1)
[x for x, y in z if (a if b else c) if d]
[x async for x in y]
{k: v for k, v in z}
a, b = b, a
(a,) = b
a, *b = c = d
for i, (j, k) in enumerate(x):
    pass
return a, b
return
x: int = 1
(x): int = 1
x.y: int
x += 1, 2
del a, b
del (a, b)
assert a, "b"
raise A from b
global a, b
nonlocal c
with a as b, c as (d, e), f:
    pass
with ((a, b)):
    pass
with (yield):
    pass
match a, b:
    case -1 | 2 + 3j | "s" | None | a.b:
        pass
    case [1, *_, (2 | 3) as x] if x:
        pass
    case {"k": v, **rest}:
        pass
    case A(x, (y as z), k=_) | {}:
        pass
    case _:
        pass
try:
    pass
except* (A, B) as e:
    pass
else:
    pass
finally:
    pass
from .. import a as b, c
from . import *
import a.b as c, d
async def f(a, b: int = 1, /, *args: *Ts, c=2, **kw) -> int:
    async for x in y:
        break
    async with a:
        pass
class A(B, metaclass=M, *a):
    x = 1
@a.b(c)
@d[0]
class A:
    """Doc."""
if a:
    pass
elif b:
    pass
else:
    pass
while a:
    continue
else:
    pass
f"{x!r:>{width}} {{}}"
f"{a['b']} it's"
f'{a} "b"'
f"{ {1: 2}[1] }"
f"{(lambda: 1)}"
f"{x:%H:%M}"
f""
f"{a if b else c}"
u"a"
'''
RESPELLED = {
    "class A(B, metaclass=M, *a):": "class A(B, *a, metaclass=M):",
    'u"a"': 'u"""a"""',
    'f"{ {1: 2}[1] }"': 'f"{ {1: 2}[1]}"',
    "(y as z), k=_)": "y as z, k=_)",
    "(2 | 3) as x": "2 | 3 as x",
}


def statements() -> list[str]:
    """The golden statements, an indented or a following clause kept with its header."""
    out: list[str] = []
    for line in SAME.strip("\n").split("\n"):
        follows = line.startswith((" ", "elif", "else", "except", "finally"))
        if follows or (out and out[-1].startswith("@") and out[-1].split("\n")[-1].startswith("@")):
            out[-1] += f"\n{line}"
        else:
            out.append(line)
    return out


@pytest.mark.parametrize("source", statements())
def test_writes_as_it_was_written(source: str) -> None:
    expected = source
    for old, new in RESPELLED.items():
        expected = expected.replace(old, new)
    if expected.startswith(('"', "'")):
        source, expected = f"x = {source}", f"x = {expected}"
    assert check_law(ast.parse(source)) == f"{expected}\n"


@pytest.mark.parametrize("source", statements())
@pytest.mark.parametrize("width", [1, 12])
def test_broken_lines_keep_the_law(source: str, width: int) -> None:
    check_law(ast.parse(source), width)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="syntax of Python 3.12")
@pytest.mark.parametrize(
    "source",
    [
        "type A[T: int, *Ts, **P] = dict[T, P]",
        "def f[T: (int, str)](x: T) -> T:\n    pass",
        "class A[T](B):\n    pass",
        r'''x = f"{'\n'.join(a)}"''',
        '''x = f"{f"{f"{f"{f"{1}"}"}"}"}"''',
        '''x = f"{a["b"]:{"c"}}"''',
    ],
)
def test_syntax_of_later_versions(source: str) -> None:
    check_law(ast.parse(source))
    check_law(ast.parse(source), 10)


GOLDEN = {
    '"""Doc."""\nimport numpy as np\nx=1\ndef f():\n  "D"\n  def g(): pass\n  return g\ny=2': '''\
"""Doc."""

import numpy as np

x = 1


def f():
    """D"""

    def g():
        pass

    return g


y = 2
''',
    "class A:\n  '''D.'''\n  x=1\n  def f(self): pass\n  def g(self): pass": '''\
class A:
    """D."""

    x = 1

    def f(self):
        pass

    def g(self):
        pass
''',
    "def f():\n  'a\\\\b\\n\\n    c'\ndef g():\n  'say \"\"\"x\"'": '''\
def f():
    r"""a\\b

    c"""


def g():
    """say \\"\\"\\"x\\""""
''',
    "result = some_function(first_argument, second_argument)": """\
result = some_function(
    first_argument, second_argument
)
""",
    "result = some_function(first_argument, second_argument, third=a + b)": """\
result = some_function(
    first_argument,
    second_argument,
    third=a + b,
)
""",
    "p_bar = y * mean_bar / p - (1 - y) * mean_bar": """\
p_bar = (
    y * mean_bar / p - (1 - y) * mean_bar
)
""",
    "return first_product * second_one + np.sum(third_value)": """\
return (
    first_product * second_one
    + np.sum(third_value)
)
""",
    "return -(first_factor.T @ (second_bar * third))": """\
return -(
    first_factor.T @ (second_bar * third)
)
""",
    "return np.concatenate([first, second, third]).reshape(n)": """\
return np.concatenate(
    [first, second, third]
).reshape(n)
""",
    "raise ValueError('a message that is far too long for it')": """\
raise ValueError(
    "a message that is far too long for "
    "it"
)
""",
    "x = {'first': aaaaaaaaaaaaa + bbbbbbbbbbbbbbbb, 'second': 2}": """\
x = {
    "first": (
        aaaaaaaaaaaaa + bbbbbbbbbbbbbbbb
    ),
    "second": 2,
}
""",
    "def function(first: int, second: int = 2) -> dict[str, int]: pass": """\
def function(
    first: int, second: int = 2
) -> dict[str, int]:
    pass
""",
    "with open(first_path) as one, open(second) as two: pass": """\
with (
    open(first_path) as one,
    open(second) as two,
):
    pass
""",
    "from package import first_name, second_name, third_name, more": """\
from package import (
    first_name,
    second_name,
    third_name,
    more,
)
""",
    "if first_condition and not second_condition: pass": """\
if (
    first_condition
    and not second_condition
):
    pass
""",
}


@pytest.mark.parametrize("source", GOLDEN)
def test_layout(source: str) -> None:
    assert check_law(ast.parse(source), 42) == GOLDEN[source]


@pytest.mark.parametrize("value", [-1, -0.0, -2.5, complex(1, -2), complex(0, -2), float("-inf")])
def test_constants_that_no_parser_makes(value: complex) -> None:
    power = ast.BinOp(ast.Constant(value), ast.Pow(), ast.Constant(2))
    assert repr(eval(write(ast.Constant(value)))) == repr(value)
    assert repr(eval(write(power))) == repr(value**2)


@pytest.mark.parametrize("value", [frozenset(), frozenset({3, 1}), frozenset({"b", (1, "a")})])
def test_a_frozenset_is_written_in_one_order(value: frozenset[object]) -> None:
    text = write(ast.Constant(value))  # type: ignore[arg-type]
    assert eval(text) == value
    assert text == write(ast.Constant(frozenset(sorted(value, key=repr, reverse=True))))  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [np.float64(1.0), object(), {1}])
def test_a_constant_without_a_literal_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="has no literal"):
        write(ast.Constant(value))  # type: ignore[arg-type]


def nodes(inner: st.SearchStrategy[ast.expr]) -> st.SearchStrategy[ast.expr]:
    """One more level of expressions whose parentheses matter."""
    unary = st.sampled_from([ast.USub, ast.Not, ast.Invert])
    binary = st.sampled_from([ast.Add, ast.Sub, ast.Mult, ast.Pow, ast.MatMult, ast.BitOr])
    load = ast.Load()
    return st.one_of(
        st.builds(lambda op, x: ast.UnaryOp(op(), x), unary, inner),
        st.builds(lambda x, op, y: ast.BinOp(x, op(), y), inner, binary, inner),
        st.builds(lambda x, y: ast.BoolOp(ast.And(), [x, y]), inner, inner),
        st.builds(lambda x, y: ast.Compare(x, [ast.Lt(), ast.In()], [y, x]), inner, inner),
        st.builds(ast.IfExp, inner, inner, inner),
        st.builds(lambda x: ast.Attribute(x, "a", load), inner),
        st.builds(lambda f, x: ast.Call(f, [x], [ast.keyword("k", x)]), inner, inner),
        st.builds(lambda x, y: ast.Subscript(x, ast.Slice(y, x), load), inner, inner),
        st.builds(lambda x, y: ast.Tuple([x, y], load), inner, inner),
        st.builds(ast.Await, inner),
        st.builds(lambda x: ast.Yield(x), inner),
        st.builds(lambda x: ast.NamedExpr(ast.Name("w", ast.Store()), x), inner),
    )


NAMES = st.sampled_from("xyz").map(lambda name: ast.Name(name, ast.Load()))
NUMBERS = st.integers(0, 9).map(ast.Constant)
TEXTS = st.text(max_size=60).map(ast.Constant)
LEAVES: st.SearchStrategy[ast.expr] = st.one_of(NAMES, NUMBERS, TEXTS)


@settings(max_examples=300, deadline=None)
@given(st.recursive(LEAVES, nodes, max_leaves=25), st.sampled_from([5, 30, 88]))
def test_law_over_random_expressions(tree: ast.expr, width: int) -> None:
    again = parsed(write(tree, width)).body[0]
    assert isinstance(again, ast.Expr)
    assert ast.dump(again.value) == ast.dump(tree)
