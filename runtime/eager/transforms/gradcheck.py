"""Derivatives against differences: ``gradcheck`` and ``gradgradcheck``."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ...arrays.transfers import beside, on_host
from ..functions.joining import stack
from ..graph.backward import grad
from ..sparse.differences import entries, has_entry, moved_entries, nonzero
from ..tensor.dtypes import Size, of
from ..tensor.tensor import Tensor, wrapped
from ..user_functions.function import TWICE
from . import forward_ad
from .gradcheck_properties import (
    GradcheckError,
    batched_gradients,
    check_batched_tangents,
    check_undefined_tangents,
    drawn,
    undefined_gradients,
)

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]


SPARSE = (
    "Sparse output is not supported at gradcheck yet. Please call to_dense(masked_grad=...) on the output of fn for "
    "gradcheck."
)


def tensors_of(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


def is_tensor(value: Any) -> bool:
    return isinstance(value, Tensor)


def is_differentiable(value: Any) -> bool:
    return is_tensor(value) and (value.is_floating_point() or value.is_complex())


def gradcheck(
    func: Callable[..., Any], inputs: Any, *, eps: float = 1e-6, atol: float = 1e-5, rtol: float = 1e-3,
    raise_exception: bool = True, nondet_tol: float = 0.0, check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False, check_batched_grad: bool = False, check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False, check_backward_ad: bool = True, fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:  # fmt: skip
    """True if the derivatives of ``func`` agree with central differences, in every mode that is asked.

    The inputs that require grad should be of double precision.
    """
    if not (check_forward_ad or check_backward_ad):
        raise AssertionError(
            "Expected at least one of check_forward_ad or check_backward_ad to be True"
        )
    if check_batched_grad and not check_backward_ad:
        raise AssertionError(
            "Setting check_batched_grad=True requires check_backward_ad to be True"
        )
    if check_batched_forward_grad and not check_forward_ad:
        raise AssertionError(
            "Setting check_batched_forward_grad=True requires check_forward_ad to be True"
        )
    check = Check(
        func, bool(masked), tensors_of(inputs), eps, atol, rtol, nondet_tol, check_undefined_grad, check_grad_dtypes,
        check_batched_grad, check_batched_forward_grad, check_forward_ad, check_backward_ad, fast_mode,
    )  # fmt: skip
    if raise_exception:
        return check.run()
    try:
        return check.run()
    except GradcheckError:
        return False


class Check:
    """One check: the function, its inputs, what is asked."""

    def __init__(
        self, func: Callable[..., Any], masked: bool, inputs: tuple[Any, ...], eps: float, atol: float, rtol: float, nondet: float,
        undefined: bool, dtypes: bool, batched: bool, batched_forward: bool, forward: bool, backward: bool, fast: bool,
    ) -> None:  # fmt: skip
        self.masked = masked
        self.func, self.inputs, self.eps, self.atol, self.rtol, self.nondet = (
            func,
            inputs,
            eps,
            atol,
            rtol,
            nondet,
        )
        self.undefined, self.dtypes, self.batched, self.batched_forward = (
            undefined,
            dtypes,
            batched,
            batched_forward,
        )
        self.forward, self.backward, self.fast = forward, backward, fast
        self.active = [k for k, x in enumerate(inputs) if is_tensor(x) and x.requires_grad]

    def run(self) -> bool:
        self.check_inputs()
        made = tensors_of(self.func(*self.inputs))
        outputs = [o for o in made if is_differentiable(o) and o.requires_grad]
        self.check_outputs(made)
        if not outputs:
            return self.check_constant(made)
        numerical = self.numerical(made)
        if self.backward:
            for imaginary in (True, False) if any(o.is_complex() for o in outputs) else (False,):
                for i, o in enumerate(outputs):
                    if o.is_complex() or not imaginary:
                        self.compare_backward(i, o, numerical[self.position(made, o)], imaginary)
        if self.forward:
            self.compare_forward(made, numerical)
            if self.undefined:
                check_undefined_tangents(self.func, self.inputs, self.active)
        if self.batched_forward:
            check_batched_tangents(self.func, self.inputs, self.active)
        if not self.backward:
            return True
        if self.batched:
            self.check_batched(outputs)
        self.check_scaling(outputs)
        if self.undefined:
            self.check_undefined()
        return True

    # -- inputs and outputs -------------------------------------------------------------

    def check_inputs(self) -> None:
        if not self.active:
            raise ValueError(
                "gradcheck expects at least one input tensor to require gradient, but none of them have "
                "requires_grad=True."
            )
        for k in self.active:
            x = self.inputs[k]
            if x.dtype.name not in ("float64", "complex128"):
                warnings.warn(
                    f"Input #{k} requires gradient and is not a double precision floating point or complex. This check "
                    "will likely fail if all the inputs are not of double precision floating point or complex. ",
                    stacklevel=5,
                )
            if x.is_sparse:
                continue
            steps = zip(x.stride(), x.shape, strict=True)
            if x.numel() and any(s == 0 and n > 1 for s, n in steps):
                raise RuntimeError(
                    f"The {k}th input has a dimension with stride 0. gradcheck only supports inputs that are "
                    "non-overlapping to be able to compute the numerical gradients correctly. You should call "
                    ".contiguous on the input before passing it to gradcheck."
                )
            if x.is_leaf:
                x.retain_grad()

    def check_outputs(self, made: tuple[Any, ...]) -> None:
        if any(is_tensor(o) and not is_differentiable(o) and o.requires_grad for o in made):
            raise ValueError("an output of integers requires grad")
        if any(is_tensor(o) and o.is_sparse for o in made):
            raise ValueError(SPARSE)

    def check_constant(self, made: tuple[Any, ...]) -> bool:
        for jacobians in self.numerical(made):
            if any(j is not None and np.any(np.abs(j) > 1e-12) for j in jacobians):
                raise GradcheckError("Numerical gradient for function expected to be zero")
        return True

    def position(self, made: tuple[Any, ...], output: Any) -> int:
        return next(k for k, o in enumerate(made) if o is output)

    # -- differences ----------------------------------------------------------------------

    def moved(self, k: int, flat: Any) -> list[Any]:
        """The results with other entries of one input, as arrays."""
        with moved_entries(self.inputs[k], flat, self.masked):
            made = tensors_of(self.func(*self.inputs))
            return [on_host(o._array).copy() if is_tensor(o) else None for o in made]

    def numerical(self, made: tuple[Any, ...]) -> list[list[Any]]:
        """For each result and active input the Jacobian (inputs by outputs) by central differences."""
        found: list[list[Any]] = [[] for _ in made]
        for k in self.active:
            columns = [self.column(k, j, made) for j in range(self.inputs[k].numel())]
            for i, o in enumerate(made):
                n = o.numel() if is_tensor(o) else 0
                shape = len(columns), n, 2 if self.inputs[k].is_complex() else 1
                slopes = np.array([c[i] for c in columns]) if is_differentiable(o) else None
                found[i].append(None if slopes is None else slopes.reshape(shape))
        return found

    def column(self, k: int, j: int, made: tuple[Any, ...]) -> list[Any]:
        """The slopes of all results by one entry: along the real line, and the imaginary one."""
        x = self.inputs[k]
        flat = entries(x)
        is_fixed = x.is_sparse and self.masked and not has_entry(x, j)
        units = [self.eps, 1j * self.eps] if x.is_complex() else [self.eps]
        sides: list[Any] = []
        for unit in units:
            ahead, behind = flat.copy(), flat.copy()
            ahead[j] += 0 if is_fixed else unit
            behind[j] -= 0 if is_fixed else unit
            a, b = self.moved(k, ahead), self.moved(k, behind)
            self.check_same(b, a, j)
            sides.append(
                [
                    None
                    if p is None or p.dtype.kind not in "fcV"
                    else ((p - q) / (2 * self.eps)).reshape(-1)
                    for p, q in zip(a, b, strict=True)
                ]
            )
        return [
            None if s is None else np.stack([side[i] for side in sides], -1)
            for i, s in enumerate(sides[0])
        ]

    def check_same(self, behind: list[Any], ahead: list[Any], j: int) -> None:
        for q, p in zip(behind, ahead, strict=True):
            if p is None:
                continue
            whats: dict[str, Any] = {
                "shape": lambda x: Size(x.shape),
                "dtype": lambda x: of(x.dtype),
            }
            for what, told in whats.items():
                if told(p) != told(q):
                    raise AssertionError(
                        f"Expected `func` to return outputs with the same {what} when inputs are perturbed on index "
                        f"({j},) by {self.eps}, but got: {what}s {told(q)} and {told(p)}."
                    )

    # -- derivatives -----------------------------------------------------------------------

    def rows(self, output: Any, imaginary: bool = False) -> list[Any]:
        """The Jacobian of a result by all active inputs, a sweep for each entry."""
        xs = [self.inputs[k] for k in self.active]
        found = [
            np.zeros((x.numel(), output.numel()), np.complex128 if x.is_complex() else np.float64)
            for x in xs
        ]
        for j in range(output.numel()):
            unit = np.zeros(output.numel(), output._array.dtype)
            unit[j] = 1j if imaginary else 1
            bars = self.pulled(
                output, xs, wrapped(beside(output._array, unit.reshape(output.shape)))
            )
            for x, into, bar in zip(xs, found, bars, strict=True):
                if bar is None:
                    continue
                self.check_type(x, bar)
                into[:, j] = entries(bar)
        return found

    def pulled(self, output: Any, xs: list[Any], bar: Any) -> Any:
        """The gradients; none of a function that is differentiable once: its mismatch is what is reported."""
        try:
            return grad(output, xs, bar, retain_graph=True, allow_unused=True)
        except RuntimeError as error:
            if str(error) != TWICE:
                raise
            return [None] * len(xs)

    def check_type(self, x: Any, bar: Any) -> None:
        if bar.shape != x.shape:
            raise GradcheckError("grad is incorrect size")
        if bar.is_sparse and not x.is_sparse:
            raise GradcheckError(f"grad is incorrect layout ({bar.layout} is not {x.layout})")
        if self.dtypes and bar.dtype is not x.dtype:
            raise GradcheckError("grad is incorrect type")

    def compare_backward(self, i: int, output: Any, numerical: list[Any], imaginary: bool) -> None:
        rows = self.rows(output, imaginary)
        again = self.rows(output, imaginary)
        for j, (analytical, other) in enumerate(zip(rows, again, strict=True)):
            expected = self.expected(numerical[j], self.inputs[self.active[j]], imaginary)
            prefix = self.prefix(output, imaginary, "outputs")
            self.compare(i, j, analytical, expected, prefix)
            if np.max(np.abs(analytical - other), initial=0.0) > self.nondet:
                raise GradcheckError(
                    "Backward is not reentrant, i.e., running backward with same input and grad_output multiple "
                    "times gives different values, although analytical gradient matches numerical gradient."
                    f"The tolerance for nondeterminism was {self.nondet}.\n\nNOTE: If your op relies on "
                    "non-deterministic operations i.e., it is listed here: torch.use_deterministic_algorithms, this "
                    "failure might be expected."
                )

    def expected(self, slopes: Any, x: Any, imaginary: bool) -> Any:
        """The gradient that the differences mean, for a real cotangent or an imaginary one."""
        part = np.imag(slopes) if imaginary else np.real(slopes)
        return part[..., 0] + 1j * part[..., 1] if x.is_complex() else part[..., 0]

    def prefix(self, value: Any, imaginary: bool, what: str) -> str:
        if not value.is_complex():
            return ""
        return f"While considering the {'imaginary' if imaginary else 'real'} part of complex {what} only, "

    def compare(
        self, i: int, j: int, analytical: Any, numerical: Any, prefix: str, forward: bool = False
    ) -> None:
        if np.allclose(analytical, numerical, self.rtol, self.atol):
            return
        how = "computed with forward mode " if forward else ""
        text = (
            f"{prefix}Jacobian {how}mismatch for output {i} with respect to input {self.active[j]},\n"
            f"numerical:{wrapped(numerical)}\nanalytical:{wrapped(analytical)}\n"
        )
        if self.fast:
            text += (
                "\nThe above quantities relating the numerical and analytical jacobians are computed \nin fast mode. See: "
                "https://github.com/pytorch/pytorch/issues/53876 for more background \nabout fast mode. Below, we "
                "recompute numerical and analytical jacobians in slow mode:\n\n"
                f"Numerical:\n {wrapped(numerical)}\nAnalytical:\n{wrapped(analytical)}\n\n"
                f"The max per-element difference (slow mode) is: {np.max(np.abs(analytical - numerical))}.\n"
            )
        raise GradcheckError(text)

    def compare_forward(self, made: tuple[Any, ...], numerical: list[list[Any]]) -> None:
        """Pushes along each entry of each input, against the same differences."""
        for part in (1, 0) if any(self.inputs[k].is_complex() for k in self.active) else (0,):
            for j, k in enumerate(self.active):
                if self.inputs[k].is_complex() or not part:
                    self.compare_pushed(made, [of_output[j] for of_output in numerical], j, part)

    def compare_pushed(self, made: tuple[Any, ...], slopes: list[Any], j: int, part: int) -> None:
        """Pushes along the real or the imaginary parts of one input."""
        k = self.active[j]
        x = self.inputs[k]
        prefix = self.prefix(x, bool(part), "inputs")
        ways = [self.pushed(k, e, 1j if part else 1) for e in range(x.numel())]
        for i, o in enumerate(made):
            if is_differentiable(o):
                zeros = np.zeros(o.numel(), slopes[i].dtype)
                rows = [zeros if t[i] is None else entries(t[i]) for t in ways]
                found = np.array(rows).reshape(slopes[i].shape[:2])
                self.compare(i, j, found, slopes[i][..., part], prefix, forward=True)

    def pushed(self, k: int, e: int, unit: complex) -> list[Any]:
        with forward_ad.dual_level():
            given = list(self.inputs)
            way = np.zeros(given[k].numel(), given[k]._array.dtype)
            way[e] = unit
            for m in self.active:
                x = given[m].detach()
                zero = np.zeros_like(x._array)
                tangent = beside(x._array, way.reshape(x.shape)) if m == k else zero
                given[m] = forward_ad.make_dual(x, wrapped(tangent))
            made = tensors_of(self.func(*given))
            return [forward_ad.unpack_dual(o).tangent if is_tensor(o) else None for o in made]

    # -- other properties --------------------------------------------------------------------

    def check_batched(self, outputs: list[Any]) -> None:
        """A batch of cotangents at once gives what they give one by one."""
        rng = np.random.default_rng(0)
        xs = [self.inputs[k] for k in self.active]
        for output in outputs:
            vs = [drawn(output, rng) for _ in range(2)]
            expected = [grad(output, xs, v, retain_graph=True, allow_unused=True) for v in vs]
            try:
                found = batched_gradients(output, xs, stack(vs))
            except RuntimeError as error:
                raise GradcheckError(
                    f"While computing batched gradients, got: {error}\n\ngradcheck or gradgradcheck failed while testing "
                    "batched gradient computation."
                ) from error
            for j, g in enumerate(found):
                whole = None if expected[0][j] is None else stack([e[j] for e in expected])
                if (g is None) != (whole is None) or (g is not None and not g.allclose(whole)):
                    raise GradcheckError(
                        "gradcheck or gradgradcheck failed while testing batched gradient computation."
                    )

    def check_scaling(self, outputs: list[Any]) -> None:
        """A zero cotangent gives a zero gradient."""
        xs = [self.inputs[k] for k in self.active]
        zeros = [wrapped(np.zeros_like(o._array)) for o in outputs]
        found = grad(outputs, xs, zeros, retain_graph=True, allow_unused=True)
        for x, g in zip(xs, found, strict=True):
            if g is None:
                continue
            if g.shape != x.shape:
                raise GradcheckError("grad is incorrect size")
            if nonzero(g):
                raise GradcheckError("backward not multiplied by grad_output")

    def check_undefined(self) -> None:
        """Gradients that are not there are treated as zeros."""
        made = [
            o
            for o in tensors_of(self.func(*self.inputs))
            if is_differentiable(o) and o.requires_grad
        ]
        xs = [self.inputs[k] for k in self.active]
        try:
            found = undefined_gradients(made, xs)
        except RuntimeError as error:
            warnings.warn(
                "Backwards compatibility: New undefined gradient support checking feature is enabled by default, but it "
                "may break existing callers of this function. If this is true for you, you can call this function with "
                '"check_undefined_grad=False" to disable the feature',
                stacklevel=4,
            )
            raise GradcheckError(
                'Expected backward function to handle undefined output grads. Please look at "Notes about undefined '
                'output gradients" in "tools/autograd/derivatives.yaml"'
            ) from error
        if any(g is not None and nonzero(g) for g in found):
            raise GradcheckError(
                "Expected all input grads to be undefined or zero when all output grads are undefined or zero."
            )


def gradgradcheck(
    func: Callable[..., Any], inputs: Any, grad_outputs: Any = None, *, eps: float = 1e-6, atol: float = 1e-5,
    rtol: float = 1e-3, gen_non_contig_grad_outputs: bool = False, raise_exception: bool = True,
    nondet_tol: float = 0.0, check_undefined_grad: bool = True, check_grad_dtypes: bool = False,
    check_batched_grad: bool = False, check_fwd_over_rev: bool = False, check_rev_over_rev: bool = True,
    fast_mode: bool = False, masked: bool | None = None,
) -> bool:  # fmt: skip
    """`gradcheck` of the gradient of ``func`` with respect to inputs and cotangents."""
    if not (check_fwd_over_rev or check_rev_over_rev):
        raise AssertionError(
            "Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True"
        )
    for option, asked in (
        ("check_undefined_grad", check_undefined_grad),
        ("check_batched_grad", check_batched_grad),
    ):
        if asked and not check_rev_over_rev:
            raise AssertionError(f"Setting {option}=True requires check_rev_over_rev to be True")
    given = tensors_of(inputs)
    n = len(given)
    outputs = [o for o in tensors_of(func(*given)) if is_differentiable(o)]
    bars = (
        random_bars(outputs, gen_non_contig_grad_outputs)
        if grad_outputs is None
        else tensors_of(grad_outputs)
    )

    def gradient(*args: Any) -> tuple[Any, ...]:
        xs = tuple(
            x.requires_grad_()
            if is_differentiable(x) and x.is_leaf and not x.requires_grad and x0.requires_grad
            else x
            for x, x0 in zip(args[:n], given, strict=True)
        )
        made = [o for o in tensors_of(func(*xs)) if is_differentiable(o)]
        active = [x for x in xs if is_tensor(x) and x.requires_grad]
        vs = [
            v.requires_grad_() if v0.requires_grad and not v.requires_grad else v
            for v, v0 in zip(args[n:], bars, strict=True)
        ]
        found = grad(made, active, vs, create_graph=True, allow_unused=True)
        return tuple(g for g in found if g is not None)

    return gradcheck(
        gradient, (*given, *bars), eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception, nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad, check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad, check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev, fast_mode=fast_mode,
    )  # fmt: skip


def random_bars(outputs: list[Any], strided: bool) -> tuple[Any, ...]:
    """Random cotangents that require grad."""
    made = []
    for o in outputs:
        kind = o._array.dtype if o.dtype.name in ("float64", "complex128") else np.dtype(np.float64)
        shape = tuple(o.shape)
        drawn = np.random.default_rng(0).standard_normal((*shape, 2)).astype(kind)
        array = drawn[..., 0] if strided and shape else np.array(drawn[..., 0])
        made.append(wrapped(beside(o._array, array)).requires_grad_())
    return tuple(made)
