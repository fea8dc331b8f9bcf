"""More calls, for second derivatives: with `tables` and `tables_more` every function of the surface is in one."""

from __future__ import annotations

__all__ = ["AT_KINKS", "IN_PLACE", "NO_DERIVATIVE", "SECOND"]

ELEMENTARY = """
x(4).sin() + x(4).cos() + x(4).tan()
x(4).sinh() + x(4).cosh() + x(4).tanh()
p(4).asin() + p(4).acos() + x(4).atan()
x(4).asinh() + (p(4) + 1.5).acosh() + p(4).atanh()
p(4).arcsin() + p(4).arccos() + x(4).arctan()
x(4).arcsinh() + (p(4) + 1.5).arccosh() + p(4).arctanh()
x(4).exp() + x(4).exp2() + x(4).expm1()
p(4).log() + p(4).log2() + p(4).log10() + p(4).log1p()
torch.special.exp2(x(4)) + torch.special.expm1(x(4)) + torch.special.log1p(p(4))
p(4).sqrt() + p(4).rsqrt() + p(4).reciprocal() + x(4).square()
x(4).sigmoid() + F.sigmoid(x(4))
x(4).sinc() + torch.special.sinc(x(4)) + x(4).deg2rad() + x(4).rad2deg()
v(-2.0, -0.3, 0.3, 2.0).abs() + v(-2.0, -0.3, 0.3, 2.0).absolute() * x(4)
v(-2.0, -0.3, 0.3, 2.0).relu() ** 2
v(-2.0, -0.3, 0.3, 2.0).abs() ** 3
c(3).abs() * c(3).angle()
c(3).conj() * c(3).conj_physical() * c(3).resolve_conj()
c(3).exp() * c(3).sin() / c(3).cosh()
c(3).sqrt() + c(3).log() + c(3).tanh() + c(3).reciprocal()
c(3).real * c(3).imag
x(3).real * x(3)
torch.complex(x(3), x(3)).exp()
torch.polar(p(3), x(3))
-x(3) * x(3).neg() * x(3).negative() * x(3).positive()
v(-2.7, -0.3, 0.3, 2.6).frac() * x(4)
v(-2.7, -0.3, 0.3, 2.6).floor() * x(4) + v(-2.7, -0.3, 0.3, 2.6).ceil() * x(4)
v(-2.7, -0.3, 0.3, 2.6).trunc() * x(4) + v(-2.7, -0.3, 0.3, 2.6).fix() * x(4) + v(-2.7, -0.3, 0.3, 2.6).round() * x(4)
v(-2.7, -0.3, 0.3, 2.6).sign() * x(4)
v(-2.0, -0.6, 0.3, 2.0).clamp(-1, 1) * x(4) + v(-2.0, -0.6, 0.3, 2.0).clip(-1, 1)
x(4).clamp(v(-9.0, 0.1, -0.2, 1.1), v(9.0, 4.0, -0.1, 9.0))
x(3) + 2 * x(3) - x(3).add(x(3), alpha=3) * x(3).sub(x(3), alpha=2) - x(3).subtract(2)
2 - x(3) / w(3) + 2 / p(3) + x(3).div(p(3))
x(2, 3) * x(3) + x(2, 1) * x(3) / (p(2, 3) + 1)
p(3) ** 2.5 + p(3) ** x(3) + 2 ** x(3) + x(3) ** 2 + x(3) ** 3
p(3).pow(x(3)) + p(3).float_power(1.5)
v(5.3, -5.2).remainder(v(2.1, 2.3)) * x(2) + v(5.3, -5.2).fmod(v(2.1, 2.3)) * x(2) + v(5.3, 1.2) % 2
p(3).hypot(x(3)) + torch.atan2(x(3), p(3)) + torch.arctan2(x(3), x(3))
x(3).logaddexp(x(3)) + x(3).logaddexp2(x(3))
x(4).maximum(x(4) * 2) + x(4).minimum(p(4)) + x(4).fmax(p(4)) + x(4).fmin(p(4))
x(4).copysign(w(4)) * x(4) + x(4).copysign(-1.0)
x(4).heaviside(w(4)) * x(4)
x(3).lerp(x(3), 0.3) * x(3).lerp(x(3), p(3))
x(3).addcmul(x(3), x(3), value=0.5) + x(3).addcdiv(x(3), p(3), value=2)
torch.where(b(4), x(4), x(4) * x(4))
x(4).masked_fill(b(4), 2.0) * x(4).masked_fill(b(4), v(3.0).sum())
x(4).nan_to_num() * x(4)
x(4).to(torch.float32).to(torch.float64) * 0 + x(4).double() ** 2
x(4).type_as(x(4)) * x(4).type(torch.float64)
"""

