"""Which operands and results of a call may not be written to before the way back: those that PyTorch keeps."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from .surface import ORACLE

# By what is refused: the operands x and y, the result z.
OF_ONE = {
    "": (
        "-x", "x*2", "1-x", "2/x", "x.cumsum(0)", "x.sign()", "x.flip(0)", "x.masked_fill(x>.5,2.)", "x.repeat(2)",
        "x.sort(-1).values", "x.floor()", "x.sum()", "x.mean()", "x.max(0).values", "x.min(0).values",
        "x.median(0).values", "x.mode().values", "x.kthvalue(1).values", "x.topk(1).values", "x.diff()", "x.trunc()",
        "x.frac()", "x.round()", "x.ceil()", "x.deg2rad()", "x.rad2deg()", "x.diag()", "torch.diag(x)", "x.tile(2)",
        "x.roll(1)", "x.float()", "x[torch.tensor([0,1])]", "x[x>1]", "x.index_select(0,torch.tensor([0]))",
        "F.tanhshrink(x)", "x.quantile(.5)", "torch.cov(torch.stack([x,x]))", "torch.cartesian_prod(x,x)",
        "torch.gradient(x)[0]", "torch.block_diag(x,x)", "x.repeat_interleave(2)", "x.corrcoef()",
    ),
    "x": (
        "x.sin()", "x.cos()", "x.abs()", "x.square()", "x**2", "x**3", "x**0.5", "x.clamp(-1,1)", "x.log()",
        "x.log2()", "x.log10()", "x.log1p()", "x.atan()", "x.asin()", "x.acos()", "x.sinh()", "x.cosh()", "x.asinh()",
        "x.acosh()", "x.atanh()", "x.var()", "x.var(0)", "x.cummax(0).values", "x.cummin(0).values", "x.nansum()",
        "x.nanmean()", "x.erf()", "x.erfc()", "x.erfinv()", "x.lgamma()", "x.digamma()", "x.sinc()", "x.logit()",
        "x.nan_to_num()", "x.pow(2)", "x.pow(-1)", "x.gather(0,torch.tensor([0]))", "x.take(torch.tensor([0]))",
        "F.softplus(x)", "F.gelu(x)", "F.silu(x)", "F.elu(x)", "F.selu(x)", "F.celu(x)", "F.mish(x)",
        "F.leaky_relu(x)", "F.hardtanh(x)", "F.hardswish(x)", "F.hardsigmoid(x)", "F.relu6(x)", "F.logsigmoid(x)",
        "F.softsign(x)", "F.softshrink(x)", "F.threshold(x,1.,0.)", "F.normalize(x,dim=0)", "F.glu(x[:2])",
        "F.layer_norm(x,(3,))", "x.i0()", "torch.special.entr(x)", "x.polygamma(1)", "x.mvlgamma(1)",
        "x.addcmul(x,x)", "torch.outer(x,x)", "torch.var_mean(x)[0]", "x.vdot(x)",
    ),
    "z": (
        "x.exp()", "x.tan()", "x.tanh()", "x.sigmoid()", "x.relu()", "x.softmax(-1)", "x.sqrt()", "x.expm1()",
        "x.exp2()", "x.log_softmax(0)", "x.reciprocal()", "x.rsqrt()", "F.softmin(x,0)", "torch.special.ndtri(x)",
    ),
    "xz": (
        "x.sgn()", "x.cumprod(0)", "x.prod()", "x.prod(0)", "x.amax(0)", "x.amax()", "x.amin()", "x.max()", "x.min()",
        "x.norm()", "x.norm(1)", "x.norm(3)", "x.norm(float('inf'))", "x.std()", "x.std(0)", "x.logsumexp(0)",
        "x.median()", "x.logcumsumexp(0)", "2**x", "torch.linalg.norm(x)", "torch.linalg.vector_norm(x,3)",
        "torch.special.i1(x)", "torch.special.log_ndtr(x)", "torch.special.erfcx(x)", "x.aminmax().min", "x.hypot(x)",
        "x.copysign(-1.)", "torch.std_mean(x)[0]",
    ),
}  # fmt: skip
OF_TWO = {
    "": (
        "x+y", "x-y", "torch.where(x>y,x,y)", "torch.lerp(x,y,0.3)", "torch.cat([x,y])", "torch.stack([x,y])",
        "x.add(y,alpha=3)", "x.sub(y,alpha=2)", "F.l1_loss(x,y)", "x.masked_fill(y>0,1.)",
        "x.scatter(0,torch.tensor([0,1,2]),y)", "torch.trapezoid(x,y)",
    ),
    "y": (
        "torch.addcmul(x,y,y)", "torch.mv(torch.stack([x,x]),y)", "x.index_add(0,torch.tensor([0,1,2]),y)",
        "x.index_copy(0,torch.tensor([0,1,2]),y)",
    ),
    "xy": (
        "torch.maximum(x,y)", "torch.minimum(x,y)", "torch.fmax(x,y)", "torch.fmin(x,y)", "x*y", "x/y",
        "torch.atan2(x,y)", "torch.logaddexp(x,y)", "torch.logaddexp2(x,y)", "torch.fmod(x,y)",
        "torch.remainder(x,y)", "torch.addcmul(x,x,y)", "torch.addcdiv(x,x,y)", "torch.outer(x,y)", "x@y",
        "torch.dot(x,y)", "torch.xlogy(x,y)", "F.mse_loss(x,y)", "F.smooth_l1_loss(x,y)", "F.huber_loss(x,y)",
        "torch.cross(x,y,0)", "torch.inner(x,y)", "F.cosine_similarity(x,y,0)", "torch.einsum('i,j->ij',x,y)",
        "x.clamp(min=y)", "x.clamp(max=y)", "x.clamp(y,y+1)", "torch.true_divide(x,y)", "torch.tensordot(x,y,1)",
        "torch.vdot(x,y)", "torch.ger(x,y)", "F.binary_cross_entropy_with_logits(x,y)", "F.kl_div(x,y)",
        "F.poisson_nll_loss(x,y)", "torch.lerp(x,y,y)", "torch.addr(torch.ones(3,3,dtype=x.dtype),x,y)",
        "F.bilinear(x[None],y[None],torch.ones(1,3,3,dtype=x.dtype))", "F.linear(x,y)", "F.prelu(x,y[:1])",
    ),
    "xz": ("torch.copysign(x,y)",),
    "xyz": ("torch.hypot(x,y)", "x.pow(y)", "torch.dist(x,y)", "torch.float_power(x,y)", "torch.cdist(x[None],y[None])"),
}  # fmt: skip
OF_TWO_TYPES = {
    "": (
        "x+y", "x-y", "torch.where(x>y,x,y)", "torch.cat([x,y])", "torch.stack([x,y])", "x.add(y,alpha=3)",
        "x.sub(y,alpha=2)", "F.l1_loss(x,y)", "x.masked_fill(y>0,1.)", "torch.trapezoid(x,y)",
    ),
    "y": ("torch.addcmul(x,y,y)",),
    "xy": (
        "torch.maximum(x,y)", "torch.minimum(x,y)", "torch.fmax(x,y)", "torch.fmin(x,y)", "x*y", "x/y",
        "torch.atan2(x,y)", "torch.logaddexp(x,y)", "torch.logaddexp2(x,y)", "torch.fmod(x,y)",
        "torch.remainder(x,y)", "torch.addcmul(x,x,y)", "torch.addcdiv(x,x,y)", "torch.outer(x,y)",
        "torch.xlogy(x,y)", "F.mse_loss(x,y)", "F.smooth_l1_loss(x,y)", "F.cosine_similarity(x,y,0)",
        "torch.einsum('i,j->ij',x,y)", "x.clamp(min=y)", "x.clamp(max=y)", "x.clamp(y,y+1)", "torch.true_divide(x,y)",
        "torch.ger(x,y)", "F.binary_cross_entropy_with_logits(x,y)", "F.kl_div(x,y)", "F.poisson_nll_loss(x,y)",
    ),
    "xz": ("torch.copysign(x,y)", "torch.float_power(x,y)"),
    "xyz": ("torch.hypot(x,y)", "x.pow(y)", "torch.dist(x,y)"),
}  # fmt: skip
OF_A_CONSTANT = {
    "": (
        "x+y", "x-y", "torch.fmod(x,y)", "torch.remainder(x,y)", "torch.where(x>y,x,y)", "torch.lerp(x,y,0.3)",
        "torch.addcmul(x,y,y)", "torch.cat([x,y])", "torch.stack([x,y])", "x.add(y,alpha=3)", "x.sub(y,alpha=2)",
        "F.l1_loss(x,y)", "x.masked_fill(y>0,1.)", "x.index_add(0,torch.tensor([0,1,2]),y)",
        "x.index_copy(0,torch.tensor([0,1,2]),y)", "x.scatter(0,torch.tensor([0,1,2]),y)", "torch.trapezoid(x,y)",
    ),
    "x": ("F.cosine_similarity(x,y,0)",),
    "y": (
        "x*y", "x/y", "torch.addcmul(x,x,y)", "torch.addcdiv(x,x,y)", "torch.outer(x,y)", "x@y", "torch.dot(x,y)",
        "torch.mv(torch.stack([x,x]),y)", "torch.cross(x,y,0)", "torch.inner(x,y)", "torch.einsum('i,j->ij',x,y)",
        "torch.true_divide(x,y)", "torch.tensordot(x,y,1)", "torch.vdot(x,y)", "torch.ger(x,y)", "F.kl_div(x,y)",
        "F.poisson_nll_loss(x,y)", "torch.lerp(x,y,y)", "torch.addr(torch.ones(3,3,dtype=x.dtype),x,y)",
        "F.bilinear(x[None],y[None],torch.ones(1,3,3,dtype=x.dtype))", "F.linear(x,y)",
    ),
    "xy": (
        "torch.maximum(x,y)", "torch.minimum(x,y)", "torch.fmax(x,y)", "torch.fmin(x,y)", "torch.atan2(x,y)",
        "torch.logaddexp(x,y)", "torch.logaddexp2(x,y)", "torch.xlogy(x,y)", "F.mse_loss(x,y)",
        "F.smooth_l1_loss(x,y)", "F.huber_loss(x,y)", "x.clamp(min=y)", "x.clamp(max=y)", "x.clamp(y,y+1)",
        "F.binary_cross_entropy_with_logits(x,y)", "F.prelu(x,y[:1])",
    ),
    "xz": ("torch.hypot(x,y)", "torch.copysign(x,y)"),
    "xyz": ("x.pow(y)", "torch.dist(x,y)", "torch.float_power(x,y)", "torch.cdist(x[None],y[None])"),
}  # fmt: skip
OF_TRUTH_VALUES = {
    "": (
        "x+y", "torch.fmod(x,y)", "torch.remainder(x,y)", "torch.where(x>y,x,y)", "torch.addcmul(x,y,y)",
        "torch.cat([x,y])", "torch.stack([x,y])", "x.add(y,alpha=3)", "x.masked_fill(y>0,1.)",
    ),
    "y": (
        "x*y", "x/y", "torch.addcmul(x,x,y)", "torch.outer(x,y)", "torch.einsum('i,j->ij',x,y)",
        "torch.true_divide(x,y)", "torch.ger(x,y)", "F.poisson_nll_loss(x,y)",
    ),
    "xy": (
        "torch.maximum(x,y)", "torch.minimum(x,y)", "torch.fmax(x,y)", "torch.fmin(x,y)", "torch.atan2(x,y)",
        "torch.xlogy(x,y)", "x.clamp(min=y)", "x.clamp(max=y)", "x.clamp(y,y+1)",
    ),
    "xz": ("torch.hypot(x,y)", "torch.copysign(x,y)", "torch.float_power(x,y)"),
    "xyz": ("x.pow(y)",),
}  # fmt: skip


def operand(torch: Any, numbers: list[float], kind: str, requires: bool) -> Any:
    made = torch.tensor(numbers).to(getattr(torch, kind))
    return made.requires_grad_() * 1 if requires else made


def refused(torch: Any, F: Any, call: str, kinds: tuple[str, ...], requires: str) -> str:
    """Of which tensors a write is noticed on the way back."""
    found = ""
    for name in [*"xy"[: len(kinds)], "z"]:
        names = {"torch": torch, "F": F}
        numbers = [1.1, 0.3, 0.7], [1.0, 0.0, 2.0] if kinds[-1] == "bool" else [0.9, 0.4, 1.7]
        for own, given, kind in zip("xy", numbers, kinds, strict=False):
            names[own] = operand(torch, given, kind, own in requires)
        z = names["z"] = eval(call, names)
        written = names[name]
        with torch.no_grad():
            written.logical_not_() if written.dtype is torch.bool else written.mul_(2)
        try:
            z.sum().backward()
        except RuntimeError as error:
            if "has been modified by an inplace operation" not in str(error):
                raise
            found += name
    return found


TABLES = {
    "of one": (OF_ONE, ("float64",), "x"),
    "of two": (OF_TWO, ("float64", "float64"), "xy"),
    "of two types": (OF_TWO_TYPES, ("float64", "float32"), "xy"),
    "of a constant": (OF_A_CONSTANT, ("float64", "float64"), "x"),
    "of truth values": (OF_TRUTH_VALUES, ("float64", "bool"), "x"),
}


@pytest.mark.parametrize("table", TABLES.values(), ids=list(TABLES))
@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::RuntimeWarning")
def test_what_is_kept(torch: Any, table: Any) -> None:
    calls, kinds, requires = table
    F = import_module(f"{ORACLE}.nn.functional")
    expected = {call: kept for kept, of_them in calls.items() for call in of_them}
    found = {call: refused(torch, F, call, kinds, requires) for call in expected}
    assert found == expected
