"""Values, tangents and adjoints of every operation: to the second order, in single precision, of complex arrays."""

from __future__ import annotations

import builtins
import operator
from typing import Any

import numpy as np

from retrograd.runtime.rules.book import book
from tests import scope

from .. import laws
from ..examination import Examination, aspect
from ..harness import Case, declared
from ..sample import Sample

GAUGE = {np.linalg.eigh, np.linalg.svd} | declared(
    "GAUGE"
)  # complex vectors are defined up to a phase
NOT_HOLOMORPHIC = {
    np.absolute, np.real, np.imag, np.angle, np.conjugate, np.sign, np.vdot, np.vecdot,
    np.ndarray.real, np.ndarray.imag, np.ndarray.conj, np.ndarray.conjugate, np.linalg.vecdot,
    np.correlate, np.nan_to_num, np.cov, np.corrcoef,
    np.linalg.slogdet, np.linalg.eigh, np.linalg.eigvalsh, np.linalg.cholesky, np.linalg.svd,
    np.linalg.svdvals, np.linalg.qr, np.linalg.pinv, np.linalg.norm, np.var, np.std, np.ndarray.var,
    np.ndarray.std, builtins.abs, operator.abs,
    np.fft.fft, np.fft.ifft, np.fft.fft2, np.fft.ifft2, np.fft.fftn, np.fft.ifftn,  # complex of reals
    np.fft.irfft, np.fft.hfft, np.fft.irfft2, np.fft.irfftn, np.linalg.eig, np.linalg.eigvals, np.linalg.cond, np.linalg.lstsq,
    np.linalg.vector_norm, np.linalg.matrix_norm, np.polyfit, *([np.vecmat] if hasattr(np, "vecmat") else []),
} | declared("NOT_HOLOMORPHIC")  # fmt: skip
KINDS = (True, False)  # the compiler is told the types of the arguments, or it is not


@aspect(quick=True)
def first_and_second_order(op: Examination) -> None:
    """With types and without; the laws of the second order begin with those of the first."""

    def first(case: Case, sample: Sample) -> None:
        if scope.is_quick() or not sample.order2:
            laws.check_case(case, 1, sample.smooth)

    for typed in KINDS[:1] if scope.is_quick() else KINDS:
        op.each(first, typed)
        if not scope.is_quick():
            op.each(
                lambda case, sample: laws.check_case(case, 2, sample.smooth), typed, order2=True
            )


@aspect(ignoring=("logm result may be inaccurate",))
def single_precision(op: Examination) -> None:
    for typed in KINDS:
        op.each(lambda case, _: laws.check_dtypes(case), typed, np.float32)


@aspect()
def complex_arrays(op: Examination) -> None:
    gauge = op.operation in GAUGE
    op.each(
        lambda case, sample: laws.check_case(case, 1, sample.smooth, gauge=gauge),
        True,
        np.complex128,
        complex=True,
    )


def is_public(operation: Any) -> bool:
    """Whether it is not one of our own helpers."""
    return "retrograd" not in str(getattr(operation, "__module__", ""))


@aspect()
def complex_step(op: Examination) -> None:
    """Of what is holomorphic."""
    if not is_public(op.operation) or op.operation in NOT_HOLOMORPHIC:
        return
    if op.has_rule and not book.rules[op.operation].complex:
        op.each(lambda case, _: laws.check_step(case), False, complex=True, smooth=True, step=True)