REDUCING = """
x(3, 4).sum() * x(3, 4).sum(0).sum() * x(3, 4).sum((0, 1), keepdim=True)
x(3, 4).mean(1) * x(3, 4).mean()
x(3, 4).nansum(1) * x(3, 4).nanmean()
x(3, 4).prod(1) * x(3, 4).prod()
v(0.0, 2.0, 3.0).prod()
v(0.0, 2.0, 0.0, 3.0).prod()
x(3, 4).var(1) + x(3, 4).std(1) + x(3, 4).var() + x(3, 4).std(correction=0)
x(3, 4).logsumexp(1) + torch.special.logsumexp(x(3, 4), 1)
x(3, 4).max() + x(3, 4).min() + x(3, 4).max(1).values * x(3, 4).min(1).values
x(3, 4).amax(1) * x(3, 4).amin(1)
x(3, 4).median() + x(3, 4).median(1).values
x(3, 4).sort(1).values * x(3, 4) + x(3, 4).sort(1, True).values
x(3, 4).topk(2).values
x(3, 4).cumsum(1) * x(3, 4).cumsum(0)
x(3, 4).cumprod(1) * p(3, 4).cumprod(0)
v(1.0, 0.0, 2.0, 0.0, 3.0).cumprod(0)
v(2.0, 0.0, 3.0).cumprod(0)
x(3, 4).norm() + x(3, 4).norm(3) + x(3, 4).norm(1, dim=1).sum() + x(3, 4).norm(4, dim=0).sum()
x(3, 4).trace() * x(3, 4).trace()
torch.trapz(x(3, 4), x(4)) * x(3)
F.normalize(x(3, 4)) * x(3, 4)
x(3, 4).softmax(1) * x(3, 4).log_softmax(1)
"""

SHAPING = """
x(2, 3).view(6) * x(2, 3).reshape(6) * x(2, 3).flatten() * x(2, 3).ravel()
x(2, 3).view_as(x(3, 2)) * x(2, 3).reshape_as(x(3, 2))
x(2, 3).t() * x(2, 3).T * x(2, 3).mT * x(2, 3).transpose(0, 1) * x(2, 3).swapaxes(0, 1) * x(2, 3).swapdims(0, 1)
x(2, 3, 4).permute(2, 0, 1) * x(2, 3, 4).movedim(2, 0) * x(2, 3, 4).moveaxis(2, 0)
x(3).expand(2, 3) * x(3).expand_as(x(2, 3)) * x(3).broadcast_to(2, 3)
x(2, 1, 3).squeeze(1) * x(2, 1, 3).squeeze() * x(2, 3).unsqueeze(0)
x(2, 6).unflatten(1, (2, 3)) * x(2, 2, 3)
x(2, 3).flip(0) * x(2, 3).flipud() * x(2, 3).roll(1, 1)
x(2, 3).repeat(2, 1) * x(4, 3) + x(2, 3).tile(2, 1)
x(3).repeat_interleave(2) * x(6)
x(3, 4).diagonal() * x(3, 4).diag() * x(3).diag().sum()
x(3, 4).tril() * x(3, 4).triu()
x(3, 4)[1] * x(3, 4)[:, 1:3].sum() * x(3, 4)[..., 0].sum() * x(3, 4)[None].sum()
x(3, 4)[[0, 2, 2]] * x(3, 4)[torch.tensor([0, 0, 1]), torch.tensor([1, 1, 2])].sum()
x(3, 4)[b(3, 4)] ** 2
x(3, 4).select(0, 1) * x(3, 4).narrow(1, 0, 2).sum() * x(3, 4).index_select(0, torch.tensor([0, 0, 2])).sum()
x(3, 4).gather(1, n(4, 3, 2)) * x(3, 2) + x(3, 4).take(n(12, 3, 2)) * x(3, 4).take_along_dim(n(4, 3, 2), 1)
x(3, 4).masked_select(b(3, 4)) ** 2
x(4, 2).split(2)[0] * x(4, 2).chunk(2)[1] * x(4, 2).tensor_split(2)[0] * x(4, 2).unsafe_split(2)[1]
x(4, 2).unbind()[0] * x(4, 2).unbind(1)[0].sum()
torch.cat([x(2, 3), x(1, 3)]) * torch.concat([x(2, 3), x(1, 3)]) * torch.concatenate([x(3, 1), x(3, 2)], 1)
torch.stack([x(3), x(3)]) * torch.vstack([x(3), x(3)]) * torch.hstack([x(2, 1), x(2, 2)])
torch.meshgrid(x(2), x(3), indexing='ij')[0] * torch.meshgrid(x(2), x(3), indexing='ij')[1]
torch.atleast_1d(x(3)) * x(3).contiguous() * x(3).clone()
x(3, 3).unfold(0, 2, 1) * x(2, 3, 2)
x(2, 3).sum_to_size(1, 3) * x(3)
x(3).to(torch.complex128).real * x(3)
torch.kron(x(2, 2), x(2, 1))
"""

