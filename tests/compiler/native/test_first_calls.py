"""First calls of kernels leave the process as the text does: what is asked of functions of NumPy has no effect."""

import random
import shutil

import numpy as np
import pytest

import retrograd as rg
from retrograd.compiler.native.c import toolchain
from retrograd.compiler.native.partition import run_regions

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler"
)


def dropout(w, x):
    total = 0.0
    for _ in range(3):
        kept = np.random.rand(*x.shape) < 0.7
        total = total + np.sum((w * x * kept) ** 2)
    return total


def noisy(w, x):
    a = np.tanh(w * x)
    c = np.sin(a) * np.exp(-a * a) + np.cos(a)
    d = c * np.random.normal(size=x.shape)
    e = np.tanh(d) + np.exp(d) * np.sin(d)
    return np.sum(e * e)


def chosen(w, x):
    k = np.random.choice(len(x))
    signs = np.random.permutation(np.sign(x))
    a = np.tanh(w * x * signs)
    return np.sum(np.exp(-a * a) * np.sin(a)) * x[k] * random.random()


@pytest.mark.parametrize("transform", [rg.grad, rg.value_and_grad])
@pytest.mark.parametrize("loss", [dropout, noisy, chosen])
def test_generators_are_where_the_text_leaves_them(loss, transform, tmp_path, monkeypatch):
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    w, x = np.linspace(0.1, 1, 5), np.linspace(-1, 1, 5)

    def drawn(**options):
        np.random.seed(0)
        random.seed(0)
        derivative = transform(loss, **options)
        return [(derivative(w, x), np.random.get_state()[2], random.getstate()) for _ in range(3)]

    for got, want in zip(drawn(backend="c"), drawn(), strict=True):
        assert got[1:] == want[1:]
        np.testing.assert_allclose(got[0][-1], want[0][-1], rtol=1e-12)


def test_options_of_numpy_stay(tmp_path, monkeypatch):
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    before = np.get_printoptions(), np.geterr(), np.random.get_state()[1][:3].tolist()

    def said(x):
        np.set_printoptions(precision=8)
        return np.sum(np.sin(x) * np.exp(x) + np.tanh(x) * x)

    rg.grad(said, backend="c")(np.ones(3))
    after = np.get_printoptions(), np.geterr(), np.random.get_state()[1][:3].tolist()
    assert before == after


def transforms(x, w):
    """Lengths that have a large factor stay NumPy, which is known when they are met, one behind the other."""
    z = np.sin(x) * np.exp(-x * x) + w
    a = np.abs(np.fft.rfft(z)) ** 2
    b = np.abs(np.fft.rfft(np.tanh(a) * np.sqrt(1.0 + a))) ** 2
    c = np.abs(np.fft.rfft(np.tanh(b) * np.sqrt(1.0 + b))) ** 2
    return np.sum(np.tanh(c / 10.0) * np.sqrt(1.0 + c) + np.exp(-c))


def test_what_stays_is_known_after_the_first_call(tmp_path, monkeypatch):
    monkeypatch.setenv("RETROGRAD_CACHE", str(tmp_path))
    done = []
    for module, name in ((toolchain, "ran"), (run_regions, "cut")):
        call = getattr(module, name)
        monkeypatch.setattr(
            module, name, lambda *given, c=call, n=name: (done.append(n), c(*given))[1]
        )
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=2 * (2 * 82 + 1) - 2), rng.normal(size=328)
    made = rg.grad(transforms, (0, 1), backend="c")
    want = rg.grad(transforms, (0, 1))(x, w)
    for k in range(4):
        for one, other in zip(made(x, w), want, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-10)
        if k == 0:
            assert done.count("cut") > 2
            first = len(done)
    assert len(done) == first
    compiled = {p.first for p in made.__native__.parts() if p.compiled}
    assert done.count("ran") <= len(compiled) + 1  # each once, and what they share
