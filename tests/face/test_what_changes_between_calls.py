"""The world changes between two calls of one derivative: globals, attributes, classes, closures, defaults, items of the module's containers."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from tests.written import namespace

pytestmark = pytest.mark.usefixtures("unchecked")

WORLD = """
import numpy as np
from dataclasses import dataclass, field
from types import SimpleNamespace
import functools
K = 2
FLAG = True
TABLE = {"a": 1.5, "b": None}
LIST = [1.0, 2.0]
ARR = np.array([1.0, 2.0, 3.0])
MODE = "full"
NS = SimpleNamespace(k=2.0, f=None, items=[1.0])
def square(x): return x**2
def cube(x): return x**3
def square_of(s, x): return x**2
def eight(s): return 8.0
def scaled(x, k): return x**2 * k
def helper(x): return x * 2
def chosen(x): return helper(x) + K
FUNCS = {"f": helper}
class C:
    k = 2
    items = [1.0]
    def __init__(self): self.a = 1.0; self.opt = None
    def m(self, x): return x * self.k + self.a
    @property
    def p(self): return self.a * 3
    @classmethod
    def c(cls, x): return x * cls.k
    @staticmethod
    def s(x): return x * 5
class D(C):
    pass
OBJ = C(); OBJ2 = D()
@dataclass
class P:
    a: float = 1.0
    f: object = None
    items: list = field(default_factory=lambda: [1.0, 2.0])
PAR = P()
def maker(k):
    def inner(x): return np.sum(x * k)
    def setk(v):
        nonlocal k
        k = v
    return inner, setk