MULTIPLYING = """
x(3) @ x(3) * (x(2, 3) @ x(3)).sum() * (x(3) @ x(3, 2)).sum()
x(2, 3) @ x(3, 4) + torch.mm(x(2, 3), x(3, 4)) + torch.matmul(x(2, 3), x(3, 4))
torch.bmm(x(2, 2, 3), x(2, 3, 2)) * (x(2, 2, 3) @ x(3, 2))
torch.mv(x(2, 3), x(3)) * torch.dot(x(3), x(3)) * torch.vdot(x(3), x(3))
torch.outer(x(2), x(3)) * torch.ger(x(2), x(3))
torch.addmm(x(2, 2), x(2, 3), x(3, 2), beta=0.5, alpha=2)
torch.einsum('ij,jk,k->i', x(2, 3), x(3, 4), x(4))
torch.einsum('bij,bjk->ik', x(2, 2, 3), x(2, 3, 2))
torch.tensordot(x(2, 3), x(3, 2), 1) * torch.chain_matmul(x(2, 3), x(3, 3), x(3, 2))
torch.linalg.matmul(x(2, 3), x(3, 2))
torch.cholesky_inverse(torch.linalg.cholesky((lambda a: a @ a.mT + 2 * torch.eye(3, dtype=a.dtype))(x(3, 3))))
torch.pinverse(x(4, 3))
F.conv_transpose3d(x(1, 2, 2, 2, 2), x(2, 1, 2, 2, 2), x(1))
F.avg_pool3d(x(1, 1, 4, 4, 4), 2) * torch.avg_pool3d(x(1, 1, 4, 4, 4), 2)
F.adaptive_avg_pool3d(x(1, 1, 4, 4, 4), 2)
F.adaptive_max_pool1d(x(1, 2, 6), 2) * F.adaptive_max_pool3d(x(1, 1, 4, 4, 4), 2).sum()
F.max_pool1d_with_indices(x(1, 2, 6), 2)[0] * F.max_pool2d_with_indices(x(1, 1, 4, 4), 2)[0].sum()
F.max_pool3d_with_indices(x(1, 1, 4, 4, 4), 2)[0]
torch.special.gammaln(p(4) + 1) + torch.special.psi(p(4) + 1)
torch.special.gammainc(w(4), p(4) + 1) + torch.special.gammaincc(w(4), p(4) + 1) + torch.special.multigammaln(p(4) + 3, 2)
torch.special.i1e(x(4))
"""

