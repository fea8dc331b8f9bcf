"""A probe."""
from __future__ import annotations

import importlib.util
import itertools
import linecache
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from tests.face.stale_cases import CASES

X = 1.5
COUNT = itertools.count()

def module(folder, name, text):
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    made = importlib.util.module_from_spec(spec)
    sys.modules[name] = made
    spec.loader.exec_module(made)
    return made

def slope(f, x=X, h=1e-4):
    return (f(x + h) - f(x - h)) / (2 * h)

WAYS = {}
def way(fn): WAYS[fn.__name__] = fn; return fn
@way
def held(f):
    g = rg.grad(f); return lambda: g(X)
@way
def anew(f): return lambda: rg.grad(f)(X)
@way
def decorated(f):
    d = rg.differentiate(f); d.grad(X); return lambda: d.grad(X)
@way
def jvp(f): return lambda: rg.jvp(f, (X,), (1.0,))[1]
@way
def vjp(f): return lambda: rg.vjp(f, X)[1](1.0)[0]
@way
def value_and_grad(f):
    g = rg.value_and_grad(f); return lambda: g(X)[1]
@way
def second(f):
    g = rg.grad(lambda x: f(x)); return lambda: g(X)
@way
def jacobian(f):
    g = rg.jacobian(f); return lambda: g(X)
@way
def c(f):
    g = rg.grad(f, backend="c"); g(X); return lambda: g(X)
@way
def deco_c(f):
    d = rg.differentiate(backend="c")(f); d.grad(X); return lambda: d.grad(X)
@way
def deco_jac(f):
    d = rg.differentiate(f); return lambda: d.jacobian(X)
@way
def deco_jvp(f):
    d = rg.differentiate(f); return lambda: d.jvp((X,), (1.0,))[1]
@way
def numba(f):
    g = rg.grad(f, backend="numba"); g(X); return lambda: g(X)

def run(case, way, folder):
    name = f"stale_case_{next(COUNT)}"
    module(folder, "stale_other", "K = 1.0\n")
    module(folder, "stale_reloaded", "K = 2.0\ndef g(x):\n    return x * x\n")
    m = module(folder, name, case.text)
    try:
        go = WAYS[way](m.f)
        first = go()
    except RetrogradError as e:
        return f"refused before: {str(e)[:100]}"
    except Exception as e:
        return f"CRASH before {type(e).__name__}: {str(e)[:100]}"
    try: want = slope(m.f)
    except Exception as e: return f"BADCASE {type(e).__name__} {e}"
    if not np.allclose(first, want, rtol=1e-5): return f"WRONG before: {first}, right {want}"
    # statements are in a file: functions made there have a text
    p = folder / f"{name}_change.py"
    p.write_text(case.statements)
    linecache.checkcache()
    old = np.tanh
    try:
        try: exec(compile(case.statements, str(p), "exec"), vars(m))
        except Exception as e: return f"BADCASE {type(e).__name__} {e}"
        try:
            want = slope(m.f)
        except Exception as e:
            want = e
        try: got = go()
        except RetrogradError: return "refused"
        except Exception as e:
            if isinstance(want, Exception) and type(e) is type(want): return "own error"
            return f"CRASH {type(e).__name__}: {str(e)[:100]} want {want!r}"
    finally:
        np.tanh = old
    if isinstance(want, Exception): return f"STALE {got} where f raises {want!r}"
    if not np.allclose(got, want, rtol=1e-5):
        return f"STALE {got}, right {want}" if np.allclose(got, first) else f"WRONG {got} right {want}"
    return "ok"

if __name__ == "__main__":
    ways = sys.argv[1].split(",") if len(sys.argv) > 1 else list(WAYS)
    pat = sys.argv[2] if len(sys.argv) > 2 else ""
    folder = Path(tempfile.mkdtemp(prefix="stale")); sys.path.insert(0, str(folder))
    warnings.simplefilter("ignore")
    from collections import Counter
    for w in ways:
        counts = Counter()
        for case in CASES:
            if pat not in case.name: continue
            r = run(case, w, folder)
            counts[r.split()[0]] += 1
            if r not in ("ok", "refused", "own error"):
                print(f"{w:8s} {case.name:55s} {r}")
        print(w, dict(counts), flush=True)
