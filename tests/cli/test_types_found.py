"""Types that nobody spelled: from annotations, defaults, examples, docstrings and runs of scripts."""

from __future__ import annotations

import importlib.util
import re
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd as rg

from .conftest import Done

Call = Callable[..., Done]

STYLES = '''
from __future__ import annotations

import dataclasses
import typing
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, NewType, Optional, TypedDict, TypeVar, Union

import numpy as np
import numpy.typing as npt
from numpy.typing import ArrayLike, NDArray

Vector = np.ndarray[tuple[int], np.dtype[np.float64]]
Matrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]
Seconds = NewType("Seconds", float)
Real = TypeVar("Real", bound=float)


@dataclasses.dataclass
class Layer:
    w: Matrix
    b: Vector
    name: ClassVar[str] = "layer"


@dataclasses.dataclass(frozen=True)
class Net:
    layer: Layer
    scale: float
    steps: int = 3

    def loss(self, x: Vector) -> float:
        return self.scale * np.sum(self.layer.w @ x + self.layer.b)


class Rates(NamedTuple):
    ka: float
    ke: float


class Doses(TypedDict):
    amount: float
    times: NDArray[np.float64]


class Plain:
    k: float

    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return self.k * np.sum(x**2)


def numbers(a: float, b: int, c: bool, d: complex = 1j) -> float:
    return a * b


def of_numpy(x: np.float64, y: np.float32, k: np.int64):
    return x * k


def vectors(w: Vector, x: Matrix, y: Vector):
    return np.mean((x @ w - y) ** 2)


def texts(w: "f8[d]", x: "f8[n, d]", q: "float"):
    return q * np.sum(x @ w)


def labels(w: Annotated[np.ndarray, "f8[d]"], x: Annotated[npt.NDArray[np.float64], "any words", "f8[n, d]"]):
    return np.sum(x @ w)


def any_rank(x: NDArray[np.float64], y: NDArray[np.floating[Any]]):
    return np.sum(x) * np.sum(y)


def fixed(x: np.ndarray[tuple[Literal[3], int], np.dtype[np.float32]]):
    return np.sum(x)


def records(p: Rates, q: Doses):
    return p.ka * q["amount"] * np.sum(np.exp(-p.ke * q["times"]))


def nets(net: Net, x: Vector):
    return net.loss(x)


def containers(a: tuple[float, int], b: list[float], c: dict[str, float], d: tuple[float, ...], e: list[Vector]):
    return a[0] * a[1]


def choices(a: float, b: Optional[float] = None, c: Union[int, float] = 1, d: float | np.ndarray = 0.5,
            e: Literal["one", "two"] = "one", f: Literal[2] = 2):
    return a * c


def open_ended(a: ArrayLike, b: Any, c: np.ndarray, d: "no.such.Name", e: typing.Callable[[float], float]):
    return np.sum(a)


def aliases(t: Seconds, r: Real, k: "Seconds"):
    return t * r


def defaults(x, lam=0.1, n=3, flag=True, betas=(0.9, 0.99), mode="fast", scale=2):
    return np.sum(x * lam)


def shown(x, y, n):
    """The loss.

    >>> x = np.zeros(3)
    >>> round(shown(x, y=np.zeros((2, 3)), n=1), 2)
    0.0
    """
    return n * np.sum(y @ x)


def mixed(x: np.ndarray, y: NDArray[np.float64], lam: float = 1):
    return lam * np.sum(y @ x)


def unpacked(theta, t):
    a, b = theta
    return np.sum(a * np.exp(-b * t))
'''