# Each is a write in the middle of a program: what was read before it, and what is read after, both count.
IN_PLACE = """
(lambda y: (y * y) * y.add_(x(3)))(x(3) * 1)
(lambda y: y.add_(x(3), alpha=2) * y)(x(3) * 1)
(lambda y: y.sub_(x(3)).subtract_(2).mul_(x(3)).multiply_(y) * y)(x(3) * 1)
(lambda y: y.div_(p(3) + 1).divide_(p(3) + 1).true_divide_(2) * y)(x(3) * 1)
(lambda y: y.pow_(2).pow_(x(3)) * y)(p(3) * 1)
(lambda y: y.float_power_(1.5) * y)(p(3) * 1)
(lambda y: y.abs_().absolute_() * y)(v(-2.0, 0.5, 1.0) * 1)
(lambda y: y.sin_().cos_().tan_() * y)(x(3) * 1)
(lambda y: y.asin_().acos_().atan_() * y)(p(3) * 0.5)
(lambda y: y.arcsin_().arctan_().arccos_() * y)(p(3) * 0.5)
(lambda y: y.sinh_().tanh_().cosh_() * y)(x(3) * 1)
(lambda y: y.asinh_().atanh_() * y)(p(3) * 0.5)
(lambda y: y.arcsinh_().arctanh_() * y)(p(3) * 0.5)
(lambda y: y.acosh_().add_(1.5).arccosh_() * y)(p(3) + 1.5)
(lambda y: y.exp_().exp2_().expm1_() * y)(p(3) * 0.3)
(lambda y: y.log_().neg_().log2_() * y)(p(3) * 0.5)
(lambda y: y.log1p_().log10_().negative_() * y)(p(3) * 1)
(lambda y: y.sqrt_().rsqrt_().reciprocal_().square_() * y)(p(3) * 1)
(lambda y: y.sigmoid_().sinc_().deg2rad_().rad2deg_() * y)(x(3) * 1)
(lambda y: y.erf_().erfc_().erfinv_() * y)(p(3) * 0.5)
(lambda y: y.lgamma_().digamma_() * y)(p(3) + 3.5)
(lambda y: y.mvlgamma_(2) * y)(p(3) + 3)
(lambda y: y.i0_() * y)(x(3) * 1)
(lambda y: y.logit_() * y)(p(3) * 1)
(lambda y: y.xlogy_(p(3)) * y)(x(3) * 1)
(lambda y: y.igamma_(p(3) + 1) * y)(w(3))
(lambda y: y.igammac_(p(3) + 1) * y)(w(3))
(lambda y: y.hypot_(x(3)).atan2_(p(3)).arctan2_(p(3)) * y)(x(3) * 1)
(lambda y: y.logaddexp_(x(3)).logaddexp2_(x(3)) * y)(x(3) * 1)
(lambda y: y.maximum_(x(3)) * y)(x(3) * 1)
(lambda y: y.minimum_(x(3)).fmax_(p(3)).fmin_(p(3) + 1) * y)(x(3) * 1)
(lambda y: y.fmod_(v(2.1, 2.2, 2.3)).remainder_(v(1.1, 1.2, 1.3)) * y)(v(5.45, -5.27, 3.1) * 1)
(lambda y: y.copysign_(w(3)) * y)(x(3) * 1)
(lambda y: y.heaviside_(w(3)) * x(3))(x(3) * 1)
(lambda y: y.clamp_(-1, 1).clip_(-0.5, 0.5).clamp_max_(0.4).clamp_min_(-0.4) * y)(v(-2.0, 0.3, 0.45) * 1)
(lambda y: y.lerp_(x(3), 0.3).lerp_(x(3), p(3)) * y)(x(3) * 1)
(lambda y: y.addcmul_(x(3), y, value=0.5) * y)(x(3) * 1)
(lambda y: y.addcmul_(x(3), x(3)).addcdiv_(x(3), p(3)) * y)(x(3) * 1)
(lambda y: y.addmm_(x(2, 3), x(3, 2)) * y)(x(2, 2) * 1)
(lambda y: y.addmv_(x(3, 2), x(2)) * y)(x(3) * 1)
(lambda y: y.addr_(x(3), x(2)) * y)(x(3, 2) * 1)
(lambda y: y.addbmm_(x(2, 3, 2), x(2, 2, 3)).t() * y)(x(3, 3) * 1)
(lambda y: y.baddbmm_(x(2, 2, 3), x(2, 3, 2)) * y)(x(2, 2, 2) * 1)
(lambda y: y.cumsum_(1).cumprod_(0) * y)(x(2, 3) * 1)
(lambda y: y.tril_().triu_(-1) * y)(x(3, 3) * 1)
(lambda y: y.t_().mul_(y.t()) * y)(x(3, 3) * 1)
(lambda y, v: (y.t_(), v.mul_(2), y[0] * v)[2])(*(lambda y: (y, y[0]))(x(3, 3) * 1))
(lambda y: y.transpose_(0, 1).swapaxes_(0, 1).swapdims_(0, 1) * y)(x(3, 2) * 1)
(lambda y: y.as_strided_((3, 2), (1, 3)) * y)(x(2, 3) * 1)
(lambda y: y.unsqueeze_(0).squeeze_(0).mul_(y) * y)(x(3) * 1)
(lambda y: y.relu_().mul_(y) * y)(x(4) * 1)
(lambda y: F.relu_(y).sub_(y * y) * y)(x(4) * 1)
(lambda y: F.relu6_(y) * y)(4 * x(4))
(lambda y: F.leaky_relu_(y, 0.2) * y)(x(4) * 1)
(lambda y: F.elu_(y) * F.selu_(y))(x(4) * 1)
(lambda y: torch.celu_(torch.selu_(y)) * y)(x(4) * 1)
(lambda y: F.silu_(y).mul_(2) * F.mish_(y))(x(4) * 1)
(lambda y: F.hardtanh_(y, -0.5, 0.5) * y)(x(4) * 1)
(lambda y: F.hardsigmoid_(y) * F.hardswish_(y))(x(4) * 1)
(lambda y: F.threshold_(y, 0.1, 2.0) * torch.threshold_(y, 0.2, 1.0))(x(4) * 1)
(lambda y: y.frac_() * y)(v(-2.7, 0.3, 1.2) * 1)
(lambda y: y.nan_to_num_().sgn_().sign_() * x(3))(x(3) * 1)
(lambda y: y.floor_().ceil_().trunc_().fix_().round_() * x(3))(x(3) * 1)
(lambda y: y.ldexp_(torch.tensor([1, 2, 3])).positive_() * y)(x(3) * 1)
(lambda y: y.conj_physical_() * y)(c(3) * 1)
(lambda y: y.renorm_(2, 0, 0.5) * y)(x(3, 4) * 1)
(lambda y: y.zero_() + y * x(3))(x(3) * 1)
(lambda y: y.fill_(2.0) * x(3) + y)(x(3) * 1)
(lambda y: y.fill_(x()) * y)(x(3) * 1)
(lambda y: y.copy_(x(3)) * y)(x(3) * 1)
(lambda y: y.copy_(x(2, 3)).mul_(y.sum(0)) * y)(torch.zeros(2, 3, dtype=torch.float64))
(lambda y: y.masked_fill_(b(3), 2.0) * y)(x(3) * 1)
(lambda y: y.masked_fill_(b(3), x()) * y)(x(3) * 1)
(lambda y: y.masked_scatter_(b(4), x(4)) * y)(x(4) * 1)
(lambda y: y.index_add_(0, torch.tensor([0, 0]), x(2, 3)) * y)(x(3, 3) * 1)
(lambda y: y.index_copy_(0, torch.tensor([2, 0]), x(2, 3)) * y)(x(3, 3) * 1)
(lambda y: y.index_fill_(0, torch.tensor([2]), 3.0) * y)(x(3, 3) * 1)
(lambda y: y.index_fill_(0, torch.tensor([2]), x()) * y)(x(3, 3) * 1)
(lambda y: y.index_put_((torch.tensor([0, 2]),), x(2, 3)) * y)(x(3, 3) * 1)
(lambda y: y.index_put_((torch.tensor([0, 0]),), x(2, 3), accumulate=True) * y)(x(3, 3) * 1)
(lambda y: y.scatter_(0, n(3, 1, 3), x(1, 3)) * y)(x(3, 3) * 1)
(lambda y: y.scatter_add_(0, n(3, 2, 3), x(2, 3)) * y)(x(3, 3) * 1)
(lambda y: y.scatter_reduce_(0, n(3, 2, 3), x(2, 3), 'prod') * y)(x(3, 3) * 1)
(lambda y: y.index_reduce_(0, n(3, 2), x(2, 3), 'prod') * y)(x(3, 3) * 1)
(lambda y: y.index_reduce_(0, n(3, 2), x(2, 3), 'mean', include_self=False) * y)(x(3, 3) * 1)
(lambda y: y.put_(torch.tensor([0, 4]), x(2)) * y)(x(3, 3) * 1)
(lambda y: y.fill_diagonal_(2.0) * y)(x(3, 3) * 1)
(lambda y: (y.__setitem__(0, 5.0), y * y[0] * x(3))[1])(x(3) * 1)
(lambda y: (y.__setitem__(0, x()), y * y)[1])(x(3) * 1)
(lambda y: (y.__setitem__(slice(1, 3), y[:2] * x(2)), y * y)[1])(x(3) * 1)
(lambda y: (y.__setitem__(b(3), x()), y * y)[1])(x(3) * 1)
(lambda y: (y.__setitem__(torch.tensor([0, 2]), x(2)), y * y)[1])(x(3) * 1)
(lambda y: (y[0].mul_(y[1]), y[:, 1].add_(x(3)), y * y)[2])(x(3, 3) * 1)
(lambda y: (y.view(-1)[::2].mul_(x(5)), y.t()[1].exp_(), y * y)[2])(x(3, 3) * 1)
(lambda y: (y.diagonal().mul_(x(3)), y * y)[1])(x(3, 3) * 1)
(lambda y, v: (v.mul_(x(3)), y.mul_(y), v * y[0])[2])(*(lambda y: (y, y[0]))(x(3, 3) * 1))
(lambda y, v: (y.copy_(x(3)), v * y)[1])(*(lambda y: (y, y.view(3)))(torch.zeros(3, dtype=torch.float64)))
(lambda y, v: (v.copy_(x(2)), y * y)[1])(*(lambda y: (y, y[:2]))(torch.ones(3, dtype=torch.float64)))
(lambda y: (y.real.mul_(x(3)), y.imag.add_(x(3)), y * y)[2])(c(3) * 1)
(lambda y: (torch.view_as_real(y)[0].mul_(x(2)), y * y)[1])(c(3) * 1)
(lambda y: y.clone().mul_(y).add_(y) * y)(x(3))
(lambda y: (y + 1).mul_(y) * (y - 1).mul_(2) * y)(x(3))
(lambda y: (y.sum(0).mul_(x(3)) * y.expand(2, 3, 3).sum(0).mul_(2)))(x(3, 3) * 1)
(lambda y: y.squeeze().mul_(2).unsqueeze(0).add_(y) * y)(x(1, 3) * 1)
(lambda y: y.permute(1, 0).mul_(x(3, 2)).reshape(2, 3) * y)(x(2, 3) * 1)
(lambda y: torch.sin(y.t()).t().view(-1).mul_(x(6)).view(2, 3) * y)(x(2, 3) * 1)
(lambda y: (y.narrow(0, 1, 2).mul_(x(2)), y.select(0, 0).mul_(3), y * y)[2])(x(4) * 1)
"""

