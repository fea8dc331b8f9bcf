"""Where one argument is real and the others are complex, and nobody knew: the adjoint of the real one is real.

A gradient is cast in the end, so one operation alone would not show it. Here the real argument comes of a complex one by
an operation that hands its adjoint on as it is: an imaginary part that stayed would end in the gradient.
"""

from __future__ import annotations

import copy
import warnings
from dataclasses import replace
from typing import Any

import numpy as np

from retrograd.compiler.ir.operations import Apply, Block, Function, Value
from retrograd.compiler.ir.types import Array
from retrograd.runtime.helpers import linear

from .. import laws
from ..examination import Examination, aspect
from ..harness import Case, Compiled
from .derivatives import GAUGE

# SciPy itself is wrong where one matrix is real and the other complex: `a @ x + x @ b - q` is not zero.
# Nobody hands those helpers such arguments.
LEFT_OUT = (
    "solve_sylvester",
    "solve_continuous_lyapunov",
    "steady",
    "turn_pull",
    "convolution_pull",
)


def unclear(x: Any) -> Array:
    return Array(None, tuple(np.shape(x)), None)


def real_at(case: Case, k: int) -> Case | None:
    """The case with its argument ``k`` the real part of a complex one, all kinds but that one's unknown."""
    given, values = case.function.body, list(case.values)
    if not all(isinstance(v, np.ndarray) and v.dtype.kind in "fc" for v in values):
        return None
    whole = Value("whole", Array("complex128", tuple(np.shape(values[k])), "c"))
    kind = Value("kind", unclear(values[k]))
    real = given.params[k]
    for p, x in zip(given.params, values, strict=True):
        p.type = unclear(x)
    for op in given.ops:
        for result in op.results:
            result.type = None
    halved = Apply([real], None, linear.convert, (whole, kind))
    params = [whole if p is real else p for p in given.params]
    body = Block([*params, kind], [halved, *given.ops], given.yields)
    made = Function("call", body, case.function.tree, None, (*case.function.names, "kind"))
    return replace(case, function=made, values=[*values, np.real(values[k])])


def works(case: Case) -> bool:
    """Whether NumPy does it: it does not write complex numbers into a real array."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", np.exceptions.ComplexWarning)
            Compiled(case.function)(*copy.deepcopy(case.values))
    except (TypeError, np.exceptions.ComplexWarning):
        return False
    return True


@aspect()
def adjoint_of_a_real_argument(op: Examination) -> None:
    """Where it has several arguments."""
    if not op.has_rule or op.operation in GAUGE or op.name.rpartition(".")[2] in LEFT_OUT:
        return
    for number, sample in op.chosen(complex=True):
        wrt = getattr(op.case(number, True, np.complex128), "wrt", ())
        for k in wrt if len(wrt) > 1 else ():
            with op.failing(f"sample {number}, argument {k}: {sample}"):
                case = Case.of(op.operation, sample, True, np.complex128)  # it will be changed
                assert case is not None
                check(case, k, sample.smooth)


def check(case: Case, k: int, smooth: bool) -> None:
    made = real_at(case, k)
    if made is not None and works(made):
        at = laws.Point(made.function, made.values, made.wrt)
        laws.check_adjoint(at, laws.check_tangent(at, smooth))