# A function, and the signature that its own text gives it (None: it gives none).
FOUND: dict[str, str | None] = {
    "numbers": "a: float, b: int, c: bool, d: complex",
    "of_numpy": "x: f8, y: f4, k: i8",
    "vectors": "w: f8[d], x: f8[n, d], y: f8[n]",
    "texts": "w: f8[d], x: f8[n, d], q: float",
    "labels": "w: f8[d], x: f8[n, d]",
    "any_rank": "x: f8[...], y: f8[...]",
    "fixed": "x: f4[3, d]",
    "records": "p: Rates(ka: float, ke: float), q: {'amount': float, 'times': f8[...]}",
    "nets": "net: Net(layer: Layer(w: f8[n, d], b: f8[m]), scale: float, steps: int), x: f8[p]",
    "Net.loss": "self: Net(layer: Layer(w: f8[n, d], b: f8[n]), scale: float, steps: int), x: f8[d]",
    "Plain.energy": "self: Plain(k: float)",
    "containers": "a: (float, int)",
    "choices": "a: float, c: float, f: int = 2",
    "open_ended": None,
    "aliases": "t: float, r: float, k: float",
    "defaults": "lam: float, n: int, flag: bool, betas: (float, float), scale: int",
    "shown": "x: f8[d], y: f8[m, d], n: int",
    "mixed": "y: f8[...], lam: float",
}


@pytest.fixture(scope="module")
def styles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("styles")
    (folder / "styles.py").write_text(STYLES, encoding="utf-8")
    return folder