SECOND = {
    "elementary": ELEMENTARY, "reducing": REDUCING, "shaping": SHAPING, "multiplying": MULTIPLYING,
    "in place": IN_PLACE,
}  # fmt: skip

# Calls of the other tables at a kink, or whose gradient is not what differences find: it leaves out a row.
AT_KINKS = {
    "torch.clamp_min(v(1.0, 2.0), 1.0)",
    "torch.nan_to_num(v(1.0, inf, -inf, -2.0), posinf=7.0)",
    "torch.aminmax(v(2.0, 2.0, 1.0))",
    "torch.cummax(v(1.0, 1.0, 0.0, 2.0), 0)",
    "torch.scatter_reduce(v(1.0, 0.0), 0, torch.tensor([0, 0]), v(1.0, 1.0), 'amax')",
    "F.embedding(n(4, 2, 3), x(4, 5), padding_idx=1)",
    "F.hardtanh(v(-1.0, 1.0, 0.0))",
    "F.max_pool1d(v(1.0, 1.0, 0.0, 0.0).reshape(1, 1, 4), 2)",
}

# Writes of what has no derivative: whole numbers, truth values, random numbers, other memory.
NO_DERIVATIVE = set(
    """
    bernoulli_ bitwise_and_ bitwise_left_shift_ bitwise_not_ bitwise_or_ bitwise_right_shift_ bitwise_xor_ cauchy_
    detach_ eq_ exponential_ floor_divide_ gcd_ ge_ geometric_ greater_ greater_equal_ gt_ isfinite_ isinf_ isnan_
    isneginf_ isposinf_ isreal_ lcm_ le_ less_ less_equal_ log_normal_ logical_and_ logical_not_ logical_or_
    logical_xor_ lt_ ne_ nextafter_ normal_ not_equal_ random_ requires_grad_ resize_ resize_as_ set_ signbit_ uniform_
    """.split()
)