INNER, SETK = maker(2)
PART = functools.partial(lambda x, k: x * k, k=3.0)
def defaulted(x, o=[1.0]): return x * o[0] * len(o)
def kwdef(x, *, k=2): return x * k
helper.scale = 2.0
NESTED = {"a": {"b": [1.0, {"c": 2.0}]}}
TUP = (1.0, [2.0])
"""
CHANGES = {  # what is computed, and the statements that change it, one after the other
    "np.sum(x*K)": ("K=3", "K=0.5", "K=np.array([1.,2,3])", "K=True"),
    "np.sum(x*2) if FLAG else np.sum(x**2)": ("FLAG=False", "FLAG=1", "FLAG=None"),
    "np.sum(x*TABLE['a'])": ("TABLE['a']=3.0", "TABLE={'a':4}", "TABLE['a']=np.array([1.,2,3])"),
    "np.sum(x)*(1 if TABLE['b'] is None else TABLE['b'])": ("TABLE['b']=3.0", "TABLE['b']=None"),
    "np.sum(x)*TABLE.get('z', 2.0)": ("TABLE['z']=3.0", "del TABLE['z']"),
    "sum(v*x[0] for v in LIST)": ("LIST.append(3.0)", "LIST[0]=5", "LIST=[1]", "LIST.clear()"),
    "np.sum(x*ARR)": ("ARR[0]=5", "ARR*=2", "ARR=np.array([0.,1,0])"),
    "np.sum(x[ARR>1.5])": ("ARR[0]=5", "ARR=np.array([0.,1,0])"),
    "np.sum(x) if MODE=='full' else np.sum(x**3)": ("MODE='x'", "MODE=None"),
    "np.sum(x)*NS.k": ("NS.k=3", "NS=SimpleNamespace(k=9.)"),
    "np.sum(x if NS.f is None else NS.f(x))": ("NS.f=np.sin", "NS.f=helper", "NS.f=None"),
    "np.sum(x)*sum(NS.items)": ("NS.items.append(4.0)", "NS.items=[3.0]"),
    "np.sum(helper(x))": ("helper=square", "helper=np.sin"),
    "np.sum(chosen(x))*x[0]": ("helper=square", "K=7", "chosen=np.cos"),
    "np.sum(FUNCS['f'](x))": ("FUNCS['f']=np.sin", "FUNCS={'f':cube}"),
    "np.sum(OBJ.m(x))*x[0]": (
        "OBJ.a=4",
        "OBJ.k=5",
        "C.k=7",
        "OBJ=D()",
        "C.m=square_of",
        "OBJ.m=cube",
    ),
    "np.sum(OBJ.p*x)": ("OBJ.a=4", "C.p=property(eight)", "C.p=9.0"),
    "np.sum(OBJ2.m(x))*x[0]": ("D.k=5", "C.k=7", "D.m=square_of", "del D.m", "OBJ2.a=9"),
    "np.sum(C.c(x))": ("C.k=5", "C.c=staticmethod(square)"),
    "np.sum(C.s(x))+np.sum(OBJ.s(x))": ("C.s=staticmethod(square)",),
    "np.sum(x)*sum(OBJ.items)": ("C.items.append(3.0)", "OBJ.items=[9.0]", "OBJ.items[0]=8."),
    "np.sum(x)*(1.0 if OBJ.opt is None else OBJ.opt)": ("OBJ.opt=3", "OBJ.opt=None"),
    "np.sum(x)*PAR.a*sum(PAR.items)": ("PAR.a=3", "PAR.items.append(2.)", "PAR=P(2.0)"),
    "np.sum(x if PAR.f is None else PAR.f(x))": ("PAR.f=np.sin", "PAR.f=None"),
    "INNER(x)": ("SETK(5)", "SETK(0.25)", "SETK(np.array([1.,0,2]))"),
    "np.sum(PART(x))": ("PART=functools.partial(scaled,k=1)", "PART.keywords['k']=7"),
    "np.sum(defaulted(x))": (
        "defaulted.__defaults__[0].append(2.0)",
        "defaulted.__defaults__[0][0]=4",
        "defaulted.__defaults__=([7.],)",
    ),
    "np.sum(kwdef(x))": ("kwdef.__kwdefaults__['k']=9", "kwdef.__kwdefaults__={'k':3}"),
    "np.sum(x)*helper.scale": ("helper.scale=7",),
    "np.sum(x)*NESTED['a']['b'][1]['c']": (
        "NESTED['a']['b'][1]['c']=5",
        "NESTED['a']['b'].insert(1,{'c':8.})",
        "NESTED['a']={'b':[0,{'c':1}]}",
    ),
    "np.sum(x)*TUP[1][0]": ("TUP[1][0]=5", "TUP=(1,[9])"),
    "np.sum(x)*len(LIST)": ("LIST.append(1)", "LIST=[]"),
    "np.sum(x)*(2 if 'a' in TABLE else 3)": ("del TABLE['a']", "TABLE['a']=0"),
    "np.sum(x)*(2 if hasattr(NS,'z') else 3)": ("NS.z=1", "del NS.z"),
    "np.sum(x)*getattr(NS,'z',3)": ("NS.z=1", "del NS.z"),
    "np.sum(x)*(2 if isinstance(OBJ,D) else 3)": ("OBJ=D()", "OBJ=C()"),
    "np.sum(x)*(2 if callable(NS.f) else 3)": ("NS.f=helper", "NS.f=1"),
    "np.sum(x)*(np.pi if LIST else 3)": ("LIST.clear()", "LIST.append(0)"),
    "np.sum(x)*max(LIST)": ("LIST[0]=9", "LIST.append(20)"),
    "np.sum(x*np.array(LIST)[0])": ("LIST[0]=9", "LIST.insert(0,3.)"),
    "np.sum(np.where(ARR>1.5,x,x**2))": ("ARR[0]=9", "ARR=np.zeros(3)"),
    "np.sum([f(x[0]) for f in FUNCS.values()])": (
        "FUNCS['g']=np.sin",
        "FUNCS.clear()",
        "FUNCS['f']=np.cos",
    ),
    "x[int(K)%3]*2": ("K=4", "K=0"),
    "np.sum(x[:K])": ("K=1", "K=3"),
}


@pytest.mark.parametrize("expression", CHANGES)
def test_the_derivative_is_that_of_the_function_as_it_is_now(expression: str) -> None:
    scope = namespace(f"{WORLD}\ndef main(x):\n    return {expression}\n")
    f, x = scope["main"], np.array([0.4, 1.1, -0.7])
    gradient = rg.grad(f)
    for change in ("", *CHANGES[expression]):
        exec(change, scope)
        try:
            slopes = [(f(x + h) - f(x - h)) / 2e-6 for h in np.eye(3) * 1e-6]
        except Exception as error:
            with pytest.raises((type(error), rg.RetrogradError)):
                gradient(x)
        else:
            assert gradient(x) == pytest.approx(np.array(slopes), rel=1e-6, abs=1e-8)