@pytest.fixture
def there(styles: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(styles)
    return styles


def signature_in(text: str) -> str | None:
    """The signature in the command of a header."""
    found = re.search(r"--sig ('[^\n]*?'|\"[^\n]*?\")(?= -| *$)", text, re.MULTILINE)
    return None if found is None else found[1][1:-1]


@pytest.mark.parametrize("name", FOUND)
def test_annotations(name: str, there: Path, call: Call) -> None:
    wrt = {
        "of_numpy": "x",
        "records": "p",
        "containers": "a[0]",
        "nets": "x",
        "Net.loss": "x",
        "Plain.energy": "x",
    }
    more = ["--wrt", wrt[name]] if name in wrt else []
    done = call("grad", f"styles.py:{name}", *more)
    assert done.code == 0, done.err
    assert signature_in(done.out) == FOUND[name]


@pytest.mark.parametrize("name", ["vectors", "records", "Net.loss", "shown", "choices"])
def test_the_file_is_made_anew_from_its_header(name: str, there: Path, call: Call) -> None:
    out = f"{name.replace('.', '_')}_out.py"
    wrt = {"Net.loss": "x", "records": "p"}
    assert call("grad", f"styles.py:{name}", "--wrt", wrt.get(name, "0"), "-o", out).code == 0
    assert call("check", out).out == f"{out} is up to date\n"


EXAMPLES: list[tuple[str, str, str]] = [
    ("vectors", "vectors(np.zeros(3), np.ones((5, 3)), np.ones(5))", FOUND["vectors"] or ""),
    ("mixed", "mixed(np.zeros(3), np.ones((5, 3)))", "x: f8[d], y: f8[n, d], lam: float"),
    ("choices", "choices(1.0, 2.0, d=np.ones(3))", "a: float, b: float, c: float, d: f8[n], e: str, f: int = 2"),
    ("containers", "containers((1.0, 2), [1.0], {'k': 2.0}, (1.0,), [np.ones(3), np.ones(4)])",
     "a: (float, int), b: [float], c: {'k': float}, d: (float), e: [f8[n], f8[m]]"),
    ("Plain.energy", "Plain(2.0).energy(np.ones(3))", "self: Plain(k: float), x: f8[n]"),
    ("Plain.energy", "print(Plain.energy(Plain(2.0), np.ones((3, 1))))", "self: Plain(k: float), x: f8[n, 1]"),
    ("defaults", "defaults(np.ones(3), n=2.5)",
     "x: f8[m], lam: float, n: float, flag: bool, betas: (float, float), mode: str, scale: int"),
    ("open_ended", "open_ended(np.ones(3), 2, np.ones(2, int), None, np.sin)",
     "a: f8[n], b: int, c: i8[m], d: None, e: numpy.sin"),
    ("unpacked", "unpacked(np.ones(2), np.ones(9))", "theta: f8[2], t: f8[n]"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "example", "sig"), EXAMPLES)
def test_examples(name: str, example: str, sig: str, there: Path, call: Call) -> None:
    more = {"containers": ["--wrt", "a[0]"], "Plain.energy": ["--wrt", "x"]}
    done = call("grad", f"styles.py:{name}", *more.get(name, []), "--example", example)
    assert done.code == 0, done.err
    assert signature_in(done.out) == sig


def test_several_examples(there: Path, call: Call) -> None:
    shown = ["defaults(1.0)", "defaults(2, 1)"]
    done = call("grad", "styles.py:defaults", *(w for e in shown for w in ("--example", e)))
    assert (signature_in(done.out) or "").startswith("x: float, lam: float, n: int")


CONTRADICTIONS: list[tuple[list[str], str]] = [
    (["numbers", "--sig", "a: f8[n]"], "`a` is f8[n] by --sig, but float by its annotation"),
    (["numbers", "--sig", "b: str"], "`b` is str by --sig, but int by its annotation"),
    (["numbers", "--example", "numbers(np.ones(3), 2, True)"],
     "`a` is float by its annotation, but f8[3] by --example"),
    (["numbers", "--sig", "a: float", "--example", "numbers('x', 2, True)"],
     "`a` is float by --sig, but 'x' by --example"),
    (["vectors", "--example", "vectors(np.ones((3, 3)), 0, 0)"],
     "`w` is f8[_] by its annotation, but f8[3, 3] by --example"),
    (["any_rank", "--example", "any_rank(np.ones(3, 'f4'), np.ones(3))"],
     "`x` is f8[...] by its annotation, but f4[3] by --example"),
    (["records", "--example", "records(Rates(1, 'x'), 0)"],
     "`p.ke` is float by its annotation, but 'x' by --example"),
    (["records", "--example", "records(Rates(1, 2), {'amount': 1.0})"], "`q` is {'amount': float, "),
    (["texts", "--sig", "w: f8[3]", "--example", "texts(np.ones(4), np.ones((2, 4)), 1.0)"],
     "`w` is f8[3] by --sig, but f8[4] by --example"),
    (["numbers", "--example", "numbers(1.0)"], "missing a required argument: 'b'"),
    (["numbers", "--example", "vectors(1.0)"], "does not call numbers"),
    (["numbers", "--example", "numbers(1.0, oh, True)"], "NameError: name 'oh' is not defined"),
    (["numbers", "--example", "numbers(1.0,"], "SyntaxError"),
    (["numbers", "--run", "nothing.py"], "there is no script nothing.py"),
    (["numbers", "--run", "styles.py"], "does not call numbers"),
    (["numbers", "--sig", "a: Nothing(k: float)"], "there is no class `Nothing`"),
]  # fmt: skip


@pytest.mark.parametrize(("argv", "message"), CONTRADICTIONS)
def test_contradictions(argv: list[str], message: str, there: Path, call: Call) -> None:
    done = call("grad", f"styles.py:{argv[0]}", *argv[1:])
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_a_missing_word_is_filled_in(there: Path, call: Call) -> None:
    done = call("grad", "styles.py:defaults", "--sig", "x: f8")
    assert signature_in(done.out) == f"x: f8, {FOUND['defaults']}"
    done = call("grad", "styles.py:Net.loss", "--wrt", "x", "--sig", "self: Net(scale=float)")
    assert (signature_in(done.out) or "").startswith(
        "self: Net(scale: float, layer: Layer(w: f8[n, d]"
    )


# -- runs of scripts ----------------------------------------------------------------------------

PACKAGE = {
    "model/__init__.py": "from .losses import Fit, loss\n",
    "model/losses.py": """
import numpy as np
import retrograd as rg

class Fit:
    def __init__(self, k):
        self.k = k
        self.label = "fit"

    def cost(self, w, x):
        return self.k * np.sum((x @ w) ** 2)

def loss(w, x, y, lam=0.1):
    return np.mean((x @ w - y) ** 2) + lam * np.sum(w * w)

@rg.differentiate
def decorated(w, x):
    return np.sum(x * w)

def inner(w, *rest, **more):
    return w * rest[0] * more["k"]
""",
    "train.py": """
import sys
import threading
import numpy as np
import retrograd as rg
from model import Fit, loss
from model import losses

def work(n, d=3):
    x = np.arange(float(n * d)).reshape(n, d)
    loss(np.ones(d), x, x[:, 0])

for n in (5, 6):
    work(n)
thread = threading.Thread(target=work, args=(7,))
thread.start()
thread.join()
print("trained", *sys.argv[1:])
Fit(2.0).cost(np.ones(3), np.ones((4, 3)))
losses.decorated.grad(2.0, np.ones(4))
losses.inner(2.0, 3.0, k=1)
if "fail" in sys.argv:
    raise ValueError("diverged")
sys.exit(3 if "exit" in sys.argv else 0)
""",
}


@pytest.fixture
def package(folder: Path) -> Path:
    for name, text in PACKAGE.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for name in [n for n in sys.modules if n.partition(".")[0] == "model"]:
        del sys.modules[name]
    return folder


RUNS: list[tuple[str, list[str], str]] = [
    ("model/losses.py:loss", [], "w: f8[d], x: f8[n, d], y: f8[n], lam: float"),
    ("model.losses:loss", [], "w: f8[d], x: f8[n, d], y: f8[n], lam: float"),
    ("model/losses.py:Fit.cost", ["--wrt", "w"], "self: Fit(k: float, label: str), w: f8[d], x: f8[n, d]"),
    ("model/losses.py:decorated", [], "w: float, x: f8[n]"),
    ("model/losses.py:inner", [], "w: float, rest: (float), more: {'k': int}"),
]  # fmt: skip


@pytest.mark.parametrize(("target", "more", "sig"), RUNS)
def test_runs(target: str, more: list[str], sig: str, package: Path, call: Call) -> None:
    done = call("grad", target, *more, "--run", "train.py --quick")
    assert done.code == 0, done.err
    assert signature_in(done.out) == sig
    assert "trained --quick\n" in done.err


@pytest.mark.parametrize(
    ("word", "said"), [("fail", "ValueError: diverged"), ("exit", "it ended with 3")]
)
def test_a_run_that_fails_has_shown_its_calls(
    word: str, said: str, package: Path, call: Call
) -> None:
    done = call("grad", "model/losses.py:loss", "--run", f"train.py {word}")
    assert done.code == 0 and said in done.err
    assert signature_in(done.out) == RUNS[0][2]


# -- in Python ------------------------------------------------------------------------------------


def test_the_source_of_a_decorated_function_reads_annotations(styles: Path) -> None:
    module = loaded(styles / "styles.py")
    assert "w: f8[d], x: f8[n, d], y: f8[n]" in rg.differentiate(module.vectors).source()
    assert (
        '@rt.expects("float", "int", "bool", "complex")'
        in rg.differentiate(module.numbers).source()
    )
    called = rg.differentiate(module.numbers).source("grad", 2.0, 3, True)
    assert '"float", "int", "bool"' in called


def loaded(path: Path) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


class Labelled:
    """An annotation like those of jaxtyping, which is not imported."""

    def __init__(self, dtypes: Any, dim_str: str) -> None:
        self.dtypes, self.dim_str = dtypes, dim_str


@pytest.mark.parametrize(
    ("dtypes", "dims", "sig"),
    [
        (["float64"], "n d", "x: f8[n, d]"),
        (["float32"], "3 _", "x: f4[3, d]"),
        (["float16", "float32", "float64"], "n", "x: f8[n]"),
        (["float64"], "rows=4 #n", "x: f8[4, d]"),
        (["float64"], "*batch n", "x: f8[...]"),
        (["float64"], "", "x: f8"),
        (["int32", "float64"], "n", None),
    ],
)
def test_labelled_annotations(dtypes: Any, dims: str, sig: str | None) -> None:
    from retrograd.transforms.signatures.found import found_types

    def f(x: Any) -> Any:
        return np.sum(x)

    f.__annotations__ = {"x": Labelled(dtypes, dims)}
    chain = rg.differentiate(f).__retrograd__.then("grad", [0])
    assert found_types(chain).text == sig
